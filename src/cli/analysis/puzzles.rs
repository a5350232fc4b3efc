//! `quincunx puzzles`: positions to train on, out of games.

use super::sources::{Moves, Sources};
use super::workers::work_on_each;
use crate::cli::exit::ensure_usage;
use crate::cli::games::GamesReading;
use crate::cli::numbers::{MOST_AT_A_TIME, within};
use crate::cli::output::{ensure_another, ensure_free, ensure_regular, ensure_two};
use crate::cli::progress::ProgressLine;
use crate::cli::signals::on_interruption;
use anyhow::{Context, Result, bail, ensure};
use clap::Args;
use crc32fast::Hasher;
use quincunx_analysis::puzzle::{
    ParseKindError, Puzzle, PuzzleFinder, PuzzleKind, PuzzleLimits, collection, sheet,
};
use quincunx_files::GrowingFile;
use std::collections::HashSet;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Puzzles are written each time this many games are done. An interruption loses the work on
/// fewer.
const BATCH: usize = 64;

/// The start of a line with the number of finished games, and a checksum of them.
const DONE: &str = "# games done: ";

/// The arguments of `quincunx puzzles`.
#[derive(Args)]
pub(crate) struct Puzzles {
    /// Game files: any that the board opens, files of selfplay, and folders. Without any, the
    /// puzzles of --out are written to the files of --sgf and --html
    #[arg(value_name = "GAMES")]
    games: Vec<PathBuf>,
    /// The puzzles, one per line. The same command resumes an interrupted run
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// The kinds: vcf (wins by fours), vct (wins by threes and fours) and defence (the only
    /// move that holds)
    #[arg(long, value_name = "KINDS", default_value = "vcf,vct,defence")]
    kind: Vec<Kinds>,
    /// The fewest plies of a win, including the five
    #[arg(long, value_name = "N", default_value_t = PuzzleLimits::default().least_plies)]
    least_plies: usize,
    /// Nodes of the solver for a win, and to show that there is none after a move
    #[arg(long, value_name = "N", default_value_t = PuzzleLimits::default().nodes,
        value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// Stop after this many puzzles
    #[arg(long, value_name = "N", value_parser = within(1, usize::MAX))]
    count: Option<usize>,
    /// Games at a time
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = within(1, MOST_AT_A_TIME))]
    threads: usize,
    /// Write the puzzles as a collection of SGF games to this file
    #[arg(long, value_name = "FILE")]
    sgf: Option<PathBuf>,
    /// Write the puzzles as a page to print to this file
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// Overwrite the files of --sgf and --html
    #[arg(long)]
    force: bool,
    #[command(flatten)]
    reading: GamesReading,
}

/// Kinds of puzzles with commas or blanks between them.
#[derive(Clone)]
struct Kinds(Vec<PuzzleKind>);

impl FromStr for Kinds {
    type Err = ParseKindError;

    fn from_str(text: &str) -> Result<Kinds, ParseKindError> {
        let names = text.split([',', ' ']).filter(|name| !name.is_empty());
        let kinds: Vec<PuzzleKind> = names.map(str::parse).collect::<Result<_, _>>()?;
        match kinds.is_empty() {
            true => text.parse().map(|kind| Kinds(vec![kind])),
            false => Ok(Kinds(kinds)),
        }
    }
}

impl Puzzles {
    fn kinds(&self) -> impl Iterator<Item = PuzzleKind> {
        self.kind.iter().flat_map(|kinds| kinds.0.iter().copied())
    }

    /// Finds puzzles, and writes them in all requested forms.
    pub(crate) fn run(&self) -> Result<()> {
        let exports = [&self.sgf, &self.html];
        let mut sources = Sources::of(&self.games)?;
        for path in exports.into_iter().flatten() {
            for read in sources.paths().chain([&*self.out]) {
                ensure_another(path, read)?;
            }
            ensure_free(path, self.force)?;
        }
        for path in sources.paths() {
            ensure_another(&self.out, path)?;
        }
        ensure_two(&self.sgf, &self.html)?;
        ensure_usage!(
            !self.games.is_empty() || exports.iter().any(|path| path.is_some()),
            "expected files of games, or --sgf or --html for the puzzles of --out"
        );
        let puzzles = match self.games.is_empty() {
            true => Found::read(
                &self.out,
                &fs::read(&self.out).with_context(|| no_read(&self.out))?,
            )?,
            false => {
                on_interruption("the same command resumes the run")?;
                self.find(&mut sources)?
            }
        };
        if let Some(path) = &self.sgf {
            quincunx_files::replace(path, collection(&puzzles.puzzles).as_bytes())?;
        }
        if let Some(path) = &self.html {
            let name = self.out.file_stem().unwrap_or_default().to_string_lossy();
            quincunx_files::replace(path, sheet(&name, &puzzles.puzzles).as_bytes())?;
        }
        sources.expect_all_read()
    }

