//! What GUIs and openings ask of the real binary beyond a move: several lines,
//! balanced stones, blocked points, swap2.

#![allow(clippy::unwrap_used)]

use quincunx_testing::process::{Process, is_soon};
use std::collections::HashSet;
use std::time::{Duration, Instant};

type Stone = (i32, i32);

fn playing(rule: u32, turn: u32) -> Process {
    let mut engine = Process::start(&[]);
    engine.send(&format!(
        "START 15\nINFO max_memory 30000000\nINFO timeout_turn {turn}\nINFO rule {rule}\n"
    ));
    engine.expect("OK");
    engine
}

/// The next line that is no message and no live output.
fn answer(engine: &mut Process) -> String {
    loop {
        let line = engine.line();
        if !line.starts_with("MESSAGE ") && !line.starts_with("INFO ") {
            return line;
        }
    }
}

fn stones(text: &str) -> Vec<Stone> {
    let stone = |word: &str| {
        let (x, y) = word.split_once(',').unwrap();
        (x.parse().unwrap(), y.parse().unwrap())
    };
    text.split_whitespace().map(stone).collect()
}

/// The answer as stones, which have to be new to the board.
fn new_stones(engine: &mut Process, before: &str) -> Vec<Stone> {
    let line = answer(engine);
    let fresh = stones(&line);
    let mut all: HashSet<Stone> = stones(before).into_iter().collect();
    for &(x, y) in &fresh {
        assert!(all.insert((x, y)), "'{line}' after '{before}'");
        assert!((0..15).contains(&x) && (0..15).contains(&y), "'{line}'");
    }
    fresh
}

#[test]
fn swap2_begins_with_three_stones() {
    for (rule, turn) in [(0, 300), (1, 300), (4, 300), (9, 300), (1, 1)] {
        let begins = || {
            let mut engine = playing(rule, turn);
            let before = Instant::now();
            engine.send("SWAP2BOARD\nDONE\n");
            assert_eq!(new_stones(&mut engine, "").len(), 3);
            let time = before.elapsed();
            // The choice is the opponent's; whatever it is, a BOARD follows.
            engine.send("BOARD\n7,7,1\n8,8,2\n6,9,1\n0,0,2\nDONE\n");
            engine.expect("<MOVE>");
            time
        };
        assert!(is_soon(Duration::from_millis(1500), begins), "{rule}");
    }
}

/// Black's three in a row in the middle against a stone in the corner, and the
/// other way about: what side is better needs no expert.
#[test]
fn swap2_takes_the_better_side() {
    let black_is_better = ["7,7 0,0 7,8", "7,7 0,0 7,8 0,14 8,6", "7,7,1 0,0,2 7,8,1"];
    let white_is_better = ["0,0 7,7 14,0 8,8 0,14", "0,0,1 7,7,2 14,0,1 7,8,2 0,14,1"];
    for before in black_is_better {
        let mut engine = playing(1, 300);
        engine.send(&format!("SWAP2BOARD {before} DONE\n"));
        assert_eq!(answer(&mut engine), "SWAP", "{before}");
    }
    for before in white_is_better {
        let mut engine = playing(1, 300);
        engine.send(&format!("SWAP2BOARD {before} DONE\n"));
        let plain = before.replace(",1 ", " ").replace(",2 ", " ");
        let plain = plain.strip_suffix(",1").unwrap_or(&plain);
        assert_eq!(new_stones(&mut engine, plain).len(), 1, "{before}");
    }
}

/// However few nodes there are, and whatever earlier searches have left in the
/// table, a side that is far ahead stays, with a move that was searched.
#[test]
fn swap2_does_not_give_a_won_side_away() {
    for nodes in [
        &[1_020, 2_026][..],
        &[404, 10_973, 6_395, 4_750],
        &[169, 9_685, 10_071, 2_207],
        &[1],
    ] {
        let mut engine = playing(1, 60_000);
        for nodes in nodes {
            engine.send(&format!(
                "INFO max_node {nodes}\nSWAP2BOARD 0,0 7,7 14,0 7,8 0,14 DONE\n"
            ));
            let thought = engine.line();
            assert!(thought.starts_with("MESSAGE depth "), "{nodes}: {thought}");
            let guess = thought.starts_with("MESSAGE depth 0-");
            assert_eq!(guess, *nodes == 1, "{nodes}: {thought}");
            assert_eq!(stones(&engine.line()).len(), 1);
        }
    }
}

