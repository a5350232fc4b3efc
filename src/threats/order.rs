//! Which moves the attacker tries first, in the search for threes and fours.

use super::graph::Child;
use crate::pattern::{Class, Shape};
use crate::position::Position;
use crate::rules::{Color, Direction, Point, PointSet};

/// How hard a move looks that shows no shape.
const SHAPELESS: u8 = 24;

/// The same where it makes a two in a line that is not open.
const FAINT: u8 = 20;

/// Moves no further than this from the attacker's last one are near; others
/// look harder by a point a step, up to as many again.
const NEAR: usize = 4;

/// A legal move with how hard it looks and its distance from the attacker's
/// last one.
pub(super) type Ranked = (u8, usize, Point);

/// The legal moves of the attacker, to move, among `points`: what looks
/// easiest first. Moves that show no shape are left out unless they are wanted
/// too. `moves` lends its memory.
pub(super) fn attacks<'a>(
    position: &'a mut Position,
    points: &PointSet,
    shapeless: bool,
    moves: &'a mut Vec<Ranked>,
) -> impl Iterator<Item = Child> + 'a {
    let last = position.recent(2).unwrap_or(Point::NONE);
    moves.clear();
    for point in points.iter() {
        let prior = prior(position, point).or(shapeless.then_some(SHAPELESS));
        if let Some(prior) = prior
            && position.is_legal(point)
        {
            let distance = point.distance(last);
            let far = distance.saturating_sub(NEAR).min(NEAR) as u8;
            moves.push((prior + far, distance, point));
        }
    }
    // Of moves that look alike, the nearest to the last one comes first.
    moves.sort_unstable();
    moves.iter().map(|&(prior, _, point)| Child {
        point,
        prior,
        cost: cost(position, point),
        node: None,
    })
}

/// How hard a move of the attacker to move looks, by its class; nothing for
/// moves that threaten nothing.
fn prior(position: &Position, point: Point) -> Option<u8> {
    let attacker = position.side();
    if position.counts(attacker.opponent()).any(Class::Five) {
        return Some(1);
    }
    Some(match position.class(attacker, point) {
        Class::None => faint_prior(position, attacker, point)?,
        Class::Forbidden => hidden_prior(position, attacker, point)?,
        Class::Five | Class::OpenFour | Class::DoubleThree => 1,
        Class::FourThree => 2,
        Class::OpenThreePlus | Class::FourPlus => 2,
        Class::OpenThree => 3,
        Class::Four => 6,
        Class::ThreeTwo => 8,
        Class::DoubleTwo | Class::Three => 12,
        Class::OpenTwo => 16,
    })
}

/// The same for a point without a class: two stones that may still become five
/// can be what a win by fours lacks.
fn faint_prior(position: &Position, attacker: Color, point: Point) -> Option<u8> {
    let is_two = |direction: Direction| position.shape(attacker, point, direction) == Shape::Two;
    Direction::ALL.into_iter().any(is_two).then_some(FAINT)
}

/// The same for a point of the forbidden class, which may be allowed after
/// all.
fn hidden_prior(position: &Position, attacker: Color, point: Point) -> Option<u8> {
    let threatens = |direction: Direction| {
        let shape = position.shape(attacker, point, direction);
        shape >= Shape::OpenThree
    };
    Direction::ALL.into_iter().any(threatens).then_some(2)
}

/// What keeps the search from spending fours that may be needed later, and
/// from following weak moves deeply before strong ones have been tried.
fn cost(position: &Position, point: Point) -> u8 {
    match position.class(position.side(), point) {
        Class::Four => 8,
        Class::FourPlus | Class::FourThree => 5,
        Class::ThreeTwo => 3,
        Class::DoubleTwo | Class::Three | Class::OpenTwo => 5,
        _ => 0,
    }
}
