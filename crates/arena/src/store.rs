//! The folder of a match: written as games end, so that whatever stops the
//! match, no finished game is lost.
//!
//! `games.jsonl` is the truth: a line is written and flushed to the disk as
//! each game ends. `match.json` says what was played, so that a match is only
//! ever resumed as itself. Everything else is made from these two, as games
//! end and once more when the match does.

use super::config::Variant;
use super::export::{csv, psq, sgf};
use super::html;
use super::record::MatchGame;
use super::report::Report;
use super::settings::{Difference, MatchSettings, VariantError, advice};
use quincunx_files::{self as files, LockedFile, WriteError};
use quincunx_records::psq::PsqError;
use quincunx_runs::{Header, RunError, join, records};
use std::collections::HashMap;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// The file that has all.
pub(super) const GAMES: &str = "games.jsonl";
/// The file with the settings.
pub(super) const SETTINGS: &str = "match.json";

/// The games for other programs, written as they end.
const COLLECTION: &str = "games.sgf";

/// The files that are made from the games.
const PUBLISHED: [&str; 4] = [COLLECTION, "games.csv", "report.txt", "report.html"];

/// The file that is locked while a run writes to the folder.
const LOCK: &str = "lock";

/// The folder of transcripts.
const TRANSCRIPTS: &str = "transcripts";

/// Records can't be written, or are invalid.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// A file or folder can't be read.
    #[error("can't read {}", .path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// The reason.
        source: io::Error,
    },
    /// A file or folder can't be written.
    #[error(transparent)]
    Write(#[from] WriteError),
    /// A line of the games is damaged.
    #[error(transparent)]
    Record(#[from] RunError),
    /// `match.json` is broken.
    #[error("can't understand {}", .path.display())]
    Settings {
        /// The file.
        path: PathBuf,
        /// The reason.
        source: serde_json::Error,
    },
    /// `match.json` names no rule or no board.
    #[error("match.json")]
    Variant(#[from] VariantError),
    /// A game can't be written as PSQ.
    #[error("game {number}")]
    Psq {
        /// The number of the game.
        number: usize,
        /// The reason.
        source: PsqError,
    },
    /// The folder has a match, and resuming was not asked for.
    #[error("{} has games already: resume that run (--resume) or choose another folder", .0.display())]
    HasGames(PathBuf),
    /// The folder for records that are put together has a match.
    #[error("{} has games already: choose another folder", .0.display())]
    Exists(PathBuf),
    /// The folder has a file that a run would overwrite.
    #[error("{} has a {name} that is no match's: choose another folder", .folder.display())]
    Foreign {
        /// The folder.
        folder: PathBuf,
        /// The name of the file.
        name: &'static str,
    },
    /// Another run writes to the folder.
    #[error("{} is in use by another run", .0.display())]
    InUse(PathBuf),
    /// The folder has another match.
    #[error("{} was played with other settings: {}{}",
        .path.display(), join(.differing), advice(.differing))]
    OtherSettings {
        /// The folder.
        path: PathBuf,
        /// The settings that differ.
        differing: Vec<Difference>,
    },
    /// Records to be merged are of different matches.
    #[error("{} is no part of the same match: {}{}",
        .path.display(), join(.differing), advice(.differing))]
    OtherMatch {
        /// The records.
        path: PathBuf,
        /// The settings that differ.
        differing: Vec<Difference>,
    },
    /// Records to be merged have different games of the same number.
    #[error("{first} and {second} have different games with the number {number}")]
    PlayedTwice {
        /// The records that were read first.
        first: String,
        /// The other records.
        second: String,
        /// The number of the games.
        number: usize,
    },
    /// Two lines of the games are different games of the same number.
    #[error("{}: lines {} and {} are different games with the number {number}: delete one of them",
        .path.display(), .lines[0], .lines[1])]
    TwoGames {
        /// The file.
        path: PathBuf,
        /// The lines, from one.
        lines: [usize; 2],
        /// The number of the games.
        number: usize,
    },
    /// The folder has no records of a match.
    #[error("{} is no match: there is no {SETTINGS}", .0.display())]
    NoMatch(PathBuf),
    /// No records to merge were given.
    #[error("nothing to merge")]
    Nothing,
}

impl StoreError {
    pub(super) fn read(path: &Path) -> impl FnOnce(io::Error) -> StoreError {
        let path = path.to_owned();
        move |source| StoreError::Read { path, source }
    }

    fn write(path: &Path) -> impl FnOnce(io::Error) -> StoreError + use<'_> {
        move |source| WriteError::new(path, source).into()
    }
}

/// The folder of a run, to which no other run can write meanwhile.
pub struct RunFolder {
    path: PathBuf,
    lock: Option<LockedFile>,
    /// The folders that were made for this run, each before the one that it is in.
    made: Vec<PathBuf>,
}

