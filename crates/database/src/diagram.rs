//! Stones on a board in no order, and their key. Positions that differ only by
//! symmetry or by the order of moves have the same key.
//!
//! A key is the rule, the board, the side to move and the stones, written out
//! in full. So no two positions share one, it stays the same from one version of
//! the program to the next, and the diagram can be read from it again.

use quincunx_engine::position::Position;
use quincunx_engine::rules::{BoardSize, Color, Point, Rule, Symmetry};

/// Owner of a stone that belongs to neither player.
const NOBODY: usize = 2;

/// Stones on a board, a rule and a side to move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Diagram {
    rule: Rule,
    size: BoardSize,
    side: Color,
    /// Black's, white's, and those that belong to neither.
    stones: [Vec<Point>; 3],
}

impl Diagram {
    pub(super) fn of(position: &Position) -> Diagram {
        let size = position.size();
        let mut stones = [Vec::new(), Vec::new(), Vec::new()];
        for point in size.iter().filter(|&point| !position.is_empty(point)) {
            let owner = position.stone(point).map_or(NOBODY, Color::index);
            stones[owner].push(point);
        }
        Diagram {
            rule: position.rule(),
            size,
            side: position.side(),
            stones,
        }
    }

    pub(super) fn empty(rule: Rule, size: BoardSize) -> Diagram {
        Diagram {
            rule,
            size,
            side: Color::Black,
            stones: [Vec::new(), Vec::new(), Vec::new()],
        }
    }

    /// The diagram that a key was made of, or an image of it; `None` if the
    /// bytes are no key.
    pub(super) fn from_key(key: &[u8]) -> Option<Diagram> {
        let (&[rule, width, height, side], rest) = key.split_first_chunk()?;
        let mut diagram = Diagram {
            rule: Rule::ALL.into_iter().find(|&known| known as u8 == rule)?,
            size: BoardSize::new(usize::from(width), usize::from(height)).ok()?,
            side: *[Color::Black, Color::White].get(usize::from(side))?,
            stones: [Vec::new(), Vec::new(), Vec::new()],
        };
        for bytes in rest.chunks(2) {
            let stone = usize::from(u16::from_be_bytes(bytes.try_into().ok()?));
            let (place, owner) = (stone / 4, stone % 4);
            let (x, y) = (place % usize::from(width), place / usize::from(width));
            let point = diagram.size.point(x, y)?;
            diagram.stones.get_mut(owner)?.push(point);
        }
        Some(diagram)
    }

    /// The prefix of the keys of all diagrams on this board under this rule.
    pub(super) fn prefix(rule: Rule, size: BoardSize) -> [u8; 3] {
        [rule as u8, size.width() as u8, size.height() as u8]
    }

    pub(super) fn key(&self) -> Vec<u8> {
        let images = self.size.symmetries().map(|symmetry| self.image(symmetry));
        self.key_of(self.side, &images.min().unwrap_or_default())
    }

    /// The empty points, with the key that the diagram has after a move there.
    pub(super) fn keys_after(&self) -> Vec<(Point, Vec<u8>)> {
        let images: Vec<_> = self
            .size
            .symmetries()
            .map(|symmetry| (symmetry, self.image(symmetry)))
            .collect();
        let key_after = |point| {
            let with_stone = images.iter().map(|(symmetry, image)| {
                let stone = self.stone(*symmetry, point, self.side.index());
                let at = image.partition_point(|&other| other < stone);
                // Sorted as they stand: nothing has to be put in order again.
                let mut image = image.clone();
                image.insert(at, stone);
                image
            });
            self.key_of(self.side.opponent(), &with_stone.min().unwrap_or_default())
        };
        let empty = self.size.iter().filter(|&point| self.is_empty(point));
        empty.map(|point| (point, key_after(point))).collect()
    }

    fn key_of(&self, side: Color, image: &[u16]) -> Vec<u8> {
        let mut key = Diagram::prefix(self.rule, self.size).to_vec();
        key.push(side as u8);
        key.extend(image.iter().flat_map(|stone| stone.to_be_bytes()));
        key
    }

    /// A stone after a symmetry, as a key holds it.
    fn stone(&self, symmetry: Symmetry, point: Point, owner: usize) -> u16 {
        let point = symmetry.apply(self.size, point);
        (point.y() * self.size.width() + point.x()) as u16 * 4 + owner as u16
    }

