//! Parameter tuning by games: simultaneous perturbation stochastic approximation
//! (SPSA).
//!
//! In every pair of games two searches play each other whose parameters are
//! perturbed in opposite directions, all at once and at random. The parameters then
//! move a little towards the winner. No single pair says anything, but thousands of
//! pairs tune dozens of parameters together. The perturbations decay as 1/k^0.101
//! and the learning rate as 1/k^0.602, as J. C. Spall advises.

mod state;

pub use state::{SpsaError, SpsaOptions, SpsaState};

use fastrand::Rng;
use quincunx_engine::engine::openings::NoOpening;
use quincunx_engine::eval::WeightSet;
use quincunx_engine::position::Position;
use quincunx_engine::rules::{BoardSize, Color, Rule};
use quincunx_engine::search::{Limits, Searcher, TranspositionTable};
use quincunx_files as files;
use quincunx_runs::in_order;
use state::Perturbation;
use std::cell::RefCell;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;

/// The least size of the transposition table of one side.
const TABLE_BYTES: usize = 2 << 20;

/// Bytes of the transposition table for each node of a move: room for a few moves.
const TABLE_BYTES_A_NODE: u64 = 64;

/// Returns the size of the transposition table of one side in bytes.
fn table_bytes(nodes: u64) -> usize {
    usize::try_from(nodes.saturating_mul(TABLE_BYTES_A_NODE))
        .unwrap_or(usize::MAX)
        .clamp(TABLE_BYTES, 1 << 30)
}

/// One of the two players of a pair.
struct PairPlayer {
    searcher: Searcher,
    table: Arc<TranspositionTable>,
}

impl PairPlayer {
    fn new(weights: &Arc<WeightSet>, table_bytes: usize) -> PairPlayer {
        let table = Arc::new(TranspositionTable::new(table_bytes));
        PairPlayer {
            searcher: Searcher::new(Arc::clone(&table), Arc::clone(weights)),
            table,
        }
    }

    fn prepare(&mut self, parameters: &[(String, i32)]) {
        self.searcher.tune(parameters);
        self.searcher.forget();
        self.table.clear();
    }
}

/// Plays pairs until the run is complete, on the boards in turn. `on_pair` is called after each
/// pair and ends the run early by a break; the file keeps what was learned. Pairs are learned from
/// in their order.
///
/// With several threads the parameters that a pair begins with vary, and so does the result.
///
/// # Errors
/// Returns an error if the file can't be read or written, is in use, or is of another run.
pub fn run(
    options: &SpsaOptions,
    weights: &Arc<WeightSet>,
    threads: usize,
    path: &Path,
    on_pair: &mut dyn FnMut(&SpsaState) -> ControlFlow<()>,
) -> Result<SpsaState, SpsaError> {
    let rule: Rule = options.rule.parse()?;
    let sizes: Vec<BoardSize> = (options.sizes.iter())
        .map(|size| size.parse())
        .collect::<Result<_, _>>()?;
    if sizes.is_empty() {
        return Err(SpsaError::NoBoard);
    }
    if options.nodes == 0 {
        return Err(SpsaError::NoNodes);
    }
    let _lock = files::lock_beside(path)?;
    files::remove_drafts(path);
    let state = RefCell::new(SpsaState::open(
        options,
        weights.checksum_of(&[rule]),
        path,
    )?);
    let played = state.borrow().played;
    let pairs = (played..options.pairs).map(|number| {
        let mut rng = Rng::with_seed(super::part_seed(options.seed, number));
        let perturbation = state.borrow().perturb(&mut rng);
        (number, rng, perturbation)
    });
    let players = || [(); 2].map(|()| PairPlayer::new(weights, table_bytes(options.nodes)));
    let mut outcome = Ok(());
    in_order(
        (0..threads.max(1)).map(|_| players()),
        pairs,
        |players, (number, mut rng, perturbation)| {
            let size = sizes[number as usize % sizes.len()];
            let opening = draw_opening(&mut rng, rule, size, options, players);
            opening.map(|opening| {
                let results = play_pair(&opening, options, &perturbation, players);
                (perturbation, results)
            })
        },
        |pair| {
            let mut state = state.borrow_mut();
            let learned = pair
                .map_err(SpsaError::from)
                .and_then(|(perturbation, results)| {
                    state.update(&perturbation, results);
                    Ok(state.save(path)?)
                });
            match learned {
                Ok(()) => on_pair(&state),
                Err(error) => {
                    outcome = Err(error);
                    ControlFlow::Break(())
                }
            }
        },
    )
    .map_err(SpsaError::Thread)?;
    outcome?;
    Ok(state.into_inner())
}

