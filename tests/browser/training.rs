//! Puzzles: solved by the keyboard alone, failed, and on a phone.

use crate::driver::{Browser, Window, is_installed};
use crate::visit;
use quincunx_testing::server::BoardServer;
use serde_json::json;

/// What the driver calls the arrow keys, and Enter.
const LEFT: char = '\u{e012}';
const UP: char = '\u{e013}';
const RIGHT: char = '\u{e014}';
const DOWN: char = '\u{e015}';
const ENTER: char = '\u{e007}';
const TAB: char = '\u{e004}';

const STATUS: &str = "document.querySelector('[role=status]').textContent";
const SCORE: &str = "document.querySelector('#score strong').textContent";

/// Goes from the board to the puzzles.
fn train(window: Window) -> Option<(Browser, BoardServer)> {
    let (browser, server) = visit(window)?;
    browser.run("document.querySelector('#puzzles').click()");
    browser.wait("location.pathname.endsWith('training.html')");
    browser.wait(&format!("{STATUS}.includes('find the moves')"));
    Some((browser, server))
}

fn text(browser: &Browser, expression: &str) -> String {
    let value = browser.run(&format!("return {expression}"));
    value.as_str().unwrap_or_default().to_owned()
}

/// Plays a wrong move: one far from all stones. Some puzzles are won even after such a move;
/// then others are tried, the farthest first.
fn fail(browser: &Browser, play: impl Fn(&str)) {
    let points = browser.run(
        "const split = (it) => [it.dataset.point.charCodeAt(0), Number(it.dataset.point.slice(1))];
         const cells = (selector) => [...document.querySelectorAll(selector)];
         const taken = cells('.cell:not(.free)').map(split);
         const distance = (it) => Math.min(...taken.map(
             ([x, y]) => Math.max(Math.abs(x - split(it)[0]), Math.abs(y - split(it)[1]))));
         return cells('.cell.free').sort((one, other) => distance(other) - distance(one))
             .map((it) => it.dataset.point)",
    );
    for point in points.as_array().unwrap() {
        let point = point.as_str().unwrap();
        play(point);
        browser.wait(&format!("{STATUS}.startsWith('{point} ')"));
        if text(browser, STATUS).starts_with(&format!("{point} is wrong")) {
            return;
        }
    }
    panic!("every move wins");
}

/// The point that the keyboard is at.
fn place(browser: &Browser) -> (i64, i64) {
    let point = text(browser, "document.activeElement.getAttribute('data-point')");
    split(&point)
}

fn split(point: &str) -> (i64, i64) {
    let column = i64::from(point.as_bytes()[0] - b'a');
    (column, point[1..].parse().unwrap())
}

/// Asks until the move is shown, and plays it with the arrows.
fn play_by_keys(browser: &Browser) {
    for _ in 0..3 {
        let before = text(browser, STATUS);
        if before.starts_with("The move is") {
            break;
        }
        browser.keys(&['h']);
        // From the second hint on its price is accepted by keys, too.
        if browser.run("return Boolean(document.querySelector('dialog'))") == json!(true) {
            browser.keys(&[TAB, ENTER]);
        }
        browser.wait(&format!("{STATUS} !== {}", json!(before)));
    }
    let shown = text(browser, STATUS);
    let (x, y) = split(shown.strip_prefix("The move is ").unwrap());
    browser.keys(&['b']);
    let (from_x, from_y) = place(browser);
    let steps = |by: i64, back: char, forth: char| {
        let key = if by < 0 { back } else { forth };
        vec![key; by.unsigned_abs() as usize]
    };
    browser.keys(&steps(x - from_x, LEFT, RIGHT));
    browser.keys(&steps(y - from_y, DOWN, UP));
    assert_eq!(place(browser), (x, y));
    browser.keys(&[ENTER]);
    browser.wait(&format!("{STATUS} !== {}", json!(shown)));
}

