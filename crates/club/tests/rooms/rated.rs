//! Which games are rated, what they count, and what it costs to call games off.

use crate::club::{ANNA, BELA, OPENING, START, Tester};
use crate::limits::rated_game;
use crate::messages::{create, create_with_engine, enter, new_room, quick, rated, rename, unrated};
use crate::{MINUTE, play};
use quincunx_club::rooms::{
    Action, ClockRule, ClubRequest, FinishedGame, Limits, NewRoom, PersonId, RoomSetup, RoomView,
    Stage, Suspicion, Suspicious, VisitorId, VisitorMessage,
};
use quincunx_engine::game::Termination;
use quincunx_engine::rules::BoardSize;
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

/// The second of two visitors resigns a game after so many stones. Returns the room.
fn win(club: &mut Tester, now: Duration, players: [VisitorId; 2], stones: usize) -> RoomView {
    club.begin_in(now, players, &create(rated()));
    club.play_stones(now, players, &OPENING[..stones]);
    club.receive(now, players[1], &Action::Resign);
    club.room(players[0]).clone()
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
        let create = ClubRequest::Create(NewRoom {
            private,
            engine,
            ..new_room(setup)
        });
        club.say(ANNA, &create);
        let shown = &club.room(ANNA).state.setup;
        assert_eq!(shown.rated, is_rated, "{create:?}");
        match engine {
            Some(_) => club.say(ANNA, &Action::Resign),
            None => club.say(ANNA, &ClubRequest::Close),
        }
    }
    // Who has no name is a guest.
    let (guest, create) = (VisitorId(9), ClubRequest::Create(NewRoom::of(rated())));
    club.arrive(START, guest);
    club.say(guest, &create);
    assert!(!club.room(guest).state.setup.rated);
    club.say(guest, &ClubRequest::Close);
    club.begin_in(START, [ANNA, guest], &create);
    assert!(!club.room(ANNA).state.setup.rated);
    club.say(guest, &rename("Carl"));
    club.begin_in(START, [ANNA, guest], &create);
    assert!(club.room(ANNA).state.setup.rated);
    let quick = quick(rated());
    let other = VisitorId(10);
    club.arrive(START, other);
    club.say(other, &quick);
    assert!(!club.room(other).state.setup.rated);
}

/// Fourteen draws on 5x5 against the engine's highest level once gave the first place.
#[test]
fn games_against_the_engine_change_no_rating() {
    let folder = TempDir::new().unwrap();
    let mut club = club(&folder);
    club.say(ANNA, &create_with_engine(rated(), 100));
    assert!(!club.room(ANNA).state.setup.rated);
    let engine = club.player(ANNA, 1);
    assert_eq!((engine.engine, engine.rating), (Some(100), None));
    assert_eq!(club.ask_for_ratings(START, ANNA), []);
}

/// A resignation at seven stones was once free, and a win at two once raised a rating.
#[test]
fn a_game_counts_once_both_have_moved() {
    let folder = TempDir::new().unwrap();
    let mut club = club(&folder);
    for stones in [2, 7] {
        let over = win(&mut club, START, [ANNA, BELA], stones);
        let changes = over.rating_changes;
        assert!(changes[1].unwrap() < 0, "{over:?}");
        assert_eq!(changes[0], Some(0), "{over:?}");
    }
    let rows = club.ask_for_ratings(START, ANNA);
    assert_eq!((rows.len(), &*rows[0].name), (1, "Béla"));
    let over = win(&mut club, START, [ANNA, BELA], 8);
    assert!(over.rating_changes[0].unwrap() > 0, "{over:?}");
    let over = win(&mut club, START, [ANNA, BELA], 1);
    assert_eq!(over.rating_changes, [None, None]);
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
    let create = create(rated());
    // Returns true if the game counts.
    let over =
        |club: &mut Tester, now, players: [VisitorId; 2], stones, ends: &[(usize, Action)]| {
            club.begin_in(now, players, &create);
            club.play_stones(now, players, &MOVES[..stones]);
            for (player, end) in ends {
                club.receive(now, players[*player], end);
            }
            let over = club.room(players[0]);
            assert_eq!(over.state.stage, Stage::Over);
            over.rating_changes[0].is_some()
        };
    let lost = [(1, Action::Resign)];
    // Anna is no newcomer.
    for _ in 0..5 {
        assert!(over(&mut club, START, [ANNA, BELA], 12, &lost));
    }
    let now = START + Duration::from_secs(24 * 3600);
    for (number, puppet) in puppets.iter().enumerate() {
        for other in [1, 2, 3].map(|by| puppets[(number + by) % puppets.len()]) {
            let draw = [0, 1].map(|player| (player, Action::OfferDraw));
            over(&mut club, now, [*puppet, other], 2, &draw);
        }
    }
    let rated = club.ask_for_ratings(now, ANNA);
    assert_eq!(rated.len(), 2, "{rated:?}");
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
    let list = club.club.suspicious(&suspicion);
    let of_anna = list.iter().find_map(|row| match row {
        Suspicious::Newcomers {
            player, games, of, ..
        } if player == "Anna" => Some((*games, *of)),
        _ => None,
    });
    assert_eq!(of_anna, Some((11, 11)), "{list:?}");
}

