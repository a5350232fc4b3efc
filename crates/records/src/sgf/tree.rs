//! Trees of SGF: nodes of properties, whatever they mean.
//!
//! A tree of a large file has millions of nodes, most of one short property. All texts stand one
//! behind the other, and nodes and properties are numbers.

use crate::lines::TextPosition;
use crate::memory::{MemoryError, push, push_text};
use crate::property::{Property, write_property};
use crate::stone_name::STONES;
use std::fmt;
use std::iter::successors;

/// The number that stands for no node.
const NONE: u32 = u32::MAX;

/// A game tree. Its nodes are numbered from zero, the root first.
#[derive(Clone, Debug, Default)]
pub struct Tree {
    nodes: Vec<Node>,
    entries: Vec<Entry>,
    /// The ends of the values in the text.
    values: Vec<u32>,
    /// The name of each property, and its values behind it.
    text: String,
}

/// A node and the number of the one before it.
#[derive(Clone, Copy, Debug)]
struct Node {
    parent: u32,
    /// The end of its properties among all.
    end: u32,
}

/// A property. One without a name marks the place of a node without properties.
#[derive(Clone, Copy, Debug)]
struct Entry {
    /// The end of its name in the text.
    name: u32,
    /// The end of its values among all.
    values: u32,
    /// Its place in the text that was read.
    place: TextPosition,
}

/// A property of a tree.
#[derive(Clone, Copy, Debug)]
pub(super) struct PropertyView<'t> {
    tree: &'t Tree,
    pub(super) name: &'t str,
    /// Its number among the properties of its node.
    pub(super) number: usize,
    /// Its values among all.
    first: usize,
    end: usize,
    /// The end of its name in the text.
    start: usize,
}

/// The nodes that follow each node of a tree, in the order of the text.
#[derive(Clone, Debug)]
pub struct Children {
    first: Vec<u32>,
    next: Vec<u32>,
}

/// The same nodes with the same properties. Where a tree was read makes no difference.
impl PartialEq for Tree {
    fn eq(&self, other: &Tree) -> bool {
        let is_same = |node: usize| {
            self.nodes[node].parent == other.nodes[node].parent
                && self.properties(node) == other.properties(node)
        };
        self.len() == other.len() && (0..self.len()).all(is_same)
    }
}

impl Eq for Tree {}

fn number(index: usize) -> u32 {
    u32::try_from(index).unwrap_or(NONE)
}

impl<'t> PropertyView<'t> {
    pub(super) fn values(self) -> impl Iterator<Item = &'t str> {
        let tree = self.tree;
        (self.first..self.end).map(move |value| {
            let start = match value == self.first {
                true => self.start,
                false => tree.values[value - 1] as usize,
            };
            &tree.text[start..tree.values[value] as usize]
        })
    }

    /// The first value.
    pub(super) fn value(self) -> &'t str {
        self.values().next().unwrap_or_default()
    }

    fn to_property(self) -> Property {
        Property {
            name: self.name.to_owned(),
            values: self.values().map(str::to_owned).collect(),
        }
    }
}

impl Children {
    /// The nodes that follow a node; the first is the main line's.
    pub fn of(&self, node: usize) -> impl Iterator<Item = usize> {
        let some = |number: &u32| Some(*number).filter(|&number| number != NONE);
        let first = self.first.get(node).and_then(some);
        let next = move |node: &u32| self.next.get(*node as usize).and_then(some);
        successors(first, next).map(|node| node as usize)
    }

    /// The node that follows the same node next.
    pub(super) fn sibling(&self, node: usize) -> Option<usize> {
        let next = self.next.get(node).filter(|&&next| next != NONE);
        next.map(|&next| next as usize)
    }

    /// The numbers of the nodes of the main line, from the root on.
    pub(super) fn main_line(&self) -> impl Iterator<Item = usize> {
        let root = (!self.first.is_empty()).then_some(0);
        successors(root, move |&node| self.of(node).next())
    }
}

impl Tree {
    /// Adds a node behind another, or the root, and returns its number.
    pub fn add(&mut self, parent: Option<usize>, properties: Vec<Property>) -> usize {
        debug_assert!(parent.is_none_or(|parent| parent < self.nodes.len()));
        debug_assert_eq!(parent.is_none(), self.nodes.is_empty());
        for property in properties {
            self.text.push_str(&property.name);
            let name = number(self.text.len());
            for value in property.values {
                self.text.push_str(&value);
                self.values.push(number(self.text.len()));
            }
            self.entries.push(Entry {
                name,
                values: number(self.values.len()),
                place: TextPosition::default(),
            });
        }
        self.nodes.push(Node {
            parent: parent.map_or(NONE, number),
            end: number(self.entries.len()),
        });
        self.nodes.len() - 1
    }

