//! The game itself, and its referee: moves, undo and redo, and the result.

use super::opening::Opening;
use super::result::{GameResult, Termination};
use crate::position::{Forbidden, Position};
use crate::rules::{BoardSize, Color, Direction, Point, PointSet, Rule};

/// A game in progress or at its end.
#[derive(Clone, Debug)]
pub struct Game {
    position: Position,
    /// The number of moves of the position at the start.
    start: usize,
    move_limit: Option<usize>,
    /// True if the game is drawn where the side to move has no legal move.
    is_drawn_when_stuck: bool,
    result: Option<GameResult>,
    /// The steps that were taken back. The next to be redone is the last.
    undone: Vec<Step>,
}

/// Something that can be taken back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Step {
    Move(Point),
    /// An end of the game without a move, such as a resignation.
    Ending(GameResult),
}

/// Why a move may not be made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MoveError {
    /// The game is over, with this result.
    #[error("the game is over: {0}")]
    Over(GameResult),
    /// The board has no such point.
    #[error("there is no such point on the {0} board")]
    OffBoard(BoardSize),
    /// The point has a stone.
    #[error("{0} is taken")]
    Taken(Point),
    /// The point is forbidden to black.
    #[error("{0} is forbidden to black: {1}")]
    Forbidden(Point, Forbidden),
}

impl Game {
    /// Creates a game on the empty board.
    pub fn new(rule: Rule, size: BoardSize) -> Game {
        Game::from_position(Position::new(rule, size))
    }

    /// Creates a game that starts from an opening.
    pub fn from_opening(rule: Rule, size: BoardSize, opening: &Opening) -> Game {
        let mut position = Position::new(rule, size);
        for &point in opening.points() {
            position.play(point);
        }
        Game::from_position(position)
    }

    /// Creates a game that starts from any position. It is over at once if its
    /// stones have won or the board is full.
    pub fn from_position(position: Position) -> Game {
        let mut game = Game {
            start: position.ply(),
            position,
            move_limit: None,
            is_drawn_when_stuck: false,
            result: None,
            undone: Vec::new(),
        };
        game.result = decided_by_stones(&game.position).or(game.by_board());
        game
    }

    /// Draws the game after this number of moves, those of its start included.
    #[must_use]
    pub fn with_move_limit(mut self, moves: usize) -> Game {
        self.move_limit = Some(moves);
        if self.result.is_none() {
            self.result = self.by_board();
        }
        self
    }

    /// Draws the game where every point that is left is forbidden to the side to move. Without
    /// this the side has to pass or, as in tournaments of programs, to lose by one of them.
    #[must_use]
    pub fn drawn_when_stuck(mut self) -> Game {
        self.is_drawn_when_stuck = true;
        if self.result.is_none() {
            self.result = self.by_board();
        }
        self
    }

    /// The rule in force.
    pub fn rule(&self) -> Rule {
        self.position.rule()
    }

    /// The board.
    pub fn size(&self) -> BoardSize {
        self.position.size()
    }

