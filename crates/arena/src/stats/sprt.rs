//! The sequential probability ratio test: play until the games themselves say
//! which of two claims about the difference in strength holds.
//!
//! The ratio is the exact generalised one: each claim gets the likeliest
//! distribution of outcomes that agrees with it.

use super::counts::{Pairs, Sample, mean_and_variance};
use super::elo::{NORMALIZED_SCALE, score_of_elo};
use serde::{Deserialize, Serialize};

/// In which unit the bounds of a test are given.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum EloModel {
    /// Normalised Elo: the number of games a test takes does not depend on
    /// the draw rate or the openings.
    #[default]
    Normalized,
    /// Plain logistic Elo.
    Logistic,
}

/// The decision of a sequential test so far.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Decision {
    /// Undecided: the test continues.
    Continue,
    /// The difference is `elo0` rather than `elo1`.
    AcceptH0,
    /// The difference is `elo1` rather than `elo0`.
    AcceptH1,
}

/// A test of "`elo1` stronger" against "`elo0` stronger".
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Sprt {
    /// The difference under the first hypothesis.
    pub elo0: f64,
    /// The difference under the second hypothesis.
    pub elo1: f64,
    /// The rate of false acceptances of the second when the first holds.
    pub alpha: f64,
    /// The rate of false acceptances of the first when the second holds.
    pub beta: f64,
    /// The unit of `elo0` and `elo1`.
    pub model: EloModel,
}

/// Outcomes that never happened count this much: without it the ratio would
/// be undefined until every outcome has been seen.
const UNSEEN: f64 = 1e-3;

impl Sprt {
    /// The ratio at or below which the first hypothesis is accepted.
    pub fn lower(&self) -> f64 {
        (self.beta / (1.0 - self.alpha)).ln()
    }

    /// The ratio at or above which the second hypothesis is accepted.
    pub fn upper(&self) -> f64 {
        ((1.0 - self.beta) / self.alpha).ln()
    }

    /// The log-likelihood ratio of the two hypotheses after these pairs.
    pub(crate) fn llr(&self, pairs: &Pairs) -> f64 {
        self.llr_of(&Sample::of_pairs(pairs))
    }

    /// Returns the decision at this log-likelihood ratio.
    pub fn decide(&self, llr: f64) -> Decision {
        if llr >= self.upper() {
            Decision::AcceptH1
        } else if llr <= self.lower() {
            Decision::AcceptH0
        } else {
            Decision::Continue
        }
    }

    fn llr_of(&self, sample: &Sample) -> f64 {
        if sample.count == 0.0 {
            return 0.0;
        }
        let counts: Vec<(f64, f64)> = sample
            .shares
            .iter()
            .map(|&(share, p)| (share, (p * sample.count).max(UNSEEN)))
            .collect();
        let total: f64 = counts.iter().map(|(_, n)| n).sum();
        let observed: Vec<(f64, f64)> = counts.iter().map(|&(a, n)| (a, n / total)).collect();
        let likeliest = |elo: f64| match self.model {
            EloModel::Logistic => with_mean(&observed, score_of_elo(elo))
                .unwrap_or_else(|| observed.iter().map(|&(_, p)| p).collect()),
            EloModel::Normalized => {
                with_ratio(&observed, elo / NORMALIZED_SCALE * sample.games_each.sqrt())
            }
        };
        let (first, second) = (likeliest(self.elo0), likeliest(self.elo1));
        counts
            .iter()
            .zip(first.iter().zip(&second))
            .map(|((_, n), (p0, p1))| n * (p1 / p0).ln())
            .sum()
    }
}

