//! Four in a row with gravity, as messages: the second game of the page.
//!
//! A [`GravitySession`] handles [`GravityMessage`]s and asks for searches, which a
//! [`Worker`](crate::Worker) does.

mod message;
mod session;

pub use crate::gravity_job::{GravityJob, GravityReport, GravityResult};
pub use message::{ColumnValue, GravityMessage, GravityReply, GravityState, Side, StoneAt};
pub use session::GravitySession;
