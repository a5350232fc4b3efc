//! Proofs as SGF: the position as set-up stones, replies as variations.

use quincunx_engine::position::Position;
use quincunx_engine::rules::{BoardSize, Color, Point};
use quincunx_engine::score::Plies;
use quincunx_engine::threats::Proof;
use quincunx_records::GameRecord;
use quincunx_records::sgf::{self, Property, Tree};

/// The maximum size of a tree. Larger ones are cut, because no viewer opens them.
const MOST_MOVES: u64 = 200_000;

/// The position and, if there is one, its proof as a tree. The name of the game is the
/// question.
pub(super) fn tree(position: &Position, proof: Option<&Proof>, question: &str) -> Tree {
    let size = position.size();
    let winner = position.side();
    let whole = |proof: &&Proof| proof.moves() <= MOST_MOVES;
    let comment = match proof {
        None => "no win proved".to_owned(),
        Some(proof) => {
            let cut = match whole(&proof) {
                true => "",
                false => "; only the longest line, the tree is too large",
            };
            format!("{winner} wins in {}{cut}", Plies(proof.plies()))
        }
    };
    let mut root = root(position, question);
    root.push(Property::new("C", comment));
    let mut variations = Variations {
        tree: Tree::default(),
        size,
        winner,
    };
    let root = variations.tree.add(None, root);
    match proof {
        Some(proof) if whole(&proof) => variations.add_proof(root, proof),
        Some(proof) => {
            variations.add_moves(root, &proof.line(), winner);
        }
        None => {}
    }
    variations.tree
}

/// The start of a tree: the position, and the question as the name of the game.
fn root(position: &Position, question: &str) -> Vec<Property> {
    let size = position.size();
    let stones = |point: Point| Some((position.stone(point)?, point));
    let mut root = sgf::root(&GameRecord {
        setup: size.iter().filter_map(stones).collect(),
        first: position.side(),
        ..GameRecord::new(Some(position.rule()), size)
    });
    root.push(Property::new("GN", question.to_owned()));
    root
}

/// The first bytes of the text of a tree.
pub(super) fn start_of_tree(position: &Position, question: &str) -> String {
    let root = root(position, question);
    let properties: String = root.iter().map(Property::to_string).collect();
    format!("(;{properties}")
}

/// A tree that a proof is written into.
struct Variations {
    tree: Tree,
    size: BoardSize,
    winner: Color,
}

impl Variations {
    fn add_proof(&mut self, parent: usize, proof: &Proof) {
        let node = self.add_moves(parent, &[proof.point()], self.winner);
        let loser = self.winner.opponent();
        for reply in proof.replies() {
            let after = self.add_moves(node, &[reply.point], loser);
            self.add_proof(after, &reply.refutation);
        }
        if !proof.otherwise().is_empty() {
            let other = vec![
                sgf::move_property(self.size, loser, Point::NONE),
                Property::new("C", "any other move"),
            ];
            let after = self.tree.add(Some(node), other);
            self.add_moves(after, proof.otherwise(), self.winner);
        }
    }

    /// Adds moves one after another, `color` first, and returns the last node.
    fn add_moves(&mut self, parent: usize, moves: &[Point], mut color: Color) -> usize {
        let mut node = parent;
        for &point in moves {
            let property = sgf::move_property(self.size, color, point);
            node = self.tree.add(Some(node), vec![property]);
            color = color.opponent();
        }
        node
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use quincunx_engine::rules::Rule;
    use quincunx_engine::threats::{ForcedWin, Solver, SolverLimits, WinKind};

    #[test]
    fn a_proof_becomes_variations() {
        let size = BoardSize::square(9).unwrap();
        // Black has an open three in the middle row.
        let position = Position::from_moves(Rule::Freestyle, size, "d5a1e5a3f5a9").unwrap();
        let limits = SolverLimits {
            nodes: 1000,
            stop: &mut || false,
        };
        let solution = Solver::new(1 << 16).solve(&position, WinKind::Vcf, limits);
        let ForcedWin::Proven(proof) = solution.win else {
            panic!("{solution:?}");
        };
        assert_eq!(
            tree(&position, Some(&proof), "a question").to_string(),
            "(;FF[4]GM[4]CA[UTF-8]AP[Quincunx]SZ[9]RU[freestyle]AB[de][ee][fe]AW[ai][ag][aa]PL[B]\
             GN[a question]C[black wins in 3 plies];B[ce](;W[be];B[ge])(;W[]C[any other move];B[be]))"
        );
    }
}
