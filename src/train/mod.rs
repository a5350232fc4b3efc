//! How the engine teaches itself: games against itself, and tables fitted to
//! them.
//!
//! Floor 7. [`run`] plays games from openings of its own and writes
//! [`record`]s; [`tune`] turns them into the tables of the classical
//! evaluation. The same seed and data give the same bytes on every machine and
//! any number of threads, so work is cut by seed into shards that merge.

pub mod adam;
pub mod curve;
pub mod layout;
pub mod moves;
pub mod openings;
pub mod record;
pub mod resume;
pub mod run;
pub mod samples;
pub mod selfplay;
pub mod spsa;
pub mod text;
pub mod tune;
pub mod values;