/// Draws a balanced opening, judged by the program's own parameters.
fn draw_opening(
    rng: &mut Rng,
    rule: Rule,
    size: BoardSize,
    options: &SpsaOptions,
    players: &mut [PairPlayer; 2],
) -> Result<Position, NoOpening> {
    players[0].prepare(&[]);
    let searcher = &mut players[0].searcher;
    let openings = options.opening(rule, size);
    Ok(openings.make(rng, searcher)?.position)
}

/// Plays an opening twice with colours swapped. Returns 1, 0 or -1 for each game,
/// as seen by the side with the positive perturbation.
fn play_pair(
    opening: &Position,
    options: &SpsaOptions,
    perturbation: &Perturbation,
    players: &mut [PairPlayer; 2],
) -> [i32; 2] {
    [Color::Black, Color::White].map(|plus| {
        players[0].prepare(&perturbation.plus);
        players[1].prepare(&perturbation.minus);
        let winner = play_game(opening.clone(), plus, options.nodes, players);
        winner.map_or(0, |winner| if winner == plus { 1 } else { -1 })
    })
}

/// Plays a game to its end, or until a search has proved the result, and returns
/// the winner.
fn play_game(
    mut position: Position,
    plus: Color,
    nodes: u64,
    players: &mut [PairPlayer; 2],
) -> Option<Color> {
    let limits = Limits {
        nodes,
        ..Limits::default()
    };
    while position.empty_points() > 0 {
        let side = position.side();
        let searcher = &mut players[usize::from(side != plus)].searcher;
        let outcome = searcher.search(&position, &limits, &mut ());
        if outcome.score.is_win() {
            return Some(side);
        }
        position.play(outcome.best()?);
        if position.won() {
            return Some(side);
        }
    }
    None
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::state::tests::options;
    use super::*;
    use std::fs;

    #[test]
    fn a_run_resumes_where_it_stopped() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("run.json");
        let mut pairs = 0;
        let state = run(&options(4), &Arc::default(), 1, &path, &mut |state| {
            // A run that is killed now has lost nothing.
            assert_eq!(SpsaState::read(&path).unwrap(), *state);
            pairs += 1;
            match pairs < 2 {
                true => ControlFlow::Continue(()),
                false => ControlFlow::Break(()),
            }
        });
        assert_eq!(state.unwrap().played, 2);
        let state = run(&options(4), &Arc::default(), 2, &path, &mut |_| {
            ControlFlow::Continue(())
        })
        .unwrap();
        assert_eq!(state.played, 4);
        assert_eq!(SpsaState::read(&path).unwrap(), state);
        // The run, and its lock.
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2);
        // Other options and other weights are another run.
        let go_on = |options: &SpsaOptions, weights: WeightSet| {
            run(options, &Arc::new(weights), 1, &path, &mut |_| {
                ControlFlow::Continue(())
            })
            .map(|_| ())
        };
        let error = go_on(&options(5), WeightSet::default()).unwrap_err();
        assert!(matches!(error, SpsaError::OtherRun { .. }), "{error}");
        let mut classical = WeightSet::default();
        classical.clear_lines();
        let error = go_on(&options(4), classical).unwrap_err();
        assert!(matches!(error, SpsaError::OtherWeights(_)), "{error}");
        assert_eq!(SpsaState::read(&path).unwrap(), state);
    }

    #[test]
    fn a_file_has_one_run_at_a_time() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("run.json");
        let play = || {
            run(&options(1), &Arc::default(), 1, &path, &mut |_| {
                ControlFlow::Continue(())
            })
        };
        let mut refusal = None;
        run(&options(1), &Arc::default(), 1, &path, &mut |_| {
            refusal = play().err();
            ControlFlow::Continue(())
        })
        .unwrap();
        let refusal = refusal.unwrap().to_string();
        assert!(refusal.ends_with("is in use by another run"), "{refusal}");
        assert_eq!(play().unwrap().played, 1);
    }

    #[test]
    fn one_thread_learns_the_same_after_an_interruption() {
        let folder = tempfile::tempdir().unwrap();
        let play = |name: &str, pairs: u32| {
            let path = folder.path().join(name);
            let mut goes_on = |state: &SpsaState| match state.played < pairs {
                true => ControlFlow::Continue(()),
                false => ControlFlow::Break(()),
            };
            run(&options(4), &Arc::default(), 1, &path, &mut goes_on).unwrap()
        };
        play("interrupted", 2);
        assert_eq!(play("interrupted", 4), play("whole", 4));
    }
}
