//! Playing against people: on the opponent's time.

#![allow(clippy::unwrap_used)]

mod process;

use process::Process;
use std::time::{Duration, Instant};

/// A game in which moves take 50 ms, after `options`.
fn playing(options: &str) -> Process {
    let mut engine = Process::start(&[]);
    engine.send("START 15\nINFO hash_size 4096\nINFO timeout_turn 50\n");
    engine.send(options);
    engine.expect("OK");
    engine
}

/// How full the hash table is said to be.
fn fullness(engine: &mut Process) -> String {
    engine.send("YXSHOWHASHUSAGE\n");
    let line = engine.line();
    assert!(line.starts_with("MESSAGE the hash table "), "{line}");
    line
}

/// Whether the hash table fills while nobody asks for a move.
fn ponders(engine: &mut Process) -> bool {
    let before = fullness(engine);
    let begun = Instant::now();
    let mut patience = Duration::from_millis(300);
    while begun.elapsed() < patience {
        std::thread::sleep(Duration::from_millis(20));
        if fullness(engine) != before {
            return true;
        }
        // A busy machine may need long for the first nodes.
        patience = Duration::from_millis(600);
    }
    false
}

fn pondering() -> Process {
    let mut engine = playing("INFO pondering 1\nTURN 7,7\n");
    engine.expect("<MOVE>");
    let begun = Instant::now();
    while !ponders(&mut engine) {
        assert!(begun.elapsed() < Duration::from_secs(20), "no pondering");
    }
    engine
}

#[test]
fn nothing_is_pondered_on_unless_asked_for() {
    for options in ["", "INFO pondering 0\n"] {
        let mut engine = playing(options);
        engine.send("TURN 7,7\n");
        engine.expect("<MOVE>");
        assert!(!ponders(&mut engine), "{options}");
    }
}

#[test]
fn pondering_is_silent() {
    let mut engine = playing("INFO show_detail 3\nINFO pondering 1\nTURN 7,7\n");
    engine.until_move();
    engine.quiet_for(Duration::from_millis(500));
    assert!(ponders(&mut engine));
}

#[test]
fn every_command_ends_pondering_and_is_obeyed_at_once() {
    for (command, reply) in [
        ("TURN 0,0", "<MOVE>"),
        ("BOARD 7,7,1 8,8,2 DONE", "<MOVE>"),
        ("YXNBEST 2", "<MOVE>"),
        ("START 20", "OK"),
        ("RESTART", "OK"),
        ("TAKEBACK 7,7", "OK"),
    ] {
        let mut engine = pondering();
        let before = Instant::now();
        engine.send(&format!("{command}\n"));
        engine.expect(reply);
        let waited = before.elapsed();
        assert!(waited < Duration::from_millis(400), "{command}: {waited:?}");
        engine.quiet_for(Duration::from_millis(50));
    }
    let mut engine = pondering();
    engine.send("END\n");
    assert_eq!(engine.exit_within(Duration::from_secs(2)), Some(0));
    assert!(engine.rest().is_empty());
}

#[test]
fn stop_and_a_change_of_mind_end_pondering() {
    for command in [
        "STOP",
        "YXSTOP",
        "INFO pondering 0",
        "YXBOARD 7,7,1 DONE",
        "YXHASHCLEAR",
    ] {
        let mut engine = pondering();
        engine.send(&format!("{command}\n"));
        if command == "YXHASHCLEAR" {
            engine.expect("MESSAGE the hash table is empty");
        }
        std::thread::sleep(Duration::from_millis(50));
        assert!(!ponders(&mut engine), "{command}");
        engine.send("TURN 0,0\n");
        engine.expect("<MOVE>");
    }
}

#[test]
fn questions_and_bad_moves_leave_pondering_alone() {
    let mut engine = pondering();
    engine.send("ABOUT\nYXSHOWFORBID\nINFO time_left 100000\nTURN 7,7\nHELLO\n");
    engine.expect("name=<TEXT>");
    engine.expect("FORBID .");
    engine.expect("ERROR 7,7 is taken");
    engine.expect("UNKNOWN command 'HELLO'");
    assert!(ponders(&mut engine));
}
