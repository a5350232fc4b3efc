//! What fronts are told of a proof.

use super::job::{Job, Purpose};
use super::message::{Found, ProofNode, ProofReply, ProofView};
use super::proved::Proved;
use quincunx_engine::engine::Line;
use quincunx_engine::rules::Point;

/// What a front is told of what was proved. Where that is nothing `line` may be a proof: the
/// main line of a win that another search has found.
pub(super) fn view(job: &Job, proved: Proved, line: Option<&Line>) -> ProofView {
    let is_open = proved.win.is_none() && job.purpose == Purpose::Proof;
    let proved = match line.filter(|_| is_open) {
        Some(line) => Proved {
            found: Found::Line,
            plies: line.score.plies().unwrap_or_default(),
            win: main_line(&line.pv),
            ..proved
        },
        None => proved,
    };
    ProofView {
        node: job.node,
        winner: job.position.side().into(),
        threat: job.purpose == Purpose::Threat,
        found: proved.found,
        plies: proved.plies,
        win: proved.win,
        nodes: proved.nodes,
    }
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
