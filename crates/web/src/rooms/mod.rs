//! Rooms on line: a [`Club`](quincunx_club::rooms::Club) behind sockets.

mod admin;
mod arrival;
mod clock;
mod delivery;
mod feed;
mod games;
mod host;
mod metrics;
mod round_trip;
mod tables;
mod visit;

pub(super) use admin::admin;
pub(super) use feed::feed;
pub(super) use games::{game, games};
pub(super) use host::ClubHost;
pub use host::ClubSettings;
pub(super) use metrics::{health, metrics};
pub(super) use tables::table;
pub(super) use visit::{address, begin};
