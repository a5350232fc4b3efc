//! A club: its rooms, its people and its visitors, as a state machine.
//!
//! Messages of visitors go in, [`Effects`] come out: writes to the store, messages to send and
//! searches to start. No message is sent before the writes are stored.

mod admin;
mod away;
mod bot;
mod called_off;
mod capacity;
mod challenge;
mod clocks;
mod codes;
mod conditional;
mod connections;
mod contacts;
mod correspondence;
mod engine;
mod entry;
mod error;
mod hello;
mod keys;
mod limited;
mod limits;
mod lobby;
mod opponent;
mod organiser;
mod own;
mod pending;
mod publish;
mod rated;
mod rooms;
mod send;
mod sleeping;
mod tables;
mod tournament;
mod tournament_view;
mod tournaments;
mod vacation;
mod view;
mod visit;
mod wishes;

use super::address::AddressRange;
use super::archive::{Archive, FinishedGame};
use super::lobby_changes::Lobby;
use super::number::{RoomId, TournamentId, VisitorId};
use super::pauses::{Offender, Pauses};
use super::people::{People, Person};
use super::person::PersonId;
use super::rate_limits::RateLimits;
use super::ratings::Ratings;
use super::room::{Room, Stage};
use super::running::RunningGames;
use super::tournament::ClubTournament;
use codes::Codes;
pub use connections::Admission;
use connections::{Connections, Visitor};
pub use engine::EngineJob;
use entry::Entry;
pub use entry::StoredRoom;
use limits::Limited;
pub use limits::Limits;
use pending::{Pending, PendingChanges};
use rooms::Rooms;
use sleeping::Correspondence;
pub use sleeping::{RoomQuery, SleepingRooms};
use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;
pub use tables::{TournamentGames, TournamentTable};
use tournaments::Tournaments;

/// A message to visitors, as JSON.
#[derive(Clone, Debug)]
pub struct OutgoingMessage {
    /// The recipients.
    pub to: Vec<VisitorId>,
    /// The message.
    pub text: Arc<str>,
    /// True if their connections end with it.
    pub is_last: bool,
    /// The turn of a room that begins for its player when the message is sent.
    pub turn: Option<(RoomId, u64)>,
}

/// A write to the database.
#[derive(Clone, Debug)]
pub enum StoreWrite {
    /// A room.
    Room(RoomId, Box<StoredRoom>),
    /// A removed room.
    RoomGone(RoomId),
    /// A person.
    Person(PersonId, Person),
    /// A finished game.
    Game(Box<FinishedGame>),
    /// A forgotten person with this name, which is removed from games and the audit log.
    Forgotten(PersonId, String),
    /// A tournament.
    Tournament(TournamentId, Box<ClubTournament>),
    /// A removed tournament.
    TournamentGone(TournamentId),
    /// A range of addresses, and whether it is banned.
    Ban(AddressRange, bool),
    /// An administrator's action with its time.
    Audit(Duration, String),
    /// The end of the grace of correspondence games after an outage.
    Grace(Duration),
}

/// The effects of an event.
#[derive(Debug, Default)]
pub struct Effects {
    /// The writes to the store.
    pub writes: Vec<StoreWrite>,
    /// The messages to send once these are written.
    pub messages: Vec<OutgoingMessage>,
    /// The searches to start.
    pub jobs: Vec<EngineJob>,
    /// The number of these effects, for [`Club::stored`].
    pub number: u64,
}

/// The stored state that a club is restored from.
#[derive(Debug, Default)]
pub struct StoredClub {
    /// The rooms; correspondence rooms only without `sleeping`.
    pub rooms: Vec<(RoomId, StoredRoom)>,
    /// The stored correspondence rooms. Without them these rooms stay in memory.
    pub sleeping: Option<Box<dyn SleepingRooms>>,
    /// The people.
    pub people: Vec<(PersonId, Person)>,
    /// Their ratings.
    pub ratings: Ratings,
    /// The banned addresses.
    pub bans: BTreeSet<AddressRange>,
    /// The games that are over.
    pub archive: Archive,
    /// The tournaments.
    pub tournaments: Vec<(TournamentId, ClubTournament)>,
    /// The last heartbeat of running clocks.
    pub heartbeat: Option<Duration>,
    /// The last change of a correspondence room, if there is no heartbeat: the club was restored
    /// from a backup.
    pub last_change: Option<Duration>,
    /// The end of the grace of correspondence games after the last outage.
    pub grace: Duration,
}

