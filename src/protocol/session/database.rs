//! The position database of a GUI: questions, edits, and the messages they are
//! answered with. Without a database there is no answer.

use super::super::message::{Coordinates, Database as Order, Query};
use super::{Session, Trouble, refused};
use crate::database::{Bound, Database, DatabaseError, Entry};
use crate::position::Position;
use crate::rules::Point;
use std::io::{self, Write};
use std::path::Path;

impl From<DatabaseError> for Trouble {
    fn from(error: DatabaseError) -> Self {
        Trouble::Refused(format!("the database: {error}"))
    }
}

/// The parts of an entry that an edit changes.
const LABEL: i64 = 1;
const VALUE: i64 = 2;
const DEPTH: i64 = 4;

impl<W: Write> Session<W> {
    pub(super) fn obey_database(&mut self, order: &Order) -> Result<(), Trouble> {
        if let Order::Open(path) = order {
            return self.open_database(path);
        }
        let Some(database) = self.database.take() else {
            return Ok(());
        };
        let done = self.work_on(&database, order);
        self.database = Some(database);
        done
    }

    fn open_database(&mut self, path: &str) -> Result<(), Trouble> {
        // A file can be open but once.
        self.database = None;
        self.message(&format!("DATABASE LOAD START {path}"))?;
        let opened = Database::open(Path::new(path));
        self.message("DATABASE LOAD DONE")?;
        self.database = Some(opened?);
        Ok(())
    }

    fn work_on(&mut self, database: &Database, order: &Order) -> Result<(), Trouble> {
        match order {
            Order::Open(_) => (),
            // Every change is on the disk already.
            Order::Save => {
                self.message("DATABASE SAVE START")?;
                self.message("DATABASE SAVE DONE")?;
            }
            Order::Query(query, stones) => {
                let position = self.position_of(stones)?;
                match query {
                    Query::Children => self.tell_children(database, &position)?,
                    Query::ChildrenAndText => {
                        self.tell_children(database, &position)?;
                        self.tell_text(database, &position)?;
                    }
                    Query::One => self.tell_one(&database.get(&position)?.unwrap_or_default())?,
                    Query::Text => self.tell_text(database, &position)?,
                }
            }
            _ if self.read_only => return refused("the database is read only"),
            _ => self.edit(database, order)?,
        }
        Ok(())
    }

    fn edit(&mut self, database: &Database, order: &Order) -> Result<(), Trouble> {
        match order {
            &Order::SetValue {
                mask,
                label,
                value,
                depth,
                ref stones,
            } => {
                let small = |number: i64| i32::try_from(number).unwrap_or_default();
                let entry = database.change(&self.position_of(stones)?, |entry| {
                    if mask & LABEL != 0 {
                        let label = u8::try_from(label).ok().map(char::from);
                        entry.label = label.filter(char::is_ascii_graphic);
                    }
                    if mask & VALUE != 0 {
                        entry.value = small(value);
                        entry.bound = Bound::Exact;
                    }
                    if mask & DEPTH != 0 {
                        entry.depth = small(depth);
                    }
                })?;
                self.tell_one(&entry)?;
            }
            Order::SetMark { at, text, stones } => {
                let mut position = self.position_of(stones)?;
                let point = self.free_point(&position, *at)?;
                position.play(point);
                database.change(&position, |entry| entry.mark.clone_from(text))?;
            }
            Order::SetText { text, stones } => {
                let position = self.position_of(stones)?;
                database.change(&position, |entry| entry.text.clone_from(text))?;
            }
            Order::Remove(stones) => {
                let position = self.position_of(stones)?;
                database.change(&position, |entry| *entry = Entry::default())?;
            }
            Order::RemoveAll(filter, stones) => {
                let position = self.position_of(stones)?;
                let removed = match filter.as_str() {
                    "" => database.remove_all(&position, |_| true),
                    "w" => database.remove_all(&position, |entry| entry.label == Some('w')),
                    "l" => database.remove_all(&position, |entry| entry.label == Some('l')),
                    "wl" => database.remove_all(&position, is_decided),
                    "nonwl" => database.remove_all(&position, |entry| !is_decided(entry)),
                    _ => return refused(format!("YXDELETEDATABASEALL {filter} is not supported")),
                };
                self.message(&format!("{} positions were removed", removed?))?;
                self.tell_children(database, &position)?;
            }
            Order::Open(_) | Order::Save | Order::Query(..) => (),
        }
        Ok(())
    }

    fn tell_one(&mut self, entry: &Entry) -> io::Result<()> {
        self.message(&format!(
            "DATABASE ONE {} {} {} {}",
            label(entry),
            entry.value,
            entry.depth,
            entry.bound as u8
        ))
    }

    fn tell_children(&mut self, database: &Database, position: &Position) -> Result<(), Trouble> {
        self.message("DATABASE REFRESH")?;
        for (point, entry) in database.children(position)? {
            let Coordinates { x, y } = point.into();
            let line = format!(
                "DATABASE {x} {y} {} {} {} {} {} {}",
                label(&entry),
                entry.value,
                entry.depth,
                entry.bound as u8,
                u8::from(!entry.text.is_empty()),
                entry.mark
            );
            self.message(line.trim_end())?;
        }
        Ok(self.message("DATABASE DONE")?)
    }

    fn tell_text(&mut self, database: &Database, position: &Position) -> Result<(), Trouble> {
        let text = database.get(position)?.unwrap_or_default().text;
        let text = text.replace('\\', "\\\\").replace('"', "\\\"");
        Ok(self.message(&format!("DATABASE TEXT \"{text}\""))?)
    }

    /// The position after these stones.
    fn position_of(&self, stones: &[Coordinates]) -> Result<Position, Trouble> {
        self.expect_game()?;
        let now = self.engine.position();
        let mut position = Position::new(now.rule(), now.size());
        for &at in stones {
            let point = self.free_point(&position, at)?;
            position.play(point);
        }
        Ok(position)
    }

    fn free_point(&self, position: &Position, at: Coordinates) -> Result<Point, Trouble> {
        let point = self.on_board(at)?;
        if position.is_empty(point) {
            Ok(point)
        } else {
            refused(format!("{at} is taken"))
        }
    }
}

/// A label as GUIs read it: the number of its letter.
fn label(entry: &Entry) -> i32 {
    entry.label.map_or(-1, |label| label as i32)
}

fn is_decided(entry: &Entry) -> bool {
    matches!(entry.label, Some('w' | 'l' | 'W' | 'L'))
}
