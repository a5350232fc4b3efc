//! RenLib's libraries, with variations and remarks.
//!
//! Messages are text, so the bytes of a library travel as a data URL in base64, which
//! browsers read and write.

use super::data_url::data_url;
use super::error::BoardError;
use super::tree::{GameTree, ROOT};
use quincunx_engine::game::SetUp;
use quincunx_engine::rules::{Color, Point};
use quincunx_records::renlib::{self, LibraryMove, SIDE};

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
