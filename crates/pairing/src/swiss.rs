//! The pairings of a round of the Swiss system.
//!
//! Players are in the order of their points, and of their strength among those with as many. Of all
//! pairings of a round the best is chosen, by these criteria in this order:
//!
//! 1. no rematch (only in events that allow one does it count as a last resort);
//! 2. no player who has had one seat three times more than the other has it again;
//! 3. from the top of the table down, as few pairs as possible across each border between two
//!    groups of players with equal points;
//! 4. seats as even as possible;
//! 5. as few players as possible who meet another group in the same direction as in the last round,
//!    and then as in the round before it;
//! 6. for each player from the top down the most suitable opponent: in the group the first of its lower
//!    half, then those below, those above, and the groups below.
//!
//! With an odd number of players the last one without a bye has a bye, or the next above where that
//! saves a rematch or breaks the second rule.

use super::matching::minimum_cost_matching;
use std::cmp::Reverse;

/// A player of a Swiss tournament, with the facts that the next pairings depend on.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SwissPlayer {
    /// The points so far, in halves.
    pub half_points: u32,
    /// The opponents not to be met again.
    pub met: Vec<usize>,
    /// For each game that was played, whether the player began it; empty if seats don't matter.
    pub began: Vec<bool>,
    /// True if the player has had a bye.
    pub had_bye: bool,
    /// The floats of the last round and of the round before it.
    pub floats: [Option<Float>; 2],
}

/// The direction in which a player left the group of players with equal points for a round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Float {
    /// The opponent had fewer points, or there was no game.
    Down,
    /// The opponent had more points.
    Up,
}

/// The pairings of a round.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SwissRound {
    /// The players of each game, the higher in the table first.
    pub games: Vec<(usize, usize)>,
    /// The player who has a bye.
    pub bye: Option<usize>,
}

/// The rematches that are allowed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Repeats {
    /// Neither games nor byes.
    Never,
    /// Both, where there is no other way.
    IfNeeded,
}

/// The bits that the sum of the costs of a round may have.
const COST_BITS: u32 = 118;

/// The places of the criteria in a cost, the most important first.
#[derive(Clone, Copy)]
enum Criterion {
    Rematch,
    FourthSeat,
    Border(u32),
    UnevenSeats,
    /// Players who float as they did so many rounds before the last one.
    RepeatedFloat(u32),
    Wish,
    /// The distance of two players from opposite places in the halves of their group. It decides
    /// nothing, but spares searches: without it most wishes would not be met at once.
    Distance,
}

impl SwissPlayer {
    /// Games that the player began minus games that the opponent began.
    fn balance(&self) -> i32 {
        let weights = self.began.iter().map(|began| if *began { 1 } else { -1 });
        weights.sum()
    }

    /// The larger difference between the seats of two players after a game between them, and how
    /// uneven their seats are: one for a difference of two, two for more. One is unavoidable.
    fn seats_with(&self, other: &SwissPlayer) -> (i32, i128) {
        let after = |change: i32| {
            let balances = [self.balance() + change, other.balance() - change].map(i32::abs);
            let uneven = balances.map(|balance| i128::from((balance - 1).clamp(0, 2)));
            (balances[0].max(balances[1]), uneven.iter().sum())
        };
        after(1).min(after(-1))
    }

    /// Returns true if the player begins against another at this table: the one who began less
    /// often does, or the one who did not when it was last otherwise. The first round alternates.
    pub(crate) fn begins_against(&self, other: &SwissPlayer, table: usize) -> bool {
        let last_unlike = (self.began.iter().rev())
            .zip(other.began.iter().rev())
            .find(|(own, theirs)| own != theirs);
        match self.balance().cmp(&other.balance()) {
            std::cmp::Ordering::Less => true,
            std::cmp::Ordering::Greater => false,
            std::cmp::Ordering::Equal => match (last_unlike, self.began.last()) {
                (Some((own, _)), _) | (None, Some(own)) => !own,
                (None, None) => table.is_multiple_of(2),
            },
        }
    }
}

