//! Tables of tournaments as CSV. Names have letters, digits, blanks and `.-_` only, so
//! no field has a comma.

use super::Club;
use super::tournament::result;
use crate::rooms::admin::{CSV_HEAD, date_time};
use crate::rooms::archive::FinishedGame;
use crate::rooms::correction::{Correction, name_before, result_name};
use crate::rooms::csv::{number_cell, text_cell};
use crate::rooms::number::{RoomId, TournamentId};
use crate::rooms::outcome::seat_name;
use crate::rooms::person::PersonId;
use crate::rooms::tournament::ClubTournament;
use quincunx_engine::game::swap::Seat;
use quincunx_pairing::{Pairing, PairingResult};
use std::collections::HashMap;

/// The columns of the table of standings.
const STANDINGS: &str =
    "place,name,points,buchholz,sonneborn_berger,direct_encounter,games,withdrawn,corrected\n";

/// The columns of the table of pairings.
const PAIRINGS: &str = "round,table,first,second,first_points,second_points,result,room,\
                        corrected_from,corrected_by,corrected_at\n";

/// The columns that games of a tournament have beside those of other games.
const OF_GAMES: &str =
    "round,table,first_points,second_points,corrected_from,corrected_by,corrected_at\n";

/// The columns of the table of corrections.
const CORRECTIONS: &str = "at,round,table,first,second,from,to,by\n";

/// A table of a tournament.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TournamentTable {
    /// The standings.
    Standings,
    /// The pairings of every round.
    Pairings,
    /// The crosstable.
    Crosstable,
    /// The corrections of results.
    Corrections,
}

/// The finished games of a tournament, with the results that count in it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TournamentGames {
    /// The numbers of the games.
    pub numbers: Vec<u64>,
    by_room: HashMap<RoomId, CountedGame>,
}

/// A game as it counts in its tournament.
#[derive(Clone, Debug, PartialEq, Eq)]
struct CountedGame {
    /// The players by their current names, as in the table of pairings.
    names: [String; 2],
    result: Option<PairingResult>,
    is_corrected: bool,
    /// The columns that games of a tournament have beside those of other games.
    columns: String,
}

impl TournamentGames {
    /// The table of games as CSV. Winner and reason are those that count, as in the table of
    /// pairings: another than the game's own if it was corrected, or if the tournament ended first.
    pub fn csv(&self, games: Vec<FinishedGame>) -> String {
        let mut text = format!("{},{OF_GAMES}", CSV_HEAD.trim_end());
        for mut game in games {
            let Some(counted) = self.by_room.get(&game.room) else {
                continue;
            };
            game.names.clone_from(&counted.names);
            let mut cells = game.cells();
            if let Some(counts) = counted.result.filter(|it| *it != result(game.outcome)) {
                let winner = match counts.half_points() {
                    [2, _] => seat_name(Seat::First),
                    [_, 2] => seat_name(Seat::Second),
                    _ => "",
                };
                let reason = if counted.is_corrected {
                    "corrected"
                } else {
                    "not_counted"
                };
                cells.replace_outcome(winner, reason);
            }
            text += &format!("{},{}\n", cells.join(), counted.columns);
        }
        text
    }
}

impl Club {
    /// A table of a tournament as CSV, if there is this tournament.
    pub fn tournament_table(&self, id: TournamentId, table: TournamentTable) -> Option<String> {
        let it = self.tournaments.get(id).ok()?;
        Some(match table {
            TournamentTable::Standings => self.standings_csv(it),
            TournamentTable::Pairings => self.pairings_csv(it),
            TournamentTable::Crosstable => self.crosstable_csv(it),
            TournamentTable::Corrections => self.corrections_csv(it),
        })
    }

    /// The person of this name.
    pub fn person_of_name(&self, name: &str) -> Option<PersonId> {
        self.people.by_name(name).map(|(id, _)| id)
    }

    /// The finished games of a tournament, if there is this tournament.
    pub fn tournament_games(&self, id: TournamentId) -> Option<TournamentGames> {
        let it = self.tournaments.get(id).ok()?;
        let mut games = TournamentGames {
            numbers: it.numbers.clone(),
            by_room: HashMap::new(),
        };
        for (round, table, pairing, room) in all_pairings(it) {
            let (Some(room), Some(second)) = (room, pairing.second) else {
                continue;
            };
            let [first_points, second_points] = points(pairing);
            let corrected = self.correction_cells(it, round, table);
            let counted = CountedGame {
                names: [pairing.first, second].map(|player| self.people.name(it.players[player])),
                result: pairing.result,
                is_corrected: it.corrections_of(round, table).next().is_some(),
                columns: format!(
                    "{},{},{first_points},{second_points},{corrected}",
                    round + 1,
                    table + 1
                ),
            };
            games.by_room.insert(room, counted);
        }
        Some(games)
    }

