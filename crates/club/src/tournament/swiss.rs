//! The Swiss system.
//!
//! Players are ordered by points, and by strength among those with as many. The first
//! who has no opponent yet meets the best one that there is for them; best is, in the
//! group with as many points, the first of its lower half, then those below, those
//! above, and then the groups below. No two players meet twice, each has one bye
//! at most, and seats are shared out evenly. A matching of the remaining players
//! (Edmonds) tells whether an opponent leaves opponents for all others.

use super::pairing::{Pairing, PairingResult};
use petgraph::algo::maximum_matching;
use petgraph::graph::{NodeIndex, UnGraph};

/// What counts of a player's rounds.
#[derive(Clone, Default)]
struct Record {
    points: u32,
    /// Whom the player has met.
    met: Vec<usize>,
    /// Whether the player began, round by round.
    began: Vec<bool>,
    had_bye: bool,
}

impl Record {
    /// How many games more the player began than not.
    fn balance(&self) -> i32 {
        let weights = self.began.iter().map(|began| if *began { 1 } else { -1 });
        weights.sum()
    }
}

/// The players of a round, and what counts of their rounds before.
struct Field {
    records: Vec<Record>,
    /// The most games that a player may begin beyond, or short of, half of them.
    tolerance: i32,
}

/// The pairings of the round after these, if there are any.
pub(super) fn pair(withdrawn: &[bool], rounds: &[Vec<Pairing>]) -> Option<Vec<Pairing>> {
    let records = records(withdrawn.len(), rounds);
    let mut order: Vec<usize> = (0..withdrawn.len())
        .filter(|player| !withdrawn[*player])
        .collect();
    order.sort_by_key(|player| std::cmp::Reverse(records[*player].points));
    let byes: Vec<Option<usize>> = if order.len().is_multiple_of(2) {
        vec![None]
    } else {
        let is_free = |player: &usize| !records[*player].had_bye;
        let last_first = order.iter().rev().copied();
        last_first.filter(is_free).map(Some).collect()
    };
    let most = i32::try_from(rounds.len() + 1).unwrap_or(i32::MAX);
    let mut field = Field {
        records,
        tolerance: 1,
    };
    for bye in byes {
        let players: Vec<usize> = (order.iter().copied())
            .filter(|player| Some(*player) != bye)
            .collect();
        for tolerance in 1..=most {
            field.tolerance = tolerance;
            if let Some(mut pairings) = field.pair(&players) {
                let with_point = |player| Pairing::bye(player, PairingResult::SecondAbsent);
                pairings.extend(bye.map(with_point));
                return Some(pairings);
            }
        }
    }
    None
}

fn records(players: usize, rounds: &[Vec<Pairing>]) -> Vec<Record> {
    let mut records = vec![Record::default(); players];
    for pairing in rounds.iter().flatten() {
        let [first, second] = pairing.result.map_or([0; 2], |it| it.half_points());
        records[pairing.first].points += first;
        match pairing.second {
            Some(other) => {
                records[other].points += second;
                records[other].met.push(pairing.first);
                records[other].began.push(false);
                records[pairing.first].met.push(other);
                records[pairing.first].began.push(true);
            }
            None => records[pairing.first].had_bye |= first > 0,
        }
    }
    records
}

impl Field {
    /// Pairs all of these players, who come in their order, if that can be done.
    fn pair(&self, players: &[usize]) -> Option<Vec<Pairing>> {
        if !self.can_be_paired(players) {
            return None;
        }
        let mut rest = players.to_vec();
        let mut pairings = Vec::new();
        while !rest.is_empty() {
            let player = rest.remove(0);
            let places = self.wishes(player, &rest);
            let place = places.into_iter().find(|place| {
                let mut others = rest.clone();
                let opponent = others.remove(*place);
                self.may_meet(player, opponent) && self.can_be_paired(&others)
            })?;
            let opponent = rest.remove(place);
            let (first, second) = self.seats(player, opponent, pairings.len());
            pairings.push(Pairing::game(first, second));
        }
        Some(pairings)
    }

    /// The places in `rest` of the opponents of a player, the best first.
    fn wishes(&self, player: usize, rest: &[usize]) -> Vec<usize> {
        let points = self.records[player].points;
        let is_equal = |other: &&usize| self.records[**other].points == points;
        let group = rest.iter().take_while(is_equal).count();
        let half = group.div_ceil(2).saturating_sub(1);
        let below = half..group;
        let above = (0..half).rev();
        below.chain(above).chain(group..rest.len()).collect()
    }

    /// Whether two players have not met, and seats can be found for them.
    fn may_meet(&self, one: usize, other: usize) -> bool {
        let balances = [one, other].map(|player| self.records[player].balance());
        let fits = |first: i32, second: i32| first < self.tolerance && second > -self.tolerance;
        let [one_balance, other_balance] = balances;
        let has_seats = fits(one_balance, other_balance) || fits(other_balance, one_balance);
        has_seats && !self.records[one].met.contains(&other)
    }

    /// The seats of two players who meet at a table: who began less often begins now,
    /// or who did not when it was otherwise last. The first round alternates.
    fn seats(&self, one: usize, other: usize, table: usize) -> (usize, usize) {
        let [mine, theirs] = [one, other].map(|player| &self.records[player]);
        let last_unlike = (mine.began.iter().rev())
            .zip(theirs.began.iter().rev())
            .find(|(mine, theirs)| mine != theirs);
        let begins = match mine.balance().cmp(&theirs.balance()) {
            std::cmp::Ordering::Less => true,
            std::cmp::Ordering::Greater => false,
            std::cmp::Ordering::Equal => match (last_unlike, mine.began.last()) {
                (Some((mine, _)), _) | (None, Some(mine)) => !mine,
                (None, None) => table.is_multiple_of(2),
            },
        };
        if begins { (one, other) } else { (other, one) }
    }

    /// Whether there are opponents for all of these players at the same time.
    fn can_be_paired(&self, players: &[usize]) -> bool {
        let mut graph = UnGraph::<(), ()>::default();
        let nodes: Vec<NodeIndex> = players.iter().map(|_| graph.add_node(())).collect();
        for (place, one) in players.iter().enumerate() {
            for (other_place, other) in players.iter().enumerate().take(place) {
                if self.may_meet(*one, *other) {
                    graph.add_edge(nodes[place], nodes[other_place], ());
                }
            }
        }
        maximum_matching(&graph).is_perfect()
    }
}
