//! The samples of the line network: positions of games, each with a target for the value and
//! the classical evaluation.

use super::labels::{Label, Labels};
use super::options::TargetOptions;
use crate::dataset::is_validation;
use crate::loss::logistic;
use crate::record::{SearchedPly, SelfplayGame};
use crate::sampler::{OccupiedError, SCORE_LIMIT, check_empty, game_result};
use quincunx_engine::eval::line::BoardFeatures;
use quincunx_engine::eval::{Classical, ClassicalWeights};
use quincunx_engine::position::Position;
use quincunx_engine::rules::{BoardSize, Color, Point, Rule};
use quincunx_engine::score::Score;
use quincunx_engine::threats::{ThreatStatus, threat_status};
use rayon::prelude::*;
use std::sync::Arc;

/// The moves of a game.
pub(crate) struct GameMoves {
    /// The size of the board.
    pub(crate) size: BoardSize,
    /// The moves from the empty board, black first.
    pub(crate) moves: Vec<Point>,
}

/// The target of the value in a position, and what it is made of: chances of the side to move,
/// from 0 to 1.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ValueTarget {
    /// The target.
    pub(crate) target: f32,
    /// The result of the game.
    pub(crate) result: f32,
    /// The score of the search.
    pub(crate) search: f32,
    /// The label of the teacher, or the score of the search where there is none.
    pub(crate) label: f32,
    /// The classical evaluation, in logits.
    pub(crate) classical: f32,
}

/// A position of a game.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sample {
    /// The number of the game.
    pub(crate) game: u32,
    /// The number of moves of the game before the position.
    pub(crate) ply: u16,
    /// A move after these that was not played in the game. Such positions are for training only,
    /// and have no result.
    pub(crate) alternative: Option<Point>,
    /// The inputs of a head besides the channels.
    pub(crate) board: BoardFeatures,
    /// The target of the value.
    pub(crate) value: ValueTarget,
}

/// The samples of games.
#[derive(Default)]
pub(crate) struct Samples {
    /// The games.
    pub(crate) games: Vec<GameMoves>,
    /// The positions.
    pub(crate) samples: Vec<Sample>,
}

/// A game, with the labels of its searched plies if there are any.
pub(crate) struct LabelledGame<'a> {
    /// The game.
    pub(crate) game: SelfplayGame,
    /// The labels of all games, and the number of the first of this game.
    pub(crate) labels: Option<(&'a Labels, usize)>,
}

/// The samples for training and those for validation.
#[derive(Default)]
pub(crate) struct SampleSets {
    /// The samples for training.
    pub(crate) training: Samples,
    /// The samples of the games that are kept for validation.
    pub(crate) validation: Samples,
}

impl SampleSets {
    /// Adds the samples of games.
    ///
    /// # Errors
    /// Returns the number of the game in `games` and the move if a move of a game hits
    /// a stone.
    pub(crate) fn add(
        &mut self,
        rule: Rule,
        classical: &Arc<ClassicalWeights>,
        targets: &TargetOptions,
        games: &[LabelledGame<'_>],
    ) -> Result<(), (usize, OccupiedError)> {
        let extracted: Vec<Samples> = (games.par_iter())
            .enumerate()
            .map(|(number, labelled)| {
                let samples = Samples::of_game(rule, classical, targets, labelled);
                samples.map_err(|error| (number, error))
            })
            .collect::<Result<_, _>>()?;
        for (labelled, mut samples) in games.iter().zip(extracted) {
            if is_validation(&labelled.game) {
                (samples.samples).retain(|sample| sample.alternative.is_none());
                self.validation.append(samples);
            } else {
                self.training.append(samples);
            }
        }
        Ok(())
    }
}

impl Samples {
    fn append(&mut self, other: Samples) {
        let games = self.games.len() as u32;
        self.games.extend(other.games);
        let samples = other.samples.into_iter();
        self.samples.extend(samples.map(|sample| Sample {
            game: sample.game + games,
            ..sample
        }));
    }

    /// Returns the size of the board and the moves before a sample.
    #[inline(always)]
    pub(crate) fn moves(
        &self,
        sample: &Sample,
    ) -> (BoardSize, impl DoubleEndedIterator<Item = Point> + '_) {
        let game = &self.games[sample.game as usize];
        let moves = game.moves[..sample.ply as usize].iter().copied();
        (game.size, moves.chain(sample.alternative))
    }

