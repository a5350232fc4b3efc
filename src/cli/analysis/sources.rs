//! Every game of files and folders: those that the board opens, and self-play.

use crate::cli::games::{self, GamesReading, read_file, tell_all};
use anyhow::{Context, Result, ensure};
use quincunx_engine::game::{Game, GameResult, Termination};
use quincunx_engine::position::Position;
use quincunx_engine::rules::{BoardSize, Color, Point, Rule};
use quincunx_explorer::Ending;
use quincunx_records::{FileFormat, GameRecord};
use std::fs;
use std::path::{Path, PathBuf};

/// The extension of files of self-play.
const SELFPLAY: &str = "qx";

/// A game as its moves: a file may hold more games than there is memory for positions.
pub(super) struct Moves {
    rule: Rule,
    size: BoardSize,
    moves: Box<[(Color, Point)]>,
    /// How many of the moves are stones that were set up.
    pub(super) set_up: usize,
    /// The colour of the first move after these.
    first: Color,
    /// How the game ended.
    pub(super) ending: Ending,
}

impl Moves {
    fn of(record: &GameRecord, rule: Rule) -> Result<Moves> {
        let game = record.replay(rule)?;
        let position = game.position();
        Ok(Moves {
            rule: position.rule(),
            size: position.size(),
            moves: position.moves().collect(),
            set_up: record.setup.len(),
            first: record.first,
            ending: game.result().into(),
        })
    }

    /// The game as a record. Self-play ends where both sides see the result.
    fn record(&self) -> GameRecord {
        let mut game = Game::from_position(self.end());
        let winner = match self.ending {
            Ending::Won(winner) => Some(Some(winner)),
            Ending::Drawn => Some(None),
            Ending::Unknown => None,
        };
        if let Some(winner) = winner {
            game.end(GameResult {
                winner,
                termination: Termination::Agreement,
            });
        }
        GameRecord::of(&game)
    }

    /// Adds the rule, the board and the moves to a checksum of games, and which of the moves
    /// were set up.
    pub(super) fn add_to(&self, sum: &mut crc32fast::Hasher) {
        let moves = self.moves.iter();
        let moves: String = moves
            .map(|(color, point)| format!("{color}{point}"))
            .collect();
        // Games without set-up keep the checksum of earlier versions, so that their runs resume.
        let set_up = match self.set_up {
            0 => String::new(),
            count => format!("{count} {} ", self.first),
        };
        sum.update(format!("{} {} {set_up}{moves}\n", self.size, self.rule).as_bytes());
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
        if self.moves.len() == self.set_up {
            position.set_side(self.first);
        }
        position
    }
}

/// Files, and those in folders that have extensions of game files, in the order of their names.
pub(super) fn files(paths: &[PathBuf]) -> Result<Vec<(PathBuf, Named)>> {
    let mut files = Vec::new();
    for path in paths {
        match path.is_dir() {
            true => add_folder(path, &mut files)?,
            false => files.push((path.clone(), Named::Itself)),
        }
    }
    Ok(files)
}

/// Why a file is read.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Named {
    /// It was named itself.
    Itself,
    /// It is in a folder that was named.
    ByFolder,
}

/// Fails where files in folders could not be read, once the others are done.
pub(super) fn expect_all_read(left_out: usize) -> Result<()> {
    ensure!(
        left_out == 0,
        "files not read: {left_out}; the others are done"
    );
    Ok(())
}

fn add_folder(folder: &Path, files: &mut Vec<(PathBuf, Named)>) -> Result<()> {
    let context = || format!("can't read {}", folder.display());
    let entries = fs::read_dir(folder).with_context(context)?;
    let paths = entries.map(|entry| entry.map(|entry| entry.path()));
    let mut paths: Vec<PathBuf> = paths.collect::<Result<_, _>>().with_context(context)?;
    paths.sort();
    for path in paths {
        let name = games::name_of(&path).unwrap_or_default();
        // Links to folders may go round in a circle.
        if path.is_dir() && !path.is_symlink() {
            add_folder(&path, files)?;
        } else if path.is_file()
            && (FileFormat::of_name(name).is_some() || name.ends_with(&format!(".{SELFPLAY}")))
        {
            files.push((path, Named::ByFolder));
        }
    }
    Ok(())
}

/// The games of a file.
pub(super) fn games(reading: &GamesReading, path: &Path) -> Result<Vec<Moves>> {
    let mut games = Vec::new();
    each_game(reading, path, &mut |game| {
        games.push(game);
        Ok(())
    })?;
    Ok(games)
}

/// Passes on the games of a file, one after another. An invalid game in a file of several is
/// reported and left out.
pub(super) fn each_game(
    reading: &GamesReading,
    path: &Path,
    take: &mut dyn FnMut(Moves) -> Result<()>,
) -> Result<()> {
    match each_selfplay_game(path, take)? {
        true => Ok(()),
        false => each_opened(reading, path, &mut |_, _, moves| take(moves)),
    }
}

