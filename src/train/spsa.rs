//! Tuning the search's numbers by games: simultaneous perturbation (SPSA).
//!
//! Every pair of games is played by two searches whose numbers differ from the
//! present ones by some steps, up in one and down in the other, for every
//! number at once and at random. All numbers then move a little towards the
//! side that won. No single pair says anything; thousands do, for dozens of
//! numbers together. The steps shrink as 1/k^0.101 and the moves as 1/k^0.602,
//! as J. C. Spall advises.

use super::openings;
use crate::files::replace;
use crate::position::Position;
use crate::rules::{BoardSize, Color, Rule};
use crate::search::{Limits, Params, Searcher, Table};
use anyhow::{Context, Result, ensure};
use fastrand::Rng;
use serde::{Deserialize, Serialize};
use std::fs;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

/// Memory of one side's searches.
const TABLE_BYTES: usize = 2 << 20;

/// How steps and moves shrink with the number of pairs played.
const GAMMA: f64 = 0.101;
const ALPHA: f64 = 0.602;

/// The moves begin as if this share of all pairs had been played.
const STABILITY: f64 = 0.1;

/// The state file is written after so many pairs.
const SAVED_EVERY: u32 = 50;

/// What is tuned, and how. Kept in the state file: a run goes on only with the
/// settings it began with.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Settings {
    /// The rule, by name.
    pub rule: String,
    /// The boards in turn, by name.
    pub sizes: Vec<String>,
    /// Nodes a move.
    pub nodes: u64,
    /// Pairs of games in the whole run.
    pub pairs: u32,
    /// How far from the present numbers the two sides are at the run's end, in
    /// steps. What a pair says of a number grows with it, and what chance says
    /// does not; but far from the present numbers play is another.
    pub spread: f64,
    /// How far a number moves for one game won, in parts of its step, at the
    /// run's end.
    pub rate: f64,
    /// The seed of openings and directions.
    pub seed: u64,
}

/// A run as its file keeps it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct State {
    /// How the run is made.
    pub settings: Settings,
    /// Pairs played.
    pub played: u32,
    /// Games won, lost and drawn by the side whose steps counted as up.
    pub results: [u32; 3],
    /// The numbers as they stand, by name.
    pub values: Vec<(String, f64)>,
}

impl State {
    /// A run that begins with the program's numbers.
    ///
    /// # Errors
    /// When the settings name no rule.
    pub fn begin(settings: Settings) -> Result<State> {
        let rule: Rule = settings.rule.parse()?;
        let params = Params::of(rule);
        let values = Params::TUNABLES
            .iter()
            .filter_map(|tunable| {
                let value = params.get(tunable.name)?;
                Some((tunable.name.to_owned(), f64::from(value)))
            })
            .collect();
        Ok(State {
            settings,
            played: 0,
            results: [0; 3],
            values,
        })
    }

    /// The run in the file, or one that begins where there is no file.
    ///
    /// # Errors
    /// When the file can't be understood or is of another run.
    pub fn open(settings: &Settings, path: &Path) -> Result<State> {
        if !path.exists() {
            return State::begin(settings.clone());
        }
        let read = || -> Result<State> { Ok(serde_json::from_slice(&fs::read(path)?)?) };
        let state = read().with_context(|| format!("can't go on from {}", path.display()))?;
        ensure!(
            state.settings == *settings,
            "{} is of another run: {:?}",
            path.display(),
            state.settings
        );
        Ok(state)
    }

    fn save(&self, path: &Path) -> Result<()> {
        replace(path, &serde_json::to_vec_pretty(self)?)
    }

    /// How far away the sides are now, in steps of the table.
    fn spread(&self) -> f64 {
        let all = f64::from(self.settings.pairs.max(1));
        self.settings.spread * (all / f64::from(self.played + 1)).powf(GAMMA)
    }

