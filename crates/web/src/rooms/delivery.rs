//! The delivery of messages to the queues of visitors.

use crate::connection_limit::ConnectionGuard;
use crate::refusal::Refusal;
use quincunx_club::rooms::{ClubMessage, OutgoingMessage, RoomId, VisitorId};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::sync::mpsc;

/// The refusal of everything while writes fail.
pub(super) const READ_ONLY: Refusal = Refusal {
    code: "read_only",
    text: "the server's disk is full or broken: clocks stand until moves can be kept again",
    retry: Duration::from_secs(10),
};

/// The most messages that are queued for a visitor. A visitor who does not read them is
/// disconnected.
pub(super) const QUEUE_LENGTH: usize = 256;

/// The connections of the visitors, each with its queue.
pub(super) type Connections = HashMap<VisitorId, (ConnectionGuard, mpsc::Sender<QueuedMessage>)>;

/// A turn of a room that begins when its message is sent, and the time at which that was queued.
pub(super) type SentTurn = ((RoomId, u64), Duration);

/// A message that is queued for a visitor.
pub(super) struct QueuedMessage {
    pub(super) text: Arc<str>,
    /// The turn whose message it is.
    pub(super) turn: Option<SentTurn>,
}

/// Queues a message for its recipients. A visitor with a full queue is disconnected: their page
/// reconnects and asks anew.
pub(super) fn deliver(connections: &Mutex<Connections>, now: Duration, message: &OutgoingMessage) {
    let turn = message.turn.map(|turn| (turn, now));
    let mut connections = connections.lock().unwrap_or_else(PoisonError::into_inner);
    for id in &message.to {
        let text = Arc::clone(&message.text);
        if let Some((_, sender)) = connections.get(id)
            && sender.try_send(QueuedMessage { text, turn }).is_err()
        {
            log::info!("visitor={} event=too_slow", id.0);
            connections.remove(id);
        }
        if message.is_last {
            connections.remove(id);
        }
    }
}

/// The message to visitors while writes fail.
pub(super) fn read_only_message(to: Vec<VisitorId>) -> OutgoingMessage {
    let error = ClubMessage::Error {
        code: READ_ONLY.code.into(),
        text: READ_ONLY.text.to_owned(),
        retry_s: Some(READ_ONLY.retry.as_secs()),
    };
    outgoing(to, &error, false)
}

/// The refusal of evicted visitors, which ends their connections.
pub(super) fn refused_message(to: Vec<VisitorId>, refusal: Refusal) -> OutgoingMessage {
    outgoing(to, &refusal.message(), true)
}

fn outgoing(to: Vec<VisitorId>, message: &ClubMessage, is_last: bool) -> OutgoingMessage {
    OutgoingMessage {
        to,
        // Messages have no maps with other keys than text: nothing can fail.
        text: serde_json::to_string(message).unwrap_or_default().into(),
        is_last,
        turn: None,
    }
}
