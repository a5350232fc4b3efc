//! The page in a real browser: Chromium, driven as people drive it, by the roles
//! and names that screen readers use.
//!
//! Without a browser these tests say that they were skipped. Where the variable
//! QUINCUNX_BROWSER is `required`, as in `.ci/run`, they fail then.

#![allow(clippy::unwrap_used)]

mod analysis;
mod appearance;
mod archive;
mod audit;
mod challenges;
mod chromium;
mod comments;
mod conditional;
mod connection;
mod correspondence;
mod dialogues;
mod driver;
mod files;
mod first_visit;
mod frame;
mod keyboard;
mod layout;
mod lobby;
mod lobby_tabs;
mod marks;
mod measures;
mod openings;
mod organiser;
mod own_games;
mod package;
mod pictures;
mod play;
mod report;
mod review;
mod rooms;
mod settings;
mod site;
mod states;
mod tasks;
mod tournaments;
mod training;
mod variations;
mod versions;
mod why;
mod windows;

use driver::{Browser, Window, is_installed};
use quincunx_testing::server::BoardServer;
use serde_json::json;

/// Expressions of the page that tests wait for.
pub(crate) const READY: &str = "document.querySelectorAll('[role=gridcell]').length > 0";

/// A browser that shows the page, if there is one. The server comes first, so that
/// the browser goes first.
pub(crate) fn visit(window: Window) -> Option<(Browser, BoardServer)> {
    is_installed().then(|| {
        let server = BoardServer::start();
        let browser = Browser::open(window);
        browser.go(&server.url());
        browser.wait(READY);
        (browser, server)
    })
}

/// Begins a game by the dialogue.
pub(crate) fn begin(browser: &Browser, fields: &[(&str, &str)]) {
    browser.press("New game");
    for (field, value) in fields {
        browser.fill(field, value);
    }
    browser.press("Start");
    browser.wait("!document.querySelector('dialog')");
    browser.wait("document.querySelector('[aria-current]').textContent === 'Start'");
}

/// Begins a game by swap2 and puts the three stones before its first question.
pub(crate) fn begin_swap2(browser: &Browser) {
    begin(browser, &[PERSONS, ("Opening", "swap2")]);
    place(browser, &["h8", "i9", "g7"]);
}

/// Opens a game or a position by the dialogue.
pub(crate) fn open(browser: &Browser, text: &str) {
    browser.press("Open");
    browser.fill("SGF, PSQ or a list of moves", text);
    browser.run("document.querySelector('dialog .main').click()");
    browser.wait("!document.querySelector('dialog')");
}

/// Opens a game or a position by the dialogue, which a phone has behind a tab.
pub(crate) fn open_on_phone(browser: &Browser, text: &str) {
    browser.press("More");
    open(browser, text);
}

/// Presses a button of the alert, which is there for a few seconds: fewer than it takes a slow
/// machine to look at all buttons.
pub(crate) fn press_said(browser: &Browser, name: &str) {
    browser.wait(&format!(
        "(() => {{
            const buttons = [...document.querySelectorAll('#alert button')];
            const wanted = buttons.find(({{ textContent }}) => textContent === {});
            wanted?.click();
            return wanted;
        }})()",
        json!(name)
    ));
}

/// Waits until the state of the game has these words.
pub(crate) fn status(browser: &Browser, text: &str) {
    browser.wait(&format!(
        "document.querySelector('[role=status]').textContent === {}",
        json!(text)
    ));
}

/// Waits until so many stones are on the board.
pub(crate) fn stones(browser: &Browser, count: usize) {
    browser.wait(&format!(
        "document.querySelectorAll('.stone').length === {count}"
    ));
}

/// Places the first stones of a game between persons.
pub(crate) fn place(browser: &Browser, points: &[&str]) {
    for (number, point) in (1..).zip(points) {
        browser.click(point);
        stones(browser, number);
    }
}

