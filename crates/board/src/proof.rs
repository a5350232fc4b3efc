//! A proof of a forced win, as fronts get it: a tree that is not too large.

use super::job::{Job, Purpose};
use super::message::{ProofNode, ProofReply, ProofView};
use quincunx_engine::rules::Point;
use quincunx_engine::threats::{ForcedWin, Proof, Solution};

/// The most moves of the winner that are told. Of a larger proof the rest of the
/// longest lines is left out; a front asks again from there.
const MOST_MOVES: usize = 2_000;

/// What a front is told of this solution.
pub(super) fn view(job: &Job, solution: &Solution) -> ProofView {
    let proof = match &solution.win {
        ForcedWin::Proven(proof) => Some(proof),
        ForcedWin::None | ForcedWin::Unknown => None,
    };
    let depth = |proof: &Proof| {
        let depths = 1..proof.plies();
        let fits = |depth: &usize| moves(proof, *depth) <= MOST_MOVES;
        depths.take_while(fits).last().unwrap_or(1)
    };
    ProofView {
        node: job.node,
        winner: job.position.side().into(),
        threat: job.purpose == Purpose::Threat,
        plies: proof.map_or(0, Proof::plies),
        win: proof.map(|proof| tree(proof, depth(proof))),
        nodes: solution.nodes,
    }
}

/// The winner's moves down to a depth, at most one more than are told.
fn moves(proof: &Proof, depth: usize) -> usize {
    let mut level = vec![proof];
    let mut count = 0;
    for _ in 0..depth {
        count += level.len();
        if count > MOST_MOVES {
            break;
        }
        let replies = level.iter().flat_map(|proof| proof.replies());
        level = replies.map(|reply| &*reply.refutation).collect();
    }
    count
}

fn tree(proof: &Proof, depth: usize) -> ProofNode {
    let replies = proof.replies().iter().filter(|_| depth > 1);
    ProofNode {
        point: proof.point().to_string(),
        replies: replies
            .map(|reply| ProofReply {
                point: reply.point.to_string(),
                refutation: tree(&reply.refutation, depth - 1),
            })
            .collect(),
        otherwise: proof.otherwise().iter().map(Point::to_string).collect(),
    }
}
