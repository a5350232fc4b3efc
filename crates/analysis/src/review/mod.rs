//! Reviews of games: the chance to win before and after every move, better moves, and proofs
//! of forced wins that were missed or allowed.
//!
//! - `class`: classes of moves and their thresholds.
//! - `judge`: the search and the solver.
//! - `move_review`: the review of a move.
//! - `escape`: the last move at which the loser could still hold.
//! - `game_review`: the review of a game, as data.
//! - `turning_point`: the most costly moves, with the threats that decided the game.
//! - `text`, `sgf`, `page`: the review as people read it.

mod class;
mod escape;
mod game_review;
mod judge;
mod move_review;
#[cfg(feature = "pages")]
mod page;
mod sgf;
mod text;
mod turning_point;

pub use class::{MoveClass, Thresholds};
pub use escape::LastEscape;
pub use game_review::{Accuracy, GameReview, NamedReview, ReviewSetup, ReviewSummary};
pub use judge::ReviewLimits;
pub use move_review::{LossAllowed, MoveReview, WinMissed};
pub use turning_point::{DecisiveThreat, TurningPoint};

use crate::NamedOpening;
use judge::{Escape, Judge};
use move_review::{rounded, rounded_chance};
use quincunx_engine::eval::WeightSet;
use quincunx_engine::game::{Game, Termination, decided_by_stones};
use quincunx_engine::position::{Forbidden, Position};
use quincunx_engine::rules::{Color, Point};
use quincunx_engine::search::Line;
use quincunx_engine::threats::{ForcedWin, Proof};
use quincunx_records::{GameRecord, ReplayError};
use std::sync::Arc;

/// The progress of a review.
#[derive(Clone, Copy, Debug)]
pub struct ReviewStep<'a> {
    /// The number of steps so far.
    pub done: usize,
    /// The number of all steps.
    pub steps: usize,
    /// The result of the last step.
    pub result: StepResult<'a>,
}

/// The result of a step of a review.
#[derive(Clone, Copy, Debug)]
pub enum StepResult<'a> {
    /// The chances in a position.
    Position {
        /// The number of moves before the position.
        number: usize,
        /// Black's chance to win, from 0 to 1.
        black: f64,
    },
    /// The review of a move.
    Move(&'a MoveReview),
}

/// The search and the proof of a position of the game.
struct Known {
    /// `None` if the game is over.
    search: Option<Line>,
    win: ForcedWin,
}

impl Known {
    fn proof(&self) -> Option<&Proof> {
        match &self.win {
            ForcedWin::Proven(proof) => Some(proof),
            _ => None,
        }
    }

    /// The chance to win of the side to move, without proofs about single moves.
    fn chance(&self) -> f64 {
        match &self.search {
            _ if self.proof().is_some() => 1.0,
            Some(search) => search.score.win_chance(),
            None => 0.5,
        }
    }

    fn best(&self) -> Option<Point> {
        self.search.as_ref().and_then(|search| search.best())
    }
}

impl GameReview {
    /// Reviews a game, under freestyle if the record has no rule. `progress` is called with the
    /// number of finished steps and of all steps.
    ///
    /// # Errors
    /// When the record is not a game.
    pub fn of(
        record: &GameRecord,
        weights: &Arc<WeightSet>,
        limits: ReviewLimits,
        progress: &mut dyn FnMut(usize, usize),
    ) -> Result<GameReview, ReplayError> {
        let mut on_step = |step: ReviewStep<'_>| progress(step.done, step.steps);
        GameReview::make(record, weights, limits, &|| false, &mut on_step)
    }

    /// Reviews a game like [`GameReview::of`], and calls `on_step` with the result of every step. When
    /// `stop` returns true it ends within milliseconds, without a review.
    ///
    /// # Errors
    /// When the record is not a game.
    pub fn watched(
        record: &GameRecord,
        weights: &Arc<WeightSet>,
        limits: ReviewLimits,
        stop: &dyn Fn() -> bool,
        on_step: &mut dyn FnMut(ReviewStep<'_>),
    ) -> Result<Option<GameReview>, ReplayError> {
        let mut on_step = |step: ReviewStep<'_>| {
            if !stop() {
                on_step(step);
            }
        };
        let review = GameReview::make(record, weights, limits, stop, &mut on_step)?;
        Ok((!stop()).then_some(review))
    }

