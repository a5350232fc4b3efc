//! Challenges and the lists of the lobby.

use crate::driver::Browser;
use crate::rooms::{
    click_all, club, club_of_two, create, join, pair, resign, tournament_form, visitor,
};
use crate::{status, stones};
use quincunx_testing::server::BoardServer;
use quincunx_testing::visitor::Visitor;
use serde_json::{Value, json};

/// The sizes of a laptop's window and of a phone.
const SIZES: [(u32, u32); 2] = [(1366, 768), (390, 844)];

/// The elements that people press.
const CONTROLS: &str = "button, a[href], input, select";

/// A challenge to a game that is not rated.
fn challenge(name: &str) -> Value {
    json!({
        "type": "create", "opponent": name,
        "setup": {
            "rule": "freestyle", "size": "15", "opening": "free", "rated": false,
            "clock": { "kind": "sudden_death", "main_ms": 60_000 },
        },
    })
}

/// Visitors who each challenge a person five times: guests, or people with these names.
fn attack(
    server: &BoardServer,
    target: &str,
    keys: std::ops::Range<u128>,
    name: &str,
) -> Vec<Visitor> {
    let mut visitors = Vec::new();
    for key in keys {
        let mut visitor = Visitor::greeted(server, key);
        if !name.is_empty() {
            let name = format!("{name} {key}");
            visitor.send(&json!({ "type": "rename", "name": name }));
            visitor.next("name");
        }
        for _ in 0..5 {
            visitor.send(&challenge(target));
        }
        visitors.push(visitor);
    }
    for visitor in &mut visitors {
        for _ in 0..5 {
            let is_answer = |it: &Value| it["type"] == "room" || it["type"] == "error";
            visitor.client.until(is_answer);
        }
    }
    visitors
}

/// The number of elements of a selector, of those in the window, whose middle lies under
/// something else.
fn covered(browser: &Browser, selector: &str) -> u64 {
    let script = format!(
        "return [...document.querySelectorAll({})].filter((it) => {{
             const {{ x, y, width, height }} = it.getBoundingClientRect();
             const [column, row] = [x + width / 2, y + height / 2];
             const isSeen = it.checkVisibility() && row >= 0 && row < innerHeight && column < innerWidth;
             const top = document.elementFromPoint(column, row);
             const isFree = it.contains(top) || top?.contains(it) || document.querySelector('#board').contains(top);
             return isSeen && !isFree;
         }}).length",
        json!(selector)
    );
    browser.run(&script).as_u64().unwrap()
}

/// The places of all controls but those of the line about challenges.
fn places(browser: &Browser) -> Value {
    browser.run(&format!(
        "return [...document.querySelectorAll('{CONTROLS}')].filter((it) => !it.closest('#calls') && it.checkVisibility()).map((it) => {{
             const {{ x, y, width, height }} = it.getBoundingClientRect();
             return [it.innerText, x, y, width, height];
         }})"
    ))
}

/// Four guests and twenty challenges once laid a banner over all 225 points, and a rated game was
/// lost on time.
#[test]
fn challenges_cover_no_board() {
    let Some((server, anna, bela)) = pair(&[("Seat", "first"), ("Opening", "free")]) else {
        return;
    };
    let _guests = attack(&server, "Anna", 100..104, "");
    let _people = attack(&server, "Anna", 200..206, "Pest");
    for (width, height) in SIZES {
        anna.resize(width, height);
        anna.picture(&format!("attack-room-{width}"));
        assert_eq!(covered(&anna, "[role=gridcell]"), 0, "{width}");
        assert_eq!(covered(&anna, CONTROLS), 0, "{width}");
    }
    anna.wait("document.querySelector('#calls').hidden");
    click_all(&anna, &bela, &["h8"], 0);
    click_all(&bela, &anna, &["i9"], 1);
    // They wait until the game is over.
    resign(&anna);
    anna.wait("document.querySelector('#calls button').innerText === '6 challenges'");
    assert_eq!(covered(&anna, "[role=gridcell]"), 0);
    assert_eq!(anna.complaints(), Vec::<String>::new());
}

