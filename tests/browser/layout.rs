//! What people read is not cut, and what they click stays under the pointer.

use crate::driver::{Browser, Window};
use crate::rooms::{club, pair, resign, visitor};
use crate::{PERSONS, READY, begin, open, open_on_phone, status, stones, visit};
use serde_json::{Map, Value, json};

/// Where the buttons of the game are, by name.
const PLACES: &str =
    "return Object.fromEntries([...document.querySelectorAll('#actions button')].map((it) => {
    const { x, y, width, height } = it.getBoundingClientRect();
    return [it.dataset.name, [x, y, width, height]];
}))";

fn top(place: &Value) -> f64 {
    place[1].as_f64().unwrap()
}

/// Where the lowest button ends.
fn lowest(places: &Map<String, Value>) -> f64 {
    let bottom = |place: &Value| top(place) + place[3].as_f64().unwrap();
    places.values().map(bottom).fold(0.0, f64::max)
}

/// Rematch once came where Undo had been, under the pointer of a player who took moves back. What
/// can't be done any more is not there, and nothing takes its place.
#[test]
fn no_button_takes_the_place_of_another_when_a_game_ends() {
    let Some((browser, _server)) = visit(Window::Desktop) else {
        return;
    };
    begin(&browser, &[PERSONS, ("Size", "9")]);
    let stones_of_both = ["a1", "a2", "b1", "b2", "c1", "c2", "d1", "d2"];
    for (number, point) in stones_of_both.into_iter().enumerate() {
        browser.click(point);
        stones(&browser, number + 1);
    }
    let before = browser.run(PLACES);
    browser.click("e1");
    status(&browser, "Black wins");
    let after = browser.run(PLACES);
    let (before, after) = (before.as_object().unwrap(), after.as_object().unwrap());
    for name in ["undo", "redo"] {
        assert_eq!(after[name], before[name], "{name}");
    }
    for name in ["hint", "resign", "draw"] {
        assert!(before.contains_key(name), "{name}");
        assert!(!after.contains_key(name), "{name}");
    }
    for name in ["rematch", "review"] {
        assert!(top(&after[name]) >= lowest(before), "{name}");
    }
}

/// In rooms Rematch came where a win was claimed and a game called off.
#[test]
fn rematch_and_review_have_a_row_of_their_own_in_rooms() {
    let Some((_server, anna, bela)) = pair(&[("Seat", "first"), ("Opening", "free")]) else {
        return;
    };
    status(&anna, "Your move");
    anna.wait("document.querySelector('#actions [data-name=abort]')");
    // What is said lies beside the board and its coordinates.
    bela.click("h8");
    bela.wait("!document.querySelector('#alert').hidden");
    let covers = bela.run(
        "const [said, board] = ['#alert', 'svg.board'].map((it) => document.querySelector(it).getBoundingClientRect());
         return said.left < board.right && said.top < board.bottom",
    );
    assert_eq!(covers, false);
    let before = anna.run(PLACES);
    resign(&bela);
    status(&anna, "Anna wins");
    anna.wait("document.querySelector('#actions [data-name=rematch]')");
    let after = anna.run(PLACES);
    let (before, after) = (before.as_object().unwrap(), after.as_object().unwrap());
    for name in ["resign", "draw", "ask_undo", "lobby"] {
        assert_eq!(after[name], before[name], "{name}");
    }
    for name in ["rematch", "review"] {
        assert!(top(&after[name]) >= lowest(before), "{name}");
    }
}

/// A spinner beside a name once broke its line, and all below moved with every move of the engine.
#[test]
fn no_button_moves_while_the_engine_thinks() {
    let Some((browser, _server)) = visit(Window::Desktop) else {
        return;
    };
    let long = r#"{"game_ms":1800000,"increment_ms":0}"#;
    begin(&browser, &[("Level", "100"), ("Time", long)]);
    let tops = || -> Vec<Value> {
        let top = |width| {
            browser.resize(width, 800);
            browser.run(
                "const { top } = document.querySelector('#actions').getBoundingClientRect();
                 return top + scrollY",
            )
        };
        (300..=420).step_by(15).map(top).collect()
    };
    browser.click("h8");
    browser.wait("document.querySelector('.spinner')");
    let thinking = tops();
    browser.wait("document.querySelector('.spinner')");
    browser.press("Undo");
    stones(&browser, 0);
    browser.wait("!document.querySelector('.spinner')");
    assert_eq!(tops(), thinking);
}

