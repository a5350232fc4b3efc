//! Parameter tuning by games: simultaneous perturbation stochastic approximation
//! (SPSA).
//!
//! In every pair of games two searches play each other whose parameters are
//! perturbed in opposite directions, all at once and at random. The parameters then
//! move a little towards the winner. No single pair says anything, but thousands of
//! pairs tune dozens of parameters together. The perturbations decay as 1/k^0.101
//! and the learning rate as 1/k^0.602, as J. C. Spall advises.

use fastrand::Rng;
use quincunx_engine::engine::openings::{NoOpening, OpeningSettings};
use quincunx_engine::eval::WeightSet;
use quincunx_engine::position::Position;
use quincunx_engine::rules::{BoardSize, Color, ParseRuleError, ParseSizeError, Rule};
use quincunx_engine::search::{Limits, Params, Searcher, TranspositionTable};
use quincunx_files::{self as files, WriteError};
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::{fmt, fs, io};

/// The size of the transposition table of one side.
const TABLE_BYTES: usize = 2 << 20;

/// The exponent of the decay of perturbations.
const GAMMA: f64 = 0.101;

/// The exponent of the decay of the learning rate.
const ALPHA: f64 = 0.602;

/// The learning rate decays as if this share of all pairs had been played before
/// the first.
const STABILITY: f64 = 0.1;

/// The state file is written after this many pairs.
const SAVE_INTERVAL: u32 = 50;

/// How parameters are tuned. The state file keeps the options, and a run resumes
/// only with the same.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SpsaOptions {
    /// The rule, by name.
    pub rule: String,
    /// The boards, by name.
    pub sizes: Vec<String>,
    /// Nodes a move.
    pub nodes: u64,
    /// Pairs of games in the whole run.
    pub pairs: u32,
    /// The perturbation at the end of the run, in steps of a parameter. A larger
    /// one makes the gradient less noisy and more biased.
    pub spread: f64,
    /// The learning rate at the end of the run: how far one game won moves a
    /// parameter, in steps.
    #[serde(rename = "rate")]
    pub learning_rate: f64,
    /// The seed of openings and perturbations.
    pub seed: u64,
}

impl fmt::Display for SpsaOptions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "--rule {} --size {} --nodes {} --pairs {} --spread {} --rate {} --seed {}",
            self.rule,
            self.sizes.join(","),
            self.nodes,
            self.pairs,
            self.spread,
            self.learning_rate,
            self.seed
        )
    }
}

/// The state of a run, as its file keeps it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SpsaState {
    /// The options of the run.
    #[serde(rename = "settings")]
    pub options: SpsaOptions,
    /// Pairs of games played.
    pub played: u32,
    /// Games won, lost and drawn by the side with the positive perturbation.
    pub results: [u32; 3],
    /// The parameters by name.
    pub values: Vec<(String, f64)>,
}

