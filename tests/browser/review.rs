//! The end of a game: another game, or the review of this one, and another try at a mistake.

use crate::driver::Window;
use crate::{PERSONS, begin, open, status, stones, visit};
use serde_json::json;

/// White looks away from the first move on, and black makes five in the end.
const LOST: &str = "9 freestyle d5a1e5a3f5a9i9i1c5i3b5";

#[test]
fn a_lost_game_is_reviewed_and_tried_again() {
    let Some((browser, _server)) = visit(Window::Desktop) else {
        return;
    };
    open(&browser, LOST);
    status(&browser, "Black wins");
    browser.press("Review");
    browser.wait("document.querySelector('#review progress')");
    // Mistakes that are found would move what is below them.
    browser.run("document.querySelector('#panel').style.height = '11rem'");
    // It goes on while a page shows the game.
    browser.press("First position");
    stones(&browser, 0);
    browser.press("Last position");
    stones(&browser, 11);
    browser
        .wait("document.querySelector('#review strong').textContent.startsWith('Accuracy: Black')");
    let marks =
        "[...document.querySelectorAll('#game .move')].map(({ textContent }) => textContent)";
    browser.wait(&format!("{marks}.includes('2. a1?')"));
    browser.wait("document.querySelector('#review').innerText.includes('Mistake')");
    browser.wait("document.querySelector('.curve .bad')");
    let known = "document.querySelector('.curve .graph').getAttribute('points').split(' ').length";
    assert_eq!(browser.run(&format!("return {known}")), json!(12));
    // It outlives a reload.
    browser.reload();
    browser.wait(&format!("{marks}.includes('2. a1?')"));
    browser.wait("document.querySelector('#review .escape')");
    browser.wait("document.querySelector('.curve .bad')");
    browser.wait(
        "document.querySelector('[data-name=review]').getAttribute('aria-pressed') === 'true'",
    );
    // What was better is played into the game.
    let item = |what: &str, number: u8| {
        format!("document.querySelector('[data-name=\"{what} {number}\"]')")
    };
    browser.run(&format!("{}.click()", item("mistake", 2)));
    stones(&browser, 2);
    let before = browser
        .run(&format!("return {marks}.length"))
        .as_u64()
        .unwrap();
    browser.run(&format!("{}.click()", item("line", 2)));
    browser.wait(&format!("{marks}.length > {before}"));
    stones(&browser, 2);
    // And another try against the engine.
    browser.run(&format!("{}.click()", item("try", 2)));
    stones(&browser, 1);
    status(&browser, "White to move");
    browser.click("e5");
    stones(&browser, 3);
    browser.press("Close the review");
    browser.wait("document.querySelector('#review').hidden");
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

/// What was shown was once made anew with every message: a press that began before one was lost.
#[test]
fn a_press_counts_while_messages_come() {
    let Some((browser, _server)) = visit(Window::Desktop) else {
        return;
    };
    browser.resize(1280, 1080);
    open(&browser, LOST);
    status(&browser, "Black wins");
    browser.press("Review");
    browser.wait("document.querySelector('#review progress')");
    let progress = "document.querySelector('#review progress')?.value";
    let goes_on = || {
        let before = browser.run(&format!("return {progress} ?? null"));
        browser.wait(&format!("{progress} == null || {progress} !== {before}"));
    };
    browser.hold("[data-name=previous]", goes_on);
    stones(&browser, 10);
    browser.hold("#review [data-name=close]", goes_on);
    browser.wait("document.querySelector('#review').hidden");
    // An analysis draws the curve again and again.
    open(&browser, "15 freestyle h8i9g7i10i11h9");
    stones(&browser, 6);
    browser.press("Analyse");
    browser.wait("document.querySelectorAll('.best-line').length === 3");
    browser.run("document.querySelector('#curve').scrollIntoView({ block: 'nearest' })");
    browser.hold("#curve svg", || {
        browser.run("document.querySelector('.curve .now').isOld = true");
        browser.wait("!document.querySelector('.curve .now').isOld");
    });
    stones(&browser, 3);
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

#[test]
fn a_game_that_goes_on_is_reviewed_beside_its_analysis() {
    let Some((browser, _server)) = visit(Window::Desktop) else {
        return;
    };
    begin(&browser, &[PERSONS]);
    browser.click("h8");
    stones(&browser, 1);
    browser.press("Analyse");
    browser.wait("document.querySelectorAll('.best-line').length === 3");
    browser.press("Review");
    browser.press("Review this game");
    browser.wait("document.querySelector('#review strong').textContent.includes('White –')");
    browser.wait("!document.querySelector('#analysis').hidden && document.querySelectorAll('.best-line').length === 3");
    begin(&browser, &[PERSONS]);
    browser.wait("document.querySelector('#review').hidden");
    assert_eq!(browser.complaints(), Vec::<String>::new());
}
