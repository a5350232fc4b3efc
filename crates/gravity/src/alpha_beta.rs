//! Alpha-beta: the search below the root.

use super::board::Board;
use super::evaluation::evaluate;
use super::follow_up::upper_bound;
use super::score::{Score, Window};
use super::stones::{Key, Stones};
use super::table::{Bound, Entry, Table};
use super::{Progress, Size, Watch};

/// One run of the search: what it works with and how far it has come.
pub(super) struct Run<'a> {
    pub(super) board: Board,
    pub(super) table: &'a mut Table,
    /// Positions whose moves were searched, and how many may be.
    pub(super) nodes: u64,
    pub(super) max_nodes: u64,
    pub(super) watch: Watch<'a>,
    /// The depth of the iteration, for the observer.
    pub(super) depth: u32,
    /// True if a limit was reached. The scores that return afterwards are invalid.
    pub(super) stopped: bool,
}

/// The number of nodes between two checks of the limits.
const POLL_INTERVAL: u64 = 1024;

/// Positions with fewer stones share their table entries with their mirror
/// images. Later in the game a position hardly ever meets its image, and the
/// image is not worth computing.
const SYMMETRIC_STONES: u32 = 14;

/// With fewer free points a position is searched faster than it is looked up.
const MIN_FREE_IN_TABLE: u32 = 11;

/// A move and what it leads to.
#[derive(Clone, Copy, Default)]
pub(super) struct Move {
    pub(super) point: u64,
    /// The position after the move.
    pub(super) stones: Stones,
    /// The points where the side that moved would complete a four.
    pub(super) threats: u64,
}

/// Moves, the most promising first.
#[derive(Default)]
pub(super) struct Moves {
    moves: [Move; Size::MAX_COLUMNS],
    count: usize,
}

impl Moves {
    /// The moves to these points in order.
    pub(super) fn new(board: &Board, stones: Stones, points: u64) -> Moves {
        let mut moves = Moves::default();
        for next in centre_first(board, stones, points) {
            moves.insert(next);
        }
        moves
    }

    /// Sorts a move in, behind those with as many threats.
    fn insert(&mut self, new: Move) {
        let threats = new.threats.count_ones();
        let mut at = self.count;
        while at > 0 && self.moves[at - 1].threats.count_ones() < threats {
            self.moves[at] = self.moves[at - 1];
            at -= 1;
        }
        self.moves[at] = new;
        self.count += 1;
    }

    /// Adds a move behind all others.
    fn push(&mut self, new: Move) {
        self.moves[self.count] = new;
        self.count += 1;
    }

    pub(super) fn as_slice(&self) -> &[Move] {
        &self.moves[..self.count]
    }
}

/// The moves to these points, the ones nearest the centre first.
fn centre_first(board: &Board, stones: Stones, points: u64) -> impl Iterator<Item = Move> + '_ {
    let columns = board.centre_first().iter();
    let points = columns.map(move |column| points & column);
    points.filter(|&point| point != 0).map(move |point| {
        let stones = stones.play(point);
        let threats = stones.threats(board);
        Move {
            point,
            stones,
            threats,
        }
    })
}