/// A run that has not begun leaves nothing behind.
impl Drop for RunFolder {
    fn drop(&mut self) {
        if has_match(&self.path) {
            return;
        }
        let lock = self.lock.take();
        // An empty file holds nothing that could be lost.
        let is_empty = lock.is_some_and(|lock| lock.metadata().is_ok_and(|file| file.len() == 0));
        if is_empty {
            let _ = fs::remove_file(self.path.join(LOCK));
        }
        for folder in &self.made {
            // One that something is in stays.
            let _ = fs::remove_dir(folder);
        }
    }
}

impl RunFolder {
    /// Makes the folder; with `resume` it may have games. A run without a game has left
    /// nothing that could be lost.
    ///
    /// # Errors
    /// Returns an error when it has games and `resume` is false, or files of another kind, is in
    /// use, or can't be written.
    pub fn take(path: &Path, resume: bool) -> Result<RunFolder, StoreError> {
        if !has_match(path) {
            let found = PUBLISHED.into_iter().find(|name| path.join(name).exists());
            if let Some(name) = found {
                let folder = path.to_owned();
                return Err(StoreError::Foreign { folder, name });
            }
        } else if !resume && has_games(path) {
            return Err(StoreError::HasGames(path.to_owned()));
        }
        let games = path.join("psq");
        let missing = games.ancestors().take_while(|folder| !folder.exists());
        let made: Vec<PathBuf> = missing.map(Path::to_owned).collect();
        fs::create_dir_all(&games).map_err(StoreError::write(path))?;
        let file = path.join(LOCK);
        let lock = files::lock_file(&file).map_err(StoreError::write(&file))?;
        let lock = lock.ok_or_else(|| StoreError::InUse(path.to_owned()))?;
        for folder in [path, &games, &path.join(TRANSCRIPTS)] {
            files::remove_all_drafts(folder);
        }
        Ok(RunFolder {
            path: path.to_owned(),
            lock: Some(lock),
            made,
        })
    }

    /// Returns the path of the folder.
    pub fn path(&self) -> &Path {
        &self.path
    }
}

/// Returns true if a folder has the records of a match.
fn has_match(folder: &Path) -> bool {
    folder.join(SETTINGS).exists() || folder.join(GAMES).exists()
}

/// Returns true if a folder has games of a match. A run that ended before its first game has none.
/// A match whose main record is lost still counts, so it is not overwritten.
pub fn has_games(folder: &Path) -> bool {
    [GAMES, COLLECTION].into_iter().any(|name| {
        let file = fs::metadata(folder.join(name));
        file.is_ok_and(|file| file.len() > 0)
    })
}

/// A folder of records, open for writing.
pub struct Store {
    folder: PathBuf,
    variant: Variant,
    games: File,
    sgf: File,
}

impl Store {
    /// Creates the records of a match, or resumes them and returns the earlier games. `settings`
    /// must be those of the match, except for more pairs of games, and the commands of programs
    /// that have `moved`.
    ///
    /// # Errors
    /// Returns an error when the folder holds another match, or can't be written.
    pub fn open(
        folder: &RunFolder,
        settings: &MatchSettings,
        moved: bool,
    ) -> Result<(Store, Vec<MatchGame>), StoreError> {
        let folder = folder.path();
        let path = folder.join(GAMES);
        let mut played = Vec::new();
        let mut settings = settings.clone();
        if has_games(folder) {
            let before = read_settings(folder)?;
            settings.goes_on_from(&before, moved).map_err(|differing| {
                let path = folder.to_owned();
                StoreError::OtherSettings { path, differing }
            })?;
            settings.runs.splice(0..0, before.runs);
            played = repair(&path)?;
        }
        write_settings(folder, &settings)?;
        let append = |name: &str| {
            let path = folder.join(name);
            let file = OpenOptions::new().create(true).append(true).open(&path);
            file.map_err(StoreError::write(&path))
        };
        let store = Store {
            folder: folder.to_owned(),
            variant: settings.variant()?,
            games: append(GAMES)?,
            sgf: append(COLLECTION)?,
        };
        for game in &played {
            // A run that was killed may lack the last file, and a power failure leave empty ones.
            let written = fs::metadata(psq_path(&store.folder, game));
            if !written.is_ok_and(|file| file.len() > 0) {
                write_psq(&store.folder, store.variant, game)?;
            }
        }
        Ok((store, played))
    }

