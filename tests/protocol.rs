//! The real binary, spoken to as managers do.

#![allow(clippy::unwrap_used)]

use quincunx_engine::eval::EvalTables;
use quincunx_engine::rules::Rule;
use quincunx_testing::process::{Process, is_soon};
use std::time::{Duration, Instant};

const SOON: Duration = Duration::from_secs(10);

/// A game in which the engine thinks for minutes unless it is told otherwise.
fn thinking() -> Process {
    let mut engine = Process::start(&[]);
    engine.send("START 15\nINFO max_memory 30000000\nINFO timeout_turn 600000\n");
    engine.expect("OK");
    engine.send("TURN 7,7\n");
    std::thread::sleep(Duration::from_millis(50));
    engine
}

/// A game in which moves take 50 ms.
fn playing() -> Process {
    let mut engine = Process::start(&[]);
    engine.send("START 15\nINFO max_memory 30000000\nINFO timeout_turn 50\n");
    engine.expect("OK");
    engine
}

/// Every block of `protocol.md` that is marked `protocol`: lines after `>` are
/// sent, lines after `<` have to come.
#[test]
fn the_documentations_examples_work() {
    let text = include_str!("../protocol.md");
    let blocks: Vec<&str> = text.split("\n```protocol\n").skip(1).collect();
    assert!(blocks.len() > 15, "only {} examples", blocks.len());
    for block in blocks {
        let (block, _) = block.split_once("\n```").unwrap();
        let mut engine = Process::start(&[]);
        for line in block.lines() {
            if let Some(command) = line.strip_prefix("> ") {
                engine.send(&format!("{command}\n"));
            } else if let Some(reply) = line.strip_prefix("< ") {
                engine.expect(reply);
            } else {
                panic!("neither sent nor expected: '{line}' in\n{block}");
            }
        }
        engine.close();
        let rest = engine.rest();
        assert!(
            rest.iter().all(|line| line.starts_with("MESSAGE ")),
            "{rest:?} after\n{block}"
        );
    }
}

#[test]
fn input_arrives_in_pieces_and_in_bursts() {
    let mut engine = Process::start(&[]);
    for piece in [
        "st",
        "art 15",
        "\r",
        "\n",
        "INFO time",
        "out_turn 30\r\n\r\nTURN 7",
        ",7\r",
        "\n",
    ] {
        engine.send(piece);
        std::thread::sleep(Duration::from_millis(5));
    }
    engine.expect("OK");
    engine.expect("<MOVE>");
    engine.send(
        "about\nSTART 20\rinfo TIMEOUT_TURN 30\n\n  board 1,1,2 2,2,1 3,3,2 done\nYXSHOWFORBID\n",
    );
    engine.expect("name=\"Quincunx\"<TEXT>");
    engine.expect("OK");
    engine.expect("FORBID .");
    engine.expect("<MOVE>");
}

#[test]
fn the_end_of_input_ends_the_program() {
    let mut idle = playing();
    idle.close();
    assert_eq!(idle.exit_within(SOON), Some(0));
    let mut busy = thinking();
    busy.close();
    assert_eq!(busy.exit_within(SOON), Some(0));
    assert!(busy.rest().is_empty());
}

#[test]
fn the_last_line_needs_no_line_end() {
    let mut engine = Process::start(&[]);
    engine.send("START 15\nBEGIN");
    engine.close();
    assert_eq!(engine.rest(), ["OK", "7,7"]);
}

#[test]
fn end_leaves_in_mid_search_without_a_move() {
    let leaves = || {
        let mut engine = thinking();
        let before = Instant::now();
        engine.send("END\n");
        assert_eq!(engine.exit_within(SOON), Some(0));
        let time = before.elapsed();
        assert!(engine.rest().is_empty());
        time
    };
    assert!(is_soon(Duration::from_millis(500), leaves));
}

#[test]
fn stop_gives_the_move_at_once_and_once() {
    for stop in ["STOP\n", "YXSTOP\r\n", "INFO timeout_turn 0\n"] {
        let stops = || {
            let mut engine = thinking();
            let before = Instant::now();
            engine.send(stop);
            engine.expect("<MOVE>");
            let time = before.elapsed();
            engine.send("STOP\nYXSTOP\nABOUT\n");
            engine.expect("name=<TEXT>");
            engine.quiet_for(Duration::from_millis(50));
            time
        };
        assert!(is_soon(Duration::from_millis(200), stops), "{stop:?}");
    }
}

