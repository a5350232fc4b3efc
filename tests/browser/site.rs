//! The board as a folder that any web server can serve, with the engine in the page.
//!
//! `bindings/wasm/build.sh` makes the module. Where there is none, or one of older sources,
//! these tests say that they were skipped.

use crate::driver::{Browser, Window, is_installed};
use crate::{READY, begin, open, status, stones};
use serde_json::json;
use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::{Duration, SystemTime};
use tempfile::TempDir;

/// A web server that knows nothing but files. It ends with this value.
pub(crate) struct Files {
    pub(crate) address: String,
    is_over: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Files {
    /// Serves a folder; every answer has these lines in its head.
    pub(crate) fn serve(folder: &Path, headers: &'static str) -> Files {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap().to_string();
        let is_over = Arc::<AtomicBool>::default();
        let (folder, over) = (folder.to_owned(), Arc::clone(&is_over));
        let thread = std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                if over.load(Ordering::Relaxed) {
                    return;
                }
                let folder = folder.clone();
                std::thread::spawn(move || answer(stream, &folder, headers));
            }
        });
        Files {
            address,
            is_over,
            thread: Some(thread),
        }
    }
}

impl Drop for Files {
    fn drop(&mut self) {
        self.is_over.store(true, Ordering::Relaxed);
        let _ = TcpStream::connect(&self.address);
        let _ = self.thread.take().unwrap().join();
    }
}

/// Answers one request. A browser that hangs up misses the answer.
fn answer(mut stream: TcpStream, folder: &Path, headers: &str) {
    let mut lines = BufReader::new(&stream).lines().map_while(Result::ok);
    let request = lines.next().unwrap_or_default();
    lines.find(String::is_empty);
    let path = request.split(' ').nth(1).unwrap_or_default();
    let path = path.split('?').next().unwrap_or_default();
    let path = match path.trim_start_matches('/') {
        "" => "index.html",
        path => path,
    };
    let kind = match path.rsplit('.').next() {
        Some("html") => "text/html",
        Some("js") => "text/javascript",
        Some("css") => "text/css",
        Some("svg") => "image/svg+xml",
        Some("png") => "image/png",
        Some("wasm") => "application/wasm",
        _ => "application/octet-stream",
    };
    let (status, content) = match std::fs::read(folder.join(path)) {
        Ok(content) => ("200 OK", content),
        Err(_) => ("404 Not Found", Vec::new()),
    };
    let length = content.len();
    let head = format!(
        "HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {length}\r\nCache-Control: max-age=600\r\n{headers}Connection: close\r\n\r\n"
    );
    let _ = stream.write_all(head.as_bytes());
    let _ = stream.write_all(&content);
}

/// The folders whose sources the module is made of.
const SOURCES: [&str; 9] = [
    "bindings/wasm/js",
    "bindings/wasm/src",
    "crates/analysis/src",
    "crates/board/src",
    "crates/engine/src",
    "crates/explorer/src",
    "crates/gravity/src",
    "crates/records/src",
    "crates/tools/src",
];

/// A source that was changed after this moment.
fn changed_since(folder: &Path, moment: SystemTime) -> Option<PathBuf> {
    let mut paths = std::fs::read_dir(folder)
        .unwrap()
        .map(|it| it.unwrap().path());
    paths.find_map(|path| match path.is_dir() {
        true => changed_since(&path, moment),
        false => (path.metadata().unwrap().modified().unwrap() > moment).then_some(path),
    })
}

/// Why there is no module to show: none was made, or it does not speak as the page does.
pub(crate) fn missing(module: &Path) -> Option<String> {
    let folder = module.display();
    let Ok(made) = module.join("quincunx_bg.wasm").metadata() else {
        return Some(format!("bindings/wasm/build.sh has made no {folder}"));
    };
    let (root, made) = (
        Path::new(env!("CARGO_MANIFEST_DIR")),
        made.modified().unwrap(),
    );
    let newer = SOURCES
        .iter()
        .find_map(|it| changed_since(&root.join(it), made))?;
    let newer = newer.display();
    Some(format!(
        "{newer} is newer than {folder}, which bindings/wasm/build.sh makes"
    ))
}

