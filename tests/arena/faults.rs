//! Engines that misbehave lose, for the right reason, and the run goes on.

use super::{MOCK, arena, games_of};
use quincunx_arena::record::{MatchGame, Reason};
use quincunx_engine::rules::Color;
use std::sync::LazyLock;
use std::time::{Duration, Instant};

fn play(first: &str, second: &str, more: &[&str]) -> (Vec<MatchGame>, String) {
    let folder = tempfile::tempdir().unwrap();
    let output = arena(first, second, folder.path(), more);
    let games = games_of(folder.path());
    let report = String::from_utf8(output.stdout).unwrap();
    (games, report)
}

/// Short limits for engines that never move and engines that never start.
const SHORT_TURN: &str = "--limit=A:turn=100";
/// A turn that no test waits for.
const LONG_TURN: &str = "--limit=A:turn=1min";
/// The turn of an engine that has something to do or to say before it is stopped.
const LONGER_TURN: &str = "--limit=A:turn=2000";
const SHORT_START: &str = "--limit=A:start=300";

/// Every game of `behaviour` against a fair engine is lost for `reason`.
fn always_loses(behaviour: &str, reason: Reason) {
    LazyLock::force(&MOCK);
    let begin = Instant::now();
    let mut more = vec!["--games", "4"];
    match reason {
        Reason::Hang => more.push(SHORT_START),
        Reason::Time => more.push(SHORT_TURN),
        // Its child holds the output open, so the end of the program was once noticed only when
        // the time was over.
        _ if behaviour == "fork" => more.push(LONG_TURN),
        _ => (),
    }
    let (games, report) = play(behaviour, "fair", &more);
    judged(behaviour, reason, &games, &report);
    let took = begin.elapsed();
    assert!(took < Duration::from_secs(30), "{behaviour} took {took:?}");
}

fn judged(behaviour: &str, reason: Reason, games: &[MatchGame], report: &str) {
    assert_eq!(games.len(), 4, "{behaviour}");
    for game in games {
        let guilty_is_black = game.black == "A";
        let winner = if guilty_is_black {
            Some(Color::White)
        } else {
            Some(Color::Black)
        };
        assert_eq!(game.winner, winner, "{behaviour}: {game:?}");
        assert_eq!(game.reason, reason, "{behaviour}: {game:?}");
    }
    assert!(report.ends_with("A vs B: 0 - 4 - 0\n"), "{report}");
}

#[test]
fn too_much_memory_loses() {
    let more = ["--games", "4", "--memory", "200"];
    let (games, report) = play("leak", "fair", &more);
    judged("leak", Reason::Memory, &games, &report);
}

#[test]
fn crashes_lose() {
    for behaviour in ["crash-at-once", "crash-at-start", "crash", "panic", "fork"] {
        always_loses(behaviour, Reason::Crash);
    }
}

#[test]
#[cfg(unix)]
fn a_closed_output_loses() {
    let closes = "!sh -c 'read line; echo OK; exec >&-; sleep 1000'";
    always_loses(closes, Reason::Crash);
}

#[test]
fn a_fault_is_reported_once() {
    let folder = tempfile::tempdir().unwrap();
    let output = arena("crash-at-once", "fair", folder.path(), &["--games", "4"]);
    let told = String::from_utf8(output.stderr).unwrap();
    let notes: Vec<&str> = (told.lines())
        .filter(|line| line.contains(" by crash"))
        .collect();
    let [note] = notes[..] else {
        panic!("one note, not {told}");
    };
    assert!(note.starts_with("note: A lost game "), "{note}");
}

#[test]
fn silence_loses() {
    always_loses("deaf", Reason::Hang);
    always_loses("hang-at-start", Reason::Hang);
    for behaviour in ["hang", "late", "garbage"] {
        always_loses(behaviour, Reason::Time);
    }
}

/// Any later line of the form of that answer once took its place.
#[test]
fn the_answer_to_about_is_the_first() {
    let (_, report) = play("talk", "fair", &["--games", "2"]);
    assert_eq!(report.matches(" Mock 1.0 ").count(), 2, "{report}");
}

/// Programs that end at once often say why, and not all of them on the error output.
#[test]
#[cfg(unix)]
fn the_last_output_of_a_crashed_program_is_reported() {
    for (script, detail) in [
        (
            "echo no network; exit 3",
            "exit status: 3; last said \"no network\"",
        ),
        (
            "echo Welcome; echo no network >&2; exit 3",
            "exit status: 3; no network",
        ),
        ("read line; exit 3", "exit status: 3"),
    ] {
        let (games, _) = play(&format!("!sh -c '{script}'"), "fair", &["--games", "2"]);
        for game in games {
            assert_eq!((game.reason, game.detail.as_str()), (Reason::Crash, detail));
        }
    }
}

