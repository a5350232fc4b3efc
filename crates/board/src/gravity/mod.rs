//! Four in a row with gravity, as messages: the second game of the page.
//!
//! Built like the first one. A [`GravitySession`] hears [`GravityMessage`]s and
//! says what should be searched, a [`GravityThinker`] searches it.

mod message;
mod session;
mod thinker;

pub use message::{ColumnValue, GravityMessage, GravityReply, GravityState, Side, StoneAt};
pub use session::{GravityJob, GravityJobId, GravityNews, GravitySession};
pub use thinker::GravityThinker;
