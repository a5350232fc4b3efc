//! Positions to and from files, on a GUI's command.

use super::super::message::Transfer;
use super::database::READ_ONLY;
use super::{Session, Trouble, refused};
use crate::database::{Database, Format};
use std::io::Write;
use std::path::Path;

impl<W: Write> Session<W> {
    /// Reads positions from a file, or writes them to it, and says how many.
    pub(super) fn transfer(
        &mut self,
        database: &Database,
        transfer: Transfer,
        path: &str,
    ) -> Result<(), Trouble> {
        let reads = matches!(
            transfer,
            Transfer::FromLibrary | Transfer::FromText | Transfer::FromDatabase
        );
        if reads && self.read_only {
            return refused(READ_ONLY);
        }
        let position = self.engine.position();
        let (rule, size) = (position.rule(), position.size());
        let format = match transfer {
            Transfer::FromLibrary | Transfer::ToLibrary => Format::Library(rule, size),
            Transfer::ToText => Format::Text(Some((rule, size))),
            Transfer::FromText | Transfer::AllToText => Format::Text(None),
            Transfer::FromDatabase | Transfer::BelowToDatabase => Format::Database,
        };
        let everywhere = matches!(
            transfer,
            Transfer::FromText | Transfer::AllToText | Transfer::FromDatabase
        );
        if !everywhere {
            self.expect_game()?;
        }
        let file = Path::new(path);
        let (done, said) = match transfer {
            Transfer::BelowToDatabase => (database.export_below(position, file), "wrote"),
            _ if reads => (database.import(format, file), "read"),
            _ => (database.export(format, file), "wrote"),
        };
        match done {
            Ok(done) => Ok(self.message(&format!(
                "{said} {} positions, {} left out: {path}",
                done.positions, done.left_out
            ))?),
            Err(error) => refused(format!("{path}: {error}")),
        }
    }
}