    fn make(
        record: &GameRecord,
        weights: &Arc<WeightSet>,
        limits: ReviewLimits,
        stop: &dyn Fn() -> bool,
        on_step: &mut dyn FnMut(ReviewStep<'_>),
    ) -> Result<GameReview, ReplayError> {
        let rule = record.rule.unwrap_or_default();
        let game = record.replay(rule)?;
        let mut judge = Judge::new(weights, limits, stop);
        let steps = 2 * game.moves().len() + 1;
        let known = know(&game, &mut judge, &mut |done, result| {
            on_step(ReviewStep {
                done,
                steps,
                result,
            });
        });
        let mut position = record.start(rule).position()?;
        let mut moves = Vec::new();
        let first_step = known.len();
        for (index, (color, point)) in game.moves().enumerate() {
            let step = Step {
                number: index + 1,
                color,
                point,
                before: &known[index],
                after: &known[index + 1],
            };
            let played = step.review(&mut position, &game, &mut judge);
            on_step(ReviewStep {
                done: first_step + index + 1,
                steps,
                result: StepResult::Move(&played),
            });
            moves.push(played);
        }
        let start = record.start(rule).position()?;
        let is_proven = known
            .iter()
            .map(|known| known.proof().is_some())
            .collect::<Vec<_>>();
        let turning_points = TurningPoint::all(start.clone(), &moves);
        let last_escape = escape::find(start, game.result(), &moves, &is_proven, &mut judge);
        Ok(GameReview {
            rule,
            size: record.size,
            setup: ReviewSetup::of(record),
            black: record.black.clone(),
            white: record.white.clone(),
            opening: NamedOpening::of(&game).map(|opening| opening.to_string()),
            result: game.result().map(|result| result.to_string()),
            winner: game.result().and_then(|result| result.winner),
            limits,
            nodes: judge.nodes(),
            thresholds: Thresholds::default(),
            summary: ReviewSummary {
                accuracy: Accuracy::of(&moves),
                last_escape,
                turning_points,
            },
            moves,
        })
    }
}

/// Searches and solves every position of a game, beginning with the last, so that the table knows
/// the outcome of a move when the position before it is searched.
fn know(
    game: &Game,
    judge: &mut Judge<'_>,
    on_step: &mut dyn FnMut(usize, StepResult<'_>),
) -> Vec<Known> {
    let mut position = game.position().clone();
    let mut known = Vec::new();
    for left in (0..=game.moves().len()).rev() {
        let decided = decided_by_stones(&position);
        let over = decided.is_some() || position.empty_points() == 0;
        let here = Known {
            search: (!over).then(|| judge.search(&position)),
            win: match over {
                true => ForcedWin::None,
                false => judge.win(&position),
            },
        };
        let own = match decided.and_then(|result| result.winner) {
            Some(winner) => f64::from(u8::from(winner == position.side())),
            None => here.chance(),
        };
        let black = match position.side() {
            Color::Black => own,
            Color::White => 1.0 - own,
        };
        known.push(here);
        let number = left;
        on_step(known.len(), StepResult::Position { number, black });
        if left > 0 {
            position.undo();
        }
    }
    known.reverse();
    known
}

/// A move with the results for the positions before and after it.
struct Step<'a> {
    number: usize,
    color: Color,
    point: Point,
    before: &'a Known,
    after: &'a Known,
}

/// The effect of a move on a forced win.
enum WinAfter {
    Stands,
    /// Neither the search nor the solver sees a win. This reply is shown to prevent it.
    Lost(Option<Point>),
}

impl Step<'_> {
    /// Judges the move and makes it on `position`.
    fn review(&self, position: &mut Position, game: &Game, judge: &mut Judge<'_>) -> MoveReview {
        let earlier = position.clone();
        match self.point {
            Point::NONE => position.pass(),
            point => position.play(point),
        }
        let forbidden = self.forbidden(game);
        let proof = self.before.proof();
        let win_after = proof.map(|proof| self.keeps(proof, position, forbidden, judge));
        let (allowed, all_lose) = self.allowed_loss(&earlier, forbidden, judge);
        let before = match all_lose {
            true => 0.0,
            false => self.before.chance(),
        };
        let after = match win_after {
            _ if position.won() || matches!(win_after, Some(WinAfter::Stands)) => 1.0,
            _ if forbidden.is_some() => 0.0,
            _ => 1.0 - self.after.chance(),
        };
        let best = proof.map(Proof::point);
        let best = best.or(allowed.as_ref().map(|allowed| allowed.instead));
        let best = best.or(self.before.best());
        let missed = match (proof, win_after) {
            (Some(proof), Some(WinAfter::Lost(reply))) => Some(WinMissed {
                proof: proof.into(),
                reply,
            }),
            _ => None,
        };
        let lost = (before - after).max(0.0);
        let [before, after] = [before, after].map(rounded_chance);
        MoveReview {
            number: self.number,
            color: self.color,
            point: self.point,
            before,
            after,
            lost: rounded((before - after).max(0.0)),
            best,
            line: self.line(best),
            class: match () {
                () if allowed.is_some() => MoveClass::LossAllowed,
                () if missed.is_some() => MoveClass::WinMissed,
                () if forbidden.is_some() => MoveClass::Mistake,
                () => MoveClass::by_chance(best == Some(self.point), lost),
            },
            win_missed: missed,
            loss_allowed: allowed,
            forbidden,
        }
    }

