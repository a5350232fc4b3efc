//! A game and its referee.

use pyo3::create_exception;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyInt, PySequence, PyString, PyTuple, PyType};
use pyo3::{Borrowed, FromPyObject};
use quincunx_engine::game::{self, MoveError};
use quincunx_engine::position::Position;
use quincunx_engine::rules::{BoardSize, Color, Point, Rule};
use std::fmt::Display;

create_exception!(
    quincunx,
    IllegalMove,
    PyValueError,
    "The side to move may not play the point."
);

/// A point as Python has it: `h8`, or column and row from zero.
pub(crate) enum PointArgument {
    Name(String),
    Numbers(isize, isize),
}

/// A board: a side, or text such as `20x15`.
pub(crate) enum Size {
    Side(isize),
    Text(String),
}

/// Moves one after another: text such as `h8i9`, or a list of points.
enum Moves {
    Text(String),
    List(Vec<PointArgument>),
}

/// A game in progress or at its end.
#[pyclass(module = "quincunx")]
pub(crate) struct Game(game::Game);

/// How a game ended.
#[pyclass(module = "quincunx", frozen, get_all, eq)]
#[derive(PartialEq)]
pub(crate) struct Result {
    winner: Option<String>,
    reason: String,
    stones: Vec<String>,
}

// The conversions that PyO3 derives name the variants of Rust in their errors.

impl<'py> FromPyObject<'_, 'py> for PointArgument {
    type Error = PyErr;

    fn extract(place: Borrowed<'_, 'py, PyAny>) -> PyResult<PointArgument> {
        if let Ok(name) = place.cast::<PyString>() {
            return Ok(PointArgument::Name(name.extract()?));
        }
        match place.cast::<PyTuple>() {
            Ok(pair) if pair.len() == 2 => {
                let (x, y) = pair.extract()?;
                Ok(PointArgument::Numbers(x, y))
            }
            _ => Err(wrong_type("a point such as 'h8' or (7, 7)", place)),
        }
    }
}

impl<'py> FromPyObject<'_, 'py> for Size {
    type Error = PyErr;

    fn extract(size: Borrowed<'_, 'py, PyAny>) -> PyResult<Size> {
        if size.is_instance_of::<PyInt>() {
            return Ok(Size::Side(size.extract()?));
        }
        match size.cast::<PyString>() {
            Ok(text) => Ok(Size::Text(text.extract()?)),
            Err(_) => Err(wrong_type(
                "a side such as 15 or a size such as '20x15'",
                size,
            )),
        }
    }
}

impl<'py> FromPyObject<'_, 'py> for Moves {
    type Error = PyErr;

    fn extract(moves: Borrowed<'_, 'py, PyAny>) -> PyResult<Moves> {
        if let Ok(text) = moves.cast::<PyString>() {
            return Ok(Moves::Text(text.extract()?));
        }
        match moves.cast::<PySequence>() {
            Ok(list) => Ok(Moves::List(list.extract()?)),
            Err(_) => Err(wrong_type("moves such as 'h8i9' or ['h8', (8, 8)]", moves)),
        }
    }
}

/// The argument has a type that is not accepted.
fn wrong_type(expected: &str, found: Borrowed<'_, '_, PyAny>) -> PyErr {
    match found.get_type().name() {
        Ok(name) => PyTypeError::new_err(format!("expected {expected}, not {name}")),
        Err(error) => error,
    }
}

impl PointArgument {
    fn on(&self, size: BoardSize) -> PyResult<Point> {
        match self {
            PointArgument::Name(name) => name.parse().map_err(invalid),
            &PointArgument::Numbers(x, y) => {
                // A number below zero is one that no board has.
                let number = |it: isize| usize::try_from(it).unwrap_or(usize::MAX);
                let point = size.point(number(x), number(y));
                point.ok_or_else(|| illegal(MoveError::OffBoard(size)))
            }
        }
    }

    /// The move that it stands for among others, where `--` is a pass.
    fn move_on(&self, size: BoardSize) -> PyResult<Point> {
        match self {
            PointArgument::Name(name) if name == "--" => Ok(Point::NONE),
            place => place.on(size),
        }
    }
}

impl Size {
    pub(crate) fn board(&self) -> PyResult<BoardSize> {
        match self {
            Size::Side(side) => side.to_string().parse::<BoardSize>(),
            Size::Text(text) => text.parse(),
        }
        .map_err(invalid)
    }
}

impl Game {
    /// The position on the board.
    pub(crate) fn position(&self) -> &Position {
        self.0.position()
    }

    /// The position, unless the game is over.
    pub(crate) fn open_position(&self) -> PyResult<Position> {
        match self.0.result() {
            Some(result) => Err(illegal(MoveError::Over(result))),
            None => Ok(self.position().clone()),
        }
    }

    /// Plays moves one after another, a pass as [`Point::NONE`].
    fn played(
        rule: Rule,
        size: BoardSize,
        moves: impl Iterator<Item = PyResult<Point>>,
    ) -> PyResult<Game> {
        let mut game = game::Game::new(rule, size);
        for point in moves {
            match point? {
                Point::NONE => game.pass(),
                point => game.play(point),
            }
            .map_err(illegal)?;
        }
        // Not before: moves that were written down may pass where no other move is legal.
        Ok(Game(game.drawn_when_stuck()))
    }

