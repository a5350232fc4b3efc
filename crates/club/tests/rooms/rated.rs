//! Which games are rated, what they count, and what it costs to call games off.

use crate::club::{ANNA, BELA, OPENING, START, Tester, play};
use crate::limits::rated_game;
use crate::{MINUTE, setup};
use quincunx_club::rooms::{
    ClockRule, FinishedGame, Limits, PersonId, RoomSetup, Suspicion, VisitorId,
};
use quincunx_engine::game::swap::OpeningRule;
use quincunx_engine::rules::BoardSize;
use serde_json::{Value, json};
use std::time::Duration;
use tempfile::TempDir;

/// Twelve moves without a five.
const MOVES: [&str; 12] = [
    "h8", "i9", "a1", "a15", "o1", "o15", "c3", "c13", "e1", "g1", "e15", "g15",
];

/// A club with Anna and Béla, who have names.
fn club(folder: &TempDir) -> Tester {
    let mut club = Tester::open(&folder.path().join("club"), Limits::default());
    club.tick(START);
    club.arrive_as(START, ANNA, "Anna");
    club.arrive_as(START, BELA, "Béla");
    club
}

fn rated() -> RoomSetup {
    RoomSetup {
        rated: true,
        ..setup(OpeningRule::Free, MINUTE)
    }
}

fn say(club: &mut Tester, now: Duration, visitor: VisitorId, kind: &str) {
    club.receive(now, visitor, &json!({ "type": kind }));
}

/// Two visitors begin a game in a room of the first.
fn begin(club: &mut Tester, now: Duration, players: [VisitorId; 2], create: &Value) {
    club.receive(now, players[0], create);
    let room = club.last(players[0], "room")["room"].clone();
    let enter = json!({ "type": "enter", "room": room, "sit": true });
    club.receive(now, players[1], &enter);
}

/// The same with so many stones, after which the second resigns.
fn win(club: &mut Tester, now: Duration, players: [VisitorId; 2], stones: usize) -> Value {
    let create = json!({ "type": "create", "seat": "first", "setup": rated() });
    begin(club, now, players, &create);
    for (ply, point) in OPENING.into_iter().take(stones).enumerate() {
        club.receive(now, players[ply % 2], &play(point, ply));
    }
    say(club, now, players[1], "resign");
    club.last(players[0], "room").clone()
}

fn rows(club: &mut Tester, now: Duration) -> Value {
    let ratings = json!({ "type": "ratings", "rule": "freestyle" });
    club.receive(now, ANNA, &ratings);
    club.last(ANNA, "ratings")["rows"].clone()
}

#[test]
fn games_are_rated_where_results_are_comparable() {
    let folder = TempDir::new().unwrap();
    let mut club = club(&folder);
    let sudden = |main_ms| ClockRule::SuddenDeath { main_ms };
    let periods = |main_ms, periods| ClockRule::Byoyomi {
        main_ms,
        period_ms: 10_000,
        periods,
    };
    for (width, height, clock, private, engine, is_rated) in [
        (15, 15, MINUTE, false, None, true),
        (13, 20, MINUTE, false, None, true),
        (15, 15, periods(30_000, 3), false, None, true),
        (15, 15, periods(30_000, 2), false, None, false),
        (15, 15, sudden(59_999), false, None, false),
        (12, 15, MINUTE, false, None, false),
        (15, 21, MINUTE, false, None, false),
        (5, 5, MINUTE, false, None, false),
        (15, 15, MINUTE, true, None, false),
        (15, 15, MINUTE, false, Some(100), false),
    ] {
        let setup = RoomSetup {
            size: BoardSize::new(width, height).unwrap(),
            clock,
            ..rated()
        };
        let create = json!({ "type": "create", "seat": "first", "setup": setup,
            "private": private, "engine": engine });
        club.receive(START, ANNA, &create);
        let shown = &club.last(ANNA, "room")["setup"];
        assert_eq!(shown["rated"], is_rated, "{create}");
        let kind = if engine.is_some() { "resign" } else { "close" };
        say(&mut club, START, ANNA, kind);
    }
    // Who has no name is a guest.
    let (guest, create) = (VisitorId(9), json!({ "type": "create", "setup": rated() }));
    club.arrive(START, guest);
    club.receive(START, guest, &create);
    assert_eq!(club.last(guest, "room")["setup"]["rated"], false);
    say(&mut club, START, guest, "close");
    begin(&mut club, START, [ANNA, guest], &create);
    assert_eq!(club.last(ANNA, "room")["setup"]["rated"], false);
    club.receive(START, guest, &json!({ "type": "rename", "name": "Carl" }));
    begin(&mut club, START, [ANNA, guest], &create);
    assert_eq!(club.last(ANNA, "room")["setup"]["rated"], true);
    let quick = json!({ "type": "quick", "setup": rated() });
    let other = VisitorId(10);
    club.arrive(START, other);
    club.receive(START, other, &quick);
    assert_eq!(club.last(other, "room")["setup"]["rated"], false);
}

