//! Undo, redo, and going to another position of the game; and its clocks, which
//! go back with it.

use super::Session;
use crate::error::BoardError;
use crate::message::{Player, Setup};
use crate::said::Saying;
use crate::tree::{NodeId, ROOT};
use quincunx_engine::game::swap::OpeningStep;
use quincunx_engine::rules::Color;
use std::time::Duration;

/// A step of redo.
#[derive(Clone, Copy)]
enum Forward {
    Say(Saying),
    GoTo(NodeId),
}

impl Forward {
    /// The node that the step leads to from here.
    fn node(self, here: NodeId) -> NodeId {
        match self {
            Forward::Say(_) => here,
            Forward::GoTo(node) => node,
        }
    }
}

impl Session {
    /// Shows a position of the tree. The game is already there.
    pub(super) fn show(&mut self, node: NodeId) {
        self.node = node;
        self.tree.visit(node);
        self.asked = None;
        self.begin_turn();
    }

    /// Goes to another position. The engine waits there.
    pub(super) fn go_to(&mut self, node: NodeId) -> Result<(), BoardError> {
        self.known(node)?;
        self.game = (self.tree.game(&self.start, node)).ok_or(BoardError::NoNode)?;
        self.show(node);
        self.waiting = self.actor() == Some(Player::Engine);
        Ok(())
    }

    pub(super) fn undo(&mut self) -> Result<(), BoardError> {
        if self.has_ending() {
            self.tree.set_ending(self.node, None);
            return self.go_to(self.node);
        }
        let (node, said) = self.undo_target().ok_or(BoardError::NotNow)?;
        let taken_back = self.said.split_off(said);
        self.unsaid.extend(taken_back.into_iter().rev());
        self.go_to(node)
    }

    /// Where undo leads: the last position before this one in which a person acts,
    /// and how much of what was said is left there. With two engines it is the last
    /// position.
    pub(super) fn undo_target(&self) -> Option<(NodeId, usize)> {
        let (mut node, mut said) = (self.node, self.said.len());
        loop {
            (node, said) = self.step_back(node, said)?;
            let actor = self.actor_at(node, &self.said[..said]);
            let has_person = self.players.contains(&Player::Person);
            if actor == Some(Player::Person) || !has_person {
                return Some((node, said));
            }
        }
    }

    /// One step back: what was said last at this node, or else its move.
    fn step_back(&self, node: NodeId, said: usize) -> Option<(NodeId, usize)> {
        let stones = self.tree.depth(node);
        match said.checked_sub(1) {
            Some(last) if self.said[last].0 == stones => Some((node, last)),
            _ => Some((self.tree.get(node)?.parent?, said)),
        }
    }

    /// Goes forward to the next position in which a person acts, or the last one.
    pub(super) fn redo(&mut self) -> Result<(), BoardError> {
        let mut at = self.step_forward().ok_or(BoardError::NotNow)?;
        let has_person = self.players.contains(&Player::Person);
        loop {
            if let Forward::Say(saying) = at {
                self.unsaid.pop();
                self.said.push(saying);
            }
            let node = at.node(self.node);
            let waits = self.waiting && !has_person;
            self.go_to(node)?;
            self.waiting = waits;
            let is_engines = self.actor() == Some(Player::Engine);
            match self.step_forward() {
                Some(next) if has_person && is_engines => at = next,
                _ => return Ok(()),
            }
        }
    }

    /// Whether there is something to make again.
    pub(super) fn can_redo(&self) -> bool {
        self.step_forward().is_some()
    }

    /// One step forward: where the opening asks something what was said there before, or else
    /// the next position of the line that is shown.
    fn step_forward(&self) -> Option<Forward> {
        if !self.asks() {
            return self.tree.following(self.node).map(Forward::GoTo);
        }
        let stones = self.tree.depth(self.node);
        let saying = self.unsaid.last().filter(|(at, _)| *at == stones);
        saying.copied().map(Forward::Say)
    }

    /// Takes the clocks away. The engine has a time for each move then.
    pub(super) fn drop_clocks(&mut self) {
        if self.setup.time.game_ms.is_some() {
            self.setup.time = Setup::default().time;
        }
    }

    /// The time left to a colour at the position that is shown, in milliseconds;
    /// `None` without clocks.
    pub(super) fn time_left(&self, color: Color) -> Option<u64> {
        let all = u64::from(self.setup.time.game_ms?);
        let path = self.tree.path(self.node);
        let left = path.iter().rev().find_map(|&id| {
            let node = self.tree.get(id)?;
            node.left_ms.filter(|_| node.color == color && id != ROOT)
        });
        Some(left.unwrap_or(all))
    }

    /// What a colour has left if it moves now.
    pub(super) fn left_after_move(&self, color: Color) -> Option<u64> {
        let left = self.time_left(color)?;
        if self.running_clock().is_none() {
            return Some(left);
        }
        let used = u64::try_from(self.used().as_millis()).unwrap_or(u64::MAX);
        let increment = u64::from(self.setup.time.increment_ms);
        Some(left.saturating_sub(used).saturating_add(increment))
    }

    /// The time since the turn began.
    pub(super) fn used(&self) -> Duration {
        self.now.saturating_sub(self.turn_began)
    }

    /// The colour whose clock runs. Clocks stand still in the opening, where the
    /// engine waits, and in positions that are only looked at.
    pub(super) fn running_clock(&self) -> Option<Color> {
        let plays = matches!(self.step(), Some(OpeningStep::Play { .. }));
        let is_last = self.tree.following(self.node).is_none();
        let runs = self.setup.time.game_ms.is_some() && plays && is_last;
        (runs && !self.waiting && !self.game.is_over()).then(|| self.game.side())
    }
}
