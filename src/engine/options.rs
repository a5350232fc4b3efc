//! Everything a program can set, as typed values.
//!
//! Numbers are kept as they were told; what they mean (0 is "at once" for one
//! and "none" for another) is decided here and nowhere else.

use super::clock::Allowance;
use super::strength::Level;
use crate::search::Limits;
use std::ops::RangeInclusive;

/// Values from here on mean "without limit" to every manager.
const NO_LIMIT: i64 = i32::MAX as i64;

/// Time for a move when nobody said anything about time, in milliseconds.
const DEFAULT_TURN: u64 = 5_000;

/// Memory when nobody said anything about it: Gomocup's 350 MiB.
const DEFAULT_MEMORY: u64 = 350 << 20;

/// No table is larger than this, whatever is asked for.
const LARGEST_TABLE: u64 = 4 << 30;

/// No table is smaller than this.
const SMALLEST_TABLE: u64 = 1 << 20;

/// What the process needs beside its table: code, pattern tables, stacks,
/// histories.
const OVERHEAD: u64 = 24 << 20;

/// What each thread but the first needs for itself.
const THREAD_OVERHEAD: u64 = 2 << 20;

/// What a table should hold: the nodes of so many moves ...
const REMEMBERED_MOVES: u64 = 8;

/// ... on a machine that searches so many nodes a millisecond in each thread,
const NODES_A_MS: u64 = 2_000;

/// where a node takes so many bytes.
const NODE_BYTES: u64 = 16;

/// Depths from here on mean "without limit": GUIs send 100, or the number of
/// points.
const DEEPEST: i64 = 100;

/// How long to think when neither time nor depth nor nodes are limited.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Patience {
    /// Some seconds: nobody may be there to say stop.
    #[default]
    Short,
    /// Until told to stop, as a user in front of a GUI expects.
    UntilStopped,
}

/// How large a transposition table is to be, in bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct TableSize {
    /// A new one has this size.
    pub(super) new: usize,
    /// One of such a size can stay and knows what it knew.
    pub(super) kept: RangeInclusive<usize>,
}

/// The options of an [`Engine`](super::Engine), named after the protocol's
/// INFO keys. Times are in milliseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// For one move: 0 is "as fast as possible", below 0 without limit, `None`
    /// not told.
    pub timeout_turn: Option<i64>,
    /// For a whole game; 0 or below without limit.
    pub timeout_match: i64,
    /// Left for the game, if told: 0 or below is "at once".
    pub time_left: Option<i64>,
    /// Given back after each move.
    pub time_increment: i64,
    /// For the whole process in bytes; 0 or below is not told.
    pub max_memory: i64,
    /// For the transposition table in KiB; 0 or below is not told.
    pub hash_size: i64,
    /// The deepest iteration; 0 or below, or 100 and above, without limit.
    pub max_depth: i64,
    /// The most nodes of a search; 0 or below without limit.
    pub max_node: i64,
    /// Threads that search; 0 or below is not told.
    pub threads: i64,
    /// What to do where nothing is limited.
    pub patience: Patience,
    /// Whether to search on the opponent's time.
    pub pondering: bool,
    /// How well to play: 0 (a beginner) to 100; not told means as well as
    /// possible.
    pub strength: Option<i64>,
    /// What a weaker player's moves depend on besides the position. Not told,
    /// they differ from game to game.
    pub seed: Option<i64>,
    /// Whether events tell of each move at the root that is searched.
    pub shows_moves: bool,
}

impl Options {
    /// More threads than this are not started, whatever is asked for.
    pub const MOST_THREADS: i64 = 256;

    /// What the search may use by depth and nodes.
    pub fn limits(&self) -> Limits {
        let mut limits = Limits::default();
        if (1..DEEPEST).contains(&self.max_depth) {
            limits.depth = self.max_depth as u32;
        }
        if self.max_node > 0 {
            limits.nodes = self.max_node as u64;
        }
        limits
    }

    /// What a move may use by time, when `used` milliseconds of the game were
    /// spent since the time left was told (since its start if it was not).
    pub fn allowance(&self, used: u64, empty: usize) -> Allowance {
        let limited = |time: i64| (time < NO_LIMIT).then_some(time.max(0) as u64);
        let turn = match self.timeout_turn {
            Some(time) if time >= 0 => limited(time),
            _ => None,
        };
        let left = match self.time_left {
            Some(time) => limited(time),
            None if self.timeout_match > 0 => limited(self.timeout_match),
            None => None,
        };
        let unlimited = turn.is_none() && left.is_none() && self.limits() == Limits::default();
        Allowance {
            turn: turn.or((unlimited && self.patience == Patience::Short).then_some(DEFAULT_TURN)),
            left: left.map(|left| left.saturating_sub(used)),
            increment: self.time_increment.clamp(0, NO_LIMIT) as u64,
            empty,
        }
    }

    /// How well to play, if not as well as possible.
    pub(super) fn level(&self) -> Option<Level> {
        let seed = self.seed.unwrap_or_else(|| fastrand::i64(..));
        Level::new(self.strength?, seed as u64)
    }

    /// How many threads search.
    pub fn thread_count(&self) -> usize {
        self.threads.clamp(1, Options::MOST_THREADS) as usize
    }

