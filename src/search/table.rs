//! The transposition table: what earlier visits to a position found.
//!
//! Shared by all threads without locks or data races: an entry is two atomic
//! words, of which the first is the key mixed with the second, so that halves
//! written by different threads do not pass for an entry. Four entries share a
//! cache line. Memory comes zeroed from the system and costs nothing until it
//! is touched.

use super::depth::Depth;
use super::pages::Pages;
use crate::eval::Score;
use crate::rules::Point;
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering::Relaxed};

/// What a kept score says about the true one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum Bound {
    /// There is no score.
    #[default]
    None = 0,
    /// The true score is at most this.
    Upper = 1,
    /// The true score is at least this.
    Lower = 2,
    /// This is the true score.
    Exact = 3,
}

/// What the table knows of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Entry {
    /// The best move, or [`Point::NONE`].
    pub(super) best: Point,
    /// The score as seen from the node; see [`Score::from_node`].
    pub(super) score: i16,
    /// The evaluation, where one was made.
    pub(super) eval: Option<i16>,
    /// The depth the score was found with.
    pub(super) depth: Depth,
    /// What the score says.
    pub(super) bound: Bound,
    /// Whether the position was on the principal variation.
    pub(super) was_pv: bool,
}

impl Entry {
    /// What is known of a position that was only evaluated.
    pub(super) fn of_eval(eval: i16) -> Entry {
        Entry {
            best: Point::NONE,
            score: 0,
            eval: Some(eval),
            depth: MIN_DEPTH,
            bound: Bound::None,
            was_pv: false,
        }
    }

    /// The score at a node at `ply`.
    #[inline]
    pub(super) fn score(&self, ply: usize) -> Score {
        Score::at_node(self.score, ply)
    }

    /// Whether the score settles the question if `score` is at least `beta`,
    /// or else at most alpha.
    #[inline]
    pub(super) fn settles(&self, score: Score, beta: Score) -> bool {
        let wanted = if score >= beta {
            Bound::Lower
        } else {
            Bound::Upper
        };
        self.bound as u8 & wanted as u8 != 0
    }
}

/// Stands for "no evaluation" among the bits of an entry.
const NO_EVAL: i16 = i16::MIN;

/// Depths are kept in quarter plies, from [`MIN_DEPTH`] up.
const DEPTH_STEP: Depth = super::depth::PLY / 4;
const MIN_DEPTH: Depth = -8 * super::depth::PLY;

impl Entry {
    fn pack(&self, age: u8) -> u64 {
        let depth = ((self.depth - MIN_DEPTH) / DEPTH_STEP).clamp(0, 1023) as u64;
        self.score as u16 as u64
            | (self.eval.unwrap_or(NO_EVAL) as u16 as u64) << 16
            | (self.best.index() as u64) << 32
            | depth << 42
            | (self.bound as u64) << 52
            | u64::from(self.was_pv) << 54
            | u64::from(age) << 56
    }

    fn unpack(data: u64) -> Entry {
        let eval = (data >> 16) as i16;
        Entry {
            best: Point::from_index((data >> 32 & 1023) as usize),
            score: data as i16,
            eval: (eval != NO_EVAL).then_some(eval),
            depth: (data >> 42 & 1023) as Depth * DEPTH_STEP + MIN_DEPTH,
            bound: match data >> 52 & 3 {
                1 => Bound::Upper,
                2 => Bound::Lower,
                3 => Bound::Exact,
                _ => Bound::None,
            },
            was_pv: data >> 54 & 1 != 0,
        }
    }
}

/// What the table knows of one position, with the position's key: as it is
/// kept outside of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Record {
    /// The key.
    pub key: u64,
    /// The packed entry; never 0.
    pub data: u64,
}

/// Not 0: what is known must not look like nothing at all.
const FIRST_AGE: u8 = 1;

/// One entry as it lies in memory.
#[derive(bytemuck::Zeroable)]
#[repr(C)]
struct Slot {
    key_and_data: AtomicU64,
    data: AtomicU64,
}

/// Entries that share a cache line.
type Bucket = [Slot; BUCKET];

/// How many of them.
const BUCKET: usize = 4;

/// A transposition table of fixed size, to be shared between threads.
pub struct Table {
    buckets: Pages<Bucket>,
    age: AtomicU8,
}

impl Table {
    /// A table that takes at most `bytes` of memory (but at least a bucket).
    pub fn new(bytes: usize) -> Table {
        Table {
            buckets: Pages::zeroed(bytes / size_of::<Bucket>()),
            age: AtomicU8::new(FIRST_AGE),
        }
    }

    /// How much memory the table takes when full.
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

    /// A new search begins: what earlier ones left goes first.
    pub(super) fn next_search(&self) {
        self.age.fetch_add(1, Relaxed);
    }

    /// All that is known.
    pub fn records(&self) -> impl Iterator<Item = Record> {
        self.buckets.as_flattened().iter().filter_map(|slot| {
            let data = slot.data.load(Relaxed);
            let key = slot.key_and_data.load(Relaxed) ^ data;
            (data != 0).then_some(Record { key, data })
        })
    }

