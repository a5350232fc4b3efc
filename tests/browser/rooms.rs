//! Two browsers play each other.

use crate::board_server::BoardServer;
use crate::driver::{Browser, Window, is_installed};
use crate::visitor::{RoomServer, clock_error, time_used};
use crate::{status, stones};
use serde_json::json;
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// A browser in the lobby.
pub(crate) fn visitor(server: &BoardServer, name: &str) -> Browser {
    let browser = Browser::open(Window::Desktop);
    browser.go(&server.url());
    browser.wait("document.querySelector('#you')");
    rename(&browser, name);
    browser
}

fn rename(browser: &Browser, name: &str) {
    browser.press("Change name");
    browser.fill("Name", name);
    browser.press("Save");
    let expected = json!(format!("You are {name}"));
    browser.wait(&format!(
        "document.querySelector('#you').textContent === {expected}"
    ));
}

/// Opens a room by the dialogue. A box with the value `off` is unchecked.
fn create(browser: &Browser, fields: &[(&str, &str)]) {
    browser.press("New room");
    for (field, value) in fields {
        match *value {
            "off" => browser.toggle(field),
            _ => browser.fill(field, value),
        }
    }
    browser.press("Start");
    browser.wait("!document.querySelector('#room').hidden");
}

/// Takes the free seat of the only open room; a rated game asks once.
fn join(browser: &Browser) {
    let button = "document.querySelector('#lobby li button')";
    browser.wait(button);
    let yes = "document.querySelector('dialog[open] button.main')?.click()";
    browser.run(&format!("{button}.click(); {yes}"));
}

fn click_all(browser: &Browser, other: &Browser, points: &[&str], already: usize) {
    for (number, point) in points.iter().enumerate() {
        browser.click(point);
        stones(browser, already + number + 1);
        stones(other, already + number + 1);
    }
}

#[test]
fn two_browsers_play_swap2_and_one_is_killed() {
    if !is_installed() {
        return;
    }
    let folder = TempDir::new().unwrap();
    let database = folder.path().join("club.redb");
    let arguments = ["--database", database.to_str().unwrap()];
    let mut server = BoardServer::start_with(&arguments);
    let anna = visitor(&server, "Anna");
    let bela = visitor(&server, "Béla");
    create(&anna, &[("Seat", "first"), ("Size", "9")]);
    status(&anna, "Waiting for a player");
    let link = anna.run("return document.querySelector('#invite input').value");
    // The room is in the lobby, where Béla takes the free seat.
    join(&bela);
    status(&anna, "Place a stone (3 to go)");
    click_all(&anna, &bela, &["e5", "f6", "d4"], 0);
    bela.press("Put two more stones");
    click_all(&bela, &anna, &["a9", "a8"], 3);
    anna.press("Take white");
    status(&anna, "Your move");
    status(&bela, "Anna to move");
    assert_eq!(bela.label("e5").1, "e5, black, move 1");
    click_all(&anna, &bela, &["i1"], 5);
    // Not her turn: nothing happens.
    anna.click("i2");
    click_all(&bela, &anna, &["c3"], 6);

    // Béla's browser is killed, and with his key he goes on in another one.
    let key = bela.run("return localStorage.getItem('quincunx.key')");
    drop(bela);
    anna.wait("document.querySelector('#players em')");
    let bela = Browser::open(Window::Phone);
    bela.go(&server.url());
    bela.wait("document.querySelector('#you')");
    bela.run(&format!("localStorage.setItem('quincunx.key', {key})"));
    bela.go("about:blank");
    bela.go(link.as_str().unwrap());
    stones(&bela, 7);
    click_all(&anna, &bela, &["i3"], 7);
    let wide = bela.run("return document.documentElement.scrollWidth > innerWidth");
    assert_eq!(wide, json!(false), "the page fits a phone");

    // The server is killed. Both pages find it again.
    let port = server.address.rsplit(':').next().unwrap().to_owned();
    drop(server);
    anna.wait("document.querySelector('[role=alert]').textContent !== ''");
    server = BoardServer::start_at(&port, &arguments);
    anna.wait("document.querySelector('[role=alert]').textContent === ''");
    status(&bela, "Your move");
    // The fifth of a1 and so on: c3, d4, e5 stand already.
    bela.wait("document.querySelectorAll('[role=gridcell].free').length > 0");
    // Whoever comes and goes between the two taps once made the second the first.
    bela.tap("b2");
    bela.wait("document.querySelector('.asked')");
    anna.run("location.hash = ''");
    bela.wait("document.querySelector('#players em')");
    bela.tap("b2");
    anna.back();
    stones(&anna, 9);
    click_all(&anna, &bela, &["i5"], 9);
    bela.tap("a1");
    bela.tap("a1");
    status(&anna, "Béla wins");
    status(&bela, "Béla wins");
    anna.wait("document.querySelectorAll('.won').length === 5");
    anna.wait("document.querySelector('.player').innerText.includes('(1338?) −162')");

    // A rematch begins with Béla.
    anna.press("Rematch");
    bela.press("Accept");
    stones(&anna, 0);
    status(&bela, "Place a stone (3 to go)");
    bela.press("Resign");
    bela.run("document.querySelector('dialog .main').click()");
    status(&anna, "Anna wins");
    anna.press("Back to the lobby");
    anna.wait("document.querySelector('#lobby table').innerText.includes('Béla')");
    anna.press("Béla");
    anna.wait("document.querySelector('dialog').innerText.includes('Against you: 1 won')");
    anna.wait("document.querySelector('dialog li').innerText.startsWith('Freestyle: 1')");
    anna.press("Close");
    // The page of the board shows a game that is over.
    anna.run("document.querySelector('a[href^=\"index.html#9/\"]').click()");
    stones(&anna, 0);
    let complaints: Vec<String> = (anna.complaints().into_iter())
        // The server was away for a while.
        .filter(|text| !text.contains("WebSocket connection"))
        .collect();
    assert_eq!(complaints, Vec::<String>::new());
    drop(server);
}

