//! Arguments of the opening maker.

use crate::cli::exit::ensure_usage;
use crate::cli::numbers::{MOST_AT_A_TIME, at_least_one, within};
use crate::cli::progress::{ProgressLine, hours, to_go};
use crate::cli::rules::rule;
use crate::cli::signals::on_interruption;
use anyhow::{Context, Result, ensure};
use clap::{Args, ValueEnum};
use quincunx_engine::engine::openings::{BalanceTest, BalancedOpening, OpeningSettings};
use quincunx_engine::eval::WeightSet;
use quincunx_engine::game::Opening;
use quincunx_engine::rules::{BoardSize, Rule};
use quincunx_tools::openings::{ListEvent, ListSettings, make};
use std::io::{self, Write};
use std::ops::RangeInclusive;
use std::sync::Arc;
use std::time::Instant;

/// The arguments of `quincunx openings`.
#[derive(Args)]
pub(crate) struct Openings {
    /// The rule
    #[arg(help_heading = "Openings", long, default_value_t, value_parser = rule(), ignore_case = true)]
    rule: Rule,
    /// The board: 15, or 20x15
    #[arg(help_heading = "Openings", long, default_value_t)]
    size: BoardSize,
    /// How many openings
    #[arg(
        help_heading = "Openings",
        long,
        value_name = "N",
        default_value_t = 100,
        value_parser = at_least_one::<usize>,
    )]
    count: usize,
    /// Stones of an opening: a number, or a range such as 3-7
    #[arg(
        help_heading = "Openings",
        long,
        value_name = "N[-M]",
        default_value = "3-7",
        value_parser = stones
    )]
    stones: RangeInclusive<usize>,
    /// The format of the openings
    #[arg(help_heading = "Openings", long, value_enum, default_value_t)]
    format: Format,
    /// Seed of everything random: another one makes other openings
    #[arg(help_heading = "Making", long, value_name = "S", default_value_t = 1)]
    seed: u64,
    /// The largest value that an opening may have for either side, in units of 1/200 logit
    #[arg(
        help_heading = "Openings",
        long,
        value_name = "UNITS",
        default_value_t = 50,
        value_parser = within(0, i32::MAX),
    )]
    window: i32,
    /// Nodes of the search that judges an opening
    #[arg(
        help_heading = "Making",
        long,
        value_name = "N",
        default_value_t = 200_000,
        value_parser = at_least_one::<u64>,
    )]
    nodes: u64,
    /// Attempts at a time; the openings do not depend on it
    #[arg(
        help_heading = "Making",
        long,
        value_name = "N",
        default_value_t = 1,
        value_parser = within(1, MOST_AT_A_TIME),
    )]
    threads: usize,
}

/// The format of an opening in one line.
#[derive(Clone, Copy, Default, ValueEnum)]
enum Format {
    /// The moves, the engine's value and its depth, after a comment that says how the openings
    /// were made
    #[default]
    Columns,
    /// The moves alone: h8i9g10, c-gomoku-cli's type=pos, which counts rows from the top
    Moves,
    /// Offsets from the middle: 0,0, 1,-1, the format of Gomocup and of c-gomoku-cli
    Offsets,
}

impl Openings {
    /// Makes the openings.
    pub(crate) fn run(&self, weights: &Arc<WeightSet>, output: &mut dyn Write) -> Result<()> {
        let room = OpeningSettings::most_stones(self.size);
        ensure_usage!(
            *self.stones.start() <= room,
            "--stones: openings on a board of {} have at most {room} stones",
            self.size
        );
        let settings = ListSettings {
            opening: OpeningSettings {
                rule: self.rule,
                size: self.size,
                stones: self.stones.clone(),
                balance: BalanceTest {
                    nodes: self.nodes,
                    window: self.window,
                },
                choose_last: true,
                quiet: false,
            },
            count: self.count,
            seed: self.seed,
            threads: self.threads,
            weights: Arc::clone(weights),
        };
        let (fewest, most) = (self.stones.start(), self.stones.end());
        if matches!(self.format, Format::Columns) {
            writeln!(
                output,
                "# quincunx openings --rule {} --size {} --count {} --stones {fewest}-{most} --seed {} --window {} --nodes {}",
                self.rule, self.size, self.count, self.seed, self.window, self.nodes
            )?;
        }
        on_interruption("the same command starts over; the written openings are complete")?;
        let view = ProgressLine::new();
        let mut written = Ok(());
        let start = Instant::now();
        let (mut found, mut tried) = (0, 0);
        let made = {
            let mut output = view.beside(output);
            make(&settings, &|| false, |event| {
                match event {
                    ListEvent::Found(opening) => {
                        found += 1;
                        written = self.write(opening, &mut output);
                    }
                    ListEvent::Tried(attempts) => {
                        tried = attempts;
                        view.show(|| self.progress(found, attempts, start));
                    }
                }
                written.is_ok()
            })
        };
        view.clear();
        written?;
        made.context("can't start a thread")?;
        ensure!(
            found == self.count,
            "found only {found}: allow a larger --window or other --stones"
        );
        let took = hours(start.elapsed());
        // Standard error, as the openings are the output.
        view.finish(&format!("{found} openings from {tried} attempts in {took}"));
        Ok(())
    }

    /// The line while openings are made: how long it takes, and why.
    fn progress(&self, found: usize, attempts: usize, start: Instant) -> String {
        let left = match found {
            // Nothing is known before the first opening.
            0 => String::new(),
            _ => {
                let left = to_go(start, found as u64, (self.count - found) as u64);
                format!(", {left} to go")
            }
        };
        format!(
            "{found}/{} openings{left}, {} of {attempts} attempts not within {}",
            self.count,
            attempts - found,
            self.window
        )
    }
}

impl Openings {
    /// Writes an opening in one line.
    fn write(&self, opening: &BalancedOpening, output: &mut impl Write) -> io::Result<()> {
        let (position, score, depth) = (&opening.position, opening.score, opening.depth);
        let moves = position.move_text();
        match self.format {
            Format::Columns => writeln!(output, "{moves}\t{score}\tdepth {depth}"),
            Format::Moves => writeln!(output, "{moves}"),
            Format::Offsets => {
                let points = position.moves().map(|(_, point)| point).collect();
                let opening = Opening::new(self.rule, self.size, points);
                let opening = opening.map_err(io::Error::other)?;
                writeln!(output, "{}", opening.offsets(self.size))
            }
        }
    }
}

/// Parses a number of stones, or a range with a dash.
fn stones(text: &str) -> Result<RangeInclusive<usize>, &'static str> {
    let (low, high) = text.split_once('-').unwrap_or((text, text));
    let range = low.parse().ok().zip(high.parse().ok());
    range
        .filter(|&(low, high): &(usize, usize)| low >= 1 && low <= high && high <= 40)
        .map(|(low, high)| low..=high)
        .ok_or("expected N or N-M from 1 to 40")
}
