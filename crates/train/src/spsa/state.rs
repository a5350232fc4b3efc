//! The options of a run of SPSA, the parameters that it has found so far, and how they learn
//! from a pair of games.

use fastrand::Rng;
use quincunx_engine::engine::openings::{BalanceTest, NoOpening, OpeningSettings};
use quincunx_engine::rules::{BoardSize, ParseRuleError, ParseSizeError, Rule};
use quincunx_engine::search::Params;
use quincunx_files::{self as files, WriteError};
use quincunx_runs::{Difference, differences, join};
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use std::{fmt, fs, io};

/// The exponent of the decay of perturbations.
const GAMMA: f64 = 0.101;

/// The exponent of the decay of the learning rate.
const ALPHA: f64 = 0.602;

/// The learning rate decays as if this share of all pairs had been played before
/// the first.
const STABILITY: f64 = 0.1;

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
    /// The parameters that are tuned, by name; all of them if there is none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub only: Vec<String>,
    /// The test of the openings.
    pub openings: BalanceTest,
}

impl SpsaOptions {
    /// Returns the settings of openings on a board.
    pub(super) fn opening(&self, rule: Rule, size: BoardSize) -> OpeningSettings {
        OpeningSettings {
            balance: self.openings,
            ..OpeningSettings::self_play(rule, size, self.nodes)
        }
    }

