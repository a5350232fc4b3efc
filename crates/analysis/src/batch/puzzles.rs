//! Puzzles out of many games: a line each in a file that an interrupted run resumes. Lines between
//! them have the number of finished games, and a checksum of these.

use super::{BatchError, GameMoves};
use crate::puzzle::{Puzzle, PuzzleFinder, PuzzleKind, PuzzleLimits};
use crc32fast::Hasher;
use quincunx_runs::{Header, Progress, RunError, RunFile, in_order};
use std::collections::HashSet;
use std::io::Write;
use std::ops::ControlFlow;
use std::path::Path;

/// The number of games between two lines with the number of finished games. An interruption loses
/// the work on fewer.
const BATCH: usize = 64;

/// The start of a line with the number of finished games, and a checksum of them.
const DONE: &str = "# games done: ";

/// A run that finds puzzles.
#[derive(Clone, Debug)]
pub struct PuzzleRun<'a> {
    /// The file of the puzzles.
    pub out: &'a Path,
    /// The names of the files of games, for the header.
    pub sources: String,
    /// The kinds of puzzles, and the limits of the solver.
    pub limits: PuzzleLimits,
    /// The number of puzzles after which the run stops.
    pub count: usize,
    /// The number of games at a time.
    pub threads: usize,
}

impl PuzzleRun<'_> {
    /// Finds the puzzles of the games that are not done yet, and returns all puzzles.
    ///
    /// # Errors
    /// Returns an error if the file is of another run or of other games, or can't be read or
    /// written.
    pub fn run(
        &self,
        games: &[GameMoves],
        progress: &Progress,
    ) -> Result<FoundPuzzles, BatchError> {
        let (mut file, mut found, mut sum) = self.resume(games)?;
        if found.puzzles.len() >= self.count {
            return Ok(found);
        }
        let finders = (0..self.threads.max(1)).map(|_| PuzzleFinder::new(self.limits.clone()));
        let mut text = String::new();
        let mut outcome = Ok(());
        in_order(
            finders,
            &games[found.done..],
            |finder, game| (game, finder.of_game(&game.end(), game.set_up)),
            |(game, puzzles)| {
                for puzzle in puzzles {
                    if found.puzzles.len() == self.count {
                        break;
                    }
                    if found.keys.insert(puzzle.key()) {
                        text += &format!("{puzzle}\n");
                        found.puzzles.push(puzzle);
                    }
                }
                found.done += 1;
                game.add_to(&mut sum);
                let is_enough = found.puzzles.len() == self.count;
                let is_last = is_enough || found.done == games.len();
                if found.done % BATCH == 0 || is_last {
                    // After the last puzzle a longer run searches the same games again.
                    if !is_enough {
                        text += &format!("{DONE}{} {}\n", found.done, shown(&sum));
                    }
                    outcome = file.write_all(text.as_bytes());
                    text.clear();
                }
                progress.show(|| found.state(games.len()));
                match is_enough || outcome.is_err() {
                    true => ControlFlow::Break(()),
                    false => ControlFlow::Continue(()),
                }
            },
        )
        .map_err(BatchError::Thread)?;
        outcome?;
        progress.note(&found.state(games.len()));
        Ok(found)
    }

    /// Returns the first line of the file: the sources and kinds of its puzzles.
    fn header(&self) -> String {
        let PuzzleLimits {
            kinds,
            least_plies,
            nodes,
        } = &self.limits;
        let kinds: Vec<&str> = kinds.iter().copied().map(PuzzleKind::name).collect();
        format!(
            "# puzzles of {}: {}, {least_plies} plies or more, {nodes} nodes",
            self.sources,
            kinds.join(", "),
        )
    }

    /// Opens the file, and reads the results of an interrupted run, with the checksum of the
    /// finished games.
    fn resume(&self, games: &[GameMoves]) -> Result<(RunFile, FoundPuzzles, Hasher), BatchError> {
        let path = self.out;
        let mut file = RunFile::open(path, Header::of(self.header()))?;
        let contents = file.contents()?;
        let whole = finished(&contents);
        let found = FoundPuzzles::read(path, whole)?;
        let other = |why| BatchError::OtherGames {
            path: path.to_owned(),
            why,
        };
        let done = games.get(..found.done).ok_or_else(|| {
            let (done, games) = (found.done, games.len());
            other(format!(
                "it comes from {done} games, and there are only {games}"
            ))
        })?;
        let mut sum = Hasher::new();
        done.iter().for_each(|game| game.add_to(&mut sum));
        if found.done > 0 && found.sum != shown(&sum) {
            return Err(other(format!(
                "its puzzles come from other games than the first {} of these",
                found.done
            )));
        }
        file.resume(whole.len() as u64).map_err(RunError::from)?;
        Ok((file, found, sum))
    }
}

