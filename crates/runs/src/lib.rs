//! The mechanism of everything that takes long, whatever it computes: a file that an interrupted
//! run resumes, threads whose results come in order, shards, progress on standard error, and
//! interruption.

mod file;
mod header;
mod interrupt;
mod pool;
mod progress;
mod shard;
mod stop;

pub use file::{RunError, RunFile, records};
pub use header::{Difference, Header, differences, join};
pub use interrupt::{INTERRUPTED, exit_on_interrupt, on_interrupt, survive_file_size_limit};
pub use pool::{in_order, pool};
pub use progress::Progress;
pub use shard::{ParseShardError, Shard};
pub use stop::StopSignal;
