//! What visitors see of the club: who is here, profiles, and the ends of their own games.

use crate::MINUTE;
use crate::club::{ANNA, BELA, FROM, START, Tester};
use quincunx_club::rooms::{Admission, Limits, VisitorId};
use serde_json::json;
use std::time::Duration;
use tempfile::TempDir;

/// Tabs were once counted as visitors.
#[test]
fn people_are_counted_not_their_connections() {
    let folder = TempDir::new().unwrap();
    let mut club = Tester::open(&folder.path().join("club"), Limits::default());
    club.arrive(START, ANNA);
    for tab in (50..55).map(VisitorId) {
        club.club.arrive(tab, FROM, Admission::All);
        let key = format!("{:032x}", BELA.0);
        club.receive(
            START,
            tab,
            &json!({ "type": "hello", "version": 1, "key": key }),
        );
    }
    // One who has not said hello is no person yet.
    club.club.arrive(VisitorId(60), FROM, Admission::All);
    club.tick(START + Duration::from_secs(2));
    assert_eq!(club.last(ANNA, "lobby")["visitors"], 2);
}

/// A private game was once in the profile of the player who looked at their own only.
#[test]
fn a_private_game_is_in_both_profiles_for_its_players() {
    let folder = TempDir::new().unwrap();
    let mut club = Tester::open(&folder.path().join("club"), Limits::default());
    for (visitor, name) in [(ANNA, "Anna"), (BELA, "Bela"), (VisitorId(3), "Carl")] {
        club.arrive(START, visitor);
        club.receive(START, visitor, &json!({ "type": "rename", "name": name }));
    }
    let setup = crate::setup(quincunx_engine::game::swap::OpeningRule::Free, MINUTE);
    let create = json!({ "type": "create", "seat": "first", "setup": setup, "private": true });
    club.receive(START, ANNA, &create);
    let room = club.last(ANNA, "room")["room"].clone();
    club.receive(
        START,
        BELA,
        &json!({ "type": "enter", "room": room, "sit": true }),
    );
    club.play_opening(START);
    // Anna is in the lobby when the game ends, and is told how.
    club.receive(START, ANNA, &json!({ "type": "leave" }));
    club.receive(START, BELA, &json!({ "type": "resign" }));
    let ended = club.last(ANNA, "your_room");
    assert_eq!(ended["outcome"]["winner"], "first");
    for (visitor, count) in [(ANNA, 1), (BELA, 1), (VisitorId(3), 0)] {
        for name in ["Anna", "Bela"] {
            club.receive(START, visitor, &json!({ "type": "profile", "name": name }));
            let games = club.last(visitor, "profile")["games"].as_array().unwrap();
            assert_eq!(games.len(), count, "{name} for {visitor:?}");
        }
    }
}