/// Fourteen draws on 5x5 against the engine's highest level once gave the first place.
#[test]
fn games_against_the_engine_change_no_rating() {
    let folder = TempDir::new().unwrap();
    let mut club = club(&folder);
    let create = json!({ "type": "create", "seat": "first", "setup": rated(), "engine": 100 });
    club.receive(START, ANNA, &create);
    let shown = club.last(ANNA, "room");
    assert_eq!(shown["setup"]["rated"], false);
    let engine = &shown["seats"][1];
    assert_eq!(
        (&engine["engine"], &engine["rating"]),
        (&json!(100), &json!(null))
    );
    assert_eq!(rows(&mut club, START), json!([]));
}

/// A resignation at seven stones was once free, and a win at two once raised a rating.
#[test]
fn a_game_counts_once_both_have_moved() {
    let folder = TempDir::new().unwrap();
    let mut club = club(&folder);
    for stones in [2, 7] {
        let over = win(&mut club, START, [ANNA, BELA], stones);
        let changes = &over["rating_changes"];
        assert!(changes[1].as_i64().unwrap() < 0, "{over}");
        assert_eq!(changes[0], 0, "{over}");
    }
    let rows = rows(&mut club, START);
    assert_eq!((&rows[0]["name"], &rows[1]), (&json!("Béla"), &json!(null)));
    let over = win(&mut club, START, [ANNA, BELA], 8);
    assert!(over["rating_changes"][0].as_i64().unwrap() > 0, "{over}");
    let over = win(&mut club, START, [ANNA, BELA], 1);
    assert_eq!(over["rating_changes"], json!([null, null]));
    assert_eq!(club.club.statistics().games, 3);
}

/// Puppets once drew two short games with three others each, and then were newcomers no more:
/// their losses made a rating of 2114 that no list showed.
#[test]
fn short_games_with_newcomers_make_no_old_hands() {
    let folder = TempDir::new().unwrap();
    let mut club = club(&folder);
    let puppets: Vec<VisitorId> = (10..22).map(VisitorId).collect();
    for (puppet, letter) in puppets.iter().zip('a'..) {
        club.arrive_as(START, *puppet, &format!("Puppet {letter}"));
    }
    let create = json!({ "type": "create", "seat": "first", "setup": rated() });
    // Returns true if the game counts.
    let over = |club: &mut Tester, now, players: [VisitorId; 2], stones, ends: &[(usize, &str)]| {
        begin(club, now, players, &create);
        for (ply, point) in MOVES.into_iter().take(stones).enumerate() {
            club.receive(now, players[ply % 2], &play(point, ply));
        }
        for (player, end) in ends {
            say(club, now, players[*player], end);
        }
        let over = club.last(players[0], "room");
        assert_eq!(over["stage"], "over");
        over["rating_changes"][0].is_i64()
    };
    let lost = [(1, "resign")];
    // Anna is no newcomer.
    for _ in 0..5 {
        assert!(over(&mut club, START, [ANNA, BELA], 12, &lost));
    }
    let now = START + Duration::from_secs(24 * 3600);
    for (number, puppet) in puppets.iter().enumerate() {
        for other in [1, 2, 3].map(|by| puppets[(number + by) % puppets.len()]) {
            let draw = [0, 1].map(|player| (player, "offer_draw"));
            over(&mut club, now, [*puppet, other], 2, &draw);
        }
    }
    let rated = rows(&mut club, now);
    assert_eq!(rated.as_array().unwrap().len(), 2, "{rated}");
    // They have had their games with newcomers of the day, and are newcomers to all others.
    let mogul = VisitorId(30);
    club.arrive_as(now, mogul, "Mogul");
    let mut counted = |winner: VisitorId| {
        let games = puppets.iter().chain(&puppets);
        games
            .filter(|puppet| over(&mut club, now, [winner, **puppet], 8, &lost))
            .count()
    };
    assert_eq!([mogul, ANNA].map(&mut counted), [0, 6]);
    let kept = club.store.reader().unwrap();
    let mut suspicion = Suspicion::default();
    kept.for_each_game(1, |game| suspicion.add(&game)).unwrap();
    let list = serde_json::to_value(club.club.suspicious(&suspicion)).unwrap();
    let is_anna = |row: &&Value| row["player"] == "Anna";
    let row = list.as_array().unwrap().iter().find(is_anna).unwrap();
    assert_eq!(
        (&row["kind"], &row["games"], &row["of"]),
        (&json!("newcomers"), &json!(11), &json!(11))
    );
}

