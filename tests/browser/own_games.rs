//! The list of own games, from which every game that was on the board is opened again.

use crate::driver::{Browser, CONTROL, Window};
use crate::{PERSONS, READY, begin, open, open_on_phone, place, press_said, status, stones, visit};
use serde_json::json;

/// Plays points of two persons.
fn play(browser: &Browser, points: &[&str]) {
    let before = browser.run("return document.querySelectorAll('.stone').length");
    let before = usize::try_from(before.as_u64().unwrap()).unwrap();
    for (number, point) in points.iter().enumerate() {
        browser.click(point);
        stones(browser, before + number + 1);
    }
}

/// The texts of the list, newest first.
fn listed(browser: &Browser) -> Vec<String> {
    browser.press("My games");
    browser.wait("document.querySelector('dialog')");
    let texts = browser.run(
        "return [...document.querySelectorAll('.own')].map((it) => \
             it.querySelector('strong').textContent + ' | ' + it.querySelector('small').textContent)",
    );
    browser.press("Close");
    browser.wait("!document.querySelector('dialog')");
    let texts = texts.as_array().unwrap().iter();
    texts.map(|it| it.as_str().unwrap().to_owned()).collect()
}

/// Opens a game of the list, by its place.
fn restore(browser: &Browser, place: usize) {
    browser.press("My games");
    browser.wait("document.querySelector('dialog')");
    browser.run(&format!(
        "document.querySelectorAll('.own')[{place}].click()"
    ));
    browser.wait("!document.querySelector('dialog')");
}

/// Each of these once left a game to a button that was there for five seconds, or was gone with
/// the next click.
#[test]
fn whatever_replaces_a_game_it_is_in_the_list() {
    let Some((browser, _server)) = visit(Window::Desktop) else {
        return;
    };
    assert_eq!(listed(&browser), Vec::<String>::new());
    begin(&browser, &[PERSONS, ("Rule", "standard")]);
    play(&browser, &["h8", "i9", "g7"]);
    // Help invites to a click, which once removed the way back.
    browser.press("Help");
    browser.run("document.querySelector('dialog .boards button').click()");
    stones(&browser, 8);
    play(&browser, &["a2"]);
    open(&browser, "15 freestyle h8i9");
    stones(&browser, 2);
    browser.run("location.hash = '15/renju/h8i9g7f6'");
    stones(&browser, 4);
    browser.run(
        "const data = new DataTransfer();
         data.setData('text', '(;GM[4]SZ[15]PB[Ann]PW[Bob]RE[W+R];B[hh];W[ii];B[gg];W[ff];B[ee])');
         document.body.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true }));",
    );
    stones(&browser, 5);
    status(&browser, "White wins");
    begin(&browser, &[PERSONS, ("Size", "9")]);
    stones(&browser, 0);
    let games = listed(&browser);
    let has = |place: usize, words: &[&str]| {
        let text: &String = &games[place];
        assert!(words.iter().all(|word| text.contains(word)), "{games:?}");
    };
    assert_eq!(games.len(), 5, "{games:?}");
    has(0, &["Ann – Bob | White wins", "moves: 5"]);
    has(1, &["Not finished", "moves: 4", "Renju", "15"]);
    has(2, &["moves: 2", "Freestyle"]);
    has(3, &["moves: 9", "Renju", "9"]);
    has(
        4,
        &["Person – Person | Not finished", "moves: 3", "Standard"],
    );
    // The first one is continued, also after a reload and in a restarted page.
    browser.reload();
    browser.wait(READY);
    restore(&browser, 4);
    stones(&browser, 3);
    assert_eq!(browser.label("g7").1, "g7, black, move 3");
    play(&browser, &["f6"]);
    let games = listed(&browser);
    assert_eq!(games.len(), 5, "it has one entry: {games:?}");
    assert!(
        games[0].contains("moves: 4") && games[0].contains("Standard"),
        "{games:?}"
    );
    browser.reload();
    browser.wait(READY);
    stones(&browser, 4);
    assert_eq!(listed(&browser), games);
    restore(&browser, 1);
    status(&browser, "White wins");
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

/// Moves that are deleted are in the list too, and two tabs do not overwrite each other's games.
#[test]
fn deleted_moves_and_other_tabs_lose_no_game() {
    let Some((browser, server)) = visit(Window::Desktop) else {
        return;
    };
    begin(&browser, &[PERSONS]);
    play(&browser, &["h8", "i9", "g7", "f6"]);
    browser.run("[...document.querySelectorAll('.moves .move')].find((it) => it.textContent.includes('i9')).click()");
    browser.wait("document.querySelectorAll('.stone').length === 2");
    browser.press("Delete from here");
    stones(&browser, 1);
    // The offer is there for some seconds only.
    crate::press_said(&browser, "Bring back the moves");
    stones(&browser, 2);
    let games = listed(&browser);
    assert_eq!(games.len(), 1, "{games:?}");
    assert!(games[0].contains("moves: 4"), "{games:?}");
    browser.press("Delete from here");
    stones(&browser, 1);
    let games = listed(&browser);
    assert_eq!(games.len(), 2, "{games:?}");
    assert!(
        games[0].contains("moves: 1") && games[1].contains("moves: 4"),
        "{games:?}"
    );
    play(&browser, &["i9"]);
    // Another tab continues the same game; each has its own moves.
    let first = browser.open_tab(&server.url());
    browser.wait(READY);
    stones(&browser, 2);
    play(&browser, &["a1"]);
    let second = browser.go_to_tab(&first);
    browser.click("o15");
    stones(&browser, 3);
    assert_eq!(browser.label("o15").1, "o15, black, move 3");
    let games = listed(&browser);
    assert_eq!(games.len(), 3, "{games:?}");
    browser.go_to_tab(&second);
    assert_eq!(browser.label("a1").1, "a1, black, move 3");
}

