//! The views of tournaments in messages.

use super::number::{RoomId, TournamentId};
use super::tournament::{TournamentSetup, TournamentStage};
use quincunx_pairing::{PairingResult, StandingsRow};
use serde::{Deserialize, Serialize};

/// A tournament in a list.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TournamentSummary {
    /// The tournament.
    pub tournament: TournamentId,
    /// The setup, with the name.
    #[serde(flatten)]
    pub setup: TournamentSetup,
    /// The name of its maker.
    pub maker: String,
    /// The stage.
    pub stage: TournamentStage,
    /// True if only the organisers take players in.
    pub entry_closed: bool,
    /// The number of players.
    pub players: usize,
    /// The number of the last round, from one; zero before the first.
    pub round: usize,
    /// The number of rounds that are planned.
    pub rounds: usize,
}

/// All that a page shows of a tournament.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TournamentView {
    /// The tournament as it is listed.
    #[serde(flatten)]
    pub summary: TournamentSummary,
    /// The standings; before the start the players as they joined.
    pub standings: Vec<PlaceView>,
    /// The pairings of the last round.
    pub pairings: Vec<PairingView>,
    /// The names of those who organise it with its maker.
    pub organisers: Vec<String>,
    /// The names of players who have the next round off for half a point.
    pub half_byes: Vec<String>,
    /// The names of players who meet in the next round.
    pub fixed: Vec<[String; 2]>,
    /// The names of players who do not meet.
    pub forbidden: Vec<[String; 2]>,
    /// The milliseconds since the last round began.
    pub round_ms: Option<u64>,
    /// The names of those who wait for an organiser's approval.
    pub asking: Vec<String>,
    /// The corrections of results, oldest first.
    pub corrections: Vec<CorrectionView>,
    /// True if the next round waits for an organiser.
    pub held: bool,
    /// The deadline of a tournament of correspondence games that has begun, in seconds since 1970.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub deadline: Option<u64>,
    /// The milliseconds until the next round, between two of them.
    pub next_round_ms: Option<u64>,
}

/// A player's place in a tournament.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PlaceView {
    /// The name.
    pub name: String,
    /// The place, and what decides it.
    #[serde(flatten)]
    pub place: StandingsRow,
}

/// A pairing of a tournament.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PairingView {
    /// The player who begins.
    pub first: String,
    /// The other player; with none the first has a bye.
    pub second: Option<String>,
    /// The result, once it is over.
    pub result: Option<PairingResult>,
    /// The points of both, once it is over; none for a bye that scores nothing.
    pub points: Option<[f64; 2]>,
    /// The room of the game.
    pub room: Option<RoomId>,
}

/// A correction of a result.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CorrectionView {
    /// The round, from one.
    pub round: usize,
    /// The table, from one.
    pub table: usize,
    /// The name of the organiser who made it.
    pub by: String,
    /// The time of the correction in seconds since 1970.
    pub at: u64,
    /// The result before, unless the organiser entered the first one.
    pub from: Option<PairingResult>,
    /// The result after.
    pub to: PairingResult,
}

/// A row of a crosstable.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CrossRow {
    /// The player.
    pub name: String,
    /// The results against each player of the table: a sign for each game, with a `c` after it
    /// where the result was corrected.
    pub cells: Vec<String>,
}
