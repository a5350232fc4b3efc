//! The states of the page, one after another: they are looked at in windows of every size, pictured
//! and audited.

use crate::driver::{Browser, Window};
use crate::rooms::{club_of_two, create, join, resign, tournament_form, visitor};
use crate::{PERSONS, READY, begin, open, place, status, stones, visit};
use quincunx_testing::server::BoardServer;

/// A look at a state with this name.
pub(crate) type Look<'a> = &'a mut dyn FnMut(&Browser, &str);

const ESCAPE: char = '\u{e00c}';

/// A look at a dialog, which is closed then.
fn at_dialog(browser: &Browser, name: &str, look: Look<'_>) {
    browser.press(name);
    browser.wait("document.querySelector('dialog')");
    look(browser, name);
    browser.keys(&[ESCAPE]);
    browser.wait("!document.querySelector('dialog')");
}

/// The states of boards, puzzles and four in a row.
pub(crate) fn of_boards(look: Look<'_>) {
    let Some((browser, server)) = visit(Window::Desktop) else {
        return;
    };
    look(&browser, "empty board");
    for dialog in ["New game", "Open", "Export", "Settings", "Help", "My games"] {
        at_dialog(&browser, dialog, look);
    }
    begin(&browser, &[PERSONS, ("Rule", "renju")]);
    place(&browser, &["h8", "i9", "h7", "i8"]);
    look(&browser, "game");
    analyses(&browser, look);
    variations(&browser, look);
    browser.press("Set up");
    status(&browser, "Set up a position");
    look(&browser, "set-up");
    browser.press("Cancel");
    openings(&browser, look);
    begin(
        &browser,
        &[PERSONS, ("Opening", "free"), ("Rule", "freestyle")],
    );
    place(
        &browser,
        &["h8", "a1", "i8", "c1", "j8", "e1", "k8", "g1", "l8"],
    );
    status(&browser, "Black wins");
    look(&browser, "game over");
    for (page, name) in [("gravity.html", "gravity"), ("training.html", "training")] {
        browser.go(&format!("{}{page}", server.url()));
        browser.wait("document.querySelectorAll('button').length > 3");
        look(&browser, name);
    }
    assert_eq!(browser.complaints(), Vec::<String>::new());
    first_visit(&server, look);
}

fn analyses(browser: &Browser, look: Look<'_>) {
    browser.press("Analyse");
    browser.wait("document.querySelectorAll('.value').length > 0");
    look(browser, "analysis");
    browser.press("Analyse");
    browser.press("Labels");
    browser.click("a1");
    browser.wait("document.querySelector('.written')");
    look(browser, "labels");
    browser.press("Labels");
}

fn variations(browser: &Browser, look: Look<'_>) {
    browser.press("Settings");
    for choice in ["Show threats", "Coordinates on four sides"] {
        browser.toggle(choice);
    }
    browser.fill("Turn the board", "5");
    browser.press("Close");
    open(
        browser,
        "(;GM[4]SZ[9];B[de]C[a start];W[aa](;B[ee];W[ca];B[fe])(;B[dd]))",
    );
    browser.wait("document.querySelector('.threat-stone')");
    look(browser, "variations, threats, a comment");
    browser.press("Analyse");
    browser.press("Review");
    browser.press("Review this game");
    browser.wait("document.querySelector('#review progress')");
    browser.keys(&['a']);
    look(browser, "review under way");
    browser
        .wait("document.querySelector('#review strong').textContent.startsWith('Accuracy: Black')");
    look(browser, "review");
}

fn openings(browser: &Browser, look: Look<'_>) {
    begin(browser, &[PERSONS, ("Size", "15"), ("Opening", "swap2")]);
    place(browser, &["h8", "i9", "h7"]);
    browser.wait("document.querySelector('#question:not([hidden]) button')");
    look(browser, "question of an opening");
    begin(
        browser,
        &[PERSONS, ("Rule", "renju"), ("Opening", "soosorv")],
    );
    look(browser, "opening with few points");
    place(browser, &["h8", "h9", "h10"]);
    browser.press("Take white");
    browser.click("h12");
    stones(browser, 4);
    browser.press("2");
    browser.press("Take black");
    browser.click("g7");
    browser.wait("document.querySelector('.offered')");
    look(browser, "offered stones");
}

/// The questions of a first visit.
fn first_visit(server: &BoardServer, look: Look<'_>) {
    let browser = Browser::open(Window::Desktop);
    browser.go(&server.url());
    browser.wait(READY);
    browser.forget_visits();
    browser.wait("document.body.innerText.includes('Have you played Gomoku before?')");
    look(&browser, "first visit");
}