/// The likeliest probabilities, given what was observed, under which the mean
/// is `mean`: each observed probability divided by `1 + x (value - mean)`,
/// where `x` makes the mean come out. `None` where no probabilities have it.
fn with_mean(observed: &[(f64, f64)], mean: f64) -> Option<Vec<f64>> {
    let offsets = || observed.iter().map(|(value, p)| (value - mean, p));
    let least = offsets().map(|(d, _)| d).fold(f64::INFINITY, f64::min);
    let most = offsets().map(|(d, _)| d).fold(f64::NEG_INFINITY, f64::max);
    if least >= 0.0 || most <= 0.0 {
        return None;
    }
    let (mut low, mut high) = (-1.0 / most, -1.0 / least);
    let mut x = 0.0;
    for _ in 0..100 {
        let (mut value, mut slope) = (0.0, 0.0);
        for (d, p) in offsets() {
            let q = d / (1.0 + x * d);
            value += p * q;
            slope += p * q * q;
        }
        // The function falls from one end of the interval to the other:
        // Newton's step where it stays inside, the middle where it does not.
        if value > 0.0 {
            low = x;
        } else {
            high = x;
        }
        let step = x + value / slope;
        let next = if step > low && step < high {
            step
        } else {
            f64::midpoint(low, high)
        };
        let moved = (next - x).abs();
        x = next;
        if moved <= 1e-13 * (1.0 + x.abs()) {
            break;
        }
    }
    Some(offsets().map(|(d, p)| p / (1.0 + x * d)).collect())
}

/// The likeliest probabilities under which the mean exceeds one half by
/// `ratio` standard deviations. The condition is not linear; it is replaced by
/// its tangent at the last solution until that no longer moves. Large ratios
/// are reached in small steps, or the first tangent would miss them.
fn with_ratio(observed: &[(f64, f64)], ratio: f64) -> Vec<f64> {
    let mut solution = vec![1.0 / observed.len() as f64; observed.len()];
    let steps = (ratio.abs() / 0.1).ceil().max(1.0);
    for step in 1..=steps as u32 {
        let goal = ratio * f64::from(step) / steps;
        for _ in 0..30 {
            let Some(next) = with_mean(&tangent(observed, &solution, goal), 0.0) else {
                break;
            };
            let moved = next
                .iter()
                .zip(&solution)
                .map(|(a, b)| (a - b).abs())
                .fold(0.0, f64::max);
            solution = next;
            if moved < 1e-9 {
                break;
            }
        }
    }
    solution
}

