//! The border to C, and the only file of the bindings with `unsafe` in it.
//!
//! It needs it for two things that Rust cannot check. A pointer from C becomes a reference: the
//! caller promises, as the header says, that a handle comes from `quincunx_new` and was not
//! freed, and that a place for a result is either null or valid for writing. Null is checked. And functions are
//! exported by name, which must be theirs alone: all begin with `quincunx_`. Handles are shared
//! references behind a lock, so calls of several threads at once are no data race. No panic
//! crosses the border.
#![allow(unsafe_code)]

use crate::engine::QuincunxEngine;
use quincunx_engine::game::Game;
use quincunx_engine::rules::{BoardSize, Color, Point, Rule};
use std::ffi::c_void;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr;

/// What became of a call. Only a call that is `Ok` has written results.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum QuincunxStatus {
    /// It did what it says.
    Ok = 0,
    /// A handle is null.
    Null = 1,
    /// Another thread uses the handle.
    Busy = 2,
    /// The point is off the board.
    OffBoard = 3,
    /// The point has a stone.
    Taken = 4,
    /// The point is forbidden.
    Forbidden = 5,
    /// The game is over.
    Over = 6,
    /// There is nothing to take back.
    NothingToUndo = 7,
    /// There is no such rule, or no board of this size.
    Invalid = 8,
    /// The limit was reached first.
    Unknown = 9,
    /// The engine has failed. The handle is of no more use than to be freed.
    Panicked = 10,
}

/// The rule of a game.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum QuincunxRule {
    /// Five or more in a row win.
    Freestyle = 0,
    /// Exactly five in a row win.
    Standard = 1,
    /// Black has forbidden points and wins with exactly five.
    Renju = 2,
    /// Exactly five in a row win, unless the opponent's stones stand at both ends.
    Caro = 3,
    /// As caro, but six or more always win.
    CaroOverline = 4,
}

/// How far a search goes. 0 is no limit, and of memory and threads the default. Without any limit
/// a search goes on until it is stopped.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub struct QuincunxLimits {
    /// The time.
    pub milliseconds: u64,
    /// The number of nodes.
    pub nodes: u64,
    /// The depth in plies.
    pub depth: u32,
    /// The size of the transposition table in KiB.
    pub memory_kib: u32,
    /// The number of search threads.
    pub threads: u32,
}

/// What a search has found so far.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub struct QuincunxLine {
    /// The depth of the last complete iteration.
    pub depth: u32,
    /// The value for the side to move; 200 units are one logit.
    pub score: i32,
    /// The chance of the side to move to win, from 0 to 1.
    pub chance: f64,
    /// The number of nodes.
    pub nodes: u64,
    /// The column of the best move.
    pub x: u32,
    /// The row of the best move.
    pub y: u32,
}

/// A point: column from the left and row from the bottom, both from zero.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct QuincunxPoint {
    /// The column.
    pub x: u32,
    /// The row.
    pub y: u32,
}

/// Hears of every line of a search, on the thread that searches. It may call nothing but
/// `quincunx_stop` with the same handle, and must return: no exception or `longjmp` leaves it.
pub type QuincunxListener =
    Option<unsafe extern "C" fn(line: *const QuincunxLine, data: *mut c_void)>;

/// The point of a proof's line that stands for a move that prevents nothing.
pub const QUINCUNX_ANY: u32 = u32::MAX;

impl From<Point> for QuincunxPoint {
    fn from(point: Point) -> QuincunxPoint {
        match point {
            Point::NONE => QuincunxPoint {
                x: QUINCUNX_ANY,
                y: QUINCUNX_ANY,
            },
            point => QuincunxPoint {
                x: point.x() as u32,
                y: point.y() as u32,
            },
        }
    }
}

/// The rule of this number: C may pass any.
fn rule(number: u32) -> Result<Rule, QuincunxStatus> {
    let rule = usize::try_from(number)
        .ok()
        .and_then(|at| Rule::ALL.get(at));
    rule.copied().ok_or(QuincunxStatus::Invalid)
}

fn size(width: u32, height: u32) -> Result<BoardSize, QuincunxStatus> {
    BoardSize::new(width as usize, height as usize).map_err(|_| QuincunxStatus::Invalid)
}

fn point(game: &Game, x: u32, y: u32) -> Result<Point, QuincunxStatus> {
    let point = game.size().point(x as usize, y as usize);
    point.ok_or(QuincunxStatus::OffBoard)
}