    /// How far a game moves a number now, in steps of the table.
    fn rate(&self) -> f64 {
        let all = f64::from(self.settings.pairs.max(1));
        let delay = STABILITY * all;
        let shrink = ((all + delay) / (f64::from(self.played + 1) + delay)).powf(ALPHA);
        self.settings.rate * shrink
    }

    /// The numbers for a pair: every number up or down.
    fn trial(&self, rng: &mut Rng) -> Trial {
        let spread = self.spread();
        let mut trial = Trial::default();
        for ((name, value), tunable) in self.values.iter().zip(Params::TUNABLES) {
            let step = f64::from(tunable.step) * if rng.bool() { 1.0 } else { -1.0 };
            // The fraction says how often it is rounded up.
            let mut whole = |value: f64| (value + rng.f64()).floor() as i32;
            (trial.plus).push((name.clone(), whole(value + spread * step)));
            (trial.minus).push((name.clone(), whole(value - spread * step)));
            trial.steps.push(step);
        }
        trial
    }

    /// Moves all numbers by what a pair came to: games won less games lost by
    /// the side that got the steps as they are.
    fn learn(&mut self, trial: &Trial, balance: f64) {
        let rate = self.rate() * balance;
        let numbers = self.values.iter_mut().zip(Params::TUNABLES);
        for (((_, value), tunable), step) in numbers.zip(&trial.steps) {
            *value = (*value + rate * step).clamp(f64::from(tunable.min), f64::from(tunable.max));
        }
        self.played += 1;
    }
}

/// The numbers of the two sides of a pair.
#[derive(Default)]
struct Trial {
    plus: Vec<(String, i32)>,
    minus: Vec<(String, i32)>,
    /// The table's steps, with the sign of `plus`.
    steps: Vec<f64>,
}

/// A search with a table of its own.
struct Side {
    searcher: Searcher,
    table: Arc<Table>,
}

impl Side {
    fn new() -> Side {
        let table = Arc::new(Table::new(TABLE_BYTES));
        Side {
            searcher: Searcher::new(Arc::clone(&table)),
            table,
        }
    }

    fn prepare(&mut self, numbers: &[(String, i32)]) {
        self.searcher.tune(numbers);
        self.searcher.forget();
        self.table.clear();
    }
}

/// Plays pairs until the run is complete. `told` hears of each and ends the run
/// early by returning false; what was learned is in the file.
///
/// With more than one thread the order of the pairs, and so the numbers in the
/// end, are not the same twice.
///
/// # Errors
/// When the file can't be read or written, or is of another run.
pub fn run(
    settings: &Settings,
    threads: usize,
    path: &Path,
    told: impl FnMut(&State) -> bool + Send,
) -> Result<State> {
    let rule: Rule = settings.rule.parse()?;
    let sizes: Vec<BoardSize> = (settings.sizes.iter())
        .map(|size| size.parse())
        .collect::<Result<_, _>>()?;
    ensure!(!sizes.is_empty(), "games need a board");
    ensure!(settings.nodes > 0, "games need nodes");
    let state = State::open(settings, path)?;
    let desk = Mutex::new((state, told, Ok(())));
    std::thread::scope(|scope| {
        for thread in 0..threads.max(1) as u64 {
            let (desk, sizes) = (&desk, &sizes);
            scope.spawn(move || {
                let mut sides = [Side::new(), Side::new()];
                let first = desk.lock().unwrap_or_else(PoisonError::into_inner).0.played;
                let mut rng = Rng::with_seed(settings.seed ^ u64::from(first) << 32 ^ thread << 56);
                loop {
                    let trial = {
                        let desk = desk.lock().unwrap_or_else(PoisonError::into_inner);
                        if desk.0.played >= settings.pairs || desk.2.is_err() {
                            break;
                        }
                        desk.0.trial(&mut rng)
                    };
                    let size = sizes[rng.usize(..sizes.len())];
                    let results = play_pair(&mut rng, rule, size, settings, &trial, &mut sides);
                    let mut desk = desk.lock().unwrap_or_else(PoisonError::into_inner);
                    let (state, told, ended) = &mut *desk;
                    for result in results {
                        state.results[match result {
                            1 => 0,
                            -1 => 1,
                            _ => 2,
                        }] += 1;
                    }
                    state.learn(&trial, f64::from(results[0] + results[1]));
                    let goes_on = told(state);
                    let is_last = !goes_on || state.played >= settings.pairs;
                    if is_last || state.played.is_multiple_of(SAVED_EVERY) {
                        let saved = state.save(path);
                        if ended.is_ok() {
                            *ended = saved;
                        }
                    }
                    if !goes_on {
                        break;
                    }
                }
            });
        }
    });
    let (state, _, ended) = desk.into_inner().unwrap_or_else(PoisonError::into_inner);
    ended.map(|()| state)
}

