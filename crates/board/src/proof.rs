//! A proof of a forced win, as fronts get it: a tree that is not too large.

use super::job::{Job, Purpose};
use super::message::{Found, ProofNode, ProofReply, ProofView};
use quincunx_engine::engine::PvInfo;
use quincunx_engine::rules::Point;
use quincunx_engine::threats::{ForcedWin, Proof, Solution};

/// The most moves of the winner that are told. Of a larger proof the rest of the
/// longest lines is left out; a front asks again from there.
const MOST_MOVES: usize = 2_000;

/// What a front is told of this solution. Where it is none `line` may be one: the main line
/// of a win that another search has proved.
pub(super) fn view(job: &Job, solution: &Solution, line: Option<&PvInfo>) -> ProofView {
    let line = line.filter(|_| job.purpose == Purpose::Proof);
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
        found: match (&solution.win, line) {
            (ForcedWin::Proven(_), _) => Found::Proof,
            (_, Some(_)) => Found::Line,
            (ForcedWin::None, None) => Found::NoThreats,
            (ForcedWin::Unknown, None) => Found::Unknown,
        },
        plies: proof
            .map(Proof::plies)
            .or(line.and_then(|line| line.score.plies()))
            .unwrap_or_default(),
        win: proof
            .map(|proof| tree(proof, depth(proof)))
            .or(line.and_then(|line| main_line(&line.pv))),
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

/// A line of moves, the winner's first, without other defences.
fn main_line(points: &[Point]) -> Option<ProofNode> {
    let (point, rest) = points.split_first()?;
    let reply = rest.split_first().and_then(|(reply, rest)| {
        Some(ProofReply {
            point: reply.to_string(),
            refutation: main_line(rest)?,
        })
    });
    Some(ProofNode {
        point: point.to_string(),
        replies: reply.into_iter().collect(),
        otherwise: Vec::new(),
    })
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
