//! Matches and openings: what is said before, meanwhile and after an interruption.

#[cfg(target_os = "linux")]
use super::in_terminal;
#[cfg(unix)]
use super::program;
use super::{fails, prints, read, run, text, write};
use std::fs;
#[cfg(unix)]
use std::process::{Child, Command, Stdio};

#[test]
fn no_warning_is_repeated() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    write(at, "bad.txt", "9 freestyle e5\n\u{e9}\n");
    fs::write(at.join("latin.txt"), b"9 freestyle e5\n\xe9\n").unwrap();
    for line in [
        "database import t.db nosuch.txt",
        "database import t.db latin.txt",
        "database import t.db bad.txt",
        "solve --file nosuch.txt",
        "solve --file latin.txt",
        "match --openings nosuch.txt --engine a=true --engine b=true --nodes 1",
        "openings --stones x",
        "dump nosuch",
        "--tables nosuch bench",
    ] {
        let error = fails(at, line);
        let parts: Vec<&str> = error.trim().split(": ").collect();
        for (index, part) in parts.iter().enumerate() {
            assert!(!parts[..index].contains(part), "{line}: {error}");
        }
    }
    let error = fails(at, "solve --file latin.txt");
    assert!(error.contains("1 of 2 lines made no sense"), "{error}");
    let spsa = "spsa --size 7 --pairs 1 --nodes 20 --out run.json";
    prints(at, spsa);
    // The run keeps the test of its openings, which the same command need not repeat.
    prints(at, spsa);
    let error = fails(at, &format!("{spsa} --opening-nodes 900"));
    let kept = "is of another run: openings {\"nodes\":5000,\"window\":100}, not {\"nodes\":900";
    assert!(error.contains(kept), "{error}");
    let error = fails(at, &format!("{spsa} --rate 1"));
    assert!(
        error.contains("is of another run: rate 0.006, not 1"),
        "{error}"
    );
}

#[test]
fn matches_name_engines_and_programs_that_are_there() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let program = env!("CARGO_BIN_EXE_quincunx");
    let start = format!("match --engine a={program} --engine b={program} --nodes 10 --games 2");
    for more in [
        "--option nosuch:strength=3",
        "--limit nosuch:nodes=3",
        "--dir nosuch:.",
    ] {
        let error = fails(at, &format!("{start} {more}"));
        assert!(
            error.contains("no engine is called 'nosuch', but a, b"),
            "{error}"
        );
    }
    let error = fails(at, &format!("{start} --limit nodes=3"));
    assert!(error.contains("expected NAME:KEY=VALUE"), "{error}");
    write(at, "prose", "not a program");
    for missing in ["./prose", "./nosuch", "nosuch-quincunx"] {
        let error = fails(
            at,
            &format!("match --engine a={program} --engine c={missing} --nodes 9"),
        );
        assert!(error.contains(missing.trim_start_matches("./")), "{error}");
        let error = fails(at, &format!("check {missing}"));
        assert!(error.contains(missing.trim_start_matches("./")), "{error}");
    }
    for (engine, complaint) in [
        // A blank cuts the path in two.
        ("'c=./my engine'", "my: "),
        ("\"c=./it's\"", "a quote in ./it's has no end"),
        ("a=./other", "two engines are called a: NAME=COMMAND"),
    ] {
        let line = format!("match --engine a={program} --engine {engine} --nodes 9");
        let error = fails(at, &line);
        assert!(error.contains(complaint), "{error}");
    }
}

