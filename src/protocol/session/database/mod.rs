//! The position database of a GUI: queries, edits, and the messages that answer
//! them. Without a database there is no answer.

mod transfer;

use super::{CommandError, Session, refused};
use quincunx_database::{CheckReport, Database, DatabaseError, Entry, SweepAction, ValueBound};
use quincunx_engine::gomocup::{Comment, Coordinates, DatabaseCommand, Filter, Query, Sweep};
use quincunx_engine::position::Position;
use quincunx_engine::rules::Point;
use quincunx_engine::score::Score;
use std::io::{self, Write};
use std::path::Path;
use std::sync::Arc;

impl From<DatabaseError> for CommandError {
    fn from(error: DatabaseError) -> Self {
        CommandError::Refused(format!("the database: {error}"))
    }
}

/// The parts of an entry that an edit changes.
const LABEL: i64 = 1;
const VALUE: i64 = 2;
const DEPTH: i64 = 4;

const READ_ONLY: &str = "the database is read only";

/// The label of the best move.
const BEST: char = '!';

impl<W: Write> Session<W> {
    pub(super) fn obey_database(&mut self, command: &DatabaseCommand) -> Result<(), CommandError> {
        if let DatabaseCommand::Open(path) = command {
            return self.open_database(path);
        }
        match self.database.database.clone() {
            Some(database) => self.work_on(&database, command),
            None => Ok(()),
        }
    }

    /// Opens another database. If that fails, the one that is open stays.
    fn open_database(&mut self, path: &str) -> Result<(), CommandError> {
        self.expect_no_clock()?;
        self.message(&format!("DATABASE LOAD START {path}"))?;
        let path = Path::new(path);
        let is_open = |database: &Arc<Database>| database.is_at(path);
        let opened = match self.database.database.take_if(|database| is_open(database)) {
            // A file can be open only once.
            Some(database) => Ok(database),
            None => Database::open(path).map(Arc::new),
        };
        self.message("DATABASE LOAD DONE")?;
        self.database.database = Some(opened?);
        self.choose_books();
        Ok(())
    }

    fn work_on(
        &mut self,
        database: &Database,
        command: &DatabaseCommand,
    ) -> Result<(), CommandError> {
        match command {
            DatabaseCommand::Open(_) => (),
            // Every change is on the disk already.
            DatabaseCommand::Save => {
                self.message("DATABASE SAVE START")?;
                self.message("DATABASE SAVE DONE")?;
            }
            DatabaseCommand::Check => {
                self.expect_no_clock()?;
                let CheckReport { sound, broken } = database.check()?;
                self.message(&format!("{sound} positions, {broken} that make no sense"))?;
            }
            DatabaseCommand::Query(query, stones) => {
                let position = self.position_of(stones)?;
                match query {
                    Query::Children => self.send_children(database, &position)?,
                    Query::ChildrenAndText => {
                        self.send_children(database, &position)?;
                        self.send_comment(database, &position)?;
                    }
                    Query::One => self.send_entry(&database.get(&position)?.unwrap_or_default())?,
                    Query::Text => self.send_comment(database, &position)?,
                }
            }
            DatabaseCommand::Transfer(transfer, path) => {
                self.transfer(database, *transfer, path)?
            }
            _ if self.database.is_read_only => return refused(READ_ONLY),
            _ => self.edit(database, command)?,
        }
        Ok(())
    }

