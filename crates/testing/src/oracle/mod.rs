//! The rules once more, slowly: nothing but stones on a board and the text of
//! the rules, to compare everything faster with. No code of the engine is used
//! but the names of its types.
pub mod force;

use quincunx_engine::position::{Forbidden, Position};
use quincunx_engine::rules::{Color, Point, Rule};
use std::collections::BTreeSet;
use std::fmt;

/// A column and a row, from zero.
pub type At = (i32, i32);

const DIRECTIONS: [At; 4] = [(1, 0), (0, 1), (1, 1), (1, -1)];

/// The content of a point. A stone of neither side is a [`Content::Wall`], and so is everything
/// off the board.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Content {
    Empty,
    Wall,
    Stone(Color),
}

/// The largest side of a board, and how far beyond it anything here looks.
const LARGEST: i32 = 22;
const MARGIN: i32 = 5;
const STRIDE: i32 = LARGEST + 2 * MARGIN;

/// Stones on a board, the rule and whose turn it is.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Board {
    rule: Rule,
    width: i32,
    height: i32,
    side: Color,
    places: Vec<Content>,
}

/// The point in the engine's words.
pub fn point((x, y): At) -> Point {
    Point::new(x as usize, y as usize)
}

/// A point of the engine; none if it stands for a pass.
pub fn at(point: Point) -> Option<At> {
    (point != Point::NONE).then(|| (point.x() as i32, point.y() as i32))
}

/// A point as text: `a1` is the first column and row.
pub fn name((x, y): At) -> String {
    format!("{}{}", char::from(b'a' + x as u8), y + 1)
}

/// The point that the text starts with, and the rest of the text.
fn read_point(text: &str) -> Option<(At, &str)> {
    let letter = text.bytes().next().filter(u8::is_ascii_lowercase)?;
    let digits = &text[1..];
    let end = digits.find(|c: char| !c.is_ascii_digit());
    let (number, rest) = digits.split_at(end.unwrap_or(digits.len()));
    Some((
        (i32::from(letter - b'a'), number.parse::<i32>().ok()? - 1),
        rest,
    ))
}

fn along((x, y): At, (dx, dy): At, steps: i32) -> At {
    (x + dx * steps, y + dy * steps)
}

impl Board {
    fn empty_board(rule: Rule, width: i32, height: i32) -> Board {
        let mut board = Board {
            rule,
            width,
            height,
            side: Color::Black,
            places: vec![Content::Wall; (STRIDE * STRIDE) as usize],
        };
        let all = (0..height).flat_map(|y| (0..width).map(move |x| (x, y)));
        all.for_each(|at| board.set(at, Content::Empty));
        board
    }

    /// The board of a line `SIZE RULE MOVES`.
    pub fn read(line: &str) -> Option<Board> {
        let mut words = line.split_whitespace();
        let size = words.next()?;
        let (width, height) = size.split_once('x').unwrap_or((size, size));
        let rule = match words.next()? {
            "freestyle" => Rule::Freestyle,
            "standard" => Rule::Standard,
            "renju" => Rule::Renju,
            "caro" => Rule::Caro,
            "caro-overline" => Rule::CaroOverline,
            _ => return None,
        };
        let mut board = Board::empty_board(rule, width.parse().ok()?, height.parse().ok()?);
        let mut rest = words.next().unwrap_or("");
        while !rest.is_empty() {
            if let Some(after) = rest.strip_prefix("--") {
                rest = after;
            } else {
                let (at, after) = read_point(rest)?;
                if board.get(at) != Content::Empty {
                    return None;
                }
                board.set(at, Content::Stone(board.side));
                rest = after;
            }
            board.side = board.side.opponent();
        }
        Some(board)
    }

    /// The stones of a position.
    pub fn of(position: &Position) -> Board {
        let size = position.size();
        let (width, height) = (size.width() as i32, size.height() as i32);
        let mut board = Board::empty_board(position.rule(), width, height);
        board.side = position.side();
        for here in size.iter() {
            let place = match position.stone(here) {
                Some(color) => Content::Stone(color),
                None if position.is_empty(here) => Content::Empty,
                None => Content::Wall,
            };
            board.set((here.x() as i32, here.y() as i32), place);
        }
        board
    }

