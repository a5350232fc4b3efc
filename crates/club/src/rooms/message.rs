//! Everything that travels between a page and a [`Club`](super::Club).
//!
//! Messages are JSON objects with a field `type`. `docs/messages.md` describes them.

use super::clock::TimeLeft;
use super::contacts::ContactPolicy;
use super::number::{RoomId, TournamentId};
use super::outcome::Outcome;
use super::phrase::Phrase;
use super::room::Stage;
use super::setup::RoomSetup;
use super::tournament_message::{
    CorrectionView, CrossRow, PairingView, TournamentSummary, TournamentView,
};
use quincunx_analysis::NamedOpening;
use quincunx_board::{Color, ForbiddenView, Phase, StoneView};
use quincunx_engine::game::swap::{Choice, OpeningRule, Seat};
use quincunx_engine::game::{Game, TimeControl};
use quincunx_engine::rules::{Point, Rule};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;

/// The version of these messages.
pub const VERSION: u32 = 1;

/// A message of the club.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum ClubMessage {
    /// The answer to `ClubRequest::Hello`.
    Welcome(ClubWelcome),
    /// The visitor's name is this now.
    Name {
        /// The name.
        name: String,
        /// The kind of the visitor's account.
        account: Account,
    },
    /// The lobby, for visitors in no room: when they come there, at most once a second.
    Lobby(LobbyView),
    /// The changes since the last `Lobby` or `LobbyChanges`, at most once a second.
    LobbyChanges(LobbyChanges),
    /// The room that the visitor is in. Comes after every change.
    Room(Box<RoomView>),
    /// The visitor's own seat in the room.
    Seat {
        /// The room.
        room: RoomId,
        /// The seat; none for those who watch.
        seat: Option<Seat>,
    },
    /// The visitor's conditional moves in the room. Comes after `Room` in a correspondence game
    /// where they have a seat, from the end of the opening on, and when they have changed. No other
    /// visitor is sent them.
    ConditionalMoves {
        /// The room.
        room: RoomId,
        /// The lines, such as `h8i9`: by turns a move of the opponent and the answer to it.
        lines: Vec<String>,
    },
    /// A room where the visitor has a seat, wherever they are. Comes when a player sits
    /// down, when both have come to a game of a tournament, when it is another player's
    /// turn, with offers and wishes, and when the game ends.
    YourRoom(Box<OwnRoom>),
    /// The correspondence games of the visitor, on request: those that wait for their move first,
    /// then by the time left.
    Correspondence {
        /// The games, and the rooms where the visitor waits for an opponent.
        games: Vec<CorrespondenceGame>,
        /// The visitor's vacation.
        vacation: VacationView,
        /// The secret in the address of the visitor's feed, `feed/SECRET.atom`; none without a feed.
        feed: Option<String>,
    },
    /// The correspondence games that wait for the visitor's move. Comes after the welcome if there
    /// are any, and when a game of theirs has changed.
    YourTurns {
        /// The number of games.
        count: usize,
        /// The room of the game with the least time left.
        next: Option<RoomId>,
    },
    /// A person asks the visitor for a game. The room is there until it is `closed`, or the
    /// visitor has taken the seat.
    Challenge(Box<RoomSummary>),
    /// A challenge is no longer shown because its sender is disconnected. It is sent again when
    /// they are back.
    ChallengeGone {
        /// The room.
        room: RoomId,
    },
    /// The visitor's contact preferences have changed, or the name of a person whom they have
    /// blocked.
    Contacts(ContactsView),
    /// A player's phrase in the room that the visitor is in.
    Said {
        /// The room.
        room: RoomId,
        /// The player.
        seat: Seat,
        /// The phrase.
        phrase: Phrase,
    },
    /// A room is gone that the visitor was in or had a seat in, or was asked into.
    Closed {
        /// The room.
        room: RoomId,
    },
    /// The tournament that the visitor looks at. Comes after the visitor's changes, and after those
    /// of others once a second at most.
    Tournament(Box<TournamentView>),
    /// A round has begun, and the visitor has a game in it.
    Round {
        /// The tournament.
        tournament: TournamentId,
        /// The room of the game.
        room: RoomId,
    },
    /// All rounds of the tournament that the visitor looks at.
    Rounds {
        /// The tournament.
        tournament: TournamentId,
        /// The pairings of each round, the first first.
        rounds: Vec<Vec<PairingView>>,
        /// The crosstable, in the order of the standings.
        crosstable: Vec<CrossRow>,
    },
    /// A code by which another device has the same person, once.
    Code {
        /// The code.
        code: String,
        /// The seconds for which it is valid.
        valid_s: u64,
    },
    /// The devices of the person. Comes when it is asked for, and when one was added.
    Devices {
        /// Each device.
        devices: Vec<DeviceView>,
    },
    /// The new key is valid, and no other.
    Renewed,
    /// An account for an engine is made. The token is not shown again.
    Token {
        /// Its name.
        name: String,
        /// The key that the engine authenticates with.
        token: String,
    },
    /// The table of ratings of a rule: first people, then engines.
    Ratings {
        /// The rule's name.
        rule: String,
        /// True for the ratings of correspondence games.
        correspondence: bool,
        /// The best first: two hundred, and that of the visitor.
        rows: Vec<RatingRow>,
    },
    /// A player's ratings and games.
    Profile(ProfileView),
    /// A message could not be followed.
    Error {
        /// The kind of error, for those who translate.
        code: Cow<'static, str>,
        /// The error in English.
        text: String,
        /// In how many seconds it may be tried again, if waiting helps.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        retry_s: Option<u64>,
    },
    /// The refusal of a visitor, whose connection ends.
    Refused {
        /// The kind of refusal, for those who translate.
        code: Cow<'static, str>,
        /// The reason in English.
        text: String,
        /// In how many seconds to come again.
        retry_s: u64,
    },
    /// The program ends.
    Goodbye,
}

