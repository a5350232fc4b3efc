//! A thread that runs searches, for programs that do other things at the same time.

use super::prepared::{Preparation, Search};
use super::request::{Event, SearchId};
use crate::search::{STACK_SIZE, has_room};
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// The minimum memory in which an engine can search, in bytes: a line network and its tables,
/// histories, a small transposition table.
const LEAST_MEMORY: usize = 14 << 20;

/// A thread that runs searches, one at a time. It ends when this value is
/// dropped.
///
/// The thread exists from before the first search until the end, so that a search on one
/// thread starts none while a clock runs. Further search threads begin and end with each
/// search, which takes some ten microseconds per thread.
pub struct EngineThread {
    mailbox: Arc<Mailbox>,
}

impl EngineThread {
    /// Starts the thread, which calls `listener` with every event. If that panics, the thread goes
    /// on with the next search.
    ///
    /// # Errors
    /// When the system can't start a thread, or there is not enough memory for a search.
    pub fn start(
        mut listener: impl FnMut(SearchId, Event) + Send + 'static,
    ) -> io::Result<EngineThread> {
        if !has_room(STACK_SIZE + LEAST_MEMORY) {
            let mib = (STACK_SIZE + LEAST_MEMORY) >> 20;
            let reason = format!("there is not enough memory: a search takes {mib} MiB more");
            return Err(io::Error::new(io::ErrorKind::OutOfMemory, reason));
        }
        let mailbox = Arc::new(Mailbox::default());
        let inbox = Arc::clone(&mailbox);
        std::thread::Builder::new()
            .name("search".to_owned())
            .stack_size(STACK_SIZE)
            .spawn(move || {
                while let Some(work) = inbox.take() {
                    let done = catch_unwind(AssertUnwindSafe(|| match work {
                        Work::Search(search) => {
                            let id = search.id();
                            search.run(&mut |event| listener(id, event));
                        }
                        Work::Prepare(preparation) => {
                            let id = preparation.id();
                            preparation.run();
                            listener(id, Event::Ended);
                        }
                    }));
                    if done.is_err() {
                        log::error!("a listener or a preparation has panicked");
                    }
                }
            })?;
        Ok(EngineThread { mailbox })
    }

    /// Runs `search` after the running search. A search that was waiting is dropped,
    /// because the engine has already stopped it.
    pub fn run(&self, search: Box<Search>) {
        self.mailbox.put(Next::Work(Work::Search(search)));
    }

    /// Prepares for a search once a few milliseconds have passed without any other work.
    pub fn prepare(&self, preparation: Preparation) {
        let mut next = self.mailbox.lock();
        // A search that waits is more urgent.
        if !matches!(*next, Next::Work(Work::Search(_))) {
            *next = Next::Work(Work::Prepare(preparation));
            self.mailbox.arrived.notify_one();
        }
    }
}

impl Drop for EngineThread {
    fn drop(&mut self) {
        self.mailbox.put(Next::End);
    }
}

/// A thing to do.
enum Work {
    Search(Box<Search>),
    Prepare(Preparation),
}

/// The next work of the thread.
#[derive(Default)]
enum Next {
    #[default]
    Wait,
    Work(Work),
    End,
}

/// Managers send several settings in a row: a preparation begins this long after the last.
const MOMENT: Duration = Duration::from_millis(3);

/// Room for one thing that waits.
#[derive(Default)]
struct Mailbox {
    next: Mutex<Next>,
    arrived: Condvar,
}

impl Mailbox {
    /// The next thing to do, as soon as there is one; `None` at the end.
    fn take(&self) -> Option<Work> {
        let mut next = self.lock();
        loop {
            match std::mem::take(&mut *next) {
                Next::Work(Work::Prepare(preparation)) => {
                    let woken = self.arrived.wait_timeout(next, MOMENT);
                    next = woken.unwrap_or_else(PoisonError::into_inner).0;
                    if matches!(*next, Next::Wait) {
                        return Some(Work::Prepare(preparation));
                    }
                }
                Next::Work(search) => return Some(search),
                Next::End => return None,
                Next::Wait => {
                    let woken = self.arrived.wait(next);
                    next = woken.unwrap_or_else(PoisonError::into_inner);
                }
            }
        }
    }

    fn put(&self, work: Next) {
        *self.lock() = work;
        self.arrived.notify_one();
    }

    fn lock(&self) -> MutexGuard<'_, Next> {
        self.next.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::engine::{Engine, MonotonicClock, Request, Started};
    use std::sync::mpsc::channel;

    /// The thread once ended with it, and no later search was run.
    #[test]
    fn a_listener_that_panics_receives_the_next_search() {
        let (sender, answered) = channel();
        let mut is_first = true;
        let thread = EngineThread::start(move |id, event| {
            if matches!(event, Event::Answer(_)) {
                sender.send(id).unwrap();
                assert!(!std::mem::take(&mut is_first), "as if it had a bug");
            }
        });
        let thread = thread.unwrap();
        let mut engine = Engine::new(MonotonicClock::system());
        engine.options_mut().max_node = Some(10);
        engine.play("h8".parse().unwrap()).unwrap();
        for _ in 0..2 {
            let started = engine.start(Request::Move, engine.clock().now());
            let Ok(Started::Searching(search)) = started else {
                panic!("it needs a search");
            };
            let id = search.id();
            thread.run(search);
            assert_eq!(answered.recv(), Ok(id));
        }
    }
}
