//! Merges the records of several match folders into one: the shards of a schedule that was
//! played on several machines.

use super::parts::MatchShard;
use super::record::MatchGame;
use super::runner::{MatchError, expect_moves};
use super::settings::MatchSettings;
use super::store::{GAMES, SETTINGS, StoreError, read_games, read_settings};
use std::collections::{BTreeMap, HashSet};
use std::fs;
use std::path::{Path, PathBuf};

/// The records of several match folders as one match.
pub struct MergedMatch {
    /// The settings that all folders share.
    pub settings: MatchSettings,
    /// All games, by number.
    pub games: Vec<MatchGame>,
    /// Which games each folder contributed, in the order of the folders. A game that several
    /// folders have belongs to the first of them.
    pub parts: Vec<MatchShard>,
}

impl MergedMatch {
    /// Checks that the engines have played well enough for a test of their strength.
    ///
    /// # Errors
    /// Returns an error if an engine has lost by its own fault and has not made a legal move in
    /// any game.
    pub fn expect_moves(&self) -> Result<(), MatchError> {
        let movers = self.games.iter().flat_map(MatchGame::movers);
        let moved: HashSet<String> = movers.cloned().collect();
        expect_moves(&self.games, &moved)
    }
}

/// Merges the matches in these folders, each named by itself or by its `games.jsonl`. They have
/// the same settings, but for the shard and the folders of the programs. Where the programs have
/// `moved`, they may have been started by other commands. A game that several folders have counts
/// once.
///
/// # Errors
/// Returns an error if a file can't be read, if the settings differ, or if two folders have
/// different games of the same number.
pub fn merge(paths: &[PathBuf], moved: bool) -> Result<MergedMatch, StoreError> {
    let mut whole: Option<MatchSettings> = None;
    let mut games: BTreeMap<usize, MatchGame> = BTreeMap::new();
    let mut parts: Vec<MatchShard> = Vec::new();
    for path in paths {
        fs::metadata(path).map_err(StoreError::read(path))?;
        let (folder, file) = if path.is_dir() {
            (path.as_path(), path.join(GAMES))
        } else {
            (path.parent().unwrap_or(Path::new(".")), path.clone())
        };
        if !folder.join(SETTINGS).exists() {
            return Err(StoreError::NoMatch(path.clone()));
        }
        let mut settings = read_settings(folder)?;
        settings.shard = None;
        let runs = std::mem::take(&mut settings.runs);
        let whole = whole.get_or_insert_with(|| settings.clone());
        whole.runs.extend(runs);
        let mut differing = whole
            .without_folders()
            .differences(&settings.without_folders());
        differing.retain(|difference| !(moved && difference.is_command()));
        if !differing.is_empty() {
            let path = path.clone();
            return Err(StoreError::OtherMatch { path, differing });
        }
        let mut part = MatchShard::new(path.display().to_string());
        for game in read_games(&file)? {
            let number = game.number;
            match games.get(&number) {
                None => {
                    part.games.insert(number);
                    games.insert(number, game);
                }
                Some(twin) if *twin == game => {}
                Some(_) => {
                    let first = parts.iter().find(|part| part.games.contains(&number));
                    return Err(StoreError::PlayedTwice {
                        first: first.unwrap_or(&part).name.clone(),
                        second: part.name,
                        number,
                    });
                }
            }
        }
        parts.push(part);
    }
    Ok(MergedMatch {
        settings: whole.ok_or(StoreError::Nothing)?,
        games: games.into_values().collect(),
        parts,
    })
}
