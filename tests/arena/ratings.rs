//! Ratings across runs.

use super::{MOCK, arena, engine, games_of};
use quincunx_arena::record::MatchGame;
use std::fs;
use std::path::Path;
use std::process::{Command, Output};

fn ratings(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_quincunx"));
    command.arg("ratings").args(arguments).current_dir(folder);
    command.output().unwrap()
}

#[test]
fn matches_are_rated_together() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    arena("fair 3", "fair 4", &at("one"), &["--games", "8"]);
    // A clean sweep.
    arena("refuse", "fair", &at("two"), &["--games", "6"]);
    let both = ["--anchor", "B=2000", "one", "two"];
    let output = ratings(folder.path(), &both);
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains("Ratings, B being 2000 (95 %)"), "{text}");
    let lines: Vec<Vec<&str>> = text
        .lines()
        .map(|line| line.split_whitespace().collect())
        .collect();
    assert!(
        lines.contains(&vec!["two", "freestyle", "15", "6"]),
        "{text}"
    );
    let of = |name: &str| {
        let mut found = lines.iter().filter(|line| {
            let place = line.first().and_then(|place| place.parse::<usize>().ok());
            place.is_some() && line.get(1) == Some(&name)
        });
        found.next().unwrap().clone()
    };
    assert_eq!(of("B")[2..4], ["2000.0", "0.0"], "{text}");
    let other = of("A");
    let elo: f64 = other[2].parse().unwrap();
    let error: f64 = other[3].parse().unwrap();
    assert!((1500.0..2500.0).contains(&elo) && error > 1.0, "{text}");
    assert!(!text.contains("inf") && !text.contains("NaN"), "{text}");
    // The two likelihoods of superiority make a hundred.
    let superior = lines
        .iter()
        .filter(|line| line.len() == 3 && line[2].contains('.'));
    let sum: f64 = superior.map(|line| line[2].parse::<f64>().unwrap()).sum();
    assert!((sum - 100.0).abs() < 0.11, "{text}");
    // Elo and normalised Elo of each two, the latter by its formula from the pairs.
    let mut games = [games_of(&at("one")), games_of(&at("two"))];
    games
        .iter_mut()
        .for_each(|games| games.sort_by_key(|game| game.number));
    let games = games.concat();
    let points = |game: &MatchGame| {
        let winner = game
            .winner
            .map(|color| [&game.black, &game.white][color.index()]);
        winner.map_or(0.5, |name| f64::from(u8::from(name == "A")))
    };
    let mean_of_pair = |pair: &[MatchGame]| pair.iter().map(points).sum::<f64>() / 2.0;
    let means: Vec<f64> = games.chunks(2).map(mean_of_pair).collect();
    let count = means.len() as f64;
    let mean = means.iter().sum::<f64>() / count;
    let variance = means
        .iter()
        .map(|score| (score - mean).powi(2))
        .sum::<f64>()
        / count;
    let unit = 800.0 / 10f64.ln();
    let normalized = (mean - 0.5) / (2.0 * variance).sqrt() * unit;
    let error = 1.96 * unit / (2.0 * count).sqrt();
    let meeting = lines.iter().find(|line| line.starts_with(&["A", "B"]));
    let meeting = meeting.unwrap_or_else(|| panic!("{text}"));
    let expected = [
        format!("{normalized:+.1}"),
        "+-".into(),
        format!("{error:.1}"),
    ];
    assert!(
        meeting.ends_with(&expected.each_ref().map(String::as_str)),
        "{expected:?}: {text}"
    );
}

/// The first move is a disadvantage where both fail at their second.
#[test]
fn the_first_move_is_rated_beside_the_engines() {
    let folder = tempfile::tempdir().unwrap();
    let output = arena(
        "panic",
        "panic",
        &folder.path().join("one"),
        &["--games", "4"],
    );
    let report = String::from_utf8(output.stdout).unwrap();
    let output = ratings(folder.path(), &["one"]);
    let text = String::from_utf8(output.stdout).unwrap();
    // Black has no point of two games with either colour, and of the draw that is added a half.
    let start = "-381.7 +- ";
    let end = " Elo for black; black 0.0 %, white 100.0 %";
    for (page, name) in [(&report, "  First move  "), (&text, "First move: ")] {
        let found = page.lines().find_map(|line| line.strip_prefix(name));
        let found = found.unwrap_or_else(|| panic!("{page}"));
        assert!(found.starts_with(start) && found.ends_with(end), "{page}");
    }
}

