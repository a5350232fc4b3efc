//! Analysis, hints and engines that play.

use super::*;
use crate::message::AnalysisMode;

fn analyse(lines: usize) -> ClientMessage {
    let mode = AnalysisMode::Best;
    ClientMessage::Analyse { lines, mode }
}

#[test]
fn analysis_follows_the_board_and_ends_on_stop() {
    let mut table = Table::persons();
    table.say(analyse(3));
    let job = table.session.job().unwrap();
    assert_eq!(
        (job.purpose, job.request),
        (Purpose::Analysis, Request::Lines(3))
    );
    let first = job.id;
    table.play(&["h8"]);
    let second = table.session.job().unwrap().id;
    assert_ne!(first, second);
    let mut lines = vec![info("i9", 200)];
    (lines[0].depth, lines[0].seldepth) = (16, 14);
    let report = Report::Search(SearchReport {
        lines,
        ..SearchReport::default()
    });
    let replies = table.session.report(table.now, second, report.clone());
    let [ServerMessage::Analysis(analysis)] = &replies[..] else {
        panic!("{replies:?}");
    };
    assert_eq!((analysis.node, analysis.lines[0].chance), (1, 269));
    assert_eq!((analysis.depth, analysis.seldepth), (16, 16));
    assert_eq!(table.state().tree[1].chance, Some(269));
    table.say(ClientMessage::StopAnalysis);
    assert_eq!(table.purpose(), None);
    assert_eq!(table.session.report(table.now, second, report), []);
    table.say(analyse(1));
    table.say(ClientMessage::NewGame(table.state().setup));
    assert_eq!((table.purpose(), table.state().analysis), (None, None));
    table.refused(analyse(0), "lines");
    table.refused(analyse(9), "lines");
}

/// A position that is decided is not searched again and again.
#[test]
fn analysis_that_is_done_rests_until_something_changes() {
    let mut table = Table::persons();
    table.say(analyse(2));
    table.answer_move("h8");
    assert_eq!((table.purpose(), table.state().analysis), (None, Some(2)));
    table.play(&["h8"]);
    assert_eq!(table.purpose(), Some(Purpose::Analysis));
    assert_eq!(table.stones(), "h8", "an analysis plays nothing");
}

#[test]
fn hints_are_sent_and_not_played() {
    let mut table = Table::new();
    table.say(ClientMessage::Hint);
    assert_eq!(table.purpose(), Some(Purpose::Hint));
    table.answer_move("h8");
    let hint =
        |reply: &ServerMessage| matches!(reply, ServerMessage::Hint { point, .. } if point == "h8");
    assert!(table.replies.iter().any(hint));
    assert_eq!((table.stones().as_str(), table.purpose()), ("", None));
    table.play(&["h8"]);
    table.refused(ClientMessage::Hint, "not_now");
}

#[test]
fn an_engine_that_fails_is_not_asked_for_ever() {
    let mut table = Table::new();
    table.play(&["h8"]);
    table.answer_move("h8");
    assert_eq!((table.error(), table.purpose()), (Some("taken"), None));
    assert!(table.state().waiting);
    table.say(ClientMessage::Resume);
    assert_eq!(table.purpose(), Some(Purpose::Step));
    table.fail();
    assert_eq!((table.error(), table.purpose()), (Some("engine"), None));
}

/// With no engine free, a server once went on asking until the pace was over.
#[test]
fn an_engine_that_fails_is_not_waited_for() {
    let mut table = Table::with(|setup| setup.black = Player::Engine);
    table.session.set_pace(Duration::from_millis(500));
    table.fail();
    assert_eq!((table.error(), table.purpose()), (Some("engine"), None));
    assert_eq!(table.session.deadline(), None);
}

#[test]
fn positions_that_are_looked_at_wait() {
    let mut table = Table::new();
    table.play(&["h8"]);
    table.answer_move("i9");
    table.play(&["g7"]);
    table.answer_move("f6");
    table.say(ClientMessage::GoTo { node: 1 });
    assert!(table.state().waiting && table.purpose().is_none());
    table.play(&["a1"]);
    assert_eq!(table.stones(), "h8 a1", "the engine's moves can be tried");
    table.play(&["b2"]);
    assert_eq!(table.purpose(), Some(Purpose::Step));
    table.answer_move("c3");
    assert_eq!(table.state().tree.len(), 8);
    table.say(ClientMessage::Delete { node: 2 });
    assert_eq!(
        (table.stones().as_str(), table.state().tree.len()),
        ("h8 a1 b2 c3", 5)
    );
    table.refused(ClientMessage::GoTo { node: 2 }, "no_node");
    table.refused(ClientMessage::Delete { node: 0 }, "not_now");
}

