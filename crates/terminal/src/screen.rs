//! The terminal, set up for the game and restored afterwards.

use super::app::App;
use super::view;
use ratatui::Terminal;
use ratatui::backend::CrosstermBackend;
use ratatui::crossterm::cursor::Show;
use ratatui::crossterm::event::{
    DisableBracketedPaste, DisableMouseCapture, EnableBracketedPaste, EnableMouseCapture,
};
use ratatui::crossterm::terminal::{
    BeginSynchronizedUpdate, EndSynchronizedUpdate, EnterAlternateScreen, LeaveAlternateScreen,
    disable_raw_mode, enable_raw_mode,
};
use ratatui::crossterm::{execute, queue};
use std::io::{self, Stdout, Write};
use std::panic;
use std::sync::Once;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

/// True while this process has taken over its terminal.
static IS_TAKEN: AtomicBool = AtomicBool::new(false);

/// Installs the panic hook once.
static HOOK: Once = Once::new();

/// The terminal while it shows a game.
///
/// It is restored when this value is dropped, and before the message of a panic of its thread.
pub struct Screen {
    terminal: Terminal<CrosstermBackend<Stdout>>,
}

impl Screen {
    /// Takes over the terminal: alternate screen, raw keys, mouse and bracketed paste.
    ///
    /// # Errors
    /// When standard output is no terminal.
    pub fn take() -> io::Result<Screen> {
        give_back_before_panics();
        enable_raw_mode()?;
        IS_TAKEN.store(true, Ordering::SeqCst);
        // Where there is no such thing, what is pasted are keys.
        let _ = execute!(io::stdout(), EnableBracketedPaste);
        let taken = execute!(io::stdout(), EnterAlternateScreen, EnableMouseCapture);
        let terminal = taken.and_then(|()| Terminal::new(CrosstermBackend::new(io::stdout())));
        if terminal.is_err() {
            give_back();
        }
        Ok(Screen {
            terminal: terminal?,
        })
    }

    /// Shows the game. Terminals that can do so show the change at once.
    pub(super) fn draw(&mut self, app: &App) -> io::Result<()> {
        queue!(io::stdout(), BeginSynchronizedUpdate)?;
        self.terminal.draw(|frame| view::draw(app, frame))?;
        execute!(io::stdout(), EndSynchronizedUpdate)
    }

    /// Draws everything again the next time.
    pub(super) fn clear(&mut self) -> io::Result<()> {
        let size = self.terminal.size()?;
        self.terminal.resize(size.into())
    }

    /// The drawable area of the screen.
    pub(super) fn area(&self) -> io::Result<ratatui::layout::Rect> {
        Ok(self.terminal.size()?.into())
    }

    /// Rings the bell.
    pub(super) fn ring(&mut self) -> io::Result<()> {
        let mut output = io::stdout();
        output.write_all(b"\x07")?;
        output.flush()
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        give_back();
    }
}

/// Restores the terminal, if it was taken over.
fn give_back() {
    if !IS_TAKEN.swap(false, Ordering::SeqCst) {
        return;
    }
    // Where there is no terminal any more, there is nothing to give back.
    let _ = execute!(io::stdout(), DisableBracketedPaste);
    let _ = execute!(
        io::stdout(),
        EndSynchronizedUpdate,
        DisableMouseCapture,
        LeaveAlternateScreen,
        Show
    );
    let _ = disable_raw_mode();
}

/// Installs a panic hook that restores the terminal before a panic of this thread is printed.
fn give_back_before_panics() {
    HOOK.call_once(|| {
        let (owner, tell) = (thread::current().id(), panic::take_hook());
        panic::set_hook(Box::new(move |panic| {
            if thread::current().id() == owner {
                give_back();
            }
            tell(panic);
        }));
    });
}
