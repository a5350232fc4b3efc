//! A room: two seats, a board, and the referee with the clocks.
//!
//! Time is a duration since any fixed moment, handed in with everything that happens,
//! so no test has to wait.

use super::clock::TimeLeft;
use super::error::RoomError;
use super::outcome::{Outcome, SeatName};
use super::person::{Occupant, PersonId};
use super::setup::RoomSetup;
use quincunx_engine::game::swap::{Choice, OpeningStep, Seat};
use quincunx_engine::game::{Game, Termination};
use quincunx_engine::rules::{Color, Point};
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// The most of a message's travelling time that is not charged to its sender. A flag
/// falls this much later than the clock shows, for the sake of messages on their way.
pub const MOST_LAG: Duration = Duration::from_millis(300);

/// The fewest stones of a game that counts for ratings. Who gives up before has hardly
/// played.
pub const LEAST_STONES: usize = 8;

/// What a player does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// Puts a stone.
    Play {
        /// The point.
        point: Point,
        /// The number of stones that the player saw on the board.
        ply: usize,
    },
    /// Answers the question of an opening.
    Choose {
        /// The answer.
        choice: Choice,
        /// The number of stones that the player saw on the board.
        ply: usize,
    },
    /// Gives the game up.
    Resign,
    /// Offers a draw, or accepts the other's offer.
    OfferDraw,
    /// Declines the other's offer.
    DeclineDraw,
    /// Asks to take the last own move back, or agrees to the other's wish.
    AskUndo,
    /// Refuses to take anything back.
    DeclineUndo,
    /// Wants another game. It begins when both want it.
    Rematch,
}

/// Where a room is in its life.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Stage {
    /// A seat is free.
    Waiting,
    /// A game is being played.
    Playing,
    /// A game has ended.
    Over,
}

/// A room.
#[derive(Clone, Debug)]
pub struct Room {
    pub(super) setup: RoomSetup,
    pub(super) seats: [Option<Occupant>; 2],
    pub(super) stage: Stage,
    pub(super) game: Game,
    pub(super) choices: Vec<Choice>,
    /// The number of stones when the colours were settled.
    pub(super) settled: Option<usize>,
    pub(super) outcome: Option<Outcome>,
    pub(super) left: [TimeLeft; 2],
    /// When the running clock began to run; `None` while it stands.
    pub(super) began: Option<Duration>,
    /// What this turn took before the clock was stopped.
    pub(super) spent: Duration,
    /// Whether the players have done anything in this game.
    pub(super) acted: [bool; 2],
    pub(super) draw_offer: Option<Seat>,
    /// How many stones there were when a draw was offered last.
    pub(super) offered_at: [Option<usize>; 2],
    pub(super) undo_wish: Option<Seat>,
    pub(super) rematch_wish: Option<Seat>,
    /// How many games have begun here.
    pub(super) games: u32,
    /// Counts the changes.
    pub(super) version: u64,
    /// Counts the changes of what is to be done next on the board.
    pub(super) turn: u64,
}

/// Where the state of a seat is.
pub(super) const fn index(seat: Seat) -> usize {
    match seat {
        Seat::First => 0,
        Seat::Second => 1,
    }
}

/// Both seats.
pub(super) const SEATS: [Seat; 2] = [Seat::First, Seat::Second];

impl Room {
    /// A room with two free seats.
    pub fn new(setup: RoomSetup) -> Room {
        Room {
            setup,
            seats: [None; 2],
            stage: Stage::Waiting,
            game: Game::new(setup.rule, setup.size),
            choices: Vec::new(),
            settled: None,
            outcome: None,
            left: [setup.clock.start(); 2],
            began: None,
            spent: Duration::ZERO,
            acted: [false; 2],
            draw_offer: None,
            offered_at: [None; 2],
            undo_wish: None,
            rematch_wish: None,
            games: 0,
            version: 0,
            turn: 0,
        }
    }

    /// What the games are played by.
    pub fn setup(&self) -> RoomSetup {
        self.setup
    }

