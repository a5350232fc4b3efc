//! Set-up positions: any stones on any board, with either colour to move.

use super::play::{MoveError, decided_by_stones};
use crate::position::Position;
use crate::rules::{BoardSize, Color, Point, Rule};

/// The board before the first move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SetUp {
    /// The rule.
    pub rule: Rule,
    /// The board.
    pub size: BoardSize,
    /// The stones on the board.
    pub stones: Vec<(Color, Point)>,
    /// The colour of the first move.
    pub first: Color,
}

/// Why no game can begin with a set-up position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SetUpError {
    /// A stone is where it can't be.
    #[error("set-up stone {number}: {error}")]
    Stone {
        /// The number of the stone, from one.
        number: usize,
        /// The error.
        error: MoveError,
    },
    /// The stones of a colour already win.
    #[error("{0} has won on this board")]
    Won(Color),
    /// The colour to move has no legal move.
    #[error("{0} has no legal move")]
    Stuck(Color),
}

impl SetUp {
    /// The maximum number of stones of a handicap.
    pub const MOST_HANDICAP: usize = 5;

    /// The empty board, with black to move.
    pub fn empty(rule: Rule, size: BoardSize) -> SetUp {
        SetUp {
            rule,
            size,
            stones: Vec::new(),
            first: Color::Black,
        }
    }

    /// Black stones in the middle with white to move, at most [`SetUp::MOST_HANDICAP`].
    /// Without stones it is the empty board with black to move. No two stones are on a
    /// common line, so each is worth about a move.
    pub fn handicap(rule: Rule, size: BoardSize, stones: usize) -> SetUp {
        let knights: [(isize, isize); SetUp::MOST_HANDICAP] =
            [(0, 0), (1, 2), (-1, -2), (2, -1), (-2, 1)];
        let centre = size.centre();
        let points = knights.into_iter().filter_map(|(dx, dy)| {
            let x = centre.x().checked_add_signed(dx)?;
            size.point(x, centre.y().checked_add_signed(dy)?)
        });
        let stones: Vec<(Color, Point)> = (points.take(stones))
            .map(|point| (Color::Black, point))
            .collect();
        SetUp {
            first: match stones.len() {
                0 => Color::Black,
                _ => Color::White,
            },
            stones,
            ..SetUp::empty(rule, size)
        }
    }

    /// The position, even if its stones decide the game.
    ///
    /// # Errors
    /// When a stone is off the board or on another.
    pub fn position(&self) -> Result<Position, SetUpError> {
        let mut position = Position::new(self.rule, self.size);
        for (number, &(color, point)) in (1..).zip(&self.stones) {
            let error = if !self.size.has(point) {
                MoveError::OffBoard(self.size)
            } else if !position.is_empty(point) {
                MoveError::Taken(point)
            } else {
                position.place(color, point);
                continue;
            };
            return Err(SetUpError::Stone { number, error });
        }
        position.set_side(self.first);
        Ok(position)
    }

