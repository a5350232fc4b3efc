//! Narrow windows and large zooms, and what is drawn for moves that have no point or a long value.

use crate::driver::Window;
use crate::{READY, begin, open, status, stones, visit};
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
    open(&browser, "15 freestyle h8i9g7h9i8j8");
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

/// "#−15" was once wider than its disc.
#[test]
fn long_values_fit_their_discs() {
    let Some((browser, _server)) = visit(Window::Desktop) else {
        return;
    };
    open(&browser, "15 freestyle h8i9g7");
    browser.press("Analyse");
    browser.wait("document.querySelectorAll('.value').length > 0");
    let fits = browser.run(
        "const value = document.querySelector('.value');
         const text = value.querySelector('text');
         const width = (words) => {
             text.textContent = words;
             text.setAttribute('class', words.length > 3 ? 'long' : '');
             return text.getBBox().width;
         };
         return ['#3', '100', '#15', '#−3', '#−15', '#−60'].map(width)
             .map((it) => it < 2 * value.querySelector('circle').r.baseVal.value)",
    );
    assert_eq!(fits, json!([true, true, true, true, true, true]));
}

/// A variation that begins with a pass once was drawn at no place.
#[test]
fn a_variation_of_a_pass_is_not_drawn() {
    let Some((browser, _server)) = visit(Window::Desktop) else {
        return;
    };
    open(
        &browser,
        "(;GM[4]SZ[15]RU[renju];B[hh](;W[ii];B[jj])(;W[];B[gg])(;W[gh]))",
    );
    stones(&browser, 3);
    browser.press("Undo");
    browser.press("Undo");
    stones(&browser, 1);
    browser.wait("document.querySelectorAll('.branch').length === 2");
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

/// A file that names no players is of no one who opens it.
#[test]
fn the_end_of_a_file_is_not_your_win() {
    let Some((browser, _server)) = visit(Window::Desktop) else {
        return;
    };
    begin(&browser, &[("Level", "0")]);
    open(&browser, "(;GM[4]SZ[15]RE[B+R];B[hh];W[ii];B[jj];W[kk])");
    status(&browser, "Black wins");
    assert!(
        browser.run("return !document.getElementById('players').innerText.includes('You')")
            == json!(true)
    );
    for name in ["Resign", "Offer draw"] {
        let off = browser.run(&format!(
            "return [...document.querySelectorAll('#actions button')].find((it) => it.textContent === '{name}').ariaDisabled"
        ));
        assert_eq!(off, json!("true"), "{name}");
    }
    // The buttons step, and the result stays.
    browser.press("Undo");
    stones(&browser, 3);
    browser.press("Redo");
    status(&browser, "Black wins");
    assert_eq!(browser.complaints(), Vec::<String>::new());
}
