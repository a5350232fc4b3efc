//! Positions to and from files, on a GUI's command.

use super::super::{CommandError, Session, refused};
use super::READ_ONLY;
use quincunx_database::{Database, DatabaseError, FileFormat};
use quincunx_engine::gomocup::Transfer;
use std::io::Write;
use std::ops::ControlFlow;
use std::path::Path;

impl<W: Write> Session<W> {
    /// Reads positions from a file, or writes them to it, and says how many.
    pub(super) fn transfer(
        &mut self,
        database: &Database,
        transfer: Transfer,
        path: &str,
    ) -> Result<(), CommandError> {
        let reads = matches!(
            transfer,
            Transfer::FromLibrary | Transfer::FromText | Transfer::FromDatabase
        );
        if reads && self.database.is_read_only {
            return refused(READ_ONLY);
        }
        let position = self.engine.position();
        let (rule, size) = (position.rule(), position.size());
        let format = match transfer {
            Transfer::FromLibrary | Transfer::ToLibrary => FileFormat::Library(rule, size, None),
            Transfer::ToText => FileFormat::Text(Some((rule, size))),
            Transfer::FromText | Transfer::AllToText => FileFormat::Text(None),
            Transfer::FromDatabase | Transfer::BelowToDatabase => FileFormat::Database,
        };
        let everywhere = matches!(
            transfer,
            Transfer::FromText | Transfer::AllToText | Transfer::FromDatabase
        );
        if !everywhere {
            self.expect_game()?;
        }
        self.expect_no_clock()?;
        let file = Path::new(path);
        let mut go_on = |_| ControlFlow::Continue(());
        // A pipe or a device could keep the session waiting forever.
        if file.exists() && !file.is_file() {
            return refused(format!("{path}: there is no plain file with this name"));
        }
        let (done, verb) = match transfer {
            Transfer::BelowToDatabase => (database.export_below(position, file), "wrote"),
            _ if reads => (database.import(format, file, &mut go_on), "read"),
            _ => {
                let own = format.expect_own(file).map_err(DatabaseError::from);
                (own.and_then(|()| database.export(format, file)), "wrote")
            }
        };
        match done {
            Ok(done) => Ok(self.message(&format!("{verb} {done}: {path}"))?),
            Err(error) => refused(format!("{path}: {error}")),
        }
    }
}
