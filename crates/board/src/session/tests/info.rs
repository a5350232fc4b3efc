//! The names, the event, the date and the result of a game, arrows, and names of openings.

use super::games::exported;
use super::*;
use crate::message::GameInfo;

fn ann_and_bob() -> GameInfo {
    GameInfo {
        black: "Ann".to_owned(),
        white: "Bob".to_owned(),
        event: "Cup]".to_owned(),
        date: "2026-11-30".to_owned(),
        result: "W+R".to_owned(),
    }
}

#[test]
fn names_event_date_and_result_are_edited_and_exported() {
    let mut table = Table::persons();
    table.play(&["h8", "i9"]);
    assert_eq!(table.state().info, GameInfo::default());
    table.say(ClientMessage::Info(ann_and_bob()));
    assert_eq!(table.error(), None);
    assert_eq!(table.state().info, ann_and_bob());
    let over = Phase::Over(GameResult {
        winner: Some(Color::White),
        termination: Termination::Resignation,
    });
    assert_eq!(table.state().phase, over);
    let sgf = exported(&mut table, Format::Sgf);
    for text in [
        "PB[Ann]",
        "PW[Bob]",
        "EV[Cup\\]]",
        "DT[2026-11-30]",
        "RE[W+R]",
    ] {
        assert!(sgf.contains(text), "{sgf}");
    }
    let psq = exported(&mut table, Format::Psq);
    assert!(psq.contains("\nAnn\nBob\n"), "{psq}");
    // It is kept, and comes back from the file.
    assert_eq!(table.resumed().state().info, ann_and_bob());
    let mut other = Table::persons();
    other.say(ClientMessage::open(sgf));
    assert_eq!(other.state().info, ann_and_bob());
    // Without a result the game goes on.
    table.say(ClientMessage::Info(GameInfo {
        event: String::new(),
        result: String::new(),
        ..ann_and_bob()
    }));
    table.play(&["j10"]);
    assert!(!exported(&mut table, Format::Sgf).contains("EV["));
}

#[test]
fn a_result_belongs_to_the_main_line_and_not_against_the_stones() {
    let mut table = Table::persons();
    table.play(&["h8", "i9"]);
    table.say(ClientMessage::GoTo { node: 1 });
    let drawn = |info: GameInfo| {
        ClientMessage::Info(GameInfo {
            result: "0".to_owned(),
            ..info
        })
    };
    table.say(drawn(GameInfo::default()));
    assert_eq!(table.state().phase, Phase::Move);
    table.say(ClientMessage::GoTo { node: 2 });
    assert!(matches!(
        table.state().phase,
        Phase::Over(GameResult { winner: None, .. })
    ));
    let bad = |date: &str, result: &str| {
        ClientMessage::Info(GameInfo {
            date: date.to_owned(),
            result: result.to_owned(),
            ..GameInfo::default()
        })
    };
    table.refused(bad("yesterday", ""), "date");
    table.refused(bad("", "nobody"), "not_now");
    let mut table = Table::with(|setup| {
        setup.white = Player::Person;
        setup.moves = "a1a2b1b2c1c2d1d2e1".to_owned();
    });
    assert_eq!(table.state().info.result, "B+");
    table.refused(drawn(GameInfo::default()), "over");
    let named = GameInfo {
        black: "Ann".to_owned(),
        ..table.state().info
    };
    table.say(ClientMessage::Info(named.clone()));
    assert_eq!((table.error(), table.state().info), (None, named));
}

/// A file's date may be any text; it stays unless it is changed.
#[test]
fn the_engine_keeps_its_name_where_the_person_gets_one() {
    let mut table = Table::new();
    table.play(&["h8"]);
    table.answer_move("i9");
    let named = GameInfo {
        black: "Ann".to_owned(),
        ..GameInfo::default()
    };
    table.say(ClientMessage::Info(named.clone()));
    let sgf = exported(&mut table, Format::Sgf);
    assert!(sgf.contains("PB[Ann]PW[Quincunx, level 35]"), "{sgf}");
    // It plays on, and the name stays.
    table.play(&["h9"]);
    table.answer_move("i10");
    assert_eq!(table.state().info, named);
    table.say(ClientMessage::open("(;GM[4]SZ[15]DT[last spring];B[hh])"));
    let info = GameInfo {
        event: "Cup".to_owned(),
        ..table.state().info
    };
    table.say(ClientMessage::Info(info.clone()));
    assert_eq!(info.date, "last spring");
    assert_eq!((table.error(), table.state().info), (None, info));
}

#[test]
fn arrows_are_saved_with_the_position() {
    let mut table = Table::persons();
    table.play(&["h8", "i9"]);
    let arrow = |from: &str, to: &str| ClientMessage::Arrow {
        node: 2,
        from: from.to_owned(),
        to: to.to_owned(),
    };
    table.say(arrow("h8", "k11"));
    table.say(arrow("a1", "b2"));
    let pair = |from: &str, to: &str| [from.to_owned(), to.to_owned()];
    assert_eq!(table.state().arrows, [pair("h8", "k11"), pair("a1", "b2")]);
    let sgf = exported(&mut table, Format::Sgf);
    assert!(sgf.contains("AR[hh:ke][ao:bn]"), "{sgf}");
    let mut other = Table::persons();
    other.say(ClientMessage::open(sgf));
    assert_eq!(other.state().arrows, table.state().arrows);
    assert_eq!(table.resumed().state().arrows, table.state().arrows);
    // A second one removes it.
    table.say(arrow("h8", "k11"));
    assert_eq!(table.state().arrows, [pair("a1", "b2")]);
    table.refused(arrow("h8", "h8"), "point");
    table.refused(arrow("h8", "p8"), "point");
    table.say(ClientMessage::GoTo { node: 1 });
    assert!(table.state().arrows.is_empty());
}

#[test]
fn openings_have_their_names() {
    let mut table = Table::persons();
    table.play(&["h8", "h9"]);
    assert_eq!(table.state().named_opening, None);
    table.play(&["h10"]);
    let name = table.state().named_opening.map(|it| it.to_string());
    assert_eq!(name.as_deref(), Some("D1 Kansei"));
}
