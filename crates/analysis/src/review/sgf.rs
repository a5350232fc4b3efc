//! A review as SGF: the game with comments, marks of good and bad moves, and better moves as
//! variations, beside the contents of the game's file.

use super::{GameReview, MoveClass, MoveReview};
use crate::words::per_cent;
use quincunx_engine::rules::{BoardSize, Color, Point};
use quincunx_engine::score::Plies;
use quincunx_records::sgf::{self, Children, Property, Tree};
use quincunx_records::{GameRecord, RecordTree, RecordedMove};

/// The maximum number of moves of a variation that is only the search's opinion.
const OPINION: usize = 6;

impl GameReview {
    /// The game as an annotated tree, with the variations and other properties of its file. The
    /// first branch is the game. Moves that the file annotates keep its annotation.
    pub fn sgf(&self, file: &RecordTree) -> Tree {
        let size = self.size;
        let mut tree = Tree::default();
        let mut last = tree.add(None, self.root(file));
        // The places of the file's nodes in the tree. The passes that a review inserts are not
        // among them.
        let mut places = vec![None; file.nodes.len()];
        if let Some(start) = places.first_mut() {
            *start = Some(last);
        }
        let mut line = file.main_line().into_iter().skip(1).peekable();
        // Variations come after the whole game: the first child of a node is the main line.
        let mut variations: Vec<Variation> = Vec::new();
        let mut recorded = file.record.moves.iter().peekable();
        for played in &self.moves {
            let is_played =
                |it: &&RecordedMove| (it.color, it.point) == (played.color, played.point);
            let recorded_comment = recorded
                .next_if(is_played)
                .map_or("", |it| it.comment.as_str());
            let before = last;
            let mut properties = vec![sgf::move_property(size, played.color, played.point)];
            let comment = joined(recorded_comment, &played.comment());
            properties.push(Property::new("C", comment));
            let is_it = |&node: &usize| {
                let node = &file.nodes[node];
                (node.color, node.point) == (played.color, played.point)
            };
            let node = line.next_if(is_it);
            if let Some(node) = node {
                add_others(&mut properties, file.nodes[node].properties().iter());
            }
            played.class.annotate(&mut properties);
            last = tree.add(Some(last), properties);
            if let Some(node) = node {
                places[node] = Some(last);
            }
            for variation in played.variations(before, last) {
                // A win that was allowed and then missed is one variation.
                if !variations.iter().any(|known| known.is_like(&variation)) {
                    variations.push(variation);
                }
            }
        }
        add_file_variations(&mut tree, file, places, size);
        // After the last move a variation would be taken for the game.
        variations.retain(|variation| variation.parent != last);
        let children = tree.children();
        variations.retain(|variation| !variation.is_in(&tree, &children, size));
        for variation in variations {
            variation.add_to(&mut tree, size);
        }
        tree
    }

    /// The properties of the root, with the summary of the review.
    fn root(&self, file: &RecordTree) -> Vec<Property> {
        let record = &file.record;
        let mut root = sgf::root(&GameRecord {
            rule: Some(self.rule),
            ..record.clone()
        });
        root.retain(|property| property.name != "GC");
        let mut summary = vec![self.title()];
        summary.extend(self.summary());
        summary.retain(|line| !line.is_empty());
        let comment = joined(&record.comment, &summary.join("\n"));
        root.push(Property::new("GC", comment));
        if let Some(start) = file.nodes.first() {
            let comment = start.comment();
            let is_written = comment.is_empty() || comment == record.comment;
            root.extend((!is_written).then(|| Property::new("C", comment)));
            add_others(&mut root, start.properties().iter());
        }
        root
    }
}

/// Adds the variations of a file, whose main line is in the tree. `places` are the places of
/// the file's nodes in the tree.
fn add_file_variations(
    tree: &mut Tree,
    file: &RecordTree,
    mut places: Vec<Option<usize>>,
    size: BoardSize,
) {
    for (number, node) in file.nodes.iter().enumerate() {
        let parent = node.parent().and_then(|parent| places[parent]);
        if let (None, Some(parent)) = (places[number], parent) {
            let mut properties = vec![sgf::move_property(size, node.color, node.point)];
            let comment = Some(node.comment()).filter(|comment| !comment.is_empty());
            properties.extend(comment.map(|comment| Property::new("C", comment)));
            add_others(&mut properties, node.properties().iter());
            places[number] = Some(tree.add(Some(parent), properties));
        }
    }
}

