//! How good a position is, in one number.

use std::fmt;
use std::ops::{Add, Neg, Sub};

/// The value of a position for the side to move.
///
/// 200 units are one logit: a score `s` means a chance to win of
/// `1 / (1 + exp(-s / 200))`. Wins that are certain are counted in plies from
/// the root of the search and lie beyond all evaluations.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Score(i32);

impl Score {
    /// Neither side is better; also a drawn game.
    pub const ZERO: Score = Score(0);
    /// Units in a logit.
    pub const LOGIT: f32 = 200.0;
    /// A win on the board at the root.
    pub const WIN: Score = Score(30_000);
    /// Beyond every score.
    pub const INFINITE: Score = Score(31_000);
    /// The largest evaluation that is not a certain win.
    pub const LIMIT: Score = Score(20_000);

    /// A score of this many units, which must not look like a certain win.
    #[inline]
    pub const fn new(units: i32) -> Score {
        let limit = Score::LIMIT.0;
        Score(if units > limit {
            limit
        } else if units < -limit {
            -limit
        } else {
            units
        })
    }

    /// The side to move wins with its last stone at this ply of the search.
    #[inline]
    pub const fn win_at(ply: usize) -> Score {
        Score(Score::WIN.0 - ply as i32)
    }

    /// The side to move loses to a last stone at this ply of the search.
    #[inline]
    pub const fn loss_at(ply: usize) -> Score {
        Score(ply as i32 - Score::WIN.0)
    }

    /// The score whose [`Score::units`] are this number, or the nearest one.
    pub const fn from_units(units: i32) -> Score {
        let win = Score::WIN.0;
        Score(if units > win {
            win
        } else if units < -win {
            -win
        } else {
            units
        })
    }

    /// The number itself.
    #[inline]
    pub const fn units(self) -> i32 {
        self.0
    }

    /// Whether it is a certain win.
    #[inline]
    pub const fn is_win(self) -> bool {
        self.0 > Score::LIMIT.0
    }

    /// Whether it is a certain loss.
    #[inline]
    pub const fn is_loss(self) -> bool {
        self.0 < -Score::LIMIT.0
    }

    /// Whether it is certain who wins.
    #[inline]
    pub const fn is_decided(self) -> bool {
        self.is_win() || self.is_loss()
    }

    /// In how many plies from the root a decided game ends.
    pub const fn plies(self) -> Option<usize> {
        if self.is_win() {
            Some((Score::WIN.0 - self.0) as usize)
        } else if self.is_loss() {
            Some((Score::WIN.0 + self.0) as usize)
        } else {
            None
        }
    }

    /// The same score as a table entry keeps it, where wins count from the
    /// node at `ply` instead of the root.
    #[inline]
    pub const fn from_node(self, ply: usize) -> i16 {
        (if self.is_win() {
            self.0 + ply as i32
        } else if self.is_loss() {
            self.0 - ply as i32
        } else {
            self.0
        }) as i16
    }

    /// Undoes [`Score::from_node`] at a node at `ply`.
    #[inline]
    pub const fn at_node(kept: i16, ply: usize) -> Score {
        let score = Score(kept as i32);
        if score.is_win() {
            Score(score.0 - ply as i32)
        } else if score.is_loss() {
            Score(score.0 + ply as i32)
        } else {
            score
        }
    }
}

impl Neg for Score {
    type Output = Score;
    #[inline]
    fn neg(self) -> Score {
        Score(-self.0)
    }
}

impl Add<i32> for Score {
    type Output = Score;
    #[inline]
    fn add(self, units: i32) -> Score {
        Score(self.0 + units)
    }
}

impl Sub<i32> for Score {
    type Output = Score;
    #[inline]
    fn sub(self, units: i32) -> Score {
        Score(self.0 - units)
    }
}

/// `+M5` and `-M4` for a game that ends in so many plies, signed units else.
impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.plies() {
            Some(plies) if self.is_win() => write!(f, "+M{plies}"),
            Some(plies) => write!(f, "-M{plies}"),
            None => write!(f, "{:+}", self.0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decided_scores_travel_between_root_and_node() {
        for score in [Score::win_at(9), Score::loss_at(12), Score::new(-345)] {
            assert_eq!(Score::at_node(score.from_node(7), 7), score);
        }
        assert_eq!(
            Score::at_node(Score::win_at(9).from_node(4), 0),
            Score::win_at(5)
        );
    }

    #[test]
    fn text_tells_wins_from_evaluations() {
        assert_eq!(Score::win_at(5).to_string(), "+M5");
        assert_eq!(Score::loss_at(4).to_string(), "-M4");
        assert_eq!(Score::new(13).to_string(), "+13");
        assert_eq!(Score::ZERO.to_string(), "+0");
        assert!(!Score::new(99_999).is_win());
    }
}
