//! The options of an engine, and their defaults.

use super::level::Level;
use super::time::{TimeAllowance, UsedTime};
use crate::game::swap::OpeningRule;
use crate::rules::Color;
use crate::search::{DrawRule, Limits};
use std::ops::RangeInclusive;
use std::time::Duration;

/// The time for a move without any limit, in milliseconds.
const DEFAULT_TURN: u64 = 5_000;

/// The default for the memory of the process: Gomocup's 350 MiB.
const DEFAULT_MEMORY: u64 = 350 << 20;

/// No table is larger than this, even if a larger one is asked for.
const LARGEST_TABLE: u64 = 4 << 30;

/// No table is smaller than this.
const SMALLEST_TABLE: u64 = 1 << 20;

/// The memory that the process needs besides its table: code, pattern tables, a line
/// network, stacks, histories.
const OVERHEAD: u64 = 40 << 20;

/// The memory that each thread but the first needs.
const THREAD_OVERHEAD: u64 = 2 << 20;

/// A table has room for the nodes of this many moves.
const REMEMBERED_MOVES: u64 = 8;

/// An estimate of the nodes that a thread searches in a millisecond. The table's size
/// depends on it.
const NODES_A_MS: u64 = 2_000;

/// The bytes that a node takes in the table.
const NODE_BYTES: u64 = 16;

/// Allocating memory takes at most one eighth of the time for a move, where there was no
/// time for it before.
const MEMORY_SHARE: u64 = 8;

/// The size of a transposition table in bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct TableSize {
    /// The size of a new table.
    pub(super) new: usize,
    /// An old table with one of these sizes is kept, with its entries.
    pub(super) reusable: RangeInclusive<usize>,
    /// The time that finding memory for a new table may take, in milliseconds.
    pub(super) time: u64,
}

/// The options of an [`Engine`](super::Engine), named after the protocol's INFO keys. A limit
/// that is not set does not apply, unless its field says otherwise.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Options {
    /// The time for one move. Zero is as fast as possible. Times that do not fit in
    /// milliseconds, such as [`Duration::MAX`], are no limit.
    pub timeout_turn: Option<Duration>,
    /// The time for a whole game. It counts down if `time_left` is not set.
    pub timeout_match: Option<Duration>,
    /// The time left for the game. Zero is as fast as possible.
    pub time_left: Option<Duration>,
    /// The time added after each move.
    pub time_increment: Duration,
    /// The memory for the whole process in bytes. The default is 350 MiB, and less than
    /// [`Options::LEAST_MEMORY`] has no effect.
    pub max_memory: Option<u64>,
    /// The size of the transposition table in bytes. The default depends on the memory and
    /// on the time for a move.
    pub hash_size: Option<u64>,
    /// The depth of the last iteration.
    pub max_depth: Option<u32>,
    /// The maximum number of nodes of a search.
    pub max_node: Option<u64>,
    /// The number of moves after which a game without a five ends.
    pub max_moves: Option<usize>,
    /// The winner of a game that ends without a five. By default it is drawn.
    pub draw_result: Option<Color>,
    /// The number of search threads, from one to [`Options::MOST_THREADS`]. Zero means one.
    pub threads: usize,
    /// True if a search without any limit continues until it is stopped. Otherwise it takes
    /// five seconds. [Lines](super::Request::Lines) are then of an analysis, which searches
    /// moves that a game would be given without a search: on the empty board, and those
    /// that are forced.
    pub infinite: bool,
    /// True if the engine searches on the opponent's time.
    pub pondering: bool,
    /// The strength: from 0, a beginner, to 100, which is the default.
    pub strength: Option<u8>,
    /// The seed of random choices: the moves below full strength, and the choice among moves
    /// of a [book](super::Engine::set_books). Without a seed they differ from game to game.
    pub seed: Option<u64>,
    /// True if events report the search of each move at the root.
    pub shows_moves: bool,
    /// The opening rule. Under [`OpeningRule::Swap1`] the engine begins with a stone that
    /// favours neither side. The steps of swap2 are requests of their own.
    pub opening: OpeningRule,
    /// True if the engine may swap after the first stone under swap1.
    pub may_swap: bool,
}

/// A time in milliseconds. `None` if the number does not fit, which means no limit.
fn milliseconds(time: Duration) -> Option<u64> {
    u64::try_from(time.as_millis()).ok()
}

impl Options {
    /// The memory in bytes that the process takes with one thread and the smallest table:
    /// code and weights are some 16 MiB of it.
    pub const LEAST_MEMORY: u64 = 28 << 20;

    /// The maximum number of search threads.
    pub const MOST_THREADS: usize = 256;

    /// The limits of depth and nodes, and the end of the game.
    pub(super) fn limits(&self) -> Limits {
        let endless = Limits::default();
        Limits {
            depth: self
                .max_depth
                .unwrap_or(endless.depth)
                .clamp(1, endless.depth),
            nodes: self.max_node.unwrap_or(endless.nodes).max(1),
            draw_rule: self.draw_rule(),
            ..endless
        }
    }

    /// The end of a game without a five.
    fn draw_rule(&self) -> DrawRule {
        DrawRule {
            max_moves: self.max_moves.unwrap_or(usize::MAX),
            winner: self.draw_result,
        }
    }

