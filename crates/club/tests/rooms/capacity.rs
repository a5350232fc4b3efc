//! Places are kept for those who use them: rooms, rounds and tournaments beside people who take all
//! they can get.

use crate::club::{ANNA, BELA, START, Tester};
use crate::{MINUTE, setup};
use quincunx_club::rooms::{Limits, VisitorId};
use quincunx_engine::game::swap::OpeningRule;
use serde_json::{Value, json};
use std::time::Duration;
use tempfile::TempDir;

/// The time between views of a tournament that others have changed.
const SECOND: Duration = Duration::from_secs(1);

fn club(folder: &TempDir, limits: Limits) -> Tester {
    Tester::open(&folder.path().join("club.db"), limits)
}

fn name(club: &mut Tester, visitor: VisitorId) {
    let name = format!("Person {}", visitor.0);
    club.receive(START, visitor, &json!({ "type": "rename", "name": name }));
}

/// A visitor with a name arrives from an address with this last number.
fn arrive_named(club: &mut Tester, visitor: VisitorId, last: u8) {
    club.arrive_from(visitor, [192, 0, 2, last]);
    name(club, visitor);
}

fn open_room() -> Value {
    json!({ "type": "create", "seat": "first", "setup": setup(OpeningRule::Free, MINUTE) })
}

fn tournament(more: &Value) -> Value {
    let mut message = json!({
        "type": "create_tournament", "name": "Club evening", "no_show_s": 300, "pause_s": 60,
        "system": { "kind": "swiss", "rounds": 2 }, "setup": setup(OpeningRule::Free, MINUTE),
    });
    let fields = message.as_object_mut().unwrap();
    fields.extend(more.as_object().unwrap().clone());
    message
}

fn say(club: &mut Tester, visitor: VisitorId, message: &Value) {
    club.receive(START, visitor, message);
}

fn error(club: &Tester, visitor: VisitorId) -> String {
    let is_error = |(to, it): &&(VisitorId, Value)| *to == visitor && it["type"] == "error";
    let last = club.letters.iter().rev().find(is_error);
    last.map_or(String::new(), |(_, it)| {
        it["code"].as_str().unwrap().to_owned()
    })
}

#[test]
fn a_guest_waits_in_one_room_and_a_person_in_several() {
    let folder = TempDir::new().unwrap();
    let mut club = club(&folder, Limits::default());
    club.arrive(START, ANNA);
    say(&mut club, ANNA, &open_room());
    say(&mut club, ANNA, &open_room());
    assert_eq!(error(&club, ANNA), "guest_waits");
    assert_eq!(club.club.statistics().waiting, 1);
    name(&mut club, ANNA);
    say(&mut club, ANNA, &open_room());
    assert_eq!(club.club.statistics().waiting, 2);
}

/// Five addresses once took all rooms in seconds, and no other visitor could open one.
#[test]
fn an_address_with_fewer_rooms_gets_one_of_those_with_the_most() {
    let folder = TempDir::new().unwrap();
    let limits = Limits {
        rooms: 6,
        ..Limits::default()
    };
    let mut club = club(&folder, limits);
    for (visitor, from) in [(1, 1), (2, 1), (3, 2)] {
        let visitor = VisitorId(visitor);
        arrive_named(&mut club, visitor, from);
        for _ in 0..2 {
            say(&mut club, visitor, &open_room());
        }
    }
    assert_eq!(club.club.statistics().waiting, 6);
    let carl = VisitorId(4);
    arrive_named(&mut club, carl, 3);
    say(&mut club, carl, &open_room());
    assert_eq!(club.last(carl, "room")["stage"], "waiting");
    let gone = club.last(VisitorId(1), "closed");
    assert!(gone["room"].is_string());
    // Where it has as many as others nothing gives way to it.
    let dora = VisitorId(5);
    arrive_named(&mut club, dora, 2);
    say(&mut club, dora, &open_room());
    assert_eq!(error(&club, dora), "too_many_rooms");
}

