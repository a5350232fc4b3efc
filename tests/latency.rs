//! How long a manager waits for what should come at once, measured on the real
//! binary:
//! `QUINCUNX=target/release/quincunx cargo test --release --test latency -- --ignored --nocapture`

#![allow(clippy::unwrap_used, clippy::print_stdout)]

mod process;

use process::Process;
use std::time::{Duration, Instant};

const ROUNDS: usize = 300;

/// What may happen on a busy machine.
const BEARABLE: Duration = Duration::from_millis(250);

fn started() -> Process {
    let mut engine = Process::start(&[]);
    engine.send("START 15\nINFO max_memory 350000000\nINFO timeout_turn 600000\n");
    engine.expect("OK");
    engine
}

/// Sets the engine to a position of the middle game, where it thinks.
fn think(engine: &mut Process, round: usize) {
    let (x, y) = (round % 4, round / 4 % 4);
    engine.send(&format!(
        "BOARD\n7,7,2\n8,8,1\n6,9,2\n9,5,1\n{x},{y},2\nDONE\n"
    ));
    std::thread::sleep(Duration::from_millis(5 + round as u64 % 40));
}

fn report(what: &str, mut times: Vec<Duration>) {
    times.sort();
    let at = |part: usize| times[(times.len() * part / 100).min(times.len() - 1)];
    let ms = |time: Duration| time.as_secs_f64() * 1000.0;
    println!(
        "{what}: median {:.2} ms, p99 {:.2} ms, most {:.2} ms of {}",
        ms(at(50)),
        ms(at(99)),
        ms(at(100)),
        times.len()
    );
    assert!(at(99) < BEARABLE, "{what}");
}

#[test]
#[ignore = "a measurement"]
fn from_stop_to_the_move() {
    let mut engine = started();
    let times = (0..ROUNDS).map(|round| {
        think(&mut engine, round);
        let before = Instant::now();
        engine.send("YXSTOP\n");
        engine.expect("<MOVE>");
        before.elapsed()
    });
    report("STOP to move", times.collect());
}

#[test]
#[ignore = "a measurement"]
fn from_start_to_ok() {
    let mut engine = started();
    let times = (0..ROUNDS).map(|round| {
        think(&mut engine, round);
        engine.send("YXSTOP\n");
        engine.expect("<MOVE>");
        let before = Instant::now();
        engine.send("START 15\n");
        engine.expect("OK");
        before.elapsed()
    });
    report("START in a running process", times.collect());
}

#[test]
#[ignore = "a measurement"]
fn from_end_to_the_exit() {
    let times = (0..ROUNDS / 5).map(|round| {
        let mut engine = started();
        think(&mut engine, round);
        let before = Instant::now();
        engine.send("END\n");
        let code = engine.exit_within(Duration::from_secs(5));
        assert_eq!(code, Some(0));
        before.elapsed()
    });
    report("END to exit in mid-search", times.collect());
}
