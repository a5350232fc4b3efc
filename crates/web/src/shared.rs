//! The state that all connections share, and shutdown.

use super::board_settings::BoardSettings;
use super::connection_limit::ConnectionLimit;
use super::rate_limit::{AddressLimits, Rate};
use quincunx_board::SearchBounds;
use quincunx_club::rooms::RunningGames;
use quincunx_engine::engine::{MonotonicClock, Options};
use quincunx_engine::eval::WeightSet;
use quincunx_explorer::Explorer;
use std::net::IpAddr;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::sync::{Semaphore, watch};
use tokio::time::Instant;

/// The most connections at a time.
pub(super) const MOST_CONNECTIONS: usize = 256;

/// The largest message of a page in bytes, except in rooms.
pub(super) const LARGEST_MESSAGE: usize = 1 << 20;

/// The processor time of a board on a public server, and of all boards of an address, besides their
/// searches.
const OF_BOARD: Rate = Rate {
    burst: Duration::from_secs(1),
    seconds_for_one: 4,
};
const OF_ADDRESS: Rate = Rate {
    burst: Duration::from_secs(4),
    seconds_for_one: 2,
};

/// The time until an idle engine of a board on a public server ends.
const ENGINE_LINGER: Duration = Duration::from_secs(60);

/// The ping of a page, and the answer to it. Browsers do not show a page the pings of WebSocket.
pub(super) const PING: &str = r#"{"type":"ping"}"#;
pub(super) const PONG: &str = r#"{"type":"pong"}"#;

/// The address that a request comes from: that of the other end of the connection, or the one
/// that a proxy names there.
#[derive(Clone, Copy)]
pub(super) struct Peer(pub(super) IpAddr);

/// Shuts a server down, from any thread.
#[derive(Clone)]
pub struct ShutdownHandle {
    stops: watch::Sender<bool>,
    failed: Arc<AtomicBool>,
}

impl ShutdownHandle {
    /// Shuts the server down. Pages get a goodbye.
    pub fn stop(&self) {
        self.stops.send_replace(true);
    }

    /// Stops the server because the store of the rooms failed.
    pub(super) fn fail(&self) {
        self.failed.store(true, Ordering::Relaxed);
        self.stop();
    }
}

/// The state that all connections share.
pub(super) struct Shared {
    pub(super) weights: Arc<WeightSet>,
    /// The explorer of played games, for the analysis of boards.
    pub(super) explorer: Option<Arc<Explorer>>,
    pub(super) options: Options,
    /// The bounds within which people choose them for their boards.
    pub(super) searches: SearchBounds,
    pub(super) engines: Arc<Semaphore>,
    /// The boards of each address that have an engine.
    pub(super) engines_of_one: Arc<ConnectionLimit>,
    /// The time until an idle engine of a board ends, or `None` if it stays.
    pub(super) engine_linger: Option<Duration>,
    /// True if a page may end the server.
    pub(super) may_be_stopped: bool,
    /// The permits of connections.
    pub(super) seats: Arc<Semaphore>,
    /// The boards of each address.
    pub(super) boards: Arc<ConnectionLimit>,
    /// The processor time of each board, besides searches.
    pub(super) rate_of_board: Rate,
    /// The processor time that the boards of each address may use.
    pub(super) rates: AddressLimits,
    /// The rated games that are being played in rooms, which no board analyses.
    running: Mutex<Arc<RunningGames>>,
    shutdown: ShutdownHandle,
    clock: MonotonicClock,
    started: Instant,
}

impl Shared {
    /// Creates the shared state of a server with a limit of boards from one address. On a public
    /// server boards have a rate limit, and a quarter of the engines is reserved for other
    /// addresses.
    pub(super) fn new(
        settings: &BoardSettings,
        boards_of_one: usize,
        is_public: bool,
        may_be_stopped: bool,
    ) -> Shared {
        Shared {
            weights: Arc::clone(&settings.weights),
            explorer: settings.explorer.clone(),
            options: settings.options,
            searches: settings.searches,
            engines: Arc::new(Semaphore::new(settings.engines)),
            engines_of_one: ConnectionLimit::new(if is_public {
                settings.engines - settings.engines / 4
            } else {
                usize::MAX
            }),
            engine_linger: is_public.then_some(ENGINE_LINGER),
            may_be_stopped,
            seats: Arc::new(Semaphore::new(MOST_CONNECTIONS)),
            boards: ConnectionLimit::new(boards_of_one),
            rate_of_board: if is_public { OF_BOARD } else { Rate::UNLIMITED },
            rates: AddressLimits::new(if is_public {
                OF_ADDRESS
            } else {
                Rate::UNLIMITED
            }),
            running: Mutex::default(),
            shutdown: ShutdownHandle {
                stops: watch::Sender::new(false),
                failed: Arc::default(),
            },
            clock: MonotonicClock::system(),
            started: Instant::now(),
        }
    }

    /// The shutdown handle of the server.
    pub(super) fn shutdown(&self) -> ShutdownHandle {
        self.shutdown.clone()
    }

    /// The rated games that are being played in rooms.
    pub(super) fn running_games(&self) -> Arc<RunningGames> {
        let running = self.running.lock();
        Arc::clone(&running.unwrap_or_else(PoisonError::into_inner))
    }

    /// Replaces the rated games in progress, if they have changed: boards check their positions
    /// again then.
    pub(super) fn set_running_games(&self, games: RunningGames) {
        let mut running = self.running.lock().unwrap_or_else(PoisonError::into_inner);
        if **running != games {
            *running = Arc::new(games);
        }
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
        self.shutdown.stop();
    }

    /// Returns true if the server stops because the store of the rooms failed.
    pub(super) fn has_failed(&self) -> bool {
        self.shutdown.failed.load(Ordering::Relaxed)
    }

    /// Becomes true when the server stops.
    pub(super) fn stopping(&self) -> watch::Receiver<bool> {
        self.shutdown.stops.subscribe()
    }
}

/// Waits until the server stops.
pub(super) async fn stop_asked(stopping: &mut watch::Receiver<bool>) {
    // Where the receiver is gone the server has ended already.
    let _ = stopping.wait_for(|stops| *stops).await;
}
