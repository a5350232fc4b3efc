//! Runs that are stopped, resumed, cut into shards and joined again.

use super::{arena, command, games_of};
use quincunx_arena::record::{MatchGame, Reason};
use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

const OPENINGS: &str = "h8i9g10\nh8h9j7\n0,0, 1,1, 2,3 # offsets\na1b2c4\n";

fn openings(folder: &Path) -> PathBuf {
    let path = folder.join("openings.txt");
    fs::write(&path, OPENINGS).unwrap();
    path
}

/// What a schedule decides about a game.
fn planned(games: &[MatchGame]) -> HashSet<(usize, String, String, String)> {
    let plan = |g: &MatchGame| {
        (
            g.number,
            g.black.clone(),
            g.white.clone(),
            g.opening.clone(),
        )
    };
    games.iter().map(plan).collect()
}

fn merge(parts: &[&Path], out: &Path) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_quincunx"));
    let output = command
        .args(["match", "--merge"])
        .args(parts)
        .arg("--out")
        .arg(out)
        .output()
        .unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{errors}");
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn four_shards_are_the_whole() {
    let folder = tempfile::tempdir().unwrap();
    let book = openings(folder.path());
    let book = book.to_str().unwrap();
    // Programs that are started anew play the same game from the same opening.
    let all = [
        "--games",
        "24",
        "--openings",
        book,
        "--seed",
        "5",
        "--restart",
    ];
    let whole = folder.path().join("whole");
    arena("fair 3", "fair 4", &whole, &all);
    // On another machine the programs are in another folder.
    let elsewhere = folder.path().join(super::MOCK.file_name().unwrap());
    fs::copy(&*super::MOCK, &elsewhere).unwrap();
    let parts: Vec<PathBuf> = (1..=4)
        .map(|i| {
            let part = folder.path().join(i.to_string());
            let shard = format!("--shard={i}/4");
            let mut arguments = all.to_vec();
            arguments.push(&shard);
            if i == 3 {
                let engine = |number| format!("!{} fair {number}", elsewhere.display());
                arena(&engine(3), &engine(4), &part, &arguments);
            } else {
                arena("fair 3", "fair 4", &part, &arguments);
            }
            assert_eq!(games_of(&part).len(), 6);
            part
        })
        .collect();
    let parts: Vec<&Path> = parts.iter().map(PathBuf::as_path).collect();
    let (joined, again) = (folder.path().join("joined"), folder.path().join("again"));
    let report = merge(&parts, &joined);
    assert_eq!(planned(&games_of(&joined)), planned(&games_of(&whole)));
    let text = |games: Vec<MatchGame>| {
        let mut moves: Vec<String> = games.iter().map(MatchGame::move_text).collect();
        moves.sort();
        moves
    };
    assert_eq!(text(games_of(&joined)), text(games_of(&whole)));
    let of_whole = merge(&[&whole], &again);
    let score = |report: &str| report.lines().last().unwrap().to_owned();
    assert_eq!(score(&report), score(&of_whole));
}

