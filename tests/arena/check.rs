//! The conformance check tells good manners from bad ones.

use super::MOCK;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

fn check(behaviour: &str) -> (bool, String) {
    check_rules(behaviour, &["freestyle"])
}

fn check_rules(behaviour: &str, rules: &[&str]) -> (bool, String) {
    check_command(&format!("{} {behaviour}", MOCK.display()), rules)
}

fn check_command(engine: &str, rules: &[&str]) -> (bool, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_quincunx"));
    command.args(["check", engine, "--start", "900"]);
    for rule in rules {
        command.args(["--rule", rule]);
    }
    let output = command.output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    (output.status.success(), text)
}

fn has(text: &str, verdict: &str, name: &str) -> bool {
    text.lines()
        .any(|line| line.starts_with(verdict) && line.contains(name))
}

#[test]
fn an_engine_that_plays_at_random_keeps_most_rules() {
    let (clean, text) = check("fair");
    for name in [
        "ABOUT before START",
        "START, lines that end in CR LF",
        "commands in several writes",
        "legal moves as white, freestyle",
        "end of file while idle",
        "a turn of 50 ms is kept",
    ] {
        assert!(has(&text, "passed", name), "{name}: {text}");
    }
    // It sees no fives and knows few commands.
    assert!(!clean);
    assert!(
        has(&text, "FAILED", "a five is completed, freestyle"),
        "{text}"
    );
    assert!(text.contains("> BOARD"), "{text}");
}

/// The number of failures in the last line.
fn failures(text: &str) -> usize {
    let summary = text.lines().last().unwrap();
    let (_, rest) = summary.split_once(" passed, ").unwrap();
    rest.split(' ').next().unwrap().parse().unwrap()
}

/// A program that loses the start of what comes too soon plays legal moves.
#[test]
fn failures_are_distinguished() {
    let (_, text) = check("lose-word");
    for name in [
        "legal moves as black, freestyle",
        "legal moves as white, freestyle",
    ] {
        assert!(has(&text, "passed", name), "{name}: {text}");
    }
    assert!(
        has(&text, "FAILED", "commands right after a move"),
        "{text}"
    );
    let (_, fair) = check("fair");
    assert!(
        has(&fair, "passed", "commands right after a move"),
        "{fair}"
    );
    // Nothing else fails because of it.
    assert_eq!(failures(&text), failures(&fair) + 1, "{text}");
}

/// A crash is one after the last command, too.
#[test]
fn programs_that_exit_with_an_error_are_reported() {
    let (_, fair) = check("fair");
    let endings = [
        "END while idle",
        "END before START",
        "end of file while idle",
    ];
    for behaviour in ["crash-at-end", "fail-at-end"] {
        let (clean, text) = check(behaviour);
        assert!(!clean);
        for name in endings {
            assert!(has(&fair, "passed", name), "{name}: {fair}");
            assert!(has(&text, "FAILED", name), "{name}: {text}");
        }
        assert!(text.contains("the program left with an error: "), "{text}");
        assert_eq!(failures(&text), failures(&fair) + endings.len(), "{text}");
    }
}

/// An engine that needs more than a second before its first move, as on a busy machine, once
/// passed as one that thinks.
#[test]
fn to_load_is_not_to_think() {
    let (_, text) = check("load");
    for name in [
        "END while thinking",
        "end of file while thinking",
        "INFO while thinking",
        "YXSTOP while thinking",
    ] {
        assert!(has(&text, "not supported", name), "{name}: {text}");
    }
}

/// What comes late is judged as what comes soon: the verdict once depended on the load.
#[test]
fn late_lines_count_as_soon_ones() {
    let (_, text) = check("greet");
    let greeting = "no greeting before the first command";
    assert!(has(&text, "FAILED", greeting), "{text}");
    let (_, text) = check("mutter");
    assert!(has(&text, "FAILED", "nothing on standard error"), "{text}");
}

/// A program that is slow a single time, as on a busy machine, is judged as one that never is.
#[test]
#[cfg(unix)]
fn what_is_late_once_is_asked_again() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    // The first start only shows that the program can be started, and may end too soon to
    // count. The next two wait for no answer.
    let script = format!(
        "mkdir {} 2>&- || mkdir {} 2>&- || mkdir {} 2>&- || if mkdir {} 2>&-; then sleep 3; fi; \
         exec {} fair",
        path("first").display(),
        path("runs").display(),
        path("silent").display(),
        path("second").display(),
        MOCK.display()
    );
    let (_, text) = check_command(&format!("sh -c '{script}'"), &["freestyle"]);
    assert!(path("second").exists());
    let (_, fair) = check("fair");
    assert_eq!(failures(&text), failures(&fair), "{text}");
}

