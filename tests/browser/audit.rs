//! The page under the rules of axe-core, which is not a part of this project:
//! `AXE=axe.min.js cargo test --release --test browser -- --ignored --nocapture audit`

#![allow(clippy::print_stdout)]

use crate::driver::Browser;
use crate::states;
use serde_json::json;

const THEMES: [&str; 5] = ["light", "dark", "wood", "paper", "contrast"];

/// What axe-core finds wrong with the page as it is, in every theme.
fn violations(browser: &Browser, state: &str) -> Vec<String> {
    let file = std::env::var("AXE").expect("AXE names the file axe.min.js of axe-core");
    let axe = std::fs::read_to_string(&file).unwrap_or_else(|error| panic!("{file}: {error}"));
    browser.run(&format!("{axe}; window.axe = axe || window.axe;"));
    let mut found = Vec::new();
    for theme in THEMES {
        browser.run(&format!(
            "document.documentElement.dataset.theme = {}; window.violations = null;
             axe.run().then(result => {{ window.violations = result.violations; }});",
            json!(theme)
        ));
        browser.wait("window.violations");
        let list = browser.run(
            "return window.violations.map(rule => rule.id + ': ' +
                rule.nodes.map(node => node.html.slice(0, 120)).join(' | '))",
        );
        let list = list.as_array().unwrap().iter();
        found.extend(list.map(|rule| format!("{state}, {theme}: {rule}")));
    }
    println!("{state}: {} violations in five themes", found.len());
    found
}

fn audit(states: fn(states::Look<'_>)) {
    let mut found = Vec::new();
    states(&mut |browser, state| found.extend(violations(browser, state)));
    assert_eq!(found, Vec::<String>::new());
}

#[test]
#[ignore = "needs axe-core"]
fn audit_of_boards() {
    audit(states::of_boards);
}

#[test]
#[ignore = "needs axe-core"]
fn audit_of_rooms() {
    audit(states::of_rooms);
}
