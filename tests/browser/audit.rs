//! The page under the rules of axe-core, which is not a part of this project:
//! `AXE=axe.min.js cargo test --release --test browser -- --ignored --nocapture audit`

#![allow(clippy::print_stdout)]

use crate::driver::{Browser, Window};
use crate::rooms::{pair, visitor};
use crate::{BoardServer, PERSONS, begin, open, place, status, stones, visit};
use serde_json::json;

const THEMES: [&str; 5] = ["light", "dark", "wood", "paper", "contrast"];

/// What axe-core finds wrong with the page as it is, in every theme.
fn violations(browser: &Browser, state: &str) -> Vec<String> {
    let file = std::env::var("AXE").expect("AXE names the file axe.min.js of axe-core");
    let axe = std::fs::read_to_string(&file).unwrap_or_else(|error| panic!("{file}: {error}"));
    browser.run(&format!("{axe}; window.axe = axe || window.axe;"));
    let mut found = Vec::new();
    for theme in THEMES {
        browser.run(&format!(
            "document.documentElement.dataset.theme = {}; window.violations = null;
             axe.run().then(result => {{ window.violations = result.violations; }});",
            json!(theme)
        ));
        browser.wait("window.violations");
        let list = browser.run(
            "return window.violations.map(rule => rule.id + ': ' +
                rule.nodes.map(node => node.html.slice(0, 120)).join(' | '))",
        );
        let list = list.as_array().unwrap().iter();
        found.extend(list.map(|rule| format!("{state}, {theme}: {rule}")));
    }
    println!("{state}: {} violations in five themes", found.len());
    found
}

#[test]
#[ignore = "needs axe-core"]
fn audit_of_the_board() {
    let Some((browser, server)) = visit(Window::Desktop) else {
        return;
    };
    let mut found = violations(&browser, "empty board");
    for dialogue in ["New game", "Open", "Export", "Settings", "Help"] {
        browser.press(dialogue);
        browser.wait("document.querySelector('dialog')");
        found.extend(violations(&browser, dialogue));
        browser.keys(&['\u{e00c}']);
        browser.wait("!document.querySelector('dialog')");
    }
    begin(&browser, &[PERSONS, ("Rule", "renju")]);
    place(&browser, &["h8", "i9", "h7", "i8"]);
    browser.press("Analyse");
    browser.wait("document.querySelectorAll('.value').length > 0");
    found.extend(violations(&browser, "analysis"));
    browser.press("Analyse");
    browser.press("Labels");
    browser.click("a1");
    browser.wait("document.querySelector('.written')");
    found.extend(violations(&browser, "labels"));
    browser.press("Labels");
    browser.press("Settings");
    for choice in ["Show threats", "Coordinates on four sides"] {
        browser.toggle(choice);
    }
    browser.fill("Turn the board", "5");
    browser.press("Close");
    open(
        &browser,
        "(;GM[4]SZ[9];B[de]C[a start];W[aa](;B[ee];W[ca];B[fe])(;B[dd]))",
    );
    browser.wait("document.querySelector('.threat-stone')");
    found.extend(violations(&browser, "threats, a remark, turned"));
    browser.press("Analyse");
    browser.press("Review");
    browser.press("Review this game");
    browser.wait("document.querySelector('#review progress')");
    browser.keys(&['a']);
    found.extend(violations(&browser, "review under way"));
    browser
        .wait("document.querySelector('#review strong').textContent.startsWith('Accuracy: Black')");
    found.extend(violations(&browser, "review"));
    browser.press("Set up");
    status(&browser, "Set up a position");
    found.extend(violations(&browser, "set-up"));
    browser.press("Cancel");
    begin(
        &browser,
        &[PERSONS, ("Rule", "renju"), ("Opening", "soosorv")],
    );
    found.extend(violations(&browser, "soosorv"));
    browser.go(&format!("{}gravity.html", server.url()));
    browser.wait("document.querySelectorAll('button').length > 3");
    found.extend(violations(&browser, "gravity"));
    browser.go(&format!("{}training.html", server.url()));
    browser.wait("document.querySelectorAll('button').length > 3");
    found.extend(violations(&browser, "training"));
    assert_eq!(found, Vec::<String>::new());
}

#[test]
#[ignore = "needs axe-core"]
fn audit_of_the_rooms() {
    if !crate::is_installed() {
        return;
    }
    let folder = tempfile::TempDir::new().unwrap();
    let database = folder.path().join("club.db");
    let server = BoardServer::start_with(&["--database", database.to_str().unwrap()]);
    let browser = visitor(&server, "Anna");
    let mut found = violations(&browser, "lobby");
    for (tab, dialogue) in [("Tournaments", "New tournament"), ("My games", "New room")] {
        browser.press(tab);
        found.extend(violations(&browser, tab));
        browser.press(dialogue);
        browser.wait("document.querySelector('dialog')");
        found.extend(violations(&browser, dialogue));
        if dialogue == "New tournament" {
            browser.keys(&['\u{e00c}']);
            browser.wait("!document.querySelector('dialog')");
        }
    }
    browser.press("Start");
    browser.wait("!document.querySelector('#room').hidden");
    found.extend(violations(&browser, "room"));
    browser.press("Back to the lobby");
    browser.press("My games");
    browser.wait("document.querySelector('#lobby-my-games li')");
    found.extend(violations(&browser, "My games"));
    assert_eq!(found, Vec::<String>::new());
}

#[test]
#[ignore = "needs axe-core"]
fn audit_of_conditional_moves() {
    let days = r#"{"kind":"correspondence","days":3}"#;
    let fields = [("Seat", "first"), ("Opening", "free"), ("Clock", days)];
    let Some((_server, anna, _bela)) = pair(&fields) else {
        return;
    };
    anna.click("h8");
    stones(&anna, 1);
    anna.press("Conditional moves");
    for (point, count) in [("i9", 2), ("j10", 3)] {
        anna.click(point);
        stones(&anna, count);
    }
    let mut found = violations(&anna, "a line on the board");
    anna.press("Save");
    anna.wait("document.querySelector('#conditional li')");
    found.extend(violations(&anna, "a prepared line"));
    assert_eq!(found, Vec::<String>::new());
}
