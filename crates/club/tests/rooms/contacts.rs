//! Challenges that can't be used to pester a person: limits, policies and blocks.

use crate::club::{ANNA, BELA, FROM, START, Tester, play};
use crate::{MINUTE, setup};
use quincunx_club::rooms::{Admission, Limits, VisitorId};
use quincunx_engine::game::swap::OpeningRule;
use serde_json::{Value, json};
use std::time::Duration;
use tempfile::TempDir;

fn open(folder: &TempDir) -> Tester {
    let mut club = Tester::open(&folder.path().join("club"), Limits::default());
    for (visitor, name) in [(ANNA, "Anna"), (BELA, "Béla")] {
        arrive(&mut club, visitor, name);
    }
    club
}

fn arrive(club: &mut Tester, visitor: VisitorId, name: &str) {
    club.arrive(START, visitor);
    club.receive(START, visitor, &json!({ "type": "rename", "name": name }));
}

fn challenge(name: &str) -> Value {
    json!({ "type": "create", "setup": setup(OpeningRule::Free, MINUTE), "opponent": name })
}

fn block(name: &str, blocked: bool) -> Value {
    json!({ "type": "block", "name": name, "blocked": blocked })
}

fn contacts(policy: &str) -> Value {
    json!({ "type": "contacts", "policy": policy })
}

/// The number of messages of a type to a visitor.
fn count(club: &Tester, visitor: VisitorId, kind: &str) -> usize {
    let is_it = |it: &&(VisitorId, Value)| it.0 == visitor && it.1["type"] == kind;
    club.letters.iter().filter(is_it).count()
}

fn code(club: &Tester, visitor: VisitorId) -> &str {
    club.last(visitor, "error")["code"].as_str().unwrap()
}

fn room(club: &Tester, visitor: VisitorId) -> Value {
    club.last(visitor, "room")["room"].clone()
}

/// The attack of 29 November: four guests sent twenty challenges in a third of a second.
#[test]
fn guests_challenge_no_person() {
    let folder = TempDir::new().unwrap();
    let mut club = open(&folder);
    for guest in (10..14).map(VisitorId) {
        club.arrive(START, guest);
        for _ in 0..5 {
            club.receive(START, guest, &challenge("Anna"));
            assert_eq!(code(&club, guest), "unnamed");
        }
    }
    assert_eq!(count(&club, ANNA, "challenge"), 0);
    assert_eq!(club.club.statistics().waiting, 0, "and no room is left");
}

/// The same with names: one challenge from each, eight at a time, and forty in an hour.
#[test]
fn a_person_receives_few_challenges() {
    let folder = TempDir::new().unwrap();
    let mut club = open(&folder);
    for number in 10..30 {
        let visitor = VisitorId(number);
        arrive(&mut club, visitor, &format!("Pest {number}"));
        for _ in 0..5 {
            club.receive(START, visitor, &challenge("Anna"));
        }
        assert_eq!(code(&club, visitor), "too_many_challenges");
    }
    assert_eq!(count(&club, ANNA, "challenge"), 8);
    // Each takes its challenge back and sends it again: six times in an hour, and forty in all.
    for _ in 0..10 {
        for visitor in (10..30).map(VisitorId) {
            club.receive(START, visitor, &json!({ "type": "close" }));
            club.receive(START, visitor, &challenge("Anna"));
        }
    }
    assert_eq!(count(&club, ANNA, "challenge"), 40);
    club.receive(START, BELA, &challenge("Anna"));
    let refused = code(&club, BELA).to_owned();
    assert!(
        ["too_often", "too_many_challenges"].contains(&&*refused),
        "{refused}"
    );
    let later = START + Duration::from_secs(3600);
    for visitor in (10..30).map(VisitorId) {
        club.receive(later, visitor, &json!({ "type": "close" }));
    }
    club.receive(later, BELA, &challenge("Anna"));
    assert_eq!(room(&club, BELA), club.last(ANNA, "challenge")["room"]);
}

/// The line about a challenge once stayed for ten minutes after its sender had gone.
#[test]
fn a_challenge_goes_with_its_sender() {
    let folder = TempDir::new().unwrap();
    let mut club = open(&folder);
    club.receive(START, BELA, &challenge("Anna"));
    let room = room(&club, BELA);
    club.club.leave(START, BELA);
    club.tick(START + Duration::from_millis(500));
    assert_eq!(club.last(ANNA, "challenge_gone")["room"], room);
    // A sender who comes and goes is told of at most twice a second.
    for _ in 0..20 {
        club.arrive(START, BELA);
        club.club.leave(START, BELA);
    }
    club.tick(START + Duration::from_secs(1));
    assert_eq!(count(&club, ANNA, "challenge"), 1);
    club.arrive(START + Duration::from_secs(1), BELA);
    club.tick(START + Duration::from_secs(2));
    assert_eq!(count(&club, ANNA, "challenge"), 2);
    // Nor does a visit of the lobby send it again.
    for second in 3..9 {
        let now = START + Duration::from_secs(second);
        club.receive(now, BELA, &json!({ "type": "enter", "room": room }));
        club.receive(now, BELA, &json!({ "type": "leave" }));
        club.tick(now + Duration::from_millis(500));
    }
    assert_eq!(count(&club, ANNA, "challenge"), 2);
}

