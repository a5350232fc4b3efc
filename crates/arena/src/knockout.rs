//! A knockout tournament: who loses a meeting is out.
//!
//! The first in the list meets the last and so on, in a bracket that keeps the
//! first two apart until the final; where the number is no power of two the first
//! have byes. A meeting is as many pairs of games as were asked for. Where they end
//! level, further pairs are played one by one until one decides, at most as many
//! again; after those, the player listed first goes on.

use super::results::{PairResults, points};
use super::table::Table;
use std::ops::Range;

/// A knockout tournament.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Knockout {
    pub(super) players: usize,
    /// Pairs of games in a meeting, tie-breaks aside.
    pub(super) pairs: usize,
}

/// A meeting and its score.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct KnockoutMeeting {
    pub(super) players: (usize, usize),
    /// Half points, tie-breaks included.
    half_points: [usize; 2],
    pub(super) state: MeetingState,
}

/// The state of a meeting.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum MeetingState {
    /// These pairs of games are to be played.
    Due(Range<usize>),
    /// The winner, and how it was decided.
    Won(usize, Decided),
}

/// The way in which a meeting was decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Decided {
    /// By its games.
    Score,
    /// By this many pairs more.
    TieBreak(usize),
    /// Level after all of them: by the order in the list.
    ListOrder,
}

impl Knockout {
    /// Returns the number of rounds.
    pub(super) const fn rounds(&self) -> usize {
        self.players.next_power_of_two().trailing_zeros() as usize
    }

    /// The number of the first pair of a meeting.
    fn first_pair(&self, round: usize, meeting: usize) -> usize {
        let meetings = self.players.next_power_of_two() / 2;
        (round * meetings + meeting) * 2 * self.pairs
    }

    /// The round and the place within a meeting of the pair with this number.
    pub(super) fn place(&self, pair: usize) -> (usize, usize) {
        let meetings = self.players.next_power_of_two() / 2;
        let in_meeting = 2 * self.pairs;
        (pair / in_meeting / meetings.max(1), pair % in_meeting)
    }

    /// The rounds that are complete, and the one that is being played.
    pub(super) fn meetings(&self, results: &PairResults) -> Vec<Vec<KnockoutMeeting>> {
        let size = self.players.next_power_of_two();
        let seat = |seed| Some(seed).filter(|&seed| seed < self.players);
        let mut left: Vec<Option<usize>> = bracket(size).into_iter().map(seat).collect();
        let mut rounds = Vec::new();
        while left.len() > 1 {
            let mut meetings = Vec::new();
            let mut winners = Vec::new();
            for (index, two) in left.chunks(2).enumerate() {
                let (Some(a), Some(b)) = (two[0], two[1]) else {
                    winners.push(two[0].or(two[1]));
                    continue;
                };
                let meeting = self.meeting(rounds.len(), index, (a.min(b), a.max(b)), results);
                winners.push(match meeting.state {
                    MeetingState::Won(winner, _) => Some(winner),
                    MeetingState::Due(_) => None,
                });
                meetings.push(meeting);
            }
            rounds.push(meetings);
            if winners.contains(&None) {
                break;
            }
            left = winners;
        }
        rounds
    }

    fn meeting(
        &self,
        round: usize,
        index: usize,
        players: (usize, usize),
        results: &PairResults,
    ) -> KnockoutMeeting {
        let first = self.first_pair(round, index);
        let mut half_points = [0; 2];
        let state = 'state: {
            let planned = first..first + self.pairs;
            let tie_breaks = planned.end..planned.end + self.pairs;
            let parts = std::iter::once(planned.clone()).chain(tie_breaks.map(|i| i..i + 1));
            for pairs in parts {
                let Some(more) = results.of_pairs(pairs.clone(), players) else {
                    break 'state MeetingState::Due(pairs);
                };
                half_points = [half_points[0] + more[0], half_points[1] + more[1]];
                if half_points[0] != half_points[1] {
                    let winner = if half_points[0] > half_points[1] {
                        players.0
                    } else {
                        players.1
                    };
                    let how = match pairs.end - planned.end {
                        0 => Decided::Score,
                        more => Decided::TieBreak(more),
                    };
                    break 'state MeetingState::Won(winner, how);
                }
            }
            MeetingState::Won(players.0, Decided::ListOrder)
        };
        KnockoutMeeting {
            players,
            half_points,
            state,
        }
    }

    /// Every meeting with its score and how it was decided.
    pub(super) fn table(&self, names: &[String], results: &PairResults) -> Table {
        let head = ["Round", "Meeting", "Points", "Winner", "Decided by"];
        let mut table = Table::new("Knockout".into(), &head);
        for (round, meetings) in self.meetings(results).iter().enumerate() {
            for meeting in meetings {
                let (a, b) = meeting.players;
                let (winner, decided) = match &meeting.state {
                    MeetingState::Due(_) => (String::new(), "not yet".to_owned()),
                    MeetingState::Won(winner, how) => (names[*winner].clone(), how.to_string()),
                };
                let [one, other] = meeting.half_points.map(points);
                table.add(vec![
                    (round + 1).to_string(),
                    format!("{} - {}", names[a], names[b]),
                    format!("{one} - {other}"),
                    winner,
                    decided,
                ]);
            }
        }
        table
    }
}

