//! Many rooms at once.

use quincunx_testing::visitor::{RoomServer, Visitor};
use serde_json::{Value, json};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// How many rooms there are, and how many moves are made in each.
const ROOMS: usize = 1000;
const MOVES: usize = 30;

/// The threads of the players.
const THREADS: usize = 20;

/// How many games the engine plays meanwhile.
const ENGINES: usize = 4;

/// A thousand rooms with two players each who move every second, and a few where the
/// engine thinks all the time: how long a move takes to the other player's screen.
///
/// `cargo test --release --test board -- --ignored --nocapture thousand`
#[test]
#[ignore = "takes a minute"]
#[allow(clippy::print_stdout)]
fn a_thousand_rooms() {
    let limit = (4 * ROOMS).to_string();
    let limits = [
        "--rooms",
        "--visitors",
        "--visitors-per-address",
        "--visits-per-minute",
        "--names-per-hour",
    ];
    let arguments: Vec<&str> = limits.iter().flat_map(|name| [*name, &*limit]).collect();
    let server = RoomServer::start_with(&arguments);
    let (is_over, answers) = (AtomicBool::new(false), AtomicUsize::new(0));
    let before = server.get().processor_time();
    let began = Instant::now();
    let mut latencies: Vec<Duration> = std::thread::scope(|scope| {
        let (server, is_over, answers) = (&server, &is_over, &answers);
        for number in 0..ENGINES {
            scope.spawn(move || play_the_engine(server, number, is_over, answers));
        }
        let players: Vec<_> = (0..THREADS)
            .map(|thread| scope.spawn(move || play_rooms(server, thread)))
            .collect();
        let latencies = players
            .into_iter()
            .flat_map(|player| player.join().unwrap());
        let latencies = latencies.collect();
        is_over.store(true, Ordering::Relaxed);
        latencies
    });
    latencies.sort();
    let at = |part: f64| latencies[((latencies.len() - 1) as f64 * part) as usize];
    let status = std::fs::read_to_string(format!("/proc/{}/status", server.get().id()));
    let status = status.unwrap_or_default();
    let peak = status.lines().find(|line| line.starts_with("VmHWM"));
    println!(
        "{ROOMS} rooms, {} moves in {:?}: median {:?}, 99th percentile {:?}, longest {:?}; \
         {} answers of the engine; processor {} s; {}",
        latencies.len(),
        began.elapsed(),
        at(0.5),
        at(0.99),
        at(1.0),
        answers.load(Ordering::Relaxed),
        (server.get().processor_time() - before) as f64 / 100.0,
        peak.unwrap_or_default(),
    );
    // Every room came to its last move: none starved.
    assert_eq!(latencies.len(), ROOMS * MOVES);
}

/// Plays in a part of the rooms, and returns how long every move took to the other
/// player.
fn play_rooms(server: &RoomServer, thread: usize) -> Vec<Duration> {
    let mut rooms: Vec<[Visitor; 2]> = (0..ROOMS / THREADS)
        .map(|room| open(server, (thread * ROOMS + room) as u128))
        .collect();
    let count = rooms.len() as u32;
    let mut latencies = Vec::new();
    let start = Instant::now();
    for ply in 0..MOVES {
        for (room, players) in rooms.iter_mut().enumerate() {
            let due = Duration::from_secs(1) * (ply as u32 * count + room as u32) / count;
            std::thread::sleep(due.saturating_sub(start.elapsed()));
            let column = (b'a' + (ply % 14) as u8) as char;
            let point = format!("{column}{}", ply / 14 * 2 + 1 + ply % 2);
            let sent = Instant::now();
            players[ply % 2].play(&point, ply);
            players[1 - ply % 2].stones(ply + 1);
            latencies.push(sent.elapsed());
            players[ply % 2].stones(ply + 1);
        }
    }
    latencies
}

/// A room with two players.
fn open(server: &RoomServer, number: u128) -> [Visitor; 2] {
    let mut first = server.visitor(2 * number + 1);
    let mut second = server.visitor(2 * number + 2);
    let clock = json!({ "kind": "sudden_death", "main_ms": 600_000 });
    let room = first.create(&json!({ "clock": clock, "rule": "standard" }));
    second.enter(&room);
    second.sit();
    [first, second]
}

/// Has the engine think until every player has moved: a move, an answer, both taken back.
fn play_the_engine(
    server: &RoomServer,
    number: usize,
    is_over: &AtomicBool,
    answers: &AtomicUsize,
) {
    let mut visitor = server.visitor(u128::MAX - number as u128);
    let clock = json!({ "kind": "sudden_death", "main_ms": 3_600_000 });
    visitor.create(&json!({ "clock": clock, "engine": 100 }));
    let is_empty = |message: &Value| message["stones"] == json!([]);
    while !is_over.load(Ordering::Relaxed) {
        visitor.play("h8", 0);
        visitor.stones(2);
        answers.fetch_add(1, Ordering::Relaxed);
        visitor.send(&json!({ "type": "ask_undo" }));
        visitor.client.until(is_empty);
    }
}
