//! Ratings of players from results alone: Glicko-2 and a playing site's points.
//!
//! Arithmetic on numbers: nothing here knows a game, a player or a file.

mod glicko;
mod points;

pub use glicko::Glicko;
pub use points::SitePoints;
pub use quincunx_pairing::Score;
