//! Challenges that can't be used to pester a person: limits, policies and blocks.

use crate::club::{ANNA, BELA, START, Tester};
use crate::messages::{
    add_player, challenge, create_tournament, enter, enter_and_sit, make_bot, quick, rename,
    tournament_setup, unrated,
};
use crate::play;
use quincunx_club::rooms::{
    Action, ClubMessage, ClubRequest, ContactPolicy, Limits, NewRoom, Phrase, RoomId, Stage,
    VisitorId,
};
use quincunx_pairing::System;
use std::time::Duration;
use tempfile::TempDir;

fn open(folder: &TempDir) -> Tester {
    let mut club = Tester::open(&folder.path().join("club"), Limits::default());
    club.arrive_as(START, ANNA, "Anna");
    club.arrive_as(START, BELA, "Béla");
    club
}

fn challenge_anna() -> ClubRequest {
    challenge(unrated(), "Anna")
}

fn block(name: &str, blocked: bool) -> ClubRequest {
    let name = name.to_owned();
    ClubRequest::Block { name, blocked }
}

fn contacts(policy: ContactPolicy) -> ClubRequest {
    ClubRequest::Contacts { policy }
}

fn room(club: &Tester, visitor: VisitorId) -> RoomId {
    club.room(visitor).state.room
}

/// The attack of 29 November: four guests sent twenty challenges in a third of a second.
#[test]
fn guests_challenge_no_person() {
    let folder = TempDir::new().unwrap();
    let mut club = open(&folder);
    for guest in (10..14).map(VisitorId) {
        club.arrive(START, guest);
        for _ in 0..5 {
            club.say(guest, &challenge_anna());
            assert_eq!(club.error(guest), "unnamed");
        }
    }
    assert_eq!(club.challenges(ANNA), 0);
    assert_eq!(club.club.statistics().waiting, 0, "and no room is left");
}

/// The same with names: one challenge from each, eight at a time, and forty in an hour.
#[test]
fn a_person_receives_few_challenges() {
    let folder = TempDir::new().unwrap();
    let mut club = open(&folder);
    for number in 10..30 {
        let visitor = VisitorId(number);
        club.arrive_as(START, visitor, &format!("Pest {number}"));
        for _ in 0..5 {
            club.say(visitor, &challenge_anna());
        }
        assert_eq!(club.error(visitor), "too_many_challenges");
    }
    assert_eq!(club.challenges(ANNA), 8);
    // Each takes its challenge back and sends it again: six times in an hour, and forty in all.
    for _ in 0..10 {
        for visitor in (10..30).map(VisitorId) {
            club.say(visitor, &ClubRequest::Close);
            club.say(visitor, &challenge_anna());
        }
    }
    assert_eq!(club.challenges(ANNA), 40);
    club.say(BELA, &challenge_anna());
    let refused = club.error(BELA).to_owned();
    assert!(
        ["too_often", "too_many_challenges"].contains(&&*refused),
        "{refused}"
    );
    let later = START + Duration::from_secs(3600);
    for visitor in (10..30).map(VisitorId) {
        club.receive(later, visitor, &ClubRequest::Close);
    }
    club.receive(later, BELA, &challenge_anna());
    assert_eq!(room(&club, BELA), club.challenge(ANNA).room);
}

/// The line about a challenge once stayed for ten minutes after its sender had gone.
#[test]
fn a_challenge_goes_with_its_sender() {
    let folder = TempDir::new().unwrap();
    let mut club = open(&folder);
    club.say(BELA, &challenge_anna());
    let room = room(&club, BELA);
    club.club.leave(START, BELA);
    club.tick(START + Duration::from_millis(500));
    assert_eq!(club.challenge_gone(ANNA), room);
    // A sender who comes and goes is told of at most twice a second.
    for _ in 0..20 {
        club.arrive(START, BELA);
        club.club.leave(START, BELA);
    }
    club.tick(START + Duration::from_secs(1));
    assert_eq!(club.challenges(ANNA), 1);
    club.arrive(START + Duration::from_secs(1), BELA);
    club.tick(START + Duration::from_secs(2));
    assert_eq!(club.challenges(ANNA), 2);
    // Nor does a visit of the lobby send it again.
    for second in 3..9 {
        let now = START + Duration::from_secs(second);
        club.receive(now, BELA, &enter(room));
        club.receive(now, BELA, &ClubRequest::Leave);
        club.tick(now + Duration::from_millis(500));
    }
    assert_eq!(club.challenges(ANNA), 2);
}

