//! What the properties of a tree mean: the game, with all variations.
//!
//! A stone that can't be read is an error with its place, in the main line and in
//! variations alike. What the reader does not know is kept as it is.

use super::lost::stone_of_another_name;
use super::{GAME, Property, PropertyProblem, SgfError, Tree};
use crate::place::{one_line, shown};
use crate::record::GameRecord;
use crate::record_tree::{RecordNode, RecordTree};
use crate::remark::{Remark, RemarkKind};
use crate::rule_name::RuleName;
use crate::stone_name::parse_point;
use quincunx_engine::game::{GameResult, Termination};
use quincunx_engine::rules::{BoardSize, Color, Point, PointSet};
use std::collections::{HashMap, HashSet};

/// Words that only files of Gomoku and Renju have.
const NAMES: [&str; 9] = [
    "gomoku",
    "renju",
    "piskv",
    "omok",
    "five in a row",
    "5 in a row",
    "五子棋",
    "連珠",
    "连珠",
];

/// A result as the common programs write it, or points, black's first. A win without a reason
/// is taken for one by agreement until the stones show a five.
fn parse_result(text: &str) -> Option<GameResult> {
    let text: String = text.to_ascii_lowercase().split_whitespace().collect();
    let (winner, why) = match &*text {
        "0" | "draw" | "jigo" | "1/2-1/2" | "0.5-0.5" => {
            return Some(GameResult::draw(Termination::Agreement));
        }
        "1-0" => ("b", ""),
        "0-1" => ("w", ""),
        _ => text.split_once('+')?,
    };
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
    let collection = Tree::parse(text)?;
    match collection.trees.first() {
        Some(tree) => Ok(game(tree, BoardSize::default())?.record),
        None => Ok(GameRecord::new(None, BoardSize::default())),
    }
}

/// The game of a tree, with all variations, on a board of `unnamed` where it names none.
///
/// # Errors
/// When it is not a game of Gomoku on a supported board, or a stone of any variation can't
/// be read or stands on another.
pub fn game(tree: &Tree, unnamed: BoardSize) -> Result<RecordTree, SgfError> {
    let named = size(tree)?;
    let size = named.unwrap_or(unnamed);
    let mut reader = Reader {
        source: tree,
        main_line: tree.main_line().into_iter().collect(),
        game: RecordTree::start(GameRecord::new(None, size)),
        first: None,
        path: Vec::new(),
        taken: PointSet::EMPTY,
        kept: HashMap::new(),
        held: None,
        is_other_game: false,
    };
    if named.is_none() {
        let remark = RemarkKind::NoBoard(size);
        reader.game.remarks.push(remark.into());
    }
    reader.read_all()?;
    if let Some((node, index)) = stone_of_another_name(tree) {
        let value = tree.properties(node)[index].value();
        return Err(wrong(tree, node, index, value, PropertyProblem::OtherName));
    }
    Ok(reader.finish())
}

/// The size that the root names, which every point depends on.
fn size(tree: &Tree) -> Result<Option<BoardSize>, SgfError> {
    let properties = tree.properties(0).iter().enumerate();
    let mut sizes = properties.filter(|(_, property)| property.name == "SZ");
    let Some((index, property)) = sizes.next() else {
        return Ok(None);
    };
    let value = property.value();
    let size = parse_size(value).ok_or_else(|| wrong(tree, 0, index, value, PropertyProblem::Size));
    size.map(Some)
}

fn parse_size(text: &str) -> Option<BoardSize> {
    let (width, height) = text.split_once(':').unwrap_or((text, text));
    let sides = width.trim().parse().ok().zip(height.trim().parse().ok());
    sides.and_then(|(width, height)| BoardSize::new(width, height).ok())
}

/// What is wrong with a value of a property.
fn wrong(
    tree: &Tree,
    node: usize,
    property: usize,
    value: &str,
    problem: PropertyProblem,
) -> SgfError {
    let name = tree.properties(node).get(property);
    SgfError::Property {
        place: tree.place(node, property),
        name: name.map_or(String::new(), |property| property.name.clone()),
        value: value.to_owned(),
        problem,
    }
}

/// A tree that is being read, node by node.
struct Reader<'t> {
    source: &'t Tree,
    main_line: HashSet<usize>,
    game: RecordTree,
    /// Who is to move first, where the file says so.
    first: Option<Color>,
    /// The nodes of the game from the start to the one that is read.
    path: Vec<usize>,
    /// The points that have stones there.
    taken: PointSet,
    /// Which of the properties of a node of the game has a name.
    kept: HashMap<(usize, String), usize>,
    /// What the nodes before the first move of a variation hold, for that move.
    held: Option<Rest>,
    /// Whether the file has another game's number, which is looked into once.
    is_other_game: bool,
}

