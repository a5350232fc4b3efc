//! What players, makers of tournaments and makers of engines' accounts can't take from others.

use crate::club::{ANNA, BELA, OPENING, START, Tester};
use crate::messages::{
    add_player, create, create_tournament, create_with_engine, enter, hello, key_of, make_bot,
    rated, remove_player, rename, tournament_setup, unrated,
};
use crate::tournament::{Evening, NAMES, SWISS, visitor};
use crate::{MINUTE, ms, play};
use quincunx_club::rooms::{
    Action, ClockRule, ClubMessage, ClubRequest, Limits, RoomId, Stage, TournamentMessage,
    TournamentSetup, VisitorId,
};
use quincunx_engine::game::Termination;
use quincunx_engine::game::swap::Seat;
use quincunx_pairing::System;
use std::time::Duration;
use tempfile::TempDir;

/// A club in a folder with these limits, whose clock runs.
fn club(folder: &TempDir, limits: Limits) -> Tester {
    let mut club = Tester::open(&folder.path().join("club"), limits);
    club.tick(START);
    club
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
    let setup = unrated();
    let with_engine = create_with_engine(setup, 10);
    let rooms: Vec<RoomId> = (0..4)
        .map(|_| {
            club.say(ANNA, &with_engine);
            club.say(ANNA, &Action::Resign);
            club.room(ANNA).state.room
        })
        .collect();
    for (number, room) in rooms.iter().enumerate() {
        club.say(ANNA, &enter(*room));
        club.say(ANNA, &Action::Rematch);
        let stage = if number < 2 {
            Stage::Playing
        } else {
            Stage::Over
        };
        assert_eq!(club.room(ANNA).state.stage, stage, "{number}");
    }
    assert_eq!(club.error(ANNA), "engines");
    // Two games of theirs are played, and two more may be.
    club.arrive(START, BELA);
    let rooms: Vec<RoomId> = (0..3)
        .map(|_| {
            let room = club.begin_in(START, [ANNA, BELA], &create(setup));
            club.say(ANNA, &play("h8", 0));
            club.say(BELA, &play("i9", 1));
            club.say(BELA, &Action::Resign);
            room
        })
        .collect();
    for (number, room) in rooms.iter().enumerate() {
        club.say(ANNA, &enter(*room));
        club.say(BELA, &enter(*room));
        club.say(ANNA, &Action::Rematch);
        club.say(BELA, &Action::Rematch);
        let stage = if number < 2 {
            Stage::Playing
        } else {
            Stage::Over
        };
        assert_eq!(club.room(BELA).state.stage, stage, "{number}");
    }
    assert_eq!(club.error(ANNA), "too_many_of_yours");
    // Whose opponent has too many was once told to leave one.
    assert_eq!(club.error(BELA), "too_many_rooms");
}

/// A player who wanted another game and went away found it begun, and lost by a claim.
#[test]
fn no_other_game_begins_without_one_who_wanted_it() {
    let folder = TempDir::new().unwrap();
    let mut club = club(&folder, Limits::default());
    let room = club.begin(START, MINUTE);
    club.say(ANNA, &Action::Resign);
    club.say(ANNA, &Action::Rematch);
    assert_eq!(club.room(BELA).state.rematch_wish, Some(Seat::First));
    club.club.leave(START, ANNA);
    club.say(BELA, &Action::Rematch);
    let state = club.room(BELA);
    assert_eq!(
        (state.state.stage, state.state.rematch_wish),
        (Stage::Over, Some(Seat::Second))
    );
    // Now Béla wants one.
    club.arrive(START, ANNA);
    club.say(ANNA, &enter(room));
    club.say(ANNA, &Action::Rematch);
    assert_eq!(club.room(BELA).state.stage, Stage::Playing);
}

/// It is no call to the other player for as long as the room is there.
#[test]
fn a_wish_for_another_game_ends_when_its_player_stays_away() {
    let folder = TempDir::new().unwrap();
    let mut club = club(&folder, Limits::default());
    club.begin(START, MINUTE);
    club.say(ANNA, &Action::Resign);
    club.say(ANNA, &Action::Rematch);
    club.club.leave(START, ANNA);
    club.tick(START + ms(59_000));
    assert_eq!(club.room(BELA).state.rematch_wish, Some(Seat::First));
    club.tick(START + ms(60_000));
    assert_eq!(club.room(BELA).state.rematch_wish, None);
}

