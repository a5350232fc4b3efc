//! Passes: who may, what they lead to, and where they are written.

use super::*;

fn pass(table: &mut Table) {
    let node = table.state().node;
    table.say(ClientMessage::Pass { node });
    assert_eq!(table.error(), None);
}

fn exported(table: &mut Table, format: Format) -> String {
    table.say(ClientMessage::export(format));
    let text = |reply: &ServerMessage| match reply {
        ServerMessage::Exported { text, .. } => Some(text.clone()),
        _ => None,
    };
    table.replies.iter().find_map(text).unwrap()
}

/// A pass is a move: it is in the list of moves and in files, and undo takes it back.
#[test]
fn a_pass_is_a_move() {
    let mut table = Table::persons();
    table.play(&["h8"]);
    assert!(table.state().can.pass);
    pass(&mut table);
    let state = table.state();
    let shown = state.tree.iter().find(|node| node.id == state.node);
    assert_eq!(shown.unwrap().point, "--");
    assert_eq!(state.turn, Color::Black);
    table.play(&["i9"]);
    let sgf = exported(&mut table, Format::Sgf);
    assert!(sgf.contains("B[hh]") && sgf.contains("W[]"), "{sgf}");
    let line = exported(&mut table, Format::Text);
    assert!(line.contains("h8--i9"), "{line}");
    table.say(ClientMessage::export(Format::Psq));
    assert_eq!(table.error(), Some("no_psq"));
    assert_eq!(table.resumed().state().tree, table.state().tree);
    table.say(ClientMessage::Undo);
    table.say(ClientMessage::Undo);
    assert_eq!(table.state().turn, Color::White);
    table.say(ClientMessage::Redo);
    assert_eq!(table.state().turn, Color::Black);
}

/// Two passes in a row are a draw, which undo takes back.
#[test]
fn two_passes_are_a_draw() {
    let mut table = Table::persons();
    table.play(&["h8"]);
    pass(&mut table);
    pass(&mut table);
    assert_eq!(
        table.state().phase,
        Phase::Over(GameResult {
            winner: None,
            termination: Termination::Agreement
        })
    );
    let node = table.state().node;
    table.refused(ClientMessage::Pass { node }, "over");
    assert!(!table.state().can.pass);
    table.say(ClientMessage::Undo);
    assert!(table.state().can.pass);
}

/// The engine answers a pass. A person does not pass for it, nor on an old board.
#[test]
fn the_engine_moves_after_a_pass() {
    let mut table = Table::new();
    table.play(&["h8"]);
    let node = table.state().node;
    table.refused(ClientMessage::Pass { node }, "not_your_turn");
    table.answer_move("i9");
    table.refused(ClientMessage::Pass { node }, "stale");
    pass(&mut table);
    assert!(table.session.job().is_some());
    table.answer_move("j10");
    assert_eq!(table.state().stones.len(), 3);
}

/// An opening has no passes.
#[test]
fn an_opening_has_no_passes() {
    let mut table = Table::with(|setup| {
        setup.white = Player::Person;
        setup.opening = "swap2".to_owned();
    });
    assert!(!table.state().can.pass);
    table.refused(ClientMessage::Pass { node: 0 }, "opens");
}
