//! Wins by continuous fours: exhaustive, and the shortest first.
//!
//! Every move of the attacker is a four, so the defender has one answer (under
//! caro, where a five can also be prevented by closing it, perhaps several).
//! The number of fours is deepened step by step; each failed attempt leaves a
//! lower bound in the cache, and a position that has no further fours worth
//! trying is settled for good. What is found first is therefore the shortest,
//! and "none" means that nothing is left to try. Where any win will do, one
//! search without deepening finds it with less work.

use super::answers::answers;
use super::cache::{Cache, Known};
use super::meter::Meter;
use crate::pattern::Class;
use crate::position::Position;
use crate::rules::{Color, Direction, Point, PointSet, Rule};

const NEVER: u16 = Known::NEVER;

/// A limit that no win comes near.
const ANY: u16 = NEVER - 1;

/// What the search for continuous fours came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Found {
    /// A win with so many fours before the five.
    Win(u16),
    /// There is no win by fours.
    None,
    /// The limit came first.
    Unknown,
}

/// The search for continuous fours with all it remembers.
pub(super) struct Fours {
    cache: Cache,
    /// The moves still to be tried of every node on the way, one after
    /// another: nodes need no memory of their own.
    stack: Vec<Point>,
}

impl Fours {
    pub(super) fn new(bytes: usize) -> Fours {
        Fours {
            cache: Cache::new(bytes),
            stack: Vec::with_capacity(4096),
        }
    }

    pub(super) fn clear(&mut self) {
        self.cache.clear();
    }

    /// Looks for the shortest win of the side to move.
    pub(super) fn solve(&mut self, position: &mut Position, meter: &mut Meter) -> Found {
        let mut limit = 0;
        loop {
            match self.attack(position, limit, meter) {
                None => return Found::Unknown,
                Some(NEVER) => return Found::None,
                Some(fours) if fours <= limit => return Found::Win(fours),
                Some(at_least) => limit = at_least,
            }
        }
    }

    /// Looks for any win of the side to move, strong fours first and as deep
    /// as they go: with few nodes that finds more, and excludes more, than
    /// looking for the shortest.
    pub(super) fn find(&mut self, position: &mut Position, meter: &mut Meter) -> Found {
        match self.attack(position, ANY, meter) {
            None => Found::Unknown,
            Some(NEVER) => Found::None,
            Some(fours) => Found::Win(fours),
        }
    }

    /// How many fours the side to move needs before its five: a number that
    /// will do, if there is one not above `limit`; else a number above the
    /// limit that it is not below. Nothing if the work had to end.
    fn attack(&mut self, position: &mut Position, limit: u16, meter: &mut Meter) -> Option<u16> {
        let attacker = position.side();
        let own = position.counts(attacker);
        if own.any(Class::Five) {
            return Some(0);
        }
        if limit == 0 {
            return Some(1);
        }
        let pressed = position.counts(attacker.opponent()).any(Class::Five);
        if !pressed {
            if own.any(Class::OpenFour) {
                return Some(1);
            }
            if limit == 1 && !may_win_with_one_four(position) {
                return Some(if own.any_from(Class::Four) { 2 } else { NEVER });
            }
        }
        let key = position.key();
        let known = self.cache.get(key);
        if known.at_most <= limit {
            return Some(known.at_most);
        }
        if known.at_least > limit {
            return Some(known.at_least);
        }
        let before = meter.used();
        let start = self.stack.len();
        list(position, pressed, known.best, &mut self.stack);
        let found = self.try_moves(position, start, limit, meter);
        self.stack.truncate(start);
        let (fours, best) = found?;
        let known = Known {
            at_least: if fours <= limit {
                known.at_least
            } else {
                fours
            },
            at_most: if fours <= limit { fours } else { known.at_most },
            best,
        };
        self.cache.put(key, known, meter.used() - before);
        Some(fours)
    }

    /// The fours needed by the moves on the stack from `start` on, and the
    /// move that needs them if they are not above `limit`.
    fn try_moves(
        &mut self,
        position: &mut Position,
        start: usize,
        limit: u16,
        meter: &mut Meter,
    ) -> Option<(u16, Point)> {
        let mut at_least = NEVER;
        for i in start..self.stack.len() {
            let point = self.stack[i];
            if position.forbidden(point).is_some() {
                continue;
            }
            if !meter.tick() {
                return None;
            }
            position.play(point);
            let after = self.answer(position, limit - 1, meter);
            position.undo();
            let fours = after?.saturating_add(1);
            if fours <= limit {
                return Some((fours, point));
            }
            at_least = at_least.min(fours);
        }
        Some((at_least, Point::NONE))
    }

