//! The event loop: keys, clicks, signals and progress of searches in, the screen out.

use super::action;
use super::app::{App, Effect, Exit, SaveError};
use super::screen::Screen;
use super::view;
use quincunx_board::{Background, Worker};
use quincunx_engine::engine::MonotonicClock;
use quincunx_engine::eval::WeightSet;
use quincunx_files as files;
use ratatui::crossterm::event::{self, Event, MouseEventKind};
use std::fs;
use std::io;
use std::path::Path;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::Duration;

/// The shortest time between two drawings of a search's progress.
const PROGRESS_INTERVAL: Duration = Duration::from_millis(40);

/// The interval between two drawings of a running clock.
const CLOCK_INTERVAL: Duration = Duration::from_millis(250);

/// The timeout without any clock, search or deadline.
const IDLE_TIMEOUT: Duration = Duration::from_secs(3600);

/// The largest file that is opened, in bytes.
const LARGEST_FILE: u64 = 16 << 20;

/// An event from outside the game.
enum LoopEvent {
    /// A key, a click, or another size of the terminal.
    Terminal(Event),
    /// A search has made progress.
    Progress,
    /// The user interrupts the program.
    Interrupted,
    /// The terminal was closed.
    TerminalLost(io::Error),
}

/// The loop around a game at the terminal.
pub struct EventLoop {
    sender: Sender<LoopEvent>,
    events: Receiver<LoopEvent>,
    clock: MonotonicClock,
}

/// Ends the loop, from any thread.
pub struct Interrupter(Sender<LoopEvent>);

impl Interrupter {
    /// Ends the loop, which restores the terminal.
    pub fn interrupt(&self) {
        // Without a receiver the loop has ended already.
        let _ = self.0.send(LoopEvent::Interrupted);
    }
}

impl Default for EventLoop {
    fn default() -> EventLoop {
        let (sender, events) = channel();
        EventLoop {
            sender,
            events,
            clock: MonotonicClock::system(),
        }
    }
}

impl EventLoop {
    /// A handle that ends the loop.
    pub fn interrupter(&self) -> Interrupter {
        Interrupter(self.sender.clone())
    }

    /// Plays at the terminal until the user leaves. Positions are evaluated with these
    /// weights.
    ///
    /// # Errors
    /// When there is no terminal, or no longer one.
    pub fn run(self, app: &mut App, weights: Arc<WeightSet>) -> io::Result<Exit> {
        let mut screen = Screen::take()?;
        self.read_terminal()?;
        let progress = self.sender.clone();
        let new_worker = move || Worker::new(MonotonicClock::system(), Arc::clone(&weights));
        let mut background = Background::new(new_worker, move || {
            let _ = progress.send(LoopEvent::Progress);
        });
        let mut progress_at = None;
        let mut last_progress = Duration::ZERO;
        loop {
            background.work_on(app.jobs());
            screen.draw(app)?;
            for event in self.wait(self.timeout(app, progress_at))? {
                let effects = match event {
                    LoopEvent::Terminal(Event::Paste(text)) => {
                        app.paste(self.clock.now(), &text);
                        Vec::new()
                    }
                    LoopEvent::Terminal(event) => {
                        let layout = view::layout(app, screen.area()?).ok();
                        let asked = action::action(&event, app.mode(), layout.as_ref());
                        asked.map_or_else(Vec::new, |action| app.act(self.clock.now(), action))
                    }
                    LoopEvent::Progress => {
                        progress_at = progress_at.or(Some(last_progress + PROGRESS_INTERVAL));
                        continue;
                    }
                    LoopEvent::Interrupted => return Ok(Exit::Interrupted),
                    LoopEvent::TerminalLost(error) => return Err(error),
                };
                if let Some(ending) = perform(effects, app, &mut screen)? {
                    return Ok(ending);
                }
            }
            let now = self.clock.now();
            let mut effects = app.tick(now);
            if progress_at.is_some_and(|at| at <= now) {
                (progress_at, last_progress) = (None, now);
                for (job, report) in background.take_reports() {
                    effects.extend(app.report(now, job, report));
                }
            }
            if let Some(ending) = perform(effects, app, &mut screen)? {
                return Ok(ending);
            }
        }
    }

    /// Starts a thread that reads keys and clicks.
    fn read_terminal(&self) -> io::Result<()> {
        let sender = self.sender.clone();
        let read = move || {
            loop {
                let event = match event::read() {
                    Ok(Event::Mouse(mouse)) if mouse.kind == MouseEventKind::Moved => continue,
                    Ok(event) => LoopEvent::Terminal(event),
                    Err(error) => LoopEvent::TerminalLost(error),
                };
                let is_last = matches!(event, LoopEvent::TerminalLost(_));
                if sender.send(event).is_err() || is_last {
                    break;
                }
            }
        };
        let thread = thread::Builder::new().name("keys".to_owned());
        thread.spawn(read).map(|_| ())
    }

    /// The timeout of the next wait.
    fn timeout(&self, app: &App, progress_at: Option<Duration>) -> Duration {
        let now = self.clock.now();
        let clock = app.has_running_clock().then_some(now + CLOCK_INTERVAL);
        let times = [progress_at, app.deadline(), clock];
        let next = times.into_iter().flatten().min();
        next.map_or(IDLE_TIMEOUT, |next| next.saturating_sub(now))
    }

    /// Waits for an event no longer than this time. Returns it with all others that are queued.
    fn wait(&self, within: Duration) -> io::Result<Vec<LoopEvent>> {
        match self.events.recv_timeout(within) {
            Ok(first) => Ok([first].into_iter().chain(self.events.try_iter()).collect()),
            Err(RecvTimeoutError::Timeout) => Ok(Vec::new()),
            // This value holds a sender.
            Err(RecvTimeoutError::Disconnected) => Err(io::ErrorKind::BrokenPipe.into()),
        }
    }
}

/// Performs the effects. Returns the reason of the exit, if the user leaves.
fn perform(effects: Vec<Effect>, app: &mut App, screen: &mut Screen) -> io::Result<Option<Exit>> {
    for effect in effects {
        match effect {
            Effect::Bell => screen.ring()?,
            Effect::Redraw => screen.clear()?,
            Effect::Leave(ending) => return Ok(Some(ending)),
            Effect::Open(path) => app.opened(&path, read(&path)),
            Effect::Save {
                path,
                text,
                replace,
            } => {
                let result = write(&path, &text, replace);
                app.saved(&path, result);
            }
        }
    }
    Ok(None)
}

/// Reads a file.
///
/// # Errors
/// When the file can't be read, or is too large for a game.
pub fn read(path: &Path) -> Result<Vec<u8>, String> {
    let failed = |error: io::Error| error.to_string();
    let file = fs::metadata(path).map_err(failed)?;
    if !file.is_file() || file.len() > LARGEST_FILE {
        return Err("this is no file of a game".to_owned());
    }
    fs::read(path).map_err(failed)
}

fn write(path: &Path, text: &str, replace: bool) -> Result<(), SaveError> {
    if !replace && path.exists() {
        return Err(SaveError::Exists);
    }
    let written = files::replace(path, format!("{text}\n").as_bytes());
    written.map_err(|error| {
        let cause = std::error::Error::source(&error).map(ToString::to_string);
        SaveError::Failed(format!("{error}: {}", cause.unwrap_or_default()))
    })
}
