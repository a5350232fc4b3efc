//! The page while it loads, and without the program behind it.

use crate::driver::{Browser, Window, is_installed};
use crate::{ALERT, PERSONS, READY, alert, begin, status, stones, visit};
use quincunx_testing::server::BoardServer;
use serde_json::json;

/// What was said before once took the news of a lost connection away.
#[test]
fn a_lost_connection_is_shown_until_it_is_back() {
    let Some((browser, server)) = visit(Window::Desktop) else {
        return;
    };
    browser.run("location.hash = 'nonsense'");
    browser.wait("!document.querySelector('#alert').hidden");
    drop(server);
    let lost = "document.querySelector('#alert').textContent.startsWith('The program does not')";
    browser.wait(lost);
    // Longer than anything else is said.
    std::thread::sleep(std::time::Duration::from_millis(4500));
    assert_eq!(browser.run(&format!("return {lost}")), json!(true));
}

/// A connection that was dead without the browser knowing once seemed to live on.
#[test]
fn a_silent_connection_is_replaced() {
    let Some((browser, _server)) = visit(Window::Desktop) else {
        return;
    };
    begin(&browser, &[PERSONS]);
    // What the page sends is lost, as if a cable was pulled; another connection is not.
    browser.run(
        "const { send } = WebSocket.prototype;
         WebSocket.prototype.send = function (text) {
             if (this.isNew) send.call(this, text);
         };
         window.WebSocket = class extends WebSocket {
             constructor(url) {
                 super(url);
                 this.isNew = true;
                 this.addEventListener('open', () => (window.isBack = true));
             }
         };",
    );
    browser.click("h8");
    browser.wait("window.isBack");
    stones(&browser, 0);
    browser.click("h8");
    stones(&browser, 1);
}

/// After the program had ended once and was there again, its next end was silent.
#[test]
fn a_program_that_is_gone_is_never_silent() {
    let Some((browser, server)) = visit(Window::Desktop) else {
        return;
    };
    let (_, port) = server.address.split_once(':').unwrap();
    let port = port.to_owned();
    browser.press("Settings");
    browser.press("Stop the program");
    alert(&browser, "The program has ended");
    drop(server);
    let server = BoardServer::start_with_port(&port);
    browser.wait(&format!("{ALERT}.hidden"));
    drop(server);
    alert(&browser, "does not answer");
    browser.press("New game");
    browser.press("Start");
    browser.wait("document.querySelector('.refusal').textContent.includes('does not answer')");
    assert_eq!(
        browser.run("return document.querySelector('dialog .main').disabled"),
        false
    );
    browser.press("Cancel");
    browser.press("Export");
    browser
        .wait("document.querySelector('dialog .refusal').textContent.includes('does not answer')");
    browser.press("Close");
    let _server = BoardServer::start_with_port(&port);
    browser.wait(&format!("{ALERT}.hidden"));
    begin(&browser, &[PERSONS]);
}

/// Four in a row once was silent after its program had gone for the second time.
#[test]
fn four_in_a_row_says_that_its_program_is_gone() {
    let Some((browser, server)) = visit(Window::Desktop) else {
        return;
    };
    let (_, port) = server.address.split_once(':').unwrap();
    let port = port.to_owned();
    browser.go(&format!("{}gravity.html", server.url()));
    browser.wait(READY);
    browser.press("Analyse");
    browser.wait("document.querySelectorAll('.value.chance').length === 7");
    let said = "document.getElementById('alert').textContent";
    drop(server);
    browser.wait(&format!("{said}.includes('does not answer')"));
    browser.run("document.querySelector('.value').textContent = 'before'");
    let server = BoardServer::start_with_port(&port);
    browser.wait("document.getElementById('alert').hidden");
    // The analysis goes on.
    browser.wait(
        "document.querySelector('.value').textContent !== 'before' && document.querySelectorAll('.value.chance').length === 7",
    );
    drop(server);
    browser.wait(&format!("{said}.includes('does not answer')"));
}

/// Where a language could not be had the page once stayed empty.
#[test]
fn a_language_that_can_t_be_had_is_english() {
    if !is_installed() {
        return;
    }
    let server = BoardServer::start();
    let browser = Browser::open(Window::Desktop);
    browser.forget_files();
    browser.block(&["*/lang/ja.js"]);
    browser.go(&format!("{}?lang=ja", server.url()));
    browser.wait(READY);
    status(&browser, "Black to move");
    assert_eq!(
        browser.run("return document.documentElement.lang"),
        json!("en")
    );
    // Once it is there it is spoken.
    browser.block(&[]);
    browser.reload();
    status(&browser, "黒の番");
}

/// Until the program had answered the page once was empty, and its links had no names.
#[test]
fn the_page_says_that_it_loads() {
    if !is_installed() {
        return;
    }
    let server = BoardServer::start();
    let browser = Browser::open(Window::Desktop);
    // A connection that takes for ever.
    browser.before_pages("window.WebSocket = class { readyState = 0; send() {} close() {} };");
    browser.go(&server.url());
    status(&browser, "Loading …");
    let links = browser.run(
        "return [...document.querySelectorAll('header a:not([hidden])')].map(({ textContent }) => textContent)",
    );
    assert_eq!(links, json!(["Four in a row", "Puzzles"]));
}
