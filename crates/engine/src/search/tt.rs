//! The transposition table: what earlier visits to a position found.
//!
//! All threads share the table without locks or data races: an entry is two
//! atomic words, of which the first is the key xor the second, so that halves
//! written by different threads do not pass for an entry. Four entries share a
//! cache line. Memory comes zeroed from the system and costs nothing until it
//! is touched.

use super::depth::PLY;
use super::pages::Pages;
use super::tt_entry::{Bound, TtEntry};
use crate::prefetch::prefetch;
use crate::rules::Point;
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering::Relaxed};

/// An entry with its key, as it is kept outside of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TtRecord {
    /// The key.
    pub key: u64,
    /// The packed entry; never 0.
    pub data: u64,
}

/// Ages are never zero, so that no entry looks like an empty slot.
const FIRST_AGE: u8 = 1;

/// One entry in memory.
#[derive(bytemuck::Zeroable)]
#[repr(C)]
struct Slot {
    key_and_data: AtomicU64,
    data: AtomicU64,
}

/// Entries that share a cache line.
type Bucket = [Slot; BUCKET];

/// The number of entries that share a cache line.
const BUCKET: usize = 4;

/// A transposition table of fixed size that threads can share.
pub struct TranspositionTable {
    buckets: Pages<Bucket>,
    age: AtomicU8,
}

impl TranspositionTable {
    /// Creates a table that takes at most `bytes` of memory, but at least a bucket.
    pub fn new(bytes: usize) -> TranspositionTable {
        TranspositionTable {
            buckets: Pages::zeroed(bytes / size_of::<Bucket>()),
            age: AtomicU8::new(FIRST_AGE),
        }
    }

    /// Creates a table of at most `bytes` whose memory is touched now, piece by piece,
    /// instead of by the first search. When `stop` returns true, the table keeps what
    /// was touched by then.
    pub fn touched(bytes: usize, stop: &mut dyn FnMut() -> bool) -> TranspositionTable {
        // The smallest pages, and the large ones of most systems.
        const PAGE: usize = 4096 / size_of::<Bucket>();
        const PIECE: usize = (2 << 20) / size_of::<Bucket>();
        let mut table = TranspositionTable::new(bytes);
        let mut found = 0;
        for piece in table.buckets.chunks(PIECE) {
            if found > 0 && stop() {
                break;
            }
            for bucket in piece.iter().step_by(PAGE) {
                // Reading alone would not make the system find the page.
                bucket[0].data.store(0, Relaxed);
            }
            found += piece.len();
        }
        table.buckets.truncate(found);
        table
    }

    /// The size of the table, in bytes.
    pub fn bytes(&self) -> usize {
        size_of_val(&*self.buckets)
    }

    /// Forgets everything.
    pub fn clear(&self) {
        for slot in self.buckets.as_flattened() {
            slot.key_and_data.store(0, Relaxed);
            slot.data.store(0, Relaxed);
        }
        self.age.store(FIRST_AGE, Relaxed);
    }

    /// Begins a new search: entries of earlier ones are replaced first.
    pub(super) fn new_search(&self) {
        let next = |age: u8| Some(age.checked_add(1).unwrap_or(FIRST_AGE));
        let _ = self.age.fetch_update(Relaxed, Relaxed, next);
    }

    /// All entries with their keys.
    pub fn records(&self) -> impl Iterator<Item = TtRecord> {
        self.buckets.as_flattened().iter().filter_map(|slot| {
            let data = slot.data.load(Relaxed);
            let key = slot.key_and_data.load(Relaxed) ^ data;
            (data != 0).then_some(TtRecord { key, data })
        })
    }

    /// Adds an entry from a table of any size. It counts as an entry of the
    /// current search.
    pub fn add(&self, record: TtRecord) {
        self.store(record.key, TtEntry::unpack(record.data));
    }

    /// The share of entries of the current search, per mille, among the first
    /// thousand.
    pub fn hashfull(&self) -> u32 {
        let age = self.age.load(Relaxed);
        let sample = self.buckets.as_flattened().iter().take(1000);
        let (mut all, mut used) = (0, 0);
        for slot in sample {
            let data = slot.data.load(Relaxed);
            all += 1;
            used += u32::from(data != 0 && (data >> 56) as u8 == age);
        }
        used * 1000 / all.max(1)
    }