    /// The position on the board.
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// The moves of the start: an opening, or the stones of a position.
    pub fn opening(&self) -> impl DoubleEndedIterator<Item = (Color, Point)> + '_ {
        self.position.moves().take(self.start)
    }

    /// The moves made since the start, a pass as [`Point::NONE`].
    pub fn moves(
        &self,
    ) -> impl DoubleEndedIterator<Item = (Color, Point)> + ExactSizeIterator + '_ {
        self.position.moves().skip(self.start)
    }

    /// The number of moves, those of the start included.
    pub fn ply(&self) -> usize {
        self.position.ply()
    }

    /// The colour to move, or that would be to move if the game were not over.
    pub fn side(&self) -> Color {
        self.position.side()
    }

    /// The result, once the game is over.
    pub fn result(&self) -> Option<GameResult> {
        self.result
    }

    /// Returns whether the game has a result.
    pub fn is_over(&self) -> bool {
        self.result.is_some()
    }

    /// Checks whether the side to move may play `point`.
    ///
    /// The position is changed and restored.
    ///
    /// # Errors
    /// The reason why it may not.
    pub fn check(&mut self, point: Point) -> Result<(), MoveError> {
        if let Some(result) = self.result {
            return Err(MoveError::Over(result));
        }
        if !self.size().has(point) {
            return Err(MoveError::OffBoard(self.size()));
        }
        if !self.position.is_empty(point) {
            return Err(MoveError::Taken(point));
        }
        match self.position.forbidden(point) {
            Some(kind) => Err(MoveError::Forbidden(point, kind)),
            None => Ok(()),
        }
    }

    /// The points that are forbidden to the side to move under renju, and why.
    pub fn forbidden_points(&mut self) -> Vec<(Point, Forbidden)> {
        if !self.rule().forbids(self.side()) || self.is_over() {
            return Vec::new();
        }
        self.position.forbidden_points()
    }

    /// Plays `point` for the side to move. Moves that were taken back can no longer be
    /// redone.
    ///
    /// # Errors
    /// When the move may not be made. The game is then unchanged.
    pub fn play(&mut self, point: Point) -> Result<(), MoveError> {
        self.check(point)?;
        self.undone.clear();
        self.make(point);
        Ok(())
    }

    /// Plays `point` as in a tournament, where a move that may not be made
    /// loses the game. The stone on a forbidden point stays on the board.
    ///
    /// # Errors
    /// When the move may not be made. The game is then over.
    pub fn play_or_lose(&mut self, point: Point) -> Result<(), MoveError> {
        let checked = self.play(point);
        match checked {
            Ok(()) | Err(MoveError::Over(_)) => {}
            Err(MoveError::Forbidden(..)) => {
                self.undone.clear();
                self.make(point);
            }
            Err(MoveError::OffBoard(_) | MoveError::Taken(_)) => {
                self.end(GameResult::loss(self.side(), Termination::IllegalMove));
            }
        }
        checked
    }

    /// The side to move passes.
    ///
    /// # Errors
    /// When the game is over.
    pub fn pass(&mut self) -> Result<(), MoveError> {
        if let Some(result) = self.result {
            return Err(MoveError::Over(result));
        }
        self.undone.clear();
        self.make(Point::NONE);
        Ok(())
    }

    /// Ends the game without a move. A game that is over keeps its result.
    pub fn end(&mut self, result: GameResult) {
        if self.result.is_none() {
            self.undone.clear();
            self.result = Some(result);
        }
    }

    /// The player of `color` resigns.
    pub fn resign(&mut self, color: Color) {
        self.end(GameResult::loss(color, Termination::Resignation));
    }

    /// Takes back the last move, or an end of the game without a move. Returns
    /// whether there was anything to take back. The moves of the start stay.
    pub fn undo(&mut self) -> bool {
        let ended = self
            .result
            .take_if(|result| !result.termination.comes_with_a_move());
        if let Some(result) = ended {
            self.undone.push(Step::Ending(result));
            return true;
        }
        let Some(point) = self.position.recent(1).filter(|_| self.ply() > self.start) else {
            return false;
        };
        self.position.undo();
        self.result = None;
        self.undone.push(Step::Move(point));
        true
    }

    /// Redoes the move that was taken back last. Returns whether there was one.
    pub fn redo(&mut self) -> bool {
        match self.undone.pop() {
            Some(Step::Move(point)) => self.make(point),
            Some(Step::Ending(result)) => self.result = Some(result),
            None => return false,
        }
        true
    }

    /// The moves that were taken back, beginning with the next to be redone.
    pub fn undone(&self) -> impl Iterator<Item = Point> + '_ {
        self.undone.iter().rev().filter_map(|step| match step {
            Step::Move(point) => Some(*point),
            Step::Ending(_) => None,
        })
    }

    /// The stones of every line with which the game was won.
    pub fn winning_stones(&self) -> PointSet {
        let five = (self.result).filter(|result| result.termination == Termination::Five);
        match five.and_then(|result| result.winner) {
            Some(winner) => winning_stones(&self.position, winner),
            None => PointSet::EMPTY,
        }
    }

    /// Makes a move that is known to be possible, and decides whether it ends the game.
    fn make(&mut self, point: Point) {
        let mover = self.side();
        if point == Point::NONE {
            self.position.pass();
            self.result = self.by_board();
            return;
        }
        let forbidden = self.position.forbidden(point);
        self.position.play(point);
        self.result = match forbidden {
            Some(kind) => Some(GameResult::loss(mover, Termination::Forbidden(kind))),
            None => self.by_board(),
        };
    }

    /// The result that the stones on the board decide.
    fn by_board(&mut self) -> Option<GameResult> {
        let position = &self.position;
        if position.won() {
            let winner = position.moves().next_back().map(|(color, _)| color)?;
            Some(GameResult::win(winner, Termination::Five))
        } else if position.empty_points() == 0 {
            Some(GameResult::draw(Termination::BoardFull))
        } else if self.move_limit.is_some_and(|limit| self.ply() >= limit) {
            Some(GameResult::draw(Termination::MoveLimit))
        } else if self.is_drawn_when_stuck && !self.position.has_legal_move() {
            Some(GameResult::draw(Termination::BoardFull))
        } else {
            None
        }
    }
}

