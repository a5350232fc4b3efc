//! The tree of a session's game, and the position of it that is shown.

use crate::error::BoardError;
use crate::tree::{GameTree, NodeId, ROOT};
use quincunx_engine::game::{Game, SetUp};

/// A game tree and one position of it: the one that is shown, where the next move is played.
pub(super) struct Cursor {
    /// The stones before the first move.
    pub(super) start: SetUp,
    pub(super) tree: GameTree,
    /// The node of the position.
    pub(super) node: NodeId,
    /// The game up to the position.
    pub(super) game: Game,
}

impl Cursor {
    /// An empty board with a tree without moves.
    pub(super) fn empty(start: SetUp) -> Cursor {
        Cursor {
            tree: GameTree::new(start.first),
            node: ROOT,
            game: Game::new(start.rule, start.size).drawn_when_stuck(),
            start,
        }
    }

    /// The position of this node. `None` if the moves up to it are not a game.
    pub(super) fn at(start: SetUp, mut tree: GameTree, node: NodeId) -> Option<Cursor> {
        let game = tree.game(&start, node)?;
        tree.visit(node);
        Some(Cursor {
            start,
            tree,
            node,
            game,
        })
    }

    /// Goes to another position of the tree.
    pub(super) fn go_to(&mut self, node: NodeId) -> Result<(), BoardError> {
        self.known(node)?;
        self.game = (self.tree.game(&self.start, node)).ok_or(BoardError::NoNode)?;
        self.node = node;
        self.tree.visit(node);
        Ok(())
    }

    /// Refuses a node that the tree does not have.
    pub(super) fn known(&self, node: NodeId) -> Result<(), BoardError> {
        self.tree.get(node).map(|_| ()).ok_or(BoardError::NoNode)
    }

    /// The number of moves up to the position; in an opening, the number of its stones.
    pub(super) fn stones(&self) -> usize {
        self.tree.depth(self.node)
    }

    /// Returns true if a move has been made, here or in a variation.
    pub(super) fn has_moves(&self) -> bool {
        self.tree.iter().nth(1).is_some()
    }

    /// Returns true if the game was ended at this position without a move.
    pub(super) fn has_ending(&self) -> bool {
        let node = self.tree.get(self.node);
        node.is_some_and(|node| node.ending.is_some())
    }

    /// The game up to the position, as if it had not been ended there.
    pub(super) fn game_to_go_on(&self) -> Result<Game, BoardError> {
        let game = self.tree.unended_game(&self.start, self.node);
        game.map(Game::drawn_when_stuck).ok_or(BoardError::NoNode)
    }
}
