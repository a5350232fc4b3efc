//! What people who tried the page complained of.

use crate::board_server::BoardServer;
use crate::driver::{Browser, COMMAND, CONTROL, SHIFT, Window, is_installed};
use crate::{PERSONS, READY, begin, open, press_said, status, stones, visit};
use serde_json::json;

const LEFT: char = '\u{e012}';
const RIGHT: char = '\u{e014}';
const ENTER: char = '\u{e007}';

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

/// Only the first game of a file could be opened on the page.
#[test]
fn a_game_of_several_is_chosen() {
    let Some((browser, _server)) = visit(Window::Desktop) else {
        return;
    };
    browser.press("Open");
    let file = "(;GM[4]SZ[15];B[hh])(;GM[4]SZ[15];B[hh];W[ii];B[gg])";
    browser.fill("SGF, PSQ or a list of moves", file);
    browser.fill("Which game, of a file of several", "2");
    browser.run("document.querySelector('dialog .main').click()");
    browser.wait("!document.querySelector('dialog')");
    stones(&browser, 3);
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
    if !is_installed() {
        return;
    }
    let server = BoardServer::start();
    let browser = Browser::open(Window::Desktop);
    browser.before_pages(
        "window.WebSocket = class extends WebSocket {
             set onmessage(hear) {
                 super.onmessage = (event) => {
                     const message = JSON.parse(event.data);
                     if (window.isProved && message.type === 'analysis') message.lines[0].mate = 15;
                     hear({ data: JSON.stringify(message) });
                 };
             }
         };",
    );
    browser.go(&server.url());
    browser.wait(READY);
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

/// A remark that was begun before the engine's move once came to that move.
#[test]
fn a_remark_stays_with_its_move() {
    let Some((browser, _server)) = visit(Window::Desktop) else {
        return;
    };
    begin(
        &browser,
        &[("Level", "100"), ("Time", r#"{"turn_ms":1000}"#)],
    );
    // In the page: the engine must not move first.
    browser.run(
        "const observer = new MutationObserver(() => {
             if (document.querySelectorAll('.stone').length !== 1) return;
             observer.disconnect();
             const field = document.querySelector('#game textarea');
             field.focus();
             field.value = 'solid';
             field.dispatchEvent(new Event('input', { bubbles: true }));
         });
         observer.observe(document.body, { childList: true, subtree: true });",
    );
    browser.click("h8");
    stones(&browser, 2);
    assert_eq!(
        browser.run("return document.querySelector('#game textarea').value"),
        json!("solid")
    );
    browser.run("document.activeElement.blur()");
    browser.wait("document.querySelector('#game textarea').value === ''");
    let remarked = "[...document.querySelectorAll('.move.remarked')].map(({ textContent }) => textContent).join()";
    browser.wait(&format!("{remarked} === '1. h8'"));
}

/// What the page says once covered its buttons for four seconds.
#[test]
fn what_is_said_covers_no_button() {
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

/// A new game, a text from the clipboard and a deletion once lost the game in progress.
#[test]
fn a_lost_game_is_offered_back() {
    let Some((browser, _server)) = visit(Window::Desktop) else {
        return;
    };
    begin(&browser, &[PERSONS, ("Size", "9")]);
    browser.wait("document.querySelector('#alert').hidden");
    for (number, point) in ["e5", "e6", "e7"].into_iter().enumerate() {
        browser.click(point);
        stones(&browser, number + 1);
    }
    begin(&browser, &[PERSONS, ("Size", "15")]);
    stones(&browser, 0);
    press_said(&browser, "Bring back the last game");
    stones(&browser, 3);
    browser.wait("document.querySelector('#alert').hidden");
    browser.run(
        "const clipboardData = new DataTransfer();
         clipboardData.setData('text', 'a1');
         document.body.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true }));",
    );
    stones(&browser, 1);
    browser.wait("document.querySelector('#alert button')");
    browser.chord(&[CONTROL, 'z']);
    stones(&browser, 3);
    browser.press("Delete from here");
    stones(&browser, 2);
    press_said(&browser, "Bring back the moves");
    stones(&browser, 3);
    // A player who goes on takes back moves again.
    open(&browser, "9 freestyle a1b2");
    stones(&browser, 2);
    browser.click("c3");
    stones(&browser, 3);
    browser.chord(&[CONTROL, 'z']);
    stones(&browser, 2);
    // What is dropped on a field is the field's; on a window it once replaced the game as well.
    let drop = |target: &str| {
        browser.run(&format!(
            "const dataTransfer = new DataTransfer();
             dataTransfer.setData('text', 'e5');
             const drop = new DragEvent('drop', {{ dataTransfer, bubbles: true, cancelable: true }});
             return document.querySelector('{target}').dispatchEvent(drop);"
        ))
    };
    assert_eq!(drop("#game textarea"), true);
    browser.press("Open");
    assert_eq!(drop("dialog h2"), false);
    browser.press("Cancel");
    browser.click("c3");
    stones(&browser, 3);
    assert_eq!(drop("#board"), false);
    stones(&browser, 1);
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