#[test]
fn hints_and_questions_do_not_disturb_a_search() {
    let mut engine = thinking();
    engine
        .send("INFO time_left 500000\nINFO timeout_turn 400000\nyxquerydatabaseallt\n7,7\ndone\n");
    engine.send("YXSHOWFORBID\nABOUT\nINFO evaluate 3,4\n");
    engine.expect("FORBID .");
    engine.expect("name=<TEXT>");
    engine.quiet_for(Duration::from_millis(100));
    engine.send("STOP\n");
    engine.expect("<MOVE>");
}

#[test]
fn complaints_are_messages_while_a_move_is_due() {
    let mut engine = thinking();
    engine.send("FOO\nTURN 7,7\nTURN a,b\n");
    engine.expect("MESSAGE UNKNOWN command 'FOO'");
    engine.expect("MESSAGE ERROR 7,7 is taken");
    engine.expect("MESSAGE ERROR 'a,b' is no point<TEXT>");
    engine.send("STOP\n");
    engine.expect("<MOVE>");
}

#[test]
fn a_dropped_search_never_answers() {
    for command in ["START 15", "RESTART", "TAKEBACK 7,7"] {
        let mut engine = thinking();
        engine.send(&format!("{command}\n"));
        engine.expect("OK");
        engine.send("BEGIN\n");
        engine.expect("7,7");
        engine.quiet_for(Duration::from_millis(100));
    }
}

/// Yixin-Board passes over one move for each search that it gave up, whether it has said
/// STOP or not, and waits for it.
#[test]
fn a_stopped_search_answers_before_another_game() {
    let commands = [
        "START 15",
        "RECTSTART 15,15",
        "RESTART",
        "TAKEBACK 7,7",
        "YXBOARD DONE",
    ];
    for command in commands {
        for told in ["STOP\n", "INFO timeout_turn 0\n", "INFO show_detail 0\n"] {
            let mut engine = thinking();
            engine.send(&format!("{told}{command}\n"));
            engine.expect("<MOVE>");
            if command != "YXBOARD DONE" {
                engine.expect("OK");
            }
            engine.send("INFO timeout_turn 600000\nBOARD 0,0,2 DONE\nSTOP\n");
            engine.expect("<MOVE>");
            engine.quiet_for(Duration::from_millis(50));
        }
    }
    let mut engine = thinking();
    engine.send("STOP\nTAKEBACK 0,0\n");
    engine.expect("<MOVE>");
}

#[test]
fn each_of_several_requests_gets_one_move() {
    let mut engine = thinking();
    engine.send("TURN 0,0\nINFO timeout_turn 30\nTURN 0,2\nTURN 0,4\nBOARD\n1,1,2\nDONE\n");
    for _ in 0..5 {
        engine.expect("<MOVE>");
    }
    engine.quiet_for(Duration::from_millis(100));
}