/// Where neither side is better two more stones leave the choice to the
/// opponent. The stones are the engine's own: balanced by its own judgement.
#[test]
fn swap2_puts_two_stones_when_in_doubt() {
    // Limited by nodes: on a busy machine time may end before the three stones are balanced.
    let mut engine = playing(1, 60_000);
    engine.send("INFO max_node 10000\n");
    let mut choices = HashSet::new();
    for _ in 0..8 {
        engine.send("SWAP2BOARD DONE\n");
        let three = answer(&mut engine);
        engine.send(&format!("SWAP2BOARD {three} DONE\n"));
        let line = answer(&mut engine);
        let count = if line == "SWAP" {
            0
        } else {
            stones(&line).len()
        };
        assert!(count <= 2, "{line}");
        if count == 2 {
            engine.send(&format!("SWAP2BOARD {three} {line} DONE\n"));
            let last = answer(&mut engine);
            assert!(last == "SWAP" || stones(&last).len() == 1, "{last}");
        }
        choices.insert(count);
    }
    assert!(choices.contains(&2), "{choices:?}");
}

#[test]
fn yixin_boards_swap2_goes_step_by_step() {
    let mut engine = playing(1, 200);
    engine.send("yxswap2step1\n");
    for number in 1..=3 {
        engine.expect(&format!("MESSAGE SWAP2 MOVE{number} <NUMBER> <NUMBER>"));
    }
    engine.send("start 15\nyxboard\n7,7,2\n0,0,1\n7,8,2\ndone\nyxswap2step2\n");
    engine.expect("OK");
    engine.expect("MESSAGE SWAP2 SWAP1 YES");
    engine.send("start 15\nyxboard\n0,0,1\n7,7,2\n14,0,1\n8,8,2\n0,14,1\ndone\nyxswap2step3\n");
    engine.expect("OK");
    engine.expect("MESSAGE SWAP2 SWAP2 NO");
    // No move line has come; the GUI asks for the move now.
    engine.send("board\n0,0,2\n7,7,1\n14,0,2\n8,8,1\n0,14,2\ndone\n");
    engine.expect("<MOVE>");
    engine.send("yxswap2step2\n");
    engine.expect("ERROR this step of swap2 comes after 3 stones, not 6");
    // The menu's new game says no more.
    engine.send("yxswap2step1\n");
    for number in 1..=3 {
        engine.expect(&format!("MESSAGE SWAP2 MOVE{number} <NUMBER> <NUMBER>"));
    }
    engine.send("yxswap2step2\n");
    engine.expect("ERROR this step of swap2 comes after 3 stones, not 0");
}

#[test]
fn swap1_is_played_as_the_web_calculator_does() {
    let mut engine = playing(5, 150);
    engine.send("INFO show_detail 2\nINFO swapable 1\nYXBOARD DONE\nYXNBEST 1\n");
    assert_eq!(new_stones(&mut engine, "").len(), 1);
    engine.send("START 15\nYXBOARD 7,7,2 DONE\nYXNBEST 1\n");
    engine.expect("OK");
    assert_eq!(answer(&mut engine), "SWAP");
    engine.send("INFO swapable 0\nSTART 15\nYXBOARD 7,7,2 DONE\nYXNBEST 1\n");
    engine.expect("OK");
    assert_eq!(new_stones(&mut engine, "7,7").len(), 1);
}

/// What is told of the last finished depth: the first move of each line.
fn last_lines(told: &[String], count: usize) -> Vec<String> {
    let best = |line: &String| {
        let moves = line.strip_prefix("INFO BESTLINE ")?;
        Some(moves.split(' ').next()?.to_owned())
    };
    let all: Vec<String> = told.iter().filter_map(best).collect();
    all[all.len() - count..].to_vec()
}

#[test]
fn several_lines_are_several_moves() {
    let mut engine = playing(0, 300);
    engine.send("INFO max_depth 6\nINFO timeout_turn 20000\nINFO show_detail 3\n");
    engine.send("YXBOARD 7,7,2 8,8,1 7,6,2 DONE\nYXNBEST 4\n");
    let told = engine.until_move();
    assert!(told.contains(&"INFO NUMPV 4".to_owned()), "{told:?}");
    assert!(told.contains(&"INFO PV 3".to_owned()), "{told:?}");
    assert!(told.contains(&"INFO DEPTH 6".to_owned()), "{told:?}");
    let lines = last_lines(&told, 4);
    let different: HashSet<&String> = lines.iter().collect();
    assert_eq!(different.len(), 4, "{lines:?}");
    engine.quiet_for(Duration::from_millis(50));
}

