//! The folder a run leaves behind, written so that whatever stops the run,
//! no finished game is lost.
//!
//! `games.jsonl` is the truth: a line is written and flushed to the disk as
//! each game ends. `match.json` says what was played, so that a run is only
//! ever resumed as itself. Everything else is made from these two, as games
//! end and once more when the run does.

use super::html;
use super::notation::{Heading, csv, psq, sgf};
use super::record::Game;
use super::settings::Settings;
use crate::files::replace;
use anyhow::{Context, Result, bail, ensure};
use std::collections::BTreeMap;
use std::fs::{self, File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};

/// The file that has all.
const GAMES: &str = "games.jsonl";
/// The file that says what was played.
const SETTINGS: &str = "match.json";

/// A folder of records, open for writing.
pub struct Store {
    folder: PathBuf,
    heading: Heading,
    games: File,
    sgf: File,
}

impl Store {
    /// Makes the folder, or opens it again with `resume`; then the games
    /// played before come back too. `settings` must be what the folder was
    /// made with.
    ///
    /// # Errors
    /// When the folder holds another run, or can't be written.
    pub fn open(folder: &Path, settings: &Settings, resume: bool) -> Result<(Store, Vec<Game>)> {
        fs::create_dir_all(folder.join("psq"))
            .with_context(|| format!("can't make the folder {}", folder.display()))?;
        let path = folder.join(GAMES);
        let mut played = Vec::new();
        if folder.join(SETTINGS).exists() || path.exists() {
            ensure!(
                resume,
                "{} has games already: resume that run (--resume) or choose another folder",
                folder.display()
            );
            let differing = settings.differences(&read_settings(folder)?);
            ensure!(
                differing.is_empty(),
                "{} was played with other settings: {}",
                folder.display(),
                differing.join(", ")
            );
            played = repair(&path)?;
        } else {
            write_settings(folder, settings)?;
        }
        let append = |name: &str| {
            let path = folder.join(name);
            OpenOptions::new()
                .create(true)
                .append(true)
                .open(&path)
                .with_context(|| format!("can't write {}", path.display()))
        };
        let store = Store {
            folder: folder.to_owned(),
            heading: settings.heading()?,
            games: append(GAMES)?,
            sgf: append("games.sgf")?,
        };
        for game in &played {
            // The moment between two files may be when the run was killed.
            if !store.psq_path(game).exists() {
                store.write_psq(game)?;
            }
        }
        Ok((store, played))
    }

    /// Keeps a game.
    ///
    /// # Errors
    /// When it can't be written.
    pub fn add(&mut self, game: &Game) -> Result<()> {
        let mut line = serde_json::to_string(game)?;
        line.push('\n');
        self.games
            .write_all(line.as_bytes())
            .and_then(|()| self.games.sync_data())
            .and_then(|()| self.sgf.write_all(sgf(self.heading, game).as_bytes()))
            .with_context(|| format!("can't write to {}", self.folder.display()))?;
        self.write_psq(game)
    }

    fn psq_path(&self, game: &Game) -> PathBuf {
        self.folder.join(format!("psq/{:06}.psq", game.number))
    }

    fn write_psq(&self, game: &Game) -> Result<()> {
        replace(&self.psq_path(game), psq(self.heading, game).as_bytes())
    }
}

/// Makes a folder of records from games that were played elsewhere.
///
/// # Errors
/// When it exists or can't be written.
pub fn create(folder: &Path, settings: &Settings, games: &[Game]) -> Result<()> {
    let (mut store, _) = Store::open(folder, settings, false)?;
    games.iter().try_for_each(|game| store.add(game))
}

