//! The tabs of the lobby, its table of open rooms, and the games to watch.

use crate::driver::{Browser, Window};
use crate::rooms::{club, visitor};
use quincunx_testing::server::BoardServer;
use quincunx_testing::visitor::Visitor;
use serde_json::{Value, json};

/// Guests who wait in open rooms with these setups.
fn waiting(server: &BoardServer, setups: &[Value]) -> Vec<(Visitor, String)> {
    let opened = (100..).zip(setups).map(|(key, setup)| {
        let mut visitor = Visitor::greeted(server, key);
        let room = visitor.create(setup);
        (visitor, room)
    });
    opened.collect()
}

#[test]
fn open_rooms_are_sorted_by_a_heading() {
    let Some(server) = club() else {
        return;
    };
    let anna = visitor(&server, "Anna");
    let minutes = |count: u32| json!({ "kind": "sudden_death", "main_ms": 60_000 * count });
    let _waiting = waiting(
        &server,
        &[
            json!({ "rule": "renju", "clock": minutes(1) }),
            json!({ "rule": "freestyle", "clock": minutes(15) }),
            json!({ "rule": "standard", "clock": minutes(5) }),
        ],
    );
    let are = |sort: &str, rules: [&str; 3]| {
        anna.wait(&format!(
            "[...document.querySelectorAll('.open-rooms tbody tr')].map((it) => it.cells[2].innerText.split(' ')[0]).join() === '{}'
                && [...document.querySelectorAll('.open-rooms [aria-sort]')].map((it) => it.innerText + it.ariaSort).join() === '{sort}'",
            rules.join(",")
        ));
    };
    are("", ["Standard", "Freestyle", "Renju"]);
    anna.press("Clock");
    are("Clockascending", ["Renju", "Standard", "Freestyle"]);
    anna.press("Clock");
    are("Clockdescending", ["Freestyle", "Standard", "Renju"]);
    // By the keyboard too, which stays on the heading.
    anna.run("document.querySelector('[data-name=\"sort new.rule\"]').focus()");
    anna.keys(&[' ']);
    are("Ruleascending", ["Freestyle", "Renju", "Standard"]);
    anna.keys(&[' ']);
    are("Ruledescending", ["Standard", "Renju", "Freestyle"]);
    assert_eq!(anna.complaints(), Vec::<String>::new());
}

#[test]
fn a_phone_shows_an_open_room_on_its_first_screen() {
    let Some(server) = club() else {
        return;
    };
    let _waiting = waiting(&server, &[json!({}), json!({ "size": "20x15" })]);
    let phone = Browser::open(Window::Phone);
    for language in ["en", "ru", "vi", "zh-Hans"] {
        phone.resize(390, 844);
        phone.go(&format!("{}?lang={language}", server.url()));
        phone.wait("document.querySelectorAll('.open-rooms td button').length === 2");
        let bottom = phone.run(
            "return document.querySelector('.open-rooms td button').getBoundingClientRect().bottom",
        );
        assert!(bottom.as_f64() <= Some(844.0), "{language}: {bottom}");
        phone.picture(&format!("lobby-phone-{language}"));
        phone.resize(320, 640);
        let wide = phone.run("return document.documentElement.scrollWidth > innerWidth || [...document.querySelectorAll('.card')].some((it) => it.scrollWidth > it.clientWidth)");
        assert_eq!(wide, json!(false), "{language}");
    }
    assert_eq!(phone.complaints(), Vec::<String>::new());
}

#[test]
fn games_to_watch_are_living_boards() {
    let Some(server) = club() else {
        return;
    };
    let anna = visitor(&server, "Anna");
    let mut players = waiting(&server, &[json!({})]);
    let (first, room) = &mut players[0];
    let mut second = Visitor::greeted(&server, 200);
    second.enter(room);
    second.sit();
    first.play("h8", 0);
    anna.wait("document.querySelectorAll('.small-boards circle').length === 1");
    anna.run("window.game = document.querySelector('.small-boards a'); window.game.scrollIntoView({ block: 'center' })");
    // A stone that arrives during a press does not cancel the click.
    anna.hold(".small-boards a", || {
        second.play("i9", 1);
        anna.wait("document.querySelectorAll('.small-boards circle.white').length === 1");
    });
    anna.wait("window.game.hash === location.hash && !document.querySelector('#room').hidden");
    assert_eq!(anna.complaints(), Vec::<String>::new());
}

#[test]
fn tabs_of_the_lobby_have_addresses() {
    let Some(server) = club() else {
        return;
    };
    let anna = visitor(&server, "Anna");
    let shown = |hash: &str, panel: &str| {
        anna.wait(&format!(
            "location.hash === '{hash}' && [...document.querySelectorAll('#lobby > [role=tabpanel]')].filter((it) => it.checkVisibility()).map((it) => it.id).join() === '{panel}'
                && document.querySelector('[aria-selected=true]').getAttribute('aria-controls') === '{panel}'"
        ));
    };
    shown("", "lobby-play");
    anna.press("Tournaments");
    shown("#tournaments", "lobby-tournaments");
    anna.reload();
    shown("#tournaments", "lobby-tournaments");
    anna.press("All games");
    shown("#games", "lobby-games");
    anna.back();
    shown("#tournaments", "lobby-tournaments");
    // By the arrow keys.
    anna.run("document.querySelector('[aria-selected=true]').focus()");
    anna.keys(&['\u{e014}']);
    shown("#ratings", "lobby-ratings");
    anna.keys(&['\u{e014}']);
    shown("", "lobby-play");
    assert_eq!(anna.complaints(), Vec::<String>::new());
}
