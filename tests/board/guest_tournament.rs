//! An evening of two engines and two persons: a round robin, with the server and an engine
//! killed in between.
//!
//! `QUINCUNX_GUESTS='path/to/one;path/to/two' cargo test --release --test board -- --ignored
//! --nocapture two_engines_and_two_persons` seats any two engines; without the variable it is
//! this program twice.

use crate::admin::{admin, text};
use crate::client_reconnect::{Line, Lost};
use crate::guest::Guest;
use quincunx_testing::visitor::RoomServer;
use serde_json::{Value, json};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// The variable of the environment with the commands of two engines.
const GUESTS: &str = "QUINCUNX_GUESTS";

/// How many stones a person puts before they give up.
const STONES: usize = 12;

/// How long the evening may take.
const EVENING: Duration = Duration::from_secs(600);

fn commands() -> [String; 2] {
    let own = env!("CARGO_BIN_EXE_quincunx");
    let given = std::env::var(GUESTS);
    let given = given.unwrap_or_else(|_| format!("'{own}' --strength 10;'{own}' --strength 30"));
    let (one, two) = given
        .split_once(';')
        .expect("two commands, parted by a semicolon");
    [one.to_owned(), two.to_owned()]
}

/// A person who takes part, comes back whenever the server was gone, and plays what is free.
fn person(address: &str, key: u128, name: &str, tournament: &str, is_over: &AtomicBool) {
    let mut line = Line::to(address, &format!("{key:032x}"));
    let join = |line: &mut Line| -> Result<(), Lost> {
        line.send(&json!({ "type": "rename", "name": name }))?;
        line.send(&json!({ "type": "open_tournament", "tournament": tournament }))?;
        line.send(&json!({ "type": "join_tournament" }))
    };
    let mut joined = join(&mut line);
    while !is_over.load(Ordering::Relaxed) {
        let heard = joined.and_then(|()| line.receive());
        joined = match heard {
            Ok(message) => answer(&mut line, &message, name),
            Err(Lost) if is_over.load(Ordering::Relaxed) => return,
            Err(Lost) => {
                line.connect();
                let rooms = line.rooms.as_array().unwrap().clone();
                rooms.iter().try_for_each(|room| enter(&mut line, room))
            }
        };
    }
}

fn enter(line: &mut Line, room: &Value) -> Result<(), Lost> {
    line.send(&json!({ "type": "enter", "room": room["room"] }))
}

/// Goes to a game that begins, and moves where it is this person's turn.
fn answer(line: &mut Line, message: &Value, name: &str) -> Result<(), Lost> {
    if message["type"] == "round" {
        return enter(line, message);
    }
    let is_turn = message["type"] == "room" && message["runs"] == true && {
        let own = if message["seats"][0]["name"] == *name {
            "first"
        } else {
            "second"
        };
        message["actor"] == own
    };
    if !is_turn {
        return Ok(());
    }
    let stones = message["stones"].as_array().unwrap();
    if stones.len() >= 2 * STONES {
        return line.send(&json!({ "type": "resign" }));
    }
    let is_free = |point: &String| stones.iter().all(|stone| stone["point"] != **point);
    let mut points = crate::latency::points_without_a_five(15).into_iter();
    let point = points.find(is_free).unwrap();
    line.send(&json!({ "type": "play", "point": point, "ply": stones.len() }))
}

/// Looks until the tournament is as it should be.
fn await_tournament(line: &mut Line, id: &str, is_so: impl Fn(&Value) -> bool) -> Value {
    let end = Instant::now() + EVENING;
    while Instant::now() < end {
        let looked = line.send(&json!({ "type": "open_tournament", "tournament": id }));
        let shown = looked.and_then(|()| line.until(|it| it["type"] == "tournament"));
        match shown {
            Ok(shown) if is_so(&shown) => return shown,
            Ok(_) => std::thread::sleep(Duration::from_millis(200)),
            Err(Lost) => line.connect(),
        }
    }
    panic!("the evening takes too long");
}

#[test]
#[ignore = "takes some minutes"]
#[allow(clippy::print_stdout)]
fn two_engines_and_two_persons() {
    let mut server = RoomServer::start();
    let address = server.get().address.clone();
    let mut organiser = Line::to(&address, &format!("{:032x}", 99));
    let create = json!({
        "type": "create_tournament", "name": "Guests", "no_show_s": 60, "pause_s": 1,
        "system": { "kind": "round_robin", "double": false },
        "setup": {
            "rule": "freestyle", "size": "15", "opening": "free", "rated": true,
            "clock": { "kind": "increment", "main_ms": 20_000, "increment_ms": 500 },
        },
    });
    for message in [json!({ "type": "rename", "name": "Organiser" }), create] {
        organiser.send(&message).unwrap();
    }
    let made = organiser.until(|it| it["type"] == "tournament").unwrap();
    let id = made["tournament"].as_str().unwrap().to_owned();
    let tokens = ["One", "Two"].map(|name| text(&admin(&server, &["bot", name])));
    let seat = |server: &RoomServer, number: usize| {
        let more = ["--tournament", &id];
        Guest::start_engine(&commands()[number], server, tokens[number].trim(), &more)
    };
    let mut guests = [seat(&server, 0), seat(&server, 1)];
    let is_over = AtomicBool::new(false);
    std::thread::scope(|scope| {
        for (key, name) in [(1, "Anna"), (2, "Bela")] {
            let (address, id, is_over) = (&*address, &*id, &is_over);
            scope.spawn(move || person(address, key, name, id, is_over));
        }
        await_tournament(&mut organiser, &id, |it| it["players"] == 4);
        organiser
            .send(&json!({ "type": "begin_tournament" }))
            .unwrap();
        // In the first round the server is killed, in the second an engine with its program.
        await_tournament(&mut organiser, &id, |it| it["round"] == 1);
        std::thread::sleep(Duration::from_secs(2));
        server.kill_and_start();
        await_tournament(&mut organiser, &id, |it| it["round"] == 2);
        std::thread::sleep(Duration::from_secs(1));
        guests[0] = seat(&server, 0);
        let over = await_tournament(&mut organiser, &id, |it| it["stage"] == "over");
        is_over.store(true, Ordering::Relaxed);
        organiser.send(&json!({ "type": "rounds" })).unwrap();
        let rounds = organiser.until(|it| it["type"] == "rounds").unwrap();
        let pairings: Vec<&Value> = (rounds["rounds"].as_array().unwrap().iter())
            .flat_map(|round| round.as_array().unwrap())
            .collect();
        assert_eq!(pairings.len(), 6, "{rounds}");
        for pairing in pairings {
            println!(
                "{} – {}: {}",
                pairing["first"], pairing["second"], pairing["result"]
            );
            assert!(pairing["result"]["played"].is_string(), "{pairing}");
        }
        println!("{}", over["standings"]);
        // The end of the server ends what the persons wait for.
        drop(server);
    });
    drop(guests);
}
