//! Depths in fractions of a ply, and the logarithm that reductions need.

/// A remaining depth; [`PLY`] is one ply.
pub(super) type Depth = i32;

/// One ply.
pub(super) const PLY: Depth = 64;

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
