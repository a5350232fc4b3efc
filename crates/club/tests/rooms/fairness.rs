//! What players, makers of tournaments and makers of engines' accounts can't take from others.

use crate::club::{ANNA, BELA, FROM, START, Tester, play};
use crate::tournament::{Evening, NAMES, SWISS, visitor};
use crate::{MINUTE, ms, setup};
use quincunx_club::rooms::{Admission, ClockRule, Limits, VisitorId};
use quincunx_engine::game::swap::OpeningRule;
use serde_json::{Value, json};
use std::time::Duration;
use tempfile::TempDir;

/// A club in a folder with these limits, whose clock runs.
fn club(folder: &TempDir, limits: Limits) -> Tester {
    let mut club = Tester::open(&folder.path().join("club"), limits);
    club.tick(START);
    club
}

fn code(club: &Tester, visitor: VisitorId) -> &str {
    club.last(visitor, "error")["code"].as_str().unwrap()
}

fn say(club: &mut Tester, visitor: VisitorId, kind: &str) {
    club.receive(START, visitor, &json!({ "type": kind }));
}

fn enter(club: &mut Tester, visitor: VisitorId, room: &str) {
    let message = json!({ "type": "enter", "room": room });
    club.receive(START, visitor, &message);
}

fn name(club: &mut Tester, visitor: VisitorId, name: &str) {
    club.receive(START, visitor, &json!({ "type": "rename", "name": name }));
}

/// Rooms with a game that is over count for no limit, and each of them once gave another game
/// for the asking.
#[test]
fn a_rematch_passes_no_limit() {
    let folder = TempDir::new().unwrap();
    let limits = Limits {
        engines: 2,
        rooms_of_one: 4,
        ..Limits::default()
    };
    let mut club = club(&folder, limits);
    club.arrive(START, ANNA);
    let setup = setup(OpeningRule::Free, MINUTE);
    let create = json!({ "type": "create", "seat": "first", "setup": setup, "engine": 10 });
    let rooms: Vec<String> = (0..4)
        .map(|_| {
            club.receive(START, ANNA, &create);
            say(&mut club, ANNA, "resign");
            club.last(ANNA, "room")["room"].as_str().unwrap().to_owned()
        })
        .collect();
    for (number, room) in rooms.iter().enumerate() {
        enter(&mut club, ANNA, room);
        say(&mut club, ANNA, "rematch");
        let stage = if number < 2 { "playing" } else { "over" };
        assert_eq!(club.last(ANNA, "room")["stage"], stage, "{number}");
    }
    assert_eq!(code(&club, ANNA), "engines");
    // Two games of theirs are played, and two more may be.
    club.arrive(START, BELA);
    let create = json!({ "type": "create", "seat": "first", "setup": setup });
    let rooms: Vec<String> = (0..3)
        .map(|_| {
            club.receive(START, ANNA, &create);
            let room = club.last(ANNA, "room")["room"].as_str().unwrap().to_owned();
            enter(&mut club, BELA, &room);
            say(&mut club, BELA, "sit");
            club.receive(START, ANNA, &play("h8", 0));
            club.receive(START, BELA, &play("i9", 1));
            say(&mut club, BELA, "resign");
            room
        })
        .collect();
    for (number, room) in rooms.iter().enumerate() {
        enter(&mut club, ANNA, room);
        enter(&mut club, BELA, room);
        say(&mut club, ANNA, "rematch");
        say(&mut club, BELA, "rematch");
        let stage = if number < 2 { "playing" } else { "over" };
        assert_eq!(club.last(BELA, "room")["stage"], stage, "{number}");
    }
    assert_eq!(code(&club, ANNA), "too_many_of_yours");
    // Whose opponent has too many was once told to leave one.
    assert_eq!(code(&club, BELA), "too_many_rooms");
}

/// A player who wanted another game and went away found it begun, and lost by a claim.
#[test]
fn no_other_game_begins_without_one_who_wanted_it() {
    let folder = TempDir::new().unwrap();
    let mut club = club(&folder, Limits::default());
    let room = club.begin(START, MINUTE);
    say(&mut club, ANNA, "resign");
    say(&mut club, ANNA, "rematch");
    assert_eq!(club.last(BELA, "room")["rematch_wish"], "first");
    club.club.leave(START, ANNA);
    say(&mut club, BELA, "rematch");
    let state = club.last(BELA, "room");
    assert_eq!(
        (&state["stage"], &state["rematch_wish"]),
        (&json!("over"), &json!("second"))
    );
    // Now Béla wants one.
    club.arrive(START, ANNA);
    enter(&mut club, ANNA, &room);
    say(&mut club, ANNA, "rematch");
    assert_eq!(club.last(BELA, "room")["stage"], "playing");
}

