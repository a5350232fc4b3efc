//! Undo, redo, and going to another position of the game.

use super::Session;
use crate::error::BoardError;
use crate::message::Player;
use crate::opening_event::PlyEvent;
use crate::tree::NodeId;

/// A step of redo.
#[derive(Clone, Copy)]
enum RedoStep {
    Event(PlyEvent),
    GoTo(NodeId),
}

impl RedoStep {
    /// The node that the step leads to from here.
    fn node(self, here: NodeId) -> NodeId {
        match self {
            RedoStep::Event(_) => here,
            RedoStep::GoTo(node) => node,
        }
    }
}

impl Session {
    /// Goes to another position. The engine waits there.
    pub(super) fn go_to(&mut self, node: NodeId) -> Result<(), BoardError> {
        self.leave_turn();
        self.cursor.go_to(node)?;
        self.begin_turn();
        self.return_to_turn();
        self.waiting = self.actor() == Some(Player::Engine);
        Ok(())
    }

    pub(super) fn undo(&mut self) -> Result<(), BoardError> {
        if self.may_take_back_end() {
            self.cursor.tree.set_ending(self.cursor.node, None);
            return self.go_to(self.cursor.node);
        }
        let (node, events) = self.undo_target().ok_or(BoardError::NotNow)?;
        let taken_back = self.events.split_off(events);
        self.undone_events.extend(taken_back.into_iter().rev());
        let is_over = self.cursor.game.is_over();
        let is_game = !is_over && (self.takes_back() || self.is_played());
        self.go_to(node)?;
        self.taken_back = Some(node).filter(|_| is_game);
        Ok(())
    }

    /// Returns true if moves of a game in progress were taken back: those that follow replace them in
    /// the game, and they become a variation.
    pub(super) fn takes_back(&self) -> bool {
        self.taken_back == Some(self.cursor.node)
    }

    /// The target of undo: the last earlier position in which a person acted, and the number of
    /// opening events that remain there. With two engines, and in the moves of a file, it is the
    /// previous position.
    pub(super) fn undo_target(&self) -> Option<(NodeId, usize)> {
        let (mut node, mut events) = (self.cursor.node, self.events.len());
        loop {
            (node, events) = self.step_back(node, events)?;
            let actor = self.actor_at(node, &self.events[..events]);
            let has_person = self.players.contains(&Player::Person);
            if actor == Some(Player::Person) || !has_person || self.is_opened(node) {
                return Some((node, events));
            }
        }
    }

    /// One step back: the last opening event at this node, or else its move.
    fn step_back(&self, node: NodeId, events: usize) -> Option<(NodeId, usize)> {
        let stones = self.cursor.tree.depth(node);
        match events.checked_sub(1) {
            Some(last) if self.events[last].0 == stones => Some((node, last)),
            _ => Some((self.cursor.tree.get(node)?.parent?, events)),
        }
    }

    /// Goes forward to the next position in which a person acts, or the last one; by one move
    /// in the moves of a file.
    pub(super) fn redo(&mut self) -> Result<(), BoardError> {
        let mut at = self.step_forward().ok_or(BoardError::NotNow)?;
        let has_person = self.players.contains(&Player::Person);
        loop {
            if let RedoStep::Event(event) = at {
                self.undone_events.pop();
                self.events.push(event);
            }
            let node = at.node(self.cursor.node);
            let waits = self.waiting && !has_person;
            self.go_to(node)?;
            self.waiting = waits;
            let is_engines = self.actor() == Some(Player::Engine);
            match self.step_forward() {
                Some(next) if has_person && is_engines && !self.is_opened(node) => at = next,
                _ => return Ok(()),
            }
        }
    }

    /// Returns true if a step can be redone.
    pub(super) fn can_redo(&self) -> bool {
        self.step_forward().is_some()
    }

    /// One step forward: the next opening event if the opening asks something, or else the next
    /// position of the shown line.
    fn step_forward(&self) -> Option<RedoStep> {
        if !self.asks() {
            return self
                .cursor
                .tree
                .following(self.cursor.node)
                .map(RedoStep::GoTo);
        }
        let stones = self.cursor.stones();
        let event = self.undone_events.last().filter(|(at, _)| *at == stones);
        event.copied().map(RedoStep::Event)
    }
}
