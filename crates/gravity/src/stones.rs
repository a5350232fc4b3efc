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

/// A position as the table knows it. No two positions of a board have the same.
///
/// A column reads as a binary number, from the top: free points, a one for the
/// lowest free point, then the stones. Full columns lack that one and are named
/// apart.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Key {
    /// The columns, from the left one at the low end.
    pub(super) columns: u64,
    /// The full columns, a bit of its own for each.
    pub(super) full: u32,
}

impl Key {
    /// Returns the key of these columns. `full` has the highest point of each full one.
    ///
    /// No column is lower than four points, and no height divides the prime 31: so the
    /// tops of a board still have bits of their own when the upper half is folded onto
    /// the lower one, 31 bits further down.
    #[inline]
    fn new(columns: u64, full: u64) -> Key {
        let tops = full >> 3;
        Key {
            columns,
            full: (tops ^ tops >> 31) as u32,
        }
    }
}

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

    /// The key of the position.
    #[inline]
    pub(super) fn key(self, board: &Board) -> Key {
        let columns = self.own | board.landing_points(self.occupied);
        Key::new(columns, board.full_columns(self.occupied))
    }

    /// A key that is the same for the position and its mirror image.
    pub(super) fn symmetric_key(self, board: &Board) -> Key {
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
    use std::collections::HashSet;

    /// The columns that are not full can be read from the word of columns, since a one marks
    /// the top of their stones. So two positions share a key only where different sets of full
    /// columns share the other word.
    #[test]
    fn full_columns_have_words_of_their_own_on_every_board() {
        for columns in 4..=16 {
            for rows in 4..=16 {
                let Ok(size) = Size::new(columns, rows) else {
                    continue;
                };
                let top = |column| 1_u64 << (column * rows + rows - 1);
                let full = |code: u32| (0..columns).filter(move |at| code >> at & 1 == 1);
                let words: HashSet<u32> = (0..1 << columns)
                    .map(|code| Key::new(0, full(code).map(top).sum()).full)
                    .collect();
                assert_eq!(words.len(), 1 << columns, "{size}");
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