#[test]
fn bad_input_is_refused_and_changes_nothing() {
    let mut engine = Process::start(&[]);
    let early = [
        "BEGIN",
        "TURN 7,7",
        "BOARD DONE",
        "RESTART",
        "TAKEBACK 1,1",
        "YXBOARD DONE",
        "PLAY 1,1",
    ];
    for command in early {
        engine.send(&format!("{command}\n"));
        engine.expect("ERROR there is no board yet<TEXT>");
    }
    engine.send("START 15\nINFO timeout_turn 50\nBEGIN\n");
    engine.expect("OK");
    engine.expect("7,7");
    for (command, complaint) in [
        ("FOO BAR", "UNKNOWN command 'FOO'"),
        ("7,8", "UNKNOWN command '7,8'"),
        ("TURN", "ERROR '' is no point<TEXT>"),
        ("TURN 1", "ERROR '1' is no point<TEXT>"),
        ("TURN 1,2,3", "ERROR '1,2,3' is no point<TEXT>"),
        ("TURN 7,7", "ERROR 7,7 is taken"),
        ("TURN 15,0", "ERROR 15,0 is off the board<TEXT>"),
        ("TURN -1,-1", "ERROR -1,-1 is off the board<TEXT>"),
        (
            "TURN 99999999999,1",
            "ERROR '99999999999,1' is no point<TEXT>",
        ),
        ("BEGIN", "ERROR BEGIN needs an empty board<TEXT>"),
        ("START", "ERROR '' is no board size<TEXT>"),
        ("START x", "ERROR 'x' is no board size<TEXT>"),
        ("START 15 20", "ERROR '15 20' is no board size<TEXT>"),
        ("RECTSTART 15", "ERROR '15' is no board size<TEXT>"),
        (
            "INFO strength -5",
            "MESSAGE strength is a number from 0 to 100: -5 counts as 0",
        ),
        ("INFO strength 100\nTURN x", "ERROR 'x' is no point<TEXT>"),
        ("START 4", "ERROR board size 4x4 is not supported<TEXT>"),
        // piskvork asks for another size where it reads "20".
        (
            "START 23",
            "ERROR board size 23x23 is not supported: each side must be from 5 to 22, for example 20x20",
        ),
        ("START 1000000000000000000000", "ERROR board size<TEXT>"),
        ("START -15", "ERROR a board of -15 by -15 makes no sense"),
        (
            "RECTSTART 15,60",
            "ERROR board size 15x60 is not supported<TEXT>",
        ),
        ("BOARD 1,1,1 1,1,2 DONE", "ERROR 1,1 is taken"),
        ("BOARD 1,1,1 1,1,3 DONE", "ERROR 1,1 is taken"),
        (
            "BOARD 1,1,1 15,1,2 DONE",
            "ERROR 15,1 is off the board<TEXT>",
        ),
        ("BOARD 1,1,4 DONE", "ERROR '1,1,4' is no stone<TEXT>"),
        ("BOARD 1,1 DONE", "ERROR '1,1' is no stone<TEXT>"),
        ("BOARD x DONE", "ERROR 'x' is no stone<TEXT>"),
        ("YXBOARD 1,1,1 1,1,1 DONE", "ERROR 1,1 is taken"),
        ("BOARD 1,1,1\nABOUT", "ERROR BOARD without DONE"),
        ("DONE", "ERROR DONE without BOARD"),
        ("TAKEBACK 3,3", "ERROR 3,3 has no stone"),
        ("TAKEBACK 30,3", "ERROR 30,3 is off the board<TEXT>"),
        ("PLAY 7,7", "ERROR 7,7 is taken"),
        (
            "INFO timeout_turn soon",
            "ERROR INFO timeout_turn needs a number, not 'soon'",
        ),
        ("INFO rule", "ERROR INFO rule needs a number, not ''"),
        (
            "SWAP2BOARD 1,1 DONE",
            "ERROR SWAP2BOARD comes with no stones, three or five",
        ),
    ] {
        engine.send(&format!("{command}\n"));
        engine.expect(complaint);
        if command.ends_with("ABOUT") {
            engine.expect("name=<TEXT>");
        }
    }
    engine.send(&format!("{}\n", "x".repeat(100_000)));
    engine.expect("ERROR more than <TEXT>");
    // The board still has one stone, and the size it had.
    engine.send("TURN 14,14\n");
    engine.expect("<MOVE>");
    engine.send("TAKEBACK 7,7\n");
    engine.expect("OK");
}

/// The codes of rules mean others once a GUI has shown itself: 2 is renju then.
#[test]
fn a_board_that_is_refused_does_not_change_the_rule() {
    let mut engine = Process::start(&[]);
    engine.send("START 15\nINFO rule 2\nYXBOARD 99,99,1 DONE\nRESTART\n");
    engine.expect("OK");
    engine.expect("ERROR 99,99 is off the board<TEXT>");
    engine.expect("OK");
    engine.expect("MESSAGE rule freestyle, board 15 by 15");
}

#[test]
fn hints_are_never_answered() {
    let mut engine = playing();
    for hint in [
        "timeout_match 0",
        "timeout_match 180000",
        "time_left 2147483647",
        "time_left -100",
        "time_left 99999999999999999999",
        "max_memory 0",
        "max_memory 83886080",
        "game_type 1",
        "rule 1",
        "rule 77",
        "evaluate 3,4",
        "folder /some/where with blanks",
        "max_depth 225",
        "max_node -1",
        "hash_size 2048",
        "thread_num 8",
        "thread_split_depth 3",
        "vcthread 1",
        "caution_factor 2",
        "time_increment 0",
        "pondering 1",
        "usedatabase 1",
        "strength 100",
        "something else",
        "",
    ] {
        engine.send(&format!("INFO {hint}\n"));
    }
    engine.send("ABOUT\n");
    engine.expect("name=<TEXT>");
    engine.quiet_for(Duration::from_millis(20));
}

