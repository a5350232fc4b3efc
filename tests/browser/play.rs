//! A game on the page: moves, steps back and forth, results.

use crate::driver::{Browser, Window};
use crate::{ALERT, PERSONS, alert, begin, open, status, stones, visit};
use serde_json::json;

/// The player, then the one who acts, as the panel has them.
fn players(browser: &Browser) -> String {
    let names = "return [...document.querySelectorAll('.player .name')].map(({ textContent }) => textContent).join('|')";
    browser.run(names).as_str().unwrap().to_owned()
}

/// The engine once took a colour without a word, and the panel said the opposite until the
/// fifth stone.
#[test]
fn the_choice_of_the_engine_is_shown_and_announced() {
    let Some((browser, _server)) = visit(Window::Desktop) else {
        return;
    };
    begin(
        &browser,
        &[("Rule", "renju"), ("Opening", "soosorv"), ("Level", "0")],
    );
    assert!(players(&browser).starts_with("Begins: You|Answers: Engine"));
    // The engine's own move may follow its choice at once.
    browser.run(
        "window.heard = '';
         const spoken = document.getElementById('spoken');
         new MutationObserver(() => { window.heard += spoken.textContent; })
             .observe(spoken, { childList: true });",
    );
    for (at, point) in ["h8", "h9", "i10"].into_iter().enumerate() {
        stones(&browser, at);
        browser.click(point);
    }
    browser.wait("document.getElementById('chosen').textContent !== ''");
    let chosen = browser.run("return document.getElementById('chosen').textContent");
    let owners = match chosen.as_str().unwrap() {
        "Engine chose black" => ["Black: Engine", "White: You"],
        "Engine chose white" => ["Black: You", "White: Engine"],
        other => panic!("{other}"),
    };
    browser.wait("document.querySelectorAll('.player .dot:is(.black, .white)').length === 2");
    let shown = players(&browser);
    for (row, owner) in shown.split('|').zip(owners) {
        assert!(row.starts_with(owner), "{shown}");
    }
    browser.wait("window.heard.includes('Engine chose')");
}

/// A step that was faster than the answer to the one before was once lost.
#[test]
fn steps_go_as_far_as_they_were_asked_for() {
    let Some((browser, _server)) = visit(Window::Desktop) else {
        return;
    };
    open(&browser, "15 freestyle h8i9h9h7g8i8");
    stones(&browser, 6);
    // All of it within the page, before anything is answered.
    let press = |keys: &str| {
        browser.run(&format!(
            "for (const key of [{keys}]) {{
                 document.body.dispatchEvent(new KeyboardEvent('keydown', {{ key, bubbles: true }}));
             }}"
        ));
    };
    press("'ArrowLeft', 'ArrowLeft', 'ArrowLeft', 'ArrowLeft', 'ArrowLeft', 'ArrowRight'");
    stones(&browser, 2);
    press("'Home', 'ArrowRight'");
    stones(&browser, 1);
    let click = |step: &str| {
        browser.run(&format!(
            "for (let i = 0; i < 3; i += 1) document.querySelector('[data-name={step}]').click()"
        ));
    };
    click("next");
    stones(&browser, 4);
    click("previous");
    stones(&browser, 1);
    // After anything else, steps go on from the position that is shown. Undo steps one move in an
    // opened game.
    press("'End', 'u'");
    stones(&browser, 5);
    press("'ArrowLeft'");
    stones(&browser, 4);
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

#[test]
fn the_undo_of_a_resignation_is_announced() {
    let Some((browser, _server)) = visit(Window::Desktop) else {
        return;
    };
    begin(&browser, &[PERSONS]);
    browser.click("h8");
    stones(&browser, 1);
    browser.press("Resign");
    browser.run("document.querySelector('dialog .main').click()");
    status(&browser, "Black wins");
    browser.press("Undo");
    status(&browser, "White to move");
    alert(&browser, "taken back");
}

/// A click while the engine thinks once did nothing. It is a move in advance.
#[test]
fn a_click_while_the_engine_thinks_is_played_after_its_move() {
    let Some((browser, _server)) = visit(Window::Desktop) else {
        return;
    };
    let shown = "document.querySelectorAll('.premove .disc').length";
    let long = r#"{"game_ms":1800000,"increment_ms":0}"#;
    begin(&browser, &[("Time", long), ("Level", "100")]);
    browser.click("h8");
    browser.wait("document.querySelector('.spinner')");
    browser.click("a1");
    alert(&browser, "a1 is played after the engine");
    browser.wait(&format!("{shown} === 1"));
    browser.press("Settings");
    browser.wait(&format!(
        "document.querySelector('dialog').contains({ALERT})"
    ));
    browser.press("Close");
    browser.click("a1");
    alert(&browser, "cancelled");
    browser.wait(&format!("{shown} === 0"));
    // It is given up with the move that it was to follow.
    browser.click("a1");
    browser.wait(&format!("{shown} === 1"));
    browser.press("Undo");
    stones(&browser, 0);
    browser.wait(&format!("{shown} === 0"));
    begin(
        &browser,
        &[("Time", r#"{"turn_ms":2000}"#), ("Level", "100")],
    );
    // In the page: the engine must not move first. It is played also where clicks put labels.
    browser.run(
        "const click = (point) => document.querySelector(`[data-point=${point}]`)
             .dispatchEvent(new MouseEvent('click', { bubbles: true }));
         const observer = new MutationObserver(() => {
             if (!document.querySelector('.spinner')) return;
             observer.disconnect();
             click('a1');
             document.querySelector('button[data-name=label]').click();
         });
         observer.observe(document.querySelector('#players'), { childList: true, subtree: true });
         click('h8');",
    );
    browser.wait("document.querySelectorAll('.stone').length >= 3");
    assert_eq!(browser.label("a1").1, "a1, black, move 3");
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

/// A step back was once silent to those who do not see the board.
#[test]
fn an_undo_is_announced() {
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
