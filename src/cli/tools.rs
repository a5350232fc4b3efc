//! The engine looked into: `bench`, `show`, `solve` and `openings`.

#[cfg(feature = "shell")]
mod openings;
mod show;
#[cfg(feature = "shell")]
mod solve;

use super::exit;
use anyhow::Result;
use clap::Subcommand;
use quincunx_engine::engine::MonotonicClock;
use quincunx_engine::eval::{InstructionSet, WeightSet};
use quincunx_tools::bench;
use std::io::Write;
use std::sync::Arc;

/// The commands.
#[derive(Subcommand)]
pub(crate) enum Command {
    /// Search a fixed set of positions; the node count is the same everywhere
    #[command(after_long_help = "Example: quincunx bench --depth 8")]
    Bench {
        /// The depth of the searches in plies, which changes the node count
        #[arg(long, value_name = "N", default_value_t = bench::DEPTH,
            value_parser = clap::value_parser!(u32).range(1..))]
        depth: u32,
        /// Instructions for the evaluations: baseline, avx2 or avx512, if this machine has
        /// them; without this option the best that it has. The node count is the same
        #[arg(long, value_name = "SET")]
        instructions: Option<InstructionSet>,
    },
    /// Print what the engine sees in a position
    #[command(
        after_long_help = "Examples:\n  quincunx show h8i9h9 --rule renju\n  quincunx show --json game.sgf"
    )]
    Show(show::Show),
    #[cfg(feature = "shell")]
    /// Find forced wins and prove them
    #[command(
        after_long_help = "Examples:\n  quincunx solve --size 9 d5a1e5a3f5a9\n  quincunx solve --file puzzles.txt --out answers.txt --kind vct --nodes 100000"
    )]
    Solve(solve::Solve),
    #[cfg(feature = "shell")]
    /// Make balanced openings with the engine
    ///
    /// Prints one opening per line: the stones, the engine's value for the side to move,
    /// and the depth of its search. No two are the same when turned or mirrored.
    #[command(
        after_long_help = "Example: quincunx openings --rule renju --count 200 --stones 3-7 > openings.txt"
    )]
    Openings(openings::Openings),
}

impl Command {
    /// Does what the arguments say and returns the exit code.
    pub(crate) fn run(&self, weights: &Arc<WeightSet>, output: &mut impl Write) -> Result<u8> {
        match self {
            Command::Bench {
                depth,
                instructions,
            } => {
                let mut weights = WeightSet::clone(weights);
                if let Some(instructions) = instructions {
                    weights.set_instructions(*instructions);
                }
                let measured = bench::run(
                    &Arc::new(weights),
                    &MonotonicClock::system(),
                    *depth,
                    |line| {
                        // A reader that has gone away is noticed below.
                        let _ = writeln!(output, "{line}");
                    },
                )?;
                writeln!(output, "{measured}")?;
            }
            Command::Show(arguments) => arguments.run(weights, output)?,
            #[cfg(feature = "shell")]
            Command::Solve(arguments) => arguments.run(output)?,
            #[cfg(feature = "shell")]
            Command::Openings(arguments) => arguments.run(weights, output)?,
        }
        Ok(exit::DONE)
    }
}
