//! The canonical key of symmetric positions: the least hash key of their images.

use super::board::Position;
use super::zobrist;
use crate::rules::{BoardSize, Color, Point, Symmetry};
use arrayvec::ArrayVec;

/// The least hash key among a position's images under symmetry, and the symmetries that lead
/// to the image with that key.
#[derive(Clone, Debug)]
pub struct CanonicalKey {
    key: u64,
    size: BoardSize,
    symmetries: ArrayVec<Symmetry, 8>,
}

impl CanonicalKey {
    /// The key. Positions that are images of each other share it.
    pub fn key(&self) -> u64 {
        self.key
    }

    /// What a point of the position is in the image with the key. Points that a symmetry of
    /// the position itself maps onto each other are one there.
    pub fn image(&self, point: Point) -> Point {
        let images = self.symmetries.iter();
        let images = images.map(|symmetry| symmetry.apply(self.size, point));
        images.min().unwrap_or(point)
    }
}

impl Position {
    /// Returns the key that the position shares with its images under symmetry. It is
    /// computed from the stones.
    pub fn canonical_key(&self) -> CanonicalKey {
        let mut least = CanonicalKey {
            key: u64::MAX,
            size: self.size,
            symmetries: ArrayVec::new(),
        };
        for symmetry in self.size.symmetries() {
            let key = self.key_of_image(symmetry);
            if key < least.key {
                least.symmetries.clear();
            }
            if key <= least.key {
                least.key = key;
                least.symmetries.push(symmetry);
            }
        }
        least
    }

    /// The hash key of the image under a symmetry.
    fn key_of_image(&self, symmetry: Symmetry) -> u64 {
        let mut key = zobrist::board(self.rule, self.size);
        if self.side == Color::White {
            key ^= zobrist::WHITE_TO_MOVE;
        }
        for point in self.occupied.iter() {
            let image = symmetry.apply(self.size, point);
            key ^= match self.stone(point) {
                Some(color) => zobrist::stone(color, image),
                None => zobrist::blocked(image),
            };
        }
        key
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::rules::Rule;
    use std::collections::BTreeSet;

    fn turned(position: &Position, symmetry: Symmetry) -> Position {
        let mut image = Position::new(position.rule(), position.size());
        for (color, point) in position.moves() {
            image.place(color, symmetry.apply(position.size(), point));
        }
        image
    }

    #[test]
    fn images_share_a_key_which_one_of_them_has() {
        for (side, moves) in [("15", "h8i9g10"), ("20x15", "a1b2k7"), ("9", "")] {
            let size: BoardSize = side.parse().unwrap();
            let position = Position::from_moves(Rule::Renju, size, moves).unwrap();
            let images: Vec<Position> = size.symmetries().map(|it| turned(&position, it)).collect();
            let key = position.canonical_key().key();
            assert!(
                images
                    .iter()
                    .all(|image| image.canonical_key().key() == key)
            );
            assert_eq!(images.iter().map(Position::key).min(), Some(key));
        }
    }

    #[test]
    fn moves_are_one_where_the_position_is_symmetric() {
        let size = BoardSize::default();
        for (moves, classes) in [("", 36), ("h8", 36), ("h8h9", 120), ("h8h9i10", 225)] {
            let position = Position::from_moves(Rule::Freestyle, size, moves).unwrap();
            let key = position.canonical_key();
            let images: BTreeSet<Point> = size.iter().map(|point| key.image(point)).collect();
            assert_eq!(images.len(), classes, "{moves}");
            // A move and its image lead to one position.
            let mut after: BTreeSet<(Point, u64)> = BTreeSet::new();
            for point in size.iter().filter(|&point| position.is_empty(point)) {
                let mut played = position.clone();
                played.play(point);
                after.insert((key.image(point), played.canonical_key().key()));
            }
            let keys: BTreeSet<u64> = after.iter().map(|it| it.1).collect();
            assert_eq!(keys.len(), after.len(), "{moves}");
        }
    }
}