    /// The table for searches of at most so many milliseconds. Memory that is
    /// touched for the first time takes the system's time, and memory spread
    /// widely the processor's: a table is no larger than is of use, unless it
    /// was told how large to be.
    pub(super) fn table_size(&self, milliseconds: u64) -> TableSize {
        let most = self.table_bytes();
        if self.hash_size > 0 {
            return TableSize {
                new: most,
                kept: most..=most,
            };
        }
        let threads = self.thread_count() as u64;
        let nodes = (milliseconds.saturating_mul(NODES_A_MS * threads)).min(self.limits().nodes);
        let bytes = nodes.saturating_mul(NODE_BYTES * REMEMBERED_MOVES);
        // Times that differ a little need the same table.
        let bytes = bytes.checked_next_power_of_two().unwrap_or(u64::MAX);
        let useful = usize::try_from(bytes.max(SMALLEST_TABLE)).unwrap_or(usize::MAX);
        let new = useful.min(most);
        TableSize {
            new,
            kept: new..=most,
        }
    }

    /// The most bytes the transposition table may take, so that the whole
    /// process stays within what it was allowed.
    pub fn table_bytes(&self) -> usize {
        let told = |value: i64| u64::try_from(value).ok().filter(|&value| value > 0);
        let memory = told(self.max_memory);
        let room = memory
            .unwrap_or(DEFAULT_MEMORY)
            .saturating_sub(OVERHEAD)
            .saturating_sub(THREAD_OVERHEAD * (self.thread_count() as u64 - 1));
        let wanted = match told(self.hash_size) {
            Some(kib) if memory.is_some() => kib.saturating_mul(1024).min(room),
            Some(kib) => kib.saturating_mul(1024),
            None => room,
        };
        let bytes = wanted.clamp(SMALLEST_TABLE, LARGEST_TABLE);
        usize::try_from(bytes).unwrap_or(usize::MAX / 4)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn allowance(options: Options) -> Allowance {
        options.allowance(0, 200)
    }

    #[test]
    fn special_times_mean_what_managers_mean() {
        let turn = |time| Options {
            timeout_turn: Some(time),
            ..Options::default()
        };
        assert_eq!(allowance(turn(0)).turn, Some(0));
        assert_eq!(allowance(turn(1234)).turn, Some(1234));
        for time in [-1, NO_LIMIT, i64::MAX] {
            let options = Options {
                patience: Patience::UntilStopped,
                ..turn(time)
            };
            assert_eq!(allowance(options).turn, None);
            assert_eq!(allowance(turn(time)).turn, Some(DEFAULT_TURN));
        }
        let left = |time| Options {
            time_left: Some(time),
            timeout_match: 60_000,
            ..Options::default()
        };
        assert_eq!(allowance(left(-5)).left, Some(0));
        assert_eq!(allowance(left(NO_LIMIT)).left, None);
        assert_eq!(left(9000).allowance(8000, 9).left, Some(1000));
        assert_eq!(left(9000).allowance(9500, 9).left, Some(0));
    }

    #[test]
    fn a_match_is_counted_down_if_nobody_tells_the_time_left() {
        let options = Options {
            timeout_match: 180_000,
            ..Options::default()
        };
        assert_eq!(options.allowance(30_000, 9).left, Some(150_000));
        for timeout_match in [0, -1, NO_LIMIT] {
            let options = Options {
                timeout_match,
                ..Options::default()
            };
            assert_eq!(options.allowance(30_000, 9).left, None);
        }
    }

    #[test]
    fn depth_and_nodes_replace_the_default_time() {
        for (max_depth, max_node, limited) in [
            (0, 0, false),
            (-1, -1, false),
            (100, 0, false),
            (225, -1, false),
            (8, 0, true),
            (0, 1000, true),
        ] {
            let options = Options {
                max_depth,
                max_node,
                ..Options::default()
            };
            assert_eq!(allowance(options).turn.is_none(), limited);
            assert_eq!(options.limits() != Limits::default(), limited);
        }
    }

    #[test]
    fn threads_are_at_least_one_and_take_memory() {
        let with = |threads| Options {
            threads,
            ..Options::default()
        };
        for (told, count) in [(-1, 1), (0, 1), (1, 1), (8, 8), (i64::MAX, 256)] {
            assert_eq!(with(told).thread_count(), count);
        }
        assert!(with(8).table_bytes() < with(1).table_bytes());
    }

    #[test]
    fn the_table_leaves_room_for_the_rest() {
        let table = |max_memory, hash_size| {
            Options {
                max_memory,
                hash_size,
                ..Options::default()
            }
            .table_bytes() as u64
        };
        assert_eq!(table(0, 0), DEFAULT_MEMORY - OVERHEAD);
        assert_eq!(table(367_001_600, 0), 367_001_600 - OVERHEAD);
        assert_eq!(table(64 << 20, 0), 40 << 20);
        assert_eq!(table(1, 0), SMALLEST_TABLE);
        assert_eq!(table(0, 16 << 10), 16 << 20);
        assert_eq!(table(64 << 20, 1 << 20), 40 << 20);
        assert_eq!(table(i64::MAX, i64::MAX), LARGEST_TABLE);
        assert_eq!(table(i64::MIN, i64::MIN), DEFAULT_MEMORY - OVERHEAD);
    }

    #[test]
    fn a_table_is_as_large_as_searches_can_fill() {
        let options = Options::default();
        let most = options.table_bytes();
        for (milliseconds, new) in [
            (0, 1 << 20),
            (33, 16 << 20),
            (460, 128 << 20),
            (5_000, most),
            (u64::MAX, most),
        ] {
            let kept = new..=most;
            assert_eq!(options.table_size(milliseconds), TableSize { new, kept });
        }
        let few_nodes = Options {
            max_node: 100_000,
            ..options
        };
        assert_eq!(few_nodes.table_size(u64::MAX).new, 16 << 20);
        let told = Options {
            hash_size: 64 << 10,
            ..few_nodes
        };
        assert_eq!(told.table_size(33).kept, 64 << 20..=64 << 20);
    }
}
