//! How players find each other, what they say, and how their games are found.

use crate::club::{ANNA, BELA, FROM, START, Tester, play};
use crate::{MINUTE, setup};
use quincunx_club::rooms::{Admission, GameFilter, Limits, RoomSetup, VisitorId};
use quincunx_engine::game::swap::OpeningRule;
use quincunx_engine::rules::Rule;
use serde_json::{Value, json};
use std::time::Duration;
use tempfile::TempDir;

const CARL: VisitorId = VisitorId(3);

/// A club where Anna, Béla and Carl are here by their names.
fn three(folder: &TempDir) -> Tester {
    three_with(folder, Limits::default())
}

fn three_with(folder: &TempDir, limits: Limits) -> Tester {
    let mut club = Tester::open(&folder.path().join("club"), limits);
    for (visitor, name) in [(ANNA, "Anna"), (BELA, "Béla"), (CARL, "Carl")] {
        club.arrive(START, visitor);
        club.receive(START, visitor, &json!({ "type": "rename", "name": name }));
    }
    club
}

fn rated() -> RoomSetup {
    RoomSetup {
        rated: true,
        ..setup(OpeningRule::Free, MINUTE)
    }
}

fn quick(setup: RoomSetup) -> Value {
    json!({ "type": "quick", "setup": setup })
}

fn code(club: &Tester, visitor: VisitorId) -> &str {
    club.last(visitor, "error")["code"].as_str().unwrap()
}

/// The visitor's room, and how it stands.
fn room(club: &Tester, visitor: VisitorId) -> (String, Value) {
    let room = club.last(visitor, "room");
    let number = room["room"].as_str().unwrap().to_owned();
    (number, room["stage"].clone())
}

/// A game that Anna wins, after so many stones.
fn win(club: &mut Tester, now: Duration, loser: VisitorId, stones: usize) {
    let create = json!({ "type": "create", "seat": "first", "setup": rated() });
    club.receive(now, ANNA, &create);
    let (number, _) = room(club, ANNA);
    let enter = json!({ "type": "enter", "room": number, "sit": true });
    club.receive(now, loser, &enter);
    for (ply, point) in crate::club::OPENING.into_iter().take(stones).enumerate() {
        club.receive(now, [ANNA, loser][ply % 2], &play(point, ply));
    }
    club.receive(now, loser, &json!({ "type": "resign" }));
}

#[test]
fn strangers_meet_where_ratings_are_nearest() {
    let folder = TempDir::new().unwrap();
    let mut club = three(&folder);
    win(&mut club, START, BELA, 8);
    let other = RoomSetup {
        rated: false,
        ..rated()
    };
    club.receive(START, ANNA, &quick(rated()));
    let (of_anna, stage) = room(&club, ANNA);
    assert_eq!(stage, "waiting");
    // Another setup, and the own room, are no match; who waits goes on waiting.
    club.receive(START, BELA, &quick(other));
    let (of_bela, stage) = room(&club, BELA);
    assert_eq!(stage, "waiting");
    club.receive(START, ANNA, &quick(rated()));
    assert_eq!(room(&club, ANNA).0, of_anna);
    club.receive(START, BELA, &json!({ "type": "close" }));
    assert_eq!(club.last(BELA, "closed")["room"], of_bela);
    let create = json!({ "type": "create", "seat": "first", "setup": rated() });
    club.receive(START, BELA, &create);
    // A newcomer's 1500 is as far from both; Dora has lost too, and is nearer to Béla.
    let dora = VisitorId(4);
    club.arrive_as(START, dora, "Dora");
    win(&mut club, START, dora, 8);
    club.receive(START, ANNA, &json!({ "type": "enter", "room": of_anna }));
    club.receive(START, dora, &quick(rated()));
    let (number, stage) = room(&club, dora);
    assert_eq!((number, stage), (room(&club, BELA).0, json!("playing")));
    club.receive(START, CARL, &quick(rated()));
    assert_eq!(room(&club, CARL), (of_anna, json!("playing")));
}

