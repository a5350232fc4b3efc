//! A forced win as a search has proved it: a tree that is not too large.

use super::message::{ProofNode, ProofReply, ProofStatus};
use quincunx_engine::rules::Point;
use quincunx_engine::threats::{ForcedWin, Proof, Solution};
use serde::{Deserialize, Serialize};

/// The most moves of the winner in a report. A larger proof is cut at its longest lines, and a
/// front may prove the positions there.
const MOST_MOVES: usize = 2_000;

/// The result of the search for a forced win, as far as fronts receive it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SolverReport {
    pub(super) found: ProofStatus,
    pub(super) plies: usize,
    pub(super) win: Option<ProofNode>,
    pub(super) nodes: u64,
}

impl From<&Solution> for SolverReport {
    fn from(solution: &Solution) -> SolverReport {
        let (found, proof) = match &solution.win {
            ForcedWin::Proven(proof) => (ProofStatus::Proof, Some(proof)),
            ForcedWin::None => (ProofStatus::NoThreats, None),
            ForcedWin::Unknown => (ProofStatus::Unknown, None),
        };
        let depth = |proof: &Proof| {
            let depths = 1..proof.plies();
            let fits = |depth: &usize| moves(proof, *depth) <= MOST_MOVES;
            depths.take_while(fits).last().unwrap_or(1)
        };
        SolverReport {
            found,
            plies: proof.map(Proof::plies).unwrap_or_default(),
            win: proof.map(|proof| tree(proof, depth(proof))),
            nodes: solution.nodes,
        }
    }
}

/// The number of the winner's moves down to a depth, counted up to one more than the limit.
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
