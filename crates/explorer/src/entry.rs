//! A move from a position, and how often it was played.

use quincunx_engine::game::GameResult;
use quincunx_engine::rules::{Color, Point};
use std::ops::AddAssign;

/// The result of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GameOutcome {
    /// A player has won.
    Won(Color),
    /// The game was drawn.
    Drawn,
    /// The result is not known.
    Unknown,
}

impl From<Option<GameResult>> for GameOutcome {
    fn from(result: Option<GameResult>) -> GameOutcome {
        match result.map(|result| result.winner) {
            Some(Some(winner)) => GameOutcome::Won(winner),
            Some(None) => GameOutcome::Drawn,
            None => GameOutcome::Unknown,
        }
    }
}

/// Games by how they ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// The games that black won.
    pub black: u32,
    /// The games that white won.
    pub white: u32,
    /// The draws.
    pub draws: u32,
    /// The games whose result is not known.
    pub unknown: u32,
}

impl Tally {
    /// Counts one game.
    pub fn of(ending: GameOutcome) -> Tally {
        let mut tally = Tally::default();
        match ending {
            GameOutcome::Won(Color::Black) => tally.black = 1,
            GameOutcome::Won(Color::White) => tally.white = 1,
            GameOutcome::Drawn => tally.draws = 1,
            GameOutcome::Unknown => tally.unknown = 1,
        }
        tally
    }

    /// The number of all games.
    pub fn games(&self) -> u64 {
        let counts = [self.black, self.white, self.draws, self.unknown];
        counts.into_iter().map(u64::from).sum()
    }

    /// The share of points of a player in the games whose result is known, where a draw is
    /// half a point.
    pub fn score(&self, color: Color) -> Option<f64> {
        let won = [self.black, self.white][color.index()];
        let known = self.games() - u64::from(self.unknown);
        (known > 0).then(|| (f64::from(won) + f64::from(self.draws) / 2.0) / known as f64)
    }
}

impl AddAssign for Tally {
    fn add_assign(&mut self, other: Tally) {
        self.black = self.black.saturating_add(other.black);
        self.white = self.white.saturating_add(other.white);
        self.draws = self.draws.saturating_add(other.draws);
        self.unknown = self.unknown.saturating_add(other.unknown);
    }
}

/// A move from a position in the form of the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Entry {
    /// The canonical key of the position.
    pub(crate) key: u64,
    /// The move's point in the image with that key.
    pub(crate) point: Point,
    pub(crate) tally: Tally,
}

impl Entry {
    /// The length of an entry in bytes.
    pub(crate) const BYTES: usize = 26;

    #[cfg(feature = "build")]
    pub(crate) fn to_bytes(self) -> [u8; Entry::BYTES] {
        let mut bytes = [0; Entry::BYTES];
        bytes[..8].copy_from_slice(&self.key.to_le_bytes());
        bytes[8..10].copy_from_slice(&pack(self.point).to_le_bytes());
        let Tally {
            black,
            white,
            draws,
            unknown,
        } = self.tally;
        let counts = [black, white, draws, unknown];
        for (place, count) in bytes[10..].chunks_exact_mut(4).zip(counts) {
            place.copy_from_slice(&count.to_le_bytes());
        }
        bytes
    }

    /// Reads an entry. Bytes beyond it are ignored, and missing ones count as zero.
    pub(crate) fn from_bytes(bytes: &[u8]) -> Entry {
        let number = |from: usize, length: usize| {
            let bytes = bytes.iter().skip(from).take(length);
            let numbers = bytes.zip(0..);
            numbers.fold(0, |sum, (&byte, place)| {
                sum | u64::from(byte) << (8 * place)
            })
        };
        let count = |from| number(from, 4) as u32;
        Entry {
            key: number(0, 8),
            point: unpack(number(8, 2) as u16),
            tally: Tally {
                black: count(10),
                white: count(14),
                draws: count(18),
                unknown: count(22),
            },
        }
    }

    /// The sort key of entries.
    #[cfg(feature = "build")]
    pub(crate) fn order(&self) -> (u64, u16) {
        (self.key, pack(self.point))
    }
}

#[cfg(feature = "build")]
fn pack(point: Point) -> u16 {
    (point.x() + 32 * point.y()) as u16
}

/// Unpacks a point. One that no board has is [`Point::NONE`].
fn unpack(packed: u16) -> Point {
    let (x, y) = (usize::from(packed) % 32, usize::from(packed) / 32);
    let side = quincunx_engine::rules::MAX_SIDE;
    match x < side && y < side {
        true => Point::new(x, y),
        false => Point::NONE,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_round_trip() {
        let entry = Entry {
            key: 0x0123_4567_89ab_cdef,
            point: Point::new(21, 3),
            tally: Tally {
                black: 1,
                white: u32::MAX,
                draws: 70_000,
                unknown: 4,
            },
        };
        assert_eq!(Entry::from_bytes(&entry.to_bytes()), entry);
    }

    #[test]
    fn a_draw_is_half_a_point() {
        let mut tally = Tally::default();
        assert_eq!(tally.score(Color::Black), None);
        for ending in [
            GameOutcome::Won(Color::Black),
            GameOutcome::Won(Color::Black),
            GameOutcome::Won(Color::White),
            GameOutcome::Drawn,
            GameOutcome::Unknown,
        ] {
            tally += Tally::of(ending);
        }
        assert_eq!(tally.games(), 5);
        assert_eq!(tally.score(Color::Black), Some(0.625));
        assert_eq!(tally.score(Color::White), Some(0.375));
    }
}
