//! Reviews, without the engine: the tests give what it finds.

use super::*;
use crate::message::ReviewView;
use crate::reviewer::ReviewReport;
use quincunx_analysis::review::{MoveClass, MoveReview};
use quincunx_records::sgf::Property;

fn played(number: usize, color: Color, point: &str, class: MoveClass) -> MoveReview {
    MoveReview {
        number,
        color,
        point: point.parse().unwrap(),
        before: 0.75,
        after: 0.25,
        best: Some("a1".parse().unwrap()),
        line: vec!["a1".parse().unwrap(), "a2".parse().unwrap()],
        class,
        win_missed: None,
        loss_allowed: None,
        forbidden: None,
    }
}

impl Table {
    fn hear_review(&mut self, report: ReviewReport) -> Option<ReviewView> {
        let id = self.session.review_job().unwrap().id;
        let replies = self.session.hear_review(self.now, id, &report);
        replies.into_iter().find_map(|reply| match reply {
            ServerMessage::Review(view) => Some(view),
            _ => None,
        })
    }

    fn marks(&self) -> Vec<Option<&'static str>> {
        self.state().tree.iter().map(|node| node.mark).collect()
    }
}

#[test]
fn a_review_fills_the_game_with_marks_and_chances() {
    let mut table = Table::persons();
    table.refused(ClientMessage::Review, "not_now");
    assert!(!table.state().can.review);
    table.play(&["h8", "i9", "g7"]);
    // From the middle of a game all of it is reviewed.
    table.say(ClientMessage::GoTo { node: 1 });
    table.say(ClientMessage::Review);
    let job = table.session.review_job().unwrap();
    assert_eq!(
        (job.nodes.as_slice(), job.record.moves.len()),
        (&[0, 1, 2, 3][..], 3)
    );
    let view = table.hear_review(ReviewReport {
        positions: vec![(3, 0.625), (2, 0.5)],
        steps: (2, 7),
        ..ReviewReport::default()
    });
    let view = view.unwrap();
    assert_eq!((view.done, view.steps, view.mistakes.len()), (2, 7, 0));
    assert_eq!(table.state().tree[3].chance, Some(625));
    let view = table.hear_review(ReviewReport {
        moves: vec![
            played(1, Color::Black, "h8", MoveClass::Best),
            played(2, Color::White, "i9", MoveClass::LossAllowed),
            played(3, Color::Black, "g7", MoveClass::Inaccuracy),
        ],
        steps: (7, 7),
        ..ReviewReport::default()
    });
    let mistakes = view.unwrap().mistakes;
    let told: Vec<_> = (mistakes.iter())
        .map(|it| (it.node, it.class, it.before, it.after))
        .collect();
    assert_eq!(
        told,
        [(2, "loss_allowed", 250, 750), (3, "inaccuracy", 750, 250)]
    );
    assert_eq!(mistakes[0].line, ["a1", "a2"]);
    assert_eq!(
        table.marks(),
        [None, None, Some("very_bad"), Some("doubtful")]
    );
    assert_eq!(
        table.state().tree[3].chance,
        Some(250),
        "the end of the game"
    );
    // The marks are kept, and a file has them.
    assert_eq!(table.resumed().marks(), table.marks());
    table.say(ClientMessage::Export {
        format: Format::Sgf,
    });
    let has = |text: &str| matches!(&table.replies[0], ServerMessage::Exported { text: sgf, .. } if sgf.contains(text));
    assert!(has("BM[2]") && has("DO[]"), "{:?}", table.replies);
    // Another review takes them back.
    table.say(ClientMessage::StopReview);
    assert!(table.session.review_job().is_none());
    table.say(ClientMessage::Review);
    table.hear_review(ReviewReport {
        moves: vec![played(2, Color::White, "i9", MoveClass::Good)],
        steps: (6, 7),
        ..ReviewReport::default()
    });
    assert_eq!(table.marks()[2], None);
    // Another game has nodes of the same numbers.
    let id = table.session.review_job().unwrap().id;
    table.say(ClientMessage::NewGame(table.state().setup));
    assert!(table.session.review_job().is_none());
    let late = table
        .session
        .hear_review(table.now, id, &ReviewReport::failure());
    assert_eq!(late, []);
}

#[test]
fn a_file_marks_its_moves() {
    let mut table = Table::new();
    table.say(ClientMessage::open(
        "(;GM[4]SZ[15];B[hh]TE[1];W[ii]BM[1]LB[aa:x][zz:off]TR[bb][cc];B[jj]DO[])",
    ));
    assert_eq!(table.marks(), [None, None, Some("bad"), Some("doubtful")]);
    table.say(ClientMessage::GoTo { node: 2 });
    let labels = table.state().labels;
    let labels: Vec<_> = (labels.iter()).map(|it| (&*it.point, &*it.text)).collect();
    assert_eq!(labels, [("a15", "x"), ("b14", "△"), ("c13", "△")]);
    // A review leaves the rest of what the file says.
    table
        .session
        .cursor
        .tree
        .mark(2, Some(Property::new("BM", "2")))
        .unwrap();
    table.say(ClientMessage::Export {
        format: Format::Sgf,
    });
    let kept = matches!(&table.replies[0], ServerMessage::Exported { text, .. } if text.contains("LB[aa:x][zz:off]TR[bb][cc]BM[2]"));
    assert!(kept, "{:?}", table.replies);
}

/// The stones of an opening are put so that neither colour is better.
#[test]
fn an_opening_has_no_mistakes() {
    let mut table = Table::with(|setup| {
        setup.white = Player::Person;
        setup.opening = "swap2".to_owned();
    });
    table.play(&["h8", "i9", "g7"]);
    table.choose(ChoiceName::White);
    table.play(&["a1"]);
    table.say(ClientMessage::Review);
    let view = table.hear_review(ReviewReport {
        moves: vec![
            played(3, Color::Black, "g7", MoveClass::Mistake),
            played(4, Color::White, "a1", MoveClass::Mistake),
        ],
        steps: (9, 9),
        ..ReviewReport::default()
    });
    let nodes: Vec<u32> = view.unwrap().mistakes.iter().map(|it| it.node).collect();
    assert_eq!(nodes, [4]);
}

#[test]
fn a_mistake_is_tried_again_against_the_engine() {
    let mut table = Table::new();
    table.say(ClientMessage::open(
        "(;GM[4]SZ[15]PB[Anna]PW[Bert]RE[B+R];B[hh];W[ii];B[jj])",
    ));
    table.say(ClientMessage::Analyse {
        lines: 1,
        mode: AnalysisMode::Best,
    });
    table.say(ClientMessage::TryAgain { node: 2 });
    let state = table.state();
    assert_eq!(
        (state.node, state.actor, state.analysis),
        (1, Some(Player::Person), None)
    );
    assert_eq!(state.players, Some([Player::Engine, Player::Person]));
    table.play(&["a1"]);
    assert_eq!(table.purpose(), Some(Purpose::Step));
    table.refused(ClientMessage::TryAgain { node: 0 }, "not_now");
    table.refused(ClientMessage::TryAgain { node: 99 }, "no_node");
}
