//! The search for forced wins.

use crate::game::{Game, invalid, names};
use crate::watch::watched;
use pyo3::prelude::*;
use quincunx_engine::threats::{ForcedWin, Solver, SolverLimits, WinKind};
use std::sync::atomic::{AtomicBool, Ordering};

/// The memory of the search in bytes.
const SOLVER_BYTES: usize = 32 << 20;

/// What the search for a forced win found.
#[pyclass(module = "quincunx", frozen, get_all, eq)]
#[derive(PartialEq)]
pub(crate) struct Solution {
    found: &'static str,
    plies: Option<usize>,
    line: Vec<String>,
    nodes: u64,
}

/// Looks for a forced win of the side to move.
#[pyfunction]
#[pyo3(signature = (game, *, nodes = 100_000, kind = "any"))]
pub(crate) fn solve(
    py: Python<'_>,
    game: &Bound<'_, Game>,
    nodes: u64,
    kind: &str,
) -> PyResult<Solution> {
    let kind = match kind {
        "any" => WinKind::Any,
        "vcf" => WinKind::Vcf,
        "vct" => WinKind::Vct,
        _ => return Err(invalid("kinds of forced wins are any, vcf and vct")),
    };
    let position = game.try_borrow()?.open_position()?;
    let stop = AtomicBool::new(false);
    let solution = watched(py, &stop, &mut |()| Ok(()), |_| {
        let limits = SolverLimits {
            nodes,
            stop: &mut || stop.load(Ordering::Relaxed),
        };
        Solver::new(SOLVER_BYTES).solve(&position, kind, limits)
    })?;
    let (found, proof) = match solution.win {
        ForcedWin::Proven(proof) => ("win", Some(proof)),
        ForcedWin::None => ("none", None),
        ForcedWin::Unknown => ("unknown", None),
    };
    let line = proof.as_ref().map(|proof| names(proof.line()));
    Ok(Solution {
        found,
        plies: proof.map(|proof| proof.plies()),
        line: line.unwrap_or_default(),
        nodes: solution.nodes,
    })
}

#[pymethods]
impl Solution {
    fn __repr__(&self) -> String {
        format!("<Solution {} {}>", self.found, self.line.join(" "))
    }
}
