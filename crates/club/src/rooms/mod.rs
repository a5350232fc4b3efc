//! Rooms where people play each other: seats, clocks and the referee.
//!
//! A [`Room`] is a state machine without sockets, threads or a clock of its
//! own: who does what when goes in, and the room refuses it or changes. A [`Club`] is
//! all rooms with the people in them, their names and ratings, as messages in and out.
//! A [`ClubStore`] keeps it in a file; an [`Outbox`] says nothing before it is kept; an
//! [`EnginePool`] plays.

mod address;
mod admin;
mod archive;
mod clock;
mod club;
mod conditional;
mod conditional_lines;
mod contacts;
mod correction;
mod csv;
mod device_key;
mod engines;
mod error;
mod feed;
mod keys;
mod lobby_changes;
mod message;
mod name;
mod number;
mod outbox;
mod outcome;
mod pauses;
mod people;
mod person;
mod phrase;
mod priority;
mod rate_limits;
mod rating_category;
mod ratings;
mod referee;
mod reserved;
mod room;
mod running;
mod setup;
mod store;
mod suspicion;
mod tournament;
mod tournament_message;
mod vacation;
mod visitor_message;

pub use address::{AddressRange, ParseAddressRangeError};
pub use admin::{AdminCommand, AdminError, AuditEntry, CSV_HEAD, json_lines};
pub use archive::{Archive, FinishedGame, GameFilter};
pub use clock::{ClockRule, TimeLeft};
pub use club::{
    Admission, Club, ClubStatistics, Effects, EngineJob, Limits, OutgoingMessage, RoomQuery,
    SleepingRooms, StoreWrite, StoredClub, StoredRoom, TournamentGames, TournamentTable,
};
pub use contacts::{ContactPolicy, Contacts};
pub use csv::BYTE_ORDER_MARK;
pub use engines::{EnginePool, EngineReport};
pub use error::RoomError;
pub use message::*;
pub use name::NameError;
pub use number::{ParseRoomIdError, RoomId, TournamentId, VisitorId};
pub use outbox::{Outbox, OutboxStatistics, StoreState};
pub use outcome::Outcome;
pub use people::{People, Person};
pub use person::{Occupant, ParsePersonIdError, PersonId};
pub use phrase::Phrase;
pub use priority::give_way;
pub use rate_limits::{RateLimits, Refill};
pub use rating_category::RatingCategory;
pub use ratings::{RatingRecomputation, Ratings, Standing};
pub use referee::Action;
pub use room::{MOST_LAG, RecordError, Room, RoomRecord, Stage};
pub use running::RunningGames;
pub use setup::RoomSetup;
pub use store::{ClubStore, StoreError, StoreReader};
pub use suspicion::{Suspicion, Suspicious};
pub use tournament::{
    ClubTournament, EntryRule, TournamentSetup, TournamentSetupError, TournamentStage,
};
pub use tournament_message::*;
pub use vacation::Vacation;
pub use visitor_message::{ClubRequest, NewRoom, TournamentMessage, VisitorMessage};