/// The pairings of the players of a round, who are given in the order of their strength. There are
/// none if repeats are not allowed and every pairing has one.
pub fn pair(players: &[SwissPlayer], present: &[usize], repeats: Repeats) -> Option<SwissRound> {
    let mut order = present.to_vec();
    order.sort_by_key(|player| Reverse(players[*player].half_points));
    let state = PairingState { players, repeats };
    let bye = if order.len().is_multiple_of(2) {
        None
    } else {
        let bye = state.bye(&order)?;
        order.retain(|player| *player != bye);
        Some(bye)
    };
    let games = state.games(order)?;
    Some(SwissRound { games, bye })
}

struct PairingState<'a> {
    players: &'a [SwissPlayer],
    repeats: Repeats,
}

impl PairingState<'_> {
    /// The player who has the bye.
    fn bye(&self, order: &[usize]) -> Option<usize> {
        let mut candidates: Vec<usize> = order.iter().rev().copied().collect();
        let is_free = |player: &usize| !self.players[*player].had_bye;
        if self.repeats == Repeats::Never || candidates.iter().any(is_free) {
            candidates.retain(is_free);
        }
        let mut best: Option<(i128, usize)> = None;
        for bye in candidates {
            let rest: Vec<usize> = order.iter().copied().filter(|it| *it != bye).collect();
            let costs = Costs::new(self, &rest, 0);
            let Some(mates) = minimum_cost_matching(costs.of_all(&[])) else {
                continue;
            };
            let cost = costs.of_rules(&mates);
            if best.is_none_or(|(least, _)| cost < least) {
                best = Some((cost, bye));
            }
            if cost == 0 {
                break;
            }
        }
        best.map(|(_, bye)| bye)
    }

    /// The best pairings of an even number of players, who come in their order.
    fn games(&self, mut rest: Vec<usize>) -> Option<Vec<(usize, usize)>> {
        let mut games = Vec::new();
        // The best pairings so far; they stay the best of those that are left.
        let mut mates: Vec<usize> = Vec::new();
        while !rest.is_empty() {
            let wishes = self.wishes(&rest);
            let is_met = |mates: &[usize]| wishes.first() == mates.first();
            if !is_met(&mates) {
                let costs = Costs::new(self, &rest, usize::MAX);
                mates = minimum_cost_matching(costs.of_all(&[]))?;
                if !is_met(&mates) {
                    mates = minimum_cost_matching(costs.of_all(&wishes))?;
                }
            }
            let place = *mates.first()?;
            games.push((rest[0], rest[place]));
            for gone in [place, 0] {
                rest.remove(gone);
                mates.remove(gone);
                for mate in &mut mates {
                    *mate -= usize::from(*mate > gone);
                }
            }
        }
        Some(games)
    }

    /// The places of the opponents of the first player, the most suitable first.
    fn wishes(&self, rest: &[usize]) -> Vec<usize> {
        let points = |player: usize| self.players[player].half_points;
        let is_equal = |other: &&usize| points(**other) == points(rest[0]);
        let group = rest.iter().take_while(is_equal).count();
        let half = (group / 2).max(1);
        let (below, above) = (half..group, (1..half.min(group)).rev());
        below.chain(above).chain(group..rest.len()).collect()
    }
}

/// The costs of all pairs of some players. The sum over the pairs of a round compares as the list
/// of its criteria does: each criterion has as many values as its sum can have.
struct Costs<'a> {
    state: &'a PairingState<'a>,
    rest: &'a [usize],
    /// The group of each player, from the top.
    groups: Vec<u32>,
    borders: u32,
    bits: u32,
}

