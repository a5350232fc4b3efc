//! The referee of a room: what players do, whether they may, and what it costs of their clocks.

use super::error::RoomError;
use super::person::Occupant;
use super::room::{MOST_LAG, Room, Stage, index};
use quincunx_engine::game::Termination;
use quincunx_engine::game::swap::{Choice, OpeningStep, Seat};
use quincunx_engine::rules::Point;
use serde::{Deserialize, Deserializer, Serialize};
use std::time::Duration;
use strum::VariantNames;

/// An action of a player.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, VariantNames)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
#[strum(serialize_all = "snake_case")]
pub enum Action {
    /// Puts a stone, or offers one for the fifth move.
    Play {
        /// The point.
        #[serde(deserialize_with = "point")]
        #[cfg_attr(feature = "schema", schemars(with = "String"))]
        point: Point,
        /// The number of stones that the visitor saw on the board.
        ply: usize,
    },
    /// Answers the question of an opening.
    Choose {
        /// The answer.
        choice: Choice,
        /// The number of stones that the visitor saw on the board.
        ply: usize,
    },
    /// Gives the game up.
    Resign,
    /// Offers a draw, or accepts one.
    OfferDraw,
    /// Declines a draw, or withdraws the own offer.
    DeclineDraw,
    /// Asks to take a move back, or agrees to it.
    AskUndo,
    /// Refuses to take anything back, or withdraws the own wish.
    DeclineUndo,
    /// Wants another game with the seats exchanged.
    Rematch,
    /// Aborts a game in which not both have acted. It is not rated.
    Abort,
}

/// Parses a point. Invalid text becomes [`Point::NONE`], which is off every board.
fn point<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Point, D::Error> {
    Ok((String::deserialize(deserializer)?.parse()).unwrap_or(Point::NONE))
}

impl Room {
    /// Does what the player of a seat wants, and plays the conditional moves that answer it. `lag`
    /// is how long messages of this player travel, there and back; it is not charged, up to
    /// [`MOST_LAG`].
    ///
    /// # Errors
    /// When it can't be done, or the flag has fallen before.
    pub fn act(
        &mut self,
        now: Duration,
        seat: Seat,
        action: Action,
        lag: Duration,
    ) -> Result<(), RoomError> {
        self.act_once(now, seat, action, lag)?;
        self.answer(now);
        Ok(())
    }

    /// Does what the player of a seat wants, without conditional moves.
    pub(super) fn act_once(
        &mut self,
        now: Duration,
        seat: Seat,
        action: Action,
        lag: Duration,
    ) -> Result<(), RoomError> {
        // A game that has just ended is rated and kept before another begins.
        if self.tick(now) {
            return Err(RoomError::Over);
        }
        match (self.record.stage, action) {
            (Stage::Waiting, _) => return Err(RoomError::NotBegun),
            (Stage::Over, Action::Rematch) if self.rematch_wish() != Some(seat) => {
                self.rematch(now, seat);
            }
            (Stage::Over, Action::Rematch) => return Err(RoomError::Offer),
            (Stage::Over, _) => return Err(RoomError::Over),
            (Stage::Playing, Action::Play { point, ply }) => {
                self.play(now, seat, point, ply, lag)?;
            }
            (Stage::Playing, Action::Choose { choice, ply }) => {
                self.choose(now, seat, choice, ply, lag)?;
            }
            (Stage::Playing, Action::Resign) => {
                self.end(Some(seat.other()), Termination::Resignation)
            }
            (Stage::Playing, Action::OfferDraw) => self.offer_draw(seat)?,
            (Stage::Playing, Action::DeclineDraw) if self.record.draw_offer.is_some() => {
                self.record.draw_offer = None;
            }
            (Stage::Playing, Action::AskUndo) => self.ask_undo(now, seat)?,
            (Stage::Playing, Action::DeclineUndo) if self.record.undo_wish.is_some() => {
                self.record.undo_wish = None;
            }
            (Stage::Playing, Action::DeclineDraw | Action::DeclineUndo) => {
                return Err(RoomError::Offer);
            }
            (Stage::Playing, Action::Abort) if self.can_abort() => {
                self.end(None, Termination::Aborted);
            }
            (Stage::Playing, Action::Abort) => return Err(RoomError::Begun),
            (Stage::Playing, Action::Rematch) => return Err(RoomError::Offer),
        }
        self.version += 1;
        Ok(())
    }

