//! The border as callers use it, and the examples, where a C compiler and Python are.

#![allow(unsafe_code, clippy::unwrap_used)]

use quincunx::*;
use std::ffi::c_void;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::ptr;
use std::time::{Duration, Instant};

/// A handle that ends with the test.
struct Handle(*mut QuincunxEngine);

impl Handle {
    fn new(rule: QuincunxRule, side: u32) -> Handle {
        let engine = quincunx_new(rule as u32, side, side);
        assert!(!engine.is_null());
        Handle(engine)
    }

    fn play(&self, points: &[(u32, u32)]) {
        for &(x, y) in points {
            // SAFETY: the handle lives as long as this value.
            assert_eq!(unsafe { quincunx_play(self.0, x, y) }, QuincunxStatus::Ok);
        }
    }

    fn think(&self, limits: QuincunxLimits) -> (QuincunxStatus, QuincunxPoint) {
        let mut best = QuincunxPoint::default();
        // SAFETY: the handle and the places live.
        let status = unsafe { quincunx_think(self.0, &limits, None, ptr::null_mut(), &mut best) };
        (status, best)
    }
}

impl Drop for Handle {
    fn drop(&mut self) {
        // SAFETY: nothing uses it any more.
        unsafe { quincunx_free(self.0) }
    }
}

#[test]
fn nonsense_is_refused() {
    for (rule, width, height) in [
        (5, 15, 15),
        (u32::MAX, 15, 15),
        (0, 4, 15),
        (0, 15, 23),
        (0, 0, u32::MAX),
    ] {
        assert!(quincunx_new(rule, width, height).is_null());
    }
    // SAFETY: null is allowed.
    unsafe {
        assert_eq!(quincunx_play(ptr::null(), 0, 0), QuincunxStatus::Null);
        assert_eq!(quincunx_stop(ptr::null()), QuincunxStatus::Null);
        quincunx_free(ptr::null_mut());
    }
    let handle = Handle::new(QuincunxRule::Freestyle, 9);
    handle.play(&[(4, 4)]);
    // SAFETY: the handle lives.
    unsafe {
        assert_eq!(quincunx_play(handle.0, 4, 4), QuincunxStatus::Taken);
        assert_eq!(quincunx_play(handle.0, 9, 0), QuincunxStatus::OffBoard);
        assert_eq!(
            quincunx_play(handle.0, u32::MAX, 0),
            QuincunxStatus::OffBoard
        );
        assert_eq!(
            quincunx_new_game(handle.0, 9, 15, 15),
            QuincunxStatus::Invalid
        );
        assert_eq!(quincunx_undo(handle.0), QuincunxStatus::Ok);
        assert_eq!(quincunx_undo(handle.0), QuincunxStatus::NothingToUndo);
    }
}

#[test]
fn a_game_is_won_and_over() {
    let handle = Handle::new(QuincunxRule::Freestyle, 9);
    handle.play(&[(3, 4), (0, 0), (4, 4), (0, 2), (5, 4), (0, 8)]);
    let (mut line, mut length) = ([QuincunxPoint::default(); 2], 0);
    // SAFETY: the handle and the places live.
    let status = unsafe { quincunx_solve(handle.0, 100_000, line.as_mut_ptr(), 2, &mut length) };
    assert_eq!((status, length), (QuincunxStatus::Ok, 3));
    handle.play(&[(6, 4), (7, 4), (2, 4)]);
    let (mut is_over, mut winner) = (0, 0);
    // SAFETY: the handle and the places live.
    unsafe { quincunx_result(handle.0, &mut is_over, &mut winner) };
    assert_eq!((is_over, winner), (1, 1));
    // SAFETY: the handle lives; null is allowed.
    let status = unsafe { quincunx_solve(handle.0, 100, ptr::null_mut(), 0, ptr::null_mut()) };
    assert_eq!(status, QuincunxStatus::Over);
    assert_eq!(
        handle.think(QuincunxLimits::default()).0,
        QuincunxStatus::Over
    );
}

#[test]
fn renju_has_forbidden_points() {
    let handle = Handle::new(QuincunxRule::Renju, 15);
    handle.play(&[
        (7, 7),
        (0, 0),
        (8, 7),
        (2, 14),
        (10, 4),
        (14, 14),
        (10, 5),
        (14, 0),
    ]);
    // SAFETY: the handle lives.
    unsafe {
        assert_eq!(quincunx_check(handle.0, 10, 7), QuincunxStatus::Forbidden);
        assert_eq!(quincunx_check(handle.0, 7, 7), QuincunxStatus::Taken);
        assert_eq!(quincunx_check(handle.0, 6, 6), QuincunxStatus::Ok);
        let mut score = i32::MAX;
        assert_eq!(quincunx_evaluate(handle.0, &mut score), QuincunxStatus::Ok);
        assert!(score.abs() <= 20_000);
    }
}

/// The only point left is the gap in black's row of seven.
#[test]
fn a_game_with_forbidden_points_only_is_a_draw() {
    let moves = "c5c4b3d5f4a2f1c3b2c2d3a3e1e2d2e3d4e4a1g5e5f5f2g2f3g3c1g4b4b5b1a4g1a5";
    let points: Vec<(u32, u32)> = (moves.as_bytes().chunks(2))
        .map(|name| (u32::from(name[0] - b'a'), u32::from(name[1] - b'1')))
        .collect();
    let handle = Handle(quincunx_new(QuincunxRule::Renju as u32, 7, 5));
    handle.play(&points);
    let (mut is_over, mut winner) = (0, 3);
    // SAFETY: the handle and the places live.
    unsafe { quincunx_result(handle.0, &mut is_over, &mut winner) };
    assert_eq!((is_over, winner), (1, 0));
    assert_eq!(
        handle.think(QuincunxLimits::default()).0,
        QuincunxStatus::Over
    );
    // SAFETY: the handle lives.
    unsafe {
        assert_eq!(quincunx_check(handle.0, 3, 0), QuincunxStatus::Over);
        assert_eq!(quincunx_undo(handle.0), QuincunxStatus::Ok);
        assert_eq!(quincunx_check(handle.0, 3, 0), QuincunxStatus::Ok);
    }
    let limits = QuincunxLimits {
        nodes: 100,
        ..QuincunxLimits::default()
    };
    let (status, best) = handle.think(limits);
    assert_eq!(status, QuincunxStatus::Ok);
    handle.play(&[(best.x, best.y)]);
}

