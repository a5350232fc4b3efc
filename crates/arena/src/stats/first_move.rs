//! What the first move is worth: by how much a player is stronger with black than with white.
//!
//! The model is that of the ratings with one parameter more, which black has on its side. The
//! strengths are fitted with it, so between unequal players the advantage is not hidden by wins
//! that either colour would have brought.
//!
//! The two games of a pair share their opening. The error is that of independent games, widened
//! or narrowed by how much black's points of pairs vary beside those of two such games.

use super::counts::Pairs;
use super::elo::CONFIDENCE;
use super::logistic::{Fit, Observation};
use super::ratings::{Meeting, Rating, SCALE};

/// Holds what no games determine, the sum of the strengths of players that games connect.
const PRIOR: f64 = 1e-6;

/// The advantage of black, in Elo, over the meetings of this many players. `None` before the first
/// game.
pub(crate) fn first_move(players: usize, meetings: &[Meeting]) -> Option<Rating> {
    let met: Vec<&Meeting> = Meeting::with_games(meetings).collect();
    if met.is_empty() {
        return None;
    }
    let black = players;
    let mut prior = vec![vec![0.0; players + 1]; players + 1];
    (0..players).for_each(|player| prior[player][player] = PRIOR);
    // The first player of each meeting with black, and the second. A drawn game is added, as in
    // the ratings, half of it for each colour.
    let observations: Vec<[Observation; 2]> = (met.iter())
        .map(|meeting| {
            let (a, b) = meeting.players;
            let [first, second] = [meeting.by_color[0], meeting.by_color[1].reversed()];
            [(a, b, first), (b, a, second)].map(|(own, other, tally)| Observation {
                terms: vec![(own, 1.0), (other, -1.0), (black, 1.0)],
                games: tally.games() as f64 + 0.5,
                points: tally.points() + 0.25,
            })
        })
        .collect();
    let fit = Fit::new(&prior, observations.as_flattened());
    let (mut expected_spread, mut found_spread) = (0.0, 0.0);
    let mut outcomes = Pairs::default();
    for (meeting, observations) in met.iter().zip(&observations) {
        let expected = observations.each_ref().map(|of| fit.expected(&of.terms));
        let variance: f64 = expected.map(|e| e * (1.0 - e)).iter().sum();
        let pairs = meeting.black_pairs;
        expected_spread += pairs.count() as f64 * variance;
        found_spread += pairs.spread_around(expected.iter().sum());
        outcomes += pairs;
    }
    // Pairs that all ended alike say nothing of how they vary.
    let ratio = match outcomes.spread() {
        Some(_) => found_spread / expected_spread,
        None => 1.0,
    };
    let variance = (ratio * fit.inverse[black][black]).max(0.0);
    Some(Rating {
        elo: fit.parameters[black] * SCALE,
        error: CONFIDENCE * variance.sqrt() * SCALE,
    })
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::super::counts::{Tally, Wdl};
    use super::super::elo::{EloEstimate, score_of_elo};
    use super::*;

    /// Meetings whose pairs gave the first player these outcomes with black and with white.
    fn meeting(players: (usize, usize), pairs: &[(Wdl, Wdl, u64)]) -> Meeting {
        let mut meeting = Meeting {
            players,
            ..Meeting::default()
        };
        for &(black, white, count) in pairs {
            for _ in 0..count {
                meeting.by_color[0].add(black);
                meeting.by_color[1].add(white);
                meeting.pairs.add(black, white);
                meeting.black_pairs.add(black, white.reversed());
            }
        }
        let [mut tally, other] = meeting.by_color;
        tally += other;
        Meeting { tally, ..meeting }
    }

    /// So many pairs of independent games, the first player and black being so much stronger.
    fn expected(players: (usize, usize), count: f64, lead: f64, advantage: f64) -> Meeting {
        use Wdl::{Loss, Win};
        let (black, white) = (
            score_of_elo(lead + advantage),
            score_of_elo(lead - advantage),
        );
        let pairs = |share: f64| (count * share).round() as u64;
        let all = [
            (Win, Win, pairs(black * white)),
            (Win, Loss, pairs(black * (1.0 - white))),
            (Loss, Win, pairs((1.0 - black) * white)),
            (Loss, Loss, pairs((1.0 - black) * (1.0 - white))),
        ];
        meeting(players, &all)
    }

    #[test]
    fn the_advantage_is_found_however_unequal_the_players_are() {
        for lead in [0.0, 100.0, -300.0] {
            for advantage in [0.0, 70.0, -40.0] {
                let meeting = expected((0, 1), 1e5, lead, advantage);
                let found = first_move(2, &[meeting]).unwrap();
                assert!(
                    (found.elo - advantage).abs() < 0.5,
                    "{lead} {advantage}: {found:?}"
                );
            }
        }
        // Three players who met in a round, and two whom no games connect with them.
        let meetings = [
            expected((0, 1), 1e5, 100.0, 50.0),
            expected((1, 2), 1e5, 100.0, 50.0),
            expected((0, 2), 1e5, 200.0, 50.0),
            expected((3, 4), 1e5, -150.0, 50.0),
        ];
        let found = first_move(5, &meetings).unwrap();
        assert!((found.elo - 50.0).abs() < 0.2, "{found:?}");
        assert!(found.error > 0.5 && found.error < 1.0, "{found:?}");
    }

    /// Between equal players the number and its error are those of black's score in pairs.
    #[test]
    fn the_error_is_that_of_pairs() {
        use Wdl::{Draw, Loss, Win};
        for pairs in [
            // Black wins both games of a pair or loses both: the opening decides.
            [(Win, Loss, 60), (Loss, Win, 40), (Draw, Draw, 0)],
            // One player wins both: pairs are level for black, more than games would be.
            [(Win, Win, 90), (Loss, Loss, 90), (Win, Loss, 20)],
            [(Draw, Draw, 50), (Win, Draw, 30), (Loss, Win, 30)],
        ] {
            let meeting = meeting((0, 1), &pairs);
            let found = first_move(2, &[meeting]).unwrap();
            let expected = EloEstimate::from_pairs(&meeting.black_pairs).unwrap();
            let close = |a: f64, b: f64| (a - b).abs() < 0.05 * (b.abs() + 5.0);
            assert!(close(found.elo, expected.elo), "{found:?} {expected:?}");
            assert!(
                close(found.error, expected.elo_error),
                "{found:?} {expected:?}"
            );
        }
    }

    #[test]
    fn few_games_and_games_that_all_ended_alike_give_numbers() {
        assert_eq!(first_move(2, &[]), None);
        let mut single = Meeting {
            players: (0, 1),
            ..Meeting::default()
        };
        assert_eq!(first_move(2, &[single]), None);
        single.by_color[0].add(Wdl::Win);
        single.tally = Tally {
            wins: 1,
            ..Tally::default()
        };
        let sweep = meeting((0, 1), &[(Wdl::Win, Wdl::Loss, 9)]);
        let level = meeting((0, 1), &[(Wdl::Win, Wdl::Win, 9)]);
        for (meeting, low, high) in [
            (single, 50.0, 400.0),
            (sweep, 400.0, 900.0),
            (level, -1.0, 1.0),
        ] {
            let found = first_move(2, &[meeting]).unwrap();
            assert!((low..high).contains(&found.elo), "{found:?}");
            assert!(found.error > 100.0 && found.error.is_finite(), "{found:?}");
        }
    }
}