    /// The time for a move on a board with `empty` empty points. `used` counts
    /// since `time_left` was set, or else since the game began.
    pub(super) fn time_allowance(&self, used: &UsedTime, empty: usize) -> TimeAllowance {
        let turn = self.timeout_turn.and_then(milliseconds);
        let left = self.time_left.or(self.timeout_match).and_then(milliseconds);
        let increment = milliseconds(self.time_increment).unwrap_or(u64::MAX);
        let is_limited = self.max_depth.is_some() || self.max_node.is_some();
        let unlimited = turn.is_none() && left.is_none() && !is_limited;
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

    /// The seed of random choices.
    pub(super) fn random_seed(&self) -> u64 {
        self.seed.unwrap_or_else(|| fastrand::u64(..))
    }

    /// The number of search threads.
    pub(super) fn thread_count(&self) -> usize {
        self.threads.clamp(1, Options::MOST_THREADS)
    }

    /// The size of the table for searches of at most `limit_ms` milliseconds. It is
    /// no larger than is of use unless `hash_size` is set: memory that is touched
    /// for the first time takes the system's time, and memory spread widely the
    /// processor's.
    pub(super) fn table_size(&self, limit_ms: u64) -> TableSize {
        let most = self.table_bytes();
        let time = limit_ms / MEMORY_SHARE;
        if self.hash_size.is_some() {
            return TableSize {
                new: most,
                reusable: most..=most,
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
            reusable: new..=most,
            time,
        }
    }

    /// The most bytes that the transposition table may take, so that the whole
    /// process stays within its memory.
    pub(super) fn table_bytes(&self) -> usize {
        let memory = self.max_memory;
        let room = memory
            .unwrap_or(DEFAULT_MEMORY)
            .saturating_sub(OVERHEAD)
            .saturating_sub(THREAD_OVERHEAD * (self.thread_count() as u64 - 1));
        let wanted = match self.hash_size {
            Some(bytes) if memory.is_some() => bytes.min(room),
            Some(bytes) => bytes,
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
    fn a_move_has_five_seconds_where_nothing_is_limited() {
        let endless = |infinite, timeout_turn| Options {
            infinite,
            timeout_turn,
            ..Options::default()
        };
        for turn in [None, Some(Duration::MAX)] {
            assert_eq!(allowance(endless(false, turn)).turn, Some(DEFAULT_TURN));
            assert_eq!(allowance(endless(true, turn)).turn, None);
        }
        let second = Some(Duration::from_secs(1));
        assert_eq!(allowance(endless(false, second)).turn, Some(1000));
        assert_eq!(allowance(endless(true, Some(Duration::ZERO))).turn, Some(0));
    }

    #[test]
    fn the_time_left_stands_for_that_of_the_game() {
        let left = |time_left, milliseconds| {
            let options = Options {
                time_left,
                timeout_match: Some(Duration::from_secs(180)),
                ..Options::default()
            };
            options.time_allowance(&used(milliseconds), 9).left
        };
        assert_eq!(left(None, 30_000), Some(150_000));
        let told = Some(Duration::from_secs(9));
        assert_eq!(left(told, 8000), Some(1000));
        assert_eq!(left(told, 9500), Some(0));
        assert_eq!(left(Some(Duration::MAX), 9500), None);
        assert_eq!(Options::default().time_allowance(&used(1), 9).left, None);
    }

    #[test]
    fn depth_and_nodes_replace_the_default_time() {
        for (max_depth, max_node) in [(None, None), (Some(8), None), (None, Some(1000))] {
            let options = Options {
                max_depth,
                max_node,
                ..Options::default()
            };
            let limited = (max_depth, max_node) != (None, None);
            assert_eq!(allowance(options).turn.is_none(), limited);
            assert_eq!(options.limits() != Limits::default(), limited);
        }
        // A search of nothing would have no answer.
        let least = Options {
            max_depth: Some(0),
            max_node: Some(0),
            ..Options::default()
        };
        assert_eq!((least.limits().depth, least.limits().nodes), (1, 1));
    }

    #[test]
    fn threads_are_at_least_one_and_take_memory() {
        let with = |threads| Options {
            threads,
            ..Options::default()
        };
        for (told, count) in [(0, 1), (1, 1), (8, 8), (usize::MAX, 256)] {
            assert_eq!(with(told).thread_count(), count);
        }
        assert!(with(8).table_bytes() < with(1).table_bytes());
    }

    #[test]
    fn each_move_gives_back_the_increment() {
        let options = Options {
            timeout_match: Some(Duration::from_secs(1)),
            time_increment: Duration::from_millis(300),
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
        assert_eq!(table(None, None), DEFAULT_MEMORY - OVERHEAD);
        assert_eq!(table(Some(64 << 20), None), (64 << 20) - OVERHEAD);
        assert_eq!(table(Some(1), None), SMALLEST_TABLE);
        assert_eq!(table(None, Some(1)), SMALLEST_TABLE);
        assert_eq!(table(None, Some(16 << 20)), 16 << 20);
        assert_eq!(table(Some(64 << 20), Some(1 << 30)), (64 << 20) - OVERHEAD);
        assert_eq!(table(Some(u64::MAX), Some(u64::MAX)), LARGEST_TABLE);
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
            let reusable = new..=most;
            let time = milliseconds / 8;
            let size = TableSize {
                new,
                reusable,
                time,
            };
            assert_eq!(options.table_size(milliseconds), size);
        }
        let few_nodes = Options {
            max_node: Some(100_000),
            ..options
        };
        assert_eq!(few_nodes.table_size(u64::MAX).new, 16 << 20);
        let told = Options {
            hash_size: Some(64 << 20),
            ..few_nodes
        };
        assert_eq!(told.table_size(33).reusable, 64 << 20..=64 << 20);
    }
}