    /// Adds what a table, of whatever size, knew; it counts as found by the
    /// current search.
    pub fn add(&self, record: Record) {
        self.store(record.key, Entry::unpack(record.data));
    }

    /// How full the table is with entries of the current search, per mille,
    /// judged by its first thousand entries.
    pub fn fullness(&self) -> u32 {
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

    /// What is known of the position with this key.
    #[inline]
    pub(super) fn probe(&self, key: u64) -> Option<Entry> {
        self.bucket(key).iter().find_map(|slot| {
            let data = slot.data.load(Relaxed);
            (slot.key_and_data.load(Relaxed) ^ data == key && data != 0)
                .then(|| Entry::unpack(data))
        })
    }

    /// Keeps `entry` for the position with this key, in place of what is worth
    /// least: the same position's older entry, else the shallowest and oldest.
    pub(super) fn store(&self, key: u64, mut entry: Entry) {
        let age = self.age.load(Relaxed);
        let mut worst = (i32::MAX, 0);
        let slots = self.bucket(key);
        for (index, slot) in slots.iter().enumerate() {
            let data = slot.data.load(Relaxed);
            if data == 0 {
                worst = (i32::MIN, index);
                break;
            }
            let old = Entry::unpack(data);
            let old_age = i32::from(age.wrapping_sub((data >> 56) as u8));
            if slot.key_and_data.load(Relaxed) ^ data == key {
                let deeper = old.depth > entry.depth + 2 * super::depth::PLY;
                if deeper && entry.bound != Bound::Exact && old_age == 0 {
                    return;
                }
                if entry.best == Point::NONE {
                    entry.best = old.best;
                }
                worst = (i32::MIN, index);
                break;
            }
            let worth = old.depth - old_age * 4 * super::depth::PLY;
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

/// Asks the processor to have the cache line of `slot` ready soon. A plain load
/// does so too, but the processor can't retire it, nor in time anything after
/// it, before it is done; on the bench that took more than a tenth of the time.
#[inline]
fn prefetch(slot: &Slot) {
    #[cfg(target_arch = "x86_64")]
    #[allow(unsafe_code)]
    // SAFETY: every x86-64 processor has the instruction, and it reads and
    // writes nothing a program could see, whatever the address.
    unsafe {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(slot).cast());
    }
    #[cfg(not(target_arch = "x86_64"))]
    std::hint::black_box(slot.data.load(Relaxed));
}

const _: () = assert!(size_of::<Bucket>() == 64);

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::search::depth::PLY;

    fn entry(depth: Depth) -> Entry {
        Entry {
            best: Point::new(3, 4),
            score: -345,
            eval: Some(12),
            depth,
            bound: Bound::Lower,
            was_pv: true,
        }
    }

    #[test]
    fn entries_come_back_as_they_went() {
        let table = Table::new(1 << 16);
        for (i, eval) in [None, Some(-7)].into_iter().enumerate() {
            for bound in [Bound::None, Bound::Upper, Bound::Lower, Bound::Exact] {
                let key = 0x1234_5678_9ABC_DEF0 ^ (i as u64) << 40 ^ (bound as u64) << 50;
                let kept = Entry {
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

    /// Files of records have a version, which counts up when these change.
    #[test]
    fn entries_are_packed_as_files_have_them() {
        assert_eq!(entry(7 * PLY).pack(5), 0x0560_F128_000C_FEA7);
    }

    #[test]
    fn records_fit_into_tables_of_any_size() {
        let table = Table::new(1 << 12);
        for i in 1..=100u64 {
            table.store(i.wrapping_mul(0x9E37_79B9_7F4A_7C15), entry(i as Depth));
        }
        let records: Vec<Record> = table.records().collect();
        assert!(records.len() > 90, "{}", records.len());
        let larger = Table::new(1 << 16);
        let smaller = Table::new(1 << 9);
        for &record in &records {
            larger.add(record);
            smaller.add(record);
            assert_eq!(larger.probe(record.key), table.probe(record.key));
        }
        assert_eq!(larger.records().count(), records.len());
        let kept = smaller.records().count();
        assert!((8..=32).contains(&kept), "{kept}");
    }

    #[test]
    fn shallow_entries_make_room() {
        let table = Table::new(64);
        for i in 0..4 {
            table.store(i + 1, entry(i as Depth * PLY));
        }
        table.store(9, entry(2 * PLY));
        assert!(table.probe(9).is_some());
        assert!(table.probe(1).is_none());
        assert!(table.probe(4).is_some());
    }

    #[test]
    fn threads_never_see_half_an_entry() {
        let table = Table::new(64 * 4);
        std::thread::scope(|scope| {
            for thread in 0..4u64 {
                let table = &table;
                scope.spawn(move || {
                    for i in 0..50_000u64 {
                        let key = (i % 64) << 58 | 1;
                        let mark = (i % 64) as i16;
                        if let Some(found) = table.probe(key) {
                            assert_eq!(found.score, mark);
                        }
                        let depth = (thread as Depth + 1) * PLY;
                        table.store(
                            key,
                            Entry {
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
