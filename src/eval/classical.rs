//! The classical evaluation: sums over empty points that follow the position, a
//! network over them, and a value for the threats on the board.

use super::Score;
use super::head::{LANES, MOVING, VALUE_SCALE, WAITING};
use super::moves::MoveScores;
use super::rows::Rows;
use super::tables::{Lanes, THREAT_SETS};
use crate::pattern::Class;
use crate::position::{Observer, Position, Recoded, Standing};
use crate::rules::MAX_POINTS;
use std::sync::Arc;
use wide::{i16x8, i32x4};

/// Follows one position by listening to its moves.
///
/// Most positions a search comes to are never evaluated: the table knows them,
/// a move is forced, or they are decided. So a move is only noted, and added up
/// when an evaluation is asked for.
#[derive(Clone)]
pub struct Classical {
    pub(super) rows: Arc<Rows>,
    /// What the moves heard of changed, one after another.
    changes: Vec<Recoded>,
    /// Where the first of these moves begins, and where each ends.
    marks: Vec<usize>,
    /// The sums at these marks, as far as they were needed.
    sums: Vec<Sums>,
}

/// So many changes of moves have room from the start: a deep line's.
const CHANGES: usize = 4096;

/// By colour: the lanes of the empty points added up, in units over
/// [`VALUE_SCALE`].
type Sums = [Sum; 2];

/// Those with even numbers, and the others: as a processor adds up pairs of
/// short numbers.
type Sum = [i32x4; 2];

/// The lanes of a sum in their order.
#[inline]
fn in_order([even, odd]: Sum) -> [i32; LANES] {
    let (even, odd) = (even.to_array(), odd.to_array());
    std::array::from_fn(|lane| if lane % 2 == 0 { even } else { odd }[lane / 2])
}

/// `sums` after some points have become something else.
#[inline]
fn added(mut sums: Sums, changes: &[Recoded], rows: &Rows) -> Sums {
    let [black, white] = rows.owners.map(|owner| &rows.tables.lanes[owner]);
    const EVEN: i16x8 = i16x8::new([1, 0, 1, 0, 1, 0, 1, 0]);
    const ODD: i16x8 = i16x8::new([0, 1, 0, 1, 0, 1, 0, 1]);
    let plus = |one: &Lanes, other: &Lanes| i16x8::new(*one) + i16x8::new(*other);
    let lanes = |at: &Standing| {
        let pair = &rows.pairs[at.pair.number()];
        let [of_black, of_white] = at.codes;
        [
            plus(&black[of_black.index()], &pair[0]),
            plus(&white[of_white.index()], &pair[1]),
        ]
    };
    for change in changes {
        let (old, new) = (lanes(&change.old), lanes(&change.new));
        for ((sum, old), new) in sums.iter_mut().zip(old).zip(new) {
            // Fits: see `LANE_LIMIT`.
            let change = new - old;
            sum[0] += change.dot(EVEN);
            sum[1] += change.dot(ODD);
        }
    }
    sums
}

/// An evaluation taken apart, for people who want to know why. All numbers are
/// for the side to move; those of points in units over [`VALUE_SCALE`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Parts {
    /// Sum over the empty points.
    pub points: i32,
    /// What the network adds.
    pub network: i32,
    /// For the threats on the board and for having the move.
    pub threats: i32,
}

impl Classical {
    /// The evaluation of `position` as it stands.
    pub fn new(position: &Position) -> Classical {
        let mut classical = Classical {
            rows: Rows::of(position.rule()),
            changes: Vec::with_capacity(CHANGES),
            marks: Vec::with_capacity(MAX_POINTS + 1),
            sums: Vec::with_capacity(MAX_POINTS + 1),
        };
        let empty = (position.size().iter()).filter(|&point| position.is_empty(point));
        let all: Vec<Recoded> = empty
            .map(|point| Recoded {
                old: Standing::default(),
                new: position.standing(point),
            })
            .collect();
        let sums = added(Sums::default(), &all, &classical.rows);
        classical.marks.push(0);
        classical.sums.push(sums);
        classical
    }

    /// The sums of the position as it is.
    #[inline]
    fn settle(&mut self) -> &Sums {
        while self.sums.len() < self.marks.len() {
            let last = self.sums.len() - 1;
            let changes = &self.changes[self.marks[last]..self.marks[last + 1]];
            self.sums.push(added(self.sums[last], changes, &self.rows));
        }
        &self.sums[self.marks.len() - 1]
    }

    /// The evaluation for the side to move. `position` must be the one listened
    /// to.
    #[inline]
    pub fn evaluate(&mut self, position: &Position) -> Score {
        let parts = self.parts(position);
        Score::new(parts.points / VALUE_SCALE + parts.network + parts.threats)
    }

    /// What [`Classical::evaluate`] adds up.
    #[inline]
    pub fn parts(&mut self, position: &Position) -> Parts {
        let side = position.side();
        let sums = *self.settle();
        let own = in_order(sums[side.index()]);
        let theirs = in_order(sums[side.opponent().index()]);
        let stones = position.size().points() - position.empty_points();
        let threats = &self.rows.tables.threats[side.index()];
        Parts {
            points: own[MOVING] - theirs[WAITING],
            network: self.rows.heads[side.index()].units(&own, &theirs, stones),
            threats: i32::from(threats[threat_set(position) % THREAT_SETS]),
        }
    }

    /// How promising the moves of `position` look, before any search.
    #[inline]
    pub fn moves<'a>(&'a self, position: &'a Position) -> MoveScores<'a> {
        MoveScores::new(self, position)
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
    fn played(&mut self, changes: &[Recoded]) {
        self.changes.extend_from_slice(changes);
        self.marks.push(self.changes.len());
    }

    #[inline]
    fn undone(&mut self) {
        if let [.., before, _] = self.marks[..] {
            self.marks.pop();
            self.changes.truncate(before);
            self.sums.truncate(self.marks.len());
        }
    }
}