    /// Stores a game.
    ///
    /// # Errors
    /// Returns an error when it can't be written.
    pub fn add(&mut self, game: &MatchGame) -> Result<(), StoreError> {
        let line = line(&self.folder, game)?;
        self.games
            .write_all(line.as_bytes())
            .and_then(|()| self.games.sync_data())
            .and_then(|()| self.sgf.write_all(sgf(self.variant, game).as_bytes()))
            .map_err(StoreError::write(&self.folder))?;
        write_psq(&self.folder, self.variant, game)
    }

    /// Stores a game, with its transcript if there is one.
    ///
    /// # Errors
    /// Returns an error when they can't be written.
    pub(super) fn add_with(
        &mut self,
        game: &MatchGame,
        transcript: Option<&str>,
    ) -> Result<(), StoreError> {
        if let Some(text) = transcript {
            let folder = self.folder.join(TRANSCRIPTS);
            fs::create_dir_all(&folder).map_err(StoreError::write(&folder))?;
            let name = format!("{:06}.txt", game.number);
            files::replace_one_of_many(&folder.join(name), text.as_bytes())?;
        }
        self.add(game)
    }
}

/// Creates a folder of records from games that were played elsewhere. If it is interrupted, the
/// folder may have games without settings. It is then not a match, and no run writes to it.
///
/// # Errors
/// Returns an error when it has a match or files of another kind, or can't be written.
pub fn create(
    folder: &Path,
    settings: &MatchSettings,
    games: &[MatchGame],
) -> Result<(), StoreError> {
    if has_match(folder) {
        return Err(StoreError::Exists(folder.to_owned()));
    }
    let folder = RunFolder::take(folder, false)?;
    let path = folder.path().join(GAMES);
    let lines = games.iter().map(|game| line(&path, game));
    let lines: String = lines.collect::<Result<_, _>>()?;
    let variant = settings.variant()?;
    for game in games {
        // Not synced: a merge into another folder makes them anew.
        let path = psq_path(folder.path(), game);
        fs::write(&path, psq_text(variant, game)?).map_err(StoreError::write(&path))?;
    }
    files::replace(&path, lines.as_bytes())?;
    write_settings(folder.path(), settings)
}

/// The line of a game in the file of all games at `path`.
fn line(path: &Path, game: &MatchGame) -> Result<String, StoreError> {
    let text = serde_json::to_string(game);
    let text = text.map_err(|error| StoreError::write(path)(error.into()))?;
    Ok(files::checked_line(&text))
}

fn psq_path(folder: &Path, game: &MatchGame) -> PathBuf {
    folder.join(format!("psq/{:06}.psq", game.number))
}

fn psq_text(variant: Variant, game: &MatchGame) -> Result<String, StoreError> {
    psq(variant, game).map_err(|source| StoreError::Psq {
        number: game.number,
        source,
    })
}

fn write_psq(folder: &Path, variant: Variant, game: &MatchGame) -> Result<(), StoreError> {
    let text = psq_text(variant, game)?;
    files::replace_one_of_many(&psq_path(folder, game), text.as_bytes())?;
    Ok(())
}

/// Rewrites the settings of a folder, and all files that are made from all its games.
///
/// # Errors
/// Returns an error when it can't be written.
pub fn publish(
    folder: &Path,
    settings: &MatchSettings,
    games: &[MatchGame],
    report: &Report,
) -> Result<(), StoreError> {
    write_settings(folder, settings)?;
    let variant = settings.variant()?;
    let mut sorted: Vec<&MatchGame> = games.iter().collect();
    sorted.sort_by_key(|game| game.number);
    let collection: String = sorted.iter().map(|game| sgf(variant, game)).collect();
    let page = html::page(settings, games, report);
    let text = report.text();
    let rows = csv(sorted.into_iter());
    let texts = [&collection, &rows, &text, &page];
    for (name, text) in PUBLISHED.into_iter().zip(texts) {
        files::replace(&folder.join(name), text.as_bytes())?;
    }
    Ok(())
}

/// Reads the games of a records file. An incomplete last line, which a crash may leave, is skipped.
/// Any other damage is an error.
///
/// # Errors
/// Returns an error when the file can't be read or is no records file.
pub fn read_games(path: &Path) -> Result<Vec<MatchGame>, StoreError> {
    parse_games(path).map(|(games, _)| games)
}

/// The games of a file and the length of its intact part. A game that is there twice, as where
/// files were joined by hand, is one.
fn parse_games(path: &Path) -> Result<(Vec<MatchGame>, usize), StoreError> {
    let text = fs::read(path).map_err(StoreError::read(path))?;
    let mut games: Vec<MatchGame> = Vec::new();
    let whole = files::whole_lines(&text);
    // The place of each game, and its line.
    let mut places: HashMap<usize, (usize, usize)> = HashMap::new();
    for (number, game) in records::<MatchGame>(path, &Header::NONE, whole) {
        let game = game?;
        match places.get(&game.number) {
            None => {
                places.insert(game.number, (games.len(), number));
                games.push(game);
            }
            Some(&(place, _)) if games[place] == game => {}
            Some(&(_, first)) => {
                return Err(StoreError::TwoGames {
                    path: path.to_owned(),
                    lines: [first, number],
                    number: game.number,
                });
            }
        }
    }
    let length = whole.len();
    Ok((games, length))
}

