//! Removal of the names of forgotten people from games and notes in the store.

use super::archive::FinishedGame;
use super::name::letters;
use super::people::FORMER;
use super::person::PersonId;
use super::store_error::{StoreError, store};
use redb::{ReadableTable, Table};
use serde_json::Value;

/// A table with numbers for keys, and JSON.
type JsonTable<'t> = Table<'t, u64, &'static [u8]>;

/// Forgets a person in games.
pub(super) fn forget_games(games: &mut JsonTable<'_>, id: PersonId) -> Result<(), StoreError> {
    let digits = id.to_string();
    rewrite(games, |bytes| {
        // Reading all games would keep moves waiting.
        let text = std::str::from_utf8(bytes).unwrap_or_default();
        if !text.contains(&digits) {
            return Ok(None);
        }
        let mut game: FinishedGame = serde_json::from_slice(bytes)?;
        game.forget(id);
        Ok(Some(serde_json::to_vec(&game)?))
    })
}

/// Forgets a name in the notes of administrators' actions.
pub(super) fn forget_notes(audit: &mut JsonTable<'_>, name: &str) -> Result<(), StoreError> {
    let name = letters(name);
    rewrite(audit, |bytes| {
        let mut note: Value = serde_json::from_slice(bytes)?;
        let fields = note.as_object_mut().into_iter().flatten();
        let mut is_changed = false;
        for (_, value) in fields {
            if value.as_str().is_some_and(|text| letters(text) == name) {
                *value = FORMER.into();
                is_changed = true;
            }
        }
        Ok(if is_changed {
            Some(serde_json::to_vec(&note)?)
        } else {
            None
        })
    })
}

/// Replaces rows of a table, those for which `change` returns a new value.
fn rewrite(
    table: &mut JsonTable<'_>,
    change: impl Fn(&[u8]) -> Result<Option<Vec<u8>>, StoreError>,
) -> Result<(), StoreError> {
    let mut changed = Vec::new();
    for row in table.iter().map_err(store)? {
        let (key, value) = row.map_err(store)?;
        if let Some(after) = change(value.value())? {
            changed.push((key.value(), after));
        }
    }
    for (key, after) in changed {
        table.insert(key, &*after).map_err(store)?;
    }
    Ok(())
}
