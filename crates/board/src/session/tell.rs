//! What a front is told after a change: everything, or of the tree what is new.

use crate::message::Setup;
use crate::said::Saying;
use crate::tree::NodeId;
use std::collections::BTreeSet;

/// With a tree of at most so many positions the text to keep is short, and told every time.
pub(super) const SMALL: usize = 500;

/// What a front was told last, besides the tree.
#[derive(PartialEq)]
pub(super) struct Told {
    pub(super) setup: Setup,
    pub(super) said: Vec<Saying>,
    /// Whether there was a review to keep.
    pub(super) is_reviewed: bool,
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
