//! The frame around the board: in windows of all sizes what is asked for has the room, what a person
//! does has its controls and no others, and nothing that arrives covers or moves them.

use crate::driver::{Browser, Window};
use crate::{PERSONS, begin, begin_swap2, open, stones, visit};
use serde_json::{Value, json};

/// The windows that the frame is measured in, with the rows that are whole at least: lines of an
/// analysis, mistakes of a review; and the least side of the board.
const SIZES: [((u32, u32), u64, u64, f64); 6] = [
    ((1366, 768), 8, 7, 688.0),
    ((1280, 720), 7, 6, 640.0),
    ((1024, 768), 5, 5, 651.0),
    ((1920, 1080), 8, 8, 1000.0),
    ((2560, 1440), 8, 8, 1360.0),
    ((390, 844), 4, 4, 374.0),
];

/// Counts the first eight elements of a selector that are seen from top to bottom.
fn whole_rows(browser: &Browser, selector: &str) -> u64 {
    let script = format!(
        "const clips = (it) => getComputedStyle(it).overflowY !== 'visible';
         const isWhole = (row) => {{
             const {{ top, bottom, height }} = row.getBoundingClientRect();
             let frames = [{{ top: 0, bottom: innerHeight }}];
             for (let it = row.parentElement; it; it = it.parentElement) {{
                 if (clips(it) && it !== document.body) frames.push(it.getBoundingClientRect());
             }}
             return height > 0 && frames.every((it) => top >= it.top - 1 && bottom <= it.bottom + 1);
         }};
         return [...document.querySelectorAll({})].slice(0, 8).filter(isWhole).length;",
        json!(selector)
    );
    browser.run(&script).as_u64().unwrap()
}

/// The side of the board, and whether the window scrolls in any direction.
fn board(browser: &Browser) -> (f64, bool) {
    let seen = browser.run(
        "const { width, height } = document.querySelector('svg.board').getBoundingClientRect();
         const { scrollWidth, scrollHeight } = document.documentElement;
         return [Math.min(width, height), scrollWidth > innerWidth || scrollHeight > innerHeight];",
    );
    (seen[0].as_f64().unwrap(), seen[1] == json!(true))
}

