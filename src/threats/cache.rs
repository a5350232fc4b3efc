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
    /// The logarithm of the work that went into it, from one on.
    effort: u8,
}

/// The slots that a key may go to: one line of the processor's own cache.
#[derive(Clone, Copy)]
#[repr(align(64))]
struct Bucket([Slot; 4]);

const _: () = assert!(size_of::<Bucket>() == 64);

const EMPTY: Bucket = Bucket(
    [Slot {
        key: 0,
        known: Known::NOTHING,
        effort: 0,
    }; 4],
);

/// How many buckets there are at first, a power of two.
const FIRST_BUCKETS: usize = 1024;

/// A table that forgets what was cheapest to find out.
///
/// It begins small and grows with what is put in, up to a limit: a short
/// search stays within the memory that is fast to reach.
pub(super) struct Cache {
    buckets: Vec<Bucket>,
    most_buckets: usize,
    /// How many more entries are taken before it grows.
    room: usize,
}

impl Cache {
    /// A cache of at most so many bytes, or a few slots.
    pub(super) fn new(bytes: usize) -> Cache {
        let most = (bytes / size_of::<Bucket>()).max(FIRST_BUCKETS);
        Cache {
            buckets: vec![EMPTY; FIRST_BUCKETS],
            most_buckets: 1 << most.ilog2(),
            room: FIRST_BUCKETS,
        }
    }

    fn index(&self, key: u64) -> usize {
        key as usize & (self.buckets.len() - 1)
    }

    /// What is known about the position with this key.
    #[inline]
    pub(super) fn get(&self, key: u64) -> Known {
        self.buckets[self.index(key)]
            .0
            .iter()
            .find(|slot| slot.key == key)
            .map_or(Known::NOTHING, |slot| slot.known)
    }

    /// Remembers what so many nodes of work have found out.
    #[inline]
    pub(super) fn put(&mut self, key: u64, known: Known, nodes: u64) {
        if self.room == 0 {
            self.grow();
        }
        self.room = self.room.saturating_sub(1);
        let index = self.index(key);
        let bucket = &mut self.buckets[index].0;
        let mut victim = 0;
        for (i, slot) in bucket.iter().enumerate() {
            if slot.key == key {
                victim = i;
                break;
            }
            if slot.effort < bucket[victim].effort {
                victim = i;
            }
        }
        bucket[victim] = Slot {
            key,
            known,
            effort: 1 + (nodes + 1).ilog2() as u8,
        };
    }

    /// Becomes twice as large, if it may.
    fn grow(&mut self) {
        let count = self.buckets.len();
        if 2 * count <= self.most_buckets {
            // With one more bit a key leads to where it led, or to the same
            // place of the new half.
            self.buckets.extend_from_within(..);
            self.room = 2 * count;
        }
    }

    /// Forgets everything, and keeps the memory.
    pub(super) fn clear(&mut self) {
        self.buckets.clear();
        self.buckets.resize(FIRST_BUCKETS, EMPTY);
        self.room = FIRST_BUCKETS;
    }
}
