//! The clocks of both players: when they run, stand and go back.

use super::games::set_up;
use super::*;
use crate::message::{AnalysisMode, SearchLimits};

/// The engine's answer was once charged as if it had come with the last message, and
/// its thinking fell on the person's clock.
#[test]
fn the_engine_thinks_on_its_own_clock() {
    let mut table = Table::with(|setup| {
        setup.time = Time {
            game_ms: Some(10_000),
            ..Time::default()
        };
    });
    table.now = Duration::from_secs(1);
    table.play(&["h8"]);
    table.now = Duration::from_secs(5);
    table.answer_move("i9");
    let clock = table.state().clock.unwrap();
    assert_eq!((clock.black, clock.white), (9_000, 6_000));
    table.now = Duration::from_secs(7);
    table.play(&["g7"]);
    assert_eq!(table.state().clock.unwrap().black, 7_000);
}

#[test]
fn clocks_fall_and_go_back() {
    let mut table = Table::with(|setup| {
        setup.white = Player::Person;
        setup.time = Time {
            game_ms: Some(10_000),
            increment_ms: 1_000,
            turn_ms: None,
        };
    });
    table.now += Duration::from_secs(3);
    table.play(&["h8"]);
    table.now += Duration::from_secs(4);
    table.play(&["i9"]);
    let clock = table.state().clock.unwrap();
    assert_eq!(
        (clock.black, clock.white, clock.running),
        (8_000, 7_000, Some(Color::Black))
    );
    table.say(ClientMessage::Undo);
    let clock = table.state().clock.unwrap();
    assert_eq!((clock.black, clock.white), (8_000, 10_000));
    assert_eq!(
        table.session.deadline(),
        None,
        "a position with moves after it is looked at"
    );
    table.play(&["a1"]);
    let deadline = table.session.deadline().unwrap();
    assert_eq!(deadline, table.now + Duration::from_secs(8));
    assert_eq!(table.session.tick(deadline - Duration::from_millis(1)), []);
    assert_eq!(table.session.tick(deadline).len(), 1);
    let winner = Some(Color::White);
    assert_eq!(
        table.state().phase,
        Phase::Over(GameResult {
            winner,
            termination: Termination::Time
        })
    );
}

/// A move after the flag was once played where the front's timer was late.
#[test]
fn nothing_is_played_after_the_flag() {
    let time = Time {
        game_ms: Some(10_000),
        increment_ms: 1_000,
        turn_ms: None,
    };
    let over = |winner| {
        Phase::Over(GameResult {
            winner: Some(winner),
            termination: Termination::Time,
        })
    };
    let mut table = Table::with(|setup| setup.time = time);
    let node = table.state().node;
    table.now = Duration::from_secs(10);
    let point = "h8".to_owned();
    table.say(ClientMessage::Play { point, node });
    assert_eq!(table.error(), Some("over"));
    assert!(matches!(table.replies[0], ServerMessage::State(_)));
    assert_eq!(table.state().phase, over(Color::White));
    assert_eq!(table.stones(), "");

    let mut table = Table::with(|setup| setup.time = time);
    table.play(&["h8"]);
    table.now = Duration::from_secs(10);
    table.answer_move("i9");
    assert_eq!(table.state().phase, over(Color::Black));
    assert_eq!(table.stones(), "h8");
}

/// A pause was once charged to the player who moved after it: a long one lost on time.
#[test]
fn clocks_are_paused_while_the_engine_waits() {
    let clocks = |setup: &mut Setup| {
        setup.time = Time {
            game_ms: Some(10_000),
            ..Time::default()
        };
    };
    let mut engines = Table::with(|setup| {
        clocks(setup);
        setup.black = Player::Engine;
    });
    let mut person = Table::with(clocks);
    person.play(&["h8"]);
    for (table, back, color) in [
        (&mut engines, vec![ClientMessage::Pause], Color::Black),
        (
            &mut person,
            vec![
                ClientMessage::GoTo { node: 0 },
                ClientMessage::GoTo { node: 1 },
            ],
            Color::White,
        ),
    ] {
        table.now = Duration::from_secs(2);
        back.into_iter().for_each(|message| table.say(message));
        assert_eq!(table.session.deadline(), None);
        table.now = Duration::from_secs(60);
        table.say(ClientMessage::Resume);
        let clock = table.state().clock.unwrap();
        assert_eq!(clock.running, Some(color));
        assert_eq!((clock.black, clock.white), (10_000, 10_000));
        assert_eq!(table.session.deadline(), Some(Duration::from_secs(70)));
        // There was nothing to resume.
        table.now = Duration::from_secs(61);
        table.say(ClientMessage::Resume);
        assert_eq!(table.session.deadline(), Some(Duration::from_secs(70)));
    }
    // A person has no time back.
    let mut person = Table::with(clocks);
    for seconds in [3, 20] {
        person.now = Duration::from_secs(seconds);
        person.say(ClientMessage::Pause);
        assert_eq!(person.state().clock.unwrap().black, 7_000);
    }
    person.say(ClientMessage::Resume);
    assert_eq!(person.session.deadline(), Some(Duration::from_secs(27)));
    person.now = Duration::from_secs(22);
    person.play(&["h8"]);
    assert_eq!(person.state().clock.unwrap().black, 5_000);
}

