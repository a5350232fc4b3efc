//! A club's evening: many games at a steady pace, watched, with the server killed in between;
//! and the memory of many rooms. In small in every test run, in full by hand:
//!
//! `cargo test --release --test board -- --ignored --nocapture --test-threads 1 full_evening`

use crate::client_reconnect::{Line, Lost};
use crate::latency::points_without_a_five;
use quincunx_testing::visitor::{RoomServer, time_used};
use serde_json::{Value, json};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// The time of each player.
const MAIN: Duration = Duration::from_secs(3600);

/// The stones after which a game is given up, and another begun.
const STONES: usize = 120;

/// How an evening goes.
#[derive(Clone, Copy)]
struct Evening {
    /// The games at a time, with two players each.
    games: usize,
    /// The visitors who watch.
    watchers: usize,
    /// The time from one move of a game to the next.
    pace: Duration,
    /// How long it lasts.
    time: Duration,
    /// How often the server is killed.
    kills: usize,
}

/// What players have seen.
#[derive(Default)]
struct Seen {
    /// From a move to the other player's screen.
    latencies: Vec<Duration>,
    /// Moves that were shown, and are gone.
    lost: usize,
    /// How far the clocks were off after a kill.
    errors: Vec<Duration>,
}

impl Seen {
    fn add(&mut self, other: Seen) {
        self.latencies.extend(other.latencies);
        self.lost += other.lost;
        self.errors.extend(other.errors);
    }
}

/// The value below which this part of all values is.
fn percentile(values: &mut [Duration], part: f64) -> Duration {
    values.sort();
    let last = values.len().saturating_sub(1);
    values
        .get((last as f64 * part).ceil() as usize)
        .copied()
        .unwrap_or_default()
}

/// A server that takes as many as come.
fn server(most: usize) -> RoomServer {
    let limit = most.to_string();
    let limits = [
        "--rooms",
        "--rooms-per-person",
        "--visitors",
        "--visitors-per-address",
        "--visits-per-minute",
        "--names-per-hour",
    ];
    let arguments: Vec<&str> = limits.iter().flat_map(|name| [*name, &*limit]).collect();
    RoomServer::start_with(&arguments)
}

impl Evening {
    fn run(self) -> Seen {
        let mut server = server(100_000);
        let address = server.get().address.clone();
        let (is_over, killed) = (AtomicBool::new(false), Mutex::new(Vec::new()));
        let rooms = Mutex::new(Vec::new());
        std::thread::scope(|scope| {
            let (address, is_over, killed, rooms) = (&*address, &is_over, &killed, &rooms);
            let players: Vec<_> = (0..self.games)
                .map(|number| {
                    scope.spawn(move || {
                        let mut pair = Pair::new(address, number, killed, rooms);
                        // Games do not all move at the same time.
                        std::thread::sleep(self.pace * number as u32 / self.games as u32);
                        while !is_over.load(Ordering::Relaxed) {
                            pair.play(self.pace, is_over);
                        }
                        pair.seen
                    })
                })
                .collect();
            for number in 0..self.watchers {
                scope.spawn(move || watch(address, number, is_over, rooms));
            }
            for _ in 0..self.kills {
                std::thread::sleep(self.time / self.kills as u32);
                killed.lock().unwrap().push(Instant::now());
                server.kill_and_start();
            }
            if self.kills == 0 {
                std::thread::sleep(self.time);
            }
            is_over.store(true, Ordering::Relaxed);
            let mut seen = Seen::default();
            for player in players {
                seen.add(player.join().unwrap());
            }
            // Watchers of a game that nobody plays on are disconnected.
            drop(server);
            seen
        })
    }
}

/// Two players at a board.
struct Pair<'e> {
    players: [Line; 2],
    killed: &'e Mutex<Vec<Instant>>,
    /// The rooms of all games, for those who watch.
    rooms: &'e Mutex<Vec<String>>,
    room: String,
    /// The points of the stones that were shown.
    shown: Vec<String>,
    /// What both had used when the turn began, and when that was.
    used: [Duration; 2],
    told_at: Instant,
    seen: Seen,
}

