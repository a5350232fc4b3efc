//! The explanation of a lost game, by its two most costly moves.

use crate::driver::Window;
use crate::{begin, open, status, stones, visit};
use serde_json::json;

/// Black looks away from an open three twice.
const LOSING: &str = "9 freestyle a1d5a3e5a9f5i1i9i3";

#[test]
fn a_lost_game_is_explained_in_three_presses() {
    let Some((browser, _server)) = visit(Window::Desktop) else {
        return;
    };
    browser.resize(1366, 768);
    open(&browser, LOSING);
    stones(&browser, 9);
    browser.press("Let the engine move");
    stones(&browser, 10);
    browser.click("h2");
    status(&browser, "The engine wins");
    let panel = "document.querySelector('#why').innerText";
    browser.press("Why did I lose?");
    browser.wait(&format!("{panel}.includes('1 of 2: move ')"));
    browser.wait("document.querySelector('.hint')");
    let step = || {
        let number = browser.run(&format!("return Number(/move (\\d+)/.exec({panel})[1])"));
        let number = usize::try_from(number.as_u64().unwrap()).unwrap();
        assert_eq!(number % 2, 1, "a move of black");
        stones(&browser, number);
        // The ring is at the better move, which has no stone yet.
        browser.wait(&format!(
            "(() => {{
                const better = /Better was (\\w+),/.exec({panel})[1];
                const cell = document.querySelector(`[role=gridcell][data-point=${{better}}]`).getBoundingClientRect();
                const ring = document.querySelector('.hint').getBoundingClientRect();
                return ring.left < cell.left + cell.width / 2 && ring.right > cell.left + cell.width / 2
                    && ring.top < cell.top + cell.height / 2 && ring.bottom > cell.top + cell.height / 2;
            }})()"
        ));
        number
    };
    let first = step();
    for (width, height) in [(1366, 768), (390, 844)] {
        browser.resize(width, height);
        browser.picture(&format!("why-{width}"));
        let wide = browser.run("return document.documentElement.scrollWidth > innerWidth");
        assert_eq!(wide, json!(false), "{width}");
        browser.wait("document.querySelector('#why .main').checkVisibility()");
    }
    browser.resize(1366, 768);
    browser.press("The other moment");
    browser.wait(&format!("{panel}.includes('2 of 2: move ')"));
    let second = step();
    assert!(first < second);
    browser.wait(&format!(
        "{panel}.includes('White makes an open four at c5')"
    ));
    browser.press("Try again from here");
    stones(&browser, second - 1);
    status(&browser, "Black to move");
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

#[test]
fn other_games_are_not_explained() {
    let Some((browser, _server)) = visit(Window::Desktop) else {
        return;
    };
    let offered = || {
        browser.run("return document.querySelector('#actions [data-name=why]') !== null") == true
    };
    // A game without a mistake, and the explanation is closed.
    begin(&browser, &[("Level", "0")]);
    browser.click("h8");
    stones(&browser, 2);
    browser.press("Resign");
    browser.run("document.querySelector('dialog .main').click()");
    status(&browser, "The engine wins");
    assert!(offered());
    browser.press("Why did I lose?");
    browser.wait("document.querySelector('#why strong').textContent === 'No mistake was found'");
    browser.press("Close the explanation");
    browser
        .wait("document.querySelector('#why').hidden && !document.querySelector('#review').hidden");
    open(&browser, "9 freestyle d5a1e5a3f5a9i9i1c5i3b5");
    status(&browser, "Black wins");
    assert!(!offered(), "a game from a file");
    assert_eq!(browser.complaints(), Vec::<String>::new());
}
