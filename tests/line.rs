//! The line network as a program: trained on games, played with, and refused where
//! it is damaged.
#![allow(clippy::unwrap_used)]

use quincunx_engine::eval::InstructionSet;
use quincunx_engine::eval::line::{LineNetwork, LineWeights};
use quincunx_engine::eval::{Evaluator, Hybrid, WeightSet};
use quincunx_engine::position::Position;
use quincunx_engine::rules::{BoardSize, Rule};
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::sync::Arc;

fn command(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_quincunx"));
    command.current_dir(folder).args(arguments);
    command
}

fn quincunx(folder: &Path, arguments: &[&str]) -> Output {
    command(folder, arguments).output().unwrap()
}

fn run(folder: &Path, arguments: &[&str]) -> String {
    let output = quincunx(folder, arguments);
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    assert!(output.status.success(), "{}", text(&output.stderr));
    text(&output.stdout)
}

/// Runs a training that is killed once its second losses are printed.
fn run_until_losses(folder: &Path, arguments: &[&str]) {
    let mut training = command(folder, arguments)
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(training.stdout.take().unwrap()).lines();
    // The checkpoint of the first losses is there when the second ones are printed.
    for _ in 0..2 {
        assert!(lines.any(|line| line.unwrap().contains("training loss")));
    }
    training.kill().unwrap();
    training.wait().unwrap();
}

/// The numbers that follow `name` in the lines of a training.
fn losses(log: &str, name: &str) -> Vec<f64> {
    let words: Vec<&str> = log.split([' ', '\n']).collect();
    let name: Vec<&str> = name.split(' ').collect();
    (words.windows(name.len() + 1))
        .filter(|window| window[..name.len()] == name[..])
        .map(|window| {
            window[name.len()]
                .trim_end_matches([',', ';'])
                .parse()
                .unwrap()
        })
        .collect()
}

#[test]
fn a_network_learns_from_games_and_plays() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let games = [
        "selfplay", "--size", "9,10", "--games", "250", "--nodes", "40",
    ];
    run(
        folder,
        &[&games[..], &["--threads", "2", "--out", "games.qx"]].concat(),
    );
    let train = [
        "train", "--batch", "256", "--passes", "4", "games.qx", "--out",
    ];
    let log = run(folder, &[&train[..], &["a.line"]].concat());
    // So few games are learned by heart.
    let training = losses(&log, "training loss");
    assert!(training.len() > 3, "{log}");
    assert!(training[training.len() - 1] < training[0] - 0.002, "{log}");
    // The same command makes the same network, also if it was interrupted.
    let again = [&train[..], &["b.line"]].concat();
    run_until_losses(folder, &again);
    assert!(folder.join("b.line.checkpoint").exists() && !folder.join("b.line").exists());
    let resumed = run(folder, &again);
    assert!(resumed.contains("resuming after step"), "{resumed}");
    assert!(losses(&resumed, "training loss").len() < training.len());
    let read = |name: &str| std::fs::read(folder.join(name)).unwrap();
    assert!(!folder.join("b.line.checkpoint").exists());
    for (one, two) in [
        ("a.line", "b.line"),
        ("a.line.txt", "b.line.txt"),
        ("a.line.svg", "b.line.svg"),
    ] {
        assert!(read(one) == read(two), "{two}");
    }
    let curve = String::from_utf8(read("a.line.txt")).unwrap();
    assert_eq!(curve.lines().count(), 1 + training.len(), "{curve}");

    // A fit can start from a network, of another rule too.
    let from = [
        "train", "--batch", "256", "--passes", "1", "--start", "a.line",
    ];
    let from = [&from[..], &["games.qx", "--out", "c.line"]].concat();
    let continued = run(folder, &from);
    let first = |log: &str| losses(log, "training loss")[0];
    assert!(first(&continued) < first(&log), "{continued}");
    // It says what that network has to begin with: what its own fit ended with, but for rounding.
    let last = *losses(&log, "validation loss").last().unwrap();
    let start = losses(&continued, "validation loss")[0];
    assert!((start - last).abs() < 0.001, "{continued}");

    // It makes a difference, and is there for the games that come next.
    let nodes = |arguments: &[&str]| {
        let bench = run(folder, &[arguments, &["bench", "--depth", "3"]].concat());
        let last = bench.lines().last().unwrap().to_owned();
        last.split(' ').next().unwrap().to_owned()
    };
    let own = nodes(&[]);
    assert_ne!(nodes(&["--network", "a.line"]), own);
    assert_ne!(nodes(&["--network", "none"]), own);
    let games = ["selfplay", "--size", "9", "--games", "2", "--nodes", "40"];
    run(
        folder,
        &[&games[..], &["--network", "a.line", "--out", "next.qx"]].concat(),
    );

    // Two engines in one program do not share it.
    let weights = LineWeights::from_bytes(&read("a.line")).unwrap();
    let mut with = WeightSet::<Hybrid>::default();
    with.set_line(Arc::new(LineNetwork::new(&weights)));
    let without = WeightSet::<Hybrid>::default();
    let size = BoardSize::new(9, 9).unwrap();
    let position = Position::from_moves(Rule::Freestyle, size, "e5f6e6").unwrap();
    let score = |weights: &WeightSet| {
        Hybrid::new(&weights.of(Rule::Freestyle), &position).evaluate(&position)
    };
    assert_ne!(score(&with), score(&without));
    assert_eq!(score(&without), score(&WeightSet::default()));
}

#[test]
fn all_instructions_search_the_same_nodes() {
    let folder = tempfile::tempdir().unwrap();
    let bench = |set: &str| ["bench", "--depth", "9", "--instructions", set].map(str::to_owned);
    let nodes = |set: InstructionSet| {
        let arguments = bench(&set.to_string());
        let log = run(folder.path(), &arguments.each_ref().map(String::as_str));
        // All lines but those with speeds: the nodes, moves and scores of each position.
        let positions = log
            .lines()
            .filter(|line| !line.contains("second") && !line.contains("nps"));
        positions.map(str::to_owned).collect::<Vec<_>>()
    };
    let baseline = nodes("baseline".parse().unwrap());
    assert!(baseline.len() > 10, "{baseline:?}");
    for set in InstructionSet::available() {
        assert_eq!(nodes(set), baseline, "{set}");
    }
    let refused = bench("mmx");
    let refused = quincunx(folder.path(), &refused.each_ref().map(String::as_str));
    assert_eq!(refused.status.code(), Some(2));
    let complaint = String::from_utf8_lossy(&refused.stderr).into_owned();
    assert!(complaint.contains("there are baseline"), "{complaint}");
}

#[test]
fn what_is_no_network_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    std::fs::write(folder.join("note.txt"), "not a network").unwrap();
    for (file, why) in [
        ("note.txt", "not a line network"),
        ("nosuch.line", "can't use the network nosuch.line"),
    ] {
        let output = quincunx(folder, &["--network", file, "bench", "--depth", "1"]);
        assert!(!output.status.success());
        let complaint = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(complaint.contains(why), "{complaint}");
    }
    let output = quincunx(folder, &["train", "--out", "x.line", "note.txt"]);
    assert!(!output.status.success() && !folder.join("x.line").exists());
    // Nor is what is no network overwritten.
    std::fs::write(folder.join("note"), "not a network").unwrap();
    std::fs::write(folder.join("new.txt"), "no loss curve").unwrap();
    for (out, why) in [
        ("note", "note is no line network"),
        ("new", "new.txt exists"),
    ] {
        let output = quincunx(folder, &["train", "--out", out, "nosuch"]);
        let complaint = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(complaint.contains(why), "{complaint}");
    }
}
