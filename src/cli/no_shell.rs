//! A program without the feature `shell`: it reads no configuration, and takes every word
//! that is no subcommand for a manager's.

use anyhow::Result;
use quincunx_engine::gomocup::Info;
use std::ffi::OsString;

/// The arguments as they are, and no settings of the protocol.
pub(super) fn configured(arguments: Vec<OsString>) -> Result<(Vec<OsString>, Vec<Info>)> {
    Ok((arguments, Vec::new()))
}

/// Whether a word is a subcommand but for a slip of the pen.
pub(super) fn is_almost_a_subcommand(_: &str) -> bool {
    false
}