/// The folder, if there is a browser to show it and a module for it.
fn exported() -> Option<TempDir> {
    let module = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("bindings/wasm/board");
    if let Some(why) = missing(&module) {
        let _ = writeln!(std::io::stderr(), "SKIPPED: {why}");
        return None;
    }
    is_installed().then(|| {
        let folder = TempDir::new().unwrap();
        let made = Command::new(env!("CARGO_BIN_EXE_quincunx"))
            .args(["board", "--export"])
            .arg(folder.path())
            .arg("--wasm")
            .arg(module)
            .output()
            .unwrap();
        assert!(made.status.success(), "{made:?}");
        folder
    })
}

/// Plays against the engine on a small board until one side has won.
fn play_to_the_end(browser: &Browser) {
    begin(
        browser,
        &[
            ("Size", "6"),
            ("Level", "0"),
            ("Time", r#"{"turn_ms":200}"#),
        ],
    );
    // In the page, on the first free point whenever it is the person's turn.
    browser.run(
        "const play = () => {
             if (!document.querySelector('#status.over')) setTimeout(play, 20);
             const isOpen = !document.querySelector('.spinner');
             if (isOpen) document.querySelector('.cell.free')?.dispatchEvent(new MouseEvent('click', { bubbles: true }));
         };
         play();",
    );
    browser.wait("document.querySelector('#status.over')");
}

/// Waits until the browser has all that the board needs without a network: the weights are kept
/// one after another, those of standard last.
fn wait_until_kept(browser: &Browser) {
    browser
        .wait("navigator.serviceWorker.ready.then(() => window.isReady = true) && window.isReady");
    browser.wait(
        "caches.match('engine/weights/standard.tables').then((found) => window.isKept = found !== undefined) && window.isKept",
    );
}

fn visit_site(window: Window) -> Option<(Browser, Files, TempDir)> {
    let folder = exported()?;
    let files = Files::serve(folder.path(), "");
    let browser = Browser::open(window);
    browser.go(&format!("http://{}/", files.address));
    browser.wait(READY);
    Some((browser, files, folder))
}

#[test]
fn a_folder_is_a_whole_board_without_a_network() {
    let Some((browser, files, _folder)) = visit_site(Window::Desktop) else {
        return;
    };
    play_to_the_end(&browser);
    browser.picture("site-played");
    // Its mistakes are told, beside whatever else is searched.
    browser.press("Review");
    browser.wait(
        "document.querySelector('#review strong')?.textContent.startsWith('Accuracy: Black')",
    );
    browser.picture("site-reviewed");
    open(&browser, "9 freestyle d5a1e5a3f5a9");
    stones(&browser, 6);
    browser.press("Analyse");
    browser.wait("document.querySelectorAll('.best-line').length === 3");
    browser.press("Find a forced win");
    browser.wait(
        "document.querySelector('.proof').innerText.includes('Black wins by force (depth 3)')",
    );
    browser.picture("site-solved");
    browser.press("Analyse");
    // The second visit is without a server.
    wait_until_kept(&browser);
    drop(files);
    browser.reload();
    browser.wait(READY);
    stones(&browser, 6);
    assert_eq!(browser.run("return crossOriginIsolated"), json!(true));
    play_to_the_end(&browser);
    open(&browser, "15 renju h8i9");
    browser.press("Analyse");
    browser.wait("document.querySelectorAll('.value').length === 3");
    browser.picture("site-offline");
    // A search that is stopped leaves its worker to the next one.
    browser.run(
        "window.begun = 0;
         window.Worker = class extends Worker {
             constructor(...given) {
                 super(...given);
                 window.begun += 1;
             }
         };
         const analyse = () => document.querySelector('[data-name=analyse]').click();
         const until = (isSo) => new Promise((done) => {
             const look = () => isSo() ? done() : setTimeout(look, 1);
             look();
         });
         const shown = () => document.querySelector('.best-line .points')?.textContent;
         (async () => {
             for (let round = 0; round < 5; round++) {
                 await until(shown);
                 await new Promise((done) => setTimeout(done, 300));
                 analyse();
                 await until(() => !document.querySelector('.value'));
                 analyse();
             }
             await until(shown);
             window.isDone = true;
         })();
         return 0;",
    );
    browser.wait("window.isDone");
    assert_eq!(browser.run("return window.begun"), json!(0));
    // The second game is there too.
    browser.run("document.querySelector('#other').click()");
    browser.wait("location.pathname.endsWith('gravity.html') && document.querySelectorAll('[role=gridcell]').length === 42");
    status(&browser, "Red to move");
    browser.keys(&['4']);
    browser.wait("document.querySelectorAll('.disc').length >= 2");
    let complaints = browser.complaints();
    let others = (complaints.iter()).filter(|it| !it.contains("ERR_CONNECTION_REFUSED"));
    assert_eq!(others.count(), 0, "{complaints:?}");
}

