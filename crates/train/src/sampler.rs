//! Games turned into samples: one for each position that the evaluation could be
//! asked about.

use super::dataset::{Dataset, PolicySamples, ValueSamples};
use super::layout::ParameterLayout;
use super::record::{SearchedPly, SelfplayGame, TreePosition};
use super::selfplay::candidates;
use quincunx_engine::eval::{distance_bucket, threat_set};
use quincunx_engine::pattern::{CLASS_PAIRS, CODES, ClassPair, Code};
use quincunx_engine::position::{PointState, Position};
use quincunx_engine::rules::{Color, Point, Rule};
use quincunx_engine::threats::{ThreatStatus, defences, threat_status};

/// Positions with larger scores are left out: they are as good as decided.
pub(super) const SCORE_LIMIT: u16 = 2_000;

/// A move of a game hits a stone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("move {number}: {point} is occupied")]
pub struct OccupiedError {
    /// The number of the move, from one.
    pub number: usize,
    /// The point.
    pub point: Point,
}

/// Extracts the samples of games. Its buffers are reused from game to game.
pub struct Sampler {
    rule: Rule,
    layout: ParameterLayout,
    counts: FeatureCounts,
}

/// How often each code and each pair is on the board, by colour.
struct FeatureCounts {
    codes: [Vec<i16>; 2],
    pairs: [Vec<i16>; 2],
}

impl Sampler {
    /// Creates a sampler for games of `rule`.
    pub fn new(rule: Rule) -> Sampler {
        Sampler {
            rule,
            layout: ParameterLayout::of(rule),
            counts: FeatureCounts {
                codes: [vec![0; CODES], vec![0; CODES]],
                pairs: [vec![0; CLASS_PAIRS], vec![0; CLASS_PAIRS]],
            },
        }
    }

    /// Adds the samples of `game`.
    ///
    /// # Errors
    /// Returns an error if a move of the game hits a stone.
    pub fn add(&mut self, game: &SelfplayGame, dataset: &mut Dataset) -> Result<(), OccupiedError> {
        let mut position = Position::new(self.rule, game.size);
        self.counts.reset(&position);
        for &point in &game.opening {
            self.play(&mut position, point)?;
        }
        let is_off_policy = |ply: &SearchedPly| ply.sampled && ply.played != ply.best;
        let last_off_policy = game.plies.iter().rposition(is_off_policy);
        let mut tree = game.tree.iter().peekable();
        for (index, ply) in game.plies.iter().enumerate() {
            let status = threat_status(&mut position);
            let decided = ply.score.unsigned_abs() > SCORE_LIMIT;
            if status == ThreatStatus::Quiet && !decided {
                self.add_value(&position, game.winner, ply.score, &mut dataset.values);
                let on_policy = last_off_policy.is_none_or(|last| last < index);
                dataset.values.on_policy.push(on_policy);
            }
            // The moves of winners are the better policy.
            if game.winner == Some(position.side()) {
                self.add_moves(&mut position, status, ply.best, &mut dataset.policy);
            }
            while let Some(found) = tree.next_if(|found| found.ply == index) {
                self.add_tree_moves(&mut position, found, &mut dataset.policy)?;
            }
            self.play(&mut position, ply.played)?;
        }
        dataset.games += 1;
        Ok(())
    }

    fn play(&mut self, position: &mut Position, point: Point) -> Result<(), OccupiedError> {
        check_empty(position, point)?;
        position.play(point);
        for change in position.last_changes() {
            self.counts.add(&change.old, -1);
            self.counts.add(&change.new, 1);
        }
        Ok(())
    }

    fn add_value(
        &self,
        position: &Position,
        winner: Option<Color>,
        score: i16,
        samples: &mut ValueSamples,
    ) {
        let side = position.side();
        self.counts
            .features(self.layout, side, &mut samples.features);
        samples.ends.push(samples.features.len());
        samples.sides.push(side);
        samples.threats.push(threat_set(position) as u16);
        let stones = position.size().points() - position.empty_points();
        samples.stones.push(stones as u16);
        samples.scores.push(score);
        samples.results.push(game_result(winner, side));
    }

