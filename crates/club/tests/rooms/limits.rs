//! What guests can and can't take from others: rooms, engines, names, places.

use crate::club::{ANNA, BELA, FROM, OPENING, START, Tester, play};
use crate::{MINUTE, ms, setup};
use quincunx_club::rooms::{
    Admission, ClockRule, Club, ClubStore, FinishedGame, Limits, Occupant, Outcome, PersonId,
    RatingRecomputation, RoomId, RoomSetup, VisitorId,
};
use quincunx_engine::game::Termination;
use quincunx_engine::game::swap::{OpeningRule, Seat};
use serde_json::{Value, json};
use std::net::IpAddr;
use std::time::Duration;
use tempfile::TempDir;

/// Where others come from.
const ELSEWHERE: IpAddr = IpAddr::V4(std::net::Ipv4Addr::new(192, 0, 2, 1));

const SIX_HOURS: ClockRule = ClockRule::SuddenDeath {
    main_ms: 6 * 3_600_000,
};

/// A club with few rooms.
fn small(folder: &TempDir, rooms: usize, engines: usize) -> Tester {
    let limits = Limits {
        rooms,
        engines,
        ..Limits::default()
    };
    Tester::open(&folder.path().join("club"), limits)
}

fn create(clock: ClockRule, engine: Option<u8>) -> Value {
    let setup = setup(OpeningRule::Free, clock);
    json!({ "type": "create", "seat": "first", "setup": setup, "engine": engine })
}

fn arrive_from(club: &mut Tester, now: Duration, visitor: VisitorId, from: IpAddr) {
    club.club.arrive(visitor, from, Admission::All);
    let key = format!("{:032x}", visitor.0);
    let hello = json!({ "type": "hello", "version": 1, "key": key });
    club.receive(now, visitor, &hello);
}

/// Two people play in a room of the first.
fn play_in_a_room(club: &mut Tester, now: Duration, players: [VisitorId; 2]) {
    let [first, second] = players;
    club.receive(now, first, &create(SIX_HOURS, None));
    let room = club.last(first, "room")["room"].clone();
    let enter = json!({ "type": "enter", "room": room, "sit": true });
    club.receive(now, second, &enter);
    assert_eq!(club.last(second, "room")["stage"], "playing");
}

/// The error that a visitor was told last, if it came after so many letters.
fn error_since(club: &Tester, told: usize, visitor: VisitorId) -> Option<&str> {
    let letters = club.letters[told..].iter();
    let mut errors = letters.filter(|(to, it)| *to == visitor && it["type"] == "error");
    errors.next_back().and_then(|(_, it)| it["code"].as_str())
}

/// Two guests once filled all rooms with resigned games, which stayed for ten minutes.
#[test]
fn finished_games_give_way_at_once() {
    let folder = TempDir::new().unwrap();
    let mut club = small(&folder, 4, 1);
    let [anna, bela, carl] = [1, 2, 3].map(VisitorId);
    for visitor in [anna, bela] {
        club.arrive(START, visitor);
    }
    for _ in 0..20 {
        play_in_a_room(&mut club, START, [anna, bela]);
        club.receive(START, anna, &play("h8", 0));
        club.receive(START, bela, &play("i9", 1));
        club.receive(START, anna, &json!({ "type": "resign" }));
    }
    arrive_from(&mut club, START, carl, ELSEWHERE);
    club.receive(START, carl, &create(MINUTE, None));
    assert_eq!(club.last(carl, "room")["stage"], "waiting");
    let statistics = club.club.statistics();
    assert!(statistics.over + statistics.waiting <= 4, "{statistics:?}");
}

