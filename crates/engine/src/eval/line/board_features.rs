//! The inputs of a head beside the channels: how full the board is, and
//! how many points make threats.

use crate::position::{COUNTED_CLASSES, Position};

/// The inputs of a head that are not channels.
pub(super) const BOARD_INPUTS: usize = 2 + 2 * COUNTED_CLASSES;

/// More points of a class count as this many.
const COUNT_LIMIT: u16 = 4;

/// The features of a position that are not channels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BoardFeatures {
    stones: u16,
    points: u16,
    /// The number of points of each class, for the side to move and its opponent.
    counts: [[u8; COUNTED_CLASSES]; 2],
}

impl BoardFeatures {
    /// Returns the features of a position.
    #[inline(always)]
    pub fn of(position: &Position) -> BoardFeatures {
        let side = position.side();
        let points = position.size().points();
        BoardFeatures {
            stones: (points - position.empty_points()) as u16,
            points: points as u16,
            counts: [side, side.opponent()].map(|color| {
                let counts = position.counts(color).all();
                counts.map(|count| count.min(COUNT_LIMIT) as u8)
            }),
        }
    }

    /// Returns the inputs: numbers near one.
    #[inline(always)]
    pub fn inputs(&self) -> [f32; BOARD_INPUTS] {
        let mut inputs = [0.0; BOARD_INPUTS];
        let (board, counts) = inputs.split_at_mut(2);
        board[0] = (f32::from(self.stones) - 40.0) / 50.0;
        board[1] = (f32::from(self.points) - 300.0) / 100.0;
        for (input, &count) in counts.iter_mut().zip(self.counts.as_flattened()) {
            *input = f32::from(count) * 0.5;
        }
        inputs
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pattern::Class;
    use crate::rules::{BoardSize, Color, Rule};

    #[test]
    fn threats_are_counted_for_the_side_to_move_first() {
        // Black has a closed four, which one point makes a five.
        let moves = "h8g8i8a1j8o1k8";
        let position = Position::from_moves(Rule::Freestyle, BoardSize::default(), moves);
        let position = position.expect("a position");
        let five = position.counts(Color::Black).of(Class::Five);
        assert_eq!((position.side(), five), (Color::White, 1));
        let inputs = BoardFeatures::of(&position).inputs();
        assert_eq!(inputs[..2], [(7.0 - 40.0) / 50.0, (225.0 - 300.0) / 100.0]);
        let [own, theirs] =
            [2, 2 + COUNTED_CLASSES].map(|first| &inputs[first..][..COUNTED_CLASSES]);
        assert_eq!(own, [0.0; COUNTED_CLASSES]);
        let (five, weaker) = theirs.split_last().expect("a class");
        assert_eq!(*five, 0.5);
        assert!(weaker.iter().all(|&input| (0.0..=2.0).contains(&input)));
    }
}
