//! The properties of a move by which it is pruned, reduced or extended.

use super::picker::PickedMove;
use super::search_thread::SearchThread;
use crate::eval::Evaluator;
use crate::pattern::Class;
use crate::rules::Point;

/// A move of a node, before it is played.
#[derive(Clone, Copy)]
pub(super) struct MoveInfo {
    pub(super) point: Point,
    /// Its number among the moves of the node that are searched, from one on.
    pub(super) number: usize,
    /// The class that the move makes.
    pub(super) makes: Class,
    /// The class that the opponent would make there.
    pub(super) prevents: Class,
    /// The distance from the side's own last stone.
    pub(super) from_own: usize,
    /// The distance from the opponent's last stone.
    pub(super) from_theirs: usize,
    /// The distance of the move score from the best one of the node.
    pub(super) score_gap: i32,
}

impl MoveInfo {
    /// A distance from a stone beyond which a move does not belong to it.
    pub(super) const FAR: usize = 4;

    /// Returns whether the move makes and prevents nothing.
    pub(super) fn is_shapeless(&self) -> bool {
        self.makes == Class::None && self.prevents == Class::None
    }

    /// Returns whether the move is far from the last stones.
    pub(super) fn is_far(&self) -> bool {
        self.from_own > Self::FAR && self.from_theirs > Self::FAR
    }
}

impl<E: Evaluator> SearchThread<'_, E> {
    /// What can be said of the move that is searched as number `number` at
    /// `ply`.
    pub(super) fn move_info(&self, ply: usize, picked: PickedMove, number: usize) -> MoveInfo {
        let PickedMove { point, score_gap } = picked;
        let side = self.position.side();
        let distance = |stone: Option<Point>| match stone {
            Some(stone) => stone.distance(point),
            None => usize::MAX,
        };
        MoveInfo {
            point,
            number,
            makes: self.position.class(side, point),
            prevents: self.position.class(side.opponent(), point),
            from_own: distance(self.stack.own_last(ply)),
            from_theirs: distance(self.stack.their_last(ply)),
            score_gap,
        }
    }
}