/// Games that both players have left block no seat for the hours of their clocks; those
/// whose players are here do.
#[test]
fn abandoned_games_give_way_when_room_is_needed() {
    let folder = TempDir::new().unwrap();
    let mut club = small(&folder, 2, 1);
    let [anna, bela, carl, dora] = [1, 2, 3, 4].map(VisitorId);
    for visitor in [anna, bela] {
        club.arrive(START, visitor);
    }
    play_in_a_room(&mut club, START, [anna, bela]);
    for visitor in [carl, dora] {
        arrive_from(&mut club, START, visitor, ELSEWHERE);
    }
    play_in_a_room(&mut club, START, [carl, dora]);
    let later = START + Limits::default().idle + ms(1);
    let told = club.letters.len();
    club.receive(later, carl, &create(MINUTE, None));
    assert_eq!(error_since(&club, told, carl), Some("too_many_rooms"));
    let refusal = club.last(carl, "error");
    assert!(refusal["retry_s"].is_u64(), "{refusal}");
    club.club.leave(later, anna);
    club.club.leave(later, bela);
    // The network may have failed for a moment.
    let told = club.letters.len();
    club.receive(later, carl, &create(MINUTE, None));
    assert_eq!(error_since(&club, told, carl), Some("too_many_rooms"));
    let later = later + Limits::default().idle;
    club.receive(later, carl, &create(MINUTE, None));
    assert_eq!(club.last(carl, "room")["stage"], "waiting");
    assert_eq!(club.club.statistics().playing, 1);
}

/// One address may have three quarters of the rooms; the rest is kept for others.
#[test]
fn one_address_does_not_get_all_rooms() {
    let folder = TempDir::new().unwrap();
    let mut club = small(&folder, 8, 1);
    for visitor in 1..=2 {
        club.arrive(START, VisitorId(visitor));
        // A guest waits in one room at a time.
        let name = json!({ "type": "rename", "name": format!("Person {visitor}") });
        club.receive(START, VisitorId(visitor), &name);
        for _ in 0..5 {
            club.receive(START, VisitorId(visitor), &create(MINUTE, None));
        }
    }
    assert_eq!(club.club.statistics().waiting, 6);
    assert_eq!(club.last(VisitorId(2), "error")["code"], "too_many_rooms");
    arrive_from(&mut club, START, VisitorId(3), ELSEWHERE);
    club.receive(START, VisitorId(3), &create(MINUTE, None));
    assert_eq!(club.club.statistics().waiting, 7);
}

/// Ten games against the engine that were over once blocked it with none being played.
#[test]
fn engines_are_free_when_their_games_end_or_their_players_go() {
    let folder = TempDir::new().unwrap();
    let mut club = small(&folder, 50, 2);
    let [anna, bela, carl] = [1, 2, 3].map(VisitorId);
    club.arrive(START, anna);
    for _ in 0..10 {
        club.receive(START, anna, &create(SIX_HOURS, Some(50)));
        assert_eq!(club.last(anna, "room")["stage"], "playing");
        club.receive(START, anna, &json!({ "type": "resign" }));
    }
    for _ in 0..2 {
        club.receive(START, anna, &create(SIX_HOURS, Some(50)));
    }
    arrive_from(&mut club, START, bela, ELSEWHERE);
    club.receive(START, bela, &create(SIX_HOURS, Some(50)));
    assert_eq!(club.last(bela, "error")["code"], "engines");
    // Anna goes; or she stays, and does nothing for long.
    club.club.leave(START, anna);
    club.receive(START, bela, &create(SIX_HOURS, Some(50)));
    assert_eq!(club.last(bela, "room")["stage"], "playing");
    club.receive(START, bela, &create(SIX_HOURS, Some(50)));
    let later = START + Limits::default().idle;
    club.arrive(later, carl);
    club.receive(later, carl, &create(SIX_HOURS, Some(50)));
    assert_eq!(club.last(carl, "room")["stage"], "playing");
}

/// One client that took a hundred names once kept all newcomers of a school out.
#[test]
fn renaming_blocks_no_newcomers() {
    let folder = TempDir::new().unwrap();
    let mut club = small(&folder, 50, 1);
    let [anna, bela] = [1, 2].map(VisitorId);
    club.arrive(START, anna);
    let mut refused = None;
    for number in 0..200 {
        let told = club.letters.len();
        let rename = json!({ "type": "rename", "name": format!("Anna {number}") });
        club.receive(START, anna, &rename);
        refused = refused.or_else(|| error_since(&club, told, anna).map(|_| number));
    }
    assert_eq!(refused, Some(10));
    let refusal = club.last(anna, "error");
    assert_eq!(refusal["code"], "too_many_names");
    assert_eq!(refusal["retry_s"], 360);
    club.arrive(START, bela);
    club.receive(START, bela, &create(MINUTE, None));
    assert_eq!(club.last(bela, "room")["stage"], "waiting");
}

