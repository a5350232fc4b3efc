//! A session that two threads share: one reads commands, one searches.
//!
//! The thread that reads obeys each command itself, under the lock of the
//! session, and never searches. The search thread reports its events to the same
//! session, under the same lock. So commands and events take turns, STOP, END
//! and the end of the input are obeyed at once whatever the search does, and
//! nothing is queued: while a command waits for an answer that is due, the
//! manager's own pipe holds the next ones back.
//!
//! No thread waits for the other while it holds the lock.

use super::input::read_commands;
use super::session::{Obeyed, Session};
use quincunx_book::OpeningBook;
use quincunx_engine::engine::{Engine, EngineThread, Event, MonotonicClock, SearchId};
use quincunx_engine::eval::WeightSet;
use quincunx_engine::gomocup::{Command, Info, Parsed};
use std::io::{self, Read, Write};
use std::ops::ControlFlow;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// Applies `settings`, obeys the commands of `input` until END or its end, and writes the
/// replies to `output`. The engine plays moves of `book`, if there is one.
///
/// # Errors
/// When the engine's thread can't be started or the output fails.
pub fn run(
    weights: Arc<WeightSet>,
    book: Option<OpeningBook>,
    settings: Vec<Info>,
    input: impl Read,
    output: impl Write + Send + 'static,
) -> io::Result<()> {
    let clock = MonotonicClock::system();
    let engine = Engine::with_weights(clock.clone(), weights);
    let mut session = Session::new(engine, output);
    if let Some(book) = book {
        session.use_book(book);
    }
    let shared = Arc::new(Shared {
        session: Mutex::new(session),
        event: Condvar::new(),
    });
    let listener = Arc::downgrade(&shared);
    let thread = EngineThread::start(move |id, event| {
        // A session that has ended gets no events.
        if let Some(shared) = listener.upgrade() {
            shared.handle(id, event);
        }
    });
    match thread {
        Ok(thread) => shared.lock().search_on(thread),
        Err(error) => {
            shared.lock().give_up(&error)?;
            return Err(error);
        }
    }
    for info in settings {
        let _ = shared.obey(&Ok(Command::Info(info)), clock.now())?;
    }
    let read = read_commands(input, &clock, |parsed, read_at| {
        shared.obey(parsed, read_at)
    });
    let left = shared.lock().leave();
    read.and(left)
}

struct Shared<W: Write> {
    session: Mutex<Session<W>>,
    /// Notified after every event of a search.
    event: Condvar,
}

impl<W: Write> Shared<W> {
    /// Obeys a command, once the search that it has to wait for has ended.
    fn obey(&self, parsed: &Parsed, read_at: Duration) -> io::Result<ControlFlow<()>> {
        log::debug!("> {parsed:?}");
        let mut session = self.lock();
        loop {
            match session.obey(parsed, read_at)? {
                Obeyed::Done => return Ok(ControlFlow::Continue(())),
                Obeyed::Leave => return Ok(ControlFlow::Break(())),
                Obeyed::Waiting => {
                    let woken = self
                        .event
                        .wait_while(session, |session| session.is_waiting());
                    session = woken.unwrap_or_else(PoisonError::into_inner);
                }
            }
        }
    }

    /// Reports an event of a search.
    fn handle(&self, id: SearchId, event: Event) {
        let _notify = NotifyOnDrop(&self.event);
        self.lock().handle(id, event);
    }

    /// The session, also after a panic in the middle of an event: the game goes
    /// on.
    fn lock(&self) -> MutexGuard<'_, Session<W>> {
        self.session.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Notifies the waiting command of an event, even if its reply has panicked.
struct NotifyOnDrop<'a>(&'a Condvar);

impl Drop for NotifyOnDrop<'_> {
    fn drop(&mut self) {
        self.0.notify_one();
    }
}