    /// Adds the moves of a position of the tree of a search of `root`, unless the side to
    /// move stands worse there: any move may do then.
    fn add_tree_moves(
        &self,
        root: &mut Position,
        found: &TreePosition,
        samples: &mut PolicySamples,
    ) -> Result<(), OccupiedError> {
        if found.score < 0 {
            return Ok(());
        }
        let before = root.ply();
        let mut played = Ok(());
        for &point in &found.line {
            played = check_empty(root, point);
            if played.is_err() {
                break;
            }
            root.play(point);
        }
        if played.is_ok() {
            let status = threat_status(root);
            self.add_moves(root, status, found.best, samples);
        }
        while root.ply() > before {
            root.undo();
        }
        played
    }

    fn add_moves(
        &self,
        position: &mut Position,
        status: ThreatStatus,
        best: Point,
        samples: &mut PolicySamples,
    ) {
        let points = match status {
            ThreatStatus::Quiet => candidates(position),
            ThreatStatus::MustDefend => {
                let points = defences(position);
                let legal = |&point: &Point| position.forbidden(point).is_none();
                points.iter().filter(legal).collect()
            }
            _ => return,
        };
        if points.len() < 2 || !points.contains(&best) {
            return;
        }
        let side = position.side();
        let last = [1, 2].map(|back| position.recent(back));
        let mut push = |point| {
            let layout = self.layout;
            let state = position.state(point);
            let [own, theirs] = [side, side.opponent()].map(|color| state.codes[color.index()]);
            let distance =
                |whose| layout.distance(side, whose, distance_bucket(last[whose], point));
            let features = [
                layout.attack(side, own),
                layout.defence(side.opponent(), theirs),
                layout.attack_defence(side, state.pair_of(side)),
                distance(0),
                distance(1),
            ];
            samples.moves.push(features.map(|feature| feature as u16));
        };
        push(best);
        points.into_iter().filter(|&p| p != best).for_each(push);
        samples.ends.push(samples.moves.len());
    }
}

/// Returns an error if a move hits a stone.
pub(super) fn check_empty(position: &Position, point: Point) -> Result<(), OccupiedError> {
    if position.is_empty(point) {
        return Ok(());
    }
    let number = position.ply() + 1;
    Err(OccupiedError { number, point })
}

/// Returns the result of a game for a colour: 1 for a win, 0.5 for a draw.
pub(super) fn game_result(winner: Option<Color>, side: Color) -> f32 {
    match winner {
        Some(winner) if winner == side => 1.0,
        Some(_) => 0.0,
        None => 0.5,
    }
}

impl FeatureCounts {
    fn reset(&mut self, position: &Position) {
        for counts in self.codes.iter_mut().chain(&mut self.pairs) {
            counts.fill(0);
        }
        for point in position.size().iter() {
            self.add(&position.state(point), 1);
        }
    }

    /// Counts a point of this state `count` times more.
    #[inline]
    fn add(&mut self, state: &PointState, count: i16) {
        for color in Color::ALL {
            let index = color.index();
            self.codes[index][state.codes[index].index()] += count;
            self.pairs[index][state.pair_of(color).index()] += count;
        }
    }

    /// Appends the features of the board for `side` to move. The code of dead shapes
    /// is worth nothing by definition, and so is a pair with no class.
    fn features(&self, layout: ParameterLayout, side: Color, features: &mut Vec<(u16, i16)>) {
        let mut push = |embedding: usize, count: i16| {
            if count != 0 {
                features.push((embedding as u16, count));
            }
        };
        let sides = [(side, 0), (side.opponent(), layout.embeddings())];
        for code in Code::all().skip(1) {
            for (color, first) in sides {
                let count = self.codes[color.index()][code.index()];
                push(first + layout.code_embedding(color, code), count);
            }
        }
        for pair in ClassPair::informative() {
            for (color, first) in sides {
                let count = self.pairs[color.index()][pair.index()];
                push(first + layout.pair_embedding(color, pair), count);
            }
        }
    }
}
