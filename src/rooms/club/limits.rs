//! What a club allows.

use std::time::Duration;

/// What a club allows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The most rooms.
    pub rooms: usize,
    /// The most rooms that one person has opened or plays in.
    pub rooms_of_one: usize,
    /// The most rooms with an engine.
    pub engines: usize,
    /// How long a room stays that nobody visits and where nobody plays.
    pub idle: Duration,
    /// How long clocks stand after a restart if their players do not come back.
    pub grace: Duration,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            rooms: 1000,
            rooms_of_one: 5,
            engines: 8,
            idle: Duration::from_secs(600),
            grace: Duration::from_secs(60),
        }
    }
}
