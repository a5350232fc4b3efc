//! Windows of all sizes, from 320 pixels on.

use crate::driver::Window;
use crate::{PERSONS, READY, begin, open, open_on_phone, stones, visit};
use serde_json::json;

/// 320 pixels are a small phone, or a window of 1280 pixels at a zoom of 400 %.
#[test]
fn pages_fit_320_pixels() {
    let Some((browser, server)) = visit(Window::Desktop) else {
        return;
    };
    for page in ["", "training.html", "gravity.html"] {
        for language in ["en", "ru", "vi", "ja"] {
            browser.resize(320, 640);
            browser.go(&format!("{}{page}?lang={language}", server.url()));
            browser.wait(READY);
            for (width, height) in [(390, 844), (320, 640), (320, 256), (360, 180)] {
                browser.resize(width, height);
                let wide = browser.run("return document.documentElement.scrollWidth - innerWidth");
                assert!(
                    wide.as_i64() <= Some(0),
                    "{page} {language} {width}x{height}: {wide}"
                );
            }
        }
    }
    browser.resize(320, 640);
    browser.go(&format!("{}?lang=en", server.url()));
    browser.wait(READY);
    browser.picture("board-320");
    // With all that an analysis shows, and in every window.
    open_on_phone(&browser, "15 freestyle h8i9g7h9i8j8");
    browser.press("Analysis");
    browser.press("Analyse");
    browser.wait("document.querySelectorAll('.best-line').length > 0");
    let buttons = browser
        .run("return [...document.querySelectorAll('#menu button')].map((it) => it.dataset.name)");
    for name in buttons.as_array().unwrap() {
        let name = name.as_str().unwrap();
        if name == "setup" {
            continue;
        }
        browser.run(&format!(
            "document.querySelector('#menu [data-name={name}]').click()"
        ));
        browser.wait("document.querySelector('dialog')");
        let wide = "return [document.documentElement, document.querySelector('dialog')]\
                    .map((it) => it.scrollWidth - it.clientWidth)";
        assert_eq!(browser.run(wide), json!([0, 0]), "{name}");
        browser.run("document.querySelector('dialog').close()");
        browser.wait("!document.querySelector('dialog')");
    }
}

fn whole_board_fits(has_fingers: bool, sizes: &[(u32, u32)]) {
    let Some((browser, server)) = visit(Window::Desktop) else {
        return;
    };
    if has_fingers {
        browser.use_fingers();
    }
    for &(width, height) in sizes {
        browser.resize(width, height);
        for page in ["", "gravity.html", "training.html"] {
            browser.go(&format!("{}{page}", server.url()));
            browser.wait("document.querySelectorAll('[role=gridcell]').length > 0");
            let seen = browser.run(
                "const { top, bottom, width } = document.querySelector('svg.board').getBoundingClientRect();
                 const wide = document.documentElement.scrollWidth > innerWidth;
                 return [top >= 0 && bottom <= innerHeight, width > innerHeight / 2, wide];",
            );
            assert_eq!(seen, json!([true, true, false]), "{width}x{height} {page}");
        }
    }
}

/// Of a phone held sideways the board once showed its top third.
#[test]
fn the_whole_board_fits_a_low_window() {
    // Phones on their side, and low windows of a desktop.
    whole_board_fits(true, &[(812, 375), (740, 360), (640, 360)]);
    whole_board_fits(false, &[(1280, 500), (800, 600)]);
}

/// What the page says once covered its buttons for four seconds.
#[test]
fn messages_cover_no_button() {
    for window in [Window::Desktop, Window::Phone] {
        let Some((browser, _server)) = visit(window) else {
            return;
        };
        browser.run("location.hash = 'nonsense'");
        browser.wait("!document.querySelector('#alert').hidden");
        let seen = browser.run(
            "const header = document.querySelector('header').getBoundingClientRect();
             const said = document.querySelector('#alert').getBoundingClientRect();
             const under = document.elementFromPoint(said.left + said.width / 2, said.top + 5);
             return [said.top > header.bottom, said.bottom <= innerHeight, said.left >= 0, under?.id !== 'alert'];",
        );
        assert_eq!(seen, json!([true, true, true, true]));
    }
}

/// What is looked at together is in sight together, in windows of all sizes.
#[test]
fn the_panel_has_room_for_all_of_it() {
    let Some((browser, _server)) = visit(Window::Desktop) else {
        return;
    };
    open(&browser, "15 freestyle h8i9g7i10i11h9");
    stones(&browser, 6);
    browser.press("Analyse");
    browser.wait("document.querySelectorAll('.best-line').length === 3");
    for (width, height) in [(1280, 800), (900, 700), (3840, 2160)] {
        browser.resize(width, height);
        for part in [
            ".best-line",
            "#game .moves",
            "#game textarea",
            "[data-name=last]",
        ] {
            let seen = browser.run(&format!(
                "const part = document.querySelector('{part}').getBoundingClientRect();
                 const panel = document.querySelector('#panel').getBoundingClientRect();
                 const isLine = '{part}' === '.best-line';
                 return [part.bottom - (isLine ? panel.bottom : innerHeight), part.top, part.height > 20];"
            ));
            assert!(
                seen[0].as_f64() <= Some(0.0) && seen[1].as_f64() > Some(0.0) && seen[2] == true,
                "{part} of {width}x{height}: {seen}"
            );
        }
    }
    browser.resize(360, 740);
    let seen = browser.run(
        "const of = (name) => document.querySelector(name).getBoundingClientRect();
         return [of('header').height, of('.best-line').bottom, of('svg.board').width,
             document.documentElement.scrollWidth];",
    );
    assert!(seen[0].as_f64() < Some(60.0), "one row: {seen}");
    assert!(seen[1].as_f64() <= Some(740.0), "the first line: {seen}");
    assert!(seen[2].as_f64() >= Some(340.0), "the board: {seen}");
    assert_eq!(seen[3], 360);
    // The bar stands beside boards that are high or wide.
    for size in ["13x19", "5x22", "22x5"] {
        browser.resize(1280, 800);
        begin(&browser, &[PERSONS, ("Size", size)]);
        let seen = browser.run(
            "const bar = document.querySelector('#bar').getBoundingClientRect();
             const plate = document.querySelector('.plate').getBoundingClientRect();
             return [plate.left - bar.right, Math.abs(plate.height - bar.height), plate.bottom];",
        );
        assert!(seen[0].as_f64() < Some(20.0), "{size}: {seen}");
        assert!(seen[1].as_f64() < Some(20.0), "{size}: {seen}");
        assert!(seen[2].as_f64() <= Some(800.0), "{size}: {seen}");
    }
    assert_eq!(browser.complaints(), Vec::<String>::new());
}
