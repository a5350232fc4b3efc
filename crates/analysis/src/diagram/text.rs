//! A diagram as text.

use super::{Diagram, Mark, letter};
use quincunx_engine::rules::{Color, Point};
use std::fmt::Write;

impl Diagram {
    /// The board as lines of text. Stones are shown as their numbers, or as `X` and `O`
    /// without a number. The last move is in parentheses. Marks are shown on empty points:
    /// `r` for a ring, `x` for a cross, `t` for a triangle, `s` for a square, `*` for a dot.
    pub fn text(&self) -> String {
        let widest = self.stones.iter().filter_map(|stone| stone.number).max();
        let width = widest.map_or(1, |number| number.to_string().len());
        let mut text = String::new();
        for row in 0..self.size.height() {
            let y = self.size.height() - 1 - row;
            let mut line = String::new();
            if self.coordinates {
                let _ = write!(line, "{:>2}", y + 1);
            }
            let mut after_last = false;
            for x in 0..self.size.width() {
                let point = Point::new(x, y);
                let is_last = self.last == Some(point);
                let before = match (is_last, after_last) {
                    (true, _) => '(',
                    (false, true) => ')',
                    (false, false) => ' ',
                };
                let _ = write!(line, "{before}{:>width$}", self.symbol(point));
                after_last = is_last;
            }
            if after_last {
                line.push(')');
            }
            text.push_str(line.trim_end());
            text.push('\n');
        }
        if self.coordinates {
            text.push_str("  ");
            for x in 0..self.size.width() {
                let _ = write!(text, " {:>width$}", letter(x));
            }
            text.push('\n');
        }
        text
    }

    /// The symbol of a point.
    fn symbol(&self, point: Point) -> String {
        let stone = self.stones.iter().rfind(|stone| stone.point == point);
        let mark = self.marks.iter().find(|(_, marked)| *marked == point);
        match (stone, mark) {
            (Some(stone), _) => match (stone.number, stone.color) {
                (Some(number), _) => number.to_string(),
                (None, Color::Black) => "X".to_owned(),
                (None, Color::White) => "O".to_owned(),
            },
            (None, Some((mark, _))) => match mark {
                Mark::Ring => "r",
                Mark::Cross => "x",
                Mark::Triangle => "t",
                Mark::Square => "s",
                Mark::Dot => "*",
            }
            .to_owned(),
            (None, None) => ".".to_owned(),
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use quincunx_engine::game::Game;
    use quincunx_engine::rules::{BoardSize, Rule};

    #[test]
    fn numbers_letters_and_marks_are_drawn() {
        let mut game = Game::new(Rule::Freestyle, BoardSize::new(6, 5).unwrap());
        for word in "a1 b2 f5".split(' ') {
            game.play(word.parse().unwrap()).unwrap();
        }
        let mut diagram = Diagram::of(&game);
        diagram.marks.push((Mark::Cross, "c3".parse().unwrap()));
        let expected = " 5 . . . . .(3)\n 4 . . . . . .\n 3 . . x . . .\n 2 . 2 . . . .\n \
                        1 1 . . . . .\n   a b c d e f\n";
        assert_eq!(diagram.text(), expected);
        diagram.coordinates = false;
        let bare = diagram.without_numbers().text();
        assert_eq!(bare.lines().next(), Some(" . . . . .(X)"));
        assert_eq!(bare.lines().nth(3), Some(" . O . . . ."));
        assert_eq!(bare.lines().count(), 5);
    }

    #[test]
    fn large_numbers_keep_the_columns() {
        let mut game = Game::new(Rule::Renju, BoardSize::default());
        let points: Vec<_> = game.size().iter().step_by(3).take(14).collect();
        for point in points {
            game.play(point).unwrap();
        }
        let text = Diagram::of(&game).text();
        let lengths: Vec<usize> = text
            .lines()
            .map(|line| line.trim_end_matches(')').len())
            .collect();
        assert!(lengths.iter().all(|&length| length == 2 + 15 * 3), "{text}");
    }
}
