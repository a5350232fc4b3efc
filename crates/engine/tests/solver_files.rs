//! The solver against labelled puzzles: those of `crates/engine/tests/suites/solver.txt`, whose
//! header says how they were made and checked, and those of others where they are
//! at hand beside the project.
#![allow(clippy::unwrap_used, clippy::print_stdout)]

use quincunx_engine::position::Position;
use quincunx_engine::rules::BoardSize;
use quincunx_engine::threats::{ForcedWin, Solution, Solver, SolverLimits, WinKind};
use quincunx_testing::oracle::Board;
use quincunx_testing::oracle::force::{Fours, by_fours};
use quincunx_testing::referee::Referee;

/// A position and what is known of it.
struct Puzzle {
    name: String,
    position: Position,
    /// The shortest win by continuous fours.
    fours: Fours,
    /// Whether there is a win by threes and fours where there is none by fours.
    threes: Option<bool>,
    /// No solution is known.
    unsolved: bool,
}

impl Puzzle {
    fn board(&self) -> Board {
        Board::of(&self.position)
    }
}

/// Plies, or `none`; anything else is no label.
fn label(text: &str) -> Fours {
    match text.parse() {
        Ok(plies) => Fours::Win(plies),
        Err(_) if text == "none" => Fours::None,
        Err(_) => Fours::Open,
    }
}

fn rows(file: &str) -> impl Iterator<Item = Vec<&str>> {
    let lines = file.lines().filter(|line| !line.starts_with('#'));
    lines.map(|line| line.split('\t').collect())
}

fn own_puzzles() -> Vec<Puzzle> {
    let puzzle = |fields: Vec<&str>| Puzzle {
        name: fields[0].to_owned(),
        position: Position::from_line(fields[0]).unwrap(),
        fours: label(fields[1]),
        threes: (fields[1] == "none").then_some(fields[2] == "win"),
        unsolved: false,
    };
    rows(include_str!("suites/solver.txt"))
        .map(puzzle)
        .collect()
}

/// The puzzles of a file beside the project, with the column of the label; none
/// if there is no such file.
fn puzzles_of_others(name: &str, column: usize) -> Vec<Puzzle> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/positions/");
    let file = std::fs::read_to_string(format!("{folder}{name}")).unwrap_or_default();
    let puzzle = |fields: Vec<&str>| {
        let size: BoardSize = fields[1].parse().unwrap();
        let rule = fields[2].parse().unwrap();
        Puzzle {
            name: format!("{} {rule}", fields[0]),
            position: Position::from_moves(rule, size, fields[4]).unwrap(),
            fours: label(fields[column]),
            threes: None,
            unsolved: fields.get(10) == Some(&"unsolved"),
        }
    };
    rows(&file).map(puzzle).collect()
}

fn puzzles_of_fours() -> impl Iterator<Item = Puzzle> {
    let files = ["vcf.txt", "vcf_freestyle_standard.txt"];
    files
        .into_iter()
        .flat_map(|name| puzzles_of_others(name, 5))
}

fn solve(solver: &mut Solver, position: &Position, kind: WinKind, nodes: u64) -> Solution {
    let limits = SolverLimits {
        nodes,
        stop: &mut || false,
    };
    solver.solve(position, kind, limits)
}

fn fours(solution: &Solution) -> Fours {
    match &solution.win {
        ForcedWin::Proven(proof) => Fours::Win(proof.plies()),
        ForcedWin::None => Fours::None,
        ForcedWin::Unknown => Fours::Open,
    }
}

/// Asserts that wins have the labelled length and that "none" is shown to be none.
/// Puzzles that the limit leaves open or that have no label are printed. Returns the
/// numbers of puzzles settled and left open.
fn compare(puzzles: impl Iterator<Item = Puzzle>, nodes: u64) -> [usize; 2] {
    let mut solver = Solver::new(64 << 20);
    let mut counts = [0; 2];
    for puzzle in puzzles {
        let solution = solve(&mut solver, &puzzle.position, WinKind::Vcf, nodes);
        if let ForcedWin::Proven(proof) = &solution.win {
            assert_eq!(proof.line().len(), proof.plies());
        }
        let found = fours(&solution);
        counts[usize::from(found == Fours::Open)] += 1;
        if found == Fours::Open || puzzle.fours == Fours::Open {
            println!("{}, label {:?}: {found:?}", puzzle.name, puzzle.fours);
        } else {
            assert_eq!(found, puzzle.fours, "{}", puzzle.name);
        }
    }
    println!("{counts:?} settled and open");
    counts
}