/// After a click the arrows once moved the cursor of the board.
#[test]
fn arrows_go_through_the_game_after_a_click() {
    let Some((browser, _server)) = visit(Window::Desktop) else {
        return;
    };
    begin(&browser, &[PERSONS]);
    for (number, point) in ["h8", "i9"].into_iter().enumerate() {
        browser.click(point);
        stones(&browser, number + 1);
    }
    browser.keys(&[LEFT]);
    stones(&browser, 1);
    browser.keys(&[RIGHT]);
    stones(&browser, 2);
    // A user who reaches the board by keyboard has its cursor there.
    browser.keys(&['b', LEFT, ENTER]);
    stones(&browser, 3);
    assert_eq!(browser.label("h9").1, "h9, black, move 3");
    browser.click("a1");
    stones(&browser, 4);
    browser.keys(&[LEFT]);
    stones(&browser, 3);
}

/// The list of moves is drawn anew with every position; the focus once went to nowhere.
#[test]
fn a_move_of_the_list_keeps_the_focus() {
    let Some((browser, _server)) = visit(Window::Desktop) else {
        return;
    };
    open(&browser, "15 freestyle h8i9j10");
    stones(&browser, 3);
    browser.run("document.querySelectorAll('.move')[1].focus()");
    browser.keys(&[ENTER]);
    stones(&browser, 1);
    browser.wait("document.activeElement.textContent === '1. h8'");
    browser.wait("document.activeElement.getAttribute('aria-current') === 'true'");
}

/// Caps Lock, Ctrl-Shift-Z and a Mac's command key once did nothing.
#[test]
fn every_keyboard_undoes_and_redoes() {
    let Some((browser, _server)) = visit(Window::Desktop) else {
        return;
    };
    begin(&browser, &[PERSONS]);
    browser.click("h8");
    stones(&browser, 1);
    let back_and_forth = [
        (vec!['U'], vec!['R']),
        (vec![CONTROL, 'z'], vec![CONTROL, SHIFT, 'Z']),
        (vec![COMMAND, 'z'], vec![COMMAND, SHIFT, 'Z']),
        (vec![CONTROL, 'z'], vec![CONTROL, 'y']),
    ];
    for (undo, redo) in back_and_forth {
        browser.chord(&undo);
        stones(&browser, 0);
        browser.chord(&redo);
        stones(&browser, 1);
    }
}

/// The page once said that something can't be read, behind the dialogue.
#[test]
fn a_format_that_can_t_hold_the_game_says_so() {
    let Some((browser, _server)) = visit(Window::Desktop) else {
        return;
    };
    begin(&browser, &[PERSONS, ("Handicap stones", "2")]);
    stones(&browser, 2);
    browser.press("Export");
    browser.fill("Format", "psq");
    browser.wait(
        "document.querySelector('dialog [role=alert]').textContent === 'PSQ holds games from the empty board, without passes'",
    );
    browser.fill("Format", "sgf");
    browser.wait("document.querySelector('dialog textarea').value.startsWith('(;FF[4]')");
    browser.wait("document.querySelector('dialog [role=alert]').hidden");
}

/// A format that was chosen while the answer for another was on its way once had the content
/// of that, or its refusal.
#[test]
fn formats_do_not_get_mixed_up() {
    let Some((browser, _server)) = visit(Window::Desktop) else {
        return;
    };
    begin(&browser, &[PERSONS, ("Handicap stones", "2")]);
    stones(&browser, 2);
    browser.press("Export");
    let content = "document.querySelector('dialog textarea').value";
    for (formats, start) in [
        (["sgf", "text"], "15 freestyle"),
        (["text", "sgf"], "(;FF[4]"),
        (["psq", "text"], "15 freestyle"),
    ] {
        browser.run(&format!(
            "const format = document.querySelector('dialog select');
             for (const value of {}) {{
                 format.value = value;
                 format.dispatchEvent(new Event('change'));
             }}",
            json!(formats)
        ));
        browser.wait(&format!("{content}.startsWith({})", json!(start)));
        browser.wait("document.querySelector('dialog [role=alert]').hidden");
    }
}

/// The page once took remarks that were refused then.
#[test]
fn the_longest_remark_is_taken() {
    let Some((browser, _server)) = visit(Window::Desktop) else {
        return;
    };
    open(&browser, "15 freestyle h8");
    stones(&browser, 1);
    browser.run(
        "const remark = document.querySelector('#game textarea');
         remark.value = '五'.repeat(remark.maxLength);
         remark.dispatchEvent(new Event('change'));",
    );
    browser.wait("document.querySelector('.move.remarked')");
}

/// What was said before once took the news of a lost connection away.
#[test]
fn a_lost_connection_is_shown_until_it_is_back() {
    let Some((browser, server)) = visit(Window::Desktop) else {
        return;
    };
    browser.run("location.hash = 'nonsense'");
    browser.wait("!document.querySelector('#alert').hidden");
    drop(server);
    let lost = "document.querySelector('#alert').textContent.startsWith('The program does not')";
    browser.wait(lost);
    // Longer than anything else is said.
    std::thread::sleep(std::time::Duration::from_millis(4500));
    assert_eq!(browser.run(&format!("return {lost}")), json!(true));
}

