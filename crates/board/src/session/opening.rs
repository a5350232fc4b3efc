//! The player who acts next, in the dialogue of an opening rule and afterwards.

use super::{Session, index};
use crate::error::BoardError;
use crate::message::Player;
use crate::opening_event::{self, OpeningEvent, PlyEvent};
use crate::tree::NodeId;
use quincunx_engine::game::swap::{Choice, OpeningStep, Seat};
use quincunx_engine::rules::{Color, Point, PointSet};

impl Session {
    /// The next step at a node, after these events.
    pub(super) fn step_at(&self, node: NodeId, events: &[PlyEvent]) -> Option<OpeningStep> {
        let stones = self.cursor.tree.depth(node);
        let choices = opening_event::choices(events, stones);
        self.opening.step(stones, &choices).ok()
    }

    /// The next step in the position that is shown.
    pub(super) fn step(&self) -> Option<OpeningStep> {
        self.step_at(self.cursor.node, &self.events)
    }

    /// The fifth stones that are offered in the position that is shown.
    pub(super) fn offers(&self) -> Vec<Point> {
        opening_event::offers(&self.events, self.cursor.stones())
    }

    /// The points that the opening allows for the next stone. `None` if all are allowed.
    pub(super) fn allowed(&self) -> Option<PointSet> {
        let position = self.cursor.game.position();
        self.step()?.allowed(position, &self.offers())
    }

    /// The seat to act at a node after these opening events.
    fn seat_at(&self, node: NodeId, events: &[PlyEvent]) -> Option<Seat> {
        let stones = self.cursor.tree.depth(node);
        match self.step_at(node, events)? {
            OpeningStep::Play { black } => Some(match self.cursor.tree.get(node)?.color {
                // The side to move is not the one that moved.
                Color::White => black,
                Color::Black => black.other(),
            }),
            step => step.seat(opening_event::offers(events, stones).len()),
        }
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

    /// The owners of the black and the white stones, once that is settled.
    pub(super) fn settled_colors(&self) -> Option<[Player; 2]> {
        let is_settled = matches!(self.step()?, OpeningStep::Play { .. });
        self.colors().filter(|_| is_settled)
    }

    /// The owners of the black and the white stones, once a colour is chosen. The opening
    /// may let another choice follow.
    pub(super) fn colors(&self) -> Option<[Player; 2]> {
        let black = self.black_seat()?;
        Some([black, black.other()].map(|seat| self.players[index(seat)]))
    }

    /// The seat that has the black stones as far as was chosen.
    fn black_seat(&self) -> Option<Seat> {
        if let OpeningStep::Play { black } = self.step()? {
            return Some(black);
        }
        let chosen = self.choices().into_iter().rev();
        let color = |(seat, choice)| match choice {
            Choice::Black => Some(seat),
            Choice::White => Some(Seat::other(seat)),
            Choice::TwoStones | Choice::Offers(_) => None,
        };
        chosen.filter_map(color).next()
    }

    /// The choices of the opening so far, each with the seat that made it.
    pub(super) fn choices(&self) -> Vec<(Seat, Choice)> {
        let stones = self.cursor.stones();
        let choices = opening_event::choices(&self.events, stones);
        let path = self.cursor.tree.path(self.cursor.node);
        let events = self
            .events
            .iter()
            .enumerate()
            .filter(|(_, (at, _))| *at <= stones);
        let seats = events.filter_map(|(before, (at, event))| match event {
            OpeningEvent::Choice(_) => self.seat_at(*path.get(*at)?, &self.events[..before]),
            OpeningEvent::Offer(_) => None,
        });
        seats.zip(choices).collect()
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
        let stones = self.cursor.stones();
        let mut choices = opening_event::choices(&self.events, stones);
        choices.push(choice);
        self.opening.step(stones, &choices)?;
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
        let is_allowed = self.allowed().is_none_or(|allowed| allowed.has(point));
        is_allowed.then_some(()).ok_or(BoardError::OpeningPoint)
    }

    /// The number of fifth stones that black has still to offer.
    pub(super) fn missing_offers(&self) -> usize {
        match self.step() {
            Some(OpeningStep::Fifth { count, .. }) => count.saturating_sub(self.offers().len()),
            _ => 0,
        }
    }

    /// Discards the opening events of earlier stones after a new opening stone.
    pub(super) fn discard_opening_events(&mut self) {
        let stones = self.cursor.stones();
        self.events.retain(|(at, _)| *at < stones);
        self.undone_events.clear();
    }
}
