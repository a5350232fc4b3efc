//! The outbox: no message is sent before its writes are stored.

use super::club::{OutgoingMessage, StoreWrite};
use super::priority::give_way;
use super::store::{ClubStore, StoreError, StoreReader};
use crossbeam_channel::{Receiver, Sender, bounded, unbounded};
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

/// The outbox of a club. A thread commits the writes in batches, and then delivers the messages in
/// their order. Another thread of a lower priority reads from the store.
pub struct Outbox {
    sender: Sender<OutboxItem>,
    statistics: Arc<OutboxStatistics>,
}

/// The state of the store.
#[derive(Debug)]
pub enum StoreState {
    /// Writes succeed.
    Writable,
    /// Writes fail for now, for this reason. They wait, with all messages.
    Stalled(StoreError),
    /// Writes have failed for good, for this reason.
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
enum OutboxItem {
    Effects(Vec<StoreWrite>, Vec<OutgoingMessage>),
    Heartbeat(Duration),
    Settled(Settled),
    Read(Read),
}

/// A call once everything before is stored.
type Settled = Box<dyn FnOnce(&ClubStore) + Send>;

/// A read of the store.
type Read = Box<dyn FnOnce(&StoreReader) + Send>;

impl Outbox {
    /// Starts the threads. They call `deliver` with every message, and `report` when the state of
    /// the store changes. A message whose writes fail is not sent.
    ///
    /// # Errors
    /// When the store can't be read, or the system gives no thread.
    pub fn start(
        store: ClubStore,
        deliver: impl FnMut(OutgoingMessage) + Send + 'static,
        report: impl FnMut(StoreState) + Send + 'static,
    ) -> Result<Outbox, StoreError> {
        let (sender, receiver) = unbounded();
        let (reads, to_read) = bounded::<Read>(READS);
        let reader = store.reader()?;
        let statistics: Arc<OutboxStatistics> = Arc::default();
        let mut writer = Writer {
            store,
            reads,
            statistics: Arc::clone(&statistics),
            deliver,
            report,
            waiting: WriteBatch::default(),
            is_stalled: false,
        };
        let keep = move || {
            if let Err(error) = writer.run(&receiver) {
                (writer.report)(StoreState::Failed(error));
            }
        };
        let read = move || {
            give_way();
            for read in to_read {
                // A panic ends one read, and no others.
                _ = catch_unwind(AssertUnwindSafe(|| read(&reader)));
            }
        };
        let thread = |name: &str| std::thread::Builder::new().name(name.to_owned());
        thread("store").spawn(keep)?;
        thread("store reader").spawn(read)?;
        Ok(Outbox { sender, statistics })
    }

    /// Stores these writes, then delivers these messages.
    pub fn send(&self, changes: Vec<StoreWrite>, messages: Vec<OutgoingMessage>) {
        if !changes.is_empty() || !messages.is_empty() {
            self.put(OutboxItem::Effects(changes, messages));
        }
    }

    /// Stores the time as the last heartbeat of running clocks.
    pub fn heartbeat(&self, now: Duration) {
        self.put(OutboxItem::Heartbeat(now));
    }

    /// Calls `done` once everything before is stored.
    pub fn settle(&self, done: impl FnOnce(&ClubStore) + Send + 'static) {
        self.put(OutboxItem::Settled(Box::new(done)));
    }

    /// Reads from the store once everything before is stored. Moves do not wait for it. The read is
    /// dropped if too many are queued.
    pub fn read(&self, read: impl FnOnce(&StoreReader) + Send + 'static) {
        self.put(OutboxItem::Read(Box::new(read)));
    }

    /// The numbers of writes since the start.
    pub fn statistics(&self) -> &OutboxStatistics {
        &self.statistics
    }

    fn put(&self, item: OutboxItem) {
        // After a failure the other end is gone, and nothing is said.
        _ = self.sender.send(item);
    }
}

/// A write batch.
#[derive(Default)]
struct WriteBatch {
    changes: Vec<StoreWrite>,
    messages: Vec<OutgoingMessage>,
    heartbeat: Option<Duration>,
    settled: Vec<Settled>,
    reads: Vec<Read>,
}

impl WriteBatch {
    fn add(&mut self, item: OutboxItem) {
        match item {
            OutboxItem::Effects(changes, messages) => {
                self.changes.extend(changes);
                self.messages.extend(messages);
            }
            OutboxItem::Heartbeat(now) => self.heartbeat = Some(now),
            OutboxItem::Settled(done) => self.settled.push(done),
            OutboxItem::Read(read) => self.reads.push(read),
        }
    }
}

/// The writer thread of the store.
struct Writer<D, R> {
    store: ClubStore,
    reads: Sender<Read>,
    statistics: Arc<OutboxStatistics>,
    deliver: D,
    report: R,
    waiting: WriteBatch,
    is_stalled: bool,
}

impl<D: FnMut(OutgoingMessage), R: FnMut(StoreState)> Writer<D, R> {
    fn run(&mut self, receiver: &Receiver<OutboxItem>) -> Result<(), StoreError> {
        loop {
            if self.is_stalled {
                // Clocks stand, and hardly anything comes.
                std::thread::sleep(RETRY);
            } else {
                match receiver.recv() {
                    Ok(item) => self.waiting.add(item),
                    Err(_) => return Ok(()),
                }
            }
            for item in receiver.try_iter().take(BATCH) {
                self.waiting.add(item);
            }
            match self.keep() {
                Ok(()) => self.send_messages(),
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

    /// Commits the pending batch.
    fn keep(&mut self) -> Result<(), StoreError> {
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
        match self.waiting.heartbeat.take() {
            Some(now) => self.store.heartbeat(now),
            None => Ok(()),
        }
    }

    /// Sends the messages whose writes are stored.
    fn send_messages(&mut self) {
        if std::mem::take(&mut self.is_stalled) {
            (self.report)(StoreState::Writable);
        }
        let WriteBatch {
            messages,
            settled,
            reads,
            ..
        } = std::mem::take(&mut self.waiting);
        messages.into_iter().for_each(&mut self.deliver);
        settled.into_iter().for_each(|done| done(&self.store));
        for read in reads {
            _ = self.reads.try_send(read);
        }
    }
}
