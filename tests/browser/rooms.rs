//! Two browsers play each other.

use crate::driver::{Browser, Window, is_installed};
use crate::{status, stones};
use quincunx_testing::server::BoardServer;
use quincunx_testing::visitor::{RoomServer, clock_error, time_used};
use serde_json::json;
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// A server with rooms, if there is a browser.
pub(crate) fn club() -> Option<BoardServer> {
    is_installed().then(|| BoardServer::start_with(&["--listen", "127.0.0.1"]))
}

/// A server with rooms and two visitors, if there is a browser.
pub(crate) fn club_of_two() -> Option<(BoardServer, Browser, Browser)> {
    club().map(|server| {
        let (anna, bela) = (visitor(&server, "Anna"), visitor(&server, "Béla"));
        (server, anna, bela)
    })
}

/// Two visitors in a room that the first has opened with these fields.
pub(crate) fn pair(fields: &[(&str, &str)]) -> Option<(BoardServer, Browser, Browser)> {
    let (server, anna, bela) = club_of_two()?;
    create(&anna, fields);
    join(&bela);
    for browser in [&anna, &bela] {
        browser.wait("document.querySelector('.player.active')");
    }
    Some((server, anna, bela))
}

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

/// Opens a room for all by the dialogue.
pub(crate) fn create(browser: &Browser, fields: &[(&str, &str)]) {
    create_by(browser, "New room", fields);
}

