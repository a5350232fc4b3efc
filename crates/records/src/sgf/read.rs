//! Makes a game with all variations from the properties of a tree.
//!
//! A stone that can't be read is an error with its place, in the main line and in
//! variations alike. What the reader does not know is kept as it is.

use super::lost::{stone_of_another_name, unknown_points};
use super::tree::{Children, PropertyView};
use super::word::Word;
use super::{Property, PropertyProblem, SgfError, Tree};
use crate::lines::shown;
use crate::memory::{MemoryError, Meter, push};
use crate::record::MOST_MOVES;
use crate::record::{GameRecord, unnamed_turn};
use crate::record_tree::{RecordNode, RecordTree};
use crate::stone_name::parse_point;
use crate::warning::{Warning, WarningKind};
use quincunx_engine::game::GameResult;
use quincunx_engine::rules::{BoardSize, Color, Point, PointSet};
use std::collections::HashMap;

/// A node with fewer properties is searched for one of the same name.
const FEW: usize = 16;

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
    read_tree(tree, unnamed, false)
}

/// The game of a tree. With `is_known` it is Gomoku or Renju even if a board with stones has
/// the number of another game.
pub(crate) fn read_tree(
    tree: &Tree,
    unnamed: BoardSize,
    is_known: bool,
) -> Result<RecordTree, SgfError> {
    let named = size(tree)?;
    let size = named.unwrap_or(unnamed);
    let children = tree.children();
    let mut is_main_line = vec![false; tree.len()];
    for node in children.main_line() {
        is_main_line[node] = true;
    }
    let mut reader = Reader {
        source: tree,
        is_main_line,
        game: RecordTree::start(GameRecord::new(None, size)),
        first: None,
        path: Vec::new(),
        taken: PointSet::EMPTY,
        numbers: HashMap::new(),
        held: None,
        endings: Vec::new(),
        meter: Meter::default(),
        is_known,
        is_other_game: false,
    };
    if named.is_none() {
        let warning = WarningKind::NoBoard(size);
        reader.game.warnings.push(warning.into());
    }
    reader.read_all(&children)?;
    if let Some((node, property)) = stone_of_another_name(tree) {
        let (value, problem) = (property.value(), PropertyProblem::OtherName);
        return Err(wrong(tree, node, property, value, problem));
    }
    reader.game.warnings.extend(unknown_points(tree));
    Ok(reader.finish())
}

/// The size that the root names, which every point depends on.
fn size(tree: &Tree) -> Result<Option<BoardSize>, SgfError> {
    let mut properties = tree.views(0);
    let named = properties.find(|it| it.name == "SZ" && !is_empty(it.value()));
    let Some(property) = named else {
        return Ok(None);
    };
    let value = property.value();
    let size = parse_size(value);
    let size = size.ok_or_else(|| wrong(tree, 0, property, value, PropertyProblem::Size));
    size.map(Some)
}

/// Returns whether a value is blank, as some programs write unknown values.
fn is_empty(value: &str) -> bool {
    value.trim().is_empty()
}

fn parse_size(text: &str) -> Option<BoardSize> {
    let (width, height) = text.split_once(':').unwrap_or((text, text));
    let sides = width.trim().parse().ok().zip(height.trim().parse().ok());
    sides.and_then(|(width, height)| BoardSize::new(width, height).ok())
}

/// Makes an error about a value of a property.
fn wrong(
    tree: &Tree,
    node: usize,
    property: PropertyView<'_>,
    value: &str,
    problem: PropertyProblem,
) -> SgfError {
    SgfError::Property {
        place: tree.place(node, property.number),
        name: property.name.to_owned(),
        value: value.to_owned(),
        problem,
    }
}

/// Why a value is not read.
pub(super) enum Refusal {
    Problem(PropertyProblem),
    Memory(MemoryError),
}

impl From<PropertyProblem> for Refusal {
    fn from(problem: PropertyProblem) -> Refusal {
        Refusal::Problem(problem)
    }
}

impl From<MemoryError> for Refusal {
    fn from(error: MemoryError) -> Refusal {
        Refusal::Memory(error)
    }
}