#[test]
fn two_engines_play_until_they_are_paused() {
    let mut table = Table::with(|setup| setup.black = Player::Engine);
    table.answer_move("h8");
    table.answer_move("i9");
    assert_eq!(table.purpose(), Some(Purpose::Step));
    table.say(ClientMessage::Pause);
    assert_eq!(table.purpose(), None);
    table.say(ClientMessage::Undo);
    assert_eq!((table.stones().as_str(), table.purpose()), ("h8", None));
    table.say(ClientMessage::Resume);
    table.answer_move("g7");
    assert_eq!(table.stones(), "h8 g7");
    assert!(!table.state().can.resign);
}

/// Each engine plays at its own level, whichever colour it has.
#[test]
fn two_engines_have_levels_of_their_own() {
    let mut table = Table::with(|setup| {
        (setup.black, setup.white) = (Player::Engine, Player::Engine);
        setup.levels = Some([10, 90]);
    });
    let strength = |table: &Table| table.session.job().unwrap().options.strength;
    assert_eq!(strength(&table), Some(10));
    table.answer_move("h8");
    assert_eq!(strength(&table), Some(90));
    assert_eq!(table.state().levels, [10, 90]);
    table.say(ClientMessage::export(Format::Sgf));
    let names = |reply: &ServerMessage| {
        matches!(reply, ServerMessage::Exported { text, .. }
            if text.contains("PB[Quincunx, level 10]") && text.contains("PW[Quincunx, level 90]"))
    };
    assert!(table.replies.iter().any(names), "{:?}", table.replies);
    table.say(ClientMessage::Rematch);
    assert_eq!(strength(&table), Some(90));

    // Under swap1 the second player takes black.
    let mut table = Table::with(|setup| {
        (setup.black, setup.white) = (Player::Engine, Player::Engine);
        setup.opening = "swap1".to_owned();
        setup.levels = Some([10, 90]);
    });
    table.answer(stones(&["h8"]));
    assert_eq!(strength(&table), Some(90));
    table.answer(Answer::Swap { info: None });
    assert_eq!(
        (strength(&table), table.state().levels),
        (Some(10), [90, 10])
    );
}

/// Pages that know only one level still begin games, and what they kept is read.
#[test]
fn one_level_is_enough() {
    let message = r#"{"type":"new_game","rule":"renju","size":"15","black":"engine",
        "white":"engine","level":42,"time":{"turn_ms":100}}"#;
    let mut table = Table::new();
    table.say(serde_json::from_str(message).unwrap());
    assert_eq!(table.error(), None);
    assert_eq!(table.state().levels, [42, 42]);
    assert!(!table.state().save.unwrap().contains("levels"));
}

