//! Tournaments in the browser: entry, rounds, results and corrections.

use crate::driver::Browser;
use crate::rooms::{click_all, club_of_two, resign, tournament_form, visitor};
use crate::status;
use crate::tasks::Person;
use serde_json::{Value, json};

/// Goes on when the page shows the tournament, and presses a button there.
fn back_to_tournament(browser: &Browser) {
    browser.press("Back to the tournament");
    browser.wait("!document.querySelector('#tournament').hidden");
}

/// Fills in the form of a double round robin.
fn fill_double_round_robin(browser: &Browser, minutes_between: &str) {
    tournament_form(browser);
    for (field, value) in [
        ("Name of the tournament", "Club evening"),
        ("System", "double"),
        ("Opening", "free"),
        ("Minutes between rounds", minutes_between),
    ] {
        browser.fill(field, value);
    }
}

/// Opens the tournament whose form is filled in, and takes part. Returns its link.
fn open_tournament(browser: &Browser) -> Value {
    browser.press("Start");
    browser.press("Take part");
    browser.run("return location.hash")
}

/// Has a second player take part by the link, and begins the first round.
fn begin_with(anna: &Browser, bela: &Browser, link: &Value) {
    bela.run(&format!("location.hash = {link}"));
    bela.press("Take part");
    anna.wait("document.querySelectorAll('#tournament tbody tr').length === 2");
    anna.press("Begin the first round");
    for browser in [anna, bela] {
        browser.wait("document.querySelector('.player.active')");
    }
}

/// Begins a Swiss tournament of one round. Returns its link.
fn begin_one_round(anna: &Browser, bela: &Browser) -> Value {
    tournament_form(anna);
    anna.fill("Name of the tournament", "Club evening");
    anna.fill("Rounds (Swiss system)", "1");
    let link = open_tournament(anna);
    begin_with(anna, bela, &link);
    link
}

#[test]
fn two_browsers_play_a_tournament() {
    let Some((_server, anna, bela)) = club_of_two() else {
        return;
    };
    fill_double_round_robin(&anna, "0");
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
    bela.press("Tournaments");
    bela.wait("document.querySelector('#lobby a[href^=\"#tournament/\"]')");
    bela.go("about:blank");
    bela.go(link.as_str().unwrap());
    anna.press("Close the entry");
    bela.wait("document.querySelector('#tournament [role=status]').textContent === 'Entry closed'");
    bela.wait("!document.querySelector('#tournament').innerText.includes('Take part')");
    anna.press("Open the entry again");
    bela.press("Take part");
    anna.wait("document.querySelectorAll('#tournament tbody tr').length === 2");
    anna.press("Begin the first round");
    // Both are led to their game.
    for browser in [&anna, &bela] {
        browser.wait("!document.querySelector('#room').hidden");
    }
    status(&anna, "Your move");
    click_all(&anna, &bela, &["h8"], 0);
    click_all(&bela, &anna, &["i9"], 1);
    let buttons = "[...document.querySelectorAll('#actions button')].map((it) => it.dataset.name)";
    resign(&bela);
    status(&anna, "Anna wins");
    let shown = anna.run(&format!("return {buttons}"));
    assert_eq!(
        shown,
        json!([
            "resign",
            "draw",
            "ask_undo",
            "lobby",
            "tournament",
            "review"
        ])
    );
    // The second round calls both, and leads them to it from the game that is over.
    for browser in [&anna, &bela] {
        browser.wait("!document.querySelector('#calls').hidden");
    }
    status(&anna, "Béla to move");
    status(&bela, "Your move");
    click_all(&bela, &anna, &["h8"], 0);
    click_all(&anna, &bela, &["i9"], 1);
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

/// During a break of the organiser the next round was once said to begin in 0 s.
#[test]
fn a_round_that_is_held_has_no_time() {
    let Some((_server, anna, bela)) = club_of_two() else {
        return;
    };
    fill_double_round_robin(&anna, "60");
    let link = open_tournament(&anna);
    begin_with(&anna, &bela, &link);
    back_to_tournament(&anna);
    // The end of the round once moved buttons, and one to begin the next round came between them.
    let places = "return [...document.querySelectorAll('#tournament :is(button, a)')].map((it) => {
        const { left, top } = it.getBoundingClientRect();
        return it.closest('.row.end') ? [it.textContent, left, top] : top;
    })";
    let before = anna.run(places);
    resign(&bela);
    anna.wait("document.querySelector('#next').innerText.includes('Next round in')");
    anna.wait("document.querySelector('[data-table]').ariaDisabled === null");
    assert_eq!(anna.run(places), before);
    anna.press("Hold the next round");
    anna.wait("document.querySelector('#tournament').innerText.includes('Let rounds begin')");
    anna.wait("!document.querySelector('#next')");
}

