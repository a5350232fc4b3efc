//! A club: its rooms, its people and its visitors, as a state machine.
//!
//! Messages of visitors go in; what is to be kept, said and searched comes out as
//! [`Effects`]. Nothing may be said before what comes with it is kept.

mod admin;
mod away;
mod bot;
mod called_off;
mod capacity;
mod challenge;
mod clocks;
mod codes;
mod contacts;
mod engine;
mod error;
mod hello;
mod keys;
mod limits;
mod lobby;
mod opponent;
mod organiser;
mod own;
mod rated;
mod send;
mod tables;
mod tournament;
mod view;
mod visit;
mod wishes;

use super::address::AddressRange;
use super::archive::{Archive, FinishedGame};
use super::contacts::{CHALLENGES_BY_ONE, CHALLENGES_OF_A_PAIR, CHALLENGES_TO_ONE};
use super::message::{ClubMessage, LobbyView};
use super::number::{RoomId, TournamentId, VisitorId};
use super::pauses::Pauses;
use super::people::{People, Person};
use super::person::PersonId;
use super::quota::Quotas;
use super::ratings::Ratings;
use super::record::RoomRecord;
use super::room::{Room, Stage, index};
use super::running::RunningGames;
use super::tournament::{Appointment, ClubTournament, TournamentStage};
use called_off::Offender;
use codes::Codes;
pub use engine::EngineJob;
pub use limits::Limits;
use quincunx_engine::game::swap::Seat;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;
pub use tables::{TournamentGames, TournamentTable};

/// The period of the limit of names.
const HOUR: Duration = Duration::from_secs(3600);

/// The most names that one person takes in an hour.
const RENAMES_AN_HOUR: u32 = 10;

/// The rate limit of being added to tournaments by others, in an hour.
const TAKEN_IN_AN_HOUR: u32 = 5;

/// The largest number of wrong codes from one address in an hour.
const WRONG_CODES_AN_HOUR: u32 = 30;

/// The largest number of new keys of one person in an hour.
const NEW_KEYS_AN_HOUR: u32 = 10;

/// The period of the limits of phrases, and of changes of tournaments.
const MINUTE: Duration = Duration::from_secs(60);

/// The most phrases that one person says in a minute.
const PHRASES_A_MINUTE: u32 = 6;

/// The most changes of tournaments by one person in a minute.
const TOURNAMENT_CHANGES_A_MINUTE: u32 = 30;

/// The most changes of tournaments by their organiser in a minute.
const ORGANISER_CHANGES_A_MINUTE: u32 = 200;

/// A message to visitors, as JSON.
#[derive(Clone, Debug)]
pub struct Letter {
    /// The recipients.
    pub to: Vec<VisitorId>,
    /// The message.
    pub text: Arc<str>,
    /// True if their connections end with it.
    pub is_last: bool,
    /// The turn of a room that begins for its player when they are told.
    pub turn: Option<(RoomId, u64)>,
}

/// Something that a database keeps from now on.
#[derive(Clone, Debug)]
pub enum Change {
    /// A room.
    Room(RoomId, Box<KeptRoom>),
    /// A room that is gone.
    RoomGone(RoomId),
    /// A person.
    Person(PersonId, Person),
    /// A game that is over.
    Game(Box<FinishedGame>),
    /// A person who had this name is forgotten: the name goes from games and notes.
    Forgotten(PersonId, String),
    /// A tournament.
    Tournament(TournamentId, Box<ClubTournament>),
    /// A tournament that is gone.
    TournamentGone(TournamentId),
    /// A range of addresses is kept out from now on, or let in.
    Ban(AddressRange, bool),
    /// An administrator's action at this time.
    Audit(Duration, String),
}

/// A room with what the club knows of it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct KeptRoom {
    pub(super) owner: PersonId,
    pub(super) private: bool,
    pub(super) touched: Duration,
    pub(super) room: RoomRecord,
    #[serde(default)]
    pub(super) appointment: Option<Appointment>,
    #[serde(default)]
    pub(super) rating_changes: [Option<i64>; 2],
    #[serde(default)]
    pub(super) invited: Option<PersonId>,
}

