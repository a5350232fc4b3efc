//! Positions that are set up stone by stone, and stones taken out of the middle
//! of a game.

use crate::position::Position;
use crate::rules::{BoardSize, Color, Point, Rule};

/// A stone of a set-up position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stone {
    /// The owner. `None` for a stone that only fills its point.
    pub color: Option<Color>,
    /// The point of the stone.
    pub point: Point,
}

/// Why a stone can't be placed on a point, or taken from it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PlayError {
    /// The point is not on the board.
    #[error("{0} is off the board")]
    OffBoard(Point),
    /// A stone is there already.
    #[error("{0} is taken")]
    Taken(Point),
    /// No player's stone is there.
    #[error("{0} has no stone that could be taken back")]
    NoStone(Point),
}

/// Returns whether a stone can be placed on `point`.
pub(super) fn check_empty(position: &Position, point: Point) -> Result<(), PlayError> {
    if !position.size().has(point) {
        Err(PlayError::OffBoard(point))
    } else if !position.is_empty(point) {
        Err(PlayError::Taken(point))
    } else {
        Ok(())
    }
}

/// The position with these stones, in the order they were played.
pub(super) fn set_up(
    rule: Rule,
    size: BoardSize,
    stones: &[Stone],
    side: Color,
) -> Result<Position, PlayError> {
    let mut position = Position::new(rule, size);
    // Points are filled before the first move: taking a move back must not empty them.
    let (players, fillers): (Vec<&Stone>, Vec<&Stone>) =
        stones.iter().partition(|stone| stone.color.is_some());
    for stone in fillers.into_iter().chain(players) {
        check_empty(&position, stone.point)?;
        match stone.color {
            Some(color) => position.place(color, stone.point),
            None => position.block(stone.point),
        }
    }
    position.set_side(side);
    Ok(position)
}

/// The same game under `rule`, without the stone on `without`.
pub(super) fn rebuilt(old: &Position, rule: Rule, without: Option<Point>) -> Position {
    let mut position = Position::new(rule, old.size());
    for point in old.size().iter() {
        if !old.is_empty(point) && old.stone(point).is_none() {
            position.block(point);
        }
    }
    for (color, point) in old.moves() {
        if point == Point::NONE {
            position.pass();
        } else if Some(point) != without {
            position.place(color, point);
        }
    }
    position
}
