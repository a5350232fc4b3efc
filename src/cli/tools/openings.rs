//! Arguments of the opening maker.

use crate::cli::exit::ensure_usage;
use crate::cli::numbers::{at_least_one, within};
use crate::cli::options::{Seed, Threads, VariantOptions};
use crate::cli::runs::{Progress, exit_on_interrupt, progress};
use anyhow::{Context, Result, ensure};
use clap::{Args, ValueEnum};
use quincunx_engine::engine::openings::{BalanceTest, BalancedOpening, OpeningSettings};
use quincunx_engine::eval::WeightSet;
use quincunx_engine::game::Opening;
use quincunx_tools::openings::{ListEvent, ListSettings, make};
use std::io::{self, Write};
use std::ops::{ControlFlow, RangeInclusive};
use std::sync::Arc;

/// The arguments of `quincunx openings`.
#[derive(Args)]
pub(crate) struct Openings {
    #[command(flatten, next_help_heading = "Openings")]
    variant: VariantOptions,
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
    #[command(flatten, next_help_heading = "Making")]
    seed: Seed,
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
    #[command(flatten, next_help_heading = "Making")]
    threads: Threads,
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
        let room = OpeningSettings::most_stones(self.variant.size);
        ensure_usage!(
            *self.stones.start() <= room,
            "--stones: openings on a board of {} have at most {room} stones",
            self.variant.size
        );
        let settings = ListSettings {
            opening: OpeningSettings {
                rule: self.variant.of.rule,
                size: self.variant.size,
                stones: self.stones.clone(),
                balance: BalanceTest {
                    nodes: self.nodes,
                    window: self.window,
                },
                choose_last: true,
                quiet: false,
            },
            count: self.count,
            seed: self.seed.seed,
            threads: self.threads.threads,
            weights: Arc::clone(weights),
        };
        let (fewest, most) = (self.stones.start(), self.stones.end());
        if matches!(self.format, Format::Columns) {
            writeln!(
                output,
                "# quincunx openings --rule {} --size {} --count {} --stones {fewest}-{most} --seed {} --window {} --nodes {}",
                self.variant.of.rule,
                self.variant.size,
                self.count,
                self.seed.seed,
                self.window,
                self.nodes
            )?;
        }
        exit_on_interrupt("the same command starts over; the written openings are complete")?;
        let progress = progress();
        let mut written = Ok(());
        let (mut found, mut tried) = (0, 0);
        let made = {
            let mut output = progress.beside(output);
            make(&settings, &|| false, |event| {
                match event {
                    ListEvent::Found(opening) => {
                        found += 1;
                        written = self.write(opening, &mut output);
                    }
                    ListEvent::Tried(attempts) => {
                        tried = attempts;
                        progress.show(|| self.state(found, attempts, &progress));
                    }
                }
                match written {
                    Ok(()) => ControlFlow::Continue(()),
                    Err(_) => ControlFlow::Break(()),
                }
            })
        };
        progress.clear();
        written?;
        made.context("can't start a thread")?;
        ensure!(
            found == self.count,
            "found only {found}: allow a larger --window or other --stones"
        );
        let took = progress.elapsed();
        // Standard error, as the openings are the output.
        progress.note(&format!("{found} openings from {tried} attempts in {took}"));
        Ok(())
    }

    /// The state of the run, and the reason why it takes so long.
    fn state(&self, found: usize, attempts: usize, progress: &Progress) -> String {
        let left = match found {
            // Nothing is known before the first opening.
            0 => String::new(),
            _ => {
                let left = progress.time_left(found as u64, (self.count - found) as u64);
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
                let opening = Opening::new(self.variant.of.rule, self.variant.size, points);
                let opening = opening.map_err(io::Error::other)?;
                writeln!(output, "{}", opening.offsets(self.variant.size))
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
