//! A board to sit down at in the terminal.
//!
//! The game itself is a
//! [`Session`](quincunx_board::Session), the same that the page in the browser has.
//!
//! - `app`: the session, its dialogs and what is shown; what people ask for goes in, what has
//!   to be done comes out. `form`: what they fill in.
//! - `action`: what keys and clicks ask for; nothing but a table.
//! - `view`: the whole screen, from the state alone; `layout`, `stones`, `panel`,
//!   `appearance`, `words`: its parts.
//! - `screen`: the terminal, taken over and given back; `event_loop`: the loop around it all.

mod action;
mod app;
mod appearance;
mod event_loop;
mod form;
mod layout;
mod panel;
mod screen;
mod stones;
mod view;
mod words;

pub use action::{Action, Mode, action};
pub use app::{App, Effect, Exit, SaveError};
pub use appearance::Appearance;
pub use event_loop::{EventLoop, Interrupter, read};
pub use layout::{Layout, TooSmall};
pub use screen::Screen;
pub use view::{draw, layout};
