//! Everything that travels between a front and a [`Session`](super::Session).
//!
//! Messages are JSON objects with a field `type`. `docs/messages.md` describes them
//! for those who write another front. Points are text such as `h8`, `a1` being
//! the bottom left one.

use super::data_url::data_url;
pub use super::explored::{ExploredMoveView, ExploredView};
pub use super::findings::{Analysis, LineView, ProofNode, ProofReply, ProofStatus, ReviewView};
pub use super::picture_options::{PictureOptions, PictureTheme};
pub use super::remark::RemarkView;
pub use super::search_limits::{SearchBounds, SearchLimits};
pub use super::setup::{AnalysisMode, GameInfo, Player, Setup, Stones, Time};
pub use super::state::{
    Actions, ChosenView, ClockView, ForbiddenView, GameEntry, LabelView, NodeView, Phase, State,
    StoneView, ThreatView,
};
pub use quincunx_engine::game::swap::Choice;
pub use quincunx_engine::rules::Color;
use quincunx_records::Location;
use serde::{Deserialize, Serialize};

/// The version of these messages. A front with another version is asked to reload.
pub const VERSION: u32 = 1;

/// A request of a front.
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
pub enum ClientMessage {
    /// The first message.
    Hello {
        /// The version of the messages that the front speaks.
        version: u32,
        /// The `save` of the last [`State`], to restore the session.
        #[serde(default)]
        save: Option<String>,
        /// The node that the front has shown since then.
        #[serde(default)]
        node: Option<u32>,
        /// True if the front keeps the tree itself, and wants only its changes.
        #[serde(default)]
        changes: bool,
        /// The milliseconds that the running clock showed last, so that no time is given
        /// back.
        #[serde(default)]
        left_ms: Option<u64>,
    },
    /// Begins another game.
    NewGame(Setup),
    /// Plays a point for the side to move.
    Play {
        /// The point.
        point: String,
        /// The node that the front showed when the point was chosen.
        node: u32,
    },
    /// Passes for the player to move. Two passes in a row are a draw.
    Pass {
        /// The node that the front showed.
        node: u32,
    },
    /// Answers the question of an opening.
    Choose {
        /// The answer.
        choice: Choice,
        /// The node that the front showed when the choice was made.
        node: u32,
    },
    /// Takes back the last move, and the engine's answer to it.
    Undo,
    /// Redoes the last undone step.
    Redo,
    /// Shows another position of the game. The engine does not move there before
    /// [`ClientMessage::Resume`].
    GoTo {
        /// The node of the position.
        node: u32,
    },
    /// Adds a line of moves to the game and shows the first of them. The engine waits there.
    Line {
        /// The node that the line begins at, which the front shows.
        node: u32,
        /// The points.
        points: Vec<String>,
    },
    /// Lets the engine move in the position that is shown, and the clocks run.
    Resume,
    /// Keeps the engine from moving, and the clocks from running, until
    /// [`ClientMessage::Resume`].
    Pause,
    /// The person to move, or the only person, resigns.
    Resign,
    /// Offers a draw. Two persons at one board agree by this.
    OfferDraw,
    /// Begins another game with the colours swapped.
    Rematch,
    /// Asks for a good move.
    Hint,
    /// Searches the position that is shown, and every one shown later. Two persons who have
    /// not moved yet lose their clock by it.
    Analyse {
        /// The number of best moves, from one to [`MOST_LINES`].
        lines: usize,
        /// The kind of moves to find.
        #[serde(default)]
        mode: AnalysisMode,
    },
    /// Ends the analysis.
    StopAnalysis,
    /// Sets the limits of searches.
    Limit(SearchLimits),
    /// Looks for a forced win of the side to move.
    Prove,
    /// Searches for the threat: a forced win of the other side, if the side to move passed.
    ProveThreat,
    /// Reviews the game that is shown, from its start to its end.
    Review,
    /// Ends the review and discards it.
    StopReview,
    /// Goes back to the position before a move. A person tries again there, and the engine
    /// answers.
    TryAgain {
        /// The node of the position after the move.
        node: u32,
    },
    /// Changes the remark about a position.
    Comment {
        /// The node of the position.
        node: u32,
        /// The remark.
        text: String,
    },
    /// Labels a point of a position, and replaces its label. `△`, `□`, `○` and `×` are signs of
    /// SGF. An empty label removes the old one.
    Label {
        /// The node of the position.
        node: u32,
        /// The point.
        point: String,
        /// At most three characters.
        text: String,
    },
    /// Draws an arrow in a position, or removes the one that is there.
    Arrow {
        /// The node of the position.
        node: u32,
        /// The point where it begins.
        from: String,
        /// The point that it leads to.
        to: String,
    },
    /// Changes the names, the event, the date and the result of the game.
    Info(GameInfo),
    /// Removes a move and everything after it.
    Delete {
        /// The node of the position after the move.
        node: u32,
    },
    /// Brings back the game that the last new or opened one replaced, or the moves that were
    /// deleted last.
    BringBack,
    /// Makes the variation with this node the main line.
    Promote {
        /// The node.
        node: u32,
    },
    /// Opens a game or a position of any format. It has no clock.
    Open {
        /// The content of the file: its text, or its bytes as a data URL in base64.
        text: String,
        /// The name of the file.
        #[serde(default)]
        name: Option<String>,
        /// The encoding of a file that does not name its own, such as `Shift_JIS`.
        #[serde(default)]
        encoding: Option<String>,
        /// Which game of several, from one.
        #[serde(default = "first")]
        game: usize,
    },
    /// Continues a game from the text that a [`State`] had for it, in place of the one on the
    /// board. The engine and the clocks wait.
    Restore {
        /// The text.
        save: String,
        /// The node that was shown last.
        #[serde(default)]
        node: Option<u32>,
        /// The milliseconds that the running clock showed last.
        #[serde(default)]
        left_ms: Option<u64>,
    },
    /// Asks for the game as a file.
    Export {
        /// The kind of file.
        format: Format,
        /// The appearance of a picture.
        #[serde(default)]
        look: PictureOptions,
    },
    /// Ends the program that serves the page.
    StopServer,
}