/// The first message to a visitor.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ClubWelcome {
    /// The version of the messages.
    pub version: u32,
    /// The program's name and version.
    pub program: Cow<'static, str>,
    /// The visitor's name.
    pub name: String,
    /// The kind of the visitor's account.
    pub account: Account,
    /// The rules.
    pub rules: Vec<Rule>,
    /// The opening rules.
    pub openings: Vec<OpeningRule>,
    /// The names of the levels, each with the strength that it begins at.
    pub levels: Vec<(u8, Cow<'static, str>)>,
    /// The live rooms where the visitor has a seat. Of those with a game that is over only the ones
    /// where the other player wants a rematch.
    pub rooms: Vec<OwnRoom>,
    /// The address of the page that visitors at other machines can open, if it is known.
    pub address: Option<String>,
    /// The visitor's contact preferences.
    pub contacts: ContactsView,
}

/// The contact preferences of a visitor.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ContactsView {
    /// The people who may challenge and play them.
    pub policy: ContactPolicy,
    /// The names of the people whom they have blocked.
    pub blocked: Vec<String>,
}

/// The kind of an account.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Account {
    /// A person without a name, whose games are not rated.
    Guest,
    /// A person with a name.
    Person,
    /// An engine.
    Engine,
}

/// A device of a person.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct DeviceView {
    /// The name of the device.
    pub device: String,
    /// The day of the last visit in seconds since 1970, if it is known.
    pub seen: Option<u64>,
    /// True if it is connected.
    pub here: bool,
    /// True if it is the device of the visitor who asks.
    pub own: bool,
}

/// The lobby.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct LobbyView {
    /// Rooms with a free seat whose player is here, the newest first.
    pub open: Vec<RoomSummary>,
    /// Games that are being played, the newest first.
    pub live: Vec<RoomSummary>,
    /// Tournaments: those that can be joined, that are played, and that are over.
    pub tournaments: Vec<TournamentSummary>,
    /// The number of people who are here, guests included.
    pub visitors: usize,
    /// The people with a name who are here, in the order of their names.
    pub here: Vec<PersonView>,
}

/// A person in a list.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PersonView {
    /// The name.
    pub name: String,
    /// True if it is the account of an engine.
    pub bot: bool,
}

/// A room in a list.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RoomSummary {
    /// The room.
    pub room: RoomId,
    /// The setup of the games.
    pub setup: RoomSetup,
    /// The players.
    pub seats: [Option<PlayerView>; 2],
    /// The number of stones on the board.
    pub stones: usize,
    /// The moves, such as `h8i9`, in the list of games that are being played.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub moves: Option<String>,
}

/// The state of a room, as its players see it wherever they are.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RoomState {
    /// The room.
    pub room: RoomId,
    /// The tournament that the game belongs to.
    pub tournament: Option<TournamentId>,
    /// The setup of the games.
    pub setup: RoomSetup,
    /// The stage of the room.
    pub stage: Stage,
    /// The players.
    pub seats: [Option<PlayerView>; 2],
    /// The seat to act, while a game is in progress.
    pub actor: Option<Seat>,
    /// The seat that offers a draw.
    pub draw_offer: Option<Seat>,
    /// The seat that asks to take a move back.
    pub undo_wish: Option<Seat>,
    /// The seat that asks for a rematch.
    pub rematch_wish: Option<Seat>,
    /// The outcome of the game.
    pub outcome: Option<Outcome>,
}

