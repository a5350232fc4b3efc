//! Messages of visitors, and those that visitors were sent.

use crate::club::Tester;
use crate::{MINUTE, setup};
use quincunx_club::rooms::{
    Action, ClubMessage, ClubRequest, ClubWelcome, ContactsView, CorrespondenceGame, CrossRow,
    EntryRule, ListChange, LobbyChanges, LobbyView, NewRoom, OwnRoom, PairingView, Phrase,
    PlayerView, ProfileView, RatingRow, RoomId, RoomSetup, RoomSummary, RoomView, TournamentId,
    TournamentMessage, TournamentSetup, TournamentView, VERSION, VacationView, VisitorId,
    VisitorMessage,
};
use quincunx_engine::game::swap::{OpeningRule, Seat};
use quincunx_engine::rules::Rule;
use quincunx_pairing::{PairingResult, System};
use serde::Serialize;
use std::time::Duration;

/// A message of a visitor.
pub(crate) trait Message: Serialize {}

impl Message for Action {}

impl Message for ClubRequest {}

impl Message for TournamentMessage {}

impl Message for VisitorMessage {}

/// The text of a message.
pub(crate) fn text(message: &impl Message) -> String {
    serde_json::to_string(message).unwrap()
}

/// The own key of a visitor.
pub(crate) fn key_of(visitor: VisitorId) -> String {
    format!("{:032x}", visitor.0)
}

pub(crate) fn hello(key: &str) -> ClubRequest {
    ClubRequest::Hello {
        version: VERSION,
        key: key.to_owned(),
        code: None,
    }
}

pub(crate) fn rename(name: &str) -> ClubRequest {
    let name = name.to_owned();
    ClubRequest::Rename { name }
}

/// The setup of games of a minute without an opening rule.
pub(crate) fn unrated() -> RoomSetup {
    setup(OpeningRule::Free, MINUTE)
}

/// The same for rated games.
pub(crate) fn rated() -> RoomSetup {
    RoomSetup {
        rated: true,
        ..unrated()
    }
}

/// A room whose creator has the first seat.
pub(crate) fn new_room(setup: RoomSetup) -> NewRoom {
    NewRoom {
        seat: Some(Seat::First),
        ..NewRoom::of(setup)
    }
}

pub(crate) fn create(setup: RoomSetup) -> ClubRequest {
    ClubRequest::Create(new_room(setup))
}

/// A game against the engine, which has the second seat.
pub(crate) fn create_with_engine(setup: RoomSetup, level: u8) -> ClubRequest {
    ClubRequest::Create(NewRoom {
        engine: Some(level),
        ..new_room(setup)
    })
}

pub(crate) fn challenge(setup: RoomSetup, opponent: &str) -> ClubRequest {
    ClubRequest::Create(NewRoom {
        opponent: Some(opponent.to_owned()),
        ..NewRoom::of(setup)
    })
}

pub(crate) fn quick(setup: RoomSetup) -> ClubRequest {
    ClubRequest::Quick { setup }
}

pub(crate) fn enter(room: RoomId) -> ClubRequest {
    let room = room.to_string();
    ClubRequest::Enter { room, sit: false }
}

/// Enters a room and takes the free seat.
pub(crate) fn enter_and_sit(room: RoomId) -> ClubRequest {
    let room = room.to_string();
    ClubRequest::Enter { room, sit: true }
}

pub(crate) fn decline(room: RoomId) -> ClubRequest {
    let room = room.to_string();
    ClubRequest::Decline { room }
}

pub(crate) fn make_bot(name: &str) -> ClubRequest {
    let name = name.to_owned();
    ClubRequest::MakeBot { name }
}

pub(crate) fn profile(name: &str) -> ClubRequest {
    let name = name.to_owned();
    ClubRequest::Profile { name }
}

pub(crate) fn tournament_setup(system: System) -> TournamentSetup {
    TournamentSetup {
        name: "Club evening".to_owned(),
        system,
        setup: unrated(),
        no_show_s: 300,
        pause_s: 60,
        named_only: true,
        entry: EntryRule::Open,
        days: None,
    }
}

pub(crate) fn create_tournament(setup: TournamentSetup) -> TournamentMessage {
    TournamentMessage::CreateTournament(setup)
}

pub(crate) fn open_tournament(tournament: TournamentId) -> TournamentMessage {
    let tournament = tournament.to_string();
    TournamentMessage::OpenTournament { tournament }
}

pub(crate) fn add_player(name: &str) -> TournamentMessage {
    let name = name.to_owned();
    TournamentMessage::AddPlayer { name }
}

pub(crate) fn remove_player(name: &str) -> TournamentMessage {
    let name = name.to_owned();
    TournamentMessage::RemovePlayer { name }
}

pub(crate) fn organiser(name: &str, wanted: bool) -> TournamentMessage {
    let name = name.to_owned();
    TournamentMessage::Organiser { name, wanted }
}

pub(crate) fn half_bye(name: &str, wanted: bool) -> TournamentMessage {
    let name = name.to_owned();
    TournamentMessage::HalfBye { name, wanted }
}

pub(crate) fn correct_result(
    round: usize,
    table: usize,
    result: PairingResult,
) -> TournamentMessage {
    TournamentMessage::CorrectResult {
        round,
        table,
        result,
    }
}

/// Accessors of the last message of a kind to a visitor.
macro_rules! last_messages {
    ($($name:ident, $message:pat => $value:expr, $type:ty;)*) => {
        impl Tester {
            $(
                pub(crate) fn $name(&self, visitor: VisitorId) -> $type {
                    let mut messages = self.since(0, visitor).rev();
                    let value = messages.find_map(|it| match it {
                        $message => Some($value),
                        _ => None,
                    });
                    value.unwrap()
                }
            )*
        }
    };
}

