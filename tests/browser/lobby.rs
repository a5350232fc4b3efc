//! The lobby: its lists and forms, and the way to rooms and back.

use crate::driver::{Browser, Window, is_installed};
use crate::rooms::{click_all, club, club_of_two, create, join, resign, tournament_form, visitor};
use crate::status;
use quincunx_testing::client::Client;
use quincunx_testing::server::BoardServer;
use serde_json::json;

#[test]
fn a_room_calls_its_player() {
    let Some((_server, anna, bela)) = club_of_two() else {
        return;
    };
    let fields = [("Seat", "first"), ("Opening", "free")];
    create(&anna, &fields);
    let lobby = "document.querySelector('#lobby').innerText";
    let back_to_lobby = || {
        anna.press("Back to the lobby");
        anna.wait("!document.querySelector('#lobby').hidden");
    };
    back_to_lobby();
    anna.wait(&format!("{lobby}.includes('Waiting for a player: Anna')"));
    anna.wait("document.title === 'Quincunx: Rooms'");
    let called = |text: &str| {
        let (title, text) = (json!(format!("{text} · Quincunx")), json!(text));
        anna.wait(&format!(
            "document.querySelector('#calls').innerText === {text} && document.title === {title}"
        ));
    };
    let answered = || {
        anna.wait(
            "document.querySelector('#calls').hidden && document.title === 'Your move · Quincunx'",
        );
    };
    join(&bela);
    called("Your game with Béla begins");
    anna.wait(&format!("{lobby}.includes('Your move: Anna')"));
    anna.run("document.querySelector('#calls a').click()");
    answered();
    click_all(&anna, &bela, &["h8"], 0);
    anna.wait("document.title === 'Quincunx: Rooms'");
    back_to_lobby();
    anna.wait(&format!("{lobby}.includes('Continue playing: Anna')"));
    bela.click("i9");
    called("Your move against Béla");
    anna.run("document.querySelector('#calls a').click()");
    answered();
    click_all(&anna, &bela, &["h7"], 2);
    // The same while another page hides this one.
    let hide = |hidden: bool| {
        anna.run(&format!(
            "Object.defineProperty(document, 'hidden', {{ value: {hidden}, configurable: true }});
             document.dispatchEvent(new Event('visibilitychange'));"
        ));
    };
    hide(true);
    bela.click("i8");
    called("Your move against Béla");
    hide(false);
    answered();
    // A room without an opponent is closed.
    back_to_lobby();
    create(&anna, &fields);
    status(&anna, "Waiting for a player");
    anna.press("Close the room");
    anna.wait("document.querySelector('#alert').textContent === 'The room is closed'");
    anna.wait(&format!(
        "{lobby}.includes('Your move: Anna') && !{lobby}.includes('Waiting for')"
    ));
    // A wish for a rematch calls a player who has left the room.
    resign(&bela);
    called("Your game with Béla is over: you win");
    bela.press("Rematch");
    called("Your opponent wants a rematch");
    assert_eq!(anna.complaints(), Vec::<String>::new());
}

/// Who moves second was once not called where the game began while their page was not there, as
/// on a phone in a pocket, and lost it by not coming.
#[test]
fn a_game_that_began_without_the_page_calls_its_player() {
    let Some((server, anna, bela)) = club_of_two() else {
        return;
    };
    create(&anna, &[("Seat", "second"), ("Rated", "off")]);
    let room = anna.run("return location.hash");
    anna.go("about:blank");
    bela.run(&format!("location.hash = {room}"));
    bela.press("Take the free seat");
    status(&bela, "Place a stone (3 to go)");
    anna.go(&server.url());
    anna.wait("document.querySelector('#calls').innerText === 'Your game with Béla begins'");
    // It calls no more once it was seen.
    anna.run("document.querySelector('#calls a').click()");
    anna.wait("!document.querySelector('#room').hidden");
    anna.run("location.hash = ''");
    anna.wait("!document.querySelector('#lobby').hidden");
    anna.wait("document.querySelector('#calls').hidden");
}

