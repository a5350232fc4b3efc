//! What the search for continuous fours has learnt about positions.
//!
//! The key of a position includes the side to move, which is always the
//! attacker here, so one cache serves both colours.

use crate::rules::Point;

/// What is known about an attacker to move: the number of fours it needs
/// before its five lies between two bounds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Known {
    /// Certainly not fewer; [`Known::NEVER`] if there is no win.
    pub(super) at_least: u16,
    /// Certainly not more; [`Known::NEVER`] if no win is known.
    pub(super) at_most: u16,
    /// The first four of the known win.
    pub(super) best: Point,
}

impl Known {
    /// More fours than any board has room for.
    pub(super) const NEVER: u16 = u16::MAX;

    /// Nothing at all.
    pub(super) const NOTHING: Known = Known {
        at_least: 0,
        at_most: Known::NEVER,
        best: Point::NONE,
    };
}

#[derive(Clone, Copy)]
struct Slot {
    key: u64,
    known: Known,
    /// Which search it was, counted from the first.
    round: u8,
    /// The logarithm of the work that went into it.
    effort: u8,
}

const EMPTY: Slot = Slot {
    key: 0,
    known: Known::NOTHING,
    round: 0,
    effort: 0,
};

impl Slot {
    /// How much is lost if it goes.
    fn worth(&self, round: u8) -> u8 {
        if self.round == round {
            1 + self.effort
        } else {
            0
        }
    }
}

/// How many slots a key may go to.
const WAYS: usize = 4;

/// A table of fixed size that forgets what was cheapest to find out.
pub(super) struct Cache {
    slots: Box<[Slot]>,
    /// Different in every round, so that what is forgotten is not found.
    salt: u64,
    round: u8,
}

impl Cache {
    /// A cache of about so many bytes, at least a few slots.
    pub(super) fn new(bytes: usize) -> Cache {
        let count = (bytes / size_of::<Slot>()).max(1024);
        let count = 1 << count.ilog2();
        Cache {
            slots: vec![EMPTY; count].into(),
            salt: 0,
            round: 0,
        }
    }

    fn bucket(&self, key: u64) -> usize {
        (key as usize & (self.slots.len() - 1)) & !(WAYS - 1)
    }

    /// What is known about the position with this key.
    #[inline]
    pub(super) fn get(&self, key: u64) -> Known {
        let key = key ^ self.salt;
        let start = self.bucket(key);
        self.slots[start..start + WAYS]
            .iter()
            .find(|slot| slot.key == key)
            .map_or(Known::NOTHING, |slot| slot.known)
    }

    /// Remembers what so many nodes of work have found out.
    #[inline]
    pub(super) fn put(&mut self, key: u64, known: Known, nodes: u64) {
        let key = key ^ self.salt;
        let round = self.round;
        let start = self.bucket(key);
        let bucket = &mut self.slots[start..start + WAYS];
        let effort = (nodes + 1).ilog2() as u8;
        let mut victim = 0;
        for (i, slot) in bucket.iter().enumerate() {
            if slot.key == key {
                victim = i;
                break;
            }
            if slot.worth(round) < bucket[victim].worth(round) {
                victim = i;
            }
        }
        bucket[victim] = Slot {
            key,
            known,
            round,
            effort,
        };
    }

    /// Forgets everything, without touching the memory.
    pub(super) fn clear(&mut self) {
        self.round = self.round.wrapping_add(1);
        self.salt = self.salt.wrapping_add(0x9E37_79B9_7F4A_7C15);
    }
}
