//! What the page costs and how quickly it answers, in a real browser. What measures times
//! is left out unless it is asked for, on a machine that does nothing else:
//!
//! `QUINCUNX_BROWSER=required cargo test --release --test browser -- --ignored --nocapture --test-threads 1`

#![allow(clippy::print_stdout)]

use crate::driver::{Browser, Window};
use crate::{PERSONS, READY, begin, place, stones, visit};
use serde_json::json;
use std::time::Duration;

/// All that is transferred for the page, in the language with the most bytes.
#[test]
fn everything_transferred_is_small() {
    let Some((browser, server)) = visit(Window::Desktop) else {
        return;
    };
    for language in ["en", "ru", "ja"] {
        browser.forget_files();
        browser.go(&format!("{}?lang={language}", server.url()));
        browser.wait(READY);
        let bytes = browser.run(
            "return [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')]\
             .reduce((sum, entry) => sum + entry.transferSize, 0)",
        );
        let bytes = bytes.as_u64().unwrap();
        println!("{language}: {bytes} bytes");
        assert!((20_000..150_000).contains(&bytes), "{bytes}");
    }
}

/// The search of a page that the browser has left ends soon.
#[cfg(target_os = "linux")]
#[test]
fn a_search_ends_when_its_page_is_closed() {
    let Some((browser, server)) = visit(Window::Desktop) else {
        return;
    };
    begin(&browser, &[PERSONS]);
    browser.click("h8");
    browser.press("Analyse");
    browser.wait("document.querySelectorAll('.value').length === 3");
    browser.go("about:blank");
    server.rests();
    // On the way back the analysis is gone and the game is there.
    browser.back();
    browser.wait(READY);
    stones(&browser, 1);
}

/// Counts the frames that the page draws, as `window.frames_drawn`.
fn count_frames(browser: &Browser) {
    browser.run(
        "window.frames_drawn = 0;\
         const count = () => { window.frames_drawn += 1; requestAnimationFrame(count); };\
         requestAnimationFrame(count)",
    );
}

fn frames(browser: &Browser) -> f64 {
    let frames = browser.run("return [window.frames_drawn, performance.now()]");
    frames[0].as_f64().unwrap()
}

/// The page is drawn and answers while the engine thinks for a long time.
#[test]
fn a_thinking_engine_does_not_block_the_page() {
    let Some((browser, _server)) = visit(Window::Desktop) else {
        return;
    };
    let long = r#"{"game_ms":1800000,"increment_ms":0}"#;
    begin(&browser, &[("Level", "100"), ("Time", long)]);
    browser.click("h8");
    browser.wait("document.querySelector('.spinner')");
    count_frames(&browser);
    browser.press("Settings");
    browser.wait("document.querySelector('dialog')");
    browser.press("Close");
    let before = frames(&browser);
    browser.wait(&format!("window.frames_drawn > {before} + 10"));
    assert_eq!(
        browser.run("return document.querySelector('.spinner') !== null"),
        json!(true)
    );
    browser.press("Undo");
    stones(&browser, 0);
}

/// Frames a second while eight lines are updated.
#[test]
#[ignore = "measures times"]
fn eight_lines_at_sixty_frames_a_second() {
    let Some((browser, _server)) = visit(Window::Desktop) else {
        return;
    };
    begin(&browser, &[PERSONS]);
    place(&browser, &["h8", "i9", "i7", "g8"]);
    browser.press("Analyse");
    browser.fill("Lines", "8");
    browser.wait("document.querySelectorAll('.best-line').length === 8");
    count_frames(&browser);
    browser.run(
        "window.updates = 0;\
         new MutationObserver(() => { window.updates += 1; })\
         .observe(document.getElementById('analysis'), { childList: true, characterData: true, subtree: true })",
    );
    let before = frames(&browser);
    let seconds = 10;
    std::thread::sleep(Duration::from_secs(seconds));
    let drawn = (frames(&browser) - before) / seconds as f64;
    let updates = browser.run("return window.updates").as_f64().unwrap() / seconds as f64;
    println!("{drawn:.1} frames a second, {updates:.1} updates a second");
    assert!(drawn >= 58.0 && updates > 0.0);
}

