//! A tournament's judge, as the Gomocup's is: it writes the terms at once and suspends the
//! program from then on but for its own moves, counts its memory, and gives it hardly any time
//! when a game has been long.
//!
//! A machine that is lent to others too may stand still now and then. A program that is late
//! is so again: what was late is tried again.

#![cfg(unix)]
#![allow(clippy::unwrap_used)]

use quincunx_engine::position::Position;
use quincunx_engine::rules::{BoardSize, Point, Rule};
use quincunx_testing::process::Process;
use rustix::process::{Pid, Signal, kill_process};
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// The memory that a program may have.
const MEMORY: u64 = 350 << 20;

/// For a move.
const TURN: Duration = Duration::from_millis(40);

/// For all moves of a side.
const GAME: Duration = Duration::from_millis(600);

/// How much later than its time a move may come.
const TOLERANCE: Duration = Duration::from_secs(1);

/// How often a game or a move may be played.
const TRIES: usize = 5;

/// A side of a game.
struct Side {
    process: Process,
    used: Duration,
    moves: u32,
    /// Whether a move came later than the judge bears.
    was_late: bool,
}

impl Side {
    /// Starts a program and suspends it before it can answer.
    fn start((_, code): (Rule, u8), size: BoardSize, folder: &Path) -> Side {
        let mut process = Process::start(&[]);
        process.send(&format!(
            "START {}\r\nINFO timeout_turn {}\r\nINFO timeout_match {}\r\nINFO max_memory {MEMORY}\r\n\
             INFO game_type 1\r\nINFO rule {code}\r\nINFO folder {}\r\n",
            size.width(),
            TURN.as_millis(),
            GAME.as_millis(),
            folder.display()
        ));
        let side = Side {
            process,
            used: Duration::ZERO,
            moves: 0,
            was_late: false,
        };
        side.signal(Signal::STOP);
        side
    }

    fn signal(&self, signal: Signal) {
        let id = Pid::from_raw(self.process.id() as i32).unwrap();
        kill_process(id, signal).unwrap();
    }

    /// Lets the program run until its move is there.
    fn next_move(&mut self, position: &Position) -> Point {
        let left = GAME.as_millis() as i64 - self.used.as_millis() as i64;
        let mut request = format!("INFO time_left {left}\r\n");
        if self.moves == 0 {
            request += "BOARD\r\n";
            for back in (1..=position.ply()).rev() {
                let point = position.recent(back).unwrap();
                let player = if back % 2 == 0 { 1 } else { 2 };
                let _ = write!(request, "{},{},{player}\r\n", point.x(), point.y());
            }
            request += "DONE\r\n";
        } else {
            let last = position.recent(1).unwrap();
            let _ = write!(request, "TURN {},{}\r\n", last.x(), last.y());
        }
        self.process.send(&request);
        let begun = Instant::now();
        self.signal(Signal::CONT);
        if self.moves == 0 {
            self.process.expect("OK");
        }
        let (x, y) = self.process.next_move();
        let time = begun.elapsed();
        self.signal(Signal::STOP);
        self.was_late |= time >= TURN.min(GAME.saturating_sub(self.used)) + TOLERANCE;
        if let Some(peak) = self.process.peak_memory() {
            assert!(peak <= MEMORY, "{} MiB were used", peak >> 20);
        }
        self.used += time;
        self.moves += 1;
        position.size().point(x, y).unwrap()
    }

    /// Ends the program, and says whether it was always in time.
    fn end(mut self) -> bool {
        self.signal(Signal::CONT);
        self.process.send("END\r\n");
        let code = self.process.exit_within(Duration::from_secs(2));
        assert_eq!(code, Some(0));
        !self.was_late
    }
}

/// A new and empty folder that a program may write to.
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir(&folder).unwrap();
    folder
}

fn play(rule: (Rule, u8), size: usize) {
    let in_time = (0..TRIES).any(|_| is_in_time(rule, size));
    assert!(in_time, "a move was late in each of {TRIES} games");
}

/// Plays a game, and says whether every move was in time.
fn is_in_time(rule: (Rule, u8), size: usize) -> bool {
    let size = BoardSize::square(size).unwrap();
    let folder = folder(&format!("judge-{}-{}", rule.1, size.width()));
    let mut position = Position::from_moves(rule.0, size, "h8h9j9").unwrap();
    let mut sides = [(); 2].map(|()| Side::start(rule, size, &folder));
    while !position.won() && position.empty_points() > 0 && position.ply() < 80 {
        let point = sides[position.ply() % 2].next_move(&position);
        assert!(position.is_legal(point), "{point} after {position:?}");
        position.play(point);
    }
    assert!(position.ply() >= 9);
    let in_time = sides.map(Side::end);
    assert_eq!(fs::read_dir(folder).unwrap().count(), 0, "files were left");
    in_time == [true; 2]
}

#[test]
fn freestyle_on_20() {
    play((Rule::Freestyle, 0), 20);
}

#[test]
fn standard() {
    play((Rule::Standard, 1), 15);
}

#[test]
fn renju() {
    play((Rule::Renju, 4), 15);
}

#[test]
fn caro() {
    play((Rule::CaroOverline, 8), 15);
    play((Rule::Caro, 9), 15);
}

/// At the end of a long game a program has to answer from what it has. The tolerance of a
/// judge is no time to think.
#[test]
fn moves_come_with_hardly_any_time_left() {
    const DELAY: Duration = Duration::from_millis(40);
    for left in [50, 20, 10, 5, 1, 0, -1, -900] {
        let allowed = Duration::from_millis(i64::max(left, 0) as u64) + DELAY;
        let quickest = (0..TRIES).map(|_| {
            let mut engine = Process::start(&[]);
            engine.send(&format!(
                "START 20\nINFO timeout_turn 30000\nINFO timeout_match 180000\nINFO max_memory {MEMORY}\n"
            ));
            engine.expect("OK");
            // Loads the weights and the tables, as an earlier move has.
            engine.send("INFO time_left 200\nBOARD\n9,9,2\n10,10,1\n8,10,2\nDONE\n");
            engine.next_move();
            engine.send(&format!("INFO time_left {left}\nTURN 15,15\n"));
            let asked = Instant::now();
            engine.next_move();
            asked.elapsed()
        });
        let quickest = quickest.min().unwrap();
        assert!(quickest < allowed, "{quickest:?} with {left} ms left");
    }
}
