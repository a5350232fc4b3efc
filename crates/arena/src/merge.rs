//! Records of several folders as those of one match: parts of a schedule that were played on
//! several machines, and runs that are told apart in the report.

use super::parts::Part;
use super::record::MatchGame;
use super::settings::MatchSettings;
use super::store::{GAMES, SETTINGS, StoreError, read_games, read_settings};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// Matches that were put together.
pub struct MergedMatch {
    /// Their settings.
    pub settings: MatchSettings,
    /// All games, by number.
    pub games: Vec<MatchGame>,
    /// What was put together, in its order, by the numbers of the games. Games that came before
    /// are not in a part.
    pub parts: Vec<Part>,
}

/// The matches in these folders (or with these `games.jsonl`) as one: parts of
/// the same schedule, or copies of them. The programs may have been in other folders.
///
/// # Errors
/// When they can't be read or don't belong together.
pub fn merge(paths: &[PathBuf]) -> Result<MergedMatch, StoreError> {
    let mut whole: Option<MatchSettings> = None;
    let mut games: BTreeMap<usize, MatchGame> = BTreeMap::new();
    let mut parts = Vec::new();
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
        let differing = whole
            .without_folders()
            .differences(&settings.without_folders());
        if !differing.is_empty() {
            let path = path.clone();
            return Err(StoreError::OtherMatch { path, differing });
        }
        let mut part = Part::new(path.display().to_string());
        for game in read_games(&file)? {
            let number = game.number;
            match games.get(&number) {
                None => {
                    part.games.insert(number);
                    games.insert(number, game);
                }
                Some(twin) if *twin == game => {}
                Some(_) => {
                    let path = path.clone();
                    return Err(StoreError::PlayedTwice { path, number });
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
