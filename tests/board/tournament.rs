//! A tournament over sockets, with the server killed in between, and its tables.

use crate::admin::{admin, text};
use quincunx_testing::client::get;
use quincunx_testing::visitor::{RoomServer, Visitor};
use serde_json::{Value, json};

fn named(server: &RoomServer, key: u128, name: &str) -> Visitor {
    let mut visitor = server.visitor(key);
    visitor.send(&json!({ "type": "rename", "name": name }));
    visitor.next("name");
    visitor
}

fn create(visitor: &mut Visitor, no_show_s: u32) -> String {
    visitor.send(&json!({
        "type": "create_tournament", "name": "Club evening", "no_show_s": no_show_s, "pause_s": 0,
        "system": { "kind": "round_robin", "double": true },
        "setup": {
            "rule": "freestyle", "size": "15", "opening": "free", "rated": true,
            "clock": { "kind": "sudden_death", "main_ms": 60_000 },
        },
    }));
    let shown = visitor.next("tournament");
    shown["tournament"].as_str().unwrap().to_owned()
}

fn join(visitor: &mut Visitor, id: &str) {
    visitor.send(&json!({ "type": "open_tournament", "tournament": id }));
    visitor.send(&json!({ "type": "join_tournament" }));
    let name = visitor.client.until(|message| {
        let standings = message["standings"].as_array();
        standings.is_some_and(|rows| !rows.is_empty())
    });
    assert_eq!(name["stage"], "open");
}

/// A tournament as a visitor sees it who looks again.
fn look(visitor: &mut Visitor, id: &str) -> Value {
    visitor.send(&json!({ "type": "open_tournament", "tournament": id }));
    visitor.next("tournament")
}

#[test]
fn a_tournament_goes_on_when_the_server_is_killed() {
    let mut server = RoomServer::start();
    let (mut anna, mut bela) = (named(&server, 1, "Anna"), named(&server, 2, "Bela"));
    let id = create(&mut anna, 60);
    join(&mut anna, &id);
    join(&mut bela, &id);
    anna.send(&json!({ "type": "begin_tournament" }));
    let room = anna.next("round")["room"].as_str().unwrap().to_owned();
    assert_eq!(bela.next("round")["room"], json!(room));
    anna.enter(&room);
    bela.enter(&room);
    anna.client.until(|message| message["runs"] == true);
    anna.play("h8", 0);
    bela.stones(1);
    server.kill_and_start();
    (anna, bela) = (server.visitor(1), server.visitor(2));
    assert_eq!(anna.welcome["rooms"][0]["room"], room);
    let shown = look(&mut anna, &id);
    assert_eq!(
        (&shown["round"], &shown["pairings"][0]["room"]),
        (&json!(1), &json!(room))
    );
    anna.enter(&room);
    bela.enter(&room);
    bela.stones(1);
    bela.play("i9", 1);
    anna.stones(2);
    bela.send(&json!({ "type": "resign" }));
    // With no pause the second round begins at once, with seats exchanged.
    let second = anna.next("round")["room"].as_str().unwrap().to_owned();
    assert_ne!(second, room);
    anna.enter(&second);
    bela.send(&json!({ "type": "enter", "room": second }));
    let seat = bela
        .client
        .until(|message| message["type"] == "room" && message["room"] == json!(second));
    assert_eq!(seat["seats"][0]["name"], "Bela");
    anna.send(&json!({ "type": "open_tournament", "tournament": id }));
    anna.send(&json!({ "type": "withdraw" }));
    let is_over = |message: &Value| message["type"] == "tournament" && message["stage"] == "over";
    let over = anna.client.until(is_over);
    assert_eq!(over["round"], 2);
    let points: Vec<&Value> = (over["standings"].as_array().unwrap().iter())
        .map(|row| &row["points"])
        .collect();
    assert_eq!(points, [&json!(1.0), &json!(1.0)]);
    for (file, lines) in [
        ("standings", 3),
        ("pairings", 3),
        ("games", 2),
        ("corrections", 1),
    ] {
        let (head, body) = get(server.get(), &format!("/tournaments/{id}/{file}.csv"), &[]);
        assert!(head.starts_with("HTTP/1.1 200"), "{head}");
        assert!(head.contains("content-type: text/csv") && head.contains("attachment"));
        assert!(body.contains('\u{feff}'), "{body}");
        let body = body.lines().filter(|line| line.contains(','));
        assert!(body.count() >= lines, "{file}");
    }
    for path in [
        format!("/tournaments/{id}/secrets.csv"),
        "/tournaments/0000000000000001/games.csv".to_owned(),
        "/tournaments/x/games.csv".to_owned(),
    ] {
        let (head, _) = get(server.get(), &path, &[]);
        assert!(head.starts_with("HTTP/1.1 404"), "{path}: {head}");
    }
}

#[test]
fn who_stays_away_loses_and_the_club_ends_what_drags_on() {
    let server = RoomServer::start();
    let (mut anna, mut bela) = (named(&server, 1, "Anna"), named(&server, 2, "Bela"));
    let id = create(&mut anna, 1);
    join(&mut anna, &id);
    join(&mut bela, &id);
    anna.send(&json!({ "type": "begin_tournament" }));
    let room = anna.next("round")["room"].as_str().unwrap().to_owned();
    bela.enter(&room);
    let over = bela.client.until(|message| message["stage"] == "over");
    assert_eq!(
        over["outcome"],
        json!({ "winner": "second", "reason": "no_show" })
    );
    let mut carl = named(&server, 3, "Carl");
    let other = create(&mut carl, 60);
    let list = text(&admin(&server, &["tournaments"]));
    let stages: Vec<Value> = (list.lines())
        .map(|line| serde_json::from_str::<Value>(line).unwrap()["stage"].clone())
        .collect();
    assert!(stages.len() == 2 && stages[0] == "open", "{list}");
    anna.send(&json!({ "type": "open_tournament", "tournament": other }));
    for (command, answer) in [("close-entry", "entry_closed"), ("open-entry", "")] {
        let said = text(&admin(&server, &[command, &other]));
        assert!(
            said.starts_with(&format!("The entry of tournament {other} is ")),
            "{said}"
        );
        anna.send(&json!({ "type": "join_tournament" }));
        match answer {
            "" => drop(anna.client.until(|message| message["players"] == 1)),
            refusal => assert_eq!(anna.error(), refusal),
        }
    }
    let begun = admin(&server, &["continue-tournament", &other]);
    let error = String::from_utf8_lossy(&begun.stderr);
    assert!(error.contains("too few players"), "{error}");
    text(&admin(&server, &["end-tournament", &other]));
    assert_eq!(carl.error(), "no_tournament");
    assert!(!admin(&server, &["end-tournament", &other]).status.success());
}
