//! Playing against people: on the opponent's time, and at the opponent's level.

#![allow(clippy::unwrap_used)]

use quincunx_engine::engine::{Engine, MonotonicClock, Request};
use quincunx_engine::position::Position;
use quincunx_engine::rules::{BoardSize, Point, Rule};
use quincunx_testing::process::{Process, is_soon};
use std::collections::HashSet;
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

/// Whether the hash table fills without a request for a move.
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
    for options in [
        "",
        "INFO pondering 0\n",
        "INFO pondering 1\nINFO strength 40\n",
    ] {
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
        let obeys = || {
            let mut engine = pondering();
            let before = Instant::now();
            engine.send(&format!("{command}\n"));
            engine.expect(reply);
            let waited = before.elapsed();
            engine.quiet_for(Duration::from_millis(50));
            waited
        };
        assert!(is_soon(Duration::from_millis(400), obeys), "{command}");
    }
    let mut engine = pondering();
    engine.send("END\n");
    assert_eq!(engine.exit_within(Duration::from_secs(10)), Some(0));
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

/// The answer at a level to a position with the engine to move.
fn answer(engine: &mut Process, level: u32, seed: u32, board: &str) -> String {
    engine.send(&format!(
        "INFO strength {level}\nINFO seed {seed}\nBOARD {board} DONE\n"
    ));
    let (x, y) = engine.next_move();
    format!("{x},{y}")
}

#[test]
fn no_level_misses_its_five() {
    let mut engine = playing("");
    for level in [0, 4, 30, 70, 99] {
        for seed in 0..20 {
            let four = "4,7,1 0,0,2 5,7,1 0,2,2 6,7,1 0,4,2 7,7,1 0,6,2";
            let answer = answer(&mut engine, level, seed, four);
            assert!(
                ["3,7", "8,7"].contains(&answer.as_str()),
                "{level}: {answer}"
            );
        }
    }
}

#[test]
fn all_but_beginners_stop_fours_and_all_but_weak_players_open_threes() {
    let mut engine = playing("");
    for seed in 0..20 {
        for level in [5, 30, 70, 99] {
            let four = "4,7,2 3,7,1 5,7,2 0,2,1 6,7,2 5,4,1 7,7,2 12,6,1";
            assert_eq!(answer(&mut engine, level, seed, four), "8,7", "{level}");
        }
        for level in [20, 40, 70, 99] {
            let three = "6,7,2 0,2,1 7,7,2 5,4,1 8,7,2 12,6,1";
            let answer = answer(&mut engine, level, seed, three);
            let stops = ["4,7", "5,7", "9,7", "10,7"];
            assert!(stops.contains(&answer.as_str()), "{level}: {answer}");
        }
    }
}

/// A game of a level against a stubborn opponent, as text.
fn game(level: u32, seed: u32) -> Vec<(usize, usize)> {
    // Time must not decide anything, however busy the machine is.
    let mut engine = playing(&format!(
        "INFO timeout_turn 10000\nINFO strength {level}\nINFO seed {seed}\n"
    ));
    let mut stones = Vec::new();
    for turn in [(7, 7), (8, 9), (5, 8), (10, 6), (6, 4), (4, 11)] {
        if stones.contains(&turn) {
            break;
        }
        engine.send(&format!("TURN {},{}\n", turn.0, turn.1));
        stones.push(turn);
        stones.push(engine.next_move());
    }
    stones
}

#[test]
fn a_seed_fixes_the_moves_and_moves_are_never_silly() {
    assert_eq!(game(0, 7), game(0, 7));
    assert_eq!(game(30, 7), game(30, 7));
    let games: HashSet<Vec<(usize, usize)>> = (0..10).map(|seed| game(0, seed)).collect();
    assert!(games.len() > 5, "{} of 10 games differ", games.len());
    for stones in games {
        for (number, &(x, y)) in stones.iter().enumerate().skip(1) {
            let near = |&&(a, b): &&(usize, usize)| a.abs_diff(x).max(b.abs_diff(y)) <= 3;
            assert!(
                stones[..number].iter().any(|stone| near(&stone)),
                "{stones:?}"
            );
        }
    }
}

#[test]
fn weak_levels_play_near_the_stones() {
    for game in ["h8", "h8i9", "h8h9i8", "h8i9g7j10", "h8g9i9g7i7", "c3m13"] {
        for strength in [0, 10, 20, 35, 50, 65, 80] {
            let mut engine = Engine::new(MonotonicClock::system());
            engine.options_mut().hash_size = Some(1 << 20);
            engine.options_mut().max_node = Some(3_000);
            engine.options_mut().strength = Some(strength);
            let size = BoardSize::default();
            let position = Position::from_moves(Rule::Freestyle, size, game).unwrap();
            let stones: Vec<Point> = position.moves().map(|(_, point)| point).collect();
            for seed in 0..10 {
                engine.set_position(position.clone());
                engine.options_mut().seed = Some(seed);
                let answer = engine.answer(Request::Move, &mut |_| ()).unwrap();
                let point = answer.stones()[0];
                let nearest = stones.iter().map(|stone| stone.distance(point)).min();
                assert!(
                    nearest.unwrap() <= 4,
                    "level {strength} answers {game} with {point}"
                );
            }
        }
    }
}