/// Openings from a folder of all forms, each played twice.
#[test]
fn openings_come_from_files_of_games() {
    let folder = tempfile::tempdir().unwrap();
    let games = folder.path().join("games");
    fs::create_dir(&games).unwrap();
    let sgf = "(;GM[4]SZ[15];B[hh];W[ig];B[gf];W[aa])(;GM[4];B[aa];W[bb];B[cc])";
    fs::write(games.join("a.SGF"), sgf).unwrap();
    let psq = b"Piskvorky 15x15, 11:11, 0\n8,8,0\n9,9,0\n1,1,12\nJos\xe9\nB\n0\n";
    fs::write(games.join("b.psq"), psq).unwrap();
    // A whole game, which black has won.
    let won = "j10k11l12a1j11b1j12c1j13d1j14\n";
    fs::write(games.join("c.txt"), won).unwrap();
    fs::write(games.join("readme.md"), "no openings").unwrap();
    let path = games.to_str().unwrap();
    let more = ["--games", "8", "--openings", path, "--order", "sequential"];
    let more = [&more[..], &["--opening-plies", "3", "--restart"]].concat();
    let out = folder.path().join("run");
    arena("fair 3", "fair 4", &out, &more);
    let mut played = games_of(&out);
    played.sort_by_key(|game| game.number);
    let openings: Vec<&str> = played.iter().map(|game| game.opening.as_str()).collect();
    let expected = ["h8i9g10", "a15b14c13", "h8i7a15", "j10k11l12"];
    assert_eq!(openings, expected.map(|opening| [opening; 2]).concat());
    for (more, complaint) in [
        (
            &["--openings", path, "--size", "9"][..],
            "a.SGF: game 1: the board is 15, not 9",
        ),
        (
            &["--openings", path, "--opening-rule", "swap2"],
            "the engines put the first",
        ),
        (
            &["--opening-rule", "swap1"],
            "the protocol has no command for it",
        ),
        (
            &["--opening-rule", "soosorv"],
            "the protocol has no command for it",
        ),
        (&["--opening-rule", "swap3"], "expected free, swap1, swap2"),
        (
            &[
                "--openings",
                path,
                "--opening-plies",
                "3",
                "--draw-after",
                "3",
            ],
            "--draw-after 3: an opening has as many stones",
        ),
        (
            &["--opening-rule", "swap2", "--draw-after", "5"],
            "--draw-after 5: an opening has as many stones",
        ),
    ] {
        let other = folder.path().join("other");
        let output = command("fair", "fair", &other, more).output().unwrap();
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(
            !output.status.success() && errors.contains(complaint),
            "{errors}"
        );
    }
}

#[test]
fn a_killed_run_goes_on_where_it_was() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("run");
    let all = ["--games", "300", "--restart"];
    let mut child = command("fair 3", "fair 4", &out, &all)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let deadline = Instant::now() + Duration::from_secs(20);
    let lines =
        || fs::read_to_string(out.join("games.jsonl")).map_or(0, |text| text.lines().count());
    while lines() < 20 && Instant::now() < deadline {
        std::thread::sleep(Duration::from_millis(2));
    }
    // On Unix this is the signal that nothing can catch.
    child.kill().unwrap();
    child.wait().unwrap();
    let before = games_of(&out);
    assert!(before.len() >= 20 && before.len() < 300);
    // What a crash in mid-write leaves behind.
    let mut torn = fs::read(out.join("games.jsonl")).unwrap();
    torn.extend_from_slice(b"{\"number\":17,\"bla");
    fs::write(out.join("games.jsonl"), torn).unwrap();
    for name in ["psq/.000007.psq.aB3dE6.draft", ".match.json.aB3dE6.draft"] {
        fs::write(out.join(name), "half").unwrap();
    }
    arena(
        "fair 3",
        "fair 4",
        &out,
        &["--games", "300", "--restart", "--resume"],
    );
    let after = games_of(&out);
    assert_eq!(&after[..before.len()], &before[..]);
    let numbers: HashSet<usize> = after.iter().map(|game| game.number).collect();
    assert_eq!((after.len(), numbers.len()), (300, 300));
    let sgf = fs::read_to_string(out.join("games.sgf")).unwrap();
    assert_eq!(sgf.matches("GM[4]").count(), 300);
    // No draft of the killed run is left.
    assert_eq!(fs::read_dir(out.join("psq")).unwrap().count(), 300);
    assert!(!out.join(".match.json.aB3dE6.draft").exists());
    assert_eq!(
        fs::read_to_string(out.join("games.csv"))
            .unwrap()
            .lines()
            .count(),
        301
    );
}

