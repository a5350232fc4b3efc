//! How players find each other, what they say, and how their games are found.

use crate::MINUTE;
use crate::club::{ANNA, BELA, OPENING, START, Tester};
use crate::messages::{
    challenge, create, decline, enter, enter_and_sit, key_of, quick, rated, rename, unrated,
};
use quincunx_club::rooms::{
    Action, ClubMessage, ClubRequest, GameFilter, Limits, NewRoom, Phrase, RoomId, Stage, VisitorId,
};
use quincunx_engine::game::swap::Seat;
use quincunx_engine::rules::Rule;
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
        club.say(visitor, &rename(name));
    }
    club
}

/// The visitor's room, and how it stands.
fn room(club: &Tester, visitor: VisitorId) -> (RoomId, Stage) {
    let state = &club.room(visitor).state;
    (state.room, state.stage)
}

/// A game that Anna wins, after so many stones.
fn win(club: &mut Tester, now: Duration, loser: VisitorId, stones: usize) {
    club.begin_in(now, [ANNA, loser], &create(rated()));
    club.play_stones(now, [ANNA, loser], &OPENING[..stones]);
    club.receive(now, loser, &Action::Resign);
}

#[test]
fn strangers_meet_where_ratings_are_nearest() {
    let folder = TempDir::new().unwrap();
    let mut club = three(&folder);
    win(&mut club, START, BELA, 8);
    let other = unrated();
    club.say(ANNA, &quick(rated()));
    let (of_anna, stage) = room(&club, ANNA);
    assert_eq!(stage, Stage::Waiting);
    // Another setup, and the own room, are no match; who waits goes on waiting.
    club.say(BELA, &quick(other));
    let (of_bela, stage) = room(&club, BELA);
    assert_eq!(stage, Stage::Waiting);
    club.say(ANNA, &quick(rated()));
    assert_eq!(room(&club, ANNA).0, of_anna);
    club.say(BELA, &ClubRequest::Close);
    assert_eq!(club.closed(BELA), of_bela);
    club.say(BELA, &create(rated()));
    // A newcomer's 1500 is as far from both; Dora has lost too, and is nearer to Béla.
    let dora = VisitorId(4);
    club.arrive_as(START, dora, "Dora");
    win(&mut club, START, dora, 8);
    club.say(ANNA, &enter(of_anna));
    club.say(dora, &quick(rated()));
    let (number, stage) = room(&club, dora);
    assert_eq!((number, stage), (room(&club, BELA).0, Stage::Playing));
    club.say(CARL, &quick(rated()));
    assert_eq!(room(&club, CARL), (of_anna, Stage::Playing));
}

#[test]
fn a_challenge_is_for_one_person() {
    let folder = TempDir::new().unwrap();
    let mut club = three(&folder);
    let challenge = |name: &str| challenge(rated(), name);
    for (name, error) in [("Nobody", "nobody"), ("anna", "own_game")] {
        club.say(ANNA, &challenge(name));
        assert_eq!(club.error(ANNA), error);
    }
    club.say(ANNA, &challenge("béla"));
    let (number, _) = room(&club, ANNA);
    assert_eq!(club.challenge(BELA).room, number);
    let sit = enter_and_sit(number);
    club.say(CARL, &sit);
    assert_eq!(club.error(CARL), "seated");
    club.say(CARL, &quick(rated()));
    assert_ne!(room(&club, CARL).0, number);
    // It is there for who comes back, also after a restart, and in no list.
    club.club.leave(START, BELA);
    drop(club);
    let mut club = Tester::open(&folder.path().join("club"), Limits::default());
    club.arrive(START, ANNA);
    club.arrive(START, BELA);
    assert_eq!(club.challenge(BELA).room, number);
    let lobby = club.lobby(BELA);
    assert_eq!(lobby.here[0].name, "Anna");
    assert!(lobby.open.iter().all(|it| it.room != number), "{lobby:?}");
    club.say(CARL, &decline(number));
    club.say(BELA, &sit);
    assert_eq!(room(&club, BELA).1, Stage::Playing);
    club.say(BELA, &decline(number));
    assert_eq!(club.error(BELA), "no_room");
    club.say(ANNA, &challenge("Béla"));
    let (second, _) = room(&club, ANNA);
    club.say(BELA, &decline(second));
    assert_eq!(club.closed(ANNA), second);
    // No player is called again and again.
    for _ in 0..30 {
        club.say(ANNA, &challenge("Béla"));
        club.say(ANNA, &ClubRequest::Close);
    }
    let errors = club.count(
        0,
        ANNA,
        |it| matches!(it, ClubMessage::Error { code, .. } if code == "too_often"),
    );
    assert!(errors >= 5);
}