/// The same as records, which have a rule and tell the players, each with its number in the file
/// from one: those that are passed over have numbers too.
pub(super) fn each_record(
    reading: &GamesReading,
    path: &Path,
    take: &mut dyn FnMut(usize, GameRecord) -> Result<()>,
) -> Result<()> {
    let mut number = 0;
    let take_selfplay = &mut |moves: Moves| {
        number += 1;
        take(number, moves.record())
    };
    match each_selfplay_game(path, take_selfplay)? {
        true => Ok(()),
        false => each_opened(reading, path, &mut |number, record, _| take(number, record)),
    }
}

/// Passes on the games of a file that the board opens.
fn each_opened(
    reading: &GamesReading,
    path: &Path,
    take: &mut dyn FnMut(usize, GameRecord, Moves) -> Result<()>,
) -> Result<()> {
    let bytes = read_file(path)?;
    let context = || format!("can't read {}", path.display());
    let source = reading.reading.source(path, &bytes);
    let file = quincunx_records::open(source, reading.expected());
    let file = file.with_context(context)?;
    tell_all(path, &file);
    let several = file.games.len() > 1;
    for (number, read) in (1..).zip(file.games) {
        let read = read.map_err(anyhow::Error::new);
        let read = read.and_then(|read| {
            let moves = Moves::of(&read.record, reading.rule())?;
            Ok((read.record, moves))
        });
        match read {
            Ok((record, moves)) => take(number, record, moves)?,
            Err(error) if several => log::warn!("{}: game {number}: {error:#}", path.display()),
            Err(error) => return Err(error).with_context(context),
        }
    }
    Ok(())
}

/// Passes on the games of a file of self-play. Returns whether the file is one.
#[cfg(feature = "train")]
fn each_selfplay_game(path: &Path, take: &mut dyn FnMut(Moves) -> Result<()>) -> Result<bool> {
    use quincunx_engine::rules::PointSet;
    use quincunx_train::record::{BlockError, GameReader, RecordError};
    use std::io::BufReader;
    let context = || format!("can't read {}", path.display());
    if !path.is_file() {
        return Ok(false);
    }
    let input = BufReader::new(fs::File::open(path).with_context(context)?);
    let mut reader = match GameReader::new(input) {
        Ok(reader) => reader,
        Err(RecordError::Foreign) => return Ok(false),
        Err(error) => return Err(error).with_context(context),
    };
    let mut count = 0;
    loop {
        match reader.next_game() {
            Ok(Some(game)) => {
                count += 1;
                let played = game.plies.iter().map(|ply| ply.played);
                let points: Vec<Point> = game.opening.iter().copied().chain(played).collect();
                let mut taken = PointSet::EMPTY;
                for &point in &points {
                    ensure!(
                        !taken.has(point),
                        "{}: game {count}: {point} is taken",
                        context()
                    );
                    taken.insert(point);
                }
                take(Moves {
                    rule: reader.rule(),
                    size: game.size,
                    moves: Color::ALL.into_iter().cycle().zip(points).collect(),
                    set_up: 0,
                    first: Color::Black,
                    ending: game.winner.map_or(Ending::Drawn, Ending::Won),
                })?;
            }
            Ok(None) => return Ok(true),
            // What a run that goes on has not finished writing is no game yet.
            Err(RecordError::Game {
                source: BlockError::Truncated,
                number,
                ..
            }) => {
                log::warn!(
                    "{}: the file ends in the middle of game {number}",
                    path.display()
                );
                return Ok(true);
            }
            Err(error) => return Err(error).with_context(context),
        }
    }
}

#[cfg(not(feature = "train"))]
fn each_selfplay_game(_path: &Path, _take: &mut dyn FnMut(Moves) -> Result<()>) -> Result<bool> {
    Ok(false)
}

#[cfg(test)]
#[cfg(feature = "train")]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::cli::games::Reading;
    use quincunx_train::record::{SearchedPly, SelfplayGame, header};

    fn block(opening: &str, played: &str) -> Vec<u8> {
        let played = played.parse().unwrap();
        let ply = SearchedPly {
            played,
            best: played,
            score: 0,
            sampled: false,
        };
        let game = SelfplayGame {
            seed: 1,
            number: 0,
            nodes: 1,
            size: BoardSize::default(),
            winner: None,
            opening: vec![opening.parse().unwrap()],
            plies: vec![ply],
            tree: Vec::new(),
        };
        game.to_bytes()
    }

    /// The games behind a damaged one were once left out with no more than a warning.
    #[test]
    fn damaged_self_play_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games.qx");
        let reading = GamesReading {
            rule: None,
            size: BoardSize::default(),
            reading: Reading { encoding: None },
        };
        let read = |bytes: &[u8]| {
            fs::write(&path, bytes).unwrap();
            let read = games(&reading, &path).map(|games| games.len());
            read.map_err(|error| format!("{error:#}"))
        };
        let head = header(Rule::Freestyle);
        let [sound, taken] = [block("h8", "i9"), block("h8", "h8")];
        let mut file = [&head[..], &sound, &sound].concat();
        assert_eq!(read(&file), Ok(2));
        // A run may be writing it.
        assert_eq!(read(&file[..file.len() - 1]), Ok(1));
        *file.last_mut().unwrap() ^= 1;
        let error = read(&file).unwrap_err();
        assert!(error.contains(": game 2, at byte "), "{error}");
        let error = read(&[&head[..], &taken].concat()).unwrap_err();
        assert!(error.ends_with(": game 1: h8 is taken"), "{error}");
    }
}
