//! Games in and out: SGF with variations and remarks, PSQ, and position text.

use super::error::BoardError;
use super::library;
use super::tree::{GameTree, NodeId, Opened, ROOT, follow};
use quincunx_engine::game::{Game, GameResult, SetUp};
use quincunx_engine::position::Position;
use quincunx_engine::rules::{BoardSize, Point, Rule};
use quincunx_records::psq::PsqError;
use quincunx_records::sgf::{self, Property, Tree};
use quincunx_records::{GameRecord, psq};

/// Reads SGF, PSQ, RenLib, a line `SIZE RULE MOVES`, or moves alone, which are on a board
/// of this size and under this rule. Where SGF and PSQ name no rule it is also
/// this one.
pub(super) fn open(text: &str, rule: Rule, size: BoardSize) -> Result<Opened, BoardError> {
    let text = text.trim_start_matches('\u{feff}').trim();
    if text.starts_with('(') {
        return open_sgf(text, rule);
    }
    if library::is_library(text) {
        return library::open(text, rule, size);
    }
    if text.starts_with("Piskvorky") {
        return open_record(&psq::read(text)?, rule);
    }
    let words = text.split_whitespace().count();
    let named = text.split_whitespace().nth(1).map(str::parse::<Rule>);
    let position = match named {
        Some(Ok(_)) => Position::from_line(text)?,
        _ if words == 0 => return Err(BoardError::UnknownFormat),
        _ => Position::from_moves(rule, size, text)?,
    };
    open_record(&GameRecord::of(&Game::from_position(position)), rule)
}

fn open_record(record: &GameRecord, rule: Rule) -> Result<Opened, BoardError> {
    // Says what is wrong with it, if anything is.
    let game = record.replay(rule)?;
    let start = record.start(rule);
    let mut tree = GameTree::new(start.first);
    let mut node = ROOT;
    for (color, point) in game.moves() {
        node = tree.add(node, color, point).ok_or(BoardError::Full)?;
    }
    keep_ending(&mut tree, node, game.result());
    Ok(Opened {
        start,
        tree,
        names: [record.black.clone(), record.white.clone()],
        node,
    })
}

fn open_sgf(text: &str, rule: Rule) -> Result<Opened, BoardError> {
    let trees = Tree::parse(text).map_err(sgf::SgfError::from)?;
    let source = trees.first().ok_or(BoardError::UnknownFormat)?;
    let record = sgf::record(source)?;
    let start = record.start(rule);
    record.replay(rule)?;
    let mut tree = GameTree::new(start.first);
    let mut game = Game::from_position(start.position()?);
    let children = source.children();
    // Nodes with the one before each of them, and the moves up to that one.
    let mut pending = vec![(0, ROOT, game.ply())];
    while let Some((from, parent, ply)) = pending.pop() {
        while game.ply() > ply {
            game.undo();
        }
        let properties = source.properties(from);
        let Some(node) = add_move(&mut tree, &mut game, parent, properties)? else {
            // A variation that nobody could play is left out.
            continue;
        };
        if let Some(text) = remark(properties) {
            (tree.remark(node, text.to_owned())).ok_or(BoardError::Full)?;
        }
        let next = children[from].iter().rev();
        pending.extend(next.map(|&child| (child, node, game.ply())));
    }
    let node = tree.end();
    keep_ending(&mut tree, node, record.result);
    Ok(Opened {
        start,
        tree,
        names: [record.black, record.white],
        node,
    })
}

/// Makes the move of a node of a file and adds it, with a pass before it where the
/// colours ask for one. A node without a move stays where it is. `None` if the move
/// can't be made; a pass before it may have been made then.
fn add_move(
    tree: &mut GameTree,
    game: &mut Game,
    parent: NodeId,
    properties: &[Property],
) -> Result<Option<NodeId>, BoardError> {
    let Ok(Some((color, point))) = sgf::node_move(game.size(), properties) else {
        return Ok(Some(parent));
    };
    let pass = (game.side() != color).then_some((color.opponent(), Point::NONE));
    let moves = pass.into_iter().chain([(color, point)]);
    let mut steps = moves.clone();
    if !steps.all(|(color, point)| follow(game, color, point).is_some()) {
        return Ok(None);
    }
    let mut node = parent;
    for (color, point) in moves {
        node = tree.add(node, color, point).ok_or(BoardError::Full)?;
    }
    Ok(Some(node))
}

fn remark(properties: &[Property]) -> Option<&str> {
    let is_remark = |property: &&Property| property.name == "C";
    properties.iter().find(is_remark).map(Property::value)
}

/// Keeps a result that the stones do not decide.
fn keep_ending(tree: &mut GameTree, node: NodeId, result: Option<GameResult>) {
    let ending = result.filter(|result| !result.termination.comes_with_a_move());
    if let Some(node) = tree.get_mut(node) {
        node.ending = ending;
    }
}

/// The whole game with its variations. The result is that of the main line.
pub(super) fn sgf(start: &SetUp, tree: &GameTree, names: Option<[String; 2]>) -> String {
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
    let mut written = Tree::default();
    let mut pending = vec![(ROOT, None)];
    while let Some((id, parent)) = pending.pop() {
        let Some(node) = tree.get(id) else { continue };
        let mut properties = match parent {
            None => sgf::root(&record),
            Some(_) => vec![sgf::move_property(start.size, node.color, node.point)],
        };
        if !node.comment.is_empty() {
            properties.push(Property::new("C", node.comment.clone()));
        }
        let number = written.add(parent, properties);
        let children = node.children.iter().rev();
        pending.extend(children.map(|&child| (child, Some(number))));
    }
    written.to_string()
}

/// The moves of the game as piskvork writes them.
pub(super) fn psq(game: &Game, names: Option<[String; 2]>) -> Result<String, PsqError> {
    let mut record = GameRecord::of(game);
    [record.black, record.white] = names.unwrap_or_default();
    psq::write(&record)
}

/// A line `SIZE RULE MOVES`.
pub(super) fn line(game: &Game) -> String {
    let moves = game.position().move_text();
    let line = format!("{} {} {moves}", game.size(), game.rule());
    line.trim_end().to_owned()
}
