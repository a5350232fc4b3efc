//! What a front is told after a change: everything, or of the tree what is new.

use super::Session;
use crate::message::{ServerMessage, Setup};
use crate::said::Saying;
use crate::tree::NodeId;
use std::collections::BTreeSet;

/// With a tree of at most so many positions the text to keep is short, and told every time.
const SMALL: usize = 500;

/// What a front was told last, besides the tree.
#[derive(PartialEq)]
pub(super) struct Told {
    setup: Setup,
    said: Vec<Saying>,
}

/// How much a front is told of the tree.
#[derive(Default)]
pub(super) struct Telling {
    /// All of it.
    pub(super) whole: bool,
    /// Otherwise these nodes of it.
    pub(super) nodes: BTreeSet<NodeId>,
    /// The nodes that are gone.
    pub(super) removed: Vec<NodeId>,
    /// Whether there is something new to keep.
    pub(super) save: bool,
}

impl Session {
    /// Tells the front what it shows from now on.
    pub(super) fn tell(&mut self) -> ServerMessage {
        let told = Told {
            setup: self.setup.clone(),
            said: self.said.clone(),
        };
        let changes = self.tree.take_changes();
        let whole = !self.tells_changes || self.told.is_none();
        let is_small = self.tree.len() <= SMALL;
        let is_same = self.told.as_ref() == Some(&told);
        let telling = Telling {
            whole,
            save: whole || is_small || changes.is_to_be_kept || !is_same,
            nodes: changes.nodes,
            removed: if whole { Vec::new() } else { changes.removed },
        };
        self.told = Some(told);
        ServerMessage::State(Box::new(self.state_with(telling)))
    }
}