/// Parameter tuning failed.
#[derive(Debug, thiserror::Error)]
pub enum SpsaError {
    /// The options name an unknown rule.
    #[error(transparent)]
    Rule(#[from] ParseRuleError),
    /// The options name an invalid board.
    #[error(transparent)]
    Size(#[from] ParseSizeError),
    /// The options name no board.
    #[error("games need a board")]
    NoBoard,
    /// The options allow no nodes.
    #[error("games need nodes")]
    NoNodes,
    /// A pair of games has no opening.
    #[error(transparent)]
    Opening(#[from] NoOpening),
    /// The state file can't be read.
    #[error("can't use the parameters {}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// The reason.
        source: io::Error,
    },
    /// The state file is of a run with other options.
    #[error("{} is of another run: {options}", path.display())]
    OtherRun {
        /// The file.
        path: PathBuf,
        /// The options of that run.
        options: Box<SpsaOptions>,
    },
    /// The state file is of a program with other parameters.
    #[error("{} has no value of the parameter {name}", path.display())]
    OtherParameters {
        /// The file.
        path: PathBuf,
        /// The first parameter of this program that the file lacks.
        name: &'static str,
    },
    /// The state file can't be written.
    #[error(transparent)]
    Write(#[from] WriteError),
}

impl SpsaState {
    /// Returns the state of a run that begins with the program's parameters.
    ///
    /// # Errors
    /// Returns an error if the options name an unknown rule.
    pub fn begin(options: SpsaOptions) -> Result<SpsaState, SpsaError> {
        let rule: Rule = options.rule.parse()?;
        let params = Params::of(rule);
        let values = Params::TUNABLES
            .iter()
            .filter_map(|tunable| {
                let value = params.get(tunable.name)?;
                Some((tunable.name.to_owned(), f64::from(value)))
            })
            .collect();
        Ok(SpsaState {
            options,
            played: 0,
            results: [0; 3],
            values,
        })
    }

    /// Reads the state of a run, or begins one if there is no file.
    ///
    /// # Errors
    /// Returns an error if the file can't be read, is of another run, or has other
    /// parameters than this program.
    pub fn open(options: &SpsaOptions, path: &Path) -> Result<SpsaState, SpsaError> {
        if !path.exists() {
            return SpsaState::begin(options.clone());
        }
        let state = SpsaState::read(path)?;
        if state.options != *options {
            return Err(SpsaError::OtherRun {
                path: path.to_owned(),
                options: Box::new(state.options),
            });
        }
        Ok(state)
    }

    /// Reads the state of a run.
    ///
    /// # Errors
    /// Returns an error if the file can't be read or has other parameters than this program.
    pub fn read(path: &Path) -> Result<SpsaState, SpsaError> {
        let read = || -> io::Result<SpsaState> { Ok(serde_json::from_slice(&fs::read(path)?)?) };
        let state = read().map_err(|source| SpsaError::Read {
            path: path.to_owned(),
            source,
        })?;
        // Values and parameters are matched by their order.
        let mut names = state.values.iter().map(|(name, _)| name.as_str());
        let mut tunables = Params::TUNABLES.iter().map(|tunable| tunable.name);
        match tunables.find(|name| names.next() != Some(name)) {
            None => Ok(state),
            Some(name) => Err(SpsaError::OtherParameters {
                path: path.to_owned(),
                name,
            }),
        }
    }

    /// Returns the parameters as a search takes them, by name.
    pub fn parameters(&self) -> impl Iterator<Item = (&str, i32)> {
        let values = self.values.iter();
        values.map(|(name, value)| (name.as_str(), value.round() as i32))
    }

    fn save(&self, path: &Path) -> Result<(), WriteError> {
        files::replace_with(path, |draft| Ok(serde_json::to_writer_pretty(draft, self)?))
            .map_err(|error| WriteError::new(path, error))
    }

    fn is_finished(&self) -> bool {
        self.played >= self.options.pairs
    }

    /// Returns the present perturbation in steps of a parameter.
    fn spread(&self) -> f64 {
        let pairs = f64::from(self.options.pairs.max(1));
        self.options.spread * (pairs / f64::from(self.played + 1)).powf(GAMMA)
    }

    /// Returns the present learning rate in steps of a parameter.
    fn learning_rate(&self) -> f64 {
        let pairs = f64::from(self.options.pairs.max(1));
        let delay = STABILITY * pairs;
        let decay = ((pairs + delay) / (f64::from(self.played + 1) + delay)).powf(ALPHA);
        self.options.learning_rate * decay
    }

    /// Draws the perturbation of a pair: every parameter up or down.
    fn perturb(&self, rng: &mut Rng) -> Perturbation {
        let spread = self.spread();
        let mut perturbation = Perturbation::default();
        for ((name, value), tunable) in self.values.iter().zip(Params::TUNABLES) {
            let step = f64::from(tunable.step) * if rng.bool() { 1.0 } else { -1.0 };
            // Stochastic rounding: the fraction is the probability of rounding up.
            let mut round = |value: f64| (value + rng.f64()).floor() as i32;
            let plus = round(value + spread * step);
            perturbation.plus.push((name.clone(), plus));
            let minus = round(value - spread * step);
            perturbation.minus.push((name.clone(), minus));
            perturbation.steps.push(step);
        }
        perturbation
    }

    /// Updates all parameters after a pair. The results are 1, 0 or -1 for the side
    /// with the positive perturbation.
    fn update(&mut self, perturbation: &Perturbation, results: [i32; 2]) {
        for result in results {
            self.results[match result {
                1 => 0,
                -1 => 1,
                _ => 2,
            }] += 1;
        }
        let rate = self.learning_rate() * f64::from(results[0] + results[1]);
        let values = self.values.iter_mut().zip(Params::TUNABLES);
        for (((_, value), tunable), step) in values.zip(&perturbation.steps) {
            *value = (*value + rate * step).clamp(f64::from(tunable.min), f64::from(tunable.max));
        }
        self.played += 1;
    }
}

/// The parameters of the two sides of a pair.
#[derive(Default)]
struct Perturbation {
    plus: Vec<(String, i32)>,
    minus: Vec<(String, i32)>,
    /// The steps of the parameters with the signs of `plus`.
    steps: Vec<f64>,
}

/// One of the two players of a pair.
struct PairPlayer {
    searcher: Searcher,
    table: Arc<TranspositionTable>,
}

impl PairPlayer {
    fn new(weights: &Arc<WeightSet>) -> PairPlayer {
        let table = Arc::new(TranspositionTable::new(TABLE_BYTES));
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

/// Plays pairs until the run is complete. `on_pair` is called after each pair and
/// ends the run early by returning false; the file keeps what was learned.
///
/// With several threads the order in which pairs end varies, and so does the result.
///
/// # Errors
/// Returns an error if the file can't be read or written, or is of another run.
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
    let state = SpsaState::open(options, path)?;
    let shared = Mutex::new(Shared {
        begun: state.played,
        state,
        on_pair,
        outcome: Ok(()),
    });
    std::thread::scope(|scope| {
        for _ in 0..threads.max(1) {
            let (shared, sizes) = (&shared, &sizes);
            scope.spawn(move || {
                let mut players = [(); 2].map(|()| PairPlayer::new(weights));
                loop {
                    // A `while let` would hold the lock during the games.
                    let next = lock(shared).next_pair();
                    let Some((mut rng, perturbation)) = next else {
                        break;
                    };
                    let size = sizes[rng.usize(..sizes.len())];
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
            });
        }
    });
    let Shared { state, outcome, .. } = shared.into_inner().unwrap_or_else(PoisonError::into_inner);
    outcome?;
    Ok(state)
}

/// The part of a run that its threads share.
struct Shared<F> {
    state: SpsaState,
    /// The pairs that are played or being played.
    begun: u32,
    on_pair: F,
    /// What went wrong, in drawing an opening or writing the state file.
    outcome: Result<(), SpsaError>,
}

impl<F: FnMut(&SpsaState) -> bool> Shared<F> {
    /// Returns the random numbers of the next pair, which depend on its number only, and its
    /// perturbation; `None` if there is no other pair.
    fn next_pair(&mut self) -> Option<(Rng, Perturbation)> {
        let options = &self.state.options;
        if self.begun >= options.pairs || self.outcome.is_err() {
            return None;
        }
        let mut rng = Rng::with_seed(super::part_seed(options.seed, self.begun));
        self.begun += 1;
        let perturbation = self.state.perturb(&mut rng);
        Some((rng, perturbation))
    }

    /// Learns from a pair and returns whether the run goes on.
    fn finish_pair(&mut self, perturbation: &Perturbation, results: [i32; 2], path: &Path) -> bool {
        self.state.update(perturbation, results);
        let goes_on = (self.on_pair)(&self.state);
        let is_last = !goes_on || self.state.is_finished();
        if self.outcome.is_ok() && (is_last || self.state.played.is_multiple_of(SAVE_INTERVAL)) {
            self.outcome = self.state.save(path).map_err(SpsaError::from);
        }
        goes_on
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
    let openings = OpeningSettings::self_play(rule, size, options.nodes);
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
        position.play(outcome.best?);
        if position.won() {
            return Some(side);
        }
    }
    None
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn options(pairs: u32) -> SpsaOptions {
        SpsaOptions {
            rule: "freestyle".to_owned(),
            sizes: vec!["9".to_owned()],
            nodes: 50,
            pairs,
            spread: 1.0,
            learning_rate: 0.01,
            seed: 1,
        }
    }

    /// State files of earlier versions can be resumed.
    #[test]
    fn the_names_in_the_state_file_are_fixed() {
        let state = SpsaState::begin(options(4)).unwrap();
        let text = serde_json::to_string(&state).unwrap();
        let start = concat!(
            r#"{"settings":{"rule":"freestyle","sizes":["9"],"nodes":50,"pairs":4,"#,
            r#""spread":1.0,"rate":0.01,"seed":1},"played":0,"results":[0,0,0],"values":[["#
        );
        assert!(text.starts_with(start), "{text}");
    }

    #[test]
    fn a_run_resumes_where_it_stopped() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("run.json");
        let mut pairs = 0;
        let state = run(&options(4), &Arc::default(), 1, &path, &mut |_| {
            pairs += 1;
            pairs < 2
        });
        assert_eq!(state.unwrap().played, 2);
        let state = run(&options(4), &Arc::default(), 2, &path, &mut |_| true).unwrap();
        assert_eq!(state.played, 4);
        assert_eq!(SpsaState::open(&options(4), &path).unwrap(), state);
        assert!(SpsaState::open(&options(5), &path).is_err());
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

    #[test]
    fn a_run_with_other_parameters_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("other.json");
        let mut state = SpsaState::begin(options(4)).unwrap();
        state.values[2].0 = "forgotten".to_owned();
        state.save(&path).unwrap();
        let error = SpsaState::open(&options(4), &path).unwrap_err();
        let name = Params::TUNABLES[2].name;
        assert!(error.to_string().ends_with(name), "{error}");
        state.values.truncate(2);
        state.save(&path).unwrap();
        assert!(SpsaState::open(&options(4), &path).is_err());
    }

    #[test]
    fn parameters_move_towards_the_winner() {
        // The side with the larger first parameter wins, so it has to grow.
        let mut state = SpsaState::begin(options(2000)).unwrap();
        let before = state.values[0].1;
        let mut rng = Rng::with_seed(7);
        for _ in 0..500 {
            let perturbation = state.perturb(&mut rng);
            let plus_wins = perturbation.plus[0].1 > perturbation.minus[0].1;
            state.update(&perturbation, if plus_wins { [1, 1] } else { [-1, -1] });
        }
        let step = f64::from(Params::TUNABLES[0].step);
        assert!(state.values[0].1 > before + 5.0 * step);
        for ((_, value), tunable) in state.values.iter().zip(Params::TUNABLES) {
            assert!((f64::from(tunable.min)..=f64::from(tunable.max)).contains(value));
        }
    }
}