/// Whatever path leads to a game, and however often, it counts once.
#[test]
fn the_same_games_count_once() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    arena("fair 3", "fair 4", &at("whole"), &["--games", "8"]);
    arena("fair 3", "fair 4", &at("other"), &["--games", "8"]);
    let mut copy = Command::new(env!("CARGO_BIN_EXE_quincunx"));
    copy.args(["match", "--merge", "whole", "--out", "copy"]);
    let copied = copy.current_dir(folder.path()).output().unwrap();
    assert!(copied.status.success());
    let rated = |arguments: &[&str]| {
        let output = ratings(folder.path(), arguments);
        let [printed, notes] =
            [output.stdout, output.stderr].map(|b| String::from_utf8(b).unwrap());
        let tables = printed.split_once("\n\n").map(|(_, rest)| rest.to_owned());
        (tables, notes)
    };
    let (once, notes) = rated(&["whole"]);
    assert!(once.is_some() && notes.is_empty(), "{notes}");
    for twice in ["whole", "./whole", "copy", "whole/games.jsonl"] {
        let (tables, notes) = rated(&["whole", twice]);
        assert_eq!(tables, once, "{twice}");
        let expected = format!("note: {twice}: 8 games came before and count once\n");
        assert_eq!(notes, expected);
    }
    // Parts that were played by programs in other folders.
    let elsewhere = at("elsewhere");
    fs::create_dir(&elsewhere).unwrap();
    let program = elsewhere.join(MOCK.file_name().unwrap());
    fs::copy(&*MOCK, &program).unwrap();
    let engine = |number| format!("!{} fair {number}", program.display());
    arena(
        "fair 3",
        "fair 4",
        &at("p1"),
        &["--games", "8", "--shard=1/2"],
    );
    arena(
        &engine(3),
        &engine(4),
        &at("p2"),
        &["--games", "8", "--shard=2/2"],
    );
    let mut join = Command::new(env!("CARGO_BIN_EXE_quincunx"));
    join.args(["match", "--merge", "p1", "p2", "--out", "joined"]);
    assert!(join.current_dir(folder.path()).status().unwrap().success());
    let (tables, notes) = rated(&["joined", "p1", "p2"]);
    assert_eq!(tables, rated(&["joined"]).0);
    assert_eq!(notes.lines().count(), 2, "{notes}");
    // The same match played once more has games of its own.
    let (tables, notes) = rated(&["whole", "other"]);
    assert!(tables != once && notes.is_empty(), "{notes}");
}

#[test]
fn what_can_not_be_rated_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    // It meets none.
    let third = format!("--engine={}", engine("C", "fair 5"));
    let more = ["--games", "2", "--format", "neighbours", &third];
    arena("fair 3", "fair 4", &folder.path().join("one"), &more);
    for (arguments, code, complaint) in [
        (
            &["--anchor", "X=9", "one"][..],
            2,
            "no engine with games is called 'X', but A, B",
        ),
        (
            &["--anchor", "C=9", "one"],
            2,
            "no engine with games is called 'C', but A, B",
        ),
        (
            &["--anchor", "A=high", "one"],
            2,
            "expected --anchor NAME=ELO",
        ),
        (
            &["--anchor", "A=inf", "one"],
            2,
            "expected --anchor NAME=ELO",
        ),
        (&["nosuch"], 1, "nosuch"),
        (&[], 2, "PATH"),
    ] {
        let output = ratings(folder.path(), arguments);
        let errors = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(code), "{errors}");
        assert!(errors.contains(complaint), "{errors}");
    }
}
