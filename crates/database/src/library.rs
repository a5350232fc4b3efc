//! Import and export of RenLib's libraries.
//!
//! A library is a tree of moves, a database a set of positions. Each position is
//! written once, as the child of one that it can come from; if none of those is
//! known, moves without comments lead to it. A mark that begins with `W` or `L`
//! is a label, with the number of moves to the end of the game if that is known.
//! Other labels, values and depths have no place in a library.

use super::diagram::Diagram;
use super::entry::{Entry, ValueBound};
use super::error::DatabaseError;
use super::progress::{ImportStep, ImportWatch};
use super::store::{Database, TransferCount};
use quincunx_engine::rules::{BoardSize, Point, Rule};
use quincunx_engine::score::Score;
use quincunx_records::Encoding;
use quincunx_records::renlib::{self, LibraryMove};
use std::collections::HashMap;
use std::io::Write;

/// Labels and the marks that libraries have for them.
const LABELS: [(char, char); 2] = [('w', 'W'), ('l', 'L')];

impl Database {
    /// Adds the positions of a library, for this rule and board. Positions after
    /// a pass are left out, and marks without a move.
    pub(super) fn import_library(
        &self,
        rule: Rule,
        size: BoardSize,
        bytes: &[u8],
        encoding: Option<Encoding>,
        watch: ImportWatch<'_>,
    ) -> Result<TransferCount, DatabaseError> {
        let mut path: Vec<Point> = Vec::new();
        let mut diagram = Diagram::empty(rule, size);
        let mut known = Vec::new();
        let mut left_out = 0;
        // Moves deeper than this follow a pass.
        let mut pass = usize::MAX;
        let moves = renlib::Moves::of(bytes, encoding)?;
        let (mut of, mut is_latin_1) = (0, false);
        for read in moves.clone() {
            of += 1;
            is_latin_1 |= read?.is_latin_1;
        }
        if is_latin_1 {
            log::warn!("no encoding is named, and this is not UTF-8: read as Latin-1");
        }
        for (number, read) in (1..).zip(moves) {
            let read = read?;
            ImportStep::Read.tell(number, of, watch)?;
            if read.depth > pass || read.is_mark {
                left_out += 1;
                continue;
            }
            pass = usize::MAX;
            for point in path
                .drain(path.len().min(read.depth.saturating_sub(1))..)
                .rev()
            {
                diagram.take_back(point);
            }
            match read.point {
                None if read.depth > 0 => {
                    left_out += 1;
                    pass = read.depth;
                    continue;
                }
                None => (),
                Some(point) => {
                    check(&diagram, point, read.at)?;
                    diagram.play(point);
                    path.push(point);
                }
            }
            let (depth, entry) = (read.depth, entry_of(read));
            // Every library has the empty board as its root, even if nothing is known of it.
            if depth > 0 || entry != Entry::default() {
                known.push((diagram.key(), entry));
            }
        }
        let learned = self.learn_all(known, watch)?;
        Ok(TransferCount {
            left_out,
            ..learned
        })
    }

    /// Writes all positions of this rule and board as a library.
    pub(super) fn export_library(
        &self,
        rule: Rule,
        size: BoardSize,
        output: &mut dyn Write,
    ) -> Result<TransferCount, DatabaseError> {
        if size.width() > renlib::SIDE || size.height() > renlib::SIDE {
            return Err(DatabaseError::TooLarge(size));
        }
        let mut tree = Tree::new(rule, size);
        let mut left_out = 0;
        let mut known = Vec::new();
        self.for_each(&Diagram::prefix(rule, size), |diagram, entry| {
            if diagram.alternates() {
                known.push((diagram, entry));
            } else {
                left_out += 1;
            }
            Ok(())
        })?;
        // Whatever a position can come from is there before it.
        known.sort_by_key(|(diagram, _)| diagram.count());
        let positions = known.len() as u64;
        for (diagram, entry) in known {
            let node = tree.find_or_add(&diagram);
            tree.nodes[node].entry = entry;
        }
        let moves = tree.moves();
        let written: Vec<LibraryMove> = moves.iter().map(|(written, _)| written.clone()).collect();
        output.write_all(&renlib::write(&written))?;
        // What comes back when the library is read is what it holds.
        let is_reduced =
            |(written, entry): &&(LibraryMove, &Entry)| entry_of(written.clone()) != **entry;
        let reduced = moves.iter().filter(is_reduced).count() as u64;
        Ok(TransferCount {
            positions,
            left_out,
            reduced,
            replaced: 0,
        })
    }
}

