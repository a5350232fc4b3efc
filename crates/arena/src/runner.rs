//! The match runner: plays what is left of a tournament, keeps the records,
//! shows the score, and stops when the test has an answer.

use super::platform::allow_open_files;
use super::player::StartError;
use super::record::{MatchGame, Reason};
use super::report;
use super::results::PairResults;
use super::schedule::Shard;
use super::standings::Standings;
use super::stats::{Decision, Sprt};
use super::stop::StopSignal;
use super::store::{Store, StoreError};
use super::tournament::Tournament;
use super::workers::{Finished, WorkerPool};
use std::collections::{BTreeMap, HashSet};
use std::io::Write;
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

/// How a tournament is played on this machine.
pub struct MatchRunner<'run> {
    /// The part of the schedule that is played here.
    pub shard: Shard,
    /// Games at a time.
    pub concurrency: usize,
    /// The test that may end the match.
    pub sprt: Option<Sprt>,
    /// Where records go.
    pub store: Option<Store>,
    /// Games of the same match that are played already.
    pub played: Vec<MatchGame>,
    /// Where progress is shown.
    pub display: ProgressDisplay<'run>,
}

/// Why a match can't go on.
#[derive(Debug, thiserror::Error)]
pub enum MatchError {
    /// Records can't be written.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A program can't be started.
    #[error(transparent)]
    Start(#[from] StartError),
    /// A program of a test failed before it had made any legal move, in this run or in the games
    /// that were put together: its games would say nothing of how it plays.
    #[error("{engine} failed before its first legal move, so there is nothing to test: {why}")]
    NothingToTest {
        /// The engine's name in the match.
        engine: String,
        /// What it did instead.
        why: String,
    },
}

/// What a match has come to.
pub struct MatchSummary {
    /// Every game, those played before included.
    pub games: Vec<MatchGame>,
    /// The time it took, this time.
    pub elapsed: Duration,
    /// What the engines say they are, by their names in the match.
    pub versions: BTreeMap<String, String>,
    /// Why the match went no further, if it failed.
    pub failure: Option<MatchError>,
}

/// Where and how progress is shown.
pub struct ProgressDisplay<'run> {
    /// Where it is written.
    pub out: &'run mut dyn Write,
    /// One line that changes, for a terminal; otherwise lines now and then.
    pub live: bool,
    /// How often, at most.
    pub every: Duration,
}

impl MatchRunner<'_> {
    /// Plays what is left to play, until records can't be written, a program can't be started, or
    /// one of a test fails before its first legal move. The summary has the games that are kept,
    /// and the failure.
    ///
    /// # Errors
    /// When it fails and there are no games.
    pub fn run(
        mut self,
        tournament: &Tournament,
        stop: &StopSignal,
    ) -> Result<MatchSummary, MatchError> {
        allow_open_files();
        let names = tournament.engines.iter().map(|engine| engine.name.clone());
        let names: Vec<String> = names.collect();
        let mut standings = Standings::new(names.clone());
        let mut games = std::mem::take(&mut self.played);
        games.iter().for_each(|game| standings.add(game));
        let shard = self.shard;
        let is_here = |pair: &usize| tournament.schedule.is_in(shard, *pair);
        let numbers = 0..tournament.schedule.pairs();
        let total = 2 * numbers.filter(is_here).count() as u64;
        let before = standings.games();
        let begin = Instant::now();
        let mut shown = begin;
        let mut failure = None;
        let sprt = self.sprt;
        let decided_before = is_decided(&standings, sprt.as_ref());
        let mut faults = HashSet::new();
        // The engines that have moved in this run: a command may be wrong in a run that goes on.
        let mut moved: HashSet<String> = HashSet::new();
        let mut versions = BTreeMap::new();
        let mut collect = |finished: Finished, games: &mut Vec<MatchGame>| {
            let finished = match finished {
                Ok(finished) => finished,
                Err(error) => {
                    failure = Some(error.into());
                    return ControlFlow::Break(());
                }
            };
            let game = finished.record;
            versions.extend(finished.versions);
            standings.add(&game);
            moved.extend(game.movers().cloned());
            if sprt.is_some()
                && let Err(error) = expect_moves([&game], &moved)
            {
                failure = Some(error);
                return ControlFlow::Break(());
            }
            if let Some(line) = first_of_its_kind(&game, &mut faults) {
                self.display.note(&line);
            }
            if let Some(store) = &mut self.store
                && let Err(error) = store.add_with(&game, finished.transcript.as_deref())
            {
                failure = Some(error.into());
                return ControlFlow::Break(());
            }
            games.push(game);
            if shown.elapsed() >= self.display.every {
                shown = Instant::now();
                let line =
                    report::progress(&standings, sprt.as_ref(), total, begin.elapsed(), before);
                self.display.show(&line);
            }
            if is_decided(&standings, sprt.as_ref()) {
                return ControlFlow::Break(());
            }
            ControlFlow::Continue(())
        };
        // What is due may depend on the results of what was due before.
        while !decided_before && !stop.is_given() {
            let results = PairResults::new(&names, &games);
            let mut due = tournament.schedule.due(&results);
            due.retain(|pair| is_here(&pair.number));
            let before = games.len();
            let done: HashSet<usize> = games.iter().map(|game| game.number).collect();
            let pool = WorkerPool::new(tournament, &due, &done, stop);
            pool.run(self.concurrency, &mut |game| collect(game, &mut games));
            if games.len() == before {
                break;
            }
        }
        self.display.clear();
        match failure {
            Some(error) if games.is_empty() => Err(error),
            failure => Ok(MatchSummary {
                games,
                elapsed: begin.elapsed(),
                versions,
                failure,
            }),
        }
    }
}

