//! The dialogues of the page: levels, set-up, openings.

use crate::driver::Window;
use crate::{PERSONS, begin, open, status, stones, visit};
use serde_json::json;

/// The dialogue once closed, and all that was filled in was lost.
#[test]
fn a_game_that_can_t_be_keeps_its_dialogue() {
    let Some((browser, _server)) = visit(Window::Desktop) else {
        return;
    };
    browser.press("New game");
    browser.fill("Rule", "renju");
    browser.fill("Size", "99x99");
    browser.press("Start");
    browser.wait(
        "document.querySelector('dialog [role=alert]').textContent === 'A board has 5 to 22 points a side: 15, or 20x15'",
    );
    browser.fill("Size", "17");
    browser.fill("White", "person");
    browser.press("Start");
    browser.wait("!document.querySelector('dialog')");
    browser.wait("document.querySelectorAll('[role=gridcell]').length === 289");
    browser.press("Open");
    browser.fill("SGF, PSQ or a list of moves", "no game");
    browser.run("document.querySelector('dialog .main').click()");
    browser.wait("document.querySelector('dialog [role=alert]').textContent.includes('This can')");
    browser.press("Cancel");
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

/// A click into the margin of a window once closed it, with all that was filled in, and so did a
/// mouse that marked a text and was let go beside the window.
#[test]
fn a_window_closes_by_a_click_beside_it_alone() {
    let Some((browser, _server)) = visit(Window::Desktop) else {
        return;
    };
    browser.press("Open");
    browser.fill("SGF, PSQ or a list of moves", "15 freestyle h8");
    let corner = |element: &str| {
        let at = browser.run(&format!(
            "const {{ left, top }} = document.querySelector('{element}').getBoundingClientRect();
             return [Math.round(left), Math.round(top)];"
        ));
        (at[0].as_i64().unwrap(), at[1].as_i64().unwrap())
    };
    let (left, top) = corner("dialog");
    let (x, y) = corner("dialog textarea");
    let beside = (left - 30, top + 30);
    browser.drag((left + 5, top + 5), (left + 5, top + 5));
    browser.drag((x + 30, y + 15), beside);
    let text = "return document.querySelector('dialog textarea')?.value";
    assert_eq!(browser.run(text), json!("15 freestyle h8"));
    browser.drag(beside, beside);
    browser.wait("!document.querySelector('dialog')");
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

#[test]
fn two_engines_have_a_slider_each() {
    let Some((browser, _server)) = visit(Window::Desktop) else {
        return;
    };
    let fields = [
        ("Black", "engine"),
        ("Black's level", "0"),
        ("White's level", "20"),
        ("Time", r#"{"turn_ms":200}"#),
        ("Size", "9"),
    ];
    browser.press("New game");
    for (field, value) in fields {
        browser.fill(field, value);
    }
    browser.press("Start");
    let names = "document.querySelector('#players').innerText";
    browser.wait(&format!("{names}.includes('Black: Engine · Beginner (0)')"));
    browser.wait(&format!(
        "{names}.includes('White: Engine · Casual player (20)')"
    ));
    browser.press("New game");
    browser.wait("document.querySelectorAll('dialog .level:not([hidden])').length === 2");
    browser.fill("White", "person");
    browser.wait("document.querySelectorAll('dialog .level:not([hidden])').length === 1");
    browser.fill("Black", "person");
    browser.wait("document.querySelectorAll('dialog .level:not([hidden])').length === 0");
    browser.press("Cancel");
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

#[test]
fn a_position_is_set_up_and_played() {
    let Some((browser, _server)) = visit(Window::Desktop) else {
        return;
    };
    begin(&browser, &[PERSONS, ("Size", "9")]);
    browser.click("e5");
    stones(&browser, 1);
    browser.press("Set up");
    status(&browser, "Set up a position");
    for point in ["a1", "b1", "c1", "d1", "e1"] {
        browser.click(point);
    }
    stones(&browser, 6);
    // Once more, as who has forgotten does: the stones stay.
    browser.press("Set up");
    stones(&browser, 6);
    browser.press("White stone");
    browser.click("e5");
    browser.click("g7");
    browser.click("g7");
    stones(&browser, 6);
    assert_eq!(browser.label("e5").1, "e5, white");
    browser.fill("To move", "white");
    // Five in a row are no position to play from; the stones stay to be mended.
    browser.press("Play");
    browser.wait("document.querySelector('[role=alert]').textContent.includes('five in a row')");
    status(&browser, "Set up a position");
    browser.press("Empty point");
    browser.click("e1");
    stones(&browser, 5);
    browser.press("Play");
    status(&browser, "White to move");
    stones(&browser, 5);
    browser.click("e1");
    stones(&browser, 6);
    assert_eq!(browser.label("e1").1, "e1, white, move 1");
    // The same stones are looked at with the engine, and left again.
    browser.press("Set up");
    browser.press("Clear the board");
    stones(&browser, 0);
    // The keyboard is enough; what it does elsewhere it does not do here.
    browser.keys(&['b', '\u{e007}', 'u', 'a']);
    stones(&browser, 1);
    browser.wait("document.querySelector('#analysis').hidden");
    browser.press("Cancel");
    stones(&browser, 6);
    browser.press("Set up");
    browser.press("Analyse");
    browser.wait("document.querySelectorAll('.value').length > 0");
    browser.press("Analyse");
    // A handicap is black stones with white to move.
    begin(&browser, &[PERSONS, ("Handicap stones", "3")]);
    stones(&browser, 3);
    status(&browser, "White to move");
    let wide = browser.run("return document.documentElement.scrollWidth > innerWidth");
    assert_eq!(wide, json!(false));
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

/// The board once stayed in set-up, and the other game came to light after *Cancel*.
#[test]
fn another_game_ends_the_set_up() {
    let Some((browser, _server)) = visit(Window::Desktop) else {
        return;
    };
    browser.press("Set up");
    status(&browser, "Set up a position");
    begin(&browser, &[PERSONS, ("Size", "19")]);
    status(&browser, "Black to move");
    browser.wait("document.querySelectorAll('[role=gridcell]').length === 361");
    browser.press("Set up");
    status(&browser, "Set up a position");
    open(&browser, "15 renju h8i9j10");
    stones(&browser, 3);
    status(&browser, "White to move");
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

#[test]
fn soosorv_is_a_dialogue() {
    let Some((browser, _server)) = visit(Window::Desktop) else {
        return;
    };
    begin(
        &browser,
        &[PERSONS, ("Rule", "renju"), ("Opening", "soosorv")],
    );
    let question = |text: &str| {
        let text = json!(text);
        browser.wait(&format!(
            "document.querySelector('#question').textContent.includes({text})"
        ));
    };
    let put = |point: &str, count: usize| {
        browser.click(point);
        stones(&browser, count);
    };
    question("black in the centre");
    browser.wait("document.querySelectorAll('.cell.free').length === 1");
    put("h8", 1);
    browser.wait("document.querySelectorAll('.cell.free').length === 8");
    put("h9", 2);
    browser.click("a1");
    browser.wait("document.querySelector('[role=alert]').textContent.includes('no stone here')");
    put("h10", 3);
    question("Take the colour that stands better");
    browser.press("Take white");
    question("Place the fourth stone");
    put("h12", 4);
    status(&browser, "How many fifth stones?");
    question("How many different stones");
    browser.press("2");
    question("said how many fifth stones");
    browser.press("Take black");
    status(&browser, "Offer a fifth stone (2 to go)");
    browser.click("g7");
    status(&browser, "Offer a fifth stone (1 to go)");
    assert_eq!(browser.label("g7").1, "g7, offered");
    // The point that is alike is marked, and refused.
    browser.wait("document.querySelectorAll('.closed').length === 1");
    browser.click("i7");
    browser.wait("document.querySelector('[role=alert]').textContent.includes('no stone here')");
    browser.click("i10");
    status(&browser, "Take one of the offered stones");
    question("worst for black");
    browser.wait("document.querySelectorAll('.offered').length === 2");
    browser.wait("!document.querySelector('.closed')");
    // They are in pictures too.
    browser.press("Export");
    browser.fill("Format", "svg");
    browser.wait("/>A<.*>B</s.test(document.querySelector('dialog textarea').value)");
    browser.press("Close");
    put("i10", 5);
    status(&browser, "White to move");
    browser.wait("!document.querySelector('.offered')");
    let wide = browser.run("return document.documentElement.scrollWidth > innerWidth");
    assert_eq!(wide, json!(false));
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

/// Taraguchi has every kind of step; the other rules are asked for in words too.
#[test]
fn taraguchi_is_a_dialogue() {
    let Some((browser, _server)) = visit(Window::Desktop) else {
        return;
    };
    for opening in ["pro", "long-pro", "rif", "yamaguchi", "tarannikov"] {
        begin(
            &browser,
            &[PERSONS, ("Rule", "renju"), ("Opening", opening)],
        );
        browser.wait("document.querySelector('#question').textContent.includes(' stone')");
        browser.wait("document.querySelectorAll('.cell.free').length === 1");
    }
    begin(
        &browser,
        &[PERSONS, ("Rule", "renju"), ("Opening", "taraguchi")],
    );
    for (count, (point, color)) in [
        ("h8", "Take white"),
        ("h9", "Take black"),
        ("i10", "Take white"),
        ("e8", "Take black"),
    ]
    .into_iter()
    .enumerate()
    {
        browser.wait("document.querySelector('#question').textContent.includes('near the centre')");
        browser.click(point);
        stones(&browser, count + 1);
        browser.press(color);
    }
    browser.wait("document.querySelector('#question').textContent.includes('you offer ten')");
    browser.press("10");
    for point in ["a1", "b1", "c1", "d1", "e1", "f1", "g1", "h1", "i1", "j1"] {
        browser.click(point);
    }
    status(&browser, "Take one of the offered stones");
    browser.wait("document.querySelectorAll('.offered').length === 10");
    browser.click("c1");
    stones(&browser, 5);
    status(&browser, "White to move");
    assert_eq!(browser.complaints(), Vec::<String>::new());
}
