//! The last escape: the last move at which the loser had another move after which the
//! opponent has no forced win.

use super::judge::{Escape, Judge};
use super::move_review::MoveReview;
use quincunx_engine::game::GameResult;
use quincunx_engine::position::Position;
use quincunx_engine::rules::Point;
use serde::{Deserialize, Serialize};

/// The last move at which the loser could still hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct LastEscape {
    /// The number of the move, from one.
    pub number: usize,
    /// A move after which the opponent has no forced win.
    pub instead: Point,
    /// True if every later move of the loser is proved to lose.
    pub certain: bool,
    /// Otherwise the number of the later move that cost the loser most by the engine's estimate,
    /// if one was a mistake: the game may have been lost there.
    pub estimated: Option<usize>,
}

/// Finds the last escape of a game from `start`. `is_proven` has for every position whether the
/// side to move has a proven win. There is no escape if the loser's last position is not a proven
/// loss.
pub(super) fn find(
    start: Position,
    result: Option<GameResult>,
    moves: &[MoveReview],
    is_proven: &[bool],
    judge: &mut Judge<'_>,
) -> Option<LastEscape> {
    let loser = result?.winner?.opponent();
    let last = moves.iter().rfind(|played| played.color == loser)?;
    if last.forbidden.is_none() && !is_proven[last.number] {
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
                    estimated: costliest(moves, played).filter(|_| !certain),
                });
            }
            // The move that was played lost too, but perhaps not to a win that was proved.
            Escape::None => certain &= is_proven[played.number] || played.forbidden.is_some(),
            Escape::Unknown => certain = false,
        }
    }
    None
}

/// The later mistake of the same side that cost it most.
fn costliest(moves: &[MoveReview], escape: &MoveReview) -> Option<usize> {
    let later = moves.iter().skip(escape.number);
    let own = later.filter(|it| it.color == escape.color && it.class.is_mistake());
    let worst = own.max_by(|one, other| one.lost.total_cmp(&other.lost))?;
    Some(worst.number)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::review::MoveClass;
    use quincunx_engine::rules::Color;

    /// The last escape by proof once stood above a later move that took the chance from 71 to 0 %,
    /// and nothing said which of them counts.
    #[test]
    fn the_costliest_later_mistake_is_an_estimate() {
        let played = |number: usize, before: f64, after: f64, class: MoveClass| MoveReview {
            number,
            color: if number % 2 == 1 {
                Color::Black
            } else {
                Color::White
            },
            point: "h8".parse().unwrap(),
            before,
            after,
            lost: before - after,
            best: None,
            line: Vec::new(),
            class,
            win_missed: None,
            loss_allowed: None,
            forbidden: None,
        };
        let moves = [
            played(1, 0.9, 0.1, MoveClass::Mistake),
            played(2, 0.9, 0.1, MoveClass::Mistake),
            played(3, 0.6, 0.5, MoveClass::LossAllowed),
            played(4, 0.9, 0.0, MoveClass::Mistake),
            played(5, 0.71, 0.0, MoveClass::Mistake),
            played(6, 1.0, 1.0, MoveClass::Best),
            played(7, 0.1, 0.0, MoveClass::Inaccuracy),
        ];
        assert_eq!(costliest(&moves, &moves[2]), Some(5));
        assert_eq!(costliest(&moves, &moves[1]), Some(4));
        assert_eq!(costliest(&moves, &moves[4]), None);
    }
}
