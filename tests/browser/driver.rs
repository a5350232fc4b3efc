//! A small WebDriver client: a browser that the tests drive as people do.

use crate::chromium::Chromium;
use base64::prelude::{BASE64_STANDARD, Engine};
use serde_json::{Value, json};
use std::cell::RefCell;
use std::collections::HashSet;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::LazyLock;
use std::time::{Duration, Instant};

/// No test waits longer for anything.
pub(crate) const PATIENCE: Duration = Duration::from_secs(120);

/// The name of the field that holds an element's number, as the standard has it.
const ELEMENT: &str = "element-6066-11e4-a52e-4f735466cecf";

/// A browser with one tab, which no other test uses at the same time.
pub(crate) struct Browser {
    chromium: Option<Chromium>,
    /// The origins of the pages that it was sent to.
    visited: RefCell<HashSet<String>>,
}

/// Modifier keys, as WebDriver writes them.
pub(crate) const CONTROL: char = '\u{e009}';
pub(crate) const SHIFT: char = '\u{e008}';
pub(crate) const COMMAND: char = '\u{e03d}';

/// How large the window is, and whether it is a phone's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Window {
    Desktop,
    Phone,
}

/// Whether there is a browser to test with; to ask one for its version takes half a second.
static IS_INSTALLED: LazyLock<bool> = LazyLock::new(|| {
    let there = |program: &str| {
        let found = Command::new(program)
            .arg("--version")
            .stdout(Stdio::null())
            .status();
        found.is_ok_and(|status| status.success())
    };
    // A shell ends the driver with the tests.
    let browsers = ["chromium-headless-shell", "chromium", "google-chrome"];
    cfg!(unix) && there("chromedriver") && browsers.into_iter().any(there)
});

/// Whether there is a browser to test with. Where the variable QUINCUNX_BROWSER is
/// `required` there must be one; else a test without one says so and passes.
pub(crate) fn is_installed() -> bool {
    if *IS_INSTALLED {
        return true;
    }
    let required = std::env::var("QUINCUNX_BROWSER").is_ok_and(|value| value == "required");
    assert!(
        !required,
        "chromium and chromedriver are required and not installed"
    );
    let _ = writeln!(
        std::io::stderr(),
        "SKIPPED: chromium and chromedriver are not installed"
    );
    false
}

impl Browser {
    pub(crate) fn open(window: Window) -> Browser {
        let browser = Browser {
            chromium: Some(Chromium::lend(window)),
            visited: RefCell::default(),
        };
        // The questions of the first visit were answered, but for tests that ask for them.
        browser.before_pages(
            "try { if (!sessionStorage.getItem('first visit')) localStorage.setItem('quincunx.asked', 'yes'); } catch {}",
        );
        browser
    }

    /// Makes the visit of the board a first one.
    pub(crate) fn forget_visits(&self) {
        self.run("for (const it of [localStorage, sessionStorage]) it.clear(); sessionStorage.setItem('first visit', 'yes')");
        self.reload();
    }

    fn chromium(&self) -> &Chromium {
        self.chromium.as_ref().expect("it is there until the end")
    }

    /// Goes to an address. Its port may have been that of another test's server: what that
    /// server's page has stored is removed before the first visit, and what the browser has of
    /// its files.
    pub(crate) fn go(&self, url: &str) {
        let origin = url.splitn(4, '/').take(3).collect::<Vec<_>>().join("/");
        if url.starts_with("http") && self.visited.borrow_mut().insert(origin.clone()) {
            let body = json!({
                "cmd": "Storage.clearDataForOrigin",
                "params": { "origin": origin, "storageTypes": "all" },
            });
            self.command("POST", "/goog/cdp/execute", &body);
            self.forget_files();
        }
        self.command("POST", "/url", &json!({ "url": url }));
    }

    /// Runs the body of a function in the page and returns what it returns; again
    /// while it fails, because an element is not there yet.
    pub(crate) fn run(&self, script: &str) -> Value {
        let body = json!({ "script": script, "args": [] });
        self.with_element(String::new, |_| {
            self.try_command("POST", "/execute/sync", &body)
        })
    }

