//! The limits of a club.

use std::time::Duration;

/// The limits of a club.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The most rooms.
    pub rooms: usize,
    /// The most rooms that one person has opened or plays in.
    pub rooms_of_one: usize,
    /// The most rooms with an engine.
    pub engines: usize,
    /// The most tournaments that are not over.
    pub tournaments: usize,
    /// The most names that are taken from one address in an hour; who sits down
    /// without one takes a guest's.
    pub names_an_hour: u32,
    /// The time after which a room without a visitor and without a game in progress is closed.
    pub idle: Duration,
    /// The grace period for which clocks are paused after a restart while their players are
    /// disconnected.
    pub grace: Duration,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            rooms: 1000,
            rooms_of_one: 5,
            engines: 8,
            tournaments: 20,
            names_an_hour: 100,
            idle: Duration::from_secs(600),
            grace: Duration::from_secs(60),
        }
    }
}
