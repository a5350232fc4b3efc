//! Who plays whom from which opening, decided by seed and number alone.
//!
//! The unit is the pair: two games of the same two players from the same
//! opening with colours swapped. The same settings give the same list on any
//! machine, so a run can be cut into shards, stopped and resumed.

use super::knockout::{Knockout, MeetingState};
use super::results::PairResults;
use super::swiss::Swiss;
use super::table::Table;
use quincunx_engine::rules::{BoardSize, Symmetry};
use quincunx_runs::Shard;
use serde::{Deserialize, Serialize};

/// The format of a tournament.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Format {
    /// Everyone against everyone.
    #[default]
    RoundRobin,
    /// The first player against each of the others.
    Gauntlet,
    /// The first against the second, the third against the fourth and so on.
    Neighbours,
    /// In every round players of equal points meet.
    Swiss {
        /// The number of rounds, by default enough for a single winner.
        rounds: Option<usize>,
    },
    /// The loser of a meeting is out.
    Knockout,
}

impl Format {
    /// The pairings of one round, where they do not depend on results.
    fn pairings(self, players: usize) -> Option<Vec<(usize, usize)>> {
        Some(match self {
            Format::RoundRobin => (0..players)
                .flat_map(|a| (a + 1..players).map(move |b| (a, b)))
                .collect(),
            Format::Gauntlet => (1..players).map(|b| (0, b)).collect(),
            Format::Neighbours => (0..players / 2).map(|i| (2 * i, 2 * i + 1)).collect(),
            Format::Swiss { .. } | Format::Knockout => return None,
        })
    }

    /// Returns whether the pairings depend on results.
    pub fn depends_on_results(self) -> bool {
        self.pairings(2).is_none()
    }

    /// The most rounds of a Swiss tournament in which no engine has to meet the same
    /// player twice.
    pub fn most_swiss_rounds(players: usize) -> usize {
        Swiss::most_rounds(players)
    }
}

/// The pairings of a tournament, and their pairs of games.
#[derive(Clone, Debug)]
enum Plan {
    /// Every round has these pairings.
    Fixed(Vec<(usize, usize)>),
    Swiss(Swiss),
    Knockout(Knockout),
}

impl Plan {
    fn new(format: Format, players: usize, pairs: usize) -> Plan {
        match format {
            Format::Swiss { rounds } => Plan::Swiss(Swiss {
                players,
                rounds: rounds.unwrap_or(Swiss::usual_rounds(players)),
                pairs,
            }),
            Format::Knockout => Plan::Knockout(Knockout { players, pairs }),
            format => Plan::Fixed(format.pairings(players).unwrap_or_default()),
        }
    }

    /// Returns the number of meetings.
    fn meetings(&self) -> usize {
        match self {
            Plan::Fixed(pairings) => pairings.len(),
            Plan::Swiss(swiss) => swiss.rounds * swiss.meetings(),
            Plan::Knockout(knockout) => knockout.players.saturating_sub(1),
        }
    }
}

/// In which order openings are taken.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum OpeningOrder {
    /// Shuffled by the seed.
    #[default]
    Random,
    /// In the order of the file.
    Sequential,
}

/// Two games of two players from one opening, colours swapped in between.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pair {
    /// The number of the pair in the whole schedule, from zero.
    pub number: usize,
    /// The players; the first has black in the first game.
    pub players: (usize, usize),
    /// Which opening.
    pub opening: usize,
    /// The symmetry by which the opening is turned.
    pub symmetry: Symmetry,
}

/// Everything that fixes a schedule.
#[derive(Clone, Debug)]
pub struct Schedule {
    plan: Plan,
    /// Pairs of games of each two that meet.
    pairs_each: usize,
    openings: Vec<usize>,
    symmetries: Vec<Symmetry>,
    seed: u64,
}

/// The list from which the openings of a schedule are taken.
#[derive(Clone, Copy, Debug)]
pub struct OpeningList {
    /// The number of openings.
    pub count: usize,
    /// The order in which they are taken.
    pub order: OpeningOrder,
    /// The board on which openings are turned and mirrored when the list repeats, if they are. The
    /// first time they are unchanged.
    pub turn: Option<BoardSize>,
    /// The seed of the order and of the turns.
    pub seed: u64,
}