/// Fifteen accounts of one pupil once kept the teacher of the same address from opening a tournament.
#[test]
fn a_tournament_without_players_gives_way_within_an_address() {
    let folder = TempDir::new().unwrap();
    let limits = Limits {
        tournaments: 4,
        ..Limits::default()
    };
    let mut club = club(&folder, limits);
    let mut numbers = Vec::new();
    for visitor in [1, 2, 3, 4].map(VisitorId) {
        club.arrive(START, visitor);
        name(&mut club, visitor);
        say(&mut club, visitor, &tournament(&json!({})));
        numbers.push(club.last(visitor, "tournament")["tournament"].clone());
        if visitor == VisitorId(1) {
            // Its maker takes part, and another person.
            let look = json!({ "type": "open_tournament", "tournament": numbers[0] });
            let other = VisitorId(9);
            club.arrive(START, other);
            name(&mut club, other);
            say(&mut club, other, &look);
            for player in [visitor, other] {
                say(&mut club, player, &json!({ "type": "join_tournament" }));
            }
        }
    }
    assert_eq!(club.club.list_tournaments(10).len(), 3);
    assert_eq!(error(&club, VisitorId(2)), "no_tournament");
    for number in [0, 2, 3] {
        let look = json!({ "type": "open_tournament", "tournament": numbers[number] });
        say(&mut club, VisitorId(4), &look);
        assert_eq!(error(&club, VisitorId(4)), "");
    }
}

/// Guests who sat down once took the names of their address, and an attacker with a tournament the
/// few invitations of a person.
#[test]
fn guests_take_no_names_and_organisers_no_invitations_of_others() {
    let folder = TempDir::new().unwrap();
    let limits = Limits {
        names_an_hour: 6,
        ..Limits::default()
    };
    let mut club = club(&folder, limits);
    for guest in (10..16).map(VisitorId) {
        club.arrive(START, guest);
        say(&mut club, guest, &open_room());
        assert_eq!(error(&club, guest), "");
    }
    club.arrive(START, VisitorId(16));
    say(&mut club, VisitorId(16), &open_room());
    assert_eq!(error(&club, VisitorId(16)), "too_many_names");
    let carl = VisitorId(3);
    for visitor in [ANNA, BELA, carl] {
        club.arrive(START, visitor);
        name(&mut club, visitor);
        assert_eq!(error(&club, visitor), "");
    }
    let add = json!({ "type": "add_player", "name": "Person 3" });
    let remove = json!({ "type": "remove_player", "name": "Person 3" });
    for organiser in [ANNA, BELA] {
        say(&mut club, organiser, &tournament(&json!({})));
        for _ in 0..5 {
            say(&mut club, organiser, &add);
            say(&mut club, organiser, &remove);
            assert_eq!(error(&club, organiser), "");
        }
        say(&mut club, organiser, &add);
        assert_eq!(error(&club, organiser), "too_often");
    }
    // A guest who takes a name is a person with one: three, two tournaments, and this.
    for (guest, code) in [(VisitorId(10), ""), (VisitorId(11), "too_many_names")] {
        name(&mut club, guest);
        assert_eq!(error(&club, guest), code);
    }
}

#[test]
fn a_round_begins_where_all_rooms_are_taken() {
    let folder = TempDir::new().unwrap();
    let limits = Limits {
        rooms: 2,
        ..Limits::default()
    };
    let mut club = club(&folder, limits);
    let people = [1, 2, 3, 4].map(VisitorId);
    for visitor in people {
        club.arrive_from(visitor, [192, 0, 2, visitor.0 as u8]);
        name(&mut club, visitor);
    }
    for visitor in [people[2], people[3]] {
        say(&mut club, visitor, &open_room());
    }
    say(&mut club, ANNA, &tournament(&json!({})));
    let number = club.last(ANNA, "tournament")["tournament"].clone();
    for visitor in people {
        say(
            &mut club,
            visitor,
            &json!({ "type": "open_tournament", "tournament": number }),
        );
        say(&mut club, visitor, &json!({ "type": "join_tournament" }));
    }
    say(&mut club, ANNA, &json!({ "type": "begin_tournament" }));
    let shown = club.last(ANNA, "tournament");
    assert_eq!(shown["round"], 1);
    let pairings = shown["pairings"].as_array().unwrap();
    assert!(pairings.len() == 2 && pairings.iter().all(|it| it["room"].is_string()));
}

