//! RenLib's libraries, with variations, remarks and labels.
//!
//! Messages are text, so the bytes of a library travel as a data URL in base64, which
//! browsers read and write.

use super::data_url::data_url;
use super::error::BoardError;
use super::label::labels_of;
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
    let mut pending = vec![(ROOT, 0, String::new())];
    while let Some((id, depth, mark)) = pending.pop() {
        let Some(node) = tree.get(id) else { continue };
        moves.push(LibraryMove {
            depth,
            point: Some(node.point).filter(|point| *point != Point::NONE),
            mark,
            comment: node.comment.clone(),
            ..LibraryMove::default()
        });
        // A label is the mark of the move to its point, or stands alone.
        let mut labels = labels_of(&node.properties, start.size);
        let first = pending.len();
        for &child in &node.children {
            let point = tree.get(child).map(|child| child.point);
            let label = labels.iter().position(|label| Some(label.0) == point);
            let mark = label.map_or_else(String::new, |at| labels.remove(at).1);
            pending.push((child, depth + 1, mark));
        }
        pending[first..].reverse();
        let alone = labels.into_iter().filter(|(_, mark)| !mark.is_empty());
        moves.extend(alone.map(|(point, mark)| LibraryMove {
            depth: depth + 1,
            point: Some(point),
            mark,
            is_mark: true,
            ..LibraryMove::default()
        }));
    }
    Ok(data_url("application/octet-stream", &renlib::write(&moves)))
}