#[test]
fn other_tables_have_other_values() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("zero.tables");
    std::fs::write(&file, EvalTables::zero(Rule::Freestyle).to_bytes()).unwrap();
    let mut engine = playing();
    engine.send("INFO max_depth 1\n");
    let value = |engine: &mut Process| {
        engine.send("BOARD\n7,7,2\nDONE\n");
        let lines = engine.until_move();
        let thought = lines
            .iter()
            .find_map(|line| line.split_once("eval "))
            .unwrap();
        thought
            .1
            .split_whitespace()
            .next()
            .unwrap()
            .parse::<i32>()
            .unwrap()
    };
    assert_ne!(value(&mut engine), 0);
    engine.send(&format!("INFO tables {}\n", file.display()));
    engine.expect("MESSAGE freestyle is played with the tables <TEXT>");
    assert_eq!(value(&mut engine), 0);
    std::fs::write(&file, "QXTABLE").unwrap();
    engine.send(&format!("INFO tables {}\n", file.display()));
    engine.expect("ERROR can't use the tables <TEXT>");
    assert_eq!(value(&mut engine), 0);
    engine.send("INFO max_depth 0\nINFO timeout_turn 600000\nTURN 0,0\n");
    engine.send(&format!("INFO tables {}\n", file.display()));
    engine.expect("MESSAGE ERROR that takes too long while a move is due");
}

/// The next move once looked for it on its clock.
#[test]
fn memory_is_found_again_after_other_tables() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("zero.tables");
    std::fs::write(&file, EvalTables::zero(Rule::Freestyle).to_bytes()).unwrap();
    let mut engine = Process::start(&[]);
    // Without time a table is small.
    engine.send("INFO max_memory 200000000\nINFO time_left 1\nINFO timeout_turn 600000\n");
    engine.send("START 15\n");
    engine.expect("OK");
    std::thread::sleep(Duration::from_millis(50));
    engine.send("INFO time_left 2147483647\n");
    engine.send(&format!("INFO tables {}\n", file.display()));
    engine.expect("MESSAGE freestyle is played with the tables <TEXT>");
    let is_found = || engine.peak_memory().is_none_or(|peak| peak > 150_000_000);
    let begun = Instant::now();
    while !is_found() {
        assert!(begun.elapsed() < SOON, "no memory was looked for");
        std::thread::sleep(Duration::from_millis(5));
    }
}

#[test]
fn live_output_comes_only_when_asked_for() {
    let mut engine = playing();
    engine.send("TURN 7,7\n");
    let lines = engine.until_move();
    assert!(
        lines.len() <= 1 && lines.iter().all(|line| line.starts_with("MESSAGE depth ")),
        "{lines:?}"
    );
    // A number out of range is the nearest one within.
    for (number, stone) in [(3, "0,0"), (8, "0,2")] {
        engine.send(&format!("INFO show_detail {number}\nTURN {stone}\n"));
        let lines = engine.until_move();
        assert!(
            lines.contains(&"MESSAGE REALTIME REFRESH".to_owned()),
            "{lines:?}"
        );
        assert!(lines.contains(&"INFO PV DONE".to_owned()), "{lines:?}");
    }
    for (number, stone) in [(0, "0,4"), (-1, "0,6")] {
        engine.send(&format!("INFO show_detail {number}\nTURN {stone}\n"));
        let lines = engine.until_move();
        assert!(lines.len() <= 1, "{lines:?}");
    }
}