pub(crate) const ALERT: &str = "document.getElementById('alert')";

/// Waits until the alert has these words.
pub(crate) fn alert(browser: &Browser, text: &str) {
    browser.wait(&format!("{ALERT}.textContent.includes('{text}')"));
}

pub(crate) const PERSONS: (&str, &str) = ("White", "person");

#[test]
fn two_persons_play_a_whole_game() {
    let Some((browser, _server)) = visit(Window::Desktop) else {
        return;
    };
    begin(&browser, &[PERSONS, ("Size", "9")]);
    status(&browser, "Black to move");
    assert_eq!(
        browser.label("e5"),
        ("gridcell".to_owned(), "e5, empty".to_owned())
    );
    place(&browser, &["a1", "a2", "b1", "b2", "c1", "c2", "d1", "d2"]);
    assert_eq!(browser.label("d2").1, "d2, white, move 8");
    browser.click("e1");
    status(&browser, "Black wins");
    browser.wait("document.querySelectorAll('.won').length === 5");
    // The board is closed now.
    browser.click("i9");
    browser.press("Undo");
    status(&browser, "Black to move");
    stones(&browser, 8);
    browser.press("Redo");
    status(&browser, "Black wins");
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

#[test]
fn the_engine_answers_and_nothing_is_lost() {
    let Some((browser, server)) = visit(Window::Desktop) else {
        return;
    };
    begin(&browser, &[("Level", "0"), ("Rule", "standard")]);
    browser.click("h8");
    stones(&browser, 2);
    // The game survives a reload.
    browser.reload();
    browser.wait(READY);
    stones(&browser, 2);
    browser.press("Hint");
    browser.wait("document.querySelector('.hint')");
    browser.press("Undo");
    stones(&browser, 0);
    browser.wait("!document.querySelector('.hint')");
    // A long search is undone in the middle; its answer does not come.
    begin(
        &browser,
        &[("Level", "100"), ("Time", r#"{"turn_ms":15000}"#)],
    );
    browser.click("h8");
    browser.wait("document.querySelector('.spinner')");
    browser.press("Undo");
    stones(&browser, 0);
    browser.wait("!document.querySelector('.spinner')");
    browser.click("g7");
    stones(&browser, 1);
    // And a restart of the program.
    let port = server.address.rsplit(':').next().unwrap().to_owned();
    drop(server);
    browser.wait("document.querySelector('[role=alert]').textContent !== ''");
    let _server = BoardServer::start_with_port(&port);
    browser.wait("document.querySelector('[role=alert]').textContent === ''");
    browser.wait("document.querySelector('.spinner')");
    stones(&browser, 1);
}

#[test]
fn renju_says_why_a_point_is_forbidden() {
    let Some((browser, _server)) = visit(Window::Desktop) else {
        return;
    };
    begin(&browser, &[PERSONS, ("Rule", "renju")]);
    let moves = ["h7", "a1", "h6", "a15", "g8", "o1", "f8", "o15"];
    for (number, point) in moves.into_iter().enumerate() {
        browser.click(point);
        stones(&browser, number + 1);
    }
    assert_eq!(browser.label("h8").1, "h8, forbidden: double three");
    browser.click("h8");
    browser.wait("document.querySelector('[role=alert]').textContent.includes('double three')");
    stones(&browser, moves.len());
    status(&browser, "Black to move");
}

#[test]
fn swap2_is_a_dialogue() {
    let Some((browser, _server)) = visit(Window::Desktop) else {
        return;
    };
    begin_swap2(&browser);
    status(&browser, "Choose a colour");
    browser.press("Place two more stones");
    status(&browser, "Place a stone (2 to go)");
    browser.click("j10");
    stones(&browser, 4);
    browser.click("f6");
    stones(&browser, 5);
    browser.press("Take black");
    status(&browser, "White to move");
}

#[test]
fn analysis_goes_on_and_off() {
    let Some((browser, _server)) = visit(Window::Desktop) else {
        return;
    };
    begin(&browser, &[PERSONS]);
    browser.click("h8");
    stones(&browser, 1);
    browser.press("Analyse");
    browser.wait("document.querySelectorAll('.best-line').length === 3");
    browser.wait("document.querySelectorAll('.value').length === 3");
    browser.fill("Lines", "8");
    browser.wait("document.querySelectorAll('.best-line').length === 8");
    browser.click("i9");
    stones(&browser, 2);
    browser.wait("document.querySelectorAll('.value').length === 8");
    browser.press("Analyse");
    browser.wait("document.querySelector('#analysis').hidden && !document.querySelector('.value')");
    browser.press("Analyse");
    browser.wait("document.querySelectorAll('.value').length > 0");
    // A new game ends the analysis of the old one.
    begin(&browser, &[PERSONS]);
    browser.wait("document.querySelector('#analysis').hidden && !document.querySelector('.value')");
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

#[test]
fn the_keyboard_is_enough() {
    const TAB: char = '\u{e004}';
    const LEFT: char = '\u{e012}';
    const RIGHT: char = '\u{e014}';
    const UP: char = '\u{e013}';
    const ENTER: char = '\u{e007}';
    let Some((browser, _server)) = visit(Window::Desktop) else {
        return;
    };
    browser.run("document.querySelector('#menu button').focus()");
    browser.keys(&[ENTER]);
    browser.wait("document.querySelector('dialog')");
    browser.fill("White", "person");
    browser.keys(&[TAB, ENTER]);
    browser.press("Start");
    browser.wait("!document.querySelector('dialog')");
    browser.keys(&['b', LEFT, UP, ENTER]);
    stones(&browser, 1);
    assert_eq!(browser.label("g9").1, "g9, black, move 1");
    browser.keys(&[UP, ' ']);
    stones(&browser, 2);
    browser.keys(&['u']);
    stones(&browser, 1);
    browser.keys(&['r']);
    stones(&browser, 2);
    // It evaluates, steps through a line, plays it into the tree and exports the game.
    let tab_to = |element: &str| {
        let is_there = format!("return document.activeElement.matches({})", json!(element));
        let reached = (0..80).any(|_| {
            browser.keys(&[TAB]);
            browser.run(&is_there) == json!(true)
        });
        assert!(reached, "{element} by the tab key");
    };
    browser.keys(&['a']);
    browser.wait("document.querySelector('.best-line .points').textContent.split(' ').length > 3");
    tab_to(".best-line");
    browser.wait("document.querySelectorAll('.preview').length > 1");
    browser.keys(&[LEFT; 12]);
    browser.wait("document.querySelectorAll('.preview').length === 1");
    browser.keys(&[RIGHT]);
    browser.wait("document.querySelectorAll('.preview').length === 2");
    browser.keys(&[ENTER]);
    stones(&browser, 3);
    browser.keys(&['a']);
    browser.wait("document.querySelector('#analysis').hidden");
    tab_to("[data-name=export]");
    browser.keys(&[ENTER]);
    browser.wait("document.querySelector('dialog textarea').value.startsWith('(;FF[4]')");
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

#[test]
fn games_go_out_and_come_in() {
    let Some((browser, _server)) = visit(Window::Desktop) else {
        return;
    };
    begin(&browser, &[PERSONS, ("Size", "20x15")]);
    place(&browser, &["h8", "i9", "t15"]);
    browser.press("Export");
    let content = "document.querySelector('dialog textarea').value";
    for (format, start) in [
        ("text", "20x15 freestyle h8i9t15"),
        ("psq", "Piskvorky 20x15"),
        ("link", "http://127.0.0.1"),
        ("svg", "<svg "),
        ("animation", "<svg "),
        ("sgf", "(;FF[4]GM[4]"),
    ] {
        browser.fill("Format", format);
        browser.wait(&format!("{content}.startsWith({})", json!(start)));
    }
    let sgf = browser.run(&format!("return {content}"));
    browser.press("Close");
    begin(&browser, &[PERSONS]);
    open(&browser, sgf.as_str().unwrap());
    stones(&browser, 3);
    assert_eq!(browser.label("t15").1, "t15, black, move 3");
    // A forced win is shown move by move.
    browser.run("location.hash = '15/freestyle/h8a1i8c15k5o15k6o1'");
    stones(&browser, 8);
    browser.press("Analyse");
    browser.wait("document.querySelector('.best-line')");
    let moved = browser.run(
        "const list = document.querySelector('.best-lines');
         const button = [...document.querySelectorAll('#analysis button')]
             .find(({ textContent }) => textContent === 'Find a forced win');
         const top = () => button.getBoundingClientRect().top;
         const before = top();
         list.style.display = 'none';
         const after = top();
         list.style.display = '';
         return before - after;",
    );
    assert_eq!(moved, json!(0), "lines that appear do not move the buttons");
    let controls = "document.querySelectorAll('#engine select, #analysis .choices button')";
    browser.run(&format!("window.controls = [...{controls}]"));
    browser.press("Undo");
    stones(&browser, 7);
    browser.press("Redo");
    stones(&browser, 8);
    let kept = browser.run(&format!(
        "return [...{controls}].map((control, i) => control === window.controls[i])"
    ));
    assert_eq!(
        kept,
        json!([true, true, true, true]),
        "a move leaves what the user may be about to press"
    );
    browser.wait("document.querySelector('.best-line')");
    browser.press("Find a forced win");
    browser.wait("document.querySelectorAll('.preview').length === 1");
    browser.press("any other reply");
    browser.wait("document.querySelectorAll('.preview').length > 2");
    // What the other side would do is shown in its colour.
    browser.press("Find the opponent's threat");
    browser
        .wait("document.querySelector('.proof').innerText.includes('No forced win is threatened')");
    browser.run("location.hash = '15/freestyle/h8a1i8c15j8'");
    stones(&browser, 5);
    browser.press("Find the opponent's threat");
    browser.wait("document.querySelector('.proof').innerText.includes('Black threatens to win')");
    browser.wait("document.querySelectorAll('.preview.black').length === 1");
    browser.press("Analyse");
    // A link carries the position.
    browser.run("location.hash = '15/renju/h8i9'");
    stones(&browser, 2);
}

#[test]
fn a_finger_taps_twice() {
    let Some((browser, _server)) = visit(Window::Phone) else {
        return;
    };
    browser.tap("h8");
    browser.wait("document.querySelector('.asked')");
    stones(&browser, 0);
    browser.tap("h8");
    stones(&browser, 2);
    let wide = browser.run("return document.documentElement.scrollWidth > innerWidth");
    assert_eq!(wide, json!(false), "the page fits a phone");
}

#[test]
fn four_in_a_row_is_the_second_game() {
    let Some((browser, server)) = visit(Window::Desktop) else {
        return;
    };
    browser.go(&format!("{}gravity.html", server.url()));
    browser.wait(READY);
    let tall = browser.run("return document.documentElement.scrollHeight > innerHeight");
    assert_eq!(tall, json!(false), "the board fits the window");
    browser.wait("document.querySelectorAll('[role=gridcell]').length === 42");
    // The empty board takes a minute to solve; meanwhile there are chances.
    browser.press("Analyse");
    browser.wait("document.querySelectorAll('.value.chance').length === 7");
    browser.wait("document.getElementById('detail').textContent.includes('positions')");
    let moved = browser.run(
        "const top = () => document.getElementById('actions').getBoundingClientRect().top;
         const before = top();
         document.getElementById('detail').textContent = 'word '.repeat(30);
         return top() - before;",
    );
    assert_eq!(moved, json!(0), "what is said moves no button");
    browser.press("Analyse");
    browser.wait("document.getElementById('detail').textContent === ''");
    browser.press("New game");
    browser.fill("Columns", "9");
    browser.fill("Rows", "9");
    browser.press("Start");
    let limit = "At least 4 columns and 4 rows, at most 64 points";
    browser.wait(&format!(
        "document.querySelector('dialog [role=alert]').textContent === '{limit}'"
    ));
    for (field, value) in [("Columns", "5"), ("Rows", "4"), ("Yellow", "person")] {
        browser.fill(field, value);
    }
    browser.press("Start");
    browser.wait("!document.querySelector('dialog')");
    browser.wait("document.querySelectorAll('[role=gridcell]').length === 20");
    // On so small a board every column has its value at once.
    browser.press("Analyse");
    for (value, columns) in [("draw", 3), ("loss", 2)] {
        browser.wait(&format!(
            "document.querySelectorAll('.value.{value}').length === {columns}"
        ));
    }
    let drops = |count: usize| {
        browser.wait(&format!(
            "document.querySelectorAll('.disc').length === {count}"
        ))
    };
    for (number, key) in ['1', '2', '1', '2', '1', '2'].into_iter().enumerate() {
        browser.keys(&[key]);
        drops(number + 1);
    }
    // A full column has no value to search for.
    browser.keys(&['2']);
    drops(7);
    browser.wait("document.querySelectorAll('.value.loss, .value.draw, .value.win').length === 4");
    browser.wait("document.getElementById('detail').textContent.startsWith('+ wins, = draws')");
    browser.wait("document.querySelectorAll('.winning .last').length === 1");
    browser.press("Undo");
    drops(6);
    browser.wait("document.querySelector('.value.win + .plies').textContent === '1'");
    let label = "document.querySelector('[data-cell=\"0,2\"]').getAttribute('aria-label')";
    assert_eq!(
        browser.run(&format!("return {label}")),
        json!("column 1, row 3, red")
    );
    browser.run(
        "document.querySelector('[data-column=\"0\"]').dispatchEvent(new MouseEvent('click'))",
    );
    status(&browser, "Red wins");
    browser.wait("document.querySelectorAll('.won').length === 4");
    browser.reload();
    status(&browser, "Red wins");
    browser.press("Rematch");
    status(&browser, "Red to move");
    drops(0);
    browser.run("document.querySelector('[data-column=\"2\"]').focus()");
    browser.wait("document.querySelectorAll('.ghost .disc.first').length === 1");
    browser.press("Settings");
    browser.fill("Language", "ja");
    status(&browser, "赤の番");
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

/// The page has its five themes, and the words of every language arrive.
#[test]
fn themes_and_languages() {
    let Some((browser, server)) = visit(Window::Desktop) else {
        return;
    };
    browser.press("Settings");
    let plate = "getComputedStyle(document.querySelector('.wood-light')).stopColor";
    let mut plates = Vec::new();
    for theme in ["light", "dark", "wood", "paper", "contrast"] {
        browser.fill("Colours", theme);
        browser.wait(&format!(
            "document.documentElement.dataset.theme === '{theme}'"
        ));
        plates.push(browser.run(&format!("return {plate}")).to_string());
    }
    plates.sort();
    plates.dedup();
    assert_eq!(plates.len(), 5, "{plates:?}");
    for (language, words) in [
        ("zh-Hans", "轮到黑方"),
        ("zh-Hant", "輪到黑方"),
        ("ja", "黒の番"),
        ("ko", "흑 차례"),
        ("ru", "Ход: Чёрные"),
        ("vi", "Đến lượt Đen"),
        ("en", "Black to move"),
        ("xx", "Black to move"),
    ] {
        browser.go(&format!("{}?lang={language}", server.url()));
        browser.wait(READY);
        status(&browser, words);
    }
    assert_eq!(browser.complaints(), Vec::<String>::new());
}