/// An organiser once could not press "Begin the next round" for half a minute.
#[test]
fn challenges_are_one_line_that_moves_nothing() {
    let Some((server, anna, bela)) = club_of_two() else {
        return;
    };
    tournament_form(&anna);
    anna.fill("Name of the tournament", "Club evening");
    anna.press("Start");
    anna.wait("!document.querySelector('#tournament').hidden");
    for (width, height) in SIZES {
        anna.resize(width, height);
        let before = places(&anna);
        let people = attack(&server, "Anna", 200..210, "Pest");
        anna.wait("document.querySelector('#calls button').innerText === '8 challenges'");
        anna.picture(&format!("attack-tournament-{width}"));
        assert_eq!(places(&anna), before, "{width}");
        assert_eq!(covered(&anna, CONTROLS), 0, "{width}");
        // It goes with the senders.
        drop(people);
        anna.wait("document.querySelector('#calls').hidden");
        assert_eq!(places(&anna), before, "{width}");
    }
    // The list accepts, declines and blocks.
    let _people = attack(&server, "Anna", 300..303, "Rude");
    anna.wait("document.querySelector('#calls button').innerText === '3 challenges'");
    anna.press("3 challenges");
    anna.wait("document.querySelectorAll('dialog .challenge').length === 3");
    for (width, height) in SIZES {
        anna.resize(width, height);
        anna.picture(&format!("challenges-{width}"));
    }
    anna.run("document.querySelector('dialog .challenge [data-name^=\"contacts.block\"]').click()");
    anna.wait("document.querySelectorAll('dialog [aria-disabled]').length === 3");
    anna.press("Decline all");
    anna.wait("document.querySelector('#calls').hidden && !document.querySelector('dialog')");
    anna.press("Settings");
    anna.wait("document.querySelectorAll('[data-unblock]').length === 1");
    for (width, height) in SIZES {
        anna.resize(width, height);
        anna.picture(&format!("settings-{width}"));
    }
    anna.run("document.querySelector('[data-unblock]').click()");
    anna.wait("!document.querySelector('[data-unblock]')");
    anna.fill("Who may challenge and play me", "none");
    anna.press("Close");
    bela.press("New room");
    bela.fill("Challenge", "Anna");
    bela.press("Start");
    bela.wait(
        "document.querySelector('dialog .refusal').innerText === 'This player takes no challenges'",
    );
    assert_eq!(anna.complaints(), Vec::<String>::new());
}

#[test]
fn a_blocked_player_opens_no_room_in_the_list() {
    let Some((_server, anna, bela)) = club_of_two() else {
        return;
    };
    create(&bela, &[("Seat", "first"), ("Rated", "off")]);
    let room = "document.querySelector('#lobby td button[data-room]')";
    anna.wait(room);
    anna.wait("document.querySelector('[data-person=Béla]')");
    anna.run("document.querySelector('[data-person=Béla]').click()");
    anna.press("Block");
    anna.run("[...document.querySelectorAll('dialog[open] button.main')].at(-1).click()");
    anna.press("Back to the lobby");
    anna.wait("!document.querySelector('#lobby').hidden");
    anna.wait(&format!("!{room}"));
    anna.run("document.querySelector('[data-person=Béla]').click()");
    anna.press("Unblock");
    anna.press("Back to the lobby");
    anna.wait(room);
    assert_eq!(anna.complaints(), Vec::<String>::new());
}

/// A visitor who joined Ánna could once not know that she is not Anna.
#[test]
fn the_question_before_a_game_names_the_opponent() {
    let Some(server) = club() else {
        return;
    };
    let mut real = Visitor::greeted(&server, 100);
    real.send(&json!({ "type": "rename", "name": "Anna" }));
    real.next("name");
    let (anna, bela) = (visitor(&server, "Ánna"), visitor(&server, "Béla"));
    create(&anna, &[("Seat", "first"), ("Rated", "off")]);
    let button = "document.querySelector('#lobby td button[data-room]')";
    bela.wait(button);
    bela.run(&format!("{button}.click()"));
    bela.wait("document.querySelector('dialog h2').innerText.startsWith('Play Ánna (1500?)?')");
    bela.wait("document.querySelector('dialog p').innerText === 'Not the same player as Anna'");
    bela.picture("question");
    bela.press("Cancel");
    anna.press("Close the room");
    anna.wait("!document.querySelector('#lobby').hidden");
    bela.wait(&format!("!{button}"));
    create(&anna, &[("Seat", "first")]);
    bela.wait(button);
    bela.run(&format!("{button}.click()"));
    bela.wait("document.querySelector('dialog h2').innerText.startsWith('Play Ánna (1500?) in this rated game?')");
}

