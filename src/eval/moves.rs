//! How promising moves look before any search: what they make and what they
//! prevent, both at once, and how far they are from the last stones.

use super::classical::Classical;
use crate::position::Position;
use crate::rules::{Around, Color, Point};

/// How many places seen from a stone have a number of their own: by the larger
/// and the smaller distance in columns and rows, up to eight, and one for all
/// beyond.
pub const PLACES: usize = REACH * (REACH + 3) / 2 + 2;

/// The distance up to which places are told apart.
const REACH: usize = 8;

/// Where `point` is as seen from a stone, in tables of [`PLACES`] entries. The
/// last entry is also for where there is no stone.
pub const fn place(from: Option<Point>, point: Point) -> usize {
    let Some(from) = from else {
        return PLACES - 1;
    };
    place_apart(
        from.grid_x().abs_diff(point.grid_x()),
        from.grid_y().abs_diff(point.grid_y()),
    )
}

/// The place so many columns and rows away.
const fn place_apart(dx: usize, dy: usize) -> usize {
    let (near, far) = if dx < dy { (dx, dy) } else { (dy, dx) };
    if far > REACH {
        PLACES - 1
    } else {
        far * (far + 1) / 2 + near
    }
}

/// The numbers of [`place`] by where a point is, to be found at once.
pub(super) fn around(numbers: &[i16; PLACES]) -> Around<i16> {
    let mut around = Around::new(numbers[PLACES - 1]);
    let reach = REACH as i32;
    for (dx, dy) in (-reach..=reach).flat_map(|dx| (-reach..=reach).map(move |dy| (dx, dy))) {
        let place = place_apart(dx.unsigned_abs() as usize, dy.unsigned_abs() as usize);
        around.set(dx, dy, numbers[place]);
    }
    around
}

/// Where no stone was placed every point is as far.
static NOWHERE: [i16; Point::GRID] = [0; Point::GRID];

/// The numbers of the moves of one position for the side to move. They are to be
/// compared with each other; by themselves they mean nothing.
pub struct MoveScores<'a> {
    position: &'a Position,
    side: Color,
    evaluator: &'a Classical,
    /// Seen from the opponent's last stone, and from the side's own, by point.
    around: [&'a [i16; Point::GRID]; 2],
}

/// A move's number taken apart, in units of [`super::Score`] as the tables have
/// them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MoveParts {
    /// For what it makes.
    pub attack: i32,
    /// For what it prevents.
    pub defence: i32,
    /// For doing both at once.
    pub both: i32,
    /// For where it is, seen from the last stones.
    pub near: i32,
}

impl<'a> MoveScores<'a> {
    pub(super) fn new(evaluator: &'a Classical, position: &'a Position) -> MoveScores<'a> {
        let side = position.side();
        let seen = |back: usize| {
            let around = &evaluator.rows.around[side.index()][back - 1];
            let stone = position.recent(back).filter(|&stone| stone != Point::NONE);
            around.seen_from(stone, &NOWHERE)
        };
        MoveScores {
            position,
            side,
            evaluator,
            around: [seen(1), seen(2)],
        }
    }

    /// How promising a move to the empty `point` looks.
    #[inline]
    pub fn of(&self, point: Point) -> i32 {
        let MoveParts {
            attack,
            defence,
            both,
            near,
        } = self.parts(point);
        attack + defence + both + near
    }

    /// What [`MoveScores::of`] adds up.
    #[inline]
    pub fn parts(&self, point: Point) -> MoveParts {
        let (side, opponent) = (self.side, self.side.opponent());
        let standing = self.position.standing(point);
        let codes = standing.codes;
        let tables = &self.evaluator.rows.tables;
        let [attack, defence] = [
            tables.attack[side.index()][codes[side.index()].index()],
            tables.defence[opponent.index()][codes[opponent.index()].index()],
        ]
        .map(i32::from);
        MoveParts {
            attack,
            defence,
            both: i32::from(self.evaluator.rows.both[standing.pair().number()][side.index()]),
            near: self
                .around
                .iter()
                .map(|a| i32::from(a[point.index()]))
                .sum(),
        }
    }
}
