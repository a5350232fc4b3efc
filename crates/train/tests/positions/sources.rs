//! Where positions come from: games of the engine against itself, and stones
//! thrown close together.

use fastrand::Rng;
use quincunx_engine::pattern::Class;
use quincunx_engine::position::Position;
use quincunx_engine::rules::{BoardSize, Color, Point, Rule};
use quincunx_train::selfplay::{GameGenerator, SelfplayOptions};
use std::ops::RangeInclusive;
use std::sync::Arc;

/// How games are played: weakly, so that wins are missed.
pub(crate) struct Games {
    pub(crate) rule: Rule,
    pub(crate) size: BoardSize,
    pub(crate) nodes: u32,
    pub(crate) seed: u64,
}

impl Games {
    /// Games without end, every position of each.
    pub(crate) fn positions(self) -> impl Iterator<Item = Vec<Position>> {
        let Games { rule, size, .. } = self;
        let settings = SelfplayOptions::new(rule, vec![size], self.nodes, self.seed);
        let mut player = GameGenerator::new(settings, Arc::default());
        (0..).map(move |number| {
            let game = player.play(number).expect("an opening");
            let plies = game.plies.iter().map(|ply| ply.played);
            let mut position = Position::new(rule, size);
            let mut positions = vec![position.clone()];
            for point in game.opening.iter().copied().chain(plies) {
                position.play(point);
                positions.push(position.clone());
            }
            positions
        })
    }
}

/// The last positions of games of the engine under every rule, so many of each game,
/// the last position of a game first.
pub(crate) fn ends_of_games(
    seed: u64,
    games: usize,
    positions: usize,
) -> impl Iterator<Item = Position> {
    Rule::ALL.into_iter().flat_map(move |rule| {
        let games_of_rule = Games {
            rule,
            size: BoardSize::default(),
            nodes: 100,
            seed,
        };
        let ends = games_of_rule.positions().take(games);
        ends.flat_map(move |game| game.into_iter().rev().take(positions))
    })
}

/// Random boards of every rule, squares with sides of such lengths.
pub(crate) fn random_boards(
    seed: u64,
    count: usize,
    sides: RangeInclusive<usize>,
) -> impl Iterator<Item = Position> {
    let mut rng = Rng::with_seed(seed);
    (0..count).map(move |number| {
        let rule = Rule::ALL[number % Rule::ALL.len()];
        let size = BoardSize::square(rng.usize(sides.clone())).expect("a size");
        crowded(&mut rng, rule, size)
    })
}

/// Stones of both colours, none of which wins, thrown into one part of a square
/// board. More of them are black: fouls abound.
pub(crate) fn crowded(rng: &mut Rng, rule: Rule, size: BoardSize) -> Position {
    let mut position = Position::new(rule, size);
    let reach = rng.usize(6..=11).min(size.width());
    let corner = [(); 2].map(|()| rng.usize(0..=size.width() - reach));
    for _ in 0..rng.usize(10..=reach * reach / 2) {
        let [x, y] = corner.map(|from| from + rng.usize(..reach));
        let point = Point::new(x, y);
        let color = if rng.u8(..5) < 3 {
            Color::Black
        } else {
            Color::White
        };
        if position.is_empty(point) && position.class(color, point) != Class::Five {
            position.place(color, point);
        }
    }
    position
}

/// The position as the command line reads it: `SIZE RULE MOVES`.
pub(crate) fn line(position: &Position) -> String {
    format!(
        "{} {} {}",
        position.size(),
        position.rule(),
        position.move_text()
    )
}
