//! Conditional moves: two browsers in a correspondence game.

use crate::driver::{Browser, is_installed};
use crate::rooms::{club, create, join, pair, visitor};
use crate::{alert, status, stones};
use quincunx_testing::visitor::RoomServer;
use serde_json::json;

/// A game with three days a move, in which the first visitor has put a stone.
const FIELDS: [(&str, &str); 3] = [
    ("Seat", "first"),
    ("Opening", "free"),
    ("Clock", r#"{"kind":"correspondence","days":3}"#),
];

/// Waits until the panel of the lines includes a text.
fn panel(browser: &Browser, text: &str) {
    browser.wait(&format!(
        "document.querySelector('#conditional:not([hidden])').innerText.includes({})",
        json!(text)
    ));
}

/// Waits until these lines are listed.
fn lines(browser: &Browser, lines: &[&str]) {
    browser.wait(&format!(
        "JSON.stringify([...document.querySelectorAll('#conditional li button:first-child')].map((it) => it.textContent)) === {}",
        json!(json!(lines).to_string())
    ));
}

/// Puts the stones of a line, and the last of them by keyboard.
fn put(browser: &Browser, points: &[&str], already: usize) {
    for (point, number) in points.iter().zip(already + 1..) {
        browser.click(point);
        stones(browser, number);
    }
}

fn says(browser: &Browser, part: &str, text: &str) {
    browser.wait(&format!(
        "document.querySelector('{part}').textContent.includes({})",
        json!(text)
    ));
}

#[test]
fn answers_prepared_on_the_board_are_played_over_a_kill() {
    if !is_installed() {
        return;
    }
    let mut server = RoomServer::start();
    let (anna, bela) = (visitor(server.get(), "Anna"), visitor(server.get(), "Béla"));
    create(&anna, &FIELDS);
    join(&bela);
    status(&anna, "Your move");
    // Her own move is sent with the lines.
    anna.press("Conditional moves");
    panel(&anna, "Put your move first");
    put(&anna, &["h8", "i9"], 0);
    panel(&anna, "Your answer:");
    anna.wait("document.querySelector('[data-name=save-line]').ariaDisabled === 'true'");
    put(&anna, &["j10"], 2);
    anna.press("Play h8 and save");
    anna.wait("document.querySelector('#conditional').hidden");
    stones(&anna, 1);
    stones(&bela, 1);
    status(&bela, "Your move");
    // Béla's page has nothing of it.
    bela.wait("!document.querySelector('[data-name=conditional]').textContent.includes('(')");
    anna.press("Conditional moves (1)");
    lines(&anna, &["i9 j10"]);
    // A line is gone on with, and another added.
    anna.press("i9 j10");
    stones(&anna, 3);
    put(&anna, &["k11", "l12"], 3);
    anna.press("Save");
    lines(&anna, &["i9 j10 k11 l12"]);
    stones(&anna, 1);
    put(&anna, &["a1", "a2"], 1);
    anna.press("Undo");
    stones(&anna, 2);
    put(&anna, &["b2"], 2);
    anna.press("Save");
    lines(&anna, &["i9 j10 k11 l12", "a1 b2"]);
    // What can't be played is refused, and stays on the board to be changed.
    put(&anna, &["a1", "c3"], 1);
    anna.press("Save");
    alert(&anna, "another way");
    stones(&anna, 3);
    anna.press("Conditional moves (2)");
    stones(&anna, 1);
    anna.press("Conditional moves (2)");
    anna.press("Delete: a1 b2");
    lines(&anna, &["i9 j10 k11 l12"]);
    bela.wait("document.querySelectorAll('.stone').length === 1");

    server.kill_and_start();
    bela.reload();
    status(&bela, "Your move");
    bela.click("i9");
    stones(&bela, 3);
    says(&bela, "#detail", "Conditional moves: j10");
    says(&bela, "#spoken", "Conditional moves: j10");
    status(&bela, "Your move");
    anna.wait("document.querySelector('#conditional').hidden");
    stones(&anna, 3);
    anna.press("Conditional moves (1)");
    lines(&anna, &["k11 l12"]);
    bela.click("a9");
    stones(&bela, 4);
    status(&anna, "Your move");
    anna.wait("document.querySelector('#conditional').hidden");
    anna.press("Conditional moves");
    let complaints: Vec<String> = (bela.complaints().into_iter())
        .filter(|text| !text.contains("WebSocket connection"))
        .collect();
    assert_eq!(complaints, Vec::<String>::new());
}

/// The mode is begun, used and ended with keys alone, and fits a phone in the longest languages.
#[test]
fn lines_are_prepared_by_keyboard() {
    let Some((server, anna, bela)) = pair(&FIELDS) else {
        return;
    };
    anna.click("h8");
    stones(&bela, 1);
    let (enter, tab, right) = ('\u{e007}', '\u{e004}', '\u{e014}');
    anna.keys(&[tab]);
    anna.run("document.querySelector('[data-name=conditional]').focus()");
    anna.keys(&[enter]);
    panel(&anna, "If your opponent plays:");
    anna.wait("document.activeElement.dataset.name === 'conditional'");
    anna.keys(&['b']);
    anna.keys(&[right, enter]);
    stones(&anna, 2);
    panel(&anna, "Your answer:");
    anna.keys(&[right, enter]);
    stones(&anna, 3);
    anna.run("document.querySelector('[data-name=save-line]').focus()");
    anna.keys(&[enter]);
    lines(&anna, &["i8 j8"]);
    for language in ["en", "ru", "vi", "ja"] {
        let hash = anna.run("return location.hash");
        anna.go(&format!(
            "{}?lang={language}{}",
            server.url(),
            hash.as_str().unwrap()
        ));
        anna.wait("document.querySelector('[data-name=conditional]').textContent.includes('(1)')");
        anna.run("document.querySelector('[data-name=conditional]').click()");
        anna.wait("!document.querySelector('#conditional').hidden");
        for (width, height) in [(1366, 768), (390, 844), (320, 640)] {
            anna.resize(width, height);
            let wide = anna.run("return document.documentElement.scrollWidth > innerWidth || [...document.querySelectorAll('#conditional, #conditional button, #actions button')].some((it) => it.scrollWidth > it.clientWidth + 1)");
            assert_eq!(wide, json!(false), "{language} at {width}");
            anna.picture(&format!("conditional-{language}-{width}"));
        }
    }
    assert_eq!(anna.complaints(), Vec::<String>::new());
}

/// Live games have no such button.
#[test]
fn live_games_have_no_conditional_moves() {
    let Some(server) = club() else {
        return;
    };
    let (anna, bela) = (visitor(&server, "Anna"), visitor(&server, "Béla"));
    create(&anna, &[("Seat", "first"), ("Opening", "free")]);
    join(&bela);
    status(&anna, "Your move");
    anna.wait("document.querySelector('[data-name=resign]') && !document.querySelector('[data-name=conditional]')");
}