/// The most lines of an analysis.
pub const MOST_LINES: usize = 8;

const fn first() -> usize {
    1
}

impl ClientMessage {
    /// Asks for the game as a file. A picture looks as it does by default.
    pub fn export(format: Format) -> ClientMessage {
        ClientMessage::Export {
            format,
            look: PictureOptions::default(),
        }
    }

    /// Opens a text.
    pub fn open(text: impl Into<String>) -> ClientMessage {
        ClientMessage::Open {
            text: text.into(),
            name: None,
            encoding: None,
            game: 1,
        }
    }

    /// Opens a file of these bytes and this name.
    pub fn open_file(name: &str, bytes: &[u8]) -> ClientMessage {
        ClientMessage::Open {
            text: data_url("application/octet-stream", bytes),
            name: Some(name.to_owned()),
            encoding: None,
            game: 1,
        }
    }
}

/// A kind of file.
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Format {
    /// SGF, with variations and remarks, and the result of the main line.
    Sgf,
    /// The file of piskvork: the moves up to the position that is shown.
    Psq,
    /// A line `SIZE RULE MOVES` up to the position that is shown.
    Text,
    /// A RenLib library with variations and remarks, as a data URL in base64.
    Renlib,
    /// The moves up to the position that is shown as an animated GIF, a data URL in
    /// base64.
    Gif,
}

/// A message of a session.
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum ServerMessage {
    /// The answer to [`ClientMessage::Hello`].
    Welcome(Welcome),
    /// Everything that is to be shown. Comes after every change.
    State(Box<State>),
    /// The results of the search so far.
    Analysis(Analysis),
    /// A good move, as asked for.
    Hint {
        /// The node of the position.
        node: u32,
        /// The point.
        point: String,
    },
    /// The result of the search for a forced win.
    Proof(ProofView),
    /// The review of the game so far.
    Review(ReviewView),
    /// The engine keeps playing.
    DrawDeclined {
        /// Why.
        reason: DrawRefusal,
    },
    /// The remarks on a file that was opened.
    Opened {
        /// Everything that was skipped, added or assumed.
        remarks: Vec<RemarkView>,
        /// The number of games that the file has.
        games: usize,
    },
    /// The game as a file.
    Exported {
        /// The kind of file.
        format: Format,
        /// Its content.
        text: String,
    },
    /// A message could not be followed. Nothing has changed.
    Error {
        /// The kind of error, for those who translate.
        code: &'static str,
        /// The location in a file.
        #[serde(skip_serializing_if = "Option::is_none")]
        place: Option<Location>,
        /// The error in English.
        text: String,
    },
    /// The program ends.
    Goodbye,
}

/// Why the engine refuses a draw.
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum DrawRefusal {
    /// It has the better position.
    Better,
    /// The game has just begun, or the engine has not evaluated it yet.
    Early,
}

/// The program's facts and limits, which a front needs first.
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Welcome {
    /// The version of the messages.
    pub version: u32,
    /// The program's name and version.
    pub program: &'static str,
    /// The names of the rules.
    pub rules: Vec<&'static str>,
    /// The names of the opening rules.
    pub openings: Vec<&'static str>,
    /// The names of the levels, each with the strength that it begins at.
    pub levels: Vec<(u8, &'static str)>,
    /// The smallest and the largest side of a board.
    pub sides: (usize, usize),
    /// The most lines of an analysis.
    pub lines: usize,
    /// The most handicap stones.
    pub handicap: usize,
    /// True if the front may stop the program.
    pub may_stop: bool,
    /// The limits of searches.
    pub searches: SearchBounds,
}

/// The result of the search for a forced win.
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ProofView {
    /// The node of the position.
    pub node: u32,
    /// The winner: the other side where a threat was asked for.
    pub winner: Color,
    /// True if it is a threat, to be carried out if the side to move passed.
    pub threat: bool,
    /// The status of the proof.
    pub found: ProofStatus,
    /// The winner's moves with the replies; nothing if no win was found.
    pub win: Option<ProofNode>,
    /// The plies to the five if the loser holds out as long as possible.
    pub plies: usize,
    /// The number of positions searched.
    pub nodes: u64,
}
