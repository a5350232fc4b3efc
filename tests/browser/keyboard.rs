//! The page by keyboard: shortcuts, the focus, and its order.

use crate::driver::{Browser, COMMAND, CONTROL, SHIFT, Window};
use crate::rooms::{pair, resign};
use crate::{PERSONS, READY, begin, begin_swap2, open, place, status, stones, visit};
use serde_json::json;

const TAB: char = '\u{e004}';

const ENTER: char = '\u{e007}';

/// Goes to a button by the keyboard and presses it.
fn enter(browser: &Browser, button: &str) {
    browser.wait(&format!("document.querySelector({})", json!(button)));
    // The tab key tells the browser that the keyboard is in use.
    browser.keys(&[TAB]);
    browser.run(&format!(
        "document.querySelector({}).focus()",
        json!(button)
    ));
    browser.keys(&[ENTER]);
}

/// Waits until the keyboard is within this, and stays there.
fn held(browser: &Browser, by: &str) {
    let is_held = format!("document.activeElement.closest({})", json!(by));
    browser.wait(&is_held);
    browser.wait(&format!(
        "document.activeElement.checkVisibility() && {is_held}"
    ));
}

#[test]
fn questions_and_results_leave_the_keyboard_at_the_board() {
    let Some((browser, _server)) = visit(Window::Desktop) else {
        return;
    };
    begin_swap2(&browser);
    enter(&browser, "#question button:last-child");
    status(&browser, "Place a stone (2 to go)");
    held(&browser, "[role=grid]");
    for (number, point) in ["j10", "f6"].into_iter().enumerate() {
        browser.click(point);
        stones(&browser, number + 4);
    }
    enter(&browser, "#question button");
    status(&browser, "White to move");
    held(&browser, "[role=grid]");
    enter(&browser, "[data-name=label]");
    enter(&browser, "#labels [data-name=close]");
    browser.wait("document.getElementById('labels').hidden");
    held(&browser, "[role=grid]");
    enter(&browser, "[data-name=setup]");
    browser.wait("document.body.dataset.mode === 'setup'");
    enter(&browser, "#question .pairs button:last-child");
    browser.wait("document.body.dataset.mode !== 'setup'");
    held(&browser, "[role=grid]");
    // The end of a game takes buttons away, and a rematch others.
    enter(&browser, "[data-name=resign]");
    enter(&browser, "dialog .main");
    browser.wait("document.querySelector('[data-name=rematch]')");
    held(&browser, "#actions");
    enter(&browser, "[data-name=rematch]");
    stones(&browser, 0);
    held(&browser, "#actions, [role=grid]");
    enter(&browser, "[data-name=new]");
    browser.fill("Size", "99");
    enter(&browser, "dialog .main");
    browser.wait("document.querySelector('.refusal').textContent !== ''");
    held(&browser, "dialog .main");
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

#[test]
fn an_analysis_is_gone_through_by_keyboard() {
    let Some((browser, _server)) = visit(Window::Desktop) else {
        return;
    };
    open(&browser, "15 freestyle h8i9g7i7");
    enter(&browser, "[data-name=analyse]");
    enter(&browser, ".best-line");
    stones(&browser, 5);
    // The next line has the keyboard, and is played as the first one was.
    browser.wait("document.querySelector('.best-line .points').textContent.trim() !== ''");
    held(&browser, ".best-line");
    browser.keys(&[ENTER]);
    stones(&browser, 6);
    held(&browser, ".best-line");
    browser.run("location.hash = '15/freestyle/h8a1i8c15k5o15k6o1'");
    stones(&browser, 8);
    enter(&browser, "#analysis .choices button");
    enter(&browser, ".proof [data-name=reply]");
    held(&browser, ".proof");
    browser.wait("document.querySelector('.proof [data-name=back]')");
    enter(&browser, ".proof [data-name=back]");
    held(&browser, ".proof");
    enter(&browser, ".proof .close");
    browser.wait("!document.querySelector('.proof p')");
    held(&browser, "#analysis .choices");
    // A button that can do nothing keeps it.
    browser.run("location.hash = '5/freestyle/a1a2b1b2c1c2d1d2e1'");
    status(&browser, "Black wins");
    browser.wait("document.querySelector('#analysis .choices button').ariaDisabled === 'true'");
    enter(&browser, "#analysis .choices button");
    held(&browser, "#analysis .choices");
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

#[test]
fn games_of_rooms_are_stepped_through_by_keyboard() {
    let Some((_server, anna, bela)) = pair(&[("Seat", "first"), ("Opening", "free")]) else {
        return;
    };
    anna.click("h8");
    stones(&bela, 1);
    bela.click("i9");
    stones(&anna, 2);
    resign(&bela);
    status(&anna, "Anna wins");
    enter(&anna, "[data-name=rematch]");
    bela.wait("!document.getElementById('question').hidden");
    enter(&bela, "#question button");
    stones(&bela, 0);
    held(&bela, "#actions, [role=grid]");
    anna.run("location.hash = '#game/1'");
    stones(&anna, 2);
    anna.wait("document.querySelector('[data-name=\"step.previous\"]')");
    enter(&anna, "[data-name='step.previous']");
    stones(&anna, 1);
    held(&anna, "[data-name='step.previous']");
    anna.keys(&[ENTER]);
    stones(&anna, 0);
    held(&anna, "[data-name='step.previous']");
    assert_eq!(anna.complaints(), Vec::<String>::new());
}

const LEFT: char = '\u{e012}';

const RIGHT: char = '\u{e014}';

/// After a click the arrows once moved the cursor of the board.
#[test]
fn arrows_go_through_the_game_after_a_click() {
    let Some((browser, _server)) = visit(Window::Desktop) else {
        return;
    };
    begin(&browser, &[PERSONS]);
    place(&browser, &["h8", "i9"]);
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

/// The focus once fell from a button that was disabled, and the board was two stops of the
/// tab key.
#[test]
fn the_focus_stays_and_the_board_is_one_stop() {
    let Some((browser, _server)) = visit(Window::Desktop) else {
        return;
    };
    begin(&browser, &[PERSONS]);
    browser.click("h8");
    stones(&browser, 1);
    browser.run("document.querySelector('#actions [data-name=undo]').focus()");
    browser.keys(&['\u{e007}']);
    stones(&browser, 0);
    browser.wait("document.querySelector('#actions [data-name=undo]').getAttribute('aria-disabled') === 'true'");
    browser.wait("document.activeElement.dataset.name === 'undo'");
    browser.run("document.querySelector('[data-name=help]').focus()");
    browser.keys(&['\u{e004}', '\u{e004}']);
    browser.wait("document.activeElement.dataset.name === 'undo'");
}
