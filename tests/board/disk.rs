//! A disk that takes nothing more: rooms can be read only, and go on as soon as there is room.

use crate::admin::admin;
use quincunx_testing::client::{Client, get};
use quincunx_testing::visitor::{RoomServer, pair};
use rustix::process::{Pid, Resource, Rlimit, prlimit};
use serde_json::json;
use std::time::Duration;

/// How large the files of the server may be: the note of the time, and hardly more.
const FULL: Option<u64> = Some(1024);

/// The main time of a player, in milliseconds.
const MAIN_MS: u64 = 600_000;

/// Limits how large a file may be that the server writes to.
fn limit(server: &RoomServer, current: Option<u64>) {
    let id = Pid::from_raw(server.get().id().try_into().unwrap());
    let limit = Rlimit {
        current,
        maximum: None,
    };
    prlimit(id, Resource::Fsize, limit).unwrap();
}

#[test]
fn a_full_disk_stops_the_clocks_and_not_the_server() {
    // A file that grows too large sends a signal, which a full disk does not.
    let mut server = RoomServer::start_by(&["env", "--ignore-signal=XFSZ"]);
    let clock = json!({ "kind": "sudden_death", "main_ms": MAIN_MS });
    let (mut anna, mut bela, room) = pair(&server, &json!({ "rated": true, "clock": clock }));
    anna.play("h8", 0);
    bela.stones(1);
    limit(&server, FULL);
    // The move can't be kept: it is not shown, and both players are told why.
    bela.play("i9", 1);
    for player in [&mut anna, &mut bela] {
        let error = player.next("error");
        assert_eq!(
            (&error["code"], &error["retry_s"]),
            (&json!("read_only"), &json!(10))
        );
    }
    bela.play("i9", 1);
    assert_eq!(bela.error(), "read_only");
    // Who came now once said hello in vain, and was heard no better when there was room.
    let refusal = Client::at(server.get(), "rooms/socket").receive();
    assert_eq!(
        (&refusal["type"], &refusal["code"]),
        (&json!("refused"), &json!("read_only"))
    );
    std::thread::sleep(Duration::from_secs(2));
    let (head, _) = get(server.get(), "/health", &[]);
    assert!(head.starts_with("HTTP/1.1 200"), "{head}");
    limit(&server, None);
    // The move that waited is kept and shown, and the game goes on.
    let shown = anna.stones(2);
    let left = shown["clock"][0]["main"].as_u64().unwrap();
    assert!(left > MAIN_MS - 1500, "{left}: the clock stood");
    // The server needs a moment to hear that there is room.
    for _ in 0..50 {
        anna.play("j10", 2);
        let answer = anna
            .client
            .until(|it| it["type"] == "error" || it["stones"][2].is_object());
        if answer["type"] == "room" {
            break;
        }
        std::thread::sleep(Duration::from_millis(100));
    }
    bela.stones(3);
    server.kill_and_start();
    let kept = server.visitor(1).enter(&room);
    assert_eq!(kept["stones"].as_array().unwrap().len(), 3);
}

/// An administrator was once told that a change was done which was lost with the server.
#[test]
fn unstored_changes_are_not_reported_as_done() {
    let mut server = RoomServer::start_by(&["env", "--ignore-signal=XFSZ"]);
    let mut anna = server.visitor(1);
    anna.send(&json!({ "type": "rename", "name": "Anna" }));
    assert_eq!(anna.next("name")["name"], "Anna");
    limit(&server, FULL);
    // The first command finds out that the disk is full. After it nothing changes any more.
    for (names, answer) in [
        (["Anna", "Bela"], "done, but not kept yet"),
        (["Bela", "Carl"], "the server's disk is full"),
    ] {
        let refused = admin(&server, &["rename", names[0], names[1]]);
        let error = String::from_utf8_lossy(&refused.stderr);
        assert!(!refused.status.success(), "{refused:?}");
        assert!(error.contains(answer), "{error}");
    }
    limit(&server, None);
    // What was done is kept as soon as there is room, and told then.
    assert_eq!(anna.next("name")["name"], "Bela");
    server.kill_and_start();
    assert_eq!(server.visitor(1).welcome["name"], "Bela");
}
