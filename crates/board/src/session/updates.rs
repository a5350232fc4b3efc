//! Updates of a front after a change: the whole state, or the new nodes of the tree alone.

use crate::message::Setup;
use crate::opening_event::PlyEvent;
use crate::tree::NodeId;
use std::collections::BTreeSet;

/// The most positions of a tree whose saved text is short enough for every state.
pub(super) const SMALL: usize = 500;

/// The state that was sent last, without the tree.
#[derive(PartialEq)]
pub(super) struct SentState {
    pub(super) setup: Setup,
    pub(super) events: Vec<PlyEvent>,
    /// True if there was a review to keep.
    pub(super) is_reviewed: bool,
}

/// The part of the tree that an update has.
#[derive(Default)]
pub(super) struct TreeUpdate {
    /// True if the whole tree has changed.
    pub(super) whole: bool,
    /// Otherwise these nodes of it.
    pub(super) nodes: BTreeSet<NodeId>,
    /// The removed nodes.
    pub(super) removed: Vec<NodeId>,
    /// True if the saved text has changed.
    pub(super) save: bool,
}