/// It is no call to the other player for as long as the room is there.
#[test]
fn a_wish_for_another_game_ends_when_its_player_stays_away() {
    let folder = TempDir::new().unwrap();
    let mut club = club(&folder, Limits::default());
    club.begin(START, MINUTE);
    say(&mut club, ANNA, "resign");
    say(&mut club, ANNA, "rematch");
    club.club.leave(START, ANNA);
    club.tick(START + ms(59_000));
    assert_eq!(club.last(BELA, "room")["rematch_wish"], "first");
    club.tick(START + ms(60_000));
    assert_eq!(club.last(BELA, "room")["rematch_wish"], json!(null));
}

/// A wish once ended with the connection of its player, who called the other by each new one.
#[test]
fn a_player_who_connects_again_calls_no_other() {
    let folder = TempDir::new().unwrap();
    let mut club = club(&folder, Limits::default());
    let room = club.begin(START, MINUTE);
    say(&mut club, ANNA, "resign");
    say(&mut club, ANNA, "rematch");
    let told = club.letters.len();
    for _ in 0..10 {
        club.club.leave(START, ANNA);
        club.arrive(START, ANNA);
        enter(&mut club, ANNA, &room);
        say(&mut club, ANNA, "rematch");
    }
    assert_eq!(code(&club, ANNA), "offer", "it stands");
    club.tick(START + ms(500));
    let news = club.letters[told..].iter().filter(|(to, _)| *to == BELA);
    let kinds: Vec<&Value> = news.map(|(_, it)| &it["type"]).collect();
    assert_eq!(kinds, ["room"]);
}

/// The same where the server was started again meanwhile: the wish waits for its player.
#[test]
fn a_wish_for_another_game_begins_none_after_a_restart_without_its_player() {
    let folder = TempDir::new().unwrap();
    let mut club = club(&folder, Limits::default());
    let room = club.begin(START, MINUTE);
    say(&mut club, BELA, "resign");
    say(&mut club, BELA, "rematch");
    drop(club);
    let path = folder.path().join("club");
    let mut club = Tester::open(&path, Limits::default());
    club.tick(START);
    club.arrive(START, ANNA);
    enter(&mut club, ANNA, &room);
    assert_eq!(club.last(ANNA, "room")["rematch_wish"], "second");
    say(&mut club, ANNA, "rematch");
    let shown = club.last(ANNA, "room");
    assert_eq!(
        (&shown["stage"], &shown["rematch_wish"]),
        (&json!("over"), &json!("first"))
    );
    drop(club);
    let mut club = Tester::open(&path, Limits::default());
    club.tick(START);
    club.arrive(START, BELA);
    enter(&mut club, BELA, &room);
    let back_by = START + Limits::default().grace;
    club.tick(back_by + ms(59_000));
    assert_eq!(club.last(BELA, "room")["rematch_wish"], "first");
    club.tick(back_by + ms(60_000));
    assert_eq!(club.last(BELA, "room")["rematch_wish"], json!(null));
}

/// What a player had sent before they were shut out was once followed after it.
#[test]
fn banned_visitors_are_ignored() {
    let folder = TempDir::new().unwrap();
    let mut club = club(&folder, Limits::default());
    club.begin(START, MINUTE);
    name(&mut club, ANNA, "Anna");
    club.club.ban("Anna", true).unwrap();
    club.receive(START, ANNA, &play("h8", 0));
    assert_eq!(club.last(BELA, "room")["stones"], json!([]));
    let refused = club.club.statistics().refused;
    let key = format!("{:032x}", 77);
    let hello = json!({ "type": "hello", "version": 1, "key": key });
    club.receive(START, ANNA, &hello);
    assert_eq!(club.club.statistics().refused, refused);
    club.club.leave(START, ANNA);
    assert_eq!(club.club.statistics().visitors, 1);
}

/// A message that is none once came back whole.
#[test]
fn long_nonsense_has_a_short_answer() {
    let folder = TempDir::new().unwrap();
    let mut club = club(&folder, Limits::default());
    club.arrive(START, ANNA);
    for (kind, is_long) in [("nonsense".to_owned(), false), ("é".repeat(1900), true)] {
        say(&mut club, ANNA, &kind);
        let error = club.last(ANNA, "error");
        let text = error["text"].as_str().unwrap();
        assert_eq!(error["code"], "message");
        assert_eq!(text.contains("`offer_draw`"), !is_long, "{text}");
        assert!(text.chars().count() <= 1000, "{text}");
    }
}

