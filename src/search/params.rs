//! The numbers of the search that games can tell apart, in one table.
//!
//! Depths are in [`super::depth::PLY`] units (64 are one ply), margins in units
//! of [`crate::eval::Score`], others as their line says. Each has a value for
//! freestyle, exact five and renju (caro takes exact five's), the range in which
//! it makes sense, and a step that is worth trying. A running engine takes other
//! values by name, so that a match can compare them without a new build.

use crate::rules::Rule;

/// A number of the search as tuning programs see it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tunable {
    /// Its name in [`Params`].
    pub name: &'static str,
    /// The least value that makes sense.
    pub min: i32,
    /// The largest.
    pub max: i32,
    /// A change that is likely to be seen in games.
    pub step: i32,
}

macro_rules! params {
    ($($(#[$doc:meta])* $name:ident = $values:expr, $min:literal..=$max:literal by $step:literal;)*) => {
        /// The numbers of the search; see the module.
        #[derive(Clone, Debug, PartialEq, Eq)]
        pub struct Params {
            $($(#[$doc])* pub $name: i32,)*
        }

        impl Params {
            /// All numbers with their ranges.
            pub const TUNABLES: &[Tunable] = &[
                $(Tunable { name: stringify!($name), min: $min, max: $max, step: $step },)*
            ];

            /// The numbers the program plays with under `rule`.
            pub fn of(rule: Rule) -> Params {
                let column = match rule {
                    Rule::Freestyle => 0,
                    Rule::ExactFive | Rule::Caro | Rule::CaroOverline => 1,
                    Rule::Renju => 2,
                };
                Params { $($name: ($values as [i32; 3])[column],)* }
            }

            /// The number called `name`.
            pub fn get(&self, name: &str) -> Option<i32> {
                match name {
                    $(stringify!($name) => Some(self.$name),)*
                    _ => None,
                }
            }

            /// Sets the number called `name` and says whether there is one.
            /// Values beyond the range are drawn to its ends.
            pub fn set(&mut self, name: &str, value: i32) -> bool {
                match name {
                    $(stringify!($name) => self.$name = value.clamp($min, $max),)*
                    _ => return false,
                }
                true
            }
        }
    };
}

params! {
    /// Half the width of the first window around the last score.
    aspiration_width = [26, 30, 30], 5..=100 by 5;

    /// Nodes shallower than this and far below alpha become a search of fours.
    razor_depth = [117, 171, 129], 0..=400 by 32;
    /// How far below: this ...
    razor_margin = [25, 26, 39], 0..=200 by 10;
    /// ... and so much more a ply.
    razor_slope = [24, 22, 17], 0..=100 by 5;

    /// An evaluation this much a ply (after the first) above beta ends a node,
    futility_margin = [56, 35, 69], 20..=200 by 10;
    /// less this where a cutoff is expected and nothing is known,
    futility_unknown = [12, 16, 25], 0..=60 by 5;
    /// as if it were so much shallower where the evaluation rises.
    futility_improving = [80, 88, 109], 0..=128 by 16;

    /// Null move: least depth,
    null_depth = [582, 771, 487], 256..=1280 by 64;
    /// least excess over beta: this,
    null_margin = [747, 692, 733], 0..=1500 by 60;
    /// less this a ply,
    null_slope = [28, 33, 41], 0..=80 by 6;
    /// but not by more than this;
    null_relief = [336, 401, 236], 0..=800 by 40;
    /// reduction: this,
    null_reduction = [219, 260, 275], 64..=512 by 24;
    /// and so many 64ths of the depth.
    null_scale = [2, 4, 9], 0..=32 by 2;

    /// Without a remembered move a node at least this deep ...
    iir_depth = [472, 494, 481], 128..=2000 by 64;
    /// ... is searched less deep by this,
    iir_reduction = [5, 11, 10], 0..=192 by 16;
    /// and one on the principal variation by this.
    iir_pv = [44, 61, 52], 0..=192 by 12;
    /// So many 64ths of what the remembered depth falls short of are taken off
    /// a node on the principal variation,
    stale_scale = [8, 0, 0], 0..=64 by 4;
    /// but not more than this.
    stale_max = [326, 298, 277], 0..=512 by 32;

    /// Where a move searched less deep by more than this has not harmed who
    /// played it, the node it leads to is searched deeper
    hindsight_from = [128, 133, 135], 64..=512 by 16;
    /// by this.
    hindsight_extension = [64, 63, 76], 0..=128 by 8;

    /// A forced answer to a five is searched this much deeper.
    forced_extension = [68, 70, 62], 0..=128 by 8;
    /// Singular extension: least depth,
    singular_depth = [264, 281, 216], 192..=1280 by 48;
    /// how much shallower the remembered score may be,
    singular_staleness = [106, 117, 98], 0..=320 by 24;
    /// margin in 64ths of a unit a ply,
    singular_margin = [15, 62, 77], 0..=256 by 12;
    /// more so many where the node once was on the principal variation,
    singular_former_pv = [43, 43, 65], 0..=256 by 16;
    /// depth of the test in 64ths of the depth.
    singular_scale = [31, 29, 28], 16..=48 by 3;
    /// Others so far below the margin extend twice, off the principal variation.
    singular_double = [31, 35, 47], 0..=120 by 8;
    /// Less deep where the remembered move is good enough but not the only one.
    singular_reduction = [106, 94, 114], 0..=192 by 16;
    /// All double extensions of a line together.
    extension_max = [732, 826, 643], 128..=1280 by 64;
    /// A remembered move on the principal variation is searched deeper by this,
    remembered_pv = [7, 7, 14], 0..=96 by 8;
    /// and elsewhere by this;
    remembered_cut = [14, 16, 16], 0..=64 by 4;
    /// a four near the side's last stone by this more.
    remembered_four = [0, 14, 21], 0..=96 by 8;

    /// Expecting to fail high with an evaluation this much above beta
    high_margin = [-36, -52, -61], -100..=200 by 15;
    /// and this much more a ply,
    high_slope = [23, 21, 24], 0..=80 by 4;
    /// and this more under a threat,
    high_threat = [176, 170, 184], 0..=300 by 20;
    /// a move is searched less deep by this.
    high_reduction = [92, 88, 83], 0..=160 by 12;

    /// Late moves: how many are tried at least,
    late_base = [3, 4, 4], 1..=16 by 1;
    /// and the exponent, in 100ths, of the depth in plies added to it;
    late_power = [131, 138, 148], 80..=220 by 6;
    /// in 64ths, how many of them where the evaluation does not rise.
    late_falling = [49, 45, 45], 16..=64 by 4;
    /// Moves that make and prevent nothing are not tried in nodes shallower
    /// than this, nor answers far off,
    trivial_depth = [313, 342, 333], 0..=640 by 32;
    /// and those so much less likely than the best (in 64ths of an order's unit
    /// a ply) in nodes whose depth is less than the gap.
    unlikely_base = [496, 568, 452], 100..=2000 by 60;
    /// What each ply adds to that gap.
    unlikely_slope = [23, 22, 26], 0..=400 by 15;

    /// Scale of late-move reductions in 1024ths of ln(depth) * ln(move).
    reduction_scale = [998, 730, 718], 200..=1600 by 60;
    /// More where the evaluation is not rising,
    reduction_falling = [67, 79, 82], 0..=160 by 12;
    /// less on the principal variation for as wide a window as the root's,
    reduction_window = [91, 95, 82], 0..=160 by 12;
    /// less where the node is or was on the principal variation,
    reduction_pv = [94, 74, 83], 0..=160 by 12;
    /// more where a cutoff is expected, but for killers,
    reduction_cut = [68, 93, 87], 0..=256 by 16;
    /// more for answers to a threat far from the opponent's last stone,
    reduction_far_theirs = [155, 159, 157], 0..=256 by 16;
    /// and from the side's own;
    reduction_far_own = [54, 22, 75], 0..=256 by 16;
    /// less for going on with an attack,
    reduction_attack = [100, 96, 80], 0..=160 by 12;
    /// and, under renju, for points that only look forbidden.
    reduction_false_forbidden = [52, 43, 58], 0..=160 by 12;
    /// More for moves that make and prevent nothing far from the last stones,
    reduction_trivial_far = [24, 16, 3], 0..=256 by 16;
    /// such moves elsewhere,
    reduction_trivial = [16, 29, 14], 0..=256 by 12;
    /// and others that are not important.
    reduction_quiet = [42, 49, 27], 0..=160 by 8;
    /// More by so many 1024ths of the gap to the likeliest move,
    reduction_unlikely = [114, 134, 111], 0..=600 by 24;
    /// but at most this.
    reduction_unlikely_max = [187, 171, 203], 0..=400 by 24;
    /// History that takes a ply off (or adds one to) a reduction,
    reduction_history = [12554, 14044, 12495], 3_000..=60_000 by 1_500;
    /// what follows such stones counting so many 64ths of it,
    reduction_follow = [32, 29, 30], 0..=128 by 8;
    /// and what counts as none.
    reduction_history_zero = [3374, 3711, 3859], -8_000..=12_000 by 600;
    /// Searched again deeper if the score is above alpha by this,
    deeper_margin = [2, 6, 2], 0..=200 by 12;
    /// or deeper by two plies by this.
    deepest_margin = [338, 406, 334], 60..=900 by 40;
    /// each more by so much a ply of the reduction.
    deeper_slope = [13, 12, 10], 0..=60 by 3;
    /// The same for two plies.
    deepest_slope = [31, 25, 27], 0..=120 by 6;
    /// Once alpha was raised, other moves are searched less deep by this,
    raised_reduction = [62, 70, 52], 0..=128 by 12;
    /// in nodes deeper than this
    raised_from = [128, 110, 123], 0..=640 by 32;
    /// and shallower than this.
    raised_to = [768, 813, 708], 256..=2000 by 64;

    /// The order of moves adds this part of the history of threats,
    order_threat_history = [52, 57, 62], 16..=512 by 8;
    /// or of other moves, to a move's score,
    order_history = [94, 95, 103], 16..=1024 by 16;
    /// and this part of what follows such stones,
    order_follow = [256, 320, 265], 32..=100000 by 32;
    /// so much for the answer that last refuted the move before,
    order_counter = [88, 86, 98], 0..=200 by 8;
    /// and so much for one that refuted a sibling.
    order_killer = [30, 21, 29], 0..=200 by 8;

    /// The reward of a best move: by the square of the depth in plies,
    history_square = [25, 28, 22], 1..=100 by 3;
    /// by the depth,
    history_linear = [105, 92, 126], 0..=400 by 12;
    /// less this,
    history_less = [157, 134, 129], -400..=600 by 24;
    /// but at most this.
    history_most = [8_900, 8777, 9144], 1_000..=10_000 by 500;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_within_their_ranges_and_known_by_name() {
        for rule in Rule::ALL {
            let mut params = Params::of(rule);
            for tunable in Params::TUNABLES {
                let value = params.get(tunable.name).expect("a number of that name");
                assert!((tunable.min..=tunable.max).contains(&value), "{tunable:?}");
                assert!(params.set(tunable.name, i32::MAX));
                assert_eq!(params.get(tunable.name), Some(tunable.max));
            }
            assert_eq!(params.get("nothing"), None);
            assert!(!params.set("nothing", 1));
        }
    }
}
