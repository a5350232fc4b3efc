//! Shapes by their definitions: slow, obvious, and the source of every table.
//!
//! A line is seen by one colour, and its shape is what that colour makes by playing
//! the centre. A five is defined by counting stones. Every weaker shape is defined by
//! the shapes that one more stone could make, by recursion.

use super::shape::Shape;
use crate::rules::{Color, Rule};

/// A point of a line as one colour sees it. Line codes use the same numbers as black
/// sees them: a bit each for "black may be here" and "white may be here".
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Cell {
    /// Off the board, or blocked.
    Wall = 0,
    /// A stone of the other colour.
    Enemy = 1,
    /// A stone of the colour whose shapes are asked for.
    Own = 2,
    /// No stone.
    Empty = 3,
}

impl Cell {
    const fn from_bits(bits: u32) -> Cell {
        match bits & 3 {
            0 => Cell::Wall,
            1 => Cell::Enemy,
            2 => Cell::Own,
            _ => Cell::Empty,
        }
    }

    /// Returns whether no line of the colour can pass.
    const fn blocks(self) -> bool {
        matches!(self, Cell::Wall | Cell::Enemy)
    }
}

/// The length of the longest window: five points on each side of the centre.
const MAX_WINDOW: usize = 11;

/// Computes the shapes of one colour under one rule, and remembers those of lines
/// that it has seen.
pub(crate) struct Classifier {
    rule: Rule,
    color: Color,
    radius: usize,
    known: Vec<Option<Shape>>,
}

impl Classifier {
    /// Creates a classifier for windows of `radius` points on each side of the centre,
    /// 4 or 5.
    pub(crate) fn new(rule: Rule, color: Color, radius: usize) -> Classifier {
        debug_assert!(2 * radius < MAX_WINDOW);
        Classifier {
            rule,
            color,
            radius,
            known: vec![None; 1 << (4 * radius)],
        }
    }

    /// Returns the shape of the window with this key: two bits a point as numbered by
    /// [`Cell`], without the centre, the first point in the lowest bits.
    pub(crate) fn shape(&mut self, key: u32) -> Shape {
        let key = self.normal(key);
        if let Some(shape) = self.known[key as usize] {
            return shape;
        }
        let shape = self.classify(key);
        self.known[key as usize] = Some(shape);
        shape
    }

    /// Normalises a key: only caro distinguishes walls from enemies.
    fn normal(&self, key: u32) -> u32 {
        if self.rule.fives_can_be_closed() {
            return key;
        }
        let low_bits = 0x5555_5555 & ((1 << (4 * self.radius)) - 1);
        key | (!(key | key >> 1) & low_bits)
    }

    /// Returns the length of a window.
    fn window(&self) -> usize {
        2 * self.radius + 1
    }

    /// Unpacks a key into a line whose centre has a stone of the colour.
    fn unpack(&self, key: u32) -> [Cell; MAX_WINDOW] {
        let mut line = [Cell::Enemy; MAX_WINDOW];
        for (i, cell) in line.iter_mut().enumerate().take(self.window()) {
            *cell = match i.cmp(&self.radius) {
                std::cmp::Ordering::Less => Cell::from_bits(key >> (2 * i)),
                std::cmp::Ordering::Equal => Cell::Own,
                std::cmp::Ordering::Greater => Cell::from_bits(key >> (2 * (i - 1))),
            };
        }
        line
    }

    /// Returns the key of the window around another point of `line`. Points outside
    /// the line are unknown and taken for the worst, an enemy.
    fn key_seen_from(&self, line: &[Cell; MAX_WINDOW], centre: usize) -> u32 {
        let mut key = 0;
        for slot in 0..2 * self.radius {
            let steps = slot + usize::from(slot >= self.radius);
            let cell = (centre + steps)
                .checked_sub(self.radius)
                .filter(|&i| i < self.window())
                .map_or(Cell::Enemy, |i| line[i]);
            key |= (cell as u32) << (2 * slot);
        }
        key
    }

