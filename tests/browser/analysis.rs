//! Analyses and forced wins on the page.

use crate::driver::{Browser, Window, is_installed};
use crate::{PERSONS, READY, begin, open, open_on_phone, place, status, stones, visit};
use quincunx_testing::server::BoardServer;
use serde_json::json;

/// A browser whose page passes every message of the program through this statement of JavaScript,
/// which calls `hear` with the `event`, another or none.
fn visit_through(statement: &str) -> Option<(Browser, BoardServer)> {
    if !is_installed() {
        return None;
    }
    let server = BoardServer::start();
    let browser = Browser::open(Window::Desktop);
    browser.before_pages(&format!(
        "window.WebSocket = class extends WebSocket {{
             set onmessage(hear) {{
                 super.onmessage = (event) => {{ {statement} }};
             }}
         }};"
    ));
    browser.go(&server.url());
    browser.wait(READY);
    Some((browser, server))
}

/// Better moves once stood below worse ones and were marked as poor.
#[test]
fn eight_lines_are_in_order() {
    let Some((browser, _server)) = visit(Window::Desktop) else {
        return;
    };
    begin(&browser, &[PERSONS]);
    browser.press("Analyse");
    browser.fill("Lines", "8");
    browser.wait("document.querySelectorAll('.best-line').length === 8");
    for _ in 0..20 {
        let seen = browser.run(
            "const values = [...document.querySelectorAll('.best-line .chance')]
                 .map(({ textContent }) => Number(textContent));
             const ranks = [...document.querySelectorAll('.value')]
                 .map((value) => ['first', 'good', 'fair', 'poor'].findIndex((rank) => value.classList.contains(rank)));
             const falls = (numbers) => numbers.every((number, i) => i === 0 || number <= numbers[i - 1]);
             return [values.length, falls(values), falls(ranks.map((rank) => -rank))];",
        );
        assert_eq!(seen, json!([8, true, true]));
        std::thread::sleep(std::time::Duration::from_millis(100));
    }
}

/// A stone of the proof once stayed on the board, and the values stayed pale.
#[test]
fn a_proof_ends_with_its_analysis() {
    let Some((browser, _server)) = visit(Window::Desktop) else {
        return;
    };
    open(&browser, "15 renju h8i9h9j9g8c3i7c4");
    stones(&browser, 8);
    let opacity = "getComputedStyle(document.querySelector('.best')).opacity";
    let prove = || {
        browser.press("Analyse");
        browser.press("Find a forced win");
        browser.wait("document.querySelectorAll('.preview').length === 1");
    };
    let stop = || {
        browser.press("Analyse");
        browser.wait("document.getElementById('analysis').hidden");
    };
    prove();
    browser.wait(&format!("{opacity} === '0.25'"));
    // A line under the mouse takes its place for as long alone. The first search has one move.
    browser.wait("document.querySelector('.best-line .points').textContent.includes(' ')");
    browser.hover(".best-line");
    browser.wait("document.querySelectorAll('.preview').length > 1");
    browser.move_mouse_away();
    browser.wait("document.querySelectorAll('.preview').length === 1");
    browser.press("Close the proof");
    // The line under the mouse would be shown on the board.
    browser.move_mouse_away();
    browser.wait("!document.querySelector('.preview') && !document.querySelector('.proof p')");
    browser.wait(&format!("{opacity} === '1'"));
    stop();
    prove();
    stop();
    browser.wait("!document.querySelector('.preview')");
    browser.press("Analyse");
    browser.wait(&format!(
        "document.querySelector('.value') && {opacity} === '1'"
    ));
    // The numbers of a proof are gone with its position, too.
    stop();
    prove();
    browser.press("Undo");
    stones(&browser, 7);
    browser.wait(&format!(
        "!document.querySelector('.preview') && {opacity} === '1'"
    ));
    status(&browser, "White to move");
}

/// The page said that there was no forced win beside a win that the analysis had found since.
#[test]
fn no_win_is_denied_beside_one_that_is_proved() {
    let Some((browser, _server)) = visit_through(
        "const message = JSON.parse(event.data);
         if (window.isProved && message.type === 'analysis') message.lines[0].mate = 15;
         hear({ data: JSON.stringify(message) });",
    ) else {
        return;
    };
    open(&browser, "15 freestyle h8a1");
    stones(&browser, 2);
    browser.press("Analyse");
    browser.press("Find a forced win");
    let says = "document.querySelector('.proof').textContent";
    browser.wait(&format!("{says}.startsWith('No forced win was found')"));
    // It once was said on in the language of before.
    browser.press("Settings");
    browser.fill("Language", "ja");
    browser.wait(&format!(
        "{says}.startsWith('必勝手順は見つかりませんでした')"
    ));
    browser.wait("document.querySelector('.best-line').title === 'この手順を並べる'");
    browser.run("window.isProved = true");
    browser.wait(&format!("{says} === ''"));
    browser.wait("document.querySelector('.best-line .mate').textContent === '#8'");
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
    place(&browser, &["h8", "i9", "g7", "i7"]);
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
    let Some((browser, _server)) = visit_through(
        "if (!window.isDeaf || JSON.parse(event.data).type !== 'analysis') hear(event);",
    ) else {
        return;
    };
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

/// On a phone the line that is shown is in sight with the board.
#[test]
fn a_line_and_its_stones_are_in_sight_on_a_phone() {
    let Some((browser, _server)) = visit(Window::Phone) else {
        return;
    };
    open_on_phone(&browser, "15 freestyle h8i9g7i7");
    browser.press("Analysis");
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

#[test]
fn a_finished_game_is_analysed_and_a_line_is_played() {
    let Some((browser, _server)) = visit(Window::Desktop) else {
        return;
    };
    open(&browser, "(;GM[4]SZ[15]RE[B+R];B[hh];W[ii])");
    status(&browser, "Black wins");
    browser.press("Analyse");
    // The first iterations have lines of one move, and a line may change before a click that
    // comes later: its length is looked at where it is clicked.
    browser.wait(
        "(() => {
            const line = document.querySelector('.best-line');
            const isLong = line?.textContent.trim().split(/\\s+/).length > 4;
            if (isLong) line.click();
            return isLong;
        })()",
    );
    stones(&browser, 3);
    browser.wait("document.querySelectorAll('.move').length > 4");
    browser.press("First position");
    stones(&browser, 0);
    browser.press("Last position");
    browser.press("One move back");
    assert_eq!(browser.complaints(), Vec::<String>::new());
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
