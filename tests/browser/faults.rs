//! Faults that were once reported of the page, one test each, where no other test has them.

use crate::driver::{Browser, Window, is_installed};
use crate::{BoardServer, PERSONS, READY, begin, open, status, stones, visit};
use serde_json::json;

/// Four in a row once was silent after its program had gone for the second time.
#[test]
fn four_in_a_row_says_that_its_program_is_gone() {
    let Some((browser, server)) = visit(Window::Desktop) else {
        return;
    };
    let (_, port) = server.address.split_once(':').unwrap();
    let port = port.to_owned();
    browser.go(&format!("{}gravity.html", server.url()));
    browser.wait(READY);
    browser.press("Analyse");
    browser.wait("document.querySelectorAll('.value.chance').length === 7");
    let said = "document.getElementById('alert').textContent";
    drop(server);
    browser.wait(&format!("{said}.includes('does not answer')"));
    browser.run("document.querySelector('.value').textContent = 'before'");
    let server = BoardServer::start_with_port(&port);
    browser.wait("document.getElementById('alert').hidden");
    // The analysis goes on.
    browser.wait(
        "document.querySelector('.value').textContent !== 'before' && document.querySelectorAll('.value.chance').length === 7",
    );
    drop(server);
    browser.wait(&format!("{said}.includes('does not answer')"));
}

/// An analysis once ended with the connection.
#[test]
fn an_analysis_goes_on_when_the_program_is_back() {
    let Some((browser, server)) = visit(Window::Desktop) else {
        return;
    };
    let (_, port) = server.address.split_once(':').unwrap();
    let port = port.to_owned();
    open(&browser, "15 freestyle h8i9g7");
    stones(&browser, 3);
    browser.press("Analyse");
    browser.fill("Lines", "2");
    browser.wait("document.querySelectorAll('.best-line').length === 2");
    drop(server);
    browser.wait("document.getElementById('alert').textContent.includes('does not answer')");
    browser.run(
        "document.querySelectorAll('.best-line').forEach((line) => line.classList.add('before'))",
    );
    let _server = BoardServer::start_with_port(&port);
    browser.wait("document.querySelectorAll('.best-line:not(.before)').length === 2");
    let is_shown = browser.run("return !document.getElementById('analysis').hidden");
    assert_eq!(is_shown, json!(true));
    stones(&browser, 3);
}

/// The stones of a line under the pointer once stayed when the line changed.
#[test]
fn the_line_under_the_pointer_is_the_one_on_the_board() {
    let Some((browser, _server)) = visit(Window::Desktop) else {
        return;
    };
    begin(&browser, &[PERSONS]);
    for (number, point) in ["h8", "i9", "g7", "i7"].into_iter().enumerate() {
        browser.click(point);
        stones(&browser, number + 1);
    }
    browser.press("Analyse");
    browser.wait("document.querySelector('.best-line')");
    browser.run("document.querySelector('.best-line').focus()");
    // For some seconds, until the search has found another line.
    let differs = "(() => {
        const shown = [...document.querySelectorAll('.preview .disc')].map((disc) =>
            [...document.querySelectorAll('.cell')].find((cell) =>
                Number(cell.getAttribute('x')) + 20 === Number(disc.getAttribute('cx'))
                && Number(cell.getAttribute('y')) + 20 === Number(disc.getAttribute('cy'))).dataset.point);
        return shown.join(' ') !== document.querySelector('.best-line .points').textContent;
    })()";
    browser.run(&format!(
        "window.looks = window.lines = 0; window.wrong = []; let last = '';
         const look = () => {{
             window.looks += 1;
             const line = document.querySelector('.best-line .points').textContent;
             if (line !== last) window.lines += 1;
             last = line;
             if ({differs}) window.wrong.push(line);
             if (window.looks < 100 || window.lines < 2) setTimeout(look, 20);
         }};
         look();"
    ));
    browser.wait("window.looks >= 100 && window.lines > 1");
    assert_eq!(browser.run("return window.wrong"), json!([]));
}

