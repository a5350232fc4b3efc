//! Ratings of a tournament by maximum likelihood.
//!
//! The model is logistic Elo with a draw as half a win and half a loss. One
//! game's worth of draw between each two players that met is added, so that a
//! player who won or lost everything gets a number instead of infinity.

use super::counts::Tally;

/// A player's place in a tournament.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rating {
    /// Elo relative to the mean of all players.
    pub elo: f64,
    /// Half the width of the 95 % interval of that number.
    pub error: f64,
}

/// Ratings from the results of `players` players: each entry names two of
/// them and how the games went for the first.
pub(crate) fn ratings(players: usize, results: &[(usize, usize, Tally)]) -> Vec<Rating> {
    let scale = 400.0 / std::f64::consts::LN_10;
    let mut strengths = vec![0.0; players];
    let met: Vec<(usize, usize, f64, f64)> = results
        .iter()
        .filter(|(a, b, tally)| a != b && tally.games() > 0)
        .map(|&(a, b, tally)| {
            let games = tally.games() as f64;
            (a, b, tally.score() * games + 0.5, games + 1.0)
        })
        .collect();
    let mut covariance = Vec::new();
    // Newton's method: the likelihood is concave, steps are cut for safety.
    for _ in 0..100 {
        let mut gradient = vec![0.0; players];
        let mut information = vec![vec![0.0; players]; players];
        for &(a, b, points, games) in &met {
            let expected = 1.0 / (1.0 + f64::exp(strengths[b] - strengths[a]));
            gradient[a] += points - games * expected;
            gradient[b] -= points - games * expected;
            let weight = games * expected * (1.0 - expected);
            information[a][a] += weight;
            information[b][b] += weight;
            information[a][b] -= weight;
            information[b][a] -= weight;
        }
        // Only differences are determined: pin the mean to zero.
        for row in &mut information {
            for value in row.iter_mut() {
                *value += 1.0 / players as f64;
            }
        }
        covariance = inverse(information);
        let mut moved: f64 = 0.0;
        for (strength, row) in strengths.iter_mut().zip(&covariance) {
            let step: f64 = row.iter().zip(&gradient).map(|(c, g)| c * g).sum();
            *strength += step.clamp(-1.0, 1.0);
            moved = moved.max(step.abs());
        }
        if moved < 1e-9 {
            break;
        }
    }
    let mean = strengths.iter().sum::<f64>() / players.max(1) as f64;
    strengths
        .iter()
        .enumerate()
        .map(|(i, strength)| {
            // The pinned mean added its own certainty of one: take it out.
            let variance = covariance[i][i] - 1.0 / players as f64;
            Rating {
                elo: (strength - mean) * scale,
                error: 1.96 * variance.max(0.0).sqrt() * scale,
            }
        })
        .collect()
}

/// The inverse of a symmetric positive definite matrix, by elimination.
fn inverse(mut matrix: Vec<Vec<f64>>) -> Vec<Vec<f64>> {
    let n = matrix.len();
    let mut result: Vec<Vec<f64>> = (0..n)
        .map(|i| (0..n).map(|j| f64::from(u8::from(i == j))).collect())
        .collect();
    for column in 0..n {
        // A player who met nobody leaves a zero: the tiny floor makes his
        // error bar huge instead of undefined.
        let pivot = matrix[column][column].max(1e-12);
        for j in 0..n {
            matrix[column][j] /= pivot;
            result[column][j] /= pivot;
        }
        for row in (0..n).filter(|&row| row != column) {
            let factor = matrix[row][column];
            for j in 0..n {
                matrix[row][j] -= factor * matrix[column][j];
                result[row][j] -= factor * result[column][j];
            }
        }
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tally(wins: u64, draws: u64, losses: u64) -> Tally {
        Tally {
            wins,
            draws,
            losses,
        }
    }

    #[test]
    fn two_players_stand_as_far_apart_as_their_score() {
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
            let wins = (games * crate::arena::stats::elo::score_of_elo(elo)).round() as u64;
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

    #[test]
    fn clean_sweeps_and_strangers_stay_finite() {
        let table = ratings(3, &[(0, 1, tally(10, 0, 0))]);
        assert!(table[0].elo > 200.0 && table[0].elo.is_finite());
        assert!(table.iter().all(|rating| rating.error.is_finite()));
        assert!(table[2].error > 1000.0);
    }
}
