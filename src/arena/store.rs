//! The folder a run leaves behind, written so that whatever stops the run,
//! no finished game is lost.
//!
//! `games.jsonl` is the truth: a line is written and flushed to the disk as
//! each game ends. `match.json` says what was played, so that a run is only
//! ever resumed as itself.

use super::record::Game;
use anyhow::{Context, Result, bail, ensure};
use serde_json::Value;
use std::fs::{self, File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};

/// A folder of records, open for writing.
pub struct Store {
    folder: PathBuf,
    games: File,
}

impl Store {
    /// Makes the folder, or opens it again with `resume`; then the games
    /// played before come back too. `settings` must be what the folder was
    /// made with.
    ///
    /// # Errors
    /// When the folder holds another run, or can't be written.
    pub fn open(folder: &Path, settings: &Value, resume: bool) -> Result<(Store, Vec<Game>)> {
        fs::create_dir_all(folder)
            .with_context(|| format!("can't make the folder {}", folder.display()))?;
        let path = folder.join("games.jsonl");
        let about = folder.join("match.json");
        let mut played = Vec::new();
        if about.exists() || path.exists() {
            ensure!(
                resume,
                "{} has games already: resume that run (--resume) or choose another folder",
                folder.display()
            );
            same_settings(&about, settings)?;
            played = repair(&path)?;
        } else {
            replace(&about, format!("{settings:#}\n").as_bytes())?;
        }
        let games = OpenOptions::new()
            .create(true)
            .append(true)
            .open(&path)
            .with_context(|| format!("can't write {}", path.display()))?;
        let folder = folder.to_owned();
        Ok((Store { folder, games }, played))
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
            .with_context(|| format!("can't write to {}", self.folder.display()))
    }
}

/// The games of a records file. A broken last line is what a crash leaves and
/// is passed over; anything else broken is an error.
///
/// # Errors
/// When the file can't be read or is no records file.
pub fn read_games(path: &Path) -> Result<Vec<Game>> {
    let text =
        fs::read_to_string(path).with_context(|| format!("can't read {}", path.display()))?;
    let (games, _) = parse_games(&text).with_context(|| path.display().to_string())?;
    Ok(games)
}

/// The games of a text and the length of its intact part.
fn parse_games(text: &str) -> Result<(Vec<Game>, usize)> {
    let mut games = Vec::new();
    let mut intact = 0;
    for (index, line) in text.split_inclusive('\n').enumerate() {
        let parsed = serde_json::from_str(line);
        match parsed {
            Ok(game) if line.ends_with('\n') => games.push(game),
            _ if intact + line.len() == text.len() => break,
            Ok(_) => break,
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
    let text = String::from_utf8_lossy(&text);
    let (games, intact) = parse_games(&text).with_context(|| path.display().to_string())?;
    let file = OpenOptions::new().write(true).open(path)?;
    file.set_len(intact as u64)?;
    file.sync_all()?;
    Ok(games)
}

fn same_settings(path: &Path, settings: &Value) -> Result<()> {
    let text =
        fs::read_to_string(path).with_context(|| format!("can't read {}", path.display()))?;
    let before: Value =
        serde_json::from_str(&text).with_context(|| format!("can't read {}", path.display()))?;
    let differing = |key: &String| before.get(key) != settings.get(key);
    let keys = settings.as_object().map(|map| map.keys().cloned());
    let differing: Vec<String> = keys.into_iter().flatten().filter(differing).collect();
    ensure!(
        differing.is_empty(),
        "{} was played with other settings: {}",
        path.display(),
        differing.join(", ")
    );
    Ok(())
}

/// Writes a file so that it is either the old one or the new one, whatever
/// happens in between.
///
/// # Errors
/// When it can't be written.
pub fn replace(path: &Path, contents: &[u8]) -> Result<()> {
    let draft = path.with_extension("part");
    let write = || -> std::io::Result<()> {
        let mut file = File::create(&draft)?;
        file.write_all(contents)?;
        file.sync_all()?;
        fs::rename(&draft, path)
    };
    write().with_context(|| format!("can't write {}", path.display()))
}