    /// Where the room is in its life.
    pub fn stage(&self) -> Stage {
        self.stage
    }

    /// The game on the board.
    pub fn game(&self) -> &Game {
        &self.game
    }

    /// How the last game ended.
    pub fn outcome(&self) -> Option<Outcome> {
        self.outcome
    }

    /// How many games have begun here.
    pub fn games(&self) -> u32 {
        self.games
    }

    /// A number that is another after every change.
    pub fn version(&self) -> u64 {
        self.version
    }

    /// A number that is another after every move, choice and undo.
    pub fn turn(&self) -> u64 {
        self.turn
    }

    /// Who has a seat.
    pub fn occupant(&self, seat: Seat) -> Option<Occupant> {
        self.seats[index(seat)]
    }

    /// The seat of a person.
    pub fn seat_of(&self, person: PersonId) -> Option<Seat> {
        let is_there = |seat: &Seat| self.occupant(*seat) == Some(Occupant::Person(person));
        SEATS.into_iter().find(is_there)
    }

    /// Whether the game counts for ratings: it has ended, both have played, and it has at
    /// least [`LEAST_STONES`].
    pub fn counts(&self) -> bool {
        let has_ended = self.outcome.is_some_and(|it| it.reason.is_played());
        let was_played = self.acted == [true; 2] && self.game.ply() >= LEAST_STONES;
        has_ended && self.setup.rated && was_played
    }

    /// What comes next in the game.
    pub fn step(&self) -> Option<OpeningStep> {
        let opening = self.setup.opening;
        opening.step(self.game.ply(), &self.choices).ok()
    }

    /// The player of the black stones, once that is settled.
    pub fn black(&self) -> Option<Seat> {
        match self.step()? {
            OpeningStep::Play { black } => Some(black),
            _ => None,
        }
    }

    /// Who acts next, while a game is played.
    pub fn actor(&self) -> Option<Seat> {
        if self.stage != Stage::Playing {
            return None;
        }
        match self.step()? {
            OpeningStep::Play { black } => match self.game.side() {
                Color::Black => Some(black),
                Color::White => Some(black.other()),
            },
            step => step.seat(0),
        }
    }

    /// What a player has left of the clock at this time. Where it is the running one,
    /// periods that are over count as lost.
    pub fn time_left(&self, seat: Seat, now: Duration) -> TimeLeft {
        let (mut left, used) = self.clock_of(seat, now);
        self.setup.clock.charge(&mut left, used);
        left
    }

    /// What a player had left before this turn, and how long the turn has lasted for
    /// them.
    pub fn clock_of(&self, seat: Seat, now: Duration) -> (TimeLeft, Duration) {
        let is_actor = self.actor() == Some(seat);
        let used = if is_actor {
            self.elapsed(now)
        } else {
            Duration::ZERO
        };
        (self.left[index(seat)], used)
    }

    /// Who offers a draw.
    pub fn draw_offer(&self) -> Option<Seat> {
        self.draw_offer
    }

    /// Who wants to take a move back.
    pub fn undo_wish(&self) -> Option<Seat> {
        self.undo_wish
    }

    /// Who wants another game.
    pub fn rematch_wish(&self) -> Option<Seat> {
        self.rematch_wish
    }

    /// Whether the clock of whoever acts next runs.
    pub fn clock_runs(&self) -> bool {
        self.stage == Stage::Playing && self.began.is_some()
    }

    /// When the flag of whoever acts next falls.
    pub fn deadline(&self) -> Option<Duration> {
        let left = self.left[index(self.actor()?)];
        let limit = self.setup.clock.allowed(left).saturating_add(MOST_LAG);
        Some(self.began?.saturating_add(limit.saturating_sub(self.spent)))
    }

