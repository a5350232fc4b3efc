//! Arguments of the opening maker.

use anyhow::{Context, Result, ensure};
use clap::Args;
use quincunx::engine::openings::OpeningSettings;
use quincunx::eval::WeightSet;
use quincunx::rules::{BoardSize, Rule};
use quincunx::tools::openings::{BookSettings, make};
use std::io::{self, IsTerminal, Write};
use std::ops::RangeInclusive;
use std::sync::Arc;

/// Which openings are wanted.
#[derive(Args)]
pub(crate) struct Openings {
    /// freestyle, standard, renju, caro or caro-overline
    #[arg(long, default_value_t)]
    rule: Rule,
    /// The board: 15, or 20x15
    #[arg(long, default_value_t)]
    size: BoardSize,
    /// How many
    #[arg(long, default_value_t = 100)]
    count: usize,
    /// Stones in each: a number, or two with a dash
    #[arg(long, value_name = "N[-M]", default_value = "3-7")]
    stones: String,
    /// Fixes what comes out
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// How far from balance an opening may be
    #[arg(long, value_name = "UNITS", default_value_t = 50)]
    window: i32,
    /// Nodes to judge an opening by
    #[arg(long, default_value_t = 200_000)]
    nodes: u64,
    /// Attempts at a time; the openings do not depend on it
    #[arg(long, default_value_t = 1)]
    threads: usize,
}

impl Openings {
    /// Makes them.
    pub(crate) fn run(&self, weights: &Arc<WeightSet>, output: &mut dyn Write) -> Result<()> {
        let settings = BookSettings {
            opening: OpeningSettings {
                rule: self.rule,
                size: self.size,
                stones: self.range()?,
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
        writeln!(
            output,
            "# quincunx openings --rule {} --size {} --count {} --stones {} --seed {} --window {} --nodes {}",
            self.rule, self.size, self.count, self.stones, self.seed, self.window, self.nodes
        )?;
        let live = io::stderr().is_terminal();
        let mut written = Ok(());
        let mut found = 0;
        make(&settings, |opening, attempts| {
            found += 1;
            written = writeln!(
                output,
                "{}\t{}\tdepth {}",
                opening.position.move_text(),
                opening.score,
                opening.depth
            );
            if live {
                let count = self.count;
                let _ = write!(
                    io::stderr(),
                    "\r{found}/{count} after {attempts} attempts\x1b[K"
                );
            }
            written.is_ok()
        });
        if live {
            let _ = writeln!(io::stderr());
        }
        written?;
        ensure!(
            found == self.count,
            "only {found} found: allow a larger --window"
        );
        Ok(())
    }

    fn range(&self) -> Result<RangeInclusive<usize>> {
        let text = &self.stones;
        let (low, high) = text.split_once('-').unwrap_or((text, text));
        low.parse()
            .ok()
            .zip(high.parse().ok())
            .filter(|&(low, high): &(usize, usize)| low >= 1 && low <= high && high <= 40)
            .map(|(low, high)| low..=high)
            .with_context(|| format!("--stones wants N or N-M from 1 to 40, not '{text}'"))
    }
}
