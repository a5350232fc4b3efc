//! A room: two seats, a board, and the clocks. What players do is in `referee`.
//!
//! Time is a duration since any fixed moment, handed in with everything that happens,
//! so no test has to wait.

use super::clock::TimeLeft;
use super::error::RoomError;
use super::outcome::Outcome;
use super::person::{Occupant, PersonId};
use super::setup::RoomSetup;
use quincunx_engine::game::swap::{Choice, OpeningStep, Seat};
use quincunx_engine::game::{Game, Termination};
use quincunx_engine::rules::Color;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// The most of a message's travelling time that is not charged to its sender, and the grace
/// of a flag for messages on their way. A player who delays the answers to the server's probes
/// gains no more than this in a move.
pub const MOST_LAG: Duration = Duration::from_millis(150);

/// The stage of a room.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
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
    /// The start of the running clock; `None` while it is paused.
    pub(super) began: Option<Duration>,
    /// True if the message of the turn is unsent. Until then the turn costs nothing, and no flag
    /// falls.
    pub(super) is_unsent: bool,
    /// The time of this turn before the clock was paused.
    pub(super) spent: Duration,
    /// True if the players have done anything in this game.
    pub(super) acted: [bool; 2],
    pub(super) draw_offer: Option<Seat>,
    /// The number of stones at each seat's last draw offer.
    pub(super) offered_at: [Option<usize>; 2],
    pub(super) undo_wish: Option<Seat>,
    /// The number of stones at each seat's last takeback request.
    pub(super) asked_at: [Option<usize>; 2],
    pub(super) rematch_wish: Option<Seat>,
    /// The number of games begun here.
    pub(super) games: u32,
    /// Counts the changes.
    pub(super) version: u64,
    /// Counts the changes of what is to be done next on the board.
    pub(super) turn: u64,
}

