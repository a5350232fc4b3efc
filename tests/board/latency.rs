//! One visitor keeps the server as busy as they can, and others play: how long their moves
//! take, and what their clocks are charged.

use crate::admin::{admin, text};
use quincunx_club::rooms::{
    ClockRule, ClubStore, FinishedGame, Occupant, Outcome, PersonId, RoomId, RoomSetup, StoreWrite,
};
use quincunx_engine::game::Termination;
use quincunx_engine::game::swap::{OpeningRule, Seat};
use quincunx_engine::rules::{BoardSize, Rule};
use quincunx_testing::client::Client;
use quincunx_testing::visitor::{RoomServer, Visitor, pair};
use serde_json::{Value, json};
use std::io::{ErrorKind, Read, Write};
use std::net::TcpStream;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use tungstenite::{Error, Message};

/// The main time of the game that is measured.
pub(crate) const MAIN: Duration = Duration::from_secs(600);

/// The thinking time of a move.
const THINK: Duration = Duration::from_millis(20);

/// The read timeout of an attacker.
const GLANCE: Duration = Duration::from_millis(200);

/// An attack of a visitor who wants to slow others.
pub(crate) type Attack = fn(&RoomServer, &AtomicBool);

/// Ends the attacks when it is dropped, also where a player gives up.
pub(crate) struct End<'a>(pub(crate) &'a AtomicBool);

impl Drop for End<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// The measurements of the players.
#[derive(Default)]
pub(crate) struct Seen {
    /// The time of each move to the other player, sorted by [`play_under`].
    pub(crate) latencies: Vec<Duration>,
    /// The largest charge of a move beyond its thinking time.
    pub(crate) overcharge: Duration,
}

impl Seen {
    pub(crate) fn at(&self, part: f64) -> Duration {
        self.latencies[((self.latencies.len() - 1) as f64 * part) as usize]
    }

    /// The figures in one line.
    pub(crate) fn summary(&self) -> String {
        let (median, high, longest) = (self.at(0.5), self.at(0.99), self.at(1.0));
        format!(
            "{} moves, median {median:?}, 99th percentile {high:?}, longest {longest:?}, \
             charged {:?} too much at most",
            self.latencies.len(),
            self.overcharge
        )
    }

    /// Returns true if the figures are those of a server that no attack slows.
    pub(crate) fn is_quick(&self) -> bool {
        let limit = Duration::from_millis;
        self.at(0.5) < limit(20) && self.at(0.99) < limit(100) && self.overcharge < limit(50)
    }
}

/// Two people play for a time, while others attack.
fn play_under(server: &RoomServer, attacks: &[Attack], time: Duration) -> Seen {
    let clock = json!({ "kind": "sudden_death", "main_ms": MAIN.as_millis() as u64 });
    let (mut anna, mut bela, _) = pair(server, &json!({ "rated": true, "clock": clock }));
    let is_over = AtomicBool::new(false);
    let mut seen = Seen::default();
    std::thread::scope(|scope| {
        let end_of_attacks = End(&is_over);
        for attack in attacks {
            scope.spawn(|| attack(server, &is_over));
        }
        // The attackers begin.
        std::thread::sleep(Duration::from_millis(500));
        let end = Instant::now() + time;
        seen = play_game([&mut anna, &mut bela], THINK, |_| Instant::now() < end);
        drop(end_of_attacks);
    });
    seen.latencies.sort();
    seen
}

