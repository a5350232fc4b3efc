//! Engines as guests: accounts of their own, and a program that seats any engine in rooms.

use crate::admin::{admin, text};
use quincunx_testing::visitor::{RoomServer, Visitor};
use serde_json::{Value, json};
use std::io::Read;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// A guest that ends with this value.
pub(crate) struct Guest(Child);

impl Guest {
    fn start(server: &RoomServer, token: &str, more: &[&str]) -> Guest {
        let engine = format!("'{}'", env!("CARGO_BIN_EXE_quincunx"));
        Guest::start_engine(&engine, server, token, more)
    }

    /// Seats the engine of this command.
    pub(crate) fn start_engine(
        engine: &str,
        server: &RoomServer,
        token: &str,
        more: &[&str],
    ) -> Guest {
        let child = Command::new(env!("CARGO_BIN_EXE_quincunx"))
            .args(["guest", "--engine", engine, "--url", &server.get().url()])
            .args(["--token", token, "--tc", "20+1"])
            .args(more)
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        Guest(child)
    }
}

impl Drop for Guest {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Sits down in the room that the guest has opened.
fn join(visitor: &mut Visitor) -> String {
    let end = Instant::now() + Duration::from_secs(30);
    while Instant::now() < end {
        visitor.send(&json!({ "type": "leave" }));
        let lobby = visitor.next("lobby");
        if let Some(room) = lobby["open"][0]["room"].as_str() {
            visitor.send(&json!({ "type": "enter", "room": room, "sit": true }));
            return room.to_owned();
        }
        std::thread::sleep(Duration::from_millis(100));
    }
    panic!("no room of the guest");
}

/// Plays so many moves against the guest, or until the game is over.
fn play(visitor: &mut Visitor, seat: &str, moves: usize) -> Value {
    let mut played = 0;
    loop {
        let room = visitor.next("room");
        if played == moves || room["stage"] == "over" {
            return room;
        }
        if room["actor"] == seat && room["runs"] == true {
            let stones = room["stones"].as_array().unwrap();
            let is_free = |point: &String| stones.iter().all(|stone| stone["point"] != **point);
            let points = (1..=15).map(|y| format!("a{y}"));
            let point = points.into_iter().find(is_free).unwrap();
            visitor.play(&point, stones.len());
            played += 1;
        }
    }
}

#[test]
fn a_guest_plays_in_rooms_and_comes_back() {
    let mut server = RoomServer::start();
    let token = text(&admin(&server, &["bot", "Rapid"]));
    let _guest = Guest::start(&server, token.trim(), &[]);
    let mut anna = server.visitor(1);
    let room = join(&mut anna);
    let is_seat = |message: &Value| message["type"] == "seat" && message["seat"].is_string();
    let seated = anna.client.until(is_seat);
    let seat = seated["seat"].as_str().unwrap().to_owned();
    anna.send(&json!({ "type": "enter", "room": room }));
    let shown = play(&mut anna, &seat, 2);
    let other = usize::from(seat == "first");
    assert_eq!(shown["seats"][other]["bot"], true);
    assert_eq!(shown["seats"][other]["name"], "Rapid");
    // The server is killed in mid-game: both come back, and the game goes on.
    server.kill_and_start();
    anna = server.visitor(1);
    anna.send(&json!({ "type": "enter", "room": room }));
    let before = play(&mut anna, &seat, 2)["stones"]
        .as_array()
        .unwrap()
        .len();
    anna.send(&json!({ "type": "resign" }));
    let over = anna.client.until(|message| message["stage"] == "over");
    assert!(
        over["stones"].as_array().unwrap().len() >= before.min(6),
        "{over}"
    );
    // It waits for the next one.
    assert_ne!(join(&mut anna), room);
}

/// An engine that heeds neither END nor the end of its input, and is never done with a move.
#[cfg(unix)]
const STUBBORN: &str = "while read line; do case $line in
    START*) echo OK;;
    BEGIN*|BOARD*|TURN*) echo $$ > thinks;;
esac; done
while :; do sleep 1; done";

/// A guest that ended in the middle of a search left its engine behind.
#[cfg(unix)]
#[test]
fn no_engine_outlives_its_guest() {
    let server = RoomServer::start();
    let token = text(&admin(&server, &["bot", "Stubborn"]));
    let folder = tempfile::TempDir::new().unwrap();
    let thinks = folder.path().join("thinks");
    let script = STUBBORN.replace("thinks", &format!("'{}'", thinks.display()));
    std::fs::write(folder.path().join("engine.sh"), script).unwrap();
    let engine = format!("sh '{}'", folder.path().join("engine.sh").display());
    let mut guest = Guest::start_engine(&engine, &server, token.trim(), &[]);
    let mut anna = server.visitor(1);
    join(&mut anna);
    // The room is shown, and the seat is named, in whichever order.
    let (mut seat, mut actor) = (Value::Null, Value::Null);
    while seat.is_null() || actor.is_null() {
        let message = anna.client.receive();
        match message["type"].as_str() {
            Some("seat") => seat = message["seat"].clone(),
            Some("room") => actor = message["actor"].clone(),
            _ => (),
        }
    }
    if actor == seat {
        anna.play("h8", 0);
    }
    let end = Instant::now() + Duration::from_secs(30);
    let number = loop {
        let written = std::fs::read_to_string(&thinks).unwrap_or_default();
        if let Ok(number) = written.trim().parse::<i32>() {
            break rustix::process::Pid::from_raw(number).unwrap();
        }
        assert!(Instant::now() < end, "the engine was not asked");
        std::thread::sleep(Duration::from_millis(20));
    };
    rustix::process::test_kill_process(number).expect("an engine that thinks");
    let guest_number = rustix::process::Pid::from_child(&guest.0);
    rustix::process::kill_process(guest_number, rustix::process::Signal::TERM).unwrap();
    assert!(guest.0.wait().unwrap().success());
    assert!(rustix::process::test_kill_process(number).is_err());
    // To be stopped is an error of neither the engine nor the connection.
    let mut said = String::new();
    let mut output = guest.0.stderr.take().unwrap();
    output.read_to_string(&mut said).unwrap();
    assert_eq!(said, "");
}

