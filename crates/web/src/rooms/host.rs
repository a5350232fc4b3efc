//! The club, its store, its engines, and the connections of its visitors.

use super::clock::Clock;
use super::delivery::{Connections, SentTurn, deliver, read_only_message};
use crate::connection_limit::ConnectionLimit;
use crate::rate_limit::{AddressLimits, Rate};
use crate::shared::{Shared, ShutdownHandle, stop_asked};
use quincunx_club::rooms::{
    Club, ClubStatistics, ClubStore, Effects, EnginePool, EngineReport, Limits, MOST_LAG, Outbox,
    OutgoingMessage, RateLimits, RoomId, StoreError, StoreReader, StoreState, VisitorId,
};
use quincunx_engine::engine::Options;
use quincunx_engine::eval::WeightSet;
use std::collections::VecDeque;
use std::io;
use std::net::IpAddr;
use std::path::PathBuf;
use std::pin::pin;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Duration;
use tokio::sync::{Semaphore, mpsc};
use tokio::time::{MissedTickBehavior, interval, sleep};

/// The processor time that all visits from one address share, beyond the share of each.
const OF_ADDRESS: Rate = Rate {
    burst: Duration::from_millis(500),
    seconds_for_one: 10,
};

/// The tick interval.
const TICK: Duration = Duration::from_millis(50);

/// The heartbeat interval of running clocks: the most time of a turn that is not charged after a
/// crash.
const HEARTBEAT: Duration = Duration::from_millis(5);

/// The heartbeat interval while no live clock runs: clocks of correspondence games are never
/// paused, but after an outage their flags have a grace of its length.
const SLOW_HEARTBEAT: Duration = Duration::from_secs(1);

/// The most simultaneous reads of the store for visitors, and for those from one address.
const READERS: usize = 32;
const READERS_OF_ONE: usize = 2;

/// The settings of a club.
#[derive(Clone, Debug)]
pub struct ClubSettings {
    /// The file of the club's database. Without one the club lasts as long as the program.
    pub database: Option<PathBuf>,
    /// The limits of the club.
    pub limits: Limits,
    /// The most engines that search at a time.
    pub searches: usize,
    /// The most visitors.
    pub visitors: usize,
    /// The most visitors from one address, and the most boards.
    pub visitors_of_one: usize,
    /// The most visits from one address that begin in a minute.
    pub visits_a_minute: u32,
    /// True if a proxy in front of the server names the address of visitors in the header
    /// `X-Forwarded-For`.
    pub behind_proxy: bool,
}

impl ClubSettings {
    /// The most visitors from one address, including the places reserved for people whom the club
    /// knows and for people with a game in progress.
    pub(crate) fn most_of_one(&self) -> usize {
        with_reserves(self.visitors_of_one)
    }
}

/// A limit of visitors, with a quarter more for people that the club knows, and another for people
/// with a game in progress.
pub(super) fn with_reserves(most: usize) -> usize {
    most.saturating_add(2 * most.div_ceil(4))
}

/// The club, its store, its engines, and the connections of its visitors.
pub(crate) struct ClubHost {
    pub(crate) settings: ClubSettings,
    /// The token that the administrator shows for that.
    pub(crate) token: String,
    club: Mutex<Club>,
    address: OnceLock<Option<String>>,
    /// The number of the last effects that are stored.
    stored: Arc<AtomicU64>,
    outbox: Outbox,
    engines: EnginePool,
    /// Visits that begin from each address.
    pub(super) visits: Mutex<RateLimits<IpAddr>>,
    /// The visitors from each address.
    pub(super) connection_limit: Arc<ConnectionLimit>,
    /// The reads of the store in progress, by address and in all.
    readers: Arc<ConnectionLimit>,
    reading: Arc<Semaphore>,
    /// The processor time of the visitors from each address.
    pub(super) rates: AddressLimits,
    /// The reports of the engines, until the club receives them.
    reports: Mutex<Option<mpsc::UnboundedReceiver<TimedReport>>>,
    pub(super) connections: Arc<Mutex<Connections>>,
    /// The turns that were queued for their players lately, the latest last.
    turns: Arc<Mutex<VecDeque<SentTurn>>>,
    /// True if writes fail now.
    is_read_only: Arc<AtomicBool>,
    pub(super) next: AtomicU64,
    pub(super) clock: Clock,
}

