//! The root of the search: iterative deepening and exact values.

use super::Value;
use super::alpha_beta::{Move, Moves, Run};
use super::board::Board;
use super::score::{Score, Window};
use super::stones::Stones;

/// The result of a search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Outcome {
    /// The best column; `None` only where the game is over.
    pub column: Option<usize>,
    /// The value of the position, if the search proved it.
    pub value: Option<Value>,
    /// The score in hundredths of a logit; for a value that is known, far from 0
    /// in a won or lost position and 0 in a drawn one.
    pub score: i32,
    /// The depth of the last complete iteration.
    pub depth: u32,
    /// Positions visited.
    pub nodes: u64,
}

/// The depth up to which the search deepens ply by ply before it solves a
/// position that is [`SOLVABLE`]. An exact value is made of narrow questions
/// without estimates, and is sooner found than a few more plies are searched.
const LAST_GUESS: u32 = 14;

/// The most free points of a position that is worth solving.
const SOLVABLE: u32 = 36;

/// The search of one position for its best move.
pub(super) struct Root<'a> {
    run: Run<'a>,
    stones: Stones,
    /// The moves worth a try, the best so far first.
    moves: Vec<Move>,
    /// The score of the first of them, and the depth behind it.
    score: Score,
    depth: u32,
}

impl<'a> Root<'a> {
    /// The root of a position with a free point and without a winner.
    pub(super) fn new(run: Run<'a>, stones: Stones) -> Root<'a> {
        let moves = Moves::new(&run.board, stones, candidates(&run.board, stones));
        Root {
            moves: moves.as_slice().to_vec(),
            run,
            stones,
            score: Score::DRAW,
            depth: 0,
        }
    }

    /// Searches deeper and deeper until the value is known or a limit is reached.
    pub(super) fn deepen(mut self, max_depth: u32) -> Outcome {
        if let Some(score) = decided(&self.run.board, self.stones) {
            self.score = score;
            return self.outcome(true);
        }
        let free = self.run.board.size().points() as u32 - self.stones.count();
        for depth in 1..=max_depth.min(free) {
            if depth > LAST_GUESS && free <= SOLVABLE && max_depth >= free {
                let is_solved = self.solve(free);
                return self.outcome(is_solved);
            }
            self.iterate(depth);
            if self.run.stopped {
                break;
            }
            self.depth = depth;
            let plies = self.score.plies(self.stones.count());
            if depth == free || plies.is_some_and(|plies| plies <= depth) {
                return self.outcome(true);
            }
        }
        self.outcome(false)
    }

    /// Searches all moves to a depth. The best one comes first afterwards, also
    /// where the search was stopped on the way.
    fn iterate(&mut self, depth: u32) {
        self.run.depth = depth;
        let mut best = -Score::INFINITE;
        for index in 0..self.moves.len() {
            let next = self.moves[index];
            let mut score = self.child(next, depth - 1, Window::at_least(best.above()));
            if score > best && !self.run.stopped {
                score = self.child(next, depth - 1, Window::new(best, Score::INFINITE));
            }
            if self.run.stopped {
                return;
            }
            if score > best {
                best = score;
                self.score = score;
                self.moves[..=index].rotate_right(1);
            }
        }
    }

    /// Finds the exact value and a move that keeps it; whether it got there
    /// before a limit.
    fn solve(&mut self, free: u32) -> bool {
        let Some(score) = solve(&mut self.run, self.stones) else {
            return false;
        };
        let question = Window::at_least(score);
        for index in 0..self.moves.len() {
            let keeps = self.child(self.moves[index], free - 1, question) >= score;
            if self.run.stopped {
                return false;
            }
            if keeps {
                self.moves[..=index].rotate_right(1);
                break;
            }
        }
        self.score = score;
        self.depth = free;
        true
    }

    /// The score of a move.
    fn child(&mut self, next: Move, depth: u32, window: Window) -> Score {
        let window = window.for_opponent();
        -self.run.search(next.stones, next.threats, depth, window)
    }

    fn outcome(&self, is_proven: bool) -> Outcome {
        let best = self.moves.first();
        Outcome {
            column: best.map(|best| self.run.board.column_of(best.point)),
            value: is_proven.then(|| self.score.value(self.stones.count())),
            score: self.score.units(),
            depth: self.depth,
            nodes: self.run.nodes,
        }
    }
}

/// The moves worth a try at the root: a win, or what does not lose at once. If
/// all do, those that prevent one of the threats: the opponent may overlook
/// another.
fn candidates(board: &Board, stones: Stones) -> u64 {
    let landing = board.landing_points(stones.occupied);
    let threats = stones.threats(board);
    [
        stones.wins(board),
        stones.safe_moves(board, threats),
        landing & threats,
    ]
    .into_iter()
    .find(|&moves| moves != 0)
    .unwrap_or(landing)
}

/// The score of a position that needs no search: one side wins within two plies
/// or neither side can.
fn decided(board: &Board, stones: Stones) -> Option<Score> {
    let placed = stones.count();
    let points = board.size().points() as u32;
    if stones.wins(board) != 0 {
        Some(Score::win_at(placed + 1))
    } else if placed < points && stones.safe_moves(board, stones.threats(board)) == 0 {
        Some(Score::loss_at(placed + 2))
    } else {
        (placed + 2 >= points).then_some(Score::DRAW)
    }
}

/// The exact score of a position without a winner, unless a limit comes first.
///
/// Each search only answers whether the score is at least so much, and halves
/// the range it can lie in: first whether the position is won, then how soon.
pub(super) fn solve(run: &mut Run, stones: Stones) -> Option<Score> {
    if let Some(score) = decided(&run.board, stones) {
        return Some(score);
    }
    let (placed, points) = (stones.count(), run.board.size().points() as u32);
    let threats = stones.threats(&run.board);
    run.depth = points - placed;
    let (mut low, mut high) = (Score::loss_at(placed + 4), Score::win_at(placed + 3));
    while low < high {
        let goal = next_goal(low, high, Score::loss_at(points));
        let score = run.search(stones, threats, points - placed, Window::at_least(goal));
        if run.stopped {
            return None;
        }
        if score >= goal {
            low = score;
        } else {
            high = score;
        }
    }
    Some(low)
}

/// The next window for a score between `low` and `high`. No loss is less bad than `last_loss`.
fn next_goal(low: Score, high: Score, last_loss: Score) -> Score {
    if high > Score::DRAW {
        if low > Score::DRAW {
            Score::middle(low, high)
        } else {
            Score::DRAW.above()
        }
    } else if low >= last_loss {
        high
    } else {
        Score::middle(low, high.min(last_loss.above()))
    }
}