fn check(diagram: &Diagram, point: Point, at: usize) -> Result<(), renlib::LibraryError> {
    let what = if !diagram.size().has(point) {
        "a move off the board"
    } else if !diagram.is_empty(point) {
        "a move on a stone"
    } else {
        return Ok(());
    };
    Err(renlib::LibraryError::Damaged { at, what })
}

/// The entry of the position after a move of a library.
fn entry_of(read: LibraryMove) -> Entry {
    let mut entry = Entry {
        text: read.comment,
        ..Entry::default()
    };
    let (word, rest) = read.mark.split_once(' ').unwrap_or((&read.mark, ""));
    let Some((label, end)) = result(word) else {
        entry.mark = read.mark;
        return entry;
    };
    entry.label = Some(label);
    rest.clone_into(&mut entry.mark);
    if let Some(plies) = end.and_then(|end| end.checked_sub(read.depth)) {
        let score = match label {
            'w' => Score::loss_at(plies),
            _ => Score::win_at(plies),
        };
        (entry.value, entry.bound) = (score.units(), ValueBound::Exact);
    }
    entry
}

/// A label and, if it is known, the number of moves from the empty board to the
/// end of the game: `W` or `L` with a number, as other programs write them.
fn result(word: &str) -> Option<(char, Option<usize>)> {
    let (label, mark) = LABELS
        .into_iter()
        .find(|(_, mark)| word.starts_with(*mark))?;
    match word.strip_prefix(mark)? {
        "" | "*" => Some((label, None)),
        // No game is longer than the board has points.
        number if number.len() < 4 => Some((label, Some(number.parse().ok()?))),
        _ => None,
    }
}

fn mark_of(entry: &Entry, depth: usize) -> String {
    let label = LABELS.iter().find(|(label, _)| Some(*label) == entry.label);
    let Some((_, mark)) = label else {
        return entry.mark.clone();
    };
    let plies = match entry.bound {
        ValueBound::Exact => Score::from_units(entry.value).plies(),
        _ => None,
    };
    let end = plies.map_or(String::new(), |plies| (plies + depth).to_string());
    format!("{mark}{end} {}", entry.mark).trim_end().to_owned()
}

/// A position of the tree that a library is written from.
struct Node {
    diagram: Diagram,
    entry: Entry,
    /// The move that led here.
    point: Option<Point>,
    children: Vec<usize>,
}

struct Tree {
    nodes: Vec<Node>,
    /// The nodes by the keys of their positions.
    places: HashMap<Vec<u8>, usize>,
}

impl Tree {
    fn new(rule: Rule, size: BoardSize) -> Tree {
        let mut tree = Tree {
            nodes: Vec::new(),
            places: HashMap::new(),
        };
        tree.add(Diagram::empty(rule, size), None);
        tree
    }

    fn add(&mut self, diagram: Diagram, point: Option<Point>) -> usize {
        let node = self.nodes.len();
        self.places.insert(diagram.key(), node);
        self.nodes.push(Node {
            diagram,
            entry: Entry::default(),
            point,
            children: Vec::new(),
        });
        node
    }

    /// The node of `diagram` or of an image of it. If there is none it is added,
    /// with the moves that lead to it.
    fn find_or_add(&mut self, diagram: &Diagram) -> usize {
        if let Some(&node) = self.places.get(&diagram.key()) {
            return node;
        }
        let mover = diagram.side().opponent();
        let before = |&point: &Point| {
            let mut before = diagram.clone();
            before.take_back(point);
            (point, before)
        };
        let mut parents = diagram.of_color(mover).iter().map(before);
        let known = parents.find(|(_, parent)| self.places.contains_key(&parent.key()));
        let any = || diagram.of_color(mover).first().map(before);
        let Some((point, parent)) = known.or_else(any) else {
            // The empty board is there from the beginning.
            return 0;
        };
        let node = self.find_or_add(&parent);
        let mut here = self.nodes[node].diagram.clone();
        let point = parent.carry_over(point, &here);
        here.play(point);
        let child = self.add(here, Some(point));
        self.nodes[node].children.push(child);
        child
    }

    /// The moves depth first, each with what is known of its position.
    fn moves(&self) -> Vec<(LibraryMove, &Entry)> {
        let mut moves = Vec::with_capacity(self.nodes.len());
        let mut open = vec![(0, 0)];
        while let Some((node, depth)) = open.pop() {
            let Node {
                entry,
                point,
                children,
                ..
            } = &self.nodes[node];
            let written = LibraryMove {
                depth,
                point: *point,
                mark: mark_of(entry, depth),
                comment: entry.text.clone(),
                ..LibraryMove::default()
            };
            moves.push((written, entry));
            open.extend(children.iter().rev().map(|&child| (child, depth + 1)));
        }
        moves
    }
}
