//! The played games beside the analysis.

use super::*;
use quincunx_explorer::{BuildLimits, Builder, Explorer, GameOutcome};
use std::sync::Arc;

#[test]
fn an_analysis_comes_with_what_was_played() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("played.qxplore");
    let mut builder = Builder::new(&path, BuildLimits::default()).unwrap();
    for (moves, ending) in [
        ("h8i9", GameOutcome::Won(Color::Black)),
        ("h8i9", GameOutcome::Drawn),
        ("h8h9", GameOutcome::Unknown),
        ("h8g8", GameOutcome::Won(Color::White)),
    ] {
        let end = Position::from_moves(Rule::Freestyle, BoardSize::default(), moves).unwrap();
        builder.add(&end, 0, ending).unwrap();
    }
    builder.finish().unwrap();

    let mut table = Table::persons();
    let explorer = Arc::new(Explorer::open(&path).unwrap());
    table.session.set_explorer(Some(explorer));
    table.play(&["h8"]);
    assert_eq!(table.state().explored, None, "nothing is analysed");
    table.say(ClientMessage::Analyse {
        lines: 1,
        mode: AnalysisMode::Best,
    });
    let explored = table.state().explored.unwrap();
    assert_eq!((explored.games, explored.failed), (4, false));
    let moves = explored.moves.iter();
    let moves: Vec<_> = moves
        .map(|it| (it.points.join(" "), it.games, it.black, it.white, it.draws))
        .collect();
    let expected = [
        ("g7 i7 g9 i9".to_owned(), 2, 1, 0, 1),
        ("h7 g8 i8 h9".to_owned(), 2, 0, 1, 0),
    ];
    assert_eq!(moves, expected);
    // It goes with the position, and ends with the analysis.
    table.say(ClientMessage::Undo);
    assert_eq!(table.state().explored.unwrap().games, 4);
    table.say(ClientMessage::Redo);
    table.play(&["a1"]);
    assert_eq!(table.state().explored.unwrap().moves, []);
    table.say(ClientMessage::StopAnalysis);
    assert_eq!(table.state().explored, None);
}
