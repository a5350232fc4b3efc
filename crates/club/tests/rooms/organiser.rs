//! What the maker of a tournament does while it goes on.

use crate::messages::{
    add_player, correct_result, open_tournament, rated, remove_player, rename, tournament_setup,
};
use crate::tournament::{Evening, NAMES, SWISS, visitor};
use quincunx_club::rooms::{
    AdminError, Club, ClubMessage, ClubStore, ClubTournament, Limits, StoredClub, TournamentId,
    TournamentMessage, TournamentSetup, TournamentStage, TournamentTable,
};
use quincunx_pairing::{PairingResult, Score, System, Tournament};
use serde_json::json;
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// Seven players of whom one never comes, one leaves, and one comes late; and a wrong result.
#[test]
fn an_organiser_has_the_evening_in_hand() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("club");
    let swiss = System::Swiss { rounds: 4 };
    let mut evening = Evening::begin(&path, 5, swiss);
    // The fifth has the bye of the first round, and has come.
    let tables = evening.tables();
    assert_eq!(tables.len(), 3);
    evening.say(1, TournamentMessage::HoldRound { held: true });
    assert_eq!(evening.error(1), "not_maker");
    evening.say(0, TournamentMessage::HoldRound { held: true });
    let told = evening.club.letters.len();
    evening.say(0, TournamentMessage::HoldRound { held: true });
    evening.say(0, TournamentMessage::CloseEntry { closed: false });
    assert_eq!(evening.club.letters.len(), told, "nothing has changed");
    evening.say(0, TournamentMessage::NextRound);
    assert_eq!(evening.error(0), "tournament");
    tables.iter().for_each(|table| evening.play(table));
    // A late player enters by the hand of the maker; no other player is known by that name.
    evening.players = 6;
    evening.arrive(5);
    evening.say(5, rename(NAMES[5]));
    evening.say(0, open_tournament(evening.id));
    evening.say(0, add_player("Nobody"));
    assert_eq!(evening.error(0), "nobody");
    evening.say(0, add_player(NAMES[5]));
    assert_eq!(evening.shown(0).summary.players, 6);
    // The round waits for the maker, also after a restart.
    evening.restart(&path);
    evening.wait(3600);
    evening.look(0);
    assert_eq!(
        (evening.shown(0).summary.round, evening.shown(0).held),
        (1, true)
    );
    evening.say(0, TournamentMessage::NextRound);
    assert_eq!(evening.shown(0).summary.round, 2);
    let second_round = evening.tables();
    assert_eq!(second_round.len(), 3);
    assert!(
        second_round
            .iter()
            .any(|(first, second, _)| [*first, *second].contains(&5))
    );
    // The winner of the first table was the other one.
    let (first, second, _) = &tables[0];
    let loser = *first.max(second);
    let won = if loser == *first {
        Score::Win
    } else {
        Score::Loss
    };
    let won = PairingResult::Played(won);
    let points = |evening: &mut Evening, player: usize| {
        let standings = evening.standings();
        standings
            .into_iter()
            .find(|row| row.0 == NAMES[player])
            .unwrap()
            .1
    };
    assert_eq!(points(&mut evening, loser), 0.0);
    evening.say(0, correct_result(1, 1, won));
    assert_eq!(points(&mut evening, loser), 1.0);
    for (round, table) in [(0, 1), (1, 0), (1, 3), (2, 1), (9, 1)] {
        evening.say(0, correct_result(round, table, won));
        assert_eq!(evening.error(0), "tournament", "{round} {table}");
    }
    evening.say(0, remove_player(NAMES[4]));
    evening.look(0);
    assert!(evening.has_withdrawn(4, 0));
    evening.say(0, TournamentMessage::Rounds);
    assert_eq!(evening.club.rounds(visitor(0)).len(), 2);
    let cross = evening.club.crosstable(visitor(0));
    assert_eq!((cross.len(), cross[0].cells.len()), (6, 6));
    let csv = evening
        .club
        .club
        .tournament_table(evening.id, TournamentTable::Crosstable);
    let csv = csv.unwrap();
    assert!(csv.starts_with("name,1,2,3,4,5,6\n"), "{csv}");
    assert_eq!(
        csv.lines()
            .map(|line| line.split(',').count())
            .collect::<Vec<_>>(),
        [7; 7]
    );
}