/// Two engines play a whole game with each other by swap2.
#[test]
fn two_guests_play_a_tournament() {
    let server = RoomServer::start();
    let mut anna = server.visitor(1);
    anna.send(&json!({ "type": "rename", "name": "Anna" }));
    anna.next("name");
    anna.send(&json!({
        "type": "create_tournament", "name": "Engines", "no_show_s": 30, "pause_s": 0,
        "system": { "kind": "round_robin", "double": false },
        "setup": {
            "rule": "freestyle", "size": "15", "opening": "swap2", "rated": true,
            "clock": { "kind": "sudden_death", "main_ms": 3000 },
        },
    }));
    let id = anna.next("tournament")["tournament"]
        .as_str()
        .unwrap()
        .to_owned();
    let guests: Vec<Guest> = ["One", "Two"]
        .iter()
        .map(|name| {
            let token = text(&admin(&server, &["bot", name]));
            Guest::start(&server, token.trim(), &["--tournament", &id])
        })
        .collect();
    anna.client.until(|message| message["players"] == 2);
    anna.send(&json!({ "type": "begin_tournament" }));
    let over = anna.client.until(|message| message["stage"] == "over");
    let result = &over["pairings"][0]["result"];
    assert!(result["played"].is_string(), "{over}");
    drop(guests);
}

#[test]
fn a_person_makes_an_account_for_an_engine() {
    let server = RoomServer::start();
    let mut anna = server.visitor(1);
    anna.send(&json!({ "type": "make_bot", "name": "Pela" }));
    assert_eq!(anna.error(), "unnamed");
    anna.send(&json!({ "type": "rename", "name": "Anna" }));
    anna.next("name");
    anna.send(&json!({ "type": "make_bot", "name": "Pela" }));
    let made = anna.next("token");
    let key = u128::from_str_radix(made["token"].as_str().unwrap(), 16).unwrap();
    assert_eq!(server.visitor(key).welcome["name"], "Pela");
    anna.send(&json!({ "type": "make_bot", "name": "Pela" }));
    assert_eq!(anna.error(), "name_taken");
    let wrong = Command::new(env!("CARGO_BIN_EXE_quincunx"))
        .args([
            "guest",
            "--engine",
            "nothing-here",
            "--url",
            "http://127.0.0.1:1",
            "--token",
            "00",
        ])
        .output()
        .unwrap();
    assert!(!wrong.status.success());
    let error = String::from_utf8_lossy(&wrong.stderr);
    assert!(error.contains("can't start nothing-here: "), "{error}");
}

/// A person's key, or a token with a typing error, once seated an engine as an unmarked person whose
/// games were rated.
#[test]
fn an_engine_plays_by_the_account_of_an_engine_alone() {
    let server = RoomServer::start();
    let mut anna = server.visitor(1);
    anna.rename("Anna");
    let tournament = {
        anna.send(&json!({
            "type": "create_tournament", "name": "Evening", "no_show_s": 30, "pause_s": 0,
            "system": { "kind": "round_robin", "double": false },
            "setup": {
                "rule": "freestyle", "size": "15", "opening": "free", "rated": true,
                "clock": { "kind": "sudden_death", "main_ms": 60_000 },
            },
        }));
        anna.next("tournament")["tournament"]
            .as_str()
            .unwrap()
            .to_owned()
    };
    for (key, name) in [(1, "Anna"), (99, "guest-")] {
        let token = format!("{key:032x}");
        let mut guest = Guest::start(&server, &token, &["--tournament", &tournament]);
        let mut said = String::new();
        guest
            .0
            .stderr
            .take()
            .unwrap()
            .read_to_string(&mut said)
            .unwrap();
        assert!(!guest.0.wait().unwrap().success());
        let reason = format!("the token is that of {name}");
        assert!(
            said.contains(&reason) && said.contains("typing error"),
            "{said}"
        );
    }
    // Nothing has happened.
    anna.send(&json!({ "type": "open_tournament", "tournament": tournament }));
    assert_eq!(anna.next("tournament")["players"], 0);
    anna.send(&json!({ "type": "leave" }));
    assert_eq!(anna.next("lobby")["open"], json!([]));
}
