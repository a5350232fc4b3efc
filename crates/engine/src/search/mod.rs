//! The search: iterative deepening, principal-variation alpha-beta, and a
//! quiescence search of fours.
//!
//! Layer 5. The search gets [`Limits`] and a [`Report`] (progress out, stop
//! in). It has no clock, prints nothing and knows no protocol. With one thread,
//! an unused table and a node or depth limit it is deterministic.
//!
//! # How a search runs
//!
//! 1. `searcher`: a [`Searcher`] sets up the data that the threads of a search share.
//! 2. `threads`: lazy SMP starts the threads, and a vote chooses among their results.
//!    Without the feature `threads` the calling thread searches alone.
//! 3. `root`: each thread deepens iteratively, in aspiration windows, over the
//!    moves from `root_moves`.
//! 4. `node`: alpha-beta of one node. A decided node returns its score (`dead_board`: no
//!    five is possible), a forced move is played, and an open node continues:
//!    - `pruning`: razoring, futility and null move may end it;
//!    - `reductions`: internal iterative reduction makes it shallower;
//!    - `extensions`: the tt move may be singular, or cut off (multicut).
//! 5. `move_loop`: the moves of a node are searched one by one. Late ones are pruned and
//!    reduced, in `reductions`, by their `move_info`.
//! 6. `qsearch`: at the horizon, fours only.
//!
//! # Its parts
//!
//! - `search_thread`: the position, evaluator, limits and memory of one thread.
//!   Everything above is a method of it.
//! - `stack`: the data of each node of the current line; `pv`: the principal
//!   variation.
//! - `movegen`: the moves worth a search; `ordering`: their order, and updates of
//!   the histories; `picker`: picks the best move first; `history`: the histories.
//! - `tt`: the transposition table; `tt_entry`: its entries; `pages`: its memory.
//! - `params`: the tunable parameters; `late_moves`: tables made of them.
//! - `limits`, `budget`: how much may be searched; `report`: progress and results.
//! - `worker`: starts a thread with the stack that a search needs.
//! - `depth`: fractions of a ply.

mod budget;
mod dead_board;
mod depth;
mod extensions;
mod history;
mod late_moves;
mod limits;
mod move_info;
mod move_loop;
mod movegen;
mod node;
mod ordering;
mod pages;
mod params;
mod picker;
mod pruning;
mod pv;
mod qsearch;
mod reductions;
mod report;
mod root;
mod root_moves;
mod search_thread;
mod searcher;
mod stack;
#[cfg(feature = "threads")]
mod threads;
mod tt;
mod tt_entry;
mod worker;

pub use limits::{DrawRule, Limits, MAX_PLY, POLL_INTERVAL};
pub use pages::has_room;
pub use params::{Params, Tunable};
pub use report::{Line, Lines, Report, Until};
pub use searcher::Searcher;
pub use tt::{TranspositionTable, TtRecord};
pub use worker::{STACK_SIZE, spawn_scoped};
