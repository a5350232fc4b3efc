//! SplitMix64: numbers without a pattern from numbers with one, for hash keys and
//! seeds.

/// The increment of the generator's state: the golden ratio in 64 bits.
pub const GAMMA: u64 = 0x9E37_79B9_7F4A_7C15;

/// Mixes the bits of a state into an output of the generator. Different states have
/// different outputs.
pub const fn mix(state: u64) -> u64 {
    let mut z = state;
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The first outputs of the reference implementation with seed 0.
    #[test]
    fn outputs_are_those_of_the_reference() {
        let output = |number: u64| mix(GAMMA.wrapping_mul(number));
        assert_eq!(output(1), 0xE220_A839_7B1D_CDAF);
        assert_eq!(output(2), 0x6E78_9E6A_A1B9_65F4);
        assert_eq!(output(3), 0x06C4_5D18_8009_454F);
    }
}