/// The position of a link was once behind the game that the browser had kept, where no click was
/// heard.
#[test]
fn a_link_opens_its_position_without_a_server() {
    let Some((browser, files, _folder)) = visit_site(Window::Desktop) else {
        return;
    };
    browser.go("about:blank");
    browser.go(&format!("http://{}/#15/freestyle/h8i9", files.address));
    browser.wait(READY);
    stones(&browser, 2);
    browser.click("h7");
    stones(&browser, 4);
}

#[test]
fn a_folder_is_a_board_on_a_phone() {
    let Some((browser, files, _folder)) = visit_site(Window::Phone) else {
        return;
    };
    wait_until_kept(&browser);
    drop(files);
    browser.reload();
    browser.wait(READY);
    browser.tap("h8");
    browser.wait("document.querySelector('.asked')");
    browser.tap("h8");
    stones(&browser, 2);
    let wide = browser.run("return document.documentElement.scrollWidth > innerWidth");
    assert_eq!(wide, json!(false), "the page fits a phone");
    browser.picture("site-phone");
    play_to_the_end(&browser);
    browser.picture("site-phone-over");
    // It can be installed: the manifest names pictures of the sizes that browsers want.
    let sizes = browser.run(
        "window.sizes = null;
         (async () => {
             const manifest = await (await fetch(document.querySelector('link[rel=manifest]').href)).json();
             const sizes = manifest.icons.map(async ({ src }) => {
                 const image = new Image();
                 image.src = src;
                 await image.decode();
                 return `${src} ${image.naturalWidth}`;
             });
             window.sizes = (await Promise.all(sizes)).join();
         })();
         return 0;",
    );
    assert_eq!(sizes, json!(0));
    browser
        .wait("window.sizes?.startsWith('icon-192.png 192,icon-512.png 512,icon-whole.png 512')");
}

/// Puzzles once said offline that the program does not answer, unless they were seen before.
#[test]
fn puzzles_of_a_folder_are_there_before_their_first_visit() {
    let Some((browser, files, _folder)) = visit_site(Window::Desktop) else {
        return;
    };
    wait_until_kept(&browser);
    let kept = "caches.match('puzzles/standard.txt').then((found) => window.found = Boolean(found)) && window.found";
    browser.wait(kept);
    drop(files);
    browser.run("document.querySelector('#puzzles').click()");
    browser.wait("document.querySelector('[role=status]').textContent.includes('find the moves')");
    browser.press("Show the move");
    browser.run("document.querySelector('dialog .main').click()");
    browser.wait("document.querySelector('.hint')");
    browser.picture("site-training");
}

