//! How long a manager waits for what should come at once, measured on the real
//! binary:
//! `QUINCUNX=target/release/quincunx cargo test --release --test latency -- --ignored --nocapture`

#![allow(clippy::unwrap_used, clippy::print_stdout)]

use quincunx_testing::process::Process;
use std::time::{Duration, Instant};

const ROUNDS: usize = 300;

/// What may happen on a busy machine.
const BEARABLE: Duration = Duration::from_millis(250);

/// As managers have it, and as users of a GUI may.
const SETTINGS: [&str; 2] = ["", "INFO thread_num 2\nINFO pondering 1\n"];

fn started(settings: &str) -> Process {
    let mut engine = Process::start(&[]);
    engine.send("START 15\nINFO max_memory 350000000\nINFO timeout_turn 600000\n");
    engine.send(settings);
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

fn report(what: &str, settings: &str, mut times: Vec<Duration>) {
    times.sort();
    let at = |part: usize| times[(times.len() * part / 100).min(times.len() - 1)];
    let ms = |time: Duration| time.as_secs_f64() * 1000.0;
    println!(
        "{what}{}: median {:.2} ms, p99 {:.2} ms, most {:.2} ms of {}",
        settings.replace("INFO", ",").replace('\n', ""),
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
    for settings in SETTINGS {
        let mut engine = started(settings);
        let times = (0..ROUNDS).map(|round| {
            think(&mut engine, round);
            let before = Instant::now();
            engine.send("YXSTOP\n");
            engine.expect("<MOVE>");
            before.elapsed()
        });
        report("STOP to move", settings, times.collect());
    }
}

/// What the machine itself takes, without any search to end.
#[test]
#[ignore = "a measurement"]
fn from_a_question_to_its_answer() {
    for settings in SETTINGS {
        let mut engine = started(settings);
        let times = (0..ROUNDS).map(|round| {
            think(&mut engine, round);
            let before = Instant::now();
            engine.send("ABOUT\n");
            engine.expect("name=<TEXT>");
            let time = before.elapsed();
            engine.send("YXSTOP\n");
            engine.expect("<MOVE>");
            time
        });
        report("ABOUT in mid-search", settings, times.collect());
    }
}

#[test]
#[ignore = "a measurement"]
fn from_start_to_ok() {
    for settings in SETTINGS {
        let mut engine = started(settings);
        let times = (0..ROUNDS).map(|round| {
            think(&mut engine, round);
            engine.send("YXSTOP\n");
            engine.expect("<MOVE>");
            std::thread::sleep(Duration::from_millis(2));
            let before = Instant::now();
            engine.send("START 15\n");
            engine.expect("OK");
            before.elapsed()
        });
        report("START in a running process", settings, times.collect());
    }
}

/// Pondering has to end before the move can be thought about.
#[test]
#[ignore = "a measurement"]
fn from_turn_to_a_move_without_time() {
    for settings in SETTINGS {
        let mut engine = started(settings);
        let times = (0..ROUNDS).map(|round| {
            engine.send("INFO timeout_turn 600000\n");
            think(&mut engine, round);
            engine.send("INFO timeout_turn 0\n");
            engine.expect("<MOVE>");
            std::thread::sleep(Duration::from_millis(5 + round as u64 % 40));
            let before = Instant::now();
            engine.send("TURN 14,14\n");
            engine.expect("<MOVE>");
            before.elapsed()
        });
        report("TURN to move without time", settings, times.collect());
    }
}

#[test]
#[ignore = "a measurement"]
fn from_end_to_the_exit() {
    for settings in SETTINGS {
        let times = (0..ROUNDS / 5).map(|round| {
            let mut engine = started(settings);
            think(&mut engine, round);
            let before = Instant::now();
            engine.send("END\n");
            let code = engine.exit_within(Duration::from_secs(5));
            assert_eq!(code, Some(0));
            before.elapsed()
        });
        report("END to exit in mid-search", settings, times.collect());
    }
}

/// By how much the first search of a fresh process overruns its limit; with a
/// reserve shrunk by less than is left here, no move is late.
#[test]
#[ignore = "a measurement"]
fn from_the_first_turn_to_its_limit() {
    const FIRST_MOVES: usize = 200;
    let settings = ["", "INFO hash_size 4000000\n", "INFO thread_num 64\n"];
    let limits = [20, 50, 100, 300].map(|limit| (limit, "TURN 7,7\n"));
    let balance = [(300, "YXBALANCETWO 0\n")];
    for settings in settings {
        for (limit, request) in limits.into_iter().chain(balance) {
            let mut times: Vec<i64> = (0..FIRST_MOVES)
                .map(|round| {
                    let mut engine = Process::start(&[]);
                    engine.send(&format!("START 15\n{settings}INFO timeout_turn {limit}\n"));
                    engine.expect("OK");
                    // With time to find memory, and without.
                    std::thread::sleep(Duration::from_millis(round as u64 % 2 * 100));
                    let before = Instant::now();
                    engine.send(request);
                    while !engine.line().starts_with(|c: char| c.is_ascii_digit()) {}
                    before.elapsed().as_micros() as i64 - limit * 1000
                })
                .collect();
            times.sort_unstable();
            let ms = |micros: i64| micros as f64 / 1000.0;
            println!(
                "{} {limit} ms {}: beyond the limit median {:.1} ms, most {:.1} ms",
                request.trim(),
                settings.trim(),
                ms(times[FIRST_MOVES / 2]),
                ms(times[FIRST_MOVES - 1])
            );
        }
    }
}