/// The list has fifty games, also the smallest window shows it, and a browser that stores nothing
/// keeps it as long as the page.
#[test]
fn the_list_has_fifty_games() {
    let Some((browser, server)) = visit(Window::Desktop) else {
        return;
    };
    for number in 0..52 {
        let row = number % 15 + 1;
        let column = char::from(b'a' + number / 15);
        browser.run(&format!("location.hash = '15/renju/h8{column}{row}'"));
        browser.wait(&format!(
            "document.querySelector('[aria-label^=\"{column}{row}, white\"]')"
        ));
    }
    assert_eq!(listed(&browser).len(), 50);
    browser.resize(320, 640);
    browser.press("More");
    browser.press("My games");
    browser.wait("document.querySelector('dialog')");
    browser.picture("own-games-320");
    let wide = "return [document.documentElement, document.querySelector('dialog')]\
                .some((it) => it.scrollWidth > it.clientWidth)";
    assert_eq!(browser.run(wide), json!(false));
    browser.press("Close");
    browser.before_pages(
        "Object.defineProperty(window, 'indexedDB', { get: () => { throw new Error('denied'); } })",
    );
    browser.go(&format!("{}?private", server.url()));
    browser.wait(READY);
    open_on_phone(&browser, "15 renju h8");
    stones(&browser, 1);
    open_on_phone(&browser, "15 renju h8i9g7");
    stones(&browser, 3);
    browser.press("More");
    let games = listed(&browser);
    assert!(
        games.len() >= 2 && games[1].contains("moves: 1"),
        "{games:?}"
    );
}

/// A new game, a text from the clipboard and a deletion once lost the game in progress.
#[test]
fn a_lost_game_is_offered_back() {
    let Some((browser, _server)) = visit(Window::Desktop) else {
        return;
    };
    begin(&browser, &[PERSONS, ("Size", "9")]);
    browser.wait("document.querySelector('#alert').hidden");
    place(&browser, &["e5", "e6", "e7"]);
    begin(&browser, &[PERSONS, ("Size", "15")]);
    stones(&browser, 0);
    press_said(&browser, "Bring back the last game");
    stones(&browser, 3);
    browser.wait("document.querySelector('#alert').hidden");
    browser.run(
        "const clipboardData = new DataTransfer();
         clipboardData.setData('text', 'a1');
         document.body.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true }));",
    );
    stones(&browser, 1);
    browser.wait("document.querySelector('#alert button')");
    browser.chord(&[CONTROL, 'z']);
    stones(&browser, 3);
    browser.press("Delete from here");
    stones(&browser, 2);
    press_said(&browser, "Bring back the moves");
    stones(&browser, 3);
    // A player who goes on takes back moves again.
    open(&browser, "9 freestyle a1b2");
    stones(&browser, 2);
    browser.click("c3");
    stones(&browser, 3);
    browser.chord(&[CONTROL, 'z']);
    stones(&browser, 2);
    // What is dropped on a field is the field's; on a window it once replaced the game as well.
    let drop = |target: &str| {
        browser.run(&format!(
            "const dataTransfer = new DataTransfer();
             dataTransfer.setData('text', 'e5');
             const drop = new DragEvent('drop', {{ dataTransfer, bubbles: true, cancelable: true }});
             return document.querySelector('{target}').dispatchEvent(drop);"
        ))
    };
    assert_eq!(drop("#game textarea"), true);
    browser.press("Open");
    assert_eq!(drop("dialog h2"), false);
    browser.press("Cancel");
    browser.click("c3");
    stones(&browser, 3);
    assert_eq!(drop("#board"), false);
    stones(&browser, 1);
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

/// A tab once kept its clock beside the game of another.
#[test]
fn a_tab_keeps_all_parts_of_its_game() {
    let Some((browser, _server)) = visit(Window::Desktop) else {
        return;
    };
    begin(
        &browser,
        &[
            PERSONS,
            ("Time", r#"{"game_ms":180000,"increment_ms":2000}"#),
        ],
    );
    let clock = browser.run("return sessionStorage.getItem('quincunx.left')");
    browser.run("localStorage.setItem('quincunx.game', 'that of another tab')");
    // A clock that runs is no reason to replace it.
    browser.wait(&format!(
        "sessionStorage.getItem('quincunx.left') !== {clock}"
    ));
    let kept = browser.run("return localStorage.getItem('quincunx.game')");
    assert_eq!(kept, "that of another tab");
    browser.click("h8");
    browser.wait(
        "['game', 'node', 'left'].map((part) => `quincunx.${part}`)
             .every((part) => localStorage.getItem(part) === sessionStorage.getItem(part))",
    );
}
