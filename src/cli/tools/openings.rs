//! Arguments of the opening maker.

use crate::cli::exit::ensure_usage;
use crate::cli::numbers::{MOST_AT_A_TIME, at_least_one, within};
use crate::cli::progress::ProgressLine;
use anyhow::{Result, ensure};
use clap::Args;
use quincunx_engine::engine::openings::OpeningSettings;
use quincunx_engine::eval::WeightSet;
use quincunx_engine::rules::{BoardSize, Rule};
use quincunx_tools::openings::{BookEvent, BookSettings, make};
use std::io::Write;
use std::ops::RangeInclusive;
use std::sync::Arc;

/// Which openings are wanted.
#[derive(Args)]
pub(crate) struct Openings {
    /// freestyle, standard, renju, caro or caro-overline
    #[arg(help_heading = "Openings", long, default_value_t)]
    rule: Rule,
    /// The board: 15, or 20x15
    #[arg(help_heading = "Openings", long, default_value_t)]
    size: BoardSize,
    /// How many
    #[arg(
        help_heading = "Openings",
        long,
        default_value_t = 100,
        value_parser = at_least_one::<usize>,
    )]
    count: usize,
    /// Stones in each: a number, or two with a dash
    #[arg(
        help_heading = "Openings",
        long,
        value_name = "N[-M]",
        default_value = "3-7",
        value_parser = stones
    )]
    stones: RangeInclusive<usize>,
    /// Fixes what comes out
    #[arg(help_heading = "Making", long, default_value_t = 1)]
    seed: u64,
    /// How far from balance an opening may be
    #[arg(
        help_heading = "Openings",
        long,
        value_name = "UNITS",
        default_value_t = 50
    )]
    window: i32,
    /// Nodes to judge an opening by
    #[arg(
        help_heading = "Making",
        long,
        default_value_t = 200_000,
        value_parser = at_least_one::<u64>,
    )]
    nodes: u64,
    /// Attempts at a time; the openings do not depend on it
    #[arg(
        help_heading = "Making",
        long,
        default_value_t = 1,
        value_parser = within(1, MOST_AT_A_TIME),
    )]
    threads: usize,
}

impl Openings {
    /// Makes them.
    pub(crate) fn run(&self, weights: &Arc<WeightSet>, output: &mut dyn Write) -> Result<()> {
        let room = OpeningSettings::most_stones(self.size);
        ensure_usage!(
            *self.stones.start() <= room,
            "--stones: openings on a board of {} have at most {room} stones",
            self.size
        );
        let settings = BookSettings {
            opening: OpeningSettings {
                rule: self.rule,
                size: self.size,
                stones: self.stones.clone(),
                max_score: self.window,
                nodes: self.nodes,
                choose_last: true,
                quiet: false,
            },
            count: self.count,
            seed: self.seed,
            threads: self.threads,
            weights: Arc::clone(weights),
        };
        let (fewest, most) = (self.stones.start(), self.stones.end());
        writeln!(
            output,
            "# quincunx openings --rule {} --size {} --count {} --stones {fewest}-{most} --seed {} --window {} --nodes {}",
            self.rule, self.size, self.count, self.seed, self.window, self.nodes
        )?;
        let view = ProgressLine::new();
        let mut output = view.beside(output);
        let mut written = Ok(());
        let mut found = 0;
        make(&settings, |event| {
            match event {
                BookEvent::Found(opening) => {
                    found += 1;
                    let moves = opening.position.move_text();
                    let (score, depth) = (opening.score, opening.depth);
                    written = writeln!(output, "{moves}\t{score}\tdepth {depth}");
                }
                BookEvent::Tried(attempts) => {
                    view.show(|| format!("{found}/{} after {attempts} attempts", self.count));
                }
            }
            written.is_ok()
        });
        view.clear();
        written?;
        ensure!(
            found == self.count,
            "found only {found}: allow a larger --window or other --stones"
        );
        Ok(())
    }
}

/// A number of stones, or two with a dash.
fn stones(text: &str) -> Result<RangeInclusive<usize>, &'static str> {
    let (low, high) = text.split_once('-').unwrap_or((text, text));
    let range = low.parse().ok().zip(high.parse().ok());
    range
        .filter(|&(low, high): &(usize, usize)| low >= 1 && low <= high && high <= 40)
        .map(|(low, high)| low..=high)
        .ok_or("expected N or N-M from 1 to 40")
}
