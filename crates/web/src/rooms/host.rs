//! The club, its store, its engines, and the connections of its visitors.

use crate::crowd::{Crowd, Member, network};
use crate::shared::{Shared, Stopper, stop_asked};
use quincunx_club::rooms::{
    Club, ClubStatistics, ClubStore, EnginePool, Letter, Limits, Outbox, Quotas, StoreError,
    VisitorId,
};
use quincunx_engine::engine::{MonotonicClock, Options};
use quincunx_engine::eval::WeightSet;
use std::collections::HashMap;
use std::io;
use std::net::IpAddr;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime, UNIX_EPOCH};
use tokio::sync::mpsc;
use tokio::time::{MissedTickBehavior, interval, sleep};

/// How often flags are looked at.
const TICK: Duration = Duration::from_millis(50);

/// How often it is noted that clocks run: so much of a turn is not charged at most
/// when the program comes to a sudden end.
const PULSE: Duration = Duration::from_millis(5);

/// The period of the limit of visits.
const MINUTE: Duration = Duration::from_secs(60);

/// The most messages that wait for a visitor. Whoever does not read them is gone.
const WAITING: usize = 256;

/// How a club is set up.
#[derive(Clone, Debug)]
pub struct ClubSettings {
    /// The file that keeps it; without one it lasts as long as the program.
    pub database: Option<PathBuf>,
    /// What it allows.
    pub limits: Limits,
    /// The most engines that search at a time.
    pub searches: usize,
    /// The most visitors.
    pub visitors: usize,
    /// The most visitors from one address, and the most boards.
    pub visitors_of_one: usize,
    /// The most visits from one address that begin in a minute.
    pub visits_a_minute: u32,
    /// Whether a proxy stands before the server and names the address of visitors in
    /// the header `X-Forwarded-For`.
    pub behind_proxy: bool,
}

/// The club, its store, its engines, and the connections of its visitors.
pub(crate) struct ClubHost {
    pub(crate) settings: ClubSettings,
    /// What whoever runs the server shows for that.
    pub(crate) token: String,
    club: Mutex<Club>,
    outbox: Outbox,
    engines: EnginePool,
    /// Visits that begin from each address.
    visits: Mutex<Quotas>,
    /// The visitors from each address.
    crowd: Arc<Crowd>,
    doors: Arc<Mutex<Doors>>,
    next: AtomicU64,
    clock: Clock,
}

/// The ways to the visitors.
type Doors = HashMap<VisitorId, (Member, mpsc::Sender<Arc<str>>)>;

/// The time since 1970. It never goes back.
#[derive(Clone)]
struct Clock {
    started: Duration,
    clock: MonotonicClock,
}

impl Clock {
    fn now(&self) -> Duration {
        self.started + self.clock.now()
    }
}

impl ClubHost {
    /// Opens the store and starts the engines. What can't be kept ends the server.
    ///
    /// # Errors
    /// When the store can't be read, or the system gives no threads.
    pub(crate) fn start(
        settings: ClubSettings,
        weights: &Arc<WeightSet>,
        options: Options,
        stopper: Stopper,
    ) -> Result<Arc<ClubHost>, StoreError> {
        let mut store = ClubStore::open(settings.database.as_deref())?;
        let kept = store.load()?;
        let clock = Clock {
            started: SystemTime::now()
                .duration_since(UNIX_EPOCH)
                .unwrap_or_default(),
            clock: MonotonicClock::system(),
        };
        let doors: Arc<Mutex<Doors>> = Arc::default();
        let ways = Arc::clone(&doors);
        let outbox = Outbox::start(
            store,
            move |letter| deliver(&ways, &letter),
            move |error| {
                log::error!("event=store_failed error={error}");
                stopper.fail();
            },
        )?;
        let club = Club::new(settings.limits, kept, random);
        let mut failed = None;
        let host = Arc::new_cyclic(|host: &std::sync::Weak<ClubHost>| {
            let host = host.clone();
            let report = move |room, turn, answer: Option<&_>| {
                if let Some(host) = host.upgrade() {
                    host.with(|club, now| club.hear_engine(now, room, turn, answer));
                }
            };
            let engines = EnginePool::start(settings.searches, weights, options, report);
            ClubHost {
                engines: engines.unwrap_or_else(|error| {
                    failed = Some(error);
                    EnginePool::default()
                }),
                visits: Mutex::new(Quotas::new(settings.visits_a_minute, MINUTE)),
                crowd: Crowd::new(settings.visitors_of_one),
                settings,
                token: format!("{:016x}{:016x}", random(), random()),
                club: Mutex::new(club),
                outbox,
                doors,
                next: AtomicU64::new(0),
                clock,
            }
        });
        match failed {
            Some(error) => Err(error.into()),
            None => Ok(host),
        }
    }

