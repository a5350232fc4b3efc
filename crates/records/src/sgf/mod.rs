//! SGF, the format of game records that most programs read: FF\[3\] and FF\[4\],
//! game number 4 (Gomoku and Renju).
//!
//! [`Tree`] is the syntax. This module knows what the properties mean: points
//! are two letters, column from the left and row from the top.

mod tree;

pub use tree::{Property, SyntaxError, SyntaxProblem, Tree};

use super::record::{GameRecord, RecordedMove};
use quincunx_engine::game::{GameResult, Termination};
use quincunx_engine::rules::{BoardSize, Color, Point, Rule};

/// The number of Gomoku and Renju.
const GAME: &str = "4";

/// The text is not a game record.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SgfError {
    /// The text is not SGF.
    #[error(transparent)]
    Syntax(#[from] SyntaxError),
    /// A property makes no sense.
    #[error("node {node}: {name}[{value}]: {problem}")]
    Property {
        /// The number of the node in the file, from one.
        node: usize,
        /// The property.
        name: String,
        /// Its value.
        value: String,
        /// What is wrong with it.
        problem: PropertyProblem,
    },
}

/// What is wrong with a property.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PropertyProblem {
    /// The file is about another game.
    #[error("this is not Gomoku or Renju, which is GM[4]")]
    Game,
    /// Not a size, or one that is not supported.
    #[error("expected a board of 5 to 22, such as 15 or 20:15")]
    Size,
    /// Not a point of the board.
    #[error("there is no such point on the {0} board")]
    Point(BoardSize),
    /// Neither black nor white.
    #[error("expected B or W")]
    Color,
    /// Stones are set up after the first move.
    #[error("set-up is only understood before the first move")]
    LateSetup,
}

/// The game as a tree of one branch.
pub fn write(record: &GameRecord) -> String {
    tree(record).to_string()
}

/// The game as a tree of one branch, to which variations can be added.
pub fn tree(record: &GameRecord) -> Tree {
    let mut tree = Tree::default();
    let mut last = tree.add(None, root(record));
    for played in &record.moves {
        let comment = Some(&played.comment).filter(|comment| !comment.is_empty());
        let mut properties = vec![move_property(record.size, played.color, played.point)];
        properties.extend(comment.map(|comment| Property::new("C", comment)));
        last = tree.add(Some(last), properties);
    }
    tree
}

/// The properties of the root: what the game is, and its set-up.
pub fn root(record: &GameRecord) -> Vec<Property> {
    let size = record.size;
    let size_text = if size.width() == size.height() {
        size.width().to_string()
    } else {
        format!("{}:{}", size.width(), size.height())
    };
    let mut properties = vec![
        Property::new("FF", "4"),
        Property::new("GM", GAME),
        Property::new("CA", "UTF-8"),
        Property::new("AP", "Quincunx"),
        Property::new("SZ", size_text),
    ];
    let texts = [
        ("RU", record.rule.map(|rule| rule.name().to_owned())),
        ("PB", Some(record.black.clone())),
        ("PW", Some(record.white.clone())),
        ("RE", record.result.map(result_text)),
        ("DT", record.date.map(|date| date.to_string())),
        ("GN", Some(record.name.clone())),
        ("GC", Some(record.comment.clone())),
    ];
    for (name, text) in texts {
        let text = text.filter(|text| !text.is_empty());
        properties.extend(text.map(|text| Property::new(name, text)));
    }
    for (color, name) in [(Color::Black, "AB"), (Color::White, "AW")] {
        let stones = record.setup.iter().filter(|stone| stone.0 == color);
        let values: Vec<String> = stones.map(|stone| point_text(size, stone.1)).collect();
        if !values.is_empty() {
            let name = name.to_owned();
            properties.push(Property { name, values });
        }
    }
    if !record.setup.is_empty() || record.first == Color::White {
        properties.push(Property::new("PL", color_letter(record.first)));
    }
    properties
}

/// A move as a property; a pass has no point.
pub fn move_property(size: BoardSize, color: Color, point: Point) -> Property {
    Property::new(color_letter(color), point_text(size, point))
}