/// Two runs in one folder would both play what is left.
#[test]
fn a_folder_has_one_run_at_a_time() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("run");
    let all = ["--games", "1000", "--draw-after", "9"];
    let mut first = command("sleepy", "sleepy", &out, &all)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let deadline = Instant::now() + Duration::from_secs(20);
    while fs::metadata(out.join("games.jsonl")).map_or(true, |file| file.len() == 0) {
        assert!(Instant::now() < deadline);
        std::thread::sleep(Duration::from_millis(5));
    }
    let more = [&all[..], &["--resume"]].concat();
    let second = command("sleepy", "sleepy", &out, &more).output().unwrap();
    let errors = String::from_utf8_lossy(&second.stderr);
    assert!(errors.contains("run is in use by another run"), "{errors}");
    assert_eq!(second.status.code(), Some(1));
    first.kill().unwrap();
    first.wait().unwrap();
    let more = ["--games", "1000", "--resume", "--draw-after", "2"];
    let third = command("sleepy", "sleepy", &out, &more).output().unwrap();
    let errors = String::from_utf8_lossy(&third.stderr);
    assert!(errors.contains("other settings: draw_after"), "{errors}");
}

/// The games of a run that was made longer are those of one that was long at once.
#[test]
fn a_run_is_made_longer() {
    let folder = tempfile::tempdir().unwrap();
    let book = openings(folder.path());
    let book = ["--openings", book.to_str().unwrap(), "--restart"];
    let (long, grown) = (folder.path().join("long"), folder.path().join("grown"));
    let with = |more: &[&'static str]| [&book[..], more].concat();
    arena("fair 3", "fair 4", &long, &with(&["--games", "14"]));
    arena("fair 3", "fair 4", &grown, &with(&["--games", "4"]));
    let first = games_of(&grown);
    let report = arena(
        "fair 3",
        "fair 4",
        &grown,
        &with(&["--games", "14", "--resume"]),
    );
    assert!(String::from_utf8_lossy(&report.stdout).contains("14 of 14"));
    assert_eq!(games_of(&grown)[..4], first);
    assert_eq!(planned(&games_of(&grown)), planned(&games_of(&long)));
    // It is the longer run from now on.
    arena(
        "fair 3",
        "fair 4",
        &grown,
        &with(&["--games", "14", "--resume"]),
    );
    let shorter = with(&["--games", "4", "--resume"]);
    let output = command("fair 3", "fair 4", &grown, &shorter)
        .output()
        .unwrap();
    assert!(String::from_utf8_lossy(&output.stderr).contains("other settings: pairs"));
}

/// What a run began from is kept, whether the option that said so is repeated or not.
#[test]
fn a_run_goes_on_from_the_openings_it_began_with() {
    let folder = tempfile::tempdir().unwrap();
    let book = openings(folder.path());
    let book = ["--openings", book.to_str().unwrap()];
    // Engines that know swap2.
    let (first, second) = ("swap2-black 3", "swap2-black 4");
    // The folder, the options of the first run and of the second, and the complaint.
    type Case<'a> = (&'a str, &'a [&'a str], &'a [&'a str], Option<&'a str>);
    let cases: [Case<'_>; 5] = [
        ("empty", &[], &[], None),
        (
            "swap2",
            &["--opening-rule", "swap2"],
            &[],
            Some("opening_rule swap2, not none"),
        ),
        ("book", &book, &[], None),
        ("book", &book, &["--size", "9"], Some("size 15, not 9")),
        (
            "book",
            &book,
            &["--rule", "renju"],
            Some("rule freestyle, not renju"),
        ),
    ];
    for (name, began_with, more, complaint) in cases {
        let out = folder.path().join(name);
        if !out.exists() {
            let all = [&["--games", "2"][..], began_with].concat();
            arena(first, second, &out, &all);
        }
        let more = [&["--games", "2", "--resume"][..], more].concat();
        let with = command(first, second, &out, &more);
        let mut plain = Command::new(with.get_program());
        plain.args(with.get_args().filter(|word| *word != "--no-openings"));
        let output = plain.output().unwrap();
        let errors = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.success(), complaint.is_none(), "{errors}");
        if let Some(complaint) = complaint {
            let expected = format!("other settings: {complaint}");
            assert!(errors.contains(&expected), "{errors}");
        }
    }
}

