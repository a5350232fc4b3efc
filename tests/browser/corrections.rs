//! Corrections of results are shown to all, and at once.

use crate::rooms::{club_of_two, resign};
use serde_json::json;

/// "All rounds" once kept the result that was corrected in it.
#[test]
fn a_correction_is_shown_at_once_with_who_made_it() {
    let Some((_server, anna, bela)) = club_of_two() else {
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
    for browser in [&anna, &bela] {
        browser.wait("document.querySelector('.player.active')");
    }
    resign(&bela);
    for browser in [&anna, &bela] {
        browser.press("Back to the tournament");
        browser.wait("document.querySelector('#tournament [role=status]').innerText === 'Over'");
    }
    anna.press("All rounds");
    let rounds = "document.querySelector('dialog').innerText";
    anna.wait("document.querySelector('dialog [data-table=\"1/1\"]')");
    assert_eq!(
        anna.run(&format!("return {rounds}.includes('corrected')")),
        json!(false)
    );
    anna.run("document.querySelector('dialog [data-table=\"1/1\"]').click()");
    anna.fill("Result", "draw");
    anna.press("Save");
    anna.wait(&format!("{rounds}.includes('0.5 – 0.5 corrected')"));
    for (width, height) in [(1366, 768), (390, 844)] {
        anna.resize(width, height);
        anna.picture(&format!("rounds-{width}"));
    }
    anna.press("Close");
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
