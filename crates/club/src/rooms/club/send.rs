//! Messages to visitors.

use super::{Club, Letter};
use crate::rooms::message::ClubMessage;
use crate::rooms::number::VisitorId;
use std::sync::Arc;

impl Club {
    pub(super) fn say(&mut self, to: Vec<VisitorId>, message: &ClubMessage) {
        self.post(to, message, false);
    }

    /// Says something to visitors whose connections end then, and hears them no more.
    pub(super) fn part_with(&mut self, to: Vec<VisitorId>, message: &ClubMessage) {
        for id in &to {
            if let Some(visitor) = self.visitors.get_mut(id) {
                visitor.is_over = true;
            }
        }
        self.post(to, message, true);
    }

    fn post(&mut self, to: Vec<VisitorId>, message: &ClubMessage, is_last: bool) {
        self.post_text(to, text(message), is_last);
    }

    pub(super) fn post_text(&mut self, to: Vec<VisitorId>, text: Arc<str>, is_last: bool) {
        self.effects.letters.push(Letter {
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
