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
use quincunx_engine::game::swap::Seat;
use quincunx_records::Date;
use serde::{Deserialize, Serialize};
use std::net::IpAddr;
use std::path::PathBuf;
use std::time::Duration;

/// A command of the administrator.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
pub enum AdminMessage {
    /// Every room.
    List,
    /// Ends a game, which does not count.
    End {
        /// The room.
        room: RoomId,
    },
    /// Every tournament.
    Tournaments,
    /// Ends a tournament; games under way do not count.
    EndTournament {
        /// The tournament.
        tournament: TournamentId,
    },
    /// Begins a tournament in the place of its maker, or holds its rounds no more.
    ContinueTournament {
        /// The tournament.
        tournament: TournamentId,
    },
    /// Closes the entry of a tournament to all whom its maker does not add, or opens it.
    CloseEntry {
        /// The tournament.
        tournament: TournamentId,
        /// True if it is closed.
        closed: bool,
    },
    /// Keeps a visitor out, or lets them in again.
    Ban {
        /// Their name.
        name: String,
        /// True if they are kept out.
        banned: bool,
    },
    /// Bans a range of addresses, or lifts the ban.
    BanAddresses {
        /// The addresses.
        range: AddressRange,
        /// True if they are kept out.
        banned: bool,
    },
    /// The addresses that are kept out.
    Bans,
    /// The visitors.
    Visitors,
    /// Gives a person another name.
    Rename {
        /// The name so far.
        name: String,
        /// The new one.
        to: String,
    },
    /// Closes a room, whatever goes on there.
    Close {
        /// The room.
        room: RoomId,
    },
    /// Makes an account for an engine, and says its token.
    Bot {
        /// Its name.
        name: String,
    },
    /// Gives a person another key in the place of a lost one, and says it.
    Key {
        /// Their name.
        name: String,
    },
    /// Forgets a person.
    Forget {
        /// Their name.
        name: String,
    },
    /// Rated games that look arranged.
    Suspicious,
    /// Asks for the audit log.
    Audit,
    /// Copies the database to a new file.
    Backup {
        /// The file, which must not be there.
        path: PathBuf,
    },
    /// Every game that is over, as CSV.
    Export,
}

impl AdminMessage {
    /// The message as it is noted: without the name of a person who is forgotten.
    #[must_use]
    pub fn noted(&self) -> AdminMessage {
        match self {
            AdminMessage::Forget { .. } => AdminMessage::Forget {
                name: FORMER.to_owned(),
            },
            other => other.clone(),
        }
    }

    /// Returns true if it changes anything in the club, which is then noted.
    pub fn changes(&self) -> bool {
        match self {
            AdminMessage::End { .. }
            | AdminMessage::EndTournament { .. }
            | AdminMessage::ContinueTournament { .. }
            | AdminMessage::CloseEntry { .. }
            | AdminMessage::Ban { .. }
            | AdminMessage::BanAddresses { .. }
            | AdminMessage::Rename { .. }
            | AdminMessage::Bot { .. }
            | AdminMessage::Key { .. }
            | AdminMessage::Forget { .. }
            | AdminMessage::Close { .. } => true,
            AdminMessage::List
            | AdminMessage::Tournaments
            | AdminMessage::Bans
            | AdminMessage::Visitors
            | AdminMessage::Suspicious
            | AdminMessage::Audit
            | AdminMessage::Backup { .. }
            | AdminMessage::Export => false,
        }
    }
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
    /// An entry of this time, with a message as it is kept.
    pub(super) fn new(at: Duration, did: &str) -> serde_json::Result<AuditEntry> {
        Ok(AuditEntry {
            at: date_time(at.as_secs()),
            did: serde_json::from_str(did)?,
        })
    }
}

/// A visitor as an administrator sees them.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct AdminVisitor {
    /// The name, once authenticated.
    pub name: Option<String>,
    /// The address they come from; of IPv6 its first 64 bits.
    pub address: IpAddr,
    /// The room they are in.
    pub room: Option<RoomId>,
}

/// A room as the administrator sees it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct AdminRoom {
    /// The room as the lobby lists it.
    #[serde(flatten)]
    pub summary: RoomSummary,
    /// The stage.
    pub stage: Stage,
    /// True if it is in no list.
    pub private: bool,
    /// The number of visitors.
    pub visitors: usize,
    /// The time of the last activity in seconds since 1970.
    pub touched: u64,
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
