//! The attacker's moves in the search for threes and fours, by their first proof
//! numbers: small numbers are tried first.

use super::proof_graph::Child;
use crate::pattern::{Class, Shape};
use crate::position::Position;
use crate::rules::{Color, Direction, Point, PointSet};

/// The proof number of a move that makes nothing.
const SHAPELESS: u8 = 24;

/// The proof number of a move that makes only a two that is not open.
const FAINT: u8 = 20;

/// The distance from the attacker's last move up to which a move is near. Each
/// step beyond adds one to the proof number, up to twice this distance.
const NEAR: usize = 4;

/// The proof number of a legal move, its distance from the attacker's last move,
/// and its point.
pub(super) type Ranked = (u8, usize, Point);

/// The legal moves to `points` of the attacker, who is to move, in order. Moves
/// that make nothing are left out unless `shapeless` asks for them. `moves` is
/// scratch memory.
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

/// The proof number of an attacker's move by what it makes, or `None` if it makes
/// nothing.
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

/// The proof number of a point without a class: a two that is not open can be
/// what a win by fours lacks.
fn faint_prior(position: &Position, attacker: Color, point: Point) -> Option<u8> {
    let is_two = |direction: Direction| position.shape(attacker, point, direction) == Shape::Two;
    Direction::ALL.into_iter().any(is_two).then_some(FAINT)
}

/// The proof number of a point that may be forbidden but need not be.
fn hidden_prior(position: &Position, attacker: Color, point: Point) -> Option<u8> {
    let threatens = |direction: Direction| {
        let shape = position.shape(attacker, point, direction);
        shape >= Shape::OpenThree
    };
    Direction::ALL.into_iter().any(threatens).then_some(2)
}

/// The amount added to the proof number of the position after a move. It keeps
/// the search from spending fours that may be needed later, and from following
/// weak moves deeply before strong ones.
fn cost(position: &Position, point: Point) -> u8 {
    match position.class(position.side(), point) {
        Class::Four => 8,
        Class::FourPlus | Class::FourThree => 5,
        Class::ThreeTwo => 3,
        Class::DoubleTwo | Class::Three | Class::OpenTwo => 5,
        _ => 0,
    }
}
