//! Removing what was found out from a position on.

use super::diagram::Diagram;
use super::{Database, DatabaseError, Entry, children, store};
use crate::position::Position;
use std::collections::HashSet;

/// What becomes of a position in [`Database::remove_below`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    /// It is removed, with all that follows from it.
    Remove,
    /// It stays, with all that follows from it.
    Keep,
    /// It stays; what follows is looked at.
    LookBelow,
}

impl Database {
    /// Removes positions that follow from `position` through known ones, as
    /// `judge` says. Returns how many.
    ///
    /// # Errors
    /// When the file can't be read or written; then nothing has changed.
    pub fn remove_below(
        &self,
        position: &Position,
        judge: impl Fn(&Entry) -> Fate,
    ) -> Result<usize, DatabaseError> {
        self.write(|table| {
            let mut removed = HashSet::new();
            // A position can be reached through one that stays and through one
            // that does not.
            let mut seen = HashSet::new();
            let mut open = vec![(Diagram::of(position), false)];
            while let Some((diagram, doomed)) = open.pop() {
                for (point, entry) in children(table, &diagram)? {
                    let fate = if doomed { Fate::Remove } else { judge(&entry) };
                    if fate == Fate::Keep {
                        continue;
                    }
                    let mut child = diagram.clone();
                    child.play(point);
                    let key = child.key();
                    if fate == Fate::Remove {
                        removed.insert(key.clone());
                    }
                    if seen.insert((key, fate == Fate::Remove)) {
                        open.push((child, fate == Fate::Remove));
                    }
                }
            }
            for key in &removed {
                table.remove(&**key).map_err(store)?;
            }
            Ok(removed.len())
        })
    }
}
