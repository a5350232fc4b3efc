//! A club's evening in browsers: tournaments, challenges, games that are over, and in how many
//! actions a visitor gets where they want.

use crate::driver::Browser;
use crate::rooms::{click_all, club, club_of_two, create, join, resign, visitor};
use crate::tasks::Person;
use crate::{status, stones};
use serde_json::json;

/// Goes on when the page shows the tournament, and presses a button there.
fn back_to_tournament(browser: &Browser) {
    browser.press("Back to the tournament");
    browser.wait("!document.querySelector('#tournament').hidden");
}

/// Fills in the form of a double round robin.
fn fill_double_round_robin(browser: &Browser, minutes_between: &str) {
    browser.press("New tournament");
    for (field, value) in [
        ("Name of the tournament", "Club evening"),
        ("System", "double"),
        ("Opening", "free"),
        ("Minutes between rounds", minutes_between),
    ] {
        browser.fill(field, value);
    }
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
    anna.press("Start");
    anna.press("Take part");
    let link = anna.run("return location.hash");
    bela.run(&format!("location.hash = {link}"));
    bela.press("Take part");
    anna.wait("document.querySelectorAll('#tournament tbody tr').length === 2");
    anna.press("Begin the first round");
    for browser in [&anna, &bela] {
        browser.wait("!document.querySelector('#room').hidden");
    }
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
    anna.press("Start");
    anna.press("Take part");
    let link = anna.run("return location.hash");
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
    anna.press("New tournament");
    anna.fill("Name of the tournament", "Club evening");
    anna.fill("Rounds (Swiss system)", "1");
    anna.press("Start");
    anna.press("Take part");
    let link = anna.run("return location.hash");
    bela.run(&format!("location.hash = {link}"));
    bela.press("Take part");
    anna.wait("document.querySelectorAll('#tournament tbody tr').length === 2");
    anna.press("Begin the first round");
    anna.wait("!document.querySelector('#room').hidden");
    let carl = visitor(&server, "Carl");
    carl.run(&format!("location.hash = {link}"));
    let shown = "document.querySelector('#tournament').innerText";
    carl.wait(&format!("{shown}.includes('Round 1 of 1')"));
    let may_enter = carl.run(&format!("return {shown}.includes('Take part')"));
    assert_eq!(may_enter, json!(false));
}

#[test]
fn a_challenge_finds_its_player_and_phrases_are_heard() {
    let Some((_server, anna, bela)) = club_of_two() else {
        return;
    };
    // Who is here is in the lobby, and a challenge in the profile.
    anna.wait("document.querySelector('[data-person=Béla]')");
    anna.run("document.querySelector('[data-person=Béla]').click()");
    anna.press("Challenge");
    // One opponent at a time: with both the engine once played, and a challenge was counted.
    anna.fill("Opponent", "0");
    anna.wait("document.querySelector('dialog input[maxlength=\"20\"]').disabled");
    anna.fill("Opponent", "");
    anna.wait("!document.querySelector('dialog input[maxlength=\"20\"]').disabled");
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
    bela.fill("Say …", "good_luck");
    for browser in [&anna, &bela] {
        browser.wait("document.querySelector('#said').innerText === 'Béla: Good luck'");
    }
    // The list once stayed as it was in another language, and what was said in another room.
    bela.press("Settings");
    bela.fill("Language", "ja");
    bela.wait("document.querySelector('#talk option').innerText === 'あいさつ…'");
    bela.run("location.hash = ''");
    bela.wait("!document.querySelector('#lobby').hidden && !document.querySelector('#said')");
    // Phrases are hidden where they are not wanted.
    anna.press("Settings");
    anna.toggle("Phrases of other players");
    anna.press("Close");
    anna.wait("!document.querySelector('#talk select')");
    for browser in [&anna, &bela] {
        assert_eq!(browser.complaints(), Vec::<String>::new());
    }
}

