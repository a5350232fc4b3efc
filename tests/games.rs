//! Whole games of the real binary against itself: moves legal, time and memory
//! kept.
//!
//! One test after another (one function), so that nothing else takes the
//! processor from an engine whose time is measured.

#![allow(clippy::unwrap_used)]

use quincunx_engine::position::Position;
use quincunx_engine::rules::{BoardSize, Point, Rule};
use quincunx_testing::process::Process;
use std::time::{Duration, Instant};

/// A manager's stamp comes a little later than the engine's line.
const TOLERANCE: Duration = Duration::from_millis(30);

/// A machine that is lent to others too may stand still for a quarter of a
/// second, more than once, which is not the engine's fault. An engine that takes
/// too long does so again: a late move is asked for so many times more, of a
/// fresh program.
const SECOND_CHANCES: usize = 6;

const MEMORY: u64 = 64 << 20;

/// What the manager tells both sides.
struct Terms {
    rule: (Rule, u8),
    size: usize,
    turn: u64,
    /// For a whole game of one side.
    game: Option<u64>,
}

#[test]
fn games_are_legal_and_in_time() {
    let terms = |rule, size, turn, game| Terms {
        rule,
        size,
        turn,
        game,
    };
    play(&terms((Rule::Freestyle, 0), 15, 50, None));
    play(&terms((Rule::Standard, 1), 20, 100, None));
    play(&terms((Rule::Freestyle, 0), 20, 30_000, Some(3_000)));
}

fn play(terms: &Terms) {
    let size = BoardSize::square(terms.size).unwrap();
    let mut position = Position::new(terms.rule.0, size);
    let mut engines = [sit_down(terms), sit_down(terms)];
    let mut left = [Duration::from_millis(terms.game.unwrap_or(u64::MAX)); 2];
    let mut last: Option<Point> = None;
    while !position.won() && position.empty_points() > 0 {
        let player = position.ply() % 2;
        let engine = &mut engines[player];
        let allowed = left[player].min(Duration::from_millis(terms.turn));
        if terms.game.is_some() {
            engine.send(&format!("INFO time_left {}\n", left[player].as_millis()));
        }
        let request = match last {
            None => "BEGIN\n".to_owned(),
            Some(point) => format!("TURN {},{}\n", point.x(), point.y()),
        };
        let asked = Instant::now();
        engine.send(&request);
        let (x, y) = engine.next_move();
        let used = asked.elapsed();
        let in_time = |used| used < allowed + TOLERANCE;
        assert!(
            in_time(used)
                || (0..SECOND_CHANCES).any(|_| in_time(ask_afresh(terms, left[player], &position))),
            "{used:?} of {allowed:?}, and each time again, after {position:?}"
        );
        left[player] = left[player].saturating_sub(used.min(allowed));
        let point = size
            .point(x, y)
            .unwrap_or_else(|| panic!("{x},{y} is off the board"));
        assert!(position.is_legal(point), "{point} after {position:?}");
        position.play(point);
        last = Some(point);
    }
    assert!(position.ply() >= 9);
    for engine in &mut engines {
        if let Some(peak) = engine.peak_memory() {
            assert!(peak <= MEMORY, "{} MiB were used", peak >> 20);
        }
        engine.send("END\n");
        assert_eq!(engine.exit_within(Duration::from_secs(2)), Some(0));
    }
}

/// How long a fresh engine takes for its first move, here, some time later.
fn ask_afresh(terms: &Terms, left: Duration, position: &Position) -> Duration {
    std::thread::sleep(Duration::from_millis(300));
    let mut engine = sit_down(terms);
    if terms.game.is_some() {
        engine.send(&format!("INFO time_left {}\n", left.as_millis()));
    }
    let mut board = "BOARD\n".to_owned();
    for back in (1..=position.ply()).rev() {
        let point = position.recent(back).unwrap();
        let player = if back % 2 == 0 { 1 } else { 2 };
        board += &format!("{},{},{player}\n", point.x(), point.y());
    }
    let asked = Instant::now();
    engine.send(&(board + "DONE\n"));
    engine.next_move();
    asked.elapsed()
}

fn sit_down(terms: &Terms) -> Process {
    let mut engine = Process::start(&[]);
    engine.send("ABOUT\n");
    engine.expect("name=\"Quincunx\"<TEXT>");
    engine.send(&format!("START {}\n", terms.size));
    engine.expect("OK");
    let game = terms.game.unwrap_or(0);
    engine.send(&format!(
        "INFO max_memory {MEMORY}\nINFO timeout_match {game}\nINFO timeout_turn {}\n",
        terms.turn,
    ));
    // A slow manager: the engine has prepared for another rule before it hears of
    // this one.
    std::thread::sleep(Duration::from_millis(100));
    engine.send(&format!("INFO game_type 1\nINFO rule {}\n", terms.rule.1));
    engine
}

/// Managers give an engine little time to say that it is there.
#[test]
fn start_is_answered_at_once() {
    let quickest = (0..5).map(|_| {
        let before = Instant::now();
        let mut engine = Process::start(&[]);
        engine.send("START 20\n");
        engine.expect("OK");
        before.elapsed()
    });
    let quickest = quickest.min().unwrap();
    assert!(quickest < Duration::from_millis(50), "{quickest:?}");
}