/// The effects of an event.
#[derive(Debug, Default)]
pub struct Effects {
    /// The writes to the store.
    pub changes: Vec<Change>,
    /// The messages to send once these are written.
    pub letters: Vec<Letter>,
    /// The searches to start.
    pub jobs: Vec<EngineJob>,
}

/// The stored state that a club is restored from.
#[derive(Debug, Default)]
pub struct Kept {
    /// The rooms.
    pub rooms: Vec<(RoomId, KeptRoom)>,
    /// The people.
    pub people: Vec<(PersonId, Person)>,
    /// Their ratings.
    pub ratings: Ratings,
    /// The addresses that are kept out.
    pub bans: BTreeSet<AddressRange>,
    /// The games that are over.
    pub archive: Archive,
    /// The tournaments.
    pub tournaments: Vec<(TournamentId, ClubTournament)>,
    /// The last heartbeat of running clocks.
    pub pulse: Option<Duration>,
}

impl Kept {
    /// Sets times that lie after `now` back, all of them by as much: the machine's clock was
    /// set back while the club did not run. What lies between two of them stays the same.
    pub fn set_back_to(&mut self, now: Duration) {
        let rooms = self
            .rooms
            .iter()
            .map(|(_, it)| it.touched.max(it.room.began()));
        let tournaments = self.tournaments.iter().map(|(_, it)| it.touched);
        let times = rooms.chain(tournaments).chain(self.pulse);
        let ahead = times.max().unwrap_or_default().saturating_sub(now);
        if ahead.is_zero() {
            return;
        }
        log::warn!("event=clock_set_back seconds={}", ahead.as_secs());
        let set_back = |time: &mut Duration| *time = time.saturating_sub(ahead);
        for (_, it) in &mut self.rooms {
            set_back(&mut it.touched);
            it.room.set_back(ahead);
            if let Some(appointment) = &mut it.appointment {
                set_back(&mut appointment.since);
            }
        }
        for (_, it) in &mut self.tournaments {
            set_back(&mut it.touched);
            it.next_round.iter_mut().for_each(set_back);
        }
        self.pulse.iter_mut().for_each(set_back);
    }
}

/// Numbers that say how a club is doing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ClubStatistics {
    /// The number of visitors.
    pub visitors: usize,
    /// The number of rooms with a free seat.
    pub waiting: usize,
    /// The number of games in progress.
    pub playing: usize,
    /// The number of rooms with a finished game.
    pub over: usize,
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
    /// Draws a random number.
    draw: Box<dyn FnMut() -> u64 + Send>,
    rooms: BTreeMap<RoomId, Entry>,
    people: People,
    ratings: Ratings,
    /// The addresses that are kept out.
    bans: BTreeSet<AddressRange>,
    visitors: HashMap<VisitorId, Visitor>,
    /// The number of connections of each person.
    present: HashMap<PersonId, usize>,
    /// Since when those who have a seat and no connection have been gone.
    gone: HashMap<PersonId, Duration>,
    /// The address of the page that others can open.
    address: Option<String>,
    archive: Archive,
    tournaments: BTreeMap<TournamentId, ClubTournament>,
    /// People of each address whom the club did not know before.
    newcomers: Quotas<IpAddr>,
    /// Names that each person has taken.
    names: Quotas<PersonId>,
    /// Challenges by each person.
    challenges: Quotas<PersonId>,
    /// Challenges by each person to each other.
    challenges_of_pairs: Quotas<(PersonId, PersonId)>,
    /// Challenges to each person.
    challenges_to: Quotas<PersonId>,
    /// Tournaments that each person was taken into by others.
    taken_in: Quotas<PersonId>,
    /// The pauses of people who call games off.
    called_off: Pauses<Offender>,
    /// Codes for other devices.
    codes: Codes,
    /// Wrong codes from each address.
    wrong_codes: Quotas<IpAddr>,
    /// New keys of each person.
    new_keys: Quotas<PersonId>,
    /// Phrases that each person has said.
    phrases: Quotas<PersonId>,
    /// Changes of tournaments by each person.
    tournament_changes: Quotas<PersonId>,
    /// Changes of tournaments by each organiser.
    organiser_changes: Quotas<PersonId>,
    /// The time of the last start, resume of the machine, or stop of all clocks.
    started: Option<Duration>,
    /// The time of the last tick.
    ticked: Duration,
    lobby_changed: bool,
    lobby_told: Duration,
    /// The state of the lobby that was sent last, and the message with all of it.
    lobby: LobbyView,
    lobby_text: Arc<str>,
    effects: Effects,
    moves: u64,
    /// The number of games begun since the start, without those of tournaments.
    begun: u64,
    refused: u64,
}