#[test]
fn a_person_plays_the_engine_in_a_room_while_another_watches() {
    if !is_installed() {
        return;
    }
    let server = BoardServer::start_with(&["--listen", "127.0.0.1"]);
    let anna = visitor(&server, "Anna");
    let fields = [("Seat", "first"), ("Opponent", "0"), ("Opening", "free")];
    create(&anna, &fields);
    status(&anna, "Your move");
    let watcher = Browser::open(Window::Desktop);
    let link = anna.run("return location.href");
    watcher.go(&format!(
        "{}?lang=ja{}",
        server.url(),
        link.as_str().unwrap().replace(&server.url(), "")
    ));
    watcher.wait("document.querySelectorAll('[role=gridcell]').length === 225");
    anna.click("h8");
    stones(&anna, 2);
    stones(&watcher, 2);
    status(&watcher, "Anna の番");
    watcher.click("a1");
    anna.press("Resign");
    anna.run("document.querySelector('dialog .main').click()");
    status(&anna, "Engine wins");
    stones(&watcher, 2);
    // A name is text, whatever it looks like, and refused where it is more.
    anna.press("Back to the lobby");
    anna.press("Change name");
    anna.fill("Name", "<img src=x>");
    anna.press("Save");
    anna.wait("document.querySelector('.refusal').textContent.startsWith('A name has')");
    assert_eq!(anna.complaints(), Vec::<String>::new());
    assert_eq!(watcher.complaints(), Vec::<String>::new());
}

/// A room that the first has opened with these fields, and where the second has sat down.
fn pair(server: &BoardServer, fields: &[(&str, &str)]) -> (Browser, Browser) {
    let (anna, bela) = (visitor(server, "Anna"), visitor(server, "Béla"));
    create(&anna, fields);
    join(&bela);
    bela.wait("document.querySelectorAll('.player').length === 2");
    (anna, bela)
}

/// Waits until the page asks or says this beside the board.
fn question(browser: &Browser, text: &str) {
    let text = json!(text);
    browser.wait(&format!(
        "document.querySelector('#question').innerText.includes({text})"
    ));
}