    fn classify(&mut self, key: u32) -> Shape {
        let line = self.unpack(key);
        let run = stretch(&line, self.window(), self.radius, |cell| cell == Cell::Own);
        let span = stretch(&line, self.window(), self.radius, |cell| !cell.blocks());

        let length = run.len();
        let is_enemy = |i: Option<usize>| i.is_some_and(|i| line.get(i) == Some(&Cell::Enemy));
        let closed = is_enemy(run.start.checked_sub(1)) && is_enemy(Some(run.end));
        if self.rule.run_wins(self.color, length, closed) {
            return Shape::Five;
        }
        if length > 5 {
            return Shape::Overline;
        }
        if span.len() < 5 {
            return Shape::Dead;
        }

        let mut count = [0usize; Shape::ALL.len()];
        let mut fives = Vec::new();
        for i in span {
            if line[i] == Cell::Empty {
                let shape = self.shape(self.key_seen_from(&line, i));
                count[shape as usize] += 1;
                if shape == Shape::Five {
                    fives.push(i);
                }
            }
        }
        let number =
            |shapes: &[Shape]| -> usize { shapes.iter().map(|&s| count[s as usize]).sum() };

        match fives[..] {
            // Two fours in the one line: the five points are too near each
            // other to be the two ends of one straight four.
            [first, second, ..] if self.rule.forbids(self.color) && second - first < 5 => {
                return Shape::Overline;
            }
            [_, _, ..] if !self.one_stone_stops(&line) => return Shape::OpenFour,
            [_, ..] => return Shape::Four,
            [] => {}
        }
        match number(&[Shape::OpenFour]) {
            0 => {}
            1 => return Shape::OpenThree,
            _ => return Shape::OpenThreeWide,
        }
        if number(&[Shape::Four]) > 0 {
            return Shape::Three;
        }
        match number(&[Shape::OpenThree, Shape::OpenThreeWide]) {
            0 => {}
            1 | 2 => return Shape::OpenTwo,
            3 => return Shape::OpenTwoWide,
            _ => return Shape::OpenTwoFull,
        }
        if number(&[Shape::Three]) > 0 {
            Shape::Two
        } else if number(&[Shape::OpenTwo, Shape::OpenTwoWide, Shape::OpenTwoFull]) > 0 {
            Shape::OpenOne
        } else if number(&[Shape::Two]) > 0 {
            Shape::One
        } else {
            Shape::Dead
        }
    }

    /// Returns whether one stone of the enemy can prevent every five. Where there are
    /// two fives only caro has such stones: a stone on one five can close the other.
    fn one_stone_stops(&mut self, line: &[Cell; MAX_WINDOW]) -> bool {
        let empty = (0..self.window()).filter(|&i| line[i] == Cell::Empty);
        let mut blocked = *line;
        empty.into_iter().any(|stop| {
            blocked[stop] = Cell::Enemy;
            let five_left = (0..self.window()).any(|i| {
                blocked[i] == Cell::Empty
                    && self.shape(self.key_seen_from(&blocked, i)) == Shape::Five
            });
            blocked[stop] = Cell::Empty;
            !five_left
        })
    }
}