    /// Whose turn it is.
    pub fn side(&self) -> Color {
        self.side
    }

    /// The points without a stone.
    pub fn empty(&self) -> Vec<At> {
        self.points()
            .filter(|&at| self.get(at) == Content::Empty)
            .collect()
    }

    /// Returns true if the point has no stone.
    pub fn is_empty(&self, at: At) -> bool {
        self.get(at) == Content::Empty
    }

    fn points(&self) -> impl Iterator<Item = At> + use<> {
        let (width, height) = (self.width, self.height);
        (0..height).flat_map(move |y| (0..width).map(move |x| (x, y)))
    }

    #[inline]
    fn get(&self, (x, y): At) -> Content {
        self.places[((y + MARGIN) * STRIDE + x + MARGIN) as usize]
    }

    fn set(&mut self, (x, y): At, place: Content) {
        self.places[((y + MARGIN) * STRIDE + x + MARGIN) as usize] = place;
    }

    /// Does something with a stone of `color` put on an empty point.
    fn with<T>(&mut self, color: Color, at: At, act: impl FnOnce(&mut Board) -> T) -> T {
        self.set(at, Content::Stone(color));
        let result = act(self);
        self.set(at, Content::Empty);
        result
    }

    /// Does something after the side to move has played an empty point.
    pub fn after<T>(&mut self, at: At, act: impl FnOnce(&mut Board) -> T) -> T {
        self.with(self.side, at, |board| board.after_a_pass(act))
    }

    /// Does something after the side to move has passed.
    pub fn after_a_pass<T>(&mut self, act: impl FnOnce(&mut Board) -> T) -> T {
        self.side = self.side.opponent();
        let result = act(self);
        self.side = self.side.opponent();
        result
    }

    /// Returns true if the side to move has forbidden points.
    pub fn has_fouls(&self) -> bool {
        self.rule == Rule::Renju && self.side == Color::Black
    }

    /// Returns true if the side to move may play there.
    pub fn is_legal(&mut self, at: At) -> bool {
        self.is_empty(at) && (!self.has_fouls() || self.forbidden(at).is_empty())
    }

    /// The points where a stone of `color` wins at once.
    pub fn fives(&mut self, color: Color) -> Vec<At> {
        self.points()
            .filter(|&at| self.is_empty(at) && self.wins(color, at))
            .collect()
    }

    /// Stones of `color` next to `at` on one side.
    fn arm(&self, color: Color, at: At, direction: At, sign: i32) -> i32 {
        (1..)
            .take_while(|&i| self.get(along(at, direction, sign * i)) == Content::Stone(color))
            .count() as i32
    }

    /// The run through the stone on `at`: its first and last step.
    fn run(&self, color: Color, at: At, direction: At) -> (i32, i32) {
        (
            -self.arm(color, at, direction, -1),
            self.arm(color, at, direction, 1),
        )
    }

    fn is_exact_five(&self, color: Color, at: At, direction: At) -> bool {
        let (first, last) = self.run(color, at, direction);
        last - first == 4
    }

    /// Returns true if a stone of `color` on the empty point `at` wins.
    pub fn wins(&self, color: Color, at: At) -> bool {
        DIRECTIONS.iter().any(|&direction| {
            let (first, last) = self.run(color, at, direction);
            let length = last - first + 1;
            if length < 5 {
                return false;
            }
            let other = Content::Stone(color.opponent());
            let ends = [first - 1, last + 1].map(|steps| self.get(along(at, direction, steps)));
            let closed = ends == [other, other];
            match (self.rule, color) {
                (Rule::Freestyle, _) | (Rule::Renju, Color::White) => length >= 5,
                (Rule::Standard, _) | (Rule::Renju, Color::Black) => length == 5,
                (Rule::Caro, _) => length == 5 && !closed,
                (Rule::CaroOverline, _) => length > 5 || length == 5 && !closed,
            }
        })
    }