    /// Gives a free seat to somebody. The game begins when both seats are taken.
    ///
    /// # Errors
    /// When the seat is taken, or the person has the other one.
    pub fn sit(&mut self, now: Duration, seat: Seat, who: Occupant) -> Result<(), RoomError> {
        if self.occupant(seat).is_some() {
            return Err(RoomError::Seated);
        }
        if self.occupant(seat.other()) == Some(who) && who.person().is_some() {
            return Err(RoomError::OwnGame);
        }
        self.seats[index(seat)] = Some(who);
        if self.seats.iter().all(Option::is_some) {
            self.begin(now);
        }
        self.version += 1;
        Ok(())
    }

    /// Does what the player of a seat wants. `lag` is how long messages of this player
    /// travel, there and back; it is not charged, up to [`MOST_LAG`].
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
        // A game that has just ended is rated and kept before another begins.
        if self.tick(now) {
            return Err(RoomError::Over);
        }
        match (self.stage, action) {
            (Stage::Waiting, _) => return Err(RoomError::NotBegun),
            (Stage::Over, Action::Rematch) => self.rematch(now, seat),
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
            (Stage::Playing, Action::DeclineDraw) if self.draw_offer == Some(seat.other()) => {
                self.draw_offer = None;
            }
            (Stage::Playing, Action::AskUndo) => self.ask_undo(now, seat)?,
            (Stage::Playing, Action::DeclineUndo) if self.undo_wish == Some(seat.other()) => {
                self.undo_wish = None;
            }
            (Stage::Playing, Action::DeclineDraw | Action::DeclineUndo) => {
                return Err(RoomError::Offer);
            }
            (Stage::Playing, Action::Rematch) => return Err(RoomError::Offer),
        }
        self.version += 1;
        Ok(())
    }

    /// Lets the flag fall if it is time. Says whether it fell.
    pub fn tick(&mut self, now: Duration) -> bool {
        let falls = self.deadline().is_some_and(|deadline| now >= deadline);
        if let Some(loser) = self.actor().filter(|_| falls) {
            self.charge_all(loser);
            self.version += 1;
        }
        falls
    }

    /// Stops the clock that runs. What the turn took so far stays charged.
    pub fn suspend(&mut self, now: Duration) {
        self.spent = self.elapsed(now);
        self.began = None;
        self.version += 1;
    }

    /// Lets a stopped clock run again.
    pub fn resume(&mut self, now: Duration) {
        if self.stage == Stage::Playing && self.began.is_none() {
            self.began = Some(now);
            self.version += 1;
        }
    }

    /// Ends the game without a result that counts.
    pub fn cancel(&mut self) {
        if self.stage == Stage::Playing {
            self.end(None, Termination::Aborted);
            self.version += 1;
        }
    }

    /// Ends a game of a tournament that these players, by seats, have not come to.
    pub fn forfeit(&mut self, absent: [bool; 2]) {
        let winner = match absent {
            [true, false] => Some(Seat::Second),
            [false, true] => Some(Seat::First),
            _ => None,
        };
        if self.stage == Stage::Playing {
            self.end(winner, Termination::NoShow);
            self.version += 1;
        }
    }

    fn begin(&mut self, now: Duration) {
        *self = Room {
            seats: self.seats,
            stage: Stage::Playing,
            began: Some(now),
            games: self.games + 1,
            version: self.version,
            turn: self.turn + 1,
            ..Room::new(self.setup)
        };
        self.settle();
    }

    /// Remembers with how many stones the colours were settled.
    fn settle(&mut self) {
        if self.settled.is_none() && self.black().is_some() {
            self.settled = Some(self.game.ply());
        }
    }

    /// How long this turn has lasted.
    fn elapsed(&self, now: Duration) -> Duration {
        let running = self
            .began
            .map_or(Duration::ZERO, |began| now.saturating_sub(began));
        self.spent.saturating_add(running)
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

    fn play(
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
        if !self.spend(now, seat, lag) {
            return Ok(());
        }
        let mover = self.game.side();
        self.game.play(point)?;
        self.settle();
        if let Some(result) = self.game.result() {
            // A player who puts stones of both colours has put the winning one.
            let winner = result.winner.filter(|it| *it == mover).map(|_| seat);
            self.end(winner, result.termination);
        } else if !self.game.position().clone().has_legal_move() {
            // Every point that is left is forbidden to black, who could only lose.
            self.end(None, Termination::BoardFull);
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
        match self.step() {
            Some(OpeningStep::Choose { options, .. }) if options.contains(&choice) => {}
            _ => return Err(RoomError::Choice),
        }
        if self.spend(now, seat, lag) {
            self.choices.push(choice);
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
        let (clock, left) = (self.setup.clock, &mut self.left[index(seat)]);
        let in_time = match step {
            Some(OpeningStep::Play { .. }) => clock.spend(left, used),
            _ => clock.charge(left, used),
        };
        if !in_time {
            self.charge_all(seat);
            return false;
        }
        self.acted[index(seat)] = true;
        self.turn += 1;
        self.spent = Duration::ZERO;
        self.began = Some(now);
        // An offer is declined by playing on.
        self.draw_offer = self.draw_offer.filter(|offer| *offer == seat);
        self.undo_wish = None;
        true
    }

    /// The flag of this player has fallen.
    fn charge_all(&mut self, loser: Seat) {
        let left = &mut self.left[index(loser)];
        self.setup.clock.charge(left, Duration::MAX);
        self.end(Some(loser.other()), Termination::Time);
    }

    fn offer_draw(&mut self, seat: Seat) -> Result<(), RoomError> {
        if let Some(Occupant::Engine(_)) = self.occupant(seat.other()) {
            return Err(RoomError::EnginePlaysOn);
        }
        if self.draw_offer == Some(seat.other()) {
            self.end(None, Termination::Agreement);
            return Ok(());
        }
        let ply = Some(self.game.ply());
        let offered_at = &mut self.offered_at[index(seat)];
        if *offered_at == ply {
            return Err(RoomError::Offer);
        }
        *offered_at = ply;
        self.draw_offer = Some(seat);
        Ok(())
    }

    /// How many moves go back to the board that this player moved on last.
    fn undo_count(&self, seat: Seat) -> Option<usize> {
        let count = if self.actor() == Some(seat) { 2 } else { 1 };
        let is_possible = self.game.ply() >= self.settled? + count;
        (is_possible && !self.setup.rated).then_some(count)
    }

    fn ask_undo(&mut self, now: Duration, seat: Seat) -> Result<(), RoomError> {
        let other = seat.other();
        let is_engine = matches!(self.occupant(other), Some(Occupant::Engine(_)));
        let agrees = self.undo_wish == Some(other);
        let wisher = if agrees { other } else { seat };
        let count = self.undo_count(wisher).ok_or(RoomError::Undo)?;
        if !agrees && !is_engine {
            self.undo_wish = Some(seat);
            return Ok(());
        }
        // The time that was used is not given back.
        if let Some(actor) = self.actor() {
            let used = self.elapsed(now);
            self.setup.clock.charge(&mut self.left[index(actor)], used);
        }
        (0..count).for_each(|_| _ = self.game.undo());
        self.turn += 1;
        self.spent = Duration::ZERO;
        self.began = Some(now);
        self.undo_wish = None;
        self.draw_offer = None;
        self.offered_at = [None; 2];
        Ok(())
    }

    fn rematch(&mut self, now: Duration, seat: Seat) {
        let is_engine = matches!(self.occupant(seat.other()), Some(Occupant::Engine(_)));
        if is_engine || self.rematch_wish == Some(seat.other()) {
            self.seats.swap(0, 1);
            self.begin(now);
        } else {
            self.rematch_wish = Some(seat);
        }
    }

    fn end(&mut self, winner: Option<Seat>, reason: Termination) {
        self.stage = Stage::Over;
        self.began = None;
        self.draw_offer = None;
        self.undo_wish = None;
        self.outcome = Some(Outcome {
            winner: winner.map(SeatName::from),
            reason,
        });
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::rooms::clock::ClockRule;
    use quincunx_engine::game::SetUp;
    use quincunx_engine::game::swap::OpeningRule;
    use quincunx_engine::rules::{BoardSize, Rule};

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
        room.game = Game::from_position(start.position().unwrap());
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
