//! Corrections of results leave a trace, on the page and in every table.

use crate::messages::{correct_result, open_tournament, organiser, rename};
use crate::play;
use crate::tournament::{Evening, SWISS, visitor};
use quincunx_club::rooms::{Action, CorrectionView, TournamentMessage, TournamentTable};
use quincunx_pairing::{PairingResult, Score};
use std::collections::HashMap;
use tempfile::TempDir;

/// The rows of a table by the names of their columns.
fn rows(csv: &str) -> Vec<HashMap<String, String>> {
    let mut lines = csv.lines().map(|line| line.split(',').map(str::to_owned));
    let head: Vec<String> = lines.next().unwrap().collect();
    lines
        .map(|cells| head.iter().cloned().zip(cells).collect())
        .collect()
}

fn table(evening: &Evening, table: TournamentTable) -> Vec<HashMap<String, String>> {
    let club = &evening.club.club;
    rows(&club.tournament_table(evening.id, table).unwrap())
}

fn games(evening: &Evening) -> Vec<HashMap<String, String>> {
    let games = evening.club.club.tournament_games(evening.id).unwrap();
    let kept = evening.club.store.reader().unwrap();
    rows(&games.csv(kept.games(&games.numbers).unwrap()))
}

/// The table of games agrees with that of pairings.
fn agree(evening: &Evening) {
    let pairings = table(evening, TournamentTable::Pairings);
    for game in games(evening) {
        let is_it = |row: &&HashMap<String, String>| {
            (&row["round"], &row["table"]) == (&game["round"], &game["table"])
        };
        let pairing = pairings.iter().find(is_it).unwrap();
        for column in [
            "first",
            "second",
            "first_points",
            "second_points",
            "room",
            "corrected_from",
            "corrected_by",
            "corrected_at",
        ] {
            assert_eq!(game[column], pairing[column], "{column}: {game:?}");
        }
        let winner = match (&*pairing["first_points"], &*pairing["second_points"]) {
            ("1", _) => "first",
            (_, "1") => "second",
            _ => "",
        };
        assert_eq!(game["winner"], winner, "{game:?}");
    }
}

#[test]
fn corrections_are_recorded() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("club");
    let mut evening = Evening::begin(&path, 4, SWISS);
    let tables = evening.tables();
    tables.iter().for_each(|it| evening.play(it));
    agree(&evening);
    evening.look(0);
    let shown = evening.shown(0);
    assert_eq!(shown.corrections, []);
    let won = shown.pairings[0].result.unwrap();
    let (won_name, other) = match won {
        PairingResult::Played(Score::Win) => ("win", PairingResult::Played(Score::Loss)),
        _ => ("loss", PairingResult::Played(Score::Win)),
    };
    // The result that stands is no correction.
    evening.say(0, correct_result(1, 1, won));
    assert_eq!(evening.shown(0).corrections, []);
    evening.say(0, correct_result(1, 1, other));
    let at = evening.now.as_secs();
    agree(&evening);
    evening.say(0, correct_result(1, 1, PairingResult::Neither));
    evening.say(0, correct_result(1, 2, PairingResult::Played(Score::Draw)));
    agree(&evening);
    // A new name of the organiser or of a player is in all tables, and a restart keeps all of it.
    evening.say(0, rename("Zoe"));
    evening.restart(&path);
    agree(&evening);
    let corrections = evening.shown(0).corrections.clone();
    assert_eq!(corrections.len(), 3);
    let expected = CorrectionView {
        round: 1,
        table: 1,
        by: "Zoe".to_owned(),
        at,
        from: Some(won),
        to: other,
    };
    assert_eq!(corrections[0], expected);
    assert_eq!(corrections[1].from, Some(other));
    let list = table(&evening, TournamentTable::Corrections);
    assert_eq!(
        (list.len(), &*list[1]["to"], &*list[1]["by"]),
        (3, "neither", "Zoe")
    );
    let pairings = table(&evening, TournamentTable::Pairings);
    assert_eq!(pairings[0]["corrected_from"], won_name);
    assert_eq!(pairings[0]["corrected_by"], "Zoe");
    let corrected = table(&evening, TournamentTable::Standings);
    assert!(
        corrected.iter().all(|row| row["corrected"] == "1"),
        "{corrected:?}"
    );
    let crosstable = evening
        .club
        .club
        .tournament_table(evening.id, TournamentTable::Crosstable);
    let crosstable = crosstable.unwrap();
    assert_eq!(crosstable.matches('c').count(), 4, "{crosstable}");
    let game = &games(&evening)[0];
    assert_eq!((&*game["reason"], &*game["winner"]), ("corrected", ""));
    // The page of the game marks it too.
    let of_game = evening.club.club.corrections_of_game(tables[0].2.unwrap());
    assert_eq!(of_game, corrections[..2]);
    evening.say(1, open_tournament(evening.id));
    let seen = evening.club.tournament(visitor(1));
    assert_eq!(seen.corrections.len(), 3, "for all to see");
}

/// Results that an organiser entered before the players had come once left no trace.
#[test]
fn entered_results_are_recorded() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("club");
    let mut evening = Evening::begin(&path, 4, SWISS);
    evening.say(0, organiser("Béla", true));
    evening.look(1);
    // Half a point is for a player without an opponent.
    evening.say(1, correct_result(1, 1, PairingResult::HalfPoint));
    assert_eq!(evening.error(1), "tournament");
    assert_eq!(evening.shown(1).pairings[0].result, None);
    evening.say(1, correct_result(1, 1, PairingResult::Played(Score::Win)));
    let entered = CorrectionView {
        round: 1,
        table: 1,
        by: "Béla".to_owned(),
        at: evening.now.as_secs(),
        from: None,
        to: PairingResult::Played(Score::Win),
    };
    assert_eq!(evening.shown(1).corrections, std::slice::from_ref(&entered));
    evening.say(0, correct_result(1, 1, PairingResult::HalfPoint));
    assert_eq!(evening.error(0), "tournament");
    evening.say(0, correct_result(1, 1, PairingResult::Played(Score::Loss)));
    evening.restart(&path);
    let corrections = evening.shown(0).corrections.clone();
    assert_eq!((&corrections[0], &*corrections[1].by), (&entered, "Anna"));
    let list = table(&evening, TournamentTable::Corrections);
    assert_eq!((&*list[0]["from"], &*list[1]["from"]), ("none", "win"));
    let pairings = table(&evening, TournamentTable::Pairings);
    assert_eq!(pairings[0]["corrected_from"], "none");
    assert_eq!(pairings[1]["corrected_from"], "");
    let crosstable = evening
        .club
        .club
        .tournament_table(evening.id, TournamentTable::Crosstable);
    assert_eq!(crosstable.unwrap().matches('c').count(), 2);
}

/// A game that goes on when its tournament has ended does not count there.
#[test]
fn games_that_end_after_their_tournament_do_not_count() {
    let folder = TempDir::new().unwrap();
    let mut evening = Evening::begin(&folder.path().join("club"), 2, SWISS);
    let (first, second, room) = evening.tables()[0];
    for player in [first, second] {
        evening.enter(player, room.unwrap());
    }
    evening.look(0);
    evening.say(0, TournamentMessage::EndTournament);
    for player in [first, second] {
        evening.enter(player, room.unwrap());
    }
    for (ply, (player, point)) in [(first, "h8"), (second, "i9")].into_iter().enumerate() {
        evening.say(player, play(point, ply));
    }
    evening.say(second, Action::Resign);
    let games = games(&evening);
    assert_eq!((games.len(), &*games[0]["reason"]), (1, "not_counted"));
    agree(&evening);
}