/// A player who was removed again and again once made the tournament longer each time, on the
/// disk too, where every move waited for it.
#[test]
fn a_player_is_removed_once() {
    let length = |times: usize| {
        let folder = TempDir::new().unwrap();
        let path = folder.path().join("club");
        let mut evening = Evening::begin(&path, 3, SWISS);
        for _ in 0..times {
            evening.say(0, remove_player(NAMES[2]));
        }
        drop(evening);
        let kept = ClubStore::open(Some(&path)).unwrap().load().unwrap();
        serde_json::to_string(&kept.tournaments[0].1).unwrap().len()
    };
    assert_eq!(length(1), length(20));
}

/// A bye is no point for a player who has never come.
#[test]
fn an_absent_player_has_no_point_for_a_bye() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("club");
    for (is_here, expected) in [(true, 1.0), (false, 0.0)] {
        let mut evening = Evening::open(&path, 3, SWISS);
        let last = visitor(2);
        if !is_here {
            evening.club.club.leave(evening.now, last);
        }
        evening.say(0, TournamentMessage::BeginTournament);
        let standings = evening.standings();
        let row = standings.iter().find(|row| row.0 == NAMES[2]).unwrap();
        assert_eq!(row.1, expected);
        evening.say(0, TournamentMessage::EndTournament);
    }
}

/// Where the entry is closed the maker alone takes players in. Those who had entered come back.
#[test]
fn a_closed_entry_is_open_to_the_maker() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("club");
    let mut evening = Evening::open(&path, 2, SWISS);
    let close = TournamentMessage::CloseEntry { closed: true };
    let join = TournamentMessage::JoinTournament;
    evening.say(1, close.clone());
    assert_eq!(evening.error(1), "not_maker");
    evening.say(0, close);
    assert!(evening.shown(0).summary.entry_closed);
    let come = |evening: &mut Evening, player: usize| {
        evening.players = player + 1;
        evening.arrive(player);
        evening.say(player, rename(NAMES[player]));
        evening.look(player);
        evening.say(player, join.clone());
    };
    come(&mut evening, 2);
    assert_eq!(evening.error(2), "entry_closed");
    evening.restart(&path);
    evening.look(2);
    evening.say(2, join.clone());
    assert_eq!(evening.error(2), "entry_closed");
    evening.say(0, add_player(NAMES[2]));
    assert_eq!(evening.shown(0).summary.players, 3);
    evening.say(0, TournamentMessage::BeginTournament);
    evening.look(1);
    evening.say(1, TournamentMessage::Withdraw);
    assert!(evening.has_withdrawn(1, 1));
    evening.say(1, join.clone());
    assert!(!evening.has_withdrawn(1, 1));
    // The administrator opens it again.
    come(&mut evening, 3);
    assert_eq!(evening.error(3), "entry_closed");
    let opened = evening
        .club
        .club
        .close_entry(evening.now, evening.id, false);
    assert_eq!(opened, Ok(()));
    evening.say(3, join);
    evening.look(0);
    assert_eq!(evening.shown(0).summary.players, 4);
    evening.say(0, TournamentMessage::EndTournament);
    let over = evening.club.club.close_entry(evening.now, evening.id, true);
    assert!(over.is_err());
    evening.say(0, TournamentMessage::HoldRound { held: true });
    assert_eq!(evening.error(0), "tournament");
}

/// Where its maker had gone home a round that was held once waited for ever, and a tournament
/// that had not begun until it was forgotten.
#[test]
fn a_tournament_goes_on_without_its_maker() {
    let folder = TempDir::new().unwrap();
    let mut evening = Evening::open(&folder.path().join("club"), 1, SWISS);
    let go_on = |evening: &mut Evening| {
        let (now, id) = (evening.now, evening.id);
        let done = evening.club.club.continue_tournament(now, id);
        evening.club.settle();
        evening.wait(1);
        evening.look(0);
        done
    };
    // What is refused changes nothing.
    evening.say(0, TournamentMessage::HoldRound { held: true });
    assert_eq!(go_on(&mut evening), Err(AdminError::Begin));
    assert_eq!(evening.shown(0).summary.stage, TournamentStage::Open);
    assert!(evening.shown(0).held);
    for (player, name) in NAMES.iter().enumerate().skip(1).take(3) {
        evening.arrive(player);
        evening.say(player, rename(name));
        evening.look(player);
        evening.say(player, TournamentMessage::JoinTournament);
    }
    assert_eq!(go_on(&mut evening), Ok(()));
    assert_eq!(evening.shown(0).summary.round, 1);
    evening.say(0, TournamentMessage::HoldRound { held: true });
    let tables = evening.tables();
    tables.iter().for_each(|table| evening.play(table));
    evening.wait(3600);
    evening.look(0);
    assert_eq!(evening.shown(0).summary.round, 1, "the round is held");
    assert_eq!(go_on(&mut evening), Ok(()));
    let shown = evening.shown(0);
    assert_eq!((shown.summary.round, shown.held), (2, false));
    // No round follows that could be held: the tournament once waited for its maker all the same,
    // and said that a round comes.
    evening.say(0, TournamentMessage::HoldRound { held: true });
    let tables = evening.tables();
    tables.iter().for_each(|table| evening.play(table));
    evening.look(0);
    assert_eq!(evening.shown(0).summary.stage, TournamentStage::Over);
    assert_eq!(go_on(&mut evening), Err(AdminError::Tournament));
}

