//! Sorts any number of entries with bounded memory. What does not fit is kept in a file without
//! a name, which disappears with the process.

use crate::entry::Entry;
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::fs::File;
use std::io::{self, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::Path;

/// The entries of a run that are in memory while runs are merged.
const WINDOW: usize = 1024;

/// Sorts entries, and adds up those of the same move.
pub(crate) struct Sorter {
    entries: Vec<Entry>,
    capacity: usize,
    file: File,
    /// The sorted runs in the file, each with the numbers of its first entry and of the one
    /// after its last.
    runs: Vec<(u64, u64)>,
}

impl Sorter {
    /// Creates a sorter that keeps up to this many entries in memory, and the others in `folder`.
    pub(crate) fn new(folder: &Path, capacity: usize) -> io::Result<Sorter> {
        Ok(Sorter {
            entries: Vec::new(),
            capacity,
            file: tempfile::tempfile_in(folder)?,
            runs: Vec::new(),
        })
    }

    pub(crate) fn add(&mut self, entry: Entry) -> io::Result<()> {
        if self.entries.len() == self.capacity {
            self.condense();
            // Where few moves are new there is room again.
            if self.entries.len() > self.capacity / 2 {
                self.spill()?;
            }
        }
        self.entries.push(entry);
        Ok(())
    }

    fn condense(&mut self) {
        self.entries.sort_unstable_by_key(Entry::order);
        self.entries.dedup_by(|next, first| {
            let is_same = next.order() == first.order();
            if is_same {
                first.tally += next.tally;
            }
            is_same
        });
    }

    fn spill(&mut self) -> io::Result<()> {
        let start = self.runs.last().map_or(0, |run| run.1);
        let mut output = BufWriter::new(&mut self.file);
        for entry in &self.entries {
            output.write_all(&entry.to_bytes())?;
        }
        output.flush()?;
        drop(output);
        self.runs.push((start, start + self.entries.len() as u64));
        self.entries.clear();
        Ok(())
    }

    /// Passes on all entries in order, each move once.
    pub(crate) fn finish(
        mut self,
        take: &mut dyn FnMut(Entry) -> io::Result<()>,
    ) -> io::Result<()> {
        self.condense();
        if self.runs.is_empty() {
            return self.entries.into_iter().try_for_each(take);
        }
        self.spill()?;
        self.entries = Vec::new();
        let mut runs: Vec<Run> = (self.runs.iter())
            .map(|&(next, end)| Run {
                next,
                end,
                window: Vec::new(),
            })
            .collect();
        // The next entry of each run, and whose it is by what it is sorted by.
        let mut heads = Vec::with_capacity(runs.len());
        let mut order = BinaryHeap::new();
        for (number, run) in runs.iter_mut().enumerate() {
            let head = run.pop(&mut self.file)?;
            order.extend(head.map(|entry| Reverse((entry.order(), number))));
            heads.push(head);
        }
        let mut waiting: Option<Entry> = None;
        while let Some(Reverse((_, number))) = order.pop() {
            let next = runs[number].pop(&mut self.file)?;
            order.extend(next.map(|entry| Reverse((entry.order(), number))));
            let Some(entry) = std::mem::replace(&mut heads[number], next) else {
                continue;
            };
            match &mut waiting {
                Some(same) if same.order() == entry.order() => same.tally += entry.tally,
                _ => {
                    if let Some(whole) = waiting.replace(entry) {
                        take(whole)?;
                    }
                }
            }
        }
        waiting.map_or(Ok(()), take)
    }
}

/// A sorted run of entries in the file.
struct Run {
    /// The number of the next entry that is not in memory, and of the one after the last.
    next: u64,
    end: u64,
    /// The entries in memory, the next one last.
    window: Vec<Entry>,
}

impl Run {
    fn pop(&mut self, file: &mut File) -> io::Result<Option<Entry>> {
        if self.window.is_empty() {
            let count = (self.end - self.next).min(WINDOW as u64);
            let mut bytes = vec![0; count as usize * Entry::BYTES];
            file.seek(SeekFrom::Start(self.next * Entry::BYTES as u64))?;
            file.read_exact(&mut bytes)?;
            let entries = bytes.chunks_exact(Entry::BYTES).rev();
            self.window.extend(entries.map(Entry::from_bytes));
            self.next += count;
        }
        Ok(self.window.pop())
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::entry::Tally;
    use quincunx_engine::rules::{Color, Point};
    use std::collections::BTreeMap;

    /// Any capacity gives what a map gives.
    #[test]
    fn runs_are_merged_as_a_map_adds_up() {
        let mut random = fastrand::Rng::with_seed(53);
        for (capacity, keys) in [(2, 40), (7, 3), (100, 60), (5000, 900), (3, 0)] {
            let folder = tempfile::tempdir().unwrap();
            let mut sorter = Sorter::new(folder.path(), capacity).unwrap();
            let mut expected: BTreeMap<(u64, u16), Tally> = BTreeMap::new();
            for _ in 0..2_000 * keys.min(1) {
                let color = Color::ALL[random.usize(..2)];
                let entry = Entry {
                    key: random.u64(..keys) << 40,
                    point: Point::new(random.usize(..4), 3),
                    tally: Tally::of(crate::GameOutcome::Won(color)),
                };
                *expected.entry(entry.order()).or_default() += entry.tally;
                sorter.add(entry).unwrap();
            }
            let mut sorted = Vec::new();
            let take = &mut |entry: Entry| {
                sorted.push((entry.order(), entry.tally));
                Ok(())
            };
            sorter.finish(take).unwrap();
            assert_eq!(sorted, expected.into_iter().collect::<Vec<_>>());
            assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
        }
    }
}
