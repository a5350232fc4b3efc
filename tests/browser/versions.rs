//! The exported page and its versions, with a module that only pretends to be an engine: what is
//! stored, and announced, needs none.

use crate::driver::{Browser, Window, is_installed};
use crate::site::Files;
use std::fs;
use std::path::Path;
use std::process::Command;
use tempfile::TempDir;

/// The module's script, whose sessions answer nothing.
const MODULE: &str = "export default async () => {};
export class Session {
  receive() { return '[]'; }
  tick() { return '[]'; }
  jobs() { return '{}'; }
  deadline() {}
}
";

/// Writes the page into a folder, with this version of the module.
fn export(folder: &Path, version: &str) {
    let module = TempDir::new().unwrap();
    let write = |path: &str, text: &str| {
        let path = module.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    };
    write("quincunx.js", MODULE);
    for name in [
        "quincunx_bg.wasm",
        "weights.js",
        "LICENSE-APACHE",
        "LICENSE-MIT",
        "THIRD-PARTY.txt",
    ] {
        write(name, "");
    }
    write("thinker.js", &format!("// {version}"));
    for rule in ["freestyle", "standard", "renju", "caro", "caro-overline"] {
        for kind in ["line", "tables"] {
            write(&format!("weights/{rule}.{kind}"), "");
        }
    }
    let made = Command::new(env!("CARGO_BIN_EXE_quincunx"))
        .args(["board", "--export"])
        .arg(folder)
        .arg("--wasm")
        .arg(module.path())
        .output()
        .unwrap();
    assert!(made.status.success(), "{made:?}");
}

/// A new version once came only when all pages of the old one happened to be closed, and without a
/// word.
#[test]
fn a_new_version_is_announced() {
    if !is_installed() {
        return;
    }
    let folder = TempDir::new().unwrap();
    export(folder.path(), "first");
    let files = Files::serve(folder.path(), "");
    let browser = Browser::open(Window::Desktop);
    browser.go(&format!("http://{}/?lang=en", files.address));
    let version = |version: &str| {
        browser.wait(&format!(
            "fetch('engine/thinker.js').then((it) => it.text()).then((it) => window.version = it) && window.version === '// {version}'"
        ));
    };
    // The first one is no news.
    browser
        .wait("navigator.serviceWorker.ready.then(() => window.isReady = true) && window.isReady");
    browser.wait("caches.match('puzzles/freestyle.txt').then((it) => window.has = Boolean(it)) && window.has");
    browser.reload();
    browser.wait("navigator.serviceWorker.controller");
    version("first");
    browser.wait("!document.querySelector('#version')");
    let next = TempDir::new().unwrap();
    export(next.path(), "second");
    for path in ["files.js", "engine/thinker.js"] {
        fs::copy(next.path().join(path), folder.path().join(path)).unwrap();
    }
    browser.reload();
    browser.wait("document.querySelector('#version')?.textContent === 'Use the new version'");
    browser.picture("new-version");
    version("first");
    browser.run("window.isOld = true; document.querySelector('#version').click()");
    browser.wait("!window.isOld && !document.querySelector('#version') && navigator.serviceWorker.controller");
    version("second");
    // What was stored is stored again, and only once.
    browser.wait("caches.keys().then((it) => window.stored = it.length) && window.stored === 1");
    browser.wait("caches.match('puzzles/freestyle.txt').then((it) => window.has = Boolean(it)) && window.has");
}

/// Opened by a double click the page was once blank.
#[test]
fn a_page_that_is_opened_as_a_file_says_what_it_needs() {
    if !is_installed() {
        return;
    }
    let folder = TempDir::new().unwrap();
    export(folder.path(), "first");
    let browser = Browser::open(Window::Desktop);
    for page in ["index.html", "gravity.html", "training.html"] {
        let path = folder.path().join(page);
        browser.go(&format!("file://{}", path.display()));
        browser.wait("document.body.innerText.includes('needs a web server')");
    }
}
