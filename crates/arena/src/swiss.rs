//! A Swiss tournament: in every round players of equal points meet, none the
//! same one twice.
//!
//! A meeting of two is as many pairs of games as were asked for, and gives a point
//! to the one who has more points from its games, half a point to both where they have
//! the same. Players are ranked by points and then as they were listed. A group of
//! equal points is cut in two, and the first of the upper half meets the first of
//! the lower; a player who is left over joins the next group. With an odd number the
//! last player without a bye has one, or another player without one where that saves a
//! rematch. A bye counts as a meeting won.

use super::results::{PairResults, points};
use super::table::Table;
use petgraph::algo::maximum_matching;
use petgraph::graph::{NodeIndex, UnGraph};
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

/// Who meets whom in a round.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct SwissRound {
    pub(super) meetings: Vec<(usize, usize)>,
    pub(super) bye: Option<usize>,
}

/// A player after some rounds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct SwissPlayer {
    /// Half points from meetings.
    half_points: usize,
    /// Half points from games.
    game_half_points: usize,
    opponents: Vec<usize>,
    had_bye: bool,
    /// What the player did in each round, in words.
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
        let mut players = vec![SwissPlayer::default(); self.players];
        for number in 0..self.rounds {
            let round = next_round(&players);
            rounds.push(round.clone());
            if !self.count(number, &round, results, &mut players) {
                break;
            }
        }
        rounds
    }

    /// Counts a round. Says whether it is complete.
    fn count(
        &self,
        number: usize,
        round: &SwissRound,
        results: &PairResults,
        players: &mut [SwissPlayer],
    ) -> bool {
        let scores = round.meetings.iter().enumerate().map(|(i, &meeting)| {
            let numbers = self.pair_numbers(number, i);
            results.of_pairs(numbers, meeting)
        });
        let Some(scores) = scores.collect::<Option<Vec<[usize; 2]>>>() else {
            return false;
        };
        for (&(a, b), score) in round.meetings.iter().zip(scores) {
            for (player, other, [own, others]) in [(a, b, score), (b, a, [score[1], score[0]])] {
                let player = &mut players[player];
                player.half_points += match own.cmp(&others) {
                    std::cmp::Ordering::Less => 0,
                    std::cmp::Ordering::Equal => 1,
                    std::cmp::Ordering::Greater => 2,
                };
                player.game_half_points += own;
                player.opponents.push(other);
                let (own, others) = (points(own), points(others));
                player
                    .results
                    .push(format!("{own} - {others} #{}", other + 1));
            }
        }
        if let Some(bye) = round.bye {
            players[bye].half_points += 2;
            players[bye].had_bye = true;
            players[bye].results.push("bye".into());
        }
        true
    }

    /// The table: points, Buchholz (the points of all opponents), points from games.
    pub(super) fn table(&self, names: &[String], results: &PairResults) -> Table {
        let mut players = vec![SwissPlayer::default(); self.players];
        let rounds = self.rounds(results);
        let mut complete = 0;
        for (number, round) in rounds.iter().enumerate() {
            complete += usize::from(self.count(number, round, results, &mut players));
        }
        let buchholz = |player: &SwissPlayer| -> usize {
            let points = player
                .opponents
                .iter()
                .map(|&other| players[other].half_points);
            points.sum()
        };
        let mut order: Vec<usize> = (0..self.players).collect();
        order.sort_by_key(|&player| {
            let of = &players[player];
            Reverse((of.half_points, buchholz(of), of.game_half_points))
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
                points(of.half_points),
                points(buchholz(of)),
                points(of.game_half_points),
            ];
            row.extend(of.results.iter().cloned());
            table.add(row);
        }
        table
    }
}

/// Who meets whom next, with as few rematches as possible.
fn next_round(players: &[SwissPlayer]) -> SwissRound {
    let mut order: Vec<usize> = (0..players.len()).collect();
    order.sort_by_key(|&player| Reverse(players[player].half_points));
    if order.len().is_multiple_of(2) {
        return SwissRound {
            meetings: meetings(players, &order),
            bye: None,
        };
    }
    let without = |bye: usize| {
        let others = order.iter().copied().filter(|&player| player != bye);
        others.collect::<Vec<usize>>()
    };
    let mut byes: Vec<usize> = order.iter().rev().copied().collect();
    if players.iter().any(|player| !player.had_bye) {
        byes.retain(|&player| !players[player].had_bye);
    }
    let bye = (byes.into_iter()).min_by_key(|&bye| fewest_rematches(players, &without(bye)));
    let rest = bye.map_or(order.clone(), without);
    SwissRound {
        meetings: meetings(players, &rest),
        bye,
    }
}

