//! A review as SGF: the game with comments, good and bad moves marked, and what would have
//! been better as variations.

use super::{MoveClass, MoveReview, Review};
use crate::words::per_cent;
use quincunx_engine::rules::{BoardSize, Color, Point};
use quincunx_records::sgf::{self, Property, Tree};

/// The most moves of a variation that is only the search's opinion.
const OPINION: usize = 6;

impl Review {
    /// The game as an annotated tree. The first branch is the game.
    pub fn sgf(&self) -> Tree {
        let size = self.record.size;
        let mut root = sgf::root(&self.record);
        root.retain(|property| property.name != "GC");
        let mut summary = vec![self.record.comment.clone(), self.title()];
        summary.extend(self.summary());
        summary.retain(|line| !line.is_empty());
        root.push(Property::new("GC", summary.join("\n")));
        let mut tree = Tree::default();
        let mut last = tree.add(None, root);
        // Variations come after the whole game: the first child of a node is the main line.
        let mut variations: Vec<Variation> = Vec::new();
        for (played, recorded) in self.moves.iter().zip(&self.record.moves) {
            let before = last;
            let mut properties = vec![sgf::move_property(size, played.color, played.point)];
            properties.extend(played.class.verdict());
            let comment = [recorded.comment.clone(), played.comment()];
            let comment: Vec<&str> = (comment.iter())
                .map(String::as_str)
                .filter(|text| !text.is_empty())
                .collect();
            properties.push(Property::new("C", comment.join("\n")));
            last = tree.add(Some(last), properties);
            for variation in played.variations(before, last) {
                // A win that was allowed and then missed is one variation.
                if !variations.iter().any(|known| known.is_like(&variation)) {
                    variations.push(variation);
                }
            }
        }
        // Behind the last move a variation would be taken for the game.
        variations.retain(|variation| variation.parent != last);
        for variation in variations {
            variation.add_to(&mut tree, size);
        }
        tree
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

    fn add_to(self, tree: &mut Tree, size: BoardSize) {
        let (mut node, mut color) = (self.parent, self.first);
        for (index, &point) in self.moves.iter().enumerate() {
            let mut properties = vec![sgf::move_property(size, color, point)];
            if index == 0 {
                properties.push(Property::new("C", self.comment.clone()));
            }
            node = tree.add(Some(node), properties);
            color = color.opponent();
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

    /// What would have been better, and the proofs. `before` and `after` are the nodes
    /// around the move.
    fn variations(&self, before: usize, after: usize) -> Vec<Variation> {
        let mut variations = Vec::new();
        if let Some(missed) = &self.win_missed {
            variations.push(Variation {
                parent: before,
                first: self.color,
                moves: missed.proof.line(),
                comment: format!("wins in {} plies", missed.proof.plies()),
            });
        }
        if let Some(allowed) = &self.loss_allowed {
            variations.push(Variation {
                parent: after,
                first: self.color.opponent(),
                moves: allowed.proof.line(),
                comment: format!("wins in {} plies", allowed.proof.plies()),
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
        let proved = self.win_missed.is_some() || self.loss_allowed.is_some();
        let worse = matches!(self.class, MoveClass::Inaccuracy | MoveClass::Mistake);
        if worse && !proved && !self.line.is_empty() && self.best != Some(self.point) {
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