/// A stranger once called off 66 games in eight seconds.
#[test]
fn calling_off_costs_a_pause_that_grows() {
    let folder = TempDir::new().unwrap();
    let mut club = club(&folder);
    let quick = json!({ "type": "quick", "setup": rated() });
    let (mut now, mut called_off) = (START, 0);
    for _ in 0..66 {
        now += Duration::from_millis(120);
        club.receive(now, ANNA, &quick);
        let told = club.letters.len();
        club.receive(now, BELA, &quick);
        let refused = |(to, it): &(VisitorId, Value)| *to == BELA && it["type"] == "error";
        if let Some((_, error)) = club.letters[told..].iter().find(|it| refused(it)) {
            assert_eq!(error["code"], "called_off");
            continue;
        }
        say(&mut club, now, BELA, "abort");
        called_off += 1;
    }
    assert_eq!(called_off, 1);
    // To leave before the first move, or to give up, is the same.
    for (end, seconds) in [("abort", 20), ("resign", 40), ("leave", 80)] {
        now += Duration::from_secs(1000);
        club.tick(now);
        club.receive(now, ANNA, &quick);
        club.receive(now, BELA, &quick);
        let room = club.last(BELA, "room").clone();
        assert_eq!(room["stage"], "playing", "{end}");
        if end == "leave" && room["seats"][0]["name"] == "Anna" {
            club.receive(now, ANNA, &play("h8", 0));
        }
        say(&mut club, now, BELA, end);
        if end == "leave" {
            now += Duration::from_secs(60);
            club.tick(now);
            now += Duration::from_secs(61);
            club.tick(now);
        }
        club.receive(now, BELA, &quick);
        let error = club.last(BELA, "error");
        assert_eq!(
            (&error["code"], &error["retry_s"]),
            (&json!("called_off"), &json!(seconds))
        );
    }
    // Anna has nothing to wait for, and games against the engine are free.
    club.receive(now, ANNA, &quick);
    assert_eq!(club.last(ANNA, "room")["stage"], "waiting");
    let create = json!({ "type": "create", "setup": rated(), "engine": 10 });
    club.receive(now, BELA, &create);
    assert_eq!(club.last(BELA, "room")["stage"], "playing");
}

/// A guest who came with another key for every game once called off as many as they liked, and
/// then with keys that had each played a game of two moves.
#[test]
fn guests_of_an_address_have_one_pause() {
    let folder = TempDir::new().unwrap();
    let mut club = club(&folder);
    for pair in [[100, 101], [102, 103]].map(|pair| pair.map(VisitorId)) {
        for guest in pair {
            club.arrive(START, guest);
        }
        let setup = setup(OpeningRule::Free, MINUTE);
        let create = json!({ "type": "create", "seat": "first", "setup": setup, "private": true });
        begin(&mut club, START, pair, &create);
        for (ply, point) in OPENING.into_iter().take(2).enumerate() {
            club.receive(START, pair[ply], &play(point, ply));
        }
        say(&mut club, START, pair[0], "resign");
        for guest in pair {
            club.club.leave(START, guest);
        }
    }
    let unrated = RoomSetup {
        rated: false,
        ..rated()
    };
    let quick = json!({ "type": "quick", "setup": unrated });
    let mut come = |number: u64, now| {
        let guest = VisitorId(number);
        club.arrive(now, guest);
        club.receive(now, ANNA, &quick);
        let told = club.letters.len();
        club.receive(now, guest, &quick);
        let refused = |(to, it): &&(VisitorId, Value)| *to == guest && it["type"] == "error";
        let refused = club.letters[told..].iter().find(refused);
        let wait = refused.map(|(_, it)| it["retry_s"].as_u64().unwrap());
        if wait.is_none() {
            say(&mut club, now, guest, "abort");
        }
        club.club.leave(now, guest);
        wait
    };
    let called_off = (0..66).filter(|number| come(100 + number, START).is_none());
    assert_eq!(called_off.count(), 1);
    // The pause is a minute at most: a class has one address.
    let mut now = START;
    for number in 200..210 {
        now += Duration::from_secs(61);
        assert_eq!(come(number, now), None);
    }
    assert_eq!(come(300, now), Some(60));
    // A person with a name has nothing to wait for.
    club.arrive_as(now, VisitorId(301), "Carl");
    club.receive(now, VisitorId(301), &quick);
    assert_eq!(club.last(VisitorId(301), "room")["stage"], "playing");
}