/// A restart takes the connections of all: no player loses by having been cut off with it.
#[test]
fn no_win_is_claimed_where_the_server_was_away() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("club");
    let hours = ClockRule::SuddenDeath {
        main_ms: 6 * 3_600_000,
    };
    let room = {
        let mut club = Tester::open(&path, Limits::default());
        club.tick(START);
        club.begin(START, hours)
    };
    let mut club = Tester::open(&path, Limits::default());
    let claim = json!({ "type": "claim" });
    club.tick(START);
    club.arrive(START, ANNA);
    enter(&mut club, ANNA, &room);
    for (seconds, retry) in [(0, 60), (60, 60), (119, 1)] {
        let now = START + Duration::from_secs(seconds);
        club.tick(now);
        club.receive(now, ANNA, &claim);
        assert_eq!(club.last(ANNA, "error")["retry_s"], retry, "{seconds}");
    }
    club.receive(START + Duration::from_secs(120), ANNA, &claim);
    assert_eq!(club.last(ANNA, "room")["outcome"]["reason"], "forfeit");
}

/// A pair that repeats was once forgotten after thirty quick games with a third player.
#[test]
fn games_with_others_hide_no_pairing_that_repeats() {
    let folder = TempDir::new().unwrap();
    let mut club = club(&folder, Limits::default());
    let carl = VisitorId(3);
    for (visitor, name) in [(ANNA, "Anna"), (BELA, "Béla"), (carl, "Carl")] {
        club.arrive_as(START, visitor, name);
    }
    let setup = quincunx_club::rooms::RoomSetup {
        rated: true,
        ..setup(OpeningRule::Free, MINUTE)
    };
    let create = json!({ "type": "create", "seat": "first", "setup": setup });
    let mut game = |other: VisitorId, stones: usize| {
        club.receive(START, ANNA, &create);
        let room = club.last(ANNA, "room")["room"].as_str().unwrap().to_owned();
        enter(&mut club, other, &room);
        say(&mut club, other, "sit");
        for (ply, point) in crate::club::OPENING.into_iter().take(stones).enumerate() {
            club.receive(START, [ANNA, other][ply % 2], &play(point, ply));
        }
        say(&mut club, other, "resign");
        club.last(ANNA, "room")["rating_changes"][0].clone()
    };
    for number in 0..7 {
        let counts = game(BELA, 8) != json!(null);
        assert_eq!(counts, number < 6, "{number}");
    }
    for _ in 0..31 {
        game(carl, 2);
    }
    assert_eq!(game(BELA, 8), json!(null));
}

#[test]
fn a_game_that_is_called_off_is_listed_nowhere() {
    let folder = TempDir::new().unwrap();
    let mut club = club(&folder, Limits::default());
    club.begin(START, MINUTE);
    club.receive(START, ANNA, &play("h8", 0));
    say(&mut club, BELA, "abort");
    assert_eq!(club.last(ANNA, "room")["stage"], "over");
    assert_eq!(club.club.statistics().games, 0);
}

/// Two visitors could fill the disk with games that they resigned at once: each was kept for ever.
/// It also seemed to change ratings as the game before it in its room had.
#[test]
fn a_game_that_is_resigned_at_once_is_listed_nowhere() {
    let folder = TempDir::new().unwrap();
    let mut club = club(&folder, Limits::default());
    club.begin(START, MINUTE);
    club.play_opening(START);
    say(&mut club, BELA, "resign");
    let won = club.last(ANNA, "room")["rating_changes"][0].as_i64();
    assert!(won.is_some_and(|won| won > 0));
    for visitor in [ANNA, BELA] {
        say(&mut club, visitor, "rematch");
    }
    club.receive(START, BELA, &play("h8", 0));
    say(&mut club, ANNA, "resign");
    let over = club.last(ANNA, "room");
    assert_eq!(over["outcome"]["reason"], "resignation");
    assert_eq!(over["rating_changes"], json!([null, null]));
    assert_eq!(club.club.statistics().games, 1);
}