impl std::fmt::Display for Decided {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Decided::Score => f.write_str("points"),
            Decided::TieBreak(1) => f.write_str("one pair more"),
            Decided::TieBreak(pairs) => write!(f, "{pairs} pairs more"),
            Decided::ListOrder => f.write_str("level, first in the list"),
        }
    }
}

/// Seeds in the order of the bracket: 0, 3, 1, 2 for four.
fn bracket(size: usize) -> Vec<usize> {
    let mut order = vec![0];
    while order.len() < size {
        let last = 2 * order.len() - 1;
        order = order.iter().flat_map(|&seed| [seed, last - seed]).collect();
    }
    order
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::record::MatchGame;
    use quincunx_engine::rules::Color;

    fn names(players: usize) -> Vec<String> {
        (0..players).map(|player| format!("P{player}")).collect()
    }

    /// Plays to the end. `points` says how many half points of four the first has in a
    /// pair of games of these players.
    fn play(
        knockout: Knockout,
        points: &dyn Fn(usize, usize) -> usize,
    ) -> Vec<Vec<KnockoutMeeting>> {
        let mut games: Vec<MatchGame> = Vec::new();
        loop {
            let results = PairResults::new(&names(knockout.players), &games);
            let rounds = knockout.meetings(&results);
            let before = games.len();
            for meeting in rounds.last().unwrap() {
                let MeetingState::Due(pairs) = &meeting.state else {
                    continue;
                };
                let (a, b) = meeting.players;
                for pair in pairs.clone() {
                    let points = points(a, b);
                    for half in 0..2 {
                        let of_first = [points.min(2), points.saturating_sub(2)][half];
                        let winner = match (of_first, half) {
                            (1, _) => None,
                            (2, 0) | (0, 1) => Some(Color::Black),
                            _ => Some(Color::White),
                        };
                        let (black, white) = if half == 0 { (a, b) } else { (b, a) };
                        let (black, white) = (format!("P{black}"), format!("P{white}"));
                        let number = 2 * pair + half;
                        games.push(MatchGame::without_moves(number, black, white, winner));
                    }
                }
            }
            if games.len() == before {
                return rounds;
            }
        }
    }

    #[test]
    fn the_first_two_meet_in_the_final() {
        assert_eq!(bracket(8), [0, 7, 3, 4, 1, 6, 2, 5]);
        for players in 2..=9 {
            let knockout = Knockout { players, pairs: 2 };
            let rounds = play(knockout, &|a, b| if a < b { 3 } else { 1 });
            assert_eq!(rounds.len(), knockout.rounds());
            let last = rounds.last().unwrap();
            assert_eq!(last[0].players, (0, 1));
            assert_eq!(last[0].state, MeetingState::Won(0, Decided::Score));
            let meetings: usize = rounds.iter().map(Vec::len).sum();
            assert_eq!(meetings, players - 1, "all but the winner lose one");
        }
        let rounds = play(
            Knockout {
                players: 5,
                pairs: 1,
            },
            &|_, _| 4,
        );
        let first: Vec<(usize, usize)> = rounds[0].iter().map(|m| m.players).collect();
        assert_eq!(first, [(3, 4)], "three have byes");
    }

    #[test]
    fn level_meetings_go_on_and_then_the_list_decides() {
        let knockout = Knockout {
            players: 2,
            pairs: 3,
        };
        let rounds = play(knockout, &|_, _| 2);
        let meeting = &rounds[0][0];
        assert_eq!(meeting.state, MeetingState::Won(0, Decided::ListOrder));
        assert_eq!(meeting.half_points, [12, 12], "six pairs");
        let count = std::cell::Cell::new(0);
        let rounds = play(knockout, &|_, _| {
            count.set(count.get() + 1);
            if count.get() == 5 { 1 } else { 2 }
        });
        let state = MeetingState::Won(1, Decided::TieBreak(2));
        assert_eq!(rounds[0][0].state, state);
    }

    #[test]
    fn numbers_of_pairs_are_unique_and_encode_their_place() {
        let knockout = Knockout {
            players: 6,
            pairs: 2,
        };
        let mut seen = std::collections::HashSet::new();
        for round in 0..3 {
            for meeting in 0..4 >> round {
                for place in 0..4 {
                    let number = knockout.first_pair(round, meeting) + place;
                    assert!(seen.insert(number));
                    assert_eq!(knockout.place(number), (round, place));
                }
            }
        }
    }
}
