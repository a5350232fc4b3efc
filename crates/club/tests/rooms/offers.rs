//! Games that end by agreement, by claim, or before they have begun.

use crate::club::{ANNA, BELA, START, Tester, play};
use crate::{MINUTE, ms};
use quincunx_club::rooms::{ClockRule, Limits, VisitorId};
use serde_json::json;
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
    let claim = json!({ "type": "claim" });
    club.play_opening(START);
    club.receive(START, ANNA, &claim);
    assert_eq!(club.last(ANNA, "error")["code"], "not_gone");
    club.club.leave(START, BELA);
    club.tick(START + ms(500));
    assert_eq!(club.last(ANNA, "room")["gone_ms"], json!([null, 500]));
    club.receive(START + ms(59_000), ANNA, &claim);
    assert_eq!(club.last(ANNA, "error")["retry_s"], 1);
    // Who comes back and goes again has another minute.
    club.arrive(START + ms(59_000), BELA);
    club.tick(START + ms(59_500));
    assert_eq!(club.last(ANNA, "room")["gone_ms"], json!([null, null]));
    club.club.leave(START + ms(59_600), BELA);
    club.receive(START + ms(61_000), ANNA, &claim);
    assert_eq!(club.last(ANNA, "error")["retry_s"], 59);
    club.receive(START + ms(119_600), ANNA, &claim);
    let over = club.last(ANNA, "room");
    assert_eq!(
        over["outcome"],
        json!({ "winner": "first", "reason": "forfeit" })
    );
    assert!(over["rating_changes"][0].as_i64().unwrap() > 0);
}

#[test]
fn a_game_is_called_off_before_both_have_acted() {
    let folder = TempDir::new().unwrap();
    let mut club = Tester::open(&folder.path().join("club"), Limits::default());
    club.begin(START, MINUTE);
    let abort = json!({ "type": "abort" });
    club.receive(START, ANNA, &play("h8", 0));
    assert_eq!(club.last(BELA, "room")["can_abort"], true);
    let mut other = Tester::open(&folder.path().join("other"), Limits::default());
    other.begin(START, MINUTE);
    other.receive(START, ANNA, &play("h8", 0));
    other.receive(START, BELA, &abort);
    assert_eq!(
        other.last(ANNA, "room")["outcome"],
        json!({ "winner": null, "reason": "ended" })
    );
    club.receive(START, BELA, &play("i9", 1));
    assert_eq!(club.last(BELA, "room")["can_abort"], false);
    club.receive(START, ANNA, &abort);
    assert_eq!(club.last(ANNA, "error")["code"], "in_earnest");
}

/// An offer finds its player in the lobby, and can be withdrawn; it is made once a move.
#[test]
fn offers_find_their_player_and_can_be_withdrawn() {
    let folder = TempDir::new().unwrap();
    let mut club = Tester::open(&folder.path().join("club"), Limits::default());
    club.begin(START, MINUTE);
    club.play_opening(START);
    club.receive(START, BELA, &json!({ "type": "leave" }));
    club.receive(START, ANNA, &json!({ "type": "offer_draw" }));
    assert_eq!(club.last(BELA, "your_room")["draw_offer"], "first");
    club.receive(START, ANNA, &json!({ "type": "decline_draw" }));
    assert_eq!(club.last(BELA, "your_room")["draw_offer"], json!(null));
    club.receive(START, ANNA, &json!({ "type": "offer_draw" }));
    assert_eq!(club.last(ANNA, "error")["code"], "offer");
}

/// A wish for a rematch once found its player only in the room.
#[test]
fn a_wish_for_a_rematch_finds_its_player() {
    let folder = TempDir::new().unwrap();
    let mut club = Tester::open(&folder.path().join("club"), Limits::default());
    club.begin(START, MINUTE);
    club.receive(START, BELA, &json!({ "type": "leave" }));
    club.receive(START, ANNA, &json!({ "type": "resign" }));
    club.receive(START, ANNA, &json!({ "type": "rematch" }));
    let own = club.last(BELA, "your_room");
    assert_eq!(
        (&own["stage"], &own["rematch_wish"]),
        (&json!("over"), &json!("first"))
    );
    // It waits for a player who has no connection.
    club.club.leave(START, BELA);
    club.arrive(START, BELA);
    let own = &club.last(BELA, "welcome")["rooms"][0];
    assert_eq!(own["rematch_wish"], "first");
    // The same again once told all visitors again.
    club.receive(START, ANNA, &json!({ "type": "rematch" }));
    assert_eq!(club.last(ANNA, "error")["code"], "offer");
}

/// A wish for a rematch was once lost when the server was killed.
#[test]
fn a_wish_for_a_rematch_outlives_the_server() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("club");
    let mut club = Tester::open(&path, Limits::default());
    let room = club.begin(START, MINUTE);
    club.play_opening(START);
    let say = |club: &mut Tester, visitor: VisitorId, kind: &str| {
        club.receive(START, visitor, &json!({ "type": kind }));
    };
    say(&mut club, BELA, "resign");
    say(&mut club, ANNA, "rematch");
    drop(club);
    let mut club = Tester::open(&path, Limits::default());
    club.tick(START);
    for visitor in [ANNA, BELA] {
        club.arrive(START, visitor);
        club.receive(START, visitor, &json!({ "type": "enter", "room": room }));
    }
    assert_eq!(club.last(BELA, "room")["rematch_wish"], "first");
    say(&mut club, BELA, "rematch");
    assert_eq!(club.last(ANNA, "room")["stage"], "playing");
}
