//! Four in a row with gravity, as messages: the second game of the page.
//!
//! Built like the first one. A [`GravitySession`] hears [`GravityMessage`]s and
//! says what should be searched, a [`GravityWorker`] searches it, in a page
//! or in the threads of a `GravityThinker`.

mod message;
mod session;
#[cfg(feature = "threads")]
mod thinker;
mod worker;

pub use message::{ColumnValue, GravityMessage, GravityReply, GravityState, Side, StoneAt};
pub use session::{GravityJob, GravityJobId, GravityNews, GravitySession};
#[cfg(feature = "threads")]
pub use thinker::GravityThinker;
pub use worker::GravityWorker;