    /// Refuses what another player does, or what was meant for another board.
    fn check_turn(&self, seat: Seat, ply: usize) -> Result<(), RoomError> {
        if self.actor() != Some(seat) {
            Err(RoomError::NotYourTurn)
        } else if self.game.ply() != ply {
            Err(RoomError::Stale)
        } else {
            Ok(())
        }
    }

    pub(super) fn play(
        &mut self,
        now: Duration,
        seat: Seat,
        point: Point,
        ply: usize,
        lag: Duration,
    ) -> Result<(), RoomError> {
        self.check_turn(seat, ply)?;
        if let Some(OpeningStep::Choose { .. }) = self.step() {
            return Err(RoomError::Opens);
        }
        self.game.check(point)?;
        if !self.dialogue.allows(self.game.position(), point) {
            return Err(RoomError::OpeningPoint);
        }
        let is_offer = self.dialogue.missing_offers(ply) > 0;
        if !self.spend(now, seat, lag) {
            return Ok(());
        }
        if is_offer {
            self.dialogue.offers.push(point);
            return Ok(());
        }
        let mover = self.game.side();
        self.game.play(point)?;
        self.record.lines.iter_mut().for_each(|it| it.follow(point));
        self.record.answers = 0;
        self.settle();
        if let Some(result) = self.game.result() {
            // A player who puts stones of both colours has put the winning one.
            let winner = result.winner.filter(|it| *it == mover).map(|_| seat);
            self.end(winner, result.termination);
        }
        Ok(())
    }

    fn choose(
        &mut self,
        now: Duration,
        seat: Seat,
        choice: Choice,
        ply: usize,
        lag: Duration,
    ) -> Result<(), RoomError> {
        self.check_turn(seat, ply)?;
        let mut chosen = self.dialogue.clone();
        chosen.choose(ply, choice).map_err(|_| RoomError::Choice)?;
        if self.spend(now, seat, lag) {
            self.dialogue = chosen;
            self.settle();
        }
        Ok(())
    }

    /// Charges the turn to the player who ends it, and begins the next. The flag falls
    /// instead if there was not enough time; then it says so.
    fn spend(&mut self, now: Duration, seat: Seat, lag: Duration) -> bool {
        let used = self.elapsed(now).saturating_sub(lag.min(MOST_LAG));
        // A player who puts several stones of an opening would earn as many increments.
        let step = self.step();
        let clock = self.setup().clock;
        let control = clock.control();
        let left = &mut self.record.left[index(seat)];
        let in_time = match step {
            Some(OpeningStep::Play { .. }) => control.spend(left, used),
            _ => control.charge(left, used),
        };
        if !in_time {
            self.charge_all(seat);
            return false;
        }
        clock.renew(left);
        if clock.is_correspondence() {
            self.record.used[index(seat)] = self.used(now, seat);
        }
        self.record.acted[index(seat)] = true;
        self.turn += 1;
        self.record.spent = Duration::ZERO;
        self.record.began = Some(now);
        self.is_unsent = false;
        // An offer is declined by playing on.
        self.record.draw_offer = self.record.draw_offer.filter(|offer| *offer == seat);
        self.record.undo_wish = None;
        true
    }

    /// The flag of this player has fallen.
    pub(super) fn charge_all(&mut self, loser: Seat) {
        let control = self.setup().clock.control();
        control.charge(&mut self.record.left[index(loser)], Duration::MAX);
        self.end(Some(loser.other()), Termination::Time);
    }

    fn offer_draw(&mut self, seat: Seat) -> Result<(), RoomError> {
        if let Some(Occupant::Engine(_)) = self.occupant(seat.other()) {
            return Err(RoomError::EnginePlaysOn);
        }
        if self.record.draw_offer == Some(seat.other()) {
            self.end(None, Termination::Agreement);
            return Ok(());
        }
        let ply = Some(self.game.ply());
        let offered_at = &mut self.record.offered_at[index(seat)];
        if *offered_at == ply {
            return Err(RoomError::Offer);
        }
        *offered_at = ply;
        self.record.draw_offer = Some(seat);
        Ok(())
    }

    /// The number of moves to undo, back to the last turn of this player.
    fn undo_count(&self, seat: Seat) -> Option<usize> {
        let count = if self.actor() == Some(seat) { 2 } else { 1 };
        let is_possible = self.game.ply() >= self.record.settled? + count;
        (is_possible && !self.record.setup.rated).then_some(count)
    }

