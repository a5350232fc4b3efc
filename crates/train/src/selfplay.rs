//! A game of the engine against itself, made from a seed and a number.

use super::record::{SearchedPly, SelfplayGame, TreePosition};
use super::tree::TreeSampler;
use fastrand::Rng;
use quincunx_engine::engine::openings::{NoOpening, OpeningSettings};
use quincunx_engine::eval::{Classical, ClassicalWeights, WeightSet};
use quincunx_engine::position::Position;
use quincunx_engine::rules::{BoardSize, Point, Rule};
use quincunx_engine::search::{Limits, Line, Searcher, TranspositionTable};
use quincunx_engine::splitmix;
use quincunx_engine::threats::{ThreatStatus, threat_status};
use std::num::NonZeroU8;
use std::sync::Arc;

/// The size of the transposition table. It is small, so that clearing it between
/// games is cheap.
const TABLE_BYTES: usize = 1 << 20;

/// A move is sampled from the moves with the highest move scores, by a softmax of
/// this temperature in units of move score.
const SAMPLED_MOVES: usize = 8;
const SAMPLED_TEMPERATURE: f64 = 40.0;

/// In positions with a larger score no move is sampled, because it would make the result
/// less reliable as a target.
const SAMPLED_SCORE: i32 = 200;

/// A game with this many stones is drawn when the score has been this small for
/// this many plies.
const DRAWN_STONES: usize = 100;
const DRAWN_SCORE: i16 = 10;
const DRAWN_PLIES: usize = 8;

/// A game with this few empty points is drawn.
const DRAWN_EMPTY: usize = 25;

/// How self-play games are played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SelfplayOptions {
    /// The rule.
    pub rule: Rule,
    /// The boards, used in turn.
    pub sizes: Vec<BoardSize>,
    /// Nodes per move, from one to [`MAX_NODES`](SelfplayOptions::MAX_NODES). Each move gets
    /// between three quarters of them and one and a half times as many.
    pub nodes: u32,
    /// The plies after the opening in which a move may be sampled instead of played as
    /// searched.
    pub sampled_plies: usize,
    /// One move in this many is sampled in these plies.
    pub sampled_one_in: NonZeroU8,
    /// The number of positions of each search tree that are searched on their own.
    pub tree_positions: usize,
    /// Nodes for each of these positions, from one to
    /// [`MAX_NODES`](SelfplayOptions::MAX_NODES).
    pub tree_nodes: u32,
    /// The seed of all games.
    pub seed: u64,
}

impl SelfplayOptions {
    /// The maximum nodes per move. Three times as many still fit in 32 bits.
    pub const MAX_NODES: u32 = 1_000_000_000;

    /// The usual number of plies in which moves are sampled.
    pub const SAMPLED_PLIES: u16 = 12;

    /// How often a move is usually sampled: one in this many.
    pub const SAMPLED_ONE_IN: NonZeroU8 = NonZeroU8::new(6).unwrap();

    /// The usual number of nodes for a position of a search tree.
    pub const TREE_NODES: u32 = 800;

    /// Returns the options of games with this many nodes per move, the usual sampling, and no
    /// positions of search trees.
    pub fn new(rule: Rule, sizes: Vec<BoardSize>, nodes: u32, seed: u64) -> SelfplayOptions {
        SelfplayOptions {
            rule,
            sizes,
            nodes,
            sampled_plies: SelfplayOptions::SAMPLED_PLIES.into(),
            sampled_one_in: SelfplayOptions::SAMPLED_ONE_IN,
            tree_positions: 0,
            tree_nodes: SelfplayOptions::TREE_NODES,
            seed,
        }
    }

    /// Returns the first of the boards that are too small. An opening may leave so few empty
    /// points there that the game is drawn before the first search.
    pub(super) fn too_small(&self) -> Option<BoardSize> {
        let is_small = |size: &BoardSize| {
            let openings = OpeningSettings::self_play(self.rule, *size, self.nodes.into());
            let stones = OpeningSettings::most_stones(*size).min(*openings.stones.end());
            size.points() - stones <= DRAWN_EMPTY
        };
        self.sizes.iter().copied().find(is_small)
    }

    /// Returns the board of the game with this number.
    pub fn size(&self, number: u32) -> BoardSize {
        self.sizes[number as usize % self.sizes.len()]
    }
}

/// Plays self-play games. Each thread has a generator of its own.
pub struct GameGenerator {
    options: SelfplayOptions,
    weights: Arc<WeightSet>,
    table: Arc<TranspositionTable>,
    searcher: Searcher,
    /// Plays the games that positions of search trees are drawn from.
    tree: Option<TreeSampler>,
}

impl GameGenerator {
    /// Creates a generator that searches with these weights.
    pub fn new(options: SelfplayOptions, weights: Arc<WeightSet>) -> GameGenerator {
        let table = Arc::new(TranspositionTable::new(TABLE_BYTES));
        let (positions, rule) = (options.tree_positions, options.rule);
        let tree =
            (positions > 0).then(|| TreeSampler::new(positions, rule, &weights, TABLE_BYTES));
        GameGenerator {
            options,
            searcher: Searcher::new(Arc::clone(&table), Arc::clone(&weights)),
            weights,
            table,
            tree,
        }
    }

