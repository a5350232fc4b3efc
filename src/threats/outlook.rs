//! What the counters prove about the side to move, without any search.

use crate::pattern::Class;
use crate::position::Position;
use crate::rules::{Point, Rule};

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
    /// of [`super::answers`] and fours do not lose. (Under caro: a five, that
    /// more than one point may stop; fours do not help.)
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
    // Under caro an open four can still be met by a stone that closes one five
    // and takes the other: nothing is certain there but fives.
    let strict = matches!(
        position.rule(),
        Rule::Freestyle | Rule::ExactFive | Rule::Renju
    );
    if strict && own.any(Class::OpenFour) {
        return Outlook::Win(3);
    }
    if strict && !theirs.any_from(Class::Four) && wins_in_five(position) {
        return Outlook::Win(5);
    }
    if strict && theirs.any(Class::OpenFour) {
        return Outlook::Threatened;
    }
    Outlook::Open
}

/// A four-three, or two open threes at once, where the opponent has no four at
/// all: neither can be stopped.
#[inline]
fn wins_in_five(position: &Position) -> bool {
    let own = position.counts(position.side());
    // Under renju black's threes may come to nothing at a forbidden point, and
    // against white black may have a four where only its class is forbidden.
    position.rule() != Rule::Renju && (own.any(Class::FourThree) || own.any(Class::DoubleThree))
}

/// The opponent makes five next unless it is stopped.
fn meet_five(position: &mut Position) -> Outlook {
    let side = position.side();
    let mut fives = position.fours_of(side.opponent(), Class::Five);
    let first = fives.next();
    let second = fives.next();
    drop(fives);
    match (first, second) {
        // Under caro one stone may close several fives.
        (Some(_), _) if matches!(position.rule(), Rule::Caro | Rule::CaroOverline) => {
            Outlook::Threatened
        }
        (Some(point), None) if position.forbidden(point).is_none() => Outlook::Forced(point),
        _ => Outlook::Loss(2),
    }
}
