//! Dead boards: no five is possible any more, and the last empty points decide.

use crate::pattern::Shape;
use crate::position::Position;
use crate::rules::{Color, Direction, Rule};

/// The most empty points of a board that is examined. Boards with more are hardly
/// ever dead.
const MOST_EMPTY: usize = 48;

/// The outcome of a dead board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum DeadBoard {
    /// The board fills up.
    Draw,
    /// Black, under renju, has only forbidden points left in the end.
    BlackFouls,
}

/// Returns the outcome if no five is possible. Under renju, points may be left that are
/// overlines for black. If the last stone of the board is black's, white leaves such a
/// point to the end; if it is white's, the outcome is unknown.
#[inline]
pub(super) fn dead_board(position: &Position) -> Option<DeadBoard> {
    if position.empty_points() > MOST_EMPTY {
        return None;
    }
    examine(position)
}

#[cold]
fn examine(position: &Position) -> Option<DeadBoard> {
    let mut has_foul = false;
    for point in position.board().difference(position.occupied()).iter() {
        for color in [Color::Black, Color::White] {
            for direction in Direction::ALL {
                match position.shape(color, point, direction) {
                    Shape::Dead => {}
                    Shape::Overline => has_foul |= color == Color::Black,
                    _ => return None,
                }
            }
        }
    }
    if !has_foul || position.rule() != Rule::Renju {
        return Some(DeadBoard::Draw);
    }
    let black_to_move = position.side() == Color::Black;
    let black_is_last = black_to_move == (position.empty_points() % 2 == 1);
    black_is_last.then_some(DeadBoard::BlackFouls)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pattern::Class;
    use crate::rules::{BoardSize, Point};
    use fastrand::Rng;

    /// The winner, if both sides play every move that there is.
    fn winner(position: &mut Position) -> Option<Color> {
        if position.won() {
            return Some(position.side().opponent());
        }
        if position.empty_points() == 0 {
            return None;
        }
        let points: Vec<Point> = position.size().iter().collect();
        let side = position.side();
        let mut best = Some(side.opponent());
        for point in points {
            if !position.is_legal(point) {
                continue;
            }
            position.play(point);
            let winner = winner(position);
            position.undo();
            if winner == Some(side) {
                return winner;
            }
            if winner.is_none() {
                best = None;
            }
        }
        best
    }

    /// A nearly full board of 7x7 or 7x6, with a row that is nearly an overline.
    fn full_board(rng: &mut Rng, rule: Rule) -> Position {
        let size = BoardSize::new(7, rng.usize(6..=7)).expect("a size");
        let mut position = Position::new(rule, size);
        let row = "XXX.XXOXX.XXXO".as_bytes();
        let start = rng.usize(0..=7);
        for point in size.iter() {
            let (is_black, stays_empty) = if point.y() == 3 {
                let stone = row[start + point.x()];
                (stone == b'X', stone == b'.')
            } else {
                // Blocks of two by one leave few lines to either side.
                let block = (point.x() / 2 + point.y()).is_multiple_of(2);
                (block != (rng.u8(..8) == 0), rng.u8(..8) == 0)
            };
            let color = if is_black { Color::Black } else { Color::White };
            if !stays_empty && position.class(color, point) != Class::Five {
                position.place(color, point);
            }
        }
        if rng.bool() {
            position.set_side(Color::White);
        }
        position
    }

    #[test]
    fn dead_boards_end_as_foreseen() {
        let mut rng = Rng::with_seed(17);
        let mut seen = [0; 2];
        for number in 0..6_000 {
            let rule = Rule::ALL[number % Rule::ALL.len()];
            let rule = if number % 2 == 0 { Rule::Renju } else { rule };
            let mut position = full_board(&mut rng, rule);
            if position.empty_points() > 6 {
                continue;
            }
            match dead_board(&position) {
                Some(DeadBoard::Draw) => assert_eq!(winner(&mut position), None, "{position:?}"),
                Some(DeadBoard::BlackFouls) => {
                    assert_eq!(winner(&mut position), Some(Color::White), "{position:?}");
                }
                None => continue,
            }
            seen[usize::from(dead_board(&position) == Some(DeadBoard::BlackFouls))] += 1;
        }
        assert!(seen.iter().all(|&count| count > 20), "{seen:?}");
    }
}
