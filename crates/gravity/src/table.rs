//! The transposition table: what the search knows of positions it has seen.
//!
//! Most positions can be reached by several orders of moves, and the search
//! comes to them again and again. The table keeps what it found out the first
//! time, as far as there is room.

use super::score::{Score, Window};
use super::stones::Key;

/// The kind of bound that a stored score is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Bound {
    /// The entry is empty.
    #[default]
    None,
    /// At least the stored score: the search stopped at a move that was too good.
    Lower,
    /// At most the stored score: no move was good enough.
    Upper,
    /// Just the stored score.
    Exact,
}

impl Bound {
    /// The bound that a search with this window found.
    #[inline]
    pub(super) fn of(score: Score, window: Window) -> Bound {
        if score >= window.beta {
            Bound::Lower
        } else if score <= window.alpha {
            Bound::Upper
        } else {
            Bound::Exact
        }
    }
}

/// The entry of one position, in 16 bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Entry {
    /// The two parts of the position's key, which would take four bytes more as one.
    columns: u64,
    full: u32,
    pub(super) score: Score,
    pub(super) bound: Bound,
    /// The depth of the search behind the score, in plies.
    pub(super) depth: u8,
}

impl Entry {
    /// Makes the entry of a search result.
    pub(super) fn new(key: Key, bound: Bound, depth: u8, score: Score) -> Entry {
        Entry {
            columns: key.columns,
            full: key.full,
            score,
            bound,
            depth,
        }
    }

    #[inline]
    fn key(self) -> Key {
        Key {
            columns: self.columns,
            full: self.full,
        }
    }

    /// The score, if it answers the question of a search with this depth and
    /// window. A forced win or loss stays one, however far the search looked.
    #[inline]
    pub(super) fn answer(self, depth: u32, window: Window) -> Option<Score> {
        let is_deep = u32::from(self.depth) >= depth;
        let answers = match self.bound {
            Bound::None => false,
            Bound::Lower => self.score >= window.beta && (is_deep || self.score.is_win()),
            Bound::Upper => self.score <= window.alpha && (is_deep || self.score.is_loss()),
            Bound::Exact => is_deep,
        };
        answers.then_some(self.score)
    }
}

/// Two entries: one for the deepest search, one for the latest. They lie in one
/// cache line.
#[derive(Clone, Copy, Default)]
#[repr(align(32))]
struct Bucket {
    deepest: Entry,
    latest: Entry,
}

/// A table of fixed size.
pub(super) struct Table {
    buckets: Vec<Bucket>,
}

impl Table {
    /// A table of about this size in bytes.
    pub(super) fn new(bytes: usize) -> Table {
        let count = (bytes / size_of::<Bucket>()).max(1);
        Table {
            buckets: vec![Bucket::default(); count],
        }
    }

    /// Forgets everything.
    pub(super) fn clear(&mut self) {
        self.buckets.fill(Bucket::default());
    }

    /// The entry of a position.
    #[inline]
    pub(super) fn get(&self, key: Key) -> Option<Entry> {
        let bucket = &self.buckets[self.index(key)];
        [bucket.deepest, bucket.latest]
            .into_iter()
            .find(|entry| entry.key() == key && entry.bound != Bound::None)
    }

    /// Keeps an entry in place of a shallower or an older one.
    #[inline]
    pub(super) fn put(&mut self, entry: Entry) {
        let index = self.index(entry.key());
        let bucket = &mut self.buckets[index];
        if bucket.deepest.key() == entry.key() {
            bucket.deepest = entry;
        } else if entry.depth >= bucket.deepest.depth {
            bucket.latest = bucket.deepest;
            bucket.deepest = entry;
        } else {
            bucket.latest = entry;
        }
    }

    /// The bucket of a key: a multiplication spreads its parts over all 64 bits,
    /// and another one scales them down to the number of buckets.
    #[inline]
    fn index(&self, key: Key) -> usize {
        let full = u64::from(key.full).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        let spread = (key.columns ^ full).wrapping_mul(0xD6E8_FEB8_6659_FD93);
        ((u128::from(spread) * self.buckets.len() as u128) >> 64) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(columns: u64) -> Key {
        Key { columns, full: 0 }
    }

    fn entry(columns: u64, bound: Bound, depth: u8, score: Score) -> Entry {
        Entry::new(key(columns), bound, depth, score)
    }

    #[test]
    fn an_entry_has_16_bytes() {
        assert_eq!(size_of::<Entry>(), 16);
    }

    #[test]
    fn a_bucket_keeps_the_deepest_and_the_latest() {
        let mut table = Table::new(1);
        let at = |columns, depth| entry(columns, Bound::Exact, depth, Score::DRAW);
        assert_eq!(table.get(key(0)), None, "an empty entry is no entry");
        for (columns, depth) in [(1, 5), (2, 9), (3, 2), (4, 3)] {
            table.put(at(columns, depth));
        }
        assert_eq!(table.get(key(2)), Some(at(2, 9)));
        assert_eq!(table.get(key(4)), Some(at(4, 3)));
        assert_eq!(table.get(key(1)), None);
        table.clear();
        assert_eq!(table.get(key(2)), None);
    }

    #[test]
    fn only_deep_entries_and_forced_ends_answer() {
        let window = Window::at_least(Score::DRAW);
        let good = Score::estimate(50);
        let answer = |bound, score| entry(1, bound, 4, score).answer(5, window);
        assert_eq!(
            entry(1, Bound::Lower, 5, good).answer(5, window),
            Some(good)
        );
        assert_eq!(entry(1, Bound::Upper, 5, good).answer(5, window), None);
        assert_eq!(answer(Bound::Lower, good), None);
        assert_eq!(answer(Bound::Exact, -good), None);
        let (win, loss) = (Score::win_at(20), Score::loss_at(20));
        assert_eq!(answer(Bound::Lower, win), Some(win));
        assert_eq!(answer(Bound::Upper, loss), Some(loss));
        assert_eq!(answer(Bound::Lower, loss), None);
    }
}
