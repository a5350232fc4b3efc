//! Engines against each other: `match`, `ratings` and `check`.

mod check;
mod engines;
mod match_openings;
mod matches;
mod ratings;
mod sprt;

#[cfg(feature = "board")]
pub(super) use engines::program;

use super::exit;
use anyhow::Result;
use clap::Subcommand;
use quincunx_engine::eval::WeightSet;
use std::io::Write;
use std::sync::Arc;

/// The commands.
#[derive(Subcommand)]
pub(crate) enum Command {
    /// Play engines against each other
    ///
    /// Every opening is played twice with colours swapped. The last line of the
    /// report is `NAME1 vs NAME2: W - L - D`. Ctrl-C ends a run. The folder of --out
    /// keeps its games, and --resume continues it.
    #[command(
        after_long_help = "Examples:\n  quincunx match --engine new=./new --engine old=./old --turn 100ms --games 1000\n  quincunx match --engine new=./new --engine old=./old --nodes 5000 --sprt 0,10 --games 20000 --out run1\n  quincunx match --engine a=./a --engine b=./b --engine c=./c --tc 60+0.6 --format swiss --games 4 --resign score=600,moves=3"
    )]
    Match(Box<matches::Match>),
    /// Rate the engines of several matches together
    ///
    /// Prints Elo with 95 % errors, how likely it is that one engine is stronger than
    /// another, and what the first move is worth. Engines of the same name are one engine.
    /// Groups that no games connect are rated separately.
    #[command(after_long_help = "Example: quincunx ratings --anchor old=2000 run1 run2 run3")]
    Ratings(ratings::RatingsArgs),
    /// Test whether an engine keeps to the protocol
    ///
    /// Prints a table of what passed, what failed and what is not supported, with the
    /// conversation of each failure. The exit code is 1 if anything failed.
    #[command(after_long_help = "Example: quincunx check --rule renju ./pbrain-engine")]
    Check(check::Check),
}

impl Command {
    /// Does what the arguments say and returns the exit code.
    pub(crate) fn run(&self, weights: &Arc<WeightSet>, output: &mut impl Write) -> Result<u8> {
        match self {
            Command::Match(arguments) => return arguments.run(weights, output),
            Command::Ratings(arguments) => arguments.run(output)?,
            Command::Check(arguments) => return arguments.run(output),
        }
        Ok(exit::DONE)
    }
}
