//! Correspondence games: their tab of the lobby, and the way from one to the next.

use crate::driver::{Browser, is_installed};
use crate::rooms::{club, club_of_two, create, join, pair, tournament_form, visitor};
use crate::{status, stones};
use quincunx_testing::visitor::RoomServer;
use serde_json::json;

/// Goes from a room to the lobby.
fn leave(browser: &Browser) {
    browser.press("Back to the lobby");
    browser.wait("location.hash === '' && !document.querySelector('#lobby').hidden");
}

/// Opens a room with this clock, in which the visitor begins.
fn open_room(browser: &Browser, clock: &str) {
    create(
        browser,
        &[("Seat", "first"), ("Opening", "free"), ("Clock", clock)],
    );
}

/// The clock of so many days for a move, as the form has it.
fn days(count: u32) -> String {
    format!(r#"{{"kind":"correspondence","days":{count}}}"#)
}

/// Waits until the tab and the title have the number of games that wait for the visitor.
fn waiting(browser: &Browser, count: usize) {
    let (label, title) = match count {
        0 => ("My games".to_owned(), "Quincunx: ".to_owned()),
        _ => (format!("My games ({count})"), format!("({count}) ")),
    };
    browser.wait(&format!(
        "document.querySelector('[data-name=\"tab my-games\"]').textContent === '{label}' && document.title.startsWith('{title}')"
    ));
}

/// Waits until the cards of the list have these texts, one after another.
fn cards(browser: &Browser, texts: &[&str]) {
    browser.wait(&format!(
        "(() => {{
            const cards = [...document.querySelectorAll('#lobby-my-games li')].map((it) => it.innerText.replaceAll('\\n', ' '));
            const texts = {};
            return cards.length === texts.length && texts.every((text, i) => cards[i].includes(text));
        }})()",
        json!(texts)
    ));
}

/// Waits until the text of a part of the page includes this.
fn says(browser: &Browser, part: &str, text: &str) {
    browser.wait(&format!(
        "document.querySelector('{part}').innerText.includes({})",
        json!(text)
    ));
}

#[test]
fn all_games_of_a_correspondence_tournament_begin_at_once() {
    let Some((server, anna, bela)) = club_of_two() else {
        return;
    };
    let carl = visitor(&server, "Carl");
    tournament_form(&anna);
    anna.fill("Name of the tournament", "Autumn");
    anna.fill("Clock", &days(3));
    let system = "document.querySelector('dialog option[value=swiss]')";
    anna.wait(&format!("{system}.disabled && !{system}.selected"));
    anna.fill("Days until the deadline (correspondence)", "10");
    anna.press("Start");
    says(&anna, "#tournament", "all games at once");
    let address = anna.run("return location.hash");
    for browser in [&bela, &carl] {
        browser.run(&format!("location.hash = {address}"));
        says(browser, "#tournament", "Autumn");
    }
    for browser in [&anna, &bela, &carl] {
        browser.press("Take part");
        browser.wait("[...document.querySelectorAll('#tournament button')].some((it) => it.textContent === 'Withdraw')");
    }
    anna.wait("document.querySelectorAll('#tournament tbody tr').length === 3");
    anna.press("Begin the first round");
    says(&anna, "#tournament", "Games over: 0 of 3. Deadline: ");
    for label in ["Hold the next round", "Begin the next round"] {
        let label = json!(label);
        anna.wait(&format!(
            "![...document.querySelectorAll('button')].some((it) => it.textContent === {label})"
        ));
    }
    bela.run("location.hash = 'my-games'");
    bela.wait("document.querySelectorAll('#lobby-my-games li').length === 2");
    bela.run("document.querySelector('#lobby-my-games li a').click()");
    bela.wait("!document.querySelector('#room').hidden");
    bela.press("Resign");
    bela.run("document.querySelector('dialog .main').click()");
    says(&anna, "#tournament", "Games over: 1 of 3. Deadline: ");
    bela.run(&format!("location.hash = {address}"));
    says(&bela, "#tournament", "Games over: 1 of 3. Deadline: ");
    // Who withdraws resigns.
    for browser in [&carl, &bela] {
        browser.press("Withdraw");
        browser.run("document.querySelector('dialog .main').click()");
    }
    says(&anna, "#tournament", "Over");
    for browser in [anna, bela, carl] {
        assert_eq!(browser.complaints(), Vec::<String>::new());
    }
}

