//! Glicko-2, after Mark Glickman's "Example of the Glicko-2 system" (2022).

use super::Score;
use skillratings::Outcomes;
use skillratings::glicko2::{Glicko2Config, Glicko2Rating, glicko2_rating_period};

/// The largest deviation: nothing is known of the player.
const UNKNOWN: f64 = 350.0;

/// Glickman's number for one unit of the inner scale.
const UNIT: f64 = 173.7178;

/// A rating with its deviation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Glicko {
    /// The rating, 1500 for a new player.
    pub rating: f64,
    /// The deviation: with 95 percent the strength is within two of them.
    pub deviation: f64,
    /// The volatility of the results.
    pub volatility: f64,
}

impl Default for Glicko {
    fn default() -> Glicko {
        Glicko {
            rating: 1500.0,
            deviation: UNKNOWN,
            volatility: 0.06,
        }
    }
}

impl Glicko {
    /// The rating after these games, which are one rating period. The opponents'
    /// ratings are those from before it.
    #[must_use]
    pub fn after(&self, games: &[(Glicko, Score)]) -> Glicko {
        let games: Vec<(Glicko2Rating, Outcomes)> = (games.iter())
            .map(|(opponent, score)| (opponent.inner(), outcome(*score)))
            .collect();
        let after = glicko2_rating_period(&self.inner(), &games, &Glicko2Config::new());
        Glicko {
            rating: after.rating,
            deviation: after.deviation.min(UNKNOWN),
            volatility: after.volatility,
        }
    }

    /// The rating after a time without games, in rating periods. It gets less sure.
    #[must_use]
    pub fn idle(&self, periods: f64) -> Glicko {
        let deviation = self.deviation / UNIT;
        let grown = (deviation.powi(2) + self.volatility.powi(2) * periods.max(0.0)).sqrt();
        Glicko {
            deviation: (grown * UNIT).min(UNKNOWN),
            ..*self
        }
    }

    fn inner(&self) -> Glicko2Rating {
        Glicko2Rating {
            rating: self.rating,
            deviation: self.deviation,
            volatility: self.volatility,
        }
    }
}

fn outcome(score: Score) -> Outcomes {
    match score {
        Score::Win => Outcomes::WIN,
        Score::Draw => Outcomes::DRAW,
        Score::Loss => Outcomes::LOSS,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn rated(rating: f64, deviation: f64) -> Glicko {
        Glicko {
            rating,
            deviation,
            ..Glicko::default()
        }
    }

    /// The example of Glickman's paper: 1464.06, 151.52 and 0.05999.
    #[test]
    fn the_published_example() {
        let games = [
            (rated(1400.0, 30.0), Score::Win),
            (rated(1550.0, 100.0), Score::Loss),
            (rated(1700.0, 300.0), Score::Loss),
        ];
        let after = rated(1500.0, 200.0).after(&games);
        // The paper rounds on the way; more exactly it is 1464.0507.
        assert!((after.rating - 1464.06).abs() < 0.01, "{after:?}");
        assert_eq!(format!("{:.2}", after.deviation), "151.52");
        assert_eq!(format!("{:.5}", after.volatility), "0.06000");
        assert!((after.volatility - 0.05999).abs() < 0.00001);
    }

    #[test]
    fn idleness_is_a_period_without_games() {
        let player = rated(1500.0, 50.0);
        let (idle, period) = (player.idle(1.0), player.after(&[]));
        assert!((idle.deviation - period.deviation).abs() < 1e-9);
        assert_eq!(
            (idle.rating, idle.volatility),
            (period.rating, period.volatility)
        );
        let twice = player.idle(0.5).idle(0.5);
        assert!((twice.deviation - idle.deviation).abs() < 1e-9);
        assert_eq!(player.idle(1e9).deviation, UNKNOWN);
        assert_eq!(player.idle(-1.0), player);
    }

    fn any_rating() -> impl Strategy<Value = Glicko> {
        (100.0..3500.0, 30.0..350.0).prop_map(|(rating, deviation)| rated(rating, deviation))
    }

    proptest! {
        #[test]
        fn results_move_ratings_in_their_direction(own in any_rating(), other in any_rating()) {
            let after = |score| own.after(&[(other, score)]);
            let (win, draw, loss) = (after(Score::Win), after(Score::Draw), after(Score::Loss));
            prop_assert!(win.rating > own.rating && own.rating > loss.rating);
            prop_assert!(win.rating > draw.rating && draw.rating > loss.rating);
            for after in [win, draw, loss] {
                prop_assert!(after.rating.is_finite() && after.volatility > 0.0);
                prop_assert!(after.deviation > 0.0 && after.deviation <= UNKNOWN);
            }
        }

        /// Of two who know as little of each other one gets what the other loses.
        #[test]
        fn equals_exchange_what_they_win(rating in 100.0..3000.0, deviation in 30.0..350.0) {
            let player = rated(rating, deviation);
            let won = player.after(&[(player, Score::Win)]).rating - rating;
            let lost = rating - player.after(&[(player, Score::Loss)]).rating;
            prop_assert!((won - lost).abs() < 1e-6);
        }
    }
}