/// 63 guests once filled a tournament in two seconds, of whom its organiser could take out 30 a
/// minute.
#[test]
fn guests_take_part_where_the_organiser_wants_them_and_go_at_once() {
    let folder = TempDir::new().unwrap();
    let mut club = club(&folder, Limits::default());
    club.arrive(START, ANNA);
    name(&mut club, ANNA);
    say(&mut club, ANNA, &tournament(&json!({})));
    let number = club.last(ANNA, "tournament")["tournament"].clone();
    let look = json!({ "type": "open_tournament", "tournament": number });
    let join = json!({ "type": "join_tournament" });
    club.arrive(START, BELA);
    say(&mut club, BELA, &look);
    say(&mut club, BELA, &join);
    assert_eq!(error(&club, BELA), "tournament_named_only");
    say(&mut club, ANNA, &json!({ "type": "end_tournament" }));
    say(
        &mut club,
        ANNA,
        &tournament(&json!({ "named_only": false })),
    );
    let number = club.last(ANNA, "tournament")["tournament"].clone();
    let look = json!({ "type": "open_tournament", "tournament": number });
    say(&mut club, ANNA, &join);
    for guest in (10..70).map(VisitorId) {
        club.arrive(START, guest);
        say(&mut club, guest, &look);
        say(&mut club, guest, &join);
    }
    club.tick(START + SECOND);
    assert_eq!(club.last(ANNA, "tournament")["players"], 61);
    say(&mut club, ANNA, &json!({ "type": "remove_guests" }));
    assert_eq!(club.last(ANNA, "tournament")["players"], 1);
    say(&mut club, VisitorId(10), &join);
    assert_eq!(error(&club, VisitorId(10)), "removed");
    // An organiser changes more in a minute than a player may.
    for _ in 0..60 {
        say(
            &mut club,
            ANNA,
            &json!({ "type": "close_entry", "closed": true }),
        );
    }
    assert_ne!(error(&club, ANNA), "too_often");
    for _ in 0..31 {
        say(&mut club, ANNA, &json!({ "type": "withdraw" }));
    }
    assert_eq!(error(&club, ANNA), "too_often");
}

#[test]
fn entry_is_by_approval_or_by_the_link_alone() {
    let folder = TempDir::new().unwrap();
    let mut club = club(&folder, Limits::default());
    for visitor in [ANNA, BELA] {
        club.arrive(START, visitor);
        name(&mut club, visitor);
    }
    say(
        &mut club,
        ANNA,
        &tournament(&json!({ "entry": "approval" })),
    );
    let number = club.last(ANNA, "tournament")["tournament"].clone();
    let look = json!({ "type": "open_tournament", "tournament": number });
    let join = json!({ "type": "join_tournament" });
    say(&mut club, ANNA, &join);
    say(&mut club, BELA, &look);
    for _ in 0..2 {
        say(&mut club, BELA, &join);
    }
    club.tick(START + SECOND);
    let shown = club.last(ANNA, "tournament").clone();
    assert_eq!(
        (&shown["players"], &shown["asking"]),
        (&json!(1), &json!(["Person 2"]))
    );
    say(&mut club, BELA, &json!({ "type": "withdraw" }));
    club.tick(START + 2 * SECOND);
    assert_eq!(club.last(ANNA, "tournament")["asking"], json!([]));
    say(&mut club, BELA, &join);
    // Only the organiser admits.
    say(
        &mut club,
        BELA,
        &json!({ "type": "add_player", "name": "Person 2" }),
    );
    assert_eq!(error(&club, BELA), "not_maker");
    say(
        &mut club,
        ANNA,
        &json!({ "type": "add_player", "name": "Person 2" }),
    );
    club.tick(START + 3 * SECOND);
    let shown = club.last(BELA, "tournament").clone();
    assert_eq!(
        (&shown["players"], &shown["asking"]),
        (&json!(2), &json!([]))
    );
    say(&mut club, ANNA, &json!({ "type": "end_tournament" }));
    say(&mut club, ANNA, &tournament(&json!({ "entry": "link" })));
    let number = club.last(ANNA, "tournament")["tournament"].clone();
    let carl = VisitorId(3);
    club.arrive(START + 5 * SECOND, carl);
    assert_eq!(club.last(carl, "lobby")["tournaments"], json!([]));
    say(
        &mut club,
        carl,
        &json!({ "type": "open_tournament", "tournament": number }),
    );
    assert_eq!(club.last(carl, "tournament")["entry"], "link");
}
