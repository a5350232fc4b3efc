//! `quincunx analyse`: a position searched, and what threatens in it.

use super::source::Source;
use crate::cli::numbers::some_milliseconds;
use crate::cli::options::Json;
use crate::cli::runs::exit_on_interrupt;
use crate::cli::terminal::can_redraw;
use anyhow::{Context, Result};
use clap::Args;
use quincunx_analysis::NamedOpening;
use quincunx_analysis::diagram::Diagram;
use quincunx_analysis::report::{PositionReport, line_json, line_text};
use quincunx_engine::engine::{
    Engine, EngineThread, Event, Line, MonotonicClock, Request, Started,
};
use quincunx_engine::eval::WeightSet;
use quincunx_engine::game::Game;
use quincunx_engine::position::Position;
use std::io::{self, Write};
use std::sync::{Arc, mpsc};
use std::time::Duration;

/// The time of a search without a limit.
const DEFAULT_TIME: Duration = Duration::from_secs(5);

/// The arguments of `quincunx analyse`.
#[derive(Args)]
pub(crate) struct Analyse {
    #[command(flatten)]
    source: Source,
    /// The time of the search, such as 500ms or 5s [default: 5s, with --nodes no limit]
    #[arg(long, value_name = "TIME", value_parser = some_milliseconds)]
    time: Option<u64>,
    /// The nodes of the search; with this limit alone the answer is always the same
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    nodes: Option<u32>,
    /// The best N moves, each with its line
    #[arg(long, value_name = "N", default_value_t = 1,
        value_parser = clap::value_parser!(u16).range(1..=100))]
    lines: u16,
    /// Nodes of the solver for the forced win of a side
    #[arg(long, value_name = "N", default_value_t = 200_000)]
    proof_nodes: u64,
    #[command(flatten)]
    json: Json,
}

impl Analyse {
    /// Analyses the position.
    pub(crate) fn run(&self, weights: &Arc<WeightSet>, output: &mut dyn Write) -> Result<()> {
        let record = self.source.record()?;
        let rule = record.rule.unwrap_or_default();
        let game = record.replay(rule);
        let game = game.with_context(|| format!("can't analyse {}", self.source.name()))?;
        let position = game.position();
        exit_on_interrupt("the same command starts over")?;
        let report = PositionReport::of(&game, self.proof_nodes);
        if self.json.json {
            writeln!(output, "{}", report.json())?;
        } else {
            introduce(&game, &report, output)?;
        }
        output.flush()?;
        if report.won.is_some() || position.empty_points() == 0 {
            return Ok(());
        }
        let live = !self.json.json && can_redraw(&io::stdout());
        let mut shown = Lines::default();
        self.search(weights, position, &mut |info| {
            if self.json.json {
                writeln!(output, "{}", line_json(info))?;
                return output.flush();
            }
            shown.add(info);
            match live {
                true => shown.draw(output),
                false => Ok(()),
            }
        })?;
        if !self.json.json && !live {
            shown.write(output)?;
        }
        Ok(())
    }

    /// Searches, and passes on every line that is found.
    fn search(
        &self,
        weights: &Arc<WeightSet>,
        position: &Position,
        on_line: &mut dyn FnMut(&Line) -> io::Result<()>,
    ) -> Result<()> {
        let mut engine = Engine::with_weights(MonotonicClock::system(), Arc::clone(weights));
        engine.set_rule(position.rule());
        engine.set_position(position.clone());
        let options = engine.options_mut();
        options.max_node = self.nodes.map(u64::from);
        let time = self.time.map(Duration::from_millis);
        options.timeout_turn = time.or(self.nodes.is_none().then_some(DEFAULT_TIME));
        options.infinite = true;
        let (sender, events) = mpsc::channel();
        let thread = EngineThread::start(move |_, event| {
            // After an error there is no receiver any more.
            let _ = sender.send(event);
        });
        let thread = thread.context("can't start a thread")?;
        let request = Request::Lines(usize::from(self.lines));
        match engine.start(request, engine.clock().now())? {
            Started::Answered(_) => return Ok(()),
            Started::Searching(search) => thread.run(search),
        }
        for event in events {
            match event {
                Event::Info(info) => {
                    if let Err(error) = on_line(&info) {
                        engine.stop();
                        return Err(error.into());
                    }
                }
                Event::Answer(_) => break,
                _ => {}
            }
        }
        Ok(())
    }
}

/// The board, and what is certain about the position.
fn introduce(game: &Game, report: &PositionReport, output: &mut dyn Write) -> io::Result<()> {
    let (rule, size, side) = (game.rule(), game.size(), report.side);
    let opening = NamedOpening::of(game).map_or_else(String::new, |name| format!(", {name}"));
    writeln!(output, "{rule}, board {size}{opening}, {side} to move")?;
    write!(output, "{}", Diagram::of(game).without_numbers().text())?;
    for sentence in report.sentences() {
        writeln!(output, "{sentence}")?;
    }
    Ok(())
}

/// The newest line of every rank.
#[derive(Default)]
struct Lines {
    lines: Vec<Line>,
    /// How many lines are on the terminal.
    drawn: usize,
}

impl Lines {
    fn add(&mut self, info: &Line) {
        match self.lines.iter_mut().find(|line| line.rank == info.rank) {
            Some(line) => *line = info.clone(),
            None => self.lines.push(info.clone()),
        }
    }

    fn write(&self, output: &mut dyn Write) -> io::Result<()> {
        for line in &self.lines {
            writeln!(output, "{}", line_text(line))?;
        }
        output.flush()
    }

    /// Writes the lines over those on the terminal.
    fn draw(&mut self, output: &mut dyn Write) -> io::Result<()> {
        if self.drawn > 0 {
            write!(output, "\x1b[{}A\x1b[J", self.drawn)?;
        }
        self.drawn = self.lines.len();
        // A line that is too long is cut: wrapped, it would be more than one.
        write!(output, "\x1b[?7l")?;
        self.write(output)?;
        write!(output, "\x1b[?7h")?;
        output.flush()
    }
}