#[test]
fn games_are_found_and_shown_one_after_another() {
    let Some((server, anna, bela)) = club_of_two() else {
        return;
    };
    for game in 1..=2 {
        create(
            &anna,
            &[("Seat", "first"), ("Opening", "free"), ("Clock", "")],
        );
        join(&bela);
        status(&anna, "Your move");
        anna.wait("document.querySelector('#detail').innerText.includes('20 min + 10 s')");
        anna.click("h8");
        stones(&bela, 1);
        bela.click("i9");
        stones(&anna, 2);
        if game == 1 {
            resign(&bela);
            status(&anna, "Anna wins");
            anna.press("Back to the lobby");
            bela.press("Back to the lobby");
        }
    }
    let carl = visitor(&server, "Carl");
    carl.go(&format!("{}#games/B%C3%A9la", server.url()));
    carl.wait("document.querySelectorAll('#games li').length === 1");
    // The answer to one search once came after that to the next, and was shown.
    carl.run(
        "window.ask = fetch;
         window.fetch = async (...asked) => {
             const answer = await window.ask(...asked);
             if (!window.release) await new Promise((resolve) => (window.release = resolve));
             return answer;
         };",
    );
    carl.press("Find");
    carl.wait("window.release");
    carl.fill("Player", "Carl");
    carl.press("Find");
    carl.wait("document.querySelector('#games p.none')");
    carl.run("window.release(); setTimeout(() => (window.isLate = true), 200)");
    carl.wait("window.isLate");
    carl.wait("document.querySelectorAll('#games li').length === 0");
    // What is filled in and found stays in another language.
    carl.press("Settings");
    carl.fill("Language", "ja");
    carl.wait("document.querySelector('#games h2').innerText === 'すべての対局'");
    carl.wait("document.querySelector('#games p.none').innerText === '今はありません'");
    carl.wait("document.querySelector('#games input').value === 'Carl'");
    carl.run("location.hash = 'games/%'");
    carl.wait("document.querySelector('#games input').value === '%'");
    // A server with too much to do once seemed to be gone, or the game.
    let says = |text: &str| {
        let text = json!(text);
        carl.wait(&format!(
            "document.querySelector('#alert').innerText === {text}"
        ));
    };
    carl.run(
        "window.fetch = async () => new Response('', { status: 503 }); location.hash = 'game/7'",
    );
    says("検索が混み合っています：1 分後にもう一度試してください");
    carl.run(
        "window.fetch = async () => new Response('', { status: 502 }); location.hash = 'game/8'",
    );
    says("サーバーが応答しません。対局は失われません。再試行しています。");
    carl.run("window.fetch = window.ask; location.hash = 'game/7'");
    says("その対局はありません");
    // The screen for the club room shows the game that is played.
    carl.go(&format!("{}#screen", server.url()));
    stones(&carl, 2);
    carl.wait("!document.querySelector('#actions').checkVisibility()");
    anna.click("h7");
    stones(&carl, 3);
    // It shows no player a game of their own: they would come to it.
    anna.run("location.hash = 'screen'");
    anna.wait("document.querySelector('.screen') && !document.querySelector('#lobby').hidden");
    let complaints = carl.complaints();
    let is_expected = |text: &String| text.contains("/games/7");
    assert!(complaints.iter().all(is_expected), "{complaints:?}");
}

/// A day on which the clocks are set back once lacked its last hour.
#[test]
fn a_day_of_a_search_has_all_its_hours() {
    let Some(server) = club() else {
        return;
    };
    let carl = visitor(&server, "Carl");
    carl.live_in("Europe/Berlin");
    carl.run("location.hash = 'games'");
    for field in ["From", "To"] {
        carl.fill(field, "2026-10-25");
    }
    carl.run(
        "const { fetch } = window;
         window.fetch = (address) => {
             window.asked = new URL(address, location.href).searchParams;
             return fetch(address);
         };",
    );
    carl.press("Find");
    carl.wait("window.asked");
    let seconds = carl.run("return window.asked.get('to') - window.asked.get('from')");
    assert_eq!(seconds, json!(25 * 3600));
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
        person.press("New room");
        person.press("Start");
        anna.wait("document.querySelector('#invite input').value.includes('#')");
    });
    anna.press("Close the room");
    anna.wait("!document.querySelector('#lobby').hidden");
    // To play a stranger.
    for browser in [&anna, &bela] {
        task(browser, 2, |person| {
            person.press("Play a stranger");
            browser.fill("Opening", "free");
            person.press("Start");
        });
    }
    anna.wait("document.querySelector('.player.active')");
    // To watch.
    let carl = visitor(&server, "Carl");
    task(&carl, 1, |person| {
        person.click("#lobby section[aria-label='Games to watch'] a");
        carl.wait("document.querySelector('.player.active')");
    });
    // A game is kept where both have moved.
    let is_first = anna.run("return document.querySelector('#status').textContent === 'Your move'");
    let (first, second) = match is_first == json!(true) {
        true => (&anna, &bela),
        false => (&bela, &anna),
    };
    click_all(first, second, &["h8"], 0);
    click_all(second, first, &["i9"], 1);
    resign(&bela);
    carl.wait("document.querySelector('#actions [data-name=review]')");
    // To find a game of last week.
    carl.press("Back to the lobby");
    task(&carl, 4, |person| {
        person.click("#lobby a[href='#games']");
        person.fill("From", "2026-01-01");
        person.press("Find");
        person.click("#games li a");
        carl.wait("document.querySelector('#status').innerText.includes('1–0') || document.querySelector('#status').innerText.includes('0–1')");
    });
    // To start an evening: those who come by its link are not counted.
    carl.press("Back to the lobby");
    task(&carl, 4, |person| {
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
