//! The program's commands as people and scripts type them: what they print, what
//! they leave on the disk, how they end.

#![allow(clippy::unwrap_used)]

use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};

/// Runs the program in a folder, with nothing to read.
fn run(folder: &Path, line: &str) -> Output {
    let words = shlex::split(line).unwrap();
    Command::new(env!("CARGO_BIN_EXE_quincunx"))
        .args(words)
        .current_dir(folder)
        .env_remove("RUST_LOG")
        .env("XDG_CONFIG_HOME", folder)
        .env("APPDATA", folder)
        .env("HOME", folder)
        .stdin(Stdio::null())
        .output()
        .unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

/// What a command prints that succeeds.
#[track_caller]
fn prints(folder: &Path, line: &str) -> String {
    let output = run(folder, line);
    let errors = text(&output.stderr);
    assert!(output.status.success(), "{line}: {errors}");
    text(&output.stdout)
}

/// What a command complains of that fails.
#[track_caller]
fn fails(folder: &Path, line: &str) -> String {
    let output = run(folder, line);
    assert!(!output.status.success(), "{line}: {output:?}");
    text(&output.stderr)
}

fn write(folder: &Path, name: &str, contents: &str) {
    fs::write(folder.join(name), contents).unwrap();
}

fn read(folder: &Path, name: &str) -> String {
    fs::read_to_string(folder.join(name)).unwrap()
}

/// A database of one position.
fn database(folder: &Path) {
    write(folder, "one.txt", "15 renju h8i9 {\"text\":\"one\"}\n");
    prints(folder, "database import t.db one.txt");
}

#[test]
fn an_export_goes_where_it_is_sent() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    database(at);
    prints(at, "database export t.db copy.txt");
    let expected = read(at, "copy.txt");
    assert!(expected.starts_with("15 renju h8"), "{expected}");
    let expected = expected.as_str();
    // The dash is standard output, and makes no file.
    assert_eq!(prints(at, "database export t.db -"), expected);
    assert!(!at.join("-").exists());
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink("copy.txt", at.join("link")).unwrap();
        write(at, "copy.txt", "old");
        prints(at, "database export t.db link --force");
        assert!(at.join("link").is_symlink());
        assert_eq!(read(at, "copy.txt"), expected);
        let printed = prints(at, "database export t.db /dev/stdout");
        assert!(printed.starts_with(expected), "{printed}");
    }
}

#[test]
fn an_export_overwrites_nothing_by_mistake() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    database(at);
    let whole = fs::read(at.join("t.db")).unwrap();
    for (target, options) in [
        ("t.db", ""),
        ("./t.db", "--force"),
        ("t.db", "--force --format lib --rule renju"),
        ("t.db", "--format db"),
    ] {
        let line = format!("database export t.db {target} {options}");
        let output = run(at, &line);
        let error = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{line}: {error}");
        assert!(error.contains("is the database itself"), "{line}: {error}");
    }
    let known = prints(at, "database query t.db '15 renju h8i9'");
    assert!(known.contains("one"), "{known}");
    assert_eq!(fs::read(at.join("t.db")).unwrap().len(), whole.len());

    write(at, "mine.txt", "mine");
    let error = fails(at, "database export t.db mine.txt");
    assert!(error.contains("mine.txt exists; --force"), "{error}");
    assert_eq!(read(at, "mine.txt"), "mine");
    prints(at, "database export t.db mine.txt --force");
    assert!(read(at, "mine.txt").starts_with("15 renju h8"));
    // Another database is added to.
    for _ in 0..2 {
        prints(at, "database export t.db other.db --format db");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_pipe_with_a_name_stays_a_pipe() {
    use std::os::unix::fs::FileTypeExt;
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    database(at);
    let pipe = at.join("pipe");
    let made = Command::new("mkfifo").arg(&pipe).status().unwrap();
    assert!(made.success());
    let reader = {
        let pipe = pipe.clone();
        std::thread::spawn(move || fs::read_to_string(pipe).unwrap())
    };
    prints(at, "database export t.db pipe");
    assert!(reader.join().unwrap().starts_with("15 renju h8"));
    assert!(fs::metadata(&pipe).unwrap().file_type().is_fifo());
}

#[test]
fn files_of_others_are_not_overwritten() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let games = "selfplay --games 2 --nodes 50 --size 7";
    for (name, contents) in [("short", "mine\n"), ("README.md", &"prose ".repeat(20))] {
        write(at, name, contents);
        let error = fails(at, &format!("{games} --out {name}"));
        assert!(
            error.contains(name) && error.contains("not a file of games"),
            "{error}"
        );
        assert_eq!(read(at, name), contents);
    }
    prints(at, &format!("{games} --out short --force"));
    prints(at, &format!("{games} --out games.qx"));
    assert_eq!(
        fs::read(at.join("short")).unwrap(),
        fs::read(at.join("games.qx")).unwrap()
    );

    let readme = read(at, "README.md");
    let error = fails(at, "fit --out README.md games.qx");
    assert!(error.contains("README.md is no file of tables"), "{error}");
    write(at, "notes.txt", "mine");
    let error = fails(at, "fit --out notes.tables games.qx");
    assert!(error.contains("notes.txt exists"), "{error}");
    let error = fails(at, "fit --out notes.txt games.qx");
    assert!(error.contains("choose another --out"), "{error}");
    assert_eq!(read(at, "README.md"), readme);
    assert_eq!(read(at, "notes.txt"), "mine");
    let error = fails(at, "fit --out mine.tables nosuch");
    assert!(error.contains("nosuch"), "{error}");
}