/// Lines of another position once stood there, to be played, until the first one of this position
/// came, and the stones of a line stayed on the board when the analysis ended.
#[test]
fn an_analysis_begins_without_lines_and_ends_without_stones() {
    const LEFT: char = '\u{e012}';
    if !is_installed() {
        return;
    }
    let server = BoardServer::start();
    let browser = Browser::open(Window::Desktop);
    browser.before_pages(
        "window.WebSocket = class extends WebSocket {
             set onmessage(hear) {
                 super.onmessage = (event) => {
                     if (!window.isDeaf || JSON.parse(event.data).type !== 'analysis') hear(event);
                 };
             }
         };",
    );
    browser.go(&server.url());
    browser.wait(READY);
    open(&browser, "15 freestyle h8i9g7");
    stones(&browser, 3);
    browser.press("Analyse");
    browser.wait("document.querySelectorAll('.best-line').length === 3");
    browser.hover(".best-line");
    browser.wait("document.querySelector('.preview')");
    browser.keys(&['a']);
    browser.wait("document.getElementById('analysis').hidden");
    browser.wait("!document.querySelector('.preview')");
    browser.keys(&[LEFT]);
    stones(&browser, 2);
    browser.run("window.isDeaf = true");
    browser.keys(&['a']);
    browser.wait("!document.getElementById('analysis').hidden");
    let lines = browser.run("return document.querySelectorAll('.best-line').length");
    assert_eq!(lines, json!(0));
    browser.run("window.isDeaf = false");
    browser.wait("document.querySelectorAll('.best-line').length === 3");
}

/// A remark once stayed in its field when another game came, and went to a position of that one.
#[test]
fn a_remark_does_not_go_to_another_game() {
    let Some((browser, _server)) = visit(Window::Desktop) else {
        return;
    };
    open(&browser, "15 freestyle h8i9");
    stones(&browser, 2);
    let remark = "document.querySelector('#game textarea')";
    browser.run(&format!("{remark}.focus()"));
    browser.keys(&['o', 'l', 'd']);
    browser.wait(&format!("{remark}.value === 'old'"));
    browser.run(
        "const dataTransfer = new DataTransfer();
         dataTransfer.setData('text', 'a1b2c3');
         document.querySelector('#board').dispatchEvent(
             new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }));",
    );
    stones(&browser, 3);
    browser.wait(&format!("{remark}.value === ''"));
    browser.keys(&['n', 'e', 'w']);
    browser.run("document.activeElement.blur()");
    browser.wait("document.querySelector('.move.remarked')?.dataset.remark === 'new'");
    let remarked = "return [...document.querySelectorAll('.remarked')].map(({ textContent }) => textContent).join()";
    assert_eq!(browser.run(remarked), json!("3. c3"));
}

/// A step back was once silent to those who do not see the board.
#[test]
fn a_step_back_is_said() {
    const LEFT: char = '\u{e012}';
    let Some((browser, _server)) = visit(Window::Desktop) else {
        return;
    };
    open(&browser, "15 freestyle h8i9");
    stones(&browser, 2);
    for said in ["Black h8", "Start"] {
        browser.keys(&[LEFT]);
        browser.wait(&format!(
            "document.getElementById('spoken').textContent === '{said}'"
        ));
    }
}

/// Where a language could not be had the page once stayed empty.
#[test]
fn a_language_that_can_t_be_had_is_english() {
    if !is_installed() {
        return;
    }
    let server = BoardServer::start();
    let browser = Browser::open(Window::Desktop);
    browser.forget_files();
    browser.block(&["*/lang/ja.js"]);
    browser.go(&format!("{}?lang=ja", server.url()));
    browser.wait(READY);
    status(&browser, "Black to move");
    assert_eq!(
        browser.run("return document.documentElement.lang"),
        json!("en")
    );
    // Once it is there it is spoken.
    browser.block(&[]);
    browser.reload();
    status(&browser, "黒の番");
}

