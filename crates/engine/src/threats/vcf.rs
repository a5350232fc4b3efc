//! Wins by continuous fours: exhaustive, and the shortest first.
//!
//! Every move of the attacker is a four, so the defender has one answer; under
//! caro, where closing a five also prevents it, there may be several. The number
//! of fours is deepened step by step. A failed attempt leaves a lower bound in
//! the cache, so the first win that is found is the shortest, and "none" means
//! that nothing is left to try. Where any win will do, one search without
//! deepening finds it with less work.

use super::answers::{answers, answers_to_five, hidden_fours};
use super::limits::NodeCounter;
use super::vcf_cache::{VcfBounds, VcfCache};
use crate::pattern::Class;
use crate::position::Position;
use crate::rules::{Color, Point, PointSet, Rule};

const NEVER: u16 = VcfBounds::NEVER;

/// A number of fours above that of any win.
const ANY: u16 = NEVER - 1;

/// The result of a search for continuous fours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum VcfResult {
    /// A win with this many fours before the five.
    Win(u16),
    /// There is no win by fours.
    None,
    /// The limit was reached first.
    Unknown,
}

/// The search for continuous fours and its memory.
pub(super) struct Vcf {
    cache: VcfCache,
    /// The untried moves of all nodes on the current line, one node after
    /// another.
    stack: Vec<Point>,
}

impl Vcf {
    pub(super) fn new(bytes: usize) -> Vcf {
        Vcf {
            cache: VcfCache::new(bytes),
            stack: Vec::with_capacity(4096),
        }
    }

    pub(super) fn clear(&mut self) {
        self.cache.clear();
    }

    /// Looks for the shortest win of the side to move.
    pub(super) fn solve(
        &mut self,
        position: &mut Position,
        counter: &mut NodeCounter,
    ) -> VcfResult {
        let mut limit = 0;
        loop {
            match self.attack(position, limit, counter) {
                None => return VcfResult::Unknown,
                Some(NEVER) => return VcfResult::None,
                Some(fours) if fours <= limit => return VcfResult::Win(fours),
                Some(at_least) => limit = at_least,
            }
        }
    }

    /// Looks for any win of the side to move, strong fours first and to any depth.
    /// With few nodes this proves and disproves more than a search for the
    /// shortest win.
    pub(super) fn find(&mut self, position: &mut Position, counter: &mut NodeCounter) -> VcfResult {
        match self.attack(position, ANY, counter) {
            None => VcfResult::Unknown,
            Some(NEVER) => VcfResult::None,
            Some(fours) => VcfResult::Win(fours),
        }
    }

    /// The number of fours that the side to move needs before its five: enough
    /// fours, if `limit` is enough; else a lower bound above the limit. `None` if
    /// the nodes ran out.
    fn attack(
        &mut self,
        position: &mut Position,
        limit: u16,
        counter: &mut NodeCounter,
    ) -> Option<u16> {
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
        let before = counter.used();
        let start = self.stack.len();
        list(position, pressed, known.best, &mut self.stack);
        let found = self.try_moves(position, start, limit, counter);
        self.stack.truncate(start);
        let (fours, best) = found?;
        let known = VcfBounds {
            at_least: if fours <= limit {
                known.at_least
            } else {
                fours
            },
            at_most: if fours <= limit { fours } else { known.at_most },
            best,
        };
        self.cache.put(key, known, counter.used() - before);
        Some(fours)
    }

    /// The number of fours that the moves on the stack from `start` on need, and
    /// the move that needs them if the number is not above `limit`.
    fn try_moves(
        &mut self,
        position: &mut Position,
        start: usize,
        limit: u16,
        counter: &mut NodeCounter,
    ) -> Option<(u16, Point)> {
        let mut at_least = NEVER;
        for i in start..self.stack.len() {
            let point = self.stack[i];
            if position.forbidden(point).is_some() {
                continue;
            }
            if !counter.tick() {
                return None;
            }
            position.play(point);
            let after = self.answer(position, limit - 1, counter);
            position.undo();
            let fours = after?.saturating_add(1);
            if fours <= limit {
                return Some((fours, point));
            }
            at_least = at_least.min(fours);
        }
        Some((at_least, Point::NONE))
    }