    /// Waits until an expression is true in the page.
    pub(crate) fn wait(&self, expression: &str) {
        let body = json!({ "script": format!("return Boolean({expression})"), "args": [] });
        let end = Instant::now() + PATIENCE;
        let mut last = Ok(Value::Null);
        while Instant::now() < end {
            // An error is an element that is not there yet.
            last = self.try_command("POST", "/execute/sync", &body);
            if last == Ok(json!(true)) {
                return;
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        let text = self.run("return document.body.innerText");
        panic!("in vain: {expression}\n{last:?}\n{text}");
    }

    /// Does something with an element, again if the page has drawn it anew between
    /// finding and using it.
    fn with_element<T>(
        &self,
        find: impl Fn() -> String,
        action: impl Fn(&str) -> Result<T, Value>,
    ) -> T {
        let end = Instant::now() + PATIENCE;
        loop {
            match action(&find()) {
                Ok(value) => return value,
                Err(error) if Instant::now() > end => panic!("in vain: {error}"),
                Err(_) => std::thread::sleep(Duration::from_millis(20)),
            }
        }
    }

    /// The element with this role and accessible name, as a screen reader finds it. The
    /// page itself names the elements that may have the name: to ask the browser for the
    /// names of all takes most of the time of a test.
    fn named(&self, role: &str, name: &str) -> String {
        let candidates = match role {
            "button" => "button",
            "option" => "option",
            "field" => "input, select, textarea",
            _ => "[role]",
        };
        let script = "const [candidates, name] = arguments;\
                      const texts = (element) => [element, ...(element.labels ?? [])].flatMap(\
                          (part) => [part.textContent, part.ariaLabel, part.title, part.placeholder]);\
                      const likely = (element) => element.hasAttribute('aria-labelledby')\
                          || texts(element).some((text) => text?.replace(/\\s+/g, ' ').includes(name));\
                      return [...document.querySelectorAll(candidates)].filter(likely);";
        let body = json!({ "script": script, "args": [candidates, name] });
        let end = Instant::now() + PATIENCE;
        while Instant::now() < end {
            let found = self.command("POST", "/execute/sync", &body);
            for element in found.as_array().unwrap() {
                let element = element[ELEMENT].as_str().unwrap();
                let label = self.try_command(
                    "GET",
                    &format!("/element/{element}/computedlabel"),
                    &Value::Null,
                );
                if label.is_ok_and(|label| label == name) {
                    return element.to_owned();
                }
            }
            std::thread::sleep(Duration::from_millis(50));
        }
        panic!("there is no {role} called {name}");
    }

    /// Presses a button.
    pub(crate) fn press(&self, name: &str) {
        self.with_element(
            || self.named("button", name),
            |button| self.try_command("POST", &format!("/element/{button}/click"), &json!({})),
        );
    }

    /// Checks or unchecks a box.
    pub(crate) fn toggle(&self, field: &str) {
        self.with_element(
            || self.named("field", field),
            |field| self.try_command("POST", &format!("/element/{field}/click"), &json!({})),
        );
    }

    /// Fills a field in, or chooses the option with this value.
    pub(crate) fn fill(&self, field: &str, value: &str) {
        let script = "const [field, value] = arguments; field.value = value;\
                      for (const type of ['input', 'change']) field.dispatchEvent(new Event(type, { bubbles: true }));";
        self.with_element(
            || self.named("field", field),
            |element| {
                let arguments = json!({ "script": script, "args": [{ ELEMENT: element }, value] });
                self.try_command("POST", "/execute/sync", &arguments)
            },
        );
    }

    /// The number of the cell of a point.
    fn cell(&self, point: &str) -> String {
        self.element(&format!("[role=gridcell][data-point={point}]"))
    }

    /// The number of the element of this selector.
    fn element(&self, selector: &str) -> String {
        let found = self.command(
            "POST",
            "/element",
            &json!({ "using": "css selector", "value": selector }),
        );
        found[ELEMENT].as_str().unwrap().to_owned()
    }

    /// Clicks on a point of the board.
    pub(crate) fn click(&self, point: &str) {
        self.click_on(&format!("[role=gridcell][data-point={point}]"));
    }

    /// Clicks on the element of this selector.
    pub(crate) fn click_on(&self, selector: &str) {
        self.with_element(
            || self.element(selector),
            |it| self.try_command("POST", &format!("/element/{it}/click"), &json!({})),
        );
    }

    /// What a screen reader calls a point of the board, and the role it has.
    pub(crate) fn label(&self, point: &str) -> (String, String) {
        let of = |what: &str| {
            let value = self.with_element(
                || self.cell(point),
                |cell| {
                    let path = format!("/element/{cell}/computed{what}");
                    self.try_command("GET", &path, &Value::Null)
                },
            );
            value.as_str().unwrap().to_owned()
        };
        (of("role"), of("label"))
    }

    /// Presses keys one after another, wherever the focus is.
    pub(crate) fn keys(&self, keys: &[char]) {
        let presses = keys.iter().flat_map(|key| {
            ["keyDown", "keyUp"].map(|kind| json!({ "type": kind, "value": key.to_string() }))
        });
        let actions =
            json!([{ "type": "key", "id": "keys", "actions": presses.collect::<Vec<_>>() }]);
        self.command("POST", "/actions", &json!({ "actions": actions }));
    }

    /// Presses keys together.
    pub(crate) fn chord(&self, keys: &[char]) {
        let press = |kind: &str, key: &char| json!({ "type": kind, "value": key.to_string() });
        let down = keys.iter().map(|key| press("keyDown", key));
        let up = keys.iter().rev().map(|key| press("keyUp", key));
        let presses: Vec<Value> = down.chain(up).collect();
        let actions = json!([{ "type": "key", "id": "keys", "actions": presses }]);
        self.command("POST", "/actions", &json!({ "actions": actions }));
    }

    /// Taps a point with a finger.
    pub(crate) fn tap(&self, point: &str) {
        let origin = json!({ ELEMENT: self.cell(point) });
        let actions = json!([{
            "type": "pointer", "id": "finger", "parameters": { "pointerType": "touch" },
            "actions": [
                { "type": "pointerMove", "origin": origin, "x": 0, "y": 0 },
                { "type": "pointerDown", "button": 0 },
                { "type": "pointerUp", "button": 0 },
            ],
        }]);
        self.command("POST", "/actions", &json!({ "actions": actions }));
    }

    /// Rests a finger on a point, and lifts it on another.
    pub(crate) fn press_long(&self, from: &str, to: &str) {
        let go = |point: &str| {
            let origin = json!({ ELEMENT: self.cell(point) });
            json!({ "type": "pointerMove", "origin": origin, "x": 0, "y": 0 })
        };
        let actions = json!([{
            "type": "pointer", "id": "finger", "parameters": { "pointerType": "touch" },
            "actions": [
                go(from),
                { "type": "pointerDown", "button": 0 },
                { "type": "pause", "duration": 700 },
                go(to),
                { "type": "pointerUp", "button": 0 },
            ],
        }]);
        self.command("POST", "/actions", &json!({ "actions": actions }));
    }

    /// Presses the mouse at a place of the window, and lets it go at another.
    pub(crate) fn drag(&self, from: (i64, i64), to: (i64, i64)) {
        self.drag_with(0, from, to);
    }

    /// Drags with a button of the mouse: 2 is the secondary one.
    pub(crate) fn drag_with(&self, button: u8, from: (i64, i64), to: (i64, i64)) {
        let go =
            |(x, y): (i64, i64)| json!({ "type": "pointerMove", "duration": 0, "x": x, "y": y });
        let press = |kind: &str| json!({ "type": kind, "button": button });
        let path = json!([go(from), press("pointerDown"), go(to), press("pointerUp")]);
        let mouse = json!({ "type": "pointer", "id": "mouse", "parameters": { "pointerType": "mouse" }, "actions": path });
        self.command("POST", "/actions", &json!({ "actions": [mouse] }));
    }

    /// Moves the mouse onto the first element of a selector.
    pub(crate) fn hover(&self, selector: &str) {
        self.move_mouse(&json!({ ELEMENT: self.element(selector) }));
    }

    /// Moves the mouse to a corner, away from what it has clicked.
    pub(crate) fn move_mouse_away(&self) {
        self.move_mouse(&json!("viewport"));
    }

    fn move_mouse(&self, origin: &Value) {
        self.use_mouse(
            &json!({ "type": "pointerMove", "duration": 0, "origin": origin, "x": 0, "y": 0 }),
        );
    }

    /// Presses the mouse on the first element of a selector, and lets it go after something else.
    pub(crate) fn hold(&self, selector: &str, meanwhile: impl FnOnce()) {
        self.hover(selector);
        self.use_mouse(&json!({ "type": "pointerDown", "button": 0 }));
        meanwhile();
        self.use_mouse(&json!({ "type": "pointerUp", "button": 0 }));
    }

    fn use_mouse(&self, action: &Value) {
        let mouse = json!({ "type": "pointer", "id": "mouse", "parameters": { "pointerType": "mouse" }, "actions": [action] });
        self.command("POST", "/actions", &json!({ "actions": [mouse] }));
    }

    /// Has pages from now on find these languages preferred.
    pub(crate) fn prefer(&self, languages: &[&str]) {
        let source = format!(
            "Object.defineProperty(navigator, 'languages', {{ get: () => {}, configurable: true }})",
            json!(languages)
        );
        self.before_pages(&source);
    }

    /// Runs a script in every page from now on, before the page's own.
    pub(crate) fn before_pages(&self, script: &str) {
        let body = json!({
            "cmd": "Page.addScriptToEvaluateOnNewDocument", "params": { "source": script },
        });
        self.command("POST", "/goog/cdp/execute", &body);
    }

    /// Has requests for these addresses fail from now on, and no others. A `*` is any part of
    /// one.
    pub(crate) fn block(&self, addresses: &[&str]) {
        let commands = [
            ("Network.enable", json!({})),
            ("Network.setBlockedURLs", json!({ "urls": addresses })),
        ];
        for (command, params) in commands {
            let body = json!({ "cmd": command, "params": params });
            self.command("POST", "/goog/cdp/execute", &body);
        }
    }

    /// Forgets the files of all pages that it has seen.
    pub(crate) fn forget_files(&self) {
        let body = json!({ "cmd": "Network.clearBrowserCache", "params": {} });
        self.command("POST", "/goog/cdp/execute", &body);
    }

    /// Gives the page so many pixels.
    pub(crate) fn resize(&self, width: u32, height: u32) {
        let metrics = json!({
            "cmd": "Emulation.setDeviceMetricsOverride",
            "params": { "width": width, "height": height, "deviceScaleFactor": 1, "mobile": false },
        });
        self.command("POST", "/goog/cdp/execute", &metrics);
        // The page hears of it a little later.
        self.wait(&format!(
            "innerWidth === {width} && innerHeight === {height}"
        ));
    }

    /// Has the system be in this time zone from now on.
    pub(crate) fn live_in(&self, zone: &str) {
        let zone = json!({
            "cmd": "Emulation.setTimezoneOverride", "params": { "timezoneId": zone },
        });
        self.command("POST", "/goog/cdp/execute", &zone);
    }

    /// Has the system force its colours on pages from now on.
    pub(crate) fn force_colors(&self) {
        let media = json!({
            "cmd": "Emulation.setEmulatedMedia",
            "params": { "features": [{ "name": "forced-colors", "value": "active" }] },
        });
        self.command("POST", "/goog/cdp/execute", &media);
    }

    /// Shows pages as they are printed from now on.
    pub(crate) fn print(&self) {
        let media = json!({ "cmd": "Emulation.setEmulatedMedia", "params": { "media": "print" } });
        self.command("POST", "/goog/cdp/execute", &media);
    }

    /// Points with fingers from now on.
    pub(crate) fn use_fingers(&self) {
        let touch = json!({
            "cmd": "Emulation.setTouchEmulationEnabled",
            "params": { "enabled": true, "maxTouchPoints": 1 },
        });
        self.command("POST", "/goog/cdp/execute", &touch);
    }

    /// Writes a picture of the window into the folder that the variable PICTURES names, if it
    /// names one, to be looked at.
    pub(crate) fn picture(&self, name: &str) {
        let Some(folder) = std::env::var_os("PICTURES") else {
            return;
        };
        let picture = self.command("GET", "/screenshot", &Value::Null);
        let bytes = BASE64_STANDARD.decode(picture.as_str().unwrap()).unwrap();
        std::fs::write(Path::new(&folder).join(format!("{name}.png")), bytes).unwrap();
    }

    /// Shows a page in another tab. Returns the tab before it.
    pub(crate) fn open_tab(&self, url: &str) -> Value {
        let tab = self.command("POST", "/window/new", &json!({ "type": "tab" }));
        let before = self.go_to_tab(&tab["handle"]);
        self.command("POST", "/url", &json!({ "url": url }));
        before
    }

    /// Goes to another tab. Returns the tab before it.
    pub(crate) fn go_to_tab(&self, tab: &Value) -> Value {
        let before = self.command("GET", "/window", &Value::Null);
        self.command("POST", "/window", &json!({ "handle": tab }));
        before
    }

    /// Goes back to the page before this one.
    pub(crate) fn back(&self) {
        self.command("POST", "/back", &json!({}));
    }

    /// Loads the page again.
    pub(crate) fn reload(&self) {
        self.command("POST", "/refresh", &json!({}));
    }

    /// What the page has complained of on its console since the last call.
    pub(crate) fn complaints(&self) -> Vec<String> {
        let log = self.command("POST", "/se/log", &json!({ "type": "browser" }));
        let entries = log.as_array().unwrap().iter();
        entries.map(|entry| entry["message"].to_string()).collect()
    }

    fn command(&self, method: &str, path: &str, body: &Value) -> Value {
        let answer = self.try_command(method, path, body);
        answer.unwrap_or_else(|error| panic!("{method} {path} {body}: {error}"))
    }

    fn try_command(&self, method: &str, path: &str, body: &Value) -> Result<Value, Value> {
        self.chromium().command(method, path, body)
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        // After a failure nothing is known of its state.
        if let Some(chromium) = self.chromium.take().filter(|_| !std::thread::panicking()) {
            chromium.give_back();
        }
    }
}
