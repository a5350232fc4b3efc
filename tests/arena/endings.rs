//! Games that end before the last stone, because the engines agree or a rule
//! says so.

use super::{arena, games_of};
use quincunx_arena::record::{MatchGame, Reason, SwapMove};
use quincunx_engine::rules::Color;
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
    // An engine is not beaten while the other hopes, however little.
    for game in games_of(folder.path()) {
        assert_eq!(game.winner, None, "{game:?}");
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

/// A win that an engine says it has and does not get is a mistake that its author looks for.
#[test]
fn claimed_wins_that_do_not_come_are_counted() {
    let folder = tempfile::tempdir().unwrap();
    // Neither plays well enough to win in so few moves.
    let more = ["--games", "4", "--draw-after", "16"];
    let output = arena("eval=+M3", "eval=-M2", folder.path(), &more);
    let report = String::from_utf8(output.stdout).unwrap();
    let mut lines = report.lines();
    assert!(
        lines.any(|line| line == "Games in which an engine said that it wins"),
        "{report}"
    );
    let cells = |line: &str| line.split_whitespace().collect::<Vec<&str>>().join(" ");
    assert_eq!(cells(lines.nth(1).unwrap()), "A 4 4 0, 1, 2, 3", "{report}");
    assert_eq!(lines.next(), Some(""), "{report}");
    let page = fs::read_to_string(folder.path().join("report.html")).unwrap();
    assert!(page.contains("<td>0, 1, 2, 3</td>"), "{page}");
    // The games ended before the win could come.
    let folder = tempfile::tempdir().unwrap();
    let output = arena("eval=+M9", "fair", folder.path(), &more);
    let report = String::from_utf8(output.stdout).unwrap();
    assert!(!report.contains("said that it wins"), "{report}");
}

/// Two games of engines that open by swap2.
fn swap2(first: &str, second: &str) -> Vec<MatchGame> {
    let folder = tempfile::tempdir().unwrap();
    let patience = if second == "swapless" { 500 } else { 9000 };
    let patience = format!("--limit=B:turn={patience}");
    let more = [
        &patience,
        "--games",
        "2",
        "--opening-rule",
        "swap2",
        "--draw-after",
        "20",
    ];
    arena(first, second, folder.path(), &more);
    let mut games = games_of(folder.path());
    games.sort_by_key(|game| game.number);
    games
}

#[test]
fn engines_open_by_swap2_and_the_record_says_how() {
    let acts = |game: &MatchGame| {
        let acts = game.swap.iter().map(SwapMove::describe);
        acts.collect::<Vec<String>>().join(", ")
    };
    // Points count from the top in the protocol.
    let games = swap2("swap2-black", "swap2-white");
    assert_eq!(acts(&games[0]), "A put h8i7g6, B took white");
    assert_eq!(
        (games[0].black.as_str(), games[0].white.as_str()),
        ("A", "B")
    );
    assert_eq!(
        (games[0].opening.as_str(), games[0].moves.len()),
        ("h8i7g6", 17)
    );
    assert_eq!(acts(&games[1]), "B put h8i7g6, A took black");
    assert_eq!(
        (games[1].black.as_str(), games[1].white.as_str()),
        ("A", "B")
    );
    let games = swap2("swap2-black", "swap2-two-white");
    assert_eq!(acts(&games[0]), "A put h8i7g6, B put c13d12, A took black");
    assert_eq!(games[0].black, "A");
    assert_eq!(
        (games[0].opening.as_str(), games[0].moves.len()),
        ("h8i7g6c13d12", 15)
    );
    let games = swap2("swap2-two-white", "swap2-two-white");
    assert_eq!(games[0].swap.len(), 3);
    assert_eq!(
        (games[0].black.as_str(), games[0].white.as_str()),
        ("B", "A")
    );
    assert!(
        games.iter().all(|game| !game.reason.is_fault()),
        "{games:?}"
    );
}

#[test]
fn whoever_opens_badly_loses() {
    let games = swap2("swap2-four", "swap2-black");
    assert_eq!(
        (games[0].reason, games[0].winner),
        (Reason::Illegal, Some(Color::White))
    );
    assert_eq!(games[0].detail, "4 stones after 0");
    assert_eq!(games[1].reason, Reason::Draw);
    let games = swap2("swap2-black", "swap2-taken");
    assert_eq!(
        (games[0].reason, games[0].winner),
        (Reason::Illegal, Some(Color::Black))
    );
    assert_eq!(games[0].detail, "h8 is taken");
    let games = swap2("swap2-black", "swapless");
    assert_eq!(
        (games[0].reason, games[0].winner),
        (Reason::Refused, Some(Color::Black))
    );
    assert_eq!(games[1].winner, Some(Color::White), "{:?}", games[1]);
}
