//! The replies that matter against a threat to win by fours.
//!
//! If the attacker would win by a line of fours, then a reply matters only if the
//! line does not win after it. Most points of the board have no influence on the
//! line; for the others the line is played out.

use super::answers::hidden_fours;
use super::limits::NodeCounter;
use super::vcf::FourAnswers;
use crate::pattern::{Class, Shape};
use crate::position::Position;
use crate::rules::{Color, Direction, Point, PointSet};

/// Lists the legal replies of the side to move that make a four or five, or after
/// which `line` does not win as it stands. The line begins with a move of the
/// attacker and ends with its five.
///
/// `None` if the nodes ran out.
pub(super) fn replies(
    position: &mut Position,
    line: &[Point],
    counter: &mut NodeCounter,
    replies: &mut Vec<Point>,
) -> Option<()> {
    replies.clear();
    let zone = zone(position, line);
    // The points of the line come first: they are what prevents it.
    for &point in line {
        if point != Point::NONE
            && position.is_empty(point)
            && !replies.contains(&point)
            && position.is_legal(point)
        {
            replies.push(point);
        }
    }
    let on_line: PointSet = line.iter().copied().collect();
    for point in zone.difference(&on_line).iter() {
        if matters(position, point, line, counter)? {
            replies.push(point);
        }
    }
    Some(())
}

/// Returns whether `point` is a legal reply that makes a four or keeps the line from
/// winning.
fn matters(
    position: &mut Position,
    point: Point,
    line: &[Point],
    counter: &mut NodeCounter,
) -> Option<bool> {
    if !position.is_legal(point) {
        return Some(false);
    }
    if !counter.tick() {
        return None;
    }
    let defender = position.side();
    position.play(point);
    let matters = position.counts(defender).any(Class::Five) || !works(position, line);
    position.undo();
    Some(matters)
}

/// Returns whether the attacker, to move, wins by exactly this line.
fn works(position: &mut Position, line: &[Point]) -> bool {
    let before = position.ply();
    let works = carry_out(position, line);
    while position.ply() > before {
        position.undo();
    }
    works
}

fn carry_out(position: &mut Position, line: &[Point]) -> bool {
    let attacker = position.side();
    for moves in line.chunks(2) {
        if position.counts(attacker).any(Class::Five) {
            return true;
        }
        if !position.is_legal(moves[0]) {
            return false;
        }
        position.play(moves[0]);
        match (FourAnswers::to(position), moves.get(1)) {
            (FourAnswers::Hopeless, _) => return true,
            (FourAnswers::Only(answer), Some(&expected)) if answer == expected => {
                position.play(answer);
            }
            _ => return false,
        }
    }
    false
}

/// The empty points where a stone of the side to move may have an influence on
/// the opponent's line.
fn zone(position: &mut Position, line: &[Point]) -> PointSet {
    let before = position.ply();
    let mut zone = PointSet::EMPTY;
    let bounded = gather(position, line, &mut zone);
    while position.ply() > before {
        position.undo();
    }
    if bounded {
        zone
    } else {
        position.board().difference(position.occupied())
    }
}

/// Plays the line and gathers the points of influence. Returns false if any point
/// may have some.
fn gather(position: &mut Position, line: &[Point], zone: &mut PointSet) -> bool {
    let defender = position.side();
    let attacker = defender.opponent();
    // A stone far away may close a five.
    if position.rule().fives_can_be_closed() {
        return false;
    }
    add_fours(position, defender, zone);
    position.pass();
    for moves in line.chunks(2) {
        let point = moves[0];
        // Whether it is forbidden can hang on stones far away.
        if position.class(attacker, point) == Class::Forbidden {
            return false;
        }
        zone.insert(point);
        add_spoilers(position, point, zone);
        let Some(&answer) = moves.get(1) else {
            break;
        };
        position.play(point);
        for five in position.fives(attacker) {
            zone.insert(five);
        }
        if answer == Point::NONE {
            return false;
        }
        position.play(answer);
        // Here a further stone would have made the answer a four.
        add_fours(position, defender, zone);
    }
    true
}

/// Adds the points where `color` makes a four or a five, forbidden ones included.
fn add_fours(position: &Position, color: Color, zone: &mut PointSet) {
    for point in position.fours(color) {
        zone.insert(point);
    }
    if !position.rule().forbids(color) {
        return;
    }
    for point in hidden_fours(position) {
        zone.insert(point);
    }
    for point in position.forbidden_candidates() {
        let overline = |direction| position.shape(color, point, direction) == Shape::Overline;
        if Direction::ALL.into_iter().any(overline) {
            zone.insert(point);
        }
    }
}

/// Adds the points where a stone of the opponent may make `point` forbidden to
/// the side to move.
fn add_spoilers(position: &Position, point: Point, zone: &mut PointSet) {
    let attacker = position.side();
    if !position.rule().forbids(attacker) {
        return;
    }
    let reach = position.radius() as i32;
    for direction in Direction::ALL {
        for steps in (-reach..=reach).filter(|&steps| steps != 0) {
            let other = point.step(direction, steps);
            if position.is_empty(other)
                && position.class_if_blocked(attacker, point, direction, steps) == Class::Forbidden
            {
                zone.insert(other);
            }
        }
    }
}
