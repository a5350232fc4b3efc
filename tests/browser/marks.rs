//! What is drawn on the board besides stones, and how the board is turned.

use crate::driver::{Browser, Window};
use crate::{PERSONS, begin, open, place, stones, visit};
use serde_json::{Value, json};

const RIGHT: char = '\u{e014}';
const UP: char = '\u{e013}';
const ENTER: char = '\u{e007}';

/// Where points are seen, as columns and rows from the top left.
fn places(browser: &Browser, points: &[&str]) -> Value {
    browser.run(&format!(
        "const cells = [...document.querySelectorAll('[role=gridcell]')];
         const xs = [...new Set(cells.map((cell) => Number(cell.getAttribute('x'))))].sort((a, b) => a - b);
         const ys = [...new Set(cells.map((cell) => Number(cell.getAttribute('y'))))].sort((a, b) => a - b);
         return {}.map((point) => {{
             const cell = document.querySelector(`[data-point=${{point}}]`);
             return [xs.indexOf(Number(cell.getAttribute('x'))), ys.indexOf(Number(cell.getAttribute('y')))];
         }});",
        json!(points)
    ))
}

/// Points keep their names, and coordinates, stones, marks, the keyboard and the pointer go
/// where they are seen.
#[test]
fn the_board_is_turned_and_mirrored() {
    let Some((browser, _server)) = visit(Window::Desktop) else {
        return;
    };
    begin(&browser, &[PERSONS, ("Size", "8x6")]);
    let corners = ["a1", "h1", "h6", "a6", "b1"];
    let view = |view: &str, wanted: Value| {
        browser.press("Settings");
        browser.fill("Turn the board", view);
        browser.press("Close");
        assert_eq!(places(&browser, &corners), wanted, "{view}");
    };
    view("0", json!([[0, 5], [7, 5], [7, 0], [0, 0], [1, 5]]));
    view("2", json!([[7, 0], [0, 0], [0, 5], [7, 5], [6, 0]]));
    view("4", json!([[7, 5], [0, 5], [0, 0], [7, 0], [6, 5]]));
    view("5", json!([[0, 7], [0, 0], [5, 0], [5, 7], [0, 6]]));
    view("1", json!([[0, 0], [0, 7], [5, 7], [5, 0], [0, 1]]));
    let labels = browser
        .run("return [...document.querySelectorAll('.label')].map(({ textContent }) => textContent).join('')");
    assert_eq!(labels, "123456abcdefgh");
    browser.click("b3");
    stones(&browser, 1);
    let offset = "(() => {
        const of = (name) => document.querySelector(name).getBoundingClientRect();
        const [stone, cell] = [of('.stone .disc'), of('[data-point=b3]')];
        return Math.hypot(stone.left + stone.right - cell.left - cell.right, stone.top + stone.bottom - cell.top - cell.bottom);
    })()";
    browser.wait(&format!("{offset} < 2"));
    assert_eq!(browser.label("b3").1, "b3, black, move 1");
    // To the right is where the rows rise now.
    browser.keys(&['b', RIGHT, UP, ENTER]);
    stones(&browser, 2);
    assert_eq!(browser.label("a4").1, "a4, white, move 2");
    // It is kept, for the next game as well.
    browser.reload();
    stones(&browser, 2);
    assert_eq!(places(&browser, &["a1"]), json!([[0, 0]]));
    browser.press("Settings");
    browser.toggle("Coordinates on four sides");
    browser.wait("document.querySelectorAll('.label').length === 28");
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