/// Two seconds after the pointer had come to rest a new room moved the one under it.
#[test]
fn lists_do_not_move_under_a_resting_pointer() {
    let Some((server, anna, bela)) = club_of_two() else {
        return;
    };
    let open = |key: u128| {
        let mut visitor = Visitor::greeted(&server, key);
        visitor.create(&json!({}));
        visitor
    };
    let first = open(100);
    create(&bela, &[("Seat", "first"), ("Rated", "off")]);
    let items = "[...document.querySelectorAll('[aria-label=\"Open rooms\"] td button')]";
    anna.wait(&format!("{items}.length === 2"));
    anna.hover("[aria-label=\"Open rooms\"] tr:nth-child(2) td button");
    let place = format!(
        "return {items}.slice(0, 2).map((it) => [it.innerText, it.getBoundingClientRect().y])"
    );
    let before = anna.run(&place);
    std::thread::sleep(std::time::Duration::from_millis(2500));
    let more: Vec<Visitor> = (101..104).map(open).collect();
    anna.wait(&format!("{items}.length === 5"));
    drop(first);
    anna.wait(&format!("{items}.some((it) => it.ariaDisabled)"));
    anna.picture("held");
    assert_eq!(anna.run(&place), before);
    // Nor do the other lists: a game begins.
    let held = "[...document.querySelectorAll('#lobby .lists > section')].map((it) => it.getBoundingClientRect().y)";
    let sections = anna.run(&format!("return {held}"));
    let mut carl = Visitor::greeted(&server, 110);
    let room = bela.run("return location.hash.slice(1)");
    carl.enter(room.as_str().unwrap());
    carl.sit();
    anna.wait("document.querySelector('[aria-label=\"Games to watch\"] li')");
    assert_eq!(anna.run(&format!("return {held}")), sections);
    assert_eq!(anna.run(&place), before);
    anna.move_mouse_away();
    anna.wait(&format!(
        "{items}.length === 3 && !{items}.some((it) => it.ariaDisabled)"
    ));
    drop(more);
    assert_eq!(anna.complaints(), Vec::<String>::new());
}

/// The end of one's game was once not told in the lobby.
#[test]
fn the_end_of_a_game_is_shown_in_the_lobby() {
    let Some((_server, anna, bela)) = pair(&[("Seat", "first"), ("Opening", "free")]) else {
        return;
    };
    click_all(&anna, &bela, &["h8"], 0);
    click_all(&bela, &anna, &["i9"], 1);
    click_all(&anna, &bela, &["h9"], 2);
    anna.press("Back to the lobby");
    anna.wait("!document.querySelector('#lobby').hidden");
    resign(&bela);
    let line = "document.querySelector('#calls').innerText";
    anna.wait(&format!(
        "{line} === 'Your game with Béla is over: you win'"
    ));
    anna.picture("over");
    // It leads to the game, and is seen there.
    anna.run("document.querySelector('#calls a').click()");
    stones(&anna, 3);
    status(&anna, "Anna wins");
    anna.wait("document.querySelector('#calls').hidden");
    join_again(&anna, &bela);
}

/// The next game takes the news of the last one away.
fn join_again(anna: &Browser, bela: &Browser) {
    anna.press("Back to the lobby");
    bela.press("Back to the lobby");
    create(anna, &[("Seat", "first"), ("Rated", "off")]);
    join(bela);
    anna.wait("document.querySelector('.player.active')");
    anna.wait("document.querySelector('#calls').hidden");
    assert_eq!(anna.complaints(), Vec::<String>::new());
}

#[test]
fn a_challenge_finds_its_player_and_phrases_are_shown() {
    let Some((_server, anna, bela)) = club_of_two() else {
        return;
    };
    // Who is here is in the lobby, and a challenge in the profile.
    anna.wait("document.querySelector('[data-person=Béla]')");
    anna.run("document.querySelector('[data-person=Béla]').click()");
    anna.press("Challenge");
    anna.fill("Opening", "free");
    anna.press("Start");
    anna.wait("!document.querySelector('#room').hidden");
    bela.wait("document.querySelector('#calls').innerText === 'Anna challenges you'");
    bela.press("Anna challenges you");
    bela.wait("document.querySelector('dialog .challenge').innerText.includes('Freestyle')");
    bela.press("Accept");
    bela.wait("document.querySelector('dialog h2').innerText.startsWith('Play Anna (1500?) in this rated game?')");
    bela.run("document.querySelector('dialog .main').click()");
    anna.wait("document.querySelectorAll('.player time').length === 2 && document.querySelector('.player.active')");
    bela.press("Good luck");
    for browser in [&anna, &bela] {
        browser.wait("document.querySelector('#said').innerText === 'Béla: Good luck'");
    }
    // The phrases once stayed as they were in another language, and what was said in another room.
    bela.press("Settings");
    bela.fill("Language", "ja");
    bela.wait("document.querySelector('.phrases').ariaLabel === 'あいさつ…'");
    bela.run("location.hash = ''");
    bela.wait("!document.querySelector('#lobby').hidden && !document.querySelector('#said')");
    // Phrases are hidden where they are not wanted.
    anna.press("Settings");
    anna.toggle("Phrases of other players");
    anna.press("Close");
    anna.wait("!document.querySelector('.phrases')");
    for browser in [&anna, &bela] {
        assert_eq!(browser.complaints(), Vec::<String>::new());
    }
}
