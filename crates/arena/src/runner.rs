//! The match runner: plays what is left of a tournament, keeps the records,
//! shows the score, and stops when the test has an answer.

use super::fault::StartError;
use super::platform::allow_open_files;
use super::record::{MatchGame, Reason};
use super::report;
use super::results::PairResults;
use super::standings::Standings;
use super::stats::{Decision, Sprt};
use super::store::{Store, StoreError};
use super::tournament::Tournament;
use super::workers::{DuePairs, Finished};
use quincunx_runs::{Progress, Shard, StopSignal};
use std::collections::{BTreeMap, HashSet};
use std::io;
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

/// A runner of a tournament on this machine.
pub struct MatchRunner<'run> {
    /// The part of the schedule that is played here.
    pub shard: Shard,
    /// Games at a time.
    pub concurrency: usize,
    /// The test that may end the match.
    pub sprt: Option<Sprt>,
    /// The folder of the records.
    pub store: Option<Store>,
    /// Games of the same match that are played already.
    pub played: Vec<MatchGame>,
    /// The display of the progress.
    pub progress: &'run Progress,
}

/// The error that ends a match.
#[derive(Debug, thiserror::Error)]
pub enum MatchError {
    /// Records can't be written.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A program can't be started.
    #[error(transparent)]
    Start(#[from] StartError),
    /// The system can't start a thread.
    #[error("can't start a thread")]
    Thread(#[source] io::Error),
    /// A program of a test failed before any legal move, in this run or in the merged games. Its
    /// games would say nothing about its strength.
    #[error("{engine} failed before its first legal move, so there is nothing to test: {why}")]
    NothingToTest {
        /// The engine's name in the match.
        engine: String,
        /// The reason.
        why: String,
    },
}

/// The result of a match.
pub struct MatchSummary {
    /// Every game, those played before included.
    pub games: Vec<MatchGame>,
    /// The time it took, this time.
    pub elapsed: Duration,
    /// The engines' descriptions of themselves, by their names in the match.
    pub versions: BTreeMap<String, String>,
    /// Why the match went no further, if it failed.
    pub failure: Option<MatchError>,
}

impl MatchRunner<'_> {
    /// Plays the remaining games, until records can't be written, a program can't be started, or a
    /// program of a test fails before its first legal move. The summary has the stored games and
    /// the failure.
    ///
    /// # Errors
    /// Returns an error when it fails and there are no games.
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
                self.progress.note(&line);
            }
            if let Some(store) = &mut self.store
                && let Err(error) = store.add_with(&game, finished.transcript.as_deref())
            {
                failure = Some(error.into());
                return ControlFlow::Break(());
            }
            games.push(game);
            let elapsed = begin.elapsed();
            self.progress
                .show(|| report::progress(&standings, sprt.as_ref(), total, elapsed, before));
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
            let pairs = DuePairs {
                tournament,
                pairs: &due,
                done: &done,
                stop,
            };
            let played = pairs.play(self.concurrency, &mut |game| collect(game, &mut games));
            played.map_err(MatchError::Thread)?;
            if games.len() == before {
                break;
            }
        }
        self.progress.clear();
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

/// Checks that the engines have played well enough for a test of their strength: those that lost by
/// their own fault must have `moved` somewhere.
///
/// # Errors
/// Returns an error when one has not.
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

/// Returns a note about a fault in the game, unless the same happened to the same engine
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

/// Returns whether the test has its decision.
fn is_decided(standings: &Standings, sprt: Option<&Sprt>) -> bool {
    standings.decision(sprt) != Decision::Continue
}
