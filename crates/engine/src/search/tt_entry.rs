//! Entries of the transposition table: what a search of a node leaves behind,
//! and how it is packed into one word.

use super::depth::{Depth, PLY};
use crate::rules::Point;
use crate::score::{Score, Window};

/// The relation of a stored score to the true one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum Bound {
    /// No score is stored.
    #[default]
    None = 0,
    /// The true score is at most the stored one.
    Upper = 1,
    /// The true score is at least the stored one.
    Lower = 2,
    /// The stored score is the true one.
    Exact = 3,
}

impl Bound {
    /// The bound of a score that a search of `window` returned.
    #[inline]
    pub(super) fn of(score: Score, window: Window) -> Bound {
        if window.fails_high(score) {
            Bound::Lower
        } else if window.fails_low(score) {
            Bound::Upper
        } else {
            Bound::Exact
        }
    }

    /// Returns whether the true score is at least the stored one.
    #[inline]
    pub(super) fn is_lower(self) -> bool {
        self as u8 & Bound::Lower as u8 != 0
    }

    /// Returns whether the true score is at most the stored one.
    #[inline]
    pub(super) fn is_upper(self) -> bool {
        self as u8 & Bound::Upper as u8 != 0
    }
}

/// The entry of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TtEntry {
    /// The best move, or [`Point::NONE`].
    pub(super) best: Point,
    /// The score, relative to the node; see [`Score::to_tt`].
    pub(super) score: Score,
    /// The static eval, if there is one.
    pub(super) eval: Option<Score>,
    /// The depth that the score was searched to.
    pub(super) depth: Depth,
    /// The relation of the score to the true one.
    pub(super) bound: Bound,
    /// True if the position is or was on the principal variation.
    pub(super) tt_pv: bool,
}

impl TtEntry {
    /// The entry of a position that was evaluated but not searched.
    pub(super) fn of_eval(eval: Score) -> TtEntry {
        TtEntry {
            best: Point::NONE,
            score: Score::ZERO,
            eval: Some(eval),
            depth: MIN_DEPTH,
            bound: Bound::None,
            tt_pv: false,
        }
    }

    /// The score, for a node at `ply`.
    #[inline]
    pub(super) fn score_at(&self, ply: usize) -> Score {
        Score::from_tt(self.score, ply)
    }

    /// The score that makes a search to `depth` unnecessary. Within the window
    /// it is exact.
    #[inline]
    pub(super) fn cutoff(&self, depth: Depth, ply: usize, window: Window) -> Option<Score> {
        let score = self.score_at(ply);
        let is_known = self.depth >= depth
            && self.proves_side(score, window.beta)
            && (!window.contains(score) || self.bound == Bound::Exact);
        is_known.then_some(score)
    }

    /// The score, if it says more than `eval`: the true score is as far from
    /// `eval` as the stored one, or farther.
    #[inline]
    pub(super) fn better_eval(&self, eval: Score, ply: usize) -> Option<Score> {
        let score = self.score_at(ply);
        self.proves_side(score, eval).then_some(score)
    }

    /// Returns whether the true score lies on the same side of `threshold` as `score`.
    #[inline]
    fn proves_side(&self, score: Score, threshold: Score) -> bool {
        if score >= threshold {
            self.bound.is_lower()
        } else {
            self.bound.is_upper()
        }
    }
}

/// Stands for "no static eval" among the bits of an entry.
const NO_EVAL: i16 = i16::MIN;

/// Depths are stored in quarter plies, from [`MIN_DEPTH`] up.
const DEPTH_STEP: Depth = PLY / 4;
const MIN_DEPTH: Depth = -8 * PLY;

impl TtEntry {
    pub(super) fn pack(&self, age: u8) -> u64 {
        let depth = ((self.depth - MIN_DEPTH) / DEPTH_STEP).clamp(0, 1023) as u64;
        let eval = self.eval.map_or(NO_EVAL, |eval| eval.units() as i16);
        self.score.units() as u16 as u64
            | (eval as u16 as u64) << 16
            | (self.best.index() as u64) << 32
            | depth << 42
            | (self.bound as u64) << 52
            | u64::from(self.tt_pv) << 54
            | u64::from(age) << 56
    }

    pub(super) fn unpack(data: u64) -> TtEntry {
        let eval = (data >> 16) as i16;
        let score = |units: i16| Score::from_units(i32::from(units));
        TtEntry {
            best: Point::from_index((data >> 32 & 1023) as usize),
            score: score(data as i16),
            eval: (eval != NO_EVAL).then_some(score(eval)),
            depth: (data >> 42 & 1023) as Depth * DEPTH_STEP + MIN_DEPTH,
            bound: match data >> 52 & 3 {
                1 => Bound::Upper,
                2 => Bound::Lower,
                3 => Bound::Exact,
                _ => Bound::None,
            },
            tt_pv: data >> 54 & 1 != 0,
        }
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// An entry of a search to this depth.
    pub(in crate::search) fn entry(depth: Depth) -> TtEntry {
        TtEntry {
            best: Point::new(3, 4),
            score: Score::new(-345),
            eval: Some(Score::new(12)),
            depth,
            bound: Bound::Lower,
            tt_pv: true,
        }
    }

    /// Files of records have a version, which counts up when these change.
    #[test]
    fn entries_are_packed_as_files_have_them() {
        assert_eq!(entry(7 * PLY).pack(5), 0x0560_F128_000C_FEA7);
    }

    /// A bound proves something on its own side only.
    #[test]
    fn bounds_cut_off_on_their_side() {
        let lower = entry(3 * PLY);
        let upper = TtEntry {
            bound: Bound::Upper,
            ..lower
        };
        let score = lower.score;
        let [below, above] = [score, score + 1].map(Window::below);
        assert_eq!(lower.cutoff(3 * PLY, 0, below), Some(score));
        assert_eq!(lower.cutoff(3 * PLY, 0, above), None);
        assert_eq!(lower.cutoff(4 * PLY, 0, below), None, "not deep enough");
        assert_eq!(upper.cutoff(3 * PLY, 0, below), None);
        assert_eq!(upper.cutoff(3 * PLY, 0, above), Some(score));
        let exact = TtEntry {
            bound: Bound::Exact,
            ..lower
        };
        assert_eq!(exact.cutoff(3 * PLY, 0, Window::FULL), Some(score));
        assert_eq!(lower.cutoff(3 * PLY, 0, Window::FULL), None);
        assert_eq!(upper.cutoff(3 * PLY, 0, Window::FULL), None);
        assert_eq!(lower.better_eval(score - 9, 0), Some(score));
        assert_eq!(lower.better_eval(score + 9, 0), None);
        for window in [below, above, Window::FULL] {
            let returned = Bound::of(score, window);
            assert_eq!(returned == Bound::Exact, window.contains(score));
            assert_eq!(returned.is_lower(), !window.fails_low(score));
        }
    }
}
