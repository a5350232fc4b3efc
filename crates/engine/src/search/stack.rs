//! The entries of the nodes on the way to the current one.

use super::depth::Depth;
use super::limits::MAX_PLY;
use crate::pattern::Class;
use crate::position::Position;
use crate::rules::Point;
use crate::score::Score;
use std::ops::{Index, IndexMut};

/// One node of the line that is being searched.
#[derive(Clone, Copy)]
pub(super) struct StackEntry {
    /// The move that is being searched; [`Point::NONE`] is a null move.
    pub(super) point: Point,
    /// The class that the move makes.
    pub(super) class: Class,
    /// The static eval for the side to move.
    pub(super) static_eval: Score,
    /// The last two quiet moves that refuted a sibling.
    pub(super) killers: [Point; 2],
    /// The move that a singular search leaves out.
    pub(super) excluded: Point,
    /// The depth that double extensions have added from the root to here.
    pub(super) double_extension: Depth,
    /// The reduction of the move that is being searched.
    pub(super) reduction: Depth,
    /// True if the node is or was on the principal variation.
    pub(super) tt_pv: bool,
}

impl StackEntry {
    const EMPTY: StackEntry = StackEntry {
        point: Point::NONE,
        class: Class::None,
        static_eval: Score::ZERO,
        killers: [Point::NONE; 2],
        excluded: Point::NONE,
        double_extension: 0,
        reduction: 0,
        tt_pv: false,
    };
}

/// The number of plies before the root that have entries.
const BEFORE_ROOT: usize = 4;

/// An entry for each ply, the last moves before the root included.
pub(super) struct Stack(Box<[StackEntry]>);

impl Stack {
    /// The stack of a search of `position`.
    pub(super) fn new(position: &Position) -> Stack {
        let mut entries = vec![StackEntry::EMPTY; BEFORE_ROOT + MAX_PLY + 3];
        let before_root = entries[..BEFORE_ROOT].iter_mut().rev();
        let mut before = position.clone();
        for (entry, (color, point)) in before_root.zip(position.moves().rev()) {
            before.undo();
            entry.point = point;
            entry.class = before.class(color, point);
        }
        Stack(entries.into())
    }

    /// The entry `back` plies before `ply`, at most four.
    #[inline]
    pub(super) fn before(&self, ply: usize, back: usize) -> &StackEntry {
        &self.0[ply + BEFORE_ROOT - back]
    }

    /// The last stone of the side to move at `ply`.
    #[inline]
    pub(super) fn own_last(&self, ply: usize) -> Option<Point> {
        Some(self.before(ply, 2).point).filter(|&point| point != Point::NONE)
    }

    /// The last stone of its opponent.
    #[inline]
    pub(super) fn their_last(&self, ply: usize) -> Option<Point> {
        Some(self.before(ply, 1).point).filter(|&point| point != Point::NONE)
    }
}

impl Index<usize> for Stack {
    type Output = StackEntry;

    #[inline]
    fn index(&self, ply: usize) -> &StackEntry {
        &self.0[ply + BEFORE_ROOT]
    }
}

impl IndexMut<usize> for Stack {
    #[inline]
    fn index_mut(&mut self, ply: usize) -> &mut StackEntry {
        &mut self.0[ply + BEFORE_ROOT]
    }
}

#[cfg(test)]
mod tests {
    use crate::pattern::Class;
    use crate::rules::Rule;
    use crate::search::search_thread::tests::on_thread;

    /// The moves before the root once had no classes, as if none of them were a threat.
    #[test]
    fn moves_before_the_root_have_classes() {
        on_thread(Rule::Freestyle, "h8a1i8a15j8k8", |thread| {
            let classes = [4, 3, 2, 1].map(|back| thread.stack.before(0, back).class);
            let made = [Class::OpenTwo, Class::None, Class::OpenThree, Class::None];
            assert_eq!(classes, made);
        });
    }
}