#[test]
fn stop_ends_every_kind_of_search_with_one_answer() {
    for (command, stones) in [
        ("YXNBEST 3", 1),
        ("YXSEARCHDEFEND", 1),
        ("YXBALANCEONE 0", 1),
        ("YXBALANCETWO 0", 2),
    ] {
        let stops = || {
            let mut engine = playing(1, 600_000);
            engine.send(&format!("YXBOARD 7,7,2 8,8,1 6,9,2 DONE\n{command}\n"));
            std::thread::sleep(Duration::from_millis(300));
            let before = Instant::now();
            engine.send("YXSTOP\n");
            let found = new_stones(&mut engine, "7,7 8,8 6,9");
            let time = before.elapsed();
            assert_eq!(found.len(), stones, "{command}");
            engine.quiet_for(Duration::from_millis(50));
            time
        };
        assert!(is_soon(Duration::from_millis(300), stops), "{command}");
    }
}

/// Against a four with one open end there is one move.
#[test]
fn searching_defences_tells_which_moves_lose() {
    let mut engine = playing(0, 1500);
    engine.send("INFO show_detail 1\n");
    engine.send("YXBOARD 6,7,2 5,7,1 7,7,2 7,9,1 8,7,2 9,9,1 9,7,2 6,5,1 DONE\n");
    engine.send("YXSEARCHDEFEND\n");
    let mut told = Vec::new();
    let best = loop {
        let line = engine.line();
        if !line.starts_with("MESSAGE ") {
            break line;
        }
        told.push(line);
    };
    let lost = |at: &str| told.contains(&format!("MESSAGE REALTIME LOST {at}"));
    assert_eq!(best, "10,7");
    assert!(!lost("10,7"), "{told:?}");
    for point in ["7,8", "11,7", "8,8", "6,6"] {
        assert!(lost(point), "{point}: {told:?}");
    }
}

/// The fifth stone of black's four would be the tenth on the board.
#[test]
fn a_five_after_the_last_move_that_counts_is_no_loss() {
    let mut engine = playing(0, 10_000);
    engine.send("INFO max_moves 9\nINFO max_depth 4\nINFO show_detail 1\n");
    engine.send("YXBOARD 0,0,1 5,7,2 0,2,1 6,7,2 0,4,1 7,7,2 14,14,1 8,7,2 DONE\n");
    engine.send("YXSEARCHDEFEND\n");
    loop {
        let line = engine.line();
        assert!(!line.contains("LOST"), "{line}");
        if !line.starts_with("MESSAGE ") {
            break;
        }
    }
}

/// A GUI says no more than this when a game is over.
#[test]
fn a_first_step_of_swap2_begins_a_game_with_all_of_its_time() {
    let mut engine = playing(0, 10_000);
    engine.send("INFO timeout_match 20000\nINFO time_left 1\nYXBOARD DONE\nYXNBEST 1\n");
    engine.expect("<MOVE>");
    engine.send("YXSWAP2STEP1\nYXBOARD 7,7,1 8,8,2 DONE\nINFO show_detail 2\nYXNBEST 1\n");
    let told = engine.until_move();
    let nodes = told
        .iter()
        .filter_map(|line| line.strip_prefix("INFO TOTALNODES "));
    let nodes: u64 = nodes.map(|nodes| nodes.parse().unwrap()).max().unwrap();
    assert!(nodes > 20, "{told:?}");
}

#[test]
fn balance_comes_near_its_bias() {
    // Nodes instead of time: the same on a busy machine.
    let mut engine = playing(1, 60_000);
    engine.send("INFO max_node 150000\n");
    let mut put = String::new();
    for bias in [-150, 0, 150] {
        engine.send("INFO show_detail 2\nYXBOARD 7,7,2 8,8,1 6,9,2 9,5,1 DONE\n");
        engine.send(&format!("YXBALANCETWO {bias}\n"));
        let mut value = 0;
        let line = loop {
            let line = engine.line();
            if let Some(text) = line.strip_prefix("INFO EVAL ") {
                value = text.parse().unwrap();
            }
            if !line.starts_with("MESSAGE ") && !line.starts_with("INFO ") {
                break line;
            }
        };
        assert_eq!(stones(&line).len(), 2, "{line}");
        put = line;
        let off: i32 = value - bias;
        assert!(off.abs() < 60, "{value} for {bias}");
    }
    // The stones are on the board: Yixin-Board goes on from there.
    let (first, second) = put.split_once(' ').unwrap();
    for taken in [first, second] {
        engine.send(&format!("TURN {taken}\n"));
        engine.expect(&format!("ERROR {taken} is taken"));
    }
    engine.send("YXBALANCEONE\n");
    let before = format!("7,7 8,8 6,9 9,5 {put}");
    assert_eq!(new_stones(&mut engine, &before).len(), 1);
}

