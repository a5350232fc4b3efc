//! A thread that runs searches, for programs that do something else meanwhile.

use super::prepared::Search;
use super::request::{Event, SearchId};
use std::io;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

/// Deep lines recurse; stack that is never touched costs nothing.
const STACK: usize = 16 << 20;

/// A thread that runs searches, one at a time. It ends when this value is
/// dropped.
///
/// It is there before the first search and stays until the end: managers
/// suspend and resume whole processes, and nothing has to be started while a
/// clock runs.
pub struct EngineThread {
    mailbox: Arc<Mailbox>,
}

impl EngineThread {
    /// Starts the thread. It calls `listener` with every event.
    ///
    /// # Errors
    /// When the system gives no thread.
    pub fn start(
        mut listener: impl FnMut(SearchId, Event) + Send + 'static,
    ) -> io::Result<EngineThread> {
        let mailbox = Arc::new(Mailbox::default());
        let inbox = Arc::clone(&mailbox);
        std::thread::Builder::new()
            .name("search".to_owned())
            .stack_size(STACK)
            .spawn(move || {
                while let Some(search) = inbox.take() {
                    let id = search.id();
                    search.run(&mut |event| listener(id, event));
                }
            })?;
        Ok(EngineThread { mailbox })
    }

    /// Runs `search` once the search that runs is over. A search that was
    /// waiting is dropped: the engine has stopped it already.
    pub fn run(&self, search: Box<Search>) {
        *self.mailbox.lock() = Next::Search(search);
        self.mailbox.arrived.notify_one();
    }
}

impl Drop for EngineThread {
    fn drop(&mut self) {
        *self.mailbox.lock() = Next::End;
        self.mailbox.arrived.notify_one();
    }
}

/// What the thread is to do next.
#[derive(Default)]
enum Next {
    #[default]
    Wait,
    Search(Box<Search>),
    End,
}

/// Room for one search that waits.
#[derive(Default)]
struct Mailbox {
    next: Mutex<Next>,
    arrived: Condvar,
}

impl Mailbox {
    /// The next search, as soon as there is one; `None` at the end.
    fn take(&self) -> Option<Box<Search>> {
        let mut next = self.lock();
        loop {
            match std::mem::take(&mut *next) {
                Next::Search(search) => return Some(search),
                Next::End => return None,
                Next::Wait => {
                    let woken = self.arrived.wait(next);
                    next = woken.unwrap_or_else(PoisonError::into_inner);
                }
            }
        }
    }

    fn lock(&self) -> MutexGuard<'_, Next> {
        self.next.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