    /// The stones after a symmetry, as a key holds them.
    fn image(&self, symmetry: Symmetry) -> Vec<u16> {
        let mut image = Vec::with_capacity(self.count());
        for (owner, points) in self.stones.iter().enumerate() {
            let stones = points.iter();
            image.extend(stones.map(|&point| self.stone(symmetry, point, owner)));
        }
        image.sort_unstable();
        image
    }

    /// The image of a point under the symmetry that turns this diagram into
    /// `other`.
    pub(super) fn carry_over(&self, point: Point, other: &Diagram) -> Point {
        let wanted = other.image(Symmetry::ALL[0]);
        let mut symmetries = self.size.symmetries();
        let found = symmetries.find(|&symmetry| self.image(symmetry) == wanted);
        found.map_or(point, |symmetry| symmetry.apply(self.size, point))
    }

    pub(super) fn rule(&self) -> Rule {
        self.rule
    }

    pub(super) fn size(&self) -> BoardSize {
        self.size
    }

    pub(super) fn side(&self) -> Color {
        self.side
    }

    /// The number of stones.
    pub(super) fn count(&self) -> usize {
        self.stones.iter().map(Vec::len).sum()
    }

    /// The stones of a player.
    pub(super) fn of_color(&self, color: Color) -> &[Point] {
        &self.stones[color.index()]
    }

    pub(super) fn is_empty(&self, point: Point) -> bool {
        !self.stones.iter().flatten().any(|&stone| stone == point)
    }

    /// The side to move plays on an empty point.
    pub(super) fn play(&mut self, point: Point) {
        self.stones[self.side.index()].push(point);
        self.side = self.side.opponent();
    }

    /// The other side takes one of its stones back.
    pub(super) fn take_back(&mut self, point: Point) {
        self.side = self.side.opponent();
        self.stones[self.side.index()].retain(|&stone| stone != point);
    }

    /// Returns true if black and white, moving in turn from the empty board, can have placed
    /// exactly these stones.
    pub(super) fn alternates(&self) -> bool {
        let [black, white, neither] = [0, 1, NOBODY].map(|owner| self.stones[owner].len());
        let next = match black.checked_sub(white) {
            Some(0) => Color::Black,
            Some(1) => Color::White,
            _ => return false,
        };
        neither == 0 && next == self.side
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn of(rule: Rule, moves: &str) -> Diagram {
        Diagram::of(&Position::from_moves(rule, BoardSize::default(), moves).unwrap())
    }

    #[test]
    fn what_is_alike_has_one_key() {
        let one = of(Rule::Renju, "h8h9j8").key();
        for same in ["h8i8h6", "h8h7j8", "j8h9h8", "h8g8h10"] {
            assert_eq!(of(Rule::Renju, same).key(), one, "{same}");
        }
        for (rule, other) in [
            (Rule::Freestyle, "h8h9j8"),
            (Rule::Renju, "h9h8j8"),
            (Rule::Renju, "h8h9"),
            (Rule::Renju, "h8h9j9"),
            (Rule::Renju, "h8h9j8--"),
        ] {
            assert_ne!(of(rule, other).key(), one, "{other}");
        }
    }

    #[test]
    fn keys_after_a_move_are_those_of_the_move() {
        for moves in ["", "h8", "h8h9j8", "a1b2--c3d4"] {
            let now = of(Rule::Renju, moves);
            let after = now.keys_after();
            assert_eq!(after.len(), 225 - now.count());
            for (point, key) in after {
                let mut played = now.clone();
                played.play(point);
                assert_eq!(played.key(), key, "{moves} {point}");
            }
        }
    }

    #[test]
    fn keys_are_read_again() {
        for moves in ["", "h8", "a1b2--c3", "h8h9j8"] {
            let key = of(Rule::Caro, moves).key();
            let read = Diagram::from_key(&key).unwrap();
            assert_eq!(read.key(), key, "{moves}");
        }
        for bytes in [
            "",
            "\0\u{f}",
            "\0\u{f}\u{f}\u{9}",
            "\0\u{f}\u{f}\0x",
            "\0\u{f}\u{f}\0zz",
        ] {
            assert_eq!(Diagram::from_key(bytes.as_bytes()), None, "{bytes:?}");
        }
    }

    #[test]
    fn games_alternate() {
        for (moves, alternates) in [("", true), ("h8", true), ("h8h9j8", true), ("h8--", false)] {
            assert_eq!(of(Rule::Renju, moves).alternates(), alternates, "{moves}");
        }
    }
}