impl<'a> Costs<'a> {
    /// The costs with this many borders between groups at most, from the top. As many are counted
    /// as there are bits for: ten with 64 players.
    fn new(state: &'a PairingState<'a>, rest: &'a [usize], borders: usize) -> Costs<'a> {
        let points = |player: usize| state.players[player].half_points;
        let mut groups = Vec::new();
        let mut group = 0;
        for (at, player) in rest.iter().enumerate() {
            group += u32::from(at > 0 && points(rest[at - 1]) != points(*player));
            groups.push(group);
        }
        // Most criteria have at most one for each pair.
        let bits = (rest.len() / 2).max(1).ilog2() + 1;
        let spare = (COST_BITS.saturating_sub(8 * bits + 5)) / bits;
        let borders = group
            .min(spare)
            .min(u32::try_from(borders).unwrap_or(u32::MAX));
        Costs {
            state,
            rest,
            groups,
            borders,
            bits,
        }
    }

    /// The number of bits below those of a criterion.
    fn shift(&self, criterion: Criterion) -> u32 {
        // A sum of distances is at most the square of the number of pairs, a wish and repeated
        // floats twice that number, and the unevenness of seats four times.
        let (wish, floats) = (2 * self.bits, 3 * self.bits + 1);
        let uneven_seats = floats + 2 * (self.bits + 1);
        let border = uneven_seats + self.bits + 2;
        match criterion {
            Criterion::Distance => 0,
            Criterion::Wish => wish,
            Criterion::RepeatedFloat(back) => floats + (1 - back) * (self.bits + 1),
            Criterion::UnevenSeats => uneven_seats,
            Criterion::Border(above) => border + (self.borders - 1 - above) * self.bits,
            Criterion::FourthSeat => border + self.borders * self.bits,
            Criterion::Rematch => border + (self.borders + 1) * self.bits,
        }
    }

    /// The costs of all pairs, with wishes of the first player if there are any.
    fn of_all(&self, wishes: &[usize]) -> Vec<Vec<Option<i128>>> {
        let places = 0..self.rest.len();
        let of_one = |one: usize| {
            let cost = |other: usize| self.of_pair(one.min(other), one.max(other), wishes);
            places.clone().map(cost).collect()
        };
        places.clone().map(of_one).collect()
    }

    fn of_pair(&self, one: usize, other: usize, wishes: &[usize]) -> Option<i128> {
        let is_rematch = self.is_rematch(one, other);
        if one == other || is_rematch && self.state.repeats == Repeats::Never {
            return None;
        }
        let [first, second] = [one, other].map(|place| &self.state.players[self.rest[place]]);
        let (most, uneven) = first.seats_with(second);
        let wish = if one == 0 {
            wishes.iter().position(|place| *place == other)
        } else {
            None
        };
        let parts = [
            (Criterion::Rematch, i128::from(is_rematch)),
            (Criterion::FourthSeat, i128::from(most > 3)),
            (Criterion::UnevenSeats, uneven),
            (
                Criterion::RepeatedFloat(0),
                self.repeated_floats(one, other, 0),
            ),
            (
                Criterion::RepeatedFloat(1),
                self.repeated_floats(one, other, 1),
            ),
            (Criterion::Wish, wish.unwrap_or_default() as i128),
            (Criterion::Distance, self.distance(one, other)),
        ];
        let parts = parts.map(|(criterion, value)| value << self.shift(criterion));
        let borders = (self.groups[one]..self.groups[other]).filter(|it| *it < self.borders);
        let borders = borders.map(|border| 1 << self.shift(Criterion::Border(border)));
        Some(parts.into_iter().chain(borders).sum())
    }

    fn is_rematch(&self, one: usize, other: usize) -> bool {
        self.state.players[self.rest[one]]
            .met
            .contains(&self.rest[other])
    }

    /// The number of two players, the higher in the table first, who float as in an earlier round.
    fn repeated_floats(&self, one: usize, other: usize, back: usize) -> i128 {
        if self.groups[one] == self.groups[other] {
            return 0;
        }
        let repeats = |place: usize, float| {
            let player = &self.state.players[self.rest[place]];
            i128::from(player.floats[back] == Some(float))
        };
        repeats(one, Float::Down) + repeats(other, Float::Up)
    }

    /// The distance of two players of a group from opposite places in its halves.
    fn distance(&self, one: usize, other: usize) -> i128 {
        let group = self.groups[one];
        if group != self.groups[other] {
            return 0;
        }
        let size = self.groups.iter().filter(|it| **it == group).count();
        (other - one).abs_diff(size / 2) as i128
    }

    /// The cost of pairings by the first two criteria.
    fn of_rules(&self, mates: &[usize]) -> i128 {
        let pairs = mates.iter().enumerate().filter(|(one, other)| one < *other);
        let costs = pairs.filter_map(|(one, other)| self.of_pair(one, *other, &[]));
        costs.sum::<i128>() >> self.shift(Criterion::FourthSeat)
    }
}
