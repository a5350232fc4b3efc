//! How the server starts, ends, and ends what it does for pages that are gone.

use crate::new_game;
use quincunx_testing::client::{Client, get};
use quincunx_testing::server::BoardServer;
use serde_json::json;
use std::time::Duration;

#[test]
fn the_page_may_stop_the_program() {
    let mut server = BoardServer::start();
    let mut watching = Client::greeted(&server);
    let mut client = Client::connect(&server);
    client.send(&json!({ "type": "hello", "version": 1 }));
    assert_eq!(client.receive()["may_stop"], json!(true));
    client.send(&json!({ "type": "stop_server" }));
    client.until(|message| message["type"] == "goodbye");
    watching.until(|message| message["type"] == "goodbye");
    assert!(server.wait().success());
}

#[test]
fn a_page_beside_rooms_may_not_stop_the_program() {
    let server = BoardServer::start_with(&["--listen", "127.0.0.1"]);
    let mut client = Client::connect(&server);
    client.send(&json!({ "type": "hello", "version": 1 }));
    assert_eq!(client.receive()["may_stop"], json!(false));
    client.send(&json!({ "type": "stop_server" }));
    let error = client.until(|message| message["type"] == "error");
    assert_eq!(error["code"], "not_now");
}

/// Ctrl-C ends a program in mid-search at once.
#[cfg(unix)]
#[test]
fn an_interrupt_ends_the_program() {
    let mut server = BoardServer::start();
    let mut client = Client::greeted(&server);
    client.send(&new_game("engine", "engine", 60_000));
    client.send(&json!({ "type": "play", "point": "h8", "node": 0 }));
    let kill = std::process::Command::new("kill")
        .args(["-INT", &server.id().to_string()])
        .status();
    assert!(kill.unwrap().success());
    client.until(|message| message["type"] == "goodbye");
    assert!(server.wait().success());
}

/// The search of a page that is gone ends soon.
#[cfg(target_os = "linux")]
#[test]
fn searches_end_with_their_page() {
    let server = BoardServer::start();
    let mut client = Client::greeted(&server);
    client.send(&new_game("person", "person", 100));
    client.send(&json!({ "type": "play", "point": "h8", "node": 0 }));
    client.send(&json!({ "type": "analyse", "lines": 2 }));
    client.until(|message| message["type"] == "analysis");
    let before = server.processor_time();
    std::thread::sleep(Duration::from_secs(1));
    assert!(server.processor_time() > before, "it searches");
    drop(client);
    server.rests();
}

/// More pages than engines: the others are told, and nothing breaks.
#[test]
fn engines_are_limited() {
    let server = BoardServer::start_with(&["--engines", "1"]);
    let mut first = Client::greeted(&server);
    let mut second = Client::greeted(&server);
    for client in [&mut first, &mut second] {
        client.send(&new_game("engine", "engine", 50));
    }
    let error =
        second.until(|message| message["type"] == "error" || message["stones"][1].is_object());
    let other =
        first.until(|message| message["type"] == "error" || message["stones"][1].is_object());
    let errors = [error, other].map(|message| message["code"] == "engine");
    assert_ne!(errors[0], errors[1], "one of them has the engine");
}

/// A page asks for its files again whenever it is loaded, and puzzles have 200 kB.
#[test]
fn files_that_a_browser_has_are_not_sent_again() {
    let server = BoardServer::start();
    for path in ["/", "/main.js", "/puzzles/freestyle.txt"] {
        let (head, body) = get(&server, path, &[]);
        let tag = head.lines().find_map(|line| line.strip_prefix("etag: "));
        let tag = tag.unwrap_or_else(|| panic!("{path}: {head}"));
        let (head, nothing) = get(&server, path, &[("If-None-Match", tag)]);
        assert!(head.starts_with("HTTP/1.1 304 "), "{path}: {head}");
        assert!(head.contains("cache-control: no-cache"), "{path}: {head}");
        assert_eq!(nothing, "", "{path}");
        let (head, again) = get(&server, path, &[("If-None-Match", "W/\"other\"")]);
        assert!(head.starts_with("HTTP/1.1 200 "), "{path}: {head}");
        assert_eq!(again, body, "{path}");
    }
}

/// A client whose board is analysed.
#[cfg(target_os = "linux")]
fn analysing(server: &BoardServer) -> Client {
    let mut client = Client::greeted(server);
    client.send(&new_game("person", "person", 100));
    client.state();
    client.send(&json!({ "type": "play", "point": "h8", "node": 0 }));
    client.send(&json!({ "type": "analyse", "lines": 3 }));
    client.until(|message| message["type"] == "analysis" && message["node"] == 1);
    client
}

#[cfg(target_os = "linux")]
#[test]
fn an_analysis_ends_on_stop_and_with_its_game() {
    let server = BoardServer::start();
    let mut client = analysing(&server);
    for message in [
        json!({ "type": "stop_analysis" }),
        new_game("person", "person", 100),
        // Nothing runs any more: nothing happens, and nothing goes wrong.
        json!({ "type": "stop_analysis" }),
    ] {
        client.send(&message);
        client.until(|message| message["type"] == "state" && message["analysis"].is_null());
        client.send(&json!({ "type": "export", "format": "text" }));
        assert_eq!(client.receive()["type"], json!("exported"));
        client.state();
        server.rests();
        if message["type"] == "stop_analysis" {
            client = analysing(&server);
        }
    }
}
