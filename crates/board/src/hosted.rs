//! A session as its host sees it, the same for every game: behind a socket, in a page or at a
//! terminal.

use super::job::{Job, Report};
use super::job_id::JobId;
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::time::Duration;

/// A session: messages in, replies out, and jobs for the background. The times that it is given
/// never go back.
pub trait HostedSession {
    /// A message of the front.
    type Message: DeserializeOwned;
    /// A reply to the front.
    type Reply: Serialize;

    /// Handles a message that arrived at `now`. A message that can't be followed changes nothing,
    /// and the reply is an error.
    fn handle(&mut self, now: Duration, message: Self::Message) -> Vec<Self::Reply>;

    /// The jobs that should be running now, at most one of each kind. No others should.
    fn jobs(&self) -> Vec<Job> {
        Vec::new()
    }

    /// Handles a report of a job that arrived at `now`. Reports of jobs that should not be running
    /// change nothing.
    fn report(&mut self, _now: Duration, _id: JobId, _report: Report) -> Vec<Self::Reply> {
        Vec::new()
    }

    /// The time at which [`HostedSession::tick`] should be called, if nothing else happens before.
    fn deadline(&self) -> Option<Duration> {
        None
    }

    /// The replies to the passing of time.
    fn tick(&mut self, _now: Duration) -> Vec<Self::Reply> {
        Vec::new()
    }

    /// The reply to a message that can't be followed.
    fn error(code: &'static str, text: String) -> Self::Reply;

    /// Reads a message, or returns the reply to text that is none.
    ///
    /// # Errors
    /// When the text is no message.
    fn read(text: &str) -> Result<Self::Message, Self::Reply> {
        serde_json::from_str(text).map_err(|error| Self::error("message", error.to_string()))
    }
}
