//! The questions to the solver and its answers.

use super::proof::Proof;

/// The kind of win to look for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum WinKind {
    /// The shortest win by continuous fours.
    Vcf,
    /// A win by continuous threes and fours: after each move the opponent has to
    /// meet a five, or would lose to continuous fours if it passed.
    Vct,
    /// The shortest win by continuous fours if there is one, else a win by threes
    /// and fours.
    #[default]
    Any,
}

/// The answer to the question for a forced win of the side to move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ForcedWin {
    /// The side to move wins, by this proof.
    Proven(Proof),
    /// There is no win of the kind that was asked for. There may be one of
    /// another kind, with a quiet move in it.
    None,
    /// The limit was reached first.
    Unknown,
}