/// Checks that a test of these games would say something of strength: those that an engine lost by
/// its own fault are of engines that have `moved` somewhere.
///
/// # Errors
/// When one has not.
pub(super) fn expect_moves<'g>(
    games: impl IntoIterator<Item = &'g MatchGame>,
    moved: &HashSet<String>,
) -> Result<(), MatchError> {
    for game in games {
        if let Some(engine) = game.offender().filter(|engine| !moved.contains(*engine)) {
            return Err(MatchError::NothingToTest {
                engine: engine.to_owned(),
                why: game.reason.with_detail(&game.detail),
            });
        }
    }
    Ok(())
}

/// What went wrong in the game, unless the same happened to the same engine
/// before.
fn first_of_its_kind(game: &MatchGame, faults: &mut HashSet<(String, Reason)>) -> Option<String> {
    let loser = game.offender()?;
    if !faults.insert((loser.to_owned(), game.reason)) {
        return None;
    }
    let reason = game.reason.with_detail(&game.detail);
    Some(format!(
        "note: {loser} lost game {} by {reason}",
        game.number
    ))
}

/// Whether the test has its answer.
fn is_decided(standings: &Standings, sprt: Option<&Sprt>) -> bool {
    standings.decision(sprt) != Decision::Continue
}

impl ProgressDisplay<'_> {
    fn show(&mut self, line: &str) {
        // A terminal that went away must not end the match.
        let _ = if self.live {
            // A line longer than the terminal is wide is cut off there: `\r` leads to the last row.
            let text = format!("\r\x1b[?7l{line}\x1b[K\x1b[?7h");
            let written = self.out.write_all(text.as_bytes());
            written.and_then(|()| self.out.flush())
        } else {
            writeln!(self.out, "{line}")
        };
    }

    /// Shows a line that stays.
    fn note(&mut self, line: &str) {
        self.clear();
        let _ = writeln!(self.out, "{line}");
    }

    fn clear(&mut self) {
        if self.live {
            let _ = write!(self.out, "\r\x1b[K").and_then(|()| self.out.flush());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// With two engines and a test it has a hundred characters.
    #[test]
    fn the_line_that_changes_keeps_to_one_row() {
        let mut out = Vec::new();
        let mut display = ProgressDisplay {
            out: &mut out,
            live: true,
            every: Duration::ZERO,
        };
        display.show("7/9");
        assert_eq!(out, b"\r\x1b[?7l7/9\x1b[K\x1b[?7h");
    }
}