    /// The reason why the point was forbidden. Such a move is the last of its game.
    fn forbidden(&self, game: &Game) -> Option<Forbidden> {
        match game.result()?.termination {
            Termination::Forbidden(kind) if self.number == game.moves().len() => Some(kind),
            _ => None,
        }
    }

    /// Checks if the move keeps the win that was proved before it: the search sees the
    /// opponent lost, or the solver proves a win after every reply.
    fn keeps(
        &self,
        proof: &Proof,
        position: &Position,
        forbidden: Option<Forbidden>,
        judge: &mut Judge<'_>,
    ) -> WinAfter {
        if forbidden.is_some() {
            return WinAfter::Lost(None);
        }
        if position.won() || self.point == proof.point() {
            return WinAfter::Stands;
        }
        let Some(search) = &self.after.search else {
            // The board is full.
            return WinAfter::Lost(None);
        };
        if search.score.is_loss() {
            return WinAfter::Stands;
        }
        if let Some(proof) = self.after.proof() {
            return WinAfter::Lost(Some(proof.point()));
        }
        match judge.escape(position, search.best(), None) {
            Escape::By(reply) => WinAfter::Lost(Some(reply)),
            Escape::None => WinAfter::Stands,
            Escape::Unknown => WinAfter::Lost(None),
        }
    }

    /// The win that the move allowed the opponent, where another move is shown to avoid
    /// it; and whether every move is proved to lose.
    fn allowed_loss(
        &self,
        earlier: &Position,
        forbidden: Option<Forbidden>,
        judge: &mut Judge<'_>,
    ) -> (Option<LossAllowed>, bool) {
        let Some(proof) = self.after.proof().filter(|_| forbidden.is_none()) else {
            return (None, false);
        };
        let escape = match self.before.proof() {
            // To win avoids a loss.
            Some(win) => Escape::By(win.point()),
            None => judge.escape(earlier, self.before.best(), None),
        };
        match escape {
            Escape::By(instead) => {
                let proof = proof.into();
                (Some(LossAllowed { proof, instead }), false)
            }
            Escape::None => (None, true),
            Escape::Unknown => (None, false),
        }
    }

    /// The line that begins with the best move, if it is known.
    fn line(&self, best: Option<Point>) -> Vec<Point> {
        let proof = self.before.proof().map(Proof::line);
        let pv = self.before.search.as_ref().map(|search| search.pv.clone());
        let mut lines = [proof, pv].into_iter().flatten();
        let line = lines.find(|line| line.first().copied() == best);
        line.unwrap_or_else(|| best.into_iter().collect())
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests;
