//! What the search for threes and fours has built: every position it has
//! looked at once, with proof and disproof numbers.
//!
//! Positions that come about in several ways are one node. Children are looked
//! for once and kept, because finding them is the expensive part.

use crate::rules::Point;
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use std::num::NonZeroU32;

/// As good as infinite, with room for additions.
pub(super) const INFINITE: u32 = u32::MAX / 4;

/// Which side is to move in a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Turn {
    Attacker,
    Defender,
}

/// How hard a node looks: the least number of positions that must still be
/// won to prove it, or lost to disprove it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Numbers {
    pub(super) proof: u32,
    pub(super) disproof: u32,
}

impl Numbers {
    pub(super) const WON: Numbers = Numbers {
        proof: 0,
        disproof: INFINITE,
    };
    pub(super) const LOST: Numbers = Numbers {
        proof: INFINITE,
        disproof: 0,
    };

    /// Whether both stay below the limits.
    pub(super) fn below(self, limits: Numbers) -> bool {
        self.proof < limits.proof && self.disproof < limits.disproof
    }

    /// The same seen by the other side.
    fn turned(self) -> Numbers {
        Numbers {
            proof: self.disproof,
            disproof: self.proof,
        }
    }
}

/// The number of a node, from one on: that keeps moves without a node small.
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
    /// The proof number before it has been looked at.
    pub(super) prior: u8,
    /// Added to the proof number as long as nothing is certain: what makes
    /// other moves come first.
    pub(super) cost: u8,
    pub(super) node: Option<NodeId>,
}

// They are most of the memory.
const _: () = assert!(size_of::<Child>() == 8);

/// A position that has been looked at.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node {
    pub(super) turn: Turn,
    pub(super) numbers: Numbers,
    children: (u32, u32),
    line: (u32, u32),
}

/// Keys are random numbers already.
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
pub(super) struct Graph {
    by_key: HashMap<u64, NodeId, BuildHasherDefault<KeyHasher>>,
    nodes: Vec<Node>,
    children: Vec<Child>,
    lines: Vec<Point>,
    most_children: usize,
}

impl Graph {
    /// A graph of about so many bytes.
    pub(super) fn new(bytes: usize) -> Graph {
        Graph {
            by_key: HashMap::default(),
            nodes: Vec::new(),
            children: Vec::new(),
            lines: Vec::new(),
            most_children: bytes / (2 * size_of::<Child>()),
        }
    }

    pub(super) fn clear(&mut self) {
        self.by_key.clear();
        self.nodes.clear();
        self.children.clear();
        self.lines.clear();
    }

    /// Whether there is no room for another node.
    pub(super) fn is_full(&self) -> bool {
        // A node takes about as much itself as eight children.
        self.children.len() + 8 * self.nodes.len() >= self.most_children
    }

    pub(super) fn find(&self, key: u64) -> Option<NodeId> {
        self.by_key.get(&key).copied()
    }

    pub(super) fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.index()]
    }

    pub(super) fn set_numbers(&mut self, id: NodeId, numbers: Numbers) {
        self.nodes[id.index()].numbers = numbers;
    }

    /// Adds a position with the moves from it and, where a threat hangs over
    /// the side to move, the line that would carry it out.
    pub(super) fn add(
        &mut self,
        key: u64,
        turn: Turn,
        numbers: Numbers,
        children: impl Iterator<Item = Child>,
        line: &[Point],
    ) -> NodeId {
        let number = self.nodes.len() as u32;
        let id = NodeId(NonZeroU32::MIN.saturating_add(number));
        let first = self.children.len() as u32;
        self.children.extend(children);
        let start = self.lines.len() as u32;
        self.lines.extend(line);
        self.nodes.push(Node {
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

    /// Says which node the move with this number among `id`'s leads to.
    pub(super) fn link(&mut self, id: NodeId, number: usize, child: NodeId) {
        let (start, _) = self.node(id).children;
        self.children[start as usize + number].node = Some(child);
    }

    pub(super) fn numbers_of(&self, child: &Child) -> Numbers {
        match child.node {
            Some(id) => {
                let numbers = self.node(id).numbers;
                match numbers.proof {
                    0 | INFINITE => numbers,
                    proof => Numbers {
                        proof: proof + u32::from(child.cost),
                        ..numbers
                    },
                }
            }
            None => Numbers {
                proof: u32::from(child.prior),
                disproof: 1,
            },
        }
    }

    /// Brings the numbers of `id` up to date, and says which child to look at
    /// next and up to which numbers, if the node stays below `limits`.
    ///
    /// Where the side to move would have to fail everywhere, the largest
    /// number counts and one for each other child: sums would count positions
    /// that come about in several ways several times.
    pub(super) fn next(&mut self, id: NodeId, limits: Numbers) -> Option<(usize, Numbers)> {
        let turn = self.node(id).turn;
        // As the side to move sees it: it needs one success.
        let seen = |numbers: Numbers| match turn {
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
            Numbers::WON
        } else {
            Numbers {
                proof: least,
                disproof: (largest + others).min(INFINITE),
            }
        };
        self.set_numbers(id, seen(numbers));
        let limits = seen(limits);
        if !numbers.below(limits) {
            return None;
        }
        let child_limits = Numbers {
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