/// The meetings of an even number of players, with as few rematches as possible. The best
/// ranked player has the first choice.
fn meetings(players: &[SwissPlayer], order: &[usize]) -> Vec<(usize, usize)> {
    let mut rest = order.to_vec();
    let mut rematches = fewest_rematches(players, &rest);
    let mut found = Vec::new();
    while let Some((&first, others)) = rest.split_first() {
        let mut seconds = by_preference(players, first, others).into_iter();
        let choice = seconds.find_map(|second| {
            let again = usize::from(players[first].opponents.contains(&second));
            let left = rematches.checked_sub(again)?;
            let others = others.iter().copied().filter(|&other| other != second);
            let others: Vec<usize> = others.collect();
            let fits = fewest_rematches(players, &others) <= left;
            fits.then_some((second, others, left))
        });
        // There is one: so many rematches are enough.
        let Some((second, others, left)) = choice else {
            break;
        };
        found.push((first, second));
        (rest, rematches) = (others, left);
    }
    found
}

/// The fewest rematches with which an even number of players can be paired. Those whom the
/// largest matching of strangers (Edmonds) leaves over have to meet again.
fn fewest_rematches(players: &[SwissPlayer], order: &[usize]) -> usize {
    let mut strangers = UnGraph::<(), ()>::default();
    let nodes: Vec<NodeIndex> = order.iter().map(|_| strangers.add_node(())).collect();
    for (place, &one) in order.iter().enumerate() {
        for (other_place, other) in order.iter().enumerate().take(place) {
            if !players[one].opponents.contains(other) {
                strangers.add_edge(nodes[place], nodes[other_place], ());
            }
        }
    }
    order.len() / 2 - maximum_matching(&strangers).len()
}

/// The lower half of the player's group, then its upper half, then all below.
fn by_preference(players: &[SwissPlayer], first: usize, others: &[usize]) -> Vec<usize> {
    let points = |player: usize| players[player].half_points;
    let group = others
        .iter()
        .take_while(|&&other| points(other) == points(first));
    let (group, below) = others.split_at(group.count());
    let upper = group.len().div_ceil(2).saturating_sub(1);
    let (upper, lower) = group.split_at(upper);
    let parts = lower.iter().chain(upper.iter().rev()).chain(below);
    parts.copied().collect()
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
            for (i, &(a, b)) in rounds[number].meetings.iter().enumerate() {
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
        assert_eq!(rounds[0].meetings, [(0, 4), (1, 5), (2, 6), (3, 7)]);
        assert_eq!(rounds[1].meetings, [(0, 2), (1, 3), (4, 6), (5, 7)]);
        assert_eq!(rounds[2].meetings[0], (0, 1));
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
                for &(a, b) in &round.meetings {
                    seen.extend([a, b]);
                    let rematch = !met.insert((a.min(b), a.max(b)));
                    assert!(!rematch || players < 7, "{players}: {rounds:?}");
                }
                seen.sort_unstable();
                assert!(seen.into_iter().eq(0..players), "{players}: {round:?}");
            }
        }
    }

    /// With the bye to the last who had none, two would have to meet again.
    #[test]
    fn another_bye_is_better_than_a_rematch() {
        let rounds = [
            ([(5, 1), (2, 6), (7, 3), (4, 8)], 9),
            ([(5, 2), (4, 7), (9, 1), (3, 6)], 8),
            ([(5, 4), (9, 2), (3, 8), (7, 1)], 6),
            ([(9, 5), (3, 4), (7, 2), (6, 8)], 1),
            ([(3, 9), (5, 7), (4, 6), (8, 1)], 2),
            ([(3, 5), (9, 4), (2, 8), (1, 6)], 7),
        ];
        let mut players = vec![SwissPlayer::default(); 9];
        for (meetings, bye) in rounds {
            for (winner, loser) in meetings {
                players[winner - 1].half_points += 2;
                players[winner - 1].opponents.push(loser - 1);
                players[loser - 1].opponents.push(winner - 1);
            }
            players[bye - 1].half_points += 2;
            players[bye - 1].had_bye = true;
        }
        let round = next_round(&players);
        assert_eq!(round.meetings.len(), 4, "{round:?}");
        let is_rematch = |&(one, other): &(usize, usize)| players[one].opponents.contains(&other);
        assert!(!round.meetings.iter().any(is_rematch), "{round:?}");
        assert!(!players[round.bye.unwrap()].had_bye, "{round:?}");
    }

    /// Six players who have met in two triangles of strangers can't be paired without
    /// a rematch.
    #[test]
    fn a_rematch_is_better_than_no_round() {
        let mut players = vec![SwissPlayer::default(); 6];
        for (i, player) in players.iter_mut().enumerate() {
            player.opponents = (0..6).filter(|other| other / 3 != i / 3).collect();
        }
        let order: Vec<usize> = (0..6).collect();
        let found = meetings(&players, &order);
        let again = found.iter().filter(|(a, b)| a / 3 != b / 3).count();
        assert_eq!((found.len(), again), (3, 1), "{found:?}");
    }
}
