//! Every opening rule in real browsers: each step is a random one of those that the page offers.

use crate::driver::{Browser, Window};
use crate::rooms::{club_of_two, create, join};
use crate::{PERSONS, begin, stones, visit};
use fastrand::Rng;
use quincunx_engine::game::swap::OpeningRule;
use serde_json::{Value, json};

/// The number of stones after which every dialogue is over.
const OVER: usize = 7;

/// The part of the page that each step changes.
const PROGRESS: &str = "document.querySelectorAll('.stone, .offered').length + document.querySelector('#chosen').textContent";

const BUTTONS: &str = "document.querySelectorAll('#question:not([hidden]) button')";

const CELLS: &str = "document.querySelectorAll('.cell.free')";

fn count_stones(browser: &Browser) -> usize {
    let count = browser.run("return document.querySelectorAll('.stone').length");
    count.as_u64().unwrap() as usize
}

fn can_act(browser: &Browser) -> bool {
    browser.run(&format!("return {BUTTONS}.length + {CELLS}.length > 0")) == json!(true)
}

/// Presses a random button of the question, or clicks on a random point that is free. Waits until
/// that is done, and returns the progress.
fn step(browser: &Browser, random: &mut Rng) -> Value {
    let before = browser.run(&format!("return {PROGRESS}"));
    let buttons = browser.run(&format!("return {BUTTONS}.length"));
    let buttons = buttons.as_u64().unwrap();
    if buttons > 0 {
        let number = random.u64(..buttons);
        browser.run(&format!("{BUTTONS}[{number}].click()"));
    } else {
        let points = browser.run(&format!(
            "return [...{CELLS}].map((it) => it.dataset.point)"
        ));
        let points = points.as_array().unwrap();
        browser.click(random.choice(points).unwrap().as_str().unwrap());
    }
    browser.wait(&format!("{PROGRESS} !== {before}"));
    browser.run(&format!("return {PROGRESS}"))
}

#[test]
fn every_opening_is_played_on_the_board() {
    let Some((browser, _server)) = visit(Window::Desktop) else {
        return;
    };
    for (seed, rule) in (0..).zip(OpeningRule::ALL) {
        let mut random = Rng::with_seed(seed);
        let opening = ("Opening", rule.name());
        begin(&browser, &[PERSONS, ("Rule", "renju"), opening]);
        while count_stones(&browser) < OVER {
            browser.wait(&format!("{BUTTONS}.length + {CELLS}.length > 0"));
            step(&browser, &mut random);
        }
        browser.wait(&format!("{BUTTONS}.length === 0"));
    }
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

#[test]
fn every_opening_is_played_in_rooms() {
    let Some((_server, anna, bela)) = club_of_two() else {
        return;
    };
    for (seed, rule) in (0..).zip(OpeningRule::ALL) {
        let mut random = Rng::with_seed(seed);
        create(&anna, &[("Rule", "renju"), ("Opening", rule.name())]);
        join(&bela);
        while count_stones(&anna) < OVER {
            anna.wait("!document.querySelector('#board').hidden");
            let players = [&anna, &bela];
            let Some(actor) = players.into_iter().find(|it| can_act(it)) else {
                continue;
            };
            let progress = step(actor, &mut random);
            for player in players {
                player.wait(&format!("{PROGRESS} === {progress}"));
            }
        }
        stones(&bela, OVER);
        anna.press("Resign");
        anna.run("document.querySelector('dialog .main').click()");
        for player in [&bela, &anna] {
            player.press("Back to the lobby");
        }
    }
    for browser in [anna, bela] {
        assert_eq!(browser.complaints(), Vec::<String>::new());
    }
}
