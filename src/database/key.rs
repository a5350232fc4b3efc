//! The key of a position: its rule, board, side to move and stones, the same
//! for all that turning, mirroring and another order of moves make of it.
//!
//! Written out in full: no two positions share a key, and it stays the same
//! from one version of the program to the next.

use crate::position::Position;
use crate::rules::Point;

/// The key of `position`.
pub(super) fn key(position: &Position) -> Vec<u8> {
    let size = position.size();
    let taken: Vec<Point> = size
        .iter()
        .filter(|&point| !position.is_empty(point))
        .collect();
    let owner = |point| position.stone(point).map_or(2, |color| color as u16);
    let stones = size.symmetries().map(|symmetry| {
        let stone = |&point: &Point| {
            let image = symmetry.apply(size, point);
            (image.y() * size.width() + image.x()) as u16 * 4 + owner(point)
        };
        let mut stones: Vec<u16> = taken.iter().map(stone).collect();
        stones.sort_unstable();
        stones
    });
    let mut key = vec![
        position.rule() as u8,
        size.width() as u8,
        size.height() as u8,
        position.side() as u8,
    ];
    let least = stones.min().unwrap_or_default();
    key.extend(least.into_iter().flat_map(u16::to_be_bytes));
    key
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::rules::{BoardSize, Rule};

    fn of(rule: Rule, moves: &str) -> Vec<u8> {
        key(&Position::from_moves(rule, BoardSize::default(), moves).unwrap())
    }

    #[test]
    fn what_is_alike_has_one_key() {
        let one = of(Rule::Renju, "h8h9j8");
        for same in ["h8i8h6", "h8h7j8", "j8h9h8", "h8g8h10"] {
            assert_eq!(of(Rule::Renju, same), one, "{same}");
        }
        for (rule, other) in [
            (Rule::Freestyle, "h8h9j8"),
            (Rule::Renju, "h9h8j8"),
            (Rule::Renju, "h8h9"),
            (Rule::Renju, "h8h9j9"),
            (Rule::Renju, "h8h9j8--"),
        ] {
            assert_ne!(of(rule, other), one, "{other}");
        }
    }
}