/// Private games of two moves with an own second account once undid every pause.
#[test]
fn a_pause_is_forgiven_by_a_game_that_others_can_see() {
    let folder = TempDir::new().unwrap();
    let mut club = club(&folder);
    let carl = VisitorId(3);
    club.arrive_from(carl, [192, 0, 2, 7]);
    club.receive(START, carl, &json!({ "type": "rename", "name": "Carl" }));
    let create = json!({ "type": "create", "seat": "first", "setup": rated() });
    // The pause of Anna, who calls a game off.
    let call_off = |club: &mut Tester, now| {
        begin(club, now, [BELA, ANNA], &create);
        say(club, now, ANNA, "abort");
        club.receive(now, ANNA, &create);
        club.last(ANNA, "error")["retry_s"].as_u64().unwrap()
    };
    let play_on = |club: &mut Tester, now, players: [VisitorId; 2], stones: usize| {
        for (ply, point) in MOVES.into_iter().take(stones).enumerate() {
            club.receive(now, players[ply % 2], &play(point, ply));
        }
        say(club, now, players[0], "resign");
        let over = club.last(players[0], "room");
        assert_eq!(over["stones"].as_array().unwrap().len(), stones);
        assert_eq!(over["outcome"]["reason"], "resignation");
    };
    let at = |step: u64| START + Duration::from_secs(700 * step);
    assert_eq!(call_off(&mut club, at(0)), 10);
    // From one address, and in few moves.
    begin(&mut club, at(1), [BELA, ANNA], &create);
    play_on(&mut club, at(1), [BELA, ANNA], 12);
    assert_eq!(call_off(&mut club, at(1)), 20);
    begin(&mut club, at(2), [carl, ANNA], &create);
    play_on(&mut club, at(2), [carl, ANNA], 11);
    let room = club.last(carl, "room")["room"].clone();
    assert_eq!(call_off(&mut club, at(2)), 40);
    // A rematch needs no wait, and forgives none.
    club.receive(at(2), ANNA, &json!({ "type": "enter", "room": room }));
    say(&mut club, at(2), ANNA, "rematch");
    say(&mut club, at(2), carl, "rematch");
    play_on(&mut club, at(2), [ANNA, carl], 12);
    assert_eq!(call_off(&mut club, at(3)), 80);
    begin(&mut club, at(4), [carl, ANNA], &create);
    play_on(&mut club, at(4), [carl, ANNA], 12);
    assert_eq!(call_off(&mut club, at(4)), 80);
}

/// Calling a game off costs nothing if the opponent does not begin. A draw that they offered once
/// began the time anew.
#[test]
fn an_opponent_who_does_not_begin_is_not_waited_for() {
    let folder = TempDir::new().unwrap();
    let mut club = club(&folder);
    let create = json!({ "type": "create", "seat": "first", "setup": rated() });
    for (seconds, code) in [(20, None), (19, Some("called_off"))] {
        begin(&mut club, START, [ANNA, BELA], &create);
        let offered = START + Duration::from_secs(10);
        say(&mut club, offered, ANNA, "offer_draw");
        let later = START + Duration::from_secs(seconds);
        say(&mut club, later, BELA, "abort");
        assert_eq!(club.last(BELA, "room")["stage"], "over");
        let told = club.letters.len();
        club.receive(
            later,
            BELA,
            &json!({ "type": "quick", "setup": setup(OpeningRule::Free, MINUTE) }),
        );
        let error = |(to, it): &&(VisitorId, Value)| *to == BELA && it["type"] == "error";
        let error = club.letters[told..].iter().find(error);
        assert_eq!(error.map(|(_, it)| it["code"].as_str().unwrap()), code);
    }
}