/// The cost of a visitor's message besides processor time.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Received {
    /// True if a game begins with it.
    pub(super) begins: bool,
    /// The bytes that the visitor is sent in return.
    pub(super) answered: usize,
}

/// A report of an engine on the turn of a room, and its time.
type TimedReport = (Duration, (RoomId, u64), EngineReport);

impl ClubHost {
    /// Opens the store and starts the engines. The server stops when the store fails.
    ///
    /// # Errors
    /// When the store can't be read, or the system gives no threads.
    pub(crate) fn start(
        settings: ClubSettings,
        weights: &Arc<WeightSet>,
        options: Options,
        shutdown: ShutdownHandle,
    ) -> Result<Arc<ClubHost>, StoreError> {
        let mut store = ClubStore::open(settings.database.as_deref())?;
        let clock = Clock::system();
        store.set_back_to(clock.now())?;
        let stored = store.load()?;
        let connections: Arc<Mutex<Connections>> = Arc::default();
        let (senders, notified) = (Arc::clone(&connections), Arc::clone(&connections));
        let (store_clock, notify_clock) = (clock.clone(), clock.clone());
        let turns: Arc<Mutex<VecDeque<SentTurn>>> = Arc::default();
        let queued = Arc::clone(&turns);
        let is_read_only = Arc::<AtomicBool>::default();
        let read_only = Arc::clone(&is_read_only);
        let report = move |state| match state {
            StoreState::Writable => {
                log::warn!("event=store_writable");
                read_only.store(false, Ordering::Relaxed);
            }
            StoreState::Stalled(error) => {
                log::error!("event=read_only error={error}");
                read_only.store(true, Ordering::Relaxed);
                let connections = notified.lock().unwrap_or_else(PoisonError::into_inner);
                let to = connections.keys().copied().collect();
                drop(connections);
                deliver(&notified, notify_clock.now(), &read_only_message(to));
            }
            StoreState::Failed(error) => {
                log::error!("event=store_failed error={error}");
                shutdown.fail();
            }
        };
        let enqueue = move |message: OutgoingMessage| {
            let now = store_clock.now();
            deliver(&senders, now, &message);
            let mut queued = queued.lock().unwrap_or_else(PoisonError::into_inner);
            queued.extend(message.turn.map(|turn| (turn, now)));
        };
        let outbox = Outbox::start(store, enqueue, report)?;
        let club = Club::new(settings.limits, stored, random);
        // An engine's thread, which gives way to others, must not hold the club meanwhile.
        let (sender, reports) = mpsc::unbounded_channel();
        let engine_clock = clock.clone();
        let report = move |room, turn, report| {
            _ = sender.send((engine_clock.now(), (room, turn), report));
        };
        let host = ClubHost {
            engines: EnginePool::start(settings.searches, weights, options, report)?,
            visits: Mutex::default(),
            connection_limit: ConnectionLimit::new(settings.most_of_one()),
            readers: ConnectionLimit::new(READERS_OF_ONE),
            reading: Arc::new(Semaphore::new(READERS)),
            rates: AddressLimits::new(OF_ADDRESS),
            reports: Mutex::new(Some(reports)),
            settings,
            token: format!("{:016x}{:016x}", random(), random()),
            club: Mutex::new(club),
            address: OnceLock::new(),
            stored: Arc::default(),
            outbox,
            connections,
            turns,
            is_read_only,
            next: AtomicU64::new(0),
            clock,
        };
        // Clocks that ran are stopped, and the grace has an end, which is stored: the heartbeat of an
        // earlier run counts no more.
        host.with(Club::tick);
        host.outbox.heartbeat(host.now());
        Ok(Arc::new(host))
    }

    /// Sets the address at which others can open the page, once.
    pub(crate) fn set_address(&self, address: Option<String>) {
        self.lock().set_address(address.clone());
        _ = self.address.set(address);
    }

    /// The address at which others can open the page, if it is known.
    pub(super) fn address(&self) -> Option<&str> {
        self.address.get()?.as_deref()
    }

    /// The time since 1970.
    pub(super) fn now(&self) -> Duration {
        self.clock.now()
    }

