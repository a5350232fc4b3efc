//! Themes, forced colours and zoom.

use crate::driver::{Browser, Window};
use crate::{READY, open, stones, visit};
use serde_json::json;

/// The ratio of two colours by the formula of the guidelines for accessible pages.
const CONTRAST: &str = "
    const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
    const light = (color) => {
        canvas.clearRect(0, 0, 1, 1);
        canvas.fillStyle = color;
        canvas.fillRect(0, 0, 1, 1);
        const [red, green, blue] = [...canvas.getImageData(0, 0, 1, 1).data].map((part) => {
            const share = part / 255;
            return share <= 0.03928 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
        });
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
    };
    const contrast = (one, other) => {
        const [more, less] = [light(one), light(other)].sort((a, b) => b - a);
        return (more + 0.05) / (less + 0.05);
    };";

fn choose_theme(browser: &Browser, theme: &str) {
    browser.run(&format!(
        "document.documentElement.dataset.theme = {}",
        json!(theme)
    ));
}

/// The dot on the last stone once had 1.43:1 under high contrast.
#[test]
fn the_last_move_is_seen_in_every_theme() {
    let Some((browser, _server)) = visit(Window::Desktop) else {
        return;
    };
    for moves in ["h8", "h8i9"] {
        open(&browser, &format!("15 freestyle {moves}"));
        stones(&browser, moves.len() / 2);
        for theme in ["light", "dark", "wood", "paper", "contrast"] {
            choose_theme(&browser, theme);
            let ratio = browser.run(&format!(
                "{CONTRAST}
                 const fill = (element) => getComputedStyle(element).fill;
                 const last = document.querySelector('circle.last');
                 const name = last.classList.contains('black') ? 'black' : 'white';
                 const stone = getComputedStyle(document.querySelector(`.${{name}}-dark`)).stopColor;
                 return contrast(fill(last), stone);"
            ));
            assert!(ratio.as_f64() >= Some(3.0), "{moves} in {theme}: {ratio}");
        }
    }
}

/// Where the system forces its colours, what was told by a background alone once was not told.
#[test]
fn forced_colours_hide_nothing() {
    let Some((browser, _server)) = visit(Window::Desktop) else {
        return;
    };
    open(&browser, "15 freestyle h8i9g7");
    stones(&browser, 3);
    browser.press("Analyse");
    browser.wait("document.querySelectorAll('.best-line').length === 3");
    browser.wait("!document.querySelector('#bar.unknown')");
    browser.force_colors();
    let seen = browser.run(&format!(
        "{CONTRAST}
         const style = (name) => getComputedStyle(document.querySelector(name));
         const page = getComputedStyle(document.body).backgroundColor;
         return {{
             forced: matchMedia('(forced-colors: active)').matches,
             current: contrast(style('.move[aria-current]').backgroundColor, page),
             pressed: contrast(style('[data-name=analyse]').backgroundColor, page),
             player: style('.player.active').outlineStyle,
             dots: contrast(style('.dot.black').backgroundColor, style('.dot.white').backgroundColor),
             bar: contrast(style('#bar').backgroundColor, style('#bar-black').backgroundColor),
             stones: contrast(style('.black-dark').stopColor, style('.white-dark').stopColor),
         }};"
    ));
    assert_eq!(seen["forced"], json!(true));
    assert_eq!(seen["player"], json!("solid"));
    for part in ["current", "pressed", "dots", "bar", "stones"] {
        assert!(seen[part].as_f64() >= Some(3.0), "{part}: {seen}");
    }
}

/// A black frame once stayed around the column that was clicked.
#[test]
fn a_column_that_was_clicked_has_no_frame() {
    let Some((browser, server)) = visit(Window::Desktop) else {
        return;
    };
    browser.go(&format!("{}gravity.html", server.url()));
    browser.wait(READY);
    browser.click_on("[data-column='3']");
    browser.wait("document.querySelectorAll('.disc').length >= 1");
    let frame = browser.run(
        "const { outlineStyle, stroke } = getComputedStyle(document.querySelector(\"[data-column='3']\"));
         return [outlineStyle, stroke];",
    );
    assert_eq!(frame, json!(["none", "none"]));
}

/// At 200 % of 1280 by 800 the board once had 208 points of the page, and 707 without zoom.
#[test]
fn zooming_enlarges_the_board() {
    let Some((browser, _server)) = visit(Window::Desktop) else {
        return;
    };
    let width = |zoom: f64| {
        browser.resize((1280.0 / zoom) as u32, (800.0 / zoom) as u32);
        let width =
            browser.run("return document.querySelector('svg.board').getBoundingClientRect().width");
        width.as_f64().unwrap() * zoom
    };
    let widths = [1.0, 1.25, 1.5, 1.75, 2.0].map(width);
    assert!(widths[0] > 650.0, "{widths:?}");
    for wider in &widths[1..] {
        assert!(*wider >= widths[0] * 0.95, "{widths:?}");
    }
    assert!(widths[4] > 1.5 * widths[0], "{widths:?}");
}