/// Where there are many points, the first ones of the board were once searched alone.
#[test]
fn balance_sees_the_whole_board() {
    let mut engine = Process::start(&[]);
    engine.send("START 20\nINFO max_memory 30000000\nINFO timeout_turn 60000\n");
    engine.expect("OK");
    // White has an open three at the far end.
    let stones = "2,18,1 6,18,2 10,18,1 14,18,2 18,18,1 2,14,2 6,14,1 10,14,2 14,14,1 \
                  18,14,2 2,10,1 6,10,2 10,10,1 14,10,2 18,10,1 9,1,2 10,1,2 11,1,2";
    engine.send(&format!("INFO max_node 200000\nYXBOARD {stones} DONE\n"));
    engine.send("YXBALANCEONE 0\n");
    let line = answer(&mut engine);
    assert!(line.ends_with(",1"), "{line}");
}

/// However little was searched, the answer is a sensible one, and live output has it.
#[test]
fn a_search_that_is_cut_short_answers_by_the_evaluation() {
    let mut engine = playing(0, 60_000);
    engine.send("INFO max_node 1\nINFO show_detail 2\n");
    engine.send("YXBOARD 4,7,1 0,0,2 5,7,1 0,2,2 6,7,1 0,4,2 7,7,1 3,7,2 DONE\nYXSEARCHDEFEND\n");
    assert_eq!(answer(&mut engine), "8,7");
    engine.send("YXBOARD 7,7,1 8,8,2 DONE\nYXBALANCETWO 0\n");
    let mut line = engine.line();
    let mut best_line = String::new();
    while line.starts_with("MESSAGE ") || line.starts_with("INFO ") {
        if let Some(moves) = line.strip_prefix("INFO BESTLINE ") {
            best_line = moves.to_owned();
        }
        line = engine.line();
    }
    assert_eq!(stones(&best_line), stones(&line));
}

#[test]
fn blocked_points_are_not_played() {
    let mut engine = playing(0, 100);
    // A five at two ends.
    let four = "BOARD 4,7,1 0,0,2 5,7,1 0,2,2 6,7,1 0,4,2 7,7,1 0,6,2 DONE\n";
    engine.send("YXBLOCK\n3,7\nDONE\n");
    engine.send(four);
    engine.expect("8,7");
    engine.send("YXBLOCK 8,7 DONE\n");
    engine.send(four);
    let other = new_stones(&mut engine, "3,7 8,7");
    assert_eq!(other.len(), 1);
    engine.send("YXBLOCKUNDO 3,7 DONE\n");
    engine.send(four);
    engine.expect("3,7");
    engine.send("YXBLOCKRESET\nYXBLOCK 7,7 DONE\nSTART 15\nBEGIN\n");
    engine.expect("OK");
    assert_ne!(answer(&mut engine), "7,7");
    engine.send("YXBLOCK 15,7 DONE\n");
    engine.expect("ERROR 15,7 is off the board<TEXT>");
    engine.send("yxsoosorvstep4 3\n7,7\n8,8\ndone\nyxsoosorvstep6\n7,7\ndone\n");
    engine.send("YXBLOCKPATH 7,7 8,8 DONE\nYXBLOCKPATHRESET\nABOUT\n");
    engine.expect("name=<TEXT>");
}

/// A first search in less time may not wait for the table.
#[test]
fn the_hash_table_tells_how_full_it_is() {
    let mut engine = playing(0, 2500);
    engine.send("YXSHOWHASHUSAGE\n");
    engine.expect("MESSAGE the hash table is empty");
    engine.send("TURN 7,7\n");
    engine.expect("<MOVE>");
    engine.send("YXSHOWHASHUSAGE\n");
    engine.expect("MESSAGE the hash table of <TEXT>");
}

/// The points that the engine marked with this word.
fn marked(told: &[String], word: &str) -> Vec<String> {
    let start = format!("MESSAGE REALTIME {word} ");
    let at = told.iter().filter_map(|line| line.strip_prefix(&start));
    at.map(str::to_owned).collect()
}

