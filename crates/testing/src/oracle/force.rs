//! Wins by brute force: every move and every reply is tried on the board.

use super::{At, Board, Content, DIRECTIONS, along};
use std::collections::HashMap;

/// The wins of the side to move by continuous fours, as far as known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fours {
    /// The shortest has so many plies, the five included.
    Win(usize),
    /// There is none.
    None,
    /// Not settled within the limit.
    Open,
}

/// The shortest win of the side to move by continuous fours: one more four is
/// allowed each time, until there is a win or nothing was left out.
pub fn by_fours(board: &mut Board, nodes: u64) -> Fours {
    let mut search = FourSearch {
        left: nodes,
        path: Vec::new(),
        failed: HashMap::new(),
    };
    for fours in 0.. {
        match search.wins(board, fours) {
            Tried::Wins => return Fours::Win(2 * fours + 1),
            Tried::Fails => return Fours::None,
            Tried::CutShort if search.left == 0 => return Fours::Open,
            Tried::CutShort => {}
        }
    }
    Fours::Open
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Tried {
    Wins,
    Fails,
    /// No win with so few fours; more might do.
    CutShort,
}

struct FourSearch {
    left: u64,
    /// The moves so far, the attacker's first.
    path: Vec<At>,
    /// Sets of moves after which so many fours were not enough.
    failed: HashMap<[Vec<At>; 2], (usize, Tried)>,
}

impl FourSearch {
    fn key(&self) -> [Vec<At>; 2] {
        [0, 1].map(|first| {
            let mut moves: Vec<At> = self.path.iter().skip(first).step_by(2).copied().collect();
            moves.sort_unstable();
            moves
        })
    }

    fn wins(&mut self, board: &mut Board, fours: usize) -> Tried {
        if !board.fives(board.side).is_empty() {
            return Tried::Wins;
        }
        if fours == 0 || self.left == 0 {
            return Tried::CutShort;
        }
        self.left -= 1;
        let key = self.key();
        match self.failed.get(&key) {
            Some(&(_, Tried::Fails)) => return Tried::Fails,
            Some(&(enough, _)) if enough >= fours => return Tried::CutShort,
            _ => {}
        }
        let mut result = Tried::Fails;
        for at in four_points(board) {
            self.path.push(at);
            let tried = board.after(at, |board| self.every_answer_loses(board, fours - 1));
            self.path.pop();
            match tried {
                Tried::Wins => return Tried::Wins,
                Tried::CutShort => result = Tried::CutShort,
                Tried::Fails => {}
            }
        }
        self.failed.insert(key, (fours, result));
        result
    }

    fn every_answer_loses(&mut self, board: &mut Board, fours: usize) -> Tried {
        if !board.fives(board.side).is_empty() {
            return Tried::Fails;
        }
        for answer in answers_to_fives(board) {
            self.path.push(answer);
            let tried = board.after(answer, |board| self.wins(board, fours));
            self.path.pop();
            if tried != Tried::Wins {
                return tried;
            }
        }
        Tried::Wins
    }
}

/// The points on the lines through `at` that a run through it can touch.
fn on_lines(at: At) -> impl Iterator<Item = At> {
    DIRECTIONS.into_iter().flat_map(move |direction| {
        let steps = (-5..=5).filter(|&steps| steps != 0);
        steps.map(move |steps| along(at, direction, steps))
    })
}

/// The legal points where the side to move makes a four: a stone after which
/// one more would win.
pub fn four_points(board: &mut Board) -> Vec<At> {
    let side = board.side;
    let mut points = board.empty();
    points.retain(|&at| three_stones_near(board, at) && board.is_legal(at));
    points.retain(|&at| {
        board.with(side, at, |board| {
            on_lines(at).any(|next| board.is_empty(next) && board.wins(side, next))
        })
    });
    points
}

/// Returns true if a line through `at` has the other three stones of a four.
fn three_stones_near(board: &Board, at: At) -> bool {
    let own = Content::Stone(board.side);
    DIRECTIONS.into_iter().any(|direction| {
        let near = (-4..=4).filter(|&steps| board.get(along(at, direction, steps)) == own);
        near.count() >= 3
    })
}

/// The legal moves after which the opponent, who would win by one stone, no
/// longer does. Only a stone on the lines of a winning point can do that.
pub(crate) fn answers_to_fives(board: &mut Board) -> Vec<At> {
    let (side, attacker) = (board.side, board.side.opponent());
    let fives = board.fives(attacker);
    let Some(&first) = fives.first() else {
        return Vec::new();
    };
    let mut answers: Vec<At> = on_lines(first).chain([first]).collect();
    answers.retain(|&at| board.is_empty(at));
    answers.retain(|&at| {
        board.with(side, at, |board| {
            !fives
                .iter()
                .any(|&five| board.is_empty(five) && board.wins(attacker, five))
        })
    });
    answers.retain(|&at| board.is_legal(at));
    answers
}

/// Returns true if the side to move has a win within so many plies. Every legal move and every
/// legal reply is tried, so "no" is as certain as "yes". Five plies take some hundredths of a
/// second.
pub fn wins_within(board: &mut Board, plies: usize) -> bool {
    if plies == 0 {
        return false;
    }
    if !board.fives(board.side).is_empty() {
        return true;
    }
    if plies < 3 {
        return false;
    }
    let mut moves = four_points(board);
    // A win in three plies needs a four.
    if plies > 3 {
        let others = board.empty();
        let fours = moves.len();
        moves.extend(
            others
                .into_iter()
                .filter(|&at| !moves[..fours].contains(&at))
                .collect::<Vec<_>>(),
        );
    }
    moves.into_iter().any(|at| wins_by(board, at, plies))
}

/// Returns true if this move wins within so many plies.
pub fn wins_by(board: &mut Board, at: At, plies: usize) -> bool {
    if !board.is_legal(at) {
        return false;
    }
    board.wins(board.side, at) || board.after(at, |board| loses_within(board, plies - 1))
}

/// Returns true if the side to move loses within so many plies whatever it does.
pub fn loses_within(board: &mut Board, plies: usize) -> bool {
    let attacker = board.side.opponent();
    if plies < 2 || !board.fives(board.side).is_empty() {
        return false;
    }
    let replies = if !board.fives(attacker).is_empty() {
        answers_to_fives(board)
    } else if plies < 4 {
        return false;
    } else {
        board.empty()
    };
    replies.into_iter().all(|at| loses_by(board, at, plies))
}

/// Returns true if this move, which wins nothing at once, loses within so many plies. An illegal
/// move loses.
pub fn loses_by(board: &mut Board, at: At, plies: usize) -> bool {
    !board.is_legal(at) || board.after(at, |board| wins_within(board, plies - 1))
}