/// A checksum in the form of the file.
fn shown(sum: &Hasher) -> String {
    format!("{:08x}", sum.clone().finalize())
}

/// The contents of a file up to the last line with the number of finished games. The run that
/// resumes it finds the puzzles after that line again.
fn finished(bytes: &[u8]) -> &[u8] {
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

/// The puzzles of a run.
#[derive(Debug, Default)]
pub struct FoundPuzzles {
    /// The puzzles.
    pub puzzles: Vec<Puzzle>,
    /// The number of finished games.
    done: usize,
    /// The checksum of these games.
    sum: String,
    keys: HashSet<String>,
}

impl FoundPuzzles {
    /// Reads the puzzles in the bytes of a file.
    ///
    /// # Errors
    /// Returns an error if a line is no puzzle.
    pub fn read(path: &Path, bytes: &[u8]) -> Result<FoundPuzzles, BatchError> {
        let mut found = FoundPuzzles::default();
        let lines = bytes.split(|&byte| byte == b'\n');
        for (number, line) in (1..).zip(lines) {
            let wrong = |why: String| BatchError::Line {
                path: path.to_owned(),
                line: number,
                why,
            };
            let line = std::str::from_utf8(line).map_err(|error| wrong(error.to_string()))?;
            let line = line.trim_end_matches('\r');
            if let Some(done) = line.strip_prefix(DONE) {
                let (done, sum) = done.split_once(' ').unwrap_or((done, ""));
                let done = done.parse();
                found.done = done.map_err(|_| wrong("expected a number".to_owned()))?;
                sum.clone_into(&mut found.sum);
            } else if !line.trim().is_empty() && !line.starts_with('#') {
                let puzzle = line.parse::<Puzzle>();
                let puzzle = puzzle.map_err(|error| wrong(error.to_string()))?;
                found.keys.insert(puzzle.key());
                found.puzzles.push(puzzle);
            }
        }
        Ok(found)
    }

    /// The progress among all games.
    fn state(&self, games: usize) -> String {
        let count = |kind| {
            let of_kind = self.puzzles.iter().filter(|puzzle| puzzle.kind == kind);
            format!("{} {kind}", of_kind.count())
        };
        let counts = PuzzleKind::ALL.map(count).join(", ");
        format!("{}/{games} games: {counts}", self.done)
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use quincunx_engine::rules::Rule;
    use quincunx_records::GameRecord;
    use std::fs;

    /// The games that lead to these lines.
    fn games(lines: &[&str]) -> Vec<GameMoves> {
        let moves = |line: &&str| {
            let position = quincunx_records::text::line(line).unwrap();
            let game = quincunx_engine::game::Game::from_position(position);
            GameMoves::of(&GameRecord::of(&game), Rule::Freestyle).unwrap()
        };
        lines.iter().map(moves).collect()
    }

    fn find(games: &[GameMoves], out: &Path) -> Result<FoundPuzzles, BatchError> {
        let run = PuzzleRun {
            out,
            sources: "g.txt".to_owned(),
            limits: PuzzleLimits {
                kinds: vec![PuzzleKind::Vcf],
                ..PuzzleLimits::default()
            },
            count: usize::MAX,
            threads: 1,
        };
        run.run(games, &Progress::new(false))
    }

    /// Games that are done are known by a checksum: files of other folders, games that came
    /// before them since, and other boards once were passed over as done.
    #[test]
    fn puzzles_go_on_with_the_games_they_come_from() {
        let folder = tempfile::tempdir().unwrap();
        let out = folder.path().join("out");
        // The only four that wins, and a position that has two.
        let own = games(&[
            "11 freestyle e5d5f5a1g5a11h6k11h7k1h5",
            "11 freestyle e5a1f5a11g5k11d5",
        ]);
        assert_eq!(find(&own, &out).unwrap().puzzles.len(), 1);
        let whole = fs::read_to_string(&out).unwrap();
        let refused = |games: &[GameMoves]| {
            let refused = find(games, &out).unwrap_err().to_string();
            assert!(refused.contains("can't resume "), "{refused}");
            assert_eq!(fs::read_to_string(&out).unwrap(), whole);
        };
        let other = games(&["11 freestyle e5d6"]);
        refused(&other);
        refused(&[other.clone(), own.clone()].concat());
        refused(&games(&[
            "12 freestyle e5d5f5a1g5a11h6k11h7k1h5",
            "12 freestyle e5",
        ]));
        // More games go behind those that are done, not before.
        assert_eq!(find(&[own, other].concat(), &out).unwrap().done, 3);
    }
}
