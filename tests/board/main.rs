//! The server of `quincunx board`, spoken to as browsers and others do.

#![allow(clippy::unwrap_used)]

mod admin;
mod client_reconnect;
#[cfg(target_os = "linux")]
mod disk;
#[cfg(feature = "arena")]
mod guest;
#[cfg(feature = "arena")]
mod guest_tournament;
mod keys;
mod latency;
mod load;
mod lobby;
mod ratings;
mod robustness;
mod rooms;
mod rooms_robustness;
mod server;
mod soak;
mod swiss_evening;
mod tournament;

use quincunx_engine::game::swap::OpeningRule;
use quincunx_testing::client::{Client, get};
use quincunx_testing::server::BoardServer;
use serde_json::{Value, json};

/// The message that begins a game on a board of 15.
pub(crate) fn new_game(black: &str, white: &str, turn_ms: u32) -> Value {
    json!({
        "type": "new_game", "rule": "freestyle", "size": "15", "black": black, "white": white,
        "level": 100, "time": { "turn_ms": turn_ms },
    })
}

#[test]
fn a_person_plays_the_engine() {
    let server = BoardServer::start();
    let mut client = Client::greeted(&server);
    client.send(&new_game("person", "engine", 100));
    assert_eq!(client.state()["stones"], json!([]));
    client.send(&json!({ "type": "play", "point": "h8", "node": 0 }));
    let thinking = client.state();
    assert_eq!(
        (&thinking["thinking"], &thinking["actor"]),
        (&json!(true), &json!("engine"))
    );
    let answered = client.state();
    assert_eq!(answered["stones"].as_array().unwrap().len(), 2);
    assert_eq!(answered["thinking"], json!(false));
    client.send(&json!({ "type": "undo" }));
    assert_eq!(client.state()["stones"], json!([]));
}

#[test]
fn two_engines_play_a_whole_game() {
    let server = BoardServer::start();
    let play = |opening: &str| {
        let mut client = Client::greeted(&server);
        let mut game = new_game("engine", "engine", 5);
        game["size"] = json!("7");
        game["rule"] = json!("renju");
        game["opening"] = json!(opening);
        // Without a clock two engines wait for those who watch.
        game["time"] = json!({ "game_ms": 2_000, "increment_ms": 0, "turn_ms": 200 });
        client.send(&game);
        client.until(|message| message["stones"] == json!([]));
        let end = client.until(|message| message["phase"]["kind"] == "over");
        assert!(end["stones"].as_array().unwrap().len() >= 9, "{opening}");
        end
    };
    let play = &play;
    let openings = OpeningRule::ALL.map(OpeningRule::name);
    let mut end = Value::Null;
    // A server has a limited number of boards.
    for group in openings.chunks(4) {
        end = std::thread::scope(|scope| {
            let game = |opening: &&'static str| {
                let opening = *opening;
                scope.spawn(move || play(opening))
            };
            let games: Vec<_> = group.iter().map(game).collect();
            let ends = games.into_iter().map(|game| game.join().unwrap());
            ends.last().unwrap()
        });
    }
    // The game goes on where it was kept, at another server too.
    let server = BoardServer::start();
    let mut other = Client::connect(&server);
    other.send(&json!({ "type": "hello", "version": 1, "save": end["save"] }));
    assert_eq!(other.state()["stones"], end["stones"]);
}

#[test]
fn analysis_starts_follows_and_stops() {
    let server = BoardServer::start();
    let mut client = Client::greeted(&server);
    client.send(&new_game("person", "person", 100));
    client.state();
    client.send(&json!({ "type": "play", "point": "h8", "node": 0 }));
    client.send(&json!({ "type": "analyse", "lines": 8 }));
    let eight = |message: &Value| {
        message["lines"]
            .as_array()
            .is_some_and(|lines| lines.len() == 8)
    };
    assert_eq!(client.until(eight)["node"], json!(1));
    client.send(&json!({ "type": "play", "point": "i9", "node": 1 }));
    let moved = client.until(|message| message["type"] == "analysis" && message["node"] == 2);
    assert_ne!(moved["lines"][0]["points"][0], json!("i9"));
    client.send(&json!({ "type": "stop_analysis" }));
    client.until(|message| message["type"] == "state" && message["analysis"].is_null());
    client.send(&json!({ "type": "export", "format": "text" }));
    // Nothing of the analysis comes after it was stopped.
    assert_eq!(client.receive()["type"], json!("exported"));
}

