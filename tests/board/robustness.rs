//! Messages of strangers and broken pages.

use fastrand::Rng;
use quincunx_testing::client::{Client, get};
use quincunx_testing::server::BoardServer;
use serde_json::{Value, json};
use std::time::{Duration, Instant};
use tungstenite::Message;

#[test]
fn requests_that_are_meant_for_others_are_refused() {
    let server = BoardServer::start();
    let port = server.address.rsplit(':').next().unwrap();
    let upgrade = [
        ("Upgrade", "websocket"),
        ("Sec-WebSocket-Version", "13"),
        ("Sec-WebSocket-Key", "dGhlIHNhbXBsZSBub25jZQ=="),
    ];
    for (host, origin, allowed) in [
        (
            format!("127.0.0.1:{port}"),
            format!("http://127.0.0.1:{port}"),
            true,
        ),
        (
            format!("localhost:{port}"),
            format!("http://localhost:{port}"),
            true,
        ),
        (
            format!("evil.example:{port}"),
            format!("http://evil.example:{port}"),
            false,
        ),
        (
            format!("127.0.0.1:{port}"),
            "http://evil.example".to_owned(),
            false,
        ),
        (format!("127.0.0.1:{port}"), "null".to_owned(), false),
    ] {
        let mut headers = vec![("Host", &*host), ("Origin", &*origin)];
        let (head, body) = get(&server, "/", &headers);
        assert_eq!(
            head.starts_with("HTTP/1.1 200"),
            allowed,
            "{host} {origin}: {head}"
        );
        assert_eq!(body.contains("<html"), allowed);
        if !allowed {
            headers.extend(upgrade);
            let (head, _) = get(&server, "/socket", &headers);
            assert!(head.starts_with("HTTP/1.1 403"), "{host} {origin}: {head}");
        }
    }
}

/// Returns true if the server still plays with others.
fn serves(server: &BoardServer) {
    let mut client = Client::greeted(server);
    client.send(&json!({ "type": "play", "point": "h8", "node": 0 }));
    client.until(|message| message["stones"][1].is_object());
}

#[test]
fn wrong_messages_get_an_answer_each() {
    let server = BoardServer::start();
    let mut client = Client::greeted(&server);
    for text in [
        "",
        "{",
        "[]",
        "null",
        "1e999",
        "{\"type\":\"nonsense\"}",
        "{\"type\":\"play\"}",
        "{\"type\":\"play\",\"point\":5,\"node\":0}",
        "{\"type\":\"play\",\"point\":\"h8\",\"node\":-1}",
        "{\"type\":\"undo\",\"type\":\"undo\",\"x\":1}",
        "\u{0}\u{feff}",
    ] {
        client.socket.send(Message::text(text)).unwrap();
        assert_eq!(client.receive()["code"], json!("message"), "{text}");
    }
    client.socket.send(Message::binary(vec![0; 100])).unwrap();
    assert_eq!(client.receive()["code"], json!("message"));
    let deep = format!("{{\"type\":{}", "[".repeat(100_000));
    client.socket.send(Message::text(deep)).unwrap();
    assert_eq!(client.receive()["code"], json!("message"));
    client.send(&json!({ "type": "play", "point": "h8", "node": 0 }));
    client.state();
}

/// Ten clients with a thousand messages each. What the first five have left behind is all
/// the memory that the program takes: the others add nothing.
#[test]
fn ten_thousand_random_messages() {
    let server = BoardServer::start_with(&["--memory", "16"]);
    let round = |seeds: std::ops::Range<u64>| {
        std::thread::scope(|scope| {
            for seed in seeds {
                let server = &server;
                scope.spawn(move || a_thousand_random_messages(server, seed));
            }
        });
    };
    round(0..5);
    // What belongs to pages that are gone goes a little later.
    std::thread::sleep(Duration::from_secs(1));
    #[cfg(target_os = "linux")]
    let before = server.memory();
    round(5..10);
    #[cfg(target_os = "linux")]
    server.memory_falls_below(before + (48 << 20));
    serves(&server);
}

