//! The proof of a forced win: a move, and what refutes every reply to it.

use crate::rules::Point;
use std::sync::Arc;

/// A move of the winner, and what refutes every reply to it.
///
/// Positions that transpose share their proof.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proof {
    point: Point,
    replies: Vec<RefutedReply>,
    otherwise: Vec<Point>,
    plies: usize,
    moves: u64,
}

/// A reply of the loser with a refutation of its own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RefutedReply {
    /// The reply.
    pub point: Point,
    /// The proof of the position after the reply.
    pub refutation: Arc<Proof>,
}

impl Proof {
    /// The proof of a position where this point makes a five.
    pub(super) const fn five(point: Point) -> Proof {
        Proof {
            point,
            replies: Vec::new(),
            otherwise: Vec::new(),
            plies: 1,
            moves: 1,
        }
    }

    /// The proof by a move: these replies have refutations, and any other reply
    /// loses to `otherwise`.
    pub(super) fn new(point: Point, replies: Vec<RefutedReply>, otherwise: Vec<Point>) -> Proof {
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
    pub fn replies(&self) -> &[RefutedReply] {
        &self.replies
    }

    /// The line that every other legal reply loses to, from the winner's move on:
    /// fours with their forced answers, and the five at the end. A forced answer
    /// of [`Point::NONE`] is forbidden. Empty if the move makes the five.
    pub fn otherwise(&self) -> &[Point] {
        &self.otherwise
    }

    /// The number of plies to the five if the loser holds out as long as this
    /// proof lets it, the winner's last stone included.
    pub fn plies(&self) -> usize {
        self.plies
    }

    /// The number of the winner's moves in the proof, written out as a tree.
    pub fn moves(&self) -> u64 {
        self.moves
    }

    /// The moves of both sides to the five if the loser holds out as long as
    /// this proof lets it. [`Point::NONE`] stands for a loser's move that
    /// prevents nothing.
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