#[test]
fn forms_stay_open_until_they_are_done() {
    let Some(server) = club() else {
        return;
    };
    let anna = visitor(&server, "Anna");
    let refused = |text: &str| {
        let text = json!(text);
        anna.wait(&format!(
            "document.querySelector('dialog .refusal').innerText === {text}"
        ));
    };
    anna.press("New room");
    anna.fill("Size", "99");
    anna.fill("Seat", "second");
    anna.press("Start");
    refused("A board has 5 to 22 points a side: 15, or 20x15");
    anna.fill("Size", "9x10");
    anna.press("Start");
    status(&anna, "Waiting for a player");
    let setup = anna.run("return document.querySelector('#detail').innerText");
    assert!(setup.as_str().unwrap().contains("9x10"), "{setup}");
    anna.wait("!document.querySelector('dialog')");
    let second = anna.run("return document.querySelectorAll('.player')[1].innerText");
    assert!(second.as_str().unwrap().contains("Anna"), "{second}");
    anna.press("Back to the lobby");
    anna.press("Key");
    anna.fill("Key", "abc");
    anna.press("Save");
    refused("A key has 32 digits and letters from a to f");
    anna.press("Cancel");
    anna.wait("!document.querySelector('dialog')");
    anna.press("Change name");
    anna.fill("Name", "engine");
    anna.press("Save");
    refused("This name is taken");
    anna.press("Cancel");
    anna.wait("!document.querySelector('dialog')");
    assert_eq!(anna.complaints(), Vec::<String>::new());
}