/// A look at an earlier position, or a click on the one that is shown, once gave a person the
/// time of the turn back.
#[test]
fn who_looks_at_another_position_has_no_time_back() {
    let mut table = Table::with(|setup| {
        setup.time = Time {
            game_ms: Some(10_000),
            ..Time::default()
        };
    });
    table.play(&["h8"]);
    table.answer_move("i9");
    table.now = Duration::from_secs(3);
    table.say(ClientMessage::GoTo { node: 2 });
    assert_eq!(table.state().clock.unwrap().black, 7_000);
    table.say(ClientMessage::GoTo { node: 1 });
    assert_eq!(table.session.deadline(), None);
    table.now = Duration::from_secs(60);
    for node in [0, 2] {
        table.say(ClientMessage::GoTo { node });
    }
    assert_eq!(table.state().clock.unwrap().black, 7_000);
    assert_eq!(table.session.deadline(), Some(Duration::from_secs(67)));
    table.now = Duration::from_secs(62);
    table.play(&["g7"]);
    assert_eq!(table.state().clock.unwrap().black, 5_000);
    // The engine thinks on where its own position is clicked on.
    let job = table.session.job().unwrap().id;
    table.say(ClientMessage::GoTo { node: 3 });
    assert_eq!(table.session.job().unwrap().id, job);
}

/// Who resigned and took it back once had the time of the turn again.
#[test]
fn who_takes_the_end_back_has_no_time_back() {
    let mut table = Table::with(|setup| {
        setup.time = Time {
            game_ms: Some(10_000),
            ..Time::default()
        };
    });
    table.play(&["h8"]);
    table.answer_move("i9");
    table.now = Duration::from_secs(9);
    table.say(ClientMessage::Resign);
    table.now = Duration::from_secs(60);
    table.say(ClientMessage::Undo);
    assert_eq!(table.state().phase, Phase::Move);
    assert_eq!(table.state().clock.unwrap().black, 1_000);
    assert_eq!(table.session.deadline(), Some(Duration::from_secs(61)));
}

/// What searches may use is changed, and the engine begins anew. It was once told that it had
/// all of its time again, and lost by time.
#[test]
fn a_search_that_begins_anew_has_no_time_back() {
    let mut table = Table::with(|setup| {
        setup.time = Time {
            game_ms: Some(10_000),
            ..Time::default()
        };
    });
    table.play(&["h8"]);
    let left = |table: &Table| table.session.job().unwrap().options.time_left;
    assert_eq!(left(&table), Some(Duration::from_secs(10)));
    table.now = Duration::from_secs(4);
    table.say(ClientMessage::Limit(SearchLimits::default()));
    assert_eq!(left(&table), Some(Duration::from_secs(6)));
}

