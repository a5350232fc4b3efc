//! The engine for WebAssembly: one engine in a module, driven by plain numbers.
//!
//! The host passes two functions in `env`: `now()`, the time in milliseconds,
//! and `report(depth, score, nodes)`, which hears of each iteration. A point is
//! one number, `x + 256 * y`, both counted from the bottom left; functions that
//! may fail return a negative number.

use quincunx_engine::engine::{Engine, Event, MonotonicClock, Request};
use quincunx_engine::rules::{BoardSize, Point, Rule};
use std::cell::RefCell;
use std::time::Duration;

/// The transposition table's size in KiB.
const TABLE_KIB: i64 = 16 << 10;

/// What a function returns that could not do what it was asked for.
const REFUSED: i32 = -1;

#[link(wasm_import_module = "env")]
unsafe extern "C" {
    safe fn now() -> f64;
    safe fn report(depth: u32, score: i32, nodes: f64);
}

thread_local! {
    static ENGINE: RefCell<Engine> = RefCell::new(engine());
}

fn engine() -> Engine {
    let clock = || Duration::from_secs_f64(now().max(0.0) / 1000.0);
    let mut engine = Engine::new(MonotonicClock::new(clock));
    engine.options_mut().hash_size = TABLE_KIB;
    engine
}

/// Calls `action` on the engine; `None` is [`REFUSED`].
fn with_engine(action: impl FnOnce(&mut Engine) -> Option<i32>) -> i32 {
    ENGINE.with_borrow_mut(|engine| action(engine).unwrap_or(REFUSED))
}

fn number_of(point: Point) -> i32 {
    point.x() as i32 + 256 * point.y() as i32
}

/// Begins a game by a rule, numbered in the order of `Rule::ALL`.
#[unsafe(no_mangle)]
pub extern "C" fn new_game(width: u32, height: u32, rule: u32) -> i32 {
    with_engine(|engine| {
        let size = BoardSize::new(width as usize, height as usize).ok()?;
        engine.set_rule(*Rule::ALL.get(rule as usize)?);
        engine.new_game(size);
        Some(0)
    })
}

/// The side to move plays a point.
#[unsafe(no_mangle)]
pub extern "C" fn play(x: u32, y: u32) -> i32 {
    with_engine(|engine| {
        let point = engine.position().size().point(x as usize, y as usize)?;
        engine.play(point).ok().map(|()| 0)
    })
}

/// The engine plays for the side to move, within these milliseconds and nodes (0
/// is without limit). Returns its point.
#[unsafe(no_mangle)]
pub extern "C" fn think(milliseconds: u32, nodes: u32) -> i32 {
    with_engine(|engine| {
        let options = engine.options_mut();
        options.timeout_turn = (milliseconds > 0).then_some(i64::from(milliseconds));
        options.max_node = i64::from(nodes);
        let answer = engine.answer(Request::Move, &mut |event| {
            if let Event::Info(info) = event {
                report(info.depth, info.score.units(), info.nodes as f64);
            }
        });
        let answer = answer.ok()?;
        engine.finish(&answer).ok()?;
        answer.stones().first().map(|&point| number_of(point))
    })
}

/// Whether the last move has won: 1, or 0.
#[unsafe(no_mangle)]
pub extern "C" fn is_won() -> i32 {
    with_engine(|engine| Some(i32::from(engine.position().won())))
}
