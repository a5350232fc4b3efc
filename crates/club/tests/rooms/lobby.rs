//! What the lobby costs: the whole once, then changes, at most once a second.

use crate::club::{ANNA, BELA, START, Tester};
use crate::messages::rename;
use crate::{MINUTE, ms};
use quincunx_club::rooms::{Action, ClubMessage, ClubRequest, Limits, VisitorId};
use std::time::Duration;
use tempfile::TempDir;

/// The messages about the lobby that a visitor was sent.
fn lobbies(club: &Tester, visitor: VisitorId) -> usize {
    club.count(0, visitor, |it| matches!(it, ClubMessage::Lobby(_)))
}

/// `leave` in a loop once turned 5 kB of messages a second into 8 MB.
#[test]
fn leaving_in_a_loop_gets_one_lobby_a_second() {
    let folder = TempDir::new().unwrap();
    let mut club = Tester::open(&folder.path().join("club.db"), Limits::default());
    club.arrive(START, ANNA);
    assert_eq!(lobbies(&club, ANNA), 1);
    for step in 0..3000 {
        let now = START + ms(step);
        club.receive(now, ANNA, &ClubRequest::Leave);
        if step % 50 == 0 {
            club.tick(now);
        }
    }
    assert!(
        (3..=4).contains(&lobbies(&club, ANNA)),
        "{}",
        lobbies(&club, ANNA)
    );
    // The last of them is answered, too.
    let before = lobbies(&club, ANNA);
    for step in [3_100, 3_200] {
        club.receive(START + ms(step), ANNA, &ClubRequest::Leave);
        assert_eq!(lobbies(&club, ANNA), before + 1);
    }
    club.tick(START + ms(4_200));
    assert_eq!(lobbies(&club, ANNA), before + 2);
}

/// A visitor who only looks has the same lobby as one who has just come, and got it in parts.
#[test]
fn changes_lead_to_the_lobby_that_a_newcomer_gets() {
    let folder = TempDir::new().unwrap();
    let mut club = Tester::open(&folder.path().join("club.db"), Limits::default());
    let (carl, mut newcomer) = (VisitorId(3), 100);
    club.arrive(START, carl);
    let mut now = START + Duration::from_secs(2);
    club.begin(now, MINUTE);
    for round in 0..6 {
        match round {
            0 => club.play_opening(now),
            1 => club.receive(now, ANNA, &Action::Resign),
            2 => club.receive(now, BELA, &ClubRequest::Leave),
            3 => club.receive(now, BELA, &rename("Bela")),
            4 => club.receive(now, ANNA, &Action::Rematch),
            _ => club.receive(now, BELA, &rename("Adam")),
        }
        now += Duration::from_secs(2);
        club.tick(now);
        newcomer += 1;
        club.arrive(now, VisitorId(newcomer));
        now += Duration::from_secs(2);
        club.tick(now);
        let whole = club.lobby(VisitorId(newcomer));
        // Their names and number differ from those before they came only by themselves.
        assert_eq!(club.lobby(carl), whole, "{round}");
    }
    let games = club.games_of_anna(now);
    assert_eq!(games[0].move_count, 8);
    assert!(games[0].moves.is_none());
}
