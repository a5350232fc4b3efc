//! The organiser's hour: everything that an organiser does beside the games, once in a browser.

use crate::driver::{Browser, Window};
use crate::rooms::{club, visitor};
use quincunx_testing::server::BoardServer;
use serde_json::json;

const TOURNAMENT: &str = "document.querySelector('#tournament').innerText";

/// Waits until the page of the tournament has this text.
fn shows(browser: &Browser, text: &str) {
    let text = json!(text);
    browser.wait(&format!("{TOURNAMENT}.includes({text})"));
}

/// Waits until the page lists a wish for two players, in either order.
fn shows_pair(browser: &Browser, wish: &str, [one, other]: [&str; 2]) {
    browser.wait(&format!(
        "/{wish}: ({one} – {other}|{other} – {one})/.test({TOURNAMENT})"
    ));
}

/// Fills in the form that a button opens, and saves it.
fn save(browser: &Browser, form: &str, fields: &[(&str, &str)]) {
    browser.press(form);
    for (field, value) in fields {
        browser.fill(field, value);
    }
    browser.run("document.querySelector('dialog[open] .main').click()");
    browser.wait("!document.querySelector('dialog[open]')");
}

/// The names of the players of a table of the last round, the one who begins first.
fn pairing(browser: &Browser, table: usize) -> String {
    let row = format!(
        "document.querySelectorAll('#tournament table[aria-label^=\"Pairings\"] tbody tr')[{table}]"
    );
    browser.wait(&row);
    let names = browser.run(&format!(
        "return [...{row}.cells].slice(0, 2).map((it) => it.textContent).sort().join(' – ')"
    ));
    names.as_str().unwrap().to_owned()
}

/// Gives the first round of the tournament a second organiser, a bye, a pair and a forbidden one.
fn prepare(anna: &Browser) {
    // Emil has the first round off, Anna and Carl meet by hand, Anna and Béla never.
    save(anna, "Second organiser", &[("Name", "Béla")]);
    shows(anna, "Second organiser: Béla");
    save(anna, "Half-point bye", &[("Name", "Dora")]);
    shows(anna, "Half-point bye: Dora");
    anna.press("Take back");
    anna.wait(&format!("!{TOURNAMENT}.includes('Second organiser: Béla')"));
    save(anna, "Second organiser", &[("Name", "Béla")]);
    shows(anna, "Second organiser: Béla");
    anna.run("[...document.querySelectorAll('#tournament li')].find((it) => it.innerText.includes('Dora')).querySelector('button').click()");
    anna.wait(&format!("!{TOURNAMENT}.includes('Half-point bye: Dora')"));
    save(anna, "Half-point bye", &[("Name", "Emil")]);
    shows(anna, "Half-point bye: Emil");
    save(
        anna,
        "Pair by hand",
        &[("Player", "Anna"), ("Opponent", "Carl")],
    );
    shows_pair(anna, "Pair by hand", ["Anna", "Carl"]);
    save(
        anna,
        "Forbid a pairing",
        &[("Player", "Anna"), ("Opponent", "Béla")],
    );
    shows_pair(anna, "Forbid a pairing", ["Anna", "Béla"]);
}

/// Opens the screen of the club room between two rounds, with its tables and the time left.
fn club_screen(server: &BoardServer) -> Browser {
    let screen = Browser::open(Window::Desktop);
    screen.go(&format!("{}#screen", server.url()));
    screen.wait("!document.querySelector('#tournament').hidden");
    screen.wait("document.querySelector('#next').innerText.includes('Next round in')");
    for table in ["Standings", "Pairings of round 1"] {
        screen.wait(&format!(
            "document.querySelector('#tournament table[aria-label=\"{table}\"]').checkVisibility()"
        ));
    }
    screen.wait(
        "![...document.querySelectorAll('#tournament button')].some((it) => it.checkVisibility())",
    );
    screen
}

/// Prints the page of a tournament: there are the tables, and nothing to press.
fn print_tables(bela: &Browser) {
    bela.print();
    bela.wait(
        "![...document.querySelectorAll('button, header')].some((it) => it.checkVisibility())",
    );
    bela.wait(
        "document.querySelector('#tournament table[aria-label=Standings]').checkVisibility()",
    );
}

#[test]
fn an_organiser_walks_through_the_evening() {
    let Some(server) = club() else {
        return;
    };
    let anna = visitor(&server, "Anna");
    // These come back only as names that the organiser adds.
    for name in ["Carl", "Dora", "Emil"] {
        drop(visitor(&server, name));
    }
    let bela = visitor(&server, "Béla");
    anna.press("Tournaments");
    save(
        &anna,
        "New tournament",
        &[
            ("Name of the tournament", "Club evening"),
            ("Rounds (Swiss system)", "2"),
            ("Minutes between rounds", "60"),
        ],
    );
    anna.wait("!document.querySelector('#tournament').hidden");
    let link = anna.run("return location.hash");
    anna.press("Take part");
    for (number, name) in (2..).zip(["Béla", "Carl", "Dora", "Emil"]) {
        save(&anna, "Add a player", &[("Name", name)]);
        anna.wait(&format!(
            "document.querySelectorAll('#tournament tbody tr').length === {number}"
        ));
    }
    prepare(&anna);
    anna.wait(
        "document.querySelector('#tournament .main').textContent === 'Begin the first round'",
    );
    anna.press("Begin the first round");
    // Anna is led to her room, and Béla, in the lobby, has a link. The games are at real boards.
    anna.wait("!document.querySelector('#room').hidden");
    bela.wait("document.querySelector('header').innerText.includes('Your game with Dora')");
    for browser in [&anna, &bela] {
        browser.run(&format!("location.hash = {link}"));
        browser.wait("!document.querySelector('#tournament').hidden");
        shows(browser, "The round has lasted 0 min");
    }
    assert_eq!(pairing(&anna, 0), "Anna – Carl");
    assert_eq!(pairing(&anna, 1), "Béla – Dora");
    for (organiser, table) in [(&bela, 2), (&anna, 1)] {
        organiser.run(&format!(
            "document.querySelector('[data-table=\"1/{table}\"]').click()"
        ));
        organiser.fill("Result", "win");
        organiser.press("Save");
        let result = format!(
            "document.querySelectorAll('#tournament table[aria-label^=\"Pairings\"] tbody tr')[{}].innerText",
            table - 1
        );
        for browser in [&anna, &bela] {
            browser.wait(&format!("{result}.includes('1 – 0')"));
        }
    }
    anna.press("Standings");
    let standing =
        "[...document.querySelectorAll('#tournament table[aria-label=Standings] tbody tr')]";
    anna.wait(&format!(
        "{standing}.some((it) => /Emil.*\\b0\\.5\\b/s.test(it.innerText))"
    ));
    anna.wait("document.querySelector('#tournament .main').textContent === 'Begin the next round'");
    let screen = club_screen(&server);
    print_tables(&bela);
    // The second round keeps what is forbidden, and nobody meets again.
    anna.press("Begin the next round");
    anna.wait("!document.querySelector('#room').hidden");
    anna.run(&format!("location.hash = {link}"));
    shows(&anna, "Pairings of round 2");
    for table in 0..2 {
        let met = pairing(&anna, table);
        assert!(
            !["Anna – Carl", "Béla – Dora", "Anna – Béla"].contains(&&*met),
            "{met}"
        );
    }
    for browser in [&anna, &bela, &screen] {
        assert_eq!(browser.complaints(), Vec::<String>::new());
    }
}