impl Pair<'_> {
    fn new<'e>(
        address: &str,
        number: usize,
        killed: &'e Mutex<Vec<Instant>>,
        rooms: &'e Mutex<Vec<String>>,
    ) -> Pair<'e> {
        let line = |seat: usize| Line::to(address, &format!("{:032x}", 2 * number + seat + 1));
        let mut pair = Pair {
            players: [line(0), line(1)],
            killed,
            rooms,
            room: String::new(),
            shown: Vec::new(),
            used: [Duration::ZERO; 2],
            told_at: Instant::now(),
            seen: Seen::default(),
        };
        while pair.open().is_err() {
            pair.connect();
        }
        pair
    }

    fn connect(&mut self) {
        self.players.iter_mut().for_each(Line::connect);
    }

    /// Begins a game.
    fn open(&mut self) -> Result<(), Lost> {
        let [first, second] = &mut self.players;
        first.send(&json!({
            "type": "create", "seat": "first",
            "setup": {
                "rule": "freestyle", "size": "15", "opening": "free", "rated": false,
                "clock": { "kind": "sudden_death", "main_ms": MAIN.as_millis() as u64 },
            },
        }))?;
        let seat = first.until(|it| it["type"] == "seat" && it["seat"] == "first")?;
        let room = seat["room"].as_str().unwrap().to_owned();
        second.send(&json!({ "type": "enter", "room": room, "sit": true }))?;
        let runs = |it: &Value| it["type"] == "room" && it["room"] == *room && it["runs"] == true;
        let began = second.until(runs)?;
        first.until(runs)?;
        self.used = time_used(&began, MAIN);
        self.told_at = Instant::now();
        self.shown.clear();
        self.rooms.lock().unwrap().push(room.clone());
        self.room = room;
        Ok(())
    }

    /// Plays on until the game is given up, and begins another. Where the server was killed it
    /// goes on with what was kept.
    fn play(&mut self, pace: Duration, is_over: &AtomicBool) {
        let points = points_without_a_five(15);
        while !is_over.load(Ordering::Relaxed) {
            std::thread::sleep(pace.saturating_sub(self.told_at.elapsed()));
            let ply = self.shown.len();
            let done = match points.get(ply).filter(|_| ply < STONES) {
                Some(point) => self.play_move(point, ply),
                None => self.begin_anew(),
            };
            if done.is_err() {
                self.come_back();
            }
        }
    }

    fn play_move(&mut self, point: &str, ply: usize) -> Result<(), Lost> {
        let sent = Instant::now();
        let [first, second] = &mut self.players;
        let (mover, other) = match ply % 2 {
            0 => (first, second),
            _ => (second, first),
        };
        mover.send(&json!({ "type": "play", "point": point, "ply": ply }))?;
        let told = other.stones(ply + 1)?;
        self.seen.latencies.push(sent.elapsed());
        self.told_at = Instant::now();
        self.used = time_used(&told, MAIN);
        self.shown.push(point.to_owned());
        mover.stones(ply + 1)?;
        Ok(())
    }

    fn begin_anew(&mut self) -> Result<(), Lost> {
        self.players[0].send(&json!({ "type": "resign" }))?;
        for player in &mut self.players {
            player.until(|it| it["type"] == "room" && it["stage"] == "over")?;
        }
        self.open()
    }

    /// The server was killed: both connect, and look whether all is there.
    fn come_back(&mut self) {
        loop {
            self.connect();
            let killed_at = *self.killed.lock().unwrap().last().unwrap();
            if self.look(killed_at).is_ok() {
                return;
            }
        }
    }

    fn look(&mut self, killed_at: Instant) -> Result<(), Lost> {
        let is_there = |room: &Value| room["room"] == *self.room;
        if !self.players[0]
            .rooms
            .as_array()
            .unwrap()
            .iter()
            .any(is_there)
        {
            // Between two games.
            return self.open();
        }
        let ply = self.shown.len();
        let (mover, other) = (ply % 2, 1 - ply % 2);
        let back = self.players[other].enter(&self.room)?;
        let kept: Vec<&str> = (back["stones"].as_array().unwrap().iter())
            .map(|stone| stone["point"].as_str().unwrap())
            .collect();
        let is_kept = kept.starts_with(&self.shown.iter().map(|it| &**it).collect::<Vec<_>>());
        self.seen.lost += usize::from(!is_kept);
        // A move may have been kept that was not shown yet; then who moves is another.
        if kept.len() == ply && self.told_at < killed_at {
            let now_used = time_used(&back, MAIN);
            let mut expected = self.used;
            expected[mover] += killed_at - self.told_at;
            let error = |seat: usize| now_used[seat].abs_diff(expected[seat]);
            self.seen.errors.push(error(0).max(error(1)));
        }
        self.shown = kept.into_iter().map(str::to_owned).collect();
        let room = self.room.clone();
        let actor = self.shown.len() % 2;
        self.players[1 - actor].enter(&room)?;
        self.players[actor].send(&json!({ "type": "enter", "room": room }))?;
        let runs = |it: &Value| it["type"] == "room" && it["runs"] == true;
        let runs = self.players[actor].until(runs)?;
        self.used = time_used(&runs, MAIN);
        self.told_at = Instant::now();
        Ok(())
    }
}