/// Accounts of engines answer to their maker: they are few, make no others, raise no rating
/// of the maker, and are kept out with them.
#[test]
fn accounts_of_engines_are_no_second_self() {
    let folder = TempDir::new().unwrap();
    let mut club = club(&folder, Limits::default());
    club.arrive(START, ANNA);
    name(&mut club, ANNA, "Anna");
    for number in 0..6 {
        let make = json!({ "type": "make_bot", "name": format!("Engine of Anna {number}") });
        club.receive(START, ANNA, &make);
    }
    assert_eq!(code(&club, ANNA), "too_many_bots");
    let token = club.last(ANNA, "token")["token"].clone();
    let bot = VisitorId(50);
    club.club.arrive(bot, FROM, Admission::All);
    let hello = json!({ "type": "hello", "version": 1, "key": token });
    club.receive(START, bot, &hello);
    club.receive(
        START,
        bot,
        &json!({ "type": "make_bot", "name": "Another" }),
    );
    assert_eq!(code(&club, bot), "bot");
    let setup = quincunx_club::rooms::RoomSetup {
        rated: true,
        ..setup(OpeningRule::Free, MINUTE)
    };
    let create = json!({ "type": "create", "seat": "first", "setup": setup });
    club.receive(START, ANNA, &create);
    let room = club.last(ANNA, "room")["room"].as_str().unwrap().to_owned();
    enter(&mut club, bot, &room);
    say(&mut club, bot, "sit");
    for (ply, point) in crate::club::OPENING.into_iter().enumerate() {
        club.receive(START, [ANNA, bot][ply % 2], &play(point, ply));
    }
    say(&mut club, bot, "resign");
    let over = club.last(ANNA, "room");
    assert_eq!(over["rating_changes"], json!([null, null]), "{over}");
    club.club.ban("Anna", true).unwrap();
    club.settle();
    assert_eq!(code(&club, bot), "banned");
    club.club.ban("Anna", false).unwrap();
    assert!(club.club.recomputation().next() == 1 && club.club.ban("Nobody", true).is_err());
}

/// The maker plays too, and loses: neither taking the opponent out nor ending the tournament
/// takes the opponent's win away, or gives the maker one.
#[test]
fn a_maker_takes_no_game_away() {
    let folder = TempDir::new().unwrap();
    for (number, act) in ["remove_player", "end_tournament"].into_iter().enumerate() {
        let path = folder.path().join(number.to_string());
        let mut evening = Evening::begin(&path, 2, SWISS);
        let (first, second, room) = evening.tables()[0].clone();
        let room = room.unwrap();
        for player in [first, second] {
            evening.say(player, json!({ "type": "enter", "room": room }));
        }
        evening.wait(1);
        for (ply, point) in crate::club::OPENING.into_iter().enumerate() {
            evening.say([first, second][ply % 2], play(point, ply));
        }
        evening.look(0);
        evening.say(0, json!({ "type": act, "name": NAMES[1] }));
        let shown = evening.club.last(visitor(1), "room").clone();
        assert_eq!(shown["stage"], "playing", "{act}: {shown}");
        evening.say(0, json!({ "type": "enter", "room": room }));
        evening.say(0, json!({ "type": "resign" }));
        let over = evening.club.last(visitor(1), "room");
        let own = usize::from(over["seats"][1]["name"] == NAMES[1]);
        let change = over["rating_changes"][own].as_i64();
        assert!(change.is_some_and(|change| change > 0), "{act}: {over}");
    }
}

/// Who was taken out comes in again by the maker only.
#[test]
fn a_player_who_was_taken_out_stays_out() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("club");
    let mut evening = Evening::open(&path, 3, SWISS);
    let remove = json!({ "type": "remove_player", "name": NAMES[2] });
    evening.say(0, remove);
    evening.say(2, json!({ "type": "join_tournament" }));
    assert_eq!(evening.error(2), "removed");
    evening.restart(&path);
    evening.look(2);
    evening.say(2, json!({ "type": "join_tournament" }));
    assert_eq!(evening.error(2), "removed");
    evening.say(0, json!({ "type": "add_player", "name": NAMES[2] }));
    evening.say(2, json!({ "type": "withdraw" }));
    evening.say(2, json!({ "type": "join_tournament" }));
    evening.wait(1);
    assert_eq!(evening.shown(0)["players"], 3);
}