    /// Applies `act` to the club, and sends the effects.
    pub(super) fn with<T>(&self, act: impl FnOnce(&mut Club, Duration) -> T) -> T {
        self.with_effects(act, |_| ()).0
    }

    /// Applies `act` to the club, inspects the effects, and sends them.
    fn with_effects<T, U>(
        &self,
        act: impl FnOnce(&mut Club, Duration) -> T,
        look: impl FnOnce(&Effects) -> U,
    ) -> (T, U) {
        let mut club = self.lock();
        let now = self.clock.now();
        for (turn, queued_at) in self.overdue_turns(now) {
            club.begin_turn(queued_at + MOST_LAG, turn);
        }
        let done = act(&mut club, now);
        let effects = club.take_effects();
        let seen = look(&effects);
        // Sent while the club is held, so that messages and jobs go in the order of the changes.
        let has_writes = !effects.writes.is_empty();
        self.outbox.send(effects.writes, effects.messages);
        if has_writes {
            let (stored, number) = (Arc::clone(&self.stored), effects.number);
            self.outbox
                .settle(move |_| _ = stored.fetch_max(number, Ordering::Relaxed));
        }
        for job in effects.jobs {
            self.engines.add(job);
        }
        drop(club);
        (done, seen)
    }

    fn lock(&self) -> MutexGuard<'_, Club> {
        self.club.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A visitor is gone.
    pub(super) fn leave(&self, id: VisitorId) {
        self.with(|club, now| club.leave(now, id));
        let mut connections = self
            .connections
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        connections.remove(&id);
    }

    /// Drives the clock of the club until the server stops.
    pub(crate) async fn run(self: Arc<ClubHost>, shared: Arc<Shared>) {
        let mut stopping = shared.stopping();
        let (mut ticks, mut heartbeats) = (interval(TICK), interval(HEARTBEAT));
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        heartbeats.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let reports = self
            .reports
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .take();
        let Some(mut reports) = reports else {
            return;
        };
        let mut runs = false;
        let mut slow_heartbeat = Duration::ZERO;
        loop {
            tokio::select! {
                Some((at, turn, report)) = reports.recv() => match report {
                    EngineReport::Begun => self.with(|club, _| club.begin_turn(at, turn)),
                    EngineReport::Ended { took, answer } => {
                        let answer = answer.as_ref();
                        self.with(|club, now| club.receive_answer(now, turn, took, answer));
                    }
                },
                _ = ticks.tick() => {
                    self.wake();
                    runs = self.with(|club, now| {
                        if self.is_read_only() {
                            club.stop_clocks(now);
                            return false;
                        }
                        club.tick(now);
                        club.stored(self.stored.load(Ordering::Relaxed));
                        club.clock_runs()
                    });
                    let now = self.clock.now();
                    if !self.is_read_only() && now.saturating_sub(slow_heartbeat) >= SLOW_HEARTBEAT {
                        slow_heartbeat = now;
                        self.outbox.heartbeat(now);
                    }
                    shared.set_running_games(self.lock().running_games());
                }
                _ = heartbeats.tick(), if runs => self.outbox.heartbeat(self.clock.now()),
                () = stop_asked(&mut stopping) => return,
            }
        }
    }

    /// Handles a resume of the machine: clocks wait for their players, as after a restart, and
    /// pages connect anew.
    fn wake(&self) {
        if let Some(slept) = self.clock.slept() {
            log::warn!("event=woken seconds={}", slept.as_secs());
            self.with(|club, now| {
                club.wake(now, slept);
                self.clock.move_on(slept);
            });
            let mut connections = self
                .connections
                .lock()
                .unwrap_or_else(PoisonError::into_inner);
            connections.clear();
        }
    }

    /// Takes out the turns that were queued [`MOST_LAG`] ago or earlier. A player to whom one is
    /// still unsent does not read.
    fn overdue_turns(&self, now: Duration) -> Vec<SentTurn> {
        let mut turns = self.turns.lock().unwrap_or_else(PoisonError::into_inner);
        let is_overdue = |(_, queued_at): &&SentTurn| *queued_at + MOST_LAG <= now;
        let count = turns.iter().take_while(is_overdue).count();
        turns.drain(..count).collect()
    }

