//! Many rooms at once.

use crate::visitor::{RoomServer, Visitor};
use serde_json::json;
use std::sync::Mutex;
use std::time::{Duration, Instant};
use tungstenite::Message;

/// How many rooms there are, and how many moves are made in each.
const ROOMS: usize = 1000;
const MOVES: usize = 30;

/// The threads of the players.
const THREADS: usize = 20;

/// A thousand rooms with two players each who move every second: how long a move takes
/// to the other player's screen.
///
/// `cargo test --release --test board -- --ignored --nocapture thousand`
#[test]
#[ignore = "takes two minutes"]
#[allow(clippy::print_stdout)]
fn a_thousand_rooms() {
    let limit = (4 * ROOMS).to_string();
    let server = RoomServer::start_with(&[
        "--rooms",
        &limit,
        "--visitors",
        &limit,
        "--visitors-per-address",
        &limit,
    ]);
    let latencies = Mutex::new(Vec::new());
    let worst_room = Mutex::new(usize::MAX);
    let before = server.get().processor_time();
    let began = Instant::now();
    std::thread::scope(|scope| {
        for thread in 0..THREADS {
            let (server, latencies, worst_room) = (&server, &latencies, &worst_room);
            scope.spawn(move || {
                let mut rooms: Vec<[Visitor; 2]> = (0..ROOMS / THREADS)
                    .map(|room| open(server, (thread * ROOMS + room) as u128))
                    .collect();
                let mut own = Vec::new();
                let start = Instant::now();
                for ply in 0..MOVES {
                    let count = rooms.len() as u32;
                    for (room, players) in rooms.iter_mut().enumerate() {
                        let due = Duration::from_secs(1) * ply as u32
                            + Duration::from_secs(1) * room as u32 / count;
                        std::thread::sleep(due.saturating_sub(start.elapsed()));
                        let column = (b'a' + (ply % 14) as u8) as char;
                        let point = format!("{column}{}", ply / 14 * 2 + 1 + ply % 2);
                        let sent = Instant::now();
                        players[ply % 2].play(&point, ply);
                        players[1 - ply % 2].stones(ply + 1);
                        own.push(sent.elapsed());
                        players[ply % 2].stones(ply + 1);
                    }
                }
                let played = rooms.len() * MOVES;
                let mut worst = worst_room.lock().unwrap();
                *worst = (*worst).min(own.len() / played.max(1) * MOVES);
                latencies.lock().unwrap().extend(own);
                for players in &mut rooms {
                    let _ = players[0].client.socket.send(Message::Close(None));
                }
            });
        }
    });
    let mut latencies = latencies.into_inner().unwrap();
    latencies.sort();
    let at = |part: f64| latencies[((latencies.len() - 1) as f64 * part) as usize];
    let memory = std::fs::read_to_string(format!("/proc/{}/status", server.get().id()));
    let memory = memory.unwrap_or_default();
    let peak = memory
        .lines()
        .find(|line| line.starts_with("VmHWM"))
        .unwrap_or("");
    println!(
        "{ROOMS} rooms, {} moves in {:?}: median {:?}, 99th percentile {:?}, longest {:?}; \
         processor {} s, {peak}",
        latencies.len(),
        began.elapsed(),
        at(0.5),
        at(0.99),
        at(1.0),
        (server.get().processor_time() - before) as f64 / 100.0,
    );
    assert_eq!(latencies.len(), ROOMS * MOVES);
    assert_eq!(worst_room.into_inner().unwrap(), MOVES);
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