/// What is late every time fails.
#[test]
#[cfg(unix)]
fn what_is_late_twice_fails() {
    let engine = format!("sh -c '{} fair; sleep 3'", MOCK.display());
    let (clean, text) = check_command(&engine, &["freestyle"]);
    assert!(!clean);
    for name in [
        "END while idle",
        "END before START",
        "end of file while idle",
    ] {
        assert!(has(&text, "FAILED", name), "{name}: {text}");
    }
    assert!(has(&text, "passed", "RECTSTART 20,15"), "{text}");
}

/// Ctrl-C ends the check at once and leaves no program behind.
#[test]
#[cfg(unix)]
fn an_interrupted_check_tells_what_it_found_and_cleans_up() {
    let folder = tempfile::tempdir().unwrap();
    let (started, alive) = (folder.path().join("started"), folder.path().join("alive"));
    // An engine that never answers, and a child of it that would outlive it.
    let engine = format!(
        "sh -c '(sleep 3; echo alive > {}) & echo started >> {}; sleep 1000'",
        alive.display(),
        started.display()
    );
    let child = Command::new(env!("CARGO_BIN_EXE_quincunx"))
        .args(["check", &engine, "--rule", "freestyle", "--start", "60000"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // The first start only shows that the program can be started; it may end before it
    // writes anything.
    let deadline = Instant::now() + Duration::from_secs(20);
    while !started.exists() {
        assert!(Instant::now() < deadline);
        std::thread::sleep(Duration::from_millis(5));
    }
    std::thread::sleep(Duration::from_millis(300));
    let id = child.id().to_string();
    let kill = Command::new("kill").args(["-INT", &id]).status().unwrap();
    assert!(kill.success());
    let begin = Instant::now();
    let output = child.wait_with_output().unwrap();
    assert!(begin.elapsed() < Duration::from_secs(20));
    assert_eq!(output.status.code(), Some(130));
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(
        text.ends_with("\n1 passed, 0 failed, 0 not supported\n")
            || text.ends_with("\n0 passed, 0 failed, 0 not supported\n"),
        "{text}"
    );
    std::thread::sleep(Duration::from_secs(3));
    assert!(!alive.exists(), "a child of the engine was left behind");
}

/// The number of cases that were not tried, in the last line.
fn not_tried(text: &str) -> usize {
    let summary = text.lines().last().unwrap();
    let count = summary.rsplit_once(", ").unwrap().1;
    count.strip_suffix(" not tried").unwrap().parse().unwrap()
}

/// One that ended at its start once had 58 failures.
#[test]
fn a_cause_is_one_failure_and_the_rest_is_not_tried() {
    let (_, fair) = check("fair");
    let all = fair.lines().position(str::is_empty).unwrap();
    let also_tried: [(&str, &str, &[&str]); 6] = [
        ("crash-at-once", "the program runs", &[]),
        ("greet", "no greeting before the first command", &[]),
        (
            "refuse",
            "START is answered with OK",
            &["ABOUT before START", "END before START"],
        ),
        (
            "crash-at-start",
            "START is answered with OK",
            &["ABOUT before START"],
        ),
        (
            "garbage",
            "BEGIN is answered with a move",
            &["END while idle"],
        ),
        (
            "keep-stones",
            "START clears the board",
            &["legal moves as white", "TURN right after START"],
        ),
    ];
    for (behaviour, cause, also_tried) in also_tried {
        let (clean, text) = check(behaviour);
        assert!(!clean);
        assert!(has(&text, "FAILED", cause), "{cause}: {text}");
        for name in also_tried {
            assert!(has(&text, "passed", name), "{behaviour}, {name}: {text}");
        }
        let limits = "a turn of 50 ms is kept";
        assert!(has(&text, "not tried", limits), "{text}");
        assert_eq!(text.lines().position(str::is_empty).unwrap(), all, "{text}");
        match behaviour {
            "keep-stones" => assert_eq!(failures(&text), failures(&fair) + 1, "{text}"),
            "crash-at-once" | "greet" => {
                assert_eq!(
                    (failures(&text), not_tried(&text)),
                    (1, all - 1 - passed(&text))
                );
            }
            _ => (),
        }
    }
}

/// The number of cases that passed, in the last line.
fn passed(text: &str) -> usize {
    let summary = text.lines().last().unwrap();
    summary.split(' ').next().unwrap().parse().unwrap()
}

/// A match plays an engine that suggests its moves, so only one case fails because of it.
#[test]
fn suggested_moves_are_one_failure() {
    let (_, fair) = check("fair");
    let (_, text) = check("suggest");
    assert!(has(&text, "FAILED", "moves without SUGGEST"), "{text}");
    assert_eq!(failures(&text), failures(&fair) + 1, "{text}");
}

#[test]
fn a_rule_that_is_refused_is_no_failure() {
    let (_, text) = check_rules("one-rule", &["freestyle", "caro"]);
    assert!(has(&text, "passed", "legal moves as black, freestyle"));
    for name in ["legal moves as black", "the last free point", "a five is"] {
        let unknown = text.lines().find(|line| {
            line.contains(name) && line.contains(", caro ") && line.starts_with("not supported")
        });
        assert!(unknown.is_some(), "{name}: {text}");
    }
}
