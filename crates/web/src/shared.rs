//! What all connections share, and how they are told to end.

use super::crowd::Crowd;
use quincunx_engine::engine::{MonotonicClock, Options};
use quincunx_engine::eval::WeightSet;
use std::net::IpAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use tokio::sync::{Semaphore, watch};
use tokio::time::Instant;

/// The most connections at a time.
pub(super) const MOST_CONNECTIONS: usize = 256;

/// What a page sends to hear whether the server is still there, and what it hears. A
/// browser keeps WebSocket's own pings to itself.
pub(super) const PING: &str = r#"{"type":"ping"}"#;
pub(super) const PONG: &str = r#"{"type":"pong"}"#;

/// The address at the other end of a connection.
#[derive(Clone, Copy)]
pub(super) struct Peer(pub(super) IpAddr);

/// Ends a server, from any thread.
#[derive(Clone)]
pub struct Stopper {
    stops: watch::Sender<bool>,
    failed: Arc<AtomicBool>,
}

impl Stopper {
    /// Ends the server soon. Pages are told.
    pub fn stop(&self) {
        self.stops.send_replace(true);
    }

    /// The same, because the rooms can't be kept any more.
    pub(super) fn fail(&self) {
        self.failed.store(true, Ordering::Relaxed);
        self.stop();
    }
}

/// What all connections share.
pub(super) struct Shared {
    pub(super) weights: Arc<WeightSet>,
    pub(super) options: Options,
    pub(super) engines: Arc<Semaphore>,
    /// Whether a page may end the server.
    pub(super) may_be_stopped: bool,
    /// Room for connections.
    pub(super) seats: Arc<Semaphore>,
    /// The boards of each address.
    pub(super) boards: Arc<Crowd>,
    stopper: Stopper,
    clock: MonotonicClock,
    started: Instant,
}

impl Shared {
    /// What connections share where so many of them may have an engine, and so many
    /// boards may come from one address.
    pub(super) fn new(
        weights: Arc<WeightSet>,
        options: Options,
        engines: usize,
        boards_of_one: usize,
        may_be_stopped: bool,
    ) -> Shared {
        Shared {
            weights,
            options,
            engines: Arc::new(Semaphore::new(engines)),
            may_be_stopped,
            seats: Arc::new(Semaphore::new(MOST_CONNECTIONS)),
            boards: Crowd::new(boards_of_one),
            stopper: Stopper {
                stops: watch::Sender::new(false),
                failed: Arc::default(),
            },
            clock: MonotonicClock::system(),
            started: Instant::now(),
        }
    }

    /// What ends the server.
    pub(super) fn stopper(&self) -> Stopper {
        self.stopper.clone()
    }

    /// The time since the server started.
    pub(super) fn now(&self) -> Duration {
        self.clock.now()
    }

    /// The instant at which [`Shared::now`] is this.
    pub(super) fn instant(&self, now: Duration) -> Instant {
        self.started + now
    }

    pub(super) fn stop(&self) {
        self.stopper.stop();
    }

    /// Whether the server stops because the rooms can't be kept any more.
    pub(super) fn has_failed(&self) -> bool {
        self.stopper.failed.load(Ordering::Relaxed)
    }

    /// Becomes true when the server stops.
    pub(super) fn stopping(&self) -> watch::Receiver<bool> {
        self.stopper.stops.subscribe()
    }
}

/// Waits until the server stops.
pub(super) async fn stop_asked(stopping: &mut watch::Receiver<bool>) {
    // Without anybody who could stop it the server has ended already.
    let _ = stopping.wait_for(|stops| *stops).await;
}