/// Opens a room by the dialogue of this button. A box with the value `off` is unchecked.
pub(crate) fn create_by(browser: &Browser, button: &str, fields: &[(&str, &str)]) {
    browser.press(button);
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
pub(crate) fn join(browser: &Browser) {
    let button = "document.querySelector('#lobby td button[data-room]')";
    browser.wait(button);
    let yes = "document.querySelector('dialog[open] button.main')?.click()";
    browser.run(&format!("{button}.click(); {yes}"));
}

/// Opens the form for a tournament.
pub(crate) fn tournament_form(browser: &Browser) {
    browser.press("Tournaments");
    browser.press("New tournament");
}

pub(crate) fn click_all(browser: &Browser, other: &Browser, points: &[&str], already: usize) {
    for (number, point) in points.iter().enumerate() {
        browser.click(point);
        stones(browser, already + number + 1);
        stones(other, already + number + 1);
    }
}

/// Every step of the longest dialogue, with a reload in the middle of it and a spectator.
#[test]
fn two_browsers_play_soosorv() {
    let fields = [("Seat", "first"), ("Rule", "renju"), ("Opening", "soosorv")];
    if !is_installed() {
        return;
    }
    let server = BoardServer::start_with(&["--listen", "127.0.0.1"]);
    let (anna, bela) = (visitor(&server, "Anna"), visitor(&server, "Béla"));
    create(&anna, &fields);
    join(&bela);
    status(&anna, "Place a stone (3 to go)");
    anna.click("a1");
    let alert = |browser: &Browser, text: &str| {
        let text = json!(text);
        browser.wait(&format!(
            "document.querySelector('#alert').textContent === {text}"
        ));
    };
    alert(&anna, "The opening rule allows no stone here");
    click_all(&anna, &bela, &["h8", "h9", "i9"], 0);
    let detail = "document.querySelector('#detail').textContent";
    bela.wait(&format!("{detail}.includes('D4 Kagetsu')"));
    bela.press("Take white");
    status(&bela, "Place a stone (1 to go)");
    click_all(&bela, &anna, &["g10"], 3);
    status(&bela, "How many fifth stones?");
    bela.run("location.reload()");
    status(&bela, "How many fifth stones?");
    bela.press("2");
    let said = "document.querySelector('#chosen').textContent";
    let chosen = json!("Béla chose white · Béla asked for fifth stones: 2");
    for browser in [&anna, &bela] {
        browser.wait(&format!("{said} === {chosen}"));
    }
    anna.press("Take black");
    let chosen_by_all = json!(format!("{} · Anna chose black", chosen.as_str().unwrap()));
    status(&anna, "Offer a fifth stone (2 to go)");
    anna.click("i7");
    status(&anna, "Offer a fifth stone (1 to go)");
    let carl = Browser::open(Window::Desktop);
    let room = anna.run("return location.href");
    carl.go(room.as_str().unwrap());
    let offered = "document.querySelectorAll('.offered').length";
    for browser in [&anna, &bela, &carl] {
        browser.wait(&format!("{offered} === 1"));
    }
    anna.click("j8");
    status(&bela, "Take one of the offered stones");
    bela.click("j10");
    alert(&bela, "The opening rule allows no stone here");
    bela.click("j8");
    for browser in [&anna, &bela, &carl] {
        stones(browser, 5);
        browser.wait(&format!("{offered} === 0"));
    }
    status(&bela, "Your move");
    click_all(&bela, &anna, &["g8"], 5);
    status(&anna, "Your move");
    // The archive has the choices, and the offers before the fifth stone.
    anna.press("Resign");
    anna.run("document.querySelector('dialog .main').click()");
    status(&carl, "Béla wins");
    carl.run("location.hash = '#game/1'");
    carl.wait(&format!("{said} === {chosen_by_all}"));
    for (ply, offers) in [(6, 0), (5, 0), (4, 2), (3, 0)] {
        stones(&carl, ply);
        carl.wait(&format!("{offered} === {offers}"));
        carl.run("document.querySelector('[data-name=\"step.previous\"]').click()");
    }
    for browser in [anna, bela, carl] {
        assert_eq!(browser.complaints(), Vec::<String>::new());
    }
}

#[test]
fn two_browsers_play_swap2_and_one_is_killed() {
    if !is_installed() {
        return;
    }
    let folder = TempDir::new().unwrap();
    let database = folder.path().join("club.db");
    let arguments = ["--database", database.to_str().unwrap()];
    let mut server = BoardServer::start_with(&arguments);
    let anna = visitor(&server, "Anna");
    let bela = visitor(&server, "Béla");
    create(&anna, &[("Seat", "first")]);
    status(&anna, "Waiting for a player");
    let link = anna.run("return document.querySelector('#invite input').value");
    // The room is in the lobby, where Béla takes the free seat.
    join(&bela);
    status(&anna, "Place a stone (3 to go)");
    click_all(&anna, &bela, &["e5", "f6", "d4"], 0);
    bela.press("Place two more stones");
    status(&bela, "Place a stone (2 to go)");
    click_all(&bela, &anna, &["a9", "a8"], 3);
    anna.press("Take white");
    status(&anna, "Your move");
    status(&bela, "Anna to move");
    assert_eq!(bela.label("e5").1, "e5, black, move 1");
    click_all(&anna, &bela, &["i1"], 5);
    // Not her turn: nothing happens, and she is told so.
    anna.click("i2");
    anna.wait("document.querySelector('#alert').textContent === 'It is not your turn'");
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
    anna.wait(
        "document.querySelector('[role=alert]').textContent.startsWith('The server does not')",
    );
    server = BoardServer::start_at(&port, &arguments);
    anna.wait("document.querySelector('[role=alert]').textContent === ''");
    status(&bela, "Your move");
    // The fifth of a1 and so on: c3, d4, e5 stand already.
    bela.wait("document.querySelectorAll('[role=gridcell].free').length > 0");
    // A visitor who came and went between the two taps once made the second the first.
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
    // A game is kept where both have acted.
    for (number, point) in ["e5", "f6", "d4"].into_iter().enumerate() {
        bela.tap(point);
        bela.tap(point);
        stones(&bela, number + 1);
    }
    anna.press("Take white");
    status(&bela, "Anna to move");
    bela.press("Resign");
    bela.run("document.querySelector('dialog .main').click()");
    status(&anna, "Anna wins");
    anna.press("Back to the lobby");
    look_up_bela(&anna);
    let complaints: Vec<String> = (anna.complaints().into_iter())
        // The server was away for a while.
        .filter(|text| !text.contains("WebSocket connection"))
        .collect();
    assert_eq!(complaints, Vec::<String>::new());
    drop(server);
}

/// Finds Béla in the table of ratings, and his first game, which Anna lost, in his profile.
fn look_up_bela(anna: &Browser) {
    anna.press("Ratings");
    anna.wait("document.querySelector('#lobby-ratings table').innerText.includes('Béla')");
    anna.press("Béla");
    let profile = "document.querySelector('#profile').innerText";
    anna.wait(&format!(
        "{profile}.includes('Your games with this player: 1 won')"
    ));
    anna.wait("document.querySelector('.standings h2').innerText === 'Freestyle'");
    anna.wait("document.querySelectorAll('.rating polyline').length === 1");
    // The page has an address.
    anna.run("location.reload()");
    anna.wait(&format!("{profile}.includes('Finished games')"));
    // A game that is over has a page, with every move; the page of the board reviews it.
    anna.press("All games");
    anna.run("document.querySelector('a[href=\"#game/1\"]').click()");
    stones(anna, 11);
    status(anna, "Anna 0–1 Béla");
    anna.press("First position");
    stones(anna, 0);
    anna.press("One move forward");
    stones(anna, 1);
    anna.press("Review");
    stones(anna, 11);
}

#[test]
fn a_person_plays_the_engine_in_a_room_while_another_watches() {
    let Some(server) = club() else {
        return;
    };
    let anna = visitor(&server, "Anna");
    let fields = [("Seat", "first"), ("Level", "0"), ("Opening", "free")];
    create_by(&anna, "Against the engine", &fields);
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

/// Gives the game up.
pub(crate) fn resign(browser: &Browser) {
    browser.press("Resign");
    browser.run("document.querySelector('dialog .main').click()");
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
    let Some((_server, anna, bela)) = pair(&[("Seat", "first"), ("Rated", "off")]) else {
        return;
    };
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
    // Two questions have buttons that look alike: a draw once came under the pointer that was
    // about to accept something else.
    click_all(&bela, &anna, &["a1"], 3);
    bela.press("Ask to undo");
    question(&anna, "Your opponent wants to take a move back");
    let place = "const { left, top } = document.querySelector('[data-answer=ask_undo]').getBoundingClientRect();
                 return [left, top]";
    let before = anna.run(place);
    bela.press("Offer draw");
    question(&anna, "Your opponent offers a draw");
    assert_eq!(anna.run(place), before);
    anna.click_on("[data-answer=offer_draw]");
    status(&bela, "Draw");
    stones(&bela, 4);
    assert_eq!(anna.complaints(), Vec::<String>::new());
}

/// Two browsers play on while the server is killed again and again; a visitor without a
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

/// When the opponent came, or the game ended, another button once came under the pointer: a
/// click on the way back to the lobby went nowhere, or to another page.
#[test]
fn buttons_of_a_room_stay_where_they_are() {
    let Some(server) = club() else {
        return;
    };
    let anna = visitor(&server, "Anna");
    create(&anna, &[("Seat", "first"), ("Opening", "swap2")]);
    let places = || {
        anna.run(
            "return Object.fromEntries([...document.querySelectorAll('#actions button')].map((it) => {
                 const { left, top } = it.getBoundingClientRect();
                 return [it.dataset.name, `${left} ${top}`];
             }));",
        )
    };
    let waiting = places();
    let bela = visitor(&server, "Béla");
    join(&bela);
    status(&anna, "Place a stone (3 to go)");
    let playing = places();
    click_all(&anna, &bela, &["h8", "i9", "g7"], 0);
    bela.press("Take white");
    status(&anna, "Béla to move");
    let chosen = places();
    resign(&bela);
    status(&anna, "Anna wins");
    anna.wait("document.querySelector('#actions [data-name=rematch]')");
    let over = places();
    for name in ["resign", "draw", "ask_undo", "lobby"] {
        assert_eq!(waiting[name], playing[name], "{name}");
        assert_eq!(playing[name], chosen[name], "{name}");
        assert_eq!(playing[name], over[name], "{name}");
        assert!(waiting[name].is_string(), "{name}: {waiting}");
    }
    // Both call the game off.
    assert_eq!(waiting["close_room"], playing["abort"]);
}

/// It was once said to be a draw.
#[test]
fn a_game_that_is_called_off_is_no_draw() {
    let Some((_server, anna, bela)) = pair(&[("Seat", "first"), ("Opening", "free")]) else {
        return;
    };
    anna.press("Call the game off");
    for browser in [&anna, &bela] {
        status(browser, "Called off");
        browser.wait("document.querySelector('#detail').textContent.startsWith('Freestyle')");
    }
}
