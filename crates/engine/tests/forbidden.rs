//! Renju's forbidden points against labelled positions.
#![allow(clippy::unwrap_used)]

use quincunx_engine::position::{Forbidden, Position};
use quincunx_engine::rules::Point;
use quincunx_testing::oracle::{Board, at};
use std::collections::{BTreeMap, BTreeSet};

type Labels = BTreeMap<Point, BTreeSet<Forbidden>>;

/// `g7:3 j10:43` to points and kinds; `-` is nothing.
fn labels(text: &str) -> Labels {
    let kind = |letter| match letter {
        '3' => Forbidden::DoubleThree,
        '4' => Forbidden::DoubleFour,
        '6' => Forbidden::Overline,
        _ => panic!("unknown kind {letter}"),
    };
    text.split_whitespace()
        .filter(|word| *word != "-")
        .map(|word| {
            let (point, kinds) = word.split_once(':').unwrap();
            (point.parse().unwrap(), kinds.chars().map(kind).collect())
        })
        .collect()
}

/// What the engine says of every empty point.
fn found(position: &mut Position) -> Labels {
    let size = position.size();
    let kinds = |point| {
        let weightiest = position.forbidden_to_black(point)?;
        let kinds: BTreeSet<Forbidden> = position.forbidden_kinds(point).into_iter().collect();
        assert!(kinds.contains(&weightiest));
        Some((point, kinds))
    };
    size.iter().filter_map(kinds).collect()
}

/// Positions that others have labelled, where they are at hand beside the
/// project: what is forbidden, as it stands in a file of our own.
fn labels_of_others() -> Vec<(String, String)> {
    let path = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../../shared/positions/forbidden.txt"
    );
    let file = std::fs::read_to_string(path).unwrap_or_default();
    let lines = file.lines().filter(|line| !line.starts_with('#'));
    let lines = lines.map(|line| {
        let fields: Vec<&str> = line.split('\t').collect();
        (
            format!("{} renju {}", fields[1], fields[4]),
            fields[5].to_owned(),
        )
    });
    lines.collect()
}

#[test]
fn forbidden_points_are_those_of_the_labels() {
    let file = include_str!("suites/forbidden.txt");
    let own = file.lines().filter(|line| !line.starts_with('#'));
    let mut apparent = 0;
    for line in own {
        let fields: Vec<&str> = line.split('\t').collect();
        let expected = labels(fields[1]);
        let mut position = Position::from_line(fields[0]).unwrap();
        assert_eq!(found(&mut position), expected, "{line}");
        let mut board = Board::read(fields[0]).unwrap();
        for (&point, kinds) in &expected {
            assert_eq!(board.forbidden(at(point).unwrap()), *kinds, "{line}");
        }
        for point in fields[2].split(' ').filter(|&word| word != "-") {
            let here = at(point.parse().unwrap()).unwrap();
            assert!(board.forbidden(here).is_empty(), "{point} in {line}");
            assert!(!board.forbidden_to_depth(here, 0).is_empty());
            apparent += 1;
        }
    }
    assert!(apparent > 200, "{apparent}");
    for (line, expected) in labels_of_others() {
        let mut position = Position::from_line(&line).unwrap();
        assert_eq!(found(&mut position), labels(&expected), "{line}");
    }
}
