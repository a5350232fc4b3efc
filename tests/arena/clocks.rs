//! Clocks of a match, and programs that stand still while they are not to move.

use super::{arena, command, games_of, without_clock};
use quincunx_arena::record::Reason;

/// Moves of 40 ms use more than a second and a half in a game, but not in three moves. Each of
/// them is shorter than the tolerance, which is for all of a game.
#[test]
fn time_is_given_again() {
    for (control, reason) in [("3/1.5", Reason::Draw), ("0.6", Reason::Time)] {
        let folder = tempfile::tempdir().unwrap();
        let limit = format!("--limit=A:tc={control}");
        let more = [&limit, "--limit=A:tolerance=200ms", "--games", "2"];
        let more = [&more[..], &["--rule", "standard", "--size", "20"]].concat();
        let more = [&more[..], &["--draw-after", "100", "--transcripts"]].concat();
        arena("sleepy", "fair", folder.path(), &more);
        let games = games_of(folder.path());
        let of = |reason| games.iter().filter(|game| game.reason == reason).count();
        assert!(of(reason) > 0, "{control}: {games:?}");
        assert!(reason == Reason::Time || of(Reason::Time) == 0, "{games:?}");
        let said = std::fs::read_to_string(folder.path().join("transcripts/000000.txt"));
        let (_, seconds) = control.split_once('/').unwrap_or(("", control));
        let told = 1000.0 * seconds.parse::<f64>().unwrap();
        let told = format!("A > INFO timeout_match {told:.0}");
        assert!(said.unwrap().contains(&told), "{told}");
    }
}

/// Searches of fixed nodes beside other load once lost games on time, after a minute for a move. A
/// program that hangs loses after the time that the options give.
#[test]
fn nodes_take_their_time() {
    for (behaviour, more, reason, told) in [
        ("late", &[][..], Reason::Draw, "1800000"),
        ("hang", &["--patience", "300ms"], Reason::Time, "300"),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let limits = [
            "--nodes",
            "5",
            "--games",
            "2",
            "--draw-after",
            "12",
            "--transcripts",
        ];
        let more = [&limits[..], more].concat();
        let output = without_clock(behaviour, "fair", folder.path(), &more).output();
        assert!(output.unwrap().status.success(), "{behaviour}");
        let games = games_of(folder.path());
        assert_eq!(games.len(), 2);
        assert!(games.iter().all(|game| game.reason == reason), "{games:?}");
        let said = std::fs::read_to_string(folder.path().join("transcripts/000000.txt"));
        let told = format!("A > INFO timeout_turn {told}");
        assert!(said.unwrap().contains(&told), "{told}");
    }
}

/// Two clocks at once, and times that are none, are refused.
#[test]
fn clocks_that_make_no_sense_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    for more in [
        &["--tc", "40/"][..],
        &["--tc", "60", "--game-time", "9"],
        &["--limit", "A:tc=0"],
    ] {
        let output = command("fair", "fair", folder.path(), more)
            .output()
            .unwrap();
        let errors = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{errors}");
    }
}

/// A match that was stopped with Ctrl-Z blamed the engine that was to move.
#[test]
#[cfg(unix)]
fn an_engine_loses_nothing_while_the_match_is_stopped() {
    use std::process::Command;
    use std::time::Duration;
    let folder = tempfile::tempdir().unwrap();
    let more = ["--games", "2", "--turn", "700", "--draw-after", "60"];
    let more = [&more[..], &["--tolerance", "300"]].concat();
    let mut running = command("sleepy", "sleepy", folder.path(), &more)
        .stdout(std::process::Stdio::null())
        .spawn()
        .unwrap();
    let send = |signal: &str| {
        let id = running.id().to_string();
        let sent = Command::new("kill").args([signal, &*id]).status();
        assert!(sent.unwrap().success());
    };
    std::thread::sleep(Duration::from_millis(800));
    send("-STOP");
    std::thread::sleep(Duration::from_millis(2_500));
    send("-CONT");
    assert!(running.wait().unwrap().success());
    let games = games_of(folder.path());
    assert_eq!(games.len(), 2);
    assert!(
        games.iter().all(|game| !game.reason.is_fault()),
        "{games:?}"
    );
}

#[test]
#[cfg(unix)]
fn a_suspended_program_does_not_think_on() {
    let worked = |more: &[&str]| -> u64 {
        let folder = tempfile::tempdir().unwrap();
        let more = [&["--games", "2", "--draw-after", "20"], more].concat();
        arena("ponder", "sleepy", folder.path(), &more);
        let games = games_of(folder.path());
        assert!(
            games.iter().all(|game| !game.reason.is_fault()),
            "{games:?}"
        );
        let moves = games.iter().flat_map(|game| game.moves.iter().skip(2));
        let said = moves.filter_map(|m| m.message.as_ref()?.rsplit(' ').next());
        said.filter_map(|ticks| ticks.parse::<u64>().ok()).sum()
    };
    let (free, suspended) = (worked(&[]), worked(&["--suspend"]));
    assert!(suspended < free / 2, "{suspended} of {free} ms");
}
