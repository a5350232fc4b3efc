//! Games that end before the last stone, because the engines agree or a rule
//! says so.

use super::{arena, games_of};
use quincunx::arena::record::{Reason, Winner};
use std::fs;

#[test]
fn games_that_both_engines_give_up_are_lost() {
    let folder = tempfile::tempdir().unwrap();
    let rule = "score=500,moves=3";
    let more = ["--games", "4", "--resign", rule, "--restart"];
    let output = arena("eval=600", "eval=-600", folder.path(), &more);
    let report = String::from_utf8(output.stdout).unwrap();
    assert!(report.contains("adjudication 4"), "{report}");
    assert!(report.ends_with("A vs B: 4 - 0 - 0\n"), "{report}");
    for game in games_of(folder.path()) {
        assert_eq!(game.reason, Reason::Adjudication);
        assert_eq!(game.moves.len(), 6, "{game:?}");
        let color = if game.black == "A" { "black" } else { "white" };
        let why = format!("{color} ahead by 500 or more for 3 moves each");
        assert_eq!(game.detail, why);
    }
    let sgf = fs::read_to_string(folder.path().join("games.sgf")).unwrap();
    assert!(sgf.contains("RE[B+R]") && sgf.contains("RE[W+R]"), "{sgf}");
    assert!(sgf.contains("GC[adjudication: black ahead"), "{sgf}");
}

#[test]
fn games_that_both_engines_call_level_are_drawn() {
    let folder = tempfile::tempdir().unwrap();
    let more = ["--games", "2", "--draw", "score=5,moves=2,after=9"];
    let more = [&more[..], &["--restart", "--resign", "score=1,moves=1"]].concat();
    arena("eval=-5", "eval=0.5", folder.path(), &more);
    // Nobody is ahead of an engine that hopes, however little.
    for game in games_of(folder.path()) {
        assert_eq!(game.winner, Winner::Draw, "{game:?}");
        assert_eq!(game.moves.len(), 9);
        assert_eq!(game.detail, "level within 5 for 2 moves each");
    }
}

#[test]
fn one_engine_alone_decides_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let rules = ["--resign", "score=500,moves=3", "--draw"];
    let rules = [&rules[..], &["score=1000,moves=3", "--games", "2"]].concat();
    arena("eval=600", "fair", folder.path(), &rules);
    for game in games_of(folder.path()) {
        assert_ne!(game.reason, Reason::Adjudication, "{game:?}");
    }
}
