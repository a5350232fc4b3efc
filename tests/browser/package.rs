//! The package for npm in a page, which has threads if its server isolates it.
//!
//! `bindings/wasm/build.sh` makes the package. Where there is none with threads, or one of older
//! sources, this test says that it was skipped.

use crate::driver::{Browser, Window, is_installed};
use crate::site::{Files, missing};
use serde_json::json;
use std::io::Write;
use std::path::{Path, PathBuf};

/// What a server says to have its pages isolated, and the strictest policy of scripts that
/// the package works under.
const ISOLATES: &str = "Cross-Origin-Opener-Policy: same-origin\r\n\
                        Cross-Origin-Embedder-Policy: require-corp\r\n\
                        Content-Security-Policy: default-src 'none'; connect-src 'self'; \
                        script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'\r\n";

/// The folder of the package, if there is a browser and a package for it.
fn package() -> Option<PathBuf> {
    let bindings = Path::new(env!("CARGO_MANIFEST_DIR")).join("bindings/wasm");
    let missing = missing(&bindings.join("pkg")).or_else(|| missing(&bindings.join("pkg/threads")));
    if let Some(why) = missing {
        let _ = writeln!(std::io::stderr(), "SKIPPED: {why}");
        return None;
    }
    is_installed().then_some(bindings)
}

#[test]
fn only_an_isolated_page_has_threads() {
    let Some(bindings) = package() else {
        return;
    };
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

#[test]
fn weights_that_a_page_cannot_fetch_are_named() {
    let Some(bindings) = package() else {
        return;
    };
    let files = Files::serve(&bindings, "");
    let browser = Browser::open(Window::Desktop);
    browser.go(&format!("http://{}/examples/page.html", files.address));
    browser.run(
        "(async () => {
             const { Quincunx } = await import('/pkg/index.js');
             window.engine = await Quincunx.start({ moves: ['h8'] });
         })();
         return 0;",
    );
    browser.wait("window.engine");
    drop(files);
    browser.run(
        "engine.newGame({ rule: 'caro' }).catch(async ({ message }) => {
             const { move } = await engine.think({ depth: 2 });
             window.found = [/weights.caro[.](line|tables) could not be fetched/.test(message), Boolean(move)];
         });
         return 0;",
    );
    browser.wait("window.found");
    assert_eq!(browser.run("return window.found"), json!([true, true]));
}