fn a_thousand_random_messages(server: &BoardServer, seed: u64) {
    let mut client = Client::greeted(server);
    let mut random = Rng::with_seed(seed);
    let types = [
        "hello",
        "new_game",
        "play",
        "choose",
        "undo",
        "redo",
        "go_to",
        "resume",
        "pause",
        "resign",
        "offer_draw",
        "rematch",
        "hint",
        "analyse",
        "stop_analysis",
        "prove",
        "comment",
        "delete",
        "promote",
        "open",
        "export",
    ];
    for number in 0..1000 {
        let mut message = json!({ "type": types[random.usize(..types.len())] });
        let values = [
            json!(random.i64(-3..9)),
            json!("h8"),
            json!("i9"),
            json!("15 renju h8i9"),
            json!("sgf"),
            json!(null),
            json!([]),
            json!("black"),
            json!("x".repeat(random.usize(..2000))),
        ];
        for field in [
            "node", "point", "text", "format", "lines", "choice", "version",
        ] {
            if random.u8(..3) > 0 {
                message[field] = values[random.usize(..values.len())].clone();
            }
        }
        client.send(&message);
        // Now and then the answers are read, up to one that tells where we are.
        if number % 50 == 0 {
            client.send(&json!({ "type": "mark" }));
            let is_mark = |message: &Value| {
                message["text"]
                    .as_str()
                    .is_some_and(|text| text.contains("mark"))
            };
            client.until(is_mark);
        }
    }
}

/// Pages that ask for much and read nothing wait alone: the others are answered, and
/// nothing piles up.
#[test]
fn slow_readers_wait_alone() {
    let server = BoardServer::start();
    let remark = "x".repeat(9_000);
    let moves = ["ha", "hb", "hc", "hd", "he", "ia", "ib", "ic", "id"];
    let moves = moves
        .map(|point| format!("(;B[{point}]C[{remark}])"))
        .concat();
    let text = format!("(;FF[4]GM[4]SZ[15]{moves})");
    let mut slow: Vec<Client> = (0..20).map(|_| Client::greeted(&server)).collect();
    #[cfg(target_os = "linux")]
    let before = server.memory();
    for client in &mut slow {
        client.send(&json!({ "type": "open", "text": text }));
        for _ in 0..500 {
            client.send(&json!({ "type": "go_to", "node": 1 }));
        }
    }
    serves(&server);
    // All that was asked for would be 2 GB.
    #[cfg(target_os = "linux")]
    server.memory_falls_below(before + (256 << 20));
    // A client that reads again gets everything.
    let last = slow.last_mut().unwrap();
    for _ in 0..500 {
        assert_eq!(last.state()["tree"].as_array().unwrap().len(), 10);
    }
}

/// For every node of a file the game was once played from its start.
#[test]
fn a_file_of_many_passes_keeps_nobody_waiting() {
    const PAIRS: usize = 4_999;
    let server = BoardServer::start();
    let mut client = Client::greeted(&server);
    let text = format!("(;GM[4]SZ[15]{})", ";B[];W[]".repeat(PAIRS));
    let begun = Instant::now();
    client.send(&json!({ "type": "open", "text": text }));
    let nodes = client.state()["tree"].as_array().unwrap().len();
    assert_eq!(nodes, 2 * PAIRS + 1);
    let took = begun.elapsed();
    assert!(took < Duration::from_secs(10), "{took:?}");
}

/// What the page sends back after a reload was once too large for the server where a file had
/// many nodes, and the page never came any further.
#[test]
fn the_largest_file_is_there_again_after_a_reload() {
    let server = BoardServer::start();
    let mut client = Client::greeted(&server);
    let text = format!(
        "(;GM[4]SZ[22](;B[aa]{0})(;B[bb]{0}))",
        ";W[];B[]".repeat(4_999)
    );
    client.send(&json!({ "type": "open", "text": text }));
    let before = client.state();
    let mut again = Client::connect(&server);
    again.send(&json!({ "type": "hello", "version": 1, "save": before["save"] }));
    assert_eq!(again.state()["tree"], before["tree"]);
}

#[test]
fn a_message_that_is_too_large_ends_its_connection_alone() {
    let server = BoardServer::start();
    let mut client = Client::greeted(&server);
    let mut other = Client::greeted(&server);
    // The server may hang up before all of it was sent.
    let _ = client.socket.send(Message::text("x".repeat(3 << 20)));
    let ended = (0..3).any(|_| matches!(client.socket.read(), Err(_) | Ok(Message::Close(_))));
    assert!(ended);
    other.send(&json!({ "type": "play", "point": "h8", "node": 0 }));
    other.state();
}

/// Two hundred pages at a time. What the second two hundred need is there from the first.
#[test]
fn many_connections_at_once() {
    let server = BoardServer::start();
    let round = || {
        let mut clients: Vec<Client> = (0..200).map(|_| Client::greeted(&server)).collect();
        for client in &mut clients {
            client.send(&json!({ "type": "open", "text": "15 renju h8i9" }));
        }
        for client in &mut clients {
            assert_eq!(client.state()["stones"].as_array().unwrap().len(), 2);
        }
    };
    round();
    // What belongs to pages that are gone goes a little later.
    std::thread::sleep(Duration::from_secs(1));
    #[cfg(target_os = "linux")]
    let before = server.memory();
    round();
    #[cfg(target_os = "linux")]
    server.memory_falls_below(before + (32 << 20));
    serves(&server);
}
