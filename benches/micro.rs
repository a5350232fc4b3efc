//! Micro-benchmarks of what a search does most, and of what a manager waits
//! for: `cargo bench`, or `cargo bench -- evaluate` for one group.

#![allow(missing_docs, clippy::unwrap_used)]

use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};
use quincunx_engine::eval::{Classical, Evaluator, Hybrid, InstructionSet, MoveScore, WeightSet};
use quincunx_engine::position::Position;
use quincunx_engine::rules::{BoardSize, Point, Rule};
use quincunx_engine::threats::{Solver, SolverLimits, WinKind};
use std::hint::black_box;
use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};

/// A game of the engine against itself, for every rule.
const GAME: &str = "f12j12h8g12h12h11g11i13f13k11l10j11f10g15h14";

/// A position with a win by continuous fours.
const PUZZLE: &str = "d5a1e5a3f5a9";

fn position(rule: Rule) -> Position {
    Position::from_moves(rule, BoardSize::default(), GAME).unwrap()
}

fn moves(position: &Position) -> Vec<Point> {
    position.moves().map(|(_, point)| point).collect()
}

/// All moves of a game, played and taken back.
fn play_and_undo(c: &mut Criterion) {
    let mut group = c.benchmark_group("play and undo");
    for rule in Rule::ALL {
        let moves = moves(&position(rule));
        let mut board = Position::new(rule, BoardSize::default());
        group.throughput(Throughput::Elements(moves.len() as u64));
        group.bench_function(rule.name(), |b| {
            b.iter(|| {
                for &point in &moves {
                    board.play(point);
                }
                black_box(board.key());
                for _ in &moves {
                    board.undo();
                }
            });
        });
    }
}

/// A move, the static evaluation after it, and the move taken back.
fn evaluate(c: &mut Criterion) {
    let mut group = c.benchmark_group("evaluate");
    for rule in Rule::ALL {
        let mut board = position(rule);
        let mut evaluator = Classical::new(&<WeightSet>::default().of(rule).classical, &board);
        let point = board.size().iter().find(|&p| board.is_empty(p)).unwrap();
        group.bench_function(rule.name(), |b| {
            b.iter(|| {
                board.play(point);
                black_box(evaluator.evaluate(&board));
                board.undo();
            });
        });
    }
}

/// A move, the evaluation with the line network after it, and the move taken back, by
/// instruction set.
fn evaluate_line(c: &mut Criterion) {
    let mut group = c.benchmark_group("evaluate with the line network");
    for instructions in InstructionSet::available() {
        let mut weights = <WeightSet>::default();
        weights.set_instructions(instructions);
        let mut board = position(Rule::Freestyle);
        let mut evaluator = Hybrid::new(&weights.of(Rule::Freestyle), &board);
        let points: Vec<Point> = (board.size().iter())
            .filter(|&point| board.is_empty(point))
            .collect();
        let mut points = points.iter().cycle();
        group.bench_function(instructions.to_string(), |b| {
            b.iter(|| {
                board.play(*points.next().unwrap());
                black_box(evaluator.evaluate(&board));
                board.undo();
            });
        });
    }
}

/// The scores of all moves near the stones.
fn score_moves(c: &mut Criterion) {
    let board = position(Rule::Freestyle);
    let mut evaluator = Hybrid::new(&<WeightSet>::default().of(board.rule()), &board);
    let near = board.occupied().surroundings().difference(board.occupied());
    let points: Vec<Point> = near.intersection(board.board()).iter().collect();
    let mut scores = vec![MoveScore::default(); points.len()];
    c.bench_function("score moves", |b| {
        b.iter(|| {
            evaluator.score_moves(&board, &points, &mut scores);
            black_box(&scores);
        });
    });
}

/// A short win by continuous fours.
fn solve(c: &mut Criterion) {
    let size = BoardSize::square(9).unwrap();
    let board = Position::from_moves(Rule::Freestyle, size, PUZZLE).unwrap();
    let mut solver = Solver::new(1 << 20);
    c.bench_function("solve", |b| {
        b.iter_batched(
            || (),
            |()| {
                solver.clear();
                let limits = SolverLimits {
                    nodes: 10_000,
                    stop: &mut || false,
                };
                black_box(solver.solve(&board, WinKind::Vcf, limits).nodes)
            },
            BatchSize::SmallInput,
        );
    });
}

/// From the start of the process to the `OK` to START.
fn start(c: &mut Criterion) {
    c.bench_function("process to OK", |b| {
        b.iter(|| {
            let mut engine = Command::new(env!("CARGO_BIN_EXE_quincunx"))
                .stdin(Stdio::piped())
                .stdout(Stdio::piped())
                .spawn()
                .unwrap();
            let mut input = engine.stdin.take().unwrap();
            let mut output = BufReader::new(engine.stdout.take().unwrap());
            input.write_all(b"START 15\n").unwrap();
            let mut line = String::new();
            output.read_line(&mut line).unwrap();
            assert_eq!(line, "OK\n");
            input.write_all(b"END\n").unwrap();
            engine.wait().unwrap();
        });
    });
}

criterion_group!(
    micro,
    play_and_undo,
    evaluate,
    evaluate_line,
    score_moves,
    solve,
    start
);
criterion_main!(micro);
