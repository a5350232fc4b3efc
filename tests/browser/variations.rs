//! The graph of a game's variations beside its moves.

use crate::driver::{Browser, Window};
use crate::{PERSONS, begin, open, open_on_phone, stones, visit};
use serde_json::json;

/// A main line of six moves, with variations of the second, the third and, in it, the fourth.
const GAME: &str = "(;GM[4]SZ[15];B[hh](;W[ii](;B[gg];W[ff];B[ee];W[dd])(;B[jj](;W[kk])(;W[ll];B[mm])))(;W[ih];B[jh]))";

const UP: char = '\u{e013}';
const DOWN: char = '\u{e015}';
const RIGHT: char = '\u{e014}';
const ENTER: char = '\u{e007}';

/// The nodes in the document, each with its column and row.
fn nodes(browser: &Browser) -> Vec<String> {
    let nodes = browser.run(
        "return [...document.querySelectorAll('.graph .node')].map((it) => {
             const circle = it.querySelector('circle');
             const [x, y] = ['cx', 'cy'].map((name) => (circle.getAttribute(name) - 11) / 22);
             return `${it.ariaLabel} ${x} ${y}`;
         })",
    );
    serde_json::from_value(nodes).unwrap()
}

/// Waits until this node is the present one, and in sight.
fn present(browser: &Browser, label: &str) {
    browser.wait(&format!(
        "(() => {{
            const graph = document.querySelector('.graph');
            const node = document.getElementById(graph.getAttribute('aria-activedescendant'));
            const {{ top, bottom, left, right }} = node.getBoundingClientRect();
            const view = graph.getBoundingClientRect();
            return node.ariaLabel === {} && node.getAttribute('aria-selected') === 'true'
                && top >= view.top && bottom <= view.bottom && left >= view.left && right <= view.right;
        }})()",
        json!(label)
    ));
}

/// Waits until so many nodes are drawn: those out of sight go with the next frame.
fn drawn(browser: &Browser, count: usize) {
    browser.wait(&format!(
        "document.querySelectorAll('.graph .node').length === {count}"
    ));
}

#[test]
fn variations_are_drawn_beside_the_moves() {
    let Some((browser, _server)) = visit(Window::Desktop) else {
        return;
    };
    begin(&browser, &[PERSONS]);
    open(&browser, "15 freestyle h8i9g7");
    stones(&browser, 3);
    browser.wait("!document.querySelector('.graph').checkVisibility()");
    open(&browser, GAME);
    stones(&browser, 6);
    assert_eq!(
        nodes(&browser),
        [
            "Start 0 0",
            "1. h8 Black 0 1",
            "2. i7 White 0 2",
            "2. i8 White 2 2",
            "3. g9 Black 0 3",
            "3. j6 Black 1 3",
            "3. j8 Black 2 3",
            "4. f10 White 0 4",
            "4. k5 White 1 4",
            "4. l4 White 2 4",
            "5. e11 Black 0 5",
            "5. m3 Black 2 5",
            "6. d12 White 0 6",
        ]
    );
    present(&browser, "6. d12 White");
    for (width, height) in [(1366, 768), (1024, 768), (390, 844)] {
        browser.resize(width, height);
        if width == 390 {
            browser.press("Moves");
        }
        present(&browser, "6. d12 White");
        browser.picture(&format!("variations-{width}"));
        let wide = browser.run("return document.documentElement.scrollWidth > innerWidth");
        assert_eq!(wide, json!(false), "{width}");
    }
    browser.resize(1366, 768);
    browser.click_on(".graph [aria-label='5. m3 Black']");
    stones(&browser, 5);
    present(&browser, "5. m3 Black");
    let path = "return document.querySelectorAll('.graph .edge.path').length";
    assert_eq!(browser.run(path), json!(5));
    // The arrows lead where they point to.
    browser.run("document.querySelector('.graph').focus()");
    browser.keys(&[UP, UP]);
    present(&browser, "3. j6 Black");
    browser.keys(&[UP]);
    present(&browser, "2. i7 White");
    browser.keys(&[RIGHT]);
    present(&browser, "2. i8 White");
    browser.keys(&[DOWN]);
    present(&browser, "3. j8 Black");
    // A position with several moves hides all but the first of them.
    browser.click_on(".graph [aria-label='2. i7 White']");
    present(&browser, "2. i7 White");
    browser.keys(&[ENTER]);
    let expanded = |is: bool| {
        format!(
            "document.querySelector('.graph [aria-label=\"2. i7 White\"]').getAttribute('aria-expanded') === '{is}'"
        )
    };
    browser.wait(&expanded(false));
    drawn(&browser, 9);
    assert!(nodes(&browser).contains(&"2. i8 White 1 2".to_owned()));
    // It stays so while the game changes elsewhere, and is shown when a move leads there.
    browser.press("Last position");
    browser.click("c3");
    present(&browser, "7. c3 Black");
    browser.wait(&expanded(false));
    browser.run("[...document.querySelectorAll('.moves .move')].find((it) => it.textContent === '4. l4').click()");
    present(&browser, "4. l4 White");
    browser.wait(&expanded(true));
    // The sign between the lanes hides them too: the position that they start from is shown.
    browser.click_on(".graph .fold:nth-last-child(2)");
    present(&browser, "2. i7 White");
    drawn(&browser, 10);
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

#[test]
fn the_graph_of_a_large_file_draws_what_is_seen() {
    let Some((browser, _server)) = visit(Window::Phone) else {
        return;
    };
    // Lines of a stone and 199 passes.
    let passes = ";W[];B[]".repeat(100);
    let passes = &passes[..passes.len() - 4];
    let points = ('a'..='o').flat_map(|x| ('a'..='o').map(move |y| [x, y]));
    let lines = points
        .take(99)
        .map(|[x, y]| format!("(;B[{x}{y}]{passes})"));
    let text = format!("(;GM[4]SZ[15]{})", lines.collect::<String>());
    open_on_phone(&browser, &text);
    // To find a button by its name among so many takes too long.
    browser.run("document.querySelector('[data-name=\"tab moves\"]').click()");
    browser.wait("document.querySelectorAll('.moves .move').length > 19000");
    browser.wait("document.querySelectorAll('.graph .node').length > 10");
    let drawn = "return document.querySelectorAll('.graph .node').length";
    let seen = browser.run(drawn).as_u64().unwrap();
    assert!(seen < 400, "{seen}");
    browser.run("document.querySelector('.graph').scrollTo(22 * 50, 22 * 100)");
    browser.wait("document.querySelector('.graph .node[aria-label^=\"100. \"]')");
    let seen = browser.run(drawn).as_u64().unwrap();
    assert!(seen < 400, "{seen}");
    browser.picture("variations-large");
    assert_eq!(browser.complaints(), Vec::<String>::new());
}
