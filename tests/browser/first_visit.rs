//! The questions of the first visit, and the first puzzles of a beginner.

use crate::driver::{Browser, Window};
use crate::{READY, stones, visit};
use serde_json::json;

const PANEL: &str = "document.querySelector('#first-visit')";

/// Waits until the panel asks this.
fn asks(browser: &Browser, question: &str) {
    browser.wait(&format!(
        "{PANEL}.checkVisibility() && {PANEL}.innerText.includes('{question}')"
    ));
}

fn asks_nothing(browser: &Browser) {
    browser.wait(READY);
    browser.wait(&format!("!{PANEL}.checkVisibility()"));
}

#[test]
fn a_beginner_begins_with_five_puzzles() {
    let Some((browser, server)) = visit(Window::Desktop) else {
        return;
    };
    asks_nothing(&browser);
    browser.forget_visits();
    for (width, height) in [(1366, 768), (390, 844)] {
        browser.resize(width, height);
        asks(&browser, "Have you played Gomoku before?");
        browser.picture(&format!("first-visit-{width}"));
        let wide = browser.run("return document.documentElement.scrollWidth > innerWidth");
        assert_eq!(wide, json!(false), "{width}");
    }
    browser.press("Never");
    asks(&browser, "How would you like to begin?");
    browser.picture("first-visit-beginner");
    browser.press("Five easy puzzles");
    browser.wait("location.hash === '#first'");
    let detail = |text: &str| {
        browser.wait(&format!(
            "document.querySelector('#detail').textContent === '{text}'"
        ));
    };
    for number in 1..=5 {
        detail(&format!("{number} of 5: each is won by a single four"));
        if number == 1 {
            browser.picture("first-visit-puzzle");
        }
        browser.wait("document.querySelector('[data-name=show]')");
        browser.press("Free hint");
        browser.press("Show the move");
        browser.run("document.querySelector('dialog .main').click()");
        browser.wait("document.querySelector('.hint')");
        if number < 5 {
            browser.press("Next puzzle");
        }
    }
    browser.press("Play a game");
    // The game of the board has the level of a beginner.
    browser.wait(READY);
    browser.wait("document.querySelector('#players').innerText.includes('10')");
    asks_nothing(&browser);
    browser.go(&format!("{}training.html", server.url()));
    browser.wait("document.querySelector('#detail').textContent.startsWith('Grade')");
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

#[test]
fn a_player_chooses_rule_and_level() {
    let Some((browser, _server)) = visit(Window::Phone) else {
        return;
    };
    browser.forget_visits();
    asks(&browser, "Have you played Gomoku before?");
    browser.press("Yes");
    asks(&browser, "Which rule?");
    browser.press("Renju");
    asks(&browser, "How strong an opponent?");
    browser.press("Expert");
    asks_nothing(&browser);
    browser.wait("document.querySelector('#players').innerText.includes('65')");
    browser.reload();
    asks_nothing(&browser);
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

#[test]
fn one_press_or_a_move_ends_the_questions() {
    let Some((browser, _server)) = visit(Window::Desktop) else {
        return;
    };
    browser.forget_visits();
    asks(&browser, "Have you played Gomoku before?");
    browser.press("Skip the questions");
    asks_nothing(&browser);
    browser.forget_visits();
    asks(&browser, "Have you played Gomoku before?");
    browser.click("h8");
    stones(&browser, 2);
    asks_nothing(&browser);
    browser.press("Undo");
    stones(&browser, 0);
    asks_nothing(&browser);
    assert_eq!(browser.complaints(), Vec::<String>::new());
}
