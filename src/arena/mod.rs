//! Matches between engine programs: processes, clocks, openings, a referee,
//! records and statistics.
//!
//! Floor 7. Engines are other programs that speak the Gomocup protocol; this
//! floor knows the rules and the position, never our own search or
//! evaluation, so that any build of any engine can play any other.

mod chart;
pub mod check;
mod clock;
mod conduct;
mod game;
mod html;
pub mod notation;
pub mod openings;
mod opinion;
mod platform;
mod player;
mod process;
pub mod record;
pub mod referee;
pub mod report;
mod run;
pub mod schedule;
pub mod settings;
mod standing;
pub mod stats;
pub mod store;
mod warden;

pub use clock::{Clock, Limits};
pub use conduct::{Conduct, Progress, conduct};
pub use player::{Entrant, Fault, Table, rule_code};
pub use process::Program;
pub use run::{Plan, Stop, run};
pub use standing::{Effort, Meeting, Standing};
