//! The moves that answer a five, or an open four in the making.

use crate::pattern::Class;
use crate::position::Position;
use crate::rules::{Color, Direction, Point, PointSet};

/// The points where a single stone of the side to move meets every
/// [`Class::Five`] of the opponent or, if it has none, every
/// [`Class::OpenFour`]. Any other move loses unless it makes a four or a five
/// itself.
///
/// Each point of that class wins for the opponent. So the answers are the moves
/// that take the class away from all of them: the intersection, over those
/// points, of the moves that stop one.
pub fn answers(position: &Position) -> PointSet {
    let attacker = position.side().opponent();
    let threat = if position.counts(attacker).any(Class::Five) {
        Class::Five
    } else {
        Class::OpenFour
    };
    let mut common: Option<PointSet> = None;
    for point in position.fours_of_class(attacker, threat) {
        let stops = stops(position, attacker, point, threat);
        let left = common.map_or(stops, |set| set.intersection(&stops));
        if left.is_empty() {
            return left;
        }
        common = Some(left);
    }
    common.unwrap_or(PointSet::EMPTY)
}

/// Every move of the side to move that may save it where
/// [`threat_status`](super::threat_status) says that it must defend: the
/// [`answers`] and, unless a five stands, its own fours. Points that only look
/// [forbidden](Class::Forbidden) are among them, and points that are.
pub fn defences(position: &Position) -> PointSet {
    let answers = answers(position);
    let side = position.side();
    if position.counts(side.opponent()).any(Class::Five) {
        return answers;
    }
    let mut defences = answers.union(&position.fours(side).collect());
    if position.rule().forbids(side) {
        // Some of these are forbidden after all.
        hidden_fours(position).for_each(|point| defences.insert(point));
    }
    defences
}

/// The points of the forbidden class where black makes a four. The counters leave
/// them out, though they may be legal.
pub(super) fn hidden_fours(position: &Position) -> impl Iterator<Item = Point> + '_ {
    position.forbidden_candidates().filter(|&point| {
        Direction::ALL
            .into_iter()
            .any(|direction| position.shape(Color::Black, point, direction).makes_four())
    })
}

/// The points where the side to move can meet every five of the opponent with a
/// single stone, if the opponent has one.
pub(super) fn answers_to_five(position: &Position) -> PointSet {
    if position.rule().fives_can_be_closed() {
        return answers(position);
    }
    let mut fives = position.fives(position.side().opponent());
    match (fives.next(), fives.next()) {
        (Some(point), None) => PointSet::from_iter([point]),
        _ => PointSet::EMPTY,
    }
}

/// The points where a stone of the defender takes the class `threat` away from
/// `point`: the point itself, and points of the lines that make the class.
fn stops(position: &Position, attacker: Color, point: Point, threat: Class) -> PointSet {
    let mut stops = PointSet::EMPTY;
    stops.insert(point);
    let reach = position.radius() as i32;
    for direction in Direction::ALL {
        if !position.shape(attacker, point, direction).makes_four() {
            continue;
        }
        for steps in (-reach..=reach).filter(|&steps| steps != 0) {
            let other = point.step(direction, steps);
            if position.is_empty(other)
                && position.class_if_blocked(attacker, point, direction, steps) < threat
            {
                stops.insert(other);
            }
        }
    }
    stops
}
