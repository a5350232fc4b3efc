//! The package for npm in a page, which has threads if its server isolates it.
//!
//! `bindings/wasm/build.sh` makes the package. Where there is none with threads, or one of older
//! sources, this test says that it was skipped.

use crate::driver::{Browser, Window, is_installed};
use crate::site::{Files, missing};
use serde_json::json;
use std::io::Write;
use std::path::Path;

/// What a server says to have its pages isolated.
const ISOLATES: &str = "Cross-Origin-Opener-Policy: same-origin\r\n\
                        Cross-Origin-Embedder-Policy: require-corp\r\n";

#[test]
fn only_an_isolated_page_has_threads() {
    let bindings = Path::new(env!("CARGO_MANIFEST_DIR")).join("bindings/wasm");
    let missing = missing(&bindings.join("pkg")).or_else(|| missing(&bindings.join("pkg/threads")));
    if let Some(why) = missing {
        let _ = writeln!(std::io::stderr(), "SKIPPED: {why}");
        return;
    }
    if !is_installed() {
        return;
    }
    for (headers, threads) in [(ISOLATES, 2), ("", 1)] {
        let files = Files::serve(&bindings, headers);
        let browser = Browser::open(Window::Desktop);
        browser.go(&format!("http://{}/examples/page.html", files.address));
        browser.run(
            "(async () => {
                 const { Quincunx } = await import('/pkg/index.js');
                 const engine = await Quincunx.start({ threads: 2, moves: ['h8', 'i9'] });
                 let isStopped = false;
                 const { lines } = await engine.think({}, () => {
                     isStopped = true;
                     engine.stop();
                 });
                 window.found = [crossOriginIsolated, engine.threads, isStopped && lines.length];
             })().catch((error) => { window.found = String(error); });
             return 0;",
        );
        browser.wait("window.found");
        let found = browser.run("return window.found");
        assert_eq!(found, json!([threads == 2, threads, 1]));
    }
}
