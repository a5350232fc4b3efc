//! Refusals of connections, for the page and for the log.

use super::shared::LARGEST_MESSAGE;
use axum::extract::WebSocketUpgrade;
use axum::extract::ws::Message;
use axum::response::Response;
use quincunx_club::rooms::ClubMessage;
use std::fmt;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};
use tokio::time::timeout;

/// The longest time for sending a refusal.
const PART_WITHIN: Duration = Duration::from_secs(2);

/// The longest line of the log about a refusal, in characters.
const LONGEST_LINE: usize = 200;

/// The most lines of the log about refusals in a period.
const LINES: u64 = 20;
const PERIOD: Duration = Duration::from_secs(10);

/// The reason for refusing a visitor, and the time until they may try again.
pub(super) struct Refusal {
    pub(super) code: &'static str,
    pub(super) text: &'static str,
    pub(super) retry: Duration,
}

impl Refusal {
    /// The message to the visitor.
    pub(super) fn message(&self) -> ClubMessage {
        ClubMessage::Refused {
            code: self.code.into(),
            text: self.text.to_owned(),
            retry_s: self.retry.as_secs().max(1),
        }
    }
}

/// Accepts the socket, sends the reason and closes it, because a browser hides the reason of a
/// refused upgrade from its page.
pub(super) fn refuse(upgrade: WebSocketUpgrade, refusal: Refusal) -> Response {
    // Messages have no maps with other keys than text: nothing can fail.
    let text = serde_json::to_string(&refusal.message()).unwrap_or_default();
    let upgrade = upgrade
        .max_message_size(LARGEST_MESSAGE)
        .max_frame_size(LARGEST_MESSAGE);
    upgrade.on_upgrade(move |mut socket| async move {
        let send = async {
            socket.send(Message::text(text)).await?;
            socket.send(Message::Close(None)).await?;
            while let Some(Ok(_)) = socket.recv().await {}
            Ok::<(), axum::Error>(())
        };
        let _ = timeout(PART_WITHIN, send).await;
    })
}

/// The rate limit of the log.
struct LogLimit {
    began: Option<Instant>,
    lines: u64,
}

static LIMIT: Mutex<LogLimit> = Mutex::new(LogLimit {
    began: None,
    lines: 0,
});

impl LogLimit {
    /// Counts a line. Returns true if it may be logged, and the number of lines that were
    /// suppressed before it.
    fn take(&mut self, now: Instant) -> (bool, u64) {
        let is_past = |began: Instant| now.duration_since(began) >= PERIOD;
        let mut left_out = 0;
        if self.began.is_none_or(is_past) {
            left_out = self.lines.saturating_sub(LINES);
            (self.began, self.lines) = (Some(now), 0);
        }
        self.lines += 1;
        (self.lines <= LINES, left_out)
    }
}

/// Logs a refusal in a short line. Repeated refusals can't fill a disk: lines beyond the limit are
/// only counted.
pub(super) fn log_refusal(what: fmt::Arguments<'_>) {
    let (may_write, left_out) = {
        let mut limit = LIMIT.lock().unwrap_or_else(PoisonError::into_inner);
        limit.take(Instant::now())
    };
    if left_out > 0 {
        log::warn!("event=refusals_left_out count={left_out}");
    }
    if may_write {
        log::warn!("{}", shortened(&what.to_string()));
    }
}

/// The start of a text, escaped, for the log.
fn shortened(text: &str) -> String {
    let short = text.chars().take(LONGEST_LINE);
    short
        .map(|c| if c.is_control() { '?' } else { c })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_log_gets_a_few_short_lines() {
        let mut limit = LogLimit {
            began: None,
            lines: 0,
        };
        let start = Instant::now();
        let written = (0..1000).filter(|_| limit.take(start).0).count();
        assert_eq!(written as u64, LINES);
        assert_eq!(limit.take(start + PERIOD), (true, 1000 - LINES));
        assert_eq!(limit.take(start + PERIOD * 2), (true, 0));
        assert_eq!(
            shortened(&"é".repeat(100_000)).chars().count(),
            LONGEST_LINE
        );
        assert_eq!(shortened("a\nb"), "a?b");
    }
}
