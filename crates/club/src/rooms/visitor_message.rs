//! Messages of visitors to a [`Club`](super::Club).

use super::contacts::ContactPolicy;
use super::phrase::Phrase;
use super::setup::RoomSetup;
use super::tournament::TournamentSetup;
use quincunx_board::Choice;
use quincunx_engine::game::swap::Seat;
use quincunx_pairing::PairingResult;
use schemars::JsonSchema;
use serde::Deserialize;

/// A message of a visitor.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
pub enum VisitorMessage {
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
    /// Puts a stone.
    Play {
        /// The point.
        point: String,
        /// The number of stones that the visitor saw on the board.
        ply: usize,
    },
    /// Answers the question of an opening.
    Choose {
        /// The answer.
        choice: Choice,
        /// The number of stones that the visitor saw on the board.
        ply: usize,
    },
    /// Gives the game up.
    Resign,
    /// Offers a draw, or accepts one.
    OfferDraw,
    /// Declines a draw, or withdraws the own offer.
    DeclineDraw,
    /// Asks to take a move back, or agrees to it.
    AskUndo,
    /// Refuses to take anything back, or withdraws the own wish.
    DeclineUndo,
    /// Wants another game with the seats exchanged.
    Rematch,
    /// Aborts a game in which not both have acted. It is not rated.
    Abort,
    /// Claims the win of a game whose other player has been gone for long.
    Claim,
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
    },
    /// Asks for a player's ratings and games.
    Profile {
        /// Their name.
        name: String,
    },
}

impl VisitorMessage {
    /// Returns true if it may change a tournament any number of times. All of it is kept then, and
    /// shown to all who look at it.
    pub(super) fn changes_tournament(&self) -> bool {
        matches!(
            self,
            VisitorMessage::JoinTournament | VisitorMessage::Withdraw
        )
    }

    /// The same for what only an organiser may do, who has to keep up with all players.
    pub(super) fn organises_tournament(&self) -> bool {
        matches!(
            self,
            VisitorMessage::AddPlayer { .. }
                | VisitorMessage::RemovePlayer { .. }
                | VisitorMessage::RemoveGuests
                | VisitorMessage::Organiser { .. }
                | VisitorMessage::HalfBye { .. }
                | VisitorMessage::FixPairing { .. }
                | VisitorMessage::ForbidPairing { .. }
                | VisitorMessage::CorrectResult { .. }
                | VisitorMessage::HoldRound { .. }
                | VisitorMessage::CloseEntry { .. }
        )
    }
}

/// A room to open.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
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