/// Does something with a handle and keeps panics on this side of the border.
///
/// # Safety
/// `engine` is null or a handle that was not freed.
unsafe fn call(
    engine: *const QuincunxEngine,
    act: impl FnOnce(&QuincunxEngine) -> Result<(), QuincunxStatus>,
) -> QuincunxStatus {
    // SAFETY: the caller's promise.
    let Some(engine) = (unsafe { engine.as_ref() }) else {
        return QuincunxStatus::Null;
    };
    match catch_unwind(AssertUnwindSafe(|| act(engine))) {
        Ok(Ok(())) => QuincunxStatus::Ok,
        Ok(Err(status)) => status,
        Err(_) => QuincunxStatus::Panicked,
    }
}

/// Writes a result to where the caller wants it, if anywhere.
///
/// # Safety
/// `place` is null or valid for writing.
unsafe fn put<T>(place: *mut T, value: T) {
    if !place.is_null() {
        // SAFETY: the caller's promise.
        unsafe { place.write(value) }
    }
}

/// Makes an engine with an empty board. Returns null where there is no such rule or size.
/// `quincunx_free` ends it.
#[unsafe(no_mangle)]
pub extern "C" fn quincunx_new(rule_number: u32, width: u32, height: u32) -> *mut QuincunxEngine {
    let made = catch_unwind(|| {
        let engine = QuincunxEngine::new(rule(rule_number)?, size(width, height)?);
        Ok::<_, QuincunxStatus>(Box::into_raw(Box::new(engine)))
    });
    made.ok().and_then(Result::ok).unwrap_or(ptr::null_mut())
}

/// Frees an engine. No other call may use it now or later. Null is passed over.
///
/// # Safety
/// `engine` is null or comes from `quincunx_new`, was not freed, and nothing uses it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn quincunx_free(engine: *mut QuincunxEngine) {
    if !engine.is_null() {
        // SAFETY: the caller's promise: the handle was made by `Box::into_raw`.
        let engine = unsafe { Box::from_raw(engine) };
        let _ = catch_unwind(AssertUnwindSafe(|| drop(engine)));
    }
}

/// Begins another game. What the engine knows stays.
///
/// # Safety
/// `engine` is null or a handle that was not freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn quincunx_new_game(
    engine: *const QuincunxEngine,
    rule_number: u32,
    width: u32,
    height: u32,
) -> QuincunxStatus {
    let act = |engine: &QuincunxEngine| {
        let (rule, size) = (rule(rule_number)?, size(width, height)?);
        engine.with(|state| {
            state.begin(rule, size);
            Ok(())
        })
    };
    // SAFETY: the caller's promise.
    unsafe { call(engine, act) }
}

/// The side to move plays a point.
///
/// # Safety
/// `engine` is null or a handle that was not freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn quincunx_play(
    engine: *const QuincunxEngine,
    x: u32,
    y: u32,
) -> QuincunxStatus {
    let act = |engine: &QuincunxEngine| {
        engine.with(|state| {
            let point = point(state.game(), x, y)?;
            state.play(point)
        })
    };
    // SAFETY: the caller's promise.
    unsafe { call(engine, act) }
}

/// Takes the last move back.
///
/// # Safety
/// `engine` is null or a handle that was not freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn quincunx_undo(engine: *const QuincunxEngine) -> QuincunxStatus {
    let act = |engine: &QuincunxEngine| {
        engine.with(|state| match state.game().undo() {
            true => Ok(()),
            false => Err(QuincunxStatus::NothingToUndo),
        })
    };
    // SAFETY: the caller's promise.
    unsafe { call(engine, act) }
}

/// Whether the game is over: `is_over` is 0 or 1, `winner` 0 for none, 1 for black, 2 for white.
/// Either may be null. A game of renju in which every point left is forbidden is a draw.
///
/// # Safety
/// `engine` is null or a handle that was not freed; the others are null or valid for writing.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn quincunx_result(
    engine: *const QuincunxEngine,
    is_over: *mut i32,
    winner: *mut i32,
) -> QuincunxStatus {
    let act = |engine: &QuincunxEngine| {
        engine.with(|state| {
            let result = state.game().result();
            let number = match result.and_then(|result| result.winner) {
                None => 0,
                Some(Color::Black) => 1,
                Some(Color::White) => 2,
            };
            // SAFETY: the caller's promise.
            unsafe { put(is_over, i32::from(result.is_some())) }
            // SAFETY: the caller's promise.
            unsafe { put(winner, number) }
            Ok(())
        })
    };
    // SAFETY: the caller's promise.
    unsafe { call(engine, act) }
}

