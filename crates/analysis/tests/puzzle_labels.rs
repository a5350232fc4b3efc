//! The puzzles that come with the crate, and what the finder finds, checked by a slow solver.

#![allow(clippy::unwrap_used, clippy::print_stdout)]

mod slow;

use quincunx_analysis::puzzle::{
    FREESTYLE, Puzzle, PuzzleFinder, PuzzleKind, PuzzleLimits, RULES, THREES, shipped,
};
use quincunx_engine::position::Position;
use quincunx_engine::rules::{BoardSize, Color, Point, Rule};
use slow::Fives;
use std::collections::HashSet;

/// The lines of a file that are puzzles.
fn lines(text: &str) -> impl Iterator<Item = &str> {
    text.lines().filter(|line| !line.starts_with('#'))
}

/// The puzzles of a rule.
fn of_rule(rule: Rule) -> impl Iterator<Item = Puzzle> {
    lines(shipped(rule).unwrap()).map(|line| line.parse().unwrap())
}

/// The puzzles of freestyle that are won by threes.
fn threes() -> impl Iterator<Item = Puzzle> {
    lines(THREES).map(|line| line.parse().unwrap())
}

/// All puzzles.
fn puzzles() -> Vec<Puzzle> {
    let fours = RULES.into_iter().flat_map(of_rule);
    fours.chain(threes()).collect()
}

/// The right move wins by fours, and no other move does.
fn only_one_wins(puzzle: &Puzzle) {
    assert_eq!(puzzle.kind, PuzzleKind::Vcf);
    let mut board = Fives::new(&puzzle.position);
    let answer = board.index(puzzle.answer());
    let winning = board.winning(puzzle.position.side().index());
    assert_eq!(winning, [answer], "{puzzle}");
}

/// Every label of freestyle, and some of the other rules.
#[test]
fn the_right_move_is_the_only_one_that_wins_by_fours() {
    for rule in RULES {
        let step = if rule == Rule::Freestyle { 1 } else { 16 };
        of_rule(rule)
            .step_by(step)
            .for_each(|puzzle| only_one_wins(&puzzle));
    }
}

#[test]
#[ignore = "takes a minute with --release"]
fn the_right_moves_of_all_rules_are_the_only_ones_that_win_by_fours() {
    let fours = RULES.into_iter().flat_map(of_rule);
    fours.for_each(|puzzle| only_one_wins(&puzzle));
}

/// The line wins: it is legal, and the winner makes the last five of it.
#[test]
fn the_lines_of_solutions_end_with_a_five() {
    for puzzle in puzzles() {
        let mut position = puzzle.position.clone();
        let winner = position.side();
        for &point in &puzzle.line {
            match point {
                Point::NONE => position.pass(),
                point => {
                    assert!(position.is_legal(point), "{puzzle}: {point}");
                    position.play(point);
                }
            }
        }
        assert!(position.won(), "{puzzle}");
        assert_eq!(position.side(), winner.opponent(), "{puzzle}");
    }
}

#[test]
fn no_two_puzzles_are_alike() {
    assert_eq!(lines(FREESTYLE).count(), 2_000);
    assert_eq!(lines(THREES).count(), 47);
    let mut bytes = 0;
    let mut keys = HashSet::new();
    let fours = RULES.map(|rule| (rule, shipped(rule).unwrap(), 150));
    for (rule, text, least) in fours.into_iter().chain([(Rule::Freestyle, THREES, 1)]) {
        bytes += text.len();
        for line in lines(text) {
            let puzzle: Puzzle = line.parse().unwrap();
            assert_eq!(puzzle.to_string(), line);
            assert_eq!(puzzle.position.rule(), rule);
            assert!(keys.insert((rule, puzzle.key())), "{line}");
        }
        assert!(lines(text).count() >= least, "puzzles of {rule}");
    }
    assert!(bytes <= 500_000, "{bytes} bytes");
}

/// Positions of games between players that know only fours and blocks: whatever the finder
/// calls a puzzle is one, and it misses none that the slow solver sees.
#[test]
fn the_finder_and_the_slow_solver_agree() {
    for rule in RULES {
        agree(rule, if rule == Rule::Freestyle { 800 } else { 400 });
    }
}

fn agree(rule: Rule, count: usize) {
    let mut random = fastrand::Rng::with_seed(53);
    let limits = PuzzleLimits {
        kinds: vec![PuzzleKind::Vcf],
        least_plies: 1,
        nodes: 1_000_000,
    };
    let mut finder = PuzzleFinder::new(limits);
    let (mut unique, mut several) = (0, 0);
    for _ in 0..count {
        let size = BoardSize::square(9).unwrap();
        let mut position = Position::new(rule, size);
        let mut points: Vec<Point> = size.iter().collect();
        random.shuffle(&mut points);
        for &point in points.iter().take(random.usize(20..50)) {
            if position.is_legal(point) {
                position.play(point);
            }
            if position.won() {
                break;
            }
        }
        let side = position.side();
        // A five that can be put off still wins: it is no riddle either way.
        if position.won()
            || Color::ALL
                .iter()
                .any(|&it| position.fives(it).next().is_some())
        {
            continue;
        }
        let mut board = Fives::new(&position);
        let winning = board.winning(side.index());
        let found = finder.of_position(&position);
        match winning[..] {
            [only] => {
                let puzzle = found.unwrap_or_else(|| panic!("{}", position.move_text()));
                assert_eq!(board.index(puzzle.answer()), only);
                unique += 1;
            }
            _ => {
                assert!(found.is_none(), "{}", position.move_text());
                several += usize::from(winning.len() > 1);
            }
        }
    }
    assert!(
        unique > count / 80 && several > count / 80,
        "{rule}: {unique} and {several}"
    );
}

