//! One game of the engine against itself, from a seed and a number.

use super::openings;
use super::record::{Game, Ply};
use crate::eval::Classical;
use crate::position::Position;
use crate::rules::{BoardSize, Color, Point, Rule};
use crate::search::{Limits, Searcher, Table};
use crate::threats::{Outlook, outlook};
use fastrand::Rng;
use std::sync::Arc;

/// Memory of the searches of one game: small, so that forgetting it between
/// games costs nothing.
const TABLE_BYTES: usize = 1 << 20;

/// In so many plies after the opening a move may be drawn by lot, each time
/// with a chance of one in [`SAMPLED_ONE_IN`].
const SAMPLED_PLIES: usize = 12;
const SAMPLED_ONE_IN: u8 = 6;

/// Moves drawn by lot are among so many that look best before any search, each
/// this many units less likely by a factor of e.
const SAMPLED_CHOICE: usize = 8;
const SAMPLED_SPREAD: f64 = 40.0;

/// A position with a larger score gets no move by lot: it would only blur who
/// deserved to win.
const SAMPLED_SCORE: i32 = 200;

/// A game with so many stones in which the score stays so small for so many
/// plies is drawn, and so is one with only so many empty points left.
const DRAWN_STONES: usize = 100;
const DRAWN_SCORE: i16 = 10;
const DRAWN_PLIES: usize = 8;
const DRAWN_EMPTY: usize = 25;

/// How games are played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    /// The rule.
    pub rule: Rule,
    /// The boards, in turn.
    pub sizes: Vec<BoardSize>,
    /// Nodes a move; each move gets between three quarters and one and a half
    /// times as many.
    pub nodes: u32,
    /// The seed of all games together.
    pub seed: u64,
}

/// Plays games; one for each thread.
pub struct Player {
    settings: Settings,
    table: Arc<Table>,
    searcher: Searcher,
}

impl Player {
    /// A player of games with these settings.
    pub fn new(settings: Settings) -> Player {
        let table = Arc::new(Table::new(TABLE_BYTES));
        Player {
            settings,
            searcher: Searcher::new(Arc::clone(&table)),
            table,
        }
    }

    /// Plays game `number`, the same game whoever played before.
    ///
    /// A game ends where the search proves a win or a loss: what comes after
    /// has nothing to teach.
    pub fn play(&mut self, number: u32) -> Game {
        let Settings {
            rule, nodes, seed, ..
        } = self.settings;
        let mut rng = Rng::with_seed(mix(seed, number));
        let size = self.settings.sizes[number as usize % self.settings.sizes.len()];
        self.table.clear();
        self.searcher.forget();
        let mut position =
            openings::draw(&mut rng, rule, size, u64::from(nodes), &mut self.searcher);
        let mut game = Game {
            seed,
            number,
            nodes,
            size,
            winner: None,
            opening: position.moves().map(|(_, point)| point).collect(),
            plies: Vec::new(),
        };
        while !is_drawn(&position, &game) {
            let limits = Limits {
                nodes: u64::from(rng.u32(nodes * 3 / 4..=nodes * 3 / 2)),
                ..Limits::default()
            };
            let outcome = self.searcher.search(&position, &limits, &mut ());
            let Some(best) = outcome.best else {
                break;
            };
            let units = outcome.score.units();
            let sampled = if game.plies.len() < SAMPLED_PLIES
                && units.abs() <= SAMPLED_SCORE
                && rng.u8(..SAMPLED_ONE_IN) == 0
            {
                sample(&mut rng, &mut position)
            } else {
                None
            };
            game.plies.push(Ply {
                played: sampled.unwrap_or(best),
                best,
                score: units as i16,
                sampled: sampled.is_some(),
            });
            if outcome.score.is_decided() {
                let side = position.side();
                game.winner = Some(if outcome.score.is_win() {
                    side
                } else {
                    side.opponent()
                });
                break;
            }
            position.play(sampled.unwrap_or(best));
        }
        game
    }
}

/// A seed for one game: neighbours have nothing in common.
fn mix(seed: u64, number: u32) -> u64 {
    let mut bits = seed ^ (u64::from(number) + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    bits = (bits ^ bits >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    bits = (bits ^ bits >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
    bits ^ bits >> 31
}

fn is_drawn(position: &Position, game: &Game) -> bool {
    let stones = position.size().points() - position.empty_points();
    let level = |ply: &Ply| ply.score.abs() <= DRAWN_SCORE;
    position.empty_points() <= DRAWN_EMPTY
        || (stones >= DRAWN_STONES
            && game.plies.len() >= DRAWN_PLIES
            && game.plies.iter().rev().take(DRAWN_PLIES).all(level))
}

/// A move drawn by lot among those that look best, if nothing forces one.
fn sample(rng: &mut Rng, position: &mut Position) -> Option<Point> {
    if outlook(position) != Outlook::Open {
        return None;
    }
    let evaluator = Classical::new(position);
    let points = candidates(position);
    let scores = evaluator.moves(position);
    let mut moves: Vec<(i32, Point)> = (points.into_iter())
        .map(|point| (scores.of(point), point))
        .collect();
    moves.sort_by_key(|&(score, point)| (-score, point));
    moves.truncate(SAMPLED_CHOICE);
    let top = moves.first()?.0;
    let weight = |score: i32| (f64::from(score - top) / SAMPLED_SPREAD).exp();
    let total: f64 = moves.iter().map(|&(score, _)| weight(score)).sum();
    let mut rest = rng.f64() * total;
    moves.into_iter().find_map(|(score, point)| {
        rest -= weight(score);
        (rest <= 0.0).then_some(point)
    })
}

/// The legal moves near the stones.
pub(super) fn candidates(position: &mut Position) -> Vec<Point> {
    let occupied = position.occupied();
    let near = occupied
        .surroundings()
        .intersection(position.board())
        .difference(occupied);
    let black = position.side() == Color::Black;
    near.iter()
        .filter(|&point| !black || position.forbidden(point).is_none())
        .collect()
}