/// The row of buttons was once made anew when one of them changed, and a press on another was
/// lost.
#[test]
fn a_press_counts_while_a_player_joins() {
    let Some((_server, anna, bela)) = club_of_two() else {
        return;
    };
    fill_double_round_robin(&anna, "0");
    let link = open_tournament(&anna);
    bela.run(&format!("location.hash = {link}"));
    anna.wait("document.querySelectorAll('#tournament tbody tr').length === 1");
    let close_entry = "#tournament .row.end button:nth-child(3)";
    let label = anna.run(&format!(
        "return document.querySelector('{close_entry}').textContent"
    ));
    assert_eq!(label, json!("Close the entry"));
    // With a second player the first round can begin.
    anna.hold(close_entry, || {
        bela.press("Take part");
        anna.wait("document.querySelectorAll('#tournament tbody tr').length === 2");
    });
    anna.wait("document.querySelector('#tournament [role=status]').textContent === 'Entry closed'");
}

/// The QR code once came with a place of its own, and moved the buttons below it from under a
/// pointer.
#[test]
fn the_code_of_a_link_moves_no_button() {
    let Some((_server, anna, _bela)) = club_of_two() else {
        return;
    };
    anna.run(
        "const ask = window.fetch;
         const drawn = new Promise((draw) => { window.draw = draw; });
         window.fetch = async (address, ...rest) => {
             if (address === 'qr') await drawn;
             return ask(address, ...rest);
         };",
    );
    fill_double_round_robin(&anna, "0");
    anna.press("Start");
    anna.wait("document.querySelector('#tournament .row.end')");
    let top = "return document.querySelector('#tournament .row.end').getBoundingClientRect().top";
    let before = anna.run(top);
    anna.wait("!document.querySelector('.qr').src");
    anna.run("window.draw()");
    anna.wait("document.querySelector('.qr').naturalWidth > 0");
    assert_eq!(anna.run(top), before);
}

/// Where no round follows a button to take part was shown all the same, and only brought a refusal.
#[test]
fn no_player_comes_to_the_last_round() {
    let Some((server, anna, bela)) = club_of_two() else {
        return;
    };
    let link = begin_one_round(&anna, &bela);
    let carl = visitor(&server, "Carl");
    carl.run(&format!("location.hash = {link}"));
    let shown = "document.querySelector('#tournament').innerText";
    carl.wait(&format!("{shown}.includes('Round 1 of 1')"));
    let may_enter = carl.run(&format!("return {shown}.includes('Take part')"));
    assert_eq!(may_enter, json!(false));
}

