//! Everything that a program can set.
//!
//! Numbers are kept as they were set. What they mean (0 is "at once" for one
//! and "without limit" for another) is decided here and nowhere else.

use super::level::Level;
use super::time::{TimeAllowance, UsedTime};
use crate::game::swap::OpeningRule;
use crate::rules::Color;
use crate::search::{DrawRule, Limits};
use std::ops::RangeInclusive;

/// From this value on a time is without limit.
const NO_LIMIT: i64 = i32::MAX as i64;

/// The times for a move and for a game by which Yixin-Board says that nothing is limited.
const NO_LIMITS_OF_YIXIN: (i64, i64) = (2_000_000, 100_000_000);

/// The time for a move where nothing is limited, in milliseconds.
const DEFAULT_TURN: u64 = 5_000;

/// The default for the memory of the process: Gomocup's 350 MiB.
const DEFAULT_MEMORY: u64 = 350 << 20;

/// No table is larger than this, whatever is asked for.
const LARGEST_TABLE: u64 = 4 << 30;

/// No table is smaller than this.
const SMALLEST_TABLE: u64 = 1 << 20;

/// What the process needs beside its table: code, pattern tables, a line network,
/// stacks, histories.
const OVERHEAD: u64 = 40 << 20;

/// What each thread but the first needs for itself.
const THREAD_OVERHEAD: u64 = 2 << 20;

/// A table has room for the nodes of this many moves.
const REMEMBERED_MOVES: u64 = 8;

/// The nodes that a thread searches in a millisecond, as far as the table's size
/// goes.
const NODES_A_MS: u64 = 2_000;

/// The bytes that a node takes in the table.
const NODE_BYTES: u64 = 16;

/// Finding memory takes at most one part in eight of the time for a move, where
/// there was no time for it before.
const MEMORY_SHARE: u64 = 8;

/// From this depth on there is no limit: GUIs send 100, or the number of points.
const DEEPEST: i64 = 100;

/// The size of a transposition table in bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct TableSize {
    /// The size of a new table.
    pub(super) new: usize,
    /// The sizes with which an old table is kept, and all that it knows.
    pub(super) kept: RangeInclusive<usize>,
    /// The time in which the memory of a new table should be found, in milliseconds.
    pub(super) time: u64,
}

/// The options of an [`Engine`](super::Engine), named after the protocol's
/// INFO keys. Times are in milliseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Options {
    /// The time for one move: 0 is as fast as possible, below 0 without limit.
    pub timeout_turn: Option<i64>,
    /// The time for a whole game; 0 or below is without limit.
    pub timeout_match: i64,
    /// The time left for the game; 0 or below is as fast as possible. It means nothing if
    /// `timeout_match` is below 0.
    pub time_left: Option<i64>,
    /// The time given back after each move.
    pub time_increment: i64,
    /// The memory for the whole process in bytes; 0 or below is the default.
    pub max_memory: i64,
    /// The size of the transposition table in KiB; 0 or below is the default.
    pub hash_size: i64,
    /// The depth of the last iteration; 0 or below, or 100 and above, is
    /// without limit.
    pub max_depth: i64,
    /// The most nodes of a search; 0 or below is without limit.
    pub max_node: i64,
    /// The number of moves after which a game without a five ends; 0 or below is without
    /// limit.
    pub max_moves: i64,
    /// How a game without a five ends: 0 drawn, 1 won by black, 2 won by white.
    pub draw_result: i64,
    /// The number of search threads; 0 or below is one.
    pub threads: i64,
    /// Whether a search goes on until it is stopped where nothing is limited.
    /// Otherwise it takes five seconds. It also takes 2,000,000 for a move and 100,000,000
    /// for a game together for no limits, as Yixin-Board means them.
    pub infinite: bool,
    /// Whether to search on the opponent's time.
    pub pondering: bool,
    /// The strength: from 0, a beginner, to 100, which is the default.
    pub strength: Option<i64>,
    /// What a weaker player's moves, and the choice among those of a
    /// [book](super::Engine::set_books), depend on besides the position. Without a seed they
    /// differ from game to game.
    pub seed: Option<i64>,
    /// Whether events tell of each move at the root that is searched.
    pub shows_moves: bool,
    /// The opening rule. Under [`OpeningRule::Swap1`] the engine puts a first
    /// stone that favours neither side; the steps of swap2 are requests of their own.
    pub opening: OpeningRule,
    /// Whether the engine may swap after the first stone under swap1.
    pub may_swap: bool,
}

impl Options {
    /// The most search threads.
    pub const MOST_THREADS: i64 = 256;

    /// The limits of depth and nodes, and the end of the game.
    pub(super) fn limits(&self) -> Limits {
        let mut limits = Limits::default();
        if (1..DEEPEST).contains(&self.max_depth) {
            limits.depth = self.max_depth as u32;
        }
        if self.max_node > 0 {
            limits.nodes = self.max_node as u64;
        }
        limits.draw_rule = self.draw_rule();
        limits
    }

    /// How a game without a five ends.
    fn draw_rule(&self) -> DrawRule {
        let mut rule = DrawRule::default();
        if self.max_moves > 0 {
            rule.max_moves = self.max_moves as usize;
        }
        rule.winner = match self.draw_result {
            1 => Some(Color::Black),
            2 => Some(Color::White),
            _ => None,
        };
        rule
    }

