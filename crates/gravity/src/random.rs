//! Random numbers that are the same on every machine.

/// Marsaglia's xorshift generator: three shifts, a period of 2^64 - 1.
#[derive(Clone, Debug)]
pub(super) struct Random(u64);

impl Random {
    /// A generator for each seed.
    pub(super) fn new(seed: u64) -> Random {
        // Seeds next to each other must not begin alike, and zero never ends.
        let mixed = seed.wrapping_add(1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        Random(mixed.max(1))
    }

    /// A number below `end`.
    pub(super) fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        ((u128::from(self.0) * end as u128) >> 64) as usize
    }
}
