//! What a person chooses of the engine and of sounds, by names and by the keyboard alone, and
//! how pictures follow what is chosen of the board.

use crate::driver::{Browser, Window, is_installed};
use crate::{PERSONS, READY, begin, open, place, status, stones, visit};
use quincunx_testing::server::BoardServer;
use serde_json::json;

const TAB: char = '\u{e004}';
const ENTER: char = '\u{e007}';
const DOWN: char = '\u{e015}';
const LEFT: char = '\u{e012}';

/// A browser at a board whose searches may have three threads and 64 MiB. What the page sends
/// is in `window.sent`.
fn visit_three_threads() -> Option<(Browser, BoardServer)> {
    is_installed().then(|| {
        let server = BoardServer::start_with(&["--threads", "3", "--memory", "64MiB"]);
        let browser = Browser::open(Window::Desktop);
        browser.before_pages(
            "window.sent = [];
             const send = WebSocket.prototype.send;
             WebSocket.prototype.send = function (text) {
                 window.sent.push(text);
                 return send.call(this, text);
             };",
        );
        browser.go(&server.url());
        browser.wait(READY);
        (browser, server)
    })
}

/// Waits until the last message about limits is this one.
fn limits(browser: &Browser, expected: &str) {
    browser.wait(&format!(
        "window.sent.findLast((text) => text.includes('\"limit\"')) === {}",
        json!(expected)
    ));
}

/// Goes on with the tab key until the field of this name has the focus.
fn tab_to(browser: &Browser, name: &str) {
    let is_there = format!(
        "const field = document.activeElement;
         return [field.innerText, field.closest('label')?.querySelector('span')?.textContent].includes({});",
        json!(name)
    );
    let reached = (0..60).any(|_| {
        browser.keys(&[TAB]);
        browser.run(&is_there) == json!(true)
    });
    assert!(reached, "{name} by the tab key");
}

