//! Moves, undo and redo, and what is refused.

use super::*;

#[test]
fn the_first_message_is_hello() {
    let mut session = Session::new(Options::default());
    let replies = session.handle(Duration::ZERO, ClientMessage::Undo);
    assert!(matches!(
        replies[..],
        [ServerMessage::Error {
            code: "no_hello",
            ..
        }]
    ));
    let version = VERSION + 1;
    let replies = session.handle(
        Duration::ZERO,
        ClientMessage::Hello {
            version,
            save: None,
            node: None,
            changes: false,
            left_ms: None,
        },
    );
    assert!(matches!(
        replies[..],
        [ServerMessage::Error {
            code: "version",
            ..
        }]
    ));
    let save = Some("nonsense".to_owned());
    let replies = session.handle(Duration::ZERO, hello(save));
    assert!(matches!(
        replies[..],
        [ServerMessage::Welcome(_), ServerMessage::State(_)]
    ));
}

#[test]
fn the_engine_answers_and_the_five_is_reported() {
    let mut table = Table::new();
    for (own, reply) in [("a1", "a2"), ("b1", "b2"), ("c1", "c2"), ("d1", "d2")] {
        table.play(&[own]);
        assert_eq!(table.purpose(), Some(Purpose::Step));
        assert!(table.state().thinking);
        table.answer_move(reply);
    }
    table.play(&["e1"]);
    let state = table.state();
    assert_eq!(state.winning, ["a1", "b1", "c1", "d1", "e1"]);
    let winner = Some(Color::Black);
    assert_eq!(
        state.phase,
        Phase::Over(GameResult {
            winner,
            termination: Termination::Five
        })
    );
    assert_eq!((table.purpose(), state.actor), (None, None));
    let node = state.node;
    table.refused(
        ClientMessage::Play {
            point: "o1".to_owned(),
            node,
        },
        "over",
    );
}

#[test]
fn a_late_answer_after_an_undo_is_dropped() {
    let mut table = Table::new();
    table.play(&["h8"]);
    let late = table.session.job().unwrap().id;
    table.say(ClientMessage::Undo);
    assert_eq!((table.stones().as_str(), table.purpose()), ("", None));
    let answer = Some(best("i9", None));
    let report = Report::Search(SearchReport {
        answer,
        ..SearchReport::default()
    });
    assert_eq!(table.session.report(table.now, late, report.clone()), []);
    table.play(&["g7"]);
    assert_eq!(table.session.report(table.now, late, report), []);
    assert_eq!(table.stones(), "g7");
    table.answer_move("g8");
    assert_eq!(table.stones(), "g7 g8");
}

#[test]
fn undo_takes_back_the_engines_move_too_and_redo_both() {
    let mut table = Table::new();
    table.play(&["h8"]);
    table.answer_move("i9");
    table.play(&["g7"]);
    table.answer_move("f6");
    table.say(ClientMessage::Undo);
    assert_eq!(table.stones(), "h8 i9");
    table.say(ClientMessage::Undo);
    assert_eq!(
        (table.stones().as_str(), table.state().can.undo),
        ("", false)
    );
    table.refused(ClientMessage::Undo, "not_now");
    table.say(ClientMessage::Redo);
    assert_eq!(table.stones(), "h8 i9");
    table.say(ClientMessage::Redo);
    assert_eq!(table.stones(), "h8 i9 g7 f6");
    table.refused(ClientMessage::Redo, "not_now");
    assert_eq!(table.purpose(), None);
}

#[test]
fn an_engine_that_began_keeps_its_first_stone() {
    let mut table = Table::with(|setup| (setup.black, setup.white) = (setup.white, setup.black));
    table.answer_move("h8");
    assert!(!table.state().can.undo);
    table.play(&["i9"]);
    table.answer_move("g7");
    table.say(ClientMessage::Undo);
    assert_eq!(table.stones(), "h8");
    assert_eq!(table.purpose(), None);
}

#[test]
fn a_move_on_an_old_board_is_refused() {
    let mut table = Table::persons();
    table.play(&["h8"]);
    let point = "i9".to_owned();
    table.refused(ClientMessage::Play { point, node: 0 }, "stale");
    for (point, code) in [("h8", "taken"), ("p1", "point"), ("x", "point")] {
        let (point, node) = (point.to_owned(), table.state().node);
        table.refused(ClientMessage::Play { point, node }, code);
    }
    let mut table = Table::new();
    table.play(&["h8"]);
    let (point, node) = ("i9".to_owned(), table.state().node);
    table.refused(ClientMessage::Play { point, node }, "not_your_turn");
}

#[test]
fn renju_refuses_forbidden_points_and_says_why() {
    let mut table = Table::with(|setup| {
        setup.rule = "renju".to_owned();
        setup.white = Player::Person;
    });
    table.play(&["h7", "a1", "h6", "a15", "g8", "o1", "f8", "o15"]);
    let forbidden = table.state().forbidden;
    assert_eq!(forbidden.len(), 1);
    assert_eq!(
        (forbidden[0].point.to_string(), forbidden[0].kind),
        ("h8".to_owned(), Forbidden::DoubleThree)
    );
    let (point, node) = ("h8".to_owned(), table.state().node);
    table.refused(ClientMessage::Play { point, node }, "forbidden");
}