/// Another thread is told that the handle is busy, and may stop the search.
#[test]
fn a_search_is_stopped_from_another_thread() {
    unsafe extern "C" fn count(_line: *const QuincunxLine, data: *mut c_void) {
        // SAFETY: the test passes a counter that lives.
        unsafe { &*data.cast::<std::sync::atomic::AtomicU32>() }
            .fetch_add(1, std::sync::atomic::Ordering::SeqCst);
    }
    let handle = Handle::new(QuincunxRule::Freestyle, 15);
    handle.play(&[(7, 7), (8, 8)]);
    let lines = std::sync::atomic::AtomicU32::new(0);
    let engine = handle.0 as usize;
    std::thread::scope(|scope| {
        let searching = std::thread::Builder::new()
            .stack_size(32 << 20)
            .spawn_scoped(scope, || {
                let mut best = QuincunxPoint::default();
                let data = (&raw const lines).cast_mut().cast();
                // SAFETY: the handle, the counter and the place live.
                let status = unsafe {
                    quincunx_think(
                        engine as *const _,
                        ptr::null(),
                        Some(count),
                        data,
                        &mut best,
                    )
                };
                (status, best, Instant::now())
            });
        while lines.load(std::sync::atomic::Ordering::SeqCst) < 2 {
            std::thread::sleep(Duration::from_millis(1));
        }
        // SAFETY: the handle lives.
        let status = unsafe { quincunx_play(engine as *const _, 0, 0) };
        assert_eq!(status, QuincunxStatus::Busy);
        let asked = Instant::now();
        // SAFETY: the handle lives.
        unsafe { quincunx_stop(engine as *const _) };
        let (status, best, done) = searching.unwrap().join().unwrap();
        assert_eq!(status, QuincunxStatus::Ok);
        assert!(done.saturating_duration_since(asked) < Duration::from_secs(5));
        // A stop that came before does not stop a search.
        handle.play(&[(best.x, best.y)]);
    });
    let limits = QuincunxLimits {
        depth: 3,
        ..QuincunxLimits::default()
    };
    assert_eq!(handle.think(limits).0, QuincunxStatus::Ok);
}

/// The folder of the built libraries.
fn libraries() -> PathBuf {
    let program = std::env::current_exe().unwrap();
    program.parent().unwrap().to_owned()
}

fn is_there(program: &str) -> bool {
    Command::new(program).arg("--version").output().is_ok()
}

fn moves(command: &mut Command) -> String {
    let output = command.output().unwrap();
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    String::from_utf8(output.stdout).unwrap().trim().to_owned()
}

/// The examples play the same game. They build with the C compiler's sanitizer for addresses
/// where it has one.
#[cfg(target_os = "linux")]
#[test]
fn the_examples_play() {
    if !is_there("cc") {
        eprintln!("no C compiler: skipped");
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let (here, libraries) = (Path::new(env!("CARGO_MANIFEST_DIR")), libraries());
    let build = |example: &str, more: &[&str]| {
        let program = folder.path().join(format!("{example}{}", more.len()));
        let built = Command::new("cc")
            .args(["-std=c99", "-Wall", "-Wextra", "-Werror", "-g"])
            .args(more)
            .arg(format!("-I{}", here.join("include").display()))
            .arg(here.join("examples").join(example).with_extension("c"))
            .arg(libraries.join("libquincunx.a"))
            .args(["-lpthread", "-ldl", "-lm", "-o"])
            .arg(&program)
            .status();
        built.unwrap().success().then_some(program)
    };
    let run = |program: &Path, arguments: &str| {
        let line = format!("ulimit -s 32768; exec \"$0\" {arguments}");
        moves(Command::new("sh").arg("-c").arg(line).arg(program))
    };
    let plain = build("play", &[]).expect("the example compiles");
    let game = run(&plain, "");
    assert_eq!(game.split(' ').count(), 12, "{game}");
    let memory = build("memory", &[]).expect("the example compiles");
    let told = run(&memory, "10");
    assert!(told.contains("after 10 games "), "{told}");
    match build("play", &["-fsanitize=address"]) {
        Some(checked) => assert_eq!(run(&checked, ""), game),
        None => eprintln!("no address sanitizer: not checked with one"),
    }
    if is_there("python3") {
        let mut python = Command::new("python3");
        python
            .arg(here.join("examples/play.py"))
            .arg(libraries.join("libquincunx.so"));
        assert_eq!(moves(&mut python), game);
    }
}

/// The header is what cbindgen makes of the source, where there is a cbindgen.
#[test]
fn the_header_is_up_to_date() {
    if !is_there("cbindgen") {
        eprintln!("no cbindgen: skipped");
        return;
    }
    let here = env!("CARGO_MANIFEST_DIR");
    let output = Command::new("cbindgen").current_dir(here).output().unwrap();
    let committed = std::fs::read_to_string(Path::new(here).join("include/quincunx.h")).unwrap();
    assert_eq!(String::from_utf8(output.stdout).unwrap(), committed);
}