#[test]
fn wishes_hide_neither_the_opening_nor_each_other() {
    if !is_installed() {
        return;
    }
    let server = BoardServer::start_with(&["--listen", "127.0.0.1"]);
    let (anna, bela) = pair(&server, &[("Seat", "first"), ("Rated", "off")]);
    click_all(&anna, &bela, &["h8", "i9", "g7"], 0);
    // Béla offers a draw where he has to choose, and still can.
    bela.press("Offer draw");
    question(&bela, "You have offered a draw");
    question(&anna, "Your opponent offers a draw");
    question(&bela, "Take the colour that stands better");
    anna.press("Decline");
    bela.press("Take white");
    status(&bela, "Your move");
    click_all(&bela, &anna, &["a1"], 3);
    // Anna's own offer does not hide what Béla asks for.
    anna.press("Offer draw");
    question(&bela, "Your opponent offers a draw");
    bela.press("Ask to undo");
    for browser in [&anna, &bela] {
        browser.wait("document.querySelectorAll('#question p').length === 2");
    }
    question(&anna, "You have offered a draw");
    question(&anna, "Your opponent wants to take a move back");
    anna.press("Accept");
    stones(&bela, 3);
    // Two questions have buttons that look alike, and the later one is shown first.
    click_all(&bela, &anna, &["a1"], 3);
    bela.press("Ask to undo");
    question(&anna, "Your opponent wants to take a move back");
    bela.press("Offer draw");
    question(&anna, "Your opponent offers a draw");
    anna.press("Accept");
    status(&bela, "Draw");
    stones(&bela, 4);
    assert_eq!(anna.complaints(), Vec::<String>::new());
}

#[test]
fn a_room_calls_its_player() {
    if !is_installed() {
        return;
    }
    let server = BoardServer::start_with(&["--listen", "127.0.0.1"]);
    let (anna, bela) = (visitor(&server, "Anna"), visitor(&server, "Béla"));
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
    anna.wait(&format!("{lobby}.includes('Go on playing: Anna')"));
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
    // A room where nobody has come is closed.
    back_to_lobby();
    create(&anna, &fields);
    status(&anna, "Waiting for a player");
    anna.press("Close the room");
    anna.wait("document.querySelector('#alert').textContent === 'The room is closed'");
    anna.wait(&format!(
        "{lobby}.includes('Your move: Anna') && !{lobby}.includes('Waiting for')"
    ));
    assert_eq!(anna.complaints(), Vec::<String>::new());
}

#[test]
fn forms_stay_open_until_they_are_done() {
    if !is_installed() {
        return;
    }
    let server = BoardServer::start_with(&["--listen", "127.0.0.1"]);
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
    refused("Somebody has this name");
    anna.press("Cancel");
    anna.wait("!document.querySelector('dialog')");
    assert_eq!(anna.complaints(), Vec::<String>::new());
}

