//! What guests can and can't take from others: rooms, engines, names, places.

use crate::club::{ANNA, BELA, FROM, OPENING, START, Tester};
use crate::messages::{
    create, create_tournament, create_with_engine, enter, hello, key_of, make_bot, rated, rename,
    text, tournament_setup,
};
use crate::{MINUTE, ms, play, setup};
use quincunx_club::rooms::{
    Account, Action, Admission, ClockRule, Club, ClubMessage, ClubRequest, ClubStore, FinishedGame,
    GameSummary, Limits, Occupant, Outcome, PersonId, RatingRecomputation, RoomId, Stage,
    VisitorId,
};
use quincunx_engine::game::Termination;
use quincunx_engine::game::swap::{OpeningRule, Seat};
use quincunx_pairing::System;
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

fn open_room(clock: ClockRule) -> ClubRequest {
    create(setup(OpeningRule::Free, clock))
}

/// A game against the engine with much time.
fn play_engine(level: u8) -> ClubRequest {
    create_with_engine(setup(OpeningRule::Free, SIX_HOURS), level)
}

/// Two people play in a room of the first.
fn play_in_a_room(club: &mut Tester, now: Duration, players: [VisitorId; 2]) {
    club.begin_in(now, players, &open_room(SIX_HOURS));
    assert_eq!(club.room(players[1]).state.stage, Stage::Playing);
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
        club.say(anna, &play("h8", 0));
        club.say(bela, &play("i9", 1));
        club.say(anna, &Action::Resign);
    }
    club.arrive_at(START, carl, ELSEWHERE);
    club.say(carl, &open_room(MINUTE));
    assert_eq!(club.room(carl).state.stage, Stage::Waiting);
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
        club.arrive_at(START, visitor, ELSEWHERE);
    }
    play_in_a_room(&mut club, START, [carl, dora]);
    let later = START + Limits::default().idle + ms(1);
    let told = club.letters.len();
    club.receive(later, carl, &open_room(MINUTE));
    assert_eq!(club.error_since(told, carl), Some("too_many_rooms"));
    assert!(club.retry_s(carl).is_some());
    club.club.leave(later, anna);
    club.club.leave(later, bela);
    // The network may have failed for a moment.
    let told = club.letters.len();
    club.receive(later, carl, &open_room(MINUTE));
    assert_eq!(club.error_since(told, carl), Some("too_many_rooms"));
    let later = later + Limits::default().idle;
    club.receive(later, carl, &open_room(MINUTE));
    assert_eq!(club.room(carl).state.stage, Stage::Waiting);
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
        club.say(VisitorId(visitor), &rename(&format!("Person {visitor}")));
        for _ in 0..5 {
            club.say(VisitorId(visitor), &open_room(MINUTE));
        }
    }
    assert_eq!(club.club.statistics().waiting, 6);
    assert_eq!(club.error(VisitorId(2)), "too_many_rooms");
    club.arrive_at(START, VisitorId(3), ELSEWHERE);
    club.say(VisitorId(3), &open_room(MINUTE));
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
        club.say(anna, &play_engine(50));
        assert_eq!(club.room(anna).state.stage, Stage::Playing);
        club.say(anna, &Action::Resign);
    }
    for _ in 0..2 {
        club.say(anna, &play_engine(50));
    }
    club.arrive_at(START, bela, ELSEWHERE);
    club.say(bela, &play_engine(50));
    assert_eq!(club.error(bela), "engines");
    // Anna goes; or she stays, and does nothing for long.
    club.club.leave(START, anna);
    club.say(bela, &play_engine(50));
    assert_eq!(club.room(bela).state.stage, Stage::Playing);
    club.say(bela, &play_engine(50));
    let later = START + Limits::default().idle;
    club.arrive(later, carl);
    club.receive(later, carl, &play_engine(50));
    assert_eq!(club.room(carl).state.stage, Stage::Playing);
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
        club.say(anna, &rename(&format!("Anna {number}")));
        refused = refused.or_else(|| club.error_since(told, anna).map(|_| number));
    }
    assert_eq!(refused, Some(10));
    assert_eq!(club.error(anna), "too_many_names");
    assert_eq!(club.retry_s(anna), Some(360));
    club.arrive(START, bela);
    club.say(bela, &open_room(MINUTE));
    assert_eq!(club.room(bela).state.stage, Stage::Waiting);
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
    club.arrive(START, anna);
    club.say(anna, &rename("Anna"));
    club.arrive(START, bela);
    for _ in 0..20 {
        club.say(bela, &rename("anna"));
        assert_eq!(club.error(bela), "name_taken");
    }
    assert_eq!(club.club.statistics().people, 1);
    club.say(bela, &rename("Bela"));
    assert_eq!(club.name(bela), "Bela");
    for _ in 0..20 {
        club.say(bela, &make_bot("Anna"));
        assert_eq!(club.error(bela), "name_taken");
    }
    club.say(bela, &make_bot("Engine of Bela"));
    assert_eq!(club.token(bela).0, "Engine of Bela");
    club.say(bela, &make_bot("Another"));
    assert_eq!(club.error(bela), "too_many_names");
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
        club.say(guest, &open_room(MINUTE));
        club.say(guest, &ClubRequest::Leave);
        club.club.leave(START, guest);
    }
    let tournament = create_tournament(tournament_setup(System::Swiss { rounds: 2 }));
    for (visitor, name) in [(ANNA, "Anna"), (BELA, "Béla")] {
        club.arrive(START, visitor);
        club.say(visitor, &rename(name));
        club.say(visitor, &open_room(MINUTE));
    }
    club.say(ANNA, &tournament);
    club.club.leave(START, ANNA);
    club.say(BELA, &tournament);
    assert_eq!(club.error(BELA), "too_many_names");
    assert_eq!(club.club.list_tournaments(9).len(), 1);
    club.club.leave(START, BELA);
    let carl = VisitorId(3);
    club.arrive(START, carl);
    club.say(carl, &open_room(MINUTE));
    assert_eq!(club.error(carl), "too_many_names");
    assert_eq!(club.club.statistics().waiting, 2);
}

