//! Alpha-beta: the search below the root.

use super::board::Board;
use super::evaluation::evaluate;
use super::score::{Score, Window};
use super::stones::Stones;
use super::table::{Bound, Entry, Table};
use super::{Progress, Size, Watch};

/// One run of the search: what it works with and how far it has come.
pub(super) struct Run<'a> {
    pub(super) board: Board,
    pub(super) table: &'a mut Table,
    /// Positions visited, and how many may be.
    pub(super) nodes: u64,
    pub(super) max_nodes: u64,
    pub(super) watch: Watch<'a>,
    /// The depth of the iteration, for whoever watches.
    pub(super) depth: u32,
    /// Whether a limit was reached. Scores that come back afterwards mean nothing.
    pub(super) stopped: bool,
}

/// So many nodes pass between two questions whether to go on.
const POLL_INTERVAL: u64 = 1024;

/// Positions with fewer stones share their table entries with their mirror
/// images. Later in the game a position hardly ever meets its image, and the
/// image is not worth computing.
const SYMMETRIC_STONES: u32 = 14;

/// A move and what it threatens.
#[derive(Clone, Copy, Default)]
pub(super) struct Move {
    pub(super) point: u64,
    /// Where the side that plays it would complete a four afterwards.
    threats: u64,
}

/// The moves of a node, the most promising first.
pub(super) struct Moves {
    moves: [Move; Size::MAX_COLUMNS],
    count: usize,
}

impl Moves {
    /// Orders moves by the number of threats they leave, and from the centre
    /// where these are equal.
    #[inline]
    pub(super) fn new(board: &Board, stones: Stones, points: u64) -> Moves {
        let mut ordered = Moves {
            moves: [Move::default(); Size::MAX_COLUMNS],
            count: 0,
        };
        for column in board.centre_first() {
            let point = points & column;
            if point != 0 {
                let threats = stones.play(point).threats(board);
                ordered.insert(Move { point, threats });
            }
        }
        ordered
    }

    /// Sorts a move in, behind those with as many threats.
    fn insert(&mut self, new: Move) {
        let mut at = self.count;
        while at > 0 && self.moves[at - 1].threats.count_ones() < new.threats.count_ones() {
            self.moves[at] = self.moves[at - 1];
            at -= 1;
        }
        self.moves[at] = new;
        self.count += 1;
    }

    pub(super) fn as_slice(&self) -> &[Move] {
        &self.moves[..self.count]
    }
}

impl Run<'_> {
    /// The score of a position for the side to move, looking `depth` plies
    /// ahead. Outside the window it is a bound on the true score.
    ///
    /// The side to move cannot win at once, and the opponent has these
    /// `threats`; whoever made the last move has seen to the first and knows the
    /// second.
    pub(super) fn node(
        &mut self,
        stones: Stones,
        threats: u64,
        depth: u32,
        mut window: Window,
    ) -> Score {
        if !self.count_node() {
            return Score::DRAW;
        }
        let placed = stones.count();
        let free = self.board.size().points() as u32 - placed;
        let safe = stones.safe_moves(&self.board, threats);
        if safe == 0 {
            return Score::loss_at(placed + 2);
        }
        if free <= 2 {
            return Score::DRAW;
        }
        // Nobody wins within two plies: scores beyond these cannot be.
        window.alpha = window.alpha.max(Score::loss_at(placed + 4));
        window.beta = window.beta.min(Score::win_at(placed + 3));
        if window.is_closed() {
            return window.alpha;
        }
        let key = self.key(stones, placed);
        if let Some(score) = self
            .table
            .get(key)
            .and_then(|entry| entry.answer(depth, window))
        {
            return score;
        }
        if depth == 0 {
            return evaluate(&self.board, stones);
        }
        // The answer to a threat is no choice and costs no depth.
        let is_forced = safe.is_power_of_two() && depth < free;
        let depth_left = if is_forced { depth } else { depth - 1 };
        let score = self.best_child(stones, safe, depth_left, window);
        if !self.stopped {
            let bound = Bound::of(score, window);
            self.table.put(Entry {
                key,
                score,
                bound,
                depth: depth as u8,
            });
        }
        score
    }

    /// The highest score of the given moves, or the first that is too good to be
    /// allowed by the opponent.
    fn best_child(&mut self, stones: Stones, moves: u64, depth: u32, window: Window) -> Score {
        let mut best = -Score::INFINITE;
        for &next in Moves::new(&self.board, stones, moves).as_slice() {
            best = best.max(self.child(stones, next, depth, window.above(best)));
            if best >= window.beta || self.stopped {
                break;
            }
        }
        best
    }

    /// The score of a move. Once a move is known to be good the question is only
    /// whether another one is better, which is quickly answered. The few that are
    /// get another search for their score.
    pub(super) fn child(
        &mut self,
        stones: Stones,
        next: Move,
        depth: u32,
        window: Window,
    ) -> Score {
        let question = Window::at_least(window.alpha.above());
        let mut search = |window: Window| {
            let window = window.for_opponent();
            -self.node(stones.play(next.point), next.threats, depth, window)
        };
        let score = search(question);
        if score > window.alpha && score < window.beta && question != window {
            search(window)
        } else {
            score
        }
    }

    /// The key of a position in the table.
    fn key(&self, stones: Stones, placed: u32) -> u64 {
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
