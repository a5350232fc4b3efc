//! Places are kept for those who use them: rooms, rounds and tournaments beside people who take all
//! they can get.

use crate::club::{ANNA, BELA, START, Tester};
use crate::messages::{
    add_player, create, create_tournament, open_tournament, remove_player, rename,
    tournament_setup, unrated,
};
use quincunx_club::rooms::{
    ClubRequest, EntryRule, Limits, Stage, TournamentMessage, TournamentSetup, VisitorId,
};
use quincunx_pairing::System;
use std::time::Duration;
use tempfile::TempDir;

/// The time between views of a tournament that others have changed.
const SECOND: Duration = Duration::from_secs(1);

fn club(folder: &TempDir, limits: Limits) -> Tester {
    Tester::open(&folder.path().join("club.db"), limits)
}

fn name(club: &mut Tester, visitor: VisitorId) {
    club.say(visitor, &rename(&format!("Person {}", visitor.0)));
}

/// A visitor with a name arrives from an address with this last number.
fn arrive_named(club: &mut Tester, visitor: VisitorId, last: u8) {
    club.arrive_from(visitor, [192, 0, 2, last]);
    name(club, visitor);
}

fn open_room() -> ClubRequest {
    create(unrated())
}

fn tournament() -> TournamentSetup {
    tournament_setup(System::Swiss { rounds: 2 })
}

#[test]
fn a_guest_waits_in_one_room_and_a_person_in_several() {
    let folder = TempDir::new().unwrap();
    let mut club = club(&folder, Limits::default());
    club.arrive(START, ANNA);
    club.say(ANNA, &open_room());
    club.say(ANNA, &open_room());
    assert_eq!(club.error(ANNA), "guest_waits");
    assert_eq!(club.club.statistics().waiting, 1);
    name(&mut club, ANNA);
    club.say(ANNA, &open_room());
    assert_eq!(club.club.statistics().waiting, 2);
}

/// Five addresses once took all rooms in seconds, and no other visitor could open one.
#[test]
fn an_address_with_fewer_rooms_gets_one_of_those_with_the_most() {
    let folder = TempDir::new().unwrap();
    let limits = Limits {
        rooms: 6,
        ..Limits::default()
    };
    let mut club = club(&folder, limits);
    for (visitor, from) in [(1, 1), (2, 1), (3, 2)] {
        let visitor = VisitorId(visitor);
        arrive_named(&mut club, visitor, from);
        for _ in 0..2 {
            club.say(visitor, &open_room());
        }
    }
    assert_eq!(club.club.statistics().waiting, 6);
    let carl = VisitorId(4);
    arrive_named(&mut club, carl, 3);
    club.say(carl, &open_room());
    assert_eq!(club.room(carl).state.stage, Stage::Waiting);
    club.closed(VisitorId(1));
    // Where it has as many as others nothing gives way to it.
    let dora = VisitorId(5);
    arrive_named(&mut club, dora, 2);
    club.say(dora, &open_room());
    assert_eq!(club.error(dora), "too_many_rooms");
}

/// Fifteen accounts of one pupil once kept the teacher of the same address from opening a tournament.
#[test]
fn a_tournament_without_players_gives_way_within_an_address() {
    let folder = TempDir::new().unwrap();
    let limits = Limits {
        tournaments: 4,
        ..Limits::default()
    };
    let mut club = club(&folder, limits);
    let mut numbers = Vec::new();
    for visitor in [1, 2, 3, 4].map(VisitorId) {
        club.arrive(START, visitor);
        name(&mut club, visitor);
        club.say(visitor, &create_tournament(tournament()));
        numbers.push(club.tournament(visitor).summary.tournament);
        if visitor == VisitorId(1) {
            // Its maker takes part, and another person.
            let look = open_tournament(numbers[0]);
            let other = VisitorId(9);
            club.arrive(START, other);
            name(&mut club, other);
            club.say(other, &look);
            for player in [visitor, other] {
                club.say(player, &TournamentMessage::JoinTournament);
            }
        }
    }
    assert_eq!(club.club.list_tournaments(10).len(), 3);
    assert_eq!(club.error(VisitorId(2)), "no_tournament");
    for number in [0, 2, 3] {
        club.say(VisitorId(4), &open_tournament(numbers[number]));
        assert_eq!(club.error_since(0, VisitorId(4)), None);
    }
}

/// Guests who sat down once took the names of their address, and an attacker with a tournament the
/// few invitations of a person.
#[test]
fn guests_take_no_names_and_organisers_no_invitations_of_others() {
    let folder = TempDir::new().unwrap();
    let limits = Limits {
        names_an_hour: 6,
        ..Limits::default()
    };
    let mut club = club(&folder, limits);
    for guest in (10..16).map(VisitorId) {
        club.arrive(START, guest);
        club.say(guest, &open_room());
        assert_eq!(club.error_since(0, guest), None);
    }
    club.arrive(START, VisitorId(16));
    club.say(VisitorId(16), &open_room());
    assert_eq!(club.error(VisitorId(16)), "too_many_names");
    let carl = VisitorId(3);
    for visitor in [ANNA, BELA, carl] {
        club.arrive(START, visitor);
        name(&mut club, visitor);
        assert_eq!(club.error_since(0, visitor), None);
    }
    let add = add_player("Person 3");
    let remove = remove_player("Person 3");
    for organiser in [ANNA, BELA] {
        club.say(organiser, &create_tournament(tournament()));
        for _ in 0..5 {
            club.say(organiser, &add);
            club.say(organiser, &remove);
            assert_eq!(club.error_since(0, organiser), None);
        }
        club.say(organiser, &add);
        assert_eq!(club.error(organiser), "too_often");
    }
    // A guest who takes a name is a person with one: three, two tournaments, and this.
    name(&mut club, VisitorId(10));
    assert_eq!(club.error_since(0, VisitorId(10)), None);
    name(&mut club, VisitorId(11));
    assert_eq!(club.error(VisitorId(11)), "too_many_names");
}

