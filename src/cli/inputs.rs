//! The inputs of a command: files, the files of folders, the games of a match, and standard input.

use super::exit::usage;
use anyhow::{Context, Result, bail};
use std::fs::{self, File};
use std::io::{self, IsTerminal, Read, Write};
use std::path::Path;
#[cfg(feature = "shell")]
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread;
use std::time::Duration;

/// The maximum size of a file, because devices may be endless.
const LARGEST: u64 = 1 << 30;

/// The time that a pipe may be silent before a message.
const PATIENCE: Duration = Duration::from_secs(1);

/// The name that stands for standard input.
const STANDARD_INPUT: &str = "-";

/// The file whose presence makes a folder that of a match.
const MATCH: &str = "match.json";

/// The games of a match, one per line, and for other programs.
const MATCH_GAMES: [&str; 2] = ["games.jsonl", "games.sgf"];

/// The reason why a file is read.
#[cfg(feature = "shell")]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Named {
    /// The file was named itself.
    Itself,
    /// The file is in a folder that was named.
    ByFolder,
}

/// Files, and those in folders whose names are those of game files, in the order of their names.
/// The folder of a match stays one path, which has its games.
#[cfg(feature = "shell")]
pub(crate) fn files(paths: &[PathBuf], is_game: fn(&str) -> bool) -> Result<Vec<(PathBuf, Named)>> {
    let mut files = Vec::new();
    for path in paths {
        let count = files.len();
        match path.is_dir() && match_of(path).is_none() {
            true => add_folder(path, is_game, &mut files)?,
            false => files.push((path.clone(), Named::Itself)),
        }
        anyhow::ensure!(
            files.len() > count,
            "there are no game files in {}",
            path.display()
        );
    }
    Ok(files)
}

#[cfg(feature = "shell")]
fn add_folder(
    folder: &Path,
    is_game: fn(&str) -> bool,
    files: &mut Vec<(PathBuf, Named)>,
) -> Result<()> {
    let context = || format!("can't read {}", folder.display());
    let entries = fs::read_dir(folder).with_context(context)?;
    let paths = entries.map(|entry| entry.map(|entry| entry.path()));
    let mut paths: Vec<PathBuf> = paths.collect::<Result<_, _>>().with_context(context)?;
    paths.sort();
    for path in paths {
        let name = name_of(&path).unwrap_or_default();
        // Links to folders may go round in a circle.
        if path.is_dir() && !path.is_symlink() {
            match match_of(&path) {
                Some(_) => files.push((path, Named::ByFolder)),
                None => add_folder(&path, is_game, files)?,
            }
        } else if path.is_file() && is_game(name) {
            files.push((path, Named::ByFolder));
        }
    }
    Ok(())
}

/// The folder of the match whose games a path stands for: the folder itself, or the files in it
/// that have settings and games in a form of their own.
pub(crate) fn match_of(path: &Path) -> Option<&Path> {
    if path.is_dir() {
        return path.join(MATCH).is_file().then_some(path);
    }
    let name = path.file_name()?;
    let folder = match path.parent()? {
        folder if folder.as_os_str().is_empty() => Path::new("."),
        folder => folder,
    };
    let is_its_own = name == MATCH || name == MATCH_GAMES[0];
    (is_its_own && folder.join(MATCH).is_file()).then_some(folder)
}

/// The name of a file, or the end of it that is UTF-8, which is enough to tell the format by the
/// extension.
pub(crate) fn name_of(path: &Path) -> Option<&str> {
    let last = path.as_os_str().as_encoded_bytes().utf8_chunks().last()?;
    last.invalid().is_empty().then_some(last.valid())
}

/// Returns true for the path that stands for standard input.
pub(crate) fn is_standard_input(path: &Path) -> bool {
    path == Path::new(STANDARD_INPUT)
}

/// The bytes of a file, of the games of a match, or of standard input.
pub(crate) fn read_file(path: &Path) -> Result<Vec<u8>> {
    if is_standard_input(path) {
        return read_standard_input();
    }
    if let Some(folder) = match_of(path) {
        return match_games(folder);
    }
    let context = || format!("can't read {}", path.display());
    if path.is_dir() {
        bail!("can't read {}: it is a folder", path.display());
    }
    // A pipe without a writer is waited for even to be opened.
    let _reading = warn_if_slow(path);
    let file = File::open(path).with_context(context)?;
    bounded(file, path)
}

/// Says once that something other than a regular file is waited for, unless what is returned is
/// dropped before long.
fn warn_if_slow(path: &Path) -> Option<Sender<()>> {
    let is_plain = fs::metadata(path).map_or(true, |found| found.is_file());
    if is_plain {
        return None;
    }
    let (reading, done) = mpsc::channel::<()>();
    let shown = path.display().to_string();
    thread::spawn(move || {
        if done.recv_timeout(PATIENCE) == Err(RecvTimeoutError::Timeout) {
            log::warn!("{shown} is a pipe or a device: waiting until it ends");
        }
    });
    Some(reading)
}

