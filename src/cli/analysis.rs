//! What people ask of positions and games: `analyse`, `explore`, `review`, `puzzles`,
//! `render`, and `book`.

mod analyse;
mod book;
mod explore;
mod puzzles;
mod render;
mod review;
mod source;
mod sources;

use super::exit;
use anyhow::Result;
use clap::Subcommand;
use quincunx_engine::eval::WeightSet;
use std::io::Write;
use std::sync::Arc;

/// The commands.
#[derive(Subcommand)]
pub(crate) enum Command {
    /// Search a position and list its threats
    #[command(
        visible_alias = "analyze",
        after_long_help = "Examples:\n  quincunx analyse h8i9h9 --rule renju --lines 3\n  quincunx analyse game.sgf --nodes 100000 --json"
    )]
    Analyse(analyse::Analyse),
    /// Make books of searched openings, to play from
    ///
    /// quincunx --book FILE plays the moves of a book at once.
    #[command(
        after_long_help = "Examples:\n  quincunx book build --searches openings.jsonl --out openings.qxbook\n  quincunx book show openings.qxbook h8i9"
    )]
    Book(book::OpeningBooks),
    /// Show which moves were played from a position, how often, and how the games ended
    ///
    /// Positions that differ by symmetry or by the order of moves are one. explore build makes
    /// the file once. A query then reads only the part of it that has the answer.
    #[command(
        after_long_help = "Examples:\n  quincunx explore build games.sgf --out played.qxplore\n  quincunx explore played.qxplore h8i9\n  quincunx explore played.qxplore \"15 renju h8i9\" --json"
    )]
    Explore(explore::Explore),
    /// Take puzzles out of games: the only move that wins, or that holds
    ///
    /// A puzzle has one right move: the solver shows that every other move loses, or does not
    /// win by continuous threats. Symmetric positions are listed once.
    #[command(
        after_long_help = "Examples:\n  quincunx puzzles games.sgf --out puzzles.txt --html sheet.html\n  quincunx puzzles selfplay.qx --kind vcf --least-plies 7 --count 500 --threads 4 --out puzzles.txt\n  quincunx puzzles --out puzzles.txt --sgf puzzles.sgf"
    )]
    Puzzles(puzzles::Puzzles),
    /// Draw a position or a game: SVG, PNG, animated GIF or text
    #[command(
        after_long_help = "Examples:\n  quincunx render game.sgf --out game.gif\n  quincunx render h8i9g10 --mark cross=h9,j8 --theme print --out diagram.svg"
    )]
    Render(render::Render),
    /// Find out where a game was lost, with proofs
    ///
    /// For every move the review has the chance to win before and after it, and the best
    /// move. It reports a missed or allowed forced win only if the solver proves it.
    #[command(
        after_long_help = "Examples:\n  quincunx review game.sgf --html review.html\n  quincunx review game.psq --rule standard --nodes 200000 --sgf review.sgf --json\n  quincunx review games/ more.sgf --threads 4 --out reviews.jsonl"
    )]
    Review(review::ReviewGame),
}

impl Command {
    /// Does what the arguments say and returns the exit code.
    pub(crate) fn run(&self, weights: &Arc<WeightSet>, output: &mut impl Write) -> Result<u8> {
        match self {
            Command::Analyse(arguments) => arguments.run(weights, output)?,
            Command::Book(arguments) => arguments.run(weights, output)?,
            Command::Explore(arguments) => arguments.run(output)?,
            Command::Puzzles(arguments) => arguments.run()?,
            Command::Render(arguments) => arguments.run(output)?,
            Command::Review(arguments) => arguments.run(weights, output)?,
        }
        Ok(exit::DONE)
    }
}
