//! The view of a proof in messages.

use super::message::{ProofNode, ProofReply, ProofStatus, ProofView};
use super::search_job::{Purpose, SearchJob};
use super::solver_report::SolverReport;
use quincunx_engine::engine::Line;
use quincunx_engine::rules::Point;

/// The view of the solver's result. If it found nothing, `line` may be a proof: the
/// main line of a win that another search has found.
pub(super) fn view(job: &SearchJob, report: SolverReport, line: Option<&Line>) -> ProofView {
    let is_open = report.win.is_none() && job.purpose == Purpose::Proof;
    let report = match line.filter(|_| is_open) {
        Some(line) => SolverReport {
            found: ProofStatus::Line,
            plies: line.score.plies().unwrap_or_default(),
            win: main_line(&line.pv),
            ..report
        },
        None => report,
    };
    ProofView {
        node: job.node,
        winner: job.position.side(),
        threat: job.purpose == Purpose::Threat,
        found: report.found,
        plies: report.plies,
        win: report.win,
        nodes: report.nodes,
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