/// The statistics of a club.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ClubStatistics {
    /// The number of visitors.
    pub visitors: usize,
    /// The number of live rooms with a free seat.
    pub waiting: usize,
    /// The number of live games in progress.
    pub playing: usize,
    /// The number of live rooms with a finished game.
    pub over: usize,
    /// The number of correspondence rooms in memory.
    pub awake: usize,
    /// The number of people.
    pub people: usize,
    /// The number of moves since the start.
    pub moves: u64,
    /// The number of messages that were refused since the start.
    pub refused: u64,
    /// The number of finished games in all.
    pub games: u64,
    /// The number of tournaments in progress.
    pub tournaments: usize,
}

/// A club.
pub struct Club {
    limits: Limits,
    /// A cryptographic random source.
    random: Box<dyn FnMut() -> u64 + Send>,
    rooms: Rooms,
    people: People,
    ratings: Ratings,
    /// The banned addresses.
    bans: BTreeSet<AddressRange>,
    connections: Connections,
    /// The address of the page that others can open.
    address: Option<String>,
    archive: Archive,
    tournaments: Tournaments,
    rate_limits: RateLimits<Limited>,
    /// The pauses of people who call games off.
    called_off: Pauses<Offender>,
    /// Codes for other devices.
    codes: Codes,
    /// The time of the last start, resume of the machine, or stop of all clocks.
    started: Option<Duration>,
    /// The time of the last tick.
    ticked: Duration,
    lobby: Lobby,
    pending: PendingChanges,
    effects: Effects,
    counters: Counters,
}

/// Counts since the start.
#[derive(Default)]
struct Counters {
    moves: u64,
    /// Games that began, without those of tournaments.
    games_started: u64,
    refused: u64,
}

impl Club {
    /// Restores a club from its stored state. `random` is a cryptographic random source. Clocks are
    /// paused until their players reconnect.
    pub fn new(
        limits: Limits,
        stored: StoredClub,
        random: impl FnMut() -> u64 + Send + 'static,
    ) -> Club {
        let mut people = People::default();
        for (id, person) in stored.people {
            people.insert(id, person);
        }
        let correspondence = Correspondence::new(
            stored.sleeping,
            stored.heartbeat.or(stored.last_change),
            stored.grace,
        );
        let (mut rooms, mut suspended) = (Rooms::new(correspondence), Vec::new());
        for (id, it) in stored.rooms {
            let Some(mut entry) = Entry::restore(it) else {
                log::error!("room={id} event=unreadable");
                continue;
            };
            if entry.room.stage() == Stage::Playing && !entry.is_correspondence() {
                // Without a note of when the clocks ran, the turn is charged nothing.
                entry.room.suspend(stored.heartbeat.unwrap_or_default());
                suspended.push(id);
            }
            rooms.insert(id, entry);
        }
        let mut club = Club {
            limits,
            random: Box::new(random),
            rooms,
            people,
            ratings: stored.ratings,
            bans: stored.bans,
            connections: Connections::default(),
            address: None,
            archive: stored.archive,
            tournaments: Tournaments::new(stored.tournaments),
            rate_limits: RateLimits::default(),
            called_off: Pauses::default(),
            codes: Codes::default(),
            started: None,
            ticked: Duration::ZERO,
            lobby: Lobby::default(),
            pending: PendingChanges::default(),
            effects: Effects::default(),
            counters: Counters::default(),
        };
        // What was charged is not charged again after another restart.
        let suspended = suspended.into_iter().map(Pending::StoreRoom);
        club.note(Duration::ZERO, suspended);
        let rooms = &club.rooms;
        let has_room = |room| rooms.has(room);
        club.tournaments.end_lost_games(has_room);
        club
    }

    /// Sets the address at which others can open the page, which visitors are sent from now on.
    pub fn set_address(&mut self, address: Option<String>) {
        self.address = address;
    }

    /// Takes the effects since the last call.
    pub fn take_effects(&mut self) -> Effects {
        self.publish();
        let effects = std::mem::take(&mut self.effects);
        Effects {
            number: self.rooms.correspondence.end_effects(),
            ..effects
        }
    }

    /// Returns the statistics of the club.
    pub fn statistics(&self) -> ClubStatistics {
        ClubStatistics {
            visitors: self.connections.visitors.len(),
            waiting: self.rooms.count_in(Stage::Waiting),
            playing: self.rooms.count_in(Stage::Playing),
            over: self.rooms.count_in(Stage::Over),
            awake: self.rooms.awake().count(),
            people: self.people.iter().count(),
            moves: self.counters.moves,
            refused: self.counters.refused,
            games: self.archive.count(),
            tournaments: self.tournaments.count_running(),
        }
    }

