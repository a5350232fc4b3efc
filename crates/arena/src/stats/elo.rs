//! Elo with its error bar, normalised Elo, and the likelihood of superiority.

use super::counts::{Pairs, Sample, Tally};
use std::fmt;

/// 95 % of a normal distribution lies within this many standard deviations.
pub(super) const CONFIDENCE: f64 = 1.959_963_984_540_054;

/// Elo points per unit of log odds of the score, times two: the scale of
/// normalised Elo.
pub(super) const NORMALIZED_SCALE: f64 = 800.0 / std::f64::consts::LN_10;

/// The Elo difference at which a player is expected to score `score`.
pub(crate) fn elo_of_score(score: f64) -> f64 {
    400.0 * (score / (1.0 - score)).log10()
}

/// The score expected of a player who is `elo` stronger.
pub(crate) fn score_of_elo(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}

/// The probability that a standard normal variable is below `x`.
pub(crate) fn normal_cdf(x: f64) -> f64 {
    libm::erfc(-x / std::f64::consts::SQRT_2) / 2.0
}

/// An estimated difference in strength between two players.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EloEstimate {
    /// Logistic Elo difference. Where every pair ended alike a drawn game is added to
    /// all that were played, so that it is finite.
    pub elo: f64,
    /// Half the width of its 95 % interval.
    pub elo_error: f64,
    /// Normalised Elo: the difference in units of a game's own noise.
    pub normalized: f64,
    /// Half the width of its 95 % interval.
    pub normalized_error: f64,
    /// The likelihood of superiority, from 0 to 1.
    pub superiority: f64,
}

/// `Elo +3.5 +- 8.2  nElo +4.1 +- 9.6`.
impl fmt::Display for EloEstimate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (elo, normalized) = (self.logistic_text(), self.normalized_text());
        write!(f, "Elo {elo}  nElo {normalized}")
    }
}

impl EloEstimate {
    /// The Elo difference with its error.
    pub(crate) fn logistic_text(&self) -> String {
        format!("{:+.1} +- {:.1}", self.elo, self.elo_error)
    }

    /// The normalised Elo with its error.
    pub(crate) fn normalized_text(&self) -> String {
        format!("{:+.1} +- {:.1}", self.normalized, self.normalized_error)
    }

    /// From game pairs: right even where the openings are lopsided.
    pub(crate) fn from_pairs(pairs: &Pairs) -> Option<EloEstimate> {
        EloEstimate::from_sample(&Sample::of_pairs(pairs))
    }

    /// From single games, as if each were independent of the others.
    pub(crate) fn from_games(tally: &Tally) -> Option<EloEstimate> {
        EloEstimate::from_sample(&Sample::of_games(tally))
    }