/// Reads the games of an interrupted match, and truncates an incomplete last line.
fn repair(path: &Path) -> Result<Vec<MatchGame>, StoreError> {
    let (games, intact) = parse_games(path)?;
    let cut = || {
        let file = OpenOptions::new().write(true).open(path)?;
        file.set_len(intact as u64)?;
        file.sync_all()
    };
    cut().map_err(StoreError::write(path))?;
    Ok(games)
}

/// The settings of the match in a folder.
///
/// # Errors
/// Returns an error when there are none, or they can't be read.
pub fn read_settings(folder: &Path) -> Result<MatchSettings, StoreError> {
    let path = folder.join(SETTINGS);
    let text = fs::read_to_string(&path).map_err(StoreError::read(&path))?;
    serde_json::from_str(&text).map_err(|source| StoreError::Settings { path, source })
}

fn write_settings(folder: &Path, settings: &MatchSettings) -> Result<(), StoreError> {
    let path = folder.join(SETTINGS);
    let text = serde_json::to_string_pretty(settings)
        .map_err(|error| StoreError::write(&path)(error.into()))?;
    files::replace(&path, format!("{text}\n").as_bytes())?;
    Ok(())
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use quincunx_engine::rules::Color;

    /// A match whose main record was lost was once begun anew, over what was left of it.
    #[test]
    fn a_folder_that_has_lost_its_main_record_has_games() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path();
        fs::write(path.join(SETTINGS), "{}").unwrap();
        fs::write(path.join(COLLECTION), "").unwrap();
        assert!(!has_games(path));
        fs::write(path.join(COLLECTION), "(;GM[4])").unwrap();
        assert!(has_games(path));
        let taken = RunFolder::take(path, false);
        assert!(matches!(taken, Err(StoreError::HasGames(_))));
    }

    fn game(number: usize) -> String {
        game_of(number, Color::Black)
    }

    fn game_of(number: usize, winner: Color) -> String {
        let game = MatchGame::without_moves(number, "a".into(), "b".into(), Some(winner));
        serde_json::to_string(&game).unwrap()
    }

    #[test]
    fn a_changed_line_is_found() {
        let line = |number| files::checked_line(&game(number));
        let lines: Vec<String> = (0..3).map(line).collect();
        let whole = lines.concat();
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(GAMES);
        let read = |bytes: &[u8]| {
            fs::write(&path, bytes).unwrap();
            read_games(&path)
        };
        let games = read(whole.as_bytes()).unwrap();
        assert_eq!(games.len(), 3);
        for at in 0..whole.len() {
            for bit in [0, 1, 4, 7] {
                let mut bytes = whole.clone().into_bytes();
                bytes[at] ^= 1 << bit;
                // What is cut off behind the last line is the last that was written.
                match read(&bytes) {
                    Ok(read) => assert!(games.starts_with(&read) && read.len() >= 2, "{at} {bit}"),
                    Err(error) => assert!(matches!(error, StoreError::Record(_)), "{error}"),
                }
            }
        }
    }

    /// As where the games of two folders were joined by hand: the game was once counted twice.
    #[test]
    fn a_game_that_is_there_twice_is_one() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(GAMES);
        let read = |games: [String; 4]| {
            let lines = games.map(|game| files::checked_line(&game));
            fs::write(&path, lines.concat()).unwrap();
            repair(&path)
        };
        let games = read([game(0), game(1), game(0), game(2)]).unwrap();
        let numbers: Vec<usize> = games.iter().map(|game| game.number).collect();
        assert_eq!(numbers, [0, 1, 2]);
        let other = game_of(1, Color::White);
        let error = read([game(0), game(1), other, game(2)]).unwrap_err();
        let expected = "lines 2 and 3 are different games with the number 1: delete one of them";
        assert!(error.to_string().ends_with(expected), "{error}");
    }

    #[test]
    fn a_run_that_has_not_begun_leaves_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("all/of/it");
        drop(RunFolder::take(&path, false).unwrap());
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
        let taken = RunFolder::take(&path, false).unwrap();
        assert!(matches!(
            RunFolder::take(&path, false),
            Err(StoreError::InUse(_))
        ));
        fs::write(path.join(GAMES), "").unwrap();
        drop(taken);
        assert!(path.join("psq").exists() && path.join(LOCK).exists());
    }
}