/// Values whose mean is zero where the condition, made linear at `solution`,
/// holds.
fn tangent(observed: &[(f64, f64)], solution: &[f64], ratio: f64) -> Vec<(f64, f64)> {
    let current: Vec<(f64, f64)> = observed
        .iter()
        .zip(solution)
        .map(|(&(value, _), &p)| (value, p))
        .collect();
    let (mean, variance) = mean_and_variance(&current);
    let deviation = variance.sqrt();
    observed
        .iter()
        .map(|&(value, p)| {
            let bend = (1.0 + ((value - mean) / deviation).powi(2)) / 2.0;
            (value - 0.5 - ratio * deviation * bend, p)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::super::counts::Tally;
    use super::*;

    fn test(model: EloModel, elo0: f64, elo1: f64) -> Sprt {
        Sprt {
            elo0,
            elo1,
            alpha: 0.05,
            beta: 0.05,
            model,
        }
    }

    fn close(value: f64, expected: f64) {
        assert!((value - expected).abs() < 0.01, "{value} is not {expected}");
    }

    /// Figures that fastchess publishes in its own tests.
    #[test]
    fn pairs_give_the_published_ratios() {
        let normalized = |a, b, counts| test(EloModel::Normalized, a, b).llr(&Pairs(counts));
        close(normalized(0.0, 2.0, [365, 16618, 36229, 16974, 390]), 2.25);
        close(normalized(-1.75, 0.25, [127, 4883, 10712, 5150, 104]), 3.01);
        let logistic = |a, b, counts| test(EloModel::Logistic, a, b).llr(&Pairs(counts));
        close(logistic(0.5, 2.5, [223, 9863, 21279, 10037, 246]), -3.07);
        close(logistic(0.0, 2.0, [871, 26175, 55983, 26678, 821]), -4.98);
    }

    /// Figures that fastchess publishes in its own tests.
    #[test]
    fn games_give_the_published_ratios() {
        let llr = |model, elo0, elo1, wins, losses, draws| {
            let games = Tally {
                wins,
                draws,
                losses,
            };
            test(model, elo0, elo1).llr_of(&Sample::of_games(&games))
        };
        let normalized = EloModel::Normalized;
        close(llr(normalized, 0.0, 2.0, 36433, 36027, 68692), 0.92);
        close(llr(normalized, -1.75, 0.25, 10871, 10650, 20431), 2.30);
        let logistic = EloModel::Logistic;
        close(llr(logistic, 0.5, 2.5, 21404, 21184, 40708), -1.57);
        close(llr(logistic, 0.0, 2.0, 57433, 57030, 106_593), -2.59);
    }

    /// A test and its mirror image agree, however far apart the claims.
    #[test]
    fn the_ratio_is_antisymmetric_and_has_the_right_sign() {
        for elo in [1.0, 10.0, 50.0, 200.0, 400.0] {
            let up = test(EloModel::Normalized, 0.0, elo);
            let down = test(EloModel::Normalized, -elo, 0.0);
            for counts in [[5, 0, 0, 0, 0], [30, 2, 9, 0, 1], [3, 4, 50, 9, 1]] {
                let mut mirrored = counts;
                mirrored.reverse();
                let (a, b) = (up.llr(&Pairs(counts)), down.llr(&Pairs(mirrored)));
                assert!((a + b).abs() < 1e-6, "{elo} {counts:?}: {a} {b}");
            }
            assert!(up.llr(&Pairs([5, 0, 0, 0, 0])) < 0.0);
            assert!(up.llr(&Pairs([0, 0, 0, 0, 5])) > 0.0);
        }
    }

    /// Ten thousand simulated matches: the wrong hypothesis is
    /// accepted no more often than alpha and beta allow.
    #[test]
    fn error_rates_are_kept() {
        let mut random = fastrand::Rng::with_seed(11);
        let base = [
            (0.0, 0.12),
            (0.25, 0.08),
            (0.5, 0.5),
            (0.75, 0.1),
            (1.0, 0.2),
        ];
        for model in [EloModel::Normalized, EloModel::Logistic] {
            let sprt = test(model, -20.0, 80.0);
            for (truth, wrong) in [
                (sprt.elo0, Decision::AcceptH1),
                (sprt.elo1, Decision::AcceptH0),
            ] {
                let chances = match model {
                    EloModel::Logistic => with_mean(&base, score_of_elo(truth)).unwrap_or_default(),
                    EloModel::Normalized => {
                        with_ratio(&base, truth / NORMALIZED_SCALE * 2f64.sqrt())
                    }
                };
                let errors = (0..2_500)
                    .filter(|_| simulate(&sprt, &chances, &mut random) == wrong)
                    .count();
                let rate = errors as f64 / 2_500.0;
                assert!((0.01..0.055).contains(&rate), "{model:?} {truth}: {rate}");
            }
        }
    }

    fn simulate(sprt: &Sprt, chances: &[f64], random: &mut fastrand::Rng) -> Decision {
        let mut pairs = Pairs::default();
        loop {
            let mut left = random.f64();
            let outcome = chances.iter().position(|p| {
                left -= p;
                left < 0.0
            });
            pairs.0[outcome.unwrap_or(4)] += 1;
            match sprt.decide(sprt.llr(&pairs)) {
                Decision::Continue => {}
                decision => return decision,
            }
        }
    }

    #[test]
    fn nothing_played_decides_nothing() {
        let sprt = test(EloModel::Normalized, 0.0, 5.0);
        assert_eq!(sprt.llr(&Pairs::default()), 0.0);
        assert_eq!(sprt.decide(0.0), Decision::Continue);
        assert_eq!(sprt.decide(2.95), Decision::AcceptH1);
        assert_eq!(sprt.decide(-2.95), Decision::AcceptH0);
    }
}