/// The index of the state of a seat.
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
            game: Game::new(setup.rule, setup.size).drawn_when_stuck(),
            choices: Vec::new(),
            settled: None,
            outcome: None,
            left: [setup.clock.control().start(); 2],
            began: None,
            is_unsent: false,
            spent: Duration::ZERO,
            acted: [false; 2],
            draw_offer: None,
            offered_at: [None; 2],
            undo_wish: None,
            asked_at: [None; 2],
            rematch_wish: None,
            games: 0,
            version: 0,
            turn: 0,
        }
    }

    /// The setup of the games.
    pub fn setup(&self) -> RoomSetup {
        self.setup
    }

    /// The stage of the room.
    pub fn stage(&self) -> Stage {
        self.stage
    }

    /// The game on the board.
    pub fn game(&self) -> &Game {
        &self.game
    }

    /// The outcome of the last game.
    pub fn outcome(&self) -> Option<Outcome> {
        self.outcome
    }

    /// The number of games begun here.
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

    /// The occupant of a seat.
    pub fn occupant(&self, seat: Seat) -> Option<Occupant> {
        self.seats[index(seat)]
    }

    /// The seat of a person.
    pub fn seat_of(&self, person: PersonId) -> Option<Seat> {
        let is_there = |seat: &Seat| self.occupant(*seat) == Some(Occupant::Person(person));
        SEATS.into_iter().find(is_there)
    }

    /// Returns true if the game counts for ratings: it has ended, and both players have acted.
    pub fn counts(&self) -> bool {
        let has_ended = self.outcome.is_some_and(|it| it.reason.is_played());
        has_ended && self.setup.rated && self.has_begun()
    }

    /// Has no game in this room rated from now on.
    pub(super) fn unrate(&mut self) {
        self.setup.rated = false;
    }

    /// The next step of the game.
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

    /// The seat to act, while a game is in progress.
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

    /// The remaining time of a player. Where it is the running one, periods that are over count as
    /// lost.
    pub fn time_left(&self, seat: Seat, now: Duration) -> TimeLeft {
        let (mut left, used) = self.clock_of(seat, now);
        self.setup.clock.control().charge(&mut left, used);
        left
    }

    /// The remaining time of a player before this turn, and the time of the turn so far.
    pub fn clock_of(&self, seat: Seat, now: Duration) -> (TimeLeft, Duration) {
        let is_actor = self.actor() == Some(seat);
        let used = if is_actor {
            self.elapsed(now)
        } else {
            Duration::ZERO
        };
        (self.left[index(seat)], used)
    }

    /// The seat that offers a draw.
    pub fn draw_offer(&self) -> Option<Seat> {
        self.draw_offer
    }

    /// The seat that asks to take a move back.
    pub fn undo_wish(&self) -> Option<Seat> {
        self.undo_wish
    }

    /// The seat that asks for a rematch.
    pub fn rematch_wish(&self) -> Option<Seat> {
        self.rematch_wish
    }

    /// Returns true if the clock of the player who acts next runs.
    pub fn clock_runs(&self) -> bool {
        self.stage == Stage::Playing && self.began.is_some()
    }

    /// The time at which the flag of the player to act falls; `None` while the message of the turn
    /// is unsent, and for the engine: its searches end in time, if the server gives them time to
    /// run.
    pub fn deadline(&self) -> Option<Duration> {
        if self.is_unsent || self.is_engines_turn() {
            return None;
        }
        let left = self.left[index(self.actor()?)];
        let limit = self
            .setup
            .clock
            .control()
            .allowed(left)
            .saturating_add(MOST_LAG);
        Some(self.began?.saturating_add(limit.saturating_sub(self.spent)))
    }

    /// Gives a free seat to a person. The game begins when both seats are taken.
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

    /// Lets the flag fall if it is time. Says whether it fell.
    pub fn tick(&mut self, now: Duration) -> bool {
        let falls = self.deadline().is_some_and(|deadline| now >= deadline);
        if let Some(loser) = self.actor().filter(|_| falls) {
            self.charge_all(loser);
            self.version += 1;
        }
        falls
    }

    /// Has the clock that runs wait until the message of the turn is sent, which begins at `now` or
    /// later.
    pub fn await_send(&mut self, now: Duration) {
        self.is_unsent = self.clock_runs();
        if self.is_unsent {
            self.began = self.began.max(Some(now));
        }
    }

    /// Returns true if the message of this turn is unsent.
    pub fn is_unsent(&self, turn: u64) -> bool {
        self.is_unsent && self.turn == turn
    }

    /// Marks the message of the turn as sent at this time, at which the turn begins. At `None` it
    /// begins at once, as for the engine and for a player who has gone.
    pub fn mark_sent(&mut self, at: Option<Duration>) {
        if std::mem::take(&mut self.is_unsent) {
            self.began = self.began.max(at);
        }
    }

    /// Returns true if the engine acts next.
    fn is_engines_turn(&self) -> bool {
        let actor = self.actor().and_then(|seat| self.occupant(seat));
        matches!(actor, Some(Occupant::Engine(_)))
    }

    /// The end of a turn of the engine, whose search took this time.
    pub(super) fn end_of_search(&self, now: Duration, took: Duration) -> Duration {
        let began = self.began.unwrap_or(now);
        began.saturating_add(took).min(now)
    }

    /// Stops the clock that runs. What the turn took so far stays charged, but not to the engine,
    /// which is charged for its search.
    pub fn suspend(&mut self, now: Duration) {
        self.spent = if self.is_engines_turn() {
            Duration::ZERO
        } else {
            self.elapsed(now)
        };
        self.began = None;
        self.is_unsent = false;
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

    /// Returns true if a player may call the game off: not both have done anything.
    pub fn can_abort(&self) -> bool {
        self.stage == Stage::Playing && !self.has_begun()
    }

    /// Returns true if both players have acted.
    pub(super) fn has_begun(&self) -> bool {
        self.acted == [true; 2]
    }

    /// Ends the game for a player whose opponent is gone.
    ///
    /// # Errors
    /// When no game is played, or a flag has fallen before.
    pub fn claim(&mut self, now: Duration, seat: Seat) -> Result<(), RoomError> {
        if self.tick(now) || self.stage != Stage::Playing {
            return Err(RoomError::Over);
        }
        self.end(Some(seat), Termination::Forfeit);
        self.version += 1;
        Ok(())
    }

    /// Withdraws a person's wish for another game.
    pub(super) fn withdraw_rematch(&mut self, person: PersonId) {
        if self.rematch_wish.is_some() && self.rematch_wish == self.seat_of(person) {
            self.rematch_wish = None;
            self.version += 1;
        }
    }

    /// Begins a game with what the setup gives.
    pub(super) fn begin(&mut self, now: Duration) {
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
    pub(super) fn settle(&mut self) {
        if self.settled.is_none() && self.black().is_some() {
            self.settled = Some(self.game.ply());
        }
    }

    /// The time of this turn so far.
    pub(super) fn elapsed(&self, now: Duration) -> Duration {
        let running = self
            .began
            .filter(|_| !self.is_unsent)
            .map_or(Duration::ZERO, |began| now.saturating_sub(began));
        self.spent.saturating_add(running)
    }

    /// Ends the game.
    pub(super) fn end(&mut self, winner: Option<Seat>, reason: Termination) {
        self.stage = Stage::Over;
        self.began = None;
        self.is_unsent = false;
        self.draw_offer = None;
        self.undo_wish = None;
        self.outcome = Some(Outcome { winner, reason });
    }
}