/// The people for whom the places that are left are kept. Others come again after this time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Admission {
    /// All people.
    All,
    /// People whom the club knows.
    Known(Duration),
    /// People with a game in progress.
    Players(Duration),
}

/// A connection.
#[derive(Clone, Copy, Debug)]
struct Visitor {
    /// The address they come from.
    from: IpAddr,
    /// The person, once authenticated.
    person: Option<PersonId>,
    /// The hash of the key that they have said hello with.
    key: Option<PersonId>,
    /// True if they were told the last thing: what they still say is not followed.
    is_over: bool,
    admission: Admission,
    room: Option<RoomId>,
    /// The tournament that they look at.
    tournament: Option<TournamentId>,
    /// The time of the last whole lobby that was sent.
    lobby_at: Option<Duration>,
    /// True if they have the lobby as it was sent last, so that changes are enough.
    has_lobby: bool,
}

/// A room with what the club knows of it.
struct Entry {
    room: Room,
    owner: PersonId,
    /// The address that it was opened from, unless that was before a restart.
    from: Option<IpAddr>,
    private: bool,
    visitors: BTreeSet<VisitorId>,
    /// The last activity.
    touched: Duration,
    /// The time at which its place in the lists of the lobby changed last.
    listed: Duration,
    /// The turn that the engine was asked about.
    asked: Option<u64>,
    /// The tournament pairing of a room.
    appointment: Option<Appointment>,
    /// The rating changes of the last finished game, by seats.
    rating_changes: [Option<i64>; 2],
    /// The person for whom the free seat is kept.
    invited: Option<PersonId>,
    /// The presence of the challenger at the last notification of the challenged person.
    announced: Option<bool>,
    /// The time at which a pending change of presence is sent.
    tell_at: Option<Duration>,
}

impl Club {
    /// A club that goes on where it was kept. `draw` draws numbers that nobody can
    /// guess. Clocks stand until their players are back.
    pub fn new(limits: Limits, kept: Kept, draw: impl FnMut() -> u64 + Send + 'static) -> Club {
        let mut people = People::default();
        for (id, person) in kept.people {
            people.insert(id, person);
        }
        let (mut rooms, mut suspended) = (BTreeMap::new(), Vec::new());
        for (id, it) in kept.rooms {
            let Ok(mut room) = Room::restore(it.room) else {
                log::error!("room={id} event=unreadable");
                continue;
            };
            if room.stage() == Stage::Playing {
                // Without a note of when the clocks ran, the turn is charged nothing.
                room.suspend(kept.pulse.unwrap_or_default());
                suspended.push(id);
            }
            let entry = Entry {
                private: it.private,
                appointment: it.appointment,
                rating_changes: it.rating_changes,
                invited: it.invited,
                ..Entry::new(room, it.owner, it.touched)
            };
            rooms.insert(id, entry);
        }
        let mut club = Club {
            limits,
            draw: Box::new(draw),
            rooms,
            people,
            ratings: kept.ratings,
            bans: kept.bans,
            visitors: HashMap::new(),
            present: HashMap::new(),
            gone: HashMap::new(),
            address: None,
            archive: kept.archive,
            tournaments: kept.tournaments.into_iter().collect(),
            newcomers: Quotas::new(limits.names_an_hour, HOUR),
            names: Quotas::new(RENAMES_AN_HOUR, HOUR),
            challenges: Quotas::new(CHALLENGES_BY_ONE, HOUR),
            challenges_of_pairs: Quotas::new(CHALLENGES_OF_A_PAIR, HOUR),
            challenges_to: Quotas::new(CHALLENGES_TO_ONE, HOUR),
            taken_in: Quotas::new(TAKEN_IN_AN_HOUR, HOUR),
            called_off: Pauses::default(),
            codes: Codes::default(),
            wrong_codes: Quotas::new(WRONG_CODES_AN_HOUR, HOUR),
            new_keys: Quotas::new(NEW_KEYS_AN_HOUR, HOUR),
            phrases: Quotas::new(PHRASES_A_MINUTE, MINUTE),
            tournament_changes: Quotas::new(TOURNAMENT_CHANGES_A_MINUTE, MINUTE),
            organiser_changes: Quotas::new(ORGANISER_CHANGES_A_MINUTE, MINUTE),
            started: None,
            ticked: Duration::ZERO,
            lobby_changed: true,
            lobby_told: Duration::ZERO,
            lobby: LobbyView::default(),
            lobby_text: "".into(),
            effects: Effects::default(),
            moves: 0,
            begun: 0,
            refused: 0,
        };
        // What was charged is not charged again after another restart.
        for id in suspended {
            club.keep(id);
        }
        club.repair_tournaments();
        club
    }