/// A stranger once called off 66 games in eight seconds.
#[test]
fn calling_off_costs_a_pause_that_grows() {
    let folder = TempDir::new().unwrap();
    let mut club = club(&folder);
    let quick = quick(rated());
    let (mut now, mut called_off) = (START, 0);
    for _ in 0..66 {
        now += Duration::from_millis(120);
        club.receive(now, ANNA, &quick);
        let told = club.letters.len();
        club.receive(now, BELA, &quick);
        if let Some(code) = club.error_since(told, BELA) {
            assert_eq!(code, "called_off");
            continue;
        }
        club.receive(now, BELA, &Action::Abort);
        called_off += 1;
    }
    assert_eq!(called_off, 1);
    let leave = VisitorMessage::Club(ClubRequest::Leave);
    // To leave before the first move, or to give up, is the same.
    for (end, seconds) in [
        (VisitorMessage::Game(Action::Abort), 20),
        (VisitorMessage::Game(Action::Resign), 40),
        (leave.clone(), 80),
    ] {
        now += Duration::from_secs(1000);
        club.tick(now);
        club.receive(now, ANNA, &quick);
        club.receive(now, BELA, &quick);
        assert_eq!(club.room(BELA).state.stage, Stage::Playing, "{end:?}");
        if end == leave && club.player(BELA, 0).name.as_deref() == Some("Anna") {
            club.receive(now, ANNA, &play("h8", 0));
        }
        club.receive(now, BELA, &end);
        if end == leave {
            now += Duration::from_secs(60);
            club.tick(now);
            now += Duration::from_secs(61);
            club.tick(now);
        }
        club.receive(now, BELA, &quick);
        assert_eq!(club.error(BELA), "called_off");
        assert_eq!(club.retry_s(BELA), Some(seconds));
    }
    // Anna has nothing to wait for, and games against the engine are free.
    club.receive(now, ANNA, &quick);
    assert_eq!(club.room(ANNA).state.stage, Stage::Waiting);
    club.receive(now, BELA, &create_with_engine(rated(), 10));
    assert_eq!(club.room(BELA).state.stage, Stage::Playing);
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
        let setup = unrated();
        let create = ClubRequest::Create(NewRoom {
            private: true,
            ..new_room(setup)
        });
        club.begin_in(START, pair, &create);
        club.play_stones(START, pair, &OPENING[..2]);
        club.say(pair[0], &Action::Resign);
        for guest in pair {
            club.club.leave(START, guest);
        }
    }
    let quick = quick(unrated());
    let mut come = |number: u64, now| {
        let guest = VisitorId(number);
        club.arrive(now, guest);
        club.receive(now, ANNA, &quick);
        let told = club.letters.len();
        club.receive(now, guest, &quick);
        let refused = club.error_since(told, guest).is_some();
        let wait = refused.then(|| club.retry_s(guest).unwrap());
        if wait.is_none() {
            club.receive(now, guest, &Action::Abort);
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
    assert_eq!(club.room(VisitorId(301)).state.stage, Stage::Playing);
}

/// Private games of two moves with an own second account once undid every pause.
#[test]
fn a_pause_is_forgiven_by_a_game_that_others_can_see() {
    let folder = TempDir::new().unwrap();
    let mut club = club(&folder);
    let carl = VisitorId(3);
    club.arrive_from(carl, [192, 0, 2, 7]);
    club.say(carl, &rename("Carl"));
    let create = create(rated());
    // The pause of Anna, who calls a game off.
    let call_off = |club: &mut Tester, now| {
        club.begin_in(now, [BELA, ANNA], &create);
        club.receive(now, ANNA, &Action::Abort);
        club.receive(now, ANNA, &create);
        club.retry_s(ANNA).unwrap()
    };
    let play_on = |club: &mut Tester, now, players: [VisitorId; 2], stones: usize| {
        club.play_stones(now, players, &MOVES[..stones]);
        club.receive(now, players[0], &Action::Resign);
        let over = club.room(players[0]);
        assert_eq!(over.board.stones.len(), stones);
        let reason = over.state.outcome.unwrap().reason;
        assert_eq!(reason, Termination::Resignation);
    };
    let at = |step: u64| START + Duration::from_secs(700 * step);
    assert_eq!(call_off(&mut club, at(0)), 10);
    // From one address, and in few moves.
    club.begin_in(at(1), [BELA, ANNA], &create);
    play_on(&mut club, at(1), [BELA, ANNA], 12);
    assert_eq!(call_off(&mut club, at(1)), 20);
    club.begin_in(at(2), [carl, ANNA], &create);
    play_on(&mut club, at(2), [carl, ANNA], 11);
    let room = club.room(carl).state.room;
    assert_eq!(call_off(&mut club, at(2)), 40);
    // A rematch needs no wait, and forgives none.
    club.receive(at(2), ANNA, &enter(room));
    club.receive(at(2), ANNA, &Action::Rematch);
    club.receive(at(2), carl, &Action::Rematch);
    play_on(&mut club, at(2), [ANNA, carl], 12);
    assert_eq!(call_off(&mut club, at(3)), 80);
    club.begin_in(at(4), [carl, ANNA], &create);
    play_on(&mut club, at(4), [carl, ANNA], 12);
    assert_eq!(call_off(&mut club, at(4)), 80);
}

/// Calling a game off costs nothing if the opponent does not begin. A draw that they offered once
/// began the time anew.
#[test]
fn an_opponent_who_does_not_begin_is_not_waited_for() {
    let folder = TempDir::new().unwrap();
    let mut club = club(&folder);
    let create = create(rated());
    for (seconds, code) in [(20, None), (19, Some("called_off"))] {
        club.begin_in(START, [ANNA, BELA], &create);
        let offered = START + Duration::from_secs(10);
        club.receive(offered, ANNA, &Action::OfferDraw);
        let later = START + Duration::from_secs(seconds);
        club.receive(later, BELA, &Action::Abort);
        assert_eq!(club.room(BELA).state.stage, Stage::Over);
        let told = club.letters.len();
        club.receive(later, BELA, &quick(unrated()));
        assert_eq!(club.error_since(told, BELA), code);
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
        counted += usize::from(over.rating_changes[0].is_some());
        club.club.leave(now, fresh);
        now += Duration::from_millis(66);
    }
    let rows = club.ask_for_ratings(now, ANNA);
    let anna = rows.iter().find(|it| it.name == "Anna");
    let rating = anna.unwrap().standing.rating;
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
    let list = club.club.suspicious(&suspicion);
    let Suspicious::Pair {
        players,
        games,
        short,
        one_address,
        ..
    } = &list[0]
    else {
        panic!("{list:?}");
    };
    assert!(
        ["Anna", "Béla"]
            .iter()
            .all(|it| players.contains(&(*it).to_owned()))
    );
    assert_eq!((*games, *short, *one_address), (3, 3, 3), "{list:?}");
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
    assert_eq!(
        club.club.suspicious(&suspicion),
        [],
        "the first five games were against a newcomer too"
    );
    for number in 6..30 {
        suspicion.add(&FinishedGame {
            moves: "h8i9".repeat(20),
            ..rated_game(20 + number, people[0], PersonId([100 + number as u8; 32]))
        });
    }
    let list = club.club.suspicious(&suspicion);
    assert!(
        matches!(list[0], Suspicious::Newcomers { of: 40, .. }),
        "{list:?}"
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
        let list = club.club.suspicious(&suspicion).into_iter();
        let rows = list.filter_map(|row| match row {
            Suspicious::Person { games, short, .. } => Some([games, short]),
            _ => None,
        });
        rows.collect::<Vec<[u32; 2]>>()
    };
    assert_eq!(person_rows(0..7), [[0; 2]; 0]);
    assert_eq!(person_rows(7..8), [[8; 2]]);
}
