//! How the engine learns: self-play, fitting and parameter tuning.
//!
//! [`run`] plays games of the engine against itself and writes [`record`]s.
//! [`fit`](mod@fit) trains the tables of the classical evaluation on them, and [`line`](mod@line)
//! the line network. [`spsa`] tunes the parameters of the search by games.
//!
//! The same seed and data give the same bytes with any number of threads, so work is
//! cut by seed into shards, which [`merge`](mod@merge) joins. Only `spsa` with several
//! threads is not reproducible. Exponentials and logarithms come from the system's
//! library: if those of two machines differ in the last bit, results differ too.

mod adam;
mod checkpoint;
pub mod curve;
pub mod dataset;
pub mod dump;
mod factors;
pub mod fit;
mod interrupted;
pub mod layout;
pub mod line;
mod loss;
pub mod merge;
pub mod numpy;
mod optimizer;
pub mod origin;
mod policy;
pub mod quantize;
pub mod record;
pub mod run;
pub mod sampler;
pub mod selfplay;
pub mod spsa;
mod tree;
pub mod value;

use quincunx_engine::splitmix;
use std::path::{Path, PathBuf};

/// Returns the path of a file beside another one: its whole name with an extension after it.
pub fn beside(path: &Path, extension: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".");
    name.push(extension);
    name.into()
}

/// Returns the seed of one part of a run: a game, or a pair of games. Parts with successive
/// numbers have unrelated seeds.
fn part_seed(seed: u64, number: u32) -> u64 {
    splitmix::mix(seed ^ (u64::from(number) + 1).wrapping_mul(splitmix::GAMMA))
}
