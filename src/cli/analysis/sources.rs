//! Every game of files: those that the board opens, and self-play.

use crate::cli::games::{Reading, read_file, tell};
use anyhow::{Context, Result};
use quincunx_engine::position::Position;
use quincunx_engine::rules::{BoardSize, Color, Point, Rule};
use quincunx_records::Expected;
use std::path::Path;

/// A game as its moves: a file may hold more games than there is memory for positions.
pub(super) struct Moves {
    rule: Rule,
    size: BoardSize,
    moves: Box<[(Color, Point)]>,
}

impl Moves {
    fn of(position: &Position) -> Moves {
        Moves {
            rule: position.rule(),
            size: position.size(),
            moves: position.moves().collect(),
        }
    }

    /// The position that the game led to.
    pub(super) fn end(&self) -> Position {
        let mut position = Position::new(self.rule, self.size);
        for &(color, point) in &self.moves {
            match point {
                Point::NONE => position.pass(),
                point => position.place(color, point),
            }
        }
        position
    }
}

/// The games of a file. A game of a file of several
/// that makes no sense is passed over, and named.
pub(super) fn games(
    reading: &Reading,
    path: &Path,
    (rule, size): (Rule, BoardSize),
) -> Result<Vec<Moves>> {
    let bytes = read_file(path)?;
    let context = || format!("can't read {}", path.display());
    if let Some(games) = selfplay(&bytes) {
        return games.with_context(context);
    }
    let expected = Expected::new(rule, size);
    let file = quincunx_records::open(reading.source(path, &bytes), expected);
    let file = file.with_context(context)?;
    tell(path, &file.remarks);
    let several = file.games.len() > 1;
    let mut games = Vec::new();
    for (number, read) in (1..).zip(file.games) {
        let read = read.map_err(anyhow::Error::new);
        let played = read.and_then(|read| Ok(read.record.replay(rule)?));
        match played {
            Ok(game) => games.push(Moves::of(game.position())),
            Err(error) if several => log::warn!("{}: game {number}: {error:#}", path.display()),
            Err(error) => return Err(error).with_context(context),
        }
    }
    Ok(games)
}

/// The games of a file of self-play; none where it is another file.
#[cfg(feature = "train")]
fn selfplay(bytes: &[u8]) -> Option<Result<Vec<Moves>>> {
    use quincunx_train::record::{GameReader, RecordError};
    let mut reader = match GameReader::new(bytes) {
        Ok(reader) => reader,
        Err(RecordError::Foreign) => return None,
        Err(error) => return Some(Err(error.into())),
    };
    let mut games = Vec::new();
    loop {
        match reader.next_game() {
            Ok(Some(game)) => {
                let played = game.plies.iter().map(|ply| ply.played);
                let points = game.opening.iter().copied().chain(played);
                games.push(Moves {
                    rule: reader.rule(),
                    size: game.size,
                    moves: Color::ALL.into_iter().cycle().zip(points).collect(),
                });
            }
            Ok(None) => return Some(Ok(games)),
            Err(error) => {
                // What a run that goes on has not finished writing is no game yet.
                log::warn!("{error}: {} games are read", games.len());
                return Some(Ok(games));
            }
        }
    }
}

#[cfg(not(feature = "train"))]
fn selfplay(_bytes: &[u8]) -> Option<Result<Vec<Moves>>> {
    None
}