    /// Adds a position of the last game, after a move that is not of the game if there is one.
    fn push(&mut self, position: &Position, alternative: Option<Point>, value: ValueTarget) {
        self.samples.push(Sample {
            game: 0,
            ply: (position.ply() - usize::from(alternative.is_some())) as u16,
            alternative,
            board: BoardFeatures::of(position),
            value,
        });
    }

    /// Adds the quiet positions after moves that the label of `position` has values for, and
    /// that are not the move that was played.
    fn push_alternatives(
        &mut self,
        label: Label<'_>,
        played: Point,
        position: &mut Position,
        evaluator: &mut Classical,
    ) {
        for (point, value) in label.alternatives(position.size()) {
            if !position.is_legal(point) || point == played {
                continue;
            }
            position.play(point);
            if threat_status(position) == ThreatStatus::Quiet {
                let label = logistic(value);
                let value = ValueTarget {
                    target: label,
                    result: label,
                    search: label,
                    label,
                    classical: logits(evaluator, position),
                };
                self.push(position, Some(point), value);
            }
            position.undo();
        }
    }

    /// Returns the samples of a game.
    fn of_game(
        rule: Rule,
        classical: &Arc<ClassicalWeights>,
        targets: &TargetOptions,
        labelled: &LabelledGame<'_>,
    ) -> Result<Samples, OccupiedError> {
        let LabelledGame { game, labels } = labelled;
        let mut samples = Samples::default();
        let mut position = Position::new(rule, game.size);
        let mut evaluator = Classical::new(classical, &position);
        for &point in &game.opening {
            play(&mut position, point)?;
        }
        let futures = futures(game, position.side(), targets.lambda);
        let mut labels = labels
            .iter()
            .flat_map(|(labels, first)| labels.starting_at(*first));
        for (ply, future) in game.plies.iter().zip(futures) {
            let label = labels.next();
            let status = threat_status(&mut position);
            let side = position.side();
            let is_decided = ply.score.unsigned_abs() > SCORE_LIMIT;
            // In other positions the search never asks the evaluation.
            if status == ThreatStatus::Quiet && !is_decided {
                let search = chance(ply);
                let share = targets.future_share;
                let game_target = share * future + (1.0 - share) * search;
                let of_teacher = label.and_then(Label::value).map(logistic);
                let share = targets.label_share;
                let target = of_teacher.map_or(game_target, |label| {
                    share * label + (1.0 - share) * game_target
                });
                let value = ValueTarget {
                    target,
                    result: game_result(game.winner, side),
                    search,
                    label: of_teacher.unwrap_or(search),
                    classical: logits(&mut evaluator, &position),
                };
                samples.push(&position, None, value);
                if let Some(label) = label {
                    samples.push_alternatives(label, ply.played, &mut position, &mut evaluator);
                }
            }
            play(&mut position, ply.played)?;
        }
        samples.games.push(GameMoves {
            size: game.size,
            moves: position.moves().map(|(_, point)| point).collect(),
        });
        Ok(samples)
    }
}

fn play(position: &mut Position, point: Point) -> Result<(), OccupiedError> {
    check_empty(position, point)?;
    position.play(point);
    Ok(())
}

/// Returns the classical evaluation of a position in logits.
fn logits(evaluator: &mut Classical, position: &Position) -> f32 {
    evaluator.evaluate(position).units() as f32 / Score::LOGIT
}

/// Returns the chances that a search saw for the side to move.
fn chance(ply: &SearchedPly) -> f32 {
    logistic(f32::from(ply.score) / Score::LOGIT)
}

/// Returns the lambda-return of temporal difference learning for each searched position, for
/// the side to move. The game after a sampled move says nothing about the positions before it,
/// so there the score of the search is used.
fn futures(game: &SelfplayGame, first: Color, lambda: f32) -> Vec<f32> {
    let plies = &game.plies;
    let side = |index: usize| {
        if index.is_multiple_of(2) {
            first
        } else {
            first.opponent()
        }
    };
    let mut futures = vec![0.0; plies.len()];
    for (index, ply) in plies.iter().enumerate().rev() {
        futures[index] = match plies.get(index + 1) {
            None => game_result(game.winner, side(index)),
            Some(_) if ply.sampled && ply.played != ply.best => chance(ply),
            Some(next) => 1.0 - ((1.0 - lambda) * chance(next) + lambda * futures[index + 1]),
        };
    }
    futures
}

#[cfg(test)]
mod tests {
    use super::super::labels::tests::file;
    use super::*;

