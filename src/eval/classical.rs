//! The classical evaluation: a sum over empty points that follows the
//! position, and a value for the threats on the board.

use super::Score;
use super::tables::{EvalTables, THREAT_SETS, VALUE_SCALE};
use crate::pattern::{Class, Code};
use crate::position::{Observer, Position};
use crate::rules::{Color, MAX_POINTS, Point};
use std::sync::Arc;

/// Keeps the evaluation of one position up to date by listening to its moves.
#[derive(Clone)]
pub struct Classical {
    tables: Arc<EvalTables>,
    /// Black's values less white's, in units over [`VALUE_SCALE`].
    sum: i32,
    /// The sums before each move heard of.
    before: Vec<i32>,
}

/// An evaluation taken apart, for people who want to know why. All numbers are
/// for the side to move; those of points in units over [`VALUE_SCALE`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Parts {
    /// Sum over the empty points now.
    pub points: i32,
    /// The same one ply ago, which the evaluation is averaged with.
    pub points_before: i32,
    /// For the threats on the board and for having the move.
    pub threats: i32,
}

impl Classical {
    /// The evaluation of `position` as it stands.
    pub fn new(position: &Position) -> Classical {
        let tables = EvalTables::of(position.rule());
        let mut before = Vec::with_capacity(MAX_POINTS + 1);
        let mut classical = Classical {
            tables,
            sum: 0,
            before: Vec::new(),
        };
        for point in position.size().iter().filter(|&p| position.is_empty(p)) {
            classical.sum += classical.value(Color::ALL.map(|color| position.code(color, point)));
        }
        before.push(classical.sum);
        classical.before = before;
        classical
    }

    #[inline]
    fn value(&self, codes: [Code; 2]) -> i32 {
        let [black, white] = codes;
        i32::from(self.tables.values[0][black.index()])
            - i32::from(self.tables.values[1][white.index()])
    }

    /// The evaluation for the side to move. `position` must be the one listened
    /// to.
    #[inline]
    pub fn evaluate(&self, position: &Position) -> Score {
        let parts = self.parts(position);
        Score::new((parts.points + parts.points_before) / (2 * VALUE_SCALE) + parts.threats)
    }

    /// What [`Classical::evaluate`] adds up.
    #[inline]
    pub fn parts(&self, position: &Position) -> Parts {
        let side = position.side();
        let sign = if side == Color::Black { 1 } else { -1 };
        let before = self.before.last().copied().unwrap_or(self.sum);
        Parts {
            points: sign * self.sum,
            points_before: sign * before,
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
        self.before.push(self.sum);
        self.sum -= self.value(codes);
    }

    #[inline]
    fn changed(&mut self, old: [Code; 2], new: [Code; 2]) {
        self.sum += self.value(new) - self.value(old);
    }

    #[inline]
    fn played(&mut self) {}

    #[inline]
    fn undone(&mut self) {
        if let Some(sum) = self.before.pop() {
            self.sum = sum;
        }
    }
}
