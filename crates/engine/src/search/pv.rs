//! Principal variations, collected on the way back to the root.

use super::limits::MAX_PLY;
use crate::rules::Point;

/// The principal variation of every ply, as a triangular table.
pub(super) struct PvTable {
    points: Box<[[Point; MAX_PLY]]>,
    /// The ply at which each variation ends.
    ends: [usize; MAX_PLY + 1],
}

impl PvTable {
    pub(super) fn new() -> PvTable {
        PvTable {
            points: vec![[Point::NONE; MAX_PLY]; MAX_PLY].into(),
            ends: [0; MAX_PLY + 1],
        }
    }

    /// Empties the variation at `ply`.
    #[inline]
    pub(super) fn clear(&mut self, ply: usize) {
        self.ends[ply] = ply;
    }

    /// Makes the variation at `ply` the move to `point` and then the variation
    /// of the next ply.
    pub(super) fn update(&mut self, ply: usize, point: Point) {
        let end = self.ends[ply + 1].max(ply + 1);
        let (here, below) = self.points.split_at_mut(ply + 1);
        here[ply][ply] = point;
        if let Some(next) = below.first() {
            here[ply][ply + 1..end].copy_from_slice(&next[ply + 1..end]);
        }
        self.ends[ply] = end;
    }

    /// The variation after the root move that was searched last.
    pub(super) fn after_root_move(&self) -> &[Point] {
        &self.points[1][1..self.ends[1].max(1)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variations_grow_towards_the_root() {
        let mut pv = PvTable::new();
        let points: Vec<Point> = (0..4).map(|x| Point::new(x, 0)).collect();
        (1..=4).for_each(|ply| pv.clear(ply));
        for ply in (1..4).rev() {
            pv.update(ply, points[ply]);
        }
        assert_eq!(pv.after_root_move(), &points[1..]);
        // A better move at ply 1 that ends the game.
        pv.clear(2);
        pv.update(1, points[0]);
        assert_eq!(pv.after_root_move(), &points[..1]);
        pv.clear(1);
        assert!(pv.after_root_move().is_empty());
    }
}
