//! `quincunx gravity solve`: exact values of positions.

use super::lines::{lines, position};
use super::{SizeArgs, megabytes};
use crate::cli::exit::usage;
use crate::cli::inputs::prompt_for_input;
use crate::cli::numbers::milliseconds;
use crate::cli::options::{Json, Memory};
use crate::cli::runs::{exit_on_interrupt, progress};
use anyhow::{Result, ensure};
use clap::Args;
use quincunx_gravity::{Limits, Position, Progress, Search, Value, column_digit};
use serde_json::json;
use std::io::{self, BufRead, IsTerminal, Write};
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

/// The arguments of `quincunx gravity solve`.
#[derive(Args)]
pub(super) struct Solve {
    /// The moves as column digits from 1, such as 4453, or "" for none. By default, and for -,
    /// positions are read from standard input, one per line
    moves: Option<String>,
    #[command(flatten)]
    size: SizeArgs,
    /// Print the value of every column
    #[arg(long)]
    each: bool,
    #[command(flatten)]
    json: Json,
    /// The maximum nodes for a position [default: no limit]
    #[arg(long, value_name = "N", default_value_t = u64::MAX, hide_default_value = true)]
    nodes: u64,
    /// The maximum time for a position, such as 500ms or 10s [default: no limit]
    #[arg(long, value_name = "TIME", value_parser = milliseconds::<u64>)]
    time: Option<u64>,
    #[command(flatten)]
    memory: Memory<256>,
}

/// The result of the search of a position.
struct Answer {
    value: Option<Value>,
    /// The value of every column, if they were asked for.
    columns: Vec<Option<Value>>,
    nodes: u64,
    time: Duration,
}

impl Solve {
    /// Solves the position of the arguments, or the positions of standard input.
    pub(super) fn run(&self, output: &mut impl Write) -> Result<()> {
        let size = self.size.size()?;
        let mut search = Search::new(megabytes(self.memory.memory.0)?);
        exit_on_interrupt("the same command starts over; --time and --nodes limit a search")?;
        if let Some(moves) = self.moves() {
            let position = Position::from_moves(size, moves)?;
            return self.answer(&mut search, &position, output);
        }
        if self.moves.is_none() && io::stdin().is_terminal() {
            return Err(usage("expected moves, or - to type positions"));
        }
        prompt_for_input();
        let mut wrong = Vec::new();
        let mut number = 0;
        for text in io::stdin().lock().split(b'\n') {
            let text = text?;
            for line in lines(&String::from_utf8_lossy(&text)) {
                number += 1;
                let Some((moves, position)) = position(size, line) else {
                    continue;
                };
                match position {
                    Ok(position) => {
                        search.clear();
                        self.answer(&mut search, &position, output)?;
                    }
                    Err(error) => {
                        wrong.push(number.to_string());
                        writeln!(output, "{}", self.refusal(moves, &error.to_string()))?;
                        output.flush()?;
                    }
                }
            }
        }
        ensure!(wrong.is_empty(), "no position on line {}", wrong.join(", "));
        Ok(())
    }

    /// The moves of the arguments, unless positions are read from standard input.
    fn moves(&self) -> Option<&str> {
        self.moves.as_deref().filter(|moves| *moves != "-")
    }

    fn answer(
        &self,
        search: &mut Search,
        position: &Position,
        output: &mut impl Write,
    ) -> Result<()> {
        let answer = self.solve(search, position);
        let text = match self.json.json {
            true => json_line(position, &answer),
            false => self.text(position, &answer),
        };
        writeln!(output, "{text}")?;
        output.flush()?;
        ensure!(
            answer.value.is_some() || self.moves().is_none(),
            "not solved within the limits"
        );
        Ok(())
    }

    fn refusal(&self, moves: &str, error: &str) -> String {
        match self.json.json {
            true => json!({ "moves": moves, "error": error }).to_string(),
            false => format!("{moves} error: {error}"),
        }
    }

    fn solve(&self, search: &mut Search, position: &Position) -> Answer {
        let limits = Limits {
            nodes: self.nodes,
            ..Limits::default()
        };
        let start = Instant::now();
        let watch = Watcher::new(self.time.map(Duration::from_millis));
        let look = &mut |progress| watch.look(progress);
        let solution = search.solve(position, &limits, look);
        let (mut columns, mut nodes) = (Vec::new(), solution.nodes);
        if self.each {
            // The columns have what the position has left.
            let limits = Limits {
                nodes: self.nodes.saturating_sub(nodes),
                ..limits
            };
            let (values, more) = search.solve_columns(position, &limits, look);
            (columns, nodes) = (values, nodes + more);
        }
        watch.clear();
        Answer {
            value: solution.value,
            columns,
            nodes,
            time: start.elapsed(),
        }
    }

    fn text(&self, position: &Position, answer: &Answer) -> String {
        let mut text = match self.moves() {
            Some(_) => name(answer.value),
            None => format!("{} {}", position.moves_text(), name(answer.value)),
        };
        for column in position.playable_columns() {
            if let Some(value) = answer.columns.get(column) {
                text += &format!("\n{} {}", column_digit(column), name(*value));
            }
        }
        text
    }
}

fn name(value: Option<Value>) -> String {
    value.map_or("unknown".to_owned(), |value| value.to_string())
}

fn json_line(position: &Position, answer: &Answer) -> String {
    let size = position.size();
    let (value, plies) = parts(answer.value);
    let mut line = json!({
        "moves": position.moves_text(),
        "columns": size.columns(),
        "rows": size.rows(),
        "value": value,
        "plies": plies,
        "nodes": answer.nodes,
        "ms": answer.time.as_secs_f64() * 1e3,
    });
    if !answer.columns.is_empty() {
        let each = position.playable_columns().map(|column| {
            let (value, plies) = parts(answer.columns[column]);
            json!({ "column": column + 1, "value": value, "plies": plies })
        });
        line["each"] = each.collect();
    }
    line.to_string()
}

/// A value in JSON: a word, and the plies to the end of the game.
fn parts(value: Option<Value>) -> (Option<&'static str>, Option<u32>) {
    match value {
        None => (None, None),
        Some(Value::Draw) => (Some("draw"), None),
        Some(Value::Win(plies)) => (Some("win"), Some(plies)),
        Some(Value::Loss(plies)) => (Some("loss"), Some(plies)),
    }
}

/// Stops a search when its time is over, and shows its progress.
pub(super) struct Watcher {
    start: Instant,
    time: Option<Duration>,
    progress: quincunx_runs::Progress,
}

impl Watcher {
    /// Starts the clock.
    pub(super) fn new(time: Option<Duration>) -> Watcher {
        Watcher {
            start: Instant::now(),
            time,
            progress: progress(),
        }
    }

    /// Whether the search continues.
    pub(super) fn look(&self, progress: Progress) -> ControlFlow<()> {
        let elapsed = self.start.elapsed();
        if self.time.is_some_and(|time| elapsed >= time) {
            return ControlFlow::Break(());
        }
        self.progress.show(|| {
            let (nodes, seconds) = (progress.nodes / 1_000_000, elapsed.as_secs());
            format!("{nodes} million nodes, {seconds} s")
        });
        ControlFlow::Continue(())
    }

    /// Clears the display.
    pub(super) fn clear(&self) {
        self.progress.clear();
    }
}