/// A tree that is being read, node by node.
pub(super) struct Reader<'t> {
    pub(super) source: &'t Tree,
    /// True for the nodes of the main line.
    pub(super) is_main_line: Vec<bool>,
    pub(super) game: RecordTree,
    /// The side to move first, if the file names it.
    pub(super) first: Option<Color>,
    /// The nodes of the game from the start to the one that is read.
    pub(super) path: Vec<usize>,
    /// The points that have stones there.
    taken: PointSet,
    /// The number of the property with a name, for nodes of the game with many.
    numbers: HashMap<usize, HashMap<String, usize>>,
    /// The properties of the nodes before the first move of a variation, which go to that move.
    held: Option<OtherProperties>,
    /// The words in place of moves that end a game.
    endings: Vec<NodeResult>,
    meter: Meter,
    /// True if the game is known to be Gomoku or Renju from elsewhere.
    pub(super) is_known: bool,
    /// True if the file has the number of another game, which is checked once.
    pub(super) is_other_game: bool,
}

/// A result in place of a move, such as `W[resign]`.
struct NodeResult {
    result: GameResult,
    /// The last node of the game before it.
    node: usize,
    warning: Warning,
}

/// A node to read.
#[derive(Clone, Copy)]
struct Pending {
    node: usize,
    /// The length of the path before it.
    depth: usize,
    /// True inside one of several variations.
    is_variation: bool,
    /// True for the first node of a variation.
    is_first: bool,
}

/// The properties of a node other than its moves.
#[derive(Default)]
struct OtherProperties {
    comments: Vec<String>,
    properties: Vec<Property>,
    /// The points that black stones are put on, and those of white ones.
    put: [PointSet; 2],
    /// True if all moves so far were in turn; `None` before the first.
    moved: Option<bool>,
}

