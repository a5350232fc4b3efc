//! When clocks run: a turn begins for its player when they were told of it.

use super::{Club, Entry};
use crate::rooms::number::{RoomId, VisitorId};
use crate::rooms::person::Occupant;
use std::time::Duration;

impl Club {
    /// Whether a clock runs.
    pub fn clock_runs(&self) -> bool {
        self.rooms.values().any(|entry| entry.room.clock_runs())
    }

    /// Stops every clock, as where moves can't be kept. Clocks run again when time goes on
    /// and their players are there.
    pub fn stop_clocks(&mut self, now: Duration) {
        let runs = |(id, entry): (&RoomId, &Entry)| entry.room.clock_runs().then_some(*id);
        let running: Vec<RoomId> = self.rooms.iter().filter_map(runs).collect();
        for id in running {
            self.change(now, id, |room| room.suspend(now));
        }
    }

    /// The machine has slept for so long, in which nothing happened. What happened before is as
    /// long ago as it was. All connections are taken for broken, so that every clock stands until
    /// its player is there again.
    pub fn wake(&mut self, now: Duration, slept: Duration) {
        self.stop_clocks(now);
        let move_on = |time: &mut Duration| *time += slept;
        for entry in self.rooms.values_mut() {
            move_on(&mut entry.touched);
            if let Some(appointment) = &mut entry.appointment {
                move_on(&mut appointment.since);
            }
        }
        for it in self.tournaments.values_mut() {
            move_on(&mut it.touched);
            it.next_round.iter_mut().for_each(move_on);
        }
        self.gone.values_mut().for_each(move_on);
        self.started.iter_mut().for_each(move_on);
        let gone: Vec<VisitorId> = self.visitors.keys().copied().collect();
        for id in gone {
            self.leave(now + slept, id);
        }
    }

    /// Whether the player to act in a room hears of the turn by a letter: a person who is
    /// there.
    pub(super) fn actor_is_told(&self, id: RoomId) -> bool {
        let room = self.rooms.get(&id).map(|entry| &entry.room);
        let actor = room.and_then(|room| room.occupant(room.actor()?));
        actor.and_then(Occupant::person).is_some() && self.actor_is_here(id)
    }

    /// Has the clock of a room wait until the player was told of the turn.
    pub(super) fn await_telling(&mut self, id: RoomId) {
        if let Some(entry) = self.rooms.get_mut(&id) {
            entry.room.await_telling();
        }
    }

    /// A visitor was told of this turn of a room at this time. Where it is theirs, their
    /// clock runs from then on: no player pays for what the
    /// server took until then.
    pub fn told(&mut self, at: Duration, id: VisitorId, (room, turn): (RoomId, u64)) {
        let person = self.visitors.get(&id).and_then(|visitor| visitor.person);
        if let Some(entry) = self.rooms.get(&room)
            && entry.room.actor() == person.and_then(|person| entry.room.seat_of(person))
        {
            self.begin_turn(at, (room, turn));
        }
    }

    /// Begins a turn of a room at this time, unless it has begun. Its player may not have read
    /// of it.
    pub fn begin_turn(&mut self, at: Duration, (room, turn): (RoomId, u64)) {
        if let Some(entry) = self.rooms.get_mut(&room)
            && entry.room.is_untold(turn)
        {
            entry.room.tell(Some(at));
        }
    }
}