#[test]
fn a_challenge_is_for_one_person() {
    let folder = TempDir::new().unwrap();
    let mut club = three(&folder);
    let challenge = |name: &str| json!({ "type": "create", "setup": rated(), "opponent": name });
    for (name, error) in [("Nobody", "nobody"), ("anna", "own_game")] {
        club.receive(START, ANNA, &challenge(name));
        assert_eq!(code(&club, ANNA), error);
    }
    club.receive(START, ANNA, &challenge("béla"));
    let (number, _) = room(&club, ANNA);
    let told = club.last(BELA, "challenge");
    assert_eq!(told["room"], number);
    let sit = json!({ "type": "enter", "room": number, "sit": true });
    club.receive(START, CARL, &sit);
    assert_eq!(code(&club, CARL), "seated");
    club.receive(START, CARL, &quick(rated()));
    assert_ne!(room(&club, CARL).0, number);
    // It is there for who comes back, also after a restart, and in no list.
    club.club.leave(START, BELA);
    drop(club);
    let mut club = Tester::open(&folder.path().join("club"), Limits::default());
    club.arrive(START, ANNA);
    club.arrive(START, BELA);
    assert_eq!(club.last(BELA, "challenge")["room"], number);
    let lobby = club.last(BELA, "lobby");
    assert_eq!(lobby["here"][0]["name"], "Anna");
    let open = lobby["open"].as_array().unwrap();
    assert!(open.iter().all(|it| it["room"] != number), "{lobby}");
    club.receive(START, CARL, &json!({ "type": "decline", "room": number }));
    club.receive(START, BELA, &sit);
    assert_eq!(room(&club, BELA).1, "playing");
    let decline = json!({ "type": "decline", "room": number });
    club.receive(START, BELA, &decline);
    assert_eq!(code(&club, BELA), "no_room");
    club.receive(START, ANNA, &challenge("Béla"));
    let (second, _) = room(&club, ANNA);
    club.receive(START, BELA, &json!({ "type": "decline", "room": second }));
    assert_eq!(club.last(ANNA, "closed")["room"], second);
    // No player is called again and again.
    for _ in 0..30 {
        club.receive(START, ANNA, &challenge("Béla"));
        club.receive(START, ANNA, &json!({ "type": "close" }));
    }
    let errors = club
        .letters
        .iter()
        .filter(|(_, it)| it["code"] == "too_often");
    assert!(errors.count() >= 5);
}

/// Who came while the challenger's page was being loaded was not told of the challenge, neither
/// then nor later.
#[test]
fn a_challenge_is_sent_again_when_the_challenger_is_back() {
    let folder = TempDir::new().unwrap();
    let mut club = three(&folder);
    club.club.leave(START, BELA);
    let challenge = json!({ "type": "create", "setup": rated(), "opponent": "Béla" });
    club.receive(START, ANNA, &challenge);
    let (number, _) = room(&club, ANNA);
    club.club.leave(START, ANNA);
    club.arrive(START, BELA);
    let calls = |club: &Tester| {
        let told = club.letters.iter().filter(|it| it.0 == BELA);
        told.filter(|it| it.1["type"] == "challenge").count()
    };
    assert_eq!(calls(&club), 0, "no challenger is here");
    // One who came and went again and again once called Béla each time.
    for _ in 0..10 {
        club.arrive(START, ANNA);
        club.club.leave(START, ANNA);
    }
    club.arrive(START, ANNA);
    club.tick(START + Duration::from_millis(500));
    assert_eq!(calls(&club), 1);
    assert_eq!(club.last(BELA, "challenge")["room"], number);
}

/// A second tab of a player in the same room once showed them as a watcher.
#[test]
fn every_tab_of_a_player_has_the_seat() {
    let folder = TempDir::new().unwrap();
    let mut club = three(&folder);
    let create = json!({ "type": "create", "seat": "first", "setup": rated() });
    club.receive(START, ANNA, &create);
    let tab = VisitorId(50);
    club.club.arrive(tab, FROM, Admission::All);
    let key = format!("{:032x}", BELA.0);
    let hello = json!({ "type": "hello", "version": 1, "key": key });
    club.receive(START, tab, &hello);
    let enter = json!({ "type": "enter", "room": room(&club, ANNA).0 });
    for visitor in [BELA, tab] {
        club.receive(START, visitor, &enter);
    }
    club.receive(START, BELA, &json!({ "type": "sit" }));
    for visitor in [BELA, tab] {
        assert_eq!(club.last(visitor, "seat")["seat"], "second");
    }
}

/// A tab that was closed once moved its player's room to the top of the list.
#[test]
fn a_tab_that_is_closed_moves_no_room() {
    let folder = TempDir::new().unwrap();
    let mut club = three(&folder);
    let create = json!({ "type": "create", "seat": "first", "setup": rated() });
    let second = Duration::from_secs(1);
    club.receive(START, ANNA, &create);
    club.receive(START + second, BELA, &create);
    let tab = VisitorId(50);
    club.club.arrive(tab, FROM, Admission::All);
    let key = format!("{:032x}", ANNA.0);
    let hello = json!({ "type": "hello", "version": 1, "key": key });
    club.receive(START + second, tab, &hello);
    club.club.leave(START + second * 2, tab);
    club.tick(START + second * 3);
    let open = &club.last(CARL, "lobby")["open"];
    let first = |room: usize| open[room]["seats"][0]["name"].clone();
    assert_eq!([first(0), first(1)], ["Béla", "Anna"]);
}

/// The engine has the other seat: a challenge beside it once reached no person, and was charged.
#[test]
fn a_game_against_the_engine_is_no_challenge() {
    let folder = TempDir::new().unwrap();
    let mut club = three(&folder);
    let mut create = json!({ "type": "create", "setup": rated(), "opponent": "Béla" });
    create["engine"] = json!(50);
    for _ in 0..30 {
        club.receive(START, ANNA, &create);
        assert_eq!(code(&club, ANNA), "seated");
    }
    assert_eq!(club.club.statistics().playing, 0);
    create["engine"] = Value::Null;
    club.receive(START, ANNA, &create);
    assert_eq!(club.last(BELA, "challenge")["room"], room(&club, ANNA).0);
}

