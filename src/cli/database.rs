//! Arguments of the position database.

use super::exit::{ensure_usage, on_interruption};
use super::output::ensure_free;
use anyhow::{Context, Result, ensure};
use clap::{Args, Subcommand, ValueEnum};
use quincunx_database::{Database as Store, DatabaseError, FileFormat, TransferCount};
use quincunx_engine::position::Position;
use quincunx_engine::rules::{BoardSize, Rule};
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// What to do with a database.
#[derive(Args)]
pub(crate) struct Database {
    #[command(subcommand)]
    action: Action,
}

#[derive(Subcommand)]
enum Action {
    /// Take over the positions of a file; other positions stay
    Import(Transfer),
    /// Write positions to a file; - is standard output
    Export(Export),
    /// Print what is known of a position and of those one move later
    Query {
        /// The database
        database: PathBuf,
        /// Board, rule and moves, such as "15 renju h8i9g10"
        position: String,
    },
}

#[derive(Args)]
struct Transfer {
    /// The database; an import makes a new one if there is none
    database: PathBuf,
    /// The other file
    file: PathBuf,
    /// How positions stand in it
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
    /// The rule of a library: freestyle, standard, renju, caro or caro-overline
    #[arg(long, default_value_t)]
    rule: Rule,
    /// The board of a library: 15, or 13x15
    #[arg(long, default_value_t)]
    size: BoardSize,
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
    /// A position a line: board, rule, moves, and what is known as JSON
    Text,
    /// A RenLib library: positions of one rule and board
    Lib,
    /// Another database
    Db,
}

impl Database {
    pub(crate) fn run(&self, output: &mut dyn Write) -> Result<()> {
        match &self.action {
            Action::Import(transfer) => transfer.import(output),
            Action::Export(export) => export.run(output),
            Action::Query { database, position } => {
                let position = Position::from_line(position)?;
                let database = open_existing(database)?;
                if let Some(known) = database.get(&position)? {
                    writeln!(output, "{}", serde_json::to_string(&known)?)?;
                }
                for (point, known) in database.children(&position)? {
                    writeln!(output, "{point} {}", serde_json::to_string(&known)?)?;
                }
                Ok(())
            }
        }
    }
}

impl Transfer {
    fn format(&self) -> FileFormat {
        match self.format {
            Format::Text => FileFormat::Text(None),
            Format::Lib => FileFormat::Library(self.rule, self.size),
            Format::Db => FileFormat::Database,
        }
    }

    /// Reads the file into the database. A new database that nothing came into
    /// is taken away again.
    fn import(&self, output: &mut dyn Write) -> Result<()> {
        let is_new = !self.database.exists();
        on_interruption("the file was taken over whole or not at all")?;
        let database = open(&self.database)?;
        let done = database.import(self.format(), &self.file);
        drop(database);
        if is_new && done.is_err() {
            // What counts is why nothing came into it.
            let _ = fs::remove_file(&self.database);
        }
        let done = done.map_err(|error| {
            let context = match &error {
                DatabaseError::Store(_) => format!("can't write {}", self.database.display()),
                _ => format!("can't read {}", self.file.display()),
            };
            anyhow::Error::from(error).context(context)
        });
        tell("read", done?, output)
    }
}

impl Export {
    fn run(&self, output: &mut dyn Write) -> Result<()> {
        let Transfer { database, file, .. } = &self.transfer;
        let format = self.transfer.format();
        let context = || format!("can't write {}", file.display());
        let source = open_existing(database)?;
        if file == Path::new("-") {
            let done = source.export_to(format, output);
            return tell("wrote", done.with_context(context)?, &mut io::stderr());
        }
        ensure_usage!(
            !source.is_at(file),
            "{} is the database itself",
            file.display()
        );
        if self.transfer.format != Format::Db {
            ensure_free(file, self.force)?;
        }
        let done = source.export(format, file);
        tell("wrote", done.with_context(context)?, output)
    }
}

fn tell(said: &str, done: TransferCount, output: &mut dyn Write) -> Result<()> {
    let (positions, left_out) = (done.positions, done.left_out);
    writeln!(output, "{said} {positions} positions, {left_out} left out")?;
    Ok(())
}

fn open(path: &Path) -> Result<Store> {
    Store::open(path).with_context(|| format!("can't open {}", path.display()))
}

/// Opens a database that must be there: a mistyped name makes no new one.
fn open_existing(path: &Path) -> Result<Store> {
    ensure!(path.exists(), "there is no database {}", path.display());
    open(path)
}