/// Returns the longest stretch around `centre` whose points all pass `test`, which
/// is not applied to the centre.
fn stretch(
    line: &[Cell; MAX_WINDOW],
    window: usize,
    centre: usize,
    test: impl Fn(Cell) -> bool,
) -> std::ops::Range<usize> {
    let mut start = centre;
    while start > 0 && test(line[start - 1]) {
        start -= 1;
    }
    let mut end = centre + 1;
    while end < window && test(line[end]) {
        end += 1;
    }
    start..end
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Counts the lines without walls of each shape.
    fn census(rule: Rule, color: Color, radius: usize) -> [usize; 14] {
        let mut classifier = Classifier::new(rule, color, radius);
        let mut count = [0; 14];
        let cells = [Cell::Own, Cell::Enemy, Cell::Empty];
        for number in 0..3usize.pow(2 * radius as u32) {
            let mut rest = number;
            let mut key = 0;
            for slot in 0..2 * radius {
                key |= (cells[rest % 3] as u32) << (2 * slot);
                rest /= 3;
            }
            count[classifier.shape(key) as usize] += 1;
        }
        count
    }

    /// Reference counts: two independent implementations of the definitions
    /// agree on them. The order is that of [`Shape::ALL`].
    #[test]
    fn shapes_have_the_known_counts() {
        let freestyle = [
            3537, 0, 81, 34, 419, 115, 30, 11, 850, 198, 51, 796, 142, 297,
        ];
        assert_eq!(census(Rule::Freestyle, Color::Black, 4), freestyle);
        assert_eq!(census(Rule::Freestyle, Color::White, 4), freestyle);

        let exact = [
            37368, 1053, 652, 268, 3332, 840, 192, 36, 6408, 1200, 168, 5344, 568, 1620,
        ];
        assert_eq!(census(Rule::Standard, Color::Black, 5), exact);
        assert_eq!(census(Rule::Standard, Color::White, 5), exact);

        let renju_black = [
            37368, 1189, 652, 268, 3388, 816, 168, 28, 6588, 1080, 108, 5344, 432, 1620,
        ];
        assert_eq!(census(Rule::Renju, Color::Black, 5), renju_black);

        let renju_white = [
            31833, 0, 729, 306, 3771, 1035, 270, 99, 7650, 1782, 459, 7164, 1278, 2673,
        ];
        assert_eq!(census(Rule::Renju, Color::White, 5), renju_white);
    }

    /// Returns the shape of `?` in a line of eleven points: `X` own, `O` enemy, `#`
    /// wall.
    fn shape_of(rule: Rule, text: &str) -> Shape {
        let cells: Vec<char> = text.chars().collect();
        assert_eq!(cells.len(), 11);
        assert_eq!(cells[5], '?');
        let mut key = 0;
        for (slot, &c) in cells.iter().filter(|&&c| c != '?').enumerate() {
            let cell = match c {
                'X' => Cell::Own,
                'O' => Cell::Enemy,
                '#' => Cell::Wall,
                _ => Cell::Empty,
            };
            key |= (cell as u32) << (2 * slot);
        }
        Classifier::new(rule, Color::Black, 5).shape(key)
    }

    #[test]
    fn caro_counts_closed_fives_as_nothing() {
        // Enemy stones at both ends close a five, the edge does not.
        assert_eq!(shape_of(Rule::Caro, "OXXXX?O...."), Shape::Dead);
        assert_eq!(shape_of(Rule::Caro, "#XXXX?O...."), Shape::Five);
        assert_eq!(shape_of(Rule::Caro, "OXXXX?#...."), Shape::Five);
        assert_eq!(shape_of(Rule::Caro, "OXXXX?....."), Shape::Five);
        // A four that could only become a closed five is none.
        assert_ne!(shape_of(Rule::Caro, "..OXX?X.O.."), Shape::Four);
        assert_eq!(shape_of(Rule::Caro, "..OXX?X...."), Shape::Four);
        // A stone on one of two five points can close the five on the other.
        assert_eq!(shape_of(Rule::Caro, "...XX?X.O.."), Shape::Four);
        assert_eq!(shape_of(Rule::Caro, "...XX?X..O."), Shape::OpenFour);
        assert_eq!(shape_of(Rule::Caro, "...XX?X.###"), Shape::OpenFour);
        // Six: always a win under rule 8, never under rule 9.
        assert_eq!(shape_of(Rule::CaroOverline, ".OXXX?XXO.."), Shape::Five);
        assert_eq!(shape_of(Rule::CaroOverline, "..XXX?XX..."), Shape::Five);
        assert_eq!(shape_of(Rule::Caro, "..XXX?XX..."), Shape::Overline);
    }
}