    /// Handles a message that came at this time.
    pub(super) fn receive(
        &self,
        came_at: Duration,
        id: VisitorId,
        lag: Duration,
        text: &str,
    ) -> Received {
        if self.is_read_only() {
            deliver(
                &self.connections,
                self.clock.now(),
                &read_only_message(vec![id]),
            );
            return Received::default();
        }
        let follow = |club: &mut Club, _| {
            let before = club.games_started();
            club.receive(came_at, id, lag, text);
            club.games_started() > before
        };
        let answers = |effects: &Effects| {
            let messages = effects.messages.iter().filter(|it| it.to.contains(&id));
            messages.map(|it| it.text.len()).sum()
        };
        let (begins, answered) = self.with_effects(follow, answers);
        Received { begins, answered }
    }

    /// Notes that the message of a turn was sent to a visitor. A connection that takes long to
    /// write has a visitor who does not read.
    pub(super) fn turn_sent(&self, id: VisitorId, turn: (RoomId, u64), queued_at: Duration) {
        let at = self.clock.now().min(queued_at + MOST_LAG);
        self.lock().turn_sent(at, id, turn);
    }

    /// Returns true if a visitor is authenticated.
    pub(super) fn is_authenticated(&self, id: VisitorId) -> bool {
        self.lock().is_authenticated(id)
    }

    /// Returns true if writes fail now, so that nothing may change.
    pub(super) fn is_read_only(&self) -> bool {
        self.is_read_only.load(Ordering::Relaxed)
    }

    /// Waits until everything is stored. Returns false if the store has failed.
    pub(super) async fn settle(&self) -> bool {
        let (sender, receiver) = tokio::sync::oneshot::channel();
        self.outbox.settle(move |_| _ = sender.send(()));
        receiver.await.is_ok()
    }

    /// Waits until everything is stored, but returns false at once while writes fail.
    pub(super) async fn is_stored(&self) -> bool {
        let mut settled = pin!(self.settle());
        loop {
            tokio::select! {
                is_stored = &mut settled => return is_stored,
                () = sleep(TICK) => {}
            }
            if self.is_read_only() {
                return false;
            }
        }
    }

    /// Reads a snapshot of the store that includes all earlier writes.
    pub(super) async fn read<T: Send + 'static>(
        &self,
        work: impl FnOnce(&StoreReader) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, StoreError> {
        let (sender, receiver) = tokio::sync::oneshot::channel();
        self.outbox
            .read(move |stored| _ = sender.send(work(stored)));
        let ended = |_| StoreError::File(io::ErrorKind::BrokenPipe.into());
        receiver.await.map_err(ended)?
    }

    /// Reads a snapshot of the store for a visitor. Each address has two reads at a time, and some
    /// are reserved for administrators. A read keeps its place until it ends, even if the visitor
    /// disconnects.
    ///
    /// # Errors
    /// When too much is being read, or it can't be read.
    pub(super) async fn read_for<T: Send + 'static>(
        &self,
        address: IpAddr,
        work: impl FnOnce(&StoreReader) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, StoreError> {
        let busy = || StoreError::File(io::ErrorKind::ResourceBusy.into());
        let guard = self.readers.admit(address).ok_or_else(busy)?;
        let reading = Arc::clone(&self.reading).try_acquire_owned();
        let reading = reading.map_err(|_| busy())?;
        self.read(move |stored| {
            let _places = (guard, reading);
            work(stored)
        })
        .await
    }

    /// Waits until every visitor is disconnected and everything is stored, in one file.
    pub(crate) async fn part(&self) {
        while self.lock().statistics().visitors > 0 {
            sleep(TICK).await;
        }
        let (sender, receiver) = tokio::sync::oneshot::channel();
        self.outbox.settle(move |store| {
            if let Err(error) = store.checkpoint() {
                log::warn!("event=checkpoint_failed error={error}");
            }
            _ = sender.send(());
        });
        _ = receiver.await;
    }

    /// The statistics of the club, and the number of queued searches.
    pub(super) fn statistics(&self) -> (ClubStatistics, usize) {
        (self.lock().statistics(), self.engines.waiting())
    }

    pub(super) fn outbox(&self) -> &Outbox {
        &self.outbox
    }
}