    fn ask_undo(&mut self, now: Duration, seat: Seat) -> Result<(), RoomError> {
        let other = seat.other();
        let is_engine = matches!(self.occupant(other), Some(Occupant::Engine(_)));
        let agrees = self.record.undo_wish == Some(other);
        let wisher = if agrees { other } else { seat };
        let count = self.undo_count(wisher).ok_or(RoomError::Undo)?;
        let undone = [wisher, wisher.other()].into_iter().take(count);
        // The increment of a move is taken back with it.
        let clock = self.setup().clock;
        let control = clock.control();
        let increment = control.increment;
        let can_pay = |it| increment.is_zero() || self.time_left(it, now).main > increment;
        if !undone.clone().all(can_pay) {
            return Err(RoomError::Undo);
        }
        if !agrees && !is_engine {
            let ply = Some(self.game.ply());
            let asked_at = &mut self.record.asked_at[index(seat)];
            if *asked_at == ply {
                return Err(RoomError::Offer);
            }
            *asked_at = ply;
            self.record.undo_wish = Some(seat);
            return Ok(());
        }
        // The time that was used is not given back.
        if let Some(actor) = self.actor() {
            let used = self.elapsed(now);
            let left = &mut self.record.left[index(actor)];
            control.charge(left, used);
            clock.renew(left);
        }
        for mover in undone {
            let main = &mut self.record.left[index(mover)].main;
            *main = main.saturating_sub(increment);
        }
        (0..count).for_each(|_| _ = self.game.undo());
        self.drop_lines();
        self.turn += 1;
        self.record.spent = Duration::ZERO;
        self.record.began = Some(now);
        self.is_unsent = false;
        self.record.undo_wish = None;
        self.record.draw_offer = None;
        self.record.offered_at = [None; 2];
        self.record.asked_at = [None; 2];
        Ok(())
    }

    fn rematch(&mut self, now: Duration, seat: Seat) {
        let is_engine = matches!(self.occupant(seat.other()), Some(Occupant::Engine(_)));
        if is_engine || self.rematch_wish() == Some(seat.other()) {
            self.record.seats.swap(0, 1);
            self.begin(now);
        } else {
            self.record.rematch_wish = Some(seat);
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::rooms::clock::ClockRule;
    use crate::rooms::outcome::Outcome;
    use crate::rooms::person::PersonId;
    use crate::rooms::room::SEATS;
    use crate::rooms::setup::RoomSetup;
    use quincunx_engine::game::Game;
    use quincunx_engine::game::SetUp;
    use quincunx_engine::game::swap::OpeningRule;
    use quincunx_engine::rules::{BoardSize, Color, Rule};

    /// The only point left is forbidden to black, who is to move.
    #[test]
    fn a_game_without_a_legal_move_is_over() {
        let setup = RoomSetup {
            rule: Rule::Renju,
            size: BoardSize::new(6, 5).unwrap(),
            opening: OpeningRule::Free,
            clock: ClockRule::SuddenDeath { main_ms: 60_000 },
            rated: true,
        };
        let now = Duration::ZERO;
        let mut room = Room::new(setup);
        for (seat, number) in SEATS.into_iter().zip(1..) {
            let who = Occupant::Person(PersonId([number; 32]));
            room.sit(now, seat, who).unwrap();
        }
        // From the bottom row up; `.` is empty.
        let rows = ["xxx.xx", "ooxxoo", "xxooxx", "ooxxoo", ".xooxx"];
        let mut start = SetUp::empty(setup.rule, setup.size);
        start.first = Color::White;
        for (y, row) in rows.into_iter().enumerate() {
            for (x, stone) in row.chars().enumerate() {
                let color = match stone {
                    'x' => Color::Black,
                    'o' => Color::White,
                    _ => continue,
                };
                start.stones.push((color, Point::new(x, y)));
            }
        }
        room.game = Game::from_position(start.position().unwrap()).drawn_when_stuck();
        let (point, ply) = (Point::new(0, 4), room.game.ply());
        let last = Action::Play { point, ply };
        room.act(now, Seat::Second, last, now).unwrap();
        let drawn = Outcome {
            winner: None,
            reason: Termination::BoardFull,
        };
        assert_eq!(room.outcome(), Some(drawn));
    }
}
