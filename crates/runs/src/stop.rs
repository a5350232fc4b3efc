//! Stops work from any thread, at once and for good.

use crossbeam_channel::{Receiver, Sender, bounded};
use std::sync::{Arc, Mutex, PoisonError};

/// A signal that is given once, and received by every thread that waits for it.
#[derive(Clone)]
pub struct StopSignal {
    /// Dropping the sender is the signal.
    sender: Arc<Mutex<Option<Sender<()>>>>,
    receiver: Receiver<()>,
}

impl Default for StopSignal {
    fn default() -> Self {
        let (sender, receiver) = bounded(0);
        StopSignal {
            sender: Arc::new(Mutex::new(Some(sender))),
            receiver,
        }
    }
}

impl StopSignal {
    /// Gives the signal.
    pub fn give(&self) {
        *self.sender.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }

    /// Returns whether the signal was given.
    pub fn is_given(&self) -> bool {
        let sender = self.sender.lock().unwrap_or_else(PoisonError::into_inner);
        sender.is_none()
    }

    /// Returns a channel that disconnects when the signal is given.
    pub fn receiver(&self) -> &Receiver<()> {
        &self.receiver
    }
}