impl Reader<'_> {
    fn read_all(&mut self, children: &Children) -> Result<(), SgfError> {
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
            if let Some(node) = children.sibling(next.node) {
                pending.push(Pending { node, ..next });
            }
            let is_first = next.is_first || self.held.is_some();
            let rest = self.read_node(next.node, next.is_variation)?;
            let mut behind = children.of(next.node);
            let (first, has_more) = (behind.next(), behind.next().is_some());
            if is_first && first.is_some() && !has_more && rest.moved.is_none() {
                self.held = Some(rest);
            } else {
                if is_first && first.is_none() && rest.moved.is_none() {
                    self.warn_of_empty(next.node);
                }
                self.keep(rest);
            }
            self.meter.take(size_of::<Pending>())?;
            pending.extend(first.map(|node| Pending {
                node,
                depth: self.path.len(),
                is_variation: next.is_variation || has_more,
                is_first: has_more,
            }));
        }
        Ok(())
    }

    /// Warns of a variation without a move, which a tree of moves can't hold.
    fn warn_of_empty(&mut self, node: usize) {
        let last = self.path.last().and_then(|&last| self.game.nodes.get(last));
        let kind = WarningKind::NoMoves {
            after: last.map(|node| node.point),
            is_main_line: self.is_main_line[node],
        };
        let place = Some(self.source.place(node, 0));
        self.game.warnings.push(Warning { kind, place });
    }

    /// Reads the properties of a node other than its moves, with those of held nodes before it.
    fn read_node(&mut self, node: usize, is_variation: bool) -> Result<OtherProperties, SgfError> {
        let tree = self.source;
        let mut rest = self.held.take().unwrap_or_default();
        for property in tree.views(node) {
            let mut values = Vec::new();
            for (number, value) in property.values().enumerate() {
                let read = match number {
                    1.. if matches!(property.name, "B" | "W") => {
                        Err(PropertyProblem::TwoMoves.into())
                    }
                    _ => self.read_value(node, property, value, is_variation, &mut rest),
                };
                let is_unchanged = read.map_err(|refusal| match refusal {
                    Refusal::Problem(problem) => wrong(tree, node, property, value, problem),
                    Refusal::Memory(error) => error.into(),
                })?;
                if is_unchanged {
                    self.meter.take(value.len() + size_of::<String>())?;
                    values.push(value.to_owned());
                }
            }
            if !values.is_empty() {
                self.meter
                    .take(property.name.len() + 2 * size_of::<Property>())?;
                rest.properties.push(Property {
                    name: property.name.to_owned(),
                    values,
                });
            }
        }
        Ok(rest)
    }

    /// Reads a value of a property. Returns true if it is stored unchanged.
    fn read_value(
        &mut self,
        node: usize,
        property: PropertyView<'_>,
        value: &str,
        is_variation: bool,
        rest: &mut OtherProperties,
    ) -> Result<bool, Refusal> {
        let at = (node, property);
        let is_unchanged = match property.name {
            "B" => self.play(Color::Black, value, rest, at)?,
            "W" => self.play(Color::White, value, rest, at)?,
            "QPR" | "QSLW" => self.play_list(value, rest, at)?,
            "AB" | "AW" | "AE" | "PL" | "SZ" | "GM" if is_empty(value) => false,
            "AB" => self.set_up(Some(Color::Black), value, is_variation, rest)?,
            "AW" => self.set_up(Some(Color::White), value, is_variation, rest)?,
            "AE" => self.set_up(None, value, is_variation, rest)?,
            "PL" => self.turn(value, is_variation)?,
            "SZ" => match parse_size(value) {
                Some(size) if size == self.game.record.size => false,
                Some(_) => return Err(PropertyProblem::OtherSize.into()),
                None => return Err(PropertyProblem::Size.into()),
            },
            "GM" => self.game_number(value)?,
            "C" => {
                self.meter.take(value.len() + size_of::<RecordNode>())?;
                rest.comments.push(value.to_owned());
                false
            }
            // The text is decoded, whatever another node says.
            "CA" => false,
            "FF" | "AP" if node == 0 => false,
            name => self.information(node, name, value),
        };
        Ok(is_unchanged)
    }

    /// Adds the properties of a node to the last move, or to the start.
    fn keep(&mut self, rest: OtherProperties) {
        let last = self.path.last().copied().unwrap_or(0);
        if rest.comments.is_empty() && rest.properties.is_empty() {
            return;
        }
        let Some(node) = self.game.nodes.get_mut(last) else {
            return;
        };
        let comments = rest.comments.iter().filter(|comment| !comment.is_empty());
        for comment in comments {
            node.notes().add(comment);
        }
        for property in rest.properties {
            let notes = node.notes();
            let own = &notes.properties;
            let index = match own.len() < FEW {
                true => own.iter().position(|own| own.name == property.name),
                false => {
                    let all = || own.iter().map(|own| own.name.clone()).zip(0..).collect();
                    let known: &mut HashMap<_, _> = self.numbers.entry(last).or_insert_with(all);
                    let next = own.len();
                    let index = *known.entry(property.name.clone()).or_insert(next);
                    Some(index)
                }
            };
            match index.and_then(|index| notes.properties.get_mut(index)) {
                Some(same) => same.values.extend(property.values),
                None => notes.properties.push(property),
            }
        }
    }

    /// The side to move at this node, if known.
    fn side(&self) -> Option<Color> {
        if let Some(last) = self.path.last().and_then(|&last| self.game.nodes.get(last)) {
            return Some(last.color.opponent());
        }
        let has_setup = !self.game.record.setup.is_empty();
        self.first.or((!has_setup).then_some(Color::Black))
    }

    /// The stones of an opening as the server Gomoku Quest writes them: the first three in one
    /// value of `QPR`, and the fourth of whom chose white as `QSLW`. They are moves in turn.
    fn play_list(
        &mut self,
        value: &str,
        rest: &mut OtherProperties,
        at: (usize, PropertyView<'_>),
    ) -> Result<bool, Refusal> {
        let points = value.split(',').filter(|text| !is_empty(text));
        for text in points {
            let color = self.side().unwrap_or(Color::Black);
            let point = parse_move(self.game.record.size, text)?;
            self.add(color, point, rest, at)?;
        }
        Ok(false)
    }

    fn play(
        &mut self,
        color: Color,
        value: &str,
        rest: &mut OtherProperties,
        at: (usize, PropertyView<'_>),
    ) -> Result<bool, Refusal> {
        let point = match Word::of(value) {
            None => parse_move(self.game.record.size, value)?,
            Some(Word::Pass) => Point::NONE,
            Some(word) => {
                self.read_word(word, color, at);
                return Ok(false);
            }
        };
        self.add(color, point, rest, at)?;
        Ok(false)
    }

    /// Takes note of a word in place of a move that makes none.
    fn read_word(&mut self, word: Word, color: Color, (node, property): (usize, PropertyView<'_>)) {
        let warning = Warning {
            kind: WarningKind::NoStone {
                name: property.name.to_owned(),
                value: shown(property.value()),
            },
            place: Some(self.source.place(node, property.number)),
        };
        match word.result(color) {
            None => self.game.warnings.push(warning),
            Some(result) => self.endings.push(NodeResult {
                result,
                node: self.path.last().copied().unwrap_or(0),
                warning,
            }),
        }
    }

    fn add(
        &mut self,
        color: Color,
        point: Point,
        rest: &mut OtherProperties,
        (node, property): (usize, PropertyView<'_>),
    ) -> Result<(), Refusal> {
        if point != Point::NONE {
            if self.taken.has(point) {
                return Err(PropertyProblem::Taken(point).into());
            }
            self.taken.insert(point);
        }
        if self.path.len() == MOST_MOVES {
            return Err(PropertyProblem::TooMany.into());
        }
        let in_turn = self.side().is_none_or(|side| side == color);
        // Properties of a node have no order: the colours have to tell which is first.
        if rest
            .moved
            .is_some_and(|were_in_turn| !were_in_turn || !in_turn)
        {
            return Err(PropertyProblem::TwoMoves.into());
        }
        rest.moved = Some(in_turn);
        let parent = self.path.last().copied().unwrap_or(0);
        self.path.push(self.game.nodes.len());
        let mut played = RecordNode::new(Some(parent), color, point);
        played.place = Some(self.source.place(node, property.number));
        Ok(push(&mut self.game.nodes, played)?)
    }

    /// Puts or removes the stones of a point, or of a rectangle `aa:cc`.
    fn set_up(
        &mut self,
        color: Option<Color>,
        value: &str,
        is_variation: bool,
        rest: &mut OtherProperties,
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

    /// Takes the result of a word at the end of the main line. Any other such word changes
    /// nothing, with a warning.
    fn take_endings(&mut self) {
        let end = self.game.main_line().last().copied();
        for ending in self.endings.drain(..) {
            let named = self.game.record.result;
            let is_last = Some(ending.node) == end;
            if is_last && named.is_none() {
                self.game.record.result = Some(ending.result);
            } else if !is_last || named.map(|it| it.winner) != Some(ending.result.winner) {
                self.game.warnings.push(ending.warning);
            }
        }
    }

    /// The game, with its main line as the record.
    fn finish(mut self) -> RecordTree {
        self.game.record_main_line();
        self.take_endings();
        let record = &mut self.game.record;
        let named = ["PL", "HA", "AB"];
        let mut properties = self.source.views(0);
        let is_odd = record
            .moves
            .first()
            .is_some_and(|it| it.color == Color::White)
            && self.first.is_none()
            && record.setup.is_empty()
            && !properties.any(|property| named.contains(&property.name));
        if is_odd {
            self.game.warnings.push(WarningKind::WhiteFirst.into());
        }
        let first_move = record.moves.first().map(|played| played.color);
        record.first = match self.first.or(first_move) {
            Some(first) => first,
            None => {
                let (first, warning) = unnamed_turn(&record.setup);
                self.game.warnings.extend(warning);
                first
            }
        };
        if let Some(start) = self.game.nodes.first_mut() {
            start.color = record.first.opponent();
            if record.comment.is_empty() {
                start.comment().clone_into(&mut record.comment);
            }
        }
        self.game.settle();
        self.game
    }
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
