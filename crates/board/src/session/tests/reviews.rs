//! Reviews, without the engine: the tests give what it finds.

use super::*;
use crate::message::ReviewView;
use crate::review_job::ReviewReport;
use quincunx_analysis::review::{Accuracy, LastEscape, MoveClass, MoveReview, ReviewSummary};

/// A move that halves the chances of its colour.
fn played(number: usize, color: Color, class: MoveClass) -> MoveReview {
    MoveReview {
        number,
        color,
        point: Point::NONE,
        before: 0.75,
        after: 0.25,
        lost: 0.5,
        best: None,
        line: ["a1", "a2"].map(|text| text.parse().unwrap()).to_vec(),
        class,
        win_missed: None,
        loss_allowed: None,
        forbidden: None,
    }
}

impl Table {
    fn report_review(&mut self, report: ReviewReport) -> Option<ReviewView> {
        let id = self.session.review_job().unwrap().id;
        let report = Report::Review(report);
        let replies = self.session.report(self.now, id, report);
        replies.into_iter().find_map(|reply| match reply {
            ServerMessage::Review(view) => Some(view),
            _ => None,
        })
    }

    fn review(&self) -> Option<ReviewView> {
        self.replies.iter().find_map(|reply| match reply {
            ServerMessage::Review(view) => Some(view.clone()),
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
    assert_eq!(job.record.moves.len(), 3);
    let view = table.report_review(ReviewReport {
        positions: vec![(3, 0.625), (2, 0.5)],
        steps: (2, 7),
        ..ReviewReport::default()
    });
    let view = view.unwrap();
    assert_eq!((view.done, view.steps, view.mistakes.len()), (2, 7, 0));
    assert_eq!(view.nodes, [0, 1, 2, 3]);
    assert_eq!(table.state().tree[3].chance, Some(625));
    let view = table.report_review(ReviewReport {
        moves: vec![
            played(1, Color::Black, MoveClass::Best),
            played(2, Color::White, MoveClass::LossAllowed),
            played(3, Color::Black, MoveClass::Inaccuracy),
        ],
        steps: (7, 7),
        ..ReviewReport::default()
    });
    let mistakes = view.unwrap().mistakes;
    let told: Vec<_> = (mistakes.iter())
        .map(|it| (it.number, it.class, it.black_chances()))
        .collect();
    assert_eq!(
        told,
        [
            (2, MoveClass::LossAllowed, [0.25, 0.75]),
            (3, MoveClass::Inaccuracy, [0.75, 0.25])
        ]
    );
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
    table.say(ClientMessage::export(Format::Sgf));
    let has = |text: &str| matches!(&table.replies[0], ServerMessage::Exported { text: sgf, .. } if sgf.contains(text));
    assert!(has("BM[2]") && has("DO[]"), "{:?}", table.replies);
    // Another review takes them back.
    table.say(ClientMessage::StopReview);
    assert!(table.session.review_job().is_none());
    table.say(ClientMessage::Review);
    table.report_review(ReviewReport {
        moves: vec![played(2, Color::White, MoveClass::Good)],
        steps: (6, 7),
        ..ReviewReport::default()
    });
    assert_eq!(table.marks()[2], None);
    // Another game has nodes of the same numbers.
    let id = table.session.review_job().unwrap().id;
    table.say(ClientMessage::NewGame(table.state().setup));
    assert!(table.session.review_job().is_none());
    let late = table.session.report(table.now, id, Report::Failed);
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
}

/// A review once deleted the annotations of the file that was opened, and its own went to another
/// move.
#[test]
fn a_review_keeps_the_annotations_of_a_file() {
    let mut table = Table::new();
    table.say(ClientMessage::open(
        "(;GM[4]SZ[15];B[hh]TE[1];W[ii]BM[1]LB[aa:x];B[jj]IT[]C[daring];W[kk]DO[];B[ll])",
    ));
    let file = table.marks();
    table.say(ClientMessage::Review);
    table.report_review(ReviewReport {
        moves: vec![
            played(1, Color::Black, MoveClass::Mistake),
            played(2, Color::White, MoveClass::Good),
            played(3, Color::Black, MoveClass::WinMissed),
            played(4, Color::White, MoveClass::LossAllowed),
            played(5, Color::Black, MoveClass::Inaccuracy),
        ],
        steps: (9, 9),
        ..ReviewReport::default()
    });
    let reviewed = [
        None,
        Some("bad"),
        Some("bad"),
        Some("very_bad"),
        Some("very_bad"),
        Some("doubtful"),
    ];
    assert_eq!(table.marks(), reviewed);
    assert_eq!(table.resumed().marks(), reviewed);
    table.say(ClientMessage::export(Format::Sgf));
    let ServerMessage::Exported { text, .. } = table.replies[0].clone() else {
        panic!("{:?}", table.replies);
    };
    let lines = "B[hh]TE[1];W[ii]BM[1]LB[aa:x];B[jj]C[daring]IT[];W[kk]DO[];B[ll]DO[]";
    assert_eq!(
        text.replace('\n', "").split_once(";B").unwrap().1,
        format!("{})", &lines[1..])
    );
    // Without the review's faults the marks are the file's again.
    table.say(ClientMessage::Review);
    let moves = (1..=5).zip(Color::ALL.into_iter().cycle());
    table.report_review(ReviewReport {
        moves: moves
            .map(|(number, color)| played(number, color, MoveClass::Good))
            .collect(),
        ..ReviewReport::default()
    });
    assert_eq!(table.marks(), file);
}

/// The stones of an opening are put so that neither colour is better.
#[test]
fn an_opening_has_no_mistakes() {
    let mut table = Table::with(|setup| {
        setup.white = Player::Person;
        setup.opening = "swap2".to_owned();
    });
    table.play(&["h8", "i9", "g7"]);
    table.choose(Choice::White);
    table.play(&["a1"]);
    table.say(ClientMessage::Review);
    let view = table.report_review(ReviewReport {
        moves: vec![
            played(3, Color::Black, MoveClass::Mistake),
            played(4, Color::White, MoveClass::Mistake),
        ],
        steps: (9, 9),
        ..ReviewReport::default()
    });
    let mistakes = view.unwrap().mistakes;
    let numbers: Vec<usize> = mistakes.iter().map(|it| it.number).collect();
    assert_eq!(numbers, [4]);
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

/// After a reload the mistakes were once gone, and their marks were there.
#[test]
fn a_review_outlives_a_reload_and_another_game() {
    let mut table = Table::persons();
    table.play(&["h8", "i9", "g7"]);
    table.say(ClientMessage::Review);
    let half = ReviewReport {
        moves: vec![played(2, Color::White, MoveClass::Mistake)],
        steps: (6, 7),
        ..ReviewReport::default()
    };
    table.report_review(half);
    let resumed = |table: &Table| {
        let (save, node) = (table.state().save, Some(table.state().node));
        let mut other = Table::persons();
        other.say(ClientMessage::Hello {
            version: VERSION,
            save,
            node,
            changes: true,
            left_ms: None,
        });
        other.review()
    };
    assert_eq!(resumed(&table), None, "half a review is begun anew");
    let view = table.report_review(ReviewReport {
        summary: Some(ReviewSummary {
            accuracy: Accuracy {
                black: Some(100.0),
                white: Some(50.0),
                formula: String::new(),
            },
            last_escape: Some(LastEscape {
                number: 2,
                instead: "a1".parse().unwrap(),
                certain: false,
                estimated: Some(3),
            }),
            turning_points: Vec::new(),
        }),
        ..ReviewReport::default()
    });
    let view = view.unwrap();
    let escape = view.summary.as_ref().unwrap().last_escape.unwrap();
    assert_eq!((escape.number, escape.estimated), (2, Some(3)));
    assert!(table.session.review_job().is_none());
    assert_eq!(resumed(&table).as_ref(), Some(&view));
    // A game that is brought back brings its review.
    table.say(ClientMessage::NewGame(table.state().setup));
    assert_eq!(resumed(&table), None);
    table.say(ClientMessage::BringBack);
    assert_eq!(table.review().as_ref(), Some(&view));
    table.say(ClientMessage::StopReview);
    assert_eq!(resumed(&table), None);
}

#[test]
fn labels_are_written_by_hand() {
    let mut table = Table::persons();
    table.play(&["h8", "i9"]);
    let label = |node, point: &str, text: &str| ClientMessage::Label {
        node,
        point: point.to_owned(),
        text: text.to_owned(),
    };
    let labels = |table: &Table| {
        let labels = table.state().labels;
        let texts = labels.iter().map(|it| format!("{}{}", it.point, it.text));
        let mut texts: Vec<String> = texts.collect();
        texts.sort();
        texts
    };
    for (point, text) in [
        ("h8", "△"),
        ("a1", "A"),
        ("b2", "]:\\"),
        ("c3", "×"),
        ("d4", "○"),
    ] {
        table.say(label(2, point, text));
    }
    assert_eq!(labels(&table), ["a1A", "b2]:\\", "c3×", "d4○", "h8△"]);
    // Another one takes its place, and none takes it away.
    table.say(label(2, "h8", "□"));
    table.say(label(2, "a1", ""));
    table.say(label(2, "b2", "\nlong er"));
    table.say(label(1, "a1", "Z"));
    assert_eq!(labels(&table), ["b2lon", "c3×", "d4○", "h8□"]);
    assert_eq!(labels(&table.resumed()), labels(&table));
    table.say(ClientMessage::export(Format::Sgf));
    let ServerMessage::Exported { text, .. } = table.replies[0].clone() else {
        panic!("{:?}", table.replies);
    };
    let mut other = Table::new();
    other.say(ClientMessage::open(text));
    assert_eq!(labels(&other), labels(&table));
    table.refused(label(2, "p16", "A"), "point");
    table.refused(label(9, "a1", "A"), "no_node");
    table.refused(label(2, "nowhere", "A"), "point");
}

/// What is drawn of a threat is the point and the stones that make it.
#[test]
fn threats_have_their_stones() {
    let mut table = Table::persons();
    table.play(&["h8", "a1", "i8", "a3", "j8", "a5"]);
    let threats = table.state().threats;
    let of = |point: &str| {
        let threat = threats.iter().find(|threat| threat.point == point).unwrap();
        (threat.kind, threat.stones.clone())
    };
    let three = ["h8", "i8", "j8"].map(str::to_owned).to_vec();
    assert_eq!(of("k8"), ("open_four", three.clone()));
    assert_eq!(of("l8"), ("four", three));
}
