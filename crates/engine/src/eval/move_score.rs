//! The score that an evaluator gives a move before any search: its policy.

/// The promise of a move before any search. Scores of moves in the same
/// position can be compared with each other; by itself a score means nothing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct MoveScore(i32);

impl MoveScore {
    /// Below every score.
    pub const MIN: MoveScore = MoveScore(i32::MIN);

    /// Creates a score from units, sixty of which are one logit of being the
    /// best move.
    #[inline]
    pub const fn new(units: i32) -> MoveScore {
        MoveScore(units)
    }

    /// Returns the score in units.
    #[inline]
    pub const fn units(self) -> i32 {
        self.0
    }
}
