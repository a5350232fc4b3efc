//! Moves in the order in which they are worth trying.
//!
//! A node first tries the move it remembers; the rest are made and scored only
//! if that did not settle it. Each pick takes the best of what is left, since
//! most nodes end after a few.

use crate::pattern::Class;
use crate::position::Position;
use crate::rules::{MAX_POINTS, Point, PointSet};
use crate::threats::{Outlook, answers};
use arrayvec::ArrayVec;

/// Moves and their scores, a number each: larger is better, and no two are
/// equal, so that the order is the same on every machine.
pub(super) struct Moves {
    moves: ArrayVec<i32, MAX_POINTS>,
    /// The likeliest move's score without what history adds.
    likeliest: i32,
}

const POINT_RANGE: i32 = Point::GRID as i32;

impl Moves {
    /// Adds a move; scores stay well below a million. `likeliness` is what the
    /// evaluation alone says of it.
    #[inline]
    pub(super) fn push(&mut self, point: Point, likeliness: i32, score: i32) {
        self.likeliest = self.likeliest.max(likeliness);
        // Of two equal moves the one nearer the top left comes first.
        let tie = POINT_RANGE - 1 - point.index() as i32;
        self.moves.push(score * POINT_RANGE + tie);
    }

    /// Takes the best move out.
    #[inline]
    fn pop_best(&mut self) -> Option<Point> {
        let best = self.moves.iter().copied().max()?;
        let index = self.moves.iter().position(|&entry| entry == best)?;
        self.moves.swap_remove(index);
        let tie = best.rem_euclid(POINT_RANGE);
        Some(Point::from_index((POINT_RANGE - 1 - tie) as usize))
    }
}

/// The moves of one node that have not been tried.
pub(super) struct Picker {
    remembered: Point,
    stage: Stage,
    moves: Moves,
}

enum Stage {
    Remembered,
    Make,
    Rest,
}

impl Picker {
    /// A picker that begins with `remembered`, unless that is
    /// [`Point::NONE`].
    #[inline]
    pub(super) fn new(remembered: Point) -> Picker {
        Picker {
            remembered,
            stage: if remembered == Point::NONE {
                Stage::Make
            } else {
                Stage::Remembered
            },
            moves: Moves {
                moves: ArrayVec::new(),
                likeliest: i32::MIN,
            },
        }
    }

    /// What the evaluation alone says of the likeliest move, once the moves are
    /// made.
    #[inline]
    pub(super) fn likeliest(&self) -> Option<i32> {
        (self.moves.likeliest > i32::MIN).then_some(self.moves.likeliest)
    }

    /// The next move worth trying; `make` fills in the moves when they are
    /// first needed.
    #[inline]
    pub(super) fn next(&mut self, make: impl FnOnce(&mut Moves)) -> Option<Point> {
        match self.stage {
            Stage::Remembered => {
                self.stage = Stage::Make;
                return Some(self.remembered);
            }
            Stage::Make => {
                self.stage = Stage::Rest;
                make(&mut self.moves);
            }
            Stage::Rest => {}
        }
        loop {
            let point = self.moves.pop_best()?;
            if point != self.remembered {
                return Some(point);
            }
        }
    }
}

/// The points worth trying for the side to move: the answers and fours where
/// the opponent threatens to decide the game, else all in reach of a stone.
pub(super) fn candidates(position: &Position, outlook: Outlook) -> PointSet {
    match outlook {
        Outlook::Forced(point) => return PointSet::from_iter([point]),
        Outlook::Threatened => {
            let answers = answers(position);
            let five_stands = position.counts(position.side().opponent()).any(Class::Five);
            if five_stands {
                return answers;
            }
            return answers.union(&position.fours(position.side()).collect());
        }
        _ => {}
    }
    let occupied = position.occupied();
    let near = occupied
        .surroundings()
        .intersection(position.board())
        .difference(occupied);
    if !near.is_empty() {
        return near;
    }
    let empty = position.board().difference(occupied);
    let centre = position.size().centre();
    if empty.has(centre) {
        PointSet::from_iter([centre])
    } else {
        empty
    }
}
