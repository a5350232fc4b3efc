//! Clocks: a turn begins for its player when its message has been sent.

use super::{Club, Entry};
use crate::rooms::number::{RoomId, VisitorId};
use std::time::Duration;

impl Club {
    /// Returns true if a clock runs.
    pub fn clock_runs(&self) -> bool {
        self.rooms.values().any(|entry| entry.room.clock_runs())
    }

    /// Stops every clock, as where moves can't be kept. When time goes on each waits for its
    /// player, as after a restart. No player counts as gone: none can come meanwhile.
    pub fn stop_clocks(&mut self, now: Duration) {
        self.suspend_all(now);
        self.gone.clear();
    }

    fn suspend_all(&mut self, now: Duration) {
        self.started = Some(now);
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
        self.suspend_all(now);
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
        // The sleep is no absence of a player: as after a restart, all have time to reconnect.
        let gone_before = self.gone.clone();
        let visitors: Vec<VisitorId> = self.visitors.keys().copied().collect();
        for id in visitors {
            self.leave(now + slept, id);
        }
        self.gone = gone_before;
        self.started = Some(now + slept);
    }

    /// Begins the clock of a turn. It starts once the message of the turn has reached a player who
    /// is in the room, or once the search of the engine begins. Within the grace period after a restart or a sleep the clock of a player who
    /// is not in the room is suspended.
    pub(super) fn begin_clock(&mut self, now: Duration, id: RoomId) {
        let is_here = self.actor_is_here(id);
        let back = self.started.map(|started| started + self.limits.grace);
        let Some(Entry { room, .. }) = self.rooms.get_mut(&id) else {
            return;
        };
        if room.actor().is_none() {
            return;
        }
        // The move before it may have waited to be followed, which is charged to neither player.
        // The turn of the engine begins with its search.
        room.await_telling(now);
        if !is_here {
            room.tell(None);
        }
        if !is_here && back.is_some_and(|back| now < back) {
            room.suspend(now);
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