/// A wish once ended with the connection of its player, who called the other by each new one.
#[test]
fn a_player_who_connects_again_calls_no_other() {
    let folder = TempDir::new().unwrap();
    let mut club = club(&folder, Limits::default());
    let room = club.begin(START, MINUTE);
    club.say(ANNA, &Action::Resign);
    club.say(ANNA, &Action::Rematch);
    let told = club.letters.len();
    for _ in 0..10 {
        club.club.leave(START, ANNA);
        club.arrive(START, ANNA);
        club.say(ANNA, &enter(room));
        club.say(ANNA, &Action::Rematch);
    }
    assert_eq!(club.error(ANNA), "offer", "it stands");
    club.tick(START + ms(500));
    let messages: Vec<&ClubMessage> = club.since(told, BELA).collect();
    assert!(matches!(*messages, [ClubMessage::Room(_)]), "{messages:?}");
}

/// The same where the server was started again meanwhile: the wish waits for its player.
#[test]
fn a_wish_for_another_game_begins_none_after_a_restart_without_its_player() {
    let folder = TempDir::new().unwrap();
    let mut club = club(&folder, Limits::default());
    let room = club.begin(START, MINUTE);
    club.say(BELA, &Action::Resign);
    club.say(BELA, &Action::Rematch);
    drop(club);
    let path = folder.path().join("club");
    let mut club = Tester::open(&path, Limits::default());
    club.tick(START);
    club.arrive(START, ANNA);
    club.say(ANNA, &enter(room));
    assert_eq!(club.room(ANNA).state.rematch_wish, Some(Seat::Second));
    club.say(ANNA, &Action::Rematch);
    let shown = club.room(ANNA);
    assert_eq!(
        (shown.state.stage, shown.state.rematch_wish),
        (Stage::Over, Some(Seat::First))
    );
    drop(club);
    let mut club = Tester::open(&path, Limits::default());
    club.tick(START);
    club.arrive(START, BELA);
    club.say(BELA, &enter(room));
    let back_by = START + Limits::default().grace;
    club.tick(back_by + ms(59_000));
    assert_eq!(club.room(BELA).state.rematch_wish, Some(Seat::First));
    club.tick(back_by + ms(60_000));
    assert_eq!(club.room(BELA).state.rematch_wish, None);
}

