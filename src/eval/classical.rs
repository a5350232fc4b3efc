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

/// Keeps the evaluation of one position up to date by listening to its moves.
#[derive(Clone)]
pub struct Classical {
    pub(super) rows: Arc<Rows>,
    sums: Sums,
    /// The sums before each move heard of.
    before: Vec<Sums>,
}

/// By colour: the lanes of the empty points added up, in units over
/// [`VALUE_SCALE`].
type Sums = [[i32; LANES]; 2];

#[inline]
fn plus(one: &Lanes, other: &Lanes) -> Lanes {
    std::array::from_fn(|lane| one[lane].wrapping_add(other[lane]))
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
            sums: [[0; LANES]; 2],
            before: Vec::with_capacity(MAX_POINTS + 1),
        };
        let empty = (position.size().iter()).filter(|&point| position.is_empty(point));
        let all: Vec<Recoded> = empty
            .map(|point| Recoded {
                old: Standing::default(),
                new: position.standing(point),
            })
            .collect();
        classical.add(&all);
        classical
    }

    /// Some points are something else.
    #[inline]
    fn add(&mut self, changes: &[Recoded]) {
        let Rows { tables, owners, .. } = &*self.rows;
        let [black, white] = owners.map(|owner| &tables.lanes[owner]);
        let rows = |at: &Standing| {
            let pair = &self.rows.pairs[at.pair.number()];
            let [of_black, of_white] = at.codes;
            [
                plus(&black[of_black.index()], &pair[0]),
                plus(&white[of_white.index()], &pair[1]),
            ]
        };
        let mut sums = self.sums;
        for change in changes {
            let (old, new) = (rows(&change.old), rows(&change.new));
            for ((sums, old), new) in sums.iter_mut().zip(old).zip(new) {
                // Fits: see `LANE_LIMIT`.
                let change: Lanes = std::array::from_fn(|lane| new[lane].wrapping_sub(old[lane]));
                for (sum, change) in sums.iter_mut().zip(change) {
                    *sum += i32::from(change);
                }
            }
        }
        self.sums = sums;
    }

    /// The evaluation for the side to move. `position` must be the one listened
    /// to.
    #[inline]
    pub fn evaluate(&self, position: &Position) -> Score {
        let parts = self.parts(position);
        Score::new(parts.points / VALUE_SCALE + parts.network + parts.threats)
    }

    /// What [`Classical::evaluate`] adds up.
    #[inline]
    pub fn parts(&self, position: &Position) -> Parts {
        let side = position.side();
        let own = &self.sums[side.index()];
        let theirs = &self.sums[side.opponent().index()];
        let stones = position.size().points() - position.empty_points();
        let threats = &self.rows.tables.threats[side.index()];
        Parts {
            points: own[MOVING] - theirs[WAITING],
            network: self.rows.heads[side.index()].units(own, theirs, stones),
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
        self.before.push(self.sums);
        self.add(changes);
    }

    #[inline]
    fn undone(&mut self) {
        if let Some(sums) = self.before.pop() {
            self.sums = sums;
        }
    }
}
