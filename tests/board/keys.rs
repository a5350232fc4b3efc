//! Keys, devices and the end of accounts.

use crate::admin::{admin, text};
use quincunx_testing::client::{Client, get};
use quincunx_testing::visitor::{RoomServer, Visitor, pair};
use serde_json::{Value, json};

/// A connection with a key that has not said hello.
fn hello(server: &RoomServer, key: u128, code: Option<&str>) -> (Client, Value) {
    let mut client = Client::at(server.get(), "rooms/socket");
    client.send(
        &json!({ "type": "hello", "version": 1, "key": format!("{key:032x}"), "code": code }),
    );
    let answer = client.until(|it| it["type"] == "welcome" || it["type"] == "error");
    (client, answer)
}

fn code(visitor: &mut Visitor) -> String {
    visitor.send(&json!({ "type": "make_code" }));
    let made = visitor.next("code");
    assert_eq!(made["valid_s"], 300);
    made["code"].as_str().unwrap().to_owned()
}

/// A link with the key itself once stayed in the history of a browser that others use too.
#[test]
fn a_code_makes_another_device_the_same_person_once() {
    let mut server = RoomServer::start();
    let mut anna = server.visitor(1);
    anna.rename("Anna");
    let first = code(&mut anna);
    let second = code(&mut anna);
    // An earlier code, a wrong one, and one with a key that is somebody's.
    for (key, given) in [(50, &*first), (50, "abcdefgh"), (50, ""), (1, &*second)] {
        assert_eq!(
            hello(&server, key, Some(given)).1["code"],
            "code",
            "{given}"
        );
    }
    let shown = format!("{}-{}", &second[..4], second[4..].to_uppercase());
    let (mut phone, welcome) = hello(&server, 51, Some(&shown));
    assert_eq!(
        (&welcome["name"], &welcome["account"]),
        (&json!("Anna"), &json!("person"))
    );
    let devices = anna.next("devices")["devices"].clone();
    assert_eq!(devices.as_array().unwrap().len(), 2, "{devices}");
    assert_eq!(
        (&devices[0]["own"], &devices[1]["own"]),
        (&json!(true), &json!(false))
    );
    assert_eq!(hello(&server, 52, Some(&second)).1["code"], "code");
    // Both are Anna, after a restart too.
    server.kill_and_start();
    assert_eq!(server.visitor(51).welcome["name"], "Anna");
    let mut anna = server.visitor(1);
    assert_eq!(anna.welcome["name"], "Anna");
    // A device that was lost is ended.
    let (mut lost, _) = hello(&server, 51, None);
    anna.send(&json!({ "type": "devices" }));
    let devices = anna.next("devices")["devices"].clone();
    assert_eq!(devices[1]["here"], true);
    let ended = devices[1]["device"].clone();
    anna.send(&json!({ "type": "end_device", "device": ended }));
    lost.until(|it| it["code"] == "old_key");
    assert_eq!(hello(&server, 51, None).1["code"], "old_key");
    let left = anna.next("devices")["devices"].clone();
    assert_eq!(left.as_array().unwrap().len(), 1);
    anna.send(&json!({ "type": "end_device", "device": left[0]["device"] }));
    assert_eq!(anna.error(), "no_device");
    drop(phone.socket.close(None));
}

/// Codes are guessed at most thirty times an hour from an address.
#[test]
fn codes_are_not_guessed() {
    let server = RoomServer::start();
    let mut anna = server.visitor(1);
    let right = code(&mut anna);
    let answers: Vec<Value> = (0..40)
        .map(|number| hello(&server, 100 + number, Some("zzzzzzzz")).1["code"].clone())
        .collect();
    let tried = answers.iter().filter(|it| **it == "code").count();
    assert_eq!(tried, 30, "{answers:?}");
    assert_eq!(answers[39], "too_often");
    // From there the right one is none either.
    assert_eq!(hello(&server, 200, Some(&right)).1["code"], "too_often");
}