/// A room where a visitor has a seat.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct OwnRoom {
    /// The state of the room.
    #[serde(flatten)]
    pub state: RoomState,
    /// The number of stones on the board.
    pub stones: usize,
    /// The visitor's seat.
    pub seat: Seat,
}

/// A correspondence game of a visitor.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CorrespondenceGame {
    /// The room.
    #[serde(flatten)]
    pub own: OwnRoom,
    /// The moves, such as `h8i9`.
    pub moves: String,
    /// The time that the player to act has left in milliseconds, while a game is in progress.
    pub left_ms: Option<u64>,
}

/// A game that is over, in a list.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct GameSummary {
    /// Its number.
    pub number: u64,
    /// The setup of the game.
    pub setup: RoomSetup,
    /// The names of the players, by seats.
    pub players: [String; 2],
    /// The player of the black stones, if that was settled.
    pub black: Option<Seat>,
    /// The outcome.
    pub outcome: Outcome,
    /// The number of moves.
    pub move_count: usize,
    /// The moves, such as `h8i9`; in a list only those of private games, which have no page.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub moves: Option<String>,
    /// The time of the end in seconds since 1970.
    pub ended: u64,
    /// True if it changed the ratings.
    pub rated: bool,
    /// True if only its players find it.
    pub private: bool,
}

/// A game that is over, to look at.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct GameView {
    /// The game as it is listed.
    #[serde(flatten)]
    pub summary: GameSummary,
    /// The board.
    #[serde(flatten)]
    pub board: BoardView,
    /// The choices of the opening, each with the player who made it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub chosen: Vec<(Seat, Choice)>,
    /// The fifth stones that black offered.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub offers: Vec<Point>,
    /// The corrections of its result in its tournament, oldest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub corrections: Vec<CorrectionView>,
}

/// A page of a list of games that are over.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct GamePage {
    /// The games, the last first.
    pub games: Vec<GameSummary>,
    /// The number before which to look on; none where the list ends.
    pub before: Option<u64>,
}

/// A player.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PlayerView {
    /// The name; the engine has none.
    pub name: Option<String>,
    /// The level of the engine.
    pub engine: Option<u8>,
    /// True if it is the account of another engine.
    pub bot: bool,
    /// The rating under the rule of the room; none of the engine, whose games are not rated.
    pub rating: Option<i64>,
    /// True if so few games were played that it says little.
    pub provisional: bool,
    /// True if the player is here. The engine always is.
    pub here: bool,
    /// The end of the player's vacation in seconds since 1970, in a correspondence game.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub vacation: Option<u64>,
    /// The names of other people that are easily confused with the player's.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub alike: Vec<String>,
}

/// The vacation of a person from correspondence games.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct VacationView {
    /// Its end in seconds since 1970; none if there is none now.
    pub until: Option<u64>,
    /// The number of days that can be used; zero if they are too few for a vacation.
    pub days_left: u32,
}

/// The remaining time of a player in milliseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TimeView {
    /// Of the main time.
    pub main: u64,
    /// The number of periods.
    pub periods: u32,
    /// Of the period that runs.
    pub period: u64,
}

impl TimeView {
    /// The remaining time at the start of a turn in which `used` has passed already.
    pub(super) fn new(clock: TimeControl, left: TimeLeft, used: std::time::Duration) -> TimeView {
        let milliseconds =
            |time: std::time::Duration| u64::try_from(time.as_millis()).unwrap_or(u64::MAX);
        let mut after = left;
        clock.charge(&mut after, used);
        let over = used.saturating_sub(left.main);
        let period = clock.byoyomi_period();
        let of_period = over.as_nanos().checked_rem(period.as_nanos()).unwrap_or(0);
        let of_period = std::time::Duration::from_nanos(u64::try_from(of_period).unwrap_or(0));
        TimeView {
            main: milliseconds(after.main),
            periods: after.periods,
            period: milliseconds(period.saturating_sub(of_period)),
        }
    }
}

/// The board of a game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct BoardView {
    /// Columns of the board.
    pub width: usize,
    /// Rows of the board.
    pub height: usize,
    /// Points with a dot, to count by.
    pub stars: Vec<Point>,
    /// The stones in the order they were put.
    pub stones: Vec<StoneView>,
    /// The stones of the lines that won.
    pub winning: Vec<Point>,
}

