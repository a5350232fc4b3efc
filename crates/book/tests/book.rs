//! Books as they are read: symmetric positions, choices, and damaged files.

#![cfg(feature = "build")]
#![allow(clippy::unwrap_used)]

use quincunx_book::{BookError, BookTree, OpeningBook, VERSION};
use quincunx_engine::engine::Book;
use quincunx_engine::position::Position;
use quincunx_engine::rules::{BoardSize, Point, Rule};
use quincunx_engine::score::Score;
use std::collections::BTreeSet;
use std::fs;

fn position(rule: Rule, moves: &str) -> Position {
    Position::from_moves(rule, BoardSize::default(), moves).unwrap()
}

fn line(moves: &str) -> Vec<Point> {
    let position = position(Rule::Freestyle, moves);
    position.moves().map(|(_, point)| point).collect()
}

fn found(moves: &[(&str, i32)]) -> Vec<(Point, Score)> {
    let moves = moves.iter();
    moves
        .map(|&(point, units)| (point.parse().unwrap(), Score::from_units(units)))
        .collect()
}

/// A book of the empty board and two positions after it.
fn book(rule: Rule) -> OpeningBook {
    let mut tree = BookTree::new(rule, BoardSize::default(), vec![Vec::new()]);
    tree.insert(line(""), &found(&[("h8", 30), ("h9", 25)]));
    tree.insert(line("h8"), &found(&[("i9", -20), ("h9", -25), ("g6", -90)]));
    tree.insert(line("h8h9"), &found(&[("i10", 29_990), ("g9", 40)]));
    tree.book(20)
}

#[test]
fn every_form_of_a_position_has_its_moves() {
    let book = book(Rule::Freestyle);
    assert_eq!((book.len(), book.is_empty()), (4, false));
    let told = |moves: &str| -> Vec<String> {
        let moves = book.moves(&position(Rule::Freestyle, moves)).into_iter();
        let told = moves.map(|it| {
            let points: Vec<String> = it.points.iter().map(ToString::to_string).collect();
            format!("{} {}", points.join(" "), it.score)
        });
        told.collect()
    };
    // The reply h9 loses, so h8 is worth what i9 leaves it.
    assert_eq!(told(""), ["h7 g8 i8 h9 +25", "h8 +20"]);
    assert_eq!(told("h8"), ["g7 i7 g9 i9 -20"]);
    for (moves, expected) in [
        ("h8h9", "g10 i10 +M10"),
        ("h8i8", "j7 j9 +M10"),
        ("h8g8", "f7 f9 +M10"),
    ] {
        assert_eq!(told(moves), [expected], "{moves}");
    }
    assert_eq!(told("h8i9"), [""; 0]);
    // Other rules have other keys.
    assert_eq!(book.moves(&position(Rule::Renju, "h8")), []);
}

#[test]
fn a_seed_chooses_among_the_moves_and_their_forms() {
    let book = book(Rule::Freestyle);
    let start = position(Rule::Freestyle, "");
    let choose = |seed| Book::moves(&book, &start, seed).play.unwrap().to_string();
    let chosen: BTreeSet<String> = (0..200).map(choose).collect();
    assert_eq!(Vec::from_iter(chosen), ["g8", "h7", "h8", "h9", "i8"]);
    assert_eq!(choose(7), choose(7));
    let times = (0..1_000).filter(|&seed| choose(seed) == "h8").count();
    assert!((400..600).contains(&times), "half of the moves: {times}");
    let value = Book::moves(&book, &start, 7).value;
    assert_eq!(value, Some(Score::from_units(25)), "that of the best move");
}

#[test]
fn moves_that_are_forbidden_or_taken_are_none() {
    // Two open threes cross at h8.
    let moves = "g8a1i8a3h7o1h9o3";
    let mut tree = BookTree::new(Rule::Renju, BoardSize::default(), vec![line(moves)]);
    tree.insert(line(moves), &found(&[("h8", 90), ("k11", 85)]));
    let moves = tree.book(10).moves(&position(Rule::Renju, moves));
    let points: Vec<&[Point]> = moves.iter().map(|it| it.points.as_slice()).collect();
    assert_eq!(points, [["e11", "k11"].map(|it| it.parse().unwrap())]);
}

#[test]
fn a_file_is_read_back_and_any_damage_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.qxbook");
    let book = book(Rule::Freestyle);
    fs::write(&path, book.as_bytes()).unwrap();
    let read = OpeningBook::open(&path).unwrap();
    assert_eq!(read.as_bytes(), book.as_bytes());
    for at in 0..book.as_bytes().len() {
        let mut damaged = book.as_bytes().to_vec();
        damaged[at] ^= 0x10;
        let error = OpeningBook::from_bytes(damaged).unwrap_err();
        match at {
            0..8 => assert!(matches!(error, BookError::Foreign), "{at}"),
            8..12 => assert!(
                matches!(error, BookError::Version(it) if it != VERSION),
                "{at}"
            ),
            _ => assert!(matches!(error, BookError::Damaged), "{at}"),
        }
        fs::write(&path, &book.as_bytes()[..at]).unwrap();
        assert!(OpeningBook::open(&path).is_err(), "{at} bytes");
    }
    let none = BookTree::new(Rule::Freestyle, BoardSize::default(), Vec::new()).book(0);
    let none = OpeningBook::from_bytes(none.as_bytes().to_vec()).unwrap();
    assert!(none.is_empty() && none.moves(&position(Rule::Freestyle, "")).is_empty());
    assert!(OpeningBook::open(folder.path()).is_err());
    assert!(OpeningBook::open(&folder.path().join("none")).is_err());
}
