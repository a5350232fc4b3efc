//! The value of a position, in one number, and the bounds that a search puts on
//! it.
//!
//! Layer 1. A [`Score`] is an evaluation or a certain win or loss; a
//! [`Window`] is the pair of scores alpha and beta between which a search needs
//! to know the true one.

use std::fmt;
use std::ops::{Add, Neg, Sub};

/// The value of a position for the side to move.
///
/// Evaluations are in units of which 200 are one logit: a score `s` means a
/// chance to win of `1 / (1 + exp(-s / 200))`. They lie between
/// -[`Score::MAX_EVAL`] and [`Score::MAX_EVAL`].
///
/// A certain win is worth [`Score::WIN`] less one unit for every ply from the
/// root of the search to the stone that wins, so that shorter wins are better;
/// a certain loss is the negative of that. The transposition table counts those
/// plies from its own node instead, because the same node may be reached at
/// another ply: see `Score::to_tt`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Score(i32);

impl Score {
    /// Neither side is better; also a drawn game.
    pub const ZERO: Score = Score(0);
    /// Units in a logit.
    pub const LOGIT: f32 = 200.0;
    /// A win on the board at the root.
    pub const WIN: Score = Score(30_000);
    /// Above every score.
    pub const INFINITE: Score = Score(31_000);
    /// The largest evaluation.
    pub const MAX_EVAL: Score = Score(20_000);

    /// The evaluation of this many units, or the nearest one.
    #[inline]
    pub const fn new(units: i32) -> Score {
        let limit = Score::MAX_EVAL.0;
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
    #[inline]
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

    /// The score as a number.
    #[inline]
    pub const fn units(self) -> i32 {
        self.0
    }

    /// Returns whether the score is a certain win.
    #[inline]
    pub const fn is_win(self) -> bool {
        self.0 > Score::MAX_EVAL.0
    }

    /// Returns whether the score is a certain loss.
    #[inline]
    pub const fn is_loss(self) -> bool {
        self.0 < -Score::MAX_EVAL.0
    }

    /// Returns whether the score is a certain win or loss.
    #[inline]
    pub const fn is_decided(self) -> bool {
        self.is_win() || self.is_loss()
    }

    /// The probability of a win for the side that the score is for: 0 or 1 where it is
    /// decided, else the logistic function of the score in logits.
    pub fn win_chance(self) -> f64 {
        if self.is_decided() {
            return f64::from(u8::from(self.is_win()));
        }
        1.0 / (1.0 + (-f64::from(self.units()) / f64::from(Score::LOGIT)).exp())
    }

    /// The number of plies from the root to the end of a decided game.
    pub const fn plies(self) -> Option<usize> {
        match self.mate() {
            Some(plies) => Some(plies.unsigned_abs() as usize),
            None => None,
        }
    }

    /// The plies to the end of a decided game: positive for a win, negative for a loss.
    pub const fn mate(self) -> Option<i32> {
        if self.is_win() {
            Some(Score::WIN.0 - self.0)
        } else if self.is_loss() {
            Some(-Score::WIN.0 - self.0)
        } else {
            None
        }
    }

    /// The score of the position before a move, for the player who made it, where this is
    /// the score after it, for the opponent.
    pub const fn before_move(self) -> Score {
        Score(-self.0).nearer(-1)
    }

    /// The score of a node at `ply`, relative to the node: wins and losses
    /// count their plies from there.
    #[inline]
    pub(crate) const fn to_tt(self, ply: usize) -> Score {
        self.nearer(ply as i32)
    }

    /// The score at the root of a node at `ply` whose own score is `stored`.
    /// Undoes `Score::to_tt`.
    #[inline]
    pub(crate) const fn from_tt(stored: Score, ply: usize) -> Score {
        stored.nearer(-(ply as i32))
    }

    /// The same score with the end of a decided game this number of plies nearer.
    #[inline]
    const fn nearer(self, plies: i32) -> Score {
        if self.is_win() {
            Score(self.0 + plies)
        } else if self.is_loss() {
            Score(self.0 - plies)
        } else {
            self
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

/// The distance between two scores, in units.
impl Sub for Score {
    type Output = i32;
    #[inline]
    fn sub(self, other: Score) -> i32 {
        self.0 - other.0
    }
}

/// `+M5` and `-M4` for a game that ends in that number of plies, signed units else.
impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.plies() {
            Some(plies) if self.is_win() => write!(f, "+M{plies}"),
            Some(plies) => write!(f, "-M{plies}"),
            None => write!(f, "{:+}", self.0),
        }
    }
}

/// A number of plies in words: `1 ply` or `3 plies`.
///
/// ```
/// use quincunx_engine::score::Plies;
///
/// assert_eq!([Plies(1), Plies(3)].map(|plies| plies.to_string()), ["1 ply", "3 plies"]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Plies(pub usize);

impl fmt::Display for Plies {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let unit = if self.0 == 1 { "ply" } else { "plies" };
        write!(f, "{} {unit}", self.0)
    }
}

/// The scores between which a search needs to know the true one.
///
/// A score of alpha or less fails low and is an upper bound; a score of beta or
/// more fails high and is a lower bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Window {
    /// The score that the side to move has already.
    pub alpha: Score,
    /// The score that its opponent has already.
    pub beta: Score,
}

impl Window {
    /// The window that every score lies in.
    pub const FULL: Window = Window {
        alpha: Score(-Score::INFINITE.0),
        beta: Score::INFINITE,
    };

    /// The null window that asks whether the score is above `alpha`.
    #[inline]
    pub fn above(alpha: Score) -> Window {
        Window {
            alpha,
            beta: alpha + 1,
        }
    }