/// Two people who are in the room of their game play while `goes_on` says so of the number of stones.
pub(crate) fn play_game(
    players: [&mut Visitor; 2],
    think: Duration,
    goes_on: impl Fn(usize) -> bool,
) -> Seen {
    let [first, second] = players;
    let mut seen = Seen::default();
    let mut told = Instant::now();
    let mut used = [Duration::ZERO; 2];
    for (ply, point) in (0..).zip(points_without_a_five(15)) {
        if !goes_on(ply) {
            break;
        }
        let (mover, other) = match ply % 2 {
            0 => (&mut *first, &mut *second),
            _ => (&mut *second, &mut *first),
        };
        std::thread::sleep(think);
        let thought = told.elapsed();
        let sent = Instant::now();
        mover.play(&point, ply);
        let room = other.stones(ply + 1);
        told = Instant::now();
        seen.latencies.push(sent.elapsed());
        mover.stones(ply + 1);
        let now_used = clocks(&room);
        let charged = now_used[ply % 2].saturating_sub(used[ply % 2]);
        // The first turn began long ago.
        if ply > 0 {
            seen.overcharge = seen.overcharge.max(charged.saturating_sub(thought));
        }
        used = now_used;
    }
    seen
}

/// The time that both have used.
fn clocks(room: &Value) -> [Duration; 2] {
    quincunx_testing::visitor::time_used(room, MAIN)
}

/// Points of a board of this size in an order in which neither side gets more than two in a row.
pub(crate) fn points_without_a_five(size: usize) -> Vec<String> {
    let (mut black, mut white) = (Vec::new(), Vec::new());
    for y in 0..size {
        for x in 0..size {
            let point = format!("{}{}", (b'a' + x as u8) as char, y + 1);
            match (x / 2 + y) % 2 {
                0 => black.push(point),
                _ => white.push(point),
            }
        }
    }
    let pairs = black.into_iter().zip(white);
    pairs.flat_map(|(black, white)| [black, white]).collect()
}

/// A client of a socket that is not waited for.
pub(crate) fn attacker(server: &RoomServer, path: &str) -> Client {
    let client = Client::at(server.get(), path);
    let stream = client.socket.get_ref();
    stream.set_read_timeout(Some(GLANCE)).unwrap();
    stream.set_write_timeout(Some(GLANCE)).unwrap();
    client
}

/// Sends a message and waits for an answer of this type, again and again.
fn repeat(client: &mut Client, message: &Value, kind: &str, is_over: &AtomicBool) {
    let kind = format!("\"type\":\"{kind}\"");
    while !is_over.load(Ordering::Relaxed) {
        match client.socket.send(Message::text(message.to_string())) {
            Ok(()) => {}
            Err(Error::Io(error)) if is_timeout(&error) => continue,
            Err(_) => return,
        }
        while !is_over.load(Ordering::Relaxed) {
            match client.socket.read() {
                Ok(Message::Text(text)) if text.contains(&kind) => break,
                Ok(_) => {}
                Err(Error::Io(error)) if is_timeout(&error) => {}
                Err(_) => return,
            }
        }
    }
}

pub(crate) fn is_timeout(error: &std::io::Error) -> bool {
    matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut)
}

/// A long game as a GIF.
fn exports(server: &RoomServer, is_over: &AtomicBool) {
    let mut client = attacker(server, "socket");
    client.send(&json!({ "type": "hello", "version": 1 }));
    let moves = points_without_a_five(22)[..440].concat();
    client.send(&json!({ "type": "open", "text": format!("22 freestyle {moves}") }));
    let export = json!({ "type": "export", "format": "gif" });
    repeat(&mut client, &export, "exported", is_over);
}

/// A file as large as messages may be.
fn opens(server: &RoomServer, is_over: &AtomicBool) {
    let mut client = attacker(server, "socket");
    client.send(&json!({ "type": "hello", "version": 1 }));
    let remark = "x".repeat(40);
    let moves = format!(";B[]C[{remark}];W[]").repeat(9_900);
    let open = json!({ "type": "open", "text": format!("(;GM[4]SZ[15]{moves})") });
    repeat(&mut client, &open, "state", is_over);
}

/// An engine that thinks all the time.
fn analyses(server: &RoomServer, is_over: &AtomicBool) {
    let mut client = attacker(server, "socket");
    client.send(&json!({ "type": "hello", "version": 1 }));
    client.send(&json!({ "type": "open", "text": "15 freestyle h8i9g7" }));
    client.send(&json!({ "type": "analyse", "lines": 5 }));
    while !is_over.load(Ordering::Relaxed) {
        let _ = client.socket.read();
    }
}

