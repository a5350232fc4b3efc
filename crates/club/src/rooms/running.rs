//! Rated games in progress: no board of the server analyses their positions.

use super::room::{Room, Stage};
use quincunx_engine::position::Position;
use quincunx_engine::rules::{Color, Point};
use std::sync::Arc;

/// The minimum stones of a position whose analysis is refused: openings, which are shorter, are
/// open to study.
const LEAST_STONES: usize = 10;

/// The number of stones of a game that permits a second missing one.
const MANY_STONES: usize = 20;

/// The side of the table in which stones are looked up. A board of 22 fits at every place to which
/// a game can be moved, with nothing around it.
const SIDE: usize = 64;

/// The offset of a position in the table.
const MARGIN: i32 = 21;

/// The rated games in progress.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RunningGames(Vec<Arc<Stones>>);

/// The stones of a game, by colour.
pub(super) type Stones = [Vec<(i32, i32)>; 2];

impl RunningGames {
    /// Games with these stones.
    pub(super) fn of(games: impl Iterator<Item = Arc<Stones>>) -> RunningGames {
        RunningGames(games.collect())
    }

    /// The stones of a room with a rated game in progress that has left the opening.
    pub(super) fn stones_of(room: &Room) -> Option<Arc<Stones>> {
        let is_played = room.stage() == Stage::Playing && room.setup().rated;
        let is_one = is_played && room.game().ply() >= LEAST_STONES;
        is_one.then(|| Arc::new(stones(room.game().moves())))
    }

    /// Returns true if a position is that of such a game or comes after it. The board may be
    /// turned, mirrored, moved, of another size or with the colours exchanged, the rule may be
    /// another, and of the game's stones one may be missing, or two of twenty.
    pub fn have(&self, position: &Position) -> bool {
        // Stones may have been set up.
        let points = position.occupied().iter();
        let placed = stones(points.filter_map(|point| Some((position.stone(point)?, point))));
        let count = placed[0].len() + placed[1].len();
        if count < LEAST_STONES || self.0.is_empty() {
            return false;
        }
        let placed = Placed::new(placed);
        self.0.iter().any(|game| placed.contains(game))
    }
}

fn stones(moves: impl Iterator<Item = (Color, Point)>) -> Stones {
    let mut stones = Stones::default();
    for (color, point) in moves {
        let side = usize::from(color == Color::White);
        stones[side].push((point.x() as i32, point.y() as i32));
    }
    stones
}

/// The stones of a position, as lists and as a table.
struct Placed {
    stones: Stones,
    /// One and two for the stones of black and white, zero elsewhere.
    table: Box<[u8]>,
}

impl Placed {
    fn new(stones: Stones) -> Placed {
        let mut table = vec![0; SIDE * SIDE].into_boxed_slice();
        for (side, value) in stones.iter().zip(1..) {
            for &(x, y) in side {
                table[index(x, y)] = value;
            }
        }
        Placed { stones, table }
    }

    /// Returns true if the stones of a game are here, at any place.
    fn contains(&self, game: &Stones) -> bool {
        let count = game[0].len() + game[1].len();
        let missing = 1 + usize::from(count >= MANY_STONES);
        [false, true].into_iter().any(|exchanged| {
            let placed = |side: usize| side ^ usize::from(exchanged);
            let lacks = |side: usize| {
                game[side]
                    .len()
                    .saturating_sub(self.stones[placed(side)].len())
            };
            lacks(0) + lacks(1) <= missing
                && (0..8).any(|symmetry| self.contains_turned(game, symmetry, exchanged, missing))
        })
    }

    fn contains_turned(
        &self,
        game: &Stones,
        symmetry: u8,
        exchanged: bool,
        missing: usize,
    ) -> bool {
        let sides = game.iter().enumerate();
        let turned: Vec<(usize, (i32, i32))> = sides
            .flat_map(|(side, stones)| {
                let side = side ^ usize::from(exchanged);
                stones
                    .iter()
                    .map(move |&stone| (side, turn(stone, symmetry)))
            })
            .collect();
        // One of so many stones is not missing, and lies on a stone of its colour.
        turned.iter().take(missing + 1).any(|&(side, (x, y))| {
            self.stones[side].iter().any(|&(to_x, to_y)| {
                let (dx, dy) = (to_x - x, to_y - y);
                let is_absent = |&&(side, (x, y)): &&(usize, (i32, i32))| {
                    self.at(x + dx, y + dy) != side as u8 + 1
                };
                turned.iter().filter(is_absent).nth(missing).is_none()
            })
        })
    }

    fn at(&self, x: i32, y: i32) -> u8 {
        let is_inside = |it: i32| (-MARGIN..=2 * MARGIN).contains(&it);
        if is_inside(x) && is_inside(y) {
            self.table[index(x, y)]
        } else {
            0
        }
    }
}

fn index(x: i32, y: i32) -> usize {
    ((y + MARGIN) as usize) * SIDE + (x + MARGIN) as usize
}

/// A point turned or mirrored around the origin.
fn turn((x, y): (i32, i32), symmetry: u8) -> (i32, i32) {
    let (x, y) = if symmetry & 1 == 0 { (x, y) } else { (y, x) };
    let x = if symmetry & 2 == 0 { x } else { -x };
    let y = if symmetry & 4 == 0 { y } else { -y };
    (x, y)
}
