//! What people cost who only look, and attackers on the places of others: bounded, on the loopback.

use quincunx_testing::client::get;
use quincunx_testing::visitor::{RoomServer, Visitor, pair, resign_and_rematch};
use serde_json::json;
use std::io::Write;
use std::net::TcpStream;
use std::time::{Duration, Instant};
use tungstenite::Message;

/// The bytes of all messages that come until then.
fn bytes_until(visitor: &mut Visitor, end: Instant) -> usize {
    let stream = visitor.client.socket.get_ref();
    stream
        .set_read_timeout(Some(Duration::from_millis(100)))
        .unwrap();
    let mut bytes = 0;
    while Instant::now() < end {
        if let Ok(Message::Text(text)) = visitor.client.socket.read() {
            bytes += text.len();
        }
    }
    bytes
}

/// A hundred people who only looked cost megabytes a second while games began and ended: each change
/// brought the whole lobby, with the moves of thirty games.
#[test]
fn a_hundred_people_who_only_look_cost_little() {
    let server = RoomServer::start_with(&["--visitors-per-address", "200"]);
    let (mut anna, mut bela, _) = pair(&server, &json!({}));
    let mut lookers: Vec<Visitor> = (100..200).map(|key| server.visitor(key)).collect();
    let took = Duration::from_secs(5);
    let end = Instant::now() + took;
    let mut games = 0;
    let bytes: usize = std::thread::scope(|scope| {
        let readers: Vec<_> = (lookers.iter_mut())
            .map(|looker| scope.spawn(move || bytes_until(looker, end)))
            .collect();
        while Instant::now() < end {
            // Until both have acted a game is in no list of those that are over.
            for (ply, point) in ["h8", "i9", "h9", "i8"].into_iter().enumerate() {
                let first = games % 2;
                let player = if (ply + first) % 2 == 0 {
                    &mut anna
                } else {
                    &mut bela
                };
                player.play(point, ply);
                anna.stones(ply + 1);
                bela.stones(ply + 1);
            }
            resign_and_rematch([&mut anna, &mut bela]);
            games += 1;
        }
        readers.into_iter().map(|it| it.join().unwrap()).sum()
    });
    let each = bytes as f64 / took.as_secs_f64() / 100.0;
    // Everybody has the whole lobby once or twice, of 30 games at most.
    assert!(each < 6_000.0, "{games} games: {each}");
}

/// `leave` in a loop once turned 5 kB of messages a second into 8 MB.
#[test]
fn leave_in_a_loop_brings_one_lobby_a_second() {
    let server = RoomServer::start();
    let mut anna = server.visitor(1);
    anna.next("lobby");
    for _ in 0..500 {
        anna.send(&json!({ "type": "leave" }));
    }
    let stream = anna.client.socket.get_ref();
    stream
        .set_read_timeout(Some(Duration::from_millis(100)))
        .unwrap();
    let end = Instant::now() + Duration::from_secs(4);
    let mut lobbies = 0;
    while Instant::now() < end {
        if let Ok(Message::Text(text)) = anna.client.socket.read() {
            lobbies += usize::from(text.contains(r#""type":"lobby""#));
        }
    }
    assert!((1..=5).contains(&lobbies), "{lobbies}");
}

/// Connections that never send a whole request once locked their address out for ten seconds.
#[test]
fn half_open_connections_give_their_places_to_others() {
    let server = RoomServer::start();
    let half_open = || {
        let mut stream = TcpStream::connect(&server.get().address).unwrap();
        stream
            .write_all(b"GET / HTTP/1.1\r\nHost: localhost\r\n")
            .unwrap();
        stream
    };
    let held: Vec<TcpStream> = (0..150).map(|_| half_open()).collect();
    for _ in 0..3 {
        let (head, _) = get(server.get(), "/", &[]);
        assert!(head.starts_with("HTTP/1.1 200"), "{head}");
    }
    let anna = server.visitor(1);
    assert_eq!(anna.welcome["version"], 1);
    drop(held);
}

/// Visitors who never say hello once kept their places for ever.
#[test]
fn who_says_nothing_leaves_soon() {
    let server = RoomServer::start();
    let mut silent = quincunx_testing::client::Client::at(server.get(), "rooms/socket");
    let began = Instant::now();
    while silent.socket.read().is_ok() {
        assert!(began.elapsed() < Duration::from_secs(30));
    }
    assert!(began.elapsed() > Duration::from_secs(9));
}