    /// The position, if a game can begin with it.
    ///
    /// # Errors
    /// When a stone is where it can't be, a colour has won, or the colour to move has
    /// no legal move.
    pub fn playable(&self) -> Result<Position, SetUpError> {
        let mut position = self.position()?;
        if let Some(winner) = decided_by_stones(&position).and_then(|result| result.winner) {
            return Err(SetUpError::Won(winner));
        }
        if !position.has_legal_move() {
            return Err(SetUpError::Stuck(self.first));
        }
        Ok(position)
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::rules::Direction;

    fn set_up(rule: Rule, side: usize, black: &str, white: &str) -> SetUp {
        let stones = |color, text: &str| {
            let points: Vec<Point> = text
                .split(' ')
                .filter_map(|word| word.parse().ok())
                .collect();
            points.into_iter().map(move |point| (color, point))
        };
        let size = BoardSize::square(side).unwrap();
        SetUp {
            stones: stones(Color::Black, black)
                .chain(stones(Color::White, white))
                .collect(),
            ..SetUp::empty(rule, size)
        }
    }

    #[test]
    fn positions_are_refused_with_a_reason() {
        let error = |set_up: SetUp| set_up.playable().unwrap_err();
        let size = BoardSize::square(9).unwrap();
        let stone = |number, error| SetUpError::Stone { number, error };
        assert_eq!(
            error(set_up(Rule::Freestyle, 9, "a1 k1", "")),
            stone(2, MoveError::OffBoard(size))
        );
        assert_eq!(
            error(set_up(Rule::Freestyle, 9, "a1", "b1 a1")),
            stone(3, MoveError::Taken("a1".parse().unwrap()))
        );
        // The stone that joins two lines to a five is not the last one.
        let five = set_up(Rule::Freestyle, 9, "a1 b1 e1 d1 c1 i9", "");
        assert_eq!(error(five), SetUpError::Won(Color::Black));
        let white = set_up(Rule::Renju, 9, "a1", "b2 c3 d4 e5 f6 g7");
        assert_eq!(error(white), SetUpError::Won(Color::White));
        let full = "a1 b1 d1 e1 a3 b3 d3 e3 c2 a4 b4 d4 e4 c5";
        let rest = "c1 c3 a2 b2 d2 e2 c4 a5 b5 d5 e5";
        let full = set_up(Rule::Freestyle, 5, full, rest);
        assert_eq!(error(full), SetUpError::Stuck(Color::Black));
        assert!(
            set_up(Rule::Standard, 9, "a1 b1 c1 d1 e1 f1", "")
                .playable()
                .is_ok()
        );
        let overline = set_up(Rule::Renju, 9, "a1 b1 c1 d1 e1 f1", "");
        assert_eq!(error(overline), SetUpError::Won(Color::White));
        assert!(
            set_up(Rule::Caro, 9, "b1 c1 d1 e1 f1", "a1 g1")
                .playable()
                .is_ok()
        );
        assert!(
            set_up(Rule::Caro, 9, "b1 c1 d1 e1 f1", "g1")
                .playable()
                .is_err()
        );
    }

    /// Every line of the board is walked along, stone by stone.
    fn has_won(set_up: &SetUp, color: Color) -> bool {
        let stone = |point: Point| {
            let stones = &set_up.stones;
            stones.iter().find(|it| it.1 == point).map(|it| it.0)
        };
        let has_line = |color, wins: &dyn Fn(usize, bool) -> bool| {
            let own = |point: Point| stone(point) == Some(color);
            Direction::ALL.into_iter().any(|direction| {
                set_up.size.iter().any(|start| {
                    let starts = own(start) && !own(start.step(direction, -1));
                    let length = (0..).take_while(|&i| own(start.step(direction, i))).count();
                    let ends = [
                        start.step(direction, -1),
                        start.step(direction, length as i32),
                    ];
                    let closed = ends.map(stone) == [Some(color.opponent()); 2];
                    starts && wins(length, closed)
                })
            })
        };
        let is_overline = |length, _| set_up.rule == Rule::Renju && length > 5;
        has_line(color, &|length, closed| {
            set_up.rule.run_wins(color, length, closed)
        }) || (color == Color::White && has_line(Color::Black, &is_overline))
    }

    #[test]
    fn won_positions_are_found_as_by_walking_along_the_lines() {
        let mut random = fastrand::Rng::with_seed(3);
        let mut won = 0;
        for round in 0..3000 {
            let size = BoardSize::new(random.usize(5..8), random.usize(5..8)).unwrap();
            let mut points: Vec<Point> = size.iter().collect();
            random.shuffle(&mut points);
            points.truncate(random.usize(0..points.len()));
            let stones = points.into_iter();
            let set_up = SetUp {
                stones: stones
                    .map(|it| (Color::ALL[random.usize(..2)], it))
                    .collect(),
                first: Color::ALL[round % 2],
                ..SetUp::empty(Rule::ALL[round % 5], size)
            };
            let expected = Color::ALL.into_iter().any(|color| has_won(&set_up, color));
            let found =
                matches!(set_up.playable(), Err(SetUpError::Won(color)) if has_won(&set_up, color));
            assert_eq!(found, expected, "{set_up:?}");
            won += usize::from(found);
        }
        assert!((300..2700).contains(&won), "{won}");
    }

    #[test]
    fn handicap_stones_share_no_line() {
        for size in [(5, 5), (6, 6), (15, 15), (22, 5)] {
            let size = BoardSize::new(size.0, size.1).unwrap();
            for count in 0..=SetUp::MOST_HANDICAP {
                let set_up = SetUp::handicap(Rule::Renju, size, count);
                assert_eq!(set_up.stones.len(), count);
                assert_eq!(set_up.first == Color::White, count > 0);
                set_up.playable().unwrap();
                for (i, (_, a)) in set_up.stones.iter().enumerate() {
                    for (_, b) in &set_up.stones[i + 1..] {
                        let (dx, dy) = (a.x().abs_diff(b.x()), a.y().abs_diff(b.y()));
                        assert!(dx != dy && dx > 0 && dy > 0, "{a} {b}");
                    }
                }
            }
        }
    }
}
