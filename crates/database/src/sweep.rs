//! Removing the positions that follow from another.

use super::diagram::Diagram;
use super::entry::Entry;
use super::error::DatabaseError;
use super::store::Database;
use quincunx_engine::position::Position;
use std::collections::{HashMap, HashSet};

/// The action of [`Database::remove_below`] on a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SweepAction {
    /// It removes the position and all that follow from it.
    Remove,
    /// Keeps the position and all positions that follow from it.
    Skip,
    /// It keeps the position and visits those that follow.
    Descend,
}

impl Database {
    /// Removes positions that follow from `position` through known ones, as
    /// `judge` decides. Returns their number.
    ///
    /// # Errors
    /// When the file can't be read or written; then nothing has changed.
    pub fn remove_below(
        &self,
        position: &Position,
        judge: impl Fn(&Entry) -> SweepAction,
    ) -> Result<usize, DatabaseError> {
        self.write(|table| {
            let mut removed = HashMap::new();
            // A position can be reached through one that stays and through one
            // that does not.
            let mut seen = HashSet::new();
            let mut open = vec![(Diagram::of(position), false)];
            while let Some((diagram, doomed)) = open.pop() {
                for (point, entry) in table.children(&diagram)? {
                    let action = if doomed {
                        SweepAction::Remove
                    } else {
                        judge(&entry)
                    };
                    if action == SweepAction::Skip {
                        continue;
                    }
                    let mut child = diagram.clone();
                    child.play(point);
                    let key = child.key();
                    if action == SweepAction::Remove {
                        removed.insert(key.clone(), entry);
                    }
                    if seen.insert((key, action == SweepAction::Remove)) {
                        open.push((child, action == SweepAction::Remove));
                    }
                }
            }
            for (key, entry) in &removed {
                table.remove(key, entry)?;
            }
            Ok(removed.len())
        })
    }
}
