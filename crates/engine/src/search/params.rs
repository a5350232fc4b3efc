//! The tunable parameters of the search, in one table.
//!
//! Depths are in [`super::depth::PLY`] units (64 are one ply), margins in units
//! of [`crate::score::Score`], others as their line says. Each has a value for
//! freestyle, standard and renju (caro uses standard's), the range in which it
//! makes sense, and the step that tuning programs try. The values of a running
//! engine can be changed by name, so a match can compare them without a new build.

use crate::rules::Rule;

/// A parameter of the search as tuning programs see it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tunable {
    /// The name of the field in [`Params`].
    pub name: &'static str,
    /// The least value that makes sense.
    pub min: i32,
    /// The largest value that makes sense.
    pub max: i32,
    /// A change that is likely to show in games.
    pub step: i32,
}

macro_rules! params {
    ($($(#[$doc:meta])* $name:ident = $values:expr, $min:literal..=$max:literal by $step:literal;)*) => {
        /// The parameters of the search. Depths are in 64ths of a ply, margins
        /// in units of [`Score`](crate::score::Score).
        #[derive(Clone, Debug, PartialEq, Eq)]
        pub struct Params {
            $($(#[$doc])* pub $name: i32,)*
        }

        impl Params {
            /// Every parameter with its range.
            pub const TUNABLES: &[Tunable] = &[
                $(Tunable { name: stringify!($name), min: $min, max: $max, step: $step },)*
            ];

            /// The parameters that the engine plays with under `rule`.
            pub fn of(rule: Rule) -> Params {
                let column = match rule {
                    Rule::Freestyle => 0,
                    Rule::Standard | Rule::Caro | Rule::CaroOverline => 1,
                    Rule::Renju => 2,
                };
                Params { $($name: ($values as [i32; 3])[column],)* }
            }

            /// The value of the parameter called `name`.
            pub fn get(&self, name: &str) -> Option<i32> {
                match name {
                    $(stringify!($name) => Some(self.$name),)*
                    _ => None,
                }
            }

            /// Sets the parameter called `name`, and says whether there is one.
            /// Values outside its range are clamped.
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
    /// Half the width of the first aspiration window, around the last
    /// iteration's score.
    aspiration_width = [30, 30, 25], 5..=100 by 5;

    /// Depth below which a node far below alpha is left to qsearch.
    razor_depth = [194, 171, 156], 0..=400 by 32;
    /// Distance of the evaluation below alpha at which razoring begins.
    razor_margin = [11, 26, 42], 0..=200 by 10;
    /// Amount each ply of depth adds to the razoring margin.
    razor_slope = [26, 22, 14], 0..=100 by 5;

    /// Futility margin above beta for each ply of depth after the first.
    futility_margin = [38, 35, 47], 20..=200 by 10;
    /// Amount taken off the futility margin at cut nodes without a tt entry.
    futility_no_tt = [17, 16, 27], 0..=60 by 5;
    /// Depth by which an improving node counts as shallower for futility.
    futility_improving = [100, 88, 124], 0..=128 by 16;

    /// Least depth for a null move.
    null_move_depth = [650, 771, 503], 256..=1280 by 64;
    /// Distance of the static eval above beta that a null move needs.
    null_move_margin = [680, 692, 814], 0..=1500 by 60;
    /// Amount each ply of depth takes off the null-move margin.
    null_move_slope = [23, 33, 37], 0..=80 by 6;
    /// Most that the depth can take off the null-move margin.
    null_move_slope_max = [363, 401, 225], 0..=800 by 40;
    /// Depth reduction of a null move.
    null_move_reduction = [236, 260, 265], 64..=512 by 24;
    /// Further reduction of a null move, in 64ths of the depth.
    null_move_reduction_scale = [1, 4, 9], 0..=32 by 2;

    /// Least depth for the internal iterative reduction of nodes without a tt
    /// move.
    iir_depth = [438, 494, 411], 128..=2000 by 64;
    /// Internal iterative reduction.
    iir_reduction = [18, 11, 3], 0..=192 by 16;
    /// Internal iterative reduction that pv nodes get at any depth.
    iir_pv = [54, 61, 72], 0..=192 by 12;
    /// Reduction of a pv node whose tt entry is shallower, in 64ths of the
    /// difference in depth.
    tt_depth_reduction_scale = [11, 0, 1], 0..=64 by 4;
    /// Most that a pv node is reduced for a shallow tt entry.
    tt_depth_reduction_max = [304, 298, 237], 0..=512 by 32;

    /// Hindsight applies where the move to a node was reduced by more than this.
    hindsight_reduction = [139, 133, 134], 64..=512 by 16;
    /// Depth added when hindsight applies.
    hindsight_extension = [68, 63, 76], 0..=128 by 8;

    /// Extension of the only answer to a four.
    forced_extension = [68, 70, 55], 0..=128 by 8;
    /// Least depth for a singular extension.
    singular_depth = [292, 281, 200], 192..=1280 by 48;
    /// Most by which the tt entry may be shallower than the node for a singular
    /// extension.
    singular_tt_depth = [102, 117, 109], 0..=320 by 24;
    /// Margin below the tt score that makes a move singular, in 64ths of a unit
    /// for each ply of depth.
    singular_margin = [27, 62, 69], 0..=256 by 12;
    /// Amount added to the singular margin at nodes that were on the pv.
    singular_margin_tt_pv = [61, 43, 70], 0..=256 by 16;
    /// Depth of the singular search, in 64ths of the node's depth.
    singular_depth_scale = [28, 29, 26], 16..=48 by 3;
    /// Distance of all other moves below the singular beta that extends twice.
    double_extension_margin = [28, 35, 46], 0..=120 by 8;
    /// Reduction of a tt move that fails high but is not singular.
    negative_extension = [112, 94, 137], 0..=192 by 16;
    /// Most that the double extensions of one line add up to.
    double_extension_max = [700, 826, 630], 128..=1280 by 64;
    /// Extension of the tt move at pv nodes without a singular search.
    tt_move_extension_pv = [1, 7, 11], 0..=96 by 8;
    /// Extension of the tt move at other nodes without a singular search.
    tt_move_extension = [16, 16, 22], 0..=64 by 4;
    /// Further extension of a tt move that makes a four near the side's last
    /// stone.
    tt_move_extension_four = [3, 14, 18], 0..=96 by 8;

    /// Distance of the evaluation above beta at which a cut node is expected to
    /// fail high.
    fail_high_margin = [-32, -52, -60], -100..=200 by 15;
    /// Amount each ply of depth adds to the fail-high margin.
    fail_high_slope = [24, 21, 25], 0..=80 by 4;
    /// Amount added to the fail-high margin where the opponent has a threat.
    fail_high_threat = [181, 170, 179], 0..=300 by 20;
    /// Reduction of moves other than fours at a node that is expected to fail
    /// high.
    fail_high_reduction = [97, 88, 94], 0..=160 by 12;

    /// Number of moves that late-move pruning leaves at depth zero.
    lmp_base = [3, 4, 3], 1..=16 by 1;
    /// Exponent of the depth in plies that is added to the late-move limit, in
    /// 100ths.
    lmp_power = [139, 138, 151], 80..=220 by 6;
    /// Share of the late-move limit that a node has if it is not improving, in
    /// 64ths.
    lmp_not_improving = [42, 45, 40], 16..=64 by 4;
    /// Depth below which moves that make and prevent nothing are pruned, and
    /// moves far from the last stones where the opponent has a threat.
    shapeless_pruning_depth = [317, 342, 353], 0..=640 by 32;
    /// Distance of a move's score below the best one at which it is pruned at
    /// depth zero.
    move_score_pruning_base = [428, 568, 479], 100..=2000 by 60;
    /// Amount each ply of depth adds to that distance.
    move_score_pruning_slope = [34, 22, 34], 0..=400 by 15;

    /// Scale of late-move reductions, in 1024ths of ln(depth) * ln(move number).
    lmr_scale = [1053, 730, 731], 200..=1600 by 60;
    /// Added to the reduction if the node is not improving.
    lmr_not_improving = [64, 79, 81], 0..=160 by 12;
    /// Taken off the reduction at pv nodes whose window is as wide as the root's.
    lmr_window = [102, 95, 88], 0..=160 by 12;
    /// Taken off the reduction at nodes that are or were on the pv.
    lmr_tt_pv = [102, 74, 85], 0..=160 by 12;
    /// Added to the reduction at cut nodes, except for killers.
    lmr_cut_node = [79, 93, 80], 0..=256 by 16;
    /// Added to the reduction of answers far from the opponent's last stone.
    lmr_far_from_theirs = [166, 159, 154], 0..=256 by 16;
    /// Added to the reduction of answers far from the side's own last stone.
    lmr_far_from_own = [48, 22, 50], 0..=256 by 16;
    /// Taken off the reduction of moves that continue an attack.
    lmr_attack = [88, 96, 84], 0..=160 by 12;
    /// Taken off the reduction of points that only look forbidden under renju.
    lmr_false_forbidden = [53, 43, 55], 0..=160 by 12;
    /// Added to the reduction of moves that make and prevent nothing, far from
    /// the last stones.
    lmr_shapeless_far = [2, 16, 19], 0..=256 by 16;
    /// Added to the reduction of moves that make and prevent nothing, near the
    /// last stones.
    lmr_shapeless = [6, 29, 21], 0..=256 by 12;
    /// Added to the reduction of moves that make and prevent little.
    lmr_weak = [31, 49, 26], 0..=160 by 8;
    /// Added to the reduction, in 1024ths of the distance of a move's score
    /// below the best one.
    lmr_move_score = [100, 134, 115], 0..=600 by 24;
    /// Most that the move score adds to the reduction.
    lmr_move_score_max = [223, 171, 184], 0..=400 by 24;
    /// Amount of history that takes one ply off the reduction.
    lmr_history = [13673, 14044, 12923], 3_000..=60_000 by 1_500;
    /// Weight of continuation history in the reduction, in 64ths.
    lmr_continuation_history = [22, 29, 23], 0..=128 by 8;
    /// Amount of history that leaves the reduction as it is.
    lmr_history_offset = [2703, 3711, 4409], -8_000..=12_000 by 600;
    /// Distance above alpha at which a reduced move is searched again one ply
    /// deeper.
    lmr_deeper_margin = [15, 6, 0], 0..=200 by 12;
    /// Distance above alpha at which a reduced move is searched again two plies
    /// deeper.
    lmr_deepest_margin = [365, 406, 322], 60..=900 by 40;
    /// Amount each ply of reduction adds to the margin for one ply.
    lmr_deeper_slope = [14, 12, 13], 0..=60 by 3;
    /// Amount each ply of reduction adds to the margin for two plies.
    lmr_deepest_slope = [37, 25, 33], 0..=120 by 6;
    /// Reduction of the other moves once a move has raised alpha.
    alpha_raise_reduction = [73, 70, 61], 0..=128 by 12;
    /// Depth above which a raised alpha reduces the other moves.
    alpha_raise_min_depth = [150, 110, 69], 0..=640 by 32;
    /// Depth below which a raised alpha reduces the other moves.
    alpha_raise_max_depth = [724, 813, 669], 256..=2000 by 64;

    /// Divisor of the history of threats in the move order.
    order_threat_history = [53, 57, 68], 16..=512 by 8;
    /// Divisor of the history of other moves in the move order.
    order_history = [97, 95, 124], 16..=1024 by 16;
    /// Divisor of the continuation history in the move order.
    order_continuation_history = [259, 320, 278], 32..=100000 by 32;
    /// Bonus of the counter move in the move order.
    order_counter = [93, 86, 105], 0..=200 by 8;
    /// Bonus of killers in the move order.
    order_killer = [26, 21, 31], 0..=200 by 8;

    /// History bonus for each squared ply of depth.
    history_bonus_square = [23, 28, 18], 1..=100 by 3;
    /// History bonus for each ply of depth.
    history_bonus_linear = [112, 92, 134], 0..=400 by 12;
    /// Amount taken off every history bonus.
    history_bonus_offset = [160, 134, 141], -400..=600 by 24;
    /// Largest history bonus.
    history_bonus_max = [8514, 8777, 8895], 1_000..=10_000 by 500;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn defaults_are_within_their_ranges_and_known_by_name() {
        for rule in Rule::ALL {
            let mut params = Params::of(rule);
            for tunable in Params::TUNABLES {
                let value = params.get(tunable.name).expect("a parameter of that name");
                assert!((tunable.min..=tunable.max).contains(&value), "{tunable:?}");
                assert!(params.set(tunable.name, i32::MAX));
                assert_eq!(params.get(tunable.name), Some(tunable.max));
            }
            assert_eq!(params.get("nothing"), None);
            assert!(!params.set("nothing", 1));
        }
    }
}
