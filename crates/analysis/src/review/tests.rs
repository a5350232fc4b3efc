//! A short game in which a win is allowed and missed, as text, SGF and page.

use super::*;
use crate::threats::ThreatKind;
use quincunx_engine::rules::{BoardSize, Rule};
use quincunx_records::{RecordTree, RecordedMove, sgf};
use serde_json::json;
use std::cell::Cell;

/// The work of a moment.
const LITTLE: ReviewLimits = ReviewLimits {
    nodes: 20,
    proof_nodes: 20,
};

/// Enough for the proofs of [`review`].
const LIMITS: ReviewLimits = ReviewLimits {
    nodes: 500,
    proof_nodes: 20_000,
};

/// Black lets white make an open four; white looks away and blocks nothing; black's five
/// ends the game.
fn record() -> GameRecord {
    let moves = "d5a1e5a3f5a9i9i1c5i3b5";
    let size = BoardSize::square(9).unwrap();
    let position = Position::from_moves(Rule::Freestyle, size, moves).unwrap();
    let mut record = GameRecord::new(Some(Rule::Freestyle), size);
    record.moves = (position.moves())
        .map(|(color, point)| RecordedMove::new(color, point))
        .collect();
    record.black = "<b>&{{rows}}".to_owned();
    record.moves[0].comment = "first ]\\".to_owned();
    record
}

/// The review of [`record`].
fn review() -> GameReview {
    review_of(&record(), LIMITS)
}

fn review_of(record: &GameRecord, limits: ReviewLimits) -> GameReview {
    GameReview::of(record, &Arc::default(), limits, &mut |_, _| {}).unwrap()
}

/// The review of a game as SGF, where its file has no variations.
fn sgf_of(review: &GameReview, record: GameRecord) -> sgf::Tree {
    review.sgf(&RecordTree::of(record))
}

#[test]
fn wins_missed_and_losses_allowed_are_proved() {
    let review = review();
    // White does not answer the open three.
    let careless = &review.moves[5];
    assert_eq!(careless.class, MoveClass::LossAllowed, "{careless:?}");
    let allowed = careless.loss_allowed.as_ref().unwrap();
    assert_eq!(allowed.proof.plies, 3);
    assert_eq!((careless.after, careless.color), (0.0, Color::White));
    // Black does not make the open four.
    let slow = &review.moves[6];
    assert_eq!(slow.class, MoveClass::WinMissed, "{slow:?}");
    assert_eq!(slow.before, 1.0);
    assert_eq!(slow.win_missed.as_ref().unwrap().proof, allowed.proof);
    // White does not answer it again, and loses.
    let escape = review.summary.last_escape.unwrap();
    assert_eq!((escape.number, escape.certain), (8, true));
    assert_eq!(review.moves[10].after, 1.0);
    assert_eq!(review.winner, Some(Color::Black));
}

/// The two most costly moves of a side, each with the threat that decides.
#[test]
fn turning_points_have_their_threats() {
    let review = review();
    let open_four = Some(DecisiveThreat {
        kind: ThreatKind::OpenFour,
        point: "c5".parse().unwrap(),
    });
    let points = &review.summary.turning_points;
    let found = points.iter().map(|it| (it.number, it.allowed, it.missed));
    let expected = [
        (2, open_four, None),
        (4, open_four, None),
        // Black does not make it at once.
        (7, None, open_four),
    ];
    assert_eq!(found.collect::<Vec<_>>(), expected);
    for color in Color::ALL {
        let own = (points.iter()).filter(|it| review.moves[it.number - 1].color == color);
        let least = own.clone().map(|it| review.moves[it.number - 1].lost);
        let least = least.fold(1.0, f64::min);
        assert!(own.clone().count() <= 2);
        let others = (review.moves.iter()).filter(|it| it.color == color && it.class.is_fault());
        let others = others.filter(|it| own.clone().all(|point| point.number != it.number));
        assert!(others.clone().all(|it| it.lost <= least));
    }
    // Reviews that were stored before have none.
    let mut json = review.json();
    json.as_object_mut().unwrap().remove("turning_points");
    let read: GameReview = serde_json::from_value(json).unwrap();
    assert_eq!(read.summary.turning_points, []);
}

#[test]
fn accuracy_follows_its_formula() {
    let review = review();
    for color in Color::ALL {
        let own: Vec<f64> = (review.moves.iter())
            .filter(|played| played.color == color)
            .map(|played| 100.0 * (played.before - played.after).max(0.0))
            .collect();
        let average = own.iter().sum::<f64>() / own.len() as f64;
        let accuracy = review.summary.accuracy.get(color).unwrap();
        // Rounded to four decimals.
        assert!((accuracy - (100.0 - average)).abs() < 1e-4);
    }
}

