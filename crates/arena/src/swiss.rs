//! A Swiss tournament of engines, by [`quincunx_pairing::swiss`].
//!
//! A meeting of two is as many pairs of games as were asked for, and gives a point
//! to the one who has more points from its games, half a point to both where they have
//! the same. In a pair of games both begin once, so seats don't matter. A rematch or a second bye is
//! better than no round. A bye counts as a meeting won.

use super::results::{PairResults, points};
use super::table::Table;
use quincunx_pairing::swiss::{Repeats, SwissPlayer, SwissRound, pair};
use std::cmp::Reverse;
use std::ops::Range;

/// A Swiss tournament.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Swiss {
    pub(super) players: usize,
    pub(super) rounds: usize,
    /// Pairs of games in a meeting.
    pub(super) pairs: usize,
}

/// An engine after some rounds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Entrant {
    pairing: SwissPlayer,
    /// Half points from games.
    game_half_points: usize,
    /// The result of each round in words.
    results: Vec<String>,
}

impl Swiss {
    /// The most rounds in which no two players have to meet twice.
    pub(super) const fn most_rounds(players: usize) -> usize {
        if players.is_multiple_of(2) {
            players - 1
        } else {
            players
        }
    }

    /// Enough rounds for one player to win all of them alone.
    pub(super) const fn usual_rounds(players: usize) -> usize {
        players.next_power_of_two().trailing_zeros() as usize
    }

    /// The meetings of a round.
    pub(super) const fn meetings(&self) -> usize {
        self.players / 2
    }

    /// The numbers of the pairs of games of a meeting.
    pub(super) fn pair_numbers(&self, round: usize, meeting: usize) -> Range<usize> {
        let start = (round * self.meetings() + meeting) * self.pairs;
        start..start + self.pairs
    }

    /// The rounds that are complete, and the one that is being played.
    pub(super) fn rounds(&self, results: &PairResults) -> Vec<SwissRound> {
        let mut rounds: Vec<SwissRound> = Vec::new();
        let mut players = vec![Entrant::default(); self.players];
        for number in 0..self.rounds {
            let round = next_round(&players);
            rounds.push(round.clone());
            if !self.count(number, &round, results, &mut players) {
                break;
            }
        }
        rounds
    }

    /// Counts a round. Returns true if it is complete.
    fn count(
        &self,
        number: usize,
        round: &SwissRound,
        results: &PairResults,
        players: &mut [Entrant],
    ) -> bool {
        let scores = round.games.iter().enumerate().map(|(i, &meeting)| {
            let numbers = self.pair_numbers(number, i);
            results.of_pairs(numbers, meeting)
        });
        let Some(scores) = scores.collect::<Option<Vec<[usize; 2]>>>() else {
            return false;
        };
        for (&(a, b), score) in round.games.iter().zip(scores) {
            for (player, other, [own, others]) in [(a, b, score), (b, a, [score[1], score[0]])] {
                let player = &mut players[player];
                player.pairing.half_points += match own.cmp(&others) {
                    std::cmp::Ordering::Less => 0,
                    std::cmp::Ordering::Equal => 1,
                    std::cmp::Ordering::Greater => 2,
                };
                player.game_half_points += own;
                player.pairing.met.push(other);
                let (own, others) = (points(own), points(others));
                player
                    .results
                    .push(format!("{own} - {others} #{}", other + 1));
            }
        }
        if let Some(bye) = round.bye {
            players[bye].pairing.half_points += 2;
            players[bye].pairing.had_bye = true;
            players[bye].results.push("bye".into());
        }
        true
    }

    /// The table: points, Buchholz (the points of all opponents), points from games.
    pub(super) fn table(&self, names: &[String], results: &PairResults) -> Table {
        let mut players = vec![Entrant::default(); self.players];
        let rounds = self.rounds(results);
        let mut complete = 0;
        for (number, round) in rounds.iter().enumerate() {
            complete += usize::from(self.count(number, round, results, &mut players));
        }
        let half_points = |player: &Entrant| player.pairing.half_points as usize;
        let buchholz = |player: &Entrant| -> usize {
            let opponents = player.pairing.met.iter();
            opponents.map(|other| half_points(&players[*other])).sum()
        };
        let mut order: Vec<usize> = (0..self.players).collect();
        order.sort_by_key(|&player| {
            let of = &players[player];
            Reverse((half_points(of), buchholz(of), of.game_half_points))
        });
        let title = format!("Swiss, {complete} of {} rounds", self.rounds);
        let mut head = vec!["", "#", "Engine", "Points", "Buchholz", "Games"];
        let rounds: Vec<String> = (1..=complete)
            .map(|round| format!("Round {round}"))
            .collect();
        head.extend(rounds.iter().map(String::as_str));
        let mut table = Table::new(title, &head);
        for (place, &player) in order.iter().enumerate() {
            let of = &players[player];
            let mut row = vec![
                (place + 1).to_string(),
                (player + 1).to_string(),
                names[player].clone(),
                points(half_points(of)),
                points(buchholz(of)),
                points(of.game_half_points),
            ];
            row.extend(of.results.iter().cloned());
            table.add(row);
        }
        table
    }
}