/// 45 games against fresh accounts once gave 2181 in three seconds.
#[test]
fn wins_over_newcomers_count_less_and_then_nothing() {
    let folder = TempDir::new().unwrap();
    let mut club = club(&folder);
    let mut now = START;
    let mut counted = 0;
    for number in 0..45 {
        let fresh = VisitorId(100 + number);
        club.arrive_as(
            now,
            fresh,
            &format!(
                "Fresh {}",
                char::from(b'a' + (number % 26) as u8)
                    .to_string()
                    .repeat(1 + number as usize / 26)
            ),
        );
        let over = win(&mut club, now, [ANNA, fresh], 8);
        counted += usize::from(over["rating_changes"][0].is_i64());
        club.club.leave(now, fresh);
        now += Duration::from_millis(66);
    }
    let rows = rows(&mut club, now);
    let anna = rows
        .as_array()
        .unwrap()
        .iter()
        .find(|it| it["name"] == "Anna");
    let rating = anna.unwrap()["rating"].as_i64().unwrap();
    assert_eq!(counted, 6);
    assert!(rating < 1900, "{rating}");
    // A game of two people who are no newcomers counts in full.
    let kept = club.store.reader().unwrap();
    let mut weights = Vec::new();
    kept.for_each_game(1, |game| weights.push(game.weight))
        .unwrap();
    assert_eq!(weights[..7], [1.0, 1.0, 1.0, 0.5, 0.25, 0.125, 0.0]);
}

/// What is arranged is listed, and what is not is not.
#[test]
fn arranged_games_are_listed() {
    let folder = TempDir::new().unwrap();
    let mut club = club(&folder);
    for number in 0..3 {
        let now = START + Duration::from_secs(number);
        win(&mut club, now, [ANNA, BELA], 8);
    }
    let kept = club.store.reader().unwrap();
    let mut suspicion = Suspicion::default();
    kept.for_each_game(1, |game| suspicion.add(&game)).unwrap();
    let list = serde_json::to_value(club.club.suspicious(&suspicion)).unwrap();
    let players = [&list[0]["players"][0], &list[0]["players"][1]];
    assert!(players.contains(&&json!("Anna")) && players.contains(&&json!("Béla")));
    let numbers = (
        &list[0]["games"],
        &list[0]["short"],
        &list[0]["one_address"],
    );
    assert_eq!(numbers, (&json!(3), &json!(3), &json!(3)), "{list}");
    // Honest results of two people, with games as long as others.
    let people = [PersonId([1; 32]), PersonId([2; 32])];
    let mut suspicion = Suspicion::default();
    for number in 0..10 {
        let winner = usize::from(number % 3 == 0);
        suspicion.add(&FinishedGame {
            moves: "h8i9".repeat(20),
            ..rated_game(number, people[winner], people[1 - winner])
        });
    }
    assert_eq!(club.club.suspicious(&suspicion), []);
    // One who beats many that are new.
    for number in 0..6 {
        suspicion.add(&FinishedGame {
            moves: "h8i9".repeat(20),
            ..rated_game(20 + number, people[0], PersonId([100 + number as u8; 32]))
        });
    }
    let list = serde_json::to_value(club.club.suspicious(&suspicion)).unwrap();
    assert_eq!(
        list.as_array().unwrap().len(),
        0,
        "the first five games were against a newcomer too"
    );
    for number in 6..30 {
        suspicion.add(&FinishedGame {
            moves: "h8i9".repeat(20),
            ..rated_game(20 + number, people[0], PersonId([100 + number as u8; 32]))
        });
    }
    let list = serde_json::to_value(club.club.suspicious(&suspicion)).unwrap();
    assert_eq!(
        (&list[0]["kind"], &list[0]["of"]),
        (&json!("newcomers"), &json!(40)),
        "{list}"
    );
}

/// Puppets that were newcomers no more once made a rating that no row showed.
#[test]
fn a_person_with_many_short_wins_is_listed() {
    let folder = TempDir::new().unwrap();
    let club = club(&folder);
    let mut suspicion = Suspicion::default();
    let mut person_rows = |games: std::ops::Range<u64>| {
        for number in games {
            let loser = PersonId([200 + number as u8; 32]);
            suspicion.add(&rated_game(number, PersonId([1; 32]), loser));
        }
        let list = serde_json::to_value(club.club.suspicious(&suspicion)).unwrap();
        let rows = list.as_array().unwrap().iter();
        let rows = rows.filter(|row| row["kind"] == "person");
        rows.map(|row| [&row["games"], &row["short"]].map(|it| it.as_u64().unwrap()))
            .collect::<Vec<_>>()
    };
    assert_eq!(person_rows(0..7), [[0; 2]; 0]);
    assert_eq!(person_rows(7..8), [[8; 2]]);
}