    /// Returns the number of games begun since the start, without those of tournaments.
    pub fn games_started(&self) -> u64 {
        self.counters.games_started
    }

    /// The rated games in progress.
    pub fn running_games(&self) -> RunningGames {
        self.rooms.running_games()
    }

    /// Handles the passing of time: flags fall, searches start, idle rooms are closed, and changes
    /// of the lobby are sent. To be called about twenty times a second.
    pub fn tick(&mut self, now: Duration) {
        let started = *self.started.get_or_insert(now);
        self.ticked = now;
        for id in self.rooms.which(|_| true) {
            self.tick_room(now, started, id);
        }
        self.tick_correspondence(now);
        self.tick_tournaments(now);
        self.send_tournament_changes(now);
        self.send_lobby_changes(now);
    }

    fn tick_room(&mut self, now: Duration, started: Duration, id: RoomId) {
        let Some(entry) = self.rooms.get(id) else {
            return;
        };
        let is_paused = entry.room.stage() == Stage::Playing && !entry.room.clock_runs();
        // Before its first move a game may wait without a restart, too.
        let since = match entry.room.record.acted {
            [false, false] => started.max(entry.touched),
            _ => started,
        };
        let waited = now.saturating_sub(since) >= self.limits.grace;
        let waits_for_players = entry.tournament_game.is_some_and(|it| !it.both_came());
        let falls = entry
            .room
            .deadline()
            .is_some_and(|deadline| now >= deadline);
        let is_idle = entry.is_idle(now.saturating_sub(self.limits.idle), started);
        if is_idle && !self.is_awaited(entry) {
            log::info!("room={id} event=expired");
            self.remove_room(id);
        } else if is_paused && waits_for_players {
            self.tick_appointment(now, started, id);
        } else if is_paused && (waited || self.actor_is_here(id)) {
            self.change(now, id, |room| room.resume(now));
        } else if falls {
            self.change(now, id, |room| _ = room.tick(now));
        }
        self.end_wish(now, id);
        self.send_presence(now, id);
        self.ask_engine(now, id);
    }

    /// Changes a room. Its new state is stored and sent to every visitor there.
    fn change<T>(
        &mut self,
        now: Duration,
        id: RoomId,
        act: impl FnOnce(&mut Room) -> T,
    ) -> Option<T> {
        let entry = self.rooms.get_mut(id)?;
        let (version, stage) = (entry.room.version(), entry.room.stage());
        let (stones, turn) = (entry.room.game().ply(), entry.room.turn());
        let games = entry.room.games();
        let players_see = |room: &Room| {
            let offers = (room.draw_offer(), room.undo_wish(), room.rematch_wish());
            (room.stage(), room.actor(), room.record.seats, offers)
        };
        let seen = players_see(&entry.room);
        let done = act(&mut entry.room);
        if entry.room.version() != version {
            entry.touched = now;
            let moves = entry.room.game().ply().saturating_sub(stones);
            self.counters.moves += moves as u64;
            self.counters.games_started += u64::from(entry.room.games() > games);
            // The lobby shows the boards of public live games.
            let is_shown = !entry.private && !entry.is_correspondence();
            self.lobby.has_changed |= is_shown && entry.room.game().ply() != stones;
            if entry.room.stage() != stage {
                self.lobby.has_changed = true;
                entry.listed = now;
                let stage = entry.room.stage();
                log::info!(
                    "room={id} event=stage stage={stage:?} outcome={:?}",
                    entry.room.outcome()
                );
            }
            let ended = stage == Stage::Playing && entry.room.stage() == Stage::Over;
            let players_see_change = players_see(&entry.room) != seen;
            let is_new_turn = entry.room.turn() != turn;
            if entry.room.games() > games {
                entry.game_began = now;
            }
            if is_new_turn {
                entry.turn_began = now;
                self.begin_clock(now, id);
                self.begin_after_vacation(now, id);
            }
            let number = if ended { self.finish(now, id) } else { None };
            self.note(now, [Pending::StoreRoom(id), Pending::SendRoom(id)]);
            self.note(now, players_see_change.then_some(Pending::SendPlayers(id)));
            self.note_turns(now, id);
            if ended {
                self.record_result(now, id, number);
            }
            self.ask_engine(now, id);
        }
        Some(done)
    }
}
