//! The review of a game, and another try where it went wrong.

use super::searches::Reviewing;
use super::{Session, index};
use crate::error::BoardError;
use crate::job::Report;
use crate::job_id::JobId;
use crate::message::{Player, ReviewView, ServerMessage};
use crate::review_job::ReviewJob;
use crate::tree::NodeId;
use quincunx_analysis::review::MoveReview;
use quincunx_engine::game::swap::OpeningStep;
use quincunx_engine::rules::Color;
use quincunx_records::{GameRecord, RecordedMove};
use std::time::Duration;

impl Session {
    /// The review to run, independently of searches.
    pub(super) fn review_job(&self) -> Option<&ReviewJob> {
        self.searches.review.as_ref().map(|review| &review.job)
    }

    /// Handles a report of the review that is under way.
    pub(super) fn report_review(&mut self, now: Duration, report: Report) -> Vec<ServerMessage> {
        self.clock.set(now);
        let Some(mut review) = self.searches.review.take() else {
            return Vec::new();
        };
        let Report::Review(report) = report else {
            return vec![BoardError::Engine.into()];
        };
        for &(number, black) in &report.positions {
            if let Some(&node) = review.view.nodes.get(number) {
                self.cursor.tree.value(node, thousandths(black));
            }
        }
        for played in &report.moves {
            self.take_move(&mut review, played);
        }
        if report.steps.1 > 0 {
            (review.view.done, review.view.steps) = report.steps;
        }
        review.view.summary = report.summary;
        let view = review.view.clone();
        if view.summary.is_some() {
            self.searches.reviewed = Some(review.view);
        } else {
            self.searches.review = Some(review);
        }
        vec![self.update(), ServerMessage::Review(view)]
    }

    /// Marks a move, and lists it if it is a fault.
    fn take_move(&mut self, review: &mut Reviewing, played: &MoveReview) {
        let nodes = &review.view.nodes;
        let before = played.number.checked_sub(1).and_then(|at| nodes.get(at));
        let (Some(&before), Some(&node)) = (before, nodes.get(played.number)) else {
            return;
        };
        let tree = &mut self.cursor.tree;
        let [chance_before, chance_after] = played.black_chances().map(thousandths);
        tree.value(before, chance_before);
        if played.number + 1 == nodes.len() {
            tree.value(node, chance_after);
        }
        if played.number <= review.opening {
            return;
        }
        let is_fault = played.class.is_fault();
        // A tree that is full of remarks has no mark; the list of mistakes has the move.
        let _ = tree.judge(node, Some(played.class).filter(|_| is_fault));
        let mistakes = &mut review.view.mistakes;
        mistakes.extend(is_fault.then(|| played.clone()));
    }

    pub(super) fn stop_review(&mut self) {
        (self.searches.review, self.searches.reviewed) = (None, None);
    }

    /// Returns true if there is a game to review. It may still be played, but not while the engine
    /// thinks.
    pub(super) fn may_review(&self) -> bool {
        let searches = self.actor() == Some(Player::Engine) && !self.waiting;
        self.cursor.has_moves() && !searches
    }

    pub(super) fn begin_review(&mut self) -> Result<(), BoardError> {
        let nodes = self.line();
        let end = nodes
            .last()
            .filter(|_| nodes.len() > 1 && self.may_review());
        let end = *end.ok_or(BoardError::NotNow)?;
        let start = &self.cursor.start;
        let game = (self.cursor.tree.game(start, end)).ok_or(BoardError::NoNode)?;
        let moves = game.moves();
        let record = GameRecord {
            setup: start.stones.clone(),
            first: start.first,
            moves: moves
                .map(|(color, point)| RecordedMove::new(color, point))
                .collect(),
            result: game.result(),
            ..GameRecord::new(Some(start.rule), start.size)
        };
        let plays = |&id: &NodeId| {
            let step = self.step_at(id);
            matches!(step, Some(OpeningStep::Play { .. }))
        };
        let opening = nodes.iter().position(plays).unwrap_or_default();
        self.searches.count += 1;
        self.searches.reviewed = None;
        self.searches.review = Some(Reviewing {
            opening,
            view: ReviewView {
                game: self.number,
                nodes,
                ..ReviewView::default()
            },
            job: ReviewJob {
                id: JobId(self.searches.count),
                record,
            },
        });
        Ok(())
    }

    /// The nodes of the game that is shown, to the end of its line or to where it was ended.
    fn line(&self) -> Vec<NodeId> {
        let tree = &self.cursor.tree;
        let mut line = tree.path(self.cursor.node);
        let next = |id: &NodeId| {
            let node = tree.get(*id).filter(|node| node.ending.is_none())?;
            node.children.first().copied()
        };
        let rest = std::iter::successors(Some(self.cursor.node), next);
        line.extend(rest.skip(1));
        line
    }

    /// Goes back to the position before a move, where a person plays against the engine.
    pub(super) fn try_again(&mut self, node: NodeId) -> Result<(), BoardError> {
        self.cursor.known(node)?;
        let tree = &self.cursor.tree;
        let found = tree.get(node).and_then(|it| Some((it.parent?, it.color)));
        let (before, color) = found.ok_or(BoardError::NotNow)?;
        let Some(OpeningStep::Play { black }) = self.step_at(before) else {
            return Err(BoardError::NotNow);
        };
        let seat = match color {
            Color::Black => black,
            Color::White => black.other(),
        };
        self.go_to(before)?;
        self.players[index(seat)] = Player::Person;
        self.players[index(seat.other())] = Player::Engine;
        [self.setup.black, self.setup.white] = self.players;
        self.searches.analysis = None;
        self.waiting = false;
        Ok(())
    }
}

fn thousandths(chance: f64) -> u16 {
    (chance * 1000.0).round() as u16
}