/// Attempts at names that were taken once counted against the limits of a person and an address.
#[test]
fn names_that_are_refused_cost_nothing() {
    let folder = TempDir::new().unwrap();
    let limits = Limits {
        names_an_hour: 3,
        ..Limits::default()
    };
    let mut club = Tester::open(&folder.path().join("club"), limits);
    let [anna, bela] = [1, 2].map(VisitorId);
    let rename = |name: &str| json!({ "type": "rename", "name": name });
    club.arrive(START, anna);
    club.receive(START, anna, &rename("Anna"));
    club.arrive(START, bela);
    for _ in 0..20 {
        club.receive(START, bela, &rename("anna"));
        assert_eq!(club.last(bela, "error")["code"], "name_taken");
    }
    assert_eq!(club.club.statistics().people, 1);
    club.receive(START, bela, &rename("Bela"));
    assert_eq!(club.last(bela, "name")["name"], "Bela");
    let make = |name: &str| json!({ "type": "make_bot", "name": name });
    for _ in 0..20 {
        club.receive(START, bela, &make("Anna"));
        assert_eq!(club.last(bela, "error")["code"], "name_taken");
    }
    club.receive(START, bela, &make("Engine of Bela"));
    assert_eq!(club.last(bela, "token")["name"], "Engine of Bela");
    club.receive(START, bela, &make("Another"));
    assert_eq!(club.last(bela, "error")["code"], "too_many_names");
}

/// What was refused to newcomers once closed the room of another all the same, or deleted their
/// tournament.
#[test]
fn what_newcomers_are_refused_takes_no_place() {
    let folder = TempDir::new().unwrap();
    let limits = Limits {
        rooms: 2,
        tournaments: 1,
        names_an_hour: 3,
        ..Limits::default()
    };
    let mut club = Tester::open(&folder.path().join("club"), limits);
    // The guests of the hour.
    for guest in (10..13).map(VisitorId) {
        club.arrive(START, guest);
        club.receive(START, guest, &create(MINUTE, None));
        club.receive(START, guest, &json!({ "type": "leave" }));
        club.club.leave(START, guest);
    }
    let tournament = json!({
        "type": "create_tournament", "name": "Club evening", "no_show_s": 300, "pause_s": 60,
        "system": { "kind": "swiss", "rounds": 2 }, "setup": setup(OpeningRule::Free, MINUTE),
    });
    for (visitor, name) in [(ANNA, "Anna"), (BELA, "Béla")] {
        club.arrive(START, visitor);
        club.receive(START, visitor, &json!({ "type": "rename", "name": name }));
        club.receive(START, visitor, &create(MINUTE, None));
    }
    club.receive(START, ANNA, &tournament);
    club.club.leave(START, ANNA);
    club.receive(START, BELA, &tournament);
    assert_eq!(club.last(BELA, "error")["code"], "too_many_names");
    assert_eq!(club.club.list_tournaments(9).len(), 1);
    club.club.leave(START, BELA);
    let carl = VisitorId(3);
    club.arrive(START, carl);
    club.receive(START, carl, &create(MINUTE, None));
    assert_eq!(club.last(carl, "error")["code"], "too_many_names");
    assert_eq!(club.club.statistics().waiting, 2);
}

