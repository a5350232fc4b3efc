//! Attacks on ratings and clocks, by scripts against the program.

use crate::admin::{admin, text};
use quincunx_testing::client::Client;
use quincunx_testing::visitor::{RoomServer, Visitor, pair, resign_and_rematch, time_used};
use serde_json::{Value, json};
use std::time::{Duration, Instant};

/// The message that creates or looks for a game with a minute each.
fn game(kind: &str, rated: bool, more: &Value) -> Value {
    let mut message = json!({ "type": kind, "setup": {
        "rule": "freestyle", "size": "15", "opening": "free", "rated": rated,
        "clock": { "kind": "sudden_death", "main_ms": 60_000 },
    } });
    for (key, value) in more.as_object().unwrap() {
        message[key] = value.clone();
    }
    message
}

/// A stranger once called off 66 games in eight seconds.
#[test]
fn strangers_who_call_off_wait() {
    let server = RoomServer::start();
    let (mut anna, mut bela) = (server.visitor(1), server.visitor(2));
    anna.rename("Anna");
    bela.rename("Bela");
    let mut called_off = 0;
    for _ in 0..66 {
        anna.send(&game("quick", true, &json!({})));
        anna.next("room");
        bela.send(&game("quick", true, &json!({})));
        let is_answer = |it: &Value| it["type"] == "error" || it["stage"] == "playing";
        let answer = bela.client.until(is_answer);
        if answer["type"] == "error" {
            assert_eq!(answer["code"], "called_off");
            break;
        }
        bela.send(&json!({ "type": "abort" }));
        bela.client.until(|it| it["stage"] == "over");
        called_off += 1;
    }
    assert_eq!(called_off, 1);
}

/// A player who floods the server with the games of another connection once thought for seconds at
/// every move and was charged nothing: the move waited, and no clock ran.
#[test]
fn time_behind_the_own_limit_is_charged() {
    let server = RoomServer::start();
    let (mut anna, mut bela, _) = pair(&server, &json!({ "rated": true }));
    let began = Instant::now();
    let mut flood = server.visitor(3);
    flood.send(&game(
        "create",
        false,
        &json!({ "seat": "first", "engine": 0 }),
    ));
    flood.next("room");
    // What all connections of the address share is used up for a while.
    for _ in 0..60 {
        flood.send(&json!({ "type": "resign" }));
        flood.send(&json!({ "type": "rematch" }));
    }
    std::thread::sleep(Duration::from_millis(500));
    // And so is what the connection of the player may always use.
    for _ in 0..60 {
        anna.send(&json!({ "type": "ping" }));
    }
    let sent = Instant::now();
    anna.play("h8", 0);
    let shown = bela.stones(1);
    let waited = sent.elapsed();
    let [charged, _] = time_used(&shown, Duration::from_secs(60));
    let turn = began.elapsed();
    assert!(waited > Duration::from_millis(500), "{waited:?}");
    assert!(
        charged + Duration::from_millis(250) > turn,
        "{charged:?} of {turn:?}"
    );
}

/// Five games at once once let the engine lose on time, with a clock of one second.
#[test]
fn a_busy_engine_loses_no_game_on_time() {
    let server = RoomServer::start();
    let play = |key: u128| {
        let mut visitor = server.visitor(key);
        let clock = json!({ "kind": "sudden_death", "main_ms": 1000 });
        visitor.create(&json!({ "engine": 100, "clock": clock, "seat": "first" }));
        let points = [
            "a1", "c1", "e1", "g1", "i1", "k1", "m1", "o1", "a3", "c3", "e3", "g3",
        ];
        let mut points = points.iter();
        visitor.play(points.next().unwrap(), 0);
        loop {
            let room = visitor.next("room");
            if room["stage"] == "over" {
                return room["outcome"].clone();
            }
            let stones = room["stones"].as_array().unwrap();
            if room["actor"] == "first" && room["runs"] == true {
                let is_free = |point: &&&str| stones.iter().all(|stone| stone["point"] != ***point);
                match points.find(is_free) {
                    Some(point) => visitor.play(point, stones.len()),
                    None => return Value::Null,
                }
            }
        }
    };
    let outcomes: Vec<Value> = std::thread::scope(|scope| {
        let games: Vec<_> = (1..=5).map(|key| scope.spawn(move || play(key))).collect();
        games.into_iter().map(|game| game.join().unwrap()).collect()
    });
    let lost_on_time = json!({ "winner": "first", "reason": "time" });
    assert!(!outcomes.contains(&lost_on_time), "{outcomes:?}");
}

