//! Rated games that are being played: no board of the server analyses them.

use super::room::{LEAST_STONES, Room, Stage};
use quincunx_engine::position::Position;
use quincunx_engine::rules::{BoardSize, Color, Point, Rule, Symmetry};

/// The rated games of people that are being played.
#[derive(Clone, Debug, Default)]
pub struct RunningGames(Vec<RunningGame>);

#[derive(Clone, Debug)]
struct RunningGame {
    rule: Rule,
    size: BoardSize,
    stones: Vec<(Color, Point)>,
}

impl RunningGames {
    /// The rated games among those of some rooms. What all games begin with is not worth
    /// hiding.
    pub(super) fn of<'r>(rooms: impl Iterator<Item = &'r Room>) -> RunningGames {
        let is_one = |room: &&Room| {
            let is_played = room.stage() == Stage::Playing && room.setup().rated;
            is_played && room.game().ply() >= LEAST_STONES
        };
        let game = |room: &Room| RunningGame {
            rule: room.setup().rule,
            size: room.setup().size,
            stones: room.game().moves().collect(),
        };
        RunningGames(rooms.filter(is_one).map(game).collect())
    }

    /// Whether a position is that of such a game, or comes after it, on a board that may be
    /// turned or mirrored.
    pub fn have(&self, position: &Position) -> bool {
        self.0.iter().any(|game| game.leads_to(position))
    }
}

impl RunningGame {
    fn leads_to(&self, position: &Position) -> bool {
        let size = self.size;
        let is_there = |symmetry: Symmetry| {
            let mut stones = self.stones.iter();
            stones
                .all(|(color, point)| position.stone(symmetry.apply(size, *point)) == Some(*color))
        };
        (position.rule(), position.size()) == (self.rule, size) && size.symmetries().any(is_there)
    }
}
