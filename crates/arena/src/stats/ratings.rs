//! Ratings of a tournament by maximum likelihood.
//!
//! The model is logistic Elo with a draw as half a win and half a loss. One
//! game's worth of draw between each two players that met is added, so that a
//! player who won or lost everything gets a number instead of infinity.
//!
//! The two games of a pair share their opening and are not independent, so the
//! errors come from how much the points of pairs differ (the sandwich estimate);
//! games without a partner, and pairs that all ended alike, count as independent
//! games of the model.

use super::counts::{Pairs, Tally};
use super::elo::{CONFIDENCE, normal_cdf};
use super::logistic::{Fit, Matrix, Observation, add_square, product};

/// Elo points per unit of log odds of the score.
pub(super) const SCALE: f64 = 400.0 / std::f64::consts::LN_10;

/// A player's place in a tournament.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rating {
    /// Elo relative to the mean of all players, or to one of them.
    pub elo: f64,
    /// Half the width of the 95 % interval of that number.
    pub error: f64,
}

/// The games of two players.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Meeting {
    pub(crate) players: (usize, usize),
    /// All games, from the side of the first.
    pub(crate) tally: Tally,
    /// Those in which the first had black, and white.
    pub(crate) by_color: [Tally; 2],
    /// Those of them that are complete pairs.
    pub(crate) pairs: Pairs,
    /// The same pairs from the side of black.
    pub(crate) black_pairs: Pairs,
}

impl Meeting {
    /// Those of two players in which games were played.
    pub(super) fn with_games(meetings: &[Meeting]) -> impl Iterator<Item = &Meeting> {
        let differ = |meeting: &&Meeting| meeting.players.0 != meeting.players.1;
        let met = meetings.iter().filter(differ);
        met.filter(|meeting| meeting.tally.games() > 0)
    }

    /// The variance of the first player's points where a game is expected to bring
    /// `expected`.
    fn variance(&self, expected: f64) -> f64 {
        let of_game = expected * (1.0 - expected);
        let games = self.tally.games() as f64 + 1.0;
        match self.pairs.spread() {
            Some((spread, pairs)) => spread + (games - 2.0 * pairs) * of_game,
            None => games * of_game,
        }
    }
}

/// The ratings of all players, and how sure their differences are.
#[derive(Clone, Debug)]
pub(crate) struct Ratings {
    /// In units of log odds, with a mean of zero.
    strengths: Vec<f64>,
    covariance: Matrix,
}

impl Ratings {
    /// The ratings of `players` players from their meetings.
    pub(crate) fn new(players: usize, meetings: &[Meeting]) -> Ratings {
        let met: Vec<&Meeting> = Meeting::with_games(meetings).collect();
        let versus = |(a, b): (usize, usize)| vec![(a, 1.0), (b, -1.0)];
        let observation = |meeting: &&Meeting| Observation {
            terms: versus(meeting.players),
            games: meeting.tally.games() as f64 + 1.0,
            points: meeting.tally.points() + 0.5,
        };
        let observations: Vec<Observation> = met.iter().map(observation).collect();
        // Only differences are determined: pin the mean to zero.
        let prior = vec![vec![1.0 / players as f64; players]; players];
        let fit = Fit::new(&prior, &observations);
        let mut spread = vec![vec![0.0; players]; players];
        for meeting in &met {
            let terms = versus(meeting.players);
            let variance = meeting.variance(fit.expected(&terms));
            add_square(&mut spread, &terms, variance);
        }
        let mut strengths = fit.parameters;
        let mean = strengths.iter().sum::<f64>() / players.max(1) as f64;
        strengths.iter_mut().for_each(|strength| *strength -= mean);
        let covariance = product(&product(&fit.inverse, &spread), &fit.inverse);
        Ratings {
            strengths,
            covariance,
        }
    }

    /// The rating of a player relative to the mean of all.
    pub(crate) fn of(&self, player: usize) -> Rating {
        Rating {
            elo: self.strengths[player] * SCALE,
            error: CONFIDENCE * self.covariance[player][player].max(0.0).sqrt() * SCALE,
        }
    }

    /// The rating of a player relative to another.
    pub(crate) fn relative(&self, player: usize, other: usize) -> Rating {
        let between = |a: usize, b: usize| self.covariance[a][b];
        let variance =
            between(player, player) + between(other, other) - 2.0 * between(player, other);
        Rating {
            elo: (self.strengths[player] - self.strengths[other]) * SCALE,
            error: CONFIDENCE * variance.max(0.0).sqrt() * SCALE,
        }
    }

