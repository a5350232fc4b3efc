//! The moves that answer a threat to win by one more stone and its
//! consequences.

use crate::pattern::Class;
use crate::position::Position;
use crate::rules::{Color, Direction, Point, PointSet};

/// The points where the side to move can meet every [`Class::OpenFour`] (or,
/// where there is one, every [`Class::Five`]) of the opponent with a single
/// stone. Any other move loses unless it makes a four or a five itself.
///
/// The opponent has such a point at each of which one stone would give it more
/// fives than can be stopped. A move that leaves even one of them as it is has
/// answered nothing, so what is left is the intersection, over those points,
/// of the moves that take their class away.
pub fn answers(position: &Position) -> PointSet {
    let attacker = position.side().opponent();
    let threat = if position.counts(attacker).any(Class::Five) {
        Class::Five
    } else {
        Class::OpenFour
    };
    let mut common: Option<PointSet> = None;
    for point in position.fours_of(attacker, threat) {
        let stops = stops(position, attacker, point, threat);
        let left = common.map_or(stops, |set| set.intersection(&stops));
        if left.is_empty() {
            return left;
        }
        common = Some(left);
    }
    common.unwrap_or(PointSet::EMPTY)
}

/// The points where a stone against `attacker` keeps `point` from reaching the
/// class `threat`: the point itself, and others of the lines that make it.
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
                && position.class_if_met(attacker, point, direction, steps) < threat
            {
                stops.insert(other);
            }
        }
    }
    stops
}