/// Whether a puzzle of threes is one: its move wins, and no other four or three does.
/// Nothing if that takes more than the budget.
fn wins_alone(board: &mut Fives, puzzle: &Puzzle, budget: usize) -> Option<bool> {
    let side = puzzle.position.side().index();
    let answer = board.index(puzzle.answer());
    if board.wins(side) || !board.wins_by_threat(side, answer, budget)? {
        return Some(false);
    }
    for other in board.empty() {
        let is_rival = other != answer && board.is_three(side, other);
        if is_rival && board.wins_by_threat(side, other, budget)? {
            return Some(false);
        }
    }
    Some(true)
}

/// The right move wins by threes, and no other four or three does.
fn only_one_wins_by_threes(puzzle: Puzzle) {
    assert_eq!(puzzle.kind, PuzzleKind::Vct);
    let mut board = Fives::new(&puzzle.position);
    let is_one = wins_alone(&mut board, &puzzle, 1_000);
    assert_eq!(is_one, Some(true), "{puzzle}");
}

#[test]
fn the_right_move_is_the_only_one_that_wins_by_threes() {
    threes().take(8).for_each(only_one_wins_by_threes);
}

#[test]
#[ignore = "takes a minute with --release"]
fn all_right_moves_are_the_only_ones_that_win_by_threes() {
    threes().for_each(only_one_wins_by_threes);
}

/// Whether a puzzle of a defence is one: the opponent would win by fours after a pass, and
/// one move is the only one after which it has no win by threats.
fn holds_alone(board: &mut Fives, puzzle: &Puzzle, budget: usize) -> Option<bool> {
    let side = puzzle.position.side().index();
    let answer = board.index(puzzle.answer());
    Some(board.wins(1 - side) && board.holding(side, budget)? == [answer])
}

/// Puzzles that the finder has found in random positions are what they are called. Returns how
/// many of each kind the slow solver has settled within its budget.
fn settled(budget: usize) -> [usize; 2] {
    let mut settled = [0; 2];
    let lines = include_str!("slow/threats.txt").lines();
    for line in lines.filter(|line| !line.starts_with('#')) {
        let puzzle: Puzzle = line.parse().unwrap();
        let mut board = Fives::new(&puzzle.position);
        let (kind, is_one) = match puzzle.kind {
            PuzzleKind::Defence => (1, holds_alone(&mut board, &puzzle, budget)),
            _ => (0, wins_alone(&mut board, &puzzle, budget)),
        };
        assert!(is_one != Some(false), "{puzzle}");
        settled[kind] += usize::from(is_one.is_some());
        // The finder finds them still.
        let mut finder = PuzzleFinder::new(PuzzleLimits {
            kinds: vec![puzzle.kind],
            least_plies: 1,
            nodes: 100_000,
        });
        let again = finder.of_position(&puzzle.position);
        assert_eq!(again.map(|it| it.answer()), Some(puzzle.answer()), "{line}");
    }
    settled
}

#[test]
fn threes_and_defences_agree_with_the_slow_solver() {
    let [threes, defences] = settled(10);
    assert!(threes > 3 && defences > 0, "{threes} {defences}");
}

#[test]
#[ignore = "takes minutes"]
fn all_threes_and_defences_agree_with_the_slow_solver() {
    println!("wins by threes, only defences: {:?}", settled(100_000));
}

/// A symmetric position is a puzzle of the same grade with the same key.
#[test]
fn symmetric_puzzles_are_the_same_puzzle() {
    for puzzle in puzzles().iter().step_by(97) {
        let size = puzzle.position.size();
        for symmetry in size.symmetries() {
            let mut turned = Position::new(puzzle.position.rule(), size);
            for (_, point) in puzzle.position.moves() {
                turned.play(symmetry.apply(size, point));
            }
            let line = puzzle.line.iter().map(|&point| match point {
                Point::NONE => Point::NONE,
                point => symmetry.apply(size, point),
            });
            let image = Puzzle {
                position: turned,
                line: line.collect(),
                ..puzzle.clone()
            };
            assert_eq!(image.key(), puzzle.key());
            assert_eq!(
                (image.guess(), image.grade()),
                (puzzle.guess(), puzzle.grade())
            );
        }
    }
}
