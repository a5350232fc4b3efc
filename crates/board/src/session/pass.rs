//! Moves without a stone, which the rules of Renju allow.

use super::Session;
use crate::error::BoardError;
use crate::message::Player;
use crate::tree::NodeId;
use quincunx_engine::game::swap::OpeningStep;
use quincunx_engine::game::{GameResult, MoveError, Termination};
use quincunx_engine::rules::Point;

impl Session {
    /// Returns true if the side to move may pass: not in an opening, and not for an engine that is
    /// about to move.
    pub(super) fn may_pass(&self) -> Result<(), BoardError> {
        if let Some(result) = self.cursor.game.result() {
            return Err(MoveError::Over(result).into());
        }
        match self.step() {
            Some(OpeningStep::Play { .. }) => (),
            _ => return Err(BoardError::Opens),
        }
        match self.actor() {
            Some(Player::Engine) if !self.waiting => Err(BoardError::NotYourTurn),
            _ => Ok(()),
        }
    }

    /// Passes for the side to move. A second pass in a row ends the game in a draw.
    pub(super) fn pass(&mut self, node: NodeId) -> Result<(), BoardError> {
        self.check_node(node)?;
        self.may_pass()?;
        let tries = self.actor() == Some(Player::Engine);
        let color = self.cursor.game.side();
        let left = self.left_after_move(color);
        let is_second = self.cursor.game.position().recent(1) == Some(Point::NONE);
        let node =
            (self.cursor.tree.add(self.cursor.node, color, Point::NONE)).ok_or(BoardError::Full)?;
        self.cursor.game.pass()?;
        self.cursor.node = node;
        self.cursor.tree.set_left(node, left);
        self.begin_turn();
        if is_second && !self.cursor.game.is_over() {
            self.end(GameResult::draw(Termination::Agreement));
        }
        self.waiting &= tries;
        Ok(())
    }
}
