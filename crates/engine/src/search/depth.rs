//! Depths in fractions of a ply.

/// A remaining depth; [`PLY`] is one ply.
pub(super) type Depth = i32;

/// One ply.
pub(super) const PLY: Depth = 64;
