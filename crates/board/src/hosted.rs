//! The interface of sessions to their hosts, the same for every game: a host is a socket, a page or
//! a terminal.

use super::job::{Job, Report};
use super::job_id::JobId;
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::time::Duration;

/// A session: messages in, replies out, and jobs for the background. The times that it is given
/// never go back.
pub trait HostedSession {
    /// A request of the client.
    type Message: DeserializeOwned;
    /// A reply to the client.
    type Reply: Serialize;

    /// Handles a message that arrived at `now`. A message that can't be followed changes nothing,
    /// and the reply is an error.
    fn handle(&mut self, now: Duration, message: Self::Message) -> Vec<Self::Reply>;

    /// The jobs to run now, at most one of each kind. All other jobs are obsolete.
    fn jobs(&self) -> Vec<Job> {
        Vec::new()
    }

    /// Handles a report of a job that arrived at `now`. Reports of obsolete jobs change nothing.
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

    /// The error reply with this code and text.
    fn error(code: &'static str, text: String) -> Self::Reply;

    /// Parses a message.
    ///
    /// # Errors
    /// The reply to a malformed message.
    fn read(text: &str) -> Result<Self::Message, Self::Reply> {
        serde_json::from_str(text).map_err(|error| Self::error("message", error.to_string()))
    }
}
