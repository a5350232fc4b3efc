//! Scores of positions, and search windows.

use std::fmt;
use std::ops::Neg;

/// A value in the search, for the side to move.
///
/// Wins count the stones on the board when the game ends, not the plies from
/// here: a position is then worth the same however the search came to it, and
/// the table may hand the score to anyone. Earlier wins are worth more, later
/// losses less bad. A draw is 0 and estimates lie close around it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Score(i16);

impl Score {
    pub(super) const DRAW: Score = Score(0);
    /// A bound above every score.
    pub(super) const INFINITE: Score = Score(10_001);
    /// A win with stone number zero, better than any real one.
    const WIN: i16 = 10_000;
    /// The largest estimate.
    const MAX_ESTIMATE: i16 = 9_000;

    /// A win with the last of this number of stones.
    #[inline]
    pub(super) fn win_at(stone: u32) -> Score {
        Score(Score::WIN - stone as i16)
    }

    /// A loss to the last of this number of stones.
    #[inline]
    pub(super) fn loss_at(stone: u32) -> Score {
        -Score::win_at(stone)
    }

    /// A guess, which never looks like a win or a loss.
    pub(super) fn estimate(units: i32) -> Score {
        let max = i32::from(Score::MAX_ESTIMATE);
        Score(units.clamp(-max, max) as i16)
    }

    /// The next higher score.
    #[inline]
    pub(super) fn above(self) -> Score {
        Score(self.0 + 1)
    }

    /// The next lower score.
    #[inline]
    pub(super) fn below(self) -> Score {
        Score(self.0 - 1)
    }

    /// The score in the middle, the higher of two.
    pub(super) fn middle(low: Score, high: Score) -> Score {
        Score(low.0 + (high.0 - low.0 + 1) / 2)
    }

    /// Returns true for a proven win.
    pub(super) fn is_win(self) -> bool {
        self.0 > Score::MAX_ESTIMATE
    }

    /// Returns true for a proven loss.
    pub(super) fn is_loss(self) -> bool {
        (-self).is_win()
    }

    /// The score as a number: an estimate in hundredths of a logit.
    pub(super) fn units(self) -> i32 {
        self.0.into()
    }

    /// In how many plies the game ends, with `placed` stones on the board, if
    /// the score is a win or a loss.
    pub(super) fn plies(self, placed: u32) -> Option<u32> {
        let is_decided = self.is_win() || self.is_loss();
        is_decided.then(|| (Score::WIN - self.0.abs()) as u32 - placed)
    }

    /// The exact value with `placed` stones on the board. A score that is no
    /// win and no loss stands for a draw.
    pub(super) fn value(self, placed: u32) -> Value {
        match self.plies(placed) {
            Some(plies) if self.is_win() => Value::Win(plies),
            Some(plies) => Value::Loss(plies),
            None => Value::Draw,
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

/// A search window: scores between the bounds are exact, others only bounds.
///
/// `alpha` is what the side to move has already found elsewhere, `beta` what its
/// opponent has: a position worth `beta` or more will not be reached, because
/// the opponent has better.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Window {
    pub(super) alpha: Score,
    pub(super) beta: Score,
}

impl Window {
    pub(super) fn new(alpha: Score, beta: Score) -> Window {
        Window { alpha, beta }
    }

    /// A window without room for a score: only whether it is at least `goal`.
    pub(super) fn at_least(goal: Score) -> Window {
        Window::new(goal.below(), goal)
    }

    /// The same question from the other side of the board.
    pub(super) fn for_opponent(self) -> Window {
        Window::new(-self.beta, -self.alpha)
    }

    /// The same question once a score is known to be had.
    pub(super) fn above(self, score: Score) -> Window {
        Window::new(self.alpha.max(score), self.beta)
    }

    /// The same question where neither side can win within two plies: better and worse
    /// scores are none that the position can have.
    #[inline]
    pub(super) fn within_reach(self, placed: u32) -> Window {
        let (worst, best) = (Score::loss_at(placed + 4), Score::win_at(placed + 3));
        Window::new(self.alpha.max(worst), self.beta.min(best))
    }

    pub(super) fn is_closed(self) -> bool {
        self.alpha >= self.beta
    }
}

/// The value of a position for the side to move with best play. The winner hurries and the loser
/// holds out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Value {
    /// The side to move wins in this number of plies, the last one its own.
    Win(u32),
    /// The board fills up.
    Draw,
    /// The opponent wins in this number of plies.
    Loss(u32),
}

impl Value {
    /// The value for the player who moves into a position with this value.
    #[must_use]
    pub fn before_move(self) -> Value {
        match self {
            Value::Win(plies) => Value::Loss(plies + 1),
            Value::Draw => Value::Draw,
            Value::Loss(plies) => Value::Win(plies + 1),
        }
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let count = |plies: u32| if plies == 1 { "ply" } else { "plies" };
        match *self {
            Value::Win(plies) => write!(f, "win in {plies} {}", count(plies)),
            Value::Loss(plies) => write!(f, "loss in {plies} {}", count(plies)),
            Value::Draw => f.write_str("draw"),
        }
    }
}