impl Schedule {
    /// A schedule in which each two of `players` that meet play `pairs_each` pairs of
    /// games. All engines play the same openings in a round.
    pub fn new(
        format: Format,
        players: usize,
        pairs_each: usize,
        openings: OpeningList,
    ) -> Schedule {
        let OpeningList {
            count,
            order,
            turn,
            seed,
        } = openings;
        let mut order_of: Vec<usize> = (0..count.max(1)).collect();
        if order == OpeningOrder::Random {
            shuffle(&mut order_of, seed);
        }
        Schedule {
            plan: Plan::new(format, players, pairs_each),
            pairs_each,
            openings: order_of,
            symmetries: turn.map_or(vec![Symmetry::ALL[0]], |size| size.symmetries().collect()),
            seed,
        }
    }

    /// The pairings of one round, where they do not depend on results.
    pub fn pairings(&self) -> &[(usize, usize)] {
        match &self.plan {
            Plan::Fixed(pairings) => pairings,
            Plan::Swiss(_) | Plan::Knockout(_) => &[],
        }
    }

    /// Returns whether a shard has the pair with this number. Pairs are dealt in turn. Where that
    /// would give each shard the same meetings again and again, the turn moves on by one.
    pub fn is_in(&self, shard: Shard, pair: usize) -> bool {
        let common = self.common_divisor(shard);
        // The least common multiple: after so many pairs all meetings come to the same parts.
        let repeats = self.pairings().len() / common * shard.count;
        let moved = pair / repeats.max(1) % common;
        shard.has(pair + moved)
    }

    /// The greatest common divisor of the numbers of meetings and parts.
    fn common_divisor(&self, shard: Shard) -> usize {
        let (mut divisor, mut rest) = (shard.count, self.pairings().len());
        while rest > 0 {
            (divisor, rest) = (rest, divisor % rest);
        }
        divisor
    }

    /// Returns the number of pairs of games, tie-breaks aside.
    pub fn pairs(&self) -> usize {
        self.pairs_each * self.plan.meetings()
    }

    /// Returns the number of openings that the whole tournament can use.
    pub fn opening_count(format: Format, players: usize, pairs_each: usize) -> usize {
        let rounds = match Plan::new(format, players, pairs_each) {
            Plan::Fixed(_) => 1,
            Plan::Swiss(swiss) => swiss.rounds,
            // The last for tie-breaks.
            Plan::Knockout(knockout) => knockout.rounds() + 1,
        };
        rounds * pairs_each
    }

    /// The pairs of games that can be played now, given the earlier results. None at the end of the
    /// tournament.
    pub fn due(&self, results: &PairResults) -> Vec<Pair> {
        let mut due = Vec::new();
        match &self.plan {
            Plan::Fixed(pairings) => {
                let players = pairings.iter().cycle();
                let all = (0..self.pairs()).zip(players);
                due.extend(
                    all.map(|(number, &players)| {
                        self.pair(number, players, number / pairings.len())
                    }),
                );
            }
            Plan::Swiss(swiss) => {
                let rounds = swiss.rounds(results);
                let number = rounds.len().saturating_sub(1);
                let meetings = rounds.last().map(|round| round.games.as_slice());
                for (meeting, &players) in meetings.unwrap_or_default().iter().enumerate() {
                    for (i, pair) in swiss.pair_numbers(number, meeting).enumerate() {
                        due.push(self.pair(pair, players, number * self.pairs_each + i));
                    }
                }
            }
            Plan::Knockout(knockout) => {
                let rounds = knockout.meetings(results);
                for meeting in rounds.last().into_iter().flatten() {
                    let MeetingState::Due(pairs) = &meeting.state else {
                        continue;
                    };
                    for pair in pairs.clone() {
                        let (round, place) = knockout.place(pair);
                        let start = round * self.pairs_each + place;
                        due.push(self.pair(pair, meeting.players, start));
                    }
                }
            }
        }
        due.retain(|pair| !results.is_complete(pair.number));
        due
    }

    /// A pair of games from the start with this index.
    fn pair(&self, number: usize, players: (usize, usize), start: usize) -> Pair {
        let (opening, symmetry) = self.start(start);
        Pair {
            number,
            players,
            opening,
            symmetry,
        }
    }

    /// The openings that two players who meet start from, and how they are turned.
    pub(super) fn starts(&self) -> impl Iterator<Item = (usize, Symmetry)> + '_ {
        (0..self.pairs_each).map(|index| self.start(index))
    }

    fn start(&self, index: usize) -> (usize, Symmetry) {
        let opening = self.openings[index % self.openings.len()];
        let pass = index / self.openings.len();
        (opening, self.symmetry(opening, pass))
    }

    /// Returns the symmetry of an opening in a pass through the list. Each opening has its own
    /// order, the identity first.
    fn symmetry(&self, opening: usize, pass: usize) -> Symmetry {
        let mut order: Vec<usize> = (1..self.symmetries.len()).collect();
        shuffle(&mut order, self.seed ^ (opening as u64 + 1) << 32);
        order.insert(0, 0);
        self.symmetries[order[pass % order.len()]]
    }
}

