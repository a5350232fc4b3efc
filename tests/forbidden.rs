//! Renju's forbidden points against labelled positions, where they are at
//! hand beside the project.
#![allow(clippy::unwrap_used, clippy::print_stdout)]

use quincunx::position::{Forbidden, Position};
use quincunx::rules::{BoardSize, Point, Rule};
use std::collections::BTreeMap;

/// `g7:3 j10:43` to points and their weightiest kinds; `-` is nothing.
fn labels(text: &str) -> BTreeMap<Point, Forbidden> {
    text.split_whitespace()
        .filter(|word| *word != "-")
        .map(|word| {
            let (point, kind) = word.split_once(':').unwrap();
            let kind = if kind.contains('6') {
                Forbidden::Overline
            } else if kind.contains('4') {
                Forbidden::DoubleFour
            } else {
                Forbidden::DoubleThree
            };
            (point.parse().unwrap(), kind)
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
        let found: BTreeMap<Point, Forbidden> = size
            .iter()
            .filter_map(|p| Some((p, position.forbidden_to_black(p)?)))
            .collect();
        assert_eq!(found, labels(fields[5]), "{} {}", fields[0], fields[4]);
        lines += 1;
    }
    println!("{lines} labelled positions agree");
    assert!(lines > 100);
}