#[test]
fn pages_speak_the_language_of_the_browser() {
    if !is_installed() {
        return;
    }
    let server = BoardServer::start_with(&["--listen", "127.0.0.1"]);
    let browser = Browser::open(Window::Desktop);
    for (languages, expected) in [
        (vec!["zh-TW", "en"], "zh-Hant"),
        (vec!["zh"], "zh-Hans"),
        (vec!["de-AT", "vi-VN", "ja"], "vi"),
        (vec!["en-US@posix", "ru"], "ru"),
        (vec!["de"], "en"),
    ] {
        browser.prefer(&languages);
        for page in ["", "index.html", "gravity.html"] {
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
    if !is_installed() {
        return;
    }
    let server = BoardServer::start_with(&["--listen", "127.0.0.1"]);
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
    if !is_installed() {
        return;
    }
    let server = BoardServer::start_with(&["--listen", "127.0.0.1"]);
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
    anna.wait("window.heard.lastIndexOf('ratings') > window.heard.indexOf('seat')");
    anna.wait("window.heard.includes('seat')");
    anna.wait("location.hash === '' && !document.querySelector('#lobby').hidden");
    assert_eq!(anna.complaints(), Vec::<String>::new());
}

#[test]
fn the_lobby_keeps_what_does_not_change() {
    if !is_installed() {
        return;
    }
    let server = BoardServer::start_with(&["--listen", "127.0.0.1"]);
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
    create(&bela, &[("Seat", "first")]);
    visitors(2);
    anna.wait("document.querySelector('#lobby li')");
    anna.run("window.item = document.querySelector('#lobby li')");
    // A room comes before the one that is listed.
    let carl = visitor(&server, "Carl");
    create(&carl, &[("Seat", "first")]);
    anna.wait("document.querySelectorAll('#lobby li').length === 2");
    let kept = anna.run(
        "return [document.activeElement.innerText, window.rules.isConnected, window.item.isConnected]",
    );
    assert_eq!(kept, json!(["New room", true, true]));
    // The link of a tournament stays selected while somebody joins.
    anna.press("New tournament");
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

/// Goes on when the page shows the tournament, and presses a button there.
fn back_to_tournament(browser: &Browser) {
    browser.press("Back to the tournament");
    browser.wait("!document.querySelector('#tournament').hidden");
}

/// Gives the game up.
fn resign(browser: &Browser) {
    browser.press("Resign");
    browser.run("document.querySelector('dialog .main').click()");
}

#[test]
fn two_browsers_play_a_tournament() {
    if !is_installed() {
        return;
    }
    let server = BoardServer::start_with(&["--listen", "127.0.0.1"]);
    let anna = visitor(&server, "Anna");
    let bela = visitor(&server, "Béla");
    anna.press("New tournament");
    for (field, value) in [
        ("Name of the tournament", "Club evening"),
        ("System", "double"),
        ("Opening", "free"),
        ("Minutes between rounds", "0"),
    ] {
        anna.fill(field, value);
    }
    anna.wait("document.querySelector('dialog input[max=\"20\"]').disabled");
    anna.press("Start");
    let shown = "document.querySelector('#tournament').innerText";
    anna.wait(&format!(
        "{shown}.includes('Double round robin · players: 0 · ')"
    ));
    anna.wait("document.querySelector('#tournament h2').textContent === 'Club evening'");
    let link = anna.run("return document.querySelector('#tournament input').value");
    anna.press("Take part");
    // It is in the lobby too, where Béla is.
    bela.wait("document.querySelector('#lobby a[href^=\"#tournament/\"]')");
    bela.go("about:blank");
    bela.go(link.as_str().unwrap());
    bela.press("Take part");
    anna.wait("document.querySelectorAll('#tournament tbody tr').length === 2");
    anna.press("Begin the first round");
    // Both are led to their game.
    for browser in [&anna, &bela] {
        browser.wait("!document.querySelector('#room').hidden");
    }
    status(&anna, "Your move");
    anna.click("h8");
    stones(&bela, 1);
    let buttons = "[...document.querySelectorAll('#actions button')].map((it) => it.dataset.name)";
    resign(&bela);
    status(&anna, "Anna wins");
    let shown = anna.run(&format!("return {buttons}"));
    assert_eq!(shown, json!(["review", "tournament", "lobby"]));
    back_to_tournament(&anna);
    anna.wait("document.querySelector('#tournament').innerText.includes('Round 2 of 2')");
    anna.run("[...document.querySelectorAll('#tournament td a')].find((it) => it.text === 'Go on playing').click()");
    back_to_tournament(&bela);
    bela.run("[...document.querySelectorAll('#tournament td a')].find((it) => it.text === 'Go on playing').click()");
    status(&bela, "Your move");
    resign(&anna);
    back_to_tournament(&bela);
    bela.wait("document.querySelector('#tournament [role=status]').innerText.trim() === 'Over'");
    let rows = bela.run(
        "return [...document.querySelectorAll('#tournament table[aria-label=Standings] tbody tr')]\
         .map((it) => it.innerText.trim().split(/\\s+/))",
    );
    let row = |name: &str| json!(["1", name, "1", "2", "1", "1"]);
    assert_eq!(rows, json!([row("Anna"), row("Béla")]));
    let csv = bela.run(
        "const request = new XMLHttpRequest();\
         request.open('GET', document.querySelector('a[download=\"games.csv\"]').href, false);\
         request.send(); return request.responseText;",
    );
    assert_eq!(csv.as_str().unwrap().lines().count(), 3, "{csv}");
    let wide = bela.run("return document.documentElement.scrollWidth > innerWidth");
    assert_eq!(wide, json!(false));
    for browser in [&anna, &bela] {
        assert_eq!(browser.complaints(), Vec::<String>::new());
    }
}

#[test]
fn the_board_leads_back_to_the_lobby_where_there_is_one() {
    if !is_installed() {
        return;
    }
    let server = BoardServer::start_with(&["--listen", "127.0.0.1"]);
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

/// Two browsers play on while the server is killed again and again; somebody without a
/// browser watches the clocks.
///
/// `cargo test --release --test browser -- --ignored --nocapture twenty`
#[test]
#[ignore = "takes a minute"]
#[allow(clippy::print_stdout)]
fn two_browsers_play_on_while_the_server_is_killed_twenty_times() {
    const TIMES: usize = 20;
    const MAIN: Duration = Duration::from_secs(900);
    if !is_installed() {
        return;
    }
    let mut server = RoomServer::start();
    let anna = visitor(server.get(), "Anna");
    let bela = visitor(server.get(), "Béla");
    create(
        &anna,
        &[
            ("Seat", "first"),
            ("Opening", "free"),
            ("Clock", r#"{"kind":"sudden_death","main_ms":900000}"#),
        ],
    );
    let room = anna.run("return location.hash.slice(1)");
    let room = room.as_str().unwrap().to_owned();
    join(&bela);
    status(&anna, "Your move");
    // Rows of both colours that make no five.
    let point = |ply: usize| {
        let (x, y) = ((ply / 15) as u8, ply % 15 + 1);
        format!("{}{y}", (b'a' + 2 * x) as char)
    };
    let mut watcher = server.visitor(3);
    watcher.enter(&room);
    let mut used = [Duration::ZERO; 2];
    let (mut turn_began, mut worst, mut measured) = (Instant::now(), Duration::ZERO, 0);
    let mut first_turn = true;
    for round in 0..TIMES {
        for ply in [2 * round, 2 * round + 1] {
            [&anna, &bela][ply % 2].click(&point(ply));
            let heard = watcher.stones(ply + 1);
            if first_turn {
                // When the game began was not seen.
                used[0] = time_used(&heard, MAIN)[0];
                first_turn = false;
            } else {
                used[ply % 2] += turn_began.elapsed();
            }
            turn_began = Instant::now();
            worst = worst.max(clock_error(&heard, MAIN, used));
        }
        stones(&anna, 2 * round + 2);
        stones(&bela, 2 * round + 2);
        std::thread::sleep(Duration::from_millis(100));
        used[0] += turn_began.elapsed();
        let began = Instant::now();
        server.kill_and_start();
        watcher = server.visitor(3);
        let mut back = watcher.enter(&room);
        let was_first = back["runs"] == false;
        if was_first {
            back = watcher.client.until(|message| message["runs"] == true);
        }
        turn_began = Instant::now();
        assert_eq!(back["stones"].as_array().unwrap().len(), 2 * round + 2);
        if was_first {
            worst = worst.max(clock_error(&back, MAIN, used));
            measured += 1;
        } else {
            // A page was back before: its clock has run since some time after the start.
            let shown = time_used(&back, MAIN)[0];
            let ran = shown.saturating_sub(used[0]);
            assert!(ran <= began.elapsed(), "{ran:?}");
            used[0] = shown;
        }
    }
    println!("killed {TIMES} times, {measured} measured: clocks at most {worst:?} off");
    assert!(
        worst < Duration::from_millis(100 + 100 * TIMES as u64),
        "{worst:?}"
    );
    resign(&anna);
    status(&bela, "Béla wins");
}
