//! Boards to sit down at: `board` and `play`.

mod admin;
mod board;
mod export;
mod play;

use super::exit;
use anyhow::Result;
use clap::Subcommand;
use quincunx_engine::eval::WeightSet;
use std::io::Write;
use std::sync::Arc;

/// The commands.
#[derive(Subcommand)]
pub(crate) enum Command {
    /// Play and analyse in the browser
    ///
    /// Serves a page on this machine and opens it. The browser keeps the games.
    #[command(
        after_long_help = "Examples:\n  quincunx board\n  quincunx board --port 8080 --no-open\n  quincunx board --listen 127.0.0.1:8080 --database rooms.db"
    )]
    Board(Box<board::Board>),
    /// Play and analyse in the terminal
    ///
    /// The arrow keys and Enter, or the mouse, place stones. ? shows all keys, q quits.
    #[command(
        after_long_help = "Examples:\n  quincunx play\n  quincunx play --rule renju --black engine --white person --level 50\n  quincunx play --opening swap2 --time 5m+3s\n  quincunx play game.sgf --ascii"
    )]
    Play(play::Play),
}

impl Command {
    /// Does what the arguments say and returns the exit code.
    pub(crate) fn run(&self, weights: &Arc<WeightSet>, output: &mut impl Write) -> Result<u8> {
        match self {
            Command::Board(arguments) => arguments.run(weights, output)?,
            Command::Play(arguments) => return arguments.run(weights),
        }
        Ok(exit::DONE)
    }
}
