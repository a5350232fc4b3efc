//! Rooms where people play each other: seats, clocks and the referee.
//!
//! Floor 8. A [`Room`] is a state machine without sockets, threads or a clock of its
//! own: who does what when goes in, and the room refuses it or changes.

mod clock;
mod error;
mod person;
mod room;
mod setup;

pub use clock::{ClockRule, TimeLeft};
pub use error::RoomError;
pub use person::{Occupant, ParsePersonIdError, PersonId};
pub use room::{Action, Ending, MOST_LAG, Outcome, Room, SeatName, Stage};
pub use setup::RoomSetup;
