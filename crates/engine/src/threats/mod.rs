//! Forced wins, and the moves that can still prevent them.
//!
//! Layer 4. Without search, [`threat_status`] says what the threats on the board
//! prove, and [`answers`] which moves meet a five or an open four in the making.
//! The [`Solver`] searches for wins by continuous fours (VCF) and by continuous
//! threes and fours (VCT), and proves them.
//!
//! - `status`, `answers`: what needs no search; `short_win`: what needs a handful of moves.
//! - `solver`: the solver as a program embeds it; `forced_win` and `proof`: what
//!   it answers; `limits`: how much it may try.
//! - `vcf`: the search for continuous fours; `vcf_cache`: its memory;
//!   `vcf_proof`: from a solved position to the moves.
//! - `vct`: the proof-number search for threes and fours; `proof_graph`: its
//!   memory; `attacks`: the attacker's moves; `zone`: the replies that matter.

mod answers;
mod attacks;
mod forced_win;
mod limits;
mod proof;
mod proof_graph;
mod short_win;
mod solver;
mod status;
mod vcf;
mod vcf_cache;
mod vcf_proof;
mod vct;
mod zone;

pub use answers::{answers, defences};
pub use forced_win::{ForcedWin, WinKind};
pub use limits::SolverLimits;
pub use proof::{Proof, RefutedReply};
pub use short_win::short_win;
pub use solver::{Defence, Solution, Solver};
pub use status::{ThreatStatus, threat_status};
