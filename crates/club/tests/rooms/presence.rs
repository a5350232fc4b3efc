//! What visitors see of the club: who is here, profiles, and the ends of their own games.

use crate::club::{ANNA, BELA, FROM, START, Tester};
use crate::messages::{enter_and_sit, key_of, new_room, profile, rename, unrated};
use quincunx_club::rooms::{Action, Admission, ClubRequest, Limits, NewRoom, VisitorId};
use quincunx_engine::game::swap::Seat;
use std::time::Duration;
use tempfile::TempDir;

/// Tabs were once counted as visitors.
#[test]
fn people_are_counted_not_their_connections() {
    let folder = TempDir::new().unwrap();
    let mut club = Tester::open(&folder.path().join("club"), Limits::default());
    club.arrive(START, ANNA);
    for tab in (50..55).map(VisitorId) {
        club.arrive_with(START, tab, &key_of(BELA));
    }
    // One who has not said hello is no person yet.
    club.club.arrive(VisitorId(60), FROM, Admission::All);
    club.tick(START + Duration::from_secs(2));
    assert_eq!(club.lobby(ANNA).visitors, 2);
}

/// A private game was once in the profile of the player who looked at their own only.
#[test]
fn a_private_game_is_in_both_profiles_for_its_players() {
    let folder = TempDir::new().unwrap();
    let mut club = Tester::open(&folder.path().join("club"), Limits::default());
    for (visitor, name) in [(ANNA, "Anna"), (BELA, "Bela"), (VisitorId(3), "Carl")] {
        club.arrive(START, visitor);
        club.say(visitor, &rename(name));
    }
    let setup = unrated();
    let create = ClubRequest::Create(NewRoom {
        private: true,
        ..new_room(setup)
    });
    club.say(ANNA, &create);
    let room = club.room(ANNA).state.room;
    club.say(BELA, &enter_and_sit(room));
    club.play_opening(START);
    // Anna is in the lobby when the game ends, and is told how.
    club.say(ANNA, &ClubRequest::Leave);
    club.say(BELA, &Action::Resign);
    let ended = club.own_room(ANNA);
    assert_eq!(ended.state.outcome.unwrap().winner, Some(Seat::First));
    for (visitor, count) in [(ANNA, 1), (BELA, 1), (VisitorId(3), 0)] {
        for name in ["Anna", "Bela"] {
            club.say(visitor, &profile(name));
            let games = &club.profile(visitor).games;
            assert_eq!(games.len(), count, "{name} for {visitor:?}");
        }
    }
}