    /// As [`Fours::attack`], after a four: zero if the five is next whatever
    /// the side to move does.
    fn answer(&mut self, position: &mut Position, limit: u16, meter: &mut Meter) -> Option<u16> {
        match Answers::to(position) {
            Answers::Refuted => Some(NEVER),
            Answers::Hopeless => Some(0),
            Answers::Only(point) => {
                position.play(point);
                let fours = self.attack(position, limit, meter);
                position.undo();
                fours
            }
            Answers::Several(set) => {
                let mut most = 0;
                for point in set.iter() {
                    position.play(point);
                    let fours = self.attack(position, limit, meter);
                    position.undo();
                    most = most.max(fours?);
                    if most > limit {
                        break;
                    }
                }
                Some(most)
            }
        }
    }

    /// A move of the side to move that wins with so many fours.
    pub(super) fn first_move(
        &mut self,
        position: &mut Position,
        fours: u16,
        meter: &mut Meter,
    ) -> Option<Point> {
        if fours == 0 {
            return None;
        }
        let pressed = position.counts(position.side().opponent()).any(Class::Five);
        let start = self.stack.len();
        let best = self.cache.get(position.key()).best;
        list(position, pressed, best, &mut self.stack);
        let found = self.try_moves(position, start, fours, meter);
        self.stack.truncate(start);
        found.and_then(|(_, point)| (point != Point::NONE).then_some(point))
    }
}

/// What the side to move can do about a four.
pub(super) enum Answers {
    /// It makes a five itself, or there was no four at all.
    Refuted,
    /// Nothing.
    Hopeless,
    /// This move.
    Only(Point),
    /// Each of these moves (under caro alone).
    Several(PointSet),
}

impl Answers {
    /// The answers of the side to move.
    #[inline]
    pub(super) fn to(position: &mut Position) -> Answers {
        let defender = position.side();
        let attacker = defender.opponent();
        let fives = position.counts(attacker).of(Class::Five);
        if fives == 0 || position.counts(defender).any(Class::Five) {
            return Answers::Refuted;
        }
        if matches!(position.rule(), Rule::Caro | Rule::CaroOverline) {
            let set = answers(position);
            let mut points = set.iter();
            return match (points.next(), points.next()) {
                (None, _) => Answers::Hopeless,
                (Some(point), None) => Answers::Only(point),
                _ => Answers::Several(set),
            };
        }
        if fives > 1 {
            return Answers::Hopeless;
        }
        let point = position.fours_of(attacker, Class::Five).next();
        match point {
            Some(point) if position.forbidden(point).is_none() => Answers::Only(point),
            _ => Answers::Hopeless,
        }
    }
}

/// Pushes every move of the side to move that may make a four: strong classes
/// first, `best` before all. Where it is `pressed` by a five, only the moves
/// that also meet that.
fn list(position: &Position, pressed: bool, best: Point, moves: &mut Vec<Point>) {
    let start = moves.len();
    let side = position.side();
    moves.extend(position.fours(side));
    if position.rule().forbids(side) {
        moves.extend(hidden_fours(position));
    }
    if pressed {
        keep_answers(position, start, moves);
    }
    let rank = |&point: &Point| {
        let class = position.class(side, point) as u8;
        (point != best, std::cmp::Reverse(class), point)
    };
    moves[start..].sort_unstable_by_key(rank);
}

/// Whether the side to move may have a four that can't be answered though no
/// point has the class of such fours: only renju knows them, where black's
/// class may be the forbidden one, and black's answer may be forbidden.
fn may_win_with_one_four(position: &Position) -> bool {
    position.rule() == Rule::Renju
        && match position.side() {
            Color::Black => hidden_fours(position).next().is_some(),
            Color::White => position.perhaps_forbidden().next().is_some(),
        }
}

/// The points where black makes a four though their class is the forbidden
/// one.
pub(super) fn hidden_fours(position: &Position) -> impl Iterator<Item = Point> + '_ {
    position.perhaps_forbidden().filter(|&point| {
        Direction::ALL
            .into_iter()
            .any(|direction| position.shape(Color::Black, point, direction).makes_four())
    })
}

/// Leaves of the moves from `start` on those that stop the opponent's fives.
fn keep_answers(position: &Position, start: usize, moves: &mut Vec<Point>) {
    let opponent = position.side().opponent();
    let caro = matches!(position.rule(), Rule::Caro | Rule::CaroOverline);
    let set = if caro {
        answers(position)
    } else {
        let mut fives = position.fours_of(opponent, Class::Five);
        match (fives.next(), fives.next()) {
            (Some(point), None) => [point].into_iter().collect(),
            _ => PointSet::EMPTY,
        }
    };
    let mut kept = start;
    for i in start..moves.len() {
        if set.has(moves[i]) {
            moves[kept] = moves[i];
            kept += 1;
        }
    }
    moves.truncate(kept);
}