/// Seven people from one address once had all tournaments of a club for a week.
#[test]
fn one_address_does_not_get_all_tournaments() {
    let folder = TempDir::new().unwrap();
    let limits = Limits {
        tournaments: 4,
        ..Limits::default()
    };
    let mut club = club(&folder, limits);
    let create = |number: u64| {
        let setup = setup(OpeningRule::Free, MINUTE);
        json!({
            "type": "create_tournament", "name": format!("Evening {number}"), "setup": setup,
            "system": { "kind": "swiss", "rounds": 2 }, "no_show_s": 300, "pause_s": 60,
        })
    };
    let makers = [1, 2, 3, 4].map(VisitorId);
    for maker in makers {
        club.arrive(START, maker);
        name(&mut club, maker, &format!("Maker {}", maker.0));
        club.receive(START, maker, &create(maker.0));
    }
    let made = |club: &Tester| {
        let all = club.club.list_tournaments(99);
        let mut makers: Vec<String> = all.into_iter().map(|it| it.maker).collect();
        makers.sort();
        makers
    };
    // Within the share of the address the oldest without other players gives way.
    assert_eq!(made(&club), ["Maker 2", "Maker 3", "Maker 4"]);
    let come = |club: &mut Tester, visitor: VisitorId, from: [u8; 4]| {
        club.arrive_from(visitor, from);
        name(club, visitor, &format!("Visitor {}", visitor.0));
        club.receive(START, visitor, &create(visitor.0));
    };
    let (bela, dora) = (VisitorId(9), VisitorId(10));
    come(&mut club, bela, [192, 0, 2, 1]);
    club.receive(START, bela, &create(1));
    assert_eq!(code(&club, bela), "open_tournament");
    // All are taken: one of the address with the most of them gives way, but not to its own people.
    come(&mut club, dora, [192, 0, 2, 2]);
    assert_eq!(
        made(&club),
        ["Maker 3", "Maker 4", "Visitor 10", "Visitor 9"]
    );
    club.receive(START, makers[0], &create(1));
    assert_eq!(code(&club, makers[0]), "too_many_tournaments");
    // One whose people are all gone gives way.
    club.club.leave(START, makers[2]);
    club.receive(START, makers[0], &create(1));
    assert_eq!(
        made(&club),
        ["Maker 1", "Maker 4", "Visitor 10", "Visitor 9"]
    );
}

/// A visitor who comes and goes again and again once had the whole room told each time.
#[test]
fn spectators_are_notified_apart_from_players() {
    let folder = TempDir::new().unwrap();
    let mut club = club(&folder, Limits::default());
    let room = club.begin(START, MINUTE);
    let carl = VisitorId(3);
    club.arrive(START, carl);
    let told = club.letters.len();
    for _ in 0..10 {
        enter(&mut club, carl, &room);
        say(&mut club, carl, "leave");
    }
    let rooms = |to: VisitorId| {
        let theirs = |(visitor, it): &&(VisitorId, Value)| *visitor == to && it["type"] == "room";
        club.letters[told..].iter().filter(theirs).count()
    };
    assert_eq!((rooms(ANNA), rooms(BELA), rooms(carl)), (0, 0, 10));
    enter(&mut club, carl, &room);
    club.receive(START + ms(10), ANNA, &play("h8", 0));
    assert_eq!(club.last(ANNA, "room")["watchers"], 1);
}

/// A player who came and went once had the other told each time, whose connection was full of it
/// and ended.
#[test]
fn presence_is_notified_at_intervals() {
    let folder = TempDir::new().unwrap();
    let mut club = club(&folder, Limits::default());
    let room = club.begin(START, MINUTE);
    let told = club.letters.len();
    for _ in 0..10 {
        say(&mut club, BELA, "leave");
        enter(&mut club, BELA, &room);
        club.club.leave(START, BELA);
        club.arrive(START, BELA);
    }
    for milliseconds in (0..=1000).step_by(50) {
        club.tick(START + ms(milliseconds));
    }
    let is_room = |(to, it): &&(VisitorId, Value)| *to == ANNA && it["type"] == "room";
    assert_eq!(club.letters[told..].iter().filter(is_room).count(), 1);
    assert_eq!(club.last(ANNA, "room")["seats"][1]["here"], false);
}

/// A person who has lost their key has their name and rating again, and a thief has neither.
#[test]
fn a_lost_key_is_replaced() {
    let folder = TempDir::new().unwrap();
    let mut club = club(&folder, Limits::default());
    club.arrive(START, ANNA);
    name(&mut club, ANNA, "Anna");
    assert!(club.club.replace_key("Nobody").is_err());
    let first = club.club.replace_key("Anna").unwrap();
    club.settle();
    assert_eq!(code(&club, ANNA), "old_key");
    let second = club.club.replace_key("Anna").unwrap();
    club.settle();
    drop(club);
    let mut club = Tester::open(&folder.path().join("club"), Limits::default());
    let old = format!("{:032x}", ANNA.0);
    for (number, key, is_hers) in [(11, old, false), (12, first, false), (13, second, true)] {
        let visitor = VisitorId(number);
        club.club.arrive(visitor, FROM, Admission::All);
        let hello = json!({ "type": "hello", "version": 1, "key": key });
        club.receive(START, visitor, &hello);
        let welcome = |(to, it): &&(VisitorId, Value)| *to == visitor && it["type"] == "welcome";
        let greeted = club.letters.iter().find(welcome);
        let name = greeted.map(|(_, it)| it["name"].clone());
        assert_eq!(name == Some(json!("Anna")), is_hers, "{number}");
    }
}
