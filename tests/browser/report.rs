//! The report of a match, which needs no server.

use super::driver::{Browser, Window, is_installed};
use quincunx_arena::record::{MatchGame, MatchMove, Reason};
use quincunx_arena::report::Report;
use quincunx_arena::settings::MatchSettings;
use quincunx_arena::stats::{EloModel, Sprt};
use quincunx_arena::store::{create, publish};
use quincunx_engine::rules::Color;
use quincunx_engine::rules::Rule;
use quincunx_records::sgf;
use serde_json::json;

fn settings() -> MatchSettings {
    let engine = |name: &str, command: &str| {
        json!({ "name": name, "command": [command, "--fast"], "turn_ms": 100, "nodes": 500,
            "options": [["strength", "90"]] })
    };
    serde_json::from_value(json!({
        "engines": [engine("new", "./new"), engine("old", "./<old>")],
        "rule": "freestyle", "size": "15", "pairs": 1, "meetings": [[0, 1]],
        "openings": ["h8"], "sequential": false, "as_written": false, "seed": 1,
        "draw_after": null, "restart": false, "whole_boards": false, "shard": null,
        "sprt": null,
        "runs": [{ "started": 0, "program": "Quincunx 1", "machine": "Linux, 2 threads",
            "versions": { "new": "Quincunx 9" } }],
    }))
    .unwrap()
}

/// Black wins along the eighth row; the second game is lost on time.
fn games() -> Vec<MatchGame> {
    let game = |number: usize, black: &str, white: &str, moves: &[(&str, &str)]| MatchGame {
        number,
        black: black.into(),
        white: white.into(),
        opening: "h8".into(),
        swap: Vec::new(),
        moves: (moves.iter())
            .map(|&(point, eval)| MatchMove {
                point: point.into(),
                ms: 12.5,
                eval: Some(eval.into()),
                message: Some("depth 3 </script> ]".into()),
            })
            .collect(),
        winner: Some(Color::Black),
        reason: Reason::Five,
        detail: String::new(),
        late_ms: None,
        started: 1_795_262_166,
    };
    let won = [
        ("h9", "-10"),
        ("i8", "+20"),
        ("i9", "-400"),
        ("j8", "+900"),
        ("j9", "-M4"),
        ("k8", "+M3"),
        ("a1", "-M2"),
        ("l8", "+M1"),
    ];
    let lost = MatchGame {
        reason: Reason::Time,
        ..game(1, "old", "new", &won[..3])
    };
    vec![game(0, "new", "old", &won), lost]
}

#[test]
fn the_report_of_a_match_shows_its_games() {
    if !is_installed() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("run");
    let (settings, games) = (settings(), games());
    create(&out, &settings, &games).unwrap();
    publish(
        &out,
        &settings,
        &games,
        &Report::new(&settings, &games, None),
    )
    .unwrap();
    let browser = Browser::open(Window::Desktop);
    browser.go(&format!("file://{}", out.join("report.html").display()));
    browser.wait("document.querySelectorAll('#rows tr').length === 2");
    let text = browser.run("return document.body.innerText");
    let text = text.as_str().unwrap();
    for part in [
        "Quincunx 9",
        "./<old> --fast",
        "strength=90",
        "0.1 s a move",
        "500 nodes",
        "Linux, 2 threads",
        "2026-11-21",
        "Crashes",
        "Results by opening",
        "game 0: new",
    ] {
        let found = text.to_lowercase().contains(&part.to_lowercase());
        assert!(found, "{part}: {text}");
    }
    let count = |selector: &str| {
        let script = format!("return document.querySelectorAll('{selector}').length");
        browser.run(&script).as_u64().unwrap()
    };
    assert_eq!((count(".star"), count(".five")), (5, 5));
    assert_eq!((count("#curve .black"), count("#curve .white")), (1, 1));
    // The first label of a row stands at the top of the board.
    let rows = "return [...document.querySelectorAll('#board text')].filter(t => t.getAttribute('x') === '-0.85').map(t => t.textContent)";
    let rows = browser.run(rows);
    assert_eq!((&rows[0], &rows[14]), (&json!("15"), &json!("1")));
    // The game as it is saved.
    let saved = "return decodeURIComponent(document.getElementById('sgf').href.split(',').slice(1).join(','))";
    let saved = browser.run(saved);
    let record = sgf::read(saved.as_str().unwrap()).unwrap();
    assert_eq!((record.black.as_str(), record.moves.len()), ("new", 9));
    assert_eq!(record.rule, Some(Rule::Freestyle));
    assert_eq!(record.moves[8].point.to_string(), "l8");
    assert_eq!(record.moves[8].comment, "+M1");
    browser.run("document.getElementById('first').click()");
    browser.wait("document.getElementById('count').textContent === '0 / 9'");
    assert_eq!(count(".five"), 0);
    assert!(
        browser.complaints().is_empty(),
        "{:?}",
        browser.complaints()
    );
}

/// On a phone the key of a test once filled the width, and the numbers were beyond it.
#[test]
fn the_report_shows_its_numbers_on_a_phone() {
    if !is_installed() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("run");
    let (mut settings, games) = (settings(), games());
    settings.sprt = Some(Sprt {
        elo0: 0.0,
        elo1: 10.0,
        alpha: 0.05,
        beta: 0.05,
        model: EloModel::Normalized,
    });
    create(&out, &settings, &games).unwrap();
    let report = Report::new(&settings, &games, None);
    publish(&out, &settings, &games, &report).unwrap();
    let browser = Browser::open(Window::Phone);
    browser.go(&format!("file://{}", out.join("report.html").display()));
    browser.wait("document.querySelectorAll('#rows tr').length === 2");
    let hidden = browser.run(
        "const wide = [...document.querySelectorAll('.table')].filter(t => t.scrollWidth > t.clientWidth);
         return wide.map(t => t.innerText)",
    );
    assert_eq!(hidden, json!([]), "tables that scroll sideways");
    let page = browser.run("return document.documentElement.scrollWidth <= innerWidth");
    assert_eq!(page, json!(true));
}