/// A device can be read without end, and a folder not at all.
#[cfg(unix)]
#[test]
fn runs_are_kept_in_regular_files() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    for out in ["/dev/zero", "."] {
        for line in [
            "selfplay --games 1 --nodes 50 --size 7",
            "selfplay --games 1 --nodes 50 --size 7 --force",
            "spsa --size 7 --pairs 1 --nodes 20",
            "solve --size 9 e5",
            "fit nosuch",
            "train nosuch",
        ] {
            let error = fails(at, &format!("{line} --out {out}"));
            let expected = format!("{out} is no regular file");
            assert!(error.contains(&expected), "{line}: {error}");
        }
    }
}

#[test]
fn finished_self_play_says_what_the_file_has() {
    let folder = tempfile::tempdir().unwrap();
    let line = "selfplay --games 2 --nodes 50 --size 7 --out games.qx";
    let last = |output: Output| text(&output.stderr).lines().last().unwrap().to_owned();
    let first = last(run(folder.path(), line));
    assert!(first.starts_with("2/2 games, "), "{first}");
    assert!(!first.contains(" 0 positions"), "{first}");
    assert_eq!(last(run(folder.path(), line)), first);
}

#[test]
fn answers_of_another_question_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    for form in ["", "--json", "--sgf", "--json --sgf"] {
        let solve = format!("solve --size 9 {form} --out a.txt");
        prints(at, &format!("{solve} d5a1e5a3f5a9"));
        let answers = read(at, "a.txt");
        assert!(
            answers.contains("9 freestyle d5a1e5a3f5a9, any"),
            "{answers}"
        );
        // The same question again is answered already.
        prints(at, &format!("{solve} d5a1e5a3f5a9"));
        for other in ["e5", "--kind vcf d5a1e5a3f5a9", "--rule renju d5a1e5a3f5a9"] {
            let error = fails(at, &format!("{solve} {other}"));
            assert!(error.contains("is not an answer to"), "{error}");
        }
        assert_eq!(read(at, "a.txt"), answers);
        fs::remove_file(at.join("a.txt")).unwrap();
    }
    let printed = prints(at, "solve --size 9 --out - d5a1e5a3f5a9");
    let expected = "9 freestyle d5a1e5a3f5a9, any: win in 3 plies: c5b5g5 (";
    assert!(printed.starts_with(expected), "{printed}");
    assert!(!at.join("-").exists());
}

#[test]
fn databases_are_made_by_imports_that_succeed_alone() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    for line in [
        "database query nosuch.db '15 renju h8i9'",
        "database export nosuch.db a.txt",
        "database import nosuch.db nosuch.txt",
    ] {
        let error = fails(at, line);
        assert!(error.contains("nosuch"), "{error}");
    }
    write(at, "bad.txt", "15 chess h8\n");
    let error = fails(at, "database import nosuch.db bad.txt");
    assert!(error.contains("line 1: unknown rule"), "{error}");
    assert!(!at.join("nosuch.db").exists() && !at.join("a.txt").exists());
    // One that was there stays.
    database(at);
    fails(at, "database import t.db bad.txt");
    let known = prints(at, "database query t.db '15 renju h8i9'");
    assert!(known.contains("one"), "{known}");
}

