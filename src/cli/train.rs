//! Learning from games: `selfplay`, `fit`, `train`, `spsa`, `merge` and `dump`.

mod fit;
mod learn;

pub(super) use learn::parameters;

use super::exit;
use anyhow::Result;
use clap::Subcommand;
use quincunx_engine::eval::WeightSet;
use std::io::Write;
use std::path::PathBuf;
use std::sync::Arc;

/// The commands.
#[derive(Subcommand)]
pub(crate) enum Command {
    /// Play games of the engine against itself, to learn from
    #[command(
        after_long_help = "Example: quincunx selfplay --games 15000 --nodes 700 --threads 2 --out games.qx"
    )]
    Selfplay(learn::Selfplay),
    /// Fit evaluation tables to games
    #[command(after_long_help = "Example: quincunx fit --rule renju --out renju.tables games.qx")]
    Fit(fit::Fit),
    /// Train a line network on games
    ///
    /// The network corrects the classical evaluation; --network plays with it.
    #[command(after_long_help = "Example: quincunx train --rule renju --out renju.line games.qx")]
    Train(fit::Train),
    /// Tune the parameters of the search by games
    ///
    /// In every pair of games all parameters are perturbed at random, in opposite
    /// directions for the two sides, and then move towards the winner. The file of --out
    /// holds the parameters, and the same command resumes an interrupted run. The engine
    /// plays with the parameters by quincunx --parameters FILE.
    #[command(
        after_long_help = "Examples:\n  quincunx spsa --rule standard --pairs 20000 --threads 2 --out run.spsa\n  quincunx match --engine tuned=\"quincunx --parameters run.spsa\" --engine old=quincunx --rule standard --nodes 5000 --games 2000"
    )]
    Spsa(learn::Spsa),
    /// Copy the games of several files into one
    #[command(after_long_help = "Example: quincunx merge --out all.qx first.qx second.qx")]
    Merge {
        /// File to write the games to
        #[arg(long, value_name = "FILE")]
        out: PathBuf,
        /// Files of games of one rule
        #[arg(required = true, value_name = "DATA")]
        data: Vec<PathBuf>,
    },
    /// Print games, tables, networks or parameters as text, or write games as a NumPy array
    #[command(
        after_long_help = "Examples:\n  quincunx dump games.qx\n  quincunx dump games.qx --numpy games.npy"
    )]
    Dump(learn::Dump),
}

impl Command {
    /// Does what the arguments say and returns the exit code.
    pub(crate) fn run(&self, weights: &Arc<WeightSet>, output: &mut impl Write) -> Result<u8> {
        self.refuse_unused()?;
        match self {
            Command::Selfplay(arguments) => learn::selfplay(arguments, weights)?,
            Command::Fit(arguments) => fit::fit(arguments, output)?,
            Command::Train(arguments) => fit::train(arguments, weights, output)?,
            Command::Spsa(arguments) => learn::spsa(arguments, weights, output)?,
            Command::Merge { out, data } => learn::merge(out, data, output)?,
            Command::Dump(arguments) => learn::dump(arguments, output)?,
        }
        Ok(exit::DONE)
    }

    /// Refuses weights on the command line that would have no effect. Those of a configuration,
    /// which are for all commands, are ignored where they have none.
    fn refuse_unused(&self) -> Result<()> {
        const ALL: &[&str] = &["--tables", "--network"];
        let (unused, instead) = match self {
            Command::Selfplay(_) | Command::Spsa(_) => (&ALL[..0], ""),
            Command::Fit(_) => (ALL, "; --base FILE starts from tables"),
            // The network corrects the tables.
            Command::Train(_) => (&ALL[1..], "; --start FILE starts from a network"),
            Command::Merge { .. } | Command::Dump(_) => (ALL, ""),
        };
        for option in unused {
            let is_given = (std::env::args_os().take_while(|word| word != "--")).any(|word| {
                let word = word.to_string_lossy();
                word.split_once('=').map_or(&*word, |(name, _)| name) == *option
            });
            exit::ensure_usage!(!is_given, "{option} has no effect on this command{instead}");
        }
        Ok(())
    }
}