/// Tournaments call their players with a sound: by taking a person in again and again a maker
/// could have called them as often. An evening of many players is no such thing.
#[test]
fn others_are_taken_in_a_few_times_only() {
    let folder = TempDir::new().unwrap();
    let mut evening = Evening::open(&folder.path().join("club"), 2, SWISS);
    evening.say(1, TournamentMessage::Withdraw);
    let number = |player: usize, it: &Evening| it.shown(player).summary.players;
    for round in 0..6 {
        evening.say(0, add_player(NAMES[1]));
        // Once more changes nothing.
        evening.say(0, add_player(NAMES[1]));
        let players = if round < 5 { 2 } else { 1 };
        assert_eq!(number(0, &evening), players, "{round}");
        evening.say(1, TournamentMessage::Withdraw);
    }
    assert_eq!(evening.error(0), "too_often");
    evening.say(1, TournamentMessage::JoinTournament);
    evening.wait(1);
    assert_eq!(number(0, &evening), 2, "by themselves");
    evening.players = NAMES.len();
    for (player, name) in NAMES.iter().enumerate().skip(2) {
        evening.arrive(player);
        evening.say(player, rename(name));
        evening.say(0, add_player(name));
    }
    assert_eq!(number(0, &evening), NAMES.len());
}

/// All of a tournament is written to the disk with each change, and shown to all who look at it: a
/// player who joined and withdrew in a loop once filled their connections.
#[test]
fn a_tournament_changes_a_few_times_a_minute() {
    let folder = TempDir::new().unwrap();
    let mut evening = Evening::open(&folder.path().join("club"), 2, SWISS);
    evening.wait(1);
    let told = evening.club.letters.len();
    for _ in 0..150 {
        evening.say(1, TournamentMessage::Withdraw);
        evening.say(1, TournamentMessage::JoinTournament);
        evening.say(0, TournamentMessage::HoldRound { held: true });
        evening.say(0, TournamentMessage::HoldRound { held: false });
    }
    let is_shown = |it: &ClubMessage| matches!(it, ClubMessage::Tournament(_));
    let shown = evening.club.count(told, visitor(0), is_shown);
    // Béla's changes come once a second, but an organiser sees their own at once.
    assert_eq!(shown, 200);
    assert_eq!([0, 1].map(|player| evening.error(player)), ["too_often"; 2]);
    evening.wait(2);
    evening.say(1, TournamentMessage::JoinTournament);
    evening.wait(1);
    assert_eq!(evening.shown(0).summary.players, 2);
}

/// Every change was once sent to all who look at a tournament: twelve strangers who joined and
/// withdrew filled their queues, and all of them were disconnected.
#[test]
fn a_tournament_that_changes_often_is_shown_once_a_second() {
    let folder = TempDir::new().unwrap();
    let mut evening = Evening::open(&folder.path().join("club"), 2, SWISS);
    let strangers = 10..22;
    for player in strangers.clone() {
        evening.arrive(player);
        let name = format!("Stranger {}", char::from(b'a' + player as u8));
        evening.say(player, rename(&name));
        evening.look(player);
    }
    evening.wait(10);
    let told = evening.club.letters.len();
    let begun = evening.now;
    for _ in 0..15 {
        for player in strangers.clone() {
            evening.say(player, TournamentMessage::JoinTournament);
            evening.say(player, TournamentMessage::Withdraw);
        }
        evening.now += Duration::from_millis(200);
        evening.club.tick(evening.now);
    }
    evening.say(10, TournamentMessage::JoinTournament);
    evening.wait(1);
    let seconds = (evening.now - begun).as_secs() as usize;
    for looker in [0, 1] {
        let is_shown = |it: &ClubMessage| matches!(it, ClubMessage::Tournament(_));
        let shown = evening.club.count(told, visitor(looker), is_shown);
        assert!((2..=seconds + 1).contains(&shown), "{shown} in {seconds} s");
    }
    assert_eq!(
        evening.shown(0).summary.players,
        evening.shown(10).summary.players
    );
    // All strangers of an address change tournaments 200 times a minute together.
    assert_eq!(evening.error(21), "too_often");
}

