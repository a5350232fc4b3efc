//! `quincunx puzzles`: positions to train on, out of games.

use super::sources::{Moves, games};
use super::stack::each_on_search_stack;
use crate::cli::exit::ensure_usage;
use crate::cli::games::GamesReading;
use crate::cli::numbers::{MOST_AT_A_TIME, within};
use crate::cli::output::{ensure_another, ensure_free, ensure_regular, ensure_two};
use crate::cli::progress::ProgressLine;
use crate::cli::signals::on_interruption;
use anyhow::{Context, Result, bail, ensure};
use clap::Args;
use quincunx_analysis::puzzle::{
    Puzzle, PuzzleFinder, PuzzleKind, PuzzleLimits, collection, sheet,
};
use std::collections::HashSet;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

/// The games that are looked into before anything is written: what an interruption costs.
const BATCH: usize = 64;

/// What a line begins with that says how many games are done.
const DONE: &str = "# games done: ";

/// The arguments of `quincunx puzzles`.
#[derive(Args)]
pub(crate) struct Puzzles {
    /// Files of games: any that the board opens, and files of `selfplay`. Without any, the
    /// puzzles that --out has are written as --sgf and --html
    #[arg(value_name = "GAMES")]
    games: Vec<PathBuf>,
    /// The puzzles, a line each. The same command resumes an interrupted run
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// The kinds: vcf (wins by fours), vct (wins by threes and fours) and defence (the only
    /// move that holds)
    #[arg(long, value_name = "KINDS", value_delimiter = ',',
        default_values_t = PuzzleKind::ALL)]
    kind: Vec<PuzzleKind>,
    /// The fewest plies of a win, the five included
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

impl Puzzles {
    /// Finds puzzles, and writes them in every form that is wanted.
    pub(crate) fn run(&self) -> Result<()> {
        let exports = [&self.sgf, &self.html];
        for path in exports.into_iter().flatten() {
            for read in self.games.iter().chain([&self.out]) {
                ensure_another(path, read)?;
            }
            ensure_free(path, self.force)?;
        }
        for game in &self.games {
            ensure_another(&self.out, game)?;
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
            false => self.find()?,
        };
        if let Some(path) = &self.sgf {
            quincunx_files::replace(path, collection(&puzzles.puzzles).as_bytes())?;
        }
        if let Some(path) = &self.html {
            let name = self.out.file_stem().unwrap_or_default().to_string_lossy();
            quincunx_files::replace(path, sheet(&name, &puzzles.puzzles).as_bytes())?;
        }
        Ok(())
    }

    fn find(&self) -> Result<Found> {
        let mut all = Vec::new();
        for path in &self.games {
            all.extend(games(&self.reading, path)?);
        }
        let (mut file, mut found) = self.resume()?;
        ensure!(
            found.done <= all.len(),
            "{} comes from {} games, and there are only {}: choose another file",
            self.out.display(),
            found.done,
            all.len()
        );
        on_interruption("the same command goes on")?;
        let line = ProgressLine::new();
        let mut finders: Vec<PuzzleFinder> = (0..self.threads)
            .map(|_| PuzzleFinder::new(self.limits()))
            .collect();
        while found.done < all.len() && !self.has_enough(&found) {
            let batch = &all[found.done..all.len().min(found.done + BATCH)];
            let done = AtomicUsize::new(found.done);
            let puzzles = each_on_search_stack(&mut finders, batch, |finder, game: &Moves| {
                let puzzles = finder.of_game(&game.end());
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
            if is_whole {
                text += &format!("{DONE}{}\n", found.done);
            }
            file.write_all(text.as_bytes())
                .with_context(|| format!("can't write {}", self.out.display()))?;
        }
        line.finish(&found.state(found.done, all.len()));
        Ok(found)
    }

    fn has_enough(&self, found: &Found) -> bool {
        self.count.is_some_and(|count| found.puzzles.len() >= count)
    }

    fn limits(&self) -> PuzzleLimits {
        PuzzleLimits {
            kinds: self.kind.clone(),
            least_plies: self.least_plies,
            nodes: self.nodes,
        }
    }

    /// The first line of the file: what its puzzles come from.
    fn header(&self) -> String {
        let kinds: Vec<&str> = self.kind.iter().map(|kind| kind.name()).collect();
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

    /// Opens the file, and reads what a run that was interrupted has left in it.
    fn resume(&self) -> Result<(File, Found)> {
        let path = &self.out;
        ensure_regular(path)?;
        let bytes = match fs::read(path) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == io::ErrorKind::NotFound => Vec::new(),
            Err(error) => return Err(error).with_context(|| no_read(path)),
        };
        let header = format!("{}\n", self.header());
        let context = || format!("can't write {}", path.display());
        let other = "it has other puzzles or is no such file: choose another file";
        // A beginning that was cut off is as good as nothing.
        let is_new = header.as_bytes().starts_with(&bytes);
        let found = match is_new {
            true => Found::default(),
            false => {
                ensure!(
                    bytes.starts_with(header.as_bytes()),
                    "can't go on with {}: {other}",
                    path.display()
                );
                Found::read(path, whole(&bytes))?
            }
        };
        let kept = match is_new {
            true => 0,
            false => whole(&bytes).len().max(header.len()),
        };
        let mut file = File::options()
            .create(true)
            .append(true)
            .open(path)
            .with_context(context)?;
        file.set_len(kept as u64).with_context(context)?;
        if kept == 0 {
            file.write_all(header.as_bytes()).with_context(context)?;
        }
        Ok((file, found))
    }
}

fn no_read(path: &Path) -> String {
    format!("can't read {}", path.display())
}

/// A file up to the last line that says how many games are done. What comes after it is
/// found again.
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
    /// How many games have been looked into.
    done: usize,
    puzzles: Vec<Puzzle>,
    keys: HashSet<String>,
}

impl Found {
    fn read(path: &Path, bytes: &[u8]) -> Result<Found> {
        let mut found = Found::default();
        let text = std::str::from_utf8(bytes).with_context(|| no_read(path))?;
        for (number, line) in (1..).zip(text.lines()) {
            if let Some(done) = line.strip_prefix(DONE) {
                match done.parse() {
                    Ok(done) => found.done = done,
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

    /// How far the work is, which has looked into `done` games.
    fn state(&self, done: usize, games: usize) -> String {
        let count = |kind| {
            let of_kind = self.puzzles.iter().filter(|puzzle| puzzle.kind == kind);
            format!("{} {kind}", of_kind.count())
        };
        let counts = PuzzleKind::ALL.map(count).join(", ");
        format!("{done}/{games} games: {counts}")
    }
}
