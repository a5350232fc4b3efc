//! The classical evaluation: a sum over empty points that follows the
//! position, and a value for the threats on the board.

use super::Score;
use super::tables::{EvalTables, THREAT_SETS, VALUE_SCALE, Value};
use crate::pattern::{Class, Code};
use crate::position::{Observer, Position};
use crate::rules::{Color, MAX_POINTS, Point};
use std::sync::Arc;

/// Keeps the evaluation of one position up to date by listening to its moves.
#[derive(Clone)]
pub struct Classical {
    tables: Arc<EvalTables>,
    sums: Sums,
    /// The sums before each move heard of.
    before: Vec<Sums>,
}

/// By the colour to move: what the empty points are worth to it less what they
/// are worth to its opponent, in units over [`VALUE_SCALE`]. Both are kept up to
/// date, as any move makes the other one the evaluation.
type Sums = [i32; 2];

/// An evaluation taken apart, for people who want to know why. All numbers are
/// for the side to move; those of points in units over [`VALUE_SCALE`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Parts {
    /// Sum over the empty points.
    pub points: i32,
    /// For the threats on the board and for having the move.
    pub threats: i32,
}

impl Classical {
    /// The evaluation of `position` as it stands.
    pub fn new(position: &Position) -> Classical {
        let tables = EvalTables::of(position.rule());
        let mut classical = Classical {
            tables,
            sums: [0; 2],
            before: Vec::with_capacity(MAX_POINTS + 1),
        };
        for point in position.size().iter().filter(|&p| position.is_empty(p)) {
            classical.add(1, Color::ALL.map(|color| position.code(color, point)));
        }
        classical
    }

    /// Adds the values of an empty point with these codes, `times` over.
    #[inline]
    fn add(&mut self, times: i32, codes: [Code; 2]) {
        let [black, white] = [0, 1].map(|color| self.tables.values[color][codes[color].index()]);
        let worth = |own: Value, theirs: Value| i32::from(own.moving) - i32::from(theirs.waiting);
        self.sums[Color::Black.index()] += times * worth(black, white);
        self.sums[Color::White.index()] += times * worth(white, black);
    }

    /// The evaluation for the side to move. `position` must be the one listened
    /// to.
    #[inline]
    pub fn evaluate(&self, position: &Position) -> Score {
        let parts = self.parts(position);
        Score::new(parts.points / VALUE_SCALE + parts.threats)
    }

    /// What [`Classical::evaluate`] adds up.
    #[inline]
    pub fn parts(&self, position: &Position) -> Parts {
        let side = position.side();
        Parts {
            points: self.sums[side.index()],
            threats: i32::from(
                self.tables.threats[side.index()][threat_set(position) % THREAT_SETS],
            ),
        }
    }

    /// How promising a move to `point` looks to `color`, before any search:
    /// what it makes and what it prevents.
    #[inline]
    pub fn move_score(&self, position: &Position, color: Color, point: Point) -> i32 {
        let (attack, defence) = self.move_parts(position, color, point);
        attack + defence
    }

    /// The two parts of [`Classical::move_score`].
    #[inline]
    pub fn move_parts(&self, position: &Position, color: Color, point: Point) -> (i32, i32) {
        let opponent = color.opponent();
        let own = position.code(color, point).index();
        let theirs = position.code(opponent, point).index();
        (
            i32::from(self.tables.attack[color.index()][own]),
            i32::from(self.tables.defence[opponent.index()][theirs]),
        )
    }
}

/// The threats on the board as the side to move sees them, a bit each in the
/// order of [`super::tables::THREAT_NAMES`].
#[inline]
pub fn threat_set(position: &Position) -> usize {
    let own = position.counts(position.side());
    let theirs = position.counts(position.side().opponent());
    let three_plus = |counts: crate::position::Counts| {
        counts.any(Class::OpenThreePlus) || counts.any(Class::DoubleThree)
    };
    [
        theirs.any(Class::Five),
        own.any(Class::OpenFour),
        theirs.any(Class::OpenFour),
        own.any(Class::FourThree),
        own.any(Class::FourPlus),
        own.any(Class::Four),
        three_plus(own),
        theirs.any(Class::FourThree),
        theirs.any(Class::FourPlus),
        theirs.any(Class::Four),
        three_plus(theirs),
    ]
    .into_iter()
    .enumerate()
    .fold(0, |set, (bit, present)| set | usize::from(present) << bit)
}

impl Observer for Classical {
    #[inline]
    fn occupied(&mut self, codes: [Code; 2]) {
        self.before.push(self.sums);
        self.add(-1, codes);
    }

    #[inline]
    fn changed(&mut self, old: [Code; 2], new: [Code; 2]) {
        self.add(-1, old);
        self.add(1, new);
    }

    #[inline]
    fn played(&mut self) {}

    #[inline]
    fn undone(&mut self) {
        if let Some(sums) = self.before.pop() {
            self.sums = sums;
        }
    }
}