/// Regression: a tournament without a possible pairing ended early, and its organiser got no
/// message.
#[test]
fn a_tournament_without_a_new_pairing_is_held() {
    let folder = TempDir::new().unwrap();
    let swiss = System::Swiss { rounds: 5 };
    let mut evening = Evening::begin(&folder.path().join("club"), 4, swiss);
    let tables = evening.tables();
    tables.iter().for_each(|table| evening.play(table));
    let (first, second, _) = tables[0];
    for player in (0..4).filter(|player| ![first, second].contains(player)) {
        let name = NAMES[player];
        evening.look(0);
        evening.say(0, remove_player(name));
    }
    evening.look(0);
    evening.wait(60);
    assert_eq!(evening.error(0), "no_pairing");
    let shown = evening.shown(0);
    assert_eq!(
        (shown.summary.stage, shown.held),
        (TournamentStage::Running, true)
    );
    // A player who comes late makes a pairing possible.
    evening.players = 5;
    evening.arrive(4);
    evening.say(4, rename(NAMES[4]));
    evening.say(0, add_player(NAMES[4]));
    evening.say(0, TournamentMessage::NextRound);
    assert_eq!(evening.shown(0).summary.round, 2);
    for name in &NAMES[..5] {
        evening.say(0, remove_player(name));
    }
    for player in [first, second] {
        evening.say(0, add_player(NAMES[player]));
    }
    evening.say(0, TournamentMessage::NextRound);
    assert_eq!(evening.error(0), "no_pairing");
    assert_eq!(evening.shown(0).summary.stage, TournamentStage::Running);
    evening.say(0, TournamentMessage::EndTournament);
    assert_eq!(evening.shown(0).summary.stage, TournamentStage::Over);
}

/// The largest tournament that there can be: every player has won every game as the first.
fn largest_tournament() -> ClubTournament {
    let system = System::RoundRobin { double: true };
    let mut games = Tournament::new(system, 64).unwrap();
    while games.pair().unwrap() {
        for table in 0..32 {
            let won = PairingResult::Played(Score::Win);
            games.record(table, won).unwrap();
        }
    }
    let person = |player: usize| format!("{player:02x}").repeat(32);
    let made = json!({
        "setup": TournamentSetup {
            setup: rated(),
            ..tournament_setup(system)
        },
        "maker": person(0), "players": (0..64).map(person).collect::<Vec<String>>(),
        "games": games, "rooms": [], "numbers": [], "next_round": null,
        "touched": Duration::ZERO,
    });
    serde_json::from_value(made).unwrap()
}

/// Each of 4,096 cells once walked over 4,032 games, while no room was served: seventy
/// milliseconds for the asking.
#[test]
fn the_largest_crosstable_is_made_at_once() {
    let id = TournamentId(1);
    let kept = StoredClub {
        tournaments: vec![(id, largest_tournament())],
        ..StoredClub::default()
    };
    let club = Club::new(Limits::default(), kept, || 0);
    // Other programs on the machine slow everything for a while: the best of three counts.
    let time = |table: TournamentTable| {
        let tries = (0..3).map(|_| {
            let began = Instant::now();
            club.tournament_table(id, table).unwrap();
            began.elapsed()
        });
        tries.min().unwrap()
    };
    let (cross, standings) = (
        time(TournamentTable::Crosstable),
        time(TournamentTable::Standings),
    );
    assert!(cross < 20 * standings, "{cross:?} and {standings:?}");
    let csv = club.tournament_table(id, TournamentTable::Crosstable);
    for (row, line) in csv.unwrap().lines().skip(1).enumerate() {
        for (column, cell) in line.split(',').skip(1).enumerate() {
            // Each has won one of two games, in the order in which they were played. No spreadsheet
            // takes them for ten and one.
            let both: &[&str] = &["\u{200b}10", "\u{200b}01"];
            let expected = if row == column { &[""][..] } else { both };
            assert!(expected.contains(&cell), "{row} {column}: {cell}");
        }
    }
}