/// What a player had sent before they were shut out was once followed after it.
#[test]
fn banned_visitors_are_ignored() {
    let folder = TempDir::new().unwrap();
    let mut club = club(&folder, Limits::default());
    club.begin(START, MINUTE);
    club.say(ANNA, &rename("Anna"));
    club.club.ban("Anna", true).unwrap();
    club.say(ANNA, &play("h8", 0));
    assert_eq!(club.room(BELA).board.stones, []);
    let refused = club.club.statistics().refused;
    club.say(ANNA, &hello(&key_of(VisitorId(77))));
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
        club.receive_text(START, ANNA, &format!(r#"{{ "type": "{kind}" }}"#));
        assert_eq!(club.error(ANNA), "message");
        let text = club.error_text(ANNA);
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
    let claim = ClubRequest::Claim;
    club.tick(START);
    club.arrive(START, ANNA);
    club.say(ANNA, &enter(room));
    for (seconds, retry) in [(0, 60), (60, 60), (119, 1)] {
        let now = START + Duration::from_secs(seconds);
        club.tick(now);
        club.receive(now, ANNA, &claim);
        assert_eq!(club.retry_s(ANNA), Some(retry), "{seconds}");
    }
    club.receive(START + Duration::from_secs(120), ANNA, &claim);
    assert_eq!(
        club.room(ANNA).state.outcome.unwrap().reason,
        Termination::Forfeit
    );
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
    let mut game = |other: VisitorId, stones: usize| {
        club.begin_in(START, [ANNA, other], &create(rated()));
        club.play_stones(START, [ANNA, other], &OPENING[..stones]);
        club.say(other, &Action::Resign);
        club.room(ANNA).rating_changes[0]
    };
    for number in 0..7 {
        let counts = game(BELA, 8).is_some();
        assert_eq!(counts, number < 6, "{number}");
    }
    for _ in 0..31 {
        game(carl, 2);
    }
    assert_eq!(game(BELA, 8), None);
}

#[test]
fn a_game_that_is_called_off_is_listed_nowhere() {
    let folder = TempDir::new().unwrap();
    let mut club = club(&folder, Limits::default());
    club.begin(START, MINUTE);
    club.say(ANNA, &play("h8", 0));
    club.say(BELA, &Action::Abort);
    assert_eq!(club.room(ANNA).state.stage, Stage::Over);
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
    club.say(BELA, &Action::Resign);
    let won = club.room(ANNA).rating_changes[0];
    assert!(won.is_some_and(|won| won > 0));
    for visitor in [ANNA, BELA] {
        club.say(visitor, &Action::Rematch);
    }
    club.say(BELA, &play("h8", 0));
    club.say(ANNA, &Action::Resign);
    let over = club.room(ANNA);
    assert_eq!(over.state.outcome.unwrap().reason, Termination::Resignation);
    assert_eq!(over.rating_changes, [None, None]);
    assert_eq!(club.club.statistics().games, 1);
}

/// Accounts of engines answer to their maker: they are few, make no others, raise no rating
/// of the maker, and are kept out with them.
#[test]
fn accounts_of_engines_are_no_second_self() {
    let folder = TempDir::new().unwrap();
    let mut club = club(&folder, Limits::default());
    club.arrive(START, ANNA);
    club.say(ANNA, &rename("Anna"));
    for number in 0..6 {
        club.say(ANNA, &make_bot(&format!("Engine of Anna {number}")));
    }
    assert_eq!(club.error(ANNA), "too_many_bots");
    let token = club.token(ANNA).1.to_owned();
    let bot = VisitorId(50);
    club.arrive_with(START, bot, &token);
    club.say(bot, &make_bot("Another"));
    assert_eq!(club.error(bot), "bot");
    club.begin_in(START, [ANNA, bot], &create(rated()));
    club.play_stones(START, [ANNA, bot], &OPENING);
    club.say(bot, &Action::Resign);
    let over = club.room(ANNA);
    assert_eq!(over.rating_changes, [None, None], "{over:?}");
    club.club.ban("Anna", true).unwrap();
    club.settle();
    assert_eq!(club.error(bot), "banned");
    club.club.ban("Anna", false).unwrap();
    assert!(club.club.recomputation().next() == 1 && club.club.ban("Nobody", true).is_err());
}

/// The maker plays too, and loses: neither taking the opponent out nor ending the tournament
/// takes the opponent's win away, or gives the maker one.
#[test]
fn a_maker_takes_no_game_away() {
    let folder = TempDir::new().unwrap();
    for (number, act) in [remove_player(NAMES[1]), TournamentMessage::EndTournament]
        .into_iter()
        .enumerate()
    {
        let path = folder.path().join(number.to_string());
        let mut evening = Evening::begin(&path, 2, SWISS);
        let (first, second, room) = evening.tables()[0];
        let room = room.unwrap();
        for player in [first, second] {
            evening.enter(player, room);
        }
        evening.wait(1);
        for (ply, point) in OPENING.into_iter().enumerate() {
            evening.say([first, second][ply % 2], play(point, ply));
        }
        evening.look(0);
        evening.say(0, act.clone());
        let stage = evening.club.room(visitor(1)).state.stage;
        assert_eq!(stage, Stage::Playing, "{act:?}");
        evening.enter(0, room);
        evening.say(0, Action::Resign);
        let name = evening.club.player(visitor(1), 1).name.as_deref();
        let own = usize::from(name == Some(NAMES[1]));
        let change = evening.club.room(visitor(1)).rating_changes[own];
        assert!(change.is_some_and(|change| change > 0), "{act:?}");
    }
}

/// Who was taken out comes in again by the maker only.
#[test]
fn a_player_who_was_taken_out_stays_out() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("club");
    let mut evening = Evening::open(&path, 3, SWISS);
    evening.say(0, remove_player(NAMES[2]));
    evening.say(2, TournamentMessage::JoinTournament);
    assert_eq!(evening.error(2), "removed");
    evening.restart(&path);
    evening.look(2);
    evening.say(2, TournamentMessage::JoinTournament);
    assert_eq!(evening.error(2), "removed");
    evening.say(0, add_player(NAMES[2]));
    evening.say(2, TournamentMessage::Withdraw);
    evening.say(2, TournamentMessage::JoinTournament);
    evening.wait(1);
    assert_eq!(evening.shown(0).summary.players, 3);
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
        create_tournament(TournamentSetup {
            name: format!("Evening {number}"),
            ..tournament_setup(System::Swiss { rounds: 2 })
        })
    };
    let makers = [1, 2, 3, 4].map(VisitorId);
    for maker in makers {
        club.arrive(START, maker);
        club.say(maker, &rename(&format!("Maker {}", maker.0)));
        club.say(maker, &create(maker.0));
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
        club.say(visitor, &rename(&format!("Visitor {}", visitor.0)));
        club.say(visitor, &create(visitor.0));
    };
    let (bela, dora) = (VisitorId(9), VisitorId(10));
    come(&mut club, bela, [192, 0, 2, 1]);
    club.say(bela, &create(1));
    assert_eq!(club.error(bela), "open_tournament");
    // All are taken: one of the address with the most of them gives way, but not to its own people.
    come(&mut club, dora, [192, 0, 2, 2]);
    assert_eq!(
        made(&club),
        ["Maker 3", "Maker 4", "Visitor 10", "Visitor 9"]
    );
    club.say(makers[0], &create(1));
    assert_eq!(club.error(makers[0]), "too_many_tournaments");
    // One whose people are all gone gives way.
    club.club.leave(START, makers[2]);
    club.say(makers[0], &create(1));
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
        club.say(carl, &enter(room));
        club.say(carl, &ClubRequest::Leave);
    }
    let is_room = |it: &ClubMessage| matches!(it, ClubMessage::Room(_));
    let rooms = |to: VisitorId| club.count(told, to, is_room);
    assert_eq!((rooms(ANNA), rooms(BELA), rooms(carl)), (0, 0, 10));
    club.say(carl, &enter(room));
    club.receive(START + ms(10), ANNA, &play("h8", 0));
    assert_eq!(club.room(ANNA).watchers, 1);
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
        club.say(BELA, &ClubRequest::Leave);
        club.say(BELA, &enter(room));
        club.club.leave(START, BELA);
        club.arrive(START, BELA);
    }
    for milliseconds in (0..=1000).step_by(50) {
        club.tick(START + ms(milliseconds));
    }
    let is_room = |it: &ClubMessage| matches!(it, ClubMessage::Room(_));
    assert_eq!(club.count(told, ANNA, is_room), 1);
    assert!(!club.player(ANNA, 1).here);
}

/// A person who has lost their key has their name and rating again, and a thief has neither.
#[test]
fn a_lost_key_is_replaced() {
    let folder = TempDir::new().unwrap();
    let mut club = club(&folder, Limits::default());
    club.arrive(START, ANNA);
    club.say(ANNA, &rename("Anna"));
    assert!(club.club.replace_key("Nobody").is_err());
    let first = club.club.replace_key("Anna").unwrap();
    club.settle();
    assert_eq!(club.error(ANNA), "old_key");
    let second = club.club.replace_key("Anna").unwrap();
    club.settle();
    drop(club);
    let mut club = Tester::open(&folder.path().join("club"), Limits::default());
    let old = key_of(ANNA);
    for (number, key, is_hers) in [(11, old, false), (12, first, false), (13, second, true)] {
        let visitor = VisitorId(number);
        club.arrive_with(START, visitor, &key);
        let mut messages = club.since(0, visitor);
        let is_welcome =
            |it: &ClubMessage| matches!(it, ClubMessage::Welcome(it) if it.name == "Anna");
        assert_eq!(messages.any(is_welcome), is_hers, "{number}");
    }
}
