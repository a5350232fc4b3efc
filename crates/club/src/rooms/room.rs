//! A room: two seats, a board, and the clocks. What players do is in `referee`.
//!
//! Time is a duration since any fixed moment, handed in with everything that happens,
//! so no test has to wait.

use super::clock::TimeLeft;
use super::conditional_lines::ConditionalLines;
use super::error::RoomError;
use super::outcome::Outcome;
use super::person::{Occupant, PersonId};
use super::setup::RoomSetup;
use quincunx_engine::game::swap::{Choice, Dialogue, OpeningStep, Seat};
use quincunx_engine::game::{Game, Termination};
use quincunx_engine::position::Position;
use quincunx_engine::rules::Point;
use serde::{Deserialize, Serialize};
use std::cmp::Ordering;
use std::time::Duration;

/// The most of a message's travelling time that is not charged to its sender, and the grace
/// of a flag for messages on their way. A player who delays the answers to the server's probes
/// gains no more than this in a move.
pub const MOST_LAG: Duration = Duration::from_millis(150);

/// The stage of a room.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Stage {
    /// A seat is free.
    Waiting,
    /// A game is being played.
    Playing,
    /// A game has ended.
    Over,
}

/// The stored part of a room.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RoomRecord {
    pub(super) setup: RoomSetup,
    pub(super) seats: [Option<Occupant>; 2],
    pub(super) stage: Stage,
    /// The moves of the game, such as `h8i9`. Only [`Room::record`] sets them.
    moves: String,
    /// The choices of the opening. Only [`Room::record`] sets them.
    choices: Vec<Choice>,
    /// The fifth stones that black has offered. Only [`Room::record`] sets them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    offers: Vec<Point>,
    /// The number of stones with which the opening was over.
    pub(super) settled: Option<usize>,
    pub(super) outcome: Option<Outcome>,
    pub(super) left: [TimeLeft; 2],
    /// The start of the running clock; `None` while it is paused.
    pub(super) began: Option<Duration>,
    /// The time of this turn before the clock was paused.
    pub(super) spent: Duration,
    /// True for the players who have acted in this game.
    pub(super) acted: [bool; 2],
    pub(super) draw_offer: Option<Seat>,
    /// The number of stones at each seat's last draw offer.
    pub(super) offered_at: [Option<usize>; 2],
    pub(super) undo_wish: Option<Seat>,
    /// The number of stones at each seat's last takeback request.
    #[serde(default)]
    pub(super) asked_at: [Option<usize>; 2],
    pub(super) rematch_wish: Option<Seat>,
    /// The time that each player of a correspondence game has used, vacations included.
    #[serde(default, skip_serializing_if = "is_unused")]
    pub(super) used: [Duration; 2],
    /// The number of games begun here.
    pub(super) games: u32,
    /// The conditional moves of each seat.
    #[serde(default, skip_serializing_if = "ConditionalLines::are_empty")]
    pub(super) lines: [ConditionalLines; 2],
    /// The number of last moves that were conditional ones.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub(super) answers: usize,
}

/// Returns true for zero, which records leave out.
fn is_zero(number: &usize) -> bool {
    *number == 0
}

fn is_unused(used: &[Duration; 2]) -> bool {
    *used == [Duration::ZERO; 2]
}

impl RoomRecord {
    /// The number of moves. Each begins with the letter of its column.
    pub(super) fn move_count(&self) -> usize {
        self.moves.bytes().filter(u8::is_ascii_alphabetic).count()
    }
}

/// The moves of a record can't be played.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no game can have these moves")]
pub struct RecordError;