#[test]
fn puzzles_are_solved_by_keys_alone() {
    let Some((browser, _server)) = train(Window::Desktop) else {
        return;
    };
    let before = text(&browser, SCORE);
    assert_eq!(before, "Your rating: 1500 ± 350");
    for round in 1..=2 {
        while text(&browser, STATUS) != "Solved" {
            play_by_keys(&browser);
        }
        browser.wait("document.querySelectorAll('.stone.winner').length >= 5");
        // What was shown is not solved.
        let facts = format!("0 of {round} solved; 0 in a row, best 0");
        browser.wait(&format!(
            "document.querySelector('#score .facts').textContent === {}",
            json!(facts)
        ));
        browser.keys(&['n']);
        browser.wait(&format!("{STATUS}.includes('find the moves')"));
        assert_eq!(
            browser.run("return document.querySelectorAll('.stone.winner').length"),
            json!(0)
        );
    }
    let after = text(&browser, SCORE);
    assert_ne!(after, before);
    // A reload keeps the ratings and the puzzle under way.
    let stones = "[...document.querySelector('.stones').children]\
        .map((it) => it.outerHTML.replace(' new', '')).sort().join()";
    let shown = text(&browser, stones);
    browser.reload();
    browser.wait(&format!("{SCORE} === {}", json!(after)));
    assert_eq!(text(&browser, stones), shown);
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

/// A hint once moved the buttons, and a second press on the same place led to another puzzle.
#[test]
fn a_hint_moves_no_button() {
    let Some((browser, _server)) = train(Window::Desktop) else {
        return;
    };
    let top = "return document.querySelector('[data-name=hint]').getBoundingClientRect().top";
    let before = browser.run(top);
    let mut names = Vec::new();
    while !text(&browser, STATUS).starts_with("The move is") {
        let said = text(&browser, STATUS);
        names.push(text(
            &browser,
            "document.querySelector('[data-name=hint]').textContent",
        ));
        browser.run("document.querySelector('[data-name=hint]').click()");
        // The price is named before it is paid.
        if names.len() == 2 {
            browser.wait("document.querySelector('dialog')");
            let price = text(&browser, "document.querySelector('dialog h2').textContent");
            assert!(
                price.starts_with("The puzzle then counts as lost: −"),
                "{price}"
            );
            assert_eq!(text(&browser, STATUS), said);
            assert!(text(&browser, SCORE).contains("1500"));
            browser.run("document.querySelector('dialog .main').click()");
        }
        browser.wait(&format!("{STATUS} !== {}", json!(said)));
        assert_eq!(browser.run(top), before);
    }
    assert_eq!(names, ["Free hint", "Hint", "Hint"]);
    assert!(!text(&browser, SCORE).contains("1500"));
}

/// The solution and a hint can be declined where their price is named.
#[test]
fn the_price_of_a_hint_can_be_declined() {
    let Some((browser, _server)) = train(Window::Phone) else {
        return;
    };
    browser.run("document.querySelector('[data-name=show]').click()");
    browser.wait("document.querySelector('dialog')");
    browser.picture("training-price-phone");
    browser.press("Cancel");
    browser.wait("!document.querySelector('dialog')");
    browser.keys(&['h']);
    browser.wait(&format!("{STATUS}.startsWith('Hint: moves')"));
    browser.keys(&['h']);
    browser.wait("document.querySelector('dialog')");
    browser.press("Cancel");
    assert!(text(&browser, SCORE).contains("1500"));
}

#[test]
fn every_rule_has_puzzles_and_a_mistake_is_answered() {
    let Some((browser, _server)) = train(Window::Desktop) else {
        return;
    };
    for (rule, name) in [
        ("renju", "Renju"),
        ("standard", "Standard"),
        ("caro", "Caro"),
        ("threes", "Freestyle: threes and fours"),
        ("freestyle", "Freestyle"),
    ] {
        let before = text(&browser, "document.querySelector('.stones').innerHTML");
        browser.fill("Rule", rule);
        browser.wait(&format!(
            "document.querySelector('.stones').innerHTML !== {}",
            json!(before)
        ));
        let chosen = "document.querySelector('#score select').selectedOptions[0].textContent";
        assert_eq!(text(&browser, chosen), name);
    }
    fail(&browser, |point| browser.click(point));
    let rating = text(&browser, SCORE);
    assert!(!rating.contains("1500"), "{rating}");
    // The right move can be found yet, and costs nothing more.
    browser.press("Show the move");
    browser.wait("document.querySelector('.hint')");
    assert_eq!(text(&browser, SCORE), rating);
    browser.press("Open on the board");
    browser.wait("location.pathname.endsWith('index.html')");
    browser.wait("document.querySelectorAll('.stone').length > 4");
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

#[test]
fn puzzles_fit_a_phone() {
    let Some((browser, _server)) = train(Window::Phone) else {
        return;
    };
    let wide = browser.run("return document.documentElement.scrollWidth > innerWidth");
    assert_eq!(wide, json!(false), "the page fits a phone");
    browser.picture("training-phone");
    fail(&browser, |point| {
        browser.tap(point);
        browser.wait("document.querySelector('.asked')");
        browser.tap(point);
    });
}

/// What a browser keeps may be of another tab, of another version, or damaged.
#[test]
fn a_damaged_record_is_mended() {
    let Some((browser, _server)) = train(Window::Desktop) else {
        return;
    };
    let fail = || fail(&browser, |point| browser.click(point));
    // Another tab has solved two since this puzzle was begun.
    let other = r#"{"person":{"rating":2300,"deviation":200,"volatility":0.06},"puzzles":{},"tried":3,"solved":2,"streak":2,"longest":2}"#;
    browser.run(&format!(
        "localStorage.setItem('quincunx.training', {})",
        json!(other)
    ));
    fail();
    let facts = text(
        &browser,
        "document.querySelector('#score .facts').textContent",
    );
    assert_eq!(facts, "2 of 4 solved; 0 in a row, best 2");
    // What it has won is not lost: the rating of the beginning was once reckoned on.
    let score = text(&browser, SCORE);
    let rating = score.split(' ').find_map(|word| word.parse::<i64>().ok());
    assert!(
        rating.is_some_and(|it| (1900..2300).contains(&it)),
        "{score}"
    );
    for damaged in [
        "null",
        "[1",
        r#""word""#,
        r#"{"person":"1500","puzzles":null,"tried":"x","solved":-1,"streak":1.5}"#,
        r#"{"person":{"rating":1e9,"deviation":350,"volatility":0.06},"puzzles":{"a":{}}}"#,
    ] {
        for key in ["training", "puzzle"] {
            browser.run(&format!(
                "for (const it of [localStorage, sessionStorage]) it.setItem('quincunx.{key}', {})",
                json!(damaged)
            ));
        }
        browser.reload();
        browser.wait(&format!("{STATUS}.includes('find the moves')"));
        assert_eq!(
            text(&browser, SCORE),
            "Your rating: 1500 ± 350",
            "{damaged}"
        );
        fail();
    }
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

/// A puzzle that two tabs had begun once counted twice, and a new tab went on with the puzzle of
/// another.
#[test]
fn a_puzzle_of_two_tabs_counts_once() {
    let Some((browser, _server)) = train(Window::Desktop) else {
        return;
    };
    let fail = || fail(&browser, |point| browser.click(point));
    let facts = "document.querySelector('#score .facts').textContent";
    let once = "0 of 1 solved; 0 in a row, best 0";
    fail();
    assert_eq!(text(&browser, facts), once);
    // As in a copy of the tab from before: it has the puzzle, and knows no result. A reload once
    // had it count the puzzle again.
    let copy = "const task = JSON.parse(sessionStorage.getItem('quincunx.puzzle'));
         sessionStorage.setItem('quincunx.puzzle', JSON.stringify({ ...task, result: null }));";
    browser.run(copy);
    browser.reload();
    browser.wait(&format!("{STATUS}.includes('find the moves')"));
    fail();
    assert_eq!(text(&browser, facts), once);
    // It is the same where the other tab finishes the puzzle after the reload.
    browser.run(copy);
    browser.run(
        "window.name = localStorage.getItem('quincunx.training');
         localStorage.removeItem('quincunx.training');",
    );
    let puzzle = "JSON.parse(sessionStorage.getItem('quincunx.puzzle')).puzzle";
    let begun = text(&browser, puzzle);
    browser.reload();
    browser.wait(&format!("{STATUS}.includes('find the moves')"));
    assert_eq!(text(&browser, puzzle), begun);
    browser.run("localStorage.setItem('quincunx.training', window.name)");
    fail();
    assert_eq!(text(&browser, facts), once);
    // A new tab knows the puzzle of the last one, and draws another: it was tried.
    browser.run("sessionStorage.clear()");
    browser.reload();
    browser.wait(&format!("{STATUS}.includes('find the moves')"));
    assert_ne!(text(&browser, puzzle), begun);
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

/// A stone on another one was once refused in English in every language.
#[test]
fn a_point_that_is_taken_is_refused_in_the_language_of_the_page() {
    let Some((browser, server)) = train(Window::Desktop) else {
        return;
    };
    browser.go(&format!("{}training.html?lang=ru", server.url()));
    browser.wait("document.querySelector('.stone')");
    let point = text(
        &browser,
        "document.querySelector('.cell:not(.free)').getAttribute('data-point')",
    );
    browser.click(&point);
    browser.wait("document.getElementById('alert').textContent === 'Здесь уже стоит камень'");
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

/// The page once said that it tried again, and did not.
#[test]
fn puzzles_are_asked_for_until_they_are_there() {
    if !is_installed() {
        return;
    }
    let server = BoardServer::start();
    let browser = Browser::open(Window::Desktop);
    browser.block(&["*/puzzles/*"]);
    browser.go(&format!("{}training.html", server.url()));
    browser.wait("document.getElementById('alert').textContent.includes('trying again')");
    browser.block(&[]);
    browser.wait(&format!("{STATUS}.includes('find the moves')"));
}