/// A known visitor comes in where newcomers are told to come again.
#[test]
fn the_last_places_are_reserved_for_known_people() {
    let folder = TempDir::new().unwrap();
    let mut club = small(&folder, 50, 1);
    let anna = VisitorId(1);
    club.arrive(START, anna);
    club.receive(START, anna, &json!({ "type": "rename", "name": "Anna" }));
    club.club.leave(START, anna);
    for (visitor, key, is_welcome) in [(11, 1, true), (12, 2, false)] {
        let visitor = VisitorId(visitor);
        club.club
            .arrive(visitor, FROM, Admission::Known(Duration::from_secs(30)));
        let key = format!("{key:032x}");
        let hello = json!({ "type": "hello", "version": 1, "key": key });
        club.club.receive(START, visitor, ms(0), &hello.to_string());
        let letters = club.club.take_effects().messages;
        let told: Value = serde_json::from_str(&letters[0].text).unwrap();
        let kind = if is_welcome { "welcome" } else { "refused" };
        assert_eq!(told["type"], kind, "{told}");
        assert_eq!(letters[0].is_last, !is_welcome);
        if !is_welcome {
            assert_eq!(
                (&told["code"], &told["retry_s"]),
                (&json!("too_many_visitors"), &json!(30))
            );
        }
    }
}

/// The very last places are kept for people with a game in progress.
#[test]
fn players_come_back_to_a_full_server() {
    let folder = TempDir::new().unwrap();
    let mut club = small(&folder, 50, 1);
    club.begin(START, MINUTE);
    let carl = VisitorId(11);
    club.arrive_as(START, carl, "Carl");
    let only_players = Admission::Players(Duration::from_secs(30));
    for (visitor, key, kind) in [(21, ANNA.0, "welcome"), (22, carl.0, "refused")] {
        let visitor = VisitorId(visitor);
        club.club.arrive(visitor, FROM, only_players);
        assert_eq!(club.club.connection_to_evict(Some(FROM)), Some(visitor));
        let hello = json!({ "type": "hello", "version": 1, "key": format!("{key:032x}") });
        club.receive(START, visitor, &hello);
        assert_eq!(club.last(visitor, kind)["type"], kind);
    }
    assert_eq!(club.club.connection_to_evict(None), Some(VisitorId(22)));
}

/// Two guests with one game once held all connections of an address, and a player could not come back.
#[test]
fn a_person_has_few_connections_and_those_give_way() {
    let folder = TempDir::new().unwrap();
    let mut club = small(&folder, 50, 1);
    let room = club.begin(START, MINUTE);
    let hello = json!({ "type": "hello", "version": 1, "key": format!("{:032x}", ANNA.0) });
    club.receive(START, ANNA, &json!({ "type": "enter", "room": room }));
    let connect = |club: &mut Tester, number: u64| {
        let visitor = VisitorId(number);
        club.club.arrive(visitor, FROM, Admission::All);
        club.receive(START, visitor, &hello);
        assert_eq!(club.last(visitor, "welcome")["name"], "Anna");
    };
    let refused = |club: &Tester| -> Vec<u64> {
        let refused = club
            .letters
            .iter()
            .filter(|(_, it)| it["type"] == "refused");
        let refused = refused.map(|(to, it)| {
            assert_eq!(
                (&it["code"], &it["retry_s"]),
                (&json!("too_many_pages"), &json!(60))
            );
            to.0
        });
        refused.collect()
    };
    for number in 11..=13 {
        connect(&mut club, number);
    }
    assert_eq!(refused(&club), [0; 0]);
    // The oldest that is in no room goes, and not the page of the game.
    for number in 14..=16 {
        connect(&mut club, number);
    }
    assert_eq!(refused(&club), [11, 12, 13]);
    for number in 11..=13 {
        club.club.leave(START, VisitorId(number));
    }
    // On a full server, and from a full address, those of whom has the most of them give way.
    assert_eq!(
        club.club.connection_to_evict(Some(FROM)),
        Some(VisitorId(14))
    );
    for number in [14, 15, 16] {
        let evicted = club.club.connection_to_evict(None);
        assert_eq!(evicted, Some(VisitorId(number)));
        club.club.leave(START, VisitorId(number));
    }
    assert_eq!(club.club.connection_to_evict(None), None);
    assert_eq!(club.club.connection_to_evict(Some(ELSEWHERE)), None);
}