/// The states of rooms.
pub(crate) fn of_rooms(look: Look<'_>) {
    let Some((server, anna, bela)) = club_of_two() else {
        return;
    };
    let carl = visitor(&server, "Carl");
    look(&anna, "lobby");
    for dialog in ["New room", "Change name", "Key"] {
        at_dialog(&anna, dialog, look);
    }
    for tab in ["My games", "All games", "Tournaments", "Ratings"] {
        anna.press(tab);
        look(&anna, tab);
    }
    tournament_form(&carl);
    look(&carl, "form of a tournament");
    carl.fill("Name of the tournament", "Club evening");
    carl.press("Start");
    carl.press("Take part");
    carl.wait("document.querySelectorAll('#tournament tbody tr').length === 1");
    look(&carl, "tournament that is open");
    let tournament = carl.run("return location.hash");
    anna.run("location.hash = ''");
    let free = [("Seat", "first"), ("Opening", "free")];
    create(&anna, &free);
    look(&anna, "room with a free seat");
    bela.wait("document.querySelector('#lobby td button[data-room]')");
    look(&bela, "lobby with an open room");
    join(&bela);
    for (ply, point) in ["h8", "i9", "h7", "i8", "h6", "i7", "a1", "o15", "a2"]
        .iter()
        .enumerate()
    {
        [&anna, &bela][ply % 2].click(point);
        stones(&anna, ply + 1);
        stones(&bela, ply + 1);
    }
    look(&anna, "room");
    bela.press("Offer draw");
    anna.wait("!document.querySelector('#question').hidden");
    look(&anna, "offer of a draw");
    let room = anna.run("return location.hash");
    carl.run(&format!("location.hash = {room}"));
    stones(&carl, 9);
    look(&carl, "spectator");
    resign(&bela);
    status(&anna, "Anna wins");
    look(&anna, "room after a game");
    for player in [&anna, &bela] {
        player.press("Back to the lobby");
    }
    look(&bela, "lobby with a finished game");
    bela.run("document.querySelector('[data-person=Anna]').click()");
    bela.wait("document.querySelector('.standings')");
    look(&bela, "profile");
    bela.run("location.hash = '#game/1'");
    stones(&bela, 9);
    look(&bela, "archived game");
    bela.run("location.hash = '#games'");
    bela.wait("document.querySelector('#lobby-games li')");
    look(&bela, "archive");
    bela.run(&format!("location.hash = {tournament}"));
    bela.press("Take part");
    carl.run(&format!("location.hash = {tournament}"));
    carl.wait("document.querySelectorAll('#tournament tbody tr').length === 2");
    carl.press("Begin the first round");
    carl.wait("!document.querySelector('#room').hidden");
    carl.press("Back to the tournament");
    carl.wait("document.querySelector('#tournament td a')");
    for tab in ["Round", "Standings", "Crosstable", "Games"] {
        carl.press(tab);
        look(&carl, &format!("tournament, {tab}"));
    }
    correspondence(&anna, &bela, look);
    drop(server);
    anna.wait("document.querySelector('#alert').textContent");
    look(&anna, "connection lost");
}

fn correspondence(anna: &Browser, bela: &Browser, look: Look<'_>) {
    for player in [anna, bela] {
        player.run("location.hash = ''");
        player.wait("!document.querySelector('#lobby').hidden");
    }
    let days = r#"{"kind":"correspondence","days":3}"#;
    create(
        anna,
        &[("Seat", "first"), ("Opening", "free"), ("Clock", days)],
    );
    join(bela);
    anna.click("h8");
    stones(anna, 1);
    look(anna, "correspondence game");
    anna.press("Conditional moves");
    for (point, count) in [("i9", 2), ("j10", 3)] {
        anna.click(point);
        stones(anna, count);
    }
    look(anna, "a line on the board");
    anna.press("Save");
    anna.wait("document.querySelector('#conditional li')");
    look(anna, "a prepared line");
    anna.run("location.hash = 'my-games'");
    anna.wait("document.querySelector('#lobby-my-games li')");
    anna.press("New address");
    anna.wait("document.querySelector('[aria-label=Feed]')");
    look(anna, "correspondence games");
    anna.press("Begin");
    anna.wait("document.querySelector('#lobby-my-games').innerText.includes('On vacation until')");
    look(anna, "on vacation");
    bela.wait("document.querySelector('#players').innerText.includes('On vacation until')");
    look(bela, "opponent on vacation");
}
