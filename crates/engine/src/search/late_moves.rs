//! Tables for late moves: how many moves of a node late-move pruning leaves,
//! and the logarithms that late-move reductions are made of.

use super::Params;
use super::depth::{Depth, PLY};

/// The number of moves that late-move pruning leaves, by depth in plies.
pub(super) struct LmpLimits([usize; 128]);

impl LmpLimits {
    pub(super) fn new(params: &Params) -> LmpLimits {
        // The only floating point in the search. `powf` may differ in the last bit between
        // machines. That changes no limit, as only the powers of 0 and 1 are this close to a
        // whole number.
        LmpLimits(std::array::from_fn(|plies| {
            let power = (plies as f64).powf(f64::from(params.lmp_power) / 100.0);
            params.lmp_base as usize + power as usize
        }))
    }

    /// The limit of an improving node.
    #[inline]
    pub(super) fn at(&self, depth: Depth) -> usize {
        let plies = (depth.max(0) / PLY) as usize;
        self.0[plies.min(self.0.len() - 1)]
    }
}

/// The natural logarithm of `x / 64`, in 1024ths, for `x >= 64` (less gives
/// zero). Integers only, so that every machine searches the same tree.
pub(super) const fn ln(x: u32) -> i32 {
    if x <= 64 {
        return 0;
    }
    // log2 bit by bit: square the mantissa, see whether it passes two.
    let whole = x.ilog2();
    let mut mantissa = ((x as u64) << 30) >> whole;
    let mut log2 = (whole as i64 - 6) << 20;
    let mut bit = 19;
    while bit >= 0 {
        mantissa = (mantissa * mantissa) >> 30;
        if mantissa >= 2 << 30 {
            mantissa >>= 1;
            log2 += 1 << bit;
        }
        bit -= 1;
    }
    // ln 2 = 0.693147...: 726817 / 2^20.
    ((log2 * 726_817) >> 30) as i32
}

/// The logarithms of 0, 1, 2 and so on times `step / 64`.
const fn logarithms<const N: usize>(step: u32) -> [u16; N] {
    let mut table = [0; N];
    let mut i = 0;
    while i < N {
        table[i] = ln(step * i as u32) as u16;
        i += 1;
    }
    table
}

const LN_MOVES: [u16; 256] = logarithms(64);
const LN_PLIES: [u16; 1024] = logarithms(8);

/// The natural logarithm of a number of moves in 1024ths.
#[inline]
pub(super) fn ln_moves(moves: usize) -> i32 {
    i32::from(LN_MOVES[moves.min(255)])
}

/// The natural logarithm of a depth in plies in 1024ths, zero for less than
/// one.
#[inline]
pub(super) fn ln_plies(depth: Depth) -> i32 {
    i32::from(LN_PLIES[(depth / 8).clamp(0, 1023) as usize])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn logarithm_is_within_a_thousandth() {
        for x in 64..100_000u32 {
            let exact = (f64::from(x) / 64.0).ln() * 1024.0;
            assert!((f64::from(ln(x)) - exact).abs() < 1.5, "{x}");
        }
        assert_eq!(ln(0), 0);
    }
}
