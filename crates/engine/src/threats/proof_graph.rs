//! The memory of the search for threes and fours: a graph of the positions it
//! has visited, with proof and disproof numbers.
//!
//! Positions that transpose are one node. Children are generated once and kept,
//! because generating them is the expensive part.

use crate::rules::Point;
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use std::num::NonZeroU32;

/// Infinity, with room for additions.
pub(super) const INFINITE: u32 = u32::MAX / 4;

/// The most children of all nodes, and the most points of all lines: both are numbered by a
/// `u32`. A node adds fewer than [`Point::GRID`] of either.
const MOST: usize = u32::MAX as usize - Point::GRID;

/// Which side is to move in a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Turn {
    Attacker,
    Defender,
}

/// The least number of positions that must still be won to prove a node, and
/// that must still be lost to disprove it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ProofNumbers {
    pub(super) proof: u32,
    pub(super) disproof: u32,
}

impl ProofNumbers {
    pub(super) const WON: ProofNumbers = ProofNumbers {
        proof: 0,
        disproof: INFINITE,
    };
    pub(super) const LOST: ProofNumbers = ProofNumbers {
        proof: INFINITE,
        disproof: 0,
    };

    /// Returns whether both stay below the limits.
    pub(super) fn below(self, limits: ProofNumbers) -> bool {
        self.proof < limits.proof && self.disproof < limits.disproof
    }

    /// The numbers as the other side sees them.
    fn turned(self) -> ProofNumbers {
        ProofNumbers {
            proof: self.disproof,
            disproof: self.proof,
        }
    }
}

/// The number of a node, from one on: an `Option<NodeId>` takes four bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct NodeId(NonZeroU32);

impl NodeId {
    fn index(self) -> usize {
        self.0.get() as usize - 1
    }
}

/// A move from a node.
#[derive(Clone, Copy, Debug)]
pub(super) struct Child {
    pub(super) point: Point,
    /// The proof number before the move has a node.
    pub(super) prior: u8,
    /// Amount added to the proof number of the node while it is not certain, so
    /// that other moves come first.
    pub(super) cost: u8,
    pub(super) node: Option<NodeId>,
}

// Children are most of the memory.
const _: () = assert!(size_of::<Child>() == 8);

/// A position that was visited.
#[derive(Clone, Copy, Debug)]
pub(super) struct ProofNode {
    pub(super) turn: Turn,
    pub(super) numbers: ProofNumbers,
    children: (u32, u32),
    line: (u32, u32),
}

/// Passes hash keys through: they are random numbers already.
#[derive(Default)]
struct KeyHasher(u64);

impl Hasher for KeyHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = self.0.rotate_left(8) ^ u64::from(byte);
        }
    }

    fn write_u64(&mut self, key: u64) {
        self.0 = key;
    }
}

/// All nodes of one search.
pub(super) struct ProofGraph {
    by_key: HashMap<u64, NodeId, BuildHasherDefault<KeyHasher>>,
    nodes: Vec<ProofNode>,
    children: Vec<Child>,
    lines: Vec<Point>,
    most_children: usize,
}

impl ProofGraph {
    /// A graph that takes about this many bytes when full.
    pub(super) fn new(bytes: usize) -> ProofGraph {
        ProofGraph {
            by_key: HashMap::default(),
            nodes: Vec::new(),
            children: Vec::new(),
            lines: Vec::new(),
            most_children: (bytes / (2 * size_of::<Child>())).min(MOST),
        }
    }

    pub(super) fn clear(&mut self) {
        self.by_key.clear();
        self.nodes.clear();
        self.children.clear();
        self.lines.clear();
    }

    /// Returns whether there is no room for another node, by the limit or in memory.
    pub(super) fn is_full(&mut self) -> bool {
        // A node takes about as much itself as eight children.
        self.children.len() + 8 * self.nodes.len() >= self.most_children
            || self.lines.len() >= MOST
            || !self.has_memory()
    }

    /// Returns whether there is memory for a node and its children, and finds it.
    fn has_memory(&mut self) -> bool {
        self.by_key.try_reserve(1).is_ok()
            && self.nodes.try_reserve(1).is_ok()
            && self.children.try_reserve(Point::GRID).is_ok()
            && self.lines.try_reserve(Point::GRID).is_ok()
    }

    pub(super) fn find(&self, key: u64) -> Option<NodeId> {
        self.by_key.get(&key).copied()
    }

