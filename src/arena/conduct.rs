//! A run from its first game to its report: keeps the records, shows how it
//! stands, and stops when the test has an answer.

use super::record::{Game, Reason};
use super::report;
use super::run::{Plan, Stop, run};
use super::schedule::Shard;
use super::standing::Standing;
use super::stats::{Decision, Sprt};
use super::store::Store;
use anyhow::Result;
use std::collections::HashSet;
use std::io::Write;
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

/// How a plan is carried out.
pub struct Conduct<'run> {
    /// What part of the schedule is played here.
    pub shard: Shard,
    /// Games at a time.
    pub concurrency: usize,
    /// The test that may end the run.
    pub sprt: Option<Sprt>,
    /// Where records go.
    pub store: Option<Store>,
    /// Games of the same run that are played already.
    pub played: Vec<Game>,
    /// Where progress is shown.
    pub progress: Progress<'run>,
}

/// Where and how progress is shown.
pub struct Progress<'run> {
    /// Where it is written.
    pub out: &'run mut dyn Write,
    /// One line that changes, for a terminal; otherwise lines now and then.
    pub live: bool,
    /// How often, at most.
    pub every: Duration,
}

/// Plays what is left to play and returns how it all stands and how long it
/// took.
///
/// # Errors
/// When records can't be written.
pub fn conduct(
    plan: &Plan,
    mut conduct: Conduct<'_>,
    stop: &Stop,
) -> Result<(Standing, Vec<Game>, Duration)> {
    let names = plan.entrants.iter().map(|e| e.name.clone()).collect();
    let mut standing = Standing::new(names);
    let mut games = std::mem::take(&mut conduct.played);
    games.iter().for_each(|game| standing.add(game));
    let done: HashSet<usize> = games.iter().map(|game| game.number).collect();
    let pairs: Vec<usize> = (0..plan.schedule.pairs())
        .filter(|&pair| conduct.shard.has(pair))
        .collect();
    let total = 2 * pairs.len() as u64;
    let before = standing.games();
    let begin = Instant::now();
    let mut shown = begin;
    let mut failure = None;
    let sprt = conduct.sprt;
    let decided_before = is_decided(&standing, sprt.as_ref());
    let mut faults = HashSet::new();
    let mut collect = |game: Game| {
        standing.add(&game);
        if let Some(line) = first_of_its_kind(&game, &mut faults) {
            conduct.progress.note(&line);
        }
        if let Some(store) = &mut conduct.store
            && let Err(error) = store.add(&game)
        {
            failure = Some(error);
            return ControlFlow::Break(());
        }
        games.push(game);
        if shown.elapsed() >= conduct.progress.every {
            shown = Instant::now();
            let line = report::progress(&standing, sprt.as_ref(), total, begin.elapsed(), before);
            conduct.progress.show(&line);
        }
        if is_decided(&standing, sprt.as_ref()) {
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    };
    if !decided_before {
        run(plan, &pairs, &done, conduct.concurrency, stop, &mut collect);
    }
    conduct.progress.clear();
    failure.map_or(Ok((standing, games, begin.elapsed())), Err)
}

/// What went wrong in the game, unless the same happened to the same engine
/// before.
fn first_of_its_kind(game: &Game, faults: &mut HashSet<(String, Reason)>) -> Option<String> {
    let loser = game.loser().filter(|_| game.reason.is_fault())?;
    if !faults.insert((loser.to_owned(), game.reason)) {
        return None;
    }
    let (number, reason) = (game.number, game.reason.name());
    let colon = if game.detail.is_empty() { "" } else { ": " };
    Some(format!(
        "note: {loser} lost game {number} by {reason}{colon}{}",
        game.detail
    ))
}

/// Whether the test has its answer.
fn is_decided(standing: &Standing, sprt: Option<&Sprt>) -> bool {
    sprt.zip(standing.first())
        .is_some_and(|(sprt, m)| sprt.decide(sprt.llr(&m.pairs)) != Decision::Continue)
}

impl Progress<'_> {
    fn show(&mut self, line: &str) {
        // A terminal that went away must not end the run.
        let _ = if self.live {
            write!(self.out, "\r{line}\x1b[K").and_then(|()| self.out.flush())
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