#[test]
fn a_person_makes_a_new_key_alone() {
    let server = RoomServer::start();
    let mut anna = server.visitor(1);
    anna.rename("Anna");
    let (mut thief, _) = hello(&server, 1, None);
    let key = |number: u128| json!({ "type": "new_key", "key": format!("{number:032x}") });
    for wrong in [json!({ "type": "new_key", "key": "0" }), key(1)] {
        anna.send(&wrong);
        assert_eq!(anna.error(), "key");
    }
    anna.send(&key(77));
    anna.next("renewed");
    thief.until(|it| it["code"] == "old_key");
    assert_eq!(hello(&server, 1, None).1["code"], "old_key");
    assert_eq!(server.visitor(77).welcome["name"], "Anna");
    // The connection goes on.
    anna.rename("Anna Maria");
}

/// A game of a person who is forgotten stays, without their name anywhere.
#[test]
fn a_person_is_forgotten() {
    let mut server = RoomServer::start();
    let (mut anna, mut bela, _) = pair(&server, &json!({ "rated": true }));
    anna.play("h8", 0);
    bela.stones(1);
    bela.play("i9", 1);
    anna.stones(2);
    bela.send(&json!({ "type": "forget" }));
    assert_eq!(bela.error(), "plays");
    bela.send(&json!({ "type": "resign" }));
    anna.client.until(|it| it["stage"] == "over");
    let before = rating(&mut anna, "Anna");
    text(&admin(&server, &["rename", "Bela", "Bella"]));
    text(&admin(&server, &["rename", "Bella", "Bela"]));
    bela.send(&json!({ "type": "forget" }));
    assert_eq!(bela.error(), "forgotten");
    assert_eq!(hello(&server, 2, None).1["code"], "forgotten");
    let check = |server: &RoomServer, anna: &mut Visitor| {
        let csv = text(&admin(server, &["export"]));
        assert!(csv.contains(",Anna,Former player,"), "{csv}");
        let (_, page) = get(server.get(), "/games?player=Anna", &[]);
        assert!(
            page.contains("Former player") && !page.contains("Bela"),
            "{page}"
        );
        let audit = text(&admin(server, &["audit"]));
        assert!(!audit.contains("\"Bela\""), "{audit}");
        assert_eq!(rating(anna, "Anna"), before);
        anna.send(&json!({ "type": "profile", "name": "Bela" }));
        assert_eq!(anna.error(), "nobody");
    };
    check(&server, &mut anna);
    server.kill_and_start();
    let mut anna = server.visitor(1);
    check(&server, &mut anna);
    assert_eq!(hello(&server, 2, None).1["code"], "forgotten");
    // The name is free, and another key is another person.
    let mut other = server.visitor(3);
    other.rename("Bela");
    assert_eq!(rating(&mut other, "Bela"), Value::Null);
    other.send(&json!({ "type": "rename", "name": "Former player" }));
    assert_eq!(other.error(), "name_taken");
    // The administrator does the same, with the engines that Anna has made accounts for.
    anna.send(&json!({ "type": "make_bot", "name": "Pela" }));
    anna.next("token");
    text(&admin(&server, &["forget", "anna"]));
    assert_eq!(anna.error(), "forgotten");
    let csv = text(&admin(&server, &["export"]));
    assert!(csv.contains(",Former player,Former player,"), "{csv}");
    for name in ["Anna", "Pela"] {
        assert!(!admin(&server, &["forget", name]).status.success());
    }
    let audit = text(&admin(&server, &["audit"]));
    assert!(
        audit.contains("forget") && !audit.to_lowercase().contains("anna"),
        "{audit}"
    );
}

/// The rating of a person in the table.
fn rating(visitor: &mut Visitor, name: &str) -> Value {
    visitor.send(&json!({ "type": "ratings", "rule": "freestyle" }));
    let rows = visitor.next("ratings")["rows"].clone();
    let row = rows
        .as_array()
        .unwrap()
        .iter()
        .find(|it| it["name"] == name);
    row.map_or(Value::Null, |row| row["rating"].clone())
}