/// In renju the button to pass once went away while the engine thought.
#[test]
fn the_button_to_pass_has_its_place() {
    let Some((browser, _server)) = visit(Window::Desktop) else {
        return;
    };
    let fields = [
        ("Rule", "renju"),
        ("Level", "100"),
        ("Time", r#"{"turn_ms":15000}"#),
    ];
    begin(&browser, &fields);
    let before = browser.run(PLACES);
    assert!(before["pass"].is_array(), "{before}");
    browser.click("h8");
    browser.wait("document.querySelector('.spinner')");
    assert_eq!(browser.run(PLACES), before);
}

/// The buttons that go through a game once moved with every position that was analysed: its
/// lines have no place before they are found.
#[test]
fn lines_of_an_analysis_move_no_button() {
    let Some((browser, _server)) = visit(Window::Desktop) else {
        return;
    };
    browser.resize(1280, 1080);
    open(&browser, "15 freestyle h8i9g7i7");
    stones(&browser, 4);
    browser.press("Analyse");
    let lines = "document.querySelectorAll('.best-line').length === 3";
    browser.wait(lines);
    browser.run(
        "const top = () => document.querySelector('#game .steps').getBoundingClientRect().top;
         window.tops = new Set([top()]);
         new MutationObserver(() => window.tops.add(top()))
             .observe(document.querySelector('#analysis'), { childList: true, subtree: true });",
    );
    browser.press("One move back");
    stones(&browser, 3);
    browser.wait(lines);
    assert_eq!(browser.run("return [...window.tops].length"), json!(1));
}

/// Clicks on a button as the browser tells of one, or of the second one of a double click.
fn click(browser: &Browser, selector: &str, count: u8) {
    browser.wait(&format!("document.querySelector({})", json!(selector)));
    browser.run(&format!(
        "document.querySelector({}).dispatchEvent(new MouseEvent('click', {{ bubbles: true, detail: {count} }}))",
        json!(selector)
    ));
}

/// The question of an opening goes with its answer, and Undo comes where the answer was.
#[test]
fn a_double_click_is_meant_for_what_its_first_click_hit() {
    let Some((browser, _server)) = visit(Window::Desktop) else {
        return;
    };
    begin(&browser, &[PERSONS, ("Opening", "swap1")]);
    browser.click("h8");
    stones(&browser, 1);
    click(&browser, "#question .main", 1);
    browser.wait("document.querySelector('#question').hidden");
    click(&browser, "#actions [data-name=undo]", 2);
    click(&browser, "#actions [data-name=resign]", 3);
    // Both would have come by now: the answer to what is asked after them is here.
    browser.click("i9");
    stones(&browser, 2);
    assert_eq!(
        browser.run("return document.querySelector('dialog')"),
        Value::Null
    );
    // A button that is pressed fast is pressed as often.
    click(&browser, "#actions [data-name=undo]", 1);
    stones(&browser, 1);
    click(&browser, "#actions [data-name=redo]", 1);
    stones(&browser, 2);
    for count in [1, 2, 3] {
        click(&browser, "[data-name=settings]", count);
        browser.wait("document.querySelector('dialog')");
        browser.run("document.querySelector('dialog').close()");
        browser.wait("!document.querySelector('dialog')");
    }
}

/// What is chosen in the open dialogue and is wider than its field; the arrow of a list is
/// about as wide as a letter is high.
const CUT: &str = "
    const context = document.createElement('canvas').getContext('2d');
    return [...document.querySelectorAll('dialog select')].flatMap((field) => {
        const { font, fontSize, paddingLeft, paddingRight } = getComputedStyle(field);
        context.font = font;
        const room = field.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight) - parseFloat(fontSize);
        return [...field.options].map((it) => it.text).filter((text) => context.measureText(text).width > room);
    })";

/// The name of the first rule was cut at every size but a phone's, in English and in Russian.
#[test]
fn rules_and_openings_are_read_to_their_ends() {
    let Some((browser, server)) = visit(Window::Desktop) else {
        return;
    };
    for language in ["en", "ru", "vi", "ja"] {
        browser.go(&format!("{}?lang={language}", server.url()));
        browser.wait(READY);
        browser.run("document.querySelector('[data-name=new]').click()");
        browser.wait("document.querySelector('dialog')");
        for (width, height) in [(1280, 800), (900, 700)] {
            browser.resize(width, height);
            assert_eq!(browser.run(CUT), json!([]), "{language} at {width}");
        }
        browser.run("document.querySelector('dialog').close()");
        browser.resize(360, 740);
        browser.run("document.querySelector('[data-name=settings]').click()");
        browser.wait("document.querySelector('dialog')");
        // The longest words are in the lists that have rows of their own.
        let rows = "return [...document.querySelectorAll('dialog .few-words')].map((it) => it.offsetWidth > 200)";
        assert_eq!(browser.run(rows), json!([true, true]), "{language}");
    }
}