/// The lists of the lobby and the ratings, as fast as they come.
fn lists(server: &RoomServer, is_over: &AtomicBool) {
    let mut client = attacker(server, "rooms/socket");
    let key = format!("{:032x}", u128::MAX);
    client.send(&json!({ "type": "hello", "version": 1, "key": key }));
    repeat(&mut client, &json!({ "type": "leave" }), "lobby", is_over);
}

/// The page, over and over.
fn pages(server: &RoomServer, is_over: &AtomicBool) {
    let address = &server.get().address;
    let request = format!("GET /style.css HTTP/1.1\r\nHost: {address}\r\n\r\n").repeat(20);
    let mut buffer = [0; 1 << 16];
    while !is_over.load(Ordering::Relaxed) {
        let mut stream = TcpStream::connect(address).unwrap();
        stream.set_read_timeout(Some(GLANCE)).unwrap();
        stream.set_write_timeout(Some(GLANCE)).unwrap();
        while stream.write_all(request.as_bytes()).is_ok() && !is_over.load(Ordering::Relaxed) {
            if !matches!(stream.read(&mut buffer), Ok(1..)) {
                break;
            }
        }
    }
}

/// QR codes of texts as long as they may be.
fn codes(server: &RoomServer, is_over: &AtomicBool) {
    let text = "x".repeat(300);
    while !is_over.load(Ordering::Relaxed) {
        let answer = quincunx_testing::client::post(server.get(), "/qr", &text);
        assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
    }
}

/// Searches for games of a rule that was never played, each search as soon as the last is
/// answered.
fn searches(server: &RoomServer, is_over: &AtomicBool) {
    while !is_over.load(Ordering::Relaxed) {
        quincunx_testing::client::get(server.get(), "/games?rule=caro", &[]);
    }
}

/// Copies of the database, one after another.
fn backups(server: &RoomServer, is_over: &AtomicBool) {
    let copy = server.database().with_file_name("copy.db");
    while !is_over.load(Ordering::Relaxed) {
        text(&admin(server, &["backup", copy.to_str().unwrap()]));
        std::fs::remove_file(&copy).unwrap();
    }
}

/// A club where so many games have been played.
fn full_club(games: u64) -> RoomServer {
    let folder = tempfile::TempDir::new().unwrap();
    let path = folder.path().join("club.db");
    let store = ClubStore::open(Some(&path)).unwrap();
    let moves = points_without_a_five(15)[..60].concat();
    let game = FinishedGame {
        number: 0,
        room: RoomId(255),
        setup: RoomSetup {
            rule: Rule::Freestyle,
            size: BoardSize::default(),
            opening: OpeningRule::Free,
            clock: ClockRule::SuddenDeath { main_ms: 60_000 },
            rated: true,
        },
        players: [PersonId([0x11; 32]), PersonId([0x22; 32])].map(Occupant::Person),
        names: ["Carl".to_owned(), "Dora".to_owned()],
        black: Some(Seat::First),
        moves,
        outcome: Outcome {
            winner: Some(Seat::First),
            reason: Termination::Resignation,
        },
        ended: 1_700_000_000,
        rated: true,
        weight: 1.0,
        private: false,
        one_address: false,
        choices: Vec::new(),
        offers: Vec::new(),
    };
    let change = |number| {
        let game = game.clone();
        StoreWrite::Game(Box::new(FinishedGame { number, ..game }))
    };
    let changes: Vec<StoreWrite> = (1..=games).map(change).collect();
    store.commit(&changes).unwrap();
    drop(store);
    RoomServer::start_from(&path)
}

