//! Games in and out: files of every format in, with variations and remarks; SGF, PSQ and
//! position text and GIF out.

use super::data_url::data_url;
use super::error::BoardError;
use super::picture_options::PictureOptions;
use super::tree::{GameTree, NodeId, ParsedGame, ROOT};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use quincunx_analysis::diagram::{self, AnimationError, Diagram};
use quincunx_engine::game::{Game, GameResult, SetUp};
use quincunx_engine::rules::{BoardSize, Color, Point, Rule};
use quincunx_records::psq::PsqError;
use quincunx_records::sgf::{self, Property, Tree};
use quincunx_records::{Encoding, GameRecord, ReadDefaults, RecordNode, RecordTree, Source, psq};
use std::collections::BTreeMap;

/// A file that is to be opened.
pub(super) struct File<'a> {
    /// Its text, or its bytes as a data URL in base64.
    pub(super) text: &'a str,
    pub(super) name: Option<&'a str>,
    /// The encoding, if the file does not name it.
    pub(super) encoding: Option<&'a str>,
    /// Which game of several, from one.
    pub(super) game: usize,
}

/// Reads a file. A position that names no rule and no board is played as `start` is. A rule
/// that is not known is never taken from there, nor the board of an SGF game that names none.
pub(super) fn open(file: &File<'_>, start: &SetUp) -> Result<ParsedGame, BoardError> {
    let bytes = match file.text.trim_start().strip_prefix("data:") {
        Some(url) => {
            let (_, data) = url.split_once(";base64,").ok_or(BoardError::DataUrl)?;
            let bytes = STANDARD.decode(data.trim());
            Some(bytes.map_err(|_| BoardError::DataUrl)?)
        }
        None => None,
    };
    let encoding = match (&bytes, file.encoding) {
        // It is text already, whatever it says of itself.
        (None, _) => Some(Encoding::UTF_8),
        (Some(_), name) => name.map(str::parse).transpose()?,
    };
    let source = Source {
        bytes: bytes.as_deref().unwrap_or(file.text.as_bytes()),
        name: file.name,
        encoding,
    };
    let expected = ReadDefaults {
        rule: start.rule,
        unknown_rule: Rule::default(),
        size: start.size,
        unknown_size: BoardSize::default(),
        is_rule_named: false,
    };
    let read = quincunx_records::open(source, expected)?;
    let games = read.games.len();
    let read = read.game(file.game)?;
    opened(read, games, start.rule)
}

/// Converts a game, one of `games` in its file, to the board's form.
fn opened(read: RecordTree, games: usize, rule: Rule) -> Result<ParsedGame, BoardError> {
    let start = read.record.start(rule);
    let mut tree = GameTree::new(start.first);
    // Where the nodes that were read are in the tree.
    let mut places = vec![ROOT];
    for node in read.nodes.iter().skip(1) {
        let parent = node.parent().and_then(|parent| places.get(parent)).copied();
        places.push(add(&mut tree, parent.unwrap_or(ROOT), node)?);
    }
    add_texts(&mut tree, &read.nodes, &places)?;
    let node = tree.end();
    keep_ending(&mut tree, node, read.record.result);
    Ok(ParsedGame {
        start,
        tree,
        names: [read.record.black, read.record.white],
        node,
        remarks: read.warnings,
        games,
    })
}

/// Adds a move, with a pass before it where the colours ask for one.
fn add(tree: &mut GameTree, parent: NodeId, node: &RecordNode) -> Result<NodeId, BoardError> {
    let mut parent = parent;
    let before = tree.get(parent).map(|before| before.color);
    if before == Some(node.color) {
        let pass = tree.add(parent, node.color.opponent(), Point::NONE);
        parent = pass.ok_or(BoardError::Full)?;
    }
    tree.add(parent, node.color, node.point)
        .ok_or(BoardError::Full)
}

/// Adds the comments and properties of a file to the tree. The nodes of a file that are the same
/// move are joined first, so that each position is written once.
fn add_texts(
    tree: &mut GameTree,
    nodes: &[RecordNode],
    places: &[NodeId],
) -> Result<(), BoardError> {
    let mut texts: BTreeMap<NodeId, (String, String)> = BTreeMap::new();
    for (node, &place) in nodes.iter().zip(places) {
        let (comment, properties) = texts.entry(place).or_default();
        if !node.comment().is_empty() && !comment.is_empty() {
            comment.push('\n');
        }
        comment.push_str(node.comment());
        properties.extend(node.properties().iter().map(Property::to_string));
    }
    for (place, (comment, properties)) in texts {
        tree.remark(place, comment).ok_or(BoardError::Full)?;
        tree.keep(place, properties).ok_or(BoardError::Full)?;
    }
    Ok(())
}