    fn find(&self, sources: &mut Sources) -> Result<Found> {
        ensure_regular(&self.out)?;
        let mut all = Vec::new();
        sources.each_game(&self.reading, &mut |_, game| {
            all.push(game);
            Ok(())
        })?;
        sources.expect_games(all.len())?;
        let (mut file, mut found, mut sum) = self.resume(&all)?;
        let line = ProgressLine::new();
        let mut finders: Vec<PuzzleFinder> = (0..self.threads)
            .map(|_| PuzzleFinder::new(self.limits()))
            .collect();
        while found.done < all.len() && !self.has_enough(&found) {
            let batch = &all[found.done..all.len().min(found.done + BATCH)];
            let done = AtomicUsize::new(found.done);
            let puzzles = work_on_each(&mut finders, batch, |finder, game: &Moves| {
                let puzzles = finder.of_game(&game.end(), game.set_up);
                let done = done.fetch_add(1, Ordering::Relaxed) + 1;
                line.show(|| found.state(done, all.len()));
                puzzles
            })?;
            let mut text = String::new();
            let mut is_whole = true;
            for puzzle in puzzles.into_iter().flatten() {
                if self.has_enough(&found) {
                    is_whole = false;
                    break;
                }
                if found.keys.insert(puzzle.key()) {
                    text += &format!("{puzzle}\n");
                    found.puzzles.push(puzzle);
                }
            }
            found.done += batch.len();
            batch.iter().for_each(|game| game.add_to(&mut sum));
            if is_whole {
                text += &format!("{DONE}{} {}\n", found.done, shown(&sum));
            }
            file.write_all(text.as_bytes())?;
        }
        line.finish(&found.state(found.done, all.len()));
        Ok(found)
    }

    fn has_enough(&self, found: &Found) -> bool {
        self.count.is_some_and(|count| found.puzzles.len() >= count)
    }

    fn limits(&self) -> PuzzleLimits {
        PuzzleLimits {
            kinds: self.kinds().collect(),
            least_plies: self.least_plies,
            nodes: self.nodes,
        }
    }

    /// The first line of the file: what its puzzles come from.
    fn header(&self) -> String {
        let kinds: Vec<&str> = self.kinds().map(PuzzleKind::name).collect();
        let names = self.games.iter().map(|path| {
            let name = path.file_name().unwrap_or_default();
            name.to_string_lossy().into_owned()
        });
        format!(
            "# puzzles of {}: {}, {} plies or more, {} nodes",
            names.collect::<Vec<_>>().join(", "),
            kinds.join(", "),
            self.least_plies,
            self.nodes
        )
    }

    /// Opens the file, and reads what an interrupted run has left in it, with the checksum of
    /// the finished games.
    fn resume(&self, games: &[Moves]) -> Result<(GrowingFile, Found, Hasher)> {
        let path = &self.out;
        let mut sum = Hasher::new();
        let (mut file, bytes) = GrowingFile::open(path)?;
        let header = format!("{}\n", self.header());
        // A beginning that was cut off is as good as nothing.
        if header.as_bytes().starts_with(&bytes) {
            file.keep(0)?;
            file.write_all(header.as_bytes())?;
            return Ok((file, Found::default(), sum));
        }
        ensure!(
            bytes.starts_with(header.as_bytes()),
            "can't resume {}: it has other puzzles, or is no file of puzzles: choose another file",
            path.display()
        );
        let whole = whole(&bytes);
        let found = Found::read(path, whole)?;
        ensure!(
            found.done <= games.len(),
            "{} comes from {} games, and there are only {}: choose another file",
            path.display(),
            found.done,
            games.len()
        );
        let done = games.iter().take(found.done);
        done.for_each(|game| game.add_to(&mut sum));
        ensure!(
            found.sum.is_empty() || found.sum == shown(&sum),
            "can't resume {}: its puzzles come from other games than the first {} of these: choose \
             another file",
            path.display(),
            found.done
        );
        file.keep(whole.len().max(header.len()))?;
        Ok((file, found, sum))
    }
}

fn no_read(path: &Path) -> String {
    format!("can't read {}", path.display())
}

/// A checksum in the form of the file.
fn shown(sum: &Hasher) -> String {
    format!("{:08x}", sum.clone().finalize())
}

/// A file up to the last line with the number of finished games. The run that resumes it finds
/// the puzzles after that line again.
fn whole(bytes: &[u8]) -> &[u8] {
    let mut end = 0;
    let mut at = 0;
    for line in bytes.split_inclusive(|&byte| byte == b'\n') {
        at += line.len();
        if line.starts_with(DONE.as_bytes()) && line.ends_with(b"\n") {
            end = at;
        }
    }
    &bytes[..end]
}

/// What has been found.
#[derive(Default)]
struct Found {
    /// How many games have been searched.
    done: usize,
    /// The checksum of these games, which files of older programs lack.
    sum: String,
    puzzles: Vec<Puzzle>,
    keys: HashSet<String>,
}

