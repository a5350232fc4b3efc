//! Corrections of results leave a trace, on the page and in every table.

use crate::tournament::{Evening, SWISS, visitor};
use quincunx_club::rooms::TournamentTable;
use serde_json::{Value, json};
use std::collections::HashMap;
use tempfile::TempDir;

fn correct(table: usize, result: &Value) -> Value {
    json!({ "type": "correct_result", "round": 1, "table": table, "result": result })
}

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
    assert_eq!(shown["corrections"], json!([]));
    let won = shown["pairings"][0]["result"]["played"].clone();
    let other = if won == "win" { "loss" } else { "win" };
    // The result that stands is no correction.
    evening.say(0, correct(1, &json!({ "played": won })));
    assert_eq!(evening.shown(0)["corrections"], json!([]));
    evening.say(0, correct(1, &json!({ "played": other })));
    let at = evening.now.as_secs();
    agree(&evening);
    evening.say(0, correct(1, &json!("neither")));
    evening.say(0, correct(2, &json!({ "played": "draw" })));
    agree(&evening);
    // A new name of the organiser or of a player is in all tables, and a restart keeps all of it.
    evening.say(0, json!({ "type": "rename", "name": "Zoe" }));
    evening.restart(&path);
    agree(&evening);
    let corrections = evening.shown(0)["corrections"].clone();
    assert_eq!(corrections.as_array().unwrap().len(), 3);
    let expected = json!({
        "round": 1, "table": 1, "by": "Zoe", "at": at,
        "from": { "played": won }, "to": { "played": other },
    });
    assert_eq!(corrections[0], expected);
    assert_eq!(corrections[1]["from"], json!({ "played": other }));
    let list = table(&evening, TournamentTable::Corrections);
    assert_eq!(
        (list.len(), &*list[1]["to"], &*list[1]["by"]),
        (3, "neither", "Zoe")
    );
    let pairings = table(&evening, TournamentTable::Pairings);
    assert_eq!(Value::from(&*pairings[0]["corrected_from"]), won);
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
    let room = tables[0].2.as_deref().unwrap().parse().unwrap();
    let of_game = json!(evening.club.club.corrections_of_game(room));
    assert_eq!(of_game, json!([&corrections[0], &corrections[1]]));
    evening.say(
        1,
        json!({ "type": "open_tournament", "tournament": evening.id }),
    );
    let seen = evening.club.last(visitor(1), "tournament");
    assert_eq!(
        seen["corrections"].as_array().unwrap().len(),
        3,
        "for all to see"
    );
}

/// Results that an organiser entered before the players had come once left no trace.
#[test]
fn entered_results_are_recorded() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("club");
    let mut evening = Evening::begin(&path, 4, SWISS);
    evening.say(
        0,
        json!({ "type": "organiser", "name": "Béla", "wanted": true }),
    );
    evening.look(1);
    // Half a point is for a player without an opponent.
    evening.say(1, correct(1, &json!("half_point")));
    assert_eq!(evening.error(1), "tournament");
    assert_eq!(evening.shown(1)["pairings"][0]["result"], json!(null));
    evening.say(1, correct(1, &json!({ "played": "win" })));
    let entered = json!({
        "round": 1, "table": 1, "by": "Béla", "at": evening.now.as_secs(),
        "from": null, "to": { "played": "win" },
    });
    assert_eq!(evening.shown(1)["corrections"], json!([entered]));
    evening.say(0, correct(1, &json!("half_point")));
    assert_eq!(evening.error(0), "tournament");
    evening.say(0, correct(1, &json!({ "played": "loss" })));
    evening.restart(&path);
    let corrections = evening.shown(0)["corrections"].clone();
    assert_eq!(
        (&corrections[0], &corrections[1]["by"]),
        (&entered, &json!("Anna"))
    );
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
    let (first, second, room) = evening.tables()[0].clone();
    for player in [first, second] {
        evening.say(player, json!({ "type": "enter", "room": room }));
    }
    evening.look(0);
    evening.say(0, json!({ "type": "end_tournament" }));
    for player in [first, second] {
        evening.say(player, json!({ "type": "enter", "room": room }));
    }
    for (ply, (player, point)) in [(first, "h8"), (second, "i9")].into_iter().enumerate() {
        evening.say(player, crate::club::play(point, ply));
    }
    evening.say(second, json!({ "type": "resign" }));
    let games = games(&evening);
    assert_eq!((games.len(), &*games[0]["reason"]), (1, "not_counted"));
    agree(&evening);
}