    /// The time for a move on a board with `empty` empty points. `used` counts
    /// since `time_left` was set, or else since the game began.
    pub(super) fn time_allowance(&self, used: &UsedTime, empty: usize) -> TimeAllowance {
        let limited = |time: i64| (time < NO_LIMIT).then_some(time.max(0) as u64);
        let is_yixins = self.infinite
            && (self.timeout_turn)
                .is_some_and(|turn| (turn, self.timeout_match) == NO_LIMITS_OF_YIXIN);
        let turn = match self.timeout_turn {
            Some(time) if time >= 0 && !is_yixins => limited(time),
            _ => None,
        };
        let left = match self.time_left {
            _ if is_yixins => None,
            // Gomocalc tells the time left even of a game without a limit, as 1.
            Some(_) if self.timeout_match < 0 => None,
            Some(time) => limited(time),
            None if self.timeout_match > 0 => limited(self.timeout_match),
            None => None,
        };
        let increment = self.time_increment.clamp(0, NO_LIMIT) as u64;
        let endless = Limits {
            draw_rule: self.draw_rule(),
            ..Limits::default()
        };
        let unlimited = turn.is_none() && left.is_none() && self.limits() == endless;
        TimeAllowance {
            turn: turn.or((unlimited && !self.infinite).then_some(DEFAULT_TURN)),
            left: left.map(|left| used.rest(left, increment)),
            increment,
            empty,
        }
    }

    /// The level to play at; `None` is full strength.
    pub(super) fn level(&self) -> Option<Level> {
        Level::new(self.strength?, self.random_seed())
    }

    /// What random choices depend on besides the position.
    pub(super) fn random_seed(&self) -> u64 {
        self.seed.unwrap_or_else(|| fastrand::i64(..)) as u64
    }

    /// The number of search threads.
    pub(super) fn thread_count(&self) -> usize {
        self.threads.clamp(1, Options::MOST_THREADS) as usize
    }

    /// The size of the table for searches of at most `limit_ms` milliseconds. It is
    /// no larger than is of use unless `hash_size` is set: memory that is touched
    /// for the first time takes the system's time, and memory spread widely the
    /// processor's.
    pub(super) fn table_size(&self, limit_ms: u64) -> TableSize {
        let most = self.table_bytes();
        let time = limit_ms / MEMORY_SHARE;
        if self.hash_size > 0 {
            return TableSize {
                new: most,
                kept: most..=most,
                time,
            };
        }
        let threads = self.thread_count() as u64;
        let nodes = (limit_ms.saturating_mul(NODES_A_MS * threads)).min(self.limits().nodes);
        let bytes = nodes.saturating_mul(NODE_BYTES * REMEMBERED_MOVES);
        // Times that differ a little need the same table.
        let bytes = bytes.checked_next_power_of_two().unwrap_or(u64::MAX);
        let useful = usize::try_from(bytes.max(SMALLEST_TABLE)).unwrap_or(usize::MAX);
        let new = useful.min(most);
        TableSize {
            new,
            kept: new..=most,
            time,
        }
    }

    /// The most bytes that the transposition table may take, so that the whole
    /// process stays within its memory.
    pub(super) fn table_bytes(&self) -> usize {
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

    fn allowance(options: Options) -> TimeAllowance {
        options.time_allowance(&UsedTime::default(), 200)
    }

    /// The time of one move.
    fn used(milliseconds: u64) -> UsedTime {
        let used = UsedTime::default();
        used.add_move(milliseconds);
        used
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
                infinite: true,
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
        let rest = |milliseconds| left(9000).time_allowance(&used(milliseconds), 9).left;
        assert_eq!(rest(8000), Some(1000));
        assert_eq!(rest(9500), Some(0));
    }

    /// Yixin-Board sends a pair of times, gomocalc a time left of 1.
    #[test]
    fn guis_have_their_own_words_for_no_limit() {
        let told = |timeout_turn, timeout_match, time_left, infinite| {
            let options = Options {
                timeout_turn: Some(timeout_turn),
                timeout_match,
                time_left: Some(time_left),
                infinite,
                ..Options::default()
            };
            let TimeAllowance { turn, left, .. } = allowance(options);
            (turn, left)
        };
        let yixin = |infinite| told(2_000_000, 100_000_000, 99_000_000, infinite);
        assert_eq!(yixin(true), (None, None));
        assert_eq!(yixin(false), (Some(2_000_000), Some(99_000_000)));
        let other = told(2_000_000, 90_000_000, 5, true);
        assert_eq!(other, (Some(2_000_000), Some(5)));
        assert_eq!(told(-1, -1, 1, true), (None, None));
        assert_eq!(told(1000, -1, 1, true), (Some(1000), None));
        assert_eq!(told(1000, 0, 1, true), (Some(1000), Some(1)));
    }

    #[test]
    fn a_match_is_counted_down_if_nobody_tells_the_time_left() {
        let options = Options {
            timeout_match: 180_000,
            ..Options::default()
        };
        assert_eq!(options.time_allowance(&used(30_000), 9).left, Some(150_000));
        for timeout_match in [0, -1, NO_LIMIT] {
            let options = Options {
                timeout_match,
                ..Options::default()
            };
            assert_eq!(options.time_allowance(&used(30_000), 9).left, None);
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
    fn each_move_gives_back_the_increment() {
        let options = Options {
            timeout_match: 1000,
            time_increment: 300,
            ..Options::default()
        };
        let used = UsedTime::default();
        for (milliseconds, left) in [(400, 900), (600, 600), (900, 0), (0, 300)] {
            used.add_move(milliseconds);
            assert_eq!(options.time_allowance(&used, 9).left, Some(left));
        }
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
        assert_eq!(table(64 << 20, 0), (64 << 20) - OVERHEAD);
        assert_eq!(table(1, 0), SMALLEST_TABLE);
        assert_eq!(table(0, 16 << 10), 16 << 20);
        assert_eq!(table(64 << 20, 1 << 20), (64 << 20) - OVERHEAD);
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
            let time = milliseconds / 8;
            let size = TableSize { new, kept, time };
            assert_eq!(options.table_size(milliseconds), size);
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
