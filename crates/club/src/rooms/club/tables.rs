//! Tables of tournaments as CSV. Names have letters, digits, blanks and `.-_` only, so
//! no field has a comma.

use super::Club;
use crate::rooms::number::{RoomId, TournamentId};
use crate::rooms::person::PersonId;
use crate::rooms::tournament::ClubTournament;
use quincunx_pairing::{Pairing, PairingResult};

/// The columns of the table of standings.
const STANDINGS: &str =
    "place,name,points,buchholz,sonneborn_berger,direct_encounter,games,withdrawn\n";

/// The columns of the table of pairings.
const PAIRINGS: &str = "round,table,first,second,first_points,second_points,result,room\n";

/// A table of a tournament.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TournamentTable {
    /// The standings.
    Standings,
    /// Who met whom in every round.
    Pairings,
    /// The crosstable.
    Crosstable,
}

impl Club {
    /// A table of a tournament as CSV, if there is this tournament.
    pub fn tournament_table(&self, id: TournamentId, table: TournamentTable) -> Option<String> {
        let it = self.tournaments.get(&id)?;
        Some(match table {
            TournamentTable::Standings => self.standings_csv(it),
            TournamentTable::Pairings => self.pairings_csv(it),
            TournamentTable::Crosstable => self.crosstable_csv(it),
        })
    }

    /// The person of this name.
    pub fn person_of_name(&self, name: &str) -> Option<PersonId> {
        self.people.by_name(name).map(|(id, _)| id)
    }

    /// The numbers of a tournament's games that are over, if there is this tournament.
    pub fn tournament_games(&self, id: TournamentId) -> Option<Vec<u64>> {
        self.tournaments.get(&id).map(|it| it.numbers.clone())
    }

    fn standings_csv(&self, it: &ClubTournament) -> String {
        let mut text = STANDINGS.to_owned();
        for row in self.places(it) {
            let place = row.place;
            text += &format!(
                "{},{},{},{},{},{},{},{}\n",
                place.place,
                row.name,
                place.points,
                place.buchholz,
                place.sonneborn_berger,
                place.direct,
                place.games,
                place.withdrawn
            );
        }
        text
    }

    fn crosstable_csv(&self, it: &ClubTournament) -> String {
        let rows = self.crosstable(it);
        let head = (1..=rows.len()).map(|place| format!(",{place}"));
        let mut text = format!("name{}\n", head.collect::<String>());
        for row in rows {
            text += &format!("{},{}\n", row.name, row.cells.join(","));
        }
        text
    }

    fn pairings_csv(&self, it: &ClubTournament) -> String {
        let rounds = it.games.iter().flat_map(|games| games.rounds());
        let mut text = PAIRINGS.to_owned();
        for (round, (pairings, rooms)) in rounds.zip(&it.rooms).enumerate() {
            for (table, (pairing, room)) in pairings.iter().zip(rooms).enumerate() {
                let row = self.pairing_row(it, pairing, *room);
                text += &format!("{},{},{row}\n", round + 1, table + 1);
            }
        }
        text
    }

    fn pairing_row(&self, it: &ClubTournament, pairing: &Pairing, room: Option<RoomId>) -> String {
        let view = self.pairing_view(it, pairing, room);
        let points = |seat: usize| view.points.map_or(String::new(), |it| it[seat].to_string());
        let result = match pairing.result {
            None => "",
            Some(_) if pairing.second.is_none() => "bye",
            Some(PairingResult::Played(_)) => "played",
            Some(PairingResult::FirstAbsent) => "first_absent",
            Some(PairingResult::SecondAbsent) => "second_absent",
            Some(PairingResult::Neither) => "neither",
            Some(PairingResult::HalfPoint) => "bye",
        };
        let second = view.second.clone().unwrap_or_default();
        let room = room.map_or(String::new(), |room| room.to_string());
        format!(
            "{},{second},{},{},{result},{room}",
            view.first,
            points(0),
            points(1)
        )
    }
}