    /// The null window that asks whether the score is `beta` or more.
    #[inline]
    pub fn below(beta: Score) -> Window {
        Window {
            alpha: beta - 1,
            beta,
        }
    }

    /// The window of this half width around `score`.
    #[inline]
    pub fn around(score: Score, half_width: i32) -> Window {
        Window {
            alpha: score - half_width,
            beta: score + half_width,
        }
    }

    /// The null window at alpha.
    #[inline]
    pub fn null(self) -> Window {
        Window::above(self.alpha)
    }

    /// Moves alpha up to `score`, if it is below.
    #[inline]
    pub fn raise_alpha(&mut self, score: Score) {
        self.alpha = self.alpha.max(score);
    }

    /// Moves beta down to `score`, if it is above.
    #[inline]
    pub fn lower_beta(&mut self, score: Score) {
        self.beta = self.beta.min(score);
    }

    /// The distance from alpha to beta, in units.
    #[inline]
    pub fn width(self) -> i32 {
        self.beta - self.alpha
    }

    /// Returns whether alpha has reached beta.
    #[inline]
    pub fn is_closed(self) -> bool {
        self.alpha >= self.beta
    }

    /// Returns whether a search of this window that returns `score` fails high.
    #[inline]
    pub fn fails_high(self, score: Score) -> bool {
        score >= self.beta
    }

    /// Returns whether a search of this window that returns `score` fails low.
    #[inline]
    pub fn fails_low(self, score: Score) -> bool {
        score <= self.alpha
    }

    /// Returns whether `score` lies inside, so that a search that returns it is exact.
    #[inline]
    pub fn contains(self, score: Score) -> bool {
        self.alpha < score && score < self.beta
    }
}

/// The same window as the opponent sees it.
impl Neg for Window {
    type Output = Window;
    #[inline]
    fn neg(self) -> Window {
        Window {
            alpha: -self.beta,
            beta: -self.alpha,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chances_of_both_sides_add_up_to_one() {
        for score in [Score::ZERO, Score::new(200), Score::new(-700), Score::WIN] {
            let sum = score.win_chance() + (-score).win_chance();
            assert!((sum - 1.0).abs() < 1e-12, "{score}: {sum}");
        }
        assert!((Score::new(200).win_chance() - 0.731).abs() < 0.001);
        assert_eq!(Score::win_at(3).win_chance(), 1.0);
        assert_eq!(Score::win_at(3).mate(), Some(3));
        assert_eq!(Score::loss_at(4).mate(), Some(-4));
        assert_eq!(Score::new(700).mate(), None);
    }

    #[test]
    fn decided_scores_travel_between_root_and_node() {
        for score in [Score::win_at(9), Score::loss_at(12), Score::new(-345)] {
            assert_eq!(Score::from_tt(score.to_tt(7), 7), score);
        }
        assert_eq!(Score::win_at(9).to_tt(4), Score::win_at(5));
        assert_eq!(Score::loss_at(9).to_tt(4), Score::loss_at(5));
    }

    #[test]
    fn a_decided_game_is_a_ply_longer_before_a_move() {
        for (after, before) in [
            (Score::win_at(4), Score::loss_at(5)),
            (Score::loss_at(4), Score::win_at(5)),
            (Score::new(-30), Score::new(30)),
        ] {
            assert_eq!(after.before_move(), before);
        }
    }

    #[test]
    fn text_distinguishes_wins_from_evaluations() {
        assert_eq!(Score::win_at(5).to_string(), "+M5");
        assert_eq!(Score::loss_at(4).to_string(), "-M4");
        assert_eq!(Score::new(13).to_string(), "+13");
        assert_eq!(Score::ZERO.to_string(), "+0");
        assert!(!Score::new(99_999).is_win());
    }

    /// Every score falls on one side of a window or inside it, and on the
    /// opposite side of the opponent's.
    #[test]
    fn windows_divide_the_scores() {
        let window = Window::around(Score::new(10), 3);
        assert_eq!((window.width(), (-window).width()), (6, 6));
        for units in 0..20 {
            let score = Score::new(units);
            let sides = [
                window.fails_low(score),
                window.contains(score),
                window.fails_high(score),
            ];
            assert_eq!(sides, [units <= 7, (8..=12).contains(&units), units >= 13]);
            assert_eq!((-window).fails_low(-score), sides[2]);
            assert_eq!((-window).contains(-score), sides[1]);
            assert!(Window::FULL.contains(score));
        }
    }

    #[test]
    fn null_windows_contain_nothing() {
        let score = Score::new(-4);
        for window in [Window::above(score), Window::below(score)] {
            assert_eq!((window.width(), window.is_closed()), (1, false));
            assert!((-10..10).all(|units| !window.contains(Score::new(units))));
        }
        assert!(Window::above(score).fails_low(score));
        assert!(Window::below(score).fails_high(score));
        assert_eq!(-Window::above(score), Window::below(-score));
        assert_eq!(Window::FULL.null(), Window::above(-Score::INFINITE));
    }

    #[test]
    fn windows_only_become_narrower() {
        let mut window = Window::around(Score::ZERO, 5);
        window.raise_alpha(Score::new(-9));
        window.lower_beta(Score::new(9));
        assert_eq!(window, Window::around(Score::ZERO, 5));
        window.raise_alpha(Score::new(2));
        window.lower_beta(Score::new(3));
        assert_eq!(window, Window::above(Score::new(2)));
        window.raise_alpha(Score::new(3));
        assert!(window.is_closed());
    }
}