#[test]
fn a_player_takes_a_vacation() {
    let Some((_server, anna, bela)) =
        pair(&[("Seat", "first"), ("Opening", "free"), ("Clock", &days(3))])
    else {
        return;
    };
    leave(&anna);
    anna.press("My games (1)");
    says(&anna, "#lobby-my-games", "you can still take 14 days");
    anna.fill("Days", "5");
    anna.press("Begin");
    says(&anna, "#lobby-my-games", "On vacation until");
    // The three days of the move, and those of the vacation.
    cards(&anna, &["8 days"]);
    says(&bela, ".player.active", "On vacation until");
    anna.run("location.reload()");
    says(&anna, "#lobby-my-games", "On vacation until");
    // The feed is a document for readers of feeds.
    anna.press("New address");
    anna.wait("document.querySelector('[aria-label=Feed]')");
    anna.run(
        "fetch(document.querySelector('[aria-label=Feed]').value).then((it) => it.text()).then((text) => {
            const feed = new DOMParser().parseFromString(text, 'application/xml');
            window.titles = [...feed.querySelectorAll('entry > title')].map((it) => it.textContent);
        })",
    );
    anna.wait("window.titles?.join() === 'Your move against Béla'");
    anna.press("End the vacation");
    says(&anna, "#lobby-my-games", "you can still take 11 days");
    cards(&anna, &["3 days"]);
    bela.wait("!document.querySelector('.player.active').innerText.includes('vacation')");
    for browser in [anna, bela] {
        assert_eq!(browser.complaints(), Vec::<String>::new());
    }
}

#[test]
fn two_browsers_play_correspondence_games() {
    if !is_installed() {
        return;
    }
    let mut server = RoomServer::start();
    let (anna, bela) = (visitor(server.get(), "Anna"), visitor(server.get(), "Béla"));
    open_room(&anna, &days(3));
    says(&anna, "#detail", "3 days a move");
    says(&anna, "#detail", "You can leave and come back");
    leave(&anna);
    // Her own room is under her games, and not one to join.
    anna.wait("document.querySelectorAll('.open-rooms tbody tr').length === 0");
    waiting(&anna, 0);
    anna.press("My games");
    cards(&anna, &["Waiting for a player"]);
    says(&bela, ".open-rooms", "3 days a move");
    join(&bela);
    status(&bela, "Anna to move");
    says(&bela, ".player.active time", "3 days");
    waiting(&anna, 1);
    cards(&anna, &["Your move · 3 days"]);
    anna.click_on("#lobby-my-games a");
    status(&anna, "Your move");
    anna.wait("document.querySelector('[data-name=next_game]').ariaDisabled === 'true'");
    anna.click("h8");
    stones(&anna, 1);
    stones(&bela, 1);
    leave(&bela);
    waiting(&bela, 1);
    leave(&anna);
    waiting(&anna, 0);

    // A second game, in which Béla has more time.
    open_room(&anna, &days(5));
    join(&bela);
    status(&anna, "Your move");
    anna.click("a1");
    stones(&anna, 1);
    leave(&anna);
    stones(&bela, 1);
    leave(&bela);
    waiting(&bela, 2);
    anna.press("My games");
    cards(&anna, &["Béla to move · 3 days", "Béla to move · 5 days"]);

    server.kill_and_start();
    bela.reload();
    waiting(&bela, 2);
    bela.press("My games (2)");
    cards(&bela, &["Your move · 3 days", "Your move · 5 days"]);
    bela.click_on("#lobby-my-games a");
    status(&bela, "Your move");
    assert_eq!(bela.label("h8").1, "h8, black, move 1");
    bela.click("i9");
    stones(&bela, 2);
    bela.press("Next game");
    bela.wait("document.querySelector('[data-point=a1]').ariaLabel === 'a1, black, move 1'");
    status(&bela, "Your move");
    bela.click("b2");
    stones(&bela, 2);
    bela.wait("document.querySelector('[data-name=next_game]').ariaDisabled === 'true'");
    leave(&bela);
    waiting(&bela, 0);
    waiting(&anna, 2);
    cards(&anna, &["Your move · 3 days", "Your move · 5 days"]);
    bela.press("My games");
    cards(&bela, &["Anna to move · 3 days", "Anna to move · 5 days"]);

    // The ratings of correspondence games are a table of their own.
    anna.click_on("#lobby-my-games a");
    anna.press("Resign");
    anna.run("document.querySelector('dialog .main').click()");
    status(&anna, "Béla wins");
    bela.press("Ratings");
    bela.toggle("Correspondence games");
    says(&bela, "#lobby-ratings tbody", "1 lost");
    bela.toggle("Correspondence games");
    bela.wait("!document.querySelector('#lobby-ratings tbody tr')");
    let complaints: Vec<String> = (bela.complaints().into_iter())
        // The server was away for a while.
        .filter(|text| !text.contains("WebSocket connection"))
        .collect();
    assert_eq!(complaints, Vec::<String>::new());
}