#[test]
fn an_ordinary_search_marks_its_moves() {
    let mut engine = playing(0, 2500);
    engine.send("INFO show_detail 1\nBOARD 7,7,2 8,8,1 6,9,2 9,5,1 5,6,2 DONE\n");
    let told = engine.until_move();
    assert!(
        told.iter().all(|line| line.starts_with("MESSAGE ")),
        "{told:?}"
    );
    let (begun, done) = (marked(&told, "POS"), marked(&told, "DONE"));
    assert!(begun.len() > 20, "{told:?}");
    // Each is marked before it is done; the last is cut short by the clock.
    assert!(begun.len() - done.len() <= 1 + marked(&told, "LOST").len());
    for point in &done {
        assert!(begun.contains(point), "{point}");
    }
    assert!(!marked(&told, "BEST").is_empty());
    let refreshed = told
        .iter()
        .filter(|line| line.ends_with("REALTIME REFRESH"));
    assert!(refreshed.count() > 2, "one for each depth");
    engine.send("INFO show_detail 2\nBOARD 7,7,2 8,8,1 6,9,2 9,5,1 5,6,2 DONE\n");
    let told = engine.until_move();
    assert!(
        told.iter().all(|line| !line.contains("REALTIME")),
        "{told:?}"
    );
    assert!(told.contains(&"INFO PV DONE".to_owned()), "{told:?}");
}

/// The search that was dropped may be about to report when the table is asked for.
#[test]
fn a_hash_table_is_loaded_right_after_a_search_is_dropped() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("table");
    let mut engine = playing(0, 2500);
    engine.send(&format!("TURN 7,7\nYXHASHDUMP\n{}\n", path.display()));
    engine.expect("MESSAGE ERROR that takes too long while a move is due");
    engine.expect("<MOVE>");
    engine.send(&format!("YXHASHDUMP\n{}\n", path.display()));
    engine.expect("MESSAGE <NUMBER> positions were saved");
    engine.send("INFO show_detail 3\nINFO timeout_turn 600000\nINFO rule 0\n");
    for pause in [1, 3, 10, 30, 100] {
        engine.send("START 15\nBOARD\n7,7,2\n8,8,1\n6,9,2\nDONE\n");
        std::thread::sleep(Duration::from_millis(pause));
        engine.send(&format!("START 15\nYXHASHLOAD\n{}\n", path.display()));
        while !engine.line().ends_with("positions were loaded") {}
    }
}

#[test]
fn the_hash_table_goes_to_a_file_and_back() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("the table.hash");
    let file = path.to_str().unwrap();
    let mut engine = playing(0, 2500);
    engine.send(&format!("YXHASHDUMP\n{file}\n"));
    engine.expect("ERROR the hash table is empty");
    assert!(!path.exists());
    engine.send("BOARD 7,7,2 8,8,1 6,9,2 DONE\n");
    engine.expect("<MOVE>");
    engine.send(&format!("yxhashdump\n{file}\n"));
    engine.expect("MESSAGE <NUMBER> positions were saved");
    let saved = std::fs::read(&path).unwrap();
    // Tables of other sizes take it, before any search and after one.
    for kib in [1024, 65536] {
        let mut other = playing(0, 50);
        other.send(&format!("INFO hash_size {kib}\nYXHASHLOAD\n{file}\n"));
        other.expect("MESSAGE <NUMBER> positions were loaded");
        other.send("YXSHOWHASHUSAGE\n");
        let usage = other.line();
        assert!(
            !usage.contains(" empty") && !usage.ends_with(" 0.0 %"),
            "{usage}"
        );
        other.send("TURN 7,7\n");
        other.expect("<MOVE>");
        other.send(&format!("YXHASHLOAD\n{file}\n"));
        other.expect("MESSAGE <NUMBER> positions were loaded");
    }
    // What other tables have said is worth nothing with these.
    let mut other = Process::start(&["--tables", "hand-set"]);
    other.send(&format!("YXHASHLOAD\n{file}\nYXSHOWHASHUSAGE\n"));
    other.expect("ERROR a hash table from searches with other weights");
    other.expect("MESSAGE the hash table is empty");
    // What is not whole changes nothing.
    let mut other = playing(0, 600_000);
    std::fs::write(&path, &saved[..saved.len() - 100]).unwrap();
    for (file, complaint) in [
        (file, "ERROR the file is cut off or damaged"),
        ("/no/such/file", "ERROR <TEXT>"),
        ("Cargo.toml", "ERROR no hash table is in this file"),
    ] {
        other.send(&format!("YXHASHLOAD\n{file}\nYXSHOWHASHUSAGE\n"));
        other.expect(complaint);
        other.expect("MESSAGE the hash table is empty");
    }
    other.send(&format!(
        "TURN 7,7\nYXHASHDUMP\n{file}\nYXHASHLOAD\n{file}\nSTOP\n"
    ));
    for _ in 0..2 {
        other.expect("MESSAGE ERROR that takes too long while a move is due");
    }
    other.expect("<MOVE>");
    assert_eq!(std::fs::read(&path).unwrap().len(), saved.len() - 100);
    other.send("YXHASHDUMP\n/no/such/folder/table\n");
    other.expect("ERROR <TEXT>");
}