/// A task in the lobby, of a visitor whose actions are counted.
fn task(browser: &Browser, most: u8, act: impl Fn(&Person<'_>)) {
    let person = Person::new(browser);
    act(&person);
    let actions = person.actions();
    assert!((1..=most).contains(&actions), "{actions}");
}

#[test]
fn five_tasks_take_few_actions() {
    let Some((server, anna, bela)) = club_of_two() else {
        return;
    };
    // To invite a friend: the link is there, with its picture.
    task(&anna, 2, |person| {
        person.press("Against a friend");
        person.press("Start");
        anna.wait("document.querySelector('#invite input').value.includes('#')");
    });
    anna.press("Close the room");
    anna.wait("!document.querySelector('#lobby').hidden");
    // To play a stranger.
    for browser in [&anna, &bela] {
        task(browser, 1, |person| person.press("5 min + 3 s"));
    }
    anna.wait("document.querySelector('.player.active')");
    // To watch.
    let carl = visitor(&server, "Carl");
    task(&carl, 1, |person| {
        person.click("#lobby section[aria-label='Games to watch'] a");
        carl.wait("document.querySelector('.player.active')");
    });
    // A game is kept where both have moved.
    let is_first =
        anna.run("return document.querySelector('#status').textContent.startsWith('Place')");
    let (first, second) = match is_first == json!(true) {
        true => (&anna, &bela),
        false => (&bela, &anna),
    };
    click_all(first, second, &["h8", "i9", "g7"], 0);
    second.press("Take white");
    status(second, "Your move");
    resign(&bela);
    carl.wait("document.querySelector('#actions [data-name=review]')");
    // To find a game of last week.
    carl.press("Back to the lobby");
    task(&carl, 4, |person| {
        person.press("All games");
        person.fill("From", "2026-01-01");
        person.press("Find");
        person.click("#lobby-games li a");
        carl.wait("document.querySelector('#status').innerText.includes('1–0') || document.querySelector('#status').innerText.includes('0–1')");
    });
    // To start an evening: those who come by its link are not counted.
    carl.press("Back to the lobby");
    task(&carl, 5, |person| {
        person.press("Tournaments");
        person.press("New tournament");
        person.fill("Name of the tournament", "Club evening");
        person.press("Start");
        carl.wait("!document.querySelector('#tournament').hidden");
        let link = carl.run("return location.hash");
        for browser in [&anna, &bela] {
            browser.run(&format!("location.hash = {link}"));
            browser.press("Take part");
        }
        carl.wait("document.querySelectorAll('#tournament tbody tr').length === 2");
        person.press("Begin the first round");
    });
    carl.wait("document.querySelector('#tournament td a')");
}

/// The list of all rounds once kept the result that was corrected in it.
#[test]
fn a_correction_is_shown_at_once_with_who_made_it() {
    let Some((_server, anna, bela)) = club_of_two() else {
        return;
    };
    begin_one_round(&anna, &bela);
    resign(&bela);
    for browser in [&anna, &bela] {
        browser.press("Back to the tournament");
        browser.wait("document.querySelector('#tournament [role=status]').innerText === 'Over'");
    }
    anna.press("Games");
    let rounds = "document.querySelector('#rounds').innerText";
    anna.wait("document.querySelector('#rounds [data-table=\"1/1\"]')");
    assert_eq!(
        anna.run(&format!("return {rounds}.includes('corrected')")),
        json!(false)
    );
    anna.run("document.querySelector('#rounds [data-table=\"1/1\"]').click()");
    anna.fill("Result", "draw");
    anna.press("Save");
    anna.wait(&format!("{rounds}.includes('0.5 – 0.5 corrected')"));
    for (width, height) in [(1366, 768), (390, 844)] {
        anna.resize(width, height);
        anna.picture(&format!("rounds-{width}"));
    }
    for browser in [&anna, &bela] {
        let list = "document.querySelector('[aria-label=\"Corrected results\"]').innerText";
        browser.wait(&format!("{list}.includes('Round 1, table 1: ')"));
        browser.wait(&format!(
            "{list}.includes('→ ½ – ½') && {list}.includes('Anna · ')"
        ));
        browser.wait("document.querySelector('a[download=\"corrections.csv\"]')");
        assert_eq!(browser.complaints(), Vec::<String>::new());
    }
    for (width, height) in [(1366, 768), (390, 844)] {
        anna.resize(width, height);
        anna.run("document.querySelector('[aria-label=\"Corrected results\"]').scrollIntoView()");
        anna.picture(&format!("corrections-{width}"));
    }
}

/// The current round is the default tab, and each tab has an address. On a phone the tie-breaks are below
/// the name.
#[test]
fn tabs_of_a_tournament_have_addresses() {
    let Some((_server, anna, bela)) = club_of_two() else {
        return;
    };
    let link = begin_one_round(&anna, &bela);
    let link = link.as_str().unwrap();
    let shown = |hash: &str, panel: &str| {
        anna.wait(&format!(
            "location.hash === '{link}{hash}' && [...document.querySelectorAll('#tournament > [role=tabpanel]')].filter((it) => it.checkVisibility()).map((it) => it.id).join() === '{panel}'"
        ));
    };
    back_to_tournament(&anna);
    shown("", "round");
    anna.press("Crosstable");
    shown("/crosstable", "crosstable");
    anna.wait("document.querySelectorAll('#crosstable tbody tr').length === 2");
    anna.reload();
    shown("/crosstable", "crosstable");
    anna.press("Standings");
    shown("/standings", "standings");
    anna.back();
    shown("/crosstable", "crosstable");
    anna.press("Standings");
    shown("/standings", "standings");
    anna.resize(390, 844);
    let rows = anna.run(
        "const [place, player, , ...ties] = [...document.querySelectorAll('.places tbody tr')][0].cells;
         const top = (it) => it.getBoundingClientRect().top;
         return ties.every((it) => top(it) > top(player) && top(it) === top(ties[0]) && top(place) < top(it));",
    );
    assert_eq!(rows, json!(true));
    let wide = anna.run("return document.documentElement.scrollWidth > innerWidth");
    assert_eq!(wide, json!(false));
    // The next action is on top.
    anna.press("Continue playing");
    anna.wait("document.querySelector('.player.active')");
    assert_eq!(anna.complaints(), Vec::<String>::new());
}