#[test]
fn a_policy_decides_who_may_challenge_and_play() {
    let folder = TempDir::new().unwrap();
    let mut club = open(&folder);
    club.receive(START, BELA, &challenge("Anna"));
    let declined = room(&club, BELA);
    club.receive(START, ANNA, &contacts("none"));
    assert_eq!(club.last(BELA, "closed")["room"], declined);
    assert_eq!(club.last(ANNA, "contacts")["policy"], "none");
    club.receive(START, BELA, &challenge("Anna"));
    assert_eq!(code(&club, BELA), "no_challenges");
    // It survives a restart. People with a name may take a seat, a guest may not.
    club.receive(START, ANNA, &contacts("named"));
    drop(club);
    let mut club = Tester::open(&folder.path().join("club"), Limits::default());
    club.arrive(START, ANNA);
    assert_eq!(club.last(ANNA, "welcome")["contacts"]["policy"], "named");
    let create = json!({ "type": "create", "setup": setup(OpeningRule::Free, MINUTE) });
    club.receive(START, ANNA, &create);
    let number = room(&club, ANNA);
    let guest = VisitorId(10);
    club.arrive(START, guest);
    let sit = json!({ "type": "enter", "room": number, "sit": true });
    club.receive(START, guest, &sit);
    assert_eq!(code(&club, guest), "named_only");
    let quick = json!({ "type": "quick", "setup": setup(OpeningRule::Free, MINUTE) });
    club.receive(START, guest, &quick);
    assert_ne!(room(&club, guest), number);
    club.arrive(START, BELA);
    club.receive(START, BELA, &challenge("Anna"));
    club.receive(START, BELA, &sit);
    assert_eq!(club.last(BELA, "room")["stage"], "playing");
}

#[test]
fn a_blocked_person_does_not_reach_the_other() {
    let folder = TempDir::new().unwrap();
    let mut club = open(&folder);
    club.receive(START, BELA, &challenge("Anna"));
    let declined = room(&club, BELA);
    club.receive(START, ANNA, &block("Béla", true));
    assert_eq!(club.last(BELA, "closed")["room"], declined);
    assert_eq!(club.last(ANNA, "contacts")["blocked"], json!(["Béla"]));
    // The same answer as by the policy: the block itself is not revealed.
    club.receive(START, BELA, &challenge("Anna"));
    assert_eq!(code(&club, BELA), "no_challenges");
    // A block is of the person, not of the name.
    club.receive(START, BELA, &json!({ "type": "rename", "name": "Carl" }));
    assert_eq!(club.last(ANNA, "contacts")["blocked"], json!(["Carl"]));
    let create = json!({ "type": "create", "setup": setup(OpeningRule::Free, MINUTE) });
    club.receive(START, ANNA, &create);
    let number = room(&club, ANNA);
    club.receive(
        START,
        BELA,
        &json!({ "type": "enter", "room": number, "sit": true }),
    );
    assert_eq!(code(&club, BELA), "declined");
    let quick = json!({ "type": "quick", "setup": setup(OpeningRule::Free, MINUTE) });
    club.receive(START, BELA, &quick);
    assert_ne!(room(&club, BELA), number, "strangers are not paired either");
    club.receive(START, ANNA, &json!({ "type": "close" }));
    club.receive(START, ANNA, &quick);
    assert_ne!(room(&club, ANNA), room(&club, BELA));
    club.receive(START, ANNA, &json!({ "type": "close" }));
    // Anna may take a seat all the same, and hears no phrase; watchers do.
    let sit = json!({ "type": "enter", "room": room(&club, BELA), "sit": true });
    club.receive(START, ANNA, &sit);
    let watcher = VisitorId(10);
    club.arrive(START, watcher);
    club.receive(
        START,
        watcher,
        &json!({ "type": "enter", "room": room(&club, BELA) }),
    );
    club.receive(START, BELA, &json!({ "type": "say", "phrase": "hello" }));
    assert_eq!(
        (count(&club, ANNA, "said"), count(&club, watcher, "said")),
        (0, 1)
    );
    // No rematch can be asked for.
    for (ply, point) in ["h8", "i9"].into_iter().enumerate() {
        for visitor in [ANNA, BELA] {
            club.receive(START, visitor, &play(point, ply));
        }
    }
    club.receive(START, BELA, &json!({ "type": "resign" }));
    club.receive(START, BELA, &json!({ "type": "rematch" }));
    assert_eq!(code(&club, BELA), "declined");
    // An engine of theirs is blocked, too, and an organiser can't add the person.
    let bot = json!({ "type": "make_bot", "name": "Robot" });
    club.receive(START, BELA, &bot);
    let token = club.last(BELA, "token")["token"].clone();
    let engine = VisitorId(11);
    club.club.arrive(engine, FROM, Admission::All);
    club.receive(
        START,
        engine,
        &json!({ "type": "hello", "version": 1, "key": token }),
    );
    club.receive(START, engine, &challenge("Anna"));
    assert_eq!(code(&club, engine), "no_challenges");
    let tournament = json!({
        "type": "create_tournament", "name": "Evening", "setup": setup(OpeningRule::Free, MINUTE),
        "system": { "kind": "swiss", "rounds": 3 }, "no_show_s": 60, "pause_s": 0,
    });
    club.receive(START, BELA, &tournament);
    club.receive(
        START,
        BELA,
        &json!({ "type": "add_player", "name": "Anna" }),
    );
    assert_eq!(code(&club, BELA), "declined");
    // The block is lifted.
    club.receive(START, ANNA, &block("Carl", false));
    assert_eq!(club.last(ANNA, "contacts")["blocked"], json!([]));
    club.receive(START, BELA, &challenge("Anna"));
    assert_eq!(room(&club, BELA), club.last(ANNA, "challenge")["room"]);
    for (name, error) in [("Anna", "block_self"), ("Dora", "nobody")] {
        club.receive(START, ANNA, &block(name, true));
        assert_eq!(code(&club, ANNA), error);
    }
}
