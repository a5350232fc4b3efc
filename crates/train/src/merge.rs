//! Merging files of games.

use super::record::{GameReader, RecordError, header};
use quincunx_engine::rules::Rule;
use quincunx_files::{self as files, WriteError};
use std::collections::HashSet;
use std::fs::File;
use std::io::{self, BufReader, Write};
use std::path::{Path, PathBuf};

/// Why files of games can't be merged.
#[derive(Debug, thiserror::Error)]
pub enum MergeError {
    /// A file can't be read.
    #[error("can't merge {}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// The reason.
        source: RecordError,
    },
    /// A file has games of another rule than the first.
    #[error("can't merge {}: its games are of {rule}, not {first}", path.display())]
    Rule {
        /// The file.
        path: PathBuf,
        /// The rule of its games.
        rule: Rule,
        /// The rule of the first file.
        first: Rule,
    },
    /// A game occurs twice.
    #[error("can't merge {}: game {number} of seed {seed} came before", path.display())]
    Duplicate {
        /// The file with the second copy.
        path: PathBuf,
        /// The number of the game in its run.
        number: u32,
        /// The seed of the run.
        seed: u64,
    },
    /// The new file can't be written.
    #[error(transparent)]
    Write(#[from] WriteError),
}

/// Why copying stopped: an error of a file that is read, or of the new file.
enum CopyError {
    Input(MergeError),
    Output(io::Error),
}

impl From<io::Error> for CopyError {
    fn from(error: io::Error) -> Self {
        CopyError::Output(error)
    }
}

impl From<MergeError> for CopyError {
    fn from(error: MergeError) -> Self {
        CopyError::Input(error)
    }
}

/// Copies the games of `files`, all of one rule, into a new file and returns their
/// number. A duplicate game is an error, because it would count double. Games of the same
/// seed and number by other settings or programs are other games.
///
/// # Errors
/// Returns an error if a file is damaged or of another rule, a game is there twice,
/// or the new file exists or can't be written. There is no new file then.
pub fn merge(files: &[PathBuf], new: &Path) -> Result<usize, MergeError> {
    if new.exists() {
        let there = "it exists already: choose another name";
        let source = io::Error::new(io::ErrorKind::AlreadyExists, there);
        return Err(WriteError::new(new, source).into());
    }
    files::remove_drafts(new);
    files::replace_with(new, |draft| copy(files, draft)).map_err(|error| match error {
        CopyError::Input(error) => error,
        CopyError::Output(source) => WriteError::new(new, source).into(),
    })
}

fn copy(files: &[PathBuf], output: &mut dyn Write) -> Result<usize, CopyError> {
    let mut first = None;
    let mut seen = HashSet::new();
    for path in files {
        let cannot_read = |source| MergeError::Read {
            path: path.clone(),
            source,
        };
        let file = File::open(path).map_err(|error| cannot_read(error.into()))?;
        let mut reader = GameReader::new(BufReader::new(file)).map_err(cannot_read)?;
        let rule = reader.rule();
        if first.is_none() {
            output.write_all(&header(rule))?;
        }
        let first = *first.get_or_insert(rule);
        if rule != first {
            let path = path.clone();
            return Err(MergeError::Rule { path, rule, first }.into());
        }
        while let Some(game) = reader.next_game().map_err(cannot_read)? {
            let bytes = game.to_bytes();
            if !seen.insert((game.seed, game.number, crc32fast::hash(&bytes))) {
                let duplicate = MergeError::Duplicate {
                    path: path.clone(),
                    number: game.number,
                    seed: game.seed,
                };
                return Err(duplicate.into());
            }
            output.write_all(&bytes)?;
        }
    }
    Ok(seen.len())
}
