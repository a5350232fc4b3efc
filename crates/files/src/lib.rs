//! Files that are written completely or not at all, and by one run at a time, and lines that
//! are read as they were written or not at all.
//!
//! Without the feature `write` files are only read and locked.

mod lines;
mod read;
#[cfg(feature = "write")]
mod write;

pub use lines::{CheckedLines, checked_line};
pub use read::{LockedFile, expect_kind, expect_plain, read};
#[cfg(feature = "write")]
pub use write::{NewFile, WriteError, expect_writable, remove_drafts, replace, replace_with};