    /// Tells visitors from now on by which address others can open the page.
    pub fn set_address(&mut self, address: Option<String>) {
        self.address = address;
    }

    /// Takes the effects since the last call.
    pub fn take_effects(&mut self) -> Effects {
        std::mem::take(&mut self.effects)
    }

    /// Numbers that say how the club is doing.
    pub fn statistics(&self) -> ClubStatistics {
        let count = |stage| {
            let rooms = self.rooms.values();
            rooms.filter(|entry| entry.room.stage() == stage).count()
        };
        ClubStatistics {
            visitors: self.visitors.len(),
            waiting: count(Stage::Waiting),
            playing: count(Stage::Playing),
            over: count(Stage::Over),
            people: self.people.iter().count(),
            moves: self.moves,
            refused: self.refused,
            games: self.archive.count(),
            tournaments: (self.tournaments.values())
                .filter(|it| it.stage() == TournamentStage::Running)
                .count(),
        }
    }

    /// Returns the number of games begun since the start, without those of tournaments.
    pub fn begun(&self) -> u64 {
        self.begun
    }

    /// The number of games in the archive.
    pub fn finished_games(&self) -> u64 {
        self.archive.count()
    }

    /// The rated games in progress.
    pub fn running_games(&self) -> RunningGames {
        RunningGames::of(self.rooms.values().map(|entry| &entry.room))
    }

    /// Time has passed: flags fall, engines are asked, idle rooms go, and the lobby
    /// hears what is new. To be called about twenty times a second.
    pub fn tick(&mut self, now: Duration) {
        let started = *self.started.get_or_insert(now);
        self.ticked = now;
        let ids: Vec<RoomId> = self.rooms.keys().copied().collect();
        for id in ids {
            self.tick_room(now, started, id);
        }
        self.tick_tournaments(now);
        self.tell_lobby(now);
    }

    fn tick_room(&mut self, now: Duration, started: Duration, id: RoomId) {
        let Some(entry) = self.rooms.get(&id) else {
            return;
        };
        let stands = entry.room.stage() == Stage::Playing && !entry.room.clock_runs();
        // Before its first move a game may wait without a restart, too.
        let since = match entry.room.acted {
            [false, false] => started.max(entry.touched),
            _ => started,
        };
        let waited = now.saturating_sub(since) >= self.limits.grace;
        let waits_for_players = entry.appointment.is_some_and(|it| !it.is_kept());
        let falls = entry
            .room
            .deadline()
            .is_some_and(|deadline| now >= deadline);
        let is_idle = entry.is_idle(now.saturating_sub(self.limits.idle), started);
        if is_idle && !self.is_awaited(entry) {
            log::info!("room={id} event=expired");
            self.remove_room(id);
        } else if stands && waits_for_players {
            self.tick_appointment(now, started, id);
        } else if stands && (waited || self.actor_is_here(id)) {
            self.change(now, id, |room| room.resume(now));
        } else if falls {
            self.change(now, id, |room| _ = room.tick(now));
        }
        self.end_wish(now, id);
        self.tell_presence(now, id);
        self.ask_engine(now, id);
    }