/// A random number of the system, fit for secrets.
fn random() -> u64 {
    let mut bytes = [0; 8];
    // Without the system's random numbers there is no safe room.
    match getrandom::fill(&mut bytes) {
        Ok(()) => u64::from_le_bytes(bytes),
        Err(error) => panic!("no random numbers: {error}"),
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
pub(super) mod tests {
    use super::super::delivery::QueuedMessage;
    use super::*;
    use crate::board_settings::BoardSettings;
    use quincunx_board::SearchBounds;
    use serde_json::{Value, json};

    /// A club without a visitor.
    pub(in crate::rooms) fn host() -> Arc<ClubHost> {
        let options = Options::default();
        let boards = BoardSettings {
            options,
            searches: SearchBounds::of(&options),
            engines: 1,
            weights: Arc::default(),
            explorer: None,
        };
        let shared = Shared::new(&boards, 8, true, false);
        let settings = ClubSettings {
            database: None,
            limits: Limits::default(),
            searches: 1,
            visitors: 8,
            visitors_of_one: 8,
            visits_a_minute: 80,
            behind_proxy: false,
        };
        ClubHost::start(settings, &boards.weights, options, shared.shutdown()).unwrap()
    }

    /// A visitor whose connection writes nothing: messages wait until they are looked at here.
    pub(in crate::rooms) struct Silent {
        host: Arc<ClubHost>,
        pub(in crate::rooms) id: VisitorId,
        pub(in crate::rooms) messages: mpsc::Receiver<QueuedMessage>,
    }

    impl Silent {
        pub(in crate::rooms) fn new(host: &Arc<ClubHost>, key: u8) -> Silent {
            let (id, messages) = host.arrive([127, 0, 0, 1].into()).ok().unwrap();
            let host = Arc::clone(host);
            let visitor = Silent { host, id, messages };
            visitor.say(&json!({ "type": "hello", "version": 1, "key": format!("{key:032x}") }));
            visitor
        }

        pub(in crate::rooms) fn say(&self, message: &Value) {
            let (now, lag) = (self.host.now(), Duration::ZERO);
            self.host.receive(now, self.id, lag, &message.to_string());
        }

        fn play(&self, point: &str, ply: usize) {
            self.say(&json!({ "type": "play", "point": point, "ply": ply }));
        }

        /// The next message that shows a room with so many stones.
        pub(in crate::rooms) fn stones(&mut self, count: usize) -> Value {
            loop {
                let message = self.messages.blocking_recv().unwrap();
                let shown: Value = serde_json::from_str(&message.text).unwrap();
                let stones = shown["stones"].as_array().map(Vec::len);
                if shown["type"] == "room" && stones == Some(count) {
                    return shown;
                }
            }
        }
    }

    /// Begins an unrated game of two visitors, and returns them.
    pub(in crate::rooms) fn game(host: &Arc<ClubHost>) -> (Silent, Silent) {
        game_of(host, [1, 2])
    }

    /// The same of visitors with these keys.
    pub(in crate::rooms) fn game_of(host: &Arc<ClubHost>, keys: [u8; 2]) -> (Silent, Silent) {
        let [mut anna, bela] = keys.map(|key| Silent::new(host, key));
        let setup = json!({
            "rule": "freestyle", "size": "15", "opening": "free", "rated": false,
            "clock": { "kind": "sudden_death", "main_ms": 60_000 },
        });
        anna.say(&json!({ "type": "create", "seat": "first", "setup": setup }));
        let room = anna.stones(0)["room"].clone();
        bela.say(&json!({ "type": "enter", "room": room, "sit": true }));
        (anna, bela)
    }

    /// A turn once began when its message was written to the socket: a player with a full socket
    /// thought for nothing until then, and played by another connection.
    #[test]
    fn a_player_who_reads_nothing_has_a_clock() {
        let host = host();
        let (mut anna, mut bela) = game(&host);
        anna.play("h8", 0);
        anna.stones(1);
        let notified = host.now();
        std::thread::sleep(MOST_LAG + Duration::from_millis(300));
        let thought = host.now() - notified;
        bela.play("i9", 1);
        let left = bela.stones(2)["clock"][1]["main"].as_u64().unwrap();
        let used = Duration::from_millis(60_000 - left);
        assert!(used + MOST_LAG >= thought, "{used:?} of {thought:?}");
    }
}
