//! What a search line remembers ply by ply.

use super::MAX_PLY;
use super::depth::Depth;
use crate::pattern::Class;
use crate::rules::Point;

/// One ply of the current line.
#[derive(Clone, Copy)]
pub(super) struct Frame {
    /// The move being searched.
    pub(super) point: Point,
    /// What that move threatens.
    pub(super) class: Class,
    /// The evaluation for the side to move here.
    pub(super) eval: i32,
    /// The last two still moves that refuted a sibling.
    pub(super) killers: [Point; 2],
    /// A move that must not be tried: a singular search is on.
    pub(super) excluded: Point,
    /// Extensions on the way here.
    pub(super) extension: Depth,
    /// How much less deep that move is being searched; zero but in a first try
    /// of a late move below the root.
    pub(super) reduction: Depth,
    /// Whether the node is or was on the principal variation.
    pub(super) was_pv: bool,
}

impl Frame {
    pub(super) const EMPTY: Frame = Frame {
        point: Point::NONE,
        class: Class::None,
        eval: 0,
        killers: [Point::NONE; 2],
        excluded: Point::NONE,
        extension: 0,
        reduction: 0,
        was_pv: false,
    };
}

/// The principal variations of all plies, as a triangle.
pub(super) struct Lines {
    points: Box<[[Point; MAX_PLY]]>,
    lengths: [usize; MAX_PLY + 1],
}

impl Lines {
    pub(super) fn new() -> Lines {
        Lines {
            points: vec![[Point::NONE; MAX_PLY]; MAX_PLY].into(),
            lengths: [0; MAX_PLY + 1],
        }
    }

    /// The line at `ply` is empty for now.
    #[inline]
    pub(super) fn clear(&mut self, ply: usize) {
        self.lengths[ply] = ply;
    }

    /// The line at `ply` is `point` and then the line of the next ply.
    pub(super) fn extend(&mut self, ply: usize, point: Point) {
        let end = self.lengths[ply + 1].max(ply + 1);
        let (here, below) = self.points.split_at_mut(ply + 1);
        here[ply][ply] = point;
        if let Some(next) = below.first() {
            here[ply][ply + 1..end].copy_from_slice(&next[ply + 1..end]);
        }
        self.lengths[ply] = end;
    }

    /// The line at the ply below the root.
    pub(super) fn below_root(&self) -> &[Point] {
        &self.points[1][1..self.lengths[1].max(1)]
    }
}
