//! A thread that runs searches, for programs that do something else meanwhile.

use super::prepared::{Preparation, Search};
use super::request::{Event, SearchId};
use crate::search::{STACK_SIZE, has_room};
use std::io;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// The least memory in which an engine searches, in bytes: a line network and its tables,
/// histories, a small transposition table.
const LEAST_MEMORY: usize = 14 << 20;

/// The stack of the thread that prepares, in bytes.
const PREPARING_STACK: usize = 8 << 20;

/// A thread that runs searches, one at a time, and one that prepares them. Both end when this
/// value is dropped.
///
/// They are there before the first search and stay until the end, so that a search on one
/// thread starts none while a clock runs. Further search threads begin and end with each
/// search, which takes some ten microseconds a thread.
pub struct EngineThread {
    searches: Arc<Mailbox<Box<Search>>>,
    /// The preparations for the thread that prepares, if there is memory for it.
    preparations: Option<Arc<Mailbox<Preparation>>>,
}

impl EngineThread {
    /// Starts the threads. The one that searches calls `listener` with every event.
    ///
    /// # Errors
    /// When the system gives no thread, or has not the memory for a search.
    pub fn start(
        mut listener: impl FnMut(SearchId, Event) + Send + 'static,
    ) -> io::Result<EngineThread> {
        if !has_room(STACK_SIZE + LEAST_MEMORY) {
            let mib = (STACK_SIZE + LEAST_MEMORY) >> 20;
            let reason = format!("an engine needs {mib} MiB of memory more than there are");
            return Err(io::Error::new(io::ErrorKind::OutOfMemory, reason));
        }
        let searches = Arc::new(Mailbox::<Box<Search>>::default());
        let inbox = Arc::clone(&searches);
        std::thread::Builder::new()
            .name("search".to_owned())
            .stack_size(STACK_SIZE)
            .spawn(move || {
                while let Some(search) = inbox.take() {
                    let id = search.id();
                    search.run(&mut |event| listener(id, event));
                }
            })?;
        let mut thread = EngineThread {
            searches,
            preparations: None,
        };
        if has_room(PREPARING_STACK + LEAST_MEMORY) {
            let preparations = Arc::new(Mailbox::<Preparation>::default());
            let inbox = Arc::clone(&preparations);
            std::thread::Builder::new()
                .name("prepare".to_owned())
                .stack_size(PREPARING_STACK)
                .spawn(move || {
                    while let Some(preparation) = inbox.take() {
                        preparation.run();
                    }
                })?;
            thread.preparations = Some(preparations);
        }
        Ok(thread)
    }

    /// Runs `search` once the search that runs is over. A search that was
    /// waiting is dropped: the engine has stopped it already.
    pub fn run(&self, mut search: Box<Search>) {
        if let Some(preparations) = &self.preparations
            && let Some(preparation) = search.take_preparation()
        {
            preparations.put(Next::Now(preparation));
        }
        self.searches.put(Next::Now(search));
    }

    /// Prepares for a search once a moment has passed without another preparation.
    pub fn prepare(&self, preparation: Preparation) {
        if let Some(preparations) = &self.preparations {
            preparations.put(Next::Soon(preparation));
        }
    }
}

impl Drop for EngineThread {
    fn drop(&mut self) {
        self.searches.put(Next::End);
        if let Some(preparations) = &self.preparations {
            preparations.put(Next::End);
        }
    }
}

/// What a thread is to do next.
enum Next<T> {
    Wait,
    /// After a moment, unless there is something else by then.
    Soon(T),
    Now(T),
    End,
}

impl<T> Next<T> {
    /// Takes it out.
    fn take(&mut self) -> Next<T> {
        std::mem::replace(self, Next::Wait)
    }
}

/// Settings come one after another: preparations wait so long for the last.
const MOMENT: Duration = Duration::from_millis(3);

/// Room for one thing that waits.
struct Mailbox<T> {
    next: Mutex<Next<T>>,
    arrived: Condvar,
}

impl<T> Default for Mailbox<T> {
    fn default() -> Self {
        Mailbox {
            next: Mutex::new(Next::Wait),
            arrived: Condvar::new(),
        }
    }
}

impl<T> Mailbox<T> {
    /// The next thing to do, as soon as there is one; `None` at the end.
    fn take(&self) -> Option<T> {
        let mut next = self.lock();
        loop {
            match next.take() {
                Next::Soon(work) => {
                    let woken = self.arrived.wait_timeout(next, MOMENT);
                    next = woken.unwrap_or_else(PoisonError::into_inner).0;
                    if matches!(*next, Next::Wait) {
                        return Some(work);
                    }
                }
                Next::Now(work) => return Some(work),
                Next::End => return None,
                Next::Wait => {
                    let woken = self.arrived.wait(next);
                    next = woken.unwrap_or_else(PoisonError::into_inner);
                }
            }
        }
    }

    fn put(&self, work: Next<T>) {
        *self.lock() = work;
        self.arrived.notify_one();
    }

    fn lock(&self) -> MutexGuard<'_, Next<T>> {
        self.next.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
