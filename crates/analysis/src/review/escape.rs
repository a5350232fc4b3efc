//! The last escape: the last move at which the loser had another move after which the
//! opponent has no forced win.

use super::judge::{Escape, Judge};
use super::move_review::MoveReview;
use quincunx_engine::game::GameResult;
use quincunx_engine::position::Position;
use quincunx_engine::rules::Point;

/// The last move at which the loser could still hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LastEscape {
    /// The number of the move, from one.
    pub number: usize,
    /// A move after which the opponent has no forced win.
    pub instead: Point,
    /// Whether every later move of the loser is proved to lose.
    pub certain: bool,
}

/// Finds the last escape of a game from `start`. `proved` says for every position whether
/// the side to move is proved to win. There is no escape if the loser's last position is not
/// a proven loss.
pub(super) fn find(
    start: Position,
    result: Option<GameResult>,
    moves: &[MoveReview],
    proved: &[bool],
    judge: &mut Judge<'_>,
) -> Option<LastEscape> {
    let loser = result?.winner?.opponent();
    let last = moves.iter().rfind(|played| played.color == loser)?;
    if last.forbidden.is_none() && !proved[last.number] {
        return None;
    }
    let mut position = start;
    for played in moves {
        match played.point {
            Point::NONE => position.pass(),
            point => position.play(point),
        }
    }
    let mut certain = true;
    for played in moves.iter().rev() {
        position.undo();
        if played.color != loser {
            continue;
        }
        let escape = match &played.loss_allowed {
            Some(allowed) => Escape::By(allowed.instead),
            None => judge.escape(&position, played.best, Some(played.point)),
        };
        match escape {
            Escape::By(instead) => {
                return Some(LastEscape {
                    number: played.number,
                    instead,
                    certain,
                });
            }
            // The move that was played lost too, but perhaps not to a win that was proved.
            Escape::None => certain &= proved[played.number] || played.forbidden.is_some(),
            Escape::Unknown => certain = false,
        }
    }
    None
}
