//! Comments on moves.

use crate::driver::Window;
use crate::{PERSONS, begin, open, press_said, stones, visit};
use serde_json::json;

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

/// An unsent comment is saved to its own game when another game is opened.
#[test]
fn a_comment_is_saved_when_another_game_comes() {
    let Some((browser, _server)) = visit(Window::Desktop) else {
        return;
    };
    open(&browser, "15 freestyle h8i9");
    stones(&browser, 2);
    browser.run(
        "const field = document.querySelector('#game textarea');
         field.focus();
         field.value = 'old';
         field.dispatchEvent(new Event('input', { bubbles: true }));
         const dataTransfer = new DataTransfer();
         dataTransfer.setData('text', 'a1b2c3');
         document.querySelector('#board').dispatchEvent(
             new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }));",
    );
    stones(&browser, 3);
    assert_eq!(
        browser.run("return document.querySelectorAll('.remarked').length"),
        json!(0)
    );
    press_said(&browser, "Bring back the last game");
    stones(&browser, 2);
    browser.wait("document.querySelector('.move.remarked')?.dataset.remark === 'old'");
}

/// A remark that is being typed outlives a reload.
#[test]
fn a_comment_is_saved_while_it_is_typed() {
    let Some((browser, _server)) = visit(Window::Desktop) else {
        return;
    };
    begin(&browser, &[PERSONS]);
    browser.run(
        "const field = document.querySelector('#game textarea'); field.focus(); field.value = 'half a remark'; \
         field.dispatchEvent(new Event('input', { bubbles: true }))",
    );
    browser.wait("localStorage.getItem('quincunx.game').includes('half a remark')");
    browser.reload();
    browser.wait("document.querySelector('#game textarea').value === 'half a remark'");
}
