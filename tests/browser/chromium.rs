//! Chromium processes with their drivers. Tests borrow them one after another, each with a new
//! tab, because a start takes more than a second of processor time.

use crate::driver::{PATIENCE, Window};
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::{Mutex, PoisonError};
use tempfile::TempDir;

/// The driver runs until its standard input is closed, which also happens when the tests end:
/// nothing in them is called then. The profile in the folder `$0` is removed after it. Where there
/// is a Chromium without a window of its own, which takes less than half of the processor time, a
/// program in that folder starts it with a first tab, which the driver expects.
const DRIVER: &str = r#"
    if shell=$(command -v chromium-headless-shell); then
        printf '#!/bin/sh\nexec %s "$@" about:blank\n' "$shell" > "$0/browser"
        chmod +x "$0/browser"
    fi
    chromedriver --port=0 & cat > /dev/null; kill $!; wait $!
    for wait in 0 0.2 1; do sleep $wait; rm -rf "$0"; done"#;

/// The browsers that tests have given back.
static IDLE: Mutex<Vec<Chromium>> = Mutex::new(Vec::new());

/// A Chromium and its driver.
pub(crate) struct Chromium {
    driver: Child,
    port: u16,
    session: String,
    window: Window,
}

impl Chromium {
    /// Returns a browser that shows an empty page in a new tab, and has no other tab.
    pub(crate) fn lend(window: Window) -> Chromium {
        let idle = {
            let mut idle = IDLE.lock().unwrap_or_else(PoisonError::into_inner);
            let at = idle.iter().position(|it| it.window == window);
            at.map(|at| idle.swap_remove(at))
        };
        idle.unwrap_or_else(|| Chromium::start(window))
    }

    /// Keeps it for another test. One that does not answer in time ends: its test is over.
    pub(crate) fn give_back(self) {
        if self.begin_anew().is_ok() {
            let mut idle = IDLE.lock().unwrap_or_else(PoisonError::into_inner);
            idle.push(self);
        }
    }

    fn start(window: Window) -> Chromium {
        // The port that a driver finds free may be taken before it listens; it ends then.
        let started = (0..5).find_map(|_| start_driver());
        let (driver, port, profile) = started.expect("a chromedriver that listens");
        let mut chromium = Chromium {
            driver,
            port,
            session: String::new(),
            window,
        };
        let capabilities = capabilities(window, &profile);
        let body = json!({ "capabilities": { "alwaysMatch": capabilities } });
        let session = chromium.call("POST", "/session", &body).unwrap();
        chromium.session = format!("/session/{}", session["sessionId"].as_str().unwrap());
        chromium
    }

    /// Removes what the test before has left: what was emulated ends with its tab, and the
    /// console's messages are read. What pages have stored belongs to their addresses, and
    /// goes when one of them is visited again.
    fn begin_anew(&self) -> Result<(), Value> {
        let tab = self.command("POST", "/window/new", &json!({ "type": "tab" }))?["handle"].take();
        let handles = self.command("GET", "/window/handles", &Value::Null)?;
        for handle in handles.as_array().unwrap() {
            if *handle != tab {
                self.command("POST", "/window", &json!({ "handle": handle }))?;
                self.command("DELETE", "/window", &Value::Null)?;
            }
        }
        self.command("POST", "/window", &json!({ "handle": tab }))?;
        self.command("POST", "/se/log", &json!({ "type": "browser" }))?;
        Ok(())
    }

    /// Sends a command of the session. Returns the value of the answer, or the error.
    pub(crate) fn command(&self, method: &str, path: &str, body: &Value) -> Result<Value, Value> {
        self.call(method, &format!("{}{path}", self.session), body)
    }

    /// Sends a request to the driver. Returns the value of the answer, or the error.
    fn call(&self, method: &str, path: &str, body: &Value) -> Result<Value, Value> {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        let body = if body.is_null() {
            String::new()
        } else {
            body.to_string()
        };
        let length = body.len();
        let head = format!(
            "{method} {path} HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nContent-Type: application/json\r\n\
             Content-Length: {length}\r\nConnection: close\r\n\r\n",
            self.port
        );
        stream.write_all((head + &body).as_bytes()).unwrap();
        let mut answer = BufReader::new(stream);
        let mut length = 0;
        let mut line = String::new();
        while answer.read_line(&mut line).unwrap() > 2 {
            if let Some((name, value)) = line.split_once(':')
                && name.eq_ignore_ascii_case("content-length")
            {
                length = value.trim().parse().unwrap();
            }
            line.clear();
        }
        let mut body = vec![0; length];
        answer.read_exact(&mut body).unwrap();
        let answer: Value = serde_json::from_slice(&body).unwrap();
        match &answer["value"]["error"] {
            Value::String(_) => Err(answer["value"].clone()),
            _ => Ok(answer["value"].clone()),
        }
    }
}

impl Drop for Chromium {
    fn drop(&mut self) {
        if !self.session.is_empty() {
            let _ = self.command("DELETE", "", &Value::Null);
        }
        drop(self.driver.stdin.take());
        let _ = self.driver.wait();
    }
}

/// Starts a driver on a port that is free, and makes a profile for its browser. Returns
/// nothing if the driver ends before it listens.
fn start_driver() -> Option<(Child, u16, std::path::PathBuf)> {
    let profile = TempDir::new().unwrap().keep();
    let mut child = Command::new("sh")
        .args(["-c", DRIVER])
        .arg(&profile)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let port = lines.find_map(|line| {
        let line = line.ok()?;
        let (_, port) = line.split_once("started successfully on port ")?;
        port.trim_end_matches('.').parse().ok()
    });
    // What it says later must go somewhere.
    std::thread::spawn(move || lines.for_each(drop));
    if port.is_none() {
        drop(child.stdin.take());
        child.wait().unwrap();
    }
    Some((child, port?, profile))
}

fn capabilities(window: Window, profile: &Path) -> Value {
    let mut options = json!({
        "args": [
            "--headless", "--no-sandbox", "--disable-gpu", "--in-process-gpu", "--disable-quic",
            "--no-first-run", "--disable-extensions",
            "--disable-background-networking", "--disable-component-update", "--disable-sync",
            "--disable-dev-shm-usage", "--hide-scrollbars", "--window-size=1280,900",
            // A browser whose driver is gone goes too.
            "--remote-debugging-pipe",
            format!("--user-data-dir={}", profile.display()),
        ],
    });
    let shell = profile.join("browser");
    if shell.exists() {
        options["binary"] = json!(shell);
    }
    if let Window::Phone = window {
        let metrics = json!({ "width": 390, "height": 844, "pixelRatio": 2, "touch": true });
        options["mobileEmulation"] = json!({ "deviceMetrics": metrics });
    }
    json!({ "goog:chromeOptions": options, "goog:loggingPrefs": { "browser": "ALL" } })
}