/// A node to read.
struct Pending {
    node: usize,
    /// The length of the path before it.
    depth: usize,
    /// Whether it is in one variation of several.
    is_variation: bool,
    /// Whether a variation begins with it.
    is_first: bool,
}

/// What a node of the file holds besides its moves.
#[derive(Default)]
struct Rest {
    comments: Vec<String>,
    properties: Vec<Property>,
    /// The points that black stones are put on, and those of white ones.
    put: [PointSet; 2],
    /// The move that came first, and whether it was in turn.
    moved: Option<(Color, bool)>,
}

impl Reader<'_> {
    fn read_all(&mut self) -> Result<(), SgfError> {
        let children = self.source.children();
        let mut pending = vec![Pending {
            node: 0,
            depth: 0,
            is_variation: false,
            is_first: false,
        }];
        while let Some(next) = pending.pop() {
            while self.path.len() > next.depth {
                let left = self.path.pop().and_then(|last| self.game.nodes.get(last));
                if let Some(node) = left.filter(|node| node.point != Point::NONE) {
                    self.taken.remove(node.point);
                }
            }
            let is_first = next.is_first || self.held.is_some();
            let rest = self.read_node(next.node, next.is_variation)?;
            let children = &children[next.node];
            if is_first && children.len() == 1 && rest.moved.is_none() {
                self.held = Some(rest);
            } else {
                if is_first && children.is_empty() && rest.moved.is_none() {
                    self.remark_empty(next.node);
                }
                self.keep(rest);
            }
            let depth = self.path.len();
            pending.extend(children.iter().rev().map(|&child| Pending {
                node: child,
                depth,
                is_variation: next.is_variation || children.len() > 1,
                is_first: children.len() > 1,
            }));
        }
        Ok(())
    }

    /// Says that a variation has no move, which a tree of moves can't hold.
    fn remark_empty(&mut self, node: usize) {
        let last = self.path.last().and_then(|&last| self.game.nodes.get(last));
        let kind = RemarkKind::NoMoves {
            after: last.map(|node| node.point),
            is_main_line: self.main_line.contains(&node),
        };
        let place = Some(self.source.place(node, 0));
        self.game.remarks.push(Remark { kind, place });
    }

    /// What a node holds besides its moves, and the nodes that were held back before it.
    fn read_node(&mut self, node: usize, is_variation: bool) -> Result<Rest, SgfError> {
        let tree = self.source;
        let mut rest = self.held.take().unwrap_or_default();
        for (index, property) in tree.properties(node).iter().enumerate() {
            let mut kept = Vec::new();
            for (number, value) in property.values.iter().enumerate() {
                let wrong = |problem| wrong(tree, node, index, value, problem);
                let is_kept = match property.name.as_str() {
                    "B" | "W" if number > 0 => return Err(wrong(PropertyProblem::TwoMoves)),
                    "B" => self.play(Color::Black, value, &mut rest, (node, index)),
                    "W" => self.play(Color::White, value, &mut rest, (node, index)),
                    "AB" => self.set_up(Some(Color::Black), value, is_variation, &mut rest),
                    "AW" => self.set_up(Some(Color::White), value, is_variation, &mut rest),
                    "AE" => self.set_up(None, value, is_variation, &mut rest),
                    "PL" => self.turn(value, is_variation),
                    "SZ" => match parse_size(value) {
                        Some(size) if size == self.game.record.size => Ok(false),
                        Some(_) => Err(PropertyProblem::OtherSize),
                        None => Err(PropertyProblem::Size),
                    },
                    "GM" => self.game_number(value),
                    "C" => {
                        rest.comments.push(value.clone());
                        Ok(false)
                    }
                    // The text is decoded, whatever another node says.
                    "CA" => Ok(false),
                    "FF" | "AP" if node == 0 => Ok(false),
                    name => Ok(self.information(node, name, value)),
                };
                if is_kept.map_err(wrong)? {
                    kept.push(value.clone());
                }
            }
            if !kept.is_empty() {
                rest.properties.push(Property {
                    name: property.name.clone(),
                    values: kept,
                });
            }
        }
        Ok(rest)
    }

    /// Adds what a node holds to the last move, or to the start.
    fn keep(&mut self, rest: Rest) {
        let last = self.path.last().copied().unwrap_or(0);
        let Some(node) = self.game.nodes.get_mut(last) else {
            return;
        };
        for comment in rest
            .comments
            .into_iter()
            .filter(|comment| !comment.is_empty())
        {
            if !node.comment.is_empty() {
                node.comment.push('\n');
            }
            node.comment.push_str(&comment);
        }
        for property in rest.properties {
            let next = node.properties.len();
            let name = (last, property.name.clone());
            let index = *self.kept.entry(name).or_insert(next);
            match node.properties.get_mut(index) {
                Some(same) => same.values.extend(property.values),
                None => node.properties.push(property),
            }
        }
    }

    /// Another game's number will do where the file says that it is Gomoku or Renju.
    fn game_number(&mut self, value: &str) -> Result<bool, PropertyProblem> {
        let value = value.trim();
        if value.parse() == Ok(GAME) || self.is_other_game {
            return Ok(false);
        }
        let texts = ["GM", "RU", "GN", "EV", "AP", "GC", "C", "PC", "SO", "RO"];
        let says = |property: &Property| {
            let text = property.value().to_lowercase();
            let is_rule = property.name == "RU"
                && matches!(RuleName::of(&text), RuleName::Known(_))
                && text.parse::<u32>().is_err();
            let is_named = NAMES.iter().any(|name| text.contains(name));
            texts.contains(&property.name.as_str()) && (is_rule || is_named)
        };
        let properties = self.source.properties(0);
        let has_stones = self.source.has_stones();
        // No other game but Go has stones on a board of 15 by 15.
        let is_board = has_stones
            && self.game.record.size == BoardSize::default()
            && value.parse() != Ok(1)
            && properties.iter().any(|property| property.name == "SZ");
        // Nodes without stones may be moves of the other game.
        let has_moves = has_stones || self.source.len() == 1;
        if !(has_moves && properties.iter().any(says) || is_board) {
            return Err(PropertyProblem::Game);
        }
        self.is_other_game = true;
        let remark = RemarkKind::OtherGame(shown(value));
        self.game.remarks.push(remark.into());
        Ok(false)
    }

    /// Who is to move. After the first move the colours of the moves tell.
    fn turn(&mut self, value: &str, is_variation: bool) -> Result<bool, PropertyProblem> {
        let color = parse_color(value).ok_or(PropertyProblem::Color)?;
        if !self.path.is_empty() || is_variation {
            return Ok(true);
        }
        self.first = Some(color);
        Ok(false)
    }

    /// What the file says of the game as a whole. Returns whether it is kept as it stands.
    fn information(&mut self, node: usize, name: &str, value: &str) -> bool {
        if !self.main_line.contains(&node) {
            return true;
        }
        let record = &mut self.game.record;
        match name {
            "RU" if value.trim().is_empty() => {}
            "RU" => {
                let is_first = record.rule.is_none() && record.unknown_rule.is_none();
                match RuleName::of(value) {
                    RuleName::Known(rule) if is_first => record.rule = Some(rule),
                    RuleName::Unknown(text) if is_first => record.unknown_rule = Some(text),
                    RuleName::Known(rule) if record.rule == Some(rule) => {}
                    RuleName::Unknown(text) if record.unknown_rule.as_ref() == Some(&text) => {}
                    _ => self.remark_other(name, value),
                }
            }
            "PB" | "PW" => {
                let (value, is_black) = (one_line(value), name == "PB");
                let player = match is_black {
                    true => &mut record.black,
                    false => &mut record.white,
                };
                if player.is_empty() {
                    *player = value;
                } else if !value.is_empty() && *player != value {
                    self.remark_other(name, &value);
                }
            }
            "RE" => match (parse_result(value), record.result) {
                (None, _) => {
                    let says_nothing =
                        matches!(&*value.trim().to_ascii_lowercase(), "" | "?" | "void");
                    let remark = || RemarkKind::UnknownResult(shown(value)).into();
                    self.game.remarks.extend((!says_nothing).then(remark));
                    return true;
                }
                (result, None) => record.result = result,
                (other, named) if other != named => self.remark_other(name, value),
                _ => {}
            },
            "GN" => {
                record.name = one_line(value);
                return true;
            }
            "DT" => {
                record.date = value.trim().parse().ok();
                return true;
            }
            "GC" => {
                value.clone_into(&mut record.comment);
                return true;
            }
            _ => return true,
        }
        false
    }

    /// Says that a property of the game has another value than before.
    fn remark_other(&mut self, name: &str, value: &str) {
        let (name, value) = (name.to_owned(), shown(value));
        let remark = RemarkKind::SecondValue { name, value };
        self.game.remarks.push(remark.into());
    }

    /// Who is to move here, if that is known.
    fn side(&self) -> Option<Color> {
        if let Some(last) = self.path.last().and_then(|&last| self.game.nodes.get(last)) {
            return Some(last.color.opponent());
        }
        let has_setup = !self.game.record.setup.is_empty();
        self.first.or((!has_setup).then_some(Color::Black))
    }

    fn play(
        &mut self,
        color: Color,
        value: &str,
        rest: &mut Rest,
        (node, property): (usize, usize),
    ) -> Result<bool, PropertyProblem> {
        let point = parse_move(self.game.record.size, value)?;
        if point != Point::NONE {
            if self.taken.has(point) {
                return Err(PropertyProblem::Taken(point));
            }
            self.taken.insert(point);
        }
        let in_turn = self.side().is_none_or(|side| side == color);
        // Properties of a node have no order: the colours have to tell which is first.
        match rest.moved {
            None => rest.moved = Some((color, in_turn)),
            Some((first, was_in_turn)) if was_in_turn && first != color => {}
            Some(_) => return Err(PropertyProblem::TwoMoves),
        }
        let parent = self.path.last().copied().unwrap_or(0);
        self.path.push(self.game.nodes.len());
        self.game.nodes.push(RecordNode {
            place: Some(self.source.place(node, property)),
            ..RecordNode::new(Some(parent), color, point)
        });
        Ok(false)
    }

    /// Puts or removes the stones of a point, or of a rectangle `aa:cc`.
    fn set_up(
        &mut self,
        color: Option<Color>,
        value: &str,
        is_variation: bool,
        rest: &mut Rest,
    ) -> Result<bool, PropertyProblem> {
        if !self.path.is_empty() {
            return Err(PropertyProblem::LateSetup);
        }
        if is_variation {
            return Err(PropertyProblem::SetupInVariation);
        }
        let size = self.game.record.size;
        let corner =
            |text: &str| parse_point(size, text.trim()).ok_or(PropertyProblem::Point(size));
        let (from, to) = value.split_once(':').unwrap_or((value, value));
        let (from, to) = (corner(from)?, corner(to)?);
        let columns = from.x().min(to.x())..=from.x().max(to.x());
        let rows = from.y().min(to.y())..=from.y().max(to.y());
        let points = columns.flat_map(|x| rows.clone().map(move |y| Point::new(x, y)));
        let points: Vec<Point> = points.collect();
        // A node puts each stone once; another node may put another there.
        if let Some(color) = color {
            let others = rest.put[color.opponent().index()];
            if let Some(&point) = points.iter().find(|&&point| others.has(point)) {
                return Err(PropertyProblem::Taken(point));
            }
        }
        let mut area = PointSet::EMPTY;
        for &point in &points {
            area.insert(point);
            self.taken.remove(point);
        }
        let setup = &mut self.game.record.setup;
        setup.retain(|stone| !area.has(stone.1));
        if let Some(color) = color {
            for point in points {
                setup.push((color, point));
                self.taken.insert(point);
                rest.put[color.index()].insert(point);
            }
        }
        Ok(false)
    }

    /// The game, with its main line as the record.
    fn finish(mut self) -> RecordTree {
        self.game.record_main_line();
        let record = &mut self.game.record;
        let named = ["PL", "HA", "AB"];
        let mut properties = self.source.properties(0).iter();
        let is_odd = record
            .moves
            .first()
            .is_some_and(|it| it.color == Color::White)
            && self.first.is_none()
            && record.setup.is_empty()
            && !properties.any(|property| named.contains(&property.name.as_str()));
        if is_odd {
            self.game.remarks.push(RemarkKind::WhiteFirst.into());
        }
        let first_move = record.moves.first().map(|played| played.color);
        record.first = match self.first.or(first_move) {
            Some(first) => first,
            None => {
                let (first, remark) = unnamed_turn(&record.setup);
                self.game.remarks.extend(remark);
                first
            }
        };
        if let Some(start) = self.game.nodes.first_mut() {
            start.color = record.first.opponent();
            if record.comment.is_empty() {
                record.comment.clone_from(&start.comment);
            }
        }
        self.game.settle();
        self.game
    }
}

/// Who is to move where nothing but stones that are set up says it, and what is said of that.
fn unnamed_turn(setup: &[(Color, Point)]) -> (Color, Option<Remark>) {
    let white = setup.iter().filter(|stone| stone.0 == Color::White).count();
    let black = setup.len() - white;
    let first = if black == white + 1 {
        Color::White
    } else {
        Color::Black
    };
    let remark = (black != white).then(|| RemarkKind::NoTurn(first).into());
    (first, remark)
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

/// The point that a value of a property names, such as that of `TR` or the first half of one
/// of `LB`.
pub fn point(size: BoardSize, text: &str) -> Option<Point> {
    parse_point(size, text.trim())
}
