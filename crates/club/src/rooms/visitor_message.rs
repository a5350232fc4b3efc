//! Messages of visitors to a [`Club`](super::Club).

use super::contacts::ContactPolicy;
use super::phrase::Phrase;
use super::referee::Action;
use super::setup::RoomSetup;
use super::tournament::TournamentSetup;
use quincunx_engine::game::swap::Seat;
use quincunx_engine::rules::Point;
use quincunx_pairing::PairingResult;
use serde::de::Error;
use serde::{Deserialize, Serialize};
use strum::VariantNames;

/// A message of a visitor: a JSON object with a field `type`.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(untagged)]
pub enum VisitorMessage {
    /// An action in the game of the room that the visitor is in.
    Game(Action),
    /// A message about tournaments.
    Tournament(TournamentMessage),
    /// Any other message.
    Club(ClubRequest),
}

impl VisitorMessage {
    /// Parses a message. The errors of an untagged enum of serde would not name the cause.
    pub(super) fn parse(text: &str) -> serde_json::Result<VisitorMessage> {
        #[derive(Deserialize)]
        struct Tag {
            #[serde(rename = "type")]
            kind: String,
        }
        let Tag { kind } = serde_json::from_str(text)?;
        let (kind, requests) = (kind.as_str(), ClubRequest::VARIANTS);
        let (actions, of_tournaments) = (Action::VARIANTS, TournamentMessage::VARIANTS);
        if actions.contains(&kind) {
            serde_json::from_str(text).map(VisitorMessage::Game)
        } else if of_tournaments.contains(&kind) {
            serde_json::from_str(text).map(VisitorMessage::Tournament)
        } else if requests.contains(&kind) {
            serde_json::from_str(text).map(VisitorMessage::Club)
        } else {
            let known = [requests, actions, of_tournaments].concat().join("`, `");
            let error = format!("unknown variant `{kind}`, expected one of `{known}`");
            Err(Error::custom(error))
        }
    }
}

/// A message of a visitor that is neither an action in a game nor about tournaments.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, VariantNames)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
#[strum(serialize_all = "snake_case")]
pub enum ClubRequest {
    /// The first message.
    Hello {
        /// The version of the messages that the page speaks.
        version: u32,
        /// The visitor's key: 32 hexadecimal digits, a secret.
        key: String,
        /// A code from another device, whose person the visitor is from now on. The key is a new
        /// one then.
        #[serde(default)]
        code: Option<String>,
    },
    /// Takes another name.
    Rename {
        /// The name.
        name: String,
    },
    /// Opens a room and takes a seat in it.
    Create(NewRoom),
    /// Plays a stranger: takes the free seat of an open room where the same is played, and
    /// whose player's rating is nearest, or opens one.
    Quick {
        /// The setup of the games.
        setup: RoomSetup,
    },
    /// Declines a challenge, whose room closes.
    Decline {
        /// The room.
        room: String,
    },
    /// Blocks a person, or lifts the block: their challenges, rooms and phrases do not reach the
    /// visitor.
    Block {
        /// Their name.
        name: String,
        /// True if they are blocked.
        blocked: bool,
    },
    /// Sets who may challenge and play the visitor.
    Contacts {
        /// The people who may.
        policy: ContactPolicy,
    },
    /// Says something to the people in the room.
    Say {
        /// The phrase.
        phrase: Phrase,
    },
    /// Goes into a room, to watch or to play.
    Enter {
        /// The room's number.
        room: String,
        /// True if to take the free seat.
        #[serde(default)]
        sit: bool,
    },
    /// Leaves the room. A seat is kept.
    Leave,
    /// Takes the free seat.
    Sit,
    /// Closes the room, where the visitor waits for another player.
    Close,
    /// Claims the win of a game whose other player has been gone for long.
    Claim,
    /// Replaces the visitor's conditional moves in the correspondence game of the room, after a move
    /// of theirs if it is their turn.
    ConditionalMoves {
        /// The lines, such as `h8i9`: by turns a move of the opponent and the answer to it.
        lines: Vec<String>,
        /// The point of the move.
        #[serde(default)]
        point: Option<Point>,
        /// The number of stones that the visitor saw on the board.
        ply: usize,
    },
    /// Asks for a code by which another device has the same person.
    MakeCode,
    /// Asks for the devices of the person.
    Devices,
    /// Ends a device of the person.
    EndDevice {
        /// The device, as the list names it.
        device: String,
    },
    /// Replaces the keys of all devices by a new one.
    NewKey {
        /// The new key.
        key: String,
    },
    /// Forgets the person. Only their games remain, by a former player.
    Forget,
    /// Makes an account for an engine.
    MakeBot {
        /// Its name.
        name: String,
    },
    /// Asks for the table of ratings of a rule.
    Ratings {
        /// The rule's name.
        rule: String,
        /// True for the ratings of correspondence games.
        #[serde(default)]
        correspondence: bool,
    },
    /// Gives the feed of the visitor's correspondence games a new address. One that it had is void.
    NewFeed,
    /// Begins a vacation from correspondence games, or ends the one that goes on.
    Vacation {
        /// The number of days; zero to end it.
        days: u32,
    },
    /// Asks for the visitor's correspondence games.
    Correspondence,
    /// Asks for a player's ratings and games.
    Profile {
        /// Their name.
        name: String,
    },
}