#[test]
fn another_run_is_not_resumed() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("run");
    arena("fair 3", "fair 4", &out, &["--games", "4"]);
    for (more, complaint) in [
        (&["--games", "4"][..], "has games already"),
        (
            &["--games", "2", "--resume"],
            "other settings: pairs 2, not 1",
        ),
        (
            &[
                "--games",
                "4",
                "--seed",
                "9",
                "--draw-after",
                "8",
                "--resume",
            ],
            "other settings: draw_after none, not 8; seed 1, not 9",
        ),
        (
            &["--games", "4", "--limit", "B:nodes=9", "--resume"],
            "other settings: nodes of B none, not 9",
        ),
    ] {
        let output = command("fair 3", "fair 4", &out, more).output().unwrap();
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(
            !output.status.success() && errors.contains(complaint),
            "{errors}"
        );
    }
}

/// Another command may start another program, unless the user says that it does not.
#[test]
fn a_run_goes_on_with_programs_that_were_moved() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("run");
    let elsewhere = folder.path().join(super::MOCK.file_name().unwrap());
    fs::copy(&*super::MOCK, &elsewhere).unwrap();
    let moved = format!("!{} fair 3", elsewhere.display());
    arena("fair 3", "fair 4", &out, &["--games", "4"]);
    let more = ["--games", "8", "--resume"];
    let refused = |more: &[&str], complaint: &str| {
        let output = command(&moved, "fair 4", &out, more).output().unwrap();
        let errors = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{errors}");
        assert!(errors.contains(complaint), "{errors}");
    };
    let advice = "other settings: command of A; if it is the same program in another place, \
                  give --moved";
    refused(&more, advice);
    let other = [&more[..], &["--moved", "--nodes", "9"]].concat();
    refused(
        &other,
        "other settings: nodes of A none, not 9; nodes of B none, not 9\n",
    );
    let with_moved = [&more[..], &["--moved"]].concat();
    arena(&moved, "fair 4", &out, &with_moved);
    assert_eq!(games_of(&out).len(), 8);
    // That is where the program is from now on.
    arena(&moved, "fair 4", &out, &more);
}

#[test]
fn what_can_not_be_joined_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    arena("fair 3", "fair 4", &at("one"), &["--games", "2"]);
    arena(
        "fair 3",
        "fair 4",
        &at("two"),
        &["--games", "2", "--seed", "9"],
    );
    arena("fair 3", "fair 4", &at("again"), &["--games", "2"]);
    fs::write(at("text"), "no games").unwrap();
    for (more, complaint) in [
        (
            &["two"][..],
            "two is no part of the same match: seed 9, not 1",
        ),
        (
            &["again"],
            "one and again have different games with the number 0",
        ),
        (&["text"], "text is no match: there is no match.json"),
        (&["nosuch"], "can't read nosuch"),
        (
            &["--out", "two"],
            "two has games already: choose another folder",
        ),
    ] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_quincunx"));
        command.args(["match", "--merge", "one"]).args(more);
        let output = command.current_dir(folder.path()).output().unwrap();
        let errors = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{errors}");
        assert!(errors.contains(complaint), "{errors}");
    }
}

/// A program that can't be started any more has not lost: the match ends.
#[test]
#[cfg(unix)]
fn a_program_that_can_not_be_started_loses_no_game() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    let program = folder.path().join("once");
    let starts = folder.path().join("starts");
    // The first start only shows that it can be started.
    let text = format!(
        "#!/bin/sh\necho start >> {starts}\n\
         [ $(wc -l < {starts}) -gt 1 ] && rm -f {program}\nexec {mock} fair\n",
        starts = starts.display(),
        program = program.display(),
        mock = super::MOCK.display(),
    );
    fs::write(&program, text).unwrap();
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
    let out = folder.path().join("run");
    let once = format!("!{}", program.display());
    let more = ["--games", "8", "--restart"];
    let output = command(&once, "fair", &out, &more).output().unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{errors}");
    assert!(errors.contains("can't start A: "), "{errors}");
    let games = games_of(&out);
    assert!(games.len() < 8, "{errors}");
    assert!(
        games.iter().all(|game| game.reason != Reason::Crash),
        "{errors}"
    );
}

