//! Errors of visitors' messages.

use crate::rooms::error::RoomError;
use crate::rooms::message::ClubMessage;
use crate::rooms::name::NameError;
use crate::rooms::tournament::TournamentSetupError;
use quincunx_pairing::TournamentError;
use std::time::Duration;

/// The most characters of a parse error. It lists all types of messages, and quotes the visitor's
/// message, which may be long.
const LONGEST: usize = 1000;

/// The retry interval of refusals that depend on others.
const RETRY_S: u64 = 60;

/// The refusal of a visitor's message.
#[derive(Debug, thiserror::Error)]
pub(super) enum VisitError {
    /// The message is none.
    #[error("{}", beginning(.0))]
    Message(#[from] serde_json::Error),
    #[error("say hello first")]
    NoHello,
    #[error("you have said hello already")]
    Hello,
    #[error("the page is out of date: reload it")]
    Version,
    #[error("a key has 32 hexadecimal digits, not all of them zero")]
    Key,
    #[error("this key was replaced by another")]
    OldKey,
    #[error("this code was used, or is older than five minutes")]
    Code,
    #[error("you have too many devices: end one")]
    TooManyDevices,
    #[error("there is no such device, or it is the only one")]
    NoDevice,
    #[error("a game or a tournament needs you: end it first")]
    Plays,
    #[error("nothing is known of you that could be forgotten")]
    Unknown,
    #[error("this person was forgotten")]
    Forgotten,
    #[error("the administrator of this server does not let you in")]
    Banned,
    #[error("there is no such room")]
    NoRoom,
    #[error("you are in no room")]
    Nowhere,
    #[error("you only watch")]
    Watching,
    #[error("there are too many rooms: try again when a game is over")]
    TooManyRooms,
    #[error("too many rooms come from your address: close one, or end a game")]
    TooManyFromThere,
    #[error("you have too many rooms: leave one")]
    TooManyOfYours,
    #[error("you wait in a room already: close it, or choose a name to open more")]
    GuestWaits,
    #[error("both players have come: their game goes on")]
    GameGoesOn,
    #[error("only the Swiss system pairs by wishes")]
    SwissOnly,
    #[error("there are too many of these: take one back first")]
    TooManyWishes,
    #[error("your last tournament has not begun: begin or end it first")]
    OpenTournament,
    #[error("this tournament is for people with a name: choose a name first")]
    TournamentNamedOnly,
    #[error("the engine plays too many games: try again when one is over")]
    TooManyEngines,
    #[error("nobody has this name")]
    NoSuchPerson,
    #[error("the engine has levels from 0 to 100")]
    Level,
    #[error("there is no rule of this name")]
    Rule,
    #[error("too many names were taken: try again in {} s", seconds(*.0))]
    TooManyNames(Duration),
    #[error("too many visitors are here, or come from your address: try again in {} s", seconds(*.0))]
    TooManyVisitors(Duration),
    #[error("you have this page open too often: close it elsewhere")]
    TooManyPages,
    #[error("there is no such tournament")]
    NoTournament,
    #[error("you are in no tournament")]
    NoTournamentHere,
    #[error("there are too many tournaments")]
    TooManyTournaments,
    #[error("choose a name first")]
    Unnamed,
    #[error("this player takes no challenges")]
    NoChallenges,
    #[error("this player has too many challenges now, or one of yours: wait for an answer")]
    TooManyChallenges,
    #[error("this player does not play with you")]
    Declined,
    #[error("this player plays people with a name only: choose one first")]
    NamedOnly,
    #[error("you can't block yourself")]
    BlockSelf,
    #[error("you have blocked too many people")]
    TooManyBlocked,
    #[error("too many results of this tournament were corrected")]
    TooManyCorrections,
    #[error("only its maker may do that")]
    NotMaker,
    #[error("the organiser takes no more players")]
    EntryClosed,
    #[error("the maker has taken you out: ask them")]
    Removed,
    #[error("this is the account of an engine")]
    Bot,
    #[error("you have called games off: wait {} s", seconds(*.0))]
    CalledOff(Duration),
    #[error("too often: wait {} s", seconds(*.0))]
    TooOften(Duration),
    #[error("you have made too many accounts for engines")]
    TooManyBots,
    #[error(
        "a vacation has three days at least, and a person fourteen days in a year, counted from the \
         first of them"
    )]
    Vacation,
    #[error("the tournament has begun")]
    Begun,
    #[error("you do not take part")]
    NotPlaying,
    #[error("moves are not taken back in a tournament, and games not played again")]
    TournamentGame,
    #[error("your opponent is here, or has gone only now: wait {} s", seconds(*.0))]
    NotGone(Duration),
    #[error(transparent)]
    Tournament(#[from] TournamentError),
    #[error(transparent)]
    TournamentSetup(#[from] TournamentSetupError),
    #[error(transparent)]
    Name(#[from] NameError),
    #[error(transparent)]
    Room(#[from] RoomError),
}

/// The part of an error's text that is sent to a visitor.
fn beginning(error: &serde_json::Error) -> String {
    error.to_string().chars().take(LONGEST).collect()
}

/// A time in whole seconds, of which there is at least one.
const fn seconds(time: Duration) -> u64 {
    time.as_millis().div_ceil(1000) as u64
}

impl VisitError {
    /// In how many seconds it may be tried again, where waiting helps.
    pub(super) fn retry_s(&self) -> Option<u64> {
        match self {
            VisitError::TooManyNames(wait)
            | VisitError::TooManyVisitors(wait)
            | VisitError::CalledOff(wait)
            | VisitError::TooOften(wait)
            | VisitError::NotGone(wait) => Some(seconds(*wait)),
            VisitError::TooManyRooms | VisitError::TooManyEngines | VisitError::TooManyPages => {
                Some(RETRY_S)
            }
            _ => None,
        }
    }

    /// The message to the visitor. One without a place is refused.
    pub(super) fn message(&self) -> ClubMessage {
        let (code, text, retry_s) = (self.code().into(), self.to_string(), self.retry_s());
        match (self, retry_s) {
            (VisitError::TooManyVisitors(_) | VisitError::TooManyPages, Some(retry_s)) => {
                ClubMessage::Refused {
                    code,
                    text,
                    retry_s,
                }
            }
            _ => ClubMessage::Error {
                code,
                text,
                retry_s,
            },
        }
    }

    /// The kind of error, for those who translate.
    pub(super) fn code(&self) -> &'static str {
        match self {
            VisitError::Message(_) => "message",
            VisitError::NoHello | VisitError::Hello => "hello",
            VisitError::Version => "version",
            VisitError::Key => "key",
            VisitError::OldKey => "old_key",
            VisitError::Code => "code",
            VisitError::TooManyDevices => "too_many_devices",
            VisitError::NoDevice => "no_device",
            VisitError::Plays => "plays",
            VisitError::Unknown => "unknown",
            VisitError::Forgotten => "forgotten",
            VisitError::Banned => "banned",
            VisitError::NoRoom => "no_room",
            VisitError::Nowhere | VisitError::Watching => "watching",
            VisitError::TooManyRooms | VisitError::TooManyFromThere => "too_many_rooms",
            VisitError::TooManyOfYours => "too_many_of_yours",
            VisitError::GameGoesOn => "game_goes_on",
            VisitError::SwissOnly => "swiss_only",
            VisitError::TooManyWishes => "too_many_wishes",
            VisitError::GuestWaits => "guest_waits",
            VisitError::OpenTournament => "open_tournament",
            VisitError::TournamentNamedOnly => "tournament_named_only",
            VisitError::TooManyEngines => "engines",
            VisitError::NoSuchPerson => "nobody",
            VisitError::Level => "level",
            VisitError::Rule => "rule",
            VisitError::TooManyNames(_) => "too_many_names",
            VisitError::TooManyVisitors(_) => "too_many_visitors",
            VisitError::TooManyPages => "too_many_pages",
            VisitError::NoTournament | VisitError::NoTournamentHere => "no_tournament",
            VisitError::TooManyTournaments => "too_many_tournaments",
            VisitError::Unnamed => "unnamed",
            VisitError::NoChallenges => "no_challenges",
            VisitError::TooManyChallenges => "too_many_challenges",
            VisitError::Declined => "declined",
            VisitError::NamedOnly => "named_only",
            VisitError::BlockSelf => "block_self",
            VisitError::TooManyBlocked => "too_many_blocked",
            VisitError::TooManyCorrections => "too_many_corrections",
            VisitError::NotMaker => "not_maker",
            VisitError::EntryClosed => "entry_closed",
            VisitError::Removed => "removed",
            VisitError::Bot => "bot",
            VisitError::CalledOff(_) => "called_off",
            VisitError::TooOften(_) => "too_often",
            VisitError::TooManyBots => "too_many_bots",
            VisitError::Vacation => "vacation",
            VisitError::Begun
            | VisitError::Tournament(TournamentError::Late | TournamentError::LastRound) => "begun",
            VisitError::NotGone(_) => "not_gone",
            VisitError::NotPlaying => "not_playing",
            VisitError::TournamentGame => "tournament_game",
            VisitError::Tournament(TournamentError::Players) => "players",
            VisitError::Tournament(TournamentError::NoPairing) => "no_pairing",
            VisitError::Tournament(_) | VisitError::TournamentSetup(_) => "tournament",
            VisitError::Name(NameError::Taken) => "name_taken",
            VisitError::Name(_) => "name",
            VisitError::Room(error) => error.code(),
        }
    }
}
