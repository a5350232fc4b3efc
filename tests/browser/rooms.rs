//! Two browsers play each other.

use crate::board_server::BoardServer;
use crate::driver::{Browser, Window, is_installed};
use crate::{status, stones};
use serde_json::json;
use tempfile::TempDir;

/// A browser in the lobby.
fn visitor(server: &BoardServer, name: &str) -> Browser {
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

/// Opens a room by the dialogue.
fn create(browser: &Browser, fields: &[(&str, &str)]) {
    browser.press("New room");
    for (field, value) in fields {
        browser.fill(field, value);
    }
    browser.press("Start");
    browser.wait("!document.querySelector('#room').hidden");
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
    // The room is in the lobby; Béla takes it from there and sits down.
    bela.wait("document.querySelector('#lobby li a')");
    bela.run("document.querySelector('#lobby li a').click()");
    bela.press("Take the free seat");
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
    bela.tap("b2");
    bela.tap("b2");
    stones(&anna, 9);
    click_all(&anna, &bela, &["i5"], 9);
    bela.tap("a1");
    bela.tap("a1");
    status(&anna, "Béla wins");
    status(&bela, "Béla wins");
    anna.wait("document.querySelectorAll('.won').length === 5");

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
    anna.wait("document.querySelector('[role=alert]').textContent.startsWith('A name has')");
    assert_eq!(anna.complaints(), Vec::<String>::new());
    assert_eq!(watcher.complaints(), Vec::<String>::new());
}
