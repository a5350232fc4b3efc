//! What is claimed without search, against brute force over every move and
//! every reply on random positions.
#![allow(clippy::unwrap_used, clippy::print_stdout)]

use quincunx_engine::pattern::Class;
use quincunx_engine::position::Position;
use quincunx_engine::rules::{BoardSize, Point, Rule};
use quincunx_engine::threats::{ThreatStatus, answers, defences, threat_status};
use quincunx_testing::oracle::force::{four_points, loses_by, loses_within, wins_within};
use quincunx_testing::oracle::{At, Board, at};

/// A few stones close together, so that threats abound.
fn random_position(rng: &mut fastrand::Rng, rule: Rule) -> Position {
    let size = BoardSize::square(rng.usize(7..=10)).unwrap();
    let mut position = Position::new(rule, size);
    for _ in 0..rng.usize(6..=26) {
        let point = Point::new(rng.usize(0..size.width()), rng.usize(0..size.height()));
        let wins = position.class(position.side(), point) == Class::Five;
        if position.is_empty(point) && !wins && position.is_legal(point) {
            position.play(point);
        }
    }
    position
}

/// Whether the side to move has a win in three plies that the counters see.
/// Under renju they see neither a four that can be answered on a single point,
/// if that is forbidden to black, nor a point that only looks forbidden: that
/// takes a recursion.
fn wins_in_three(board: &mut Board) -> bool {
    if !board.fives(board.side()).is_empty() {
        return true;
    }
    let side = board.side();
    four_points(board).into_iter().any(|four| {
        let looks_forbidden = board.has_fouls() && !board.forbidden_to_depth(four, 0).is_empty();
        let wins = board.after(four, |board| {
            let foul = |board: &mut Board, five| !board.is_legal(five);
            let fives = board.fives(side);
            loses_within(board, 2) && !(fives.len() == 1 && foul(board, fives[0]))
        });
        wins && !looks_forbidden
    })
}

/// Whether the claim is true, and not weaker than it promises: where nothing is
/// claimed, neither side has a five or a four that can't be stopped.
fn holds(claim: ThreatStatus, board: &mut Board, defences: &[At]) -> bool {
    match claim {
        ThreatStatus::Win(1) => wins_within(board, 1),
        ThreatStatus::Win(3) => wins_within(board, 3) && !wins_within(board, 1),
        ThreatStatus::Win(plies) => wins_within(board, plies) && !wins_in_three(board),
        ThreatStatus::Loss(plies) => loses_within(board, plies),
        ThreatStatus::OnlyMove(only) => {
            let only = at(only).unwrap();
            let mut others = board.empty();
            others.retain(|&other| other != only);
            !loses_by(board, only, 2) && others.into_iter().all(|at| loses_by(board, at, 2))
        }
        ThreatStatus::MustDefend => must_defend(board, defences),
        ThreatStatus::Quiet => !wins_in_three(board) && !board.after_a_pass(wins_in_three),
    }
}

/// Returns whether the claim of [`ThreatStatus::MustDefend`] is true: the opponent, left
/// alone, makes a five or a four that can't be stopped, and every move but the defences
/// loses to that. Unless a five is next, every four is among them.
fn must_defend(board: &mut Board, defences: &[At]) -> bool {
    let five_next = board.after_a_pass(|board| wins_within(board, 1));
    let plies = if five_next { 2 } else { 4 };
    let has_all_fours = five_next || four_points(board).iter().all(|at| defences.contains(at));
    let mut others = board.empty();
    others.retain(|at| !defences.contains(at));
    has_all_fours
        && (five_next || !wins_in_three(board))
        && board.after_a_pass(|board| wins_within(board, 3))
        && others.into_iter().all(|at| loses_by(board, at, plies))
}

/// How often each claim was made: wins in 1, 3 and 5, losses, only moves,
/// defences, defences without an answer, nothing.
fn check(seed: u64, positions: usize) -> [usize; 8] {
    let mut rng = fastrand::Rng::with_seed(seed);
    let mut seen = [0; 8];
    for number in 0..positions {
        let rule = Rule::ALL[number % Rule::ALL.len()];
        let mut position = random_position(&mut rng, rule);
        let claim = threat_status(&mut position);
        let defences: Vec<At> = match claim {
            ThreatStatus::MustDefend => defences(&position).iter().filter_map(at).collect(),
            _ => Vec::new(),
        };
        assert!(
            holds(claim, &mut Board::of(&position), &defences),
            "{claim:?} is wrong in {position:?}"
        );
        let kind = match claim {
            ThreatStatus::Win(plies) => plies / 2,
            ThreatStatus::Loss(_) => 3,
            ThreatStatus::OnlyMove(_) => 4,
            ThreatStatus::MustDefend => 5 + usize::from(answers(&position).is_empty()),
            ThreatStatus::Quiet => 7,
        };
        seen[kind] += 1;
    }
    println!("{seen:?}");
    seen
}

#[test]
fn static_claims_are_neither_too_bold_nor_too_timid() {
    let seen = check(1993, 10_000);
    assert!(seen.iter().all(|&count| count > 20), "{seen:?}");
}

/// White's four at a point is met on one point alone, which is forbidden to black:
/// a win in three plies that the counters don't see.
#[test]
fn a_four_met_on_a_forbidden_point_is_left_to_the_search() {
    let line = "7 renju e1c3a4f7e4e6d1g5a1f5e2d2f6d6f1e3b6a5b1";
    let mut position = Position::from_line(line).unwrap();
    assert!(wins_within(&mut Board::of(&position), 3));
    let claim = threat_status(&mut position);
    assert!(!matches!(claim, ThreatStatus::Win(_)), "{claim:?}");
    assert!(holds(claim, &mut Board::of(&position), &[]), "{claim:?}");
}

/// Black makes a legal four at a point that looks forbidden. The defences once left it out, so
/// that the search could take the position for lost without having tried it.
#[test]
fn a_four_that_only_looks_forbidden_is_a_defence() {
    for (line, four) in [
        ("7 renju d2f5a1g2e3d7f1a4c4c6b5f3b2c1e4a3d4f4", "e2"),
        ("7 renju c5a6d5d7e5f1e6d1f3b5c2f4d3b2a2c7d4a1g2f7", "e4"),
        ("8 renju c2g7e4f3a4g2d2g3b5f1d5g5c4a1f6h5e3b8b6h7", "d4"),
    ] {
        let mut position = Position::from_line(line).unwrap();
        let four: Point = four.parse().unwrap();
        let claim = threat_status(&mut position);
        assert_eq!(claim, ThreatStatus::MustDefend, "{line}");
        assert_eq!(position.class(position.side(), four), Class::Forbidden);
        assert!(position.is_legal(four), "{line}");
        let defences: Vec<At> = defences(&position).iter().filter_map(at).collect();
        assert!(defences.contains(&at(four).unwrap()), "{line}");
        assert!(holds(claim, &mut Board::of(&position), &defences), "{line}");
    }
}

/// More of the same: `cargo test --release --test threats -- --ignored`.
#[test]
#[ignore = "takes minutes"]
fn static_claims_at_volume() {
    check(1994, 2_000_000);
}