/// A worker that can't be loaded or breaks is told, and the game goes on with the next one.
#[test]
fn a_worker_that_fails_is_replaced() {
    let Some(folder) = exported() else {
        return;
    };
    let thinker = folder.path().join("engine/thinker.js");
    let whole = std::fs::read_to_string(&thinker).unwrap();
    // The first job fails.
    let broken = whole.replace(
        "thinker.work(job, tell)",
        "if (await caches.has('failed')) thinker.work(job, tell);
         else throw new Error(await caches.open('failed'))",
    );
    assert_ne!(broken, whole);
    for is_there in [false, true] {
        let _ = std::fs::remove_file(&thinker);
        if is_there {
            std::fs::write(&thinker, &broken).unwrap();
        }
        let files = Files::serve(folder.path(), "Cache-Control: no-store\r\n");
        let browser = Browser::open(Window::Desktop);
        browser.go(&format!("http://{}/", files.address));
        browser.wait(READY);
        browser.run(
            "new MutationObserver(() => {
                 if (document.body.innerText.includes('does not answer')) window.isTold = true;
             }).observe(document.querySelector('#alert'), { childList: true, attributes: true });
             return 0;",
        );
        browser.click("h8");
        browser.wait("window.isTold");
        if !is_there {
            std::fs::write(&thinker, &whole).unwrap();
        }
        stones(&browser, 2);
        browser.wait("document.querySelector('#alert').hidden");
    }
}

/// What else is below the folder comes as the server sends it: an isolated page would show no
/// pictures of other servers.
#[test]
fn other_pages_below_a_folder_are_left_alone() {
    let Some((browser, files, folder)) = visit_site(Window::Desktop) else {
        return;
    };
    std::fs::create_dir(folder.path().join("news")).unwrap();
    std::fs::write(folder.path().join("news/index.html"), "<p>News").unwrap();
    wait_until_kept(&browser);
    for (path, isolated) in [("", true), ("?lang=ja", true), ("news/index.html", false)] {
        browser.go(&format!("http://{}/{path}", files.address));
        browser.wait("document.readyState === 'complete'");
        let found = browser.run("return crossOriginIsolated");
        assert_eq!(found, json!(isolated), "{path}");
    }
}

/// The files of two versions never meet, though the browser remembers those of the first one for a
/// while. What another folder of the server keeps stays.
#[test]
fn an_upgrade_of_a_folder_brings_all_of_its_files() {
    let Some((browser, files, folder)) = visit_site(Window::Desktop) else {
        return;
    };
    wait_until_kept(&browser);
    browser.run("caches.open('quincunx of another folder'); return 0");
    for entry in std::fs::read_dir(folder.path()).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|it| it == "js") {
            let text = std::fs::read_to_string(&path).unwrap();
            let text = text.replace("VERSION = \"", "VERSION = \"upgraded");
            std::fs::write(&path, format!("{text}// upgraded\n")).unwrap();
        }
    }
    browser.reload();
    browser.wait(
        "navigator.serviceWorker.getRegistration().then(({ waiting }) => window.waits = waiting !== null) && window.waits",
    );
    // The new version takes over when no page shows the old one, which a browser that has other
    // work may see late.
    let takes_over = || {
        browser.go("about:blank");
        std::thread::sleep(Duration::from_millis(200));
        browser.go(&format!("http://{}/", files.address));
        browser.wait(READY);
        browser.run(
            "window.isOld = undefined;
             navigator.serviceWorker.getRegistration().then(({ waiting }) => { window.isOld = waiting !== null; });
             return 0;",
        );
        browser.wait("window.isOld !== undefined");
        browser.run("return window.isOld") == json!(false)
    };
    assert!((0..20).any(|_| takes_over()));
    browser.wait("caches.keys().then(({ length }) => window.count = length) && window.count === 2");
    browser.run(
        "(async () => {
             const own = (await caches.keys()).filter((name) => name.includes('upgraded'));
             const cache = await caches.open(own[0]);
             const scripts = (await cache.keys()).filter(({ url }) => /^[/][a-z]+[.]js$/.test(new URL(url).pathname));
             const texts = await Promise.all(scripts.map(async (it) => (await cache.match(it)).text()));
             const old = texts.filter((text) => !text.includes('// upgraded'));
             window.kept = [own.length, texts.length > 20, old.length];
         })();
         return 0;",
    );
    browser.wait("window.kept");
    assert_eq!(
        browser.run("return window.kept"),
        json!([1, true, 0]),
        "caches of the new version, whether there are scripts, old ones"
    );
}
