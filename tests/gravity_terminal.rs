//! `quincunx gravity` as people and scripts use it, through its pipes.

#![allow(clippy::unwrap_used)]

use quincunx_testing::process::Process;
use std::time::Duration;

/// Runs `quincunx gravity` with a whole input; its output and exit code.
fn run(arguments: &str, input: &str) -> (Vec<String>, Option<i32>) {
    let words = shlex::split(&format!("gravity {arguments}")).unwrap();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let mut process = Process::start(&words);
    process.send(input);
    process.close();
    let lines = process.rest();
    (lines, process.exit_within(Duration::from_secs(20)))
}

/// The line with the numbers of the columns ends a board; the row above it.
fn bottom_rows(lines: &[String]) -> Vec<&str> {
    let is_last = |line: &String| line.replace('^', " ").split(' ').any(|word| word == "4");
    let ends = lines.iter().enumerate().filter(|(_, line)| is_last(line));
    ends.map(|(at, _)| lines[at - 1].as_str()).collect()
}

#[test]
fn two_persons_play_take_back_and_win() {
    let input = "1\n2\nu\n3\n1\n3\n1\n3\n1\n5\nn\nq\n";
    let arguments = "--machine none --columns 4 --rows 4 --ascii";
    let (lines, code) = run(arguments, input);
    assert_eq!(code, Some(0), "{lines:#?}");
    let rows = bottom_rows(&lines);
    assert_eq!(
        rows[..4],
        [" .  .  .  .", " x  .  .  .", " x  o  .  .", " x  .  .  ."]
    );
    assert!(lines.contains(&" X  .  o  .".to_owned()), "{lines:#?}");
    assert!(lines.contains(&"x wins".to_owned()));
    assert!(lines.contains(&"there is no such column".to_owned()));
    assert_eq!(rows.last(), Some(&" .  .  .  ."));
}

#[test]
fn the_machine_answers_gives_hints_and_swaps_sides() {
    let input = "l 0\nl 10\nh\n1\n1\nu\nu\nu\ns\n";
    let (lines, code) = run("--columns 5 --rows 4 --ascii --time 20000", input);
    assert_eq!(code, Some(0), "{lines:#?}");
    let said = |text: &str| lines.iter().filter(|line| line.contains(text)).count();
    assert_eq!(said("level "), 2);
    assert_eq!(said("hint: "), 1);
    assert_eq!(said("o plays "), 2);
    assert_eq!(said("there is nothing to take back"), 1);
    assert_eq!(said("x plays "), 1, "after the swap the machine begins");
}

#[test]
fn bad_input_changes_nothing() {
    let input = "9\n0\nx\n44\nl 11\nl\n\nl x\n1 2\n";
    let (lines, code) = run("--machine none --ascii", input);
    assert_eq!(code, Some(0));
    assert_eq!(bottom_rows(&lines).len(), 1, "{lines:#?}");
    assert_eq!(lines.iter().filter(|line| line.contains('\'')).count(), 4);
}

#[test]
fn solve_prints_values_as_text_and_json() {
    let (lines, code) = run("solve 4455 --rows 6", "");
    assert_eq!((lines, code), (vec!["win in 3 plies".to_owned()], Some(0)));
    let (lines, _) = run("solve '' --columns 6 --rows 4", "");
    assert_eq!(lines, ["loss in 24 plies"]);
    let (lines, _) = run("solve '' --columns 4 --rows 4 --each", "");
    assert_eq!(lines, ["draw", "1 draw", "2 draw", "3 draw", "4 draw"]);
    let (lines, _) = run("solve --rows 6 --json", "4455 win\n\n44455554221\n");
    let parsed: Vec<serde_json::Value> = (lines.iter())
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(parsed[0]["value"], "win");
    assert_eq!(parsed[0]["plies"], 3);
    assert_eq!(
        (&parsed[1]["value"], &parsed[1]["plies"]),
        (&"loss".into(), &2.into())
    );
    // The nodes are those of the columns too, and no more than are allowed.
    let nodes = |more: &str| {
        let line = format!("solve 4444 --rows 5 --columns 5 --json{more}");
        let (lines, _) = run(&line, "");
        let line: serde_json::Value = serde_json::from_str(&lines[0]).unwrap();
        line["nodes"].as_u64().unwrap()
    };
    let value = nodes("");
    let each = nodes(" --each");
    assert!(each > value, "{value} {each}");
    let fewer = nodes(&format!(" --each --nodes {}", each - 1));
    assert!(fewer < each, "{fewer} {each}");
    // A bad line is told in its place, and the others are solved.
    let (lines, code) = run("solve --rows 6", "4455\nx\n48\n4455\n");
    assert_eq!((lines.len(), code), (4, Some(1)));
    assert_eq!(
        (lines[0].as_str(), &lines[3]),
        ("4455 win in 3 plies", &lines[0])
    );
    let says = ["x error: move 1, 'x': ", "48 error: move 2, '8': "];
    assert!(lines[1].starts_with(says[0]) && lines[2].starts_with(says[1]));
    let (lines, code) = run("solve 48", "");
    assert_eq!((lines.len(), code), (0, Some(1)));
    let (_, code) = run("solve '' --nodes 1000", "");
    assert_eq!(code, Some(1), "not solved within the limits");
}

/// The program was once aborted.
#[test]
fn memory_that_no_machine_has_is_refused() {
    let (lines, code) = run("solve 4453 --memory 9000000000", "");
    assert_eq!((lines, code), (Vec::new(), Some(2)));
}