    #[inline]
    fn bucket(&self, key: u64) -> &Bucket {
        let index = (u128::from(key) * self.buckets.len() as u128) >> 64;
        &self.buckets[index as usize]
    }

    /// Asks the processor to have the entries of `key` ready soon.
    #[inline]
    pub(super) fn prefetch(&self, key: u64) {
        prefetch(&self.bucket(key)[0]);
    }

    /// The entry of the position with this key.
    #[inline]
    pub(super) fn probe(&self, key: u64) -> Option<TtEntry> {
        self.bucket(key).iter().find_map(|slot| {
            let data = slot.data.load(Relaxed);
            (slot.key_and_data.load(Relaxed) ^ data == key && data != 0)
                .then(|| TtEntry::unpack(data))
        })
    }

    /// Stores the entry of the position with this key. It replaces the same
    /// position's entry, or else the shallowest and oldest of the bucket.
    pub(super) fn store(&self, key: u64, mut entry: TtEntry) {
        let age = self.age.load(Relaxed);
        let mut worst = (i32::MAX, 0);
        let slots = self.bucket(key);
        for (index, slot) in slots.iter().enumerate() {
            let data = slot.data.load(Relaxed);
            if data == 0 {
                worst = (i32::MIN, index);
                break;
            }
            let old = TtEntry::unpack(data);
            let old_age = i32::from(age.wrapping_sub((data >> 56) as u8));
            if slot.key_and_data.load(Relaxed) ^ data == key {
                let deeper = old.depth > entry.depth + 2 * PLY;
                if deeper && entry.bound != Bound::Exact && old_age == 0 {
                    return;
                }
                if entry.best == Point::NONE {
                    entry.best = old.best;
                }
                worst = (i32::MIN, index);
                break;
            }
            let worth = old.depth - old_age * 4 * PLY;
            if worth < worst.0 {
                worst = (worth, index);
            }
        }
        let data = entry.pack(age);
        let slot = &slots[worst.1];
        slot.key_and_data.store(key ^ data, Relaxed);
        slot.data.store(data, Relaxed);
    }
}