/// A connection that was dead without the browser knowing once seemed to live on.
#[test]
fn a_silent_connection_is_replaced() {
    let Some((browser, _server)) = visit(Window::Desktop) else {
        return;
    };
    begin(&browser, &[PERSONS]);
    // What the page sends is lost, as if a cable was pulled; another connection is not.
    browser.run(
        "const { send } = WebSocket.prototype;
         WebSocket.prototype.send = function (text) {
             if (this.isNew) send.call(this, text);
         };
         window.WebSocket = class extends WebSocket {
             constructor(url) {
                 super(url);
                 this.isNew = true;
                 this.addEventListener('open', () => (window.isBack = true));
             }
         };",
    );
    browser.click("h8");
    browser.wait("window.isBack");
    stones(&browser, 0);
    browser.click("h8");
    stones(&browser, 1);
}

/// The names of a file once gave way to a person and the engine.
#[test]
fn an_opened_game_shows_who_played_it() {
    let Some((browser, _server)) = visit(Window::Desktop) else {
        return;
    };
    open(&browser, "(;GM[4]SZ[15]PB[Ann]PW[Bob];B[hh];W[ii];B[jj])");
    stones(&browser, 3);
    let players = "document.querySelector('#players').innerText";
    browser.wait(&format!(
        "{players}.includes('Black: Ann') && {players}.includes('White: Bob')"
    ));
    browser.click("a1");
    stones(&browser, 4);
    status(&browser, "Black to move");
    begin(&browser, &[]);
    browser.wait(&format!("{players}.includes('Black: Person')"));
}

/// Of a phone held sideways the board once showed its top third.
#[test]
fn the_whole_board_fits_a_low_window() {
    // Phones on their side, and low windows of a desktop.
    whole_board_fits(true, &[(812, 375), (740, 360), (640, 360)]);
    whole_board_fits(false, &[(1280, 500), (800, 600)]);
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

/// Buttons were once made anew with every move: a click that began before it was lost, and a
/// window gave the focus back to a button that was gone.
#[test]
fn buttons_stay_while_engines_play() {
    let Some((browser, _server)) = visit(Window::Desktop) else {
        return;
    };
    let focus = |name| format!("document.activeElement.dataset.name === '{name}'");
    browser.press("Settings");
    browser.fill("Colours", "dark");
    browser.press("Close");
    browser.wait(&focus("settings"));
    browser.press("New game");
    browser.fill("Black", "engine");
    browser.press("Start");
    browser.wait("!document.querySelector('dialog')");
    browser.wait(&focus("new"));
    browser.wait("document.querySelector('[data-name=pause]')");
    browser.run(
        "window.pause = document.querySelector('[data-name=pause]');
         window.before = document.querySelectorAll('.stone').length;",
    );
    browser.wait("document.querySelectorAll('.stone').length > window.before + 1");
    let stays = browser.run("return window.pause.isConnected");
    assert_eq!(stays, json!(true));
    browser.press("Pause the engine");
    browser.wait("document.querySelector('[data-name=resume]')");
}

/// The engine once waited for ever after a set-up that was given up, and the person's clock ran
/// on meanwhile.
#[test]
fn the_game_goes_on_after_a_set_up() {
    let Some((browser, _server)) = visit(Window::Desktop) else {
        return;
    };
    let time = r#"{"game_ms":180000,"increment_ms":2000}"#;
    begin(&browser, &[PERSONS, ("Time", time)]);
    browser.press("Set up");
    status(&browser, "Set up a position");
    let clock = "document.querySelector('time').textContent";
    let shown = || browser.run(&format!("return {clock}"));
    // The pause takes a moment to come back.
    let stands = || {
        let before = shown();
        std::thread::sleep(std::time::Duration::from_millis(1500));
        shown() == before
    };
    assert!((0..5).any(|_| stands()), "the clock stands");
    let before = shown();
    // Once more, as who has forgotten does.
    browser.press("Set up");
    browser.press("Cancel");
    browser.wait(&format!("{clock} !== {before}"));
    let time = r#"{"turn_ms":5000}"#;
    begin(
        &browser,
        &[("White", "engine"), ("Level", "100"), ("Time", time)],
    );
    browser.click("h8");
    stones(&browser, 1);
    browser.press("Set up");
    browser.press("Cancel");
    stones(&browser, 2);
}

/// Letters of other alphabets once did nothing.
#[test]
fn shortcuts_work_on_a_cyrillic_keyboard() {
    let Some((browser, _server)) = visit(Window::Desktop) else {
        return;
    };
    begin(&browser, &[PERSONS]);
    browser.click("h8");
    stones(&browser, 1);
    browser.run(
        "const keys = { key: '\u{44f}', code: 'KeyZ', ctrlKey: true, bubbles: true };
         document.body.dispatchEvent(new KeyboardEvent('keydown', keys));",
    );
    stones(&browser, 0);
}