last_messages! {
    welcome, ClubMessage::Welcome(it) => it, &ClubWelcome;
    name, ClubMessage::Name { name, .. } => name, &str;
    lobby, ClubMessage::Lobby(it) => it, &LobbyView;
    room, ClubMessage::Room(it) => &**it, &RoomView;
    seat, ClubMessage::Seat { seat, .. } => *seat, Option<Seat>;
    own_room, ClubMessage::YourRoom(it) => &**it, &OwnRoom;
    correspondence, ClubMessage::Correspondence { games, .. } => games, &[CorrespondenceGame];
    vacation, ClubMessage::Correspondence { vacation, .. } => *vacation, VacationView;
    your_turns, ClubMessage::YourTurns { count, next } => (*count, *next), (usize, Option<RoomId>);
    challenge, ClubMessage::Challenge(it) => &**it, &RoomSummary;
    challenge_gone, ClubMessage::ChallengeGone { room } => *room, RoomId;
    contacts, ClubMessage::Contacts(it) => it, &ContactsView;
    said, ClubMessage::Said { seat, phrase, .. } => (*seat, *phrase), (Seat, Phrase);
    closed, ClubMessage::Closed { room } => *room, RoomId;
    tournament, ClubMessage::Tournament(it) => &**it, &TournamentView;
    rounds, ClubMessage::Rounds { rounds, .. } => rounds, &[Vec<PairingView>];
    crosstable, ClubMessage::Rounds { crosstable, .. } => crosstable, &[CrossRow];
    round, ClubMessage::Round { room, .. } => *room, RoomId;
    token, ClubMessage::Token { name, token } => (&**name, &**token), (&str, &str);
    ratings, ClubMessage::Ratings { rows, .. } => rows, &[RatingRow];
    profile, ClubMessage::Profile(it) => it, &ProfileView;
    refused, ClubMessage::Refused { code, retry_s, .. } => (&**code, *retry_s), (&str, u64);
    error, ClubMessage::Error { code, .. } => code, &str;
    error_text, ClubMessage::Error { text, .. } => text, &str;
    retry_s, ClubMessage::Error { retry_s, .. } => *retry_s, Option<u64>;
}

impl Tester {
    /// The messages to a visitor after the first `count` messages to all.
    pub(crate) fn since(
        &self,
        count: usize,
        visitor: VisitorId,
    ) -> impl DoubleEndedIterator<Item = &ClubMessage> {
        let messages = self.letters[count..].iter();
        messages.filter_map(move |(to, message)| (*to == visitor).then_some(message))
    }

    /// The code of the last error to a visitor after the first `count` messages to all.
    pub(crate) fn error_since(&self, count: usize, visitor: VisitorId) -> Option<&str> {
        let mut messages = self.since(count, visitor).rev();
        messages.find_map(|it| match it {
            ClubMessage::Error { code, .. } => Some(&**code),
            _ => None,
        })
    }

    /// The main times of both players as a visitor was sent them last, in milliseconds.
    pub(crate) fn main_ms(&self, visitor: VisitorId) -> [u64; 2] {
        self.room(visitor).clock.map(|it| it.main)
    }

    /// The number of messages of a kind to a visitor after the first `since` messages to all.
    pub(crate) fn count(
        &self,
        since: usize,
        visitor: VisitorId,
        is_counted: impl Fn(&ClubMessage) -> bool,
    ) -> usize {
        self.since(since, visitor)
            .filter(|it| is_counted(it))
            .count()
    }

    /// The number of challenges to a visitor.
    pub(crate) fn challenges(&self, visitor: VisitorId) -> usize {
        self.count(0, visitor, |it| matches!(it, ClubMessage::Challenge(_)))
    }

    /// A player of the room that a visitor was sent last.
    pub(crate) fn player(&self, visitor: VisitorId, seat: usize) -> &PlayerView {
        self.room(visitor).state.seats[seat].as_ref().unwrap()
    }

    /// The table of ratings of freestyle.
    pub(crate) fn ask_for_ratings(&mut self, now: Duration, visitor: VisitorId) -> Vec<RatingRow> {
        let ask = ClubRequest::Ratings {
            rule: Rule::Freestyle.name().to_owned(),
            correspondence: false,
        };
        self.receive(now, visitor, &ask);
        self.ratings(visitor).to_vec()
    }
}

/// The lobby after changes, as a page has it.
pub(crate) fn apply(lobby: &mut LobbyView, changes: LobbyChanges) {
    apply_to_list(&mut lobby.open, changes.open, |it| it.room);
    apply_to_list(&mut lobby.live, changes.live, |it| it.room);
    apply_to_list(&mut lobby.tournaments, changes.tournaments, |it| {
        it.tournament
    });
    apply_to_list(&mut lobby.here, changes.here, |it| it.name.clone());
    for (number, stones, moves) in changes.stones {
        let room = lobby.live.iter_mut().find(|it| it.room == number).unwrap();
        (room.stones, room.moves) = (stones, moves);
    }
    lobby.visitors = changes.visitors.unwrap_or(lobby.visitors);
}

fn apply_to_list<K: PartialEq, T>(
    list: &mut Vec<T>,
    change: Option<ListChange<K, T>>,
    key: impl Fn(&T) -> K,
) {
    let Some(ListChange { mut gone, put }) = change else {
        return;
    };
    gone.extend(put.iter().map(|(_, item)| key(item)));
    list.retain(|it| !gone.contains(&key(it)));
    for (place, item) in put {
        list.insert(place, item);
    }
}
