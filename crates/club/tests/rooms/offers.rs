//! Games that end by agreement, by claim, or before they have begun.

use crate::club::{ANNA, BELA, START, Tester};
use crate::messages::enter;
use crate::{MINUTE, ms, play, won};
use quincunx_club::rooms::{Action, ClockRule, ClubRequest, Limits, Outcome, Stage};
use quincunx_engine::game::Termination;
use quincunx_engine::game::swap::Seat;
use tempfile::TempDir;

/// Who sees that the other does not come back need not wait for a clock of hours.
#[test]
fn the_win_is_claimed_when_the_other_is_gone() {
    let folder = TempDir::new().unwrap();
    let mut club = Tester::open(&folder.path().join("club"), Limits::default());
    club.tick(START);
    club.begin(
        START,
        ClockRule::SuddenDeath {
            main_ms: 6 * 3_600_000,
        },
    );
    let claim = ClubRequest::Claim;
    club.play_opening(START);
    club.say(ANNA, &claim);
    assert_eq!(club.error(ANNA), "not_gone");
    club.club.leave(START, BELA);
    club.tick(START + ms(500));
    assert_eq!(club.room(ANNA).gone_ms, [None, Some(500)]);
    club.receive(START + ms(59_000), ANNA, &claim);
    assert_eq!(club.retry_s(ANNA), Some(1));
    // Who comes back and goes again has another minute.
    club.arrive(START + ms(59_000), BELA);
    club.tick(START + ms(59_500));
    assert_eq!(club.room(ANNA).gone_ms, [None, None]);
    club.club.leave(START + ms(59_600), BELA);
    club.receive(START + ms(61_000), ANNA, &claim);
    assert_eq!(club.retry_s(ANNA), Some(59));
    club.receive(START + ms(119_600), ANNA, &claim);
    let over = club.room(ANNA);
    assert_eq!(over.state.outcome, won(Seat::First, Termination::Forfeit));
    assert!(over.rating_changes[0].unwrap() > 0);
}

#[test]
fn a_game_is_called_off_before_both_have_acted() {
    let folder = TempDir::new().unwrap();
    let mut club = Tester::open(&folder.path().join("club"), Limits::default());
    club.begin(START, MINUTE);
    let abort = Action::Abort;
    club.say(ANNA, &play("h8", 0));
    assert!(club.room(BELA).can_abort);
    let mut other = Tester::open(&folder.path().join("other"), Limits::default());
    other.begin(START, MINUTE);
    other.say(ANNA, &play("h8", 0));
    other.say(BELA, &abort);
    assert_eq!(
        other.room(ANNA).state.outcome,
        Some(Outcome {
            winner: None,
            reason: Termination::Aborted
        })
    );
    club.say(BELA, &play("i9", 1));
    assert!(!club.room(BELA).can_abort);
    club.say(ANNA, &abort);
    assert_eq!(club.error(ANNA), "in_earnest");
}

/// An offer finds its player in the lobby, and can be withdrawn; it is made once a move.
#[test]
fn offers_find_their_player_and_can_be_withdrawn() {
    let folder = TempDir::new().unwrap();
    let mut club = Tester::open(&folder.path().join("club"), Limits::default());
    club.begin(START, MINUTE);
    club.play_opening(START);
    club.say(BELA, &ClubRequest::Leave);
    club.say(ANNA, &Action::OfferDraw);
    assert_eq!(club.own_room(BELA).state.draw_offer, Some(Seat::First));
    club.say(ANNA, &Action::DeclineDraw);
    assert_eq!(club.own_room(BELA).state.draw_offer, None);
    club.say(ANNA, &Action::OfferDraw);
    assert_eq!(club.error(ANNA), "offer");
}

/// A wish for a rematch once found its player only in the room.
#[test]
fn a_wish_for_a_rematch_finds_its_player() {
    let folder = TempDir::new().unwrap();
    let mut club = Tester::open(&folder.path().join("club"), Limits::default());
    club.begin(START, MINUTE);
    club.say(BELA, &ClubRequest::Leave);
    club.say(ANNA, &Action::Resign);
    club.say(ANNA, &Action::Rematch);
    let own = club.own_room(BELA);
    assert_eq!(
        (own.state.stage, own.state.rematch_wish),
        (Stage::Over, Some(Seat::First))
    );
    // It waits for a player who has no connection.
    club.club.leave(START, BELA);
    club.arrive(START, BELA);
    let own = &club.welcome(BELA).rooms[0];
    assert_eq!(own.state.rematch_wish, Some(Seat::First));
    // The same again once told all visitors again.
    club.say(ANNA, &Action::Rematch);
    assert_eq!(club.error(ANNA), "offer");
}

/// A wish for a rematch was once lost when the server was killed.
#[test]
fn a_wish_for_a_rematch_outlives_the_server() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("club");
    let mut club = Tester::open(&path, Limits::default());
    let room = club.begin(START, MINUTE);
    club.play_opening(START);
    club.say(BELA, &Action::Resign);
    club.say(ANNA, &Action::Rematch);
    drop(club);
    let mut club = Tester::open(&path, Limits::default());
    club.tick(START);
    for visitor in [ANNA, BELA] {
        club.arrive(START, visitor);
        club.say(visitor, &enter(room));
    }
    assert_eq!(club.room(BELA).state.rematch_wish, Some(Seat::First));
    club.say(BELA, &Action::Rematch);
    assert_eq!(club.room(ANNA).state.stage, Stage::Playing);
}