/// A message of a visitor about tournaments.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, VariantNames)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
#[strum(serialize_all = "snake_case")]
pub enum TournamentMessage {
    /// Makes a tournament, and opens it.
    CreateTournament(TournamentSetup),
    /// Looks at a tournament.
    OpenTournament {
        /// The tournament's number.
        tournament: String,
    },
    /// Takes part in the tournament that the visitor looks at.
    JoinTournament,
    /// Takes no part any more.
    Withdraw,
    /// Begins the first round. This and the messages up to `NextRound` are for the organisers of a
    /// tournament: its maker, and those whom the maker names.
    BeginTournament,
    /// Ends the tournament.
    EndTournament,
    /// Has a person take part.
    AddPlayer {
        /// Their name.
        name: String,
    },
    /// Takes a player out.
    RemovePlayer {
        /// Their name.
        name: String,
    },
    /// Takes all players without a name out.
    RemoveGuests,
    /// Has a person organise the tournament too, or not any more. Only its maker can do that.
    Organiser {
        /// Their name.
        name: String,
        /// True if they organise it.
        wanted: bool,
    },
    /// Gives a player the next round off for half a point, or takes that back.
    HalfBye {
        /// Their name.
        name: String,
        /// True if they have it.
        wanted: bool,
    },
    /// Has two players meet in the next round, or takes that back.
    FixPairing {
        /// The name of one of them.
        first: String,
        /// The name of the other.
        second: String,
        /// True if they meet.
        wanted: bool,
    },
    /// Forbids that two players meet, or takes that back.
    ForbidPairing {
        /// The name of one of them.
        first: String,
        /// The name of the other.
        second: String,
        /// True if that is forbidden.
        wanted: bool,
    },
    /// Corrects the result of a game that is over, or enters that of one that was played at another
    /// board: both players have not come to its room.
    CorrectResult {
        /// The round, from one.
        round: usize,
        /// The table, from one.
        table: usize,
        /// The result.
        result: PairingResult,
    },
    /// Has the next round wait, or begin by itself.
    HoldRound {
        /// True if it waits.
        held: bool,
    },
    /// Closes the entry of the tournament to all whom the organisers do not add, or opens it.
    CloseEntry {
        /// True if it is closed.
        closed: bool,
    },
    /// Begins the next round now.
    NextRound,
    /// Asks for all rounds of the tournament.
    Rounds,
}

/// A room to open.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct NewRoom {
    /// The setup of the games.
    pub setup: RoomSetup,
    /// The seat to take; none is any.
    #[serde(default)]
    pub seat: Option<Seat>,
    /// The level of the engine on the other seat, if it shall sit there.
    #[serde(default)]
    pub engine: Option<u8>,
    /// The name of the person who is asked for a game. The other seat is theirs.
    #[serde(default)]
    pub opponent: Option<String>,
    /// True if the room is left out of the list of open rooms.
    #[serde(default)]
    pub private: bool,
}

impl NewRoom {
    /// An open room for games of this setup, with any seat.
    pub fn of(setup: RoomSetup) -> NewRoom {
        NewRoom {
            setup,
            seat: None,
            engine: None,
            opponent: None,
            private: false,
        }
    }
}
