//! Games between people that end before both have acted: whose fault it is, and the pause that
//! it costs.

use super::Club;
use super::error::VisitError;
use crate::rooms::archive::FinishedGame;
use crate::rooms::number::RoomId;
use crate::rooms::pauses::{LONGEST, Offender};
use crate::rooms::person::PersonId;
use quincunx_engine::game::Termination;
use quincunx_engine::game::swap::Seat;
use std::time::Duration;

/// The time for the first move after which the opponent calls the game off at no cost.
const PATIENCE: Duration = Duration::from_secs(20);

/// The longest pause of the guests of an address: one of them must not keep a whole class from
/// playing.
const LONGEST_OF_GUESTS: Duration = Duration::from_secs(60);

impl Club {
    /// Refuses a game with people to a person whose pause is not over.
    pub(super) fn check_pause(&self, now: Duration, person: PersonId) -> Result<(), VisitError> {
        let checked = self.called_off.check(now, &self.offender(person));
        checked.map_err(VisitError::CalledOff)
    }

    /// The owner of the pauses of a person.
    pub(super) fn offender(&self, person: PersonId) -> Offender {
        let is_guest = !self.people.has_name(person);
        let mut theirs = self.connections.visitors.values().filter(|_| is_guest);
        let visitor = theirs.find(|visitor| visitor.person == Some(person));
        visitor.map_or(Offender::Person(person), |it| Offender::Guests(it.from))
    }

    /// Forgives both players of a game one offence each, where strangers can see that it was a game:
    /// a public, live and rated one that is not short, between two addresses, and begun after the pause.
    pub(super) fn forgive(&mut self, game: &FinishedGame, began: Duration) {
        if !game.counts() || game.is_short() || game.one_address || game.setup.is_correspondence() {
            return;
        }
        for person in game.players.iter().filter_map(|player| player.person()) {
            self.called_off.forgive(&self.offender(person), began);
        }
    }

    fn begin_pause(&mut self, now: Duration, person: PersonId) {
        let offender = self.offender(person);
        let longest = match offender {
            Offender::Person(_) => LONGEST,
            Offender::Guests(_) => LONGEST_OF_GUESTS,
        };
        self.called_off.begin(now, offender, longest);
    }

    /// Notes that a player calls off a game. It costs nothing where the opponent does not begin.
    pub(super) fn note_abort(&mut self, now: Duration, person: PersonId, room: RoomId) {
        let Some(entry) = self.rooms.get(room) else {
            return;
        };
        let Some(seat) = entry.room.seat_of(person) else {
            return;
        };
        let waits = entry.room.actor() == Some(seat.other());
        let is_excused = waits && now.saturating_sub(entry.turn_began) >= PATIENCE;
        if entry.is_live_between_people() && entry.room.can_abort() && !is_excused {
            self.begin_pause(now, person);
        }
    }

    /// Notes that a game ended before both have acted, by the fault of the player who lost it.
    pub(super) fn note_unplayed(&mut self, now: Duration, room: RoomId) {
        let Some(entry) = self.rooms.get(room) else {
            return;
        };
        let outcome = entry.room.outcome();
        let is_fault = |reason| {
            matches!(
                reason,
                Termination::Resignation | Termination::Time | Termination::Forfeit
            )
        };
        let winner = outcome
            .filter(|it| is_fault(it.reason))
            .and_then(|it| it.winner);
        let loser = winner.and_then(|winner: Seat| {
            let seat = winner.other();
            entry.room.occupant(seat)?.person()
        });
        // A tournament has rules of its own for players who do not come.
        if let Some(loser) = loser
            && entry.is_live_between_people()
            && entry.tournament_game.is_none()
        {
            self.begin_pause(now, loser);
        }
    }
}