    /// The number of fours that the opponent needs after its four, as in
    /// [`Vcf::attack`]: zero if the five is next whatever the side to move does.
    fn answer(
        &mut self,
        position: &mut Position,
        limit: u16,
        counter: &mut NodeCounter,
    ) -> Option<u16> {
        match FourAnswers::to(position) {
            FourAnswers::Refuted => Some(NEVER),
            FourAnswers::Hopeless => Some(0),
            FourAnswers::Only(point) => {
                position.play(point);
                let fours = self.attack(position, limit, counter);
                position.undo();
                fours
            }
            FourAnswers::Several(set) => {
                let mut most = 0;
                for point in set.iter() {
                    position.play(point);
                    let fours = self.attack(position, limit, counter);
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

    /// A move of the side to move that wins with this many fours.
    pub(super) fn first_move(
        &mut self,
        position: &mut Position,
        fours: u16,
        counter: &mut NodeCounter,
    ) -> Option<Point> {
        if fours == 0 {
            return None;
        }
        let pressed = position.counts(position.side().opponent()).any(Class::Five);
        let start = self.stack.len();
        let best = self.cache.get(position.key()).best;
        list(position, pressed, best, &mut self.stack);
        let found = self.try_moves(position, start, fours, counter);
        self.stack.truncate(start);
        found.and_then(|(_, point)| (point != Point::NONE).then_some(point))
    }
}

/// The replies of the side to move to a four.
pub(super) enum FourAnswers {
    /// It makes a five itself, or there is no four.
    Refuted,
    /// No move prevents the five.
    Hopeless,
    /// Only this move prevents the five.
    Only(Point),
    /// Each of these moves prevents the five; under caro alone.
    Several(PointSet),
}

impl FourAnswers {
    /// The answers of the side to move in `position`.
    #[inline]
    pub(super) fn to(position: &mut Position) -> FourAnswers {
        let defender = position.side();
        let attacker = defender.opponent();
        let fives = position.counts(attacker).of(Class::Five);
        if fives == 0 || position.counts(defender).any(Class::Five) {
            return FourAnswers::Refuted;
        }
        if position.rule().fives_can_be_closed() {
            let set = answers(position);
            let mut points = set.iter();
            return match (points.next(), points.next()) {
                (None, _) => FourAnswers::Hopeless,
                (Some(point), None) => FourAnswers::Only(point),
                _ => FourAnswers::Several(set),
            };
        }
        if fives > 1 {
            return FourAnswers::Hopeless;
        }
        let point = position.fives(attacker).next();
        match point {
            Some(point) if position.forbidden(point).is_none() => FourAnswers::Only(point),
            _ => FourAnswers::Hopeless,
        }
    }
}

/// Pushes every move of the side to move that may make a four: `best` first, then
/// by class. If the opponent has a five (`pressed`), only moves that meet it.
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

/// Returns whether the side to move may have a four that can't be answered although no
/// point has the class of one. That happens under renju alone: black's point may
/// be of the forbidden class, and white's four may have a forbidden answer.
fn may_win_with_one_four(position: &Position) -> bool {
    position.rule() == Rule::Renju
        && match position.side() {
            Color::Black => hidden_fours(position).next().is_some(),
            Color::White => position.forbidden_candidates().next().is_some(),
        }
}

/// Removes from the moves from `start` on those that do not meet the opponent's
/// fives.
fn keep_answers(position: &Position, start: usize, moves: &mut Vec<Point>) {
    let set = answers_to_five(position);
    let mut kept = start;
    for i in start..moves.len() {
        if set.has(moves[i]) {
            moves[kept] = moves[i];
            kept += 1;
        }
    }
    moves.truncate(kept);
}
