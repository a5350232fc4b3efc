//! The sequential test of a match: its arguments, and its result as an exit code.

use crate::cli::exit::{self, ensure_usage};
use anyhow::Result;
use clap::{Args, ValueEnum};
use quincunx_arena::stats::{Decision, EloModel, Sprt};

/// The arguments of a test.
#[derive(Args)]
pub(super) struct SprtArgs {
    /// Stop as soon as the test accepts one of two differences in strength between the first and
    /// the second engine, such as 0,10. A test needs thousands of games (--games)
    #[arg(
        help_heading = "Test (SPRT)",
        long,
        value_name = "ELO0,ELO1", value_parser = bounds,
        allow_hyphen_values = true
    )]
    sprt: Option<(f64, f64)>,
    /// How often elo1 may be accepted when elo0 holds
    #[arg(
        help_heading = "Test (SPRT)",
        long,
        default_value_t = 0.05,
        value_parser = error_rate,
    )]
    alpha: f64,
    /// How often elo0 may be accepted when elo1 holds
    #[arg(
        help_heading = "Test (SPRT)",
        long,
        default_value_t = 0.05,
        value_parser = error_rate,
    )]
    beta: f64,
    /// The unit of the two differences: normalised Elo, or Elo
    #[arg(help_heading = "Test (SPRT)", long, value_enum, default_value_t)]
    model: ModelArg,

    /// Give the result of the test as the exit code: 0 elo1 accepted, 3 elo0 accepted,
    /// 4 undecided
    #[arg(help_heading = "Test (SPRT)", long, requires = "sprt")]
    sprt_exit: bool,
}

#[derive(Clone, Copy, Default, ValueEnum)]
enum ModelArg {
    #[default]
    Normalized,
    Logistic,
}

impl SprtArgs {
    /// The test of a match between this number of engines.
    pub(super) fn sprt(&self, engines: usize) -> Result<Option<Sprt>> {
        let Some((elo0, elo1)) = self.sprt else {
            return Ok(None);
        };
        ensure_usage!(engines == 2, "--sprt needs exactly two engines");
        Ok(Some(Sprt {
            elo0,
            elo1,
            alpha: self.alpha,
            beta: self.beta,
            model: self.model.into(),
        }))
    }

    /// The exit code of a match whose test ended so.
    pub(super) fn exit_code(&self, decision: Decision) -> u8 {
        match decision {
            _ if !self.sprt_exit => exit::DONE,
            Decision::AcceptH1 => exit::DONE,
            Decision::AcceptH0 => exit::ELO0,
            Decision::Continue => exit::UNDECIDED,
        }
    }
}

/// The largest difference of a test.
const MOST_ELO: f64 = 1000.0;

/// The two differences of a test.
fn bounds(text: &str) -> Result<(f64, f64), String> {
    let bounds = text.split_once(',').and_then(|(a, b)| {
        let (a, b): (f64, f64) = (a.trim().parse().ok()?, b.trim().parse().ok()?);
        (-MOST_ELO <= a && a < b && b <= MOST_ELO).then_some((a, b))
    });
    let wrong = || format!("expected ELO0,ELO1 from -{MOST_ELO} to {MOST_ELO} such as 0,5");
    bounds.ok_or_else(wrong)
}

/// How often a test may err.
fn error_rate(text: &str) -> Result<f64, &'static str> {
    let rate = text.parse().ok();
    let rate = rate.filter(|&rate| rate > 0.0 && rate < 0.5);
    rate.ok_or("expected a number between 0 and 0.5")
}

impl From<ModelArg> for EloModel {
    fn from(argument: ModelArg) -> Self {
        match argument {
            ModelArg::Normalized => EloModel::Normalized,
            ModelArg::Logistic => EloModel::Logistic,
        }
    }
}
