//! Arguments of the position database.

use super::exit::{self, ensure_usage};
use super::output::ensure_free;
use super::progress::ProgressLine;
use super::signals::{on_interrupt, on_interruption};
use crate::cli::rules::rule;
use anyhow::{Context, Result, ensure};
use clap::{Args, Subcommand, ValueEnum};
use quincunx_database::{
    Database as Store, DatabaseError, Destination, FileFormat, ImportProgress, ImportStep,
    ImportWatch, TransferCount,
};
use quincunx_engine::rules::{BoardSize, Rule};
use quincunx_records::{Encoding, renlib, text};
use std::fs::File;
use std::io::{self, Read, Write};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// The arguments of `quincunx database`.
#[derive(Args)]
pub(crate) struct Database {
    #[command(subcommand)]
    action: Action,
}

#[derive(Subcommand)]
enum Action {
    /// Add the positions of a file to a database
    #[command(
        after_long_help = "Example: quincunx database import book.db openings.lib --rule renju"
    )]
    Import(Import),
    /// Write the positions of a database to a file; - is standard output
    #[command(after_long_help = "Example: quincunx database export book.db - > positions.txt")]
    Export(Export),
    /// Print what is known of a position and of those after each move
    #[command(after_long_help = "Example: quincunx database query book.db \"15 renju h8i9g10\"")]
    Query {
        /// The database
        database: PathBuf,
        /// Board, rule and moves, such as "15 renju h8i9g10"
        position: String,
    },
}

#[derive(Args)]
struct Transfer {
    /// The database; import creates it if it does not exist
    database: PathBuf,
    /// The file that import reads, or that export writes; export takes - for standard output
    file: PathBuf,
    /// The format of the file [default: import recognises it, export writes text]
    #[arg(long, value_enum)]
    format: Option<Format>,
    /// The rule of a RenLib library [default: freestyle]
    #[arg(long, value_parser = rule(), ignore_case = true)]
    rule: Option<Rule>,
    /// The board of a RenLib library: 15, or 13x15 [default: 15]
    #[arg(long)]
    size: Option<BoardSize>,
}

#[derive(Args)]
struct Import {
    #[command(flatten)]
    transfer: Transfer,
    /// The encoding of the comments of a RenLib library, such as GBK or Shift_JIS
    #[arg(long, value_name = "NAME")]
    encoding: Option<Encoding>,
}

#[derive(Args)]
struct Export {
    #[command(flatten)]
    transfer: Transfer,
    /// Overwrite the file if it exists. Another database keeps its other positions, and
    /// needs no such permission
    #[arg(long)]
    force: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// One position per line: board, rule, moves, and what is known as JSON
    Text,
    /// A RenLib library: positions of one rule and board
    Lib,
    /// Another database
    Db,
}

impl Database {
    /// Does what the arguments say and returns the exit code.
    pub(crate) fn run(&self, output: &mut dyn Write) -> Result<u8> {
        match &self.action {
            Action::Import(import) => return import.run(output),
            Action::Export(export) => export.run(output)?,
            Action::Query { database, position } => {
                let position = text::line(position)?;
                let database = open_to_read(database)?;
                if let Some(known) = database.get(&position)? {
                    writeln!(output, "{}", serde_json::to_string(&known)?)?;
                }
                for (point, known) in database.children(&position)? {
                    writeln!(output, "{point} {}", serde_json::to_string(&known)?)?;
                }
            }
        }
        Ok(exit::DONE)
    }
}

impl Transfer {
    /// The format with what the arguments say of it. Others than libraries have positions of
    /// every rule and board.
    fn format(&self, format: Format, encoding: Option<Encoding>) -> Result<FileFormat> {
        let is_plain = self.rule.is_none() && self.size.is_none() && encoding.is_none();
        ensure_usage!(
            is_plain || format == Format::Lib,
            "--rule, --size and --encoding are for RenLib libraries"
        );
        let (rule, size) = (self.rule.unwrap_or_default(), self.size.unwrap_or_default());
        Ok(match format {
            Format::Text => FileFormat::Text(None),
            Format::Lib => FileFormat::Library(rule, size, encoding),
            Format::Db => FileFormat::Database,
        })
    }
}

