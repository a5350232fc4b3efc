//! Commands of the administrator to a running club.

use super::address::AddressRange;
use super::archive::FinishedGame;
use super::clock::ClockRule;
use super::csv::text_cell;
use super::message::RoomSummary;
use super::name::NameError;
use super::number::{RoomId, TournamentId};
use super::outcome::seat_name;
use super::people::FORMER;
use super::room::Stage;
use clap::builder::{PathBufValueParser, TypedValueParser};
use quincunx_engine::game::swap::Seat;
use quincunx_records::Date;
use serde::{Deserialize, Serialize};
use std::net::IpAddr;
use std::path::PathBuf;
use std::time::Duration;

/// A command of the administrator. `quincunx board admin` parses it and sends it as JSON, the club
/// executes it, and the audit log keeps it. The comments are the help of the command line.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, clap::Subcommand)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
pub enum AdminCommand {
    /// Print every room, one JSON object per line
    List,
    /// End the game of a room; it does not count
    End {
        /// The room's number
        room: RoomId,
    },
    /// Print every tournament, one JSON object per line
    Tournaments,
    /// End a tournament; games in progress do not count
    EndTournament {
        /// The tournament's number
        tournament: TournamentId,
    },
    /// Begin a tournament in the place of its organiser, or stop holding its rounds
    ContinueTournament {
        /// The tournament's number
        tournament: TournamentId,
    },
    /// Close the entry of a tournament: only its organiser adds players
    CloseEntry {
        /// The tournament's number
        tournament: TournamentId,
    },
    /// Open the entry of a tournament again
    OpenEntry {
        /// The tournament's number
        tournament: TournamentId,
    },
    /// Ban a player, and rate all games anew
    Ban {
        /// The player's name
        name: String,
    },
    /// Lift the ban of a player, and rate all games anew
    Unban {
        /// The player's name
        name: String,
    },
    /// Ban all visitors from these addresses
    BanAddress {
        /// An address, or a range such as 192.0.2.0/24
        range: AddressRange,
    },
    /// Lift the ban of these addresses
    UnbanAddress {
        /// The address or the range, as it was banned
        range: AddressRange,
    },
    /// Print the banned addresses
    Bans,
    /// Print the visitors with their addresses, one JSON object per line
    Visitors,
    /// Give a person another name
    Rename {
        /// The person's name
        name: String,
        /// The new name
        to: String,
    },
    /// Close a room; a game in progress there is not rated
    Close {
        /// The room's number
        room: RoomId,
    },
    /// Make an account for an engine, and print its token
    Bot {
        /// The engine's name
        name: String,
    },
    /// Give a person who has lost their key a new one, and print it; the lost one is no longer
    /// valid
    Key {
        /// The person's name
        name: String,
    },
    /// Forget a person: only games remain, by a former player
    Forget {
        /// The person's name
        name: String,
    },
    /// Print pairs and people whose rated games look arranged, one JSON object per line
    Suspicious,
    /// Print what these commands have changed, one JSON object per line
    Audit,
    /// Check the structure of the database while the server runs
    Check,
    /// Copy the database to a new file while the server runs
    Backup {
        /// The new file
        // The server's working directory may be another.
        #[arg(value_parser = PathBufValueParser::new().try_map(std::path::absolute::<PathBuf>))]
        file: PathBuf,
    },
    /// Print every finished game, as CSV
    Export,
}

impl AdminCommand {
    /// Returns the entry for the audit log, or `None` for a command that only reads. A forgotten
    /// person is not named.
    pub fn audit_entry(&self) -> Option<String> {
        let mut entry = self.clone();
        match &mut entry {
            AdminCommand::List
            | AdminCommand::Tournaments
            | AdminCommand::Bans
            | AdminCommand::Visitors
            | AdminCommand::Suspicious
            | AdminCommand::Audit
            | AdminCommand::Check
            | AdminCommand::Backup { .. }
            | AdminCommand::Export => return None,
            AdminCommand::Forget { name } => FORMER.clone_into(name),
            _ => {}
        }
        serde_json::to_string(&entry).ok()
    }

    /// Returns true if all games are rated anew afterwards.
    pub fn changes_ratings(&self) -> bool {
        matches!(self, AdminCommand::Ban { .. } | AdminCommand::Unban { .. })
    }
}

/// Returns JSON Lines: each value on a line of its own.
pub fn json_lines(values: impl IntoIterator<Item = impl Serialize>) -> String {
    let line = |value| serde_json::to_string(&value).unwrap_or_default() + "\n";
    values.into_iter().map(line).collect()
}