/// Every move is searched on its own. Defences come best first, without those that
/// lose; balanced moves come nearest to the balance first.
#[test]
fn defences_and_balanced_moves_are_analyses_too() {
    let mut table = Table::persons();
    table.play(&["h8"]);
    let found = |table: &mut Table, scores: &[(&str, Score)]| {
        let id = table.session.job().unwrap().id;
        let infos = (0..).zip(scores).map(|(rank, &(point, score))| Line {
            rank,
            score,
            ..info(point, 0)
        });
        let report = Report::Search(SearchReport {
            lines: infos.collect(),
            ..SearchReport::default()
        });
        match table.session.report(table.now, id, report).pop() {
            Some(ServerMessage::Analysis(analysis)) => analysis,
            other => panic!("{other:?}"),
        }
    };
    let points = |analysis: &crate::message::Analysis| -> Vec<String> {
        analysis
            .lines
            .iter()
            .map(|line| line.points[0].clone())
            .collect()
    };
    let scores = [
        ("i9", Score::new(400)),
        ("g7", Score::new(30)),
        ("i7", Score::new(-10)),
        ("a1", Score::loss_at(6)),
        ("b1", Score::loss_at(4)),
    ];
    let (lines, mode) = (2, AnalysisMode::Defences);
    table.say(ClientMessage::Analyse { lines, mode });
    assert_eq!(table.session.job().unwrap().request, Request::Defences);
    let analysis = found(&mut table, &scores);
    assert_eq!(
        (points(&analysis), &analysis.losing[..]),
        (
            vec!["i9".to_owned(), "g7".to_owned()],
            &["a1".to_owned(), "b1".to_owned()][..]
        )
    );
    // The rest was not searched, and is not said to be safe.
    let free = 225 - table.state().stones.len();
    assert_eq!(
        (analysis.searched, analysis.unsearched.len()),
        (scores.len(), free - scores.len())
    );
    assert!(analysis.unsearched.contains(&"o15".to_owned()));
    let lost = found(&mut table, &scores[3..]);
    assert_eq!(points(&lost), ["a1", "b1"], "all lose: the longest first");
    let job = table.session.job().unwrap().id;
    let mode = AnalysisMode::Balance;
    table.say(ClientMessage::Analyse { lines, mode });
    assert_eq!(
        table.session.job().unwrap().id,
        job,
        "the same search goes on"
    );
    let analysis = found(&mut table, &scores);
    assert_eq!(points(&analysis), ["i7", "g7"]);
    assert_eq!((analysis.searched, analysis.unsearched.len()), (0, 0));
    assert!(
        analysis.chance < 500,
        "white's best move says who is better"
    );
    // A search that has come to its end begins again for another question.
    table.answer_move("i9");
    assert_eq!(table.purpose(), None);
    table.say(analyse(2));
    assert_eq!(table.session.job().unwrap().request, Request::Lines(2));
}

/// What the other side threatens is its forced win after a pass. Nothing is played.
#[test]
fn a_threat_is_the_other_sides_forced_win() {
    use quincunx_engine::threats::{Solver, SolverLimits, WinKind};
    let mut table = Table::persons();
    table.play(&["h8", "a1", "i8", "c15", "j8"]);
    table.say(ClientMessage::ProveThreat);
    let job = table.session.job().unwrap().clone();
    assert_eq!(
        (job.purpose, job.position.side()),
        (Purpose::Threat, Color::Black)
    );
    let limits = SolverLimits {
        nodes: 100_000,
        stop: &mut || false,
    };
    let solution = Solver::new(1 << 20).solve(&job.position, WinKind::Any, limits);
    let report = Report::Search(SearchReport {
        solution: Some((&solution).into()),
        ..SearchReport::default()
    });
    let replies = table.session.report(table.now, job.id, report);
    let Some(ServerMessage::Proof(proof)) = replies.last() else {
        panic!("{replies:?}");
    };
    assert_eq!(
        (proof.winner, proof.threat, proof.plies),
        (Color::Black, true, 3)
    );
    assert_eq!(table.stones(), "h8 a1 i8 c15 j8");
    assert_eq!(table.state().turn, Color::White);
}

/// At a low level two engines once made 47 moves in three seconds.
#[test]
fn two_engines_move_at_a_pace() {
    let mut table = Table::with(|setup| setup.black = Player::Engine);
    table.session.set_pace(Duration::from_millis(500));
    table.answer_move("h8");
    assert_eq!(table.stones(), "", "too fast to follow");
    assert_eq!(table.purpose(), Some(Purpose::Step));
    assert_eq!(table.session.deadline(), Some(Duration::from_millis(500)));
    assert_eq!(table.session.tick(Duration::from_millis(499)), []);
    table.session.tick(Duration::from_millis(500));
    assert_eq!(table.stones(), "h8");
    // An answer that waits is dropped where it is no longer wanted.
    table.now = Duration::from_millis(500);
    table.answer_move("i9");
    table.say(ClientMessage::Pause);
    assert_eq!(table.session.deadline(), None);
    assert_eq!(table.session.tick(Duration::from_secs(2)), []);
    assert_eq!(table.stones(), "h8");
    table.now = Duration::from_secs(3);
    table.say(ClientMessage::Resume);
    table.answer_move("g7");
    assert_eq!(table.stones(), "h8 g7", "this one was late enough");
}
