//! Pictures of a board: as SVG, PNG, GIF and text.
//!
//! A [`Diagram`] describes a picture. `drawing` has its shapes, in the colours of `theme`, and
//! `animation` those of a game as a GIF. `text` draws it with characters.

mod animation;
mod drawing;
mod text;
mod theme;

pub use animation::{AnimationError, gif};
pub use theme::{ParseThemeError, Theme};

use quincunx_engine::game::Game;
use quincunx_engine::position::Position;
use quincunx_engine::position::notation::ParseLineError;
use quincunx_engine::rules::{BoardSize, Color, Point, Symmetry};
use std::fmt;
use std::str::FromStr;

/// A stone of a diagram.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Stone {
    /// The colour of the stone.
    pub color: Color,
    /// The point of the stone.
    pub point: Point,
    /// The number on the stone.
    pub number: Option<usize>,
}

/// A mark on a point, with or without a stone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Mark {
    /// A circle around the stone.
    Ring,
    /// Two crossed lines.
    Cross,
    /// A triangle.
    Triangle,
    /// A square.
    Square,
    /// A small disc.
    Dot,
}

impl Mark {
    /// Every mark.
    pub const ALL: [Mark; 5] = [
        Mark::Ring,
        Mark::Cross,
        Mark::Triangle,
        Mark::Square,
        Mark::Dot,
    ];

    /// The mark's name on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Mark::Ring => "ring",
            Mark::Cross => "cross",
            Mark::Triangle => "triangle",
            Mark::Square => "square",
            Mark::Dot => "dot",
        }
    }
}

impl fmt::Display for Mark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The text names no mark.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown mark '{0}': expected ring, cross, triangle, square or dot")]
pub struct ParseMarkError(String);

impl FromStr for Mark {
    type Err = ParseMarkError;

    fn from_str(text: &str) -> Result<Mark, ParseMarkError> {
        let mut marks = Mark::ALL.into_iter();
        let named = marks.find(|mark| mark.name().eq_ignore_ascii_case(text));
        named.ok_or_else(|| ParseMarkError(text.to_owned()))
    }
}

/// A board with stones and marks, and how it is drawn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagram {
    /// The board.
    pub size: BoardSize,
    /// The stones.
    pub stones: Vec<Stone>,
    /// The last move, which is marked.
    pub last: Option<Point>,
    /// Marks on points.
    pub marks: Vec<(Mark, Point)>,
    /// True if there are letters and numbers at the edges.
    pub coordinates: bool,
    /// The colours of a picture.
    pub theme: Theme,
    /// The symmetry by which a picture is turned and mirrored. It does not apply to text.
    pub view: Symmetry,
    /// The description of the picture where it can't be seen.
    pub title: String,
}

impl Diagram {
    /// Creates a diagram of the empty board.
    pub fn new(size: BoardSize) -> Diagram {
        Diagram {
            size,
            stones: Vec::new(),
            last: None,
            marks: Vec::new(),
            coordinates: true,
            theme: Theme::default(),
            view: Symmetry::ALL[0],
            title: "board".to_owned(),
        }
    }

    /// Creates a diagram of a line such as `15 renju h8i9`.
    ///
    /// # Errors
    /// When the line has another form.
    pub fn read(line: &str) -> Result<Diagram, ParseLineError> {
        let position = Position::from_line(line)?;
        let mut game = Game::new(position.rule(), position.size());
        for (_, point) in position.moves() {
            // What follows the end of a game is not shown.
            let _ = game.play_or_lose(point);
        }
        Ok(Diagram::of(&game))
    }

    /// Creates a diagram of the position of a game. Its moves are numbered from one, and the
    /// stones of its start have no number. The stones of a winning line have rings.
    pub fn of(game: &Game) -> Diagram {
        let start = game.opening().map(|(color, point)| (color, point, None));
        let moves = game.moves().zip(1..);
        let moves = moves.map(|((color, point), number)| (color, point, Some(number)));
        let stones = start.chain(moves).map(|(color, point, number)| Stone {
            color,
            point,
            number,
        });
        let last = game.moves().next_back().map(|(_, point)| point);
        let winning = game.winning_stones();
        Diagram {
            stones: stones.filter(|stone| stone.point != Point::NONE).collect(),
            last: last.filter(|&point| point != Point::NONE),
            marks: winning.iter().map(|point| (Mark::Ring, point)).collect(),
            ..Diagram::new(game.size())
        }
    }

    /// The same diagram without numbers on the stones.
    #[must_use]
    pub fn without_numbers(mut self) -> Diagram {
        for stone in &mut self.stones {
            stone.number = None;
        }
        self
    }
}

/// A column's letter.
fn letter(x: usize) -> char {
    char::from(b'a' + x as u8)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use quincunx_engine::rules::Rule;

    #[test]
    fn stones_of_the_start_and_passes_have_no_number() {
        let size = BoardSize::square(9).unwrap();
        let start = Position::from_moves(Rule::Freestyle, size, "e5d4").unwrap();
        let mut game = Game::from_position(start);
        game.play("e4".parse().unwrap()).unwrap();
        game.pass().unwrap();
        game.play("e3".parse().unwrap()).unwrap();
        let diagram = Diagram::of(&game);
        let numbers: Vec<_> = diagram.stones.iter().map(|stone| stone.number).collect();
        assert_eq!(numbers, [None, None, Some(1), Some(3)]);
        assert_eq!(diagram.last, Some("e3".parse().unwrap()));
        let bare = diagram.without_numbers();
        assert!(bare.stones.iter().all(|stone| stone.number.is_none()));
        assert_eq!(bare.stones.len(), 4);
    }

    #[test]
    fn a_line_that_wins_has_rings() {
        let size = BoardSize::square(9).unwrap();
        let mut game = Game::new(Rule::Freestyle, size);
        for word in "a1 a9 b1 b9 c1 c9 d1 d9 e1".split(' ') {
            game.play(word.parse().unwrap()).unwrap();
        }
        let diagram = Diagram::of(&game);
        let ringed = diagram.marks.iter().map(|(_, point)| point.to_string());
        assert_eq!(ringed.collect::<String>(), "a1b1c1d1e1");
    }

    #[test]
    fn names_of_marks_are_read_back() {
        for mark in Mark::ALL {
            assert_eq!(mark.name().to_uppercase().parse(), Ok(mark));
        }
        assert!("star".parse::<Mark>().is_err());
    }
}