/// An administrator's action.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct AuditEntry {
    /// The time in UTC.
    pub at: String,
    /// The message.
    pub did: serde_json::Value,
}

impl AuditEntry {
    /// Creates the stored form of an entry.
    pub(super) fn new(at: Duration, did: &str) -> serde_json::Result<AuditEntry> {
        Ok(AuditEntry {
            at: date_time(at.as_secs()),
            did: serde_json::from_str(did)?,
        })
    }
}

/// A visitor as an administrator sees them.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(super) struct AdminVisitor {
    /// The name, once authenticated.
    pub(super) name: Option<String>,
    /// The address they come from; of IPv6 its first 64 bits.
    pub(super) address: IpAddr,
    /// The room they are in.
    pub(super) room: Option<RoomId>,
}

/// A room as the administrator sees it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(super) struct AdminRoom {
    /// The room as the lobby lists it.
    #[serde(flatten)]
    pub(super) summary: RoomSummary,
    /// The stage.
    pub(super) stage: Stage,
    /// True if it is in no list.
    pub(super) private: bool,
    /// The number of visitors.
    pub(super) visitors: usize,
    /// The time of the last activity in seconds since 1970.
    pub(super) touched: u64,
}

/// Why a request of the administrator is not done.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AdminError {
    /// There is no such room.
    #[error("there is no such room")]
    NoRoom,
    /// The name can't be had.
    #[error(transparent)]
    Name(#[from] NameError),
    /// There is no such room, or no game is played in it.
    #[error("no game is played in this room")]
    Room,
    /// There is no such tournament, or it is over.
    #[error("no tournament with this number is open or played")]
    Tournament,
    /// The tournament has too few players, or its games find no rooms.
    #[error("the tournament can't begin: it has too few players, or there are too many rooms")]
    Begin,
    /// No player has this name.
    #[error("nobody has this name")]
    Person,
    /// The person, or an engine of theirs, plays or is in a tournament.
    #[error("a game or a tournament needs this person: end it first")]
    Plays,
}

/// The columns of [`FinishedGame::csv`].
pub const CSV_HEAD: &str =
    "number,ended,room,rule,size,opening,clock,first,second,black,winner,reason,rated,moves\n";

/// The cells of a game as a line of [`CSV_HEAD`].
pub(super) struct GameCells([String; 14]);

impl GameCells {
    /// Replaces the winner and the reason.
    pub(super) fn replace_outcome(&mut self, winner: &str, reason: &str) {
        let [.., own_winner, own_reason, _, _] = &mut self.0;
        (*own_winner, *own_reason) = (winner.to_owned(), reason.to_owned());
    }

    /// The line, without its end.
    pub(super) fn join(&self) -> String {
        self.0.join(",")
    }
}

impl FinishedGame {
    /// The game as a line of CSV. No field has a comma.
    pub fn csv(&self) -> String {
        self.cells().join() + "\n"
    }

    pub(super) fn cells(&self) -> GameCells {
        let seat = |seat: Option<Seat>| seat.map_or("", seat_name);
        let clock = match self.setup.clock {
            ClockRule::SuddenDeath { main_ms } => format!("{}", main_ms / 1000),
            ClockRule::Increment {
                main_ms,
                increment_ms,
            } => format!("{}+{}", main_ms / 1000, increment_ms / 1000),
            ClockRule::Byoyomi {
                main_ms,
                period_ms,
                periods,
            } => format!("{}+{periods}x{}", main_ms / 1000, period_ms / 1000),
            ClockRule::Correspondence { days } => format!("{days}d"),
        };
        GameCells([
            self.number.to_string(),
            date_time(self.ended),
            text_cell(&self.room.to_string()).into_owned(),
            self.setup.rule.to_string(),
            self.setup.size.to_string(),
            self.setup.opening.to_string(),
            clock,
            text_cell(&self.names[0]).into_owned(),
            text_cell(&self.names[1]).into_owned(),
            seat(self.black).to_owned(),
            seat(self.outcome.winner).to_owned(),
            self.outcome.reason.name().to_owned(),
            self.counts().to_string(),
            self.moves.clone(),
        ])
    }
}

/// A time in seconds since 1970 as `2026-11-27T18:00:00Z`.
pub(super) fn date_time(seconds: u64) -> String {
    let (date, second) = (Date::from_unix(seconds), seconds % 86_400);
    let (hours, minutes) = (second / 3600, second / 60 % 60);
    format!("{date}T{hours:02}:{minutes:02}:{:02}Z", second % 60)
}