    fn standings_csv(&self, it: &ClubTournament) -> String {
        let mut text = STANDINGS.to_owned();
        for row in self.places(it) {
            let place = row.place;
            let corrected = all_pairings(it).filter(|(round, table, pairing, _)| {
                let is_corrected = it.corrections_of(*round, *table).next().is_some();
                is_corrected && pairing.has(place.player)
            });
            text += &format!(
                "{},{},{},{},{},{},{},{},{}\n",
                place.place,
                text_cell(&row.name),
                number_cell(place.points),
                number_cell(place.buchholz),
                number_cell(place.sonneborn_berger),
                number_cell(place.direct),
                place.games,
                place.withdrawn,
                corrected.count()
            );
        }
        text
    }

    fn crosstable_csv(&self, it: &ClubTournament) -> String {
        let rows = self.crosstable(it);
        let head = (1..=rows.len()).map(|place| format!(",{place}"));
        let mut text = format!("name{}\n", head.collect::<String>());
        for row in rows {
            text += &text_cell(&row.name);
            for cell in row.cells {
                // One digit is the same as a number, several would be another one.
                let is_digit = cell.chars().count() < 2;
                text.push(',');
                text += &if is_digit {
                    cell.into()
                } else {
                    text_cell(&cell)
                };
            }
            text.push('\n');
        }
        text
    }

    fn pairings_csv(&self, it: &ClubTournament) -> String {
        let mut text = PAIRINGS.to_owned();
        for (round, table, pairing, room) in all_pairings(it) {
            let row = self.pairing_row(it, pairing, room);
            let corrected = self.correction_cells(it, round, table);
            text += &format!("{},{},{row},{corrected}\n", round + 1, table + 1);
        }
        text
    }

    fn pairing_row(&self, it: &ClubTournament, pairing: &Pairing, room: Option<RoomId>) -> String {
        let view = self.pairing_view(it, pairing, room);
        let [first_points, second_points] = points(pairing);
        let result = match pairing.result {
            None => "",
            Some(_) if pairing.second.is_none() => "bye",
            Some(PairingResult::Played(_)) => "played",
            Some(PairingResult::HalfPoint) => "bye",
            Some(other) => result_name(other),
        };
        let second = view.second.unwrap_or_default();
        let room = room.map_or(String::new(), |room| room.to_string());
        format!(
            "{},{},{first_points},{second_points},{result},{}",
            text_cell(&view.first),
            text_cell(&second),
            text_cell(&room)
        )
    }

    /// The result before the first correction, and who made the last one when; empty cells where
    /// none was made.
    fn correction_cells(&self, it: &ClubTournament, round: usize, table: usize) -> String {
        let first = it.corrections_of(round, table).next();
        match first.zip(it.corrections_of(round, table).next_back()) {
            None => ",,".to_owned(),
            Some((first, last)) => format!(
                "{},{},{}",
                name_before(first.from),
                text_cell(&self.people.name(last.by)),
                date_time(last.at)
            ),
        }
    }

    fn corrections_csv(&self, it: &ClubTournament) -> String {
        let rounds: Vec<&Vec<Pairing>> = it.games.iter().flat_map(|it| it.rounds()).collect();
        let name = |player: usize| self.people.name(it.players[player]);
        let row = |correction: &Correction| {
            let pairing = rounds.get(correction.round)?.get(correction.table)?;
            Some(format!(
                "{},{},{},{},{},{},{},{}\n",
                date_time(correction.at),
                correction.round + 1,
                correction.table + 1,
                text_cell(&name(pairing.first)),
                text_cell(&pairing.second.map_or(String::new(), name)),
                name_before(correction.from),
                result_name(correction.to),
                text_cell(&self.people.name(correction.by))
            ))
        };
        let rows: String = it.corrections.iter().filter_map(row).collect();
        format!("{CORRECTIONS}{rows}")
    }
}

/// All pairings of a tournament with their rounds and tables, from zero, and their rooms.
fn all_pairings(
    it: &ClubTournament,
) -> impl Iterator<Item = (usize, usize, &Pairing, Option<RoomId>)> {
    let rounds = it.games.iter().flat_map(|games| games.rounds());
    let rounds = rounds.zip(&it.rooms).enumerate();
    rounds.flat_map(|(round, (pairings, rooms))| {
        let tables = pairings.iter().zip(rooms).enumerate();
        tables.map(move |(table, (pairing, room))| (round, table, pairing, *room))
    })
}

/// The points of both players of a pairing; empty while it has none.
fn points(pairing: &Pairing) -> [String; 2] {
    let points = pairing.points();
    [0, 1].map(|seat: usize| points.map_or(String::new(), |it| number_cell(it[seat])))
}