/// Ctrl-C ends the run at once, keeps its games and leaves no program behind.
#[test]
#[cfg(unix)]
fn an_interrupted_run_reports_and_cleans_up() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("run");
    let mark = folder.path().join("alive");
    // A child of the engine that would outlive it, were it not killed.
    let script = format!(
        "!sh -c '(sleep 3; echo alive > {}) & read a; echo OK; sleep 1000'",
        mark.display()
    );
    let child = command(&script, "fair", &out, &["--games", "4"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let deadline = Instant::now() + Duration::from_secs(20);
    while !out.join("games.jsonl").exists() {
        assert!(Instant::now() < deadline);
        std::thread::sleep(Duration::from_millis(5));
    }
    std::thread::sleep(Duration::from_millis(300));
    let id = child.id().to_string();
    assert!(
        Command::new("kill")
            .args(["-INT", &id])
            .status()
            .unwrap()
            .success()
    );
    let begin = Instant::now();
    let output = child.wait_with_output().unwrap();
    assert!(begin.elapsed() < Duration::from_secs(8));
    assert_eq!(output.status.code(), Some(130));
    assert!(out.join("report.html").exists());
    std::thread::sleep(Duration::from_secs(3));
    assert!(!mark.exists(), "a child of the engine was left behind");
}

/// Schedulers end a job by a signal to all its processes; an engine that hears it
/// before the match does has not lost.
#[test]
#[cfg(unix)]
fn an_engine_that_is_ended_with_the_match_loses_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let (out, file) = (folder.path().join("run"), folder.path().join("pid"));
    let mock = super::MOCK.display();
    let script = format!("!sh -c 'echo $$ > {}; exec {mock} sleepy'", file.display());
    let child = command(&script, "fair", &out, &["--games", "2"])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let deadline = Instant::now() + Duration::from_secs(20);
    let engine = || fs::read_to_string(&file).unwrap_or_default();
    // The first start asks who the engine is; games begin after it.
    while !out.join("games.jsonl").exists() || !engine().ends_with('\n') {
        assert!(Instant::now() < deadline);
        std::thread::sleep(Duration::from_millis(5));
    }
    std::thread::sleep(Duration::from_millis(300));
    let kill = |id: &str| Command::new("kill").args(["-TERM", id]).status().unwrap();
    kill(engine().trim());
    std::thread::sleep(Duration::from_millis(100));
    kill(&child.id().to_string());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130));
    let games = games_of(&out);
    assert!(
        games.iter().all(|game| !game.reason.is_fault()),
        "{games:?}"
    );
}

/// The sets that come with the program can be played from, no two alike.
#[test]
fn the_openings_that_come_along_are_openings() {
    use quincunx_engine::game::opening::read_openings;
    use quincunx_engine::rules::{BoardSize, Rule};
    for (name, rule, side) in [
        ("freestyle15", Rule::Freestyle, 15),
        ("freestyle20", Rule::Freestyle, 20),
        ("standard15", Rule::Standard, 15),
        ("renju15", Rule::Renju, 15),
        ("caro15", Rule::Caro, 15),
    ] {
        let path = format!("{}/openings/{name}.txt", env!("CARGO_MANIFEST_DIR"));
        let text = fs::read_to_string(path).unwrap();
        let size = BoardSize::square(side).unwrap();
        let openings = read_openings(rule, size, None, &text).unwrap();
        let mut copies = HashSet::new();
        for opening in &openings {
            let alike = size.symmetries().map(|symmetry| {
                let turned = opening.turned(size, symmetry);
                let mut colored: Vec<_> = turned.points().iter().enumerate().collect();
                colored.sort_by_key(|(i, point)| (i % 2, **point));
                format!(
                    "{:?}",
                    colored.iter().map(|(i, p)| (i % 2, p)).collect::<Vec<_>>()
                )
            });
            assert!(copies.insert(alike.min()), "{name}: {opening}");
        }
        assert!(openings.len() >= 200, "{name}");
    }
}