#[test]
fn nothing_is_said_twice() {
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
    assert!(
        error.contains("latin.txt: line 2 is no text in UTF-8"),
        "{error}"
    );
    let spsa = "spsa --size 7 --pairs 1 --nodes 20 --out run.json";
    prints(at, spsa);
    let error = fails(at, &format!("{spsa} --rate 1"));
    assert!(
        error.contains("is of another run: --rule freestyle --size 7"),
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
}

#[test]
fn matches_make_openings_and_keep_what_is_said() {
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
    let printed = prints(folder.path(), line);
    assert_eq!(printed.lines().count(), 3, "{printed}");
    let none = "openings --size 7 --count 1 --stones 1-2 --nodes 1 --window=-1";
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

/// What stands on a terminal after this was written to it.
#[cfg(target_os = "linux")]
fn on_screen(written: &str) -> Vec<String> {
    let mut lines = vec![Vec::new()];
    let mut column = 0;
    let mut rest = written;
    while let Some(next) = rest.chars().next() {
        let line: &mut Vec<char> = lines.last_mut().unwrap();
        if let Some(after) = rest.strip_prefix("\x1b[K") {
            line.truncate(column);
            rest = after;
            continue;
        }
        rest = &rest[next.len_utf8()..];
        match next {
            '\r' => column = 0,
            '\n' => {
                lines.push(Vec::new());
                column = 0;
            }
            _ => {
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
    let program = env!("CARGO_BIN_EXE_quincunx");
    let line = "openings --size 9 --count 6 --stones 2-4 --nodes 4000 --window 4";
    // `script` of util-linux runs a command in a terminal of its own.
    let output = Command::new("script")
        .args(["-qec", &format!("'{program}' {line}"), "/dev/null"])
        .stdin(Stdio::null())
        .output();
    let Ok(output) = output else {
        let skipped = "SKIPPED: there is no program called script\n";
        std::io::Write::write_all(&mut std::io::stderr(), skipped.as_bytes()).unwrap();
        return;
    };
    let written = text(&output.stdout);
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
    assert_eq!((results, comments), (6, 1), "{screen:#?}");
    assert_eq!(results + comments + blank, screen.len(), "{screen:#?}");
}

#[test]
fn a_slip_of_the_pen_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let error = fails(folder.path(), "bnech");
    assert!(error.contains("bench"), "{error}");
    let error = fails(folder.path(), "bench --depth 0");
    assert!(error.contains("--depth"), "{error}");
    // What managers say is no slip: the protocol is spoken.
    for words in ["", "--manager 3", "piskvork", "C:/engines 1 2", "--log"] {
        let output = run(folder.path(), words);
        assert!(output.status.success(), "{words}");
        assert_eq!(text(&output.stdout), "", "{words}");
        let told = words.split_whitespace();
        let told: String = told
            .map(|word| format!("MESSAGE unknown argument '{word}' is ignored\n"))
            .collect();
        assert_eq!(text(&output.stderr), told, "{words}");
    }
    // Options of the program count among them.
    let error = fails(folder.path(), "--manager 3 --netwrk --network=nosuch x");
    for unknown in ["--manager", "3", "--netwrk", "x"] {
        let told = format!("unknown argument '{unknown}' is ignored");
        assert!(error.contains(&told), "{error}");
    }
    assert!(error.contains("can't use the network nosuch"), "{error}");
    assert_eq!(error.lines().count(), 5, "{error}");
}

#[test]
fn exit_codes_tell_how_it_ended() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let code = |line: &str| run(at, line).status.code();
    assert_eq!(code("bench --depth 1"), Some(0));
    assert_eq!(code("dump nosuch"), Some(1));
    assert_eq!(code("bench --nosuch"), Some(2));
    assert_eq!(code("openings --stones 9-3"), Some(2));
    for bounds in ["5,0", "0,inf", "-inf,0", "nan,5", "0,1e300"] {
        let error = fails(at, &format!("match --sprt {bounds}"));
        assert!(
            error.contains("expected ELO0,ELO1 from -1000 to 1000"),
            "{error}"
        );
    }
    assert_eq!(code("match --sprt 5,0"), Some(2));
    assert_eq!(code("match --shard 5/4"), Some(2));
    let a = format!("--engine a={}", env!("CARGO_BIN_EXE_quincunx"));
    let both = format!("{a} {} --nodes 10", a.replace("a=", "b="));
    for wrong in [
        "--sprt 0,5 --alpha 0.7",
        "--alpha 0",
        "--concurrency 0",
        "--games 0",
        "--threads 0",
        "--limit a:threads=0",
        "--opening-rule swap1",
        &format!("--sprt 0,5 {}", a.replace("a=", "c=")),
        "--option nosuch:strength=3",
        "--option strength",
        "--option 'strength=3\nINFO rule=4'",
        "--option =3",
        "--engine =./nosuch",
        "--engine c/d=./nosuch",
        "--limit a:nosuch=3",
        "--limit nodes",
        "--resign score=600",
        "--draw score=9,moves=0",
    ] {
        // Nothing is done before: no openings are made, no folder.
        let line = format!("match {both} {wrong} --out run");
        let error = fails(at, &line);
        assert_eq!(code(&line), Some(2), "{line}: {error}");
        assert!(!error.contains("balanced"), "{error}");
        assert!(!at.join("run").exists(), "{line}");
    }
    // The same of a folder that has games.
    fs::create_dir(at.join("old")).unwrap();
    write(at, "old/games.jsonl", "");
    let error = fails(at, &format!("match {both} --out old"));
    assert!(
        error.starts_with("quincunx: old has games already"),
        "{error}"
    );
    assert_eq!(code(&format!("match {a} --nodes 10")), Some(2));
    assert_eq!(code(&format!("match {a} {a} --nodes 10")), Some(2));
    assert_eq!(code("match --engine a=./nosuch --nodes 10"), Some(1));
    assert_eq!(code("check --size 9 ./nosuch"), Some(2));
    let program = env!("CARGO_BIN_EXE_quincunx");
    let play = |weak: &str, games: usize| {
        let line = format!(
            "match --engine a={program} --engine b={program} --nodes 300 --option {weak}:strength=0 \
             --games {games} --sprt 0,300 --sprt-exit"
        );
        code(&line)
    };
    assert_eq!(play("b", 200), Some(0));
    assert_eq!(play("a", 200), Some(3));
    assert_eq!(play("a", 2), Some(4));
}

#[test]
fn numbers_that_make_no_sense_are_wrong_usage() {
    let folder = tempfile::tempdir().unwrap();
    for (command, options) in [
        (
            "selfplay --out o",
            &[
                "--nodes 0",
                "--nodes 1431655766",
                "--threads 0",
                "--games 0",
            ][..],
        ),
        (
            "spsa --out o",
            &[
                "--rate nan",
                "--spread inf",
                "--nodes 0",
                "--pairs 0",
                "--threads 0",
            ],
        ),
        (
            "fit --out o nosuch",
            &[
                "--result-share nan",
                "--result-share 2",
                "--value-units 0",
                "--move-units -1",
                "--spread 0",
            ],
        ),
        (
            "train --out o nosuch",
            &[
                "--passes 0",
                "--passes nan",
                "--future-share 1.5",
                "--lambda nan",
                "--embedding-rate inf",
                "--head-rate -1",
                "--epsilon 0",
                "--weight-decay nan",
            ],
        ),
        ("openings", &["--threads 0", "--count 0", "--nodes 0"]),
        ("gravity", &["--columns 0", "--rows 99"]),
        ("gravity solve -", &["--columns 0", "--rows 99"]),
    ] {
        for option in options {
            let line = format!("{command} {}", option.replace(" -", "=-"));
            let output = run(folder.path(), &line);
            let error = text(&output.stderr);
            assert_eq!(output.status.code(), Some(2), "{line}: {error}");
        }
    }
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[cfg(unix)]
#[test]
fn an_interrupted_run_says_how_to_go_on() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let program = env!("CARGO_BIN_EXE_quincunx");
    let selfplay = "selfplay --games 100000 --nodes 50 --size 7 --out games.qx";
    let play = format!(
        "match --engine a={program} --engine b={program} --nodes 50 --size 7 --games 100000 \
         --no-openings --out run"
    );
    for (line, sign, advice) in [
        (selfplay, "games.qx", "the same command goes on"),
        (&play, "run/games.jsonl", "with --resume goes on"),
    ] {
        let mut child = Command::new(program)
            .args(shlex::split(line).unwrap())
            .current_dir(at)
            .env("XDG_CONFIG_HOME", at)
            .stdin(Stdio::null())
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

#[test]
fn completions_and_the_manual_know_every_command() {
    let folder = tempfile::tempdir().unwrap();
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let text = prints(folder.path(), &format!("completions {shell}"));
        assert!(
            text.contains("selfplay") && text.contains("turn-ms"),
            "{shell}"
        );
    }
    let manual = prints(folder.path(), "man");
    assert!(
        manual.contains("QUINCUNX SELFPLAY") && manual.contains("turn\\-ms"),
        "{manual}"
    );
    let version = prints(folder.path(), "--version");
    assert!(version.starts_with("quincunx "), "{version}");
}

#[test]
fn defaults_come_from_a_file() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    fs::create_dir(at.join("quincunx")).unwrap();
    // Where the platform keeps configurations.
    let usual = if cfg!(target_os = "macos") {
        "Library/Application Support/quincunx/config.toml"
    } else {
        "quincunx/config.toml"
    };
    fs::create_dir_all(at.join(usual).parent().unwrap()).unwrap();
    write(
        at,
        usual,
        "[solve]\nsize = 9\njson = true\n[info]\nrule = 4\n",
    );
    let solved = prints(at, "solve d5a1e5a3f5a9");
    assert!(
        solved.starts_with("{\"question\":\"9 freestyle"),
        "{solved}"
    );
    // The command line counts more, and so does a file that is named.
    let solved = prints(at, "solve d5a1e5a3f5a9 --size 10");
    assert!(
        solved.starts_with("{\"question\":\"10 freestyle"),
        "{solved}"
    );
    write(
        at,
        "other.toml",
        "[solve]\nrule = \"renju\"\n[info]\nrule = 4\n",
    );
    let solved = prints(at, "--config other.toml solve d5a1e5a3f5a9");
    assert!(solved.starts_with("15 renju"), "{solved}");
    // How the engine plays is changed by a file that is named alone.
    assert_eq!(prints(at, ""), "");
    assert_eq!(prints(at, "--config other.toml"), "MESSAGE rule renju\n");

    for (contents, expected) in [
        ("[solve]\nsiez = 9\n", "there is no option siez, but size"),
        (
            "[sovle]\nsize = 9\n",
            "there is no command sovle, but solve",
        ),
        ("colour = 1\n", "there is no option colour"),
        ("[solve\n", "can't use the configuration bad.toml"),
    ] {
        write(at, "bad.toml", contents);
        for line in ["solve --config bad.toml e5", "--config bad.toml"] {
            let output = run(at, line);
            let error = text(&output.stderr);
            assert_eq!(output.status.code(), Some(1), "{line}: {error}");
            assert!(error.contains(expected), "{line}: {error}");
        }
        // Managers get an engine whatever a file says that nobody named.
        write(at, usual, contents);
        assert_eq!(prints(at, ""), "");
    }
    let error = fails(at, "--config=nosuch.toml");
    assert!(
        error.contains("can't use the configuration nosuch.toml"),
        "{error}"
    );
}

#[test]
fn the_command_line_counts_more_than_the_file() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let program = env!("CARGO_BIN_EXE_quincunx");
    write(at, "openings.txt", "e5e6\n");
    let file = format!(
        "[match]\nopenings = \"openings.txt\"\nopening-plies = 2\nmatch-ms = 9000\nsize = 9\n\
         engine = ['a={program}', 'b={program}']\noption = ['max_node=20']\ngames = 2\n"
    );
    write(at, "match.toml", &file);
    let report = |more: &str| prints(at, &format!("--config match.toml match {more}"));
    let first = report("");
    assert!(
        first.contains("a vs b: ") && first.contains("e5e6"),
        "{first}"
    );
    // Options that are given many times, and those that exclude each other.
    let engines = format!("--engine c={program} --engine=d={program}");
    for more in [
        engines.as_str(),
        "--no-openings",
        "--tc 9",
        "--no-openings --match-ms 8000 --format knockout",
    ] {
        let report = report(more);
        let names = if more == engines {
            "c vs d: "
        } else {
            "a vs b: "
        };
        assert_eq!(report.matches(" vs ").count(), 1, "{report}");
        assert!(report.contains(names), "{report}");
        assert_eq!(
            report.contains("e5e6"),
            !more.contains("--no-openings"),
            "{report}"
        );
    }
    // Nor does the file stand in the way of joining what was played.
    report("--out run");
    let joined = report("--merge run");
    assert!(joined.contains("a vs b: "), "{joined}");
}

#[test]
fn positions_are_shown_in_every_form() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let first = prints(at, "show --nodes 1000 --rule renju h8i9");
    assert!(
        first.starts_with("rule renju, board 15, black to move\n"),
        "{first}"
    );
    assert!(
        first.contains("best move ") && !first.contains("classes for"),
        "{first}"
    );
    assert_eq!(prints(at, "show --nodes 1000 '15 renju h8 i9'"), first);
    write(at, "game.sgf", "(;FF[4]GM[4]SZ[15]RU[renju];B[hh];W[ig])");
    assert_eq!(prints(at, "show --nodes 1000 game.sgf"), first);
    let matrices = prints(at, "show --matrices --nodes 0 --rule renju h8i9");
    assert!(matrices.contains("classes for black"), "{matrices}");
    let object = prints(at, "show --json --nodes 1000 --rule renju h8i9");
    let object: serde_json::Value = serde_json::from_str(&object).unwrap();
    assert_eq!(
        (&object["side"], &object["moves"]),
        (&"black".into(), &"h8i9".into())
    );
    for bad in ["show none.sgf", "show '15 renju h8h8'", "show q99"] {
        fails(at, bad);
    }
}