/// The milliseconds of a text such as `no move in 3205 ms instead of 2000`, of which the engine
/// had two seconds.
fn milliseconds(text: &str) -> u64 {
    let text = text.strip_prefix("no move in ").unwrap();
    let text = text.strip_suffix(" ms instead of 2000").unwrap();
    text.parse().unwrap()
}

/// A move that is late is waited for, so the record says how late it was. It was once the turn
/// and the tolerance, whenever the move came.
#[test]
fn a_loss_on_time_says_how_late_the_move_was() {
    let (games, report) = play("late", "fair", &[SHORT_TURN, "--games", "2"]);
    let mut longest = 0.0f64;
    for game in games {
        let used = game.detail.strip_suffix(" ms instead of 100").unwrap();
        let used: f64 = used.parse().unwrap();
        // It thinks for 400 ms.
        assert!((400.0..1300.0).contains(&used), "{used}");
        let late = game.late_ms.unwrap();
        assert_eq!(late.floor(), used);
        longest = longest.max(late);
        assert!(game.moves.iter().all(|played| played.ms < 300.0));
    }
    let shown = format!(" {longest:.1}");
    let row = report
        .lines()
        .find(|line| line.starts_with("  A ") && line.contains(&shown));
    assert!(row.is_some(), "{shown}: {report}");
}

/// A program that says something else than a move loses when the time is over: what was said
/// may be about an INFO line. The record has the time and its last words.
#[test]
fn a_reply_in_place_of_a_move_is_reported() {
    let more = [LONGER_TURN, "--games", "2"];
    for (behaviour, said) in [("give-up", "ERROR I give up"), ("garbage", "1,2,3")] {
        let (games, _) = play(behaviour, "fair", &more);
        for game in games {
            assert_eq!(game.reason, Reason::Time);
            let (used, last) = game.detail.split_once(", ").unwrap();
            assert_eq!(last, format!("last said \"{said}\""));
            assert!(milliseconds(used) >= 3200, "{used}");
        }
    }
    let (games, _) = play("hang", "fair", &more);
    assert!(games.iter().all(|game| milliseconds(&game.detail) >= 3200));
}

/// The reason names the command that was sent, also where the board is no square.
#[test]
fn a_missing_answer_to_start_is_reported_with_its_command() {
    for (size, command) in [("9x6", "RECTSTART 9,6"), ("9", "START 9")] {
        let more = [SHORT_START, "--games", "2", "--size", size];
        let (games, _) = play("hang-at-start", "fair", &more);
        for game in games {
            assert_eq!(game.reason, Reason::Hang);
            assert_eq!(game.detail, format!("no OK to {command}"));
        }
    }
}

#[test]
fn noise_loses() {
    always_loses("flood", Reason::Time);
    always_loses("endless-line", Reason::Time);
}

#[test]
fn impossible_moves_lose() {
    always_loses("taken", Reason::Illegal);
    always_loses("off-board", Reason::Illegal);
    always_loses("refuse", Reason::Refused);
}

#[test]
fn odd_manners_are_no_crime() {
    for behaviour in [
        "ignore-end",
        "silent",
        "complain",
        "suggest",
        "talk",
        "refuse-again",
    ] {
        let (games, _) = play(behaviour, "fair 7", &["--games", "4"]);
        assert_eq!(games.len(), 4, "{behaviour}");
        for game in &games {
            assert!(!game.reason.is_fault(), "{behaviour}: {game:?}");
        }
    }
}

#[test]
fn remarks_are_recorded() {
    let (games, _) = play("talk", "fair", &["--games", "2"]);
    let talked = games[0].moves.iter().filter(|m| m.eval.is_some()).count();
    assert!(talked * 2 >= games[0].moves.len() - 1);
}

#[test]
fn every_rule_and_shape_of_board_is_played() {
    for rule in ["freestyle", "standard", "renju", "caro", "caro-overline"] {
        let (games, _) = play("fair 3", "fair 4", &["--games", "2", "--rule", rule]);
        assert_eq!(games.len(), 2);
        assert!(games.iter().all(|game| game.reason != Reason::Illegal));
    }
    let (games, _) = play("fair 3", "fair 4", &["--games", "2", "--size", "9x6"]);
    assert!(games.iter().all(|game| !game.reason.is_fault()));
}

/// The path of the program is no text here.
#[test]
#[cfg(target_os = "linux")]
fn engines_are_started_from_folders_with_names_in_any_encoding() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path().join(OsStr::from_bytes(b"caf\xe9"));
    std::fs::create_dir(&here).unwrap();
    std::os::unix::fs::symlink(&*super::MOCK, here.join("mock")).unwrap();
    let more = ["--games", "2", "--draw-after", "4"];
    let mut started = super::command("!./mock fair", "!./mock fair 2", &here.join("run"), &more);
    let output = started.current_dir(&here).output().unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{errors}");
    let settings = std::fs::read_to_string(here.join("run/match.json")).unwrap();
    assert!(settings.contains("caf\u{fffd}/mock"), "{settings}");
}
