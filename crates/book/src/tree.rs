//! The positions of a book that is being made, and which of them to search next.
//!
//! The search of a position finds its few best moves, each with a score. If the position after
//! a move was searched too, its value replaces that score. The value of a position is that of
//! its best move. The next position to search is the one that costs both players the least to
//! reach. A move costs as much as it is worse than the best one of its position, plus [`PLY`].
//! So the book grows along the best lines, and deep lines come later (drop-out expansion,
//! Lincke 2001).

use crate::book::{Entry, OpeningBook};
use quincunx_engine::position::Position;
use quincunx_engine::rules::{BoardSize, Point, Rule};
use quincunx_engine::score::Score;
use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap, HashSet};

/// The cost of every move in units, even of the best, so that deeper positions come later.
const PLY: i32 = 15;

/// The positions of a book that is being made.
#[derive(Debug)]
pub struct BookTree {
    rule: Rule,
    size: BoardSize,
    /// The lines to the positions with which the book begins.
    roots: Vec<Vec<Point>>,
    nodes: HashMap<u64, Node>,
}

/// A position that was searched.
#[derive(Debug)]
struct Node {
    /// The moves that lead to it, black's first.
    line: Vec<Point>,
    moves: Vec<Candidate>,
}

/// A move that a search found.
#[derive(Debug)]
struct Candidate {
    point: Point,
    /// The score of the move by that search.
    score: Score,
    /// The canonical key of the position after the move.
    key: u64,
}

/// The values of positions, for the side to move.
type Values = HashMap<u64, Score>;

impl Candidate {
    /// The value of the move.
    fn worth(&self, values: &Values) -> Score {
        let after = values.get(&self.key);
        after.map_or(self.score, |value| value.before_move())
    }
}

impl BookTree {
    /// Creates a tree without searches that begins with the positions after these lines of
    /// moves: black and white in turn, on points of the board, each once.
    pub fn new(rule: Rule, size: BoardSize, roots: Vec<Vec<Point>>) -> BookTree {
        BookTree {
            rule,
            size,
            roots,
            nodes: HashMap::new(),
        }
    }

    /// The position after a line of moves.
    pub fn position(&self, line: &[Point]) -> Position {
        let mut position = Position::new(self.rule, self.size);
        line.iter().for_each(|&point| position.play(point));
        position
    }

    /// The canonical key of the position after a line of moves.
    pub fn key(&self, line: &[Point]) -> u64 {
        self.position(line).canonical_key().key()
    }

    /// The number of positions that were searched.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether no position was searched.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// Adds what a search of the position after a line has found: moves with their scores.
    pub fn insert(&mut self, line: Vec<Point>, found: &[(Point, Score)]) {
        let mut position = self.position(&line);
        let key = position.canonical_key().key();
        let moves = found.iter().map(|&(point, score)| {
            position.play(point);
            let key = position.canonical_key().key();
            position.undo();
            Candidate { point, score, key }
        });
        let moves = moves.collect();
        self.nodes.insert(key, Node { line, moves });
    }

    /// The value of the first position for its side to move. `None` before it was searched.
    pub fn value(&self) -> Option<Score> {
        let root = self.roots.first()?;
        self.values().get(&self.key(root)).copied()
    }

    /// The lines to the positions that are to be searched next, at most `count`, the most
    /// urgent first. Empty if everything that is left is decided.
    pub fn wanted(&self, count: usize) -> Vec<Vec<Point>> {
        let values = self.values();
        let mut wanted = Vec::new();
        let mut seen = HashSet::new();
        let mut queue = BinaryHeap::new();
        for root in &self.roots {
            queue.push(Reverse((0, self.key(root), root.clone())));
        }
        while wanted.len() < count
            && let Some(Reverse((cost, key, line))) = queue.pop()
        {
            if !seen.insert(key) {
                continue;
            }
            let Some(node) = self.nodes.get(&key) else {
                wanted.push(line);
                continue;
            };
            let Some(&value) = values.get(&key).filter(|value| !value.is_decided()) else {
                continue;
            };
            for candidate in &node.moves {
                let worth = candidate.worth(&values);
                // A full board is not searched.
                let is_last = node.line.len() + 1 >= self.size.points();
                if worth.is_decided() || is_last || seen.contains(&candidate.key) {
                    continue;
                }
                let cost = cost + PLY + (value - worth);
                let line = [node.line.as_slice(), &[candidate.point]].concat();
                queue.push(Reverse((cost, candidate.key, line)));
            }
        }
        wanted
    }

    /// The values of all positions that have moves.
    fn values(&self) -> Values {
        let mut nodes: Vec<(&u64, &Node)> = self.nodes.iter().collect();
        // A position's moves lead to positions with more stones.
        nodes.sort_by_key(|(_, node)| Reverse(node.line.len()));
        let mut values = Values::with_capacity(nodes.len());
        for (&key, node) in nodes {
            let worth = node.moves.iter().map(|it| it.worth(&values));
            if let Some(best) = worth.max() {
                values.insert(key, best);
            }
        }
        values
    }

    /// Makes the book, with the best move of each position and those that are at most `margin`
    /// units worse. Lost positions are left to the search.
    pub fn book(&self, margin: u16) -> OpeningBook {
        let values = self.values();
        let mut entries = Vec::new();
        for (&key, node) in &self.nodes {
            let Some(&best) = values.get(&key).filter(|value| !value.is_loss()) else {
                continue;
            };
            let canonical = self.position(&node.line).canonical_key();
            let mut moves: Vec<(Point, Score)> = (node.moves.iter())
                .map(|it| (canonical.image(it.point), it.worth(&values)))
                .filter(|(_, worth)| best - *worth <= margin.into() && !worth.is_loss())
                .collect();
            // Two forms of a move are one: the better score counts.
            moves.sort_by_key(|&(point, worth)| (point, Reverse(worth)));
            moves.dedup_by_key(|it| it.0);
            let moves = moves.into_iter();
            entries.extend(moves.map(|(point, worth)| Entry::new(key, point, worth)));
        }
        OpeningBook::of(entries)
    }
}