/// Adds a result that the stones do not decide.
fn keep_ending(tree: &mut GameTree, node: NodeId, result: Option<GameResult>) {
    let ending = result.filter(|result| !result.termination.comes_with_a_move());
    if let Some(node) = tree.get_mut(node) {
        node.ending = ending;
    }
}

/// The whole game with its variations, depth first. The result is that of the main line.
pub(super) fn recorded(start: &SetUp, tree: &GameTree, names: Option<[String; 2]>) -> RecordTree {
    let [black, white] = names.unwrap_or_default();
    let game = tree.game(start, tree.end());
    let record = GameRecord {
        black,
        white,
        result: game.and_then(|game| game.result()),
        setup: start.stones.clone(),
        first: start.first,
        ..GameRecord::new(Some(start.rule), start.size)
    };
    let mut nodes = Vec::with_capacity(tree.len());
    // The numbers there of the nodes of the tree.
    let mut numbers = BTreeMap::new();
    for node in tree.depth_first() {
        numbers.insert(node.id, nodes.len());
        let parent = node.parent.and_then(|parent| numbers.get(&parent));
        let mut properties = Property::parse(&node.properties);
        if let Some(class) = node.verdict {
            class.annotate(&mut properties);
        }
        let written = RecordNode::new(parent.copied(), node.color, node.point);
        nodes.push(written.with(node.comment.clone(), properties));
    }
    let mut game = RecordTree {
        record,
        nodes,
        warnings: Vec::new(),
    };
    game.record_main_line();
    game
}

/// A game with its variations as SGF.
pub(super) fn sgf(game: &RecordTree) -> String {
    let size = game.record.size;
    let mut written = Tree::default();
    for node in &game.nodes {
        let mut properties = match node.parent() {
            None => sgf::root(&game.record),
            Some(_) => vec![sgf::move_property(size, node.color, node.point)],
        };
        if !node.comment().is_empty() {
            properties.push(Property::new("C", node.comment()));
        }
        // What the file that was opened says besides, unless the game says it by now.
        let others = node.properties().iter();
        let is_new = |other: &&Property| properties.iter().all(|own| own.name != other.name);
        let others: Vec<Property> = others.filter(is_new).cloned().collect();
        properties.extend(others);
        written.add(node.parent(), properties);
    }
    written.to_string()
}

/// The moves of the game as piskvork writes them.
pub(super) fn psq(game: &Game, names: Option<[String; 2]>) -> Result<String, PsqError> {
    let mut record = GameRecord::of(game);
    // Readers take it that black begins, and that the colours take turns.
    let turn = match record.moves.len() % 2 {
        0 => Color::Black,
        _ => Color::White,
    };
    if game.side() != turn {
        return Err(PsqError::OutOfTurn(record.moves.len() + 1));
    }
    [record.black, record.white] = names.unwrap_or_default();
    psq::write(&record)
}

/// The moves of the game as the data URL of a GIF.
pub(super) fn gif(game: &Game, look: PictureOptions) -> Result<String, AnimationError> {
    let pictures = Diagram::each_of(game).into_iter().map(|picture| Diagram {
        theme: look.theme.into(),
        view: look.symmetry(),
        ..picture.without_numbers()
    });
    let bytes = diagram::gif(&pictures.collect::<Vec<_>>())?;
    Ok(data_url("image/gif", &bytes))
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use std::time::{Duration, Instant};

    /// The remarks on a move were once copied each time that the file has the move.
    #[test]
    fn a_move_that_is_there_often_is_read_soon() {
        let note = "x".repeat(900_000);
        let often = "(;B[hh])".repeat(100_000);
        let text = format!("(;GM[4]SZ[15](;B[hh]X1[{note}]C[a]){often}(;B[hh]C[b]))");
        let file = File {
            text: &text,
            name: None,
            encoding: None,
            game: 1,
        };
        let begin = Instant::now();
        let empty = SetUp::empty(Rule::Freestyle, BoardSize::default());
        let opened = open(&file, &empty).unwrap();
        assert!(begin.elapsed() < Duration::from_secs(20));
        let node = opened.tree.get(opened.node).unwrap();
        let texts = (node.comment.as_str(), node.properties.len());
        assert_eq!(texts, ("a\nb", "X1[]".len() + note.len()));
    }
}
