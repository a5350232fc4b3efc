//! Openings for self-play: a few stones thrown near each other, kept if the
//! search finds them balanced.

use crate::pattern::Class;
use crate::position::Position;
use crate::rules::{BoardSize, Color, Point, Rule};
use crate::search::{Limits, Searcher};
use crate::threats::{Outlook, outlook};
use fastrand::Rng;

/// The fewest and the most stones of an opening.
const STONES: std::ops::RangeInclusive<usize> = 2..=9;

/// How far from an earlier stone a stone is thrown, at most.
const REACH: usize = 3;

/// How far from the border the first stone stands, at least.
const BORDER: usize = 2;

/// A score beyond this is not balanced.
const BALANCE: i32 = 150;

/// A balanced position with nothing decided, drawn by `rng`. Most throws are
/// rejected; each costs a search of `nodes`.
pub fn draw(
    rng: &mut Rng,
    rule: Rule,
    size: BoardSize,
    nodes: u64,
    searcher: &mut Searcher,
) -> Position {
    loop {
        let mut position = throw(rng, rule, size);
        if !is_calm(&mut position) {
            continue;
        }
        let limits = Limits {
            nodes,
            ..Limits::default()
        };
        let score = searcher.search(&position, &limits, &mut ()).score;
        if score.units().abs() <= BALANCE {
            return position;
        }
    }
}

/// Stones near each other, wherever the rule allows them.
fn throw(rng: &mut Rng, rule: Rule, size: BoardSize) -> Position {
    let mut position = Position::new(rule, size);
    let stones = rng.usize(STONES).min(size.points() / 4);
    let mut placed: Vec<Point> = Vec::with_capacity(stones);
    while placed.len() < stones {
        let point = match placed.len() {
            0 => first(rng, size),
            count => {
                let neighbour = placed[rng.usize(..count)];
                near(rng, size, neighbour)
            }
        };
        if let Some(point) = point
            && position.is_legal(point)
        {
            position.play(point);
            placed.push(point);
        }
    }
    position
}

/// Where the first stone stands: anywhere, but rather towards the middle.
fn first(rng: &mut Rng, size: BoardSize) -> Option<Point> {
    let border = BORDER.min((size.width().min(size.height()) - 1) / 2);
    let along = |rng: &mut Rng, side: usize| {
        let range = border..side - border;
        (rng.usize(range.clone()) + rng.usize(range)) / 2
    };
    size.point(along(rng, size.width()), along(rng, size.height()))
}

fn near(rng: &mut Rng, size: BoardSize, point: Point) -> Option<Point> {
    let reach = if rng.u8(..4) == 0 { REACH } else { REACH - 1 };
    let x = (point.x() + rng.usize(0..=2 * reach)).checked_sub(reach)?;
    let y = (point.y() + rng.usize(0..=2 * reach)).checked_sub(reach)?;
    size.point(x, y)
}

/// Whether nobody has anything to attack with yet.
fn is_calm(position: &mut Position) -> bool {
    let is_harmless = |color: Color| {
        let counts = position.counts(color);
        !counts.any_from(Class::DoubleThree)
    };
    Color::ALL.into_iter().all(is_harmless) && outlook(position) == Outlook::Open
}
