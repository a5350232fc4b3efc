//! `docs/rooms.schema.json` describes every message of rooms. Where one is another the file
//! has to be written anew:
//!
//! `QUINCUNX_WRITE=1 cargo test -p quincunx-club --test schema`
//!
//! docs/messages.md is made from it, which `tests/architecture` checks.

#![allow(clippy::unwrap_used)]

mod page_types;

use quincunx_board::training::{TrainingMessage, TrainingReply};
use quincunx_club::rooms::{ClubMessage, GamePage, GameView, VERSION, VisitorMessage};
use schemars::generate::SchemaSettings;
use serde_json::{Value, json};
use std::path::Path;

/// The schema of the messages, as the types have it.
fn schema() -> Value {
    let mut asked = SchemaSettings::draft2020_12().into_generator();
    let asked_of_club = asked.subschema_for::<VisitorMessage>();
    let asked_of_training = asked.subschema_for::<TrainingMessage>();
    let mut definitions = asked.take_definitions(true);
    let mut told = SchemaSettings::draft2020_12()
        .for_serialize()
        .into_generator();
    let answers = json!({
        "message": told.subschema_for::<ClubMessage>(),
        "training": told.subschema_for::<TrainingReply>(),
        "games": told.subschema_for::<GamePage>(),
        "game": told.subschema_for::<GameView>(),
    });
    for (name, definition) in told.take_definitions(true) {
        // What travels both ways looks the same on both.
        definitions.entry(name).or_insert(definition);
    }
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": format!("Messages of Quincunx rooms, version {VERSION}"),
        "description": "`fromPage` is what a page sends over the WebSocket /rooms/socket, \
            `fromServer` what it hears; `games` and `game` are the answers at /games and \
            /games/NUMBER. `trainingFromPage` and `trainingFromServer` are those of puzzles, over \
            the WebSocket /training/socket.",
        "properties": {
            "fromPage": asked_of_club,
            "fromServer": answers["message"],
            "games": answers["games"],
            "game": answers["game"],
            "trainingFromPage": asked_of_training,
            "trainingFromServer": answers["training"],
        },
        "$defs": definitions,
    })
}

#[test]
fn the_schema_describes_the_messages() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/rooms.schema.json");
    let text = serde_json::to_string_pretty(&schema()).unwrap() + "\n";
    if std::env::var_os("QUINCUNX_WRITE").is_some() {
        std::fs::write(&path, &text).unwrap();
    }
    let kept = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(
        kept == text,
        "docs/rooms.schema.json is out of date: the head of this file says how to write it"
    );
}