/// A copy of the database is made while moves are kept in it, and a person is kept out, which
/// recomputes all ratings.
#[test]
fn backups_and_bans_delay_no_move() {
    let mut tries = Vec::new();
    // Other programs on the machine slow everything for a while: the best of three counts.
    for _ in 0..3 {
        let calm = play_under(&RoomServer::start(), &[], Duration::from_secs(1)).at(0.95);
        let server = full_club(5_000);
        let seen = play_under(&server, &[backups, bans], Duration::from_secs(3));
        let (moves, longest) = (seen.latencies.len(), seen.at(0.95));
        // The percentile of two moves says nothing.
        if moves > 20 && longest < Duration::from_millis(100) + 3 * calm {
            return;
        }
        tries.push((moves, longest, calm));
    }
    panic!("moves, 95th percentile, and the same without an attack: {tries:?}");
}

/// Pictures were once drawn on the thread that serves rooms, and counted as any request: a move
/// waited for one of each attacker, a second in all.
#[test]
fn pictures_delay_no_move() {
    let mut tries = Vec::new();
    // Other programs on the machine slow everything for a while: the best of three counts.
    for _ in 0..3 {
        let attacks = [codes as Attack; 48];
        let seen = play_under(&RoomServer::start(), &attacks, Duration::from_secs(2));
        let (moves, median) = (seen.latencies.len(), seen.at(0.5));
        if median < Duration::from_millis(300) {
            return;
        }
        tries.push((moves, median));
    }
    panic!("moves and median: {tries:?}");
}

/// A person who is banned and let in again.
fn bans(server: &RoomServer, is_over: &AtomicBool) {
    let mut carl = attacker(server, "rooms/socket");
    let key = format!("{:032x}", 77);
    carl.send(&json!({ "type": "hello", "version": 1, "key": key }));
    carl.send(&json!({ "type": "rename", "name": "Emil" }));
    std::thread::sleep(GLANCE);
    while !is_over.load(Ordering::Relaxed) {
        text(&admin(server, &["ban", "Emil"]));
        text(&admin(server, &["unban", "Emil"]));
    }
}

/// All attacks at once.
pub(crate) fn everything() -> Vec<Attack> {
    let mut attacks: Vec<Attack> = vec![lists, pages];
    for attack in [exports as Attack, opens, analyses] {
        attacks.extend([attack; 3]);
    }
    attacks
}

/// A tester that shares its processors with the attackers is slow too: the bounds are wide,
/// but a server that makes GIFs on the thread that serves rooms takes seconds.
#[test]
fn a_busy_visitor_slows_no_other() {
    let mut tries = Vec::new();
    // Other programs on the machine slow everything for a while: the best of three counts.
    for _ in 0..3 {
        let seen = play_under(&RoomServer::start(), &everything(), Duration::from_secs(4));
        let (moves, median) = (seen.latencies.len(), seen.at(0.5));
        let is_quick = moves > 20 && median < Duration::from_millis(200);
        if is_quick && seen.overcharge < Duration::from_millis(500) {
            return;
        }
        tries.push((moves, median, seen.overcharge));
    }
    panic!("moves, median and overcharge: {tries:?}");
}

/// `cargo test --release --test board -- --ignored --nocapture under_attack`
#[test]
#[ignore = "takes a minute, and needs a quiet machine"]
#[allow(clippy::print_stdout)]
fn moves_under_attack() {
    let all = everything();
    let attacks: [(&str, &[Attack]); 10] = [
        ("no attack", &[]),
        ("exports", &[exports as Attack; 10]),
        ("opens", &[opens as Attack; 10]),
        ("analyses", &[analyses as Attack; 10]),
        ("lists", &[lists]),
        ("pages", &[pages as Attack; 10]),
        ("codes", &[codes as Attack; 24]),
        ("searches", &[searches as Attack; 4]),
        ("backups", &[backups as Attack]),
        ("all at once", &all),
    ];
    let mut failed = Vec::new();
    for (name, attacks) in attacks {
        let server = if ["backups", "searches"].contains(&name) {
            full_club(20_000)
        } else {
            RoomServer::start()
        };
        let seen = play_under(&server, attacks, Duration::from_secs(8));
        println!("{name}: {}", seen.summary());
        if !seen.is_quick() {
            failed.push(name);
        }
    }
    assert!(failed.is_empty(), "{failed:?}");
}
