//! Forced wins, and the moves that can still prevent them.
//!
//! Floor 4. What the counters prove without search is in `outlook`; which
//! moves answer an open four in the making is in `answers`.

mod answers;
mod outlook;

pub use answers::answers;
pub use outlook::{Outlook, outlook};