#[test]
fn threads_and_memory_are_chosen_by_keyboard_within_what_the_program_allows() {
    let Some((browser, _server)) = visit_three_threads() else {
        return;
    };
    browser.run("document.querySelector('#menu button').focus()");
    tab_to(&browser, "Settings");
    browser.keys(&[ENTER]);
    browser.wait("document.querySelector('dialog')");
    let options = browser.run(
        "return ['Threads', 'Memory'].map((name) => [...document.querySelectorAll('dialog label')]
             .find((label) => label.querySelector('span')?.textContent === name))
             .map((label) => [...label.querySelectorAll('option')].map(({ text }) => text).join());",
    );
    assert_eq!(options, json!(["1,2,3", "16 MiB,32 MiB,64 MiB"]));
    // What the program begins with is chosen.
    tab_to(&browser, "Threads");
    browser.keys(&['1']);
    limits(&browser, r#"{"type":"limit","threads":1}"#);
    browser.keys(&[DOWN]);
    limits(&browser, r#"{"type":"limit","threads":2}"#);
    browser.fill("Memory", "32");
    limits(&browser, r#"{"type":"limit","threads":2,"memory_mib":32}"#);
    browser.press("Close");
    // They are told again to a program that knows nothing of them.
    browser.reload();
    browser.wait(READY);
    limits(&browser, r#"{"type":"limit","threads":2,"memory_mib":32}"#);
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

/// An analysis stops where it is told to, and the board is as it was otherwise.
#[test]
fn an_analysis_stops_after_so_many_nodes() {
    let Some((browser, _server)) = visit_three_threads() else {
        return;
    };
    begin(&browser, &[PERSONS]);
    place(&browser, &["h8", "i9", "g7", "i7"]);
    browser.press("Settings");
    browser.fill("Stop the analysis", r#"{"analysis_nodes":100000}"#);
    browser.press("Close");
    browser.press("Analyse");
    // The last report of three threads may be from long before their end.
    let facts = "document.querySelector('#analysis').innerText.match(/Depth .*/)?.[0]";
    browser.wait(&format!("/ ([5-9]\\d|10\\d) k nodes/.test({facts})"));
    browser.run(&format!(
        "window.stood = 0; let before = '';
         const look = () => {{
             window.stood = {facts} === before ? window.stood + 1 : 0;
             before = {facts};
             if (window.stood < 15) setTimeout(look, 100);
         }};
         look();"
    ));
    browser.wait("window.stood === 15");
    // The next position has as many again. The page takes the last number away and puts the stone
    // in one go.
    browser.click("i10");
    stones(&browser, 5);
    browser.wait(&format!("/ ([5-9]\\d|10\\d) k nodes/.test({facts})"));
    browser.press("Settings");
    browser.fill("Stop the analysis", "{}");
    browser.press("Close");
    browser.wait(&format!("/ ([2-9]\\d\\d k|[\\d.]+ M) nodes/.test({facts})"));
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

/// Any change once took back the language of the address, and what another tab had chosen
/// meanwhile.
#[test]
fn a_choice_leaves_the_others_alone() {
    let Some((browser, server)) = visit(Window::Desktop) else {
        return;
    };
    browser.go(&format!("{}?lang=ja", server.url()));
    status(&browser, "黒の番");
    browser.run(r#"localStorage.setItem('quincunx.preferences', '{"theme":"paper"}')"#);
    browser.press("設定");
    browser.toggle("音");
    browser.press("閉じる");
    let kept = browser.run("return JSON.parse(localStorage.getItem('quincunx.preferences'))");
    assert_eq!(kept, json!({ "theme": "paper", "sound": false }));
    browser.run("document.querySelector('[data-name=new]').click()");
    browser.wait("document.querySelector('dialog h2').textContent === '新しい対局'");
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

/// Without TLS a browser of another machine has no clipboard, and the button did nothing. A format
/// that can't hold the game was downloaded as an empty file.
#[test]
fn an_export_is_copied_without_a_clipboard_and_never_empty() {
    let Some((browser, _server)) = visit(Window::Desktop) else {
        return;
    };
    browser.run(
        "Object.defineProperty(navigator, 'clipboard', { value: undefined });
         window.saved = 0;
         HTMLAnchorElement.prototype.click = () => { window.saved += 1; };",
    );
    begin(&browser, &[PERSONS, ("Handicap stones", "2")]);
    browser.press("Export");
    browser.wait("document.querySelector('dialog textarea').value.startsWith('(;FF[4]')");
    browser.press("Copy");
    browser.wait("document.getElementById('alert').textContent === 'Copied'");
    browser.fill("Format", "psq");
    browser.wait("!document.querySelector('dialog .refusal').hidden");
    browser.press("Download");
    browser.fill("Format", "text");
    browser.wait("document.querySelector('dialog textarea').value.startsWith('15 freestyle')");
    browser.press("Download");
    browser.wait("window.saved > 0");
    assert_eq!(browser.run("return window.saved"), json!(1));
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

/// A change of the volume or of the sound is heard as it will be.
#[test]
fn a_stone_sounds_as_chosen_and_as_loud() {
    let Some((browser, server)) = visit(Window::Desktop) else {
        return;
    };
    browser.run(
        "window.volumes = []; window.tones = [];
         const start = OscillatorNode.prototype.start;
         OscillatorNode.prototype.start = function (at) {
             window.tones.push(this.frequency.value);
             return start.call(this, at);
         };
         const connect = AudioNode.prototype.connect;
         AudioNode.prototype.connect = function (to) {
             if (to instanceof AudioDestinationNode) window.master = this;
             return connect.call(this, to);
         };",
    );
    browser.press("Settings");
    browser.fill("Sound of a stone", "glass");
    browser.wait("window.tones.join() === '1760,2640'");
    browser.wait("window.master.gain.value === 1");
    // By the keyboard: five parts of a hundred to the left.
    browser.run("window.tones = []; document.activeElement.blur()");
    tab_to(&browser, "Volume");
    browser.keys(&[LEFT; 10]);
    browser.wait("window.master.gain.value === 0.25");
    browser.wait("window.tones.length === 20");
    browser.fill("Sound of a stone", "wood");
    browser.wait("window.tones.at(-1) === 190");
    browser.run("window.tones = []");
    browser.toggle("Sounds");
    browser.fill("Volume", "100");
    assert_eq!(
        browser.run("return window.tones"),
        json!([]),
        "switched off"
    );
    browser.press("Close");
    // The other pages have it too.
    browser.go(&format!("{}gravity.html", server.url()));
    browser.wait(READY);
    browser.press("Settings");
    assert_eq!(
        browser.run("return document.querySelector('dialog input[type=range]').value"),
        "100"
    );
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

/// What an analysis has found once was gone from the board that was turned after its end.
#[test]
fn values_stay_on_a_board_that_is_turned() {
    let Some((browser, _server)) = visit(Window::Desktop) else {
        return;
    };
    open(&browser, "9 freestyle d5a1e5a3f5a9g5a7");
    browser.press("Analyse");
    browser.fill("Lines", "1");
    // The move to five is all that there is to find.
    let value =
        "[...document.querySelectorAll('.value')].map(({ textContent }) => textContent).join()";
    browser.wait(&format!("{value} === '#1'"));
    browser.press("Settings");
    browser.fill("Turn the board", "1");
    browser.press("Close");
    browser.wait(&format!("{value} === '#1'"));
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

/// The GIF once was neither turned nor coloured as the board was.
#[test]
fn pictures_are_turned_and_coloured_as_the_board_is() {
    let Some((browser, _server)) = visit(Window::Desktop) else {
        return;
    };
    begin(&browser, &[PERSONS, ("Size", "20x15")]);
    browser.click("a1");
    stones(&browser, 1);
    let shape = |kind: &str| {
        browser.press("Export");
        browser.fill("Format", kind);
        browser.wait(&format!(
            "(({{ alt, complete, naturalWidth }}) => alt.includes({}) && complete && naturalWidth > 100)(document.querySelector('dialog img'))",
            json!(kind.to_uppercase())
        ));
        let shape = browser.run(
            "const image = document.querySelector('dialog img');
             const canvas = document.createElement('canvas');
             [canvas.width, canvas.height] = [image.naturalWidth, image.naturalHeight];
             const context = canvas.getContext('2d');
             context.drawImage(image, 0, 0);
             const [red, green, blue] = context.getImageData(canvas.width >> 1, 6, 1, 1).data;
             return { wide: canvas.width > canvas.height, bright: red + green + blue > 384 };",
        );
        browser.picture(&format!("picture-{kind}"));
        browser.press("Close");
        shape
    };
    for kind in ["gif", "png"] {
        assert_eq!(
            shape(kind),
            json!({ "wide": true, "bright": true }),
            "{kind}"
        );
    }
    browser.press("Settings");
    browser.fill("Turn the board", "1");
    browser.fill("Colours", "dark");
    browser.press("Close");
    for kind in ["gif", "png"] {
        assert_eq!(
            shape(kind),
            json!({ "wide": false, "bright": false }),
            "{kind}"
        );
    }
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

#[test]
fn stones_can_be_larger() {
    let Some((browser, _server)) = visit(Window::Desktop) else {
        return;
    };
    begin(&browser, &[PERSONS]);
    place(&browser, &["h8"]);
    let width = || {
        let width = browser
            .run("return document.querySelector('.stone .disc').getBoundingClientRect().width");
        width.as_f64().unwrap()
    };
    // A new stone shrinks to its size.
    browser.wait("document.getAnimations().length === 0");
    let usual = width();
    browser.press("Settings");
    browser.toggle("Larger stones");
    let larger = width() / usual;
    assert!((1.04..1.09).contains(&larger), "{larger}");
    browser.press("Close");
    browser.run("location.reload()");
    stones(&browser, 1);
    browser.wait("document.documentElement.dataset.stones === 'large'");
    assert_eq!(browser.complaints(), Vec::<String>::new());
}
