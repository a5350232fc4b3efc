//! Rooms where people play each other, as state machines without sockets.
//!
//! [`rooms`]: lobby, rooms, clocks, the referee of games between people, and
//! where they are kept; [`rating`]: how strong a player is, from results alone.

pub mod rating;
pub mod rooms;
