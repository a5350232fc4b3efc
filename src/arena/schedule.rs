//! Who plays whom from which opening, decided by seed and number alone.
//!
//! The unit is the pair: two games of the same two players from the same
//! opening with colours swapped. The same settings give the same list on any
//! machine, so a run can be cut into shards, stopped and resumed.

use crate::rules::{BoardSize, Symmetry};

/// Which engines play each other.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Pairing {
    /// Everyone against everyone.
    #[default]
    RoundRobin,
    /// The first player against each of the others.
    Gauntlet,
    /// The first against the second, the third against the fourth and so on.
    Neighbours,
}

impl Pairing {
    /// The pairings of one round.
    pub fn pairings(self, players: usize) -> Vec<(usize, usize)> {
        match self {
            Pairing::RoundRobin => (0..players)
                .flat_map(|a| (a + 1..players).map(move |b| (a, b)))
                .collect(),
            Pairing::Gauntlet => (1..players).map(|b| (0, b)).collect(),
            Pairing::Neighbours => (0..players / 2).map(|i| (2 * i, 2 * i + 1)).collect(),
        }
    }
}

/// In which order openings are taken.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum OpeningOrder {
    /// Shuffled by the seed.
    #[default]
    Random,
    /// As they stand in the file.
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
    /// How the opening is turned.
    pub symmetry: Symmetry,
}

/// What part of a schedule is played here: shard `index` (from zero) of
/// `count`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    /// Which part, from zero.
    pub index: usize,
    /// How many parts there are.
    pub count: usize,
}

/// The whole of a schedule in one part.
impl Default for Shard {
    fn default() -> Self {
        Shard { index: 0, count: 1 }
    }
}

impl Shard {
    /// Whether the pair with this number belongs to the part.
    pub const fn has(self, pair: usize) -> bool {
        pair % self.count == self.index
    }
}

/// Everything that fixes a schedule.
#[derive(Clone, Debug)]
pub struct Schedule {
    pairings: Vec<(usize, usize)>,
    rounds: usize,
    openings: Vec<usize>,
    symmetries: Vec<Symmetry>,
    seed: u64,
}

impl Schedule {
    /// A schedule of `rounds` rounds, in each of which every pairing plays one
    /// pair of games, all from the same opening.
    ///
    /// With `turn`, openings are turned and mirrored when the list starts
    /// again; the first time through they are played as they stand.
    pub fn new(
        pairings: Vec<(usize, usize)>,
        rounds: usize,
        openings: usize,
        order: OpeningOrder,
        turn: Option<BoardSize>,
        seed: u64,
    ) -> Schedule {
        let mut order_of: Vec<usize> = (0..openings.max(1)).collect();
        if order == OpeningOrder::Random {
            shuffle(&mut order_of, seed);
        }
        Schedule {
            pairings,
            rounds,
            openings: order_of,
            symmetries: turn.map_or(vec![Symmetry::ALL[0]], |size| size.symmetries().collect()),
            seed,
        }
    }

    /// The pairings of one round.
    pub fn pairings(&self) -> &[(usize, usize)] {
        &self.pairings
    }

    /// How many pairs of games there are.
    pub fn pairs(&self) -> usize {
        self.pairings.len() * self.rounds
    }

    /// The pair with this number.
    pub fn pair(&self, number: usize) -> Pair {
        let round = number / self.pairings.len().max(1);
        let opening = self.openings[round % self.openings.len()];
        let pass = round / self.openings.len();
        Pair {
            number,
            players: self.pairings[number % self.pairings.len()],
            opening,
            symmetry: self.symmetry(opening, pass),
        }
    }

    /// Each opening goes through the symmetries in an order of its own, the
    /// identity first.
    fn symmetry(&self, opening: usize, pass: usize) -> Symmetry {
        let mut order: Vec<usize> = (1..self.symmetries.len()).collect();
        shuffle(&mut order, self.seed ^ (opening as u64 + 1) << 32);
        order.insert(0, 0);
        self.symmetries[order[pass % order.len()]]
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
        let pairings = Pairing::RoundRobin.pairings(3);
        let size = Some(BoardSize::default());
        Schedule::new(pairings, 30, 7, OpeningOrder::Random, size, seed)
    }

    #[test]
    fn meetings_are_complete() {
        let pairings = Pairing::RoundRobin.pairings(4);
        assert_eq!(pairings, [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)]);
        assert_eq!(Pairing::Gauntlet.pairings(3), [(0, 1), (0, 2)]);
        assert_eq!(Pairing::Neighbours.pairings(5), [(0, 1), (2, 3)]);
    }

    #[test]
    fn the_seed_fixes_everything() {
        let list = |seed| {
            let schedule = schedule(seed);
            (0..schedule.pairs())
                .map(|n| schedule.pair(n))
                .collect::<Vec<_>>()
        };
        assert_eq!(list(5), list(5));
        assert_ne!(list(5), list(6));
    }

    #[test]
    fn no_meeting_sees_an_opening_twice_before_all_turns_are_used() {
        let schedule = schedule(9);
        let mut seen = HashSet::new();
        for number in 0..schedule.pairs() {
            let pair = schedule.pair(number);
            assert!(seen.insert((pair.players, pair.opening, pair.symmetry)));
            let turned = pair.symmetry != Symmetry::ALL[0];
            assert_eq!(turned, number >= 21, "the first time through as written");
        }
    }

    #[test]
    fn shards_cut_the_schedule_into_disjoint_parts() {
        for number in 0..100 {
            let owners = (0..4).filter(|&index| Shard { index, count: 4 }.has(number));
            assert_eq!(owners.count(), 1);
        }
    }
}