    fn edit(&mut self, database: &Database, command: &DatabaseCommand) -> Result<(), CommandError> {
        match command {
            &DatabaseCommand::SetValue {
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
                self.send_entry(&entry)?;
            }
            DatabaseCommand::SetMark(mark, stones) => {
                let mut position = self.position_of(stones)?;
                let point = self.free_point(&position, mark.at)?;
                position.play(point);
                database.change(&position, |entry| entry.mark.clone_from(&mark.text))?;
            }
            DatabaseCommand::SetText(Comment(text), stones) => {
                let position = self.position_of(stones)?;
                database.change(&position, |entry| entry.text.clone_from(text))?;
            }
            &DatabaseCommand::SetBest(best, ref stones) => {
                let position = self.position_of(stones)?;
                database.change(&position, |entry| match (best, entry.label) {
                    (true, _) => entry.label = Some(BEST),
                    (false, Some(BEST)) => entry.label = None,
                    (false, _) => (),
                })?;
            }
            DatabaseCommand::Remove(stones) => {
                let position = self.position_of(stones)?;
                database.change(&position, |entry| *entry = Entry::default())?;
            }
            DatabaseCommand::RemoveAll(sweep, stones) => {
                self.expect_no_clock()?;
                let position = self.position_of(stones)?;
                let removed = database.remove_below(&position, |entry| visit(*sweep, entry))?;
                self.message(&format!("removed {removed} positions"))?;
                self.send_children(database, &position)?;
            }
            DatabaseCommand::Fix => {
                self.expect_no_clock()?;
                let CheckReport { sound, broken } = database.fix()?;
                self.message(&format!("{sound} positions, {broken} removed"))?;
            }
            DatabaseCommand::Open(_)
            | DatabaseCommand::Save
            | DatabaseCommand::Check
            | DatabaseCommand::Query(..)
            | DatabaseCommand::Transfer(..) => (),
        }
        Ok(())
    }

    fn send_entry(&mut self, entry: &Entry) -> io::Result<()> {
        self.message(&format!(
            "DATABASE ONE {} {} {} {}",
            label(entry),
            entry.value,
            entry.depth,
            entry.bound as u8
        ))
    }

    fn send_children(
        &mut self,
        database: &Database,
        position: &Position,
    ) -> Result<(), CommandError> {
        self.message("DATABASE REFRESH")?;
        for (point, entry) in database.children(position)? {
            let Coordinates { x, y } = Coordinates::of(point, position.size());
            let line = format!(
                "DATABASE {x} {y} {} {} {} {} {} {}",
                label(&entry),
                entry.value,
                entry.depth,
                entry.bound as u8,
                u8::from(!entry.text.is_empty()),
                entry.mark.replace('\n', " ")
            );
            self.output.send_held(line.trim_end())?;
        }
        Ok(self.message("DATABASE DONE")?)
    }

    fn send_comment(
        &mut self,
        database: &Database,
        position: &Position,
    ) -> Result<(), CommandError> {
        let text = database.get(position)?.unwrap_or_default().text;
        let text = text.replace('\\', "\\\\").replace('"', "\\\"");
        let text = format!("DATABASE TEXT \"{text}\"");
        Ok(self.output.send_held(&text)?)
    }

    /// The position after these stones.
    fn position_of(&self, stones: &[Coordinates]) -> Result<Position, CommandError> {
        self.expect_game()?;
        let now = self.engine.position();
        let mut position = Position::new(now.rule(), now.size());
        for &at in stones {
            let point = self.free_point(&position, at)?;
            position.play(point);
        }
        Ok(position)
    }

    fn free_point(&self, position: &Position, at: Coordinates) -> Result<Point, CommandError> {
        let point = self.on_board(at)?;
        if position.is_empty(point) {
            Ok(point)
        } else {
            refused(format!("{at} is taken"))
        }
    }
}

/// A label as GUIs read it: the code of its letter, or -1.
fn label(entry: &Entry) -> i32 {
    entry.label.map_or(-1, |label| label as i32)
}

/// Changes the parts of an entry that the mask names.
fn set_parts(entry: &mut Entry, mask: i64, label: i64, value: i64, depth: i64) {
    let small = |number: i64| number.clamp(i32::MIN.into(), i32::MAX.into()) as i32;
    if mask & LABEL != 0 {
        let label = u8::try_from(label).ok().map(char::from);
        entry.label = label.filter(char::is_ascii_graphic);
    }
    if mask & VALUE != 0 {
        entry.value = small(value);
        entry.bound = ValueBound::Exact;
    }
    if mask & DEPTH != 0 {
        entry.depth = small(depth);
    }
}

/// The effect of a removal on a position.
fn visit(sweep: Sweep, entry: &Entry) -> SweepAction {
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
        (true, _) => SweepAction::Remove,
        (false, true) => SweepAction::Descend,
        (false, false) => SweepAction::Skip,
    }
}
