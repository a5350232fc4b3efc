//! Changes that are stored and published once, however often something changes in between.

use crate::rooms::number::{RoomId, TournamentId};
use crate::rooms::person::PersonId;
use std::collections::BTreeSet;
use std::time::Duration;

/// A thing to store or to send. Everything is stored before anything is sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Pending {
    StoreRoom(RoomId),
    StorePerson(PersonId),
    StoreTournament(TournamentId),
    /// The view of a room, to the visitors in it.
    SendRoom(RoomId),
    /// The state of a room, to its players wherever they are.
    SendPlayers(RoomId),
    /// The correspondence games that wait for a person's move, to the person.
    SendTurns(PersonId),
    /// The view of a tournament, to the visitors who look at it.
    SendTournament(TournamentId),
}

/// The pending changes, with the time of the last one.
#[derive(Debug, Default)]
pub(super) struct PendingChanges {
    pub(super) at: Duration,
    pub(super) changes: BTreeSet<Pending>,
}