/// From a click to the first value on the board, and from another to the last one gone.
#[test]
#[ignore = "measures times"]
fn analysis_starts_follows_and_stops_within_50_ms() {
    let Some((browser, _server)) = visit(Window::Desktop) else {
        return;
    };
    begin(&browser, &[PERSONS]);
    // Waits in the page: the driver would add its own time.
    browser.run(
        "window.times = { start: [], follow: [], stop: [] };\
         const analyse = () => document.querySelector('[data-name=analyse]');\
         const shown = () => document.querySelector('.value') !== null;\
         const until = (wanted) => new Promise((done) => {\
           const look = () => { if (wanted()) { observer.disconnect(); done(); } };\
           const observer = new MutationObserver(look);\
           observer.observe(document.querySelector('svg.board'), { childList: true, subtree: true });\
           look();\
         });\
         const timed = async (name, act, wanted) => {\
           const began = performance.now();\
           act();\
           await until(wanted);\
           window.times[name].push(performance.now() - began);\
           await new Promise((done) => setTimeout(done, 200));\
         };\
         const click = (point) => document.querySelector(`[data-point=${point}]`)\
           .dispatchEvent(new MouseEvent('click', { bubbles: true }));\
         (async () => {\
           for (const point of ['h8', 'i9', 'i7', 'g8', 'g9', 'h7', 'j8', 'f8', 'h10', 'k9']) {\
             await timed('start', () => analyse().click(), shown);\
             const stones = document.querySelectorAll('.stone').length;\
             const moved = () => document.querySelectorAll('.stone').length > stones;\
             await timed('follow', () => click(point), () => moved() && shown());\
             await timed('stop', () => analyse().click(), () => !shown());\
           }\
           window.finished = true;\
         })()",
    );
    browser.wait("window.finished");
    for name in ["start", "follow", "stop"] {
        let times = browser.run(&format!("return window.times.{name}.sort((a, b) => a - b)"));
        let times: Vec<f64> = times
            .as_array()
            .unwrap()
            .iter()
            .filter_map(|it| it.as_f64())
            .collect();
        let (median, longest) = (times[times.len() / 2], times[times.len() - 1]);
        println!(
            "{name}: median {median:.1} ms, longest {longest:.1} ms of {}",
            times.len()
        );
        assert!(median < 50.0, "{name}");
    }
}

/// From the request to the first board.
#[test]
#[ignore = "measures times"]
fn the_first_board_within_200_ms() {
    let Some((browser, _server)) = visit(Window::Desktop) else {
        return;
    };
    let mut times: Vec<f64> = (0..10)
        .map(|_| {
            browser.reload();
            browser.wait("performance.getEntriesByName('board').length > 0");
            let time = browser.run("return performance.getEntriesByName('board')[0].startTime");
            time.as_f64().unwrap()
        })
        .collect();
    times.sort_by(f64::total_cmp);
    println!(
        "median {:.0} ms, longest {:.0} ms of {}",
        times[5],
        times[9],
        times.len()
    );
    assert!(times[5] < 200.0);
}

/// A game of 19,952 positions: how long it takes to open, and to step through.
#[test]
#[ignore = "measures times"]
fn twenty_thousand_positions_open_in_two_seconds() {
    let Some((browser, _server)) = visit(Window::Desktop) else {
        return;
    };
    browser.press("Open");
    browser.run(
        "const points = [...Array(400).keys()].slice(1)
             .map((i) => String.fromCharCode(97 + i % 20, 97 + Math.floor(i / 20)));
         const replies = (taken) => points.filter((point) => point !== taken).slice(0, 56)
             .map((point) => `(;B[${point}])`).join('');
         const text = '(;GM[4]SZ[20];B[aa]'
             + points.slice(0, 350).map((point) => `(;W[${point}]${replies(point)})`).join('') + ')';
         document.querySelector('dialog textarea').value = text;
         const current = () => document.querySelector('.move[aria-current]');
         const until = (wanted) => new Promise((done) => {
             const look = () => { if (wanted()) { observer.disconnect(); done(); } };
             const observer = new MutationObserver(look);
             observer.observe(document.body, { childList: true, subtree: true, attributes: true });
             look();
         });
         (async () => {
             const began = performance.now();
             document.querySelector('dialog .main').click();
             await until(() => document.querySelectorAll('.move').length === 19952);
             await until(() => document.querySelectorAll('.stone').length === 3);
             window.opened = performance.now() - began;
             window.steps = [];
             for (const key of ['ArrowLeft', 'ArrowDown', 'ArrowRight', 'ArrowDown', 'Home', 'End']) {
                 await new Promise((done) => setTimeout(done, 300));
                 const before = current();
                 const at = performance.now();
                 document.body.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }));
                 await until(() => current() !== before);
                 window.steps.push(performance.now() - at);
             }
             window.finished = true;
         })();",
    );
    browser.wait("window.finished");
    let opened = browser.run("return window.opened").as_f64().unwrap();
    let steps = browser.run("return window.steps.sort((a, b) => a - b)");
    let steps: Vec<f64> = (steps.as_array().unwrap().iter())
        .filter_map(serde_json::Value::as_f64)
        .collect();
    let longest = steps[steps.len() - 1];
    println!(
        "opened in {opened:.0} ms; steps: median {:.0} ms, longest {longest:.0} ms of {}",
        steps[steps.len() / 2],
        steps.len()
    );
    assert!(opened < 2000.0 && longest < 50.0);
}