/// Plays an opening twice with colours swapped: 1, 0 or -1 for each game, from
/// the view of the side with the steps as they are.
fn play_pair(
    rng: &mut Rng,
    rule: Rule,
    size: BoardSize,
    settings: &Settings,
    trial: &Trial,
    sides: &mut [Side; 2],
) -> [i32; 2] {
    sides[0].searcher.tune(&[]);
    let opening = openings::draw(rng, rule, size, settings.nodes, &mut sides[0].searcher);
    [Color::Black, Color::White].map(|plus| {
        sides[0].prepare(&trial.plus);
        sides[1].prepare(&trial.minus);
        let winner = play(opening.clone(), plus, settings.nodes, sides);
        winner.map_or(0, |winner| if winner == plus { 1 } else { -1 })
    })
}

/// Plays to the end, or until a search has proved how it ends.
fn play(mut position: Position, plus: Color, nodes: u64, sides: &mut [Side; 2]) -> Option<Color> {
    let limits = Limits {
        nodes,
        ..Limits::default()
    };
    while position.empty_points() > 0 {
        let side = position.side();
        let searcher = &mut sides[usize::from(side != plus)].searcher;
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

    fn settings(pairs: u32) -> Settings {
        Settings {
            rule: "freestyle".to_owned(),
            sizes: vec!["9".to_owned()],
            nodes: 50,
            pairs,
            spread: 1.0,
            rate: 0.01,
            seed: 1,
        }
    }

    #[test]
    fn a_run_goes_on_where_it_stopped() {
        let folder = tempfile();
        let path = folder.join("run.json");
        let mut pairs = 0;
        let state = run(&settings(4), 1, &path, |_| {
            pairs += 1;
            pairs < 2
        });
        assert_eq!(state.unwrap().played, 2);
        let state = run(&settings(4), 2, &path, |_| true).unwrap();
        assert!(state.played >= 4);
        assert_eq!(State::open(&settings(4), &path).unwrap(), state);
        assert!(State::open(&settings(5), &path).is_err());
        fs::remove_dir_all(folder).unwrap();
    }

    fn tempfile() -> std::path::PathBuf {
        let folder = std::env::temp_dir().join(format!("quincunx-spsa-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        folder
    }

    #[test]
    fn numbers_move_towards_the_side_that_wins() {
        // Wins go to whoever has the larger first number: it has to grow.
        let mut state = State::begin(settings(2000)).unwrap();
        let before = state.values[0].1;
        let mut rng = Rng::with_seed(7);
        for _ in 0..500 {
            let trial = state.trial(&mut rng);
            let balance = if trial.plus[0].1 > trial.minus[0].1 {
                2.0
            } else {
                -2.0
            };
            state.learn(&trial, balance);
        }
        let step = f64::from(Params::TUNABLES[0].step);
        assert!(state.values[0].1 > before + 5.0 * step);
        for ((_, value), tunable) in state.values.iter().zip(Params::TUNABLES) {
            assert!((f64::from(tunable.min)..=f64::from(tunable.max)).contains(value));
        }
    }
}