/// A known visitor comes in where newcomers are told to come again.
#[test]
fn the_last_places_are_reserved_for_known_people() {
    let folder = TempDir::new().unwrap();
    let mut club = small(&folder, 50, 1);
    let anna = VisitorId(1);
    club.arrive(START, anna);
    club.say(anna, &rename("Anna"));
    club.club.leave(START, anna);
    for (visitor, key, is_welcome) in [(11, 1, true), (12, 2, false)] {
        let visitor = VisitorId(visitor);
        club.club
            .arrive(visitor, FROM, Admission::Known(Duration::from_secs(30)));
        club.club.receive(
            START,
            visitor,
            ms(0),
            &text(&hello(&key_of(VisitorId(key)))),
        );
        let letters = club.club.take_effects().messages;
        let message: ClubMessage = serde_json::from_str(&letters[0].text).unwrap();
        assert_eq!(letters[0].is_last, !is_welcome);
        match message {
            ClubMessage::Welcome(_) => assert!(is_welcome),
            ClubMessage::Refused { code, retry_s, .. } => {
                assert!(!is_welcome);
                assert_eq!((&*code, retry_s), ("too_many_visitors", 30));
            }
            _ => panic!("{message:?}"),
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
    for (visitor, owner) in [(21, ANNA), (22, carl)] {
        let visitor = VisitorId(visitor);
        club.club.arrive(visitor, FROM, only_players);
        assert_eq!(club.club.connection_to_evict(Some(FROM)), Some(visitor));
        club.say(visitor, &hello(&key_of(owner)));
    }
    assert_eq!(club.welcome(VisitorId(21)).name, "Anna");
    assert_eq!(club.refused(VisitorId(22)), ("too_many_visitors", 30));
    assert_eq!(club.club.connection_to_evict(None), Some(VisitorId(22)));
}

/// Two guests with one game once held all connections of an address, and a player could not come back.
#[test]
fn a_person_has_few_connections_and_those_give_way() {
    let folder = TempDir::new().unwrap();
    let mut club = small(&folder, 50, 1);
    let room = club.begin(START, MINUTE);
    club.say(ANNA, &enter(room));
    let connect = |club: &mut Tester, number: u64| {
        let visitor = VisitorId(number);
        club.arrive_with(START, visitor, &key_of(ANNA));
        assert_eq!(club.welcome(visitor).name, "Anna");
    };
    let refused = |club: &Tester| -> Vec<u64> {
        let refused = club.letters.iter();
        let refused = refused.filter(|(_, it)| matches!(it, ClubMessage::Refused { .. }));
        let refused = refused.map(|(to, _)| {
            assert_eq!(club.refused(*to), ("too_many_pages", 60));
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
            club.arrive_at(START, VisitorId(number.into()), from);
        }
    };
    let mut club = small(&folder, 50, 4);
    arrive(&mut club);
    for number in 1..=4 {
        club.say(VisitorId(number), &play_engine(10));
    }
    let room = club.room(ANNA).state.room;
    drop(club);
    let mut club = small(&folder, 50, 4);
    club.tick(START);
    arrive(&mut club);
    club.say(ANNA, &enter(room));
    club.say(ANNA, &Action::Resign);
    club.say(ANNA, &Action::Rematch);
    assert_eq!(club.room(ANNA).state.stage, Stage::Playing);
}

/// A player resigns, and another game begins.
fn decide_a_game(club: &mut Tester, now: Duration, loser: VisitorId) {
    club.receive(now, loser, &Action::Resign);
    for visitor in [ANNA, BELA] {
        club.receive(now, visitor, &Action::Rematch);
    }
}

/// A rated game that one person has won against another.
pub(crate) fn rated_game(number: u64, winner: PersonId, loser: PersonId) -> FinishedGame {
    FinishedGame {
        number,
        room: RoomId(1),
        setup: rated(),
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
        choices: Vec::new(),
        offers: Vec::new(),
    }
}

/// A table was once cut after two hundred rows: who stood below did not find themselves.
#[test]
fn a_long_table_has_the_own_place() {
    let folder = TempDir::new().unwrap();
    let mut club = small(&folder, 50, 1);
    club.arrive(START, ANNA);
    club.say(ANNA, &rename("Anna"));
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
    let rows = club.ask_for_ratings(START, ANNA);
    let places: Vec<usize> = rows.iter().map(|row| row.place).collect();
    let expected: Vec<usize> = (1..=200).chain([257]).collect();
    assert_eq!(places, expected);
    assert_eq!(rows[200].name, "Anna");
}

/// Two keys once made 213 rated wins in half a minute.
#[test]
fn pairings_that_repeat_count_less_and_then_nothing() {
    let folder = TempDir::new().unwrap();
    let mut club = small(&folder, 50, 1);
    club.begin(START, MINUTE);
    let mut points = Vec::new();
    for _ in 0..20 {
        let players = if club.seat(ANNA) == Some(Seat::First) {
            [ANNA, BELA]
        } else {
            [BELA, ANNA]
        };
        club.play_stones(START, players, &OPENING);
        decide_a_game(&mut club, START, BELA);
        points.push(club.ask_for_ratings(START, ANNA)[0].standing.points - 1200);
    }
    assert_eq!(points[0], 10);
    assert!(points[19] < 40, "{points:?}");
    assert_eq!(points[8], points[19], "{points:?}");
    // What did not count is not listed as rated.
    let games = club.games_of_anna(START);
    let is_rated = |game: &GameSummary| (game.rated, game.setup.rated);
    assert_eq!(is_rated(&games[0]), (false, false));
    assert_eq!(is_rated(&games[19]), (true, true));
    assert!(club.ask_for_ratings(START, ANNA)[0].standing.provisional);
    // Who is kept out keeps nothing of it, and gives nothing.
    let before = club.ask_for_ratings(START, ANNA);
    let name = &before[1].name;
    club.club.ban(name, true).unwrap();
    assert!(rate_anew(&mut club, 5).is_some(), "not all games");
    assert!(rate_anew(&mut club, u64::MAX).is_none());
    assert_eq!(club.ask_for_ratings(START, ANNA), []);
    // Who is kept out when the ratings come is another: they are of no use.
    let stale = club.club.recomputation();
    club.club.ban(name, false).unwrap();
    assert!(club.club.take_over(stale).is_none());
    assert_eq!(club.ask_for_ratings(START, ANNA), []);
    assert!(rate_anew(&mut club, u64::MAX).is_none());
    assert_eq!(club.ask_for_ratings(START, ANNA), before);
    // After a restart they are what they were.
    drop(club);
    let mut club = small(&folder, 50, 1);
    club.arrive(START, ANNA);
    assert_eq!(club.ask_for_ratings(START, ANNA), before);
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
    assert_eq!(club.error(ANNA), "banned");
    let stranger = VisitorId(50);
    club.arrive(START, stranger);
    assert_eq!(club.error(stranger), "banned");
    drop(club);
    let mut club = small(&folder, 50, 1);
    club.arrive(START, stranger);
    assert_eq!(club.error(stranger), "banned");
    let other = VisitorId(51);
    club.arrive_from(other, [192, 0, 2, 1]);
    assert_eq!(club.welcome(other).account, Account::Guest);
    club.club
        .ban_addresses("127.0.0.0/8".parse().unwrap(), false);
    club.settle();
    club.arrive(START, stranger);
    assert_eq!(club.welcome(stranger).account, Account::Guest);
}

/// A key of zeros would be shared by all who type one without having a key.
#[test]
fn zeros_are_no_key() {
    let folder = TempDir::new().unwrap();
    let mut club = small(&folder, 50, 1);
    club.arrive(START, VisitorId(0));
    assert_eq!(club.error(VisitorId(0)), "key");
}
