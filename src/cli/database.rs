//! Arguments of the position database.

use super::exit::{self, ensure_usage, usage};
use super::files::Files;
use super::inputs::{is_standard_input, read_file};
use super::options::{Force, rule};
use super::runs::{INTERRUPTED, exit_on_interrupt, on_interrupt, progress};
use anyhow::{Context, Result, ensure};
use clap::{Args, Subcommand, ValueEnum};
use quincunx_database::{
    Database as Store, DatabaseError, Destination, FileFormat, ImportProgress, ImportStep,
    ImportWatch, TransferCount, is_text,
};
use quincunx_engine::rules::{BoardSize, Rule};
use quincunx_records::{Encoding, renlib, text};
use std::fs::File;
use std::io::{self, Read, Write};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// The bytes at the start of a file that tell its format.
const START: u64 = 200;

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
    /// The file that import reads, or that export writes; - is standard input or output
    file: PathBuf,
    /// The format of the file [default: import recognises it, export writes a library to a name in
    /// .lib, a database to one in .db, and text to any other]
    #[arg(long, value_enum)]
    format: Option<Format>,
    /// The rule of a RenLib library [default: import takes freestyle, export the rule of all
    /// positions]
    #[arg(long, value_parser = rule(), ignore_case = true)]
    rule: Option<Rule>,
    /// The board of a RenLib library: 15, or 13x15 [default: import takes 15, export the board of
    /// all positions]
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
    #[command(flatten)]
    force: Force,
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

impl Transfer {
    /// The only rule and board of the positions in a database that the arguments allow.
    fn board(&self, source: &Store) -> Result<(Rule, BoardSize)> {
        let boards = source.boards()?;
        let is_meant = |(rule, size, _): &&(Rule, BoardSize, u64)| {
            self.rule.is_none_or(|own| own == *rule) && self.size.is_none_or(|own| own == *size)
        };
        let meant: Vec<_> = boards.iter().filter(is_meant).collect();
        if let [(rule, size, _)] = meant[..] {
            return Ok((*rule, *size));
        }
        let list = |boards: &mut dyn Iterator<Item = &(Rule, BoardSize, u64)>| {
            let names = boards.map(|(rule, size, count)| {
                let noun = if *count == 1 { "position" } else { "positions" };
                format!("{rule} on {size} ({count} {noun})")
            });
            names.collect::<Vec<String>>().join(", ")
        };
        ensure!(!boards.is_empty(), "the database has no positions");
        ensure!(
            !meant.is_empty(),
            "the database has no positions of this rule and board, only {}",
            list(&mut boards.iter())
        );
        Err(usage(format!(
            "a library has positions of one rule and board, the database those of {}: choose by \
             --rule and --size",
            list(&mut meant.into_iter())
        )))
    }
}

impl Import {
    /// Reads the file into the database, whole or not at all. Returns the exit code.
    fn run(&self, output: &mut dyn Write) -> Result<u8> {
        let file = &self.transfer.file;
        let typed = is_standard_input(file).then(|| read_file(file));
        let typed = typed.transpose()?;
        let format = match (self.transfer.format, &typed) {
            (Some(format), _) => format,
            (None, Some(bytes)) => format_of(bytes, file),
            (None, None) => {
                let context = || format!("can't read {}", file.display());
                format_of(&start(file).with_context(context)?, file)
            }
        };
        let stopped = Arc::<AtomicBool>::default();
        let on_signal = Arc::clone(&stopped);
        on_interrupt(move || {
            // A large database takes long to open. A second signal is not kept waiting, and
            // what it leaves the next import removes.
            if on_signal.swap(true, Ordering::Relaxed) {
                print_interruption("the file was taken over whole or not at all");
                std::process::exit(INTERRUPTED.into());
            }
        })?;
        let line = progress();
        let done = self.take_over(format, typed.as_deref(), &mut |progress| {
            line.show(|| state(progress));
            match stopped.load(Ordering::Relaxed) {
                false => ControlFlow::Continue(()),
                true => ControlFlow::Break(()),
            }
        });
        line.clear();
        match done {
            Err(error) if matches!(error.downcast_ref(), Some(DatabaseError::Stopped)) => {
                print_interruption("nothing has changed");
                Ok(INTERRUPTED)
            }
            done => {
                writeln!(output, "read {}", done?)?;
                Ok(exit::DONE)
            }
        }
    }

    /// Reads the file, or what was typed. A new database appears once it is whole.
    fn take_over(
        &self,
        format: Format,
        typed: Option<&[u8]>,
        watch: ImportWatch<'_>,
    ) -> Result<TransferCount> {
        let Transfer { database, file, .. } = &self.transfer;
        let cannot_write = || format!("can't write {}", database.display());
        let format = self.transfer.format(format, self.encoding)?;
        let destination = Destination::open(database).with_context(|| cannot_open(database))?;
        let done = match typed {
            Some(bytes) => destination
                .database()
                .import_bytes(format, bytes, None, watch),
            None => destination.database().import(format, file, watch),
        };
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
fn print_interruption(done: &str) {
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
        let form = self.transfer.format.unwrap_or_else(|| format_named(file));
        let mut format = self.transfer.format(form, None)?;
        let context = || format!("can't write {}", file.display());
        exit_on_interrupt("the same command begins anew")?;
        let source = open_to_read(database)?;
        if form == Format::Lib {
            let (rule, size) = self.transfer.board(&source)?;
            format = FileFormat::Library(rule, size, None);
        }
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
            Files::default().replace([file], self.force.force).check()?;
        }
        let done = source.export(format, file).with_context(context)?;
        writeln!(output, "wrote {done}")?;
        Ok(())
    }
}

/// The first bytes of a file, which tell its format.
fn start(path: &Path) -> io::Result<Vec<u8>> {
    // A pipe that nothing writes to would be waited for without end.
    quincunx_files::expect_plain(path)?;
    let mut start = Vec::new();
    File::open(path)?.take(START).read_to_end(&mut start)?;
    Ok(start)
}

/// The format of a file by its first bytes, and by its name where they do not tell.
fn format_of(start: &[u8], path: &Path) -> Format {
    let start = &start[..start.len().min(START as usize)];
    if renlib::is_library(start) {
        Format::Lib
    } else if start.starts_with(b"SQLite format 3\0") || start.starts_with(b"redb") {
        Format::Db
    } else if is_text(start) {
        Format::Text
    } else {
        // Its reader says what is wrong.
        match format_named(path) {
            Format::Lib => Format::Lib,
            _ => Format::Text,
        }
    }
}

/// The format that the name of a file tells.
fn format_named(path: &Path) -> Format {
    let extension = path.extension().unwrap_or_default();
    if extension.eq_ignore_ascii_case("lib") {
        Format::Lib
    } else if extension.eq_ignore_ascii_case("db") {
        Format::Db
    } else {
        Format::Text
    }
}

fn cannot_open(path: &Path) -> String {
    format!("can't open {}", path.display())
}

/// Opens an existing database, which stays as it is.
fn open_to_read(path: &Path) -> Result<Store> {
    ensure!(path.exists(), "there is no database {}", path.display());
    Store::open_to_read(path).with_context(|| cannot_open(path))
}