    /// The likelihood that a player is stronger than another, from 0 to 1.
    pub(crate) fn superiority(&self, player: usize, other: usize) -> f64 {
        let lead = self.relative(player, other);
        if lead.error > 0.0 {
            normal_cdf(CONFIDENCE * lead.elo / lead.error)
        } else {
            0.5
        }
    }

    /// The players, the strongest first.
    pub(crate) fn order(&self) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.strengths.len()).collect();
        order.sort_by(|&a, &b| self.strengths[b].total_cmp(&self.strengths[a]));
        order
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::super::elo::EloEstimate;
    use super::*;

    fn tally(wins: u64, draws: u64, losses: u64) -> Tally {
        Tally {
            wins,
            draws,
            losses,
        }
    }

    fn ratings(players: usize, results: &[(usize, usize, Tally)]) -> Vec<Rating> {
        let meeting = |&(a, b, tally): &(usize, usize, Tally)| Meeting {
            players: (a, b),
            tally,
            ..Meeting::default()
        };
        let meetings: Vec<Meeting> = results.iter().map(meeting).collect();
        let ratings = Ratings::new(players, &meetings);
        (0..players).map(|player| ratings.of(player)).collect()
    }

    #[test]
    fn two_ratings_differ_by_the_score() {
        let table = ratings(2, &[(0, 1, tally(7000, 1000, 2000))]);
        let difference = table[0].elo - table[1].elo;
        assert!((difference - 190.85).abs() < 0.1, "{difference}");
        assert!((table[0].elo + table[1].elo).abs() < 1e-6);
        // Fisher information of 10,001 games at 75 %: 1.96 / sqrt(n p q).
        let error = 1.96 / (10_001.0 * 0.75f64 * 0.25).sqrt() * 173.718 / 2.0;
        assert!((table[0].error - error).abs() < 0.01, "{}", table[0].error);
    }

    #[test]
    fn consistent_results_are_reproduced() {
        // Three players 100 apart each, scores as the model expects them.
        let games = 1e7;
        let expect = |elo: f64| {
            let wins = (games * crate::stats::elo::score_of_elo(elo)).round() as u64;
            tally(wins, 0, games as u64 - wins)
        };
        let results = [
            (0, 1, expect(100.0)),
            (1, 2, expect(100.0)),
            (0, 2, expect(200.0)),
        ];
        let table = ratings(3, &results);
        for (rating, expected) in table.iter().zip([100.0, 0.0, -100.0]) {
            assert!((rating.elo - expected).abs() < 0.01, "{rating:?}");
        }
    }

    /// With two players the errors and the superiority are those of pairs, however
    /// alike or unlike the games of a pair are.
    #[test]
    fn two_players_are_rated_as_their_pairs_say() {
        for counts in [
            [34, 54, 63, 64, 75],
            [100, 0, 20, 0, 180],
            [1, 5, 300, 20, 2],
            [400, 300, 200, 100, 50],
        ] {
            let pairs = Pairs(counts);
            let points: u64 = (0..5).map(|i| i as u64 * counts[i]).sum();
            let tally = tally(
                points / 2,
                points % 2,
                2 * pairs.count() - points / 2 - points % 2,
            );
            let players = (0, 1);
            let meeting = Meeting {
                players,
                tally,
                pairs,
                ..Meeting::default()
            };
            let ratings = Ratings::new(2, &[meeting]);
            let found = ratings.relative(0, 1);
            let expected = EloEstimate::from_pairs(&pairs).unwrap();
            let close = |a: f64, b: f64| (a - b).abs() < 0.03 * (b.abs() + 3.0);
            assert!(close(found.elo, expected.elo), "{found:?} {expected:?}");
            assert!(
                close(found.error, expected.elo_error),
                "{found:?} {expected:?}"
            );
            let superior = ratings.superiority(0, 1);
            assert!(
                (superior - expected.superiority).abs() < 0.01,
                "{expected:?}"
            );
            assert!((superior + ratings.superiority(1, 0) - 1.0).abs() < 1e-9);
        }
    }

    #[test]
    fn clean_sweeps_and_strangers_stay_finite() {
        let table = ratings(3, &[(0, 1, tally(10, 0, 0))]);
        assert!(table[0].elo > 200.0 && table[0].elo.is_finite());
        assert!(table.iter().all(|rating| rating.error.is_finite()));
    }
}
