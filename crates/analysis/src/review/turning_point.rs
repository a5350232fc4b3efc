//! The most costly moves of a game, with the threats that decided it.

use super::MoveReview;
use crate::threats::{ThreatKind, threat_at};
use quincunx_engine::position::Position;
use quincunx_engine::rules::{Color, Point};
use serde::{Deserialize, Serialize};

/// The number of turning points of a side.
const COUNT: usize = 2;

/// One of the two most costly moves of a side.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TurningPoint {
    /// The number of the move, from one.
    pub number: usize,
    /// The decisive threat of the opponent afterwards: in the forced win that the move allowed, or
    /// else in the game.
    pub allowed: Option<DecisiveThreat>,
    /// The decisive threat of the forced win that the move gave away.
    pub missed: Option<DecisiveThreat>,
}

/// A move that makes a threat which a single stone can't parry, or a five.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct DecisiveThreat {
    /// The kind of the threat.
    pub kind: ThreatKind,
    /// The point of the move.
    pub point: Point,
}

impl TurningPoint {
    /// The turning points of both sides, in the order of the game.
    pub(super) fn all(start: Position, moves: &[MoveReview]) -> Vec<TurningPoint> {
        let mut costly: Vec<usize> = Vec::new();
        for color in Color::ALL {
            let is_own = |it: &&MoveReview| it.color == color && it.class.is_fault();
            let mut own: Vec<&MoveReview> = moves.iter().filter(is_own).collect();
            own.sort_by(|one, other| other.lost.total_cmp(&one.lost));
            costly.extend(own.iter().take(COUNT).map(|it| it.number));
        }
        let mut position = start;
        let mut found = Vec::new();
        for (played, number) in moves.iter().zip(1..) {
            let is_costly = costly.contains(&number);
            let missed = (played.win_missed.as_ref())
                .filter(|_| is_costly)
                .and_then(|missed| decisive(&position, played.color, &missed.proof.line));
            match played.point {
                Point::NONE => position.pass(),
                point => position.play(point),
            }
            if is_costly {
                let rest = || moves[number..].iter().map(|it| it.point).collect();
                let allowed = played.loss_allowed.as_ref();
                let line = allowed.map_or_else(rest, |allowed| allowed.proof.line.clone());
                found.push(TurningPoint {
                    number,
                    allowed: decisive(&position, played.color.opponent(), &line),
                    missed,
                });
            }
        }
        found
    }
}

/// The first threat of `color` in a line that a single stone can't parry, or else its five.
fn decisive(position: &Position, color: Color, line: &[Point]) -> Option<DecisiveThreat> {
    let mut position = position.clone();
    for &point in line {
        if point == Point::NONE || !position.is_empty(point) {
            break;
        }
        let kind = (position.side() == color).then(|| threat_at(&mut position, color, point));
        if let Some(kind) = kind.flatten() {
            return Some(DecisiveThreat { kind, point });
        }
        position.play(point);
    }
    None
}