    /// Changes a room. If it is another afterwards that is kept, and every visitor there
    /// is told.
    fn change<T>(
        &mut self,
        now: Duration,
        id: RoomId,
        act: impl FnOnce(&mut Room) -> T,
    ) -> Option<T> {
        let entry = self.rooms.get_mut(&id)?;
        let (version, stage) = (entry.room.version(), entry.room.stage());
        let (stones, turn) = (entry.room.game().ply(), entry.room.turn());
        let games = entry.room.games();
        let players_see = |room: &Room| {
            let offers = (room.draw_offer(), room.undo_wish(), room.rematch_wish());
            (room.stage(), room.actor(), room.seats, offers)
        };
        let seen = players_see(&entry.room);
        let done = act(&mut entry.room);
        if entry.room.version() != version {
            entry.touched = now;
            self.moves += u64::from(entry.room.game().ply() > stones);
            self.begun += u64::from(entry.room.games() > games);
            if entry.room.stage() != stage {
                self.lobby_changed = true;
                entry.listed = now;
                let stage = entry.room.stage();
                log::info!(
                    "room={id} event=stage stage={stage:?} outcome={:?}",
                    entry.room.outcome()
                );
            }
            let ended = stage == Stage::Playing && entry.room.stage() == Stage::Over;
            let is_news = players_see(&entry.room) != seen;
            let is_new_turn = entry.room.turn() != turn;
            if is_new_turn {
                self.begin_clock(now, id);
            }
            let number = if ended { self.finish(now, id) } else { None };
            self.keep(id);
            if ended {
                self.record_result(now, id, number);
            }
            self.ask_engine(now, id);
            self.tell_room(now, id);
            if is_news {
                self.tell_players(now, id);
            }
        }
        Some(done)
    }

    /// Has a room kept as it is now.
    fn keep(&mut self, id: RoomId) {
        if let Some(entry) = self.rooms.get(&id) {
            let kept = KeptRoom {
                owner: entry.owner,
                private: entry.private,
                touched: entry.touched,
                room: entry.room.record(),
                appointment: entry.appointment,
                rating_changes: entry.rating_changes,
                invited: entry.invited,
            };
            self.effects.changes.push(Change::Room(id, Box::new(kept)));
        }
    }

    /// Shows a room to all visitors in it.
    fn tell_room(&mut self, now: Duration, id: RoomId) {
        if let Some(entry) = self.rooms.get(&id) {
            let to = entry.visitors.iter().copied().collect();
            self.show_room(now, id, to);
        }
    }

    /// Shows a room to some of its visitors.
    fn show_room(&mut self, now: Duration, id: RoomId, to: Vec<VisitorId>) {
        if let Some(entry) = self.rooms.get(&id)
            && !to.is_empty()
        {
            let room = &entry.room;
            let actor = room.actor().and_then(|seat| room.occupant(seat)?.person());
            let turn = room.is_untold(room.turn()).then_some((id, room.turn()));
            // The turn of the engine begins with its search.
            let turn = turn.filter(|_| actor.is_some());
            let view = ClubMessage::Room(Box::new(self.view(now, id, entry)));
            self.say(to, &view);
            if let Some(letter) = self.effects.letters.last_mut() {
                letter.turn = turn;
            }
        }
    }
}

impl Entry {
    /// A room that has not been visited yet.
    fn new(room: Room, owner: PersonId, now: Duration) -> Entry {
        Entry {
            room,
            owner,
            from: None,
            private: false,
            visitors: BTreeSet::new(),
            touched: now,
            listed: now,
            asked: None,
            appointment: None,
            rating_changes: [None; 2],
            invited: None,
            announced: None,
            tell_at: None,
        }
    }

    /// The player of a seat of a tournament's game comes. Says whether it is the first
    /// time.
    fn comes(&mut self, now: Duration, seat: Seat) -> bool {
        let came = self
            .appointment
            .as_mut()
            .map(|it| &mut it.came[index(seat)]);
        let is_first = came.is_some_and(|came| !std::mem::replace(came, true));
        if is_first {
            self.touched = now;
        }
        is_first
    }

    /// Returns true if the room was neither visited nor played in since that time.
    fn is_idle(&self, since: Duration, started: Duration) -> bool {
        let is_played = self.room.stage() == Stage::Playing;
        !is_played && self.visitors.is_empty() && self.touched.max(started) < since
    }
}
