//! The classical evaluation: sums over empty points that follow the moves, a
//! network over them, and a value for the threats on the board.

use super::Score;
use super::head::{LANES, MOVING, VALUE_SCALE, WAITING};
use super::moves::MoveScores;
use super::rows::Rows;
use super::tables::{Lanes, THREAT_SETS};
use crate::pattern::Class;
use crate::position::{Position, Standing};
use crate::rules::MAX_POINTS;
use std::sync::Arc;
use wide::{i16x8, i32x4};

/// Evaluates positions of one rule, and quickly those that a few moves lead to
/// from one it has seen.
///
/// Most positions a search comes to are never evaluated: the table knows them,
/// a move is forced, or they are decided. So what moves change is added up only
/// when an evaluation is asked for.
#[derive(Clone)]
pub struct Classical {
    pub(super) rows: Arc<Rows>,
    /// How many moves had led to the first of `settled`.
    first: usize,
    /// What was added up last after so many moves, after one more, and so on.
    settled: Vec<Settled>,
}

/// The sums of a position, by its key.
#[derive(Clone, Copy)]
struct Settled {
    key: u64,
    sums: Sums,
}

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

/// `sums` after some points have become something else: what they were, and what
/// they are.
#[inline]
fn added(mut sums: Sums, changes: impl Iterator<Item = (Standing, Standing)>, rows: &Rows) -> Sums {
    let [black, white] = rows.owners.map(|owner| &rows.tables.lanes[owner]);
    const EVEN: i16x8 = i16x8::new([1, 0, 1, 0, 1, 0, 1, 0]);
    const ODD: i16x8 = i16x8::new([0, 1, 0, 1, 0, 1, 0, 1]);
    let plus = |one: &Lanes, other: &Lanes| i16x8::new(*one) + i16x8::new(*other);
    let lanes = |at: &Standing| {
        let pair = &rows.pairs[at.pair().number()];
        let [of_black, of_white] = at.codes;
        [
            plus(&black[of_black.index()], &pair[0]),
            plus(&white[of_white.index()], &pair[1]),
        ]
    };
    for (old, new) in changes {
        let (old, new) = (lanes(&old), lanes(&new));
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
    /// For positions under the rule of `position`, this one first.
    pub fn new(position: &Position) -> Classical {
        let mut classical = Classical {
            rows: Rows::of(position.rule()),
            first: 0,
            settled: Vec::with_capacity(MAX_POINTS + 1),
        };
        classical.start(position);
        classical
    }

    /// Adds up the whole board.
    #[cold]
    fn start(&mut self, position: &Position) -> Sums {
        let empty = (position.size().iter()).filter(|&point| position.is_empty(point));
        let all = empty.map(|point| (Standing::default(), position.standing(point)));
        let sums = added(Sums::default(), all, &self.rows);
        self.first = position.ply();
        self.settled.clear();
        self.settled.push(Settled {
            key: position.key(),
            sums,
        });
        sums
    }

    /// The sums of `position`, from those of the last of its moves that has some.
    #[inline]
    fn sums(&mut self, position: &Position) -> Sums {
        debug_assert_eq!(position.rule(), self.rows.tables.rule);
        let ply = position.ply();
        let known = (self.first..=ply).rev().find_map(|moves| {
            let settled = self.settled.get(moves - self.first)?;
            (settled.key == position.key_after_moves(moves)).then_some((moves, settled.sums))
        });
        let Some((moves, mut sums)) = known else {
            return self.start(position);
        };
        for number in moves..ply {
            let changes = position.changes(number).iter();
            sums = added(
                sums,
                changes.map(|change| (change.old, change.new)),
                &self.rows,
            );
            let settled = Settled {
                key: position.key_after_moves(number + 1),
                sums,
            };
            match self.settled.get_mut(number + 1 - self.first) {
                Some(place) => *place = settled,
                None => self.settled.push(settled),
            }
        }
        sums
    }

    /// The evaluation for the side to move.
    #[inline]
    pub fn evaluate(&mut self, position: &Position) -> Score {
        let parts = self.parts(position);
        Score::new(parts.points / VALUE_SCALE + parts.network + parts.threats)
    }

    /// What [`Classical::evaluate`] adds up.
    #[inline]
    pub fn parts(&mut self, position: &Position) -> Parts {
        let side = position.side();
        let sums = self.sums(position);
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