/// Finds a move, which is not played, and writes it to `best`. Searches on the calling thread,
/// which needs 16 MiB of stack. `listener` may be null; `data` is passed to it.
///
/// # Safety
/// `engine` is null or a handle that was not freed; `limits` is null or valid for reading, `best`
/// null or valid for writing; `listener` may be called with `data` until this call returns.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn quincunx_think(
    engine: *const QuincunxEngine,
    limits: *const QuincunxLimits,
    listener: QuincunxListener,
    data: *mut c_void,
    best: *mut QuincunxPoint,
) -> QuincunxStatus {
    // SAFETY: the caller's promise.
    let limits = unsafe { limits.as_ref() }.copied().unwrap_or_default();
    let mut report = |line: &QuincunxLine| {
        if let Some(listener) = listener {
            // SAFETY: the caller's promise.
            unsafe { listener(line, data) }
        }
    };
    let act = |engine: &QuincunxEngine| {
        let point = engine.think(&limits, &mut report)?;
        // SAFETY: the caller's promise.
        unsafe { put(best, point.into()) }
        Ok(())
    };
    // SAFETY: the caller's promise.
    unsafe { call(engine, act) }
}

/// Makes the search that runs answer with the best it has, within a few milliseconds. Any thread
/// may call it at any time; a search that begins afterwards is not stopped.
///
/// # Safety
/// `engine` is null or a handle that was not freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn quincunx_stop(engine: *const QuincunxEngine) -> QuincunxStatus {
    let act = |engine: &QuincunxEngine| {
        engine.stop();
        Ok(())
    };
    // SAFETY: the caller's promise.
    unsafe { call(engine, act) }
}

/// Looks for a forced win of the side to move, trying at most `nodes` moves. Writes the line of
/// the longest defence to `line`, up to `room` points of it, and its length to `length`, which is
/// 0 where there is no win by threats. `QUINCUNX_ANY` stands for a move that prevents nothing.
/// The status is `Unknown` where the limit came first, `Over` where the game has ended. Needs 16 MiB
/// of stack.
///
/// # Safety
/// `engine` is null or a handle that was not freed; `line` is null or valid for writing `room`
/// points, `length` null or valid for writing.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn quincunx_solve(
    engine: *const QuincunxEngine,
    nodes: u64,
    line: *mut QuincunxPoint,
    room: usize,
    length: *mut usize,
) -> QuincunxStatus {
    let act = |engine: &QuincunxEngine| {
        let found = engine.solve(nodes)?;
        // SAFETY: the caller's promise.
        unsafe { put(length, found.len()) }
        let room = if line.is_null() { 0 } else { room };
        for (at, point) in found.into_iter().take(room).enumerate() {
            // SAFETY: the caller's promise: `at` is below `room`, and `line` is not null.
            unsafe { line.add(at).write(point.into()) }
        }
        Ok(())
    };
    // SAFETY: the caller's promise.
    unsafe { call(engine, act) }
}

/// Whether the side to move may play a point: `Ok`, `Forbidden`, `Taken`, `OffBoard` or `Over`.
///
/// # Safety
/// `engine` is null or a handle that was not freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn quincunx_check(
    engine: *const QuincunxEngine,
    x: u32,
    y: u32,
) -> QuincunxStatus {
    let act = |engine: &QuincunxEngine| {
        engine.with(|state| {
            let point = point(state.game(), x, y)?;
            state.check(point)
        })
    };
    // SAFETY: the caller's promise.
    unsafe { call(engine, act) }
}

/// Writes the value for the side to move, without a search, to `score`: 200 units are one logit.
///
/// # Safety
/// `engine` is null or a handle that was not freed; `score` is null or valid for writing.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn quincunx_evaluate(
    engine: *const QuincunxEngine,
    score: *mut i32,
) -> QuincunxStatus {
    let act = |engine: &QuincunxEngine| {
        engine.with(|state| {
            let value = state.evaluate();
            // SAFETY: the caller's promise.
            unsafe { put(score, value) }
            Ok(())
        })
    };
    // SAFETY: the caller's promise.
    unsafe { call(engine, act) }
}