    /// Plays the moves of a position one after another.
    fn replay(position: &Position) -> PyResult<Game> {
        let moves = position.moves().map(|(_, point)| Ok(point));
        Game::played(position.rule(), position.size(), moves)
    }
}

#[pymethods]
impl Game {
    #[new]
    #[pyo3(signature = (rule = "freestyle", size = Size::Side(15), moves = None))]
    fn new(rule: &str, size: Size, moves: Option<Moves>) -> PyResult<Game> {
        let (rule, size) = (rule.parse::<Rule>().map_err(invalid)?, size.board()?);
        let places = match moves {
            Some(Moves::Text(text)) => {
                return Game::replay(&Position::from_moves(rule, size, &text).map_err(invalid)?);
            }
            Some(Moves::List(places)) => places,
            None => Vec::new(),
        };
        Game::played(rule, size, places.iter().map(|place| place.move_on(size)))
    }

    #[staticmethod]
    fn from_line(line: &str) -> PyResult<Game> {
        Game::replay(&Position::from_line(line).map_err(invalid)?)
    }

    #[getter]
    fn line(&self) -> String {
        self.position().to_line()
    }

    #[getter]
    fn rule(&self) -> &'static str {
        self.0.rule().name()
    }

    #[getter]
    fn width(&self) -> usize {
        self.0.size().width()
    }

    #[getter]
    fn height(&self) -> usize {
        self.0.size().height()
    }

    #[getter]
    fn side(&self) -> String {
        self.0.side().to_string()
    }

    #[getter]
    fn moves(&self) -> Vec<String> {
        names(self.0.moves().map(|(_, point)| point))
    }

    #[getter]
    fn result(&self) -> Option<Result> {
        let result = self.0.result()?;
        Some(Result {
            winner: result.winner.map(|winner| winner.to_string()),
            reason: result.termination.to_string(),
            stones: names(self.0.winning_stones().iter()),
        })
    }

    fn stone(&self, point: PointArgument) -> PyResult<Option<String>> {
        let point = point.on(self.0.size())?;
        if !self.0.size().has(point) {
            return Err(illegal(MoveError::OffBoard(self.0.size())));
        }
        Ok(self.position().stone(point).map(|color| color.to_string()))
    }

    fn board<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let position = self.position();
        let own = position.side();
        let value = |point| match position.stone(point) {
            Some(color) if color == own => 1i8,
            Some(Color::Black | Color::White) => -1,
            None => 0,
        };
        let stones: Vec<i8> = self.0.size().iter().map(value).collect();
        let numpy = py.import("numpy")?;
        let board = numpy.call_method1("array", (stones, "int8"))?;
        board.call_method1("reshape", (self.height(), self.width()))
    }

    fn play(&mut self, point: PointArgument) -> PyResult<()> {
        let point = point.on(self.0.size())?;
        self.0.play(point).map_err(illegal)
    }

    /// `pass` is a word of Python.
    fn pass_(&mut self) -> PyResult<()> {
        self.0.pass().map_err(illegal)
    }

    fn undo(&mut self) -> bool {
        self.0.undo()
    }

    fn is_legal(&mut self, point: PointArgument) -> PyResult<bool> {
        let point = match &point {
            PointArgument::Numbers(..) => point.on(self.0.size()).unwrap_or(Point::NONE),
            PointArgument::Name(_) => point.on(self.0.size())?,
        };
        Ok(self.0.check(point).is_ok())
    }

    fn legal(&mut self) -> Vec<String> {
        let points: Vec<Point> = self.0.size().iter().collect();
        names(
            points
                .into_iter()
                .filter(|&point| self.0.check(point).is_ok()),
        )
    }

    fn forbidden<'py>(&mut self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let kinds = PyDict::new(py);
        for (point, kind) in self.0.forbidden_points() {
            kinds.set_item(point.to_string(), kind.to_string())?;
        }
        Ok(kinds)
    }

    /// Games are equal if they have the same rule, board and moves.
    fn __eq__(&self, other: &Game) -> bool {
        self.line() == other.line()
    }

    /// The call by which `pickle` makes the game anew.
    fn __reduce__<'py>(
        &self,
        py: Python<'py>,
    ) -> (Bound<'py, PyType>, (&'static str, String, Vec<String>)) {
        let arguments = (self.rule(), self.0.size().to_string(), self.moves());
        (py.get_type::<Game>(), arguments)
    }

    fn __copy__(&self) -> Game {
        Game(self.0.clone())
    }

    fn __deepcopy__(&self, _memo: &Bound<'_, PyAny>) -> Game {
        self.__copy__()
    }

    fn __repr__(&self) -> String {
        format!("<Game {}>", self.line())
    }
}

#[pymethods]
impl Result {
    fn __repr__(&self) -> String {
        match &self.winner {
            Some(winner) => format!("<Result {winner} wins ({})>", self.reason),
            None => format!("<Result draw ({})>", self.reason),
        }
    }
}

/// Points as text, a pass as `--`.
pub(crate) fn names(points: impl IntoIterator<Item = Point>) -> Vec<String> {
    points.into_iter().map(|point| point.to_string()).collect()
}

/// An argument makes no sense.
pub(crate) fn invalid(error: impl Display) -> PyErr {
    PyValueError::new_err(error.to_string())
}

fn illegal(error: MoveError) -> PyErr {
    IllegalMove::new_err(error.to_string())
}
