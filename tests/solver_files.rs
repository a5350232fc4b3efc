//! The solver against puzzles that others have labelled, where they are at hand
//! beside the project. Those of our own are in `tests/suites.rs`.
#![allow(clippy::unwrap_used, clippy::print_stdout)]

mod oracle;
mod referee;

use oracle::Board;
use quincunx::position::Position;
use quincunx::rules::BoardSize;
use quincunx::threats::{ForcedWin, Solver, SolverLimits, WinKind};
use referee::Referee;

/// The fields of every line of a file of positions.
fn lines_of(name: &str) -> Vec<Vec<String>> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../shared/positions/");
    let Ok(file) = std::fs::read_to_string(format!("{folder}{name}")) else {
        println!("no {name} beside the project: nothing compared");
        return Vec::new();
    };
    let fields = |line: &str| line.split('\t').map(str::to_owned).collect();
    file.lines()
        .filter(|line| !line.starts_with('#'))
        .map(fields)
        .collect()
}

fn position_of(fields: &[String]) -> Position {
    let size: BoardSize = fields[1].parse().unwrap();
    let rule = fields[2].parse().unwrap();
    Position::from_moves(rule, size, &fields[4]).unwrap()
}

/// Wins have the labelled length, "none" is shown to be none. What the limit
/// leaves open, and what has no label, is printed.
fn compare(name: &str, nodes: u64) -> [usize; 3] {
    let mut solver = Solver::new(64 << 20);
    let mut counts = [0; 3];
    let mut total = 0;
    for fields in lines_of(name) {
        let (id, rule, label) = (&fields[0], &fields[2], &fields[5]);
        let plies = label.parse::<usize>().ok();
        let limits = SolverLimits {
            nodes,
            stop: &mut || false,
        };
        let solution = solver.solve(&position_of(&fields), WinKind::Vcf, limits);
        total += solution.nodes;
        match solution.win {
            ForcedWin::Proven(proof) => {
                counts[0] += 1;
                assert_ne!(label, "none", "{id} {rule} {proof:?}");
                assert_eq!(proof.line().len(), proof.plies());
                assert_eq!(proof.plies(), plies.unwrap_or(proof.plies()), "{id} {rule}");
                if plies.is_none() {
                    println!("{id} {rule}, label {label}: a win in {}", proof.plies());
                }
            }
            ForcedWin::None => {
                counts[1] += 1;
                assert_eq!(plies, None, "{id} {rule}");
                if label != "none" {
                    println!("{id} {rule}, label {label}: none");
                }
            }
            ForcedWin::Unknown => {
                counts[2] += 1;
                println!("{id} {rule}, label {label}: not settled in {nodes} nodes");
            }
        }
    }
    println!("{name}: {counts:?} wins, none, open; {total} nodes");
    counts
}

const FILES: [&str; 2] = ["vcf.txt", "vcf_freestyle_standard.txt"];

#[test]
fn continuous_fours_agree_with_the_labels() {
    for name in FILES {
        let [wins, none, open] = compare(name, 5_000);
        assert!(open * 8 <= wins + none, "too much left open");
    }
}

/// The longest too: `cargo test --release -- --ignored every_label`.
#[test]
#[ignore = "takes minutes"]
fn continuous_fours_settle_every_label() {
    for name in FILES {
        let [_, _, open] = compare(name, 20_000_000);
        // One puzzle of 165 plies and more has no label.
        assert!(open <= 1);
    }
}

/// The positions labelled as wins by threes alone have no win by fours.
#[test]
fn puzzles_of_threes_have_no_win_by_fours() {
    let mut solver = Solver::new(16 << 20);
    for fields in lines_of("vct.txt") {
        let limits = SolverLimits {
            nodes: 5_000,
            stop: &mut || false,
        };
        let solution = solver.solve(&position_of(&fields), WinKind::Vcf, limits);
        let win = matches!(solution.win, ForcedWin::Proven(_));
        assert!(!win || fields[6] != "none", "{} {}", fields[0], fields[4]);
    }
}

/// Puzzles that nobody has a label for: how many are settled, every win
/// refereed. `cargo test --release --test solver_files -- --ignored nobody`.
#[test]
#[ignore = "takes minutes"]
fn puzzles_that_nobody_has_solved() {
    const NODES: u64 = 300_000;
    let mut solver = Solver::new(100 << 20);
    let (mut wins, mut none, mut lines, mut replies) = (0, 0, 0, 0);
    for fields in lines_of("vct.txt") {
        if fields[10] != "unsolved" {
            continue;
        }
        lines += 1;
        let position = position_of(&fields);
        solver.clear();
        let limits = SolverLimits {
            nodes: NODES,
            stop: &mut || false,
        };
        match solver.solve(&position, WinKind::Any, limits).win {
            ForcedWin::Proven(proof) => {
                let mut referee = Referee::default();
                let checked = referee.check(&mut Board::of(&position), &proof);
                assert_eq!(checked, Ok(()), "{}", fields[0]);
                wins += 1;
                replies += referee.replies;
            }
            ForcedWin::None => none += 1,
            ForcedWin::Unknown => {}
        }
    }
    println!("{lines} lines: {wins} wins, {none} none; {replies} replies checked");
}