/// The pairings of the next round.
fn next_round(entrants: &[Entrant]) -> SwissRound {
    let players: Vec<SwissPlayer> = entrants.iter().map(|it| it.pairing.clone()).collect();
    let all: Vec<usize> = (0..players.len()).collect();
    // With repeats there always is one.
    pair(&players, &all, Repeats::IfNeeded).unwrap_or_default()
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::record::MatchGame;
    use quincunx_engine::rules::Color;
    use std::collections::HashSet;

    fn names(players: usize) -> Vec<String> {
        (0..players).map(|player| format!("P{player}")).collect()
    }

    fn game(number: usize, black: usize, white: usize, winner: Option<Color>) -> MatchGame {
        MatchGame::without_moves(number, format!("P{black}"), format!("P{white}"), winner)
    }

    /// Plays whole rounds. `outcome` says who wins: -1 the first, 1 the second.
    fn play(
        swiss: Swiss,
        outcome: &mut dyn FnMut(usize, usize) -> i32,
    ) -> (Vec<SwissRound>, PairResults) {
        let mut games = Vec::new();
        loop {
            let results = PairResults::new(&names(swiss.players), &games);
            let rounds = swiss.rounds(&results);
            let number = rounds.len() - 1;
            let before = games.len();
            for (i, &(a, b)) in rounds[number].games.iter().enumerate() {
                for pair in swiss.pair_numbers(number, i) {
                    if results.is_complete(pair) {
                        continue;
                    }
                    let winners = match outcome(a, b) {
                        -1 => [Some(Color::Black), Some(Color::White)],
                        1 => [Some(Color::White), Some(Color::Black)],
                        _ => [Some(Color::Black), Some(Color::Black)],
                    };
                    games.push(game(2 * pair, a, b, winners[0]));
                    games.push(game(2 * pair + 1, b, a, winners[1]));
                }
            }
            if games.len() == before {
                return (rounds, results);
            }
        }
    }

    #[test]
    fn the_better_listed_win_as_the_books_have_it() {
        let swiss = Swiss {
            players: 8,
            rounds: 3,
            pairs: 1,
        };
        let (rounds, results) = play(swiss, &mut |a, b| if a < b { -1 } else { 1 });
        assert_eq!(rounds[0].games, [(0, 4), (1, 5), (2, 6), (3, 7)]);
        assert_eq!(rounds[1].games, [(0, 2), (1, 3), (4, 6), (5, 7)]);
        assert_eq!(rounds[2].games[0], (0, 1));
        let table = swiss.table(&names(8), &results).text();
        let first: Vec<&str> = table.lines().nth(2).unwrap().split_whitespace().collect();
        assert_eq!(first[..4], ["1", "1", "P0", "3"], "{table}");
    }

    #[test]
    fn byes_go_round_from_below() {
        let swiss = Swiss {
            players: 5,
            rounds: 5,
            pairs: 2,
        };
        let (rounds, _) = play(swiss, &mut |a, b| if a < b { -1 } else { 1 });
        let byes: HashSet<Option<usize>> = rounds.iter().map(|round| round.bye).collect();
        assert_eq!(rounds[0].bye, Some(4));
        assert_eq!(byes.len(), 5, "none has two: {rounds:?}");
    }

    /// Every player plays once a round, and no opponent twice as long as that can be,
    /// and the points of those who meet differ little.
    #[test]
    fn rounds_keep_the_rules_whatever_happens() {
        let mut random = fastrand::Rng::with_seed(3);
        for players in 2..=17 {
            let swiss = Swiss {
                players,
                rounds: Swiss::usual_rounds(players).max(1),
                pairs: 1,
            };
            let (rounds, _) = play(swiss, &mut |_, _| random.i32(-1..=1));
            assert_eq!(rounds.len(), swiss.rounds);
            let mut met = HashSet::new();
            for round in &rounds {
                let mut seen: Vec<usize> = round.bye.into_iter().collect();
                for &(a, b) in &round.games {
                    seen.extend([a, b]);
                    let rematch = !met.insert((a.min(b), a.max(b)));
                    assert!(!rematch || players < 7, "{players}: {rounds:?}");
                }
                seen.sort_unstable();
                assert!(seen.into_iter().eq(0..players), "{players}: {round:?}");
            }
        }
    }
}