    /// Does something with the club, and what follows from it.
    pub(super) fn with<T>(&self, act: impl FnOnce(&mut Club, Duration) -> T) -> T {
        let mut club = self.lock();
        let done = act(&mut club, self.clock.now());
        let effects = club.take_effects();
        // Sent while the club is held, so that letters and jobs go in the order of the changes.
        self.outbox.send(effects.changes, effects.letters);
        for job in effects.jobs {
            self.engines.add(job);
        }
        drop(club);
        if !effects.shut_out.is_empty() {
            let mut doors = self.doors.lock().unwrap_or_else(PoisonError::into_inner);
            effects
                .shut_out
                .iter()
                .for_each(|id| drop(doors.remove(id)));
        }
        done
    }

    fn lock(&self) -> MutexGuard<'_, Club> {
        self.club.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Lets somebody in, if there is room and not too many came from there of late.
    pub(super) fn arrive(&self, address: IpAddr) -> Option<(VisitorId, mpsc::Receiver<Arc<str>>)> {
        let id = VisitorId(self.next.fetch_add(1, Ordering::Relaxed));
        let (sender, receiver) = mpsc::channel(WAITING);
        let mut doors = self.doors.lock().unwrap_or_else(PoisonError::into_inner);
        let network = network(address);
        let visits = self.visits.lock();
        let mut visits = visits.unwrap_or_else(PoisonError::into_inner);
        let may_come = visits.take(self.clock.now(), network);
        drop(visits);
        if !may_come {
            log::warn!("event=too_many_visits address={address}");
            return None;
        }
        let is_full = doors.len() >= self.settings.visitors;
        let Some(member) = self.crowd.admit(address).filter(|_| !is_full) else {
            log::warn!("event=too_many_visitors address={address}");
            return None;
        };
        doors.insert(id, (member, sender));
        drop(doors);
        self.with(|club, _| club.arrive(id, network));
        Some((id, receiver))
    }

    /// Somebody is gone.
    pub(super) fn leave(&self, id: VisitorId) {
        self.with(|club, now| club.leave(now, id));
        let mut doors = self.doors.lock().unwrap_or_else(PoisonError::into_inner);
        doors.remove(&id);
    }

    /// Lets time pass until the server stops.
    pub(crate) async fn run(self: Arc<ClubHost>, shared: Arc<Shared>) {
        let mut stopping = shared.stopping();
        let (mut ticks, mut pulses) = (interval(TICK), interval(PULSE));
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        pulses.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let mut runs = false;
        loop {
            tokio::select! {
                _ = ticks.tick() => {
                    runs = self.with(|club, now| {
                        club.tick(now);
                        club.clock_runs()
                    });
                }
                _ = pulses.tick(), if runs => self.outbox.beat(self.clock.now()),
                () = stop_asked(&mut stopping) => return,
            }
        }
    }

    /// Waits until everything is kept.
    pub(super) async fn settle(&self) {
        _ = self.with_store(|_| Ok(())).await;
    }

    /// Does something with the store once everything before is kept.
    pub(super) async fn with_store<T: Send + 'static>(
        &self,
        work: impl FnOnce(&ClubStore) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, StoreError> {
        let (sender, receiver) = tokio::sync::oneshot::channel();
        self.outbox.run(move |store| _ = sender.send(work(store)));
        let ended = |_| StoreError::File(io::ErrorKind::BrokenPipe.into());
        receiver.await.map_err(ended)?
    }

    /// Waits until every visitor has heard goodbye and everything is kept.
    pub(crate) async fn part(&self) {
        while self.lock().statistics().visitors > 0 {
            sleep(TICK).await;
        }
        self.settle().await;
    }

    /// How the club is doing, and how many jobs wait for an engine.
    pub(super) fn statistics(&self) -> (ClubStatistics, usize) {
        (self.lock().statistics(), self.engines.waiting())
    }

    pub(super) fn outbox(&self) -> &Outbox {
        &self.outbox
    }
}

/// Gives a letter to everybody it is for. Who has too many waiting is shut out: their
/// page comes back and asks anew.
fn deliver(doors: &Mutex<Doors>, letter: &Letter) {
    let mut doors = doors.lock().unwrap_or_else(PoisonError::into_inner);
    for id in &letter.to {
        if let Some((_, sender)) = doors.get(id)
            && sender.try_send(Arc::clone(&letter.text)).is_err()
        {
            log::info!("visitor={} event=too_slow", id.0);
            doors.remove(id);
        }
    }
}

/// A number that nobody can guess.
fn random() -> u64 {
    let mut bytes = [0; 8];
    // Without the system's random numbers there is no safe room.
    match getrandom::fill(&mut bytes) {
        Ok(()) => u64::from_le_bytes(bytes),
        Err(error) => panic!("no random numbers: {error}"),
    }
}
