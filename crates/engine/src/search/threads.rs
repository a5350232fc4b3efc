//! Lazy SMP: every thread searches the whole tree, and the deepest and best of
//! their results is chosen by vote.
//!
//! Each thread has a position and histories of its own; they help each other
//! through the transposition table alone.

use super::budget::NodeBudget;
use super::report::{Line, Report};
use super::root;
use super::search_thread::{SearchContext, ThreadData};
use crate::eval::Evaluator;
use crate::rules::Point;
use crate::score::Score;
#[cfg(target_family = "wasm")]
use rayon_core::{Scope, in_place_scope as scope};
#[cfg(not(target_family = "wasm"))]
use std::thread::{Scope, scope};

/// Searches with the calling thread, which talks to `report`, and one more for
/// each of `helpers`.
pub(super) fn search<E: Evaluator>(
    context: SearchContext<'_, E>,
    main: &mut ThreadData,
    helpers: &mut [ThreadData],
    report: &mut dyn Report,
) -> Line {
    let mut others = vec![None; helpers.len()];
    let main = scope(|scope| {
        for (index, (data, found)) in helpers.iter_mut().zip(&mut others).enumerate() {
            // Every other thread is a ply ahead, so that they do not all
            // find the same.
            let first_depth = 1 + (index as u32 + 1) % 2;
            begin(scope, move || {
                *found = Some(root::search(context, data, first_depth, None));
            });
        }
        let _stop = StopOnDrop(context.budget);
        root::search(context, main, 1, Some(report))
    });
    let others: Vec<Line> = others.into_iter().flatten().collect();
    vote(main, &others)
}

/// Works on a thread of its own, if the system has one.
#[cfg(not(target_family = "wasm"))]
fn begin<'scope>(scope: &'scope Scope<'scope, '_>, work: impl FnOnce() + Send + 'scope) {
    // Without the thread the others search alone.
    let _ = super::spawn_scoped(scope, work);
}

/// Works on a thread of rayon's global pool, which the host has to make: WebAssembly begins
/// no thread by itself.
#[cfg(target_family = "wasm")]
fn begin<'scope>(scope: &Scope<'scope>, work: impl FnOnce() + Send + 'scope) {
    scope.spawn(|_| work());
}

/// Stops the search when it goes out of scope, after a panic as well: helpers have no
/// other end, and the scope waits for them.
struct StopOnDrop<'a>(&'a NodeBudget);

impl Drop for StopOnDrop<'_> {
    fn drop(&mut self) {
        self.0.stop();
    }
}

/// The result of all threads together, `main` being that of the reporting one.
///
/// The shortest proven win is chosen. Without one, each thread votes for its
/// move, with more weight the deeper it searched and the better its score.
fn vote(main: Line, others: &[Line]) -> Line {
    let all = || others.iter().chain([&main]);
    let worst = all().map(|result| result.score).min();
    let weight = |result: &Line| {
        let above = result.score.units() - worst.map_or(0, Score::units);
        i64::from(above.min(Score::MAX_EVAL.units()) + 15) * i64::from(result.depth)
    };
    let votes = |point: Option<Point>| -> i64 {
        let agreeing = all().filter(|result| result.best() == point);
        agreeing.map(weight).sum()
    };
    // Of equals the last is taken, which is the main thread's.
    let chosen = all().max_by_key(|result| {
        let win = result.score.is_win().then_some(result.score);
        (win, votes(result.best()), result.depth, result.score)
    });
    Line {
        nodes: all().map(|result| result.nodes).sum(),
        seldepth: all().map(|result| result.seldepth).max().unwrap_or(0),
        ..chosen.unwrap_or(&main).clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn result(x: usize, score: Score, depth: u32) -> Line {
        Line {
            depth,
            nodes: 1000,
            ..Line::new(score, vec![Point::new(x, 7)])
        }
    }

    fn chosen(results: &[Line]) -> usize {
        let agreed = vote(results[0].clone(), &results[1..]);
        assert_eq!(agreed.nodes, 1000 * results.len() as u64);
        agreed.best().expect("a move").x()
    }

    #[test]
    fn threads_vote_and_wins_go_first() {
        let even = Score::ZERO;
        assert_eq!(chosen(&[result(1, even, 9)]), 1);
        assert_eq!(chosen(&[result(1, even, 9), result(2, even, 9)]), 1);
        assert_eq!(chosen(&[result(1, even, 9), result(2, even, 10)]), 2);
        let two = [result(1, even, 10), result(2, even, 9), result(2, even, 9)];
        assert_eq!(chosen(&two), 2);
        let win = [
            result(1, Score::new(900), 20),
            result(2, Score::win_at(9), 8),
        ];
        assert_eq!(chosen(&win), 2);
    }
}