    /// `None` before the first game.
    fn from_sample(sample: &Sample) -> Option<EloEstimate> {
        if sample.count == 0.0 {
            return None;
        }
        let (score, variance) = sample.mean_and_variance();
        if variance == 0.0 {
            return EloEstimate::from_sample(&sample.with_a_draw());
        }
        let deviation = (variance / sample.count).sqrt();
        let margin = CONFIDENCE * deviation;
        let games = sample.count * sample.games_each;
        // No score of so many games can be told from one that is nearer to all points.
        let least = 0.25 / games;
        let elo_at = |score: f64| elo_of_score(score.clamp(least, 1.0 - least));
        let per_game = (variance * sample.games_each).sqrt();
        let lead = score - 0.5;
        Some(EloEstimate {
            elo: elo_of_score(score),
            elo_error: (elo_at(score + margin) - elo_at(score - margin)) / 2.0,
            normalized: lead / per_game * NORMALIZED_SCALE,
            normalized_error: CONFIDENCE * NORMALIZED_SCALE / games.sqrt(),
            superiority: normal_cdf(lead / deviation),
        })
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn close(value: f64, expected: f64) {
        assert!(
            (value - expected).abs() < 0.006,
            "{value} is not {expected}"
        );
    }

    /// Figures that fastchess publishes in its own tests.
    #[test]
    fn pairs_give_the_published_figures() {
        let estimate = |counts| EloEstimate::from_pairs(&Pairs(counts)).unwrap();
        let first = estimate([34, 54, 63, 64, 75]);
        close(first.elo, 55.58);
        close(first.elo_error, 27.65);
        close(first.normalized, 57.94);
        close(first.normalized_error, 28.28);
        close(first.superiority, 1.0);
        let second = estimate([332, 433, 498, 333, 334]);
        close(second.elo, -8.64);
        close(second.elo_error, 10.33);
        close(second.normalized, -9.17);
        close(second.normalized_error, 10.96);
        close(second.superiority * 100.0, 5.05);
        let third = estimate([7895, 8757, 5685, 568, 9999]);
        close(third.elo, -21.04);
        close(third.elo_error, 2.95);
        close(third.normalized, -19.01);
        close(third.normalized_error, 2.65);
    }

    /// Figures that fastchess publishes in its own tests.
    #[test]
    fn games_give_the_published_figures() {
        let estimate = |wins, losses, draws| {
            let tally = Tally {
                wins,
                draws,
                losses,
            };
            EloEstimate::from_games(&tally).unwrap()
        };
        let first = estimate(76, 89, 123);
        close(first.normalized, -20.76);
        close(first.normalized_error, 40.13);
        close(first.superiority * 100.0, 15.53);
        let second = estimate(136, 96, 111);
        close(second.elo, 40.70);
        close(second.elo_error, 30.43);
        close(second.normalized, 49.77);
        close(second.normalized_error, 36.77);
        close(second.superiority * 100.0, 99.60);
        let third = estimate(34, 356, 0);
        close(third.normalized, -508.44);
        close(third.normalized_error, 34.48);
    }

    /// The formula of normalised Elo, applied to a list of pairs one by one.
    #[test]
    fn normalised_elo_is_the_lead_in_units_of_the_spread_of_pairs() {
        let mut random = fastrand::Rng::with_seed(75);
        for _ in 0..300 {
            let counts: [u64; 5] = std::array::from_fn(|_| random.u64(..40));
            let pairs: Vec<f64> = (0..5)
                .flat_map(|half| vec![half as f64 / 4.0; counts[half] as usize])
                .collect();
            let count = pairs.len() as f64;
            let mean = pairs.iter().sum::<f64>() / count;
            let squares = pairs.iter().map(|score| (score - mean) * (score - mean));
            let deviation = (squares.sum::<f64>() / count).sqrt();
            if pairs.is_empty() || deviation < 1e-9 {
                continue;
            }
            let unit = 800.0 / 10f64.ln();
            let normalized = (mean - 0.5) / (2f64.sqrt() * deviation) * unit;
            let error = unit * 1.959_963_984_540_054 / (2.0 * count).sqrt();
            let estimate = EloEstimate::from_pairs(&Pairs(counts)).unwrap();
            assert!(
                (estimate.normalized - normalized).abs() < 1e-6,
                "{counts:?}"
            );
            assert!(
                (estimate.normalized_error - error).abs() < 1e-9,
                "{counts:?}"
            );
            let text = format!("nElo {normalized:+.1} +- {error:.1}");
            assert!(estimate.to_string().ends_with(&text), "{estimate}");
        }
    }

    #[test]
    fn extremes_do_not_break() {
        assert_eq!(EloEstimate::from_games(&Tally::default()), None);
        let even = EloEstimate::from_pairs(&Pairs([0, 0, 9, 0, 0])).unwrap();
        assert_eq!((even.elo, even.superiority), (0.0, 0.5));
        assert!(even.elo_error > 100.0, "nine pairs prove little: {even:?}");
    }

    /// Every result of up to six pairs: finite, mirrored when the players are, growing
    /// with the points, and on the side of zero that the normalised Elo is on.
    #[test]
    fn estimates_are_finite_and_agree_with_each_other() {
        let close = |a: f64, b: f64| (a - b).abs() < 1e-6 * (1.0 + a.abs());
        for code in 1..6u64.pow(5) {
            let counts: [u64; 5] = std::array::from_fn(|i| code / 6u64.pow(i as u32) % 6);
            if counts.iter().sum::<u64>() > 6 {
                continue;
            }
            let one = EloEstimate::from_pairs(&Pairs(counts)).unwrap();
            let mut mirrored = counts;
            mirrored.reverse();
            let other = EloEstimate::from_pairs(&Pairs(mirrored)).unwrap();
            let numbers = [one.elo, one.elo_error, one.normalized, one.normalized_error];
            assert!(numbers.iter().all(|number| number.is_finite()), "{one:?}");
            assert!(one.elo_error > 0.0 && one.normalized_error > 0.0, "{one:?}");
            assert!((0.0..=1.0).contains(&one.superiority), "{one:?}");
            assert!(close(one.elo, -other.elo) && close(one.elo_error, other.elo_error));
            assert!(close(one.superiority, 1.0 - other.superiority));
            let sides = [one.elo, one.normalized, one.superiority - 0.5];
            let ahead = counts[3] + 2 * counts[4];
            let behind = counts[1] + 2 * counts[0];
            for side in sides {
                let right = match ahead.cmp(&behind) {
                    std::cmp::Ordering::Less => side < 0.0,
                    std::cmp::Ordering::Equal => side.abs() < 1e-9,
                    std::cmp::Ordering::Greater => side > 0.0,
                };
                assert!(right, "{counts:?}: {one:?}");
            }
        }
    }

    #[test]
    fn normal_distribution_matches_its_table() {
        for (x, expected) in [
            (0.0, 0.5),
            (1.0, 0.841_344_746_068_543),
            (-1.959_963_984_540_054, 0.025),
            (3.5, 0.999_767_370_920_964),
            (-6.0, 9.865_876_450_377e-10),
        ] {
            assert!((normal_cdf(x) - expected).abs() < 1e-12, "{x}");
        }
    }
}