#[test]
fn a_policy_decides_who_may_challenge_and_play() {
    let folder = TempDir::new().unwrap();
    let mut club = open(&folder);
    club.say(BELA, &challenge_anna());
    let declined = room(&club, BELA);
    club.say(ANNA, &contacts(ContactPolicy::None));
    assert_eq!(club.closed(BELA), declined);
    assert_eq!(club.contacts(ANNA).policy, ContactPolicy::None);
    club.say(BELA, &challenge_anna());
    assert_eq!(club.error(BELA), "no_challenges");
    // It survives a restart. People with a name may take a seat, a guest may not.
    club.say(ANNA, &contacts(ContactPolicy::Named));
    drop(club);
    let mut club = Tester::open(&folder.path().join("club"), Limits::default());
    club.arrive(START, ANNA);
    assert_eq!(club.welcome(ANNA).contacts.policy, ContactPolicy::Named);
    let create = ClubRequest::Create(NewRoom::of(unrated()));
    club.say(ANNA, &create);
    let number = room(&club, ANNA);
    let guest = VisitorId(10);
    club.arrive(START, guest);
    let sit = enter_and_sit(number);
    club.say(guest, &sit);
    assert_eq!(club.error(guest), "named_only");
    club.say(guest, &quick(unrated()));
    assert_ne!(room(&club, guest), number);
    club.arrive(START, BELA);
    club.say(BELA, &challenge_anna());
    club.say(BELA, &sit);
    assert_eq!(club.room(BELA).state.stage, Stage::Playing);
}

#[test]
fn a_blocked_person_does_not_reach_the_other() {
    let folder = TempDir::new().unwrap();
    let mut club = open(&folder);
    club.say(BELA, &challenge_anna());
    let declined = room(&club, BELA);
    club.say(ANNA, &block("Béla", true));
    assert_eq!(club.closed(BELA), declined);
    assert_eq!(club.contacts(ANNA).blocked, ["Béla"]);
    // The same answer as by the policy: the block itself is not revealed.
    club.say(BELA, &challenge_anna());
    assert_eq!(club.error(BELA), "no_challenges");
    // A block is of the person, not of the name.
    club.say(BELA, &rename("Carl"));
    assert_eq!(club.contacts(ANNA).blocked, ["Carl"]);
    let create = ClubRequest::Create(NewRoom::of(unrated()));
    club.say(ANNA, &create);
    let number = room(&club, ANNA);
    club.say(BELA, &enter_and_sit(number));
    assert_eq!(club.error(BELA), "declined");
    let quick = quick(unrated());
    club.say(BELA, &quick);
    assert_ne!(room(&club, BELA), number, "strangers are not paired either");
    club.say(ANNA, &ClubRequest::Close);
    club.say(ANNA, &quick);
    assert_ne!(room(&club, ANNA), room(&club, BELA));
    club.say(ANNA, &ClubRequest::Close);
    // Anna may take a seat all the same, and hears no phrase; watchers do.
    club.say(ANNA, &enter_and_sit(room(&club, BELA)));
    let watcher = VisitorId(10);
    club.arrive(START, watcher);
    club.say(watcher, &enter(room(&club, BELA)));
    club.say(
        BELA,
        &ClubRequest::Say {
            phrase: Phrase::Hello,
        },
    );
    let said = |it: &ClubMessage| matches!(it, ClubMessage::Said { .. });
    assert_eq!(
        (club.count(0, ANNA, said), club.count(0, watcher, said)),
        (0, 1)
    );
    // No rematch can be asked for.
    for (ply, point) in ["h8", "i9"].into_iter().enumerate() {
        for visitor in [ANNA, BELA] {
            club.say(visitor, &play(point, ply));
        }
    }
    club.say(BELA, &Action::Resign);
    club.say(BELA, &Action::Rematch);
    assert_eq!(club.error(BELA), "declined");
    // An engine of theirs is blocked, too, and an organiser can't add the person.
    club.say(BELA, &make_bot("Robot"));
    let token = club.token(BELA).1.to_owned();
    let engine = VisitorId(11);
    club.arrive_with(START, engine, &token);
    club.say(engine, &challenge_anna());
    assert_eq!(club.error(engine), "no_challenges");
    club.say(
        BELA,
        &create_tournament(tournament_setup(System::Swiss { rounds: 3 })),
    );
    club.say(BELA, &add_player("Anna"));
    assert_eq!(club.error(BELA), "declined");
    // The block is lifted.
    club.say(ANNA, &block("Carl", false));
    assert_eq!(club.contacts(ANNA).blocked, [""; 0]);
    club.say(BELA, &challenge_anna());
    assert_eq!(room(&club, BELA), club.challenge(ANNA).room);
    for (name, error) in [("Anna", "block_self"), ("Dora", "nobody")] {
        club.say(ANNA, &block(name, true));
        assert_eq!(club.error(ANNA), error);
    }
}