/// A room.
#[derive(Clone, Debug)]
pub struct Room {
    /// The stored part, except for what `game` and `dialogue` have.
    pub(super) record: RoomRecord,
    pub(super) game: Game,
    pub(super) dialogue: Dialogue,
    /// True if the message of the turn is unsent. Until then the turn costs nothing, and no flag
    /// falls.
    pub(super) is_unsent: bool,
    /// The revision, incremented by every change.
    pub(super) version: u64,
    /// The number of the turn, incremented by every move, choice and undo.
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
            record: RoomRecord {
                setup,
                seats: [None; 2],
                stage: Stage::Waiting,
                moves: String::new(),
                choices: Vec::new(),
                offers: Vec::new(),
                settled: None,
                outcome: None,
                left: [setup.clock.control().start(); 2],
                began: None,
                spent: Duration::ZERO,
                acted: [false; 2],
                draw_offer: None,
                offered_at: [None; 2],
                undo_wish: None,
                asked_at: [None; 2],
                rematch_wish: None,
                used: [Duration::ZERO; 2],
                games: 0,
                lines: Default::default(),
                answers: 0,
            },
            game: Game::new(setup.rule, setup.size).drawn_when_stuck(),
            dialogue: Dialogue {
                rule: setup.opening,
                ..Dialogue::default()
            },
            is_unsent: false,
            version: 0,
            turn: 0,
        }
    }

    /// Returns the record of the room.
    pub fn record(&self) -> RoomRecord {
        RoomRecord {
            moves: self.game.position().move_text(),
            choices: self.dialogue.choices.clone(),
            offers: self.dialogue.offers.clone(),
            ..self.record.clone()
        }
    }

    /// Restores a room from its record.
    ///
    /// # Errors
    /// Returns an error if the moves of the record can't be played.
    pub fn restore(mut record: RoomRecord) -> Result<Room, RecordError> {
        let setup = record.setup;
        let position = Position::from_moves(setup.rule, setup.size, &record.moves);
        let mut room = Room::new(setup);
        room.dialogue.choices = std::mem::take(&mut record.choices);
        room.dialogue.offers = std::mem::take(&mut record.offers);
        room.record = record;
        for (_, point) in position.map_err(|_| RecordError)?.moves() {
            room.game.play(point).map_err(|_| RecordError)?;
        }
        Ok(room)
    }

    /// The setup of the games.
    pub fn setup(&self) -> RoomSetup {
        self.record.setup
    }

    /// The stage of the room.
    pub fn stage(&self) -> Stage {
        self.record.stage
    }

    /// The game on the board.
    pub fn game(&self) -> &Game {
        &self.game
    }

    /// The outcome of the last game.
    pub fn outcome(&self) -> Option<Outcome> {
        self.record.outcome
    }

    /// The number of games begun here.
    pub fn games(&self) -> u32 {
        self.record.games
    }

    /// The revision, incremented by every change.
    pub fn version(&self) -> u64 {
        self.version
    }

    /// The number of the turn, incremented by every move, choice and undo.
    pub fn turn(&self) -> u64 {
        self.turn
    }

    /// The occupant of a seat.
    pub fn occupant(&self, seat: Seat) -> Option<Occupant> {
        self.record.seats[index(seat)]
    }

    /// The seat of a person.
    pub fn seat_of(&self, person: PersonId) -> Option<Seat> {
        let is_there = |seat: &Seat| self.occupant(*seat) == Some(Occupant::Person(person));
        SEATS.into_iter().find(is_there)
    }

    /// Returns true if the game counts for ratings: it has ended, and both players have acted.
    pub fn counts(&self) -> bool {
        let has_ended = self.record.outcome.is_some_and(|it| it.reason.is_played());
        has_ended && self.record.setup.rated && self.has_begun()
    }

    /// Has no game in this room rated from now on.
    pub(super) fn unrate(&mut self) {
        self.record.setup.rated = false;
    }

    /// The dialogue of the opening.
    pub fn dialogue(&self) -> &Dialogue {
        &self.dialogue
    }

    /// The next step of the game.
    pub fn step(&self) -> Option<OpeningStep> {
        self.dialogue.step(self.game.ply())
    }

    /// The player of the black stones, once no choice can change it.
    pub fn black(&self) -> Option<Seat> {
        self.dialogue.settled_black(self.game.ply())
    }

    /// The seat to act, while a game is in progress.
    pub fn actor(&self) -> Option<Seat> {
        if self.record.stage != Stage::Playing {
            return None;
        }
        self.dialogue.actor(self.game.position())
    }

    /// The remaining time of a player. Where it is the running one, periods that are over count as
    /// lost.
    pub fn time_left(&self, seat: Seat, now: Duration) -> TimeLeft {
        let (mut left, used) = self.clock_of(seat, now);
        self.record.setup.clock.control().charge(&mut left, used);
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
        (self.record.left[index(seat)], used)
    }

    /// The seat that offers a draw.
    pub fn draw_offer(&self) -> Option<Seat> {
        self.record.draw_offer
    }

    /// The seat that asks to take a move back.
    pub fn undo_wish(&self) -> Option<Seat> {
        self.record.undo_wish
    }

    /// The seat that asks for a rematch.
    pub fn rematch_wish(&self) -> Option<Seat> {
        self.record.rematch_wish
    }

    /// Returns true if the clock of the player who acts next runs.
    pub fn clock_runs(&self) -> bool {
        self.record.stage == Stage::Playing && self.record.began.is_some()
    }

    /// The time at which the flag of the player to act falls; `None` while the message of the turn
    /// is unsent, and for the engine: its searches end in time, if the server gives them time to
    /// run.
    pub fn deadline(&self) -> Option<Duration> {
        if self.is_unsent || self.is_engines_turn() {
            return None;
        }
        let left = self.record.left[index(self.actor()?)];
        let limit = self.setup().clock.control().allowed(left);
        let rest = (limit.saturating_add(MOST_LAG)).saturating_sub(self.record.spent);
        Some(self.record.began?.saturating_add(rest))
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
        self.record.seats[index(seat)] = Some(who);
        if self.record.seats.iter().all(Option::is_some) {
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
    /// later. The clock of a correspondence game does not wait.
    pub fn await_send(&mut self, now: Duration) {
        self.is_unsent = self.clock_runs() && !self.setup().is_correspondence();
        if self.is_unsent {
            self.record.began = self.record.began.max(Some(now));
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
            self.record.began = self.record.began.max(at);
        }
    }

    /// Returns true if the engine acts next.
    fn is_engines_turn(&self) -> bool {
        let actor = self.actor().and_then(|seat| self.occupant(seat));
        matches!(actor, Some(Occupant::Engine(_)))
    }

    /// The end of a turn of the engine, whose search took this time.
    pub(super) fn end_of_search(&self, now: Duration, took: Duration) -> Duration {
        let began = self.record.began.unwrap_or(now);
        began.saturating_add(took).min(now)
    }

    /// Stops the clock that runs. What the turn took so far stays charged, but not to the engine,
    /// which is charged for its search. The clock of a correspondence game goes on.
    pub fn suspend(&mut self, now: Duration) {
        if self.setup().is_correspondence() {
            return;
        }
        self.record.spent = if self.is_engines_turn() {
            Duration::ZERO
        } else {
            self.elapsed(now)
        };
        self.record.began = None;
        self.is_unsent = false;
        self.version += 1;
    }

    /// Lets a stopped clock run again.
    pub fn resume(&mut self, now: Duration) {
        if self.record.stage == Stage::Playing && self.record.began.is_none() {
            self.record.began = Some(now);
            self.version += 1;
        }
    }

    /// Puts the fall of the flag off to this time. Returns true if it would have fallen before.
    pub(super) fn put_off(&mut self, until: Duration) -> bool {
        let early = self.deadline().and_then(|at| until.checked_sub(at));
        let early = early.filter(|early| !early.is_zero());
        if let (Some(began), Some(early)) = (&mut self.record.began, early) {
            *began += early;
        }
        early.is_some()
    }

    /// Has the turn of a correspondence game begin later by a time, which counts as used.
    pub(super) fn begin_later(&mut self, by: Duration) {
        if let (Some(actor), Some(began)) = (self.actor(), &mut self.record.began) {
            *began += by;
            self.record.used[index(actor)] += by;
        }
    }

    /// Has the turn of a correspondence game begin earlier by a time, which does not count as used.
    pub(super) fn begin_earlier(&mut self, by: Duration) {
        if let (Some(actor), Some(began)) = (self.actor(), &mut self.record.began) {
            *began = began.saturating_sub(by);
            let used = &mut self.record.used[index(actor)];
            *used = used.saturating_sub(by);
        }
    }

    /// The time that a player of a correspondence game has used, vacations included.
    pub(super) fn used(&self, now: Duration, seat: Seat) -> Duration {
        let used = self.record.used[index(seat)];
        let began = self.record.began.filter(|_| self.actor() == Some(seat));
        // On vacation the turn begins in the future, and the time until then is in `used`.
        began.map_or(used, |began| (used + now).saturating_sub(began))
    }

    /// Ends a correspondence game of a tournament at its deadline: the player who has used more time
    /// until then loses.
    pub(super) fn end_by_deadline(&mut self, now: Duration, deadline: Duration) {
        if self.tick(now) || self.record.stage != Stage::Playing {
            return;
        }
        let [first, second] = SEATS.map(|seat| self.used(deadline, seat));
        let winner = match first.cmp(&second) {
            Ordering::Less => Some(Seat::First),
            Ordering::Equal => None,
            Ordering::Greater => Some(Seat::Second),
        };
        self.end(winner, Termination::Time);
        self.version += 1;
    }

    /// Ends the game without a result that counts.
    pub fn cancel(&mut self) {
        if self.record.stage == Stage::Playing {
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
        if self.record.stage == Stage::Playing {
            self.end(winner, Termination::NoShow);
            self.version += 1;
        }
    }

    /// Returns true if a player may call the game off: not both have done anything.
    pub fn can_abort(&self) -> bool {
        self.record.stage == Stage::Playing && !self.has_begun()
    }

    /// Returns true if both players have acted.
    pub(super) fn has_begun(&self) -> bool {
        self.record.acted == [true; 2]
    }

    /// Ends the game for a player whose opponent is gone.
    ///
    /// # Errors
    /// When no game is played, or a flag has fallen before.
    pub fn claim(&mut self, now: Duration, seat: Seat) -> Result<(), RoomError> {
        if self.tick(now) || self.record.stage != Stage::Playing {
            return Err(RoomError::Over);
        }
        self.end(Some(seat), Termination::Forfeit);
        self.version += 1;
        Ok(())
    }

    /// Withdraws a person's wish for another game.
    pub(super) fn withdraw_rematch(&mut self, person: PersonId) {
        if self.rematch_wish().is_some() && self.rematch_wish() == self.seat_of(person) {
            self.record.rematch_wish = None;
            self.version += 1;
        }
    }

    /// Begins a game with what the setup gives.
    pub(super) fn begin(&mut self, now: Duration) {
        let new = Room::new(self.record.setup);
        *self = Room {
            record: RoomRecord {
                seats: self.record.seats,
                stage: Stage::Playing,
                began: Some(now),
                games: self.record.games + 1,
                ..new.record
            },
            version: self.version,
            turn: self.turn + 1,
            ..new
        };
        self.settle();
    }

    /// Stores the number of stones with which the opening is over.
    pub(super) fn settle(&mut self) {
        let is_over = matches!(self.step(), Some(OpeningStep::Play { .. }));
        if self.record.settled.is_none() && is_over {
            self.record.settled = Some(self.game.ply());
        }
    }

    /// The time of this turn so far.
    pub(super) fn elapsed(&self, now: Duration) -> Duration {
        let running = self
            .record
            .began
            .filter(|_| !self.is_unsent)
            .map_or(Duration::ZERO, |began| now.saturating_sub(began));
        self.record.spent.saturating_add(running)
    }

    /// Ends the game.
    pub(super) fn end(&mut self, winner: Option<Seat>, reason: Termination) {
        self.record.stage = Stage::Over;
        self.record.began = None;
        self.is_unsent = false;
        self.record.draw_offer = None;
        self.record.undo_wish = None;
        let answers = self.record.answers;
        self.drop_lines();
        self.record.answers = answers;
        self.record.outcome = Some(Outcome { winner, reason });
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use crate::rooms::{Room, StoredRoom};
    use serde_json::Value;

    /// A stored room is read and written as it was before its record became a part of it.
    #[test]
    fn stored_rooms_keep_their_format() {
        let person = "01".repeat(32);
        let text = format!(
            r#"{{"owner":"{person}","private":false,"touched":{{"secs":1700000000,"nanos":5}},
            "room":{{"setup":{{"rule":"renju","size":"15","opening":"swap2",
            "clock":{{"kind":"byoyomi","main_ms":60000,"period_ms":10000,"periods":3}},"rated":true}},
            "seats":[{{"person":"{person}"}},{{"engine":50}}],"stage":"playing","moves":"h8i9g7",
            "choices":["two_stones"],"settled":null,"outcome":null,
            "left":[{{"main":{{"secs":59,"nanos":0}},"periods":3}},{{"main":{{"secs":60,"nanos":0}},"periods":3}}],
            "began":{{"secs":1700000001,"nanos":0}},"spent":{{"secs":0,"nanos":0}},"acted":[true,false],
            "draw_offer":"first","offered_at":[3,null],"undo_wish":null,"asked_at":[null,null],
            "rematch_wish":"second","games":1}},
            "appointment":{{"tournament":"00000000000000ff","since":{{"secs":1700000000,"nanos":0}},
            "came":[true,false]}},"rating_changes":[null,-12],"invited":"{person}"}}"#
        );
        let value: Value = serde_json::from_str(&text).unwrap();
        let stored: StoredRoom = serde_json::from_value(value.clone()).unwrap();
        let room = Room::restore(stored.room.clone()).unwrap();
        let stored = StoredRoom {
            room: room.record(),
            ..stored
        };
        assert_eq!(serde_json::to_value(stored).unwrap(), value);
    }
}
