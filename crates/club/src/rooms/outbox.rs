//! The way out: nothing is said before what comes with it is kept.

use super::club::{Change, Letter};
use super::priority::give_way;
use super::store::{ClubStore, Snapshot};
use super::store_error::StoreError;
use crossbeam_channel::{Receiver, Sender, bounded, unbounded};
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// The largest number of items of a batch.
const BATCH: usize = 4096;

/// The retry interval after a failed write.
const RETRY: Duration = Duration::from_secs(1);

/// The most requests to read that wait.
const READS: usize = 64;

/// The outbox of a club. A thread keeps the changes, as many at a time as have come meanwhile, and
/// then delivers the letters in their order. Another, which gives way to it, reads what was kept.
pub struct Outbox {
    sender: Sender<Parcel>,
    statistics: Arc<OutboxStatistics>,
}

/// The state of the store.
#[derive(Debug)]
pub enum StoreState {
    /// Changes are kept.
    Writable,
    /// They can't be kept now, for this reason. They wait, with all letters.
    Stalled(StoreError),
    /// They can't be kept any more, for this reason.
    Failed(StoreError),
}

/// The numbers of writes since the start.
#[derive(Debug, Default)]
pub struct OutboxStatistics {
    /// The number of commits.
    pub commits: AtomicU64,
    /// The number of changes written.
    pub changes: AtomicU64,
    /// The time of all commits in microseconds.
    pub microseconds: AtomicU64,
}

/// An item of the queue.
enum Parcel {
    Effects(Vec<Change>, Vec<Letter>),
    Beat(Duration),
    Settled(Box<dyn FnOnce() + Send>),
    Read(Read),
}

/// Something to be done with what is kept.
type Read = Box<dyn FnOnce(&Snapshot) + Send>;

impl Outbox {
    /// Starts the threads. They call `deliver` with every letter, and `report` when the
    /// state of the store is another. What is not kept is not said.
    ///
    /// # Errors
    /// When the system gives no thread.
    pub fn start(
        store: ClubStore,
        deliver: impl FnMut(Letter) + Send + 'static,
        report: impl FnMut(StoreState) + Send + 'static,
    ) -> io::Result<Outbox> {
        let (sender, receiver) = unbounded();
        let (reads, to_read) = bounded::<(Snapshot, Read)>(READS);
        let statistics: Arc<OutboxStatistics> = Arc::default();
        let mut keeper = Keeper {
            store,
            reads,
            statistics: Arc::clone(&statistics),
            deliver,
            report,
            waiting: Batch::default(),
            is_stalled: false,
        };
        let keep = move || {
            if let Err(error) = keeper.run(&receiver) {
                (keeper.report)(StoreState::Failed(error));
            }
        };
        let read = move || {
            give_way();
            for (snapshot, read) in to_read {
                // redb panics where a file contradicts itself: who has asked hears that it could
                // not be read, and others are read for.
                _ = catch_unwind(AssertUnwindSafe(move || read(&snapshot)));
            }
        };
        let thread = |name: &str| std::thread::Builder::new().name(name.to_owned());
        thread("store").spawn(keep)?;
        thread("store reader").spawn(read)?;
        Ok(Outbox { sender, statistics })
    }

    /// Keeps these changes, then delivers these letters.
    pub fn send(&self, changes: Vec<Change>, letters: Vec<Letter>) {
        if !changes.is_empty() || !letters.is_empty() {
            self.put(Parcel::Effects(changes, letters));
        }
    }

    /// Notes that clocks run at this time.
    pub fn beat(&self, now: Duration) {
        self.put(Parcel::Beat(now));
    }

    /// Calls `done` once everything before is kept.
    pub fn settle(&self, done: impl FnOnce() + Send + 'static) {
        self.put(Parcel::Settled(Box::new(done)));
    }

    /// Reads what is kept once everything before is. Moves do not wait for it. Where too
    /// much is being read nothing is done.
    pub fn read(&self, read: impl FnOnce(&Snapshot) + Send + 'static) {
        self.put(Parcel::Read(Box::new(read)));
    }

    /// The numbers of writes since the start.
    pub fn statistics(&self) -> &OutboxStatistics {
        &self.statistics
    }

    fn put(&self, parcel: Parcel) {
        // After a failure the other end is gone, and nothing is said.
        _ = self.sender.send(parcel);
    }
}

/// A write batch.
#[derive(Default)]
struct Batch {
    changes: Vec<Change>,
    letters: Vec<Letter>,
    beat: Option<Duration>,
    settled: Vec<Box<dyn FnOnce() + Send>>,
    reads: Vec<Read>,
}

impl Batch {
    fn add(&mut self, parcel: Parcel) {
        match parcel {
            Parcel::Effects(changes, letters) => {
                self.changes.extend(changes);
                self.letters.extend(letters);
            }
            Parcel::Beat(now) => self.beat = Some(now),
            Parcel::Settled(done) => self.settled.push(done),
            Parcel::Read(read) => self.reads.push(read),
        }
    }
}

/// The writer thread of the store.
struct Keeper<D, R> {
    store: ClubStore,
    reads: Sender<(Snapshot, Read)>,
    statistics: Arc<OutboxStatistics>,
    deliver: D,
    report: R,
    waiting: Batch,
    is_stalled: bool,
}

impl<D: FnMut(Letter), R: FnMut(StoreState)> Keeper<D, R> {
    fn run(&mut self, receiver: &Receiver<Parcel>) -> Result<(), StoreError> {
        loop {
            if self.is_stalled {
                // Clocks stand, and hardly anything comes.
                std::thread::sleep(RETRY);
            } else {
                match receiver.recv() {
                    Ok(parcel) => self.waiting.add(parcel),
                    Err(_) => return Ok(()),
                }
            }
            for parcel in receiver.try_iter().take(BATCH) {
                self.waiting.add(parcel);
            }
            match self.keep() {
                Ok(()) => self.tell(),
                Err(error) if error.may_pass() => {
                    if !self.is_stalled {
                        self.is_stalled = true;
                        (self.report)(StoreState::Stalled(error));
                    }
                }
                Err(error) => return Err(error),
            }
        }
    }

    /// Keeps what waits.
    fn keep(&mut self) -> Result<(), StoreError> {
        if self.is_stalled {
            self.store.reopen()?;
        }
        let changes = &self.waiting.changes;
        if !changes.is_empty() {
            let began = Instant::now();
            self.store.commit(changes)?;
            let took = u64::try_from(began.elapsed().as_micros()).unwrap_or(u64::MAX);
            let statistics = &self.statistics;
            statistics.commits.fetch_add(1, Ordering::Relaxed);
            statistics
                .changes
                .fetch_add(changes.len() as u64, Ordering::Relaxed);
            statistics.microseconds.fetch_add(took, Ordering::Relaxed);
        }
        self.waiting.changes.clear();
        // After the changes: what it notes is not charged to a clock that was stopped.
        match self.waiting.beat.take() {
            Some(now) => self.store.beat(now),
            None => Ok(()),
        }
    }

    /// Says what may be said now.
    fn tell(&mut self) {
        if std::mem::take(&mut self.is_stalled) {
            (self.report)(StoreState::Writable);
        }
        let Batch {
            letters,
            settled,
            reads,
            ..
        } = std::mem::take(&mut self.waiting);
        letters.into_iter().for_each(&mut self.deliver);
        settled.into_iter().for_each(|done| done());
        for read in reads {
            match self.store.snapshot() {
                Ok(snapshot) => _ = self.reads.try_send((snapshot, read)),
                Err(error) => log::error!("event=read_failed error={error}"),
            }
        }
    }
}
