//! The judge of a game: who has won, and by what, under every rule.
//!
//! It stands on the same position as the engine; tests hold it against the
//! definitions.

use super::openings::Opening;
use crate::position::{Forbidden, Position};
use crate::protocol::message::Coordinates;
use crate::rules::{BoardSize, Color, Point, Rule};

/// What a move led to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The game goes on.
    Continue,
    /// The move completed a winning line.
    Five,
    /// The board is full, or the game has lasted as long as it may.
    Draw,
    /// The mover lost: the point was forbidden to black.
    Foul(Forbidden),
    /// The mover lost: the point is taken.
    Taken,
    /// The mover lost: there is no such point.
    OffBoard,
}

/// A game in progress as the referee sees it.
pub struct Referee {
    position: Position,
    draw_after: Option<usize>,
}

impl Referee {
    /// A game from `opening`, drawn after that many stones if a number is
    /// given.
    pub fn new(
        rule: Rule,
        size: BoardSize,
        opening: &Opening,
        draw_after: Option<usize>,
    ) -> Referee {
        let mut position = Position::new(rule, size);
        for &point in opening.points() {
            position.play(point);
        }
        Referee {
            position,
            draw_after,
        }
    }

    /// Whose turn it is.
    pub fn side(&self) -> Color {
        self.position.side()
    }

