//! The threats on the board as features of the evaluation.

use crate::pattern::Class;
use crate::position::{ClassCounts, Position};

/// The number of sets of threats.
pub const THREAT_SETS: usize = 1 << THREAT_NAMES.len();

/// The names of the threats, in the order of their bits in a set of threats.
pub const THREAT_NAMES: [&str; 11] = [
    "opponent has a five",
    "own open four",
    "opponent's open four",
    "own four-three",
    "own four-plus",
    "own four",
    "own three-plus",
    "opponent's four-three",
    "opponent's four-plus",
    "opponent's four",
    "opponent's three-plus",
];

/// Returns the set of threats on the board as the side to move sees them: a bit
/// for each threat, in the order of [`THREAT_NAMES`].
#[inline]
pub fn threat_set(position: &Position) -> usize {
    let own = position.counts(position.side());
    let theirs = position.counts(position.side().opponent());
    let three_plus =
        |counts: ClassCounts| counts.any(Class::OpenThreePlus) || counts.any(Class::DoubleThree);
    [
        theirs.any(Class::Five),
        own.any(Class::OpenFour),
        theirs.any(Class::OpenFour),
        own.any(Class::FourThree),
        own.any(Class::FourPlus),
        own.any(Class::Four),
        three_plus(own),
        theirs.any(Class::FourThree),
        theirs.any(Class::FourPlus),
        theirs.any(Class::Four),
        three_plus(theirs),
    ]
    .into_iter()
    .enumerate()
    .fold(0, |set, (bit, present)| set | usize::from(present) << bit)
}