/// A restart forgets from where rooms were opened: all games from before it once seemed to come
/// from one address.
#[test]
fn games_from_before_a_restart_come_from_no_address() {
    let folder = TempDir::new().unwrap();
    let arrive = |club: &mut Tester| {
        for number in 1u8..=4 {
            let from = IpAddr::from([192, 0, 2, number]);
            arrive_from(club, START, VisitorId(number.into()), from);
        }
    };
    let mut club = small(&folder, 50, 4);
    arrive(&mut club);
    for number in 1..=4 {
        club.receive(START, VisitorId(number), &create(SIX_HOURS, Some(10)));
    }
    let room = club.last(ANNA, "room")["room"].clone();
    drop(club);
    let mut club = small(&folder, 50, 4);
    club.tick(START);
    arrive(&mut club);
    club.receive(START, ANNA, &json!({ "type": "enter", "room": room }));
    for message in ["resign", "rematch"] {
        club.receive(START, ANNA, &json!({ "type": message }));
    }
    assert_eq!(club.last(ANNA, "room")["stage"], "playing");
}

/// A player resigns, and another game begins.
fn decide_a_game(club: &mut Tester, now: Duration, loser: VisitorId) {
    club.receive(now, loser, &json!({ "type": "resign" }));
    for visitor in [ANNA, BELA] {
        club.receive(now, visitor, &json!({ "type": "rematch" }));
    }
}

fn rows(club: &mut Tester, now: Duration) -> Value {
    let ratings = json!({ "type": "ratings", "rule": "freestyle" });
    club.receive(now, ANNA, &ratings);
    club.last(ANNA, "ratings")["rows"].clone()
}

/// A rated game that one person has won against another.
pub(crate) fn rated_game(number: u64, winner: PersonId, loser: PersonId) -> FinishedGame {
    FinishedGame {
        number,
        room: RoomId(1),
        setup: RoomSetup {
            rated: true,
            ..setup(OpeningRule::Free, MINUTE)
        },
        players: [winner, loser].map(Occupant::Person),
        names: [String::new(), String::new()],
        black: Some(Seat::First),
        moves: OPENING.concat(),
        outcome: Outcome {
            winner: Some(Seat::First),
            reason: Termination::Resignation,
        },
        ended: START.as_secs(),
        rated: true,
        weight: 1.0,
        private: false,
        one_address: false,
    }
}

/// A table was once cut after two hundred rows: who stood below did not find themselves.
#[test]
fn a_long_table_has_the_own_place() {
    let folder = TempDir::new().unwrap();
    let mut club = small(&folder, 50, 1);
    club.arrive(START, ANNA);
    club.receive(START, ANNA, &json!({ "type": "rename", "name": "Anna" }));
    drop(club);
    let mut store = ClubStore::open(Some(&folder.path().join("club"))).unwrap();
    let mut kept = store.load().unwrap();
    let anna = kept.people[0].0;
    for number in 0..=u8::MAX {
        let other = PersonId([number; 32]);
        kept.ratings.add(&rated_game(1, other, anna), |_| false);
    }
    let mut club = Tester {
        club: Club::new(Limits::default(), kept, || 0),
        store,
        letters: Vec::new(),
        jobs: Vec::new(),
    };
    club.arrive(START, ANNA);
    let rows = rows(&mut club, START);
    let shown = rows.as_array().unwrap().iter();
    let places: Vec<u64> = shown.map(|row| row["place"].as_u64().unwrap()).collect();
    let expected: Vec<u64> = (1..=200).chain([257]).collect();
    assert_eq!(places, expected);
    assert_eq!(rows[200]["name"], "Anna");
}

