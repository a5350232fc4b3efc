//! What people come for takes three actions at most, from a fresh page.

use crate::driver::{Browser, Window};
use crate::{PERSONS, begin, open, status, stones, visit};
use serde_json::json;
use std::cell::Cell;

/// A person whose actions are counted.
pub(crate) struct Person<'a> {
    browser: &'a Browser,
    actions: Cell<u8>,
}

impl<'a> Person<'a> {
    pub(crate) fn new(browser: &'a Browser) -> Person<'a> {
        Person {
            browser,
            actions: Cell::new(0),
        }
    }

    pub(crate) fn actions(&self) -> u8 {
        self.actions.get()
    }

    pub(crate) fn press(&self, button: &str) {
        self.actions.set(self.actions.get() + 1);
        self.browser.press(button);
    }

    pub(crate) fn fill(&self, field: &str, value: &str) {
        self.actions.set(self.actions.get() + 1);
        self.browser.fill(field, value);
    }

    pub(crate) fn click(&self, element: &str) {
        self.actions.set(self.actions.get() + 1);
        self.browser
            .wait(&format!("document.querySelector({})", json!(element)));
        self.browser.run(&format!(
            "document.querySelector({}).click()",
            json!(element)
        ));
    }
}

/// Does a task on a fresh page, in three actions at most.
fn task(before: impl Fn(&Browser), act: impl Fn(&Person<'_>), done: impl Fn(&Browser)) {
    let Some((browser, _server)) = visit(Window::Desktop) else {
        return;
    };
    before(&browser);
    let person = Person::new(&browser);
    act(&person);
    done(&browser);
    let actions = person.actions();
    assert!((1..=3).contains(&actions), "{actions}");
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

#[test]
fn white_against_the_strongest_level() {
    let act = |person: &Person<'_>| {
        person.press("New game");
        person.fill("Level", "100");
        person.press("Start as White");
    };
    task(
        |_| (),
        act,
        |browser| {
            browser.wait("document.querySelector('#players').innerText.includes('Black: Engine · Full strength (100)')");
            stones(browser, 1);
            status(browser, "White to move");
        },
    );
}

#[test]
fn whether_black_has_a_forced_win() {
    let act = |person: &Person<'_>| {
        person.press("Analyse");
        person.press("Find a forced win");
    };
    let before = |browser: &Browser| {
        browser.run("location.hash = '15/freestyle/h8a1i8c15k5o15k6o1'");
        stones(browser, 8);
    };
    task(before, act, |browser| {
        browser.wait("document.querySelector('.proof').innerText.includes('Black wins by force')");
    });
}

#[test]
fn the_three_best_moves_and_one_of_them_played() {
    let act = |person: &Person<'_>| {
        person.press("Analyse");
        person
            .browser
            .wait("document.querySelectorAll('.best-line').length === 3");
        person.click(".best-line");
    };
    task(|_| (), act, |browser| stones(browser, 1));
}

#[test]
fn a_file_and_its_last_move() {
    let act = |person: &Person<'_>| {
        person.press("Open");
        person.fill(
            "SGF, PSQ or a list of moves",
            "(;GM[4]SZ[15];B[hh];W[ii];B[jj])",
        );
        person.click("dialog .main");
    };
    task(|_| (), act, |browser| stones(browser, 3));
}

/// What a file writes on the board is seen there.
#[test]
fn labels_of_a_file_are_shown() {
    let Some((browser, _server)) = visit(Window::Desktop) else {
        return;
    };
    open(&browser, "(;GM[4]SZ[15];B[hh]LB[aa:A]TR[hh];W[ii])");
    let texts = "[...document.querySelectorAll('.numbers text')].map(({ textContent }) => textContent).join('')";
    browser.wait(&format!("{texts} === ''"));
    browser.press("One move back");
    browser.wait(&format!("{texts} === 'A△'"));
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

#[test]
fn a_position_is_shared() {
    let act = |person: &Person<'_>| {
        person.press("Export");
        person.fill("Format", "link");
        person.press("Copy");
    };
    let before = |browser: &Browser| open(browser, "15 renju h8i9");
    task(before, act, |browser| {
        browser.wait("document.querySelector('dialog textarea').value.endsWith('#15/renju/h8i9')");
        // It leads to this machine, which the dialogue says; for others there are two buttons.
        browser.press("Text");
        browser.wait("document.querySelector('dialog textarea').value === '15 renju h8i9'");
        browser.fill("Format", "link");
        browser.press("Picture (PNG)");
        browser.wait("document.querySelector('dialog img').naturalWidth > 1000");
        browser.run(
            "HTMLAnchorElement.prototype.click = function () { window.saved = this.download; }",
        );
        browser.press("Download");
        browser.wait(r"/^You-Quincunx-35-\d{4}-\d\d-\d\d\.png$/.test(window.saved)");
    });
}

/// Two passes in a row are a draw. The button once passed only in the position that it had
/// appeared in.
#[test]
fn a_person_passes() {
    let Some((browser, _server)) = visit(Window::Desktop) else {
        return;
    };
    begin(&browser, &[PERSONS, ("Rule", "renju")]);
    browser.click("h8");
    stones(&browser, 1);
    browser.press("Pass");
    status(&browser, "Black to move");
    stones(&browser, 1);
    browser.press("Pass");
    status(&browser, "Draw");
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

/// The positions of the help are those that it says.
#[test]
fn help_has_positions_to_try() {
    let Some((browser, _server)) = visit(Window::Desktop) else {
        return;
    };
    for (kind, black) in [("double three", 4), ("double four", 6), ("overline", 5)] {
        browser.run("document.activeElement.blur()");
        browser.keys(&['?']);
        browser.press(&format!("Try it: {kind}"));
        stones(&browser, 2 * black);
        assert_eq!(browser.label("e5").1, format!("e5, forbidden: {kind}"));
    }
    assert_eq!(browser.complaints(), Vec::<String>::new());
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