    /// Plays the game with this number. The game does not depend on the games before
    /// it.
    ///
    /// A game ends when the search has proved a win or a loss, because there is nothing to
    /// learn from the moves after that.
    ///
    /// # Errors
    /// Returns an error if no balanced opening can be found.
    pub fn play(&mut self, number: u32) -> Result<SelfplayGame, NoOpening> {
        let SelfplayOptions {
            rule, nodes, seed, ..
        } = self.options;
        let mut rng = Rng::with_seed(super::part_seed(seed, number));
        let size = self.options.size(number);
        self.forget();
        if let Some(tree) = &mut self.tree {
            tree.begin(splitmix::mix(super::part_seed(seed, number)));
        }
        let openings = OpeningSettings::self_play(rule, size, u64::from(nodes));
        let mut position = openings.make(&mut rng, &mut self.searcher)?.position;
        let mut game = SelfplayGame {
            seed,
            number,
            nodes,
            size,
            winner: None,
            opening: position.moves().map(|(_, point)| point).collect(),
            plies: Vec::new(),
            tree: Vec::new(),
        };
        while !is_drawn(&position, &game) {
            let limits = Limits {
                nodes: u64::from(rng.u32(nodes * 3 / 4..=nodes * 3 / 2)),
                ..Limits::default()
            };
            let outcome = self.search(&position, &limits);
            let Some(best) = outcome.best() else {
                break;
            };
            self.add_tree(&position, &mut game);
            let units = outcome.score.units();
            let sampled = if game.plies.len() < self.options.sampled_plies
                && units.abs() <= SAMPLED_SCORE
                && rng.u8(..self.options.sampled_one_in.get()) == 0
            {
                sample(&mut rng, &self.weights.of(rule).classical, &mut position)
            } else {
                None
            };
            game.plies.push(SearchedPly {
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
        Ok(game)
    }

    /// Forgets earlier searches, except those of the tree sampler.
    fn forget(&mut self) {
        self.table.clear();
        self.searcher.forget();
    }

    /// Searches a position of the game.
    fn search(&mut self, position: &Position, limits: &Limits) -> Line {
        match &mut self.tree {
            Some(tree) => tree.search(position, limits),
            None => self.searcher.search(position, limits, &mut ()),
        }
    }

    /// Searches positions of the tree of the last search, which was of `root`, and adds them
    /// to the game.
    fn add_tree(&mut self, root: &Position, game: &mut SelfplayGame) {
        let limits = Limits {
            nodes: self.options.tree_nodes.into(),
            ..Limits::default()
        };
        let lines = self.tree.as_ref().map(TreeSampler::lines);
        for line in lines.into_iter().flatten() {
            let mut position = root.clone();
            line.iter().for_each(|&point| position.play(point));
            self.forget();
            let outcome = self.searcher.search(&position, &limits, &mut ());
            game.tree.extend(outcome.best().map(|best| TreePosition {
                ply: game.plies.len(),
                line,
                best,
                score: outcome.score.units() as i16,
            }));
        }
    }
}

fn is_drawn(position: &Position, game: &SelfplayGame) -> bool {
    let stones = position.size().points() - position.empty_points();
    let level = |ply: &SearchedPly| ply.score.abs() <= DRAWN_SCORE;
    position.empty_points() <= DRAWN_EMPTY
        || (stones >= DRAWN_STONES
            && game.plies.len() >= DRAWN_PLIES
            && game.plies.iter().rev().take(DRAWN_PLIES).all(level))
}

/// Samples one of the moves with the highest move scores, unless a threat forces
/// one.
fn sample(
    rng: &mut Rng,
    weights: &Arc<ClassicalWeights>,
    position: &mut Position,
) -> Option<Point> {
    if threat_status(position) != ThreatStatus::Quiet {
        return None;
    }
    let evaluator = Classical::new(weights, position);
    let points = candidates(position);
    let scores = evaluator.moves(position);
    let mut moves: Vec<(i32, Point)> = (points.into_iter())
        .map(|point| (scores.of(point).units(), point))
        .collect();
    moves.sort_by_key(|&(score, point)| (-score, point));
    moves.truncate(SAMPLED_MOVES);
    let top = moves.first()?.0;
    let weight = |score: i32| (f64::from(score - top) / SAMPLED_TEMPERATURE).exp();
    let total: f64 = moves.iter().map(|&(score, _)| weight(score)).sum();
    let mut rest = rng.f64() * total;
    moves.into_iter().find_map(|(score, point)| {
        rest -= weight(score);
        (rest <= 0.0).then_some(point)
    })
}

/// Returns the legal moves near the stones.
pub(super) fn candidates(position: &mut Position) -> Vec<Point> {
    let near = position.empty_near_stones();
    near.iter()
        .filter(|&point| position.forbidden(point).is_none())
        .collect()
}