#[test]
fn a_forced_win_is_proved() {
    let server = BoardServer::start();
    let mut client = Client::greeted(&server);
    client.send(&json!({ "type": "open", "text": "15 freestyle h8a1i8c15k5o15k6o1" }));
    client.send(&json!({ "type": "prove" }));
    let proof = client.until(|message| message["type"] == "proof");
    assert!(proof["plies"].as_u64().unwrap() >= 5);
    assert!(proof["win"]["point"].is_string());
    assert!(!proof["win"]["replies"].as_array().unwrap().is_empty());
}

#[test]
fn four_in_a_row_has_an_engine_too() {
    let server = BoardServer::start();
    let mut client = Client::at(&server, "gravity/socket");
    client.send(&json!({ "type": "hello", "version": 1 }));
    assert_eq!(client.state()["columns"], json!(7));
    client.send(&json!({ "type": "drop", "column": 3, "ply": 0 }));
    assert_eq!(client.state()["thinking"], json!(true));
    assert_eq!(client.state()["stones"].as_array().unwrap().len(), 2);
    client.send(&json!({ "type": "drop", "column": 9, "ply": 2 }));
    assert_eq!(client.receive()["code"], json!("drop"));
    client.send(&json!({ "type": "nonsense" }));
    assert_eq!(client.receive()["code"], json!("message"));
    // Stopped in the middle of a long search, it hears at once.
    client.send(&json!({ "type": "analyse", "on": true }));
    assert!(client.state()["values"].is_array());
    client.send(&json!({ "type": "analyse", "on": false }));
    assert!(client.until(|message| message["values"].is_null())["stones"].is_array());
}

/// A browser does not tell its page of the server's pings: the page asks itself.
#[test]
fn whoever_asks_hears_that_the_server_is_there() {
    let server = BoardServer::start_with(&["--listen", "127.0.0.1"]);
    for path in ["socket", "gravity/socket", "rooms/socket"] {
        let mut client = Client::at(&server, path);
        client.send(&json!({ "type": "ping" }));
        assert_eq!(client.receive(), json!({ "type": "pong" }), "{path}");
    }
}

#[test]
fn the_page_is_served_with_a_strict_policy() {
    let server = BoardServer::start();
    let (head, body) = get(&server, "/", &[]);
    assert!(head.starts_with("HTTP/1.1 200"), "{head}");
    assert!(head.contains("content-security-policy: default-src 'none'; script-src 'self';"));
    assert!(!head.contains("unsafe-"));
    assert!(body.contains("<script type=\"module\" src=\"main.js\">"));
    let (head, _) = get(&server, "/../Cargo.toml", &[]);
    assert!(head.starts_with("HTTP/1.1 404"), "{head}");
}

/// The only point left is forbidden to black, whose engine is to move.
#[cfg(target_os = "linux")]
#[test]
fn a_game_without_a_legal_move_is_over() {
    let server = BoardServer::start();
    let mut client = Client::greeted(&server);
    // From the bottom row up; `.` is empty.
    let rows = ["xxx.xx", "ooxxoo", "xxooxx", "ooxxoo", ".xooxx"];
    let stones = |wanted: char| -> Vec<String> {
        let rows = (1..).zip(rows);
        let points = rows.flat_map(|(y, row)| ('a'..).zip(row.chars()).map(move |it| (y, it)));
        let own = points.filter(|(_, (_, stone))| *stone == wanted);
        own.map(|(y, (x, _))| format!("{x}{y}")).collect()
    };
    let mut game = new_game("engine", "person", 100);
    (game["rule"], game["size"]) = (json!("renju"), json!("6x5"));
    game["stones"] = json!({ "black": stones('x'), "white": stones('o'), "first": "white" });
    client.send(&game);
    client.state();
    client.send(&json!({ "type": "analyse", "lines": 3 }));
    client.send(&json!({ "type": "play", "point": "a5", "node": 0 }));
    let is_over = |message: &Value| message["phase"]["kind"] == "over";
    let over = client.until(is_over);
    assert_eq!(over["phase"]["winner"], json!(null));
    assert_eq!(over["stones"].as_array().unwrap().len(), 29);
    server.rests();
    // Stopping and going back still work.
    client.send(&json!({ "type": "stop_analysis" }));
    client.state();
    client.send(&json!({ "type": "undo" }));
    client.until(|message| message["type"] == "state" && !is_over(message));
}
