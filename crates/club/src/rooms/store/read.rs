//! Reads from the tables of a club while it goes on.

use super::error::StoreError;
use super::rows::{SELECT_GAMES, for_each_row};
use crate::rooms::admin::AuditEntry;
use crate::rooms::archive::{FinishedGame, GameFilter};
use crate::rooms::message::GamePage;
use rusqlite::{Connection, params};
use std::io;
use std::path::Path;
use std::time::Duration;
use tempfile::NamedTempFile;

/// The number of games on a page of a list.
const PAGE_OF_GAMES: usize = 30;

/// The most games that are looked at for a page: one visitor's search for what is rare does
/// not keep others waiting.
const LOOKED_AT: u64 = 2000;

/// A connection that reads from a club. Each call sees one state of it.
#[derive(Debug)]
pub struct StoreReader(pub(super) Connection);

impl StoreReader {
    pub(super) fn new(connection: Connection) -> StoreReader {
        StoreReader(connection)
    }

    /// Visits every game that is over from this number on, in the order of their ends.
    ///
    /// # Errors
    /// When the file can't be read.
    pub fn for_each_game(
        &self,
        from: u64,
        mut visit: impl FnMut(FinishedGame),
    ) -> Result<(), StoreError> {
        let query = format!("{SELECT_GAMES} WHERE number >= ?1 ORDER BY number");
        for_each_row(&self.0, &query, [from], |cells| {
            visit(cells.game()?);
            Ok(())
        })
    }

    /// A page of the public games before a number that pass a filter, newest first.
    ///
    /// # Errors
    /// When the file can't be read.
    pub fn find_games(
        &self,
        filter: &GameFilter,
        before: Option<u64>,
    ) -> Result<GamePage, StoreError> {
        let end = "SELECT coalesce(max(number), 0) + 1 FROM games";
        let end: u64 = self.0.query_row(end, [], |row| row.get(0))?;
        let end = before.map_or(end, |before| before.min(end));
        let begin = end.saturating_sub(LOOKED_AT);
        let query = format!(
            "{SELECT_GAMES} WHERE number < ?1 AND number >= ?2 AND NOT private
                 AND (?3 IS NULL OR first = ?3 OR second = ?3) AND (?4 IS NULL OR rule = ?4)
                 AND (?5 IS NULL OR ended >= ?5) AND (?6 IS NULL OR ended < ?6)
             ORDER BY number DESC LIMIT ?7"
        );
        let player = filter.player.map(|id| id.to_string());
        let rule = filter.rule.map(|rule| rule.to_string());
        // SQLite has no larger numbers, and no game ends then.
        let time = |it: u64| i64::try_from(it).unwrap_or(i64::MAX);
        let (from, to) = (filter.from.map(time), filter.to.map(time));
        let parameters = params![end, begin, player, rule, from, to, PAGE_OF_GAMES];
        let mut games = Vec::new();
        for_each_row(&self.0, &query, parameters, |cells| {
            games.push(cells.game()?.summary());
            Ok(())
        })?;
        let before = match games.last() {
            Some(last) if games.len() == PAGE_OF_GAMES => Some(last.number),
            _ => Some(begin).filter(|begin| *begin > 1),
        };
        Ok(GamePage { games, before })
    }

    /// The actions of administrators, oldest first.
    ///
    /// # Errors
    /// When the file can't be read.
    pub fn audit(&self) -> Result<Vec<AuditEntry>, StoreError> {
        let mut entries = Vec::new();
        let query = "SELECT at, action FROM audit ORDER BY number";
        for_each_row(&self.0, query, [], |mut cells| {
            let at = Duration::from_secs(cells.value()?);
            let action: String = cells.value()?;
            entries.push(AuditEntry::new(at, &action)?);
            Ok(())
        })?;
        Ok(entries)
    }

    /// The games with these numbers, as far as they are there.
    ///
    /// # Errors
    /// When the file can't be read.
    pub fn games(&self, numbers: &[u64]) -> Result<Vec<FinishedGame>, StoreError> {
        let query = format!("{SELECT_GAMES} WHERE number = ?1");
        let mut found = Vec::new();
        // SQLite has no larger numbers.
        for number in numbers.iter().filter(|it| i64::try_from(**it).is_ok()) {
            for_each_row(&self.0, &query, [number], |cells| {
                found.push(cells.game()?);
                Ok(())
            })?;
        }
        Ok(found)
    }

    /// The errors in the structure of the file, each a line; none in a sound one.
    ///
    /// # Errors
    /// When the file can't be read.
    pub fn check(&self) -> Result<Vec<String>, StoreError> {
        let mut errors = Vec::new();
        for_each_row(&self.0, "PRAGMA integrity_check", [], |mut cells| {
            errors.push(cells.value()?);
            Ok(())
        })?;
        errors.retain(|error| error != "ok");
        Ok(errors)
    }

    /// Copies everything to another file, which must not be there. It is there when all of
    /// it is, or not at all, and only its owner may read it.
    ///
    /// # Errors
    /// When a file can't be read or written.
    pub fn back_up(&self, path: &Path) -> Result<(), StoreError> {
        if path.exists() {
            return Err(StoreError::Exists(path.to_owned()));
        }
        let draft = NamedTempFile::new_in(folder_of(path))?;
        let Some(name) = draft.path().to_str() else {
            return Err(StoreError::File(io::ErrorKind::InvalidFilename.into()));
        };
        self.0.execute("VACUUM INTO ?1", [name])?;
        draft.as_file().sync_all()?;
        draft.persist_noclobber(path).map_err(io::Error::from)?;
        Ok(())
    }
}

/// The folder of a file.
pub(super) fn folder_of(path: &Path) -> &Path {
    let folder = path.parent().filter(|folder| *folder != Path::new(""));
    folder.unwrap_or(Path::new("."))
}
