//! Games that the page keeps, and that are brought back.

use super::*;

#[test]
fn a_saved_session_is_restored() {
    let mut table = Table::with(|setup| {
        setup.rule = "caro".to_owned();
        setup.size = "20x12".to_owned();
        setup.opening = "swap1".to_owned();
        setup.white = Player::Person;
    });
    table.play(&["h8"]);
    table.choose(Choice::Black);
    table.play(&["i9", "g7"]);
    let node = table.state().node;
    let text = "good ]\\ move".to_owned();
    table.say(ClientMessage::Comment { node, text });
    table.say(ClientMessage::Undo);
    table.play(&["t12"]);
    table.say(ClientMessage::Resign);
    let other = table.resumed();
    assert_eq!(other.state(), table.state());
    assert_eq!(other.replies.len(), 2);
}

/// The message that a page begins with where it has kept this game.
fn hello(table: &Table) -> String {
    serde_json::to_string(&super::hello(table.state().save)).unwrap()
}

/// The largest message that the server takes.
const LARGEST_MESSAGE: usize = 1 << 20;

/// The saved session was once too long a message where a library was open, and the page
/// never came any further.
#[test]
fn the_largest_file_comes_back_in_one_message() {
    const VARIATIONS: usize = 9_999;
    // Each of these positions is followed by a pass and, in a variation, by a stone.
    let colors = || (0..VARIATIONS).map(|ply| ["B", "W"][ply % 2]);
    let passes: String = colors().map(|color| format!("(;{color}[]")).collect();
    let stones = colors().rev().map(|color| match color {
        "B" => "(;W[aa]))",
        _ => "(;B[aa]))",
    });
    let stones: String = stones.collect();
    let text = format!("(;GM[4]SZ[22](;B[vv]){passes}{stones})");
    let mut table = Table::persons();
    table.say(ClientMessage::open(text));
    assert_eq!(table.error(), None);
    assert_eq!(table.state().tree.len(), 2 + 2 * VARIATIONS);
    let (point, node) = ("h8".to_owned(), table.state().node);
    table.refused(ClientMessage::Play { point, node }, "full");
    // Some of them have been analysed.
    for node in 0..5_000 {
        table.session.cursor.tree.get_mut(node).unwrap().chance = Some(1000);
    }
    assert!(hello(&table).len() <= LARGEST_MESSAGE);
    assert_eq!(table.resumed().state(), table.state());
}

#[test]
fn the_longest_remarks_come_back_in_one_message() {
    for letter in ['x', 'é', '"', '\\', '\n', '\u{1}'] {
        let mut table = Table::persons();
        let text = format!("(;GM[4]SZ[15]{})", ";B[];W[]".repeat(60));
        table.say(ClientMessage::open(text));
        let count = LONGEST_COMMENT / letter.len_utf8();
        let text = letter.to_string().repeat(count);
        let mut node = 0;
        while table.error().is_none() {
            let text = text.clone();
            table.say(ClientMessage::Comment { node, text });
            node += 1;
        }
        assert_eq!(table.error(), Some("full"), "{letter:?}");
        assert!(hello(&table).len() <= LARGEST_MESSAGE, "{letter:?}");
        assert_eq!(table.resumed().state(), table.state());
    }
}

/// A new game, a text from the clipboard and a deletion once lost the game in progress.
#[test]
fn a_replaced_game_is_brought_back() {
    let mut table = Table::persons();
    let first = table.state().game;
    table.refused(ClientMessage::BringBack, "not_now");
    table.play(&["h8", "i9"]);
    table.say(ClientMessage::open("a1".to_owned()));
    let second = table.state().game;
    assert_ne!(first, second);
    assert!(table.state().can.bring_back);
    table.say(ClientMessage::BringBack);
    assert_eq!(
        (table.stones().as_str(), table.state().game),
        ("h8 i9", first)
    );
    // The game that was left for it can be brought back in turn.
    table.say(ClientMessage::BringBack);
    assert_eq!(
        (table.stones().as_str(), table.state().game),
        ("a1", second)
    );
    table.say(ClientMessage::BringBack);
    // A game without a move is no loss.
    table.say(ClientMessage::NewGame(table.state().setup));
    let third = table.state().game;
    assert!(![first, second].contains(&third));
    table.say(ClientMessage::BringBack);
    assert_eq!(table.stones(), "h8 i9");
    assert!(!table.state().can.bring_back);
    table.say(ClientMessage::Delete { node: 1 });
    assert_eq!((table.stones().as_str(), table.state().game), ("", first));
    table.say(ClientMessage::BringBack);
    assert_eq!(table.stones(), "h8 i9");
    table.refused(ClientMessage::BringBack, "not_now");
    assert_eq!(table.resumed().state().game, first);
}