impl Import {
    /// Reads the file into the database, whole or not at all. Returns the exit code.
    fn run(&self, output: &mut dyn Write) -> Result<u8> {
        let file = &self.transfer.file;
        let format = match self.transfer.format {
            Some(format) => format,
            None => {
                let context = || format!("can't read {}", file.display());
                format_of(file).with_context(context)?
            }
        };
        let stopped = Arc::<AtomicBool>::default();
        let on_signal = Arc::clone(&stopped);
        on_interrupt(move || {
            // A large database takes long to open. A second signal is not kept waiting, and
            // what it leaves the next import removes.
            if on_signal.swap(true, Ordering::Relaxed) {
                tell_interruption("the file was taken over whole or not at all");
                std::process::exit(exit::INTERRUPTED.into());
            }
        })?;
        let line = ProgressLine::new();
        let done = self.take_over(format, &mut |progress| {
            line.show(|| state(progress));
            match stopped.load(Ordering::Relaxed) {
                false => ControlFlow::Continue(()),
                true => ControlFlow::Break(()),
            }
        });
        line.clear();
        match done {
            Err(error) if matches!(error.downcast_ref(), Some(DatabaseError::Stopped)) => {
                tell_interruption("nothing has changed");
                Ok(exit::INTERRUPTED)
            }
            done => {
                writeln!(output, "read {}", done?)?;
                Ok(exit::DONE)
            }
        }
    }

    /// Reads the file. A new database appears once it is whole.
    fn take_over(&self, format: Format, watch: ImportWatch<'_>) -> Result<TransferCount> {
        let Transfer { database, file, .. } = &self.transfer;
        let cannot_write = || format!("can't write {}", database.display());
        let format = self.transfer.format(format, self.encoding)?;
        let destination = Destination::open(database).with_context(|| cannot_open(database))?;
        let done = destination.database().import(format, file, watch);
        let done = done.map_err(|error| {
            let context = match &error {
                DatabaseError::Store(_) => cannot_write(),
                _ => format!("can't read {}", file.display()),
            };
            anyhow::Error::from(error).context(context)
        })?;
        destination.keep().with_context(cannot_write)?;
        Ok(done)
    }
}

/// Describes what an interrupted import has done.
fn tell_interruption(done: &str) {
    // A reader that has gone away misses nothing.
    let _ = writeln!(
        io::stderr(),
        "interrupted: {done}; the same command starts over"
    );
}

/// The progress of an import.
fn state(progress: ImportProgress) -> String {
    let ImportProgress { step, done, total } = progress;
    match step {
        ImportStep::Read => format!("read {done} of {total}"),
        ImportStep::Write => format!("wrote {done} of {total} positions"),
    }
}

impl Export {
    fn run(&self, output: &mut dyn Write) -> Result<()> {
        let Transfer { database, file, .. } = &self.transfer;
        let form = self.transfer.format.unwrap_or(Format::Text);
        let format = self.transfer.format(form, None)?;
        let context = || format!("can't write {}", file.display());
        on_interruption("the same command begins anew")?;
        let source = open_to_read(database)?;
        if file == Path::new("-") {
            let done = source.export_to(format, output);
            let done = done.map_err(|error| match error {
                // The caller knows what to do about a closed pipe.
                DatabaseError::File(error) => error.into(),
                error => anyhow::Error::from(error).context(context()),
            })?;
            writeln!(io::stderr(), "wrote {done}")?;
            return Ok(());
        }
        ensure_usage!(
            !source.is_at(file),
            "{} is the database itself",
            file.display()
        );
        if form != Format::Db {
            ensure_free(file, self.force)?;
        }
        let done = source.export(format, file).with_context(context)?;
        writeln!(output, "wrote {done}")?;
        Ok(())
    }
}

/// The format of a file by its first bytes.
fn format_of(path: &Path) -> io::Result<Format> {
    // A pipe that nothing writes to would be waited for without end.
    quincunx_files::expect_plain(path)?;
    let mut start = Vec::new();
    File::open(path)?.take(8).read_to_end(&mut start)?;
    let is_named = path
        .extension()
        .is_some_and(|it| it.eq_ignore_ascii_case("lib"));
    Ok(if renlib::is_library(&start) || is_named {
        Format::Lib
    } else if start.starts_with(b"redb") {
        Format::Db
    } else {
        Format::Text
    })
}

fn cannot_open(path: &Path) -> String {
    format!("can't open {}", path.display())
}

/// Opens an existing database, which stays as it is.
fn open_to_read(path: &Path) -> Result<Store> {
    ensure!(path.exists(), "there is no database {}", path.display());
    Store::open_to_read(path).with_context(|| cannot_open(path))
}