/// Each of these positions was once analysed while it was played in a rated game.
#[cfg(feature = "analysis")]
#[test]
fn a_running_rated_game_is_not_analysed_in_disguise() {
    let server = RoomServer::start();
    let (mut anna, mut bela, _) = pair(&server, &json!({ "rated": true }));
    let moves = ["h8", "a1", "i9", "a3", "g10", "a5", "k8", "a7", "e5", "a9"];
    for (ply, point) in moves.into_iter().enumerate() {
        let mover: &mut Visitor = if ply % 2 == 0 { &mut anna } else { &mut bela };
        mover.play(point, ply);
        anna.stones(ply + 1);
        bela.stones(ply + 1);
    }
    std::thread::sleep(Duration::from_millis(500));
    let moved = [
        "i9", "b2", "j10", "b4", "h11", "b6", "l9", "b8", "f6", "b10",
    ];
    let mut more = moves.to_vec();
    more.push("n14");
    let mut other = moves.to_vec();
    other[4] = "n14";
    let exchanged = ["a1", "h8", "a3", "i9", "a5", "g10", "a7", "k8", "a9", "e5"];
    let mut board = Client::greeted(server.get());
    let mut answer = |size: &str, rule: &str, moves: &[&str]| {
        let text = format!("{size} {rule} {}", moves.concat());
        board.send(&json!({ "type": "open", "text": text }));
        board.until(|it| {
            it["stones"]
                .as_array()
                .is_some_and(|it| it.len() == moves.len())
        });
        board.send(&json!({ "type": "analyse", "lines": 1 }));
        let answer = board.until(|it| it["type"] == "analysis" || it["code"] == "rated_game");
        board.send(&json!({ "type": "stop_analysis" }));
        answer["type"] == "analysis"
    };
    for (size, rule, stones) in [
        ("15", "freestyle", &moves[..]),
        ("15", "freestyle", &moved[..]),
        ("16", "freestyle", &moves[..]),
        ("20", "freestyle", &moved[..]),
        ("15", "renju", &moves[..]),
        ("15", "standard", &moves[..]),
        ("15", "freestyle", &more[..]),
        ("15", "freestyle", &other[..]),
        ("15", "freestyle", &exchanged[..]),
    ] {
        assert!(!answer(size, rule, stones), "{size} {rule} {stones:?}");
    }
    assert!(
        answer("15", "freestyle", &moves[..9]),
        "openings are open to all"
    );
}

/// Rated games that look arranged are listed for the administrator.
#[test]
fn arranged_games_are_listed() {
    let server = RoomServer::start();
    let (mut anna, mut bela, _) = pair(&server, &json!({ "rated": true }));
    for round in 0..3 {
        let [first, second] = match round % 2 {
            0 => [&mut anna, &mut bela],
            _ => [&mut bela, &mut anna],
        };
        first.play("h8", 0);
        second.stones(1);
        second.play("i9", 1);
        second.stones(2);
        resign_and_rematch([&mut bela, &mut anna]);
    }
    let list = text(&admin(&server, &["suspicious"]));
    let row: Value = serde_json::from_str(list.lines().next().unwrap()).unwrap();
    let numbers = (&row["kind"], &row["games"], &row["one_address"]);
    assert_eq!(numbers, (&json!("pair"), &json!(3), &json!(3)), "{list}");
}