/// The comment of a file with that of the review below it, unless an earlier review has added
/// the same.
fn joined(file: &str, review: &str) -> String {
    match file {
        "" => review.to_owned(),
        _ if file.contains(review) => file.to_owned(),
        _ => format!("{file}\n{review}"),
    }
}

/// Adds other properties of a file's node, except those that are there already.
fn add_others<'p>(properties: &mut Vec<Property>, others: impl Iterator<Item = &'p Property>) {
    for other in others {
        if properties.iter().all(|own| own.name != other.name) {
            properties.push(other.clone());
        }
    }
}

/// Moves that were not played.
struct Variation {
    /// The node that they follow.
    parent: usize,
    first: Color,
    moves: Vec<Point>,
    comment: String,
}

impl Variation {
    fn is_like(&self, other: &Variation) -> bool {
        self.parent == other.parent && self.moves == other.moves
    }

    /// The nodes of the variation, one after another.
    fn nodes(&self, size: BoardSize) -> Vec<Vec<Property>> {
        let colors = [self.first, self.first.opponent()].into_iter().cycle();
        let played = colors.zip(&self.moves);
        let mut nodes: Vec<Vec<Property>> = played
            .map(|(color, &point)| vec![sgf::move_property(size, color, point)])
            .collect();
        if let Some(first) = nodes.first_mut() {
            first.push(Property::new("C", self.comment.clone()));
        }
        nodes
    }

    /// Returns true if a tree with these children has it from an earlier review.
    fn is_in(&self, tree: &Tree, children: &Children, size: BoardSize) -> bool {
        let mut found = vec![self.parent];
        for node in self.nodes(size) {
            let next = found.iter().flat_map(|&it| children.of(it));
            found = next
                .filter(|&it| tree.properties(it).starts_with(&node))
                .collect();
        }
        !found.is_empty()
    }

    fn add_to(self, tree: &mut Tree, size: BoardSize) {
        let mut last = self.parent;
        for node in self.nodes(size) {
            last = tree.add(Some(last), node);
        }
    }
}

impl MoveReview {
    fn comment(&self) -> String {
        let chances = format!(
            "{}: win chance {} before, {} after",
            self.class,
            per_cent(self.before),
            per_cent(self.after)
        );
        let mut lines = vec![chances];
        lines.extend(self.remarks());
        lines.join("\n")
    }

    /// Better moves, and the proofs. `before` and `after` are the nodes
    /// around the move.
    fn variations(&self, before: usize, after: usize) -> Vec<Variation> {
        let mut variations = Vec::new();
        if let Some(missed) = &self.win_missed {
            variations.push(Variation {
                parent: before,
                first: self.color,
                moves: missed.proof.line.clone(),
                comment: format!("wins in {}", Plies(missed.proof.plies)),
            });
        }
        if let Some(allowed) = &self.loss_allowed {
            variations.push(Variation {
                parent: after,
                first: self.color.opponent(),
                moves: allowed.proof.line.clone(),
                comment: format!("wins in {}", Plies(allowed.proof.plies)),
            });
            if self.win_missed.is_none() {
                variations.push(Variation {
                    parent: before,
                    first: self.color,
                    moves: vec![allowed.instead],
                    comment: "no forced win after this".to_owned(),
                });
            }
        }
        let is_proven = self.win_missed.is_some() || self.loss_allowed.is_some();
        let worse = matches!(self.class, MoveClass::Inaccuracy | MoveClass::Mistake);
        if worse && !is_proven && !self.line.is_empty() && self.best != Some(self.point) {
            variations.push(Variation {
                parent: before,
                first: self.color,
                moves: self.line.iter().copied().take(OPINION).collect(),
                comment: "better in the engine's opinion".to_owned(),
            });
        }
        variations
    }
}