    pub(super) fn node(&self, id: NodeId) -> &ProofNode {
        &self.nodes[id.index()]
    }

    pub(super) fn set_numbers(&mut self, id: NodeId, numbers: ProofNumbers) {
        self.nodes[id.index()].numbers = numbers;
    }

    /// Adds a position with its moves and, if the side to move is threatened,
    /// the line of fours that it would lose to.
    pub(super) fn add(
        &mut self,
        key: u64,
        turn: Turn,
        numbers: ProofNumbers,
        children: impl Iterator<Item = Child>,
        line: &[Point],
    ) -> NodeId {
        let number = self.nodes.len() as u32;
        let id = NodeId(NonZeroU32::MIN.saturating_add(number));
        let first = self.children.len() as u32;
        self.children.extend(children);
        let start = self.lines.len() as u32;
        self.lines.extend(line);
        self.nodes.push(ProofNode {
            turn,
            numbers,
            children: (first, self.children.len() as u32),
            line: (start, self.lines.len() as u32),
        });
        self.by_key.insert(key, id);
        id
    }

    pub(super) fn children(&self, id: NodeId) -> &[Child] {
        let (start, end) = self.node(id).children;
        &self.children[start as usize..end as usize]
    }

    pub(super) fn line(&self, id: NodeId) -> &[Point] {
        let (start, end) = self.node(id).line;
        &self.lines[start as usize..end as usize]
    }

    /// Sets the node that a child of `id` leads to, by the child's number.
    pub(super) fn link(&mut self, id: NodeId, number: usize, child: NodeId) {
        let (start, _) = self.node(id).children;
        self.children[start as usize + number].node = Some(child);
    }

    pub(super) fn numbers_of(&self, child: &Child) -> ProofNumbers {
        match child.node {
            Some(id) => {
                let numbers = self.node(id).numbers;
                match numbers.proof {
                    0 | INFINITE => numbers,
                    proof => ProofNumbers {
                        proof: proof + u32::from(child.cost),
                        ..numbers
                    },
                }
            }
            None => ProofNumbers {
                proof: u32::from(child.prior),
                disproof: 1,
            },
        }
    }

    /// Brings the numbers of `id` up to date. If they stay below `limits`,
    /// returns the number of the child to search next, and its own limits.
    ///
    /// The number for the case that every move fails is the largest of the
    /// children and one for each other child. The sum, which is usual, would
    /// count positions that transpose several times.
    pub(super) fn next(
        &mut self,
        id: NodeId,
        limits: ProofNumbers,
    ) -> Option<(usize, ProofNumbers)> {
        let turn = self.node(id).turn;
        // As the side to move sees it: it needs one success.
        let seen = |numbers: ProofNumbers| match turn {
            Turn::Attacker => numbers,
            Turn::Defender => numbers.turned(),
        };
        let (mut best, mut least, mut second) = (0, INFINITE, INFINITE);
        let (mut largest, mut open) = (0, 0);
        for (i, child) in self.children(id).iter().enumerate() {
            let numbers = seen(self.numbers_of(child));
            if numbers.proof < least {
                second = least;
                (best, least) = (i, numbers.proof);
            } else {
                second = second.min(numbers.proof);
            }
            largest = largest.max(numbers.disproof);
            open += u32::from(numbers.disproof > 0);
        }
        let others = open.saturating_sub(1);
        let numbers = if least == 0 {
            ProofNumbers::WON
        } else {
            ProofNumbers {
                proof: least,
                disproof: (largest + others).min(INFINITE),
            }
        };
        self.set_numbers(id, seen(numbers));
        let limits = seen(limits);
        if !numbers.below(limits) {
            return None;
        }
        let child_limits = ProofNumbers {
            // A little more than the second best, or the two would take turns
            // at every step.
            proof: limits.proof.min(second.saturating_add(1 + second / 10)),
            disproof: limits.disproof - others,
        };
        let mut limits = seen(child_limits);
        // The child's own numbers are without the cost.
        let cost = u32::from(self.children(id)[best].cost);
        limits.proof = limits.proof.saturating_sub(cost);
        Some((best, limits))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn children_have_numbers_however_much_memory_there_is() {
        let most = ProofGraph::new(usize::MAX).most_children;
        assert!(u32::try_from(most + Point::GRID).is_ok(), "{most}");
    }
}
