//! The position database of a GUI: questions, edits, and the messages they are
//! answered with. Without a database there is no answer.

use super::super::message::{Coordinates, Database as Order, Filter, Query, Sweep};
use super::{Session, Trouble, refused};
use crate::database::{Advice, Bound, Checked, Database, DatabaseError, Entry, Fate};
use crate::engine::{Score, Task};
use crate::position::Position;
use crate::rules::{Point, PointSet};
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

pub(super) const READ_ONLY: &str = "the database is read only";

/// The label of a move that is to be made.
const BEST: char = '!';

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
            Order::Check => {
                let Checked { sound, broken } = database.check()?;
                self.message(&format!("{sound} positions, {broken} that make no sense"))?;
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
            Order::Transfer(transfer, path) => self.transfer(database, *transfer, path)?,
            _ if self.read_only => return refused(READ_ONLY),
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
                let position = self.position_of(stones)?;
                let entry = database.change(&position, |entry| {
                    set_parts(entry, mask, label, value, depth);
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
            &Order::SetBest(best, ref stones) => {
                let position = self.position_of(stones)?;
                database.change(&position, |entry| match (best, entry.label) {
                    (true, _) => entry.label = Some(BEST),
                    (false, Some(BEST)) => entry.label = None,
                    (false, _) => (),
                })?;
            }
            Order::Remove(stones) => {
                let position = self.position_of(stones)?;
                database.change(&position, |entry| *entry = Entry::default())?;
            }
            Order::RemoveAll(sweep, stones) => {
                let position = self.position_of(stones)?;
                let removed = database.remove_below(&position, |entry| fate(*sweep, entry))?;
                self.message(&format!("removed {removed} positions"))?;
                self.tell_children(database, &position)?;
            }
            Order::Fix => {
                let Checked { sound, broken } = database.fix()?;
                self.message(&format!("{sound} positions, {broken} removed"))?;
            }
            Order::Open(_)
            | Order::Save
            | Order::Check
            | Order::Query(..)
            | Order::Transfer(..) => (),
        }
        Ok(())
    }

    /// What the database says about this task, where it is asked: never a
    /// point that the engine is told not to play.
    pub(super) fn advice(&mut self, task: Task) -> Advice {
        let nothing = Advice {
            play: None,
            avoid: PointSet::EMPTY,
        };
        let asked = self.use_database && task == Task::Move;
        let Some(database) = self.database.as_ref().filter(|_| asked) else {
            return nothing;
        };
        match database.advice(self.engine.position()) {
            Ok(mut advice) => {
                let excluded = *self.engine.excluded_mut();
                advice.play = advice.play.filter(|(point, _)| !excluded.has(*point));
                advice
            }
            // The move has to come all the same.
            Err(error) => {
                log::warn!("no advice from the database: {error}");
                nothing
            }
        }
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

/// Changes the parts of an entry that the mask names.
fn set_parts(entry: &mut Entry, mask: i64, label: i64, value: i64, depth: i64) {
    let small = |number: i64| i32::try_from(number).unwrap_or_default();
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
}

/// What a sweep does with a position.
fn fate(sweep: Sweep, entry: &Entry) -> Fate {
    let label = entry.label.map(|label| label.to_ascii_lowercase());
    let won_or_lost = matches!(label, Some('w' | 'l'));
    let decided = won_or_lost || label == Some('d');
    let plies = Score::from_units(entry.value).plies();
    let within =
        |most: i64| plies.is_some_and(|plies| i64::try_from(plies).is_ok_and(|n| n <= most));
    let removed = match sweep.filter {
        Filter::All => true,
        Filter::Won => label == Some('w'),
        Filter::Lost => label == Some('l'),
        Filter::WonOrLost => won_or_lost,
        Filter::NotWonOrLost => !won_or_lost,
        Filter::Decided => decided,
        Filter::NotDecided => !decided,
        Filter::WithoutPlies => won_or_lost && plies.is_none(),
        Filter::WithinPlies(most) => won_or_lost && within(most),
    };
    match (removed, sweep.recursive) {
        (true, _) => Fate::Remove,
        (false, true) => Fate::LookBelow,
        (false, false) => Fate::Keep,
    }
}