/// Reads all of a file, up to the maximum size.
fn bounded(file: impl Read, path: &Path) -> Result<Vec<u8>> {
    let context = || format!("can't read {}", path.display());
    let mut bytes = Vec::new();
    file.take(LARGEST + 1)
        .read_to_end(&mut bytes)
        .with_context(context)?;
    if bytes.len() as u64 > LARGEST {
        bail!("can't read {}: it has more than 1 GiB", path.display());
    }
    Ok(bytes)
}

/// Reads standard input to its end. A person at a terminal is told what is waited for.
fn read_standard_input() -> Result<Vec<u8>> {
    static IS_READ: AtomicBool = AtomicBool::new(false);
    if IS_READ.swap(true, Ordering::Relaxed) {
        return Err(usage("- is named twice: standard input can be read once"));
    }
    prompt_for_input();
    bounded(io::stdin().lock(), Path::new(STANDARD_INPUT))
}

/// Says at a terminal that input is read from it, and what ends it.
pub(crate) fn prompt_for_input() {
    if io::stdin().is_terminal() {
        let end = if cfg!(windows) {
            "Ctrl-Z and Enter end"
        } else {
            "Ctrl-D ends"
        };
        // If it can't be written there is no one to tell.
        let _ = writeln!(io::stderr(), "Reads from the terminal: {end} the input.");
    }
}

/// The games of a match as a collection in SGF.
#[cfg(feature = "arena")]
fn match_games(folder: &Path) -> Result<Vec<u8>> {
    use quincunx_arena::{export, store};
    let context = || format!("can't read the match {}", folder.display());
    anyhow::ensure!(
        store::has_games(folder),
        "the match {} has no games yet",
        folder.display()
    );
    let settings = store::read_settings(folder).with_context(context)?;
    let variant = settings.variant().with_context(context)?;
    let games = store::read_games(&folder.join(MATCH_GAMES[0]));
    let mut games = games.with_context(context)?;
    games.sort_by_key(|game| game.number);
    let games = games.iter().map(|game| export::sgf(variant, game));
    Ok(games.collect::<String>().into_bytes())
}

/// The games of a match as they were published: this program has no reader of its records.
#[cfg(not(feature = "arena"))]
fn match_games(folder: &Path) -> Result<Vec<u8>> {
    let path = folder.join(MATCH_GAMES[1]);
    let context = || format!("can't read {}", path.display());
    fs::read(&path).with_context(context)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[cfg(feature = "shell")]
    #[test]
    fn the_folder_of_a_match_is_one_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        for name in ["a/run/psq/000000.psq", "a/b.sgf", "a/run/games.sgf"] {
            fs::create_dir_all(path(name).parent().unwrap()).unwrap();
            fs::write(path(name), "").unwrap();
        }
        for name in ["games.jsonl", "report.txt", "match.json"] {
            fs::write(path("a/run").join(name), "").unwrap();
        }
        fs::create_dir(path("empty")).unwrap();
        let is_game = |name: &str| name.ends_with(".sgf") || name.ends_with(".psq");
        let found = files(&[path("a")], is_game).unwrap();
        let by_folder = |name| (path(name), Named::ByFolder);
        assert_eq!(found, [by_folder("a/b.sgf"), by_folder("a/run")]);
        let run = path("a/run");
        for own in ["a/run", "a/run/games.jsonl", "a/run/match.json"] {
            assert_eq!(match_of(&path(own)), Some(&*run), "{own}");
        }
        for other in ["a", "a/run/games.sgf", "a/run/psq", "a/b.sgf", "none"] {
            assert_eq!(match_of(&path(other)), None, "{other}");
        }
        assert!(files(&[path("empty")], is_game).is_err());
    }

    #[cfg(all(target_os = "linux", feature = "shell"))]
    #[test]
    fn files_of_a_folder_have_names_in_any_encoding() {
        use std::ffi::OsStr;
        use std::os::unix::ffi::OsStrExt;
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &'static [u8]| folder.path().join(OsStr::from_bytes(name));
        for name in [&b"a.sgf"[..], b"caf\xe9.SGF", b"caf\xe9.md", b"b.sgf\xe9"] {
            fs::write(at(name), "").unwrap();
        }
        let is_game = |name: &str| name.to_lowercase().ends_with(".sgf");
        let found = files(&[folder.path().to_owned()], is_game).unwrap();
        let names: Vec<PathBuf> = found.into_iter().map(|(path, _)| path).collect();
        assert_eq!(names, [at(b"a.sgf"), at(b"caf\xe9.SGF")]);
    }
}