/// The rule and the time were cut at 900 by 700, and coordinates had 7 pixels on a phone.
#[test]
fn conditions_and_coordinates_are_read_in_small_windows() {
    let Some((browser, _server)) = visit(Window::Desktop) else {
        return;
    };
    for (width, height) in [(900, 700), (360, 740)] {
        browser.resize(width, height);
        let lines = "const it = document.querySelector('#conditions'); return it.scrollWidth - it.clientWidth";
        assert!(browser.run(lines).as_i64().unwrap() <= 0, "{width}");
        let size = browser.run(
            "const label = document.querySelector('.label');
             return parseFloat(getComputedStyle(label).fontSize) * label.getScreenCTM().a",
        );
        assert!(size.as_f64().unwrap() > 9.0, "{size} at {width}");
    }
}

/// The header of four in a row had two rows on a phone.
#[test]
fn four_in_a_row_has_one_row_of_header_on_a_phone() {
    let Some((browser, server)) = visit(Window::Phone) else {
        return;
    };
    browser.go(&format!("{}gravity.html", server.url()));
    browser.wait("document.querySelectorAll('nav button').length === 2");
    let height = browser.run("return document.querySelector('header').offsetHeight");
    assert!(height.as_f64().unwrap() < 60.0, "{height}");
    // The signs have their words for those who do not see them.
    browser.press("New game");
    browser.press("Cancel");
    assert_eq!(
        browser.run("return document.querySelector('#other').textContent"),
        "Gomoku"
    );
}

/// The header had two rows at 900 by 700 in Russian, and the remark was out of sight.
#[test]
fn the_header_has_one_row_and_the_remark_is_in_sight_in_every_language() {
    let Some((browser, server)) = visit(Window::Desktop) else {
        return;
    };
    browser.resize(900, 700);
    for language in ["en", "ja", "ko", "ru", "vi", "zh-Hans", "zh-Hant"] {
        browser.go(&format!("{}?lang={language}", server.url()));
        browser.wait(READY);
        let header = "document.querySelector('header').offsetHeight";
        let remark = "document.querySelector('#game textarea').getBoundingClientRect().bottom";
        let fits = format!("return {header} < 60 && {remark} <= innerHeight");
        assert_eq!(browser.run(&fits), true, "{language}");
    }
    // What the settings call the language is the one that is read.
    browser.run("document.querySelector('[data-name=settings]').click()");
    let chosen = "return [...document.querySelectorAll('dialog select')].some((it) => it.value === 'zh-Hant')";
    assert_eq!(browser.run(chosen), true);
}

/// A long name out of a file once made the page wider than its window.
#[test]
fn a_long_name_is_broken() {
    let Some((browser, _server)) = visit(Window::Desktop) else {
        return;
    };
    browser.resize(360, 740);
    let name = "x".repeat(100);
    open_on_phone(&browser, &format!("(;GM[4]SZ[15]PB[{name}]PW[Bob];B[hh])"));
    browser.wait(&format!(
        "document.querySelector('#players').innerText.includes('{name}')"
    ));
    let wide = browser.run("return document.documentElement.scrollWidth > innerWidth");
    assert_eq!(wide, json!(false));
}

/// The fields of a clock of one's own once had a quarter of the window each.
#[test]
fn the_fields_of_another_clock_have_the_whole_row() {
    let Some(server) = club() else {
        return;
    };
    let anna = visitor(&server, "Anna");
    anna.press("New room");
    anna.fill("Clock", "");
    let widths = anna.run(
        "const fields = document.querySelector('dialog .fields .fields');
         return [fields.offsetWidth, fields.parentElement.offsetWidth];",
    );
    assert!(widths[0].as_i64() > Some(0), "{widths}");
    assert_eq!(widths[0], widths[1]);
}

#[test]
fn a_printed_page_has_the_board_and_the_moves_and_nothing_to_press() {
    let Some((browser, _server)) = visit(Window::Desktop) else {
        return;
    };
    open(&browser, "(;GM[4]SZ[15];B[hh]C[a start];W[ii])");
    stones(&browser, 2);
    browser.print();
    browser.resize(794, 1123);
    let shown = browser.run(
        "return [...document.querySelectorAll('button:not(.move)')].filter((it) => it.checkVisibility()).map((it) => it.textContent)",
    );
    assert_eq!(shown, json!([]));
    let seen = "return ['svg.board', '.moves', '#players'].every((it) => document.querySelector(it).checkVisibility())";
    assert_eq!(browser.run(seen), true);
    browser.picture("print");
}

/// The help once opened at its first button, below the rules.
#[test]
fn the_help_is_read_from_its_beginning() {
    let Some((browser, _server)) = visit(Window::Phone) else {
        return;
    };
    browser.press("More");
    browser.press("Help");
    browser.wait("document.querySelector('dialog')");
    let seen = browser.run(
        "return [document.querySelector('dialog').scrollTop, document.activeElement.textContent]",
    );
    assert_eq!(seen, json!([0, "Rules"]));
}