/// Until the program had answered the page once was empty, and its links had no names.
#[test]
fn the_page_says_that_it_loads() {
    if !is_installed() {
        return;
    }
    let server = BoardServer::start();
    let browser = Browser::open(Window::Desktop);
    // A connection that takes for ever.
    browser.before_pages("window.WebSocket = class { readyState = 0; send() {} close() {} };");
    browser.go(&server.url());
    status(&browser, "Loading …");
    let links = browser.run(
        "return [...document.querySelectorAll('header a:not([hidden])')].map(({ textContent }) => textContent)",
    );
    assert_eq!(links, json!(["Four in a row", "Puzzles"]));
}

/// On a phone the line that is shown is in sight with the board.
#[test]
fn a_line_and_its_stones_are_in_sight_on_a_phone() {
    let Some((browser, _server)) = visit(Window::Phone) else {
        return;
    };
    open(&browser, "15 freestyle h8i9g7i7");
    browser.press("Analyse");
    browser.wait("document.querySelectorAll('.best-line').length === 3");
    browser.run("document.querySelector('.best-line').focus()");
    browser.wait("document.querySelector('.preview')");
    let seen = browser.run(
        "const [line, stone] = ['.best-line', '.preview .disc']
             .map((name) => document.querySelector(name).getBoundingClientRect());
         return [line.bottom <= innerHeight, stone.top >= 0];",
    );
    assert_eq!(seen, json!([true, true]));
}

/// The engine once took a draw at move two without a word.
#[test]
fn an_early_draw_is_declined_in_words() {
    let Some((browser, _server)) = visit(Window::Desktop) else {
        return;
    };
    begin(&browser, &[("Level", "0")]);
    browser.click("h8");
    stones(&browser, 2);
    browser.press("Offer draw");
    browser.run("document.querySelector('dialog .main').click()");
    browser.wait("document.getElementById('alert').textContent.startsWith('The engine plays on')");
    status(&browser, "Black to move");
}

/// A result without a reason once was shown as an agreement.
#[test]
fn a_result_without_a_reason_is_no_agreement() {
    let Some((browser, _server)) = visit(Window::Desktop) else {
        return;
    };
    open(&browser, "(;GM[4]SZ[15]PB[Ann]PW[Bob]RE[B+];B[hh];W[ii])");
    status(&browser, "Black wins");
    let detail = browser.run("return document.getElementById('detail').textContent");
    assert_eq!(detail, "");
}

/// What a link is good for is said where it is made.
#[test]
fn a_link_to_this_machine_says_so() {
    let Some((browser, _server)) = visit(Window::Desktop) else {
        return;
    };
    browser.press("Export");
    browser.fill("Format", "link");
    browser.wait(
        "document.querySelector('dialog').innerText.includes('works only here, while it runs')",
    );
    browser.fill("Format", "sgf");
    browser.wait("!document.querySelector('dialog').innerText.includes('works only here')");
}

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

/// Letters once could be neither looked up nor switched off.
#[test]
fn letters_are_listed_and_can_be_switched_off() {
    let Some((browser, server)) = visit(Window::Desktop) else {
        return;
    };
    begin(&browser, &[PERSONS]);
    browser.click("h8");
    stones(&browser, 1);
    browser.press("Help");
    let keys = "[...document.querySelectorAll('.keys kbd')].map(({ textContent }) => textContent)";
    browser.wait(&format!(
        "{keys}.includes('u') && {keys}.includes('Ctrl Z')"
    ));
    browser.press("Close");
    browser.press("Settings");
    browser.toggle("Single-letter keys");
    browser.press("Close");
    browser.keys(&['u']);
    std::thread::sleep(std::time::Duration::from_millis(300));
    stones(&browser, 1);
    browser.chord(&[crate::driver::CONTROL, 'z']);
    stones(&browser, 0);
    // The same in four in a row.
    browser.go(&format!("{}gravity.html", server.url()));
    browser.wait(READY);
    browser.keys(&['4']);
    std::thread::sleep(std::time::Duration::from_millis(300));
    let discs = "document.querySelectorAll('.disc').length";
    assert_eq!(browser.run(&format!("return {discs}")), json!(0));
    browser.press("Settings");
    browser.toggle("Single-letter keys");
    browser.press("Close");
    browser.run("document.activeElement.blur()");
    browser.keys(&['4']);
    browser.wait(&format!("{discs} > 0"));
}
