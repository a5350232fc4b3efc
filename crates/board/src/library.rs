//! RenLib's libraries in and out, with variations and remarks.
//!
//! Messages are text, so the bytes of a library travel as a data URL in base64, which
//! browsers read and write.

use super::error::BoardError;
use super::tree::{GameTree, NodeId, Opened, ROOT, follow};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use quincunx_engine::game::{Game, SetUp};
use quincunx_engine::rules::{BoardSize, Color, Point, Rule};
use quincunx_records::renlib::{self, LibraryMove, SIDE};

/// Whether a text may hold a library.
pub(super) fn is_library(text: &str) -> bool {
    text.starts_with("data:")
}

/// Reads a library as a game under this rule. The board has this size if a library can
/// have it and all moves fit; else it is 15 by 15. Moves that nobody could play are left
/// out with all that follows.
pub(super) fn open(text: &str, rule: Rule, size: BoardSize) -> Result<Opened, BoardError> {
    let (_, data) = (text.split_once(";base64,")).ok_or(BoardError::UnknownFormat)?;
    let bytes = STANDARD.decode(data.trim());
    let moves = renlib::read(&bytes.map_err(|_| BoardError::UnknownFormat)?)?;
    let mut points = moves.iter().filter_map(|read| read.point);
    let fits = size.width() <= SIDE && size.height() <= SIDE && points.all(|it| size.has(it));
    let start = SetUp::empty(rule, if fits { size } else { BoardSize::default() });
    let mut tree = GameTree::new(start.first);
    let mut game = Game::new(start.rule, start.size);
    let mut path = vec![ROOT];
    // Moves deeper than this follow one that nobody could play.
    let mut left_out = usize::MAX;
    for read in moves {
        if read.depth > left_out {
            continue;
        }
        left_out = usize::MAX;
        if read.depth > 0 {
            path.truncate(read.depth);
            while game.ply() + 1 > read.depth {
                game.undo();
            }
            match add(&mut tree, &mut game, &path, &read)? {
                Some(node) => path.push(node),
                None => {
                    left_out = read.depth;
                    continue;
                }
            }
        }
        if let Some(&node) = path.last() {
            tree.remark(node, remark(read)).ok_or(BoardError::Full)?;
        }
    }
    Ok(Opened {
        node: tree.end(),
        start,
        tree,
        names: Default::default(),
    })
}

/// Adds a move after those of a path. `None` if it can't be played.
fn add(
    tree: &mut GameTree,
    game: &mut Game,
    path: &[NodeId],
    read: &LibraryMove,
) -> Result<Option<NodeId>, BoardError> {
    let (color, point) = (game.side(), read.point.unwrap_or(Point::NONE));
    if path.len() != read.depth || follow(game, color, point).is_none() {
        return Ok(None);
    }
    let parent = path.last().copied().unwrap_or(ROOT);
    let node = tree.add(parent, color, point);
    node.map(Some).ok_or(BoardError::Full)
}

/// What the library says of a position: the mark that boards show, and the comment.
fn remark(read: LibraryMove) -> String {
    match (read.mark.is_empty(), read.comment.is_empty()) {
        (true, _) => read.comment,
        (false, true) => read.mark,
        (false, false) => format!("{}\n{}", read.mark, read.comment),
    }
}

/// The whole game with its variations as a library.
pub(super) fn write(start: &SetUp, tree: &GameTree) -> Result<String, BoardError> {
    let has_room = start.size.width() <= SIDE && start.size.height() <= SIDE;
    if !has_room || !start.stones.is_empty() || start.first != Color::Black {
        return Err(BoardError::NoLibrary);
    }
    let mut moves = Vec::new();
    let mut pending = vec![(ROOT, 0)];
    while let Some((id, depth)) = pending.pop() {
        let Some(node) = tree.get(id) else { continue };
        moves.push(LibraryMove {
            depth,
            point: Some(node.point).filter(|point| *point != Point::NONE),
            comment: node.comment.clone(),
            ..LibraryMove::default()
        });
        let children = node.children.iter().rev();
        pending.extend(children.map(|&child| (child, depth + 1)));
    }
    Ok(data_url("application/octet-stream", &renlib::write(&moves)))
}

/// Bytes of this kind as text.
pub(super) fn data_url(kind: &str, bytes: &[u8]) -> String {
    format!("data:{kind};base64,{}", STANDARD.encode(bytes))
}
