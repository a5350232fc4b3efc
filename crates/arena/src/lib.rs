//! Matches between engine programs: processes, clocks, openings, records and
//! statistics.
//!
//! Engines are other programs that speak the Gomocup protocol; this
//! crate knows the rules, the position and the game, never our own search or
//! evaluation, so that any build of any engine can play any other.

pub mod adjudicate;
pub mod check;
mod claims;
mod clock;
pub mod config;
pub mod export;
mod fault;
mod game;
mod html;
mod knockout;
pub mod merge;
pub mod parts;
mod platform;
mod player;
mod process;
pub mod rating_list;
pub mod record;
mod remarks;
pub mod report;
mod results;
mod runner;
pub mod schedule;
pub mod settings;
mod slot;
pub mod speed;
mod standings;
pub mod stats;
pub mod store;
mod swap;
mod swiss;
mod table;
mod tournament;
mod transcript;
mod watchdog;
mod workers;

pub use config::{EngineConfig, EngineLimits, GameConfig, Variant};
pub use fault::StartError;
pub use platform::CAN_SUSPEND;
pub use process::Program;
pub use results::PairResults;
pub use runner::{MatchError, MatchRunner, MatchSummary};
pub use slot::{EngineSlot, EngineSlotError, SlotEngine};
pub use standings::{EngineStats, HeadToHead, Standings};
pub use tournament::Tournament;
