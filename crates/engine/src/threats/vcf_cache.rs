//! The memory of the search for continuous fours.
//!
//! The key of a position includes the side to move, which is always the
//! attacker here, so one cache serves both colours.

use crate::rules::Point;

/// Bounds on the number of fours that the attacker, to move, needs before its
/// five.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct VcfBounds {
    /// The lower bound; [`VcfBounds::NEVER`] if there is no win.
    pub(super) at_least: u16,
    /// The upper bound; [`VcfBounds::NEVER`] if no win is known.
    pub(super) at_most: u16,
    /// The first four of the known win.
    pub(super) best: Point,
}

impl VcfBounds {
    /// More fours than any board has room for.
    pub(super) const NEVER: u16 = u16::MAX;

    /// The bounds of a position of which nothing is known.
    pub(super) const NOTHING: VcfBounds = VcfBounds {
        at_least: 0,
        at_most: VcfBounds::NEVER,
        best: Point::NONE,
    };
}

#[derive(Clone, Copy)]
struct CacheSlot {
    key: u64,
    known: VcfBounds,
    /// One more than the binary logarithm of the nodes that the bounds took.
    effort: u8,
}

/// The slots that a key may go to: one cache line.
#[derive(Clone, Copy)]
#[repr(align(64))]
struct CacheBucket([CacheSlot; 4]);

const _: () = assert!(size_of::<CacheBucket>() == 64);

const EMPTY: CacheBucket = CacheBucket(
    [CacheSlot {
        key: 0,
        known: VcfBounds::NOTHING,
        effort: 0,
    }; 4],
);

/// The number of buckets at first, a power of two.
const FIRST_BUCKETS: usize = 1024;

/// A hash table that replaces what took the fewest nodes to find out.
///
/// It begins small and grows up to a limit, so that a short search stays within
/// the processor's caches.
pub(super) struct VcfCache {
    buckets: Vec<CacheBucket>,
    most_buckets: usize,
    /// The number of entries until it grows.
    room: usize,
}

impl VcfCache {
    /// A cache of at most this many bytes, but at least of the first buckets.
    pub(super) fn new(bytes: usize) -> VcfCache {
        let most = (bytes / size_of::<CacheBucket>()).max(FIRST_BUCKETS);
        VcfCache {
            buckets: vec![EMPTY; FIRST_BUCKETS],
            most_buckets: 1 << most.ilog2(),
            room: FIRST_BUCKETS,
        }
    }

    fn index(&self, key: u64) -> usize {
        key as usize & (self.buckets.len() - 1)
    }

    /// The bounds of the position with this key.
    #[inline]
    pub(super) fn get(&self, key: u64) -> VcfBounds {
        self.buckets[self.index(key)]
            .0
            .iter()
            .find(|slot| slot.key == key)
            .map_or(VcfBounds::NOTHING, |slot| slot.known)
    }

    /// Stores bounds that took this many nodes to find out.
    #[inline]
    pub(super) fn put(&mut self, key: u64, known: VcfBounds, nodes: u64) {
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
        bucket[victim] = CacheSlot {
            key,
            known,
            effort: 1 + (nodes + 1).ilog2() as u8,
        };
    }

    /// Doubles the size, up to the limit and to what memory there is.
    fn grow(&mut self) {
        let count = self.buckets.len();
        if 2 * count <= self.most_buckets {
            if self.buckets.try_reserve_exact(count).is_err() {
                self.most_buckets = count;
                return;
            }
            // With one more bit a key leads to where it led, or to the same
            // place of the new half.
            self.buckets.extend_from_within(..);
            self.room = 2 * count;
        }
    }

    /// Forgets everything and starts small again.
    pub(super) fn clear(&mut self) {
        self.buckets.clear();
        self.buckets.resize(FIRST_BUCKETS, EMPTY);
        self.room = FIRST_BUCKETS;
    }
}
