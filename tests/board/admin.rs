//! Looking after rooms while their server runs.

use quincunx_testing::client::get;
use quincunx_testing::visitor::{RoomServer, pair};
use serde_json::{Value, json};
use std::process::{Command, Output};

/// Runs `quincunx board admin` with the server's database.
pub(crate) fn admin(server: &RoomServer, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_quincunx"))
        .args(["board", "admin", "--database"])
        .arg(server.database())
        .args(arguments)
        .output()
        .unwrap()
}

pub(crate) fn text(output: &Output) -> String {
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout.clone()).unwrap()
}

#[test]
fn rooms_are_listed_ended_copied_and_exported() {
    let server = RoomServer::start();
    let (mut anna, mut bela, room) = pair(&server, &json!({ "rated": true, "private": true }));
    anna.play("h8", 0);
    bela.stones(1);
    bela.play("i9", 1);
    anna.stones(2);
    let list: Value = serde_json::from_str(&text(&admin(&server, &["list"]))).unwrap();
    let shown = (
        &list["room"],
        &list["stones"],
        &list["stage"],
        &list["visitors"],
    );
    assert_eq!(
        shown,
        (&json!(room), &json!(2), &json!("playing"), &json!(2))
    );
    // A copy of the running club serves as well.
    let copy = server.database().with_file_name("copy.db");
    let said = text(&admin(&server, &["backup", copy.to_str().unwrap()]));
    assert_eq!(said, format!("The club is copied to {}.\n", copy.display()));
    assert!(
        !admin(&server, &["backup", copy.to_str().unwrap()])
            .status
            .success()
    );
    let said = text(&admin(&server, &["end", &room]));
    assert_eq!(
        said,
        format!("The game of room {room} has ended without a result.\n")
    );
    let over = bela.client.until(|message| message["stage"] == "over");
    assert_eq!(
        over["outcome"],
        json!({ "winner": null, "reason": "ended" })
    );
    assert!(!admin(&server, &["end", &room]).status.success());
    let csv = text(&admin(&server, &["export"]));
    assert!(csv.starts_with("\u{feff}number,"), "{csv}");
    let lines: Vec<&str> = csv.lines().collect();
    assert_eq!(lines.len(), 2);
    assert_eq!(lines[0].split(',').count(), lines[1].split(',').count());
    assert!(
        lines[1].starts_with("1,20") && lines[1].contains(",Anna,Bela,"),
        "{csv}"
    );
    assert!(lines[1].ends_with(",first,,ended,false,h8i9"), "{csv}");
    assert_eq!(
        text(&admin(&server, &["check"])),
        "The database is sound.\n"
    );
    let copied = RoomServer::start_from(&copy);
    let mut anna = copied.visitor(1);
    assert_eq!(anna.welcome["name"], "Anna");
    assert_eq!(anna.enter(&room)["stage"], "playing");
}

#[test]
fn whoever_is_banned_stays_out_until_they_are_let_in() {
    let server = RoomServer::start();
    let mut anna = server.visitor(1);
    anna.send(&json!({ "type": "rename", "name": "Anna" }));
    anna.next("name");
    let said = text(&admin(&server, &["ban", "anna"]));
    assert_eq!(said, "Anna is banned, and all games are rated anew.\n");
    let ended = (0..20).any(|_| anna.client.socket.read().is_err());
    assert!(ended, "the connection ends");
    let hello = json!({ "type": "hello", "version": 1, "key": format!("{:032x}", 1) });
    let mut again = quincunx_testing::client::Client::at(server.get(), "rooms/socket");
    again.send(&hello);
    assert_eq!(again.receive()["code"], "banned");
    text(&admin(&server, &["unban", "Anna"]));
    again.send(&hello);
    assert_eq!(again.receive()["type"], "welcome");
    let unknown = admin(&server, &["ban", "Nobody"]);
    let error = String::from_utf8_lossy(&unknown.stderr);
    // It was once said that no server runs.
    assert_eq!(error, "quincunx: nobody has this name\n");
}

#[test]
fn only_the_token_authorises() {
    let server = RoomServer::start();
    let (head, _) = get(server.get(), "/admin", &[]);
    assert!(head.starts_with("HTTP/1.1 405"), "{head}");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let mut path = server.database().into_os_string();
        path.push(".admin");
        let mode = std::fs::metadata(&path).unwrap().permissions().mode();
        assert_eq!(mode & 0o077, 0, "others can't read it");
        let text = std::fs::read_to_string(&path).unwrap();
        let (address, token) = text.trim().split_once(' ').unwrap();
        let other = if token.starts_with('0') { '1' } else { '0' };
        std::fs::write(&path, format!("{address} {other}{}", &token[1..])).unwrap();
        let refused = admin(&server, &["list"]);
        assert!(!refused.status.success() && refused.stdout.is_empty());
    }
    let nowhere = RoomServer::start();
    drop(server);
    let _ = std::fs::remove_file(nowhere.database().with_extension("db.admin"));
    assert!(!admin(&nowhere, &["list"]).status.success());
}

#[test]
fn people_are_renamed_rooms_closed_addresses_banned_and_all_of_it_audited() {
    let server = RoomServer::start();
    let (mut anna, _bela, room) = pair(&server, &json!({}));
    anna.send(&json!({ "type": "rename", "name": "Rude name" }));
    anna.next("name");
    let said = text(&admin(&server, &["rename", "rude name", "Anna"]));
    assert_eq!(said, "Rude name is called Anna now.\n");
    assert_eq!(anna.next("name")["name"], "Anna");
    let visitors = text(&admin(&server, &["visitors"]));
    assert!(
        visitors.contains(r#""name":"Anna","address":"127.0.0.1""#),
        "{visitors}"
    );
    let said = text(&admin(&server, &["close", &room]));
    assert_eq!(said, format!("Room {room} is closed.\n"));
    anna.next("closed");
    assert!(!admin(&server, &["close", &room]).status.success());
    let said = text(&admin(&server, &["ban-address", "127.0.0.1"]));
    assert_eq!(said, "127.0.0.1/32 is banned; connections ended: 2.\n");
    assert_eq!(anna.error(), "banned");
    assert_eq!(text(&admin(&server, &["bans"])), "\"127.0.0.1/32\"\n");
    assert!(!admin(&server, &["ban-address", "nowhere"]).status.success());
    text(&admin(&server, &["unban-address", "127.0.0.1"]));
    let audit = text(&admin(&server, &["audit"]));
    let entry = |line: &str| serde_json::from_str::<Value>(line).unwrap();
    let did: Vec<Value> = (audit.lines())
        .map(|line| entry(line)["did"]["type"].clone())
        .collect();
    assert_eq!(did, ["rename", "close", "ban_address", "unban_address"]);
    assert!(audit.starts_with(r#"{"at":"20"#), "{audit}");
}
