//! Which moves of a position are worth a search.

use crate::position::Position;
use crate::rules::PointSet;
use crate::threats::{ThreatStatus, defences};

/// The points worth trying for the side to move: the answers and fours where
/// the opponent threatens to win, else all points near a stone.
pub(super) fn candidates(position: &Position, status: ThreatStatus) -> PointSet {
    match status {
        ThreatStatus::OnlyMove(point) => return PointSet::from_iter([point]),
        ThreatStatus::MustDefend => return defences(position),
        _ => {}
    }
    let near = position.empty_near_stones();
    if !near.is_empty() {
        return near;
    }
    let empty = position.board().difference(position.occupied());
    let centre = position.size().centre();
    if empty.has(centre) {
        PointSet::from_iter([centre])
    } else {
        empty
    }
}
