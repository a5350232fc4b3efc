//! Merging files of games.

use super::record::{GameReader, RecordError, header};
use crate::rules::Rule;
use std::collections::HashSet;
use std::fs::File;
use std::io::{self, BufReader, BufWriter, Write};
use std::path::{Path, PathBuf};

/// Files of games can't be merged.
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
    /// A game is there twice.
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
    #[error("can't write {}", path.display())]
    Write {
        /// The new file.
        path: PathBuf,
        /// The reason.
        source: io::Error,
    },
}

/// Copies the games of `files`, all of one rule, into a new file and returns their
/// number. A duplicate game is an error, because it would count double.
///
/// # Errors
/// Returns an error if a file is damaged or of another rule, a game is there twice,
/// or the new file exists or can't be written.
pub fn merge(files: &[PathBuf], new: &Path) -> Result<usize, MergeError> {
    let cannot_write = |source| MergeError::Write {
        path: new.to_owned(),
        source,
    };
    let mut output: Option<(Rule, BufWriter<File>)> = None;
    let mut seen = HashSet::new();
    for path in files {
        let cannot_read = |source| MergeError::Read {
            path: path.clone(),
            source,
        };
        let file = File::open(path).map_err(|error| cannot_read(error.into()))?;
        let mut reader = GameReader::new(BufReader::new(file)).map_err(cannot_read)?;
        let rule = reader.rule();
        let (first, output) = match &mut output {
            Some(output) => output,
            none => none.insert((rule, create(new, rule).map_err(cannot_write)?)),
        };
        if rule != *first {
            let (path, first) = (path.clone(), *first);
            return Err(MergeError::Rule { path, rule, first });
        }
        while let Some(game) = reader.next_game().map_err(cannot_read)? {
            if !seen.insert((game.seed, game.number, game.nodes)) {
                return Err(MergeError::Duplicate {
                    path: path.clone(),
                    number: game.number,
                    seed: game.seed,
                });
            }
            output.write_all(&game.to_bytes()).map_err(cannot_write)?;
        }
    }
    if let Some((_, mut output)) = output {
        output.flush().map_err(cannot_write)?;
    }
    Ok(seen.len())
}

/// Creates a file with a header.
fn create(path: &Path, rule: Rule) -> io::Result<BufWriter<File>> {
    let mut file = BufWriter::new(File::create_new(path)?);
    file.write_all(&header(rule))?;
    Ok(file)
}