/// The pairings and the standings of a tournament whose pairings depend on its results. `pairs` is
/// the number of pairs of games of the whole schedule.
pub(super) fn progress_table(
    format: Format,
    names: &[String],
    pairs: usize,
    results: &PairResults,
) -> Option<Table> {
    let players = names.len();
    let meetings = Plan::new(format, players, 1).meetings();
    match Plan::new(format, players, pairs / meetings.max(1)) {
        Plan::Fixed(_) => None,
        Plan::Swiss(swiss) => Some(swiss.table(names, results)),
        Plan::Knockout(knockout) => Some(knockout.table(names, results)),
    }
}

/// Fisher and Yates with the SplitMix64 generator: the order must be the same
/// in every version, so no library decides it.
fn shuffle(items: &mut [usize], seed: u64) {
    let mut state = seed;
    let mut next = || {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    };
    for i in (1..items.len()).rev() {
        let j = (u128::from(next()) * (i as u128 + 1)) >> 64;
        items.swap(i, j as usize);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    fn schedule(seed: u64) -> Schedule {
        let openings = OpeningList {
            count: 7,
            order: OpeningOrder::Random,
            turn: Some(BoardSize::default()),
            seed,
        };
        Schedule::new(Format::RoundRobin, 3, 30, openings)
    }

    #[test]
    fn meetings_are_complete() {
        let pairings = |format: Format, players| format.pairings(players).unwrap_or_default();
        let all = pairings(Format::RoundRobin, 4);
        assert_eq!(all, [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)]);
        assert_eq!(pairings(Format::Gauntlet, 3), [(0, 1), (0, 2)]);
        assert_eq!(pairings(Format::Neighbours, 5), [(0, 1), (2, 3)]);
        assert!(Format::Knockout.depends_on_results());
        assert!(!Format::Gauntlet.depends_on_results());
    }

    #[test]
    fn the_seed_fixes_everything() {
        let list = |seed| schedule(seed).due(&PairResults::default());
        assert_eq!(list(5), list(5));
        assert_ne!(list(5), list(6));
        assert_eq!(list(5).len(), 90);
    }

    #[test]
    fn no_meeting_sees_an_opening_twice_before_all_turns_are_used() {
        let mut seen = HashSet::new();
        for pair in schedule(9).due(&PairResults::default()) {
            assert!(seen.insert((pair.players, pair.opening, pair.symmetry)));
            let turned = pair.symmetry != Symmetry::ALL[0];
            assert_eq!(
                turned,
                pair.number >= 21,
                "the first time through as written"
            );
        }
    }

    #[test]
    fn more_pairs_begin_with_the_same() {
        let openings = OpeningList {
            count: 7,
            order: OpeningOrder::Random,
            turn: None,
            seed: 2,
        };
        let list = |pairs| {
            let schedule = Schedule::new(Format::Gauntlet, 4, pairs, openings);
            schedule.due(&PairResults::default())
        };
        assert_eq!(list(9)[..], list(40)[..27]);
    }

    #[test]
    fn shards_cut_each_meeting_into_equal_parts() {
        let schedule = schedule(3);
        let is_equal = |pairs: usize, of: usize, count: usize| {
            let fewest = of / count;
            (fewest..=fewest + 1).contains(&pairs)
        };
        for count in [1, 2, 3, 4, 6, 9, 10, 90] {
            let mut played = HashSet::new();
            for index in 0..count {
                let shard = Shard { index, count };
                let mut meetings = [0; 3];
                for pair in (0..90).filter(|&pair| schedule.is_in(shard, pair)) {
                    assert!(played.insert(pair), "{pair}");
                    meetings[pair % 3] += 1;
                    let dealt_in_turn = pair % count == index;
                    assert!(dealt_in_turn || count % 3 == 0, "{pair}");
                }
                let mut equal = meetings.iter().map(|&pairs| is_equal(pairs, 30, count));
                assert!(equal.all(|it| it), "part {index} of {count}: {meetings:?}");
                assert!(is_equal(meetings.iter().sum(), 90, count));
            }
            assert_eq!(played.len(), 90);
        }
    }
}
