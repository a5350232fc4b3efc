//! The model's board: stones in the order they came, and points by number.

use quincunx_engine::position::Position;
use quincunx_engine::rules::{BoardSize, Color, Point, Rule};

/// Stones in the order they came.
#[derive(Clone, Debug)]
pub(crate) struct Board {
    pub(crate) stones: Vec<(Option<Color>, Point)>,
    pub(crate) side: Color,
}

impl Board {
    pub(crate) const EMPTY: Board = Board {
        stones: Vec::new(),
        side: Color::Black,
    };

    pub(crate) fn is_empty(&self, point: Point) -> bool {
        self.stones.iter().all(|(_, stone)| *stone != point)
    }

    pub(crate) fn put(&mut self, point: Point) {
        self.stones.push((Some(self.side), point));
        self.side = self.side.opponent();
    }

    pub(crate) fn position(&self, rule: Rule, size: BoardSize) -> Position {
        let mut position = Position::new(rule, size);
        for &(color, point) in &self.stones {
            match color {
                Some(color) => position.place(color, point),
                None => position.block(point),
            }
        }
        position.set_side(self.side);
        position
    }
}

/// Any point of the board, the same for the same number.
pub(crate) fn pick(at: u16, size: BoardSize) -> Point {
    let index = usize::from(at) % size.points();
    Point::new(index % size.width(), index / size.width())
}

pub(crate) fn index_of(point: Point, size: BoardSize) -> u16 {
    (point.y() * size.width() + point.x()) as u16
}

pub(crate) fn coordinates(word: &str, size: BoardSize) -> Option<Point> {
    let (x, y) = word.split_once(',')?;
    size.point(x.parse().ok()?, y.parse().ok()?)
}

/// Different points with owners, as text and as stones.
pub(crate) fn arrange(stones: &[(u16, u8)], size: BoardSize) -> (String, Board) {
    let mut board = Board::EMPTY;
    let mut text = String::new();
    let mut own = None;
    for (number, &(at, owner)) in stones.iter().enumerate() {
        let point = pick(at, size);
        if !board.is_empty(point) {
            continue;
        }
        let owner = match owner {
            0 => 3,
            1 => 1,
            2 => 2,
            _ => 1 + number % 2,
        };
        if owner != 3 && own.is_none() {
            own = Some([Color::Black, Color::White][owner - 1]);
        }
        let own = own.unwrap_or(Color::Black);
        let color = [Some(own), Some(own.opponent()), None][owner - 1];
        board.stones.push((color, point));
        text += &format!(" {},{},{owner}", point.x(), point.y());
    }
    board.side = own.unwrap_or(Color::Black);
    (text, board)
}
