//! The proofs of the threats on the board about the side to move, without any
//! search.

use super::answers::{answers, hidden_fours};
use crate::pattern::Class;
use crate::position::Position;
use crate::rules::{Color, Point, Rule};
use arrayvec::ArrayVec;

/// A proof of the threats on the board about the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ThreatStatus {
    /// The side to move wins, with its last stone this many plies from now.
    Win(usize),
    /// The side to move loses, to a last stone this many plies from now.
    Loss(usize),
    /// Every other move loses at once.
    OnlyMove(Point),
    /// The opponent makes an open four or a double four next: every move but the
    /// [`defences`](super::defences) loses. Under caro it may also be a five that
    /// more than one point stops.
    MustDefend,
    /// Nothing is certain.
    Quiet,
}

/// Returns what the threats on the board prove about the side to move.
///
/// A claim is never wrong. A win in one ply is never missed, nor is one in three
/// but under renju, where two kinds are left to [`short_win`](super::short_win): white's
/// four whose only answer is forbidden to black, and black's four at a point that only
/// [looks forbidden](Class::Forbidden). Wins in five plies are claimed only where
/// the opponent has no four to interrupt them with. `position` is changed and
/// restored where a forbidden point has to be tried.
#[inline]
pub fn threat_status(position: &mut Position) -> ThreatStatus {
    let side = position.side();
    let own = position.counts(side);
    let theirs = position.counts(side.opponent());
    if own.any(Class::Five) {
        return ThreatStatus::Win(1);
    }
    if theirs.any(Class::Five) {
        return meet_five(position);
    }
    if own.any(Class::OpenFour) {
        return ThreatStatus::Win(3);
    }
    if !theirs.any_from(Class::Four) && wins_in_five(position) {
        return ThreatStatus::Win(5);
    }
    if theirs.any(Class::OpenFour) {
        return ThreatStatus::MustDefend;
    }
    ThreatStatus::Quiet
}

/// Returns whether the side to move wins by a four-three or a double open three. The
/// opponent, which has no four, can stop neither.
#[inline]
fn wins_in_five(position: &mut Position) -> bool {
    let own = position.counts(position.side());
    if !own.any(Class::FourThree) && !own.any(Class::DoubleThree) {
        return false;
    }
    match (position.rule(), position.side()) {
        (Rule::Renju, Color::Black) => black_wins_in_five(position),
        (Rule::Renju, Color::White) => hidden_fours(position).next().is_none(),
        _ => true,
    }
}

/// Returns whether black under renju has a four-three that wins: its three may come to
/// nothing at a forbidden point, so it is played.
fn black_wins_in_five(position: &mut Position) -> bool {
    let four_threes: ArrayVec<Point, 8> = position
        .fours_of_class(Color::Black, Class::FourThree)
        .take(8)
        .collect();
    four_threes.into_iter().any(|point| {
        position.play(point);
        let answer = position.fives(Color::Black).next();
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

/// The status of a side whose opponent makes a five next.
fn meet_five(position: &mut Position) -> ThreatStatus {
    let attacker = position.side().opponent();
    // Under caro a five can also be prevented by closing it, and one stone may
    // do that to several.
    if position.rule().fives_can_be_closed() {
        let answers = answers(position);
        let mut points = answers.iter();
        return match (points.next(), points.next()) {
            (None, _) => ThreatStatus::Loss(2),
            (Some(only), None) => ThreatStatus::OnlyMove(only),
            _ => ThreatStatus::MustDefend,
        };
    }
    if position.counts(attacker).of(Class::Five) > 1 {
        return ThreatStatus::Loss(2);
    }
    // Nearly always it is the last move that made the four.
    let mut changes = position.last_changes().iter();
    let new = changes.find(|change| change.new.classes[attacker.index()] == Class::Five);
    let new = new.map(|change| change.point);
    match new.or_else(|| position.fives(attacker).next()) {
        Some(point) if position.forbidden(point).is_none() => ThreatStatus::OnlyMove(point),
        _ => ThreatStatus::Loss(2),
    }
}
