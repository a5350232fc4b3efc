//! The board as a page in the browser: a small web server.
//!
//! The page is part of the program (`page`); a WebSocket carries the
//! messages of a [`board::Session`](quincunx_board::Session) or of a game of four in a
//! row (`session_host`), one session a connection (`connection`). The page keeps the game
//! itself, so nothing is lost when either side starts again.
//!
//! The same page does without a server where it has the engine as WebAssembly (`site`).
//!
//! Where many play each other, a [`Club`](quincunx_club::rooms::Club) stands behind another
//! socket (`rooms`): it keeps the games, and the pages show them.
//!
//! Rooms are served on one thread that does nothing else for long. Boards, with their
//! exports and searches, have threads of their own of a lower priority, and visitors use a
//! share of the processor at most (`rate_limit`).
//!
//! The server listens on the loopback address unless it is told otherwise, and
//! answers only requests that are meant for it (`host_policy`): a web page from
//! elsewhere can neither read the board nor use the engine.

mod board_settings;
mod connection;
mod connection_limit;
mod half_open;
mod host_policy;
mod network;
mod page;
mod processor;
mod qr;
mod rate_limit;
mod reach;
mod refusal;
mod rooms;
mod server;
mod session_host;
mod shared;
mod site;

pub use board_settings::BoardSettings;
pub use rooms::ClubSettings;
pub use server::{Server, ServerError, Settings};
pub use shared::ShutdownHandle;
pub use site::{exported, site};
