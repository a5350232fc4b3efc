//! Renju's forbidden points against labelled positions, where they are at
//! hand beside the project.
#![allow(clippy::unwrap_used, clippy::print_stdout)]

use quincunx::position::{Forbidden, Position};
use quincunx::rules::{BoardSize, Point, Rule};
use std::collections::{BTreeMap, BTreeSet};

/// `g7:3 j10:43` to points and kinds; `-` is nothing.
fn labels(text: &str) -> BTreeMap<Point, BTreeSet<Forbidden>> {
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

#[test]
fn labelled_positions_have_their_forbidden_points() {
    let path = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../shared/positions/forbidden.txt"
    );
    let Ok(file) = std::fs::read_to_string(path) else {
        println!("no labelled positions beside the project: nothing compared");
        return;
    };
    let mut lines = 0;
    for line in file.lines().filter(|line| !line.starts_with('#')) {
        let fields: Vec<&str> = line.split('\t').collect();
        let size: BoardSize = fields[1].parse().unwrap();
        let mut position = Position::from_moves(Rule::Renju, size, fields[4]).unwrap();
        let found: BTreeMap<Point, BTreeSet<Forbidden>> = size
            .iter()
            .filter_map(|point| {
                let weightiest = position.forbidden_to_black(point)?;
                let kinds: BTreeSet<Forbidden> =
                    position.forbidden_kinds(point).into_iter().collect();
                assert!(kinds.contains(&weightiest));
                Some((point, kinds))
            })
            .collect();
        assert_eq!(found, labels(fields[5]), "{} {}", fields[0], fields[4]);
        lines += 1;
    }
    println!("{lines} labelled positions agree");
    assert!(lines > 100);
}
