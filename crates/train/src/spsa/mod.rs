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
use quincunx_engine::search::{Limits, Searcher, TranspositionTable, spawn_scoped};
use quincunx_files as files;
use state::Perturbation;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

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
/// pair and ends the run early by returning false; the file keeps what was learned.
///
/// With several threads the order in which pairs end varies, and so does the result.
///
/// # Errors
/// Returns an error if the file can't be read or written, is in use, or is of another run.
pub fn run(
    options: &SpsaOptions,
    weights: &Arc<WeightSet>,
    threads: usize,
    path: &Path,
    on_pair: &mut (dyn FnMut(&SpsaState) -> bool + Send),
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
    let state = SpsaState::open(options, weights.checksum_of(&[rule]), path)?;
    let shared = Mutex::new(Shared {
        state,
        playing: 0,
        on_pair,
        outcome: Ok(()),
    });
    std::thread::scope(|scope| {
        for _ in 0..threads.max(1) {
            let (shared, sizes) = (&shared, &sizes);
            let started = spawn_scoped(scope, move || {
                play_pairs(shared, rule, sizes, options, weights, path);
            });
            if let Err(error) = started {
                lock(shared).outcome = Err(SpsaError::Thread(error));
                break;
            }
        }
    });
    let Shared { state, outcome, .. } = shared.into_inner().unwrap_or_else(PoisonError::into_inner);
    outcome?;
    Ok(state)
}

/// Plays one pair after another, until no pair is left or the run ends early.
fn play_pairs<F: FnMut(&SpsaState) -> bool>(
    shared: &Mutex<Shared<F>>,
    rule: Rule,
    sizes: &[BoardSize],
    options: &SpsaOptions,
    weights: &Arc<WeightSet>,
    path: &Path,
) {
    let mut players = [(); 2].map(|()| PairPlayer::new(weights, table_bytes(options.nodes)));
    loop {
        // A `while let` would hold the lock during the games.
        let next = lock(shared).next_pair();
        let Some((number, mut rng, perturbation)) = next else {
            break;
        };
        let size = sizes[number as usize % sizes.len()];
        let opening = match draw_opening(&mut rng, rule, size, options, &mut players) {
            Ok(opening) => opening,
            Err(error) => {
                lock(shared).outcome = Err(error.into());
                break;
            }
        };
        let results = play_pair(&opening, options, &perturbation, &mut players);
        if !lock(shared).finish_pair(&perturbation, results, path) {
            break;
        }
    }
}

/// The part of a run that its threads share.
struct Shared<F> {
    state: SpsaState,
    /// The pairs that are being played.
    playing: u32,
    on_pair: F,
    /// What went wrong, in drawing an opening or writing the state file.
    outcome: Result<(), SpsaError>,
}

impl<F: FnMut(&SpsaState) -> bool> Shared<F> {
    /// Returns the number of the next pair, its random numbers, which depend on nothing else, and
    /// its perturbation; `None` if there is no other pair.
    fn next_pair(&mut self) -> Option<(u32, Rng, Perturbation)> {
        let options = &self.state.options;
        if self.state.played + self.playing >= options.pairs || self.outcome.is_err() {
            return None;
        }
        let number = self.state.begun;
        let mut rng = Rng::with_seed(super::part_seed(options.seed, number));
        self.state.begun += 1;
        self.playing += 1;
        let perturbation = self.state.perturb(&mut rng);
        Some((number, rng, perturbation))
    }

    /// Learns from a pair and returns whether the run goes on.
    fn finish_pair(&mut self, perturbation: &Perturbation, results: [i32; 2], path: &Path) -> bool {
        self.playing -= 1;
        self.state.update(perturbation, results);
        if self.outcome.is_ok() {
            self.outcome = self.state.save(path).map_err(SpsaError::from);
        }
        (self.on_pair)(&self.state)
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
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
            pairs < 2
        });
        assert_eq!(state.unwrap().played, 2);
        let state = run(&options(4), &Arc::default(), 2, &path, &mut |_| true).unwrap();
        assert_eq!(state.played, 4);
        assert_eq!(SpsaState::read(&path).unwrap(), state);
        // The run, and its lock.
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2);
        // Other options and other weights are another run.
        let go_on = |options: &SpsaOptions, weights: WeightSet| {
            run(options, &Arc::new(weights), 1, &path, &mut |_| true).map(|_| ())
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
        let play = || run(&options(1), &Arc::default(), 1, &path, &mut |_| true);
        let mut refusal = None;
        run(&options(1), &Arc::default(), 1, &path, &mut |_| {
            refusal = play().err();
            true
        })
        .unwrap();
        let refusal = refusal.unwrap().to_string();
        assert!(refusal.ends_with("is in use by another run"), "{refusal}");
        assert_eq!(play().unwrap().played, 1);
    }

    /// Pairs end in another order than they begin in. One that had ended was once played again.
    #[test]
    fn no_pair_is_played_twice_after_an_interruption() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("run.json");
        let begin = || Shared {
            state: SpsaState::open(&options(4), 0, &path).unwrap(),
            playing: 0,
            on_pair: |_: &SpsaState| true,
            outcome: Ok(()),
        };
        let mut run = begin();
        let (first, ..) = run.next_pair().unwrap();
        let (second, _, perturbation) = run.next_pair().unwrap();
        assert!(run.finish_pair(&perturbation, [0, 0], &path));
        let mut resumed = begin();
        let rest = std::iter::from_fn(|| Some(resumed.next_pair()?.0));
        let numbers: Vec<u32> = [first, second].into_iter().chain(rest).collect();
        assert_eq!(numbers, [0, 1, 2, 3, 4]);
    }

    #[test]
    fn one_thread_learns_the_same_after_an_interruption() {
        let folder = tempfile::tempdir().unwrap();
        let play = |name: &str, pairs: u32| {
            let path = folder.path().join(name);
            let mut goes_on = |state: &SpsaState| state.played < pairs;
            run(&options(4), &Arc::default(), 1, &path, &mut goes_on).unwrap()
        };
        play("interrupted", 2);
        assert_eq!(play("interrupted", 4), play("whole", 4));
    }
}
