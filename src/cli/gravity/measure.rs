//! `quincunx gravity positions` and `bench`: measurements of the solver.

use super::lines::{lines, position};
use super::solve::Watcher;
use super::{SizeArgs, megabytes, size};
use crate::cli::exit::ensure_usage;
use crate::cli::numbers::at_least_one;
use crate::cli::options::Memory;
use crate::cli::runs::exit_on_interrupt;
use anyhow::{Context, Result};
use clap::Args;
use quincunx_gravity::{BENCH, Difficulty, Limits, Position, Search, Size, Suite};
use std::collections::BTreeMap;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// The arguments of `quincunx gravity positions`.
#[derive(Args)]
pub(super) struct Positions {
    /// The difficulty, by the stones on the board and the plies to the end: end-easy,
    /// middle-easy, middle-medium, begin-easy, begin-medium or begin-hard
    class: Difficulty,
    #[command(flatten)]
    size: SizeArgs,
    /// How many positions
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = at_least_one::<usize>)]
    count: usize,
    /// Seed of everything random: another one draws other positions
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
    #[command(flatten)]
    memory: Memory<256>,
}

impl Positions {
    /// Prints one position per line: the moves, then the value.
    pub(super) fn run(&self, output: &mut impl Write) -> Result<()> {
        let size = self.size.size()?;
        ensure_usage!(
            self.class.fits(size),
            "there are no {} positions on a board of {size}",
            self.class
        );
        let mut suite = Suite::new(size, self.seed);
        let mut search = Search::new(megabytes(self.memory.memory.0)?);
        exit_on_interrupt("the same command starts over")?;
        let watcher = Watcher::new(None);
        for _ in 0..self.count {
            let watch = &mut |progress| watcher.look(progress);
            if let Some((position, value)) = suite.draw(self.class, &mut search, watch) {
                watcher.clear();
                writeln!(output, "{} {value}", position.moves_text())?;
                output.flush()?;
            }
        }
        Ok(())
    }
}

/// The arguments of `quincunx gravity bench`.
#[derive(Args)]
pub(super) struct Bench {
    /// Solve the positions of this file instead, one per line; a value after the
    /// moves is ignored
    file: Option<PathBuf>,
    /// Columns of the board of the file's positions
    #[arg(long, value_name = "N", default_value_t = 7, requires = "file")]
    columns: usize,
    /// Rows of the board of the file's positions
    #[arg(long, value_name = "N", default_value_t = 6, requires = "file")]
    rows: usize,
    #[command(flatten)]
    memory: Memory<64>,
}

/// The cost of solving one position.
#[derive(Clone, Copy)]
struct Effort {
    nodes: u64,
    time: Duration,
}

impl Bench {
    /// Solves every position with an empty table.
    pub(super) fn run(&self, output: &mut impl Write) -> Result<()> {
        let positions = match &self.file {
            Some(path) => read(path, size(self.columns, self.rows)?)?,
            None => built_in()?,
        };
        let mut search = Search::new(megabytes(self.memory.memory.0)?);
        let mut efforts: BTreeMap<Difficulty, Vec<Effort>> = BTreeMap::new();
        exit_on_interrupt("the same command starts over")?;
        for position in &positions {
            search.clear();
            let watcher = Watcher::new(None);
            let start = Instant::now();
            let limits = Limits::default();
            let solution = search.solve(position, &limits, &mut |progress| watcher.look(progress));
            let effort = Effort {
                nodes: solution.nodes,
                time: start.elapsed(),
            };
            watcher.clear();
            let value = solution.value.context("a search without limits ended")?;
            let class = Difficulty::of(position, value);
            efforts.entry(class).or_default().push(effort);
        }
        report(&efforts, output)
    }
}

/// Writes a line for each class, and one that testing frameworks read.
fn report(efforts: &BTreeMap<Difficulty, Vec<Effort>>, output: &mut impl Write) -> Result<()> {
    writeln!(
        output,
        "{:<14}{:>10}{:>14}{:>11}",
        "class", "positions", "median nodes", "median ms"
    )?;
    for (class, efforts) in efforts {
        let nodes = median(efforts.iter().map(|effort| effort.nodes));
        let time = median(efforts.iter().map(|effort| effort.time));
        writeln!(
            output,
            "{class:<14}{:>10}{nodes:>14}{:>11.3}",
            efforts.len(),
            time.as_secs_f64() * 1e3
        )?;
    }
    let all = || efforts.values().flatten();
    let nodes: u64 = all().map(|effort| effort.nodes).sum();
    let time: Duration = all().map(|effort| effort.time).sum();
    let per_second = nodes as f64 / time.as_secs_f64().max(1e-9);
    writeln!(output, "{nodes} nodes {per_second:.0} nps")?;
    Ok(())
}

/// The median of some values, the lower of two, or the default if there are none.
fn median<T: Ord + Copy + Default>(values: impl Iterator<Item = T>) -> T {
    let mut values: Vec<T> = values.collect();
    values.sort_unstable();
    let middle = values.len().saturating_sub(1) / 2;
    values.get(middle).copied().unwrap_or_default()
}

fn built_in() -> Result<Vec<Position>> {
    let size = Size::new(7, 6)?;
    let position = |moves: &&str| Ok(Position::from_moves(size, moves)?);
    BENCH.iter().map(position).collect()
}

fn read(path: &Path, size: Size) -> Result<Vec<Position>> {
    let text = fs::read_to_string(path)
        .with_context(|| format!("can't read the positions {}", path.display()))?;
    let all = (1..).zip(text.split('\n').flat_map(lines));
    let positions = all.filter_map(|(number, line)| {
        let place = || format!("{} line {number}", path.display());
        Some(position(size, line)?.1.with_context(place))
    });
    positions.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_is_the_lower_middle() {
        assert_eq!(median([5, 1, 3].into_iter()), 3);
        assert_eq!(median([4, 1, 3, 2].into_iter()), 2);
        assert_eq!(median([0_u8; 0].into_iter()), 0);
    }
}