    /// The stones on the board in the order they were played.
    pub fn stones(&self) -> impl DoubleEndedIterator<Item = (Color, Point)> + '_ {
        self.position.moves()
    }

    /// How many stones are on the board.
    pub fn ply(&self) -> usize {
        self.position.ply()
    }

    /// Whether there is no game to play any more, before any move.
    pub fn is_drawn(&self) -> bool {
        self.position.empty_points() == 0
            || self.draw_after.is_some_and(|plies| self.ply() >= plies)
    }

    /// Judges a move; the stone is put on the board unless the move was no
    /// move.
    pub fn play(&mut self, at: Coordinates) -> Verdict {
        let Some(point) = at.point(self.position.size()) else {
            return Verdict::OffBoard;
        };
        if !self.position.is_empty(point) {
            return Verdict::Taken;
        }
        let foul = self.position.forbidden(point);
        self.position.play(point);
        if let Some(foul) = foul {
            return Verdict::Foul(foul);
        }
        if self.position.won() {
            return Verdict::Five;
        }
        if self.is_drawn() {
            return Verdict::Draw;
        }
        Verdict::Continue
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::rules::Direction;

    fn referee(rule: Rule, opening: &str) -> Referee {
        let size = BoardSize::default();
        let opening = Opening::parse(rule, size, opening).unwrap();
        Referee::new(rule, size, &opening, None)
    }

    fn last(rule: Rule, opening: &str, point: &str) -> Verdict {
        let point: Point = point.parse().unwrap();
        referee(rule, opening).play(point.into())
    }

    #[test]
    fn impossible_moves_lose() {
        assert_eq!(last(Rule::Freestyle, "h8", "h8"), Verdict::Taken);
        for (x, y) in [(-1, 0), (15, 0), (0, 15), (i32::MAX, i32::MIN)] {
            let at = Coordinates { x, y };
            assert_eq!(referee(Rule::Renju, "").play(at), Verdict::OffBoard);
        }
    }

    #[test]
    fn renju_restricts_black_only() {
        let six = "a1a15b1b15c1c15e1e15f1f14";
        let overline = Verdict::Foul(Forbidden::Overline);
        assert_eq!(last(Rule::Renju, six, "d1"), overline);
        assert_eq!(last(Rule::Freestyle, six, "d1"), Verdict::Five);
        assert_eq!(last(Rule::ExactFive, six, "d1"), Verdict::Continue);
        let white_six = "o15a1o13b1o11c1m15e1m13f1m11";
        assert_eq!(last(Rule::Renju, white_six, "d1"), Verdict::Five);
        let threes = "h7a1h6a15g8o1f8o15";
        let double = Verdict::Foul(Forbidden::DoubleThree);
        assert_eq!(last(Rule::Renju, threes, "h8"), double);
    }

    #[test]
    fn caro_wants_an_open_end() {
        let closed = "b1a1c1g1d1o15e1o13";
        assert_eq!(last(Rule::Caro, closed, "f1"), Verdict::Continue);
        assert_eq!(last(Rule::CaroOverline, closed, "f1"), Verdict::Continue);
        assert_eq!(last(Rule::Freestyle, closed, "f1"), Verdict::Five);
        let at_edge = "a1f1b1o15c1o13d1o11";
        assert_eq!(last(Rule::Caro, at_edge, "e1"), Verdict::Five);
    }

    #[test]
    fn a_full_board_is_a_draw() {
        let size = BoardSize::square(5).unwrap();
        // No five in a row anywhere: rows alternate in blocks of two.
        let mut referee = Referee::new(Rule::ExactFive, size, &Opening::default(), None);
        let order = [
            (0, 0),
            (1, 0),
            (2, 0),
            (3, 0),
            (4, 0),
            (0, 1),
            (1, 1),
            (2, 1),
            (3, 1),
            (4, 1),
            (1, 2),
            (0, 2),
            (3, 2),
            (2, 2),
            (0, 3),
            (4, 2),
            (2, 3),
            (1, 3),
            (4, 3),
            (3, 3),
            (1, 4),
            (0, 4),
            (3, 4),
            (2, 4),
            (4, 4),
        ];
        let verdicts: Vec<Verdict> = order
            .iter()
            .map(|&(x, y)| referee.play(Coordinates { x, y }))
            .collect();
        assert_eq!(verdicts[24], Verdict::Draw);
        assert!(verdicts[..24].iter().all(|&v| v == Verdict::Continue));
    }

    #[test]
    fn long_games_can_be_cut() {
        let size = BoardSize::default();
        let mut referee = Referee::new(Rule::Freestyle, size, &Opening::default(), Some(3));
        assert_eq!(referee.play(Point::new(0, 0).into()), Verdict::Continue);
        assert_eq!(referee.play(Point::new(5, 0).into()), Verdict::Continue);
        assert_eq!(referee.play(Point::new(9, 9).into()), Verdict::Draw);
    }

    /// Random games against a judge that only knows the definition.
    #[test]
    fn verdicts_equal_the_definition() {
        let mut random = fastrand::Rng::with_seed(3);
        for rule in Rule::ALL {
            for _ in 0..60 {
                let size = BoardSize::new(random.usize(5..12), random.usize(5..12)).unwrap();
                let mut referee = Referee::new(rule, size, &Opening::default(), None);
                loop {
                    let side = referee.side();
                    let (x, y) = (
                        random.usize(0..size.width()),
                        random.usize(0..size.height()),
                    );
                    let point = Point::new(x, y);
                    let verdict = referee.play(point.into());
                    if matches!(verdict, Verdict::Taken) {
                        continue;
                    }
                    if !matches!(verdict, Verdict::Foul(_)) {
                        let won = wins_by_definition(&referee.position, rule, side, point);
                        assert_eq!(verdict == Verdict::Five, won, "{:?}", referee.position);
                    }
                    if verdict != Verdict::Continue {
                        break;
                    }
                }
            }
        }
    }

    fn wins_by_definition(position: &Position, rule: Rule, side: Color, point: Point) -> bool {
        Direction::ALL.into_iter().any(|direction| {
            let mut run = 1;
            let mut ends = Vec::new();
            for sign in [-1, 1] {
                let mut place = point.step(direction, sign);
                while position.size().has(place) && position.stone(place) == Some(side) {
                    run += 1;
                    place = place.step(direction, sign);
                }
                let on_board = position.size().has(place);
                ends.push(on_board && position.stone(place) == Some(side.opponent()));
            }
            rule.run_wins(side, run, ends.iter().all(|&end| end))
        })
    }
}
