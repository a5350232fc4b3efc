//! `quincunx gravity`: four in a row with gravity.

mod board;
mod lines;
mod measure;
mod play;
mod solve;

use super::exit::{ensure_usage, usage};
use anyhow::Result;
use clap::{Args, Subcommand};
use quincunx_engine::search::has_room;
use quincunx_gravity::Size;
use std::io::Write;

/// The arguments of `quincunx gravity`.
#[derive(Args)]
#[command(args_conflicts_with_subcommands = true)]
pub(super) struct Gravity {
    #[command(subcommand)]
    task: Option<Task>,
    #[command(flatten)]
    game: play::Play,
}

#[derive(Subcommand)]
enum Task {
    /// Find the exact value of a position
    ///
    /// The answer is `win in N plies`, `loss in N plies` or `draw` for the side to
    /// move, with best play.
    #[command(after_long_help = "Example: quincunx gravity solve 4453 --each")]
    Solve(solve::Solve),
    /// Draw random positions of a difficulty, with their values
    #[command(after_long_help = "Example: quincunx gravity positions middle-easy --count 5")]
    Positions(measure::Positions),
    /// Solve a fixed set of positions; the node count is the same everywhere
    ///
    /// Prints the median nodes and milliseconds of every class of difficulty.
    #[command(after_long_help = "Example: quincunx gravity bench")]
    Bench(measure::Bench),
}

impl Gravity {
    /// Plays a game, or runs the subcommand.
    pub(super) fn run(&self, output: &mut impl Write) -> Result<()> {
        match &self.task {
            None => self.game.run(output),
            Some(Task::Solve(arguments)) => arguments.run(output),
            Some(Task::Positions(arguments)) => arguments.run(output),
            Some(Task::Bench(arguments)) => arguments.run(output),
        }
    }
}

/// The size of the board.
#[derive(Args)]
struct SizeArgs {
    /// Columns of the board
    #[arg(long, value_name = "N", default_value_t = Size::default().columns())]
    columns: usize,
    /// Rows of the board
    #[arg(long, value_name = "N", default_value_t = Size::default().rows())]
    rows: usize,
}

impl SizeArgs {
    fn size(&self) -> Result<Size> {
        size(self.columns, self.rows)
    }
}

/// Returns the size with these numbers of columns and rows on the command line.
fn size(columns: usize, rows: usize) -> Result<Size> {
    Size::new(columns, rows).map_err(|error| usage(error.to_string()))
}

/// Returns a number of megabytes in bytes, at least one megabyte, if the system grants so much.
fn megabytes(count: usize) -> Result<usize> {
    let bytes = count.max(1).saturating_mul(1 << 20);
    ensure_usage!(
        has_room(bytes),
        "there are no {count} MiB of memory: choose less"
    );
    Ok(bytes)
}