/// A turn that begins while the visitor is elsewhere is announced until they have seen it.
#[test]
fn a_turn_of_a_correspondence_game_is_announced() {
    let Some(server) = club() else {
        return;
    };
    let (anna, bela) = (visitor(&server, "Anna"), visitor(&server, "Béla"));
    open_room(&anna, &days(1));
    join(&bela);
    anna.click("h8");
    stones(&bela, 1);
    leave(&anna);
    bela.click("i9");
    says(&anna, "#calls", "Your move against Béla");
    waiting(&anna, 1);
    // It is no live game: the lobby does not list it, and challenges come.
    anna.wait("!document.querySelector('#lobby-play [aria-label=\"Your games\"]')");
    anna.press("My games (1)");
    anna.wait("document.querySelector('#calls').hidden");
    anna.press("Play");
    waiting(&anna, 1);
    anna.wait("document.querySelector('#calls').hidden");
    assert_eq!(anna.complaints(), Vec::<String>::new());
}

#[test]
fn the_list_of_correspondence_games_fits_a_phone() {
    let Some(server) = club() else {
        return;
    };
    let (anna, bela) = (visitor(&server, "Anna"), visitor(&server, "Béla"));
    anna.press("My games");
    says(&anna, "#lobby-my-games", "Open a room for one");
    for moves in [[].as_slice(), &["h8"]] {
        // Its button opens the form with days for a move.
        anna.run("document.querySelector('#lobby-my-games button').click()");
        anna.fill("Seat", "first");
        anna.fill("Opening", "free");
        anna.press("Start");
        status(&anna, "Waiting for a player");
        says(&anna, "#detail", "3 days a move");
        join(&bela);
        status(&anna, "Your move");
        for point in moves {
            anna.click(point);
            stones(&anna, 1);
        }
        for (width, height) in [(390, 844), (1366, 768)] {
            anna.resize(width, height);
            anna.picture(&format!("correspondence-room-{}-{width}", moves.len()));
        }
        leave(&anna);
        leave(&bela);
        anna.press("My games (1)");
    }
    cards(&anna, &["Your move · 3 days", "Béla to move · 3 days"]);
    for language in ["en", "ru", "vi", "ja"] {
        anna.go(&format!("{}?lang={language}#my-games", server.url()));
        anna.wait("document.querySelectorAll('#lobby-my-games li').length === 2");
        for (width, height) in [(1366, 768), (390, 844), (320, 640)] {
            anna.resize(width, height);
            let wide = anna.run("return document.documentElement.scrollWidth > innerWidth || [...document.querySelectorAll('#lobby-my-games .card, .tabs')].some((it) => it.scrollWidth > it.clientWidth)");
            assert_eq!(wide, json!(false), "{language} at {width}");
            anna.picture(&format!("my-games-{language}-{width}"));
        }
    }
    assert_eq!(anna.complaints(), Vec::<String>::new());
}
