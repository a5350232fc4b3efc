//! Messages to visitors.

use super::{Club, OutgoingMessage};
use crate::rooms::message::ClubMessage;
use crate::rooms::number::VisitorId;
use std::sync::Arc;

impl Club {
    pub(super) fn send(&mut self, to: Vec<VisitorId>, message: &ClubMessage) {
        self.enqueue(to, message, false);
    }

    /// Sends visitors a last message, which closes their connections. Messages that they send until
    /// then are ignored.
    pub(super) fn disconnect(&mut self, to: Vec<VisitorId>, message: &ClubMessage) {
        for id in &to {
            if let Some(visitor) = self.connections.get_mut(*id) {
                visitor.is_over = true;
            }
        }
        self.enqueue(to, message, true);
    }

    fn enqueue(&mut self, to: Vec<VisitorId>, message: &ClubMessage, is_last: bool) {
        self.send_text(to, text(message), is_last);
    }

    pub(super) fn send_text(&mut self, to: Vec<VisitorId>, text: Arc<str>, is_last: bool) {
        self.effects.messages.push(OutgoingMessage {
            to,
            text,
            is_last,
            turn: None,
        });
    }
}

/// A message as JSON.
pub(super) fn text(message: &ClubMessage) -> Arc<str> {
    // Messages have no maps with other keys than text: nothing can fail.
    serde_json::to_string(message).unwrap_or_default().into()
}
