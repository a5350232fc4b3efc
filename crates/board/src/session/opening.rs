//! The player who acts next, in the dialogue of an opening rule and afterwards.

use super::{Session, index};
use crate::error::BoardError;
use crate::message::Player;
use crate::opening_event::{self, OpeningEvent, PlyEvent};
use crate::tree::NodeId;
use quincunx_engine::game::swap::{Choice, Dialogue, OpeningStep, Seat};
use quincunx_engine::rules::{Point, PointSet};

impl Session {
    /// The dialogue of the opening at a node, after these events.
    fn dialogue_at(&self, node: NodeId, events: &[PlyEvent]) -> Dialogue {
        let stones = self.cursor.tree.depth(node);
        opening_event::dialogue(self.opening, events, stones)
    }

    /// The dialogue of the opening in the position that is shown.
    pub(super) fn dialogue(&self) -> Dialogue {
        self.dialogue_at(self.cursor.node, &self.events)
    }

    /// The next step at a node.
    pub(super) fn step_at(&self, node: NodeId) -> Option<OpeningStep> {
        let stones = self.cursor.tree.depth(node);
        self.dialogue_at(node, &self.events).step(stones)
    }

    /// The next step in the position that is shown.
    pub(super) fn step(&self) -> Option<OpeningStep> {
        self.step_at(self.cursor.node)
    }

    /// The points that the opening allows for the next stone. `None` if all are allowed.
    pub(super) fn allowed(&self) -> Option<PointSet> {
        self.dialogue().allowed(self.cursor.game.position())
    }

    /// The seat to act at a node after these opening events.
    fn seat_at(&self, node: NodeId, events: &[PlyEvent]) -> Option<Seat> {
        let dialogue = self.dialogue_at(node, events);
        let step = dialogue.step(self.cursor.tree.depth(node))?;
        let side = self.cursor.tree.get(node)?.color.opponent();
        Some(step.seat(dialogue.offers.len(), side))
    }

    /// The player who acts at a node, after these events.
    pub(super) fn actor_at(&self, node: NodeId, events: &[PlyEvent]) -> Option<Player> {
        let seat = self.seat_at(node, events)?;
        Some(self.players[index(seat)])
    }

    /// The strength of the engine that acts next.
    pub(super) fn acting_level(&self) -> u8 {
        let seat = self.seat_at(self.cursor.node, &self.events);
        self.level_of(seat.unwrap_or(Seat::First))
    }

    /// The strength of the engine in this seat.
    fn level_of(&self, seat: Seat) -> u8 {
        let levels = self.setup.levels;
        levels.map_or(self.setup.level, |levels| levels[index(seat)])
    }

    /// The strengths of the engine with the black and with the white stones; of the
    /// first and the second player until that is settled.
    pub(super) fn levels(&self) -> [u8; 2] {
        let black = self.black_seat().unwrap_or(Seat::First);
        [black, black.other()].map(|seat| self.level_of(seat))
    }

    /// The player who acts next; none once the game is over.
    pub(super) fn actor(&self) -> Option<Player> {
        if self.cursor.game.is_over() {
            return None;
        }
        self.actor_at(self.cursor.node, &self.events)
    }

    /// The owners of the black and the white stones, once no choice can change them.
    pub(super) fn settled_colors(&self) -> Option<[Player; 2]> {
        let black = self.dialogue().settled_black(self.cursor.stones())?;
        Some([black, black.other()].map(|seat| self.players[index(seat)]))
    }

    /// The owners of the black and the white stones, once a colour is chosen. The opening
    /// may let another choice follow.
    pub(super) fn colors(&self) -> Option<[Player; 2]> {
        let black = self.black_seat()?;
        Some([black, black.other()].map(|seat| self.players[index(seat)]))
    }

    /// The seat that has the black stones as far as was chosen.
    fn black_seat(&self) -> Option<Seat> {
        self.dialogue().black(self.cursor.stones())
    }

    /// Which of the two players acts next: zero for the one with the black stones, or the one
    /// who began, while no colour is chosen. No side acts once the game is over.
    pub(super) fn acting(&self) -> Option<usize> {
        let acting = self
            .seat_at(self.cursor.node, &self.events)
            .filter(|_| !self.cursor.game.is_over())?;
        let first_row = self.black_seat().unwrap_or(Seat::First);
        Some(usize::from(acting != first_row))
    }

    /// Returns true if the opening asks for a choice, so that no stone can be played.
    pub(super) fn asks(&self) -> bool {
        use OpeningStep::{Choose, Fifth};
        matches!(self.step(), Some(Choose { .. } | Fifth { .. }))
    }

    pub(super) fn choose_for_person(&mut self, choice: Choice) -> Result<(), BoardError> {
        if self.actor() == Some(Player::Engine) && !self.waiting {
            return Err(BoardError::NotYourTurn);
        }
        self.choose(choice)
    }

    /// Makes a choice of the opening.
    pub(super) fn choose(&mut self, choice: Choice) -> Result<(), BoardError> {
        let Some(OpeningStep::Choose { .. }) = self.step() else {
            return Err(BoardError::NotNow);
        };
        self.dialogue().choose(self.cursor.stones(), choice)?;
        self.add_event(OpeningEvent::Choice(choice));
        Ok(())
    }

    /// Offers a stone for the next move.
    pub(super) fn offer(&mut self, point: Point) -> Result<(), BoardError> {
        self.cursor.game.check(point)?;
        self.check_allowed(point)?;
        self.add_event(OpeningEvent::Offer(point));
        Ok(())
    }

    /// Adds an event of the opening with the stones that are on the board.
    fn add_event(&mut self, event: OpeningEvent) {
        let stones = self.cursor.stones();
        self.events.retain(|(at, _)| *at <= stones);
        self.events.push((stones, event));
        self.undone_events.clear();
        self.begin_turn();
    }

    /// That the opening allows the next stone on this point.
    pub(super) fn check_allowed(&self, point: Point) -> Result<(), BoardError> {
        let position = self.cursor.game.position();
        let is_allowed = self.dialogue().allows(position, point);
        is_allowed.then_some(()).ok_or(BoardError::OpeningPoint)
    }

    /// The number of fifth stones that black has still to offer.
    pub(super) fn missing_offers(&self) -> usize {
        self.dialogue().missing_offers(self.cursor.stones())
    }

    /// Discards the opening events of earlier stones after a new opening stone.
    pub(super) fn discard_opening_events(&mut self) {
        let stones = self.cursor.stones();
        self.events.retain(|(at, _)| *at < stones);
        self.undone_events.clear();
    }
}
