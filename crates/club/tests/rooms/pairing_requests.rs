//! The organiser's hour: half-point byes, pairings by hand and forbidden ones, a second organiser, and
//! results of games at real boards.

use crate::tournament::{Evening, NAMES};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use tempfile::TempDir;

const SWISS: &str = r#"{ "kind": "swiss", "rounds": 3 }"#;

fn pairs(evening: &mut Evening) -> BTreeSet<BTreeSet<usize>> {
    let tables = evening.tables();
    let pair =
        |(first, second, _): &(usize, usize, Option<String>)| BTreeSet::from([*first, *second]);
    tables.iter().map(pair).collect()
}

#[test]
fn wishes_are_followed_in_the_next_round() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("club");
    let mut evening = Evening::open(&path, 7, SWISS);
    evening.say(
        0,
        json!({ "type": "half_bye", "name": NAMES[6], "wanted": true }),
    );
    let pair = |kind: &str, first: usize, second: usize, wanted: bool| json!({ "type": kind, "first": NAMES[first], "second": NAMES[second], "wanted": wanted });
    evening.say(0, pair("fix_pairing", 0, 1, true));
    evening.say(0, pair("fix_pairing", 1, 2, true));
    evening.say(0, pair("forbid_pairing", 3, 4, true));
    evening.say(0, pair("forbid_pairing", 5, 4, true));
    evening.say(0, pair("forbid_pairing", 4, 5, false));
    let shown = evening.shown(0);
    assert_eq!(shown["half_byes"], json!([NAMES[6]]));
    assert_eq!(shown["fixed"].as_array().unwrap().len(), 1, "{shown}");
    assert_eq!(shown["forbidden"].as_array().unwrap().len(), 1, "{shown}");
    // A restart forgets none of it.
    evening.restart(&path);
    evening.say(0, json!({ "type": "begin_tournament" }));
    let found = pairs(&mut evening);
    assert!(found.contains(&BTreeSet::from([1, 2])), "{found:?}");
    assert!(!found.contains(&BTreeSet::from([3, 4])), "{found:?}");
    let shown = evening.shown(0);
    let off = shown["pairings"]
        .as_array()
        .unwrap()
        .iter()
        .find(|it| it["second"].is_null());
    let off = off.unwrap();
    assert_eq!(
        (&off["first"], &off["points"][0]),
        (&json!(NAMES[6]), &json!(0.5))
    );
    // Those of one round are used up, and what makes no sense is refused.
    assert_eq!(
        (&shown["half_byes"], &shown["fixed"]),
        (&json!([]), &json!([]))
    );
    for (message, code) in [
        (pair("fix_pairing", 0, 0, true), "not_playing"),
        (
            json!({ "type": "half_bye", "name": "Nobody", "wanted": true }),
            "nobody",
        ),
    ] {
        evening.say(0, message);
        assert_eq!(evening.error(0), code);
    }
}

#[test]
fn a_round_robin_has_no_wishes() {
    let folder = TempDir::new().unwrap();
    let system = r#"{ "kind": "round_robin", "double": false }"#;
    let mut evening = Evening::open(&folder.path().join("club"), 4, system);
    evening.say(
        0,
        json!({ "type": "half_bye", "name": NAMES[1], "wanted": true }),
    );
    assert_eq!(evening.error(0), "swiss_only");
}

#[test]
fn a_second_organiser_does_what_the_maker_does_but_names_none() {
    let folder = TempDir::new().unwrap();
    let mut evening = Evening::open(&folder.path().join("club"), 4, SWISS);
    let second = |wanted: bool| json!({ "type": "organiser", "name": NAMES[1], "wanted": wanted });
    evening.say(1, json!({ "type": "begin_tournament" }));
    assert_eq!(evening.error(1), "not_maker");
    evening.say(1, second(true));
    assert_eq!(evening.error(1), "not_maker");
    evening.say(0, second(true));
    evening.wait(1);
    assert_eq!(evening.shown(1)["organisers"], json!([NAMES[1]]));
    evening.say(1, json!({ "type": "begin_tournament" }));
    assert_eq!(evening.shown(1)["round"], 1);
    evening.say(1, json!({ "type": "hold_round", "held": true }));
    evening.wait(1);
    assert_eq!(evening.shown(0)["held"], true);
    let another = json!({ "type": "organiser", "name": NAMES[2], "wanted": true });
    evening.say(1, another);
    assert_eq!(evening.error(1), "not_maker");
    evening.say(0, second(false));
    evening.say(1, json!({ "type": "hold_round", "held": false }));
    evening.wait(1);
    assert_eq!(evening.shown(0)["held"], true);
}

#[test]
fn the_result_of_a_game_at_a_real_board_is_entered() {
    let folder = TempDir::new().unwrap();
    let mut evening = Evening::begin(&folder.path().join("club"), 4, SWISS);
    let enter = |table: usize, result: Value| json!({ "type": "correct_result", "round": 1, "table": table, "result": result });
    evening.say(0, enter(1, json!({ "played": "win" })));
    let shown = evening.shown(0);
    assert_eq!(shown["pairings"][0]["points"], json!([1.0, 0.0]));
    assert_eq!(shown["next_round_ms"], json!(null));
    // Where both have come to the room their game goes on.
    let tables = evening.tables();
    let (first, second, room) = tables[1].clone();
    for player in [first, second] {
        evening.say(player, json!({ "type": "enter", "room": room }));
    }
    evening.look(0);
    evening.say(0, enter(2, json!({ "played": "draw" })));
    assert_eq!(evening.error(0), "game_goes_on");
    evening.say(first, json!({ "type": "enter", "room": room }));
    evening.say(first, json!({ "type": "resign" }));
    evening.look(0);
    assert!(evening.shown(0)["next_round_ms"].is_number());
    // It counts as played: the two do not meet again.
    evening.wait(61);
    let again = pairs(&mut evening);
    let before = BTreeSet::from([tables[0].0, tables[0].1]);
    assert!(!again.contains(&before), "{again:?}");
}

/// A second organiser who was forgotten once stayed in the list as a former player.
#[test]
fn a_forgotten_person_is_in_no_list_of_a_tournament() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("club");
    let mut evening = Evening::open(&path, 4, SWISS);
    let organiser =
        |player: usize| json!({ "type": "organiser", "name": NAMES[player], "wanted": true });
    evening.say(0, organiser(1));
    evening.say(0, organiser(2));
    let half_bye = json!({ "type": "half_bye", "name": NAMES[1], "wanted": true });
    let forbidden =
        json!({ "type": "forbid_pairing", "first": NAMES[1], "second": NAMES[2], "wanted": true });
    evening.say(0, half_bye);
    evening.say(0, forbidden);
    evening.say(0, json!({ "type": "begin_tournament" }));
    evening.say(1, json!({ "type": "withdraw" }));
    evening.say(1, json!({ "type": "forget" }));
    evening.restart(&path);
    let shown = evening.shown(0);
    assert_eq!(shown["organisers"], json!([NAMES[2]]));
    assert_eq!(
        (&shown["half_byes"], &shown["forbidden"]),
        (&json!([]), &json!([]))
    );
}
