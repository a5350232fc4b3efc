//! The meaning of a line of stones for the point in its middle.
//!
//! Layer 2. A [`Shape`] is what one direction through an empty point becomes when a
//! colour plays there. The four shapes of a point make its [`Code`], whatever their
//! directions, and the code has a [`Class`]: what a move there threatens. A
//! [`ClassPair`] has the classes of both colours.
//!
//! Shapes are computed from their definitions by `Classifier` and packed into the
//! lookup tables of `PatternTables`. They are never listed by hand: hand-written
//! lists of strings are how engines get exact five and renju wrong.

mod class_pair;
mod classify;
mod code;
mod shape;
mod table;

pub(crate) use class_pair::PADDED_CLASS_PAIRS;
pub use class_pair::{CLASS_PAIRS, ClassPair};
pub(crate) use classify::{Cell, Classifier};
pub(crate) use code::PADDED_CODES;
pub use code::{CODES, Code, CodeTable};
pub use shape::{Class, Shape};
pub(crate) use table::{PatternTables, radius};