/// A challenge for which there was no room reached no person, and was charged all the same.
#[test]
fn a_challenge_that_finds_no_room_is_not_charged() {
    let folder = TempDir::new().unwrap();
    let limits = Limits {
        rooms: 4,
        ..Limits::default()
    };
    let mut club = three_with(&folder, limits);
    // All that one address may have.
    for _ in 0..3 {
        club.receive(START, CARL, &json!({ "type": "create", "setup": rated() }));
    }
    let challenge = json!({ "type": "create", "setup": rated(), "opponent": "Béla" });
    for _ in 0..30 {
        club.receive(START, ANNA, &challenge);
        assert_eq!(code(&club, ANNA), "too_many_rooms");
    }
    club.receive(START, CARL, &json!({ "type": "close" }));
    club.receive(START, ANNA, &challenge);
    assert_eq!(club.last(BELA, "challenge")["room"], room(&club, ANNA).0);
}

/// A challenge that was refused for coming too often once closed the room of another.
#[test]
fn a_challenge_that_comes_too_often_closes_no_room() {
    let folder = TempDir::new().unwrap();
    let limits = Limits {
        rooms: 2,
        ..Limits::default()
    };
    let mut club = three_with(&folder, limits);
    let challenge = json!({ "type": "create", "setup": rated(), "opponent": "Béla" });
    for _ in 0..20 {
        club.receive(START, ANNA, &challenge);
        club.receive(START, ANNA, &json!({ "type": "close" }));
    }
    // Rooms that give way: no player waits in them.
    for _ in 0..2 {
        club.receive(START, CARL, &json!({ "type": "create", "setup": rated() }));
    }
    club.club.leave(START, CARL);
    club.receive(START, ANNA, &challenge);
    assert_eq!(code(&club, ANNA), "too_often");
    assert_eq!(club.club.statistics().waiting, 2);
}

#[test]
fn phrases_are_sent_and_limited() {
    let folder = TempDir::new().unwrap();
    let mut club = three(&folder);
    let number = club.begin(START, MINUTE);
    club.receive(START, CARL, &json!({ "type": "enter", "room": number }));
    let say = json!({ "type": "say", "phrase": "good_luck" });
    club.receive(START, CARL, &say);
    assert_eq!(code(&club, CARL), "watching");
    club.receive(START, ANNA, &say);
    for visitor in [ANNA, BELA, CARL] {
        let said = club.last(visitor, "said");
        assert_eq!(
            (&said["seat"], &said["phrase"]),
            (&json!("first"), &json!("good_luck"))
        );
    }
    for _ in 0..9 {
        club.receive(START, ANNA, &say);
    }
    let said = club
        .letters
        .iter()
        .filter(|(to, it)| *to == BELA && it["type"] == "said");
    assert_eq!((said.count(), code(&club, ANNA)), (6, "too_often"));
    let free = json!({ "type": "say", "phrase": "what I think of you" });
    club.receive(START, ANNA, &free);
    assert_eq!(code(&club, ANNA), "message");
}

#[test]
fn games_are_found_by_player_rule_and_date() {
    let folder = TempDir::new().unwrap();
    let mut club = three(&folder);
    let day = Duration::from_secs(86_400);
    for number in 0..70 {
        let loser = if number % 7 == 0 { CARL } else { BELA };
        win(&mut club, START + day * number, loser, 2);
    }
    let kept = club.store.reader().unwrap();
    let all = GameFilter::default();
    let mut before = None;
    let mut numbers: Vec<u64> = Vec::new();
    loop {
        let page = kept.find_games(&all, before).unwrap();
        numbers.extend(page.games.iter().map(|game| game.number));
        before = page.before;
        if before.is_none() {
            break;
        }
    }
    assert_eq!(numbers, (1..=70).rev().collect::<Vec<u64>>());
    let of_carl = GameFilter {
        player: club.club.person_of_name("carl"),
        ..all
    };
    assert_eq!(kept.find_games(&of_carl, None).unwrap().games.len(), 10);
    let week = GameFilter {
        from: Some((START + day * 60).as_secs()),
        to: Some((START + day * 67).as_secs()),
        ..all
    };
    assert_eq!(kept.find_games(&week, None).unwrap().games.len(), 7);
    let caro = GameFilter {
        rule: Some(Rule::Caro),
        ..all
    };
    assert_eq!(kept.find_games(&caro, None).unwrap().games, []);
    let view = kept.games(&[1]).unwrap()[0].view().unwrap();
    assert_eq!((view.board.stones.len(), view.board.width), (2, 15));
    assert_eq!(view.summary.players, ["Anna", "Carl"]);
}