/// Writes everything that is made from the games of a folder as a whole.
///
/// # Errors
/// When it can't be written.
pub fn publish(folder: &Path, settings: &Settings, games: &[Game], report: &str) -> Result<()> {
    let heading = settings.heading()?;
    let mut sorted: Vec<&Game> = games.iter().collect();
    sorted.sort_by_key(|game| game.number);
    let collection: String = sorted.iter().map(|game| sgf(heading, game)).collect();
    let page = html::page(settings, games, report);
    replace(&folder.join("games.sgf"), collection.as_bytes())?;
    replace(
        &folder.join("games.csv"),
        csv(sorted.into_iter()).as_bytes(),
    )?;
    replace(&folder.join("report.txt"), report.as_bytes())?;
    replace(&folder.join("report.html"), page.as_bytes())
}

/// The runs in these folders (or with these `games.jsonl`) as one: parts of
/// the same schedule, or copies of them.
///
/// # Errors
/// When they can't be read or don't belong together.
pub fn merge(paths: &[PathBuf]) -> Result<(Settings, Vec<Game>)> {
    let mut whole: Option<Settings> = None;
    let mut games: BTreeMap<usize, Game> = BTreeMap::new();
    for path in paths {
        let folder = if path.is_dir() {
            path.as_path()
        } else {
            path.parent().unwrap_or(Path::new("."))
        };
        let mut settings = read_settings(folder)?;
        settings.shard = None;
        if let Some(whole) = &whole {
            let differing = whole.differences(&settings);
            ensure!(
                differing.is_empty(),
                "{} is no part of the same match: other {}",
                path.display(),
                differing.join(", ")
            );
        }
        whole.get_or_insert(settings);
        let file = if path.is_dir() {
            path.join(GAMES)
        } else {
            path.clone()
        };
        for game in read_games(&file)? {
            let number = game.number;
            if let Some(twin) = games.insert(number, game.clone()) {
                ensure!(
                    twin == game,
                    "{}: game {number} was played twice",
                    path.display()
                );
            }
        }
    }
    let settings = whole.context("nothing to merge")?;
    Ok((settings, games.into_values().collect()))
}

/// The games of a records file. A broken last line is what a crash leaves and
/// is passed over; anything else broken is an error.
///
/// # Errors
/// When the file can't be read or is no records file.
pub fn read_games(path: &Path) -> Result<Vec<Game>> {
    let text = fs::read(path).with_context(|| format!("can't read {}", path.display()))?;
    let (games, _) = parse_games(&text).with_context(|| path.display().to_string())?;
    Ok(games)
}

/// The games of a text and the length of its intact part.
fn parse_games(text: &[u8]) -> Result<(Vec<Game>, usize)> {
    let mut games = Vec::new();
    let mut intact = 0;
    for (index, line) in text.split_inclusive(|&byte| byte == b'\n').enumerate() {
        if !line.ends_with(b"\n") {
            break;
        }
        match serde_json::from_slice(line) {
            Ok(game) => games.push(game),
            Err(_) if intact + line.len() == text.len() => break,
            Err(error) => bail!("line {}: {error}", index + 1),
        }
        intact += line.len();
    }
    Ok((games, intact))
}

/// Reads the games of a run that was stopped and cuts off what a crash left
/// half written.
fn repair(path: &Path) -> Result<Vec<Game>> {
    if !path.exists() {
        return Ok(Vec::new());
    }
    let text = fs::read(path).with_context(|| format!("can't read {}", path.display()))?;
    let (games, intact) = parse_games(&text).with_context(|| path.display().to_string())?;
    let cut = || {
        let file = OpenOptions::new().write(true).open(path)?;
        file.set_len(intact as u64)?;
        file.sync_all()
    };
    cut().with_context(|| format!("can't repair {}", path.display()))?;
    Ok(games)
}

fn read_settings(folder: &Path) -> Result<Settings> {
    let path = folder.join(SETTINGS);
    let text =
        fs::read_to_string(&path).with_context(|| format!("can't read {}", path.display()))?;
    serde_json::from_str(&text).with_context(|| format!("can't understand {}", path.display()))
}

fn write_settings(folder: &Path, settings: &Settings) -> Result<()> {
    let text = serde_json::to_string_pretty(settings)?;
    replace(&folder.join(SETTINGS), format!("{text}\n").as_bytes())
}
