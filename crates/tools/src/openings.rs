//! Lists of balanced openings, no two of which are the same when turned or mirrored.
//!
//! Every attempt depends only on the seed and its own number, so the same settings
//! give the same openings on any number of threads.

use quincunx_engine::engine::openings::{BalancedOpening, OpeningSettings, symmetry_key};
use quincunx_engine::eval::WeightSet;
use quincunx_engine::search::{Searcher, TranspositionTable};
use quincunx_engine::splitmix;
use quincunx_runs::in_order;
use std::collections::HashSet;
use std::io;
use std::ops::ControlFlow;
use std::sync::Arc;

/// The transposition table of an attempt, in bytes.
const TABLE_BYTES: usize = 4 << 20;

/// The attempts in a row without a new opening after which a run gives up, so that
/// impossible settings end.
const ATTEMPTS: usize = 500;

/// The settings of a list of openings.
#[derive(Clone)]
pub struct ListSettings {
    /// The properties of each opening.
    pub opening: OpeningSettings,
    /// The number of openings.
    pub count: usize,
    /// The seed of the openings.
    pub seed: u64,
    /// The number of attempts at a time, which does not change the openings.
    pub threads: usize,
    /// The weights of the evaluation that judges the openings.
    pub weights: Arc<WeightSet>,
}

/// Something that happened while openings were made.
#[derive(Debug)]
pub enum ListEvent<'a> {
    /// An opening was found.
    Found(&'a BalancedOpening),
    /// The number of attempts so far.
    Tried(usize),
}

/// Makes openings and returns their number. `on_event` gets each opening and the number of
/// attempts, and ends the work by a break. `stop` ends it at once, by returning true in the midst
/// of an attempt.
///
/// # Errors
/// Returns an error if the system can't start a thread.
pub fn make(
    settings: &ListSettings,
    stop: &(dyn Fn() -> bool + Sync),
    mut on_event: impl FnMut(ListEvent<'_>) -> ControlFlow<()>,
) -> io::Result<usize> {
    let mut seen = HashSet::new();
    let (mut found, mut failed) = (0, 0);
    // Kept until the end: the searcher of an attempt drops its weights, and loading a network
    // takes as long as thousands of nodes.
    let _loaded = settings.weights.of(settings.opening.rule);
    let attempts = (0..).take_while(|_| settings.count > 0 && !stop());
    let threads = vec![(); settings.threads.max(1)];
    in_order(
        threads,
        attempts,
        |(), number| (number, make_one(settings, stop, number)),
        |(number, opening)| {
            let new = opening.filter(|opening| seen.insert(symmetry_key(&opening.position)));
            match new {
                Some(opening) => {
                    (found, failed) = (found + 1, 0);
                    on_event(ListEvent::Found(&opening))?;
                }
                None => failed += 1,
            }
            on_event(ListEvent::Tried(number + 1))?;
            match found == settings.count || failed == ATTEMPTS {
                true => ControlFlow::Break(()),
                false => ControlFlow::Continue(()),
            }
        },
    )?;
    Ok(found)
}

/// Makes the attempt with this number.
fn make_one(
    settings: &ListSettings,
    stop: &dyn Fn() -> bool,
    number: usize,
) -> Option<BalancedOpening> {
    // Neighbouring seeds must not give neighbouring sequences.
    let mixed = settings.seed.wrapping_mul(splitmix::GAMMA) ^ (number as u64) << 20;
    let mut random = fastrand::Rng::with_seed(mixed);
    let table = Arc::new(TranspositionTable::new(TABLE_BYTES));
    let mut searcher = Searcher::new(table, Arc::clone(&settings.weights));
    settings.opening.attempt(&mut random, &mut searcher, stop)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use quincunx_engine::engine::openings::BalanceTest;
    use quincunx_engine::rules::{BoardSize, Rule};

    fn list(threads: usize) -> Vec<(String, i32)> {
        let settings = ListSettings {
            opening: OpeningSettings {
                rule: Rule::Renju,
                size: BoardSize::default(),
                stones: 3..=6,
                balance: BalanceTest {
                    nodes: 3_000,
                    window: 120,
                },
                choose_last: true,
                quiet: false,
            },
            count: 6,
            seed: 4,
            threads,
            weights: Arc::default(),
        };
        let mut all = Vec::new();
        let found = make(&settings, &|| false, |event| {
            // No attempt is running, and the next one need not load them again.
            assert!(settings.weights.has(settings.opening.rule));
            if let ListEvent::Found(opening) = event {
                all.push((opening.position.move_text(), opening.score.units()));
            }
            ControlFlow::Continue(())
        });
        assert_eq!(found.unwrap(), 6);
        all
    }

    /// One stone has no more than six points to stand on, turned and mirrored aside.
    #[test]
    fn a_run_ends_where_there_are_no_more_openings() {
        let made = |threads| {
            let settings = ListSettings {
                opening: OpeningSettings {
                    rule: Rule::Freestyle,
                    size: BoardSize::square(5).unwrap(),
                    stones: 1..=1,
                    balance: BalanceTest {
                        nodes: 20,
                        window: 30_000,
                    },
                    choose_last: false,
                    quiet: false,
                },
                count: 50,
                seed: 1,
                threads,
                weights: Arc::default(),
            };
            make(&settings, &|| false, |_| ControlFlow::Continue(())).unwrap()
        };
        assert!((1..=6).contains(&made(1)), "{}", made(1));
        assert_eq!(made(3), made(1));
    }

    #[test]
    fn openings_do_not_depend_on_threads() {
        let openings = list(1);
        assert_eq!(openings, list(3));
        for (moves, score) in &openings {
            let read = quincunx_engine::position::Position::from_moves(
                Rule::Renju,
                BoardSize::default(),
                moves,
            );
            let stones = read.map_or(0, |position| position.ply());
            assert!((3..=6).contains(&stones), "{moves}");
            assert!(score.abs() <= 120, "{moves}");
        }
    }
}
