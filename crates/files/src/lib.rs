//! Files that are written completely or not at all, and by one run at a time, and lines that
//! are read as they were written or not at all.
//!
//! Without the feature `write` files are only read and locked.

mod lines;
#[cfg(feature = "write")]
mod lock;
mod read;
#[cfg(feature = "write")]
mod write;

pub use lines::{checked_json, checked_line, whole_lines};
#[cfg(feature = "write")]
pub use lock::{lock_beside, lock_file, lock_of, open_locked};
pub use read::{LockedFile, expect_kind, expect_plain, read};
#[cfg(feature = "write")]
pub use write::{
    NewFile, WriteError, expect_writable, remove_all_drafts, remove_drafts, replace,
    replace_one_of_many, replace_with,
};