/// Who came while the challenger's page was being loaded was not told of the challenge, neither
/// then nor later.
#[test]
fn a_challenge_is_sent_again_when_the_challenger_is_back() {
    let folder = TempDir::new().unwrap();
    let mut club = three(&folder);
    club.club.leave(START, BELA);
    club.say(ANNA, &challenge(rated(), "Béla"));
    let (number, _) = room(&club, ANNA);
    club.club.leave(START, ANNA);
    club.arrive(START, BELA);
    assert_eq!(club.challenges(BELA), 0, "no challenger is here");
    // One who came and went again and again once called Béla each time.
    for _ in 0..10 {
        club.arrive(START, ANNA);
        club.club.leave(START, ANNA);
    }
    club.arrive(START, ANNA);
    club.tick(START + Duration::from_millis(500));
    assert_eq!(club.challenges(BELA), 1);
    assert_eq!(club.challenge(BELA).room, number);
}

/// A second tab of a player in the same room once showed them as a watcher.
#[test]
fn every_tab_of_a_player_has_the_seat() {
    let folder = TempDir::new().unwrap();
    let mut club = three(&folder);
    club.say(ANNA, &create(rated()));
    let tab = VisitorId(50);
    club.arrive_with(START, tab, &key_of(BELA));
    let enter = enter(room(&club, ANNA).0);
    for visitor in [BELA, tab] {
        club.say(visitor, &enter);
    }
    club.say(BELA, &ClubRequest::Sit);
    for visitor in [BELA, tab] {
        assert_eq!(club.seat(visitor), Some(Seat::Second));
    }
}

/// A tab that was closed once moved its player's room to the top of the list.
#[test]
fn a_tab_that_is_closed_moves_no_room() {
    let folder = TempDir::new().unwrap();
    let mut club = three(&folder);
    let create = create(rated());
    let second = Duration::from_secs(1);
    club.say(ANNA, &create);
    club.receive(START + second, BELA, &create);
    let tab = VisitorId(50);
    club.arrive_with(START + second, tab, &key_of(ANNA));
    club.club.leave(START + second * 2, tab);
    club.tick(START + second * 3);
    let open = &club.lobby(CARL).open;
    let first = |room: usize| open[room].seats[0].as_ref().unwrap().name.as_deref();
    assert_eq!([first(0), first(1)], [Some("Béla"), Some("Anna")]);
}

/// The engine has the other seat: a challenge beside it once reached no person, and was charged.
#[test]
fn a_game_against_the_engine_is_no_challenge() {
    let folder = TempDir::new().unwrap();
    let mut club = three(&folder);
    let create = |engine: Option<u8>| {
        ClubRequest::Create(NewRoom {
            engine,
            opponent: Some("Béla".to_owned()),
            ..NewRoom::of(rated())
        })
    };
    for _ in 0..30 {
        club.say(ANNA, &create(Some(50)));
        assert_eq!(club.error(ANNA), "seated");
    }
    assert_eq!(club.club.statistics().playing, 0);
    club.say(ANNA, &create(None));
    assert_eq!(club.challenge(BELA).room, room(&club, ANNA).0);
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
        club.say(CARL, &ClubRequest::Create(NewRoom::of(rated())));
    }
    let challenge = challenge(rated(), "Béla");
    for _ in 0..30 {
        club.say(ANNA, &challenge);
        assert_eq!(club.error(ANNA), "too_many_rooms");
    }
    club.say(CARL, &ClubRequest::Close);
    club.say(ANNA, &challenge);
    assert_eq!(club.challenge(BELA).room, room(&club, ANNA).0);
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
    let challenge = challenge(rated(), "Béla");
    for _ in 0..20 {
        club.say(ANNA, &challenge);
        club.say(ANNA, &ClubRequest::Close);
    }
    // Rooms that give way: no player waits in them.
    for _ in 0..2 {
        club.say(CARL, &ClubRequest::Create(NewRoom::of(rated())));
    }
    club.club.leave(START, CARL);
    club.say(ANNA, &challenge);
    assert_eq!(club.error(ANNA), "too_often");
    assert_eq!(club.club.statistics().waiting, 2);
}

#[test]
fn phrases_are_sent_and_limited() {
    let folder = TempDir::new().unwrap();
    let mut club = three(&folder);
    let number = club.begin(START, MINUTE);
    club.say(CARL, &enter(number));
    let say = ClubRequest::Say {
        phrase: Phrase::GoodLuck,
    };
    club.say(CARL, &say);
    assert_eq!(club.error(CARL), "watching");
    club.say(ANNA, &say);
    for visitor in [ANNA, BELA, CARL] {
        assert_eq!(club.said(visitor), (Seat::First, Phrase::GoodLuck));
    }
    for _ in 0..9 {
        club.say(ANNA, &say);
    }
    let said = club.count(0, BELA, |it| matches!(it, ClubMessage::Said { .. }));
    assert_eq!((said, club.error(ANNA)), (6, "too_often"));
    let free = r#"{ "type": "say", "phrase": "what I think of you" }"#;
    club.receive_text(START, ANNA, free);
    assert_eq!(club.error(ANNA), "message");
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