const fn color_letter(color: Color) -> &'static str {
    match color {
        Color::Black => "B",
        Color::White => "W",
    }
}

/// Column and row as letters; nothing for a pass.
fn point_text(size: BoardSize, point: Point) -> String {
    if point == Point::NONE {
        return String::new();
    }
    let letter = |number: usize| char::from(b'a' + number as u8);
    [letter(point.x()), letter(size.row_from_top(point))]
        .iter()
        .collect()
}

/// `B+`, `W+T`, `0` and so on. Whatever the rules forbid is a forfeit.
fn result_text(result: GameResult) -> String {
    let Some(winner) = result.winner else {
        return "0".to_owned();
    };
    let suffix = match result.termination {
        Termination::Time => "T",
        Termination::Resignation => "R",
        Termination::Forbidden(_) | Termination::IllegalMove | Termination::Forfeit => "F",
        _ => "",
    };
    format!("{}+{suffix}", color_letter(winner))
}

/// A result as the common programs write it. A win without a reason is taken
/// for one by agreement until the stones show a five.
fn parse_result(text: &str) -> Option<GameResult> {
    let text = text.trim().to_ascii_lowercase();
    if matches!(&*text, "0" | "draw" | "jigo") {
        return Some(GameResult::draw(Termination::Agreement));
    }
    let (winner, why) = text.split_once('+')?;
    let winner = parse_color(winner)?;
    Some(GameResult::win(
        winner,
        match why.chars().next() {
            Some('t') => Termination::Time,
            Some('r') => Termination::Resignation,
            Some('f') => Termination::Forfeit,
            _ => Termination::Agreement,
        },
    ))
}

fn parse_color(text: &str) -> Option<Color> {
    match text.trim().to_ascii_lowercase().as_str() {
        "b" | "black" | "1" => Some(Color::Black),
        "w" | "white" | "2" => Some(Color::White),
        _ => None,
    }
}

/// Reads the main line of the first game of a text.
///
/// # Errors
/// When the text is not SGF, or not a game of Gomoku on a supported board.
pub fn read(text: &str) -> Result<GameRecord, SgfError> {
    let trees = Tree::parse(text)?;
    trees
        .first()
        .map_or_else(|| Ok(GameRecord::new(None, BoardSize::default())), record)
}

/// The main line of a tree.
///
/// # Errors
/// When it is not a game of Gomoku on a supported board.
pub fn record(tree: &Tree) -> Result<GameRecord, SgfError> {
    let mut reader = Reader {
        record: GameRecord::new(None, size(tree)?),
        first: None,
    };
    for node in tree.main_line() {
        for property in tree.properties(node) {
            for value in &property.values {
                let read = reader.read(&property.name, value);
                read.map_err(|problem| wrong(node, &property.name, value, problem))?;
            }
        }
    }
    let mut record = reader.record;
    let first_move = record.moves.first().map(|played| played.color);
    record.first = reader.first.or(first_move).unwrap_or(Color::Black);
    record.settle();
    Ok(record)
}

/// The size that the root names, which every point depends on.
fn size(tree: &Tree) -> Result<BoardSize, SgfError> {
    let sizes = tree
        .properties(0)
        .iter()
        .find(|property| property.name == "SZ");
    let Some(property) = sizes else {
        return Ok(BoardSize::default());
    };
    let text = property.value();
    let (width, height) = text.split_once(':').unwrap_or((text, text));
    let sides = width.trim().parse().ok().zip(height.trim().parse().ok());
    sides
        .and_then(|(width, height)| BoardSize::new(width, height).ok())
        .ok_or_else(|| wrong(0, "SZ", text, PropertyProblem::Size))
}

fn wrong(node: usize, name: &str, value: &str, problem: PropertyProblem) -> SgfError {
    SgfError::Property {
        node: node + 1,
        name: name.to_owned(),
        value: value.to_owned(),
        problem,
    }
}

/// A record that is being read, property by property.
struct Reader {
    record: GameRecord,
    /// Who is to move first, where the file says so.
    first: Option<Color>,
}

