//! Tournaments in which who meets whom depends on results.

use super::{arena, command, engine, games_of};
use quincunx_arena::record::MatchGame;
use std::collections::HashSet;
use std::fs;
use std::path::Path;
use std::process::Output;

/// A tournament of five engines, A to E: E beats all others, who draw among themselves.
fn play(out: &Path, format: &[&str]) -> Output {
    let others = ["C", "D", "E"].map(|name| {
        let evaluation = if name == "E" { "600" } else { "-600" };
        format!("--engine={}", engine(name, &format!("eval={evaluation}")))
    });
    let mut more: Vec<&str> = others.iter().map(String::as_str).collect();
    more.extend(["--resign", "score=500,moves=2", "--draw-after", "8"]);
    more.extend(["--games", "2", "--restart"]);
    more.extend(format);
    arena("eval=-600", "eval=-600", out, &more)
}

fn report(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

/// What was played: number, players and moves.
fn played(folder: &Path) -> HashSet<(usize, String, String, String)> {
    let games = games_of(folder);
    let of = |g: &MatchGame| (g.number, g.black.clone(), g.white.clone(), g.move_text());
    games.iter().map(of).collect()
}

/// The line of a table that has these words at its start.
#[track_caller]
fn line(report: &str, words: &[&str]) -> Vec<String> {
    let lines = report.lines().map(|line| line.split_whitespace().collect());
    let mut found = lines.filter(|line: &Vec<&str>| line.starts_with(words));
    let line = found
        .next()
        .unwrap_or_else(|| panic!("{words:?} in {report}"));
    line.into_iter().map(str::to_owned).collect()
}

#[test]
fn a_swiss_tournament_goes_on_where_it_was() {
    let folder = tempfile::tempdir().unwrap();
    let (whole, part) = (folder.path().join("whole"), folder.path().join("part"));
    let text = report(&play(&whole, &["--format", "swiss"]));
    assert!(text.contains("Swiss, 3 of 3 rounds"), "{text}");
    // Five points of half a game won, two byes aside: E wins all it plays.
    assert_eq!(line(&text, &["1", "5", "E"])[3], "3", "{text}");
    // Two meetings a round, three rounds.
    assert_eq!(games_of(&whole).len(), 12);
    play(&part, &["--format", "swiss"]);
    let file = part.join("games.jsonl");
    let lines = fs::read_to_string(&file).unwrap();
    let some: String = lines.split_inclusive('\n').take(5).collect();
    fs::write(&file, some).unwrap();
    play(&part, &["--format", "swiss", "--resume"]);
    assert_eq!(played(&part), played(&whole));
}

#[test]
fn a_knockout_says_how_meetings_were_decided() {
    let folder = tempfile::tempdir().unwrap();
    let text = report(&play(folder.path(), &["--format", "knockout"]));
    // D meets E first; A, B and C have byes.
    let first = line(&text, &["1", "D", "-", "E"]);
    assert_eq!(first[4..], ["0", "-", "2", "E", "points"], "{text}");
    let level = line(&text, &["2", "B", "-", "C"]);
    assert_eq!(level[4..7], ["2", "-", "2"], "one pair more: {text}");
    assert_eq!(level[7..].join(" "), "B level, first in the list");
    assert_eq!(line(&text, &["2", "A", "-", "E"])[7], "E", "{text}");
    assert_eq!(line(&text, &["3", "B", "-", "E"])[7], "E", "{text}");
    let pairs: HashSet<usize> = games_of(folder.path())
        .iter()
        .map(MatchGame::pair)
        .collect();
    assert_eq!(pairs.len(), 5);
    // One pair more than planned.
    assert_eq!(line(&text, &["Games"])[1..4], ["10", "of", "10"], "{text}");
}

/// Nothing is known between engines that no games connect, nor of one without games.
#[test]
fn engines_that_never_meet_are_rated_apart() {
    let folder = tempfile::tempdir().unwrap();
    let text = report(&play(folder.path(), &["--format", "neighbours"]));
    assert_eq!(text.matches("Ratings (").count(), 2, "{text}");
    let rows = |place: &str| {
        let first = text.lines().map(|line| line.split_whitespace().next());
        first.filter(|word| *word == Some(place)).count()
    };
    // A and B, then C and D: a table of ratings and one of likelihoods each.
    assert_eq!((rows("1"), rows("2"), rows("3")), (4, 4, 0), "{text}");
    let page = fs::read_to_string(folder.path().join("report.html")).unwrap();
    assert_eq!(page.matches(">Ratings, 95 %<").count(), 2);
}

#[test]
fn formats_refuse_what_they_can_not_do() {
    let folder = tempfile::tempdir().unwrap();
    for (more, complaint) in [
        (
            &["--format", "swiss", "--shard", "1/2"][..],
            "--shard has no place",
        ),
        (
            &["--format", "swiss", "--rounds", "2"],
            "--rounds must be 1 to 1",
        ),
        (&["--rounds", "2"], "--rounds is for --format swiss"),
    ] {
        let output = command("fair", "fair", folder.path(), more)
            .output()
            .unwrap();
        let errors = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{errors}");
        assert!(errors.contains(complaint), "{errors}");
    }
}