impl Run<'_> {
    /// The score of a position for the side to move, looking `depth` plies
    /// ahead. Outside the window it is a bound on the true score.
    ///
    /// The side to move cannot win at once, and the opponent has these
    /// `threats`; the player of the last move has seen to the first and knows the
    /// second.
    pub(super) fn search(
        &mut self,
        stones: Stones,
        threats: u64,
        depth: u32,
        window: Window,
    ) -> Score {
        let known = self.glance(stones, threats, depth, window);
        known
            .or_else(|| self.recall(stones, depth, window))
            .unwrap_or_else(|| self.node(stones, threats, depth, window))
    }

    /// The score, if it answers the question and needs no moves to be played.
    #[inline]
    fn glance(&self, stones: Stones, threats: u64, depth: u32, window: Window) -> Option<Score> {
        let placed = stones.count();
        if stones.safe_moves(&self.board, threats) == 0 {
            return Some(Score::loss_at(placed + 2));
        }
        if self.free(placed) <= 2 {
            return Some(Score::DRAW);
        }
        let window = window.within_reach(placed);
        if window.is_closed() {
            return Some(window.alpha);
        }
        let bound = upper_bound(&self.board, stones, threats, window.alpha);
        if bound <= window.alpha {
            return Some(bound);
        }
        (depth == 0).then(|| evaluate(&self.board, stones).min(bound))
    }

    /// The score from the table, if it answers the question.
    #[inline]
    fn recall(&self, stones: Stones, depth: u32, window: Window) -> Option<Score> {
        let placed = stones.count();
        if self.free(placed) < MIN_FREE_IN_TABLE {
            return None;
        }
        let entry = self.table.get(self.key(stones, placed))?;
        entry.answer(depth, window)
    }

    /// The score by the moves, where neither a glance nor the table tells it.
    fn node(&mut self, stones: Stones, threats: u64, depth: u32, window: Window) -> Score {
        if !self.count_node() {
            return Score::DRAW;
        }
        let placed = stones.count();
        let free = self.free(placed);
        let window = window.within_reach(placed);
        let safe = stones.safe_moves(&self.board, threats);
        // The answer to a threat is no choice and costs no depth.
        let is_forced = safe.is_power_of_two() && depth < free;
        let depth_left = if is_forced { depth } else { depth - 1 };
        let score = self.best_child(stones, safe, depth_left, window);
        if !self.stopped && free >= MIN_FREE_IN_TABLE {
            let key = self.key(stones, placed);
            let bound = Bound::of(score, window);
            self.table.put(Entry::new(key, bound, depth as u8, score));
        }
        score
    }

    /// The highest score of the moves to these points, or the first that is at
    /// least beta.
    ///
    /// All moves are looked up in the table before any is searched: a later one
    /// may cause a cutoff.
    fn best_child(&mut self, stones: Stones, points: u64, depth: u32, window: Window) -> Score {
        let theirs = window.for_opponent();
        let mut best = -Score::INFINITE;
        let mut unclear = Moves::default();
        for next in centre_first(&self.board, stones, points) {
            match self.glance(next.stones, next.threats, depth, theirs) {
                Some(score) if -score >= window.beta => return -score,
                Some(score) => best = best.max(-score),
                None => unclear.insert(next),
            }
        }
        let mut unknown = Moves::default();
        for &next in unclear.as_slice() {
            match self.recall(next.stones, depth, theirs) {
                Some(score) if -score >= window.beta => return -score,
                Some(score) => best = best.max(-score),
                None => unknown.push(next),
            }
        }
        for next in unknown.as_slice() {
            best = best.max(self.child(next, depth, window.above(best)));
            if best >= window.beta || self.stopped {
                break;
            }
        }
        best
    }

    /// The score of a move. Once a move is known to be good the question is only
    /// whether another one is better, which is quickly answered. The few that are
    /// get another search for their score.
    fn child(&mut self, next: &Move, depth: u32, window: Window) -> Score {
        let question = Window::at_least(window.alpha.above());
        let mut search = |window: Window| {
            let window = window.for_opponent();
            -self.node(next.stones, next.threats, depth, window)
        };
        let score = search(question);
        if score > window.alpha && score < window.beta && question != window {
            search(window)
        } else {
            score
        }
    }

    /// The number of free points with `placed` stones on the board.
    fn free(&self, placed: u32) -> u32 {
        self.board.size().points() as u32 - placed
    }

    /// The key of a position in the table.
    fn key(&self, stones: Stones, placed: u32) -> Key {
        if placed < SYMMETRIC_STONES {
            stones.symmetric_key(&self.board)
        } else {
            stones.key(&self.board)
        }
    }

    /// Counts a node, or stops the search where a limit is reached.
    fn count_node(&mut self) -> bool {
        if self.stopped {
            return false;
        }
        self.nodes += 1;
        if self.nodes >= self.max_nodes {
            self.stopped = true;
        } else if self.nodes.is_multiple_of(POLL_INTERVAL) {
            let progress = Progress {
                depth: self.depth,
                nodes: self.nodes,
            };
            self.stopped = (self.watch)(progress).is_break();
        }
        !self.stopped
    }
}
