//! What a line of stones means for the point in its middle.
//!
//! Floor 2. A [`Shape`] says what one direction through an empty point would
//! become if a colour played there; the four directions merge into a [`Code`]
//! (which shapes, in any order) and that into a [`Class`] (what the move would
//! threaten); a [`Pair`] is the classes of both colours. Shapes are computed from
//! the definitions by `classify`, packed into lookup tables by `table`, and never
//! listed by hand: hand-written lists of strings are how engines get exact five
//! and renju wrong.

mod classify;
mod merge;
mod pair;
mod shape;
mod table;

pub use classify::{Cell, Classifier};
pub use merge::{CODE_TABLE, CODES, Code, Merger};
pub use pair::{PAIR_TABLE, PAIRS, Pair};
pub use shape::{Class, Shape};
pub use table::{LineTable, Tables, radius};
