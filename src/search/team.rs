//! Several threads on one search: what they share, and whose move is played.
//!
//! Every thread searches the whole tree on a position and with a history of
//! its own; they help each other through the table alone. Nodes are handed out
//! in small portions from one store, so that together they never use more than
//! was allowed, and a thread alone uses exactly that.

use super::{Outcome, POLL_INTERVAL};
use crate::eval::Score;
use crate::rules::Point;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

/// What the threads of one search share besides the table.
pub(super) struct Team {
    /// The most nodes of all threads together.
    limit: u64,
    /// Nodes handed out.
    granted: AtomicU64,
    stopped: AtomicBool,
}

impl Team {
    pub(super) fn new(limit: u64) -> Team {
        Team {
            limit,
            granted: AtomicU64::new(0),
            stopped: AtomicBool::new(false),
        }
    }

    /// Takes a portion of nodes out of the store: zero if it is empty, or the
    /// search is to stop.
    pub(super) fn claim(&self) -> u64 {
        if self.stopped.load(Relaxed) {
            return 0;
        }
        let take = |granted: u64| Some(granted + POLL_INTERVAL.min(self.limit - granted));
        let granted = match self.granted.fetch_update(Relaxed, Relaxed, take) {
            Ok(granted) | Err(granted) => granted,
        };
        POLL_INTERVAL.min(self.limit - granted)
    }

    /// Nodes handed out so far.
    pub(super) fn granted(&self) -> u64 {
        self.granted.load(Relaxed)
    }

    /// Ends the search of every thread soon.
    pub(super) fn stop(&self) {
        self.stopped.store(true, Relaxed);
    }
}

/// What the threads found together, `first` being the one that reported: its
/// word counts unless others contradict it.
///
/// A proven win goes before everything. Else every thread has a vote for its
/// move, the heavier the deeper it searched and the better its score.
pub(super) fn agree(first: Outcome, others: &[Outcome]) -> Outcome {
    let all = || others.iter().chain([&first]);
    let worst = all().map(|outcome| outcome.score).min();
    let weight = |outcome: &Outcome| {
        let above = outcome.score.units() - worst.map_or(0, Score::units);
        i64::from(above.min(Score::LIMIT.units()) + 15) * i64::from(outcome.depth)
    };
    let votes = |point: Option<Point>| -> i64 {
        let agreeing = all().filter(|outcome| outcome.best == point);
        agreeing.map(weight).sum()
    };
    // Of equals the last is taken: the reporting thread stands there.
    let chosen = all().max_by_key(|outcome| {
        let win = outcome.score.is_win().then_some(outcome.score);
        (win, votes(outcome.best), outcome.depth, outcome.score)
    });
    Outcome {
        nodes: all().map(|outcome| outcome.nodes).sum(),
        selective: all().map(|outcome| outcome.selective).max().unwrap_or(0),
        ..chosen.unwrap_or(&first).clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outcome(x: usize, score: Score, depth: u32) -> Outcome {
        Outcome {
            best: Some(Point::new(x, 7)),
            score,
            depth,
            selective: 20,
            nodes: 1000,
            line: Vec::new(),
        }
    }

    fn chosen(outcomes: &[Outcome]) -> usize {
        let agreed = agree(outcomes[0].clone(), &outcomes[1..]);
        assert_eq!(agreed.nodes, 1000 * outcomes.len() as u64);
        agreed.best.expect("a move").x()
    }

    #[test]
    fn threads_vote_and_wins_go_first() {
        let even = Score::ZERO;
        assert_eq!(chosen(&[outcome(1, even, 9)]), 1);
        assert_eq!(chosen(&[outcome(1, even, 9), outcome(2, even, 9)]), 1);
        assert_eq!(chosen(&[outcome(1, even, 9), outcome(2, even, 10)]), 2);
        let two = [
            outcome(1, even, 10),
            outcome(2, even, 9),
            outcome(2, even, 9),
        ];
        assert_eq!(chosen(&two), 2);
        let win = [
            outcome(1, Score::new(900), 20),
            outcome(2, Score::win_at(9), 8),
        ];
        assert_eq!(chosen(&win), 2);
    }

    #[test]
    fn nodes_are_handed_out_once() {
        let limit = 10 * POLL_INTERVAL + 7;
        let team = Team::new(limit);
        let take_all = || {
            let portions = std::iter::from_fn(|| Some(team.claim()).filter(|&nodes| nodes > 0));
            portions.sum::<u64>()
        };
        let taken: u64 = std::thread::scope(|scope| {
            let threads: Vec<_> = (0..4).map(|_| scope.spawn(take_all)).collect();
            threads
                .into_iter()
                .map(|t| t.join().expect("no panic"))
                .sum()
        });
        assert_eq!(taken, limit);
        let stopped = Team::new(limit);
        stopped.stop();
        assert_eq!(stopped.claim(), 0);
    }
}