/// Of eight lines one was whole at 1366 by 768, and none at 1024 by 768.
#[test]
fn eight_lines_have_room() {
    let Some((browser, _server)) = visit(Window::Desktop) else {
        return;
    };
    open(&browser, "15 freestyle h8i9g7i7h9h7g8i10");
    stones(&browser, 8);
    browser.press("Analyse");
    browser.fill("Lines", "8");
    browser.wait("document.querySelectorAll('.best-line').length === 8");
    for ((width, height), lines, _, least) in SIZES {
        browser.resize(width, height);
        browser.picture(&format!("lines-{width}"));
        let whole = whole_rows(&browser, ".best-line");
        assert!(whole >= lines, "{width}x{height}: {whole} lines");
        let (side, scrolls) = board(&browser);
        assert!(
            side >= least && !scrolls,
            "{width}x{height}: {side} {scrolls}"
        );
    }
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

/// Of eight mistakes none was whole in four of the six windows.
#[test]
fn eight_mistakes_have_room() {
    let Some((browser, _server)) = visit(Window::Desktop) else {
        return;
    };
    open(
        &browser,
        "9 freestyle a5i1b5i9c5g1d5i4i5e1h2e9g8c1b2c9h8a9f2g3d8",
    );
    stones(&browser, 21);
    browser.press("Review");
    browser.press("Review this game");
    // They come one by one, and the accuracy when the review is done: each has its patience.
    browser.wait("document.querySelectorAll('#review li').length >= 8");
    browser.wait(
        "document.querySelector('#review strong')?.textContent.startsWith('Accuracy: Black')",
    );
    for ((width, height), _, mistakes, _) in SIZES {
        browser.resize(width, height);
        browser.picture(&format!("mistakes-{width}"));
        let whole = whole_rows(&browser, "#review li");
        assert!(whole >= mistakes, "{width}x{height}: {whole} mistakes");
    }
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

/// The buttons that can be seen, by name.
fn buttons(browser: &Browser) -> Vec<String> {
    let seen = browser.run(
        "return [...document.querySelectorAll('#side button, #engine button')]
             .filter((it) => it.checkVisibility()).map((it) => it.dataset.name ?? it.textContent)",
    );
    serde_json::from_value(seen).unwrap()
}

/// A player sees nothing of an analysis, and resigning is for players.
#[test]
fn a_person_does_one_thing_at_a_time() {
    let Some((browser, _server)) = visit(Window::Desktop) else {
        return;
    };
    browser.resize(1366, 768);
    begin(&browser, &[PERSONS]);
    browser.click("h8");
    stones(&browser, 1);
    let playing = ["undo", "redo", "hint", "resign", "draw", "analyse"];
    assert_eq!(buttons(&browser), playing);
    browser.press("Analyse");
    browser.wait("document.querySelectorAll('.best-line').length === 3");
    assert_eq!(buttons(&browser), ["undo", "redo", "analyse"]);
    browser.press("Analyse");
    browser.wait("document.querySelector('#analysis').hidden");
    assert_eq!(buttons(&browser), playing);
    // An opening asks, and there is nothing else until it is answered.
    begin_swap2(&browser);
    browser.wait("document.querySelector('#question .main')");
    let answers = ["Take black", "Take white", "Place two more stones"];
    assert_eq!(buttons(&browser), answers);
    browser.press("Take black");
    browser.wait("document.querySelector('#question').hidden");
    assert_eq!(buttons(&browser), playing);
    browser.press("Set up");
    browser.wait("document.body.dataset.mode === 'setup'");
    assert!(!buttons(&browser).contains(&"undo".to_owned()));
    browser.press("Cancel");
    browser.wait("document.querySelector('#question').hidden");
    assert_eq!(buttons(&browser), playing);
}

/// Fewer buttons once had lower rows: the switch of the engine moved away below the pointer. In
/// Russian long words made the game scroll sideways.
#[test]
fn the_engine_is_switched_on_where_it_is_switched_off() {
    let Some((browser, server)) = visit(Window::Desktop) else {
        return;
    };
    let seen = "return [...document.querySelectorAll('#engine [data-name=analyse], #actions :is([data-name=undo], [data-name=redo])')]
         .map((it) => JSON.stringify(it.getBoundingClientRect()))";
    for language in ["en", "ru", "ja"] {
        browser.go(&format!("{}?lang={language}#15/renju/h8i9g7", server.url()));
        stones(&browser, 3);
        for ((width, height), ..) in &SIZES[..5] {
            browser.resize(*width, *height);
            let side = "return [...document.querySelectorAll('#side, #study, #actions button')]
                 .filter((it) => it.scrollWidth > it.clientWidth + 1).map((it) => it.outerHTML)";
            assert_eq!(browser.run(side), json!([]), "{language} {width}x{height}");
            let before = browser.run(seen);
            browser.keys(&['a']);
            browser.wait("document.body.dataset.mode === 'studying'");
            assert_eq!(browser.run(seen), before, "{language} {width}x{height}");
            browser.keys(&['a']);
            browser.wait("document.body.dataset.mode === 'playing'");
        }
    }
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

/// Alerts once lay over the players.
#[test]
fn alerts_cover_neither_players_nor_controls() {
    let Some((browser, _server)) = visit(Window::Desktop) else {
        return;
    };
    browser.run("location.hash = '15/freestyle/h8i9g7'");
    stones(&browser, 3);
    for (size, ..) in SIZES {
        let (width, height) = size;
        browser.resize(width, height);
        for text in ["15 freestyle h8", "15 renju h8i9"] {
            browser.run(&format!(
                "location.hash = {}",
                json!(text.replace(' ', "/"))
            ));
            browser.wait("document.querySelector('#alert button')");
            let covered = browser.run(
                "const said = document.querySelector('#alert').getBoundingClientRect();
                 const parts = '.player, #status, #actions button, #tabs button, #engine button, .steps button';
                 return [...document.querySelectorAll(parts)].filter((it) => it.checkVisibility()).filter((it) => {
                     const { left, right, top, bottom } = it.getBoundingClientRect();
                     return said.left < right - 1 && said.right > left + 1 && said.top < bottom - 1 && said.bottom > top + 1;
                 }).map((it) => it.outerHTML)",
            );
            assert_eq!(covered, json!([]), "{width}x{height}");
        }
    }
}

/// The board of a phone stays in sight whatever is looked at below it.
#[test]
fn a_phone_has_one_row_of_tabs_below_its_board() {
    let Some((browser, _server)) = visit(Window::Phone) else {
        return;
    };
    let place =
        "return JSON.stringify(document.querySelector('svg.board').getBoundingClientRect())";
    let before = browser.run(place);
    for (tab, part) in [
        ("Analysis", "[data-name=analyse]"),
        ("Review", "[data-name=begin]"),
        ("Moves", "#record textarea"),
        ("More", "[data-name=settings]"),
        ("Play", "[data-name=resign]"),
    ] {
        browser.press(tab);
        browser.wait(&format!(
            "document.querySelector('{part}').checkVisibility()"
        ));
        let seen = browser.run(&format!(
            "const {{ top, bottom }} = document.querySelector('{part}').getBoundingClientRect();
             const steps = document.querySelector('.steps').getBoundingClientRect();
             return [top > 0 && bottom <= steps.top, steps.bottom <= innerHeight, scrollY];"
        ));
        assert_eq!(seen, json!([true, true, 0]), "{tab}");
        assert_eq!(browser.run(place), before, "{tab}");
    }
    // The keyboard goes from tab to tab.
    browser.run("document.querySelector('#tabs [aria-selected=true]').focus()");
    browser.keys(&['\u{e014}']);
    browser.wait("document.activeElement.textContent === 'Analysis'");
    browser.wait("document.querySelector('[data-name=analyse]').checkVisibility()");
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

/// The study is made wider by keys and by the mouse, and stays so.
#[test]
fn the_study_is_resized() {
    let Some((browser, _server)) = visit(Window::Desktop) else {
        return;
    };
    browser.resize(1920, 1080);
    let width = || {
        let width = browser.run("return document.querySelector('#study').offsetWidth");
        width.as_f64().unwrap()
    };
    let before = width();
    browser.run("document.querySelector('#split').focus()");
    browser.keys(&['\u{e012}', '\u{e012}']);
    let wider = width();
    assert!(wider > before + 20.0, "{before} {wider}");
    let middle: Value = browser.run(
        "const { left, right, top, bottom } = document.querySelector('#split').getBoundingClientRect();
         return [Math.round((left + right) / 2), Math.round((top + bottom) / 2)]",
    );
    let (x, y) = (middle[0].as_i64().unwrap(), middle[1].as_i64().unwrap());
    browser.drag((x, y), (x - 60, y));
    let widest = width();
    assert!(widest > wider + 40.0, "{wider} {widest}");
    browser.reload();
    browser.wait(crate::READY);
    assert!((width() - widest).abs() < 2.0);
    assert_eq!(browser.complaints(), Vec::<String>::new());
}
