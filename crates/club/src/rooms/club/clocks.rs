//! Clocks: a turn begins for its player when its message has been sent.

use super::{Club, Entry};
use crate::rooms::number::{RoomId, VisitorId};
use std::time::Duration;

impl Club {
    /// Returns true if a clock runs.
    pub fn clock_runs(&self) -> bool {
        self.rooms.any(|entry| entry.room.clock_runs())
    }

    /// Pauses every clock, because moves can't be stored. Later each clock waits for its player, as
    /// after a restart. No player counts as absent meanwhile, since connections are refused.
    pub fn stop_clocks(&mut self, now: Duration) {
        self.suspend_all(now);
        self.rooms.correspondence.stop(now);
        self.connections.disconnected_since.clear();
    }

    fn suspend_all(&mut self, now: Duration) {
        self.started = Some(now);
        for id in self.rooms.which(|entry| entry.room.clock_runs()) {
            self.change(now, id, |room| room.suspend(now));
        }
    }

    /// Handles a sleep of the machine of this length. Intervals that began before it do not include
    /// it. All connections count as broken, so every clock is paused until its player reconnects.
    pub fn wake(&mut self, now: Duration, slept: Duration) {
        self.suspend_all(now);
        self.rooms.correspondence.stop(now);
        let move_on = |time: &mut Duration| *time += slept;
        self.rooms.move_on(slept);
        self.tournaments.move_on(slept);
        self.connections
            .disconnected_since
            .values_mut()
            .for_each(move_on);
        // The sleep is no absence of a player: as after a restart, all have time to reconnect.
        let gone_before = self.connections.disconnected_since.clone();
        let visitors: Vec<VisitorId> = self.connections.visitors.keys().copied().collect();
        for id in visitors {
            self.leave(now + slept, id);
        }
        self.connections.disconnected_since = gone_before;
        self.started = Some(now + slept);
    }

    /// Begins the clock of a turn. It starts once the message of the turn has reached a player who
    /// is in the room, or once the search of the engine begins. Within the grace period after a restart or a sleep the clock of a player who
    /// is not in the room is suspended.
    pub(super) fn begin_clock(&mut self, now: Duration, id: RoomId) {
        let is_here = self.actor_is_here(id);
        let back = self.started.map(|started| started + self.limits.grace);
        let Some(Entry { room, .. }) = self.rooms.get_mut(id) else {
            return;
        };
        if room.actor().is_none() {
            return;
        }
        // The move before it may have waited to be followed, which is charged to neither player.
        // The turn of the engine begins with its search.
        room.await_send(now);
        if !is_here {
            room.mark_sent(None);
        }
        if !is_here && back.is_some_and(|back| now < back) {
            room.suspend(now);
        }
    }

    /// Notes that the message of a turn was sent to a visitor at this time. If it is their turn,
    /// their clock runs from then on: no player pays for the server's time before.
    pub fn turn_sent(&mut self, at: Duration, id: VisitorId, (room, turn): (RoomId, u64)) {
        let person = self.connections.person(id);
        if let Some(entry) = self.rooms.get(room)
            && entry.room.actor() == person.and_then(|person| entry.room.seat_of(person))
        {
            self.begin_turn(at, (room, turn));
        }
    }

    /// Begins a turn of a room at this time, unless it has begun. Its player may not have read
    /// of it.
    pub fn begin_turn(&mut self, at: Duration, turn: (RoomId, u64)) {
        self.rooms.begin_turn(at, turn);
    }
}
