//! Arguments of the position database.

use anyhow::{Context, Result};
use clap::{Args, Subcommand, ValueEnum};
use quincunx::database::{Database as Store, DatabaseError, FileFormat as Contents, TransferCount};
use quincunx::position::Position;
use quincunx::rules::{BoardSize, Rule};
use std::io::Write;
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
    /// Write positions to a file
    Export(Transfer),
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
    /// The database; a new one if there is none
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

#[derive(Clone, Copy, ValueEnum)]
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
            Action::Import(transfer) => transfer.run(Store::import, "read", output),
            Action::Export(transfer) => transfer.run(Store::export, "wrote", output),
            Action::Query { database, position } => {
                let position = Position::from_line(position)?;
                let database = open(database)?;
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

/// Reading or writing.
type Work = fn(&Store, Contents, &Path) -> Result<TransferCount, DatabaseError>;

impl Transfer {
    fn run(&self, work: Work, said: &str, output: &mut dyn Write) -> Result<()> {
        let format = match self.format {
            Format::Text => Contents::Text(None),
            Format::Lib => Contents::Library(self.rule, self.size),
            Format::Db => Contents::Database,
        };
        let done = work(&open(&self.database)?, format, &self.file)
            .with_context(|| self.file.display().to_string())?;
        let (positions, left_out) = (done.positions, done.left_out);
        writeln!(output, "{said} {positions} positions, {left_out} left out")?;
        Ok(())
    }
}

fn open(path: &Path) -> Result<Store> {
    Store::open(path).with_context(|| format!("can't open {}", path.display()))
}
