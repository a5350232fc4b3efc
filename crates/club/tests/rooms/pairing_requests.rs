//! The organiser's hour: half-point byes, pairings by hand and forbidden ones, a second organiser, and
//! results of games at real boards.

use crate::messages::{correct_result, half_bye, organiser};
use crate::tournament::{Evening, NAMES};
use quincunx_club::rooms::{Action, ClubRequest, RoomId, TournamentMessage};
use quincunx_pairing::{PairingResult, Score, System};
use std::collections::BTreeSet;
use tempfile::TempDir;

const SWISS: System = System::Swiss { rounds: 3 };

fn pairs(evening: &mut Evening) -> BTreeSet<BTreeSet<usize>> {
    let tables = evening.tables();
    let pair =
        |(first, second, _): &(usize, usize, Option<RoomId>)| BTreeSet::from([*first, *second]);
    tables.iter().map(pair).collect()
}

fn fix_pairing(first: usize, second: usize) -> TournamentMessage {
    let [first, second] = [first, second].map(|it| NAMES[it].to_owned());
    let wanted = true;
    TournamentMessage::FixPairing {
        first,
        second,
        wanted,
    }
}

fn forbid_pairing(first: usize, second: usize, wanted: bool) -> TournamentMessage {
    let [first, second] = [first, second].map(|it| NAMES[it].to_owned());
    TournamentMessage::ForbidPairing {
        first,
        second,
        wanted,
    }
}

#[test]
fn wishes_are_followed_in_the_next_round() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("club");
    let mut evening = Evening::open(&path, 7, SWISS);
    evening.say(0, half_bye(NAMES[6], true));
    evening.say(0, fix_pairing(0, 1));
    evening.say(0, fix_pairing(1, 2));
    evening.say(0, forbid_pairing(3, 4, true));
    evening.say(0, forbid_pairing(5, 4, true));
    evening.say(0, forbid_pairing(4, 5, false));
    let shown = evening.shown(0);
    assert_eq!(shown.half_byes, [NAMES[6]]);
    assert_eq!(shown.fixed.len(), 1, "{shown:?}");
    assert_eq!(shown.forbidden.len(), 1, "{shown:?}");
    // A restart forgets none of it.
    evening.restart(&path);
    evening.say(0, TournamentMessage::BeginTournament);
    let found = pairs(&mut evening);
    assert!(found.contains(&BTreeSet::from([1, 2])), "{found:?}");
    assert!(!found.contains(&BTreeSet::from([3, 4])), "{found:?}");
    let shown = evening.shown(0);
    let off = shown.pairings.iter().find(|it| it.second.is_none());
    let off = off.unwrap();
    assert_eq!((&*off.first, off.points.unwrap()[0]), (NAMES[6], 0.5));
    // Those of one round are used up, and what makes no sense is refused.
    assert!(shown.half_byes.is_empty() && shown.fixed.is_empty());
    for (message, code) in [
        (fix_pairing(0, 0), "not_playing"),
        (half_bye("Nobody", true), "nobody"),
    ] {
        evening.say(0, message);
        assert_eq!(evening.error(0), code);
    }
}

#[test]
fn a_round_robin_has_no_wishes() {
    let folder = TempDir::new().unwrap();
    let system = System::RoundRobin { double: false };
    let mut evening = Evening::open(&folder.path().join("club"), 4, system);
    evening.say(0, half_bye(NAMES[1], true));
    assert_eq!(evening.error(0), "swiss_only");
}

#[test]
fn a_second_organiser_does_what_the_maker_does_but_names_none() {
    let folder = TempDir::new().unwrap();
    let mut evening = Evening::open(&folder.path().join("club"), 4, SWISS);
    let second = |wanted: bool| organiser(NAMES[1], wanted);
    evening.say(1, TournamentMessage::BeginTournament);
    assert_eq!(evening.error(1), "not_maker");
    evening.say(1, second(true));
    assert_eq!(evening.error(1), "not_maker");
    evening.say(0, second(true));
    evening.wait(1);
    assert_eq!(evening.shown(1).organisers, [NAMES[1]]);
    evening.say(1, TournamentMessage::BeginTournament);
    assert_eq!(evening.shown(1).summary.round, 1);
    evening.say(1, TournamentMessage::HoldRound { held: true });
    evening.wait(1);
    assert!(evening.shown(0).held);
    evening.say(1, organiser(NAMES[2], true));
    assert_eq!(evening.error(1), "not_maker");
    evening.say(0, second(false));
    evening.say(1, TournamentMessage::HoldRound { held: false });
    evening.wait(1);
    assert!(evening.shown(0).held);
}

#[test]
fn the_result_of_a_game_at_a_real_board_is_entered() {
    let folder = TempDir::new().unwrap();
    let mut evening = Evening::begin(&folder.path().join("club"), 4, SWISS);
    evening.say(0, correct_result(1, 1, PairingResult::Played(Score::Win)));
    let shown = evening.shown(0);
    assert_eq!(shown.pairings[0].points, Some([1.0, 0.0]));
    assert_eq!(shown.next_round_ms, None);
    // Where both have come to the room their game goes on.
    let tables = evening.tables();
    let (first, second, room) = tables[1];
    for player in [first, second] {
        evening.enter(player, room.unwrap());
    }
    evening.look(0);
    evening.say(0, correct_result(1, 2, PairingResult::Played(Score::Draw)));
    assert_eq!(evening.error(0), "game_goes_on");
    evening.enter(first, room.unwrap());
    evening.say(first, Action::Resign);
    evening.look(0);
    assert!(evening.shown(0).next_round_ms.is_some());
    // It counts as played: the two do not meet again.
    evening.wait(61);
    let again = pairs(&mut evening);
    let before = BTreeSet::from([tables[0].0, tables[0].1]);
    assert!(!again.contains(&before), "{again:?}");
}

/// A second organiser who was forgotten once stayed in the list as a former player.
#[test]
fn a_forgotten_person_is_in_no_list_of_a_tournament() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("club");
    let mut evening = Evening::open(&path, 4, SWISS);
    evening.say(0, organiser(NAMES[1], true));
    evening.say(0, organiser(NAMES[2], true));
    evening.say(0, half_bye(NAMES[1], true));
    evening.say(0, forbid_pairing(1, 2, true));
    evening.say(0, TournamentMessage::BeginTournament);
    evening.say(1, TournamentMessage::Withdraw);
    evening.say(1, ClubRequest::Forget);
    evening.restart(&path);
    let shown = evening.shown(0);
    assert_eq!(shown.organisers, [NAMES[2]]);
    assert!(shown.half_byes.is_empty() && shown.forbidden.is_empty());
}
