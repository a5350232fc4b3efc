//! Every game of files and folders: those that the board opens, and self-play.

use crate::cli::games::{GamesReading, tell_all};
use crate::cli::inputs::{Named, files, read_file};
use anyhow::{Context, Result, anyhow, ensure};
use quincunx_engine::game::{Game, GameResult, Termination};
use quincunx_engine::position::Position;
use quincunx_engine::rules::{BoardSize, Color, Point, Rule};
use quincunx_explorer::GameOutcome;
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
    pub(super) ending: GameOutcome,
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
            GameOutcome::Won(winner) => Some(Some(winner)),
            GameOutcome::Drawn => Some(None),
            GameOutcome::Unknown => None,
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

/// The place of a game among the games of all files.
pub(super) struct GamePlace<'a> {
    /// The number of the file, from zero.
    pub(super) index: usize,
    /// The file.
    pub(super) path: &'a Path,
    /// The number of the game in the file, from one. Games that are left out have numbers, too.
    pub(super) number: usize,
}

/// A game of a file, and its record unless it is self-play.
type TakeGame<'t> = dyn FnMut(GamePlace<'_>, Moves, Option<GameRecord>) -> Result<()> + 't;

/// The files of a command, and the number of those, and of games in them, that are left out
/// because they can't be read.
pub(super) struct Sources {
    files: Vec<(PathBuf, Named)>,
    files_left_out: usize,
    games_left_out: usize,
}

impl Sources {
    /// Returns the files, and those in folders that have extensions of game files.
    pub(super) fn of(paths: &[PathBuf]) -> Result<Sources> {
        let is_game = |name: &str| {
            let is_selfplay = name.ends_with(&format!(".{SELFPLAY}"));
            is_selfplay || FileFormat::of_name(name).is_some()
        };
        Ok(Sources {
            files: files(paths, is_game)?,
            files_left_out: 0,
            games_left_out: 0,
        })
    }

    /// The files.
    pub(super) fn paths(&self) -> impl ExactSizeIterator<Item = &Path> {
        self.files.iter().map(|(path, _)| &**path)
    }

    /// Passes on all games, one after another. A damaged game in a file of several and a file in
    /// a folder that can't be read are reported and left out.
    pub(super) fn each_game(
        &mut self,
        reading: &GamesReading,
        take: &mut dyn FnMut(GamePlace<'_>, Moves) -> Result<()>,
    ) -> Result<()> {
        self.each(reading, &mut |place, moves, _| take(place, moves))
    }

    /// Passes on all games as records, which have a rule and tell the players.
    pub(super) fn each_record(
        &mut self,
        reading: &GamesReading,
        take: &mut dyn FnMut(GamePlace<'_>, GameRecord) -> Result<()>,
    ) -> Result<()> {
        self.each(reading, &mut |place, moves, record| {
            take(place, record.unwrap_or_else(|| moves.record()))
        })
    }

    fn each(&mut self, reading: &GamesReading, take: &mut TakeGame<'_>) -> Result<()> {
        for (index, (path, named)) in self.files.iter().enumerate() {
            let mut number = 0;
            // An error of the taker is none of the file.
            let mut refused = None;
            let take = &mut |game: Result<(Moves, Option<GameRecord>)>| {
                number += 1;
                let Ok((moves, record)) = game else {
                    self.games_left_out += 1;
                    return Ok(());
                };
                let place = GamePlace {
                    index,
                    path,
                    number,
                };
                take(place, moves, record).map_err(|error| {
                    refused = Some(error);
                    anyhow!("the game is refused")
                })
            };
            let read = each_of_file(reading, path, take);
            if let Some(error) = refused {
                return Err(error);
            }
            match read {
                Err(error) if *named == Named::ByFolder => {
                    log::warn!("{error:#}");
                    self.files_left_out += 1;
                }
                read => read?,
            }
        }
        Ok(())
    }

    /// Fails where there was no game at all.
    pub(super) fn expect_games(&self, count: usize) -> Result<()> {
        let is_left_out = self.files_left_out + self.games_left_out > 0;
        ensure!(
            count > 0,
            match is_left_out {
                true => "no game could be read",
                false => "there are no games",
            }
        );
        Ok(())
    }

    /// Fails where files or games could not be read, once the others are done.
    pub(super) fn expect_all_read(&self) -> Result<()> {
        let counts = [
            ("files", self.files_left_out),
            ("games", self.games_left_out),
        ];
        let left_out = counts.iter().filter(|(_, count)| *count > 0);
        let left_out = left_out.map(|(kind, count)| format!("{kind} not read: {count}"));
        let left_out: Vec<String> = left_out.collect();
        ensure!(
            left_out.is_empty(),
            "{}; the others are done",
            left_out.join(", ")
        );
        Ok(())
    }
}

/// Takes a game of a file, or hears that one was left out.
type TakeRead<'t> = dyn FnMut(Result<(Moves, Option<GameRecord>)>) -> Result<()> + 't;

/// Passes on the games of a file, one after another. An invalid game in a file of several is
/// reported.
fn each_of_file(reading: &GamesReading, path: &Path, take: &mut TakeRead<'_>) -> Result<()> {
    match each_selfplay_game(path, &mut |moves| take(Ok((moves, None))))? {
        true => Ok(()),
        false => each_opened(reading, path, take),
    }
}

/// Passes on the games of a file that the board opens.
fn each_opened(reading: &GamesReading, path: &Path, take: &mut TakeRead<'_>) -> Result<()> {
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
            Ok((moves, Some(read.record)))
        });
        match &read {
            Err(error) if several => log::warn!("{}: game {number}: {error:#}", path.display()),
            Err(_) => return read.map(|_| ()).with_context(context),
            Ok(_) => {}
        }
        take(read)?;
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
                    ending: game.winner.map_or(GameOutcome::Drawn, GameOutcome::Won),
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
            let mut count = 0;
            let mut sources = Sources::of(std::slice::from_ref(&path)).unwrap();
            let read = sources.each_game(&reading, &mut |_, _| {
                count += 1;
                Ok(())
            });
            read.map(|()| count).map_err(|error| format!("{error:#}"))
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