    /// Adds text to a name or a value, until [`Tree::end_value`] or [`Tree::end_property`].
    pub(super) fn add_text(&mut self, text: &str) -> Result<(), MemoryError> {
        push_text(&mut self.text, text)
    }

    /// The bytes of text so far.
    pub(super) fn text_end(&self) -> usize {
        self.text.len()
    }

    /// The text from a byte on.
    pub(super) fn text_from(&self, start: usize) -> &str {
        &self.text[start..]
    }

    pub(super) fn end_value(&mut self) -> Result<(), MemoryError> {
        push(&mut self.values, number(self.text.len()))
    }

    /// Ends a property whose name ends at a byte of the text.
    pub(super) fn end_property(
        &mut self,
        name: usize,
        place: TextPosition,
    ) -> Result<(), MemoryError> {
        let entry = Entry {
            name: number(name),
            values: number(self.values.len()),
            place,
        };
        push(&mut self.entries, entry)
    }

    /// Ends a node, which has the properties since the one before.
    pub(super) fn end_node(&mut self, parent: Option<usize>) -> Result<usize, MemoryError> {
        let node = Node {
            parent: parent.map_or(NONE, number),
            end: number(self.entries.len()),
        };
        push(&mut self.nodes, node)?;
        Ok(self.nodes.len() - 1)
    }

    /// The entries of a node, none for an unknown node.
    fn entries(&self, node: usize) -> std::ops::Range<usize> {
        let end = |node: usize| self.nodes.get(node).map_or(0, |node| node.end as usize);
        let start = node.checked_sub(1).map_or(0, end);
        start..end(node).max(start)
    }

    /// The text position of a property, by its number in a node. For a node without properties it
    /// is the position of the missing first one.
    pub fn place(&self, node: usize, property: usize) -> TextPosition {
        let mut entries = self.entries(node);
        let entry = entries.nth(property).and_then(|at| self.entries.get(at));
        entry.map(|entry| entry.place).unwrap_or_default()
    }

    /// Returns true if the tree has a move or a setup stone.
    pub(super) fn has_stones(&self) -> bool {
        let mut properties = (0..self.len()).flat_map(|node| self.views(node));
        properties.any(|property| STONES.contains(&property.name))
    }

    /// The number of nodes.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Returns true if the tree has no node.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// The properties of a node, none for an unknown node.
    pub fn properties(&self, node: usize) -> Vec<Property> {
        self.views(node).map(PropertyView::to_property).collect()
    }

    /// The properties of a node, without copies.
    pub(super) fn views(&self, node: usize) -> impl Iterator<Item = PropertyView<'_>> {
        let entries = self.entries(node);
        let before = entries.start;
        let views = entries.map(move |at| {
            let (start, first) = match at.checked_sub(1).map(|before| self.entries[before]) {
                // A property without values ends with its name.
                Some(before) => {
                    let first = before.values as usize;
                    let end = first.checked_sub(1).map_or(0, |last| self.values[last]);
                    (end.max(before.name) as usize, first)
                }
                None => (0, 0),
            };
            let entry = self.entries[at];
            PropertyView {
                tree: self,
                name: &self.text[start..entry.name as usize],
                number: at - before,
                first,
                end: entry.values as usize,
                start: entry.name as usize,
            }
        });
        views.filter(|view| !view.name.is_empty())
    }

    /// For every node the nodes that follow it.
    pub fn children(&self) -> Children {
        let mut children = Children {
            first: vec![NONE; self.nodes.len()],
            next: vec![NONE; self.nodes.len()],
        };
        for (at, node) in self.nodes.iter().enumerate().rev() {
            if let Some(first) = children.first.get_mut(node.parent as usize) {
                children.next[at] = std::mem::replace(first, number(at));
            }
        }
        children
    }
}

/// The tree on one line, unless a value has line breaks.
impl fmt::Display for Tree {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        enum Part {
            Variation(usize),
            End,
        }
        let children = self.children();
        // Not by recursion: proofs are deeper than the stack.
        let mut parts = vec![Part::Variation(0)];
        while let Some(part) = parts.pop() {
            let Part::Variation(first) = part else {
                f.write_str(")")?;
                continue;
            };
            f.write_str("(")?;
            parts.push(Part::End);
            let mut next = Some(first).filter(|_| !self.is_empty());
            while let Some(node) = next {
                f.write_str(";")?;
                for view in self.views(node) {
                    write_property(f, view.name, view.values())?;
                }
                let mut behind = children.of(node);
                next = behind.next();
                if behind.next().is_some() {
                    next = None;
                    let from = parts.len();
                    parts.extend(children.of(node).map(Part::Variation));
                    parts[from..].reverse();
                }
            }
        }
        Ok(())
    }
}