impl BoardView {
    pub(super) fn new(game: &Game) -> BoardView {
        let size = game.size();
        BoardView {
            width: size.width(),
            height: size.height(),
            stars: size.stars().collect(),
            stones: (game.position().moves().zip(1..))
                .map(|((color, point), number)| StoneView {
                    point,
                    color,
                    number: Some(number),
                })
                .collect(),
            winning: game.winning_stones().iter().collect(),
        }
    }
}

/// All that a page shows of a room.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RoomView {
    /// The state of the room.
    #[serde(flatten)]
    pub state: RoomState,
    /// The board.
    #[serde(flatten)]
    pub board: BoardView,
    /// The number of games begun here.
    pub games: u32,
    /// The number of spectators.
    pub watchers: usize,
    /// The colour to move, or that would be.
    pub turn: Color,
    /// The phase of the game.
    pub phase: Phase,
    /// The choices of the opening so far, each with the player who made it.
    pub chosen: Vec<(Seat, Choice)>,
    /// The points where the opening allows the next stone; none if everywhere.
    pub allowed: Option<Vec<Point>>,
    /// The fifth stones that black offers, until white has placed one.
    pub offers: Vec<Point>,
    /// The opening of renju with three stones, if the game began with one.
    pub named_opening: Option<NamedOpening>,
    /// The player of the black stones, once that is settled.
    pub black: Option<Seat>,
    /// The points that the side to move may not play.
    pub forbidden: Vec<ForbiddenView>,
    /// The remaining time of the players.
    pub clock: [TimeView; 2],
    /// True if the clock of the player who acts next runs.
    pub runs: bool,
    /// True if a game of a tournament waits for a player who has not come to it yet.
    pub awaits: bool,
    /// The number of last moves that were conditional ones.
    pub answers: usize,
    /// The time since each player was disconnected, in milliseconds; none while connected.
    pub gone_ms: [Option<u64>; 2],
    /// True if a player may call the game off.
    pub can_abort: bool,
    /// The rating changes of the players, by seats, if the game was rated.
    pub rating_changes: [Option<i64>; 2],
}

/// A row of the table of ratings.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RatingRow {
    /// The place in the table, from one.
    pub place: usize,
    /// The name.
    pub name: String,
    /// True if it is an engine.
    pub bot: bool,
    /// The standing.
    #[serde(flatten)]
    pub standing: StandingView,
}

/// A player's rating under a rule.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct StandingView {
    /// The rule's name.
    pub rule: String,
    /// True for the rating of correspondence games.
    pub correspondence: bool,
    /// The rating of Glicko-2.
    pub rating: i64,
    /// Its deviation.
    pub deviation: i64,
    /// True if so few games were played that it says little.
    pub provisional: bool,
    /// The points of the playing site.
    pub points: i32,
    /// The numbers of wins, draws and losses.
    pub results: [u32; 3],
}

/// A player's ratings and games.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ProfileView {
    /// The name.
    pub name: String,
    /// The standings, by rules.
    pub standings: Vec<ProfileStanding>,
    /// Their last games, the last first.
    pub games: Vec<GameSummary>,
    /// The tournaments that they take part in, open ones first, then the newest.
    pub tournaments: Vec<TournamentSummary>,
    /// Games against the visitor who asks: won, drawn and lost by them.
    pub against_you: [u32; 3],
}

/// A standing in a profile.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ProfileStanding {
    /// The standing.
    #[serde(flatten)]
    pub standing: StandingView,
    /// The rating after each of the last rated games, with the end of the game in seconds since
    /// 1970, the earliest first.
    pub curve: Vec<(u64, i64)>,
}

/// The changes of the lobby since the last message about it. A list that is missing is as it was.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct LobbyChanges {
    /// Rooms with a free seat.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub open: Option<ListChange<RoomId, RoomSummary>>,
    /// Games that are being played.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub live: Option<ListChange<RoomId, RoomSummary>>,
    /// The numbers of stones and the moves of games that are being played and have not changed
    /// otherwise.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub stones: Vec<(RoomId, usize, Option<String>)>,
    /// Tournaments.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tournaments: Option<ListChange<TournamentId, TournamentSummary>>,
    /// The people with a name who are here.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub here: Option<ListChange<String, PersonView>>,
    /// The number of visitors.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub visitors: Option<usize>,
}

/// The changes of a list. First the items of these keys are taken out, and those that are put in
/// again; then items are put in at their places, in this order.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ListChange<K, T> {
    /// The keys of items that are in the list no more.
    pub gone: Vec<K>,
    /// New, changed and moved items with their places, counted from zero.
    pub put: Vec<(usize, T)>,
}