impl Reader {
    fn read(&mut self, name: &str, value: &str) -> Result<(), PropertyProblem> {
        match name {
            "GM" if value.trim() != GAME => return Err(PropertyProblem::Game),
            "B" => self.play(Color::Black, value)?,
            "W" => self.play(Color::White, value)?,
            "AB" => self.set_up(Some(Color::Black), value)?,
            "AW" => self.set_up(Some(Color::White), value)?,
            "AE" => self.set_up(None, value)?,
            "PL" if self.record.moves.is_empty() => {
                self.first = Some(parse_color(value).ok_or(PropertyProblem::Color)?);
            }
            "RU" => self.record.rule = value.trim().parse::<Rule>().ok(),
            "PB" => self.record.black = one_line(value),
            "PW" => self.record.white = one_line(value),
            "GN" => self.record.name = one_line(value),
            "RE" => self.record.result = parse_result(value),
            "DT" => self.record.date = value.trim().parse().ok(),
            "GC" => value.clone_into(&mut self.record.comment),
            "C" => match self.record.moves.last_mut() {
                Some(played) => value.clone_into(&mut played.comment),
                None if self.record.comment.is_empty() => {
                    value.clone_into(&mut self.record.comment);
                }
                None => {}
            },
            _ => {}
        }
        Ok(())
    }

    fn play(&mut self, color: Color, value: &str) -> Result<(), PropertyProblem> {
        let point = parse_move(self.record.size, value)?;
        self.record.moves.push(RecordedMove::new(color, point));
        Ok(())
    }

    /// Puts or removes the stones of a point, or of a rectangle `aa:cc`.
    fn set_up(&mut self, color: Option<Color>, value: &str) -> Result<(), PropertyProblem> {
        if !self.record.moves.is_empty() {
            return Err(PropertyProblem::LateSetup);
        }
        let size = self.record.size;
        let corner =
            |text: &str| parse_point(size, text.trim()).ok_or(PropertyProblem::Point(size));
        let (from, to) = value.split_once(':').unwrap_or((value, value));
        let (from, to) = (corner(from)?, corner(to)?);
        let columns = from.x().min(to.x())..=from.x().max(to.x());
        let rows = from.y().min(to.y())..=from.y().max(to.y());
        let is_inside = |point: Point| columns.contains(&point.x()) && rows.contains(&point.y());
        self.record.setup.retain(|stone| !is_inside(stone.1));
        if let Some(color) = color {
            let points =
                (columns.clone()).flat_map(|x| rows.clone().map(move |y| Point::new(x, y)));
            self.record.setup.extend(points.map(|point| (color, point)));
        }
        Ok(())
    }
}

/// The move of a node, if there is one. The point of a pass is [`Point::NONE`].
///
/// # Errors
/// When the move is on no point of the board.
pub fn node_move(
    size: BoardSize,
    properties: &[Property],
) -> Result<Option<(Color, Point)>, PropertyProblem> {
    for property in properties {
        let color = match property.name.as_str() {
            "B" => Color::Black,
            "W" => Color::White,
            _ => continue,
        };
        return Ok(Some((color, parse_move(size, property.value())?)));
    }
    Ok(None)
}

/// A point, or a pass: nothing, or in old files `tt` on boards without it.
fn parse_move(size: BoardSize, value: &str) -> Result<Point, PropertyProblem> {
    let value = value.trim();
    if value.is_empty() {
        return Ok(Point::NONE);
    }
    let found = parse_point(size, value);
    let pass = (value == "tt").then_some(Point::NONE);
    found.or(pass).ok_or(PropertyProblem::Point(size))
}

/// Two letters, or a letter and a number as Renju players write them.
fn parse_point(size: BoardSize, text: &str) -> Option<Point> {
    let letter = |byte: u8| byte.checked_sub(b'a').map(usize::from);
    match text.as_bytes() {
        &[x, row] if row.is_ascii_lowercase() => size.point_from_top(letter(x)?, letter(row)?),
        _ => text.parse().ok().filter(|&point| size.has(point)),
    }
}

/// A value that has no line breaks.
fn one_line(value: &str) -> String {
    value.trim().replace('\n', " ")
}
