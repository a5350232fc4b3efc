//! The origin of weights: a file that `fit` and `train` write beside them, so that the weights
//! in the program can be reproduced.
//!
//! It is TOML: the CRC-32 of the weights, the commit of the program, its command, and a table
//! with the CRC-32 of each source file.

use crate::fit::{FitError, checksums};
use std::path::PathBuf;

/// The extension of the file, after the whole name of the weights.
pub const EXTENSION: &str = "origin";

/// Returns the text of the file for `weights` that `command` has made with a program of this
/// `version`, of `sources`: files by what they are.
///
/// # Errors
/// When a file can't be read any more.
pub fn text(
    weights: &[u8],
    version: &str,
    command: &str,
    sources: &[(&str, &[PathBuf])],
) -> Result<String, FitError> {
    let mut text = format!(
        "crc32 = \"{}\"\nprogram = {version:?}\ncommand = {command:?}\n",
        checksum(weights)
    );
    for (kind, files) in sources {
        for (path, sum) in files.iter().zip(checksums(files)?) {
            let name = path.file_name().unwrap_or(path.as_os_str());
            let name = name.to_string_lossy();
            text += &format!("\n[[{kind}]]\nfile = {name:?}\ncrc32 = \"{sum:08x}\"\n");
        }
    }
    Ok(text)
}

/// Whether the text of such a file is about these weights.
pub fn is_of(text: &str, weights: &[u8]) -> bool {
    let line = format!("crc32 = \"{}\"", checksum(weights));
    text.lines().next() == Some(&line)
}

fn checksum(weights: &[u8]) -> String {
    format!("{:08x}", crc32fast::hash(weights))
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::beside;
    use std::fs;
    use std::path::Path;

    #[test]
    fn a_file_knows_its_weights_and_games() {
        let folder = tempfile::tempdir().unwrap();
        let games = folder.path().join("a \"b\".qx");
        fs::write(&games, "123456789").unwrap();
        let sources: [(&str, &[PathBuf]); 2] = [("labels", &[]), ("games", &[games])];
        let text = text(b"weights", "0.1.0", "train --out \"x y\"", &sources).unwrap();
        assert!(is_of(&text, b"weights") && !is_of(&text, b"others"));
        assert!(text.ends_with("[[games]]\nfile = \"a \\\"b\\\".qx\"\ncrc32 = \"cbf43926\"\n"));
    }

    /// New weights of the program come with the file that says where they come from.
    #[test]
    fn the_weights_of_the_program_have_an_origin() {
        let eval = Path::new(env!("CARGO_MANIFEST_DIR")).join("../engine/src/eval");
        let mut found = 0;
        for folder in ["classical/learned", "line/learned"] {
            for entry in fs::read_dir(eval.join(folder)).unwrap() {
                let path = entry.unwrap().path();
                if path.extension().unwrap() != EXTENSION {
                    let origin = fs::read_to_string(beside(&path, EXTENSION)).unwrap();
                    assert!(is_of(&origin, &fs::read(&path).unwrap()), "{path:?}");
                    found += 1;
                }
            }
        }
        assert_eq!(found, 10);
    }
}