    /// Returns whether the run tunes the parameter of this name.
    pub fn tunes(&self, name: &str) -> bool {
        self.only.is_empty() || self.only.iter().any(|only| only == name)
    }
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
        )?;
        if !self.only.is_empty() {
            write!(f, " --only {}", self.only.join(","))?;
        }
        let BalanceTest { nodes, window } = self.openings;
        write!(f, " --opening-nodes {nodes} --opening-window {window}")
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
    /// For each parameter, the points that larger values have won and smaller ones lost:
    /// 2 for a pair whose games were both won.
    pub won_by_larger: Vec<i64>,
    /// The sum of the squares of the points of all pairs.
    pub squared_points: i64,
    /// The checksum of the weights that all pairs are played with.
    pub weights: u32,
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
    /// The options name a parameter that this program does not have.
    #[error("there is no parameter {0}")]
    NoParameter(String),
    /// The options name no board.
    #[error("games need a board")]
    NoBoard,
    /// The options allow no nodes.
    #[error("games need nodes")]
    NoNodes,
    /// A pair of games has no opening.
    #[error(transparent)]
    Opening(#[from] NoOpening),
    /// The system can't start a thread to play on.
    #[error("can't start a thread")]
    Thread(#[source] io::Error),
    /// The state file can't be read.
    #[error("can't use the parameters {}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// The reason.
        source: io::Error,
    },
    /// The state file is of a run with other options.
    #[error("{} is of another run: {}", path.display(), join(differences))]
    OtherRun {
        /// The file.
        path: PathBuf,
        /// The options that differ.
        differences: Vec<Difference>,
    },
    /// The state file is of a program with other parameters.
    #[error("{} has no value of the parameter {name}", path.display())]
    OtherParameters {
        /// The file.
        path: PathBuf,
        /// The first parameter of this program that the file lacks.
        name: &'static str,
    },
    /// The state file is of a run with other weights of the evaluation.
    #[error("{} is of a run with other weights of the evaluation", .0.display())]
    OtherWeights(PathBuf),
    /// Another run writes to the state file, or its lock can't be written.
    #[error(transparent)]
    Lock(#[from] io::Error),
    /// The state file can't be written.
    #[error(transparent)]
    Write(#[from] WriteError),
}

impl SpsaState {
    /// Returns the state of a run that begins with the program's parameters, and with weights of
    /// this checksum.
    ///
    /// # Errors
    /// Returns an error if the options name an unknown rule.
    pub fn begin(options: SpsaOptions, weights: u32) -> Result<SpsaState, SpsaError> {
        let rule: Rule = options.rule.parse()?;
        let params = Params::of(rule);
        if let Some(name) = options.only.iter().find(|name| params.get(name).is_none()) {
            return Err(SpsaError::NoParameter(name.clone()));
        }
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
            won_by_larger: Vec::new(),
            squared_points: 0,
            weights,
        })
    }

    /// Reads the state of a run with weights of this checksum, or begins one if there is no file.
    ///
    /// # Errors
    /// Returns an error if the file can't be read, is of another run, or has other
    /// parameters than this program.
    pub fn open(options: &SpsaOptions, weights: u32, path: &Path) -> Result<SpsaState, SpsaError> {
        let state = match path.exists() {
            true => SpsaState::read(path)?,
            false => SpsaState::begin(options.clone(), weights)?,
        };
        let json = |options: &SpsaOptions| serde_json::to_value(options).unwrap_or_default();
        let differences = differences(&json(options), &json(&state.options));
        if !differences.is_empty() {
            let path = path.to_owned();
            return Err(SpsaError::OtherRun { path, differences });
        }
        if state.weights != weights {
            return Err(SpsaError::OtherWeights(path.to_owned()));
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

    /// Returns how sure it is, in standard deviations, that a larger value of a parameter is
    /// better (or, if negative, that a smaller one is), by its place in [`SpsaState::values`].
    /// The pairs of the whole run count alike, however far its values have moved since.
    pub fn evidence(&self, parameter: usize) -> f64 {
        let won = self.won_by_larger.get(parameter).copied().unwrap_or(0);
        won as f64 / (self.squared_points.max(1) as f64).sqrt()
    }

    pub(super) fn save(&self, path: &Path) -> Result<(), WriteError> {
        files::replace_with(path, |draft| Ok(serde_json::to_writer_pretty(draft, self)?))
            .map_err(|error| WriteError::new(path, error))
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
    pub(super) fn perturb(&self, rng: &mut Rng) -> Perturbation {
        let spread = self.spread();
        let mut perturbation = Perturbation::default();
        for ((name, value), tunable) in self.values.iter().zip(Params::TUNABLES) {
            let sign = if rng.bool() { 1.0 } else { -1.0 };
            let tuned = f64::from(u8::from(self.options.tunes(name)));
            let step = f64::from(tunable.step) * sign * tuned;
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
    pub(super) fn update(&mut self, perturbation: &Perturbation, results: [i32; 2]) {
        for result in results {
            self.results[match result {
                1 => 0,
                -1 => 1,
                _ => 2,
            }] += 1;
        }
        let points = results[0] + results[1];
        self.squared_points += i64::from(points * points);
        self.won_by_larger.resize(perturbation.steps.len(), 0);
        for (won, step) in self.won_by_larger.iter_mut().zip(&perturbation.steps) {
            let sign = i8::from(*step > 0.0) - i8::from(*step < 0.0);
            *won += i64::from(points) * i64::from(sign);
        }
        let rate = self.learning_rate() * f64::from(points);
        let values = self.values.iter_mut().zip(Params::TUNABLES);
        for (((_, value), tunable), step) in values.zip(&perturbation.steps) {
            *value = (*value + rate * step).clamp(f64::from(tunable.min), f64::from(tunable.max));
        }
        self.played += 1;
    }
}

/// The parameters of the two sides of a pair.
#[derive(Default)]
pub(super) struct Perturbation {
    pub(super) plus: Vec<(String, i32)>,
    pub(super) minus: Vec<(String, i32)>,
    /// The steps of the parameters with the signs of `plus`.
    steps: Vec<f64>,
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
pub(super) mod tests {
    use super::*;

    pub(crate) fn options(pairs: u32) -> SpsaOptions {
        SpsaOptions {
            rule: "freestyle".to_owned(),
            sizes: vec!["9".to_owned()],
            nodes: 50,
            pairs,
            spread: 1.0,
            learning_rate: 0.01,
            seed: 1,
            only: Vec::new(),
            openings: usual_openings(),
        }
    }

    /// The quick test of self-play.
    fn usual_openings() -> BalanceTest {
        let size = BoardSize::square(9).unwrap();
        OpeningSettings::self_play(Rule::Freestyle, size, 50).balance
    }

    /// A run is resumed from these names by later builds.
    #[test]
    fn the_names_in_the_state_file_are_fixed() {
        let state = SpsaState::begin(options(4), 0).unwrap();
        let text = serde_json::to_string(&state).unwrap();
        let start = concat!(
            r#"{"settings":{"rule":"freestyle","sizes":["9"],"nodes":50,"pairs":4,"#,
            r#""spread":1.0,"rate":0.01,"seed":1,"openings":{"nodes":50,"window":"#
        );
        assert!(text.starts_with(start), "{text}");
        let rest = r#"},"played":0,"results":[0,0,0],"values":[["#;
        assert!(text.contains(rest), "{text}");
    }

    #[test]
    fn the_test_of_openings_is_one_of_the_options() {
        let openings = BalanceTest {
            nodes: 70,
            window: 9,
        };
        let tested = SpsaOptions {
            openings,
            ..options(4)
        };
        let size = BoardSize::square(9).unwrap();
        let balance = |options: &SpsaOptions| options.opening(Rule::Freestyle, size).balance;
        assert_eq!(balance(&tested), openings);
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("run.json");
        let state = SpsaState::begin(tested.clone(), 0).unwrap();
        state.save(&path).unwrap();
        assert_eq!(SpsaState::open(&tested, 0, &path).unwrap().options, tested);
        let error = SpsaState::open(&options(4), 0, &path).unwrap_err();
        let expected = r#"another run: openings {"nodes":70,"window":9}, not {"nodes":50,"#;
        assert!(error.to_string().contains(expected), "{error}");
    }

    #[test]
    fn a_run_with_other_parameters_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("other.json");
        let mut state = SpsaState::begin(options(4), 0).unwrap();
        state.values[2].0 = "forgotten".to_owned();
        state.save(&path).unwrap();
        let error = SpsaState::open(&options(4), 0, &path).unwrap_err();
        let name = Params::TUNABLES[2].name;
        assert!(error.to_string().ends_with(name), "{error}");
        state.values.truncate(2);
        state.save(&path).unwrap();
        assert!(SpsaState::open(&options(4), 0, &path).is_err());
    }

    #[test]
    fn parameters_that_are_not_named_stay() {
        let only = vec!["lmr_scale".to_owned(), "lmp_power".to_owned()];
        let mut state = SpsaState::begin(SpsaOptions { only, ..options(9) }, 0).unwrap();
        let begun = state.clone();
        let perturbation = state.perturb(&mut Rng::with_seed(3));
        state.update(&perturbation, [1, 1]);
        for (index, ((name, value), (_, before))) in
            state.values.iter().zip(&begun.values).enumerate()
        {
            let is_tuned = ["lmr_scale", "lmp_power"].contains(&name.as_str());
            assert_eq!(value != before, is_tuned, "{name}");
            assert_eq!(state.evidence(index) != 0.0, is_tuned, "{name}");
            let same = perturbation.plus[index] == perturbation.minus[index];
            assert_eq!(same, !is_tuned, "{name}");
        }
        let only = vec!["lmr_scales".to_owned()];
        let error = SpsaState::begin(SpsaOptions { only, ..options(9) }, 0).unwrap_err();
        assert_eq!(error.to_string(), "there is no parameter lmr_scales");
    }

    #[test]
    fn parameters_move_towards_the_winner() {
        // The side with the larger first parameter wins, so it has to grow.
        let mut state = SpsaState::begin(options(2000), 0).unwrap();
        let before = state.values[0].1;
        let mut rng = Rng::with_seed(7);
        for _ in 0..500 {
            let perturbation = state.perturb(&mut rng);
            let plus_wins = perturbation.plus[0].1 > perturbation.minus[0].1;
            state.update(&perturbation, if plus_wins { [1, 1] } else { [-1, -1] });
        }
        let step = f64::from(Params::TUNABLES[0].step);
        assert!(state.values[0].1 > before + 5.0 * step);
        assert!((state.evidence(0) - 500.0_f64.sqrt()).abs() < 1e-9);
        assert!((1..state.values.len()).all(|index| state.evidence(index).abs() < 5.0));
        for ((_, value), tunable) in state.values.iter().zip(Params::TUNABLES) {
            assert!((f64::from(tunable.min)..=f64::from(tunable.max)).contains(value));
        }
    }
}
