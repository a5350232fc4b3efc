//! The clocks of a game, which go back with its moves.

use super::Session;
use crate::message::{ClockView, Player, ServerMessage, Setup};
use crate::tree::{NodeId, ROOT};
use quincunx_engine::game::swap::OpeningStep;
use quincunx_engine::game::{GameResult, Termination};
use quincunx_engine::rules::Color;
use std::time::Duration;

impl Session {
    /// Sets the time of an arriving message. A flag that has fallen by then ends the game, even if
    /// the front has not yet called [`Session::tick`].
    pub(super) fn arrive(&mut self, now: Duration) -> Vec<ServerMessage> {
        self.clock.set(now);
        let side = self.running_clock();
        let left = side.and_then(|side| self.time_left(side));
        let has_run_out = |left| self.clock.after(Duration::from_millis(left)) <= self.clock.now;
        let Some(side) = side.filter(|_| left.is_some_and(has_run_out)) else {
            return Vec::new();
        };
        self.end(GameResult::loss(side, Termination::Time));
        self.update_job();
        vec![self.update()]
    }

    /// Removes the clocks. The engine then has a fixed time for each move.
    pub(super) fn drop_clocks(&mut self) {
        if self.setup.time.game_ms.is_some() {
            self.setup.time = Setup::default().time;
        }
    }

    /// The time left to a colour at the position that is shown, in milliseconds;
    /// `None` without clocks.
    pub(super) fn time_left(&self, color: Color) -> Option<u64> {
        let all = u64::from(self.setup.time.game_ms?);
        let path = self.cursor.tree.path(self.cursor.node);
        let left = path.iter().rev().find_map(|&id| {
            let node = self.cursor.tree.get(id)?;
            node.left_ms.filter(|_| node.color == color && id != ROOT)
        });
        Some(left.unwrap_or(all))
    }

    /// The time left to a colour now, after the time used in the turn.
    pub(super) fn left_now(&self, color: Color) -> Option<u64> {
        let left = self.time_left(color)?;
        if self.running_clock() != Some(color) {
            return Some(left);
        }
        let used = u64::try_from(self.clock.used().as_millis()).unwrap_or(u64::MAX);
        Some(left.saturating_sub(used))
    }

    /// The time left to a colour if it moves now.
    pub(super) fn left_after_move(&self, color: Color) -> Option<u64> {
        let left = self.left_now(color)?;
        let earned = self.running_clock().map(|_| self.setup.time.increment_ms);
        Some(left.saturating_add(earned.unwrap_or(0).into()))
    }

    /// Stops the clock of a person. The time of the turn so far stays charged.
    pub(super) fn stop_clock(&mut self) {
        if self.is_persons_turn() && !self.waiting {
            self.clock.pause();
        }
    }

    /// Notes the time that a person has used of the turn, before another position is shown.
    pub(super) fn leave_turn(&mut self) {
        self.stop_clock();
        if self.is_persons_turn() {
            self.clock.left = Some((self.cursor.node, self.clock.used_before));
        }
    }

    /// Continues a person's turn when its position is shown again.
    pub(super) fn return_to_turn(&mut self) {
        let node = self.cursor.node;
        let is_back = self.is_persons_turn();
        let left = self.clock.left.take_if(|it| is_back && it.0 == node);
        if let Some((_, used)) = left {
            self.clock.used_before = used;
        }
    }

    /// The turn of a person with its used time: the current turn, or the last one that was left or
    /// ended.
    pub(super) fn turn(&self) -> Option<(NodeId, Duration)> {
        if !self.is_persons_turn() {
            return self.clock.left;
        }
        let used = match self.running_clock() {
            Some(_) => self.clock.used(),
            None => self.clock.used_before,
        };
        Some((self.cursor.node, used))
    }

    /// The clocks as they are shown. The clock of a player who lost on time is empty.
    pub(super) fn clock(&self) -> Option<ClockView> {
        let running = self.running_clock();
        let used = match (running, self.clock.left) {
            (Some(_), _) => self.clock.used(),
            (None, Some((node, used))) if node == self.cursor.node => used,
            (None, _) => self.clock.used_before,
        };
        let used = u64::try_from(used.as_millis()).unwrap_or(u64::MAX);
        let late = self.cursor.game.result();
        let late = late.filter(|result| result.termination == Termination::Time);
        let winner = late.and_then(|result| result.winner);
        let left = |color| {
            let left = self.time_left(color)?;
            Some(match self.cursor.game.side() == color {
                _ if winner == Some(color.opponent()) => 0,
                true => left.saturating_sub(used),
                false => left,
            })
        };
        Some(ClockView {
            black: left(Color::Black)?,
            white: left(Color::White)?,
            running,
        })
    }

    /// Returns true if a person acts, and their time is measured.
    fn is_persons_turn(&self) -> bool {
        self.actor() == Some(Player::Person) && self.timed_side().is_some()
    }

    /// Charges the time that a person had used of the turn when the front was closed, by the clock
    /// that it last showed.
    pub(super) fn charge_until(&mut self, left_ms: Option<u64>) {
        let is_persons = self.actor() == Some(Player::Person);
        let all = self.time_left(self.cursor.game.side());
        if let (Some(all), Some(left), true) = (all, left_ms, is_persons) {
            self.clock.used_before = Duration::from_millis(all.saturating_sub(left));
        }
    }

    /// The colour whose clock runs. Clocks are paused while the engine waits.
    pub(super) fn running_clock(&self) -> Option<Color> {
        self.timed_side().filter(|_| !self.waiting)
    }

    /// The colour to move, where its time is measured: neither in the opening nor in positions
    /// that are only looked at.
    fn timed_side(&self) -> Option<Color> {
        let plays = matches!(self.step(), Some(OpeningStep::Play { .. }));
        let is_last = self.cursor.tree.following(self.cursor.node).is_none();
        let is_timed = self.setup.time.game_ms.is_some() && plays && is_last;
        (is_timed && !self.cursor.game.is_over()).then(|| self.cursor.game.side())
    }
}
