//! Games that are set aside and continued: the one that another game has replaced, and those that
//! the front has stored.

use super::Session;
use super::cursor::Cursor;
use crate::error::BoardError;
use crate::message::{GameEntry, ReviewView};
use crate::save::{RestoredSession, SavedSession};
use crate::tree::NodeId;

impl Session {
    /// The game as it is now, to be continued later.
    pub(super) fn snapshot(&self) -> RestoredSession {
        RestoredSession {
            game: self.number,
            setup: self.setup.clone(),
            opening: self.opening,
            events: self.events.clone(),
            start: self.cursor.start.clone(),
            tree: self.cursor.tree.clone(),
            node: self.cursor.node,
            waiting: self.waiting,
            turn: self.turn(),
            opened: self.opened,
            review: self.searches.reviewed.clone(),
        }
    }

    /// Returns true if the game has moves or a set-up position.
    fn is_worth_keeping(&self) -> bool {
        let is_set_up = self.setup.handicap == 0 && !self.cursor.start.stones.is_empty();
        self.cursor.has_moves() || is_set_up
    }

    /// Makes room for another game. The current one can be brought back if it is worth it.
    pub(super) fn set_aside(&mut self) {
        self.keep_last();
        self.numbers = self.numbers.wrapping_add(1);
        self.number = self.numbers;
        self.forget_searches();
    }

    /// Discards searches, and has the front receive the whole tree: another game has nodes of
    /// the same numbers.
    fn forget_searches(&mut self) {
        self.searches.forget();
        self.clock.left = None;
        self.sent = None;
        self.undone_events.clear();
    }

    fn keep_last(&mut self) {
        if self.is_worth_keeping() {
            self.last = Some(self.snapshot());
        }
    }

    /// Continues the game that was replaced, which now replaces this one, or restores the moves
    /// that were deleted. A second call reverts this.
    pub(super) fn bring_back(&mut self) -> Result<(), BoardError> {
        let last = self.last.take().ok_or(BoardError::NotNow)?;
        self.keep_last();
        self.take_up(last, None, None)
    }

    /// Continues a game that the front has stored, under a new number. The engine and the clocks
    /// wait: the game may only be looked at.
    pub(super) fn restore(
        &mut self,
        save: &str,
        node: Option<NodeId>,
        left_ms: Option<u64>,
    ) -> Result<(), BoardError> {
        let restored = SavedSession::read(save).and_then(SavedSession::unpack);
        let restored = restored.ok_or(BoardError::NoSave)?;
        let before = self.is_worth_keeping().then(|| self.snapshot());
        let game = self.numbers.wrapping_add(1);
        let review = restored.review.map(|review| ReviewView { game, ..review });
        let restored = RestoredSession {
            game,
            review,
            waiting: true,
            ..restored
        };
        self.take_up(restored, node, left_ms)?;
        self.numbers = game;
        self.last = before.or(self.last.take());
        Ok(())
    }

    /// Continues a game that was set aside or stored. The front may have gone to another node
    /// since, and its clock may have run on. An impossible game changes nothing.
    pub(super) fn take_up(
        &mut self,
        restored: RestoredSession,
        node: Option<NodeId>,
        left_ms: Option<u64>,
    ) -> Result<(), BoardError> {
        let cursor =
            Cursor::at(restored.start, restored.tree, restored.node).ok_or(BoardError::NoSave)?;
        self.number = restored.game;
        self.forget_searches();
        self.opening = restored.opening;
        self.players = [restored.setup.black, restored.setup.white];
        self.setup = restored.setup;
        self.events = restored.events;
        self.cursor = cursor;
        self.searches.analysis = None;
        self.waiting = restored.waiting;
        self.searches.reviewed = restored.review;
        self.opened = restored.opened;
        self.begin_turn();
        self.clock.left = restored.turn;
        self.return_to_turn();
        if let Some(node) = node.filter(|node| *node != self.cursor.node) {
            let _ = self.go_to(node);
        }
        self.charge_until(left_ms);
        Ok(())
    }

    /// The game's entry in a list of games: the line that is shown, up to where the game ended.
    pub(super) fn summary(&self) -> Option<GameEntry> {
        if !self.is_worth_keeping() {
            return None;
        }
        let tree = &self.cursor.tree;
        let mut line = tree.path(self.cursor.node);
        let rest = std::iter::successors(Some(self.cursor.node), |&id| tree.following(id));
        line.extend(rest.skip(1));
        let is_end = |id: &NodeId| tree.get(*id).is_some_and(|node| node.ending.is_some());
        let moves = line.iter().position(is_end).unwrap_or(line.len() - 1);
        let game = tree.game(&self.cursor.start, *line.get(moves)?)?;
        Some(GameEntry {
            moves,
            result: game.result(),
        })
    }
}
