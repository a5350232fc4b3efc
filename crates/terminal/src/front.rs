//! The loop around the game: keys, clicks, signals and news of searches in, the screen
//! out.

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

/// News of a search are shown at most this often.
const NEWS_EVERY: Duration = Duration::from_millis(40);

/// How often a clock that runs is shown.
const CLOCK_EVERY: Duration = Duration::from_millis(250);

/// The time between two looks at what happens, where nothing does.
const IDLE: Duration = Duration::from_secs(3600);

/// The largest file that is opened, in bytes.
const LARGEST_FILE: u64 = 16 << 20;

/// What happens outside of the game.
enum Happening {
    /// A key, a click, or another size of the terminal.
    Terminal(Event),
    /// A search has news.
    News,
    /// The user interrupts the program.
    Stop,
    /// The terminal is gone.
    Lost(io::Error),
}

/// The loop around a game at the terminal.
pub struct Front {
    sender: Sender<Happening>,
    happenings: Receiver<Happening>,
    clock: MonotonicClock,
}

/// Ends the loop, from any thread.
pub struct Interrupter(Sender<Happening>);

impl Interrupter {
    /// Ends the loop soon; the terminal is given back.
    pub fn interrupt(&self) {
        // Without a receiver the loop has ended already.
        let _ = self.0.send(Happening::Stop);
    }
}

impl Default for Front {
    fn default() -> Front {
        let (sender, happenings) = channel();
        Front {
            sender,
            happenings,
            clock: MonotonicClock::system(),
        }
    }
}

impl Front {
    /// What ends the loop.
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
        self.listen()?;
        let news = self.sender.clone();
        let new_worker = move || Worker::with_weights(Arc::clone(&weights));
        let mut background = Background::new(new_worker, move || {
            let _ = news.send(Happening::News);
        });
        let mut news_at = None;
        let mut last_news = Duration::ZERO;
        loop {
            background.work_on(app.job());
            screen.draw(app)?;
            for happening in self.happen(self.wait_until(app, news_at))? {
                let effects = match happening {
                    Happening::Terminal(Event::Paste(text)) => {
                        app.paste(self.clock.now(), &text);
                        Vec::new()
                    }
                    Happening::Terminal(event) => {
                        let layout = view::layout(app, screen.area()?).ok();
                        let asked = action::action(&event, app.mode(), layout.as_ref());
                        asked.map_or_else(Vec::new, |action| app.act(self.clock.now(), action))
                    }
                    Happening::News => {
                        news_at = news_at.or(Some(last_news + NEWS_EVERY));
                        continue;
                    }
                    Happening::Stop => return Ok(Exit::Interrupted),
                    Happening::Lost(error) => return Err(error),
                };
                if let Some(ending) = perform(effects, app, &mut screen)? {
                    return Ok(ending);
                }
            }
            let now = self.clock.now();
            let mut effects = app.tick(now);
            if news_at.is_some_and(|at| at <= now) {
                (news_at, last_news) = (None, now);
                if let Some((job, report)) = background.take_report() {
                    effects.extend(app.report(now, job, report));
                }
            }
            if let Some(ending) = perform(effects, app, &mut screen)? {
                return Ok(ending);
            }
        }
    }

    /// Hears keys and clicks from now on, in a thread of its own.
    fn listen(&self) -> io::Result<()> {
        let sender = self.sender.clone();
        let listen = move || {
            loop {
                let happening = match event::read() {
                    Ok(Event::Mouse(mouse)) if mouse.kind == MouseEventKind::Moved => continue,
                    Ok(event) => Happening::Terminal(event),
                    Err(error) => Happening::Lost(error),
                };
                let is_last = matches!(happening, Happening::Lost(_));
                if sender.send(happening).is_err() || is_last {
                    break;
                }
            }
        };
        let thread = thread::Builder::new().name("keys".to_owned());
        thread.spawn(listen).map(|_| ())
    }

    /// How long to wait for something to happen.
    fn wait_until(&self, app: &App, news_at: Option<Duration>) -> Duration {
        let now = self.clock.now();
        let clock = app.has_running_clock().then_some(now + CLOCK_EVERY);
        let times = [news_at, app.deadline(), clock];
        let next = times.into_iter().flatten().min();
        next.map_or(IDLE, |next| next.saturating_sub(now))
    }

    /// What happens within this time: the first thing that does, and all that has come
    /// with it.
    fn happen(&self, within: Duration) -> io::Result<Vec<Happening>> {
        match self.happenings.recv_timeout(within) {
            Ok(first) => Ok([first]
                .into_iter()
                .chain(self.happenings.try_iter())
                .collect()),
            Err(RecvTimeoutError::Timeout) => Ok(Vec::new()),
            // This value holds a sender.
            Err(RecvTimeoutError::Disconnected) => Err(io::ErrorKind::BrokenPipe.into()),
        }
    }
}

/// Does what has to be done for the game. Returns how it ended, if the user leaves.
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

/// The content of a file, or in words why it can't be read.
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
