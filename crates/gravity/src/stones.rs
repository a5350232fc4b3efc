//! The stones on the board as the search sees them.

use super::board::Board;

/// The stones of the side to move and of both sides: all that a position is to
/// the search.
///
/// A move swaps the sides, so that the search needs only one point of view.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Stones {
    /// The stones of the side to move.
    pub(super) own: u64,
    /// The stones of both sides.
    pub(super) occupied: u64,
}

/// Spreads the full columns over the key. The tests show that with this number
/// no two positions of a board of up to 49 points and nine columns share a key.
const FULL_COLUMNS: u64 = 0x9E37_79B9_7F4A_7C15;

impl Stones {
    /// The stones of the side that is not to move.
    #[inline]
    pub(super) fn opponent(self) -> u64 {
        self.own ^ self.occupied
    }

    /// The number of stones of both sides.
    #[inline]
    pub(super) fn count(self) -> u32 {
        self.occupied.count_ones()
    }

    /// The stones after the side to move has placed one on `point`.
    #[inline]
    pub(super) fn play(self, point: u64) -> Stones {
        Stones {
            own: self.opponent(),
            occupied: self.occupied | point,
        }
    }

    /// The points where the side to move wins at once.
    #[inline]
    pub(super) fn wins(self, board: &Board) -> u64 {
        board.winning_points(self.own) & board.landing_points(self.occupied)
    }

    /// The free points where the opponent would complete a four.
    #[inline]
    pub(super) fn threats(self, board: &Board) -> u64 {
        board.winning_points(self.opponent()) & !self.occupied
    }

    /// The moves after which the opponent, who has these `threats`, does not win
    /// at once.
    #[inline]
    pub(super) fn safe_moves(self, board: &Board, threats: u64) -> u64 {
        let landing = board.landing_points(self.occupied);
        let forced = landing & threats;
        let moves = match forced {
            0 => landing,
            _ if forced.is_power_of_two() => forced,
            _ => 0,
        };
        // A stone below a threat lets the opponent play there. The bottom of a
        // column has the top of another one below it in the word; but a threat
        // at the bottom is forced, and then no top is among the moves.
        moves & !(threats >> 1)
    }

    /// A number for the position.
    ///
    /// A column reads as a binary number, from the top: free points, a one for
    /// the lowest free point, then the stones. Full columns lack that one and
    /// are added apart.
    #[inline]
    pub(super) fn key(self, board: &Board) -> u64 {
        let columns = self.own | board.landing_points(self.occupied);
        let full = board.full_columns(self.occupied);
        columns.wrapping_add(full.wrapping_mul(FULL_COLUMNS))
    }

    /// A number that is the same for the position and its mirror image.
    pub(super) fn symmetric_key(self, board: &Board) -> u64 {
        self.key(board).min(self.mirror(board).key(board))
    }

    /// The position seen from behind the board.
    pub(super) fn mirror(self, board: &Board) -> Stones {
        Stones {
            own: board.mirror(self.own),
            occupied: board.mirror(self.occupied),
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::super::Size;
    use super::*;

    /// Two positions share a key only if the difference of their full columns,
    /// spread, is made up for by that of the rest, which is a number of as many
    /// bits as there are points.
    #[test]
    fn the_key_is_exact_up_to_49_points_and_nine_columns() {
        for columns in 4..=9 {
            for rows in (4..=12).filter(|rows| columns * rows <= 49) {
                let size = Size::new(columns, rows).unwrap();
                let rest = 1_u64 << size.points();
                // Each column is full in the first position, in the second, or
                // in both or neither.
                for mut code in 1..3_u32.pow(columns as u32) {
                    let mut difference = 0_u64;
                    for column in 0..columns {
                        let top = 1 << (column * rows + rows - 1);
                        match code % 3 {
                            0 => {}
                            1 => difference = difference.wrapping_add(top),
                            _ => difference = difference.wrapping_sub(top),
                        }
                        code /= 3;
                    }
                    let spread = difference.wrapping_mul(FULL_COLUMNS);
                    let is_small = spread < rest || spread.wrapping_neg() < rest;
                    assert!(!is_small, "{size}");
                }
            }
        }
    }

    #[test]
    fn a_move_below_a_threat_is_not_safe() {
        let board = Board::new(Size::new(5, 4).unwrap());
        let opponent = [(0, 1), (1, 1), (2, 1)].map(|(c, r)| board.point(c, r));
        let own = [(0, 0), (1, 0), (4, 0)].map(|(c, r)| board.point(c, r));
        let below = board.point(2, 0);
        let opponent = opponent.iter().sum::<u64>() | below;
        let own: u64 = own.iter().sum();
        let stones = Stones {
            own,
            occupied: own | opponent,
        };
        let threats = stones.threats(&board);
        assert_eq!(threats, board.point(3, 1));
        let safe = [(0, 2), (1, 2), (2, 2), (4, 1)].map(|(c, r)| board.point(c, r));
        assert_eq!(stones.safe_moves(&board, threats), safe.iter().sum::<u64>());
        // One stone more below it, and the threat must be answered.
        let stones = Stones {
            own,
            occupied: stones.occupied | board.point(3, 0),
        };
        assert_eq!(stones.safe_moves(&board, threats), board.point(3, 1));
    }
}