/// A review is the same after it was stored.
#[test]
fn a_review_is_read_as_it_was_written() {
    let review = review();
    let json = review.json();
    let read: GameReview = serde_json::from_value(json.clone()).unwrap();
    assert_eq!(read, review);
    assert_eq!(json["moves"][6]["class"], "win missed");
    assert_eq!(json["moves"][5]["loss_allowed"]["proof"]["plies"], 3);
    assert_eq!(json["last_escape"]["number"], 8);
    assert_eq!(json["nodes"], LIMITS.nodes);
    assert!(json.to_string().starts_with(r#"{"accuracy":{"black":"#));
}

/// Reviews in a file belong to the games that they were made of.
#[test]
fn a_review_names_its_game() {
    let review = review();
    let mut record = record();
    record.black = "another name".to_owned();
    record.result = None;
    assert!(review.is_of(&record));
    let changes: [fn(&mut GameRecord); 7] = [
        |record| record.setup.push((Color::White, Point::new(7, 7))),
        |record| record.rule = Some(Rule::Standard),
        |record| record.size = BoardSize::default(),
        |record| record.moves.truncate(10),
        |record| record.moves.swap(0, 2),
        |record| record.moves[9].point = Point::NONE,
        // A pass comes in between.
        |record| drop(record.moves.remove(7)),
    ];
    for change in changes {
        let mut other = record.clone();
        change(&mut other);
        assert!(!review.is_of(&other), "{other:?}");
    }
}

/// The stones that were set up, without which the moves are another game.
#[test]
fn the_json_has_the_set_up() {
    let size = BoardSize::square(9).unwrap();
    let mut record = GameRecord::new(Some(Rule::Freestyle), size);
    let stone = |text: &str| text.parse().unwrap();
    record.setup = vec![
        (Color::White, stone("f5")),
        (Color::Black, stone("e5")),
        (Color::Black, stone("d4")),
    ];
    record.first = Color::White;
    record.moves = vec![RecordedMove::new(Color::White, stone("c3"))];
    let review = review_of(&record, LITTLE);
    let json = review.json();
    let expected = json!({ "black": ["d4", "e5"], "white": ["f5"], "first": "white" });
    assert_eq!(json["setup"], expected);
    assert!(review.is_of(&record));
}

#[test]
fn the_annotated_game_keeps_the_comments_of_the_file() {
    let review = review();
    let record = record();
    let tree = sgf_of(&review, record.clone());
    let read = sgf::read(&tree.to_string()).unwrap();
    let points = |record: &GameRecord| -> Vec<Point> {
        record.moves.iter().map(|played| played.point).collect()
    };
    assert_eq!(points(&read), points(&record));
    assert!(read.moves[0].comment.starts_with("first ]\\\n"));
    assert!(read.moves[5].comment.contains("black wins in 3 plies"));
    assert_eq!(read.black, record.black);
    let text = tree.to_string();
    let again = sgf::Tree::parse(&text).unwrap();
    assert_eq!(again.trees[0].to_string(), text);
    assert_eq!(text.matches("BM[2]").count(), 3, "{text}");
    assert_eq!(text.matches("wins in 3 plies]").count(), 2, "{text}");
}

/// Variations and remarks of the review were once there twice.
#[test]
fn what_was_reviewed_before_says_nothing_twice() {
    let mut record = record();
    record.result = record.replay(Rule::Freestyle).unwrap().result();
    let once = sgf_of(&review(), record).to_string();
    let tree = &sgf::Tree::parse(&once).unwrap().trees[0];
    let file = sgf::game(tree, BoardSize::default()).unwrap();
    let again = review_of(&file.record, LIMITS);
    assert_eq!(again.sgf(&file).to_string(), once);
}

/// They were once left out.
#[test]
fn the_annotated_game_has_the_variations_of_its_file() {
    let text = "(;GM[4]SZ[9]RU[freestyle]EV[Cup]C[root]GC[game];B[ee]LB[aa:A]BM[2];W[ef]\
                (;B[ff];B[cc](;W[hh])(;W[gh];B[hg]))(;B[de]C[better]TE[1];W[ce](;B[fe])(;B[ge])))";
    let tree = &sgf::Tree::parse(text).unwrap().trees[0];
    let file = sgf::game(tree, BoardSize::default()).unwrap();
    let review = review_of(&file.record, LITTLE);
    let text = review.sgf(&file).to_string();
    for kept in [
        "C[root]EV[Cup]",
        "LB[aa:A]",
        "(;W[gh];B[hg])",
        "(;B[de]C[better]TE[1];W[ce](;B[fe])(;B[ge]))",
    ] {
        assert!(text.contains(kept), "{kept}: {text}");
    }
    let first = text.find(";W[ef]").unwrap();
    // The annotator's opinion stays, and a move has one.
    assert!(text[..first].contains("BM[2]"), "{text}");
    assert!(!text[..first].contains("TE["), "{text}");
    // White passes where black moved twice.
    let points = |text: &str| -> String {
        let read = sgf::read(text).unwrap();
        read.moves
            .iter()
            .map(|played| played.point.to_string())
            .collect()
    };
    assert_eq!(points(&text), "e5e4f4--c7h2");
}

#[test]
fn the_page_has_every_move_and_no_text_of_others_as_markup() {
    let page = review().page();
    assert!(!page.contains("<b>"), "{page}");
    assert!(page.contains("&lt;b&gt;&amp;{{rows}}"));
    let left = page.replace("{{rows}}", "");
    assert!(!left.contains("{{"), "a place is not filled: {left}");
    let others = page.replace("http://www.w3.org/2000/svg", "");
    assert!(!others.contains("http"), "the page needs another file");
    assert_eq!(page.matches("class=\"stone\"").count(), 11);
    for shown in ["6-loss", "7-win"] {
        assert!(page.contains(&format!("data-show=\"{shown}\"")), "{shown}");
        assert!(page.contains(&format!("data-line=\"{shown}\"")), "{shown}");
    }
}

/// Two moves of a colour in a row have a pass between them, and remarks stay where they
/// were made.
#[test]
fn passes_are_moves() {
    let size = BoardSize::square(9).unwrap();
    let mut record = GameRecord::new(Some(Rule::Renju), size);
    for word in ["e5", "d4"] {
        record.moves.push(RecordedMove {
            comment: word.to_owned(),
            ..RecordedMove::new(Color::Black, word.parse().unwrap())
        });
    }
    let limits = ReviewLimits {
        nodes: 100,
        proof_nodes: 100,
    };
    let review = review_of(&record, limits);
    let text = sgf_of(&review, record).to_string();
    let annotated = sgf::read(&text).unwrap();
    let points: Vec<String> = (annotated.moves.iter())
        .map(|played| {
            let said = played.comment.lines().next().unwrap_or_default();
            format!("{} {}", &said[..2], played.point == Point::NONE)
        })
        .collect();
    assert_eq!(
        (points.len(), &*points[0], &*points[2]),
        (3, "e5 false", "d4 false")
    );
    assert!(points[1].ends_with(" true"));
    assert!(review.text().contains("  2 white --"), "{}", review.text());
}

#[test]
fn a_forbidden_point_is_a_mistake() {
    let moves = "g8a1h7a3h9o1i8o3h8";
    let size = BoardSize::default();
    let position = Position::from_moves(Rule::Renju, size, moves).unwrap();
    let mut record = GameRecord::new(Some(Rule::Renju), size);
    record.moves = (position.moves())
        .map(|(color, point)| RecordedMove::new(color, point))
        .collect();
    let limits = ReviewLimits {
        nodes: 500,
        proof_nodes: 5000,
    };
    let review = review_of(&record, limits);
    let last = review.moves.last().unwrap();
    assert_eq!(last.forbidden, Some(Forbidden::DoubleThree));
    assert!(last.class.is_mistake(), "{last:?}");
    assert_eq!(last.after, 0.0);
    assert_eq!(
        review.summary.last_escape.map(|escape| escape.number),
        Some(9)
    );
}

/// What is heard on the way is what the review says at the end.
#[test]
fn every_step_is_reported() {
    let whole = review();
    let (mut chances, mut moves, mut last) = (vec![None; whole.moves.len() + 1], Vec::new(), 0);
    let watched = GameReview::watched(
        &record(),
        &Arc::default(),
        whole.limits,
        &|| false,
        &mut |step| {
            assert_eq!(
                (step.done, step.steps),
                (last + 1, 2 * whole.moves.len() + 1)
            );
            last = step.done;
            match step.result {
                StepResult::Position { number, black } => chances[number] = Some(black),
                StepResult::Move(played) => moves.push(played.clone()),
            }
        },
    );
    assert_eq!(watched.unwrap().unwrap().moves, whole.moves);
    assert_eq!(
        (moves, last),
        (whole.moves.clone(), 2 * whole.moves.len() + 1)
    );
    // White has let black make an open four, and black has made five.
    assert_eq!((chances[6], chances[11]), (Some(1.0), Some(1.0)));
    assert!(chances.iter().all(Option::is_some));
}

#[test]
fn a_review_that_is_stopped_is_none() {
    let record = record();
    let limits = ReviewLimits {
        nodes: u64::MAX,
        proof_nodes: u64::MAX / 100,
    };
    let heard = Cell::new(0);
    let is_stopped = || heard.get() > 0;
    let stopped = GameReview::watched(&record, &Arc::default(), limits, &is_stopped, &mut |step| {
        heard.set(step.done);
    });
    assert_eq!(stopped, Ok(None));
    assert_eq!(heard.get(), 1);
}

#[test]
fn an_empty_game_has_a_review() {
    let record = GameRecord::new(None, BoardSize::default());
    let limits = ReviewLimits {
        nodes: 10,
        proof_nodes: 10,
    };
    let review = review_of(&record, limits);
    assert!(review.moves.is_empty());
    assert_eq!(review.summary.accuracy.get(Color::Black), None);
    assert!(review.page().contains("const moves = 0;"));
    assert!(
        sgf::read(&sgf_of(&review, record).to_string())
            .unwrap()
            .moves
            .is_empty()
    );
}