#[test]
fn continuous_fours_agree_with_the_labels() {
    let [settled, open] = compare(own_puzzles().into_iter(), 200_000);
    assert!(settled > 250 && open == 0, "{settled} settled, {open} open");
    let [settled, open] = compare(puzzles_of_fours(), 5_000);
    assert!(open * 8 <= settled, "too much left open");
}

/// The longest too: `cargo test --release -- --ignored every_label`.
#[test]
#[ignore = "takes minutes"]
fn continuous_fours_settle_every_label() {
    let [settled, open] = compare(puzzles_of_fours(), 20_000_000);
    assert!(settled > 0, "no puzzles of others beside the project");
    // Two files have the one puzzle of 165 plies and more that has no label.
    assert!(open <= 2);
}

/// A brute force with so many nodes finds the lengths that it can settle.
fn lengths_stand_brute_force(nodes: u64) {
    let puzzles = own_puzzles();
    let mut settled = 0;
    for puzzle in &puzzles {
        let again = by_fours(&mut puzzle.board(), nodes);
        if again != Fours::Open {
            assert_eq!(again, puzzle.fours, "{}", puzzle.name);
            settled += 1;
        }
    }
    let all = puzzles.len();
    println!("{settled} of {all} by brute force");
    assert!(settled * 2 > all);
}

#[test]
fn short_lengths_stand_brute_force() {
    lengths_stand_brute_force(300);
}

/// All lengths: `cargo test --release -- --ignored all_lengths`.
#[test]
#[ignore = "takes minutes"]
fn all_lengths_stand_brute_force() {
    lengths_stand_brute_force(20_000);
}

/// Where fours alone don't win, threes and fours do or don't as labelled; their
/// wins stand every reply.
#[test]
fn wins_by_threes_are_those_of_the_labels() {
    let mut solver = Solver::new(16 << 20);
    let mut counts = [0; 2];
    for puzzle in own_puzzles() {
        let Some(wins) = puzzle.threes else { continue };
        match solve(&mut solver, &puzzle.position, WinKind::Vct, 50_000).win {
            ForcedWin::Proven(proof) => {
                let checked = Referee::default().check(&mut puzzle.board(), &proof);
                assert_eq!(checked, Ok(()));
                assert!(wins, "{}", puzzle.name);
            }
            ForcedWin::None => assert!(!wins, "{}", puzzle.name),
            ForcedWin::Unknown => panic!("not settled: {}", puzzle.name),
        }
        counts[usize::from(wins)] += 1;
    }
    let [nothing, wins] = counts;
    assert!(nothing > 50 && wins > 80, "{counts:?}");
}

/// The positions labelled as wins by threes alone have no win by fours.
#[test]
fn puzzles_of_threes_have_no_win_by_fours() {
    let own = own_puzzles().into_iter();
    let own = own.filter(|puzzle| puzzle.threes == Some(true));
    let others = puzzles_of_others("vct.txt", 6).into_iter();
    let mut solver = Solver::new(16 << 20);
    let mut none = 0;
    for puzzle in own.chain(others) {
        let found = fours(&solve(&mut solver, &puzzle.position, WinKind::Vcf, 5_000));
        let win = matches!(found, Fours::Win(_));
        assert!(!win || puzzle.fours != Fours::None, "{}", puzzle.name);
        none += usize::from(found == Fours::None);
    }
    assert!(none > 80, "{none}");
}

/// Puzzles that others have no label for: how many are settled, every win
/// refereed. `cargo test --release --test solver_files -- --ignored without_a_label`.
#[test]
#[ignore = "takes minutes"]
fn puzzles_without_a_label_are_settled_or_left_open() {
    const NODES: u64 = 300_000;
    let mut solver = Solver::new(100 << 20);
    let (mut wins, mut none, mut all, mut replies) = (0, 0, 0, 0);
    let puzzles = puzzles_of_others("vct.txt", 6).into_iter();
    for puzzle in puzzles.filter(|puzzle| puzzle.unsolved) {
        all += 1;
        solver.clear();
        match solve(&mut solver, &puzzle.position, WinKind::Any, NODES).win {
            ForcedWin::Proven(proof) => {
                let mut referee = Referee::default();
                let checked = referee.check(&mut puzzle.board(), &proof);
                assert_eq!(checked, Ok(()), "{}", puzzle.name);
                wins += 1;
                replies += referee.replies;
            }
            ForcedWin::None => none += 1,
            ForcedWin::Unknown => {}
        }
    }
    println!("{all} puzzles: {wins} wins, {none} none; {replies} replies checked");
    assert!(all > 0, "no puzzles of others beside the project");
}