#[test]
fn labels_are_put_by_mouse_and_keyboard() {
    let Some((browser, _server)) = visit(Window::Desktop) else {
        return;
    };
    begin(&browser, &[PERSONS]);
    open(&browser, "15 freestyle h8i9");
    stones(&browser, 2);
    let texts = "[...document.querySelectorAll('.numbers text')].map(({ textContent }) => textContent).join('')";
    browser.press("Labels");
    browser.click("h8");
    browser.wait(&format!("{texts} === '△'"));
    assert_eq!(browser.label("h8").1, "h8, black, move 1, △");
    browser.press("Letter");
    browser.click("a1");
    browser.wait(&format!("{texts} === '△A'"));
    browser.keys(&['b', RIGHT, ENTER]);
    browser.wait(&format!("{texts} === '△AB'"));
    assert_eq!(browser.label("b1").1, "b1, empty, B");
    // No stone was put, and a second click takes a label away.
    browser.click("a1");
    browser.wait(&format!("{texts} === '△B'"));
    stones(&browser, 2);
    browser.keys(&['\u{e00c}']);
    browser.wait("document.querySelector('#labels').hidden");
    browser.click("c3");
    stones(&browser, 3);
    browser.press("One move back");
    browser.wait(&format!("{texts} === '△B'"));
    browser.reload();
    browser.wait(&format!("{texts} === '△B'"));
    browser.press("Export");
    browser.wait("/TR\\[hh\\]/.test(document.querySelector('dialog textarea').value)");
    browser.wait("/LB\\[bo:B\\]/.test(document.querySelector('dialog textarea').value)");
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

#[test]
fn branches_remarks_and_threats_are_seen() {
    let Some((browser, _server)) = visit(Window::Desktop) else {
        return;
    };
    open(
        &browser,
        "(;GM[4]SZ[15];B[hh]C[a solid start];W[aa](;B[ih];W[ca];B[jh])(;B[ii]))",
    );
    stones(&browser, 5);
    let list = browser.run(
        "const move = document.querySelector('.move.remarked');
         return getComputedStyle(move, '::after').content.includes('attr') + move.dataset.remark",
    );
    assert_eq!(list, "falsea solid start");
    browser.wait("!document.querySelector('.branch')");
    browser.press("Settings");
    browser.toggle("Show threats");
    browser.press("Close");
    browser.wait("document.querySelectorAll('.threat-stone').length === 3");
    browser
        .wait("document.querySelector('#legend').textContent.includes('4+ Black: open four at ')");
    let top = "return document.querySelector('#actions').getBoundingClientRect().top";
    let before = browser.run(top);
    for left in [4, 3, 2] {
        browser.press("One move back");
        stones(&browser, left);
    }
    browser.wait("document.querySelectorAll('.branch').length === 2");
    assert_eq!(browser.label("j7").1, "j7, empty");
    assert_eq!(browser.label("i7").1, "i7, a variation");
    browser.wait("document.querySelector('#legend').textContent === ''");
    // Threats that go once moved the buttons below.
    assert_eq!(browser.run(top), before);
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

/// The middle of a point in the window.
fn middle(browser: &Browser, point: &str) -> (i64, i64) {
    let place = browser.run(&format!(
        "const at = document.querySelector('[data-point={point}]').getBoundingClientRect();
         return [Math.round(at.left + at.width / 2), Math.round(at.top + at.height / 2)];"
    ));
    (place[0].as_i64().unwrap(), place[1].as_i64().unwrap())
}

#[test]
fn the_secondary_button_draws_arrows_and_circles() {
    let Some((browser, _server)) = visit(Window::Desktop) else {
        return;
    };
    begin(&browser, &[PERSONS]);
    place(&browser, &["h8", "i9"]);
    let mark = |from: &str, to: &str| {
        browser.drag_with(2, middle(&browser, from), middle(&browser, to));
    };
    let arrows = |count: usize| {
        browser.wait(&format!(
            "document.querySelectorAll('.arrow').length === {count}"
        ));
    };
    mark("h8", "k11");
    arrows(1);
    mark("j7", "j7");
    browser.wait("document.querySelector('.written')?.textContent === '○'");
    stones(&browser, 2);
    assert_eq!(browser.label("h8").1, "h8, black, move 1, → k11");
    // They belong to the position, and stay after a reload.
    browser.press("One move back");
    arrows(0);
    browser.press("One move forward");
    arrows(1);
    browser.reload();
    arrows(1);
    browser.press("Export");
    let content = "document.querySelector('dialog textarea').value";
    browser.wait(&format!("{content}.includes('AR[hh:ke]')"));
    browser.wait(&format!("{content}.includes('CR[ji]')"));
    browser.press("Close");
    // By the keyboard there is a tool that takes two points. A second time removes a mark.
    browser.press("Labels");
    browser.press("Arrow");
    browser.click("a1");
    browser.wait("document.querySelector('.hint')");
    browser.keys(&['b', RIGHT, ENTER]);
    arrows(2);
    browser.wait("!document.querySelector('.hint')");
    mark("h8", "k11");
    arrows(1);
    mark("j7", "j7");
    browser.wait("!document.querySelector('.written')");
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

#[test]
fn keys_turn_and_mirror_the_board() {
    let Some((browser, _server)) = visit(Window::Desktop) else {
        return;
    };
    begin(&browser, &[PERSONS]);
    assert_eq!(places(&browser, &["a1"]), json!([[0, 14]]));
    for (key, place) in [('t', [0, 0]), ('t', [14, 0]), ('m', [0, 0]), ('t', [14, 0])] {
        browser.keys(&[key]);
        assert_eq!(places(&browser, &["a1"]), json!([place]), "{key}");
    }
    browser.run(
        "window.full = 0; document.documentElement.requestFullscreen = () => { window.full += 1; }",
    );
    browser.keys(&['f']);
    browser.wait("window.full === 1");
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

/// A finger that rests marks, one that is drawn then draws an arrow, and neither places a stone.
#[test]
fn a_long_press_marks() {
    let Some((browser, _server)) = visit(Window::Phone) else {
        return;
    };
    browser.use_fingers();
    begin(&browser, &[PERSONS]);
    browser.press_long("h8", "h8");
    browser.wait("document.querySelectorAll('.numbers text.written').length === 1");
    browser.press_long("c3", "k10");
    browser.wait("document.querySelectorAll('.numbers .arrow').length === 1");
    assert_eq!(browser.label("c3").1, "c3, empty, → k10");
    stones(&browser, 0);
    let confirmed = "document.querySelector('.asked')";
    browser.wait(&format!("!{confirmed}"));
    browser.tap("i9");
    browser.wait(&format!(
        "{confirmed} || document.querySelectorAll('.stone').length === 1"
    ));
    let scrolled = browser.run("return document.scrollingElement.scrollTop");
    assert_eq!(scrolled, json!(0));
    assert_eq!(browser.complaints(), Vec::<String>::new());
}
