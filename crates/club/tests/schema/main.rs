//! `docs/messages.schema.json` describes every message. Where one is another the file has to be
//! written anew:
//!
//! `QUINCUNX_WRITE=1 cargo test -p quincunx-club --test schema`
//!
//! docs/messages.md is made from it, which `tests/architecture` checks.

#![allow(clippy::unwrap_used)]

mod page_types;

use quincunx_club::rooms::VERSION;
use serde_json::{Map, Value, json};
use std::path::Path;

/// The schema of the messages, as the types have it.
fn schema() -> Value {
    let mut definitions = page_types::sent();
    let properties = |names: &[(&str, &str)]| -> Map<String, Value> {
        let reference = |&(name, of): &(&str, &str)| {
            (name.to_owned(), json!({ "$ref": format!("#/$defs/{of}") }))
        };
        names.iter().map(reference).collect()
    };
    for (name, definition) in page_types::received() {
        // What travels both ways looks the same on both.
        definitions.entry(name).or_insert(definition);
    }
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": format!("Messages of Quincunx, version {VERSION}"),
        "description": "What a page sends and receives over the WebSockets /socket (`board`), \
            /gravity/socket, /training/socket and /rooms/socket; `games` and `game` are the answers \
            at /games and /games/NUMBER.",
        "properties": properties(&[
            ("boardFromPage", "ClientMessage"),
            ("boardFromProgram", "ServerMessage"),
            ("gravityFromPage", "GravityMessage"),
            ("gravityFromProgram", "GravityReply"),
            ("trainingFromPage", "TrainingMessage"),
            ("trainingFromProgram", "TrainingReply"),
            ("roomsFromPage", "VisitorMessage"),
            ("roomsFromServer", "ClubMessage"),
            ("games", "GamePage"),
            ("game", "GameView"),
        ]),
        "$defs": definitions,
    })
}

#[test]
fn the_schema_describes_the_messages() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/messages.schema.json");
    let text = serde_json::to_string_pretty(&schema()).unwrap() + "\n";
    if std::env::var_os("QUINCUNX_WRITE").is_some() {
        std::fs::write(&path, &text).unwrap();
    }
    let kept = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(
        kept == text,
        "docs/messages.schema.json is out of date: the head of this file says how to write it"
    );
}
