//! Why a position is won: every reply with what refutes it.

use crate::rules::Point;
use std::sync::Arc;

/// A move of the winner, and what refutes every reply to it.
///
/// Positions that come about in several ways share their proof.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proof {
    point: Point,
    replies: Vec<Reply>,
    otherwise: Vec<Point>,
    plies: usize,
    moves: u64,
}

/// A reply of the loser that is refuted by itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reply {
    /// The reply.
    pub point: Point,
    /// The winner's way from there.
    pub refutation: Arc<Proof>,
}

impl Proof {
    /// The five that ends the game.
    pub(super) const fn five(point: Point) -> Proof {
        Proof {
            point,
            replies: Vec::new(),
            otherwise: Vec::new(),
            plies: 1,
            moves: 1,
        }
    }

    /// A move that leaves these replies to be refuted, and loses to
    /// `otherwise` against any other.
    pub(super) fn new(point: Point, replies: Vec<Reply>, otherwise: Vec<Point>) -> Proof {
        let after = replies.iter().map(|reply| reply.refutation.plies);
        let plies = 2 + after.fold(otherwise.len(), usize::max);
        let moves = replies.iter().fold(1, |moves: u64, reply| {
            moves.saturating_add(reply.refutation.moves)
        });
        Proof {
            point,
            replies,
            otherwise,
            plies,
            moves,
        }
    }

    /// The winner's move.
    pub fn point(&self) -> Point {
        self.point
    }

    /// The replies that need a refutation of their own.
    pub fn replies(&self) -> &[Reply] {
        &self.replies
    }

    /// What every other legal reply loses to, the winner's move first: fours
    /// with their forced answers, and the five at the end. A forced answer of
    /// [`Point::NONE`] is forbidden. Empty if the move makes the five.
    pub fn otherwise(&self) -> &[Point] {
        &self.otherwise
    }

    /// How many plies it takes to the five if the loser holds out as long as
    /// this proof lets it, the winner's last stone included.
    pub fn plies(&self) -> usize {
        self.plies
    }

    /// How many moves of the winner the proof has, written out as a tree.
    pub fn moves(&self) -> u64 {
        self.moves
    }

    /// The moves of both sides to the five if the loser holds out as long as
    /// this proof lets it. [`Point::NONE`] stands for a loser's move that does
    /// not matter because it prevents nothing.
    pub fn line(&self) -> Vec<Point> {
        let mut line = Vec::with_capacity(self.plies);
        let mut proof = self;
        loop {
            line.push(proof.point);
            let longest = proof
                .replies
                .iter()
                .find(|reply| reply.refutation.plies + 2 == proof.plies);
            match longest {
                Some(reply) => {
                    line.push(reply.point);
                    proof = &reply.refutation;
                }
                None => {
                    if !proof.otherwise.is_empty() {
                        line.push(Point::NONE);
                        line.extend(&proof.otherwise);
                    }
                    return line;
                }
            }
        }
    }
}