#[test]
fn matches_make_openings_and_record_transcripts() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let program = env!("CARGO_BIN_EXE_quincunx");
    let start = format!(
        "--log log match --engine a={program} --engine b={program} --size 9 --nodes 20 --games 6"
    );
    let output = run(at, &format!("{start} --out made --transcripts"));
    let notes = text(&output.stderr);
    assert!(output.status.success(), "{notes}");
    assert!(notes.contains("3 balanced openings made"), "{notes}");
    assert!(!notes.contains("repeat games"), "{notes}");
    let talk = read(at, "made/transcripts/000000.txt");
    let lines: Vec<&str> = talk.lines().collect();
    assert!(lines[0].starts_with("# game 0, black a, white b"), "{talk}");
    assert!(lines[1].ends_with(" > START 9"), "{talk}");
    assert!(lines.iter().any(|line| line.ends_with(" < OK")), "{talk}");
    let times: Vec<f64> = (lines[1..].iter())
        .map(|line| line.split_whitespace().next().unwrap().parse().unwrap())
        .collect();
    assert!(times.is_sorted() && times[0] == 0.0, "{talk}");
    assert_eq!(
        fs::read_dir(at.join("made/transcripts")).unwrap().count(),
        6
    );
    // The log has everything too, and the time of each line.
    let log = read(at, "log");
    let first = log.lines().find(|line| line.contains("START 9")).unwrap();
    let time: Vec<char> = first.chars().take(24).collect();
    assert_eq!(
        (time[4], time[10], time[13], time[19], time[23]),
        ('-', ' ', ':', '.', 'Z')
    );

    let output = run(at, &format!("{start} --no-openings"));
    let notes = text(&output.stderr);
    assert!(
        notes.contains("3 pairs of two engines from 1 different start:"),
        "{notes}"
    );
}

