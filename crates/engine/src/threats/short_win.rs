//! Wins in three and in five plies, found by trying the few moves that can bring them.
//!
//! A search asks for one at its root. With few nodes it may not come to such a move by
//! itself, because its point looks bad or because quiescence elsewhere takes them all.

use super::answers::{answers, defences, hidden_fours};
use super::status::{ThreatStatus, threat_status};
use crate::pattern::Class;
use crate::position::Position;
use crate::rules::{Color, Point, PointSet, Rule};

/// Returns a move of the side to move, none of them `excluded`, that wins in three plies or,
/// if there is none, in five.
///
/// `None` where a five is next anyway, and where no threat wins so soon. `position` is
/// changed and restored.
pub fn short_win(position: &mut Position, excluded: &PointSet) -> Option<Point> {
    let moves = match threat_status(position) {
        ThreatStatus::Win(1) | ThreatStatus::Loss(_) => return None,
        ThreatStatus::OnlyMove(point) => PointSet::from_iter([point]),
        ThreatStatus::MustDefend if must_meet_five(position) => answers(position),
        _ => threats(position),
    };
    let moves = moves.difference(excluded);
    let in_three = moves
        .iter()
        .find(|&point| makes_four(position, point) && holds_after(position, point, loses_in_two));
    in_three.or_else(|| {
        moves
            .iter()
            .find(|&point| holds_after(position, point, loses_in_four))
    })
}

/// Returns whether the opponent makes a five next.
fn must_meet_five(position: &Position) -> bool {
    let opponent = position.side().opponent();
    position.counts(opponent).any(Class::Five)
}

/// The moves that may be threats: open threes, fours, black's at points that only
/// [look forbidden](Class::Forbidden), and white's threes where black may not be allowed to
/// answer the four.
fn threats(position: &Position) -> PointSet {
    let side = position.side();
    let may_hide =
        position.rule() == Rule::Renju && position.forbidden_candidates().next().is_some();
    let is_threat = |&point: &Point| {
        let class = position.class(side, point);
        class.is_threat()
            || may_hide
                && (class == Class::Forbidden || side == Color::White && class >= Class::Three)
    };
    position
        .empty_near_stones()
        .iter()
        .filter(is_threat)
        .collect()
}

/// Returns whether the side to move may make a four at `point`.
fn makes_four(position: &Position, point: Point) -> bool {
    let class = position.class(position.side(), point);
    class.is_four() || class == Class::Forbidden
}

/// Returns whether a move is legal, and `condition` holds after it.
fn holds_after(
    position: &mut Position,
    point: Point,
    condition: impl FnOnce(&mut Position) -> bool,
) -> bool {
    if !position.is_legal(point) {
        return false;
    }
    position.play(point);
    let holds = condition(position);
    position.undo();
    holds
}

/// Returns whether the opponent makes a five next, whatever the side to move does.
fn loses_in_two(position: &mut Position) -> bool {
    threat_status(position) == ThreatStatus::Loss(2)
}

/// Returns whether the opponent makes a five in four plies at the latest, whatever the side to move
/// does.
fn loses_in_four(position: &mut Position) -> bool {
    let replies = match threat_status(position) {
        ThreatStatus::Win(_) => return false,
        ThreatStatus::Loss(_) => return true,
        ThreatStatus::OnlyMove(point) => PointSet::from_iter([point]),
        ThreatStatus::MustDefend => defences(position),
        ThreatStatus::Quiet if threatens_hidden_four(position) => {
            position.board().difference(position.occupied())
        }
        ThreatStatus::Quiet => return false,
    };
    let refutes = |point| holds_after(position, point, |it| !wins_in_three(it));
    !replies.iter().any(refutes)
}

/// Returns whether the opponent would win by a four that [`threat_status`] does not see.
fn threatens_hidden_four(position: &mut Position) -> bool {
    if position.rule() != Rule::Renju {
        return false;
    }
    position.pass();
    let threatens = wins_by_hidden_four(position);
    position.undo();
    threatens
}

/// Returns whether the side to move makes a five in three plies at the latest.
fn wins_in_three(position: &mut Position) -> bool {
    match threat_status(position) {
        ThreatStatus::Win(plies) if plies <= 3 => true,
        ThreatStatus::Loss(_) => false,
        ThreatStatus::OnlyMove(point) => holds_after(position, point, loses_in_two),
        ThreatStatus::MustDefend if must_meet_five(position) => {
            let answers = answers(position);
            answers
                .iter()
                .any(|point| holds_after(position, point, loses_in_two))
        }
        _ => wins_by_hidden_four(position),
    }
}

/// Returns whether the side to move, where no five is possible, wins by a four that
/// [`threat_status`] does not see, because it has to be tried: black's at a point that only
/// [looks forbidden](Class::Forbidden), or white's whose only answer is forbidden to black.
fn wins_by_hidden_four(position: &mut Position) -> bool {
    if position.rule() != Rule::Renju {
        return false;
    }
    let fours: PointSet = match position.side() {
        Color::Black => hidden_fours(position).collect(),
        Color::White if position.forbidden_candidates().next().is_none() => return false,
        Color::White => position.fours(Color::White).collect(),
    };
    fours
        .iter()
        .any(|point| holds_after(position, point, loses_in_two))
}
