//! The static evaluation, for positions that the search cannot follow to the end.
//!
//! Two things are counted for each side and set against each other. *Shapes* are
//! lines of four without a stone of the opponent, by the number of stones in
//! them. *Threats* are free points that complete a four: neither side may play below
//! one, so it lasts until its column has filled up to it, and then it matters
//! whose turn it is. The players fill the other columns first, and as these have
//! an even number of points together (on a board with an even number of rows, or
//! an odd number of columns), the first player starts the last column: he comes
//! to the odd rows and the second player to the even ones. Threats there are
//! worth more. Victor Allis calls this control of zugzwang in *A Knowledge-based
//! Approach of Connect-Four* (1988).

use super::board::Board;
use super::score::Score;
use super::stones::Stones;

/// The weights of the evaluation, in hundredths of a logit.
struct Weights {
    ones: i32,
    twos: i32,
    threes: i32,
    /// A threat in the rows that the side comes to.
    good_threat: i32,
    /// A threat in the other rows.
    other_threat: i32,
    /// To be on the move.
    tempo: i32,
}

/// Rounded from a logistic regression on the exact values of 15,000 random
/// positions of 7x6, 7x7 and 8x6.
const WEIGHTS: Weights = Weights {
    ones: 10,
    twos: 40,
    threes: 10,
    good_threat: 135,
    other_threat: 60,
    tempo: 110,
};

/// The score of a position for the side to move.
pub(super) fn evaluate(board: &Board, stones: Stones) -> Score {
    let free = board.points() & !stones.occupied;
    let rows_of_mover = rows_of(board, stones.count());
    let own = side(board, stones.own, free, rows_of_mover);
    let opponent = side(board, stones.opponent(), free, !rows_of_mover);
    Score::estimate(own - opponent + WEIGHTS.tempo)
}

/// The rows that the side to move with `placed` stones on the board comes to
/// when only one column is left.
fn rows_of(board: &Board, placed: u32) -> u64 {
    let size = board.size();
    let others = (size.columns() - 1) * size.rows();
    match (others + placed as usize) % 2 {
        0 => board.odd_rows(),
        _ => !board.odd_rows(),
    }
}

/// The evaluation of one side's shapes and threats.
fn side(board: &Board, stones: u64, free: u64, good_rows: u64) -> i32 {
    let shapes = board.shapes(stones, free);
    let threats = board.winning_points(stones) & free;
    let count = |set: u64| set.count_ones() as i32;
    WEIGHTS.ones * shapes.ones
        + WEIGHTS.twos * shapes.twos
        + WEIGHTS.threes * shapes.threes
        + WEIGHTS.good_threat * count(threats & good_rows)
        + WEIGHTS.other_threat * count(threats & !good_rows)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::super::{Position, Size};
    use super::*;

    fn score(size: Size, moves: &str) -> i32 {
        let position = Position::from_moves(size, moves).unwrap();
        evaluate(position.board(), position.stones()).units()
    }

    #[test]
    fn a_mirror_image_is_worth_as_much() {
        let size = Size::new(7, 6).unwrap();
        assert_eq!(score(size, "44512"), score(size, "44376"));
        assert_ne!(score(size, "44512"), score(size, "44312"));
    }

    #[test]
    fn the_last_column_tells_whose_rows_are_odd() {
        let rows = |columns, rows, placed| {
            let board = Board::new(Size::new(columns, rows).unwrap());
            rows_of(&board, placed) & board.point(0, 0) != 0
        };
        assert!(rows(7, 6, 0), "the first player comes to odd rows");
        assert!(!rows(7, 6, 1), "and the second to even ones");
        assert!(rows(7, 7, 0));
        assert!(!rows(8, 7, 0));
    }
}
