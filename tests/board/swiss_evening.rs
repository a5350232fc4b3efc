//! The evening of a club: a Swiss tournament of eight in three rounds, quiet and with all attacks at
//! once beside it. In small in every test run, in full by hand:
//!
//! `cargo test --release --test board -- --ignored --nocapture --test-threads 1 swiss_evening`

use crate::latency::{Attack, End, MAIN, Seen, attacker, everything, is_timeout, play_game};
use quincunx_testing::visitor::{RoomServer, Visitor};
use serde_json::{Value, json};
use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;
use tungstenite::{Error, Message};

/// The size of an evening.
#[derive(Clone, Copy)]
struct Evening {
    players: u128,
    rounds: u64,
    /// The stones after which the second player of a game gives up.
    stones: usize,
    think: Duration,
}

impl Evening {
    /// Plays the tournament beside some attacks.
    fn play(self, attacks: &[Attack]) -> Seen {
        let most = "100000";
        let server = RoomServer::start_with(&[
            "--visitors-per-address",
            most,
            "--visits-per-minute",
            most,
            "--names-per-hour",
            most,
        ]);
        let named = |key: u128| {
            let mut visitor = server.visitor(key);
            let name = format!("Anna {key}");
            visitor.rename(&name);
            (name, visitor)
        };
        let mut players: HashMap<String, Visitor> = (1..=self.players).map(named).collect();
        let (_, mut organiser) = named(1000);
        organiser.send(&json!({
            "type": "create_tournament", "name": "Club evening", "no_show_s": 600, "pause_s": 0,
            "system": { "kind": "swiss", "rounds": self.rounds },
            "setup": {
                "rule": "freestyle", "size": "15", "opening": "free", "rated": true,
                "clock": { "kind": "sudden_death", "main_ms": MAIN.as_millis() as u64 },
            },
        }));
        organiser.next("tournament");
        for name in players.keys() {
            // Five an hour may be added: each player is added once.
            organiser.send(&json!({ "type": "add_player", "name": name }));
        }
        let is_over = AtomicBool::new(false);
        let mut seen = Seen::default();
        std::thread::scope(|scope| {
            let end_of_attacks = End(&is_over);
            for attack in attacks {
                scope.spawn(|| attack(&server, &is_over));
            }
            // The attackers begin.
            std::thread::sleep(Duration::from_millis(500));
            organiser.send(&json!({ "type": "begin_tournament" }));
            for round in 1..=self.rounds {
                let shown = organiser.client.until(|it| {
                    it["type"] == "tournament" && it["round"] == round && has_rooms(it)
                });
                self.play_round(&shown, &mut players, &mut seen);
            }
            organiser.client.until(|it| it["stage"] == "over");
            drop(end_of_attacks);
        });
        seen.latencies.sort();
        seen
    }

    /// Plays all games of a round at once.
    fn play_round(self, shown: &Value, players: &mut HashMap<String, Visitor>, seen: &mut Seen) {
        let games: Vec<_> = (shown["pairings"].as_array().unwrap().iter())
            .map(|pairing| {
                let names = ["first", "second"].map(|it| pairing[it].as_str().unwrap().to_owned());
                let room = pairing["room"].as_str().unwrap().to_owned();
                std::thread::spawn({
                    let mut both = names.clone().map(|name| players.remove(&name).unwrap());
                    move || {
                        let played = self.play_pairing(&mut both, &room);
                        (names.into_iter().zip(both).collect::<Vec<_>>(), played)
                    }
                })
            })
            .collect();
        for game in games {
            let (back, played) = game.join().unwrap();
            players.extend(back);
            seen.latencies.extend(played.latencies);
            seen.overcharge = seen.overcharge.max(played.overcharge);
        }
    }

    /// Plays a game, which is lost on the board alone.
    fn play_pairing(self, players: &mut [Visitor; 2], room: &str) -> Seen {
        let [first, second] = players;
        first.enter(room);
        second.send(&json!({ "type": "enter", "room": room }));
        for player in [&mut *first, &mut *second] {
            player
                .client
                .until(|it| it["room"] == *room && it["runs"] == true);
        }
        let seen = play_game([&mut *first, &mut *second], self.think, |ply| {
            ply < self.stones
        });
        second.send(&json!({ "type": "resign" }));
        for player in [first, second] {
            let over = player
                .client
                .until(|it| it["type"] == "room" && it["stage"] == "over");
            let lost = json!({ "winner": "first", "reason": "resignation" });
            assert_eq!(over["outcome"], lost, "{over}");
        }
        seen
    }
}

/// Returns true if all games of the last round have a room.
fn has_rooms(tournament: &Value) -> bool {
    let pairings = tournament["pairings"].as_array();
    pairings.is_some_and(|it| !it.is_empty() && it.iter().all(|it| it["room"].is_string()))
}

/// Guests who play strangers, challenge the players, and call off what begins, each with a new key.
fn nuisances(server: &RoomServer, is_over: &AtomicBool) {
    static KEYS: AtomicU64 = AtomicU64::new(1_000_000);
    let setup = json!({
        "rule": "freestyle", "size": "15", "opening": "free", "rated": true,
        "clock": { "kind": "sudden_death", "main_ms": 60_000 },
    });
    while !is_over.load(Ordering::Relaxed) {
        let key = KEYS.fetch_add(1, Ordering::Relaxed);
        let mut guest = attacker(server, "rooms/socket");
        let hello = json!({ "type": "hello", "version": 1, "key": format!("{key:032x}") });
        let challenge = |player: u8| {
            let name = format!("Anna {player}");
            json!({ "type": "create", "setup": setup, "opponent": name })
        };
        let quick = json!({ "type": "quick", "setup": setup });
        let others = [quick, json!({ "type": "abort" }), json!({ "type": "ping" })];
        for message in [hello]
            .into_iter()
            .chain((1..=8).map(challenge))
            .chain(others)
        {
            _ = guest.socket.send(Message::text(message.to_string()));
        }
        while !is_over.load(Ordering::Relaxed) {
            match guest.socket.read() {
                Ok(Message::Text(text)) if text.contains("pong") => break,
                Err(Error::Io(error)) if is_timeout(&error) => {}
                Ok(_) => {}
                Err(_) => break,
            }
        }
    }
}

/// Everything that visitors can do against the others.
fn attacks() -> Vec<Attack> {
    let mut attacks = everything();
    attacks.extend([nuisances as Attack; 4]);
    attacks
}

#[test]
fn a_small_swiss_evening_loses_no_game() {
    let evening = Evening {
        players: 4,
        rounds: 2,
        stones: 6,
        think: Duration::from_millis(10),
    };
    let seen = evening.play(&[]);
    assert_eq!(seen.latencies.len(), 4 * 6);
}

#[test]
#[ignore = "takes a minute, and needs a quiet machine"]
#[allow(clippy::print_stdout)]
fn full_swiss_evening_quiet_and_under_attack() {
    let evening = Evening {
        players: 8,
        rounds: 3,
        stones: 60,
        think: Duration::from_millis(100),
    };
    let mut failed = Vec::new();
    for (name, attacks) in [("quiet", Vec::new()), ("under attack", attacks())] {
        let seen = evening.play(&attacks);
        println!("{name}: {}", seen.summary());
        if !seen.is_quick() {
            failed.push(name);
        }
    }
    assert!(failed.is_empty(), "{failed:?}");
}
