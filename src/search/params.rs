//! Every number of the search that could be another, in one place.
//!
//! Depths are in [`super::depth::PLY`] units, margins in units of
//! [`crate::eval::Score`].

use super::depth::{Depth, PLY};

/// First iteration that starts with a narrow window.
pub(super) const ASPIRATION_DEPTH: u32 = 5;
/// Half the width of that window.
pub(super) const ASPIRATION_WIDTH: i32 = 20;

/// Nodes this shallow with an evaluation far below alpha become a search of
/// fours.
pub(super) const RAZOR_DEPTH: Depth = 5 * PLY / 2;
/// How far below: this and so much more a ply.
pub(super) const RAZOR_MARGIN: i32 = 30;
pub(super) const RAZOR_MARGIN_PLY: i32 = 20;

/// An evaluation this much a ply above beta ends a node.
pub(super) const FUTILITY_MARGIN: i32 = 60;
/// ... unless more depth than this remains.
pub(super) const FUTILITY_DEPTH: Depth = 9 * PLY;

/// Null move: least depth, least excess over beta, and the reduction.
pub(super) const NULL_DEPTH: Depth = 8 * PLY;
pub(super) const NULL_MARGIN: i32 = 300;
pub(super) const NULL_REDUCTION: Depth = 4 * PLY;

/// Without a known best move a deep node is searched less deep.
pub(super) const IIR_DEPTH: Depth = 6 * PLY;
pub(super) const IIR_REDUCTION: Depth = 3 * PLY / 4;

/// Singular extension: least depth, and margin a ply.
pub(super) const SINGULAR_DEPTH: Depth = 7 * PLY;
pub(super) const SINGULAR_MARGIN: i32 = 1;

/// A forced answer to a five is searched this much deeper.
pub(super) const FORCED_EXTENSION: Depth = 5 * PLY / 4;
/// Others so far below the margin extend twice, off the principal variation.
pub(super) const DOUBLE_MARGIN: i32 = 25;
/// Less deep, where the remembered move is good enough but not the only one.
pub(super) const SINGULAR_REDUCTION: Depth = 3 * PLY / 2;
/// All extensions of a line together, beyond its forced answers.
pub(super) const MAX_EXTENSION: Depth = 10 * PLY;

/// Late moves: how many are tried at least, and the growth with depth in plies,
/// `plies * (plies + LATE_ADD) / LATE_DIVISOR`.
pub(super) const LATE_BASE: usize = 4;
pub(super) const LATE_ADD: usize = 3;
pub(super) const LATE_DIVISOR: usize = 4;
/// Moves that make and prevent nothing are not tried in nodes this shallow.
pub(super) const NOTHING_DEPTH: Depth = 4 * PLY;
/// Nor still moves where the evaluation is so far below alpha: base, and more a
/// ply.
pub(super) const STILL_DEPTH: Depth = 6 * PLY;
pub(super) const STILL_MARGIN: i32 = 120;
pub(super) const STILL_MARGIN_PLY: i32 = 120;

/// Scale of late-move reductions in 1024ths of ln(depth) * ln(move).
pub(super) const REDUCTION_SCALE: i32 = 900;
/// More where the evaluation is not rising, where a cutoff is expected, and for
/// moves that make and prevent nothing.
pub(super) const REDUCTION_FALLING: Depth = PLY / 2;
pub(super) const REDUCTION_CUT: Depth = PLY;
pub(super) const REDUCTION_NOTHING: Depth = PLY;
/// Less on the principal variation, and for threats made or prevented.
pub(super) const REDUCTION_PV: Depth = PLY;
pub(super) const REDUCTION_THREAT: Depth = PLY;
/// History that takes a ply off (or adds one to) a reduction.
pub(super) const REDUCTION_HISTORY: i32 = 9_000;

/// What the order of moves adds to their scores: this part of the history of
/// threats and of other moves, and so much for the answer that last refuted the
/// move before, and for one that refuted a sibling.
pub(super) const ORDER_THREAT_HISTORY: i32 = 128;
pub(super) const ORDER_HISTORY: i32 = 256;
pub(super) const ORDER_COUNTER: i32 = 20;
pub(super) const ORDER_KILLER: i32 = 15;
