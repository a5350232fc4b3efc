//! What the counters prove about the side to move, without any search.

use crate::pattern::Class;
use crate::position::Position;
use crate::rules::{Color, Direction, Point, Rule};
use arrayvec::ArrayVec;

/// What is certain before any move is tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outlook {
    /// The side to move wins, with its last stone so many plies from now.
    Win(usize),
    /// The side to move loses, to a last stone so many plies from now.
    Loss(usize),
    /// Only this move does not lose at once.
    Forced(Point),
    /// The opponent makes an open four or a double four next: only the points
    /// of [`super::answers`] and fours do not lose. Under caro it may also be a
    /// five, which more than one point can stop; then fours do not help.
    Threatened,
    /// Nothing is certain.
    Open,
}

/// What the counters prove about the side to move.
///
/// Wins of one and three plies are exact. Those of five plies are claimed only
/// where the opponent has no four to interrupt them with. `position` is
/// changed and restored where a forbidden point has to be looked at.
#[inline]
pub fn outlook(position: &mut Position) -> Outlook {
    let side = position.side();
    let own = position.counts(side);
    let theirs = position.counts(side.opponent());
    if own.any(Class::Five) {
        return Outlook::Win(1);
    }
    if theirs.any(Class::Five) {
        return meet_five(position);
    }
    if own.any(Class::OpenFour) {
        return Outlook::Win(3);
    }
    if !theirs.any_from(Class::Four) && wins_in_five(position) {
        return Outlook::Win(5);
    }
    if theirs.any(Class::OpenFour) {
        return Outlook::Threatened;
    }
    Outlook::Open
}

/// A four-three, or two open threes at once, where the opponent has no four at
/// all: neither can be stopped.
#[inline]
fn wins_in_five(position: &mut Position) -> bool {
    let own = position.counts(position.side());
    if !own.any(Class::FourThree) && !own.any(Class::DoubleThree) {
        return false;
    }
    match (position.rule(), position.side()) {
        (Rule::Renju, Color::Black) => black_wins_in_five(position),
        (Rule::Renju, Color::White) => !black_may_have_a_four(position),
        _ => true,
    }
}

/// Whether black under renju has a four-three whose three does not come to
/// nothing at a forbidden point: seen by playing it.
fn black_wins_in_five(position: &mut Position) -> bool {
    let four_threes: ArrayVec<Point, 8> = position
        .fours_of(Color::Black, Class::FourThree)
        .take(8)
        .collect();
    four_threes.into_iter().any(|point| {
        position.play(point);
        let answer = position.fours_of(Color::Black, Class::Five).next();
        if let Some(answer) = answer {
            position.play(answer);
        }
        let wins = position.counts(Color::Black).any(Class::OpenFour)
            && !position.counts(Color::White).any(Class::Five);
        if answer.is_some() {
            position.undo();
        }
        position.undo();
        wins
    })
}

/// Whether black might have a four on a point whose class is forbidden, which
/// the counters leave out though the point may turn out to be legal.
fn black_may_have_a_four(position: &Position) -> bool {
    position.board().iter().any(|point| {
        position.class(Color::Black, point) == Class::Forbidden
            && Direction::ALL
                .into_iter()
                .any(|direction| position.shape(Color::Black, point, direction).makes_four())
    })
}

/// The opponent makes five next unless it is stopped.
fn meet_five(position: &mut Position) -> Outlook {
    // Under caro a five can also be prevented by closing it, and one stone may
    // do that to several.
    if matches!(position.rule(), Rule::Caro | Rule::CaroOverline) {
        return Outlook::Threatened;
    }
    let attacker = position.side().opponent();
    if position.counts(attacker).of(Class::Five) > 1 {
        return Outlook::Loss(2);
    }
    // Nearly always it is the last move that made the four.
    let mut changes = position.last_changes().iter();
    let new = changes.find(|change| change.new.classes[attacker.index()] == Class::Five);
    let new = new.map(|change| change.point);
    match new.or_else(|| position.fours_of(attacker, Class::Five).next()) {
        Some(point) if position.forbidden(point).is_none() => Outlook::Forced(point),
        _ => Outlook::Loss(2),
    }
}