/// Two keys once made 213 rated wins in half a minute.
#[test]
fn pairings_that_repeat_count_less_and_then_nothing() {
    let folder = TempDir::new().unwrap();
    let mut club = small(&folder, 50, 1);
    club.begin(START, MINUTE);
    let mut points = Vec::new();
    for _ in 0..20 {
        let players = if club.last(ANNA, "seat")["seat"] == "first" {
            [ANNA, BELA]
        } else {
            [BELA, ANNA]
        };
        for (ply, point) in OPENING.into_iter().enumerate() {
            club.receive(START, players[ply % 2], &play(point, ply));
        }
        decide_a_game(&mut club, START, BELA);
        points.push(rows(&mut club, START)[0]["points"].as_i64().unwrap() - 1200);
    }
    assert_eq!(points[0], 10);
    assert!(points[19] < 40, "{points:?}");
    assert_eq!(points[8], points[19], "{points:?}");
    // What did not count is not listed as rated.
    let games = club.games_of_anna(START);
    let is_rated = |game: &Value| (game["rated"].clone(), game["setup"]["rated"].clone());
    assert_eq!(is_rated(&games[0]), (json!(false), json!(false)));
    assert_eq!(is_rated(&games[19]), (json!(true), json!(true)));
    assert_eq!(rows(&mut club, START)[0]["provisional"], true);
    // Who is kept out keeps nothing of it, and gives nothing.
    let before = rows(&mut club, START);
    let name = before[1]["name"].as_str().unwrap();
    club.club.ban(name, true).unwrap();
    assert!(rate_anew(&mut club, 5).is_some(), "not all games");
    assert!(rate_anew(&mut club, u64::MAX).is_none());
    assert_eq!(rows(&mut club, START), json!([]));
    // Who is kept out when the ratings come is another: they are of no use.
    let stale = club.club.recomputation();
    club.club.ban(name, false).unwrap();
    assert!(club.club.take_over(stale).is_none());
    assert_eq!(rows(&mut club, START), json!([]));
    assert!(rate_anew(&mut club, u64::MAX).is_none());
    assert_eq!(rows(&mut club, START), before);
    // After a restart they are what they were.
    drop(club);
    let mut club = small(&folder, 50, 1);
    club.arrive(START, ANNA);
    assert_eq!(rows(&mut club, START), before);
}

/// Recomputes all ratings by the first games, and returns what the club does not take over.
fn rate_anew(club: &mut Tester, games: u64) -> Option<RatingRecomputation> {
    let mut reckoning = club.club.recomputation();
    let kept = club.store.reader().unwrap();
    let add = |game: FinishedGame| {
        if game.number <= games {
            reckoning.add(&game);
        }
    };
    kept.for_each_game(1, add).unwrap();
    let left = club.club.take_over(reckoning);
    club.settle();
    left
}

/// Who is kept out by address has no new key either, and others come in.
#[test]
fn bans_of_addresses_outlive_a_restart() {
    let folder = TempDir::new().unwrap();
    let mut club = small(&folder, 50, 1);
    club.begin(START, MINUTE);
    club.club
        .ban_addresses("127.0.0.0/8".parse().unwrap(), true);
    club.settle();
    assert_eq!(club.last(ANNA, "error")["code"], "banned");
    let stranger = VisitorId(50);
    club.arrive(START, stranger);
    assert_eq!(club.last(stranger, "error")["code"], "banned");
    drop(club);
    let mut club = small(&folder, 50, 1);
    club.arrive(START, stranger);
    assert_eq!(club.last(stranger, "error")["code"], "banned");
    let other = VisitorId(51);
    club.club
        .arrive(other, "192.0.2.1".parse().unwrap(), Admission::All);
    let hello = json!({ "type": "hello", "version": 1, "key": format!("{:032x}", 51) });
    club.receive(START, other, &hello);
    assert_eq!(club.last(other, "welcome")["type"], "welcome");
    club.club
        .ban_addresses("127.0.0.0/8".parse().unwrap(), false);
    club.settle();
    club.arrive(START, stranger);
    assert_eq!(club.last(stranger, "welcome")["type"], "welcome");
}

/// A key of zeros would be shared by all who type one without having a key.
#[test]
fn zeros_are_no_key() {
    let folder = TempDir::new().unwrap();
    let mut club = small(&folder, 50, 1);
    club.arrive(START, VisitorId(0));
    assert_eq!(club.last(VisitorId(0), "error")["code"], "key");
}