    fn game(plies: &[(i16, bool)], winner: Option<Color>) -> SelfplayGame {
        let points: Vec<Point> = BoardSize::default().iter().collect();
        let ply = |(index, &(score, sampled)): (usize, &(i16, bool))| SearchedPly {
            played: points[40 + 3 * index],
            best: points[if sampled { 1 } else { 40 + 3 * index }],
            score,
            sampled,
        };
        SelfplayGame {
            seed: 1,
            number: 1,
            nodes: 1,
            size: BoardSize::default(),
            winner,
            opening: Vec::new(),
            plies: plies.iter().enumerate().map(ply).collect(),
            tree: Vec::new(),
        }
    }

    #[test]
    fn lambda_returns_look_as_far_as_lambda_says() {
        let won = game(
            &[(0, false), (-200, false), (400, false)],
            Some(Color::Black),
        );
        assert_eq!(futures(&won, Color::Black, 1.0), [1.0, 0.0, 1.0]);
        let near = futures(&won, Color::Black, 0.0);
        let expected = [1.0 - logistic(-1.0), 1.0 - logistic(2.0), 1.0];
        for (found, expected) in near.iter().zip(expected) {
            assert!((found - expected).abs() < 1e-6, "{near:?}");
        }
        let half = futures(&won, Color::Black, 0.5);
        assert!((half[1] - (0.5 * expected[1])).abs() < 1e-6);
    }

    #[test]
    fn sampled_moves_hide_what_follows() {
        let sampled = game(&[(100, false), (0, true), (900, false)], Some(Color::Black));
        let futures = futures(&sampled, Color::Black, 1.0);
        assert_eq!(futures, [0.5, 0.5, 1.0]);
    }

    #[test]
    fn labels_are_part_of_targets_and_bring_alternatives() {
        let size = BoardSize::default();
        let point = |column, row| size.point(column, row).expect("on the board");
        let corner = |column: u16| 2 + 32 * column;
        let ply = |column, row, score| SearchedPly {
            played: point(column, row),
            best: point(column, row),
            score,
            sampled: false,
        };
        let game = SelfplayGame {
            plies: vec![ply(7, 7, 0), ply(8, 8, 0), ply(7, 8, 3_000)],
            ..game(&[], Some(Color::Black))
        };
        // The last position is decided, so its label and its alternatives are not used; neither
        // is an alternative that was played, or that is occupied.
        let labels = file(
            Rule::Freestyle,
            &[
                (0, [(1, 1), (1, 1)]),
                (148, [(corner(3), 108), (7 + 32 * 7, 200)]),
                (108, [(8 + 32 * 8, 1), (corner(4), 128)]),
                (128, [(corner(5), 128), (corner(6), 128)]),
            ],
            0,
        );
        let labels = Labels::from_bytes(&labels).expect("labels");
        let classical = Arc::new(ClassicalWeights::built_in(Rule::Freestyle));
        let targets = TargetOptions {
            future_share: 1.0,
            lambda: 1.0,
            label_share: 0.75,
        };
        let labelled = LabelledGame {
            game,
            labels: Some((&labels, 1)),
        };
        let samples = Samples::of_game(Rule::Freestyle, &classical, &targets, &labelled);
        let samples = samples.expect("moves to empty points");
        let read: Vec<(u16, Option<Point>, f32)> = (samples.samples.iter())
            .map(|sample| (sample.ply, sample.alternative, sample.value.target))
            .collect();
        let expected = [
            (0, None, 0.75 * logistic(1.0) + 0.25),
            (0, Some(point(2, 3)), logistic(-1.0)),
            (1, None, 0.75 * logistic(-1.0)),
            (1, Some(point(2, 4)), 0.5),
        ];
        assert_eq!(read.len(), expected.len(), "{read:?}");
        for (found, expected) in read.iter().zip(&expected) {
            assert_eq!((found.0, found.1), (expected.0, expected.1), "{read:?}");
            assert!((found.2 - expected.2).abs() < 1e-6, "{read:?}");
        }
        let (_, moves) = samples.moves(&samples.samples[3]);
        assert_eq!(moves.collect::<Vec<_>>(), [point(7, 7), point(2, 4)]);
    }
}