#[test]
fn pages_speak_the_language_of_the_browser() {
    let Some(server) = club() else {
        return;
    };
    let browser = Browser::open(Window::Desktop);
    for (languages, expected) in [
        (vec!["zh-TW", "en"], "zh-Hant"),
        (vec!["zh"], "zh-Hans"),
        (vec!["de-AT", "vi-VN", "ja"], "vi"),
        (vec!["en-US@posix", "ru"], "ru"),
        (vec!["de"], "en"),
    ] {
        browser.prefer(&languages);
        for page in ["", "index.html", "gravity.html", "training.html"] {
            browser.go(&format!("{}{page}", server.url()));
            browser.wait(&format!("document.documentElement.lang === '{expected}'"));
        }
    }
    // Other choices do not settle it, one of a language does.
    browser.go(&server.url());
    browser.press("Settings");
    browser.fill("Colours", "dark");
    browser.prefer(&["ko"]);
    browser.reload();
    browser.wait("document.documentElement.lang === 'ko'");
    browser.press("설정");
    browser.fill("언어", "ja");
    browser.reload();
    browser.wait("document.documentElement.lang === 'ja'");
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

#[test]
fn a_link_that_leads_nowhere_leads_to_the_lobby() {
    let Some(server) = club() else {
        return;
    };
    let browser = Browser::open(Window::Desktop);
    for (link, text) in [
        ("#deadbeef", "There is no such room"),
        ("#00000000deadbeef", "There is no such room"),
        ("#tournament/2", "There is no such tournament"),
    ] {
        browser.go("about:blank");
        browser.go(&format!("{}{link}", server.url()));
        browser.wait(&format!(
            "document.querySelector('#alert').textContent === {}",
            json!(text)
        ));
        browser.wait("location.hash === '' && !document.querySelector('#lobby').hidden");
    }
}

/// The late answer once brought a room back that the visitor had left, and nothing led out
/// of it.
#[test]
fn a_room_that_is_left_at_once_stays_left() {
    let Some(server) = club() else {
        return;
    };
    let anna = visitor(&server, "Anna");
    create(&anna, &[("Seat", "first")]);
    anna.press("Back to the lobby");
    anna.wait("document.querySelector('#lobby li a')");
    // In and out before an answer can come.
    anna.run(
        "const parse = JSON.parse;
         window.heard = [];
         JSON.parse = (text) => {
             const message = parse(text);
             window.heard.push(message?.type);
             return message;
         };
         const { hash } = document.querySelector('#lobby li a');
         for (const place of [hash, '']) {
             location.hash = place;
             dispatchEvent(new HashChangeEvent('hashchange'));
         }",
    );
    anna.wait("window.heard.lastIndexOf('lobby') > window.heard.indexOf('seat')");
    anna.wait("window.heard.includes('seat')");
    anna.wait("location.hash === '' && !document.querySelector('#lobby').hidden");
    assert_eq!(anna.complaints(), Vec::<String>::new());
}

#[test]
fn the_lobby_keeps_what_does_not_change() {
    let Some(server) = club() else {
        return;
    };
    let anna = visitor(&server, "Anna");
    anna.wait("document.querySelector('#lobby select')");
    anna.run(
        "window.rules = document.querySelector('#lobby select');
         [...document.querySelectorAll('#lobby button')].find((it) => it.innerText === 'New room').focus();",
    );
    let visitors = |count: usize| {
        anna.wait(&format!(
            "document.querySelector('#lobby').innerText.includes('Visitors here: {count}')"
        ));
    };
    visitors(1);
    let bela = visitor(&server, "Béla");
    create(&bela, &[("Seat", "first"), ("Rated", "off")]);
    visitors(2);
    anna.wait("document.querySelector('#lobby tbody tr')");
    anna.run("window.item = document.querySelector('#lobby tbody tr')");
    // A room comes before the one that is listed.
    let carl = visitor(&server, "Carl");
    create(&carl, &[("Seat", "first")]);
    anna.wait("document.querySelectorAll('#lobby tbody tr').length === 2");
    let kept = anna.run(
        "return [document.activeElement.innerText, window.rules.isConnected, window.item.isConnected]",
    );
    assert_eq!(kept, json!(["New room", true, true]));
    // What does not change in a room either: the seat of the first one once was taken in the second,
    // without a question.
    for (host, terms) in [(&bela, "Unrated"), (&carl, "Rated")] {
        let room = host.run("return location.hash");
        anna.run(&format!("location.hash = {room}"));
        anna.wait(&format!(
            "document.querySelector('#invite button') && document.querySelector('#detail').innerText.endsWith('· {terms}')"
        ));
    }
    anna.press("Take the free seat");
    anna.wait("document.querySelector('dialog h2').innerText.startsWith('Play Carl (1500?) in this rated game?')");
    // A window goes with the place that it asks about.
    anna.run("location.hash = ''");
    anna.wait("!document.querySelector('#lobby').hidden && !document.querySelector('dialog')");
    // The link of a tournament stays selected while a player joins.
    tournament_form(&anna);
    anna.fill("Name of the tournament", "Club evening");
    anna.press("Start");
    anna.wait("!document.querySelector('#tournament').hidden");
    anna.run("document.querySelector('#tournament input').select()");
    let link = anna.run("return document.querySelector('#tournament input').value");
    bela.go("about:blank");
    bela.go(link.as_str().unwrap());
    bela.press("Take part");
    anna.wait("document.querySelectorAll('#tournament tbody tr').length === 1");
    let selected = anna.run("return document.activeElement.value");
    assert_eq!(selected, link);
}

/// A room that came between a press and its end once moved what was pressed.
#[test]
fn nothing_in_the_lobby_moves_while_it_is_pressed() {
    let Some((server, anna, bela)) = club_of_two() else {
        return;
    };
    let carl = visitor(&server, "Carl");
    create(&bela, &[("Seat", "first"), ("Rated", "off")]);
    let join = "#lobby td button[data-room]";
    anna.wait(&format!("document.querySelector('{join}')"));
    // The pointer came long before it is pressed.
    anna.run(
        "let now = performance.now();
         performance.now = () => now;
         addEventListener('pointerdown', () => (now += 60000), true);
         const { parse } = JSON;
         JSON.parse = (text) => {
             const message = parse(text);
             if (message?.open?.put?.length) window.rooms = 2;
             return message;
         };",
    );
    anna.hold(join, || {
        create(&carl, &[("Seat", "first"), ("Rated", "off")]);
        anna.wait("window.rooms === 2");
    });
    let room = bela.run("return location.hash");
    anna.wait(&format!("location.hash === {room}"));
}

#[test]
fn the_board_leads_back_to_the_lobby_where_there_is_one() {
    let Some(server) = club() else {
        return;
    };
    let browser = Browser::open(Window::Phone);
    browser.go(&format!("{}index.html", server.url()));
    let link = "document.querySelector('#back')";
    browser.wait(&format!(
        "{link}.checkVisibility() && {link}.innerText === 'Rooms'"
    ));
    browser.run("document.querySelector('#back').click()");
    browser.wait("document.querySelector('#you')");
    drop(server);
    let alone = BoardServer::start();
    browser.go(&alone.url());
    browser.wait(&format!("{link}.textContent === 'Rooms'"));
    let shown = browser.run(&format!("return {link}.checkVisibility()"));
    assert_eq!(shown, json!(false));
}

/// Signs and digits of other keyboards were once refused in rooms.
#[test]
fn sizes_of_rooms_are_read_as_people_write_them() {
    let Some(server) = club() else {
        return;
    };
    let anna = visitor(&server, "Anna");
    create(&anna, &[("Size", "１３ × １９"), ("Opening", "free")]);
    anna.wait("document.querySelectorAll('[role=gridcell]').length === 247");
    // A click where nothing can be played says why.
    anna.click("a1");
    anna.wait("document.querySelector('#alert').textContent === 'The game has not begun'");
    assert_eq!(anna.complaints(), Vec::<String>::new());
}

/// A form once waited without a word for a server that was gone, and what was said for a while
/// took away that it is.
#[test]
fn a_server_that_is_gone_is_never_silent() {
    let Some(server) = club() else {
        return;
    };
    let anna = visitor(&server, "Anna");
    drop(server);
    let lost =
        "document.querySelector('#alert').textContent.startsWith('The server does not answer')";
    anna.wait(lost);
    anna.press("New room");
    anna.press("Start");
    anna.wait(
        "document.querySelector('.refusal').textContent.startsWith('The server does not answer')",
    );
    anna.press("Cancel");
    anna.press("Key");
    anna.press("Copy");
    anna.wait("document.querySelector('#alert').textContent === 'Copied'");
    anna.wait(lost);
    anna.press("Cancel");
}

/// A page that is out of date, or whose person is kept out, once said so for four seconds, and
/// looked as if it were alive from then on.
#[test]
fn a_page_that_is_not_let_in_says_so() {
    let Some(server) = club() else {
        return;
    };
    let browser = Browser::open(Window::Desktop);
    browser.before_pages(
        "const { stringify } = JSON;
         JSON.stringify = (it, ...rest) =>
             stringify(it?.type === 'hello' ? { ...it, version: 99 } : it, ...rest);",
    );
    browser.go(&server.url());
    let said =
        "document.querySelector('#alert').textContent === 'The page is out of date: reload it'";
    browser.wait(said);
    browser.run("setTimeout(() => (window.isLater = true), 5000)");
    browser.wait("window.isLater");
    assert_eq!(browser.run(&format!("return {said}")), json!(true));
}

/// A page whose key an administrator had replaced was not let in, and once read no link with the
/// new key either.
#[test]
fn a_page_that_is_not_let_in_takes_a_code() {
    let Some(server) = club() else {
        return;
    };
    let browser = Browser::open(Window::Desktop);
    // A server that lets no visitor in.
    browser.before_pages("window.WebSocket = class { readyState = 0; send() {} close() {} };");
    browser.go(&format!("{}#device/abcd-efgh", server.url()));
    browser.press("Use this code");
    browser.wait("sessionStorage.getItem('quincunx.code').includes('abcdefgh')");
    assert_eq!(browser.run("return location.hash"), "");
}

/// Another device becomes the same person by a code, is seen, and is ended.
#[test]
fn a_code_brings_a_person_to_another_browser() {
    let Some(server) = club() else {
        return;
    };
    let anna = visitor(&server, "Anna");
    anna.press("Key");
    anna.press("Code for another device");
    anna.wait("document.querySelector('dialog .code')");
    let code = anna.run("return document.querySelector('dialog .code').textContent");
    let phone = Browser::open(Window::Desktop);
    phone.go(&format!(
        "{}#device/{}",
        server.url(),
        code.as_str().unwrap()
    ));
    phone.press("Use this code");
    phone.wait("document.querySelector('#you')?.textContent === 'You are Anna'");
    let key = "return localStorage.getItem('quincunx.key')";
    assert_ne!(phone.run(key), anna.run(key));
    anna.wait("document.querySelectorAll('dialog li[data-device]').length === 2");
    anna.wait("!document.querySelector('dialog .code')");
    // It is the same after a reload, until it is ended.
    phone.go(&server.url());
    phone.wait("document.querySelector('#you')?.textContent === 'You are Anna'");
    anna.press("End");
    phone.wait(
        "document.querySelector('#alert').textContent === 'This key was replaced by another'",
    );
    // A new key, and the end of the account.
    let old = anna.run(key);
    anna.press("New key");
    anna.run("document.querySelector('dialog button.main').click()");
    anna.wait(&format!("localStorage.getItem('quincunx.key') !== {old}"));
    anna.go(&server.url());
    anna.wait("document.querySelector('#you')?.textContent === 'You are Anna'");
    anna.press("Key");
    anna.press("Forget me");
    anna.run("document.querySelector('dialog button.main').click()");
    anna.wait("document.querySelector('#you')?.textContent.startsWith('You are guest-')");
}

/// Puzzles were reached by the board alone.
#[test]
fn the_lobby_leads_to_puzzles() {
    if !is_installed() {
        return;
    }
    let arguments = ["--listen", "127.0.0.1", "--visitors-per-address", "1"];
    let server = BoardServer::start_with(&arguments);
    let anna = visitor(&server, "Anna");
    anna.wait("document.querySelector('#puzzles').textContent === 'Puzzles'");
    anna.click_on("#puzzles");
    anna.wait("document.querySelector('[role=status]').textContent.includes('find the moves')");
    // Where there is no place for a board the program once seemed not to answer.
    anna.go("about:blank");
    let _board = loop {
        let mut board = Client::at(&server, "socket");
        board.send(&json!({ "type": "hello", "version": 1 }));
        if board.receive()["type"] == "welcome" {
            break board;
        }
        std::thread::sleep(std::time::Duration::from_millis(20));
    };
    anna.go(&format!("{}index.html", server.url()));
    anna.wait(
        "document.querySelector('#alert').textContent === 'Too many boards are open. Try again in 30 s.'",
    );
    assert_eq!(anna.complaints(), Vec::<String>::new());
}
