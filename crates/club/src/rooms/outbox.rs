//! The way out: nothing is said before what comes with it is kept.

use super::club::{Change, Letter};
use super::store::{ClubStore, StoreError};
use crossbeam_channel::{Receiver, Sender, unbounded};
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// What waits for the disk at most before it is written together.
const BATCH: usize = 4096;

/// Where a club's changes and letters go. A thread keeps the changes, as many at a
/// time as have come meanwhile, and then delivers the letters in their order.
pub struct Outbox {
    sender: Sender<Parcel>,
    statistics: Arc<OutboxStatistics>,
}

/// How much was kept since the start.
#[derive(Debug, Default)]
pub struct OutboxStatistics {
    /// How many times changes were written.
    pub commits: AtomicU64,
    /// How many changes were written.
    pub changes: AtomicU64,
    /// How long that took in microseconds.
    pub microseconds: AtomicU64,
}

/// What came out of a club at once.
enum Parcel {
    Effects(Vec<Change>, Vec<Letter>),
    Beat(Duration),
    Work(Box<dyn FnOnce(&ClubStore) + Send>),
}

impl Outbox {
    /// Starts the thread. It calls `deliver` with every letter. When the store can't be
    /// written it calls `failed` and ends: what is not kept is not said.
    ///
    /// # Errors
    /// When the system gives no thread.
    pub fn start(
        mut store: ClubStore,
        mut deliver: impl FnMut(Letter) + Send + 'static,
        failed: impl FnOnce(StoreError) + Send + 'static,
    ) -> io::Result<Outbox> {
        let (sender, receiver) = unbounded();
        let statistics: Arc<OutboxStatistics> = Arc::default();
        let counted = Arc::clone(&statistics);
        let work = move || {
            if let Err(error) = run(&mut store, &receiver, &counted, &mut deliver) {
                failed(error);
            }
        };
        std::thread::Builder::new()
            .name("store".to_owned())
            .spawn(work)?;
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

    /// Does something with the store once everything before is kept.
    pub fn run(&self, work: impl FnOnce(&ClubStore) + Send + 'static) {
        self.put(Parcel::Work(Box::new(work)));
    }

    /// How much was kept.
    pub fn statistics(&self) -> &OutboxStatistics {
        &self.statistics
    }

    fn put(&self, parcel: Parcel) {
        // After a failure nobody listens any more, and nothing is said.
        _ = self.sender.send(parcel);
    }
}

fn run(
    store: &mut ClubStore,
    receiver: &Receiver<Parcel>,
    statistics: &OutboxStatistics,
    deliver: &mut impl FnMut(Letter),
) -> Result<(), StoreError> {
    while let Ok(first) = receiver.recv() {
        let (mut changes, mut letters, mut works) = (Vec::new(), Vec::new(), Vec::new());
        let more = receiver.try_iter().take(BATCH);
        for parcel in std::iter::once(first).chain(more) {
            match parcel {
                Parcel::Effects(new_changes, new_letters) => {
                    changes.extend(new_changes);
                    letters.extend(new_letters);
                }
                Parcel::Beat(now) => store.beat(now)?,
                Parcel::Work(work) => works.push(work),
            }
        }
        if !changes.is_empty() {
            let began = Instant::now();
            store.commit(&changes)?;
            let took = u64::try_from(began.elapsed().as_micros()).unwrap_or(u64::MAX);
            statistics.commits.fetch_add(1, Ordering::Relaxed);
            statistics
                .changes
                .fetch_add(changes.len() as u64, Ordering::Relaxed);
            statistics.microseconds.fetch_add(took, Ordering::Relaxed);
        }
        letters.into_iter().for_each(&mut *deliver);
        works.into_iter().for_each(|work| work(store));
    }
    Ok(())
}
