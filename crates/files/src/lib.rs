//! Files that are written completely or not at all, and by one run at a time, and lines that
//! are read as they were written or not at all.
//!
//! Without the feature `write` files are only read and locked.

#[cfg(feature = "write")]
mod grow;
mod lines;
mod read;
#[cfg(feature = "write")]
mod write;

#[cfg(feature = "write")]
pub use grow::{GrowingFile, lock_beside, lock_file, lock_of};
pub use lines::{CheckedLines, checked_line, whole_lines};
pub use read::{LockedFile, expect_kind, expect_plain, read};
#[cfg(feature = "write")]
pub use write::{
    NewFile, WriteError, expect_writable, remove_all_drafts, remove_drafts, replace, replace_with,
};