#[test]
fn openings_report_progress_and_failure() {
    let folder = tempfile::tempdir().unwrap();
    let line = "openings --size 7 --count 2 --stones 1-2 --nodes 50 --window 300";
    let output = run(folder.path(), line);
    assert_eq!(text(&output.stdout).lines().count(), 3, "{output:?}");
    let notes = text(&output.stderr);
    assert!(
        notes.starts_with("2 openings from ") && notes.contains(" attempts in 0:0"),
        "{notes}"
    );
    let none = "openings --size 7 --count 1 --stones 1-2 --nodes 1 --window 0";
    let error = fails(folder.path(), none);
    assert!(error.contains("found only 0"), "{error}");
    // There is no end of repeats, but of patience.
    let few = "openings --size 5 --count 2000 --stones 1 --nodes 20 --window 9000";
    let error = fails(folder.path(), few);
    assert!(error.contains("found only "), "{error}");
    let output = run(folder.path(), "openings --size 5 --count 1 --stones 25");
    let error = text(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{error}");
    assert!(error.contains("on a board of 5 have at most 6"), "{error}");
}

/// What stands on a terminal of 80 columns after this was written to it.
#[cfg(target_os = "linux")]
fn on_screen(written: &str) -> Vec<String> {
    const COLUMNS: usize = 80;
    let mut lines = vec![Vec::new()];
    let mut column = 0;
    let mut wraps = true;
    let mut rest = written;
    while let Some(next) = rest.chars().next() {
        let line: &mut Vec<char> = lines.last_mut().unwrap();
        if let Some(after) = rest.strip_prefix("\x1b[K") {
            line.truncate(column);
            rest = after;
            continue;
        }
        if let Some(after) = rest.strip_prefix("\x1b[?7") {
            wraps = after.starts_with('h');
            rest = &after[1..];
            continue;
        }
        rest = &rest[next.len_utf8()..];
        match next {
            '\r' => column = 0,
            '\n' => {
                lines.push(Vec::new());
                column = 0;
            }
            _ if column == COLUMNS && wraps => {
                lines.push(vec![next]);
                column = 1;
            }
            _ => {
                column = column.min(COLUMNS - 1);
                line.resize(line.len().max(column + 1), ' ');
                line[column] = next;
                column += 1;
            }
        }
    }
    let text = |line: Vec<char>| line.into_iter().collect::<String>();
    lines.into_iter().map(text).collect()
}

/// On a terminal progress and results come out at the same place, each whole.
#[test]
#[cfg(target_os = "linux")]
fn openings_and_their_progress_share_a_terminal() {
    let folder = tempfile::tempdir().unwrap();
    let line = "openings --size 9 --count 6 --stones 2-4 --nodes 4000 --window 4";
    let Some(written) = in_terminal(folder.path(), line) else {
        return;
    };
    assert!(written.contains(" attempts"), "no progress: {written:?}");
    let screen = on_screen(&written);
    let is_result = |line: &&String| {
        let mut parts = line.split('\t');
        let moves = parts.next().unwrap_or_default();
        let is_moves = moves
            .chars()
            .all(|c| c.is_ascii_lowercase() || c.is_ascii_digit());
        is_moves && parts.count() == 2
    };
    let results = screen.iter().filter(is_result).count();
    let comments = screen.iter().filter(|line| line.starts_with('#')).count();
    let blank = screen.iter().filter(|line| line.trim().is_empty()).count();
    let summary = |line: &&String| line.starts_with("6 openings from ");
    assert_eq!(screen.iter().filter(summary).count(), 1, "{screen:#?}");
    assert_eq!((results, comments), (6, 1), "{screen:#?}");
    // The comment takes two rows.
    assert_eq!(results + 2 + blank + 1, screen.len(), "{screen:#?}");
}

/// The lines of `spsa` and `selfplay` have more than eighty characters. On a terminal each once
/// took two rows, of which the first stayed.
#[test]
#[cfg(target_os = "linux")]
fn progress_keeps_to_one_row_of_a_terminal() {
    let folder = tempfile::tempdir().unwrap();
    for (line, progress) in [
        (
            "spsa --size 9 --pairs 30 --nodes 300 --out run.json",
            "/30 pairs, 0:0",
        ),
        (
            "selfplay --size 9 --games 40 --nodes 300 --out games.qx",
            "/40 games, 0:0",
        ),
    ] {
        let Some(written) = in_terminal(folder.path(), line) else {
            return;
        };
        assert!(written.contains(progress), "{written:?}");
        let screen = on_screen(&written);
        let rows = screen.iter().filter(|row| row.contains(progress)).count();
        assert_eq!(rows, 0, "{screen:#?}");
    }
}

/// The signal of a terminal that is closed once ended runs that were to ignore it.
#[cfg(unix)]
#[test]
fn nohup_is_obeyed() {
    let folder = tempfile::tempdir().unwrap();
    let line = format!(
        "trap '' HUP; exec '{}' selfplay --games 100000 --nodes 50 --size 7 --out games.qx",
        env!("CARGO_BIN_EXE_quincunx")
    );
    let mut child = Command::new("sh")
        .args(["-c", &line])
        .current_dir(&folder)
        .env("XDG_CONFIG_HOME", folder.path())
        .stdin(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let games = folder.path().join("games.qx");
    let length = || fs::metadata(&games).map_or(0, |file| file.len());
    let grows_beyond = |child: &mut Child, least: u64| {
        while length() <= least {
            assert!(child.try_wait().unwrap().is_none(), "it has ended");
            std::thread::sleep(std::time::Duration::from_millis(10));
        }
    };
    grows_beyond(&mut child, 100);
    let id = child.id().to_string();
    let kill = Command::new("kill").args(["-HUP", &id]).status().unwrap();
    assert!(kill.success());
    let before = length();
    grows_beyond(&mut child, before + 10_000);
    child.kill().unwrap();
    child.wait().unwrap();
}

#[cfg(unix)]
#[test]
fn an_interrupted_run_says_how_to_go_on() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let engine = env!("CARGO_BIN_EXE_quincunx");
    let selfplay = "selfplay --games 100000 --nodes 50 --size 7 --out games.qx";
    let play = format!(
        "match --engine a={engine} --engine b={engine} --nodes 50 --size 7 --games 100000 \
         --no-openings --out run"
    );
    for (line, sign, advice) in [
        (selfplay, "games.qx", "the same command resumes the run"),
        (
            &play,
            "run/games.jsonl",
            "with --resume continues the match",
        ),
    ] {
        let mut child = program(at, line)
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let begun = || fs::metadata(at.join(sign)).is_ok_and(|file| file.len() > 100);
        while !begun() {
            assert!(child.try_wait().unwrap().is_none(), "{line}");
            std::thread::sleep(std::time::Duration::from_millis(10));
        }
        let id = child.id().to_string();
        let kill = Command::new("kill").args(["-INT", &id]).status().unwrap();
        assert!(kill.success());
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(130), "{line}");
        let said = text(&output.stderr);
        assert!(said.contains(advice), "{said}");
    }
}