/// The clock of the last game once ran on where two persons only looked at something, and
/// ended it.
#[test]
fn positions_to_look_at_have_no_clock() {
    let mut table = Table::with(|setup| {
        setup.white = Player::Person;
        setup.time = Time {
            game_ms: Some(10_000),
            increment_ms: 1_000,
            turn_ms: None,
        };
    });
    table.play(&["h8"]);
    for text in ["(;GM[4]SZ[15]PB[Ann]PW[Bob];B[hh];W[ig])", "h8i9"] {
        let text = text.to_owned();
        table.say(ClientMessage::open(text));
        table.say(ClientMessage::GoTo { node: 1 });
        table.say(ClientMessage::GoTo { node: 2 });
        assert_eq!(table.stones(), "h8 i9");
        assert_eq!(table.session.deadline(), None);
        assert_eq!(table.state().clock, None);
        table.say(ClientMessage::BringBack);
        assert!(table.session.deadline().is_some(), "the game has its clock");
    }
    // Stones that are set up are played from by the clock, or analysed without.
    let mut setup = table.state().setup;
    setup.stones = set_up("h8", "i9");
    table.say(ClientMessage::NewGame(setup));
    assert!(table.session.deadline().is_some());
    let (lines, mode) = (1, AnalysisMode::Best);
    table.say(ClientMessage::Analyse { lines, mode });
    table.say(ClientMessage::StopAnalysis);
    assert_eq!(table.session.deadline(), None);
    assert_eq!(table.state().clock, None);
    // A game that is under way keeps its clock.
    table.say(ClientMessage::BringBack);
    table.say(ClientMessage::Analyse { lines, mode });
    assert!(table.session.deadline().is_some());
}

/// A reload once gave back what had been used of the turn.
#[test]
fn a_reload_gives_back_no_time() {
    let mut table = Table::with(|setup| {
        setup.time = Time {
            game_ms: Some(10_000),
            ..Time::default()
        };
    });
    let hello = |table: &Table, left_ms| ClientMessage::Hello {
        version: VERSION,
        save: table.state().save,
        node: Some(table.state().node),
        changes: true,
        left_ms,
    };
    for (left, expected) in [
        (None, 10_000),
        (Some(4_000), 4_000),
        (Some(u64::MAX), 10_000),
        (Some(0), 0),
    ] {
        let mut again = Table::new();
        again.now = Duration::from_secs(1);
        again.say(hello(&table, left));
        assert_eq!(again.state().clock.unwrap().black, expected);
        assert_eq!(again.state().clock.unwrap().white, 10_000);
        let deadline = again.now + Duration::from_millis(expected);
        assert_eq!(again.session.deadline(), Some(deadline));
    }
    // The engine's search begins again, with the whole of its time.
    table.play(&["h8"]);
    let mut again = Table::new();
    again.say(hello(&table, Some(4_000)));
    assert_eq!(again.state().clock.unwrap().white, 10_000);
}

/// The clock of the player whose time was up once showed what was left at the turn's beginning,
/// and a reload after a resignation gave the time of the turn back.
#[test]
fn clocks_of_a_game_that_is_over_stay_as_they_were() {
    let timed = |setup: &mut Setup| {
        setup.time = Time {
            game_ms: Some(10_000),
            ..Time::default()
        };
    };
    let shown = |table: &Table| {
        let clock = table.state().clock.unwrap();
        (clock.black, clock.white, clock.running)
    };
    let mut table = Table::with(timed);
    table.now = Duration::from_secs(4);
    table.play(&["h8"]);
    table.answer_move("i9");
    table.now = Duration::from_millis(10_000);
    assert_eq!(table.session.tick(table.now).len(), 1);
    assert_eq!(shown(&table), (0, 10_000, None));
    assert_eq!(shown(&table.resumed()), (0, 10_000, None));
    table.say(ClientMessage::GoTo { node: 0 });
    table.say(ClientMessage::GoTo { node: 2 });
    assert_eq!(shown(&table), (0, 10_000, None));
    // White's time, with the engine to move.
    let mut table = Table::with(timed);
    table.play(&["h8"]);
    table.now = Duration::from_secs(10);
    table.session.tick(table.now);
    assert_eq!(shown(&table), (10_000, 0, None));
    // Resigned after seven seconds.
    let mut table = Table::with(timed);
    table.play(&["h8"]);
    table.answer_move("i9");
    table.now = Duration::from_secs(7);
    table.say(ClientMessage::Resign);
    table.now = Duration::from_secs(9);
    assert_eq!(shown(&table), (3_000, 10_000, None));
    assert_eq!(shown(&table.resumed()), (3_000, 10_000, None));
    // A reload while an earlier position is shown gives no time back either.
    let mut table = Table::with(timed);
    table.play(&["h8"]);
    table.answer_move("i9");
    table.now = Duration::from_secs(6);
    table.say(ClientMessage::GoTo { node: 0 });
    let mut other = table.resumed();
    other.say(ClientMessage::GoTo { node: 2 });
    assert_eq!(other.state().clock.unwrap().black, 4_000);
}