#[test]
fn a_game_that_is_over_is_no_trap() {
    let mut engine = playing();
    engine.send("BOARD\n0,0,2\n1,0,1\n0,1,2\n1,1,1\n0,2,2\n1,2,1\n0,3,2\n1,3,1\nDONE\n");
    let lines = engine.until_move();
    assert!(lines.len() <= 1, "{lines:?}");
    // Whether it won or blocked, the opponent goes on.
    engine.send("TURN 9,9\n");
    engine.until_move();
    engine.send("START 5\nINFO timeout_turn 10\n");
    engine.expect("OK");
    let mut block = String::from("BOARD\n");
    for y in 0..5 {
        for x in 0..5 {
            block += &format!("{x},{y},{}\n", 1 + (x + y / 2 + y) % 2);
        }
    }
    engine.send(&(block + "DONE\n"));
    engine.expect("ERROR the board is full");
}

#[test]
fn standard_error_is_empty_but_for_unknown_arguments() {
    let unknown = ["--force-utf8", "whatever", "-x", "7"];
    let mut engine = Process::start(&unknown);
    engine.send(
        "FOO\nSTART 99\nSTART 15\nINFO max_memory 30000000\nINFO timeout_turn 30\nTURN 7,7\n",
    );
    engine.expect("UNKNOWN <TEXT>");
    engine.expect("ERROR <TEXT>");
    engine.expect("OK");
    engine.expect("<MOVE>");
    engine.send("END\n");
    assert_eq!(engine.exit_within(SOON), Some(0));
    let told = unknown.map(ignored).concat();
    assert_eq!(engine.standard_error(), told);
}

/// Without a search the open three is overlooked.
#[test]
fn an_answer_without_any_time_is_searched_one_ply_deep() {
    let stones = "7,7,2 8,8,1 7,8,2 7,9,1 0,0,2 6,10,1 0,14,2 DONE";
    for request in [
        format!("BOARD {stones}"),
        format!("YXBOARD {stones}\nYXNBEST 3"),
        format!("YXBOARD {stones}\nYXSEARCHDEFEND"),
    ] {
        let mut engine = Process::start(&[]);
        engine.send("START 15\nINFO max_memory 30000000\nINFO timeout_match 1\nINFO time_left 0\n");
        engine.expect("OK");
        engine.send(&format!("{request}\n"));
        let thought = engine.line();
        assert!(
            thought.starts_with("MESSAGE depth "),
            "{request}: {thought}"
        );
        assert!(
            !thought.starts_with("MESSAGE depth 0-"),
            "{request}: {thought}"
        );
        let four = engine.next_move();
        assert!(matches!(four, (9, 7) | (5, 11)), "{request}: {four:?}");
    }
}

/// The same number is another rule to a GUI, and to Piskvork for Renju.
#[test]
fn a_changed_rule_is_reported() {
    for told in [
        "YXSHOWINFO",
        "YXBOARD DONE",
        "INFO show_detail 0",
        "INFO rule2_is_renju 1",
    ] {
        let mut engine = playing();
        engine.send("INFO rule 2\n");
        engine.expect("MESSAGE rule freestyle, board 15 by 15");
        engine.send(&format!("{told}\n"));
        engine.expect("MESSAGE rule renju, board 15 by 15");
    }
}

/// What is said of an argument that is not the program's own.
fn ignored(argument: &str) -> String {
    format!("MESSAGE unknown argument '{argument}' is ignored\n")
}

#[test]
fn a_log_file_is_written_when_asked_for() {
    let path = std::env::temp_dir().join(format!("quincunx-{}.log", std::process::id()));
    let mut engine = Process::start(&["--unknown", "--log", path.to_str().unwrap()]);
    engine.send("START 15\nEND\n");
    assert_eq!(engine.exit_within(SOON), Some(0));
    let log = std::fs::read_to_string(&path).unwrap();
    std::fs::remove_file(&path).unwrap();
    assert!(log.contains("< OK"), "{log}");
    assert_eq!(engine.standard_error(), ignored("--unknown"));
}

#[test]
fn unlimited_time_waits_for_a_gui_but_not_for_nobody() {
    let mut engine = playing();
    engine.send("yxshowinfo\nINFO timeout_turn -1\nINFO timeout_match -1\nTURN 7,7\n");
    engine.expect("MESSAGE INFO MAX_HASH_SIZE <NUMBER>");
    engine.quiet_for(Duration::from_millis(300));
    engine.send("YXSTOP\n");
    engine.expect("<MOVE>");
    engine.send("INFO max_depth 3\nTURN 0,0\n");
    engine.expect("<MOVE>");
}