const _: () = assert!(size_of::<Bucket>() == 64);

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::score::Score;
    use crate::search::depth::Depth;
    use crate::search::tt_entry::tests::entry;

    #[test]
    fn a_table_has_what_was_found_in_time() {
        let bytes = 16 << 20;
        assert_eq!(
            TranspositionTable::touched(bytes, &mut || false).bytes(),
            bytes
        );
        let mut left = 3;
        let mut stop = || {
            left -= 1;
            left == 0
        };
        let cut = TranspositionTable::touched(bytes, &mut stop);
        assert_eq!(cut.bytes(), 6 << 20);
        let smallest = TranspositionTable::touched(1, &mut || true);
        assert_eq!(smallest.bytes(), size_of::<Bucket>());
    }

    #[test]
    fn entries_come_back_as_they_went() {
        let table = TranspositionTable::new(1 << 16);
        for (i, eval) in [None, Some(Score::new(-7))].into_iter().enumerate() {
            for bound in [Bound::None, Bound::Upper, Bound::Lower, Bound::Exact] {
                let key = 0x1234_5678_9ABC_DEF0 ^ (i as u64) << 40 ^ (bound as u64) << 50;
                let kept = TtEntry {
                    eval,
                    bound,
                    ..entry(7 * PLY)
                };
                table.store(key, kept);
                assert_eq!(table.probe(key), Some(kept));
                assert_eq!(table.probe(key ^ 1), None);
            }
        }
        table.clear();
        assert_eq!(table.probe(0x1234_5678_9ABC_DEF0), None);
    }

    #[test]
    fn records_fit_into_tables_of_any_size() {
        let table = TranspositionTable::new(1 << 12);
        for i in 1..=100u64 {
            table.store(i.wrapping_mul(0x9E37_79B9_7F4A_7C15), entry(i as Depth));
        }
        let records: Vec<TtRecord> = table.records().collect();
        assert!(records.len() > 90, "{}", records.len());
        let larger = TranspositionTable::new(1 << 16);
        let smaller = TranspositionTable::new(1 << 9);
        for &record in &records {
            larger.add(record);
            smaller.add(record);
            assert_eq!(larger.probe(record.key), table.probe(record.key));
        }
        assert_eq!(larger.records().count(), records.len());
        let kept = smaller.records().count();
        assert!((8..=32).contains(&kept), "{kept}");
    }

    /// A table of a single bucket.
    fn bucket(depths: [Depth; BUCKET]) -> TranspositionTable {
        let table = TranspositionTable::new(size_of::<Bucket>());
        for (key, plies) in (1..).zip(depths) {
            table.store(key, entry(plies * PLY));
        }
        table
    }

    fn depth_of(table: &TranspositionTable, key: u64) -> Option<Depth> {
        table.probe(key).map(|entry| entry.depth / PLY)
    }

    #[test]
    fn the_shallowest_entry_makes_room() {
        let table = bucket([5, 3, 4, 6]);
        table.store(9, entry(2 * PLY));
        let depths = [1, 2, 3, 4, 9].map(|key| depth_of(&table, key));
        assert_eq!(depths, [Some(5), None, Some(4), Some(6), Some(2)]);
    }

    /// Each search that has passed counts as four plies.
    #[test]
    fn entries_of_earlier_searches_make_room_first() {
        let table = bucket([9, 3, 8, 9]);
        table.new_search();
        for key in [1, 2, 4] {
            table.store(key, entry(6 * PLY));
        }
        table.store(9, entry(PLY));
        assert_eq!(depth_of(&table, 3), None);
        assert_eq!(depth_of(&table, 2), Some(6));
    }

    #[test]
    fn much_deeper_entries_of_the_same_search_stay() {
        let table = bucket([9, 9, 9, 9]);
        let shallow = entry(6 * PLY);
        let exact = TtEntry {
            bound: Bound::Exact,
            ..shallow
        };
        table.store(1, shallow);
        assert_eq!(depth_of(&table, 1), Some(9));
        table.store(1, entry(7 * PLY));
        assert_eq!(depth_of(&table, 1), Some(7));
        table.store(2, exact);
        assert_eq!(depth_of(&table, 2), Some(6));
        table.new_search();
        table.store(3, shallow);
        assert_eq!(depth_of(&table, 3), Some(6));
    }

    #[test]
    fn an_entry_without_a_move_keeps_the_old_one() {
        let table = bucket([4, 4, 4, 4]);
        table.store(1, TtEntry::of_eval(Score::new(5)));
        assert_eq!(depth_of(&table, 1), Some(4), "much deeper");
        table.new_search();
        table.store(1, TtEntry::of_eval(Score::new(5)));
        let kept = table.probe(1).unwrap();
        assert_eq!((kept.best, kept.bound), (entry(0).best, Bound::None));
    }

    #[test]
    fn ages_are_never_zero() {
        let table = bucket([1, 2, 3, 4]);
        for _ in 0..600 {
            table.new_search();
            table.store(1, entry(PLY));
            assert!(table.records().all(|record| record.data >> 56 != 0));
        }
    }

    #[test]
    fn hashfull_counts_the_current_search() {
        let table = bucket([1, 2, 3, 4]);
        assert_eq!(table.hashfull(), 1000);
        table.new_search();
        assert_eq!(table.hashfull(), 0);
        table.store(1, entry(PLY));
        assert_eq!(table.hashfull(), 250);
    }

    #[test]
    fn threads_never_see_half_an_entry() {
        let table = TranspositionTable::new(64 * 4);
        std::thread::scope(|scope| {
            for thread in 0..4u64 {
                let table = &table;
                scope.spawn(move || {
                    for i in 0..50_000u64 {
                        let key = (i % 64) << 58 | 1;
                        let mark = Score::new((i % 64) as i32);
                        if let Some(found) = table.probe(key) {
                            assert_eq!(found.score, mark);
                        }
                        let depth = (thread as Depth + 1) * PLY;
                        table.store(
                            key,
                            TtEntry {
                                score: mark,
                                ..entry(depth)
                            },
                        );
                    }
                });
            }
        });
    }
}