/// The result that the stones of a position decide, regardless of their order: a line that
/// wins, or one of black that is too long for renju. Of several lines the one that was complete
/// first decides.
pub fn decided_by_stones(position: &Position) -> Option<GameResult> {
    let stones = || (position.moves().enumerate()).filter(|it| it.1.1 != Point::NONE);
    let number_of = |point: Point| stones().find(|it| it.1.1 == point).map(|it| it.0);
    let decided = |(number, (color, stone)): (usize, (Color, Point))| {
        let lines = runs(position, color, stone).filter_map(move |(run, closed)| {
            // A line is there with the last of its stones.
            let is_last = || run.iter().all(|&point| number_of(point) <= Some(number));
            if position.rule().run_wins(color, run.len(), closed) {
                is_last().then_some(GameResult::win(color, Termination::Five))
            } else if position.rule().forbids(color) && run.len() > 5 {
                let why = Termination::Forbidden(Forbidden::Overline);
                is_last().then_some(GameResult::win(color.opponent(), why))
            } else {
                None
            }
        });
        // A five wins, whatever else its stone makes.
        let lines: Vec<GameResult> = lines.collect();
        let five = lines.iter().find(|it| it.termination == Termination::Five);
        five.or(lines.first()).copied()
    };
    stones().find_map(decided)
}

/// The stones of every line of `color` that wins.
fn winning_stones(position: &Position, color: Color) -> PointSet {
    let stones = position.size().iter();
    let runs = stones
        .filter(|&point| has_stone(position, point, color))
        .flat_map(|point| runs(position, color, point));
    let wins =
        |(run, closed): &(Vec<Point>, bool)| position.rule().run_wins(color, run.len(), *closed);
    runs.filter(wins).flat_map(|(run, _)| run).collect()
}

/// The lines of stones through a stone of `color`, each with whether both ends are closed by the
/// opponent's stones.
fn runs(
    position: &Position,
    color: Color,
    stone: Point,
) -> impl Iterator<Item = (Vec<Point>, bool)> + '_ {
    Direction::ALL.into_iter().map(move |direction| {
        let arm = |sign: i32| {
            let steps = (1..).map(move |i| stone.step(direction, sign * i));
            steps.take_while(|&point| has_stone(position, point, color))
        };
        let run: Vec<Point> = arm(-1).chain([stone]).chain(arm(1)).collect();
        let closed = [-1, 1].into_iter().all(|sign| {
            let end = stone.step(direction, sign * (arm(sign).count() as i32 + 1));
            has_stone(position, end, color.opponent())
        });
        (run, closed)
    })
}

pub(super) fn has_stone(position: &Position, point: Point, color: Color) -> bool {
    position.size().has(point) && position.stone(point) == Some(color)
}