/// Watches a game, and goes on to another when the server was killed.
fn watch(address: &str, number: usize, is_over: &AtomicBool, rooms: &Mutex<Vec<String>>) {
    let mut line = Line::to(address, &format!("{:032x}", 1_000_000 + number));
    while !is_over.load(Ordering::Relaxed) {
        let room = {
            let rooms = rooms.lock().unwrap();
            let last = rooms
                .iter()
                .rev()
                .take(100)
                .nth(number % rooms.len().clamp(1, 100));
            last.cloned().unwrap_or_default()
        };
        if room.is_empty() {
            std::thread::sleep(Duration::from_millis(20));
            continue;
        }
        let watched = line.send(&json!({ "type": "enter", "room": room }));
        let until_over = |it: &Value| {
            is_over.load(Ordering::Relaxed) || it["type"] == "closed" || it["stage"] == "over"
        };
        if watched.and_then(|()| line.until(until_over)).is_err() {
            if is_over.load(Ordering::Relaxed) {
                return;
            }
            line.connect();
        }
    }
}

#[test]
fn a_small_evening_loses_nothing() {
    let evening = |seconds| Evening {
        games: 4,
        watchers: 3,
        pace: Duration::from_millis(50),
        time: Duration::from_secs(seconds),
        kills: 3,
    };
    // On a busy machine it takes longer until enough is played.
    let mut evenings = [3, 12, 48]
        .into_iter()
        .map(|seconds| evening(seconds).run());
    let played = evenings.find(|seen| {
        assert_eq!(seen.lost, 0);
        seen.latencies.len() > 20
    });
    let seen = played.expect("more than twenty moves");
    // The tests share the processors with the server and each other: only what is far off is
    // a fault, as a clock that ran while the server was away.
    let mut errors = seen.errors;
    assert!(
        percentile(&mut errors, 0.5) < Duration::from_millis(500),
        "{errors:?}"
    );
}

/// 300 visitors, 100 games, 200 moves a second, without a kill and with a hundred.
#[test]
#[ignore = "takes six minutes, and needs a quiet machine"]
#[allow(clippy::print_stdout)]
fn full_evening_of_three_hundred() {
    let quiet = Evening {
        games: 100,
        watchers: 100,
        pace: Duration::from_millis(500),
        time: Duration::from_secs(60),
        kills: 0,
    };
    let mut seen = quiet.run();
    let latencies = &mut seen.latencies;
    let (median, high) = (percentile(latencies, 0.5), percentile(latencies, 0.99));
    println!(
        "{} moves in 60 s: median {median:?}, 99th percentile {high:?}, longest {:?}",
        latencies.len(),
        percentile(latencies, 1.0)
    );
    let killed = Evening {
        time: Duration::from_secs(200),
        kills: 100,
        ..quiet
    };
    let mut seen = killed.run();
    let errors = &mut seen.errors;
    let (middle, most) = (percentile(errors, 0.5), percentile(errors, 0.99));
    println!(
        "100 kills, {} games found again, {} moves: {} shown moves lost; clocks off by {middle:?} in the \
         median, {most:?} in 99 of 100 cases, {:?} at most",
        errors.len(),
        seen.latencies.len(),
        seen.lost,
        percentile(errors, 1.0),
    );
    assert_eq!(seen.lost, 0);
    assert!(high < Duration::from_millis(100), "{high:?}");
    assert!(most < Duration::from_millis(50), "{most:?}");
}

/// Rooms with a game each, held by a few players; what each costs beside its connections.
fn memory_of_rooms(rooms: usize, stones: usize) -> u64 {
    let server = server(100_000);
    let address = server.get().address.clone();
    let before = server.get().memory();
    let pairs = 20.min(rooms);
    std::thread::scope(|scope| {
        let address = &*address;
        let all: Vec<_> = (0..pairs)
            .map(|number| scope.spawn(move || fill(address, number, rooms / pairs, stones)))
            .collect();
        // The players stay until the memory is read.
        let _players: Vec<_> = all.into_iter().map(|it| it.join().unwrap()).collect();
        server.get().memory() - before
    })
}

/// Two players who begin so many games.
fn fill(address: &str, number: usize, games: usize, stones: usize) -> [Line; 2] {
    let (killed, rooms) = (Mutex::new(Vec::new()), Mutex::new(Vec::new()));
    let mut pair = Pair::new(address, number, &killed, &rooms);
    let points = points_without_a_five(15);
    for game in 0..games {
        if game > 0 {
            pair.open().unwrap();
        }
        for (ply, point) in points.iter().take(stones).enumerate() {
            pair.play_move(point, ply).unwrap();
        }
    }
    pair.players
}

#[cfg(target_os = "linux")]
#[test]
#[ignore = "takes a minute"]
#[allow(clippy::print_stdout)]
fn full_evening_of_two_thousand_rooms() {
    let used = memory_of_rooms(2000, 20);
    println!(
        "2000 rooms with 20 stones each: {:.1} MB",
        used as f64 / 1e6
    );
    assert!(used < 60_000_000, "{used}");
}

/// A room is a few kilobytes.
#[cfg(target_os = "linux")]
#[test]
fn rooms_are_small() {
    let used = memory_of_rooms(100, 6);
    // The first rooms bring what all of them share.
    assert!(used < 30_000_000, "{used}");
}
