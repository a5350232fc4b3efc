//! Four in a row with gravity, as messages: the second game of the page.
//!
//! A [`GravitySession`] handles [`GravityMessage`]s and asks for searches, which a
//! [`GravityWorker`] does, in a page or in the [background](crate::Background).

mod job;
mod message;
mod session;
mod worker;

pub use job::{GravityJob, GravityReport, GravityResult};
pub use message::{ColumnValue, GravityMessage, GravityReply, GravityState, Side, StoneAt};
pub use session::GravitySession;
pub use worker::GravityWorker;