/// A diagram, which has no moves, was once lost where another game replaced it.
#[test]
fn a_diagram_is_brought_back() {
    let mut table = Table::persons();
    table.say(ClientMessage::open("(;GM[4]SZ[15]AB[hh]AW[ii])"));
    assert_eq!((table.error(), table.state().stones.len()), (None, 2));
    table.say(ClientMessage::NewGame(table.state().setup));
    assert_eq!((table.error(), table.state().stones.len()), (None, 0));
    table.say(ClientMessage::BringBack);
    assert_eq!((table.error(), table.state().stones.len()), (None, 2));
}

/// What had been played since a deletion was once lost with it.
#[test]
fn moves_after_a_deletion_are_brought_back_in_turn() {
    let mut table = Table::persons();
    table.play(&["h8", "i9"]);
    table.say(ClientMessage::Delete { node: 2 });
    table.play(&["g7", "f6"]);
    table.say(ClientMessage::BringBack);
    assert_eq!(table.stones(), "h8 i9");
    table.say(ClientMessage::BringBack);
    assert_eq!(table.stones(), "h8 g7 f6");
}

/// A game that another one has replaced once was there for one step back, and no longer.
#[test]
fn a_stored_game_is_restored() {
    let mut table = Table::with(|setup| {
        setup.white = Player::Person;
        setup.time = Time {
            game_ms: Some(10_000),
            ..Time::default()
        };
    });
    assert_eq!(table.state().summary, None, "an empty board is no game");
    table.play(&["h8", "i9", "g7"]);
    table.say(ClientMessage::GoTo { node: 1 });
    let summary = table.state().summary.unwrap();
    assert_eq!(
        (summary.moves, summary.result),
        (3, None),
        "by the line that is shown"
    );
    table.say(ClientMessage::GoTo { node: 3 });
    table.now = Duration::from_secs(4);
    table.say(ClientMessage::GoTo { node: 3 });
    let text = table.state().save.unwrap();
    let first = table.state().game;
    for text in ["15 renju h8", "15 renju i9", "9 renju e5"] {
        table.say(ClientMessage::open(text));
    }
    let last = table.state().game;
    let restore = |save: &str| ClientMessage::Restore {
        save: save.to_owned(),
        node: Some(2),
        left_ms: None,
    };
    for text in ["", "{}", "nonsense", "[]", &text[1..]] {
        table.refused(restore(text), "no_save");
    }
    table.say(restore(&text));
    let state = table.state();
    assert_eq!((table.stones().as_str(), state.node), ("h8 i9", 2));
    assert!(![first, last].contains(&state.game), "another number");
    assert_eq!(state.clock.unwrap().running, None);
    table.say(ClientMessage::GoTo { node: 3 });
    assert_eq!(
        table.state().clock.unwrap().white,
        6_000,
        "no time is given back"
    );
    table.say(ClientMessage::BringBack);
    assert_eq!((table.stones().as_str(), table.state().game), ("e5", last));
    // An engine that was to move waits.
    let mut table = Table::new();
    table.play(&["h8"]);
    let text = table.state().save.unwrap();
    table.say(ClientMessage::NewGame(table.state().setup));
    table.say(ClientMessage::Restore {
        save: text,
        node: None,
        left_ms: None,
    });
    assert!(table.state().waiting && table.session.job().is_none());
    table.say(ClientMessage::Resume);
    assert_eq!(table.purpose(), Some(Purpose::Step));
}

/// The entry of a game in a list says how it ended, also where a position before that is shown.
#[test]
fn a_summary_has_the_result_of_the_game() {
    let result = |table: &Table| {
        let summary = table.state().summary.unwrap();
        let result = summary.result.map(|it| (it.winner, it.termination.name()));
        (summary.moves, result)
    };
    let mut table = Table::persons();
    table.play(&["a1", "a2", "b1", "b2", "c1", "c2", "d1", "d2", "e1"]);
    let black = Some((Some(Color::Black), "five"));
    assert_eq!(result(&table), (9, black));
    table.say(ClientMessage::GoTo { node: 3 });
    assert_eq!(result(&table), (9, black));
    let mut table = Table::persons();
    table.play(&["h8", "i9"]);
    table.say(ClientMessage::OfferDraw);
    assert_eq!(result(&table), (2, Some((None, "agreement"))));
    let mut table = Table::persons();
    table.say(ClientMessage::open("(;GM[4]SZ[15]RE[W+R];B[hh];W[ii])"));
    assert_eq!(
        result(&table),
        (2, Some((Some(Color::White), "resignation")))
    );
}
