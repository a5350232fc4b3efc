//! What people ask of positions and games: `render`.

mod render;
mod source;

use super::exit;
use anyhow::Result;
use clap::Subcommand;
use quincunx_engine::eval::WeightSet;
use std::io::Write;
use std::sync::Arc;

/// The commands.
#[derive(Subcommand)]
pub(crate) enum Command {
    /// Draw a position or a game, as SVG or as text
    #[command(
        after_long_help = "Examples:\n  quincunx render game.sgf --out game.svg\n  quincunx render h8i9g10 --mark cross=h9,j8 --theme print --out diagram.svg"
    )]
    Render(render::Render),
}

impl Command {
    /// Does what the arguments say and returns the exit code.
    pub(crate) fn run(&self, _weights: &Arc<WeightSet>, output: &mut impl Write) -> Result<u8> {
        match self {
            Command::Render(arguments) => arguments.run(output)?,
        }
        Ok(exit::DONE)
    }
}