    /// Why black may not play the empty point `at` under renju.
    pub fn forbidden(&mut self, at: At) -> BTreeSet<Forbidden> {
        self.forbidden_to_depth(at, usize::MAX)
    }

    /// The same where the stones that make threes into fours are themselves
    /// looked at only to some depth; at zero they count as legal.
    pub fn forbidden_to_depth(&mut self, at: At, depth: usize) -> BTreeSet<Forbidden> {
        self.with(Color::Black, at, |board| board.foul_of(at, depth))
    }

    /// The fouls of the black stone on `at`.
    fn foul_of(&mut self, at: At, depth: usize) -> BTreeSet<Forbidden> {
        let mut kinds = BTreeSet::new();
        let black = Color::Black;
        if DIRECTIONS.iter().any(|&d| self.is_exact_five(black, at, d)) {
            return kinds;
        }
        let length = |(first, last): (i32, i32)| last - first + 1;
        if DIRECTIONS
            .iter()
            .any(|&d| length(self.run(black, at, d)) >= 6)
        {
            kinds.insert(Forbidden::Overline);
        }
        let fours = DIRECTIONS.map(|d| self.fours(at, d));
        if fours.iter().sum::<usize>() >= 2 {
            kinds.insert(Forbidden::DoubleFour);
        }
        let mut threes = 0;
        for (&direction, fours) in DIRECTIONS.iter().zip(fours) {
            if fours == 0 && self.is_three(at, direction, depth) {
                threes += 1;
            }
        }
        if threes >= 2 {
            kinds.insert(Forbidden::DoubleThree);
        }
        kinds
    }

    /// Fours through the stone on `at` in one direction: ways to get exactly
    /// five, where the two ends of a straight four are one four.
    fn fours(&mut self, at: At, direction: At) -> usize {
        let ways: Vec<i32> = (-5..=5)
            .filter(|&steps| self.makes_five_through(at, direction, steps))
            .collect();
        match ways[..] {
            [first, last] if last - first == 5 => 1,
            _ => ways.len(),
        }
    }

    /// Returns true if one more black stone, `steps` from `at`, makes an exact five that includes
    /// the stone on `at`.
    fn makes_five_through(&mut self, at: At, direction: At, steps: i32) -> bool {
        let there = along(at, direction, steps);
        self.get(there) == Content::Empty
            && self.with(Color::Black, there, |board| {
                let (first, last) = board.run(Color::Black, there, direction);
                last - first == 4 && (first..=last).contains(&-steps)
            })
    }

    /// Returns true if one more legal stone that is no five makes a straight four with the stone on
    /// `at`.
    fn is_three(&mut self, at: At, direction: At, depth: usize) -> bool {
        (-4..=4).any(|steps| {
            let there = along(at, direction, steps);
            self.get(there) == Content::Empty
                && self.with(Color::Black, there, |board| {
                    let (first, last) = board.run(Color::Black, there, direction);
                    let with_both = last - first == 3 && (first..=last).contains(&-steps);
                    let five = DIRECTIONS
                        .iter()
                        .any(|&d| board.is_exact_five(Color::Black, there, d));
                    with_both
                        && !five
                        && board.makes_five_through(there, direction, first - 1)
                        && board.makes_five_through(there, direction, last + 1)
                        && (depth == 0 || board.foul_of(there, depth - 1).is_empty())
                })
        })
    }
}

/// The line that [`Board::read`] reads, stones in no order.
impl fmt::Debug for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let stones = |color| {
            let mine = move |&at: &At| self.get(at) == Content::Stone(color);
            self.points().filter(mine).map(name)
        };
        let mut text = String::new();
        let (mut black, mut white) = (stones(Color::Black), stones(Color::White));
        loop {
            let pair = [black.next(), white.next()];
            if pair == [None, None] {
                break;
            }
            text.extend(pair.map(|name| name.unwrap_or("--".into())));
        }
        if self.side == Color::White {
            text.push_str("--");
        }
        let (width, height, rule) = (self.width, self.height, self.rule);
        write!(f, "{width}x{height} {rule} {text}")
    }
}
