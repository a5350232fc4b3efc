//! Classes of moves, and the losses of win chance that separate them.

use quincunx_records::sgf::Property;
use serde::{Deserialize, Serialize};
use std::fmt;

/// The quality of a move.
///
/// Chances are those of the side that moved, from 0 to 1. The loss of a move is the chance
/// before it minus the chance after it. The last two classes are proved and take
/// precedence.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MoveClass {
    /// The move that the engine would have played.
    Best,
    /// Another move that loses less than [`MoveClass::INACCURACY`].
    Good,
    /// A move that loses at least that much, and less than [`MoveClass::MISTAKE`].
    Inaccuracy,
    /// A move that loses more, or that was forbidden.
    Mistake,
    /// There was a forced win, by proof, and neither the search nor the solver finds one
    /// after the move.
    WinMissed,
    /// The opponent has a forced win after the move, and had none after another.
    LossAllowed,
}

impl MoveClass {
    /// Every class.
    pub const ALL: [MoveClass; 6] = [
        MoveClass::Best,
        MoveClass::Good,
        MoveClass::Inaccuracy,
        MoveClass::Mistake,
        MoveClass::WinMissed,
        MoveClass::LossAllowed,
    ];
    /// The least loss of an inaccuracy.
    pub const INACCURACY: f64 = 0.05;
    /// The least loss of a mistake.
    pub const MISTAKE: f64 = 0.15;

    /// Returns true for the classes that a person should look at: all but the best and the good
    /// moves.
    pub const fn is_fault(self) -> bool {
        !matches!(self, MoveClass::Best | MoveClass::Good)
    }

    /// The class of a move that is neither forbidden nor proved to be wrong.
    pub(super) fn by_chance(is_best: bool, lost: f64) -> MoveClass {
        match lost {
            _ if is_best => MoveClass::Best,
            MoveClass::MISTAKE.. => MoveClass::Mistake,
            MoveClass::INACCURACY.. => MoveClass::Inaccuracy,
            _ => MoveClass::Good,
        }
    }

    /// Returns true for a mistake and for the classes that are proved.
    pub(crate) const fn is_mistake(self) -> bool {
        matches!(
            self,
            MoveClass::Mistake | MoveClass::WinMissed | MoveClass::LossAllowed
        )
    }

    /// SGF's annotations of moves, of which a move has one.
    const ANNOTATIONS: [&str; 4] = ["TE", "IT", "DO", "BM"];

    /// Adds SGF's annotation of the move, unless its file has one.
    pub fn annotate(self, properties: &mut Vec<Property>) {
        let is_annotation = |it: &Property| MoveClass::ANNOTATIONS.contains(&it.name.as_str());
        if !properties.iter().any(is_annotation) {
            properties.extend(self.annotation());
        }
    }

    /// SGF's annotation of the best move, a doubtful or a bad one.
    pub fn annotation(self) -> Option<Property> {
        Some(match self {
            MoveClass::Best => Property::new("TE", "1"),
            MoveClass::Good => return None,
            MoveClass::Inaccuracy => Property::new("DO", ""),
            MoveClass::Mistake => Property::new("BM", "1"),
            MoveClass::WinMissed | MoveClass::LossAllowed => Property::new("BM", "2"),
        })
    }

    /// The class in words.
    pub const fn name(self) -> &'static str {
        match self {
            MoveClass::Best => "best",
            MoveClass::Good => "good",
            MoveClass::Inaccuracy => "inaccuracy",
            MoveClass::Mistake => "mistake",
            MoveClass::WinMissed => "win missed",
            MoveClass::LossAllowed => "loss allowed",
        }
    }
}

/// The least losses of two classes.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Thresholds {
    /// [`MoveClass::INACCURACY`].
    pub inaccuracy: f64,
    /// [`MoveClass::MISTAKE`].
    pub mistake: f64,
}

impl Default for Thresholds {
    fn default() -> Thresholds {
        Thresholds {
            inaccuracy: MoveClass::INACCURACY,
            mistake: MoveClass::MISTAKE,
        }
    }
}

impl fmt::Display for MoveClass {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thresholds_are_those_that_are_stated() {
        let class = |lost| MoveClass::by_chance(false, lost);
        assert_eq!(class(0.0), MoveClass::Good);
        assert_eq!(class(0.0499), MoveClass::Good);
        assert_eq!(class(0.05), MoveClass::Inaccuracy);
        assert_eq!(class(0.1499), MoveClass::Inaccuracy);
        assert_eq!(class(0.15), MoveClass::Mistake);
        assert_eq!(class(1.0), MoveClass::Mistake);
        assert_eq!(MoveClass::by_chance(true, 0.5), MoveClass::Best);
    }
}