#[test]
fn a_round_begins_where_all_rooms_are_taken() {
    let folder = TempDir::new().unwrap();
    let limits = Limits {
        rooms: 2,
        ..Limits::default()
    };
    let mut club = club(&folder, limits);
    let people = [1, 2, 3, 4].map(VisitorId);
    for visitor in people {
        club.arrive_from(visitor, [192, 0, 2, visitor.0 as u8]);
        name(&mut club, visitor);
    }
    for visitor in [people[2], people[3]] {
        club.say(visitor, &open_room());
    }
    club.say(ANNA, &create_tournament(tournament()));
    let number = club.tournament(ANNA).summary.tournament;
    for visitor in people {
        club.say(visitor, &open_tournament(number));
        club.say(visitor, &TournamentMessage::JoinTournament);
    }
    club.say(ANNA, &TournamentMessage::BeginTournament);
    let shown = club.tournament(ANNA);
    assert_eq!(shown.summary.round, 1);
    let pairings = &shown.pairings;
    assert!(pairings.len() == 2 && pairings.iter().all(|it| it.room.is_some()));
}

/// 63 guests once filled a tournament in two seconds, of whom its organiser could take out 30 a
/// minute.
#[test]
fn guests_take_part_where_the_organiser_wants_them_and_go_at_once() {
    let folder = TempDir::new().unwrap();
    let mut club = club(&folder, Limits::default());
    club.arrive(START, ANNA);
    name(&mut club, ANNA);
    club.say(ANNA, &create_tournament(tournament()));
    let number = club.tournament(ANNA).summary.tournament;
    let look = open_tournament(number);
    let join = TournamentMessage::JoinTournament;
    club.arrive(START, BELA);
    club.say(BELA, &look);
    club.say(BELA, &join);
    assert_eq!(club.error(BELA), "tournament_named_only");
    club.say(ANNA, &TournamentMessage::EndTournament);
    let setup = TournamentSetup {
        named_only: false,
        ..tournament()
    };
    club.say(ANNA, &create_tournament(setup));
    let number = club.tournament(ANNA).summary.tournament;
    let look = open_tournament(number);
    club.say(ANNA, &join);
    for guest in (10..70).map(VisitorId) {
        club.arrive(START, guest);
        club.say(guest, &look);
        club.say(guest, &join);
    }
    club.tick(START + SECOND);
    assert_eq!(club.tournament(ANNA).summary.players, 61);
    club.say(ANNA, &TournamentMessage::RemoveGuests);
    assert_eq!(club.tournament(ANNA).summary.players, 1);
    club.say(VisitorId(10), &join);
    assert_eq!(club.error(VisitorId(10)), "removed");
    // An organiser changes more in a minute than a player may.
    for _ in 0..60 {
        club.say(ANNA, &TournamentMessage::CloseEntry { closed: true });
    }
    assert_ne!(club.error_since(0, ANNA), Some("too_often"));
    for _ in 0..31 {
        club.say(ANNA, &TournamentMessage::Withdraw);
    }
    assert_eq!(club.error(ANNA), "too_often");
}

#[test]
fn entry_is_by_approval_or_by_the_link_alone() {
    let folder = TempDir::new().unwrap();
    let mut club = club(&folder, Limits::default());
    for visitor in [ANNA, BELA] {
        club.arrive(START, visitor);
        name(&mut club, visitor);
    }
    let setup = TournamentSetup {
        entry: EntryRule::Approval,
        ..tournament()
    };
    club.say(ANNA, &create_tournament(setup));
    let number = club.tournament(ANNA).summary.tournament;
    let look = open_tournament(number);
    let join = TournamentMessage::JoinTournament;
    club.say(ANNA, &join);
    club.say(BELA, &look);
    for _ in 0..2 {
        club.say(BELA, &join);
    }
    club.tick(START + SECOND);
    let shown = club.tournament(ANNA);
    assert_eq!(shown.summary.players, 1);
    assert_eq!(shown.asking, ["Person 2"]);
    club.say(BELA, &TournamentMessage::Withdraw);
    club.tick(START + 2 * SECOND);
    assert!(club.tournament(ANNA).asking.is_empty());
    club.say(BELA, &join);
    // Only the organiser admits.
    club.say(BELA, &add_player("Person 2"));
    assert_eq!(club.error(BELA), "not_maker");
    club.say(ANNA, &add_player("Person 2"));
    club.tick(START + 3 * SECOND);
    let shown = club.tournament(BELA);
    assert_eq!(shown.summary.players, 2);
    assert!(shown.asking.is_empty());
    club.say(ANNA, &TournamentMessage::EndTournament);
    let setup = TournamentSetup {
        entry: EntryRule::Link,
        ..tournament()
    };
    club.say(ANNA, &create_tournament(setup));
    let number = club.tournament(ANNA).summary.tournament;
    let carl = VisitorId(3);
    club.arrive(START + 5 * SECOND, carl);
    assert_eq!(club.lobby(carl).tournaments, []);
    club.say(carl, &open_tournament(number));
    assert_eq!(club.tournament(carl).summary.setup.entry, EntryRule::Link);
}
