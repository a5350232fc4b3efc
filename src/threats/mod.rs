//! Forced wins, and the moves that can still prevent them.
//!
//! Floor 4. What the counters prove without search is in `outlook`; which
//! moves answer an open four in the making is in `answers`. The [`Solver`]
//! searches: wins by continuous fours are in `fours`, with `cache` as their
//! memory and `line` to tell how it is done; wins by threes and fours are in
//! `threes`, with `graph` as their memory, `order` for the attacker's moves and
//! `zone` for the replies that matter; `meter` is the limit on all work and `proof` what comes out.

mod answers;
mod cache;
mod fours;
mod graph;
mod line;
mod meter;
mod order;
mod outlook;
mod proof;
mod solver;
mod threes;
mod zone;

pub use answers::answers;
pub use meter::Limits;
pub use outlook::{Outlook, outlook};
pub use proof::{Proof, Reply};
pub use solver::{Defence, Kind, Solution, Solver, Verdict};