impl Found {
    fn read(path: &Path, bytes: &[u8]) -> Result<Found> {
        let mut found = Found::default();
        let text = std::str::from_utf8(bytes).with_context(|| no_read(path))?;
        for (number, line) in (1..).zip(text.lines()) {
            if let Some(done) = line.strip_prefix(DONE) {
                let (done, sum) = done.split_once(' ').unwrap_or((done, ""));
                match done.parse() {
                    Ok(done) => (found.done, found.sum) = (done, sum.to_owned()),
                    Err(_) => bail!("{}: line {number}: expected a number", path.display()),
                }
            } else if !line.trim().is_empty() && !line.starts_with('#') {
                let context = || format!("{}: line {number}", path.display());
                let puzzle: Puzzle = line.parse().with_context(context)?;
                found.keys.insert(puzzle.key());
                found.puzzles.push(puzzle);
            }
        }
        Ok(found)
    }

    /// The progress after `done` games.
    fn state(&self, done: usize, games: usize) -> String {
        let count = |kind| {
            let of_kind = self.puzzles.iter().filter(|puzzle| puzzle.kind == kind);
            format!("{} {kind}", of_kind.count())
        };
        let counts = PuzzleKind::ALL.map(count).join(", ");
        format!("{done}/{games} games: {counts}")
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use clap::Parser;
    use std::ffi::OsStr;

    /// The only four that wins, and a position that has two.
    const GAMES: &str = "11 freestyle e5d5f5a1g5a11h6k11h7k1h5\n11 freestyle e5a1f5a11g5k11d5\n";

    #[derive(Parser)]
    struct Words {
        #[command(flatten)]
        puzzles: Puzzles,
    }

    /// Takes puzzles out of the games of files.
    fn find(games: &[&Path], out: &Path, options: &[&str]) -> Result<Found> {
        let words = ["puzzles", "--kind", "vcf", "--out"].map(OsStr::new);
        let files = [out].into_iter().chain(games.iter().copied());
        let files = files.map(Path::as_os_str);
        let options = options.iter().map(OsStr::new);
        let words = words.into_iter().chain(files).chain(options);
        let puzzles = Words::parse_from(words).puzzles;
        puzzles.find(&mut Sources::of(&puzzles.games)?)
    }

    #[test]
    fn one_run_has_the_file() {
        let folder = tempfile::tempdir().unwrap();
        let [games, out] = ["a.txt", "out"].map(|name| folder.path().join(name));
        fs::write(&games, GAMES).unwrap();
        let other = GrowingFile::open(&out).unwrap();
        let refused = find(&[&games], &out, &[]).err().unwrap();
        assert!(refused.to_string().ends_with("is in use by another run"));
        drop(other);
        assert_eq!(find(&[&games], &out, &[]).unwrap().done, 2);
    }

    /// Games that are done are known by a checksum: files of other folders, games that came
    /// before them since, and other boards once were passed over as done.
    #[test]
    fn puzzles_go_on_with_the_games_they_come_from() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        let (out, games, other) = (path("out"), path("a/g.txt"), path("b/g.txt"));
        let (begun, old) = (path("begun.txt"), path("old"));
        let moves = GAMES.lines().next().unwrap();
        for (file, text) in [
            (&games, GAMES),
            (&other, "11 freestyle e5d5\n11 freestyle e5d6\n"),
            (&begun, &moves["11 freestyle ".len()..]),
        ] {
            fs::create_dir_all(file.parent().unwrap()).unwrap();
            fs::write(file, text).unwrap();
        }
        assert_eq!(find(&[&games], &out, &[]).unwrap().puzzles.len(), 1);
        let whole = fs::read_to_string(&out).unwrap();
        let (without, _) = whole.trim_end().rsplit_once(' ').unwrap();
        fs::write(&old, format!("{without}\n")).unwrap();
        let refused = |games: &[&Path], options: &[&str]| {
            let refused = find(games, &out, options).err().unwrap().to_string();
            assert!(refused.contains("can't resume "), "{refused}");
            assert_eq!(fs::read_to_string(&out).unwrap(), whole);
        };
        refused(&[&other], &[]);
        // A file that an older program has made.
        assert_eq!(find(&[&games], &old, &[]).unwrap().puzzles.len(), 1);
        // More games go behind those that are done, not before.
        fs::write(&games, [GAMES, GAMES].concat()).unwrap();
        assert_eq!(find(&[&games], &old, &[]).unwrap().done, 4);
        fs::write(&games, format!("11 freestyle e5d6\n{GAMES}")).unwrap();
        refused(&[&games], &[]);
        fs::remove_file(&out).unwrap();
        let size = |size| ["--size", size];
        assert_eq!(find(&[&begun], &out, &size("11")).unwrap().done, 1);
        let error = find(&[&begun], &out, &size("12")).err().unwrap();
        assert!(error.to_string().contains("can't resume "), "{error}");
    }
}
