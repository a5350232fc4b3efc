//! The answers of a program that is built without databases to a GUI that asks for one.

use super::{CommandError, Session, refused};
use quincunx_engine::gomocup::DatabaseCommand;
use std::io::Write;

impl<W: Write> Session<W> {
    /// Refuses to open a database. Without one, nothing else has an answer.
    pub(super) fn obey_database(&mut self, command: &DatabaseCommand) -> Result<(), CommandError> {
        match command {
            DatabaseCommand::Open(_) => refused("this program is built without databases"),
            _ => Ok(()),
        }
    }
}
