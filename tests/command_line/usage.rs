//! Help, wrong usage and exit codes, and what `show` prints.

#[cfg(all(target_os = "linux", feature = "train"))]
use super::limited;
use super::{fails, prints, program, read, run, text, write};
use std::fs;
#[cfg(target_os = "linux")]
use std::process::Command;
use std::process::Stdio;
#[cfg(target_os = "linux")]
use std::time::Duration;

#[test]
fn a_slip_of_the_pen_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let error = fails(folder.path(), "bnech");
    assert!(error.contains("bench"), "{error}");
    let error = fails(folder.path(), "bench --depth 0");
    assert!(error.contains("--depth"), "{error}");
    // What managers say is no slip: the protocol is spoken, through a pipe.
    let spoken = |words: &str| {
        let mut child = program(folder.path(), words);
        let child = child.stdin(Stdio::piped()).stdout(Stdio::piped());
        child.stderr(Stdio::piped()).output().unwrap()
    };
    for words in ["", "--manager 3", "piskvork", "C:/engines 1 2", "--log"] {
        let output = spoken(words);
        assert!(output.status.success(), "{words}");
        assert_eq!(text(&output.stdout), "", "{words}");
        let told = words.split_whitespace();
        let told: String = told
            .map(|word| format!("MESSAGE unknown argument '{word}' is ignored\n"))
            .collect();
        assert_eq!(text(&output.stderr), told, "{words}");
    }
    // Options of the program count among them.
    let error = text(&spoken("--manager 3 --netwrk --network=nosuch x").stderr);
    for unknown in ["--manager", "3", "--netwrk", "x"] {
        let told = format!("unknown argument '{unknown}' is ignored");
        assert!(error.contains(&told), "{error}");
    }
    assert!(error.contains("can't use the network nosuch"), "{error}");
    assert_eq!(error.lines().count(), 5, "{error}");
    let output = spoken("help nosuch");
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(text(&output.stdout), "");
}

/// Without an input to speak through, what looked like a success was none: a script that asked
/// for a command of another version ended with 0.
#[cfg(unix)]
#[test]
fn an_unknown_word_without_an_input_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    for words in ["-v", "frobnicate", "help nosuch", "--manager 3", "h8i9"] {
        let output = run(folder.path(), words);
        let error = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{words}: {error}");
        assert!(error.starts_with("error: "), "{words}: {error}");
    }
    assert!(run(folder.path(), "").status.success());
}

/// The advice stood behind every unknown option, `-- --depth 3` among them.
#[test]
fn options_are_no_values() {
    let folder = tempfile::tempdir().unwrap();
    for line in ["show -5", "solve --depth 3", "analyse -v", "play -5"] {
        let error = fails(folder.path(), line);
        assert!(error.contains("unexpected argument"), "{line}: {error}");
        assert!(!error.contains("use '"), "{line}: {error}");
    }
    // A pass may begin a list of moves.
    let error = fails(folder.path(), "show --h8i9");
    assert!(error.contains("use '-- --h8i9'"), "{error}");
    // Similar options are still named.
    let error = fails(folder.path(), "solve --node 3");
    assert!(error.contains("'--nodes'"), "{error}");
}

/// The consoles of editors showed the sequences that erase a line.
#[cfg(all(target_os = "linux", feature = "analysis"))]
#[test]
fn a_dumb_terminal_gets_text_alone() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    write(at, "a.sgf", "(;GM[4]SZ[15]RU[weird];B[hh];W[hi];B[jj])");
    for line in [
        "analyse a.sgf --nodes 2000",
        "review a.sgf --nodes 5000 --proof-nodes 1000",
        "openings --count 1 --nodes 2000",
        "gravity --moves 44",
    ] {
        let Some(shown) = super::in_terminal_called("dumb", at, line) else {
            return;
        };
        assert!(
            !shown.is_empty() && !shown.contains('\x1b'),
            "{line}: {shown}"
        );
    }
    let shown = super::in_terminal(at, "analyse a.sgf --nodes 2000").unwrap();
    assert!(shown.contains('\x1b'), "{shown}");
}

/// People were shown dates and the names of modules.
#[cfg(feature = "analysis")]
#[test]
fn messages_for_people_are_sentences() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    write(at, "a.sgf", "(;GM[4]SZ[15]RU[weird];B[hh];W[hi];B[jj])");
    let line = "show --nodes 0 a.sgf";
    let said = text(&run(at, line).stderr);
    let remark = "a.sgf: the rule 'weird' is not known";
    assert!(
        said.starts_with(&format!("quincunx: warning: {remark}")),
        "{said}"
    );
    let asked = program(at, line).env("RUST_LOG", "warn").output().unwrap();
    let said = text(&asked.stderr);
    let logged = format!("WARN  quincunx::cli::games: {remark}");
    assert!(said.starts_with("20") && said.contains(&logged), "{said}");
    let said = text(&run(at, &format!("--log log {line}")).stderr);
    assert_eq!(said, "");
    assert!(read(at, "log").contains(&logged));
    #[cfg(target_os = "linux")]
    if let Some(shown) = super::in_terminal(at, line) {
        assert!(shown.contains(&format!("quincunx: warning: {remark}")));
    }
}

#[test]
fn exit_codes_are_distinct() {
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
    // There is no such folder: that comes after what the options are.
    assert_eq!(
        code("match --merge nosuch --sprt 0,5 --alpha 0.1 --out x"),
        Some(1)
    );
    for played in [
        "--shard 1/2",
        "--rule renju",
        "--turn 5s",
        "--seed 2",
        "--encoding GBK",
        "--transcripts --out x",
    ] {
        let error = fails(at, &format!("match --merge nosuch {played}"));
        assert!(error.contains("cannot be used with"), "{played}: {error}");
    }
    let a = format!("--engine a={}", env!("CARGO_BIN_EXE_quincunx"));
    let both = format!("{a} {} --nodes 10", a.replace("a=", "b="));
    for wrong in [
        "--sprt 0,5 --alpha 0.7",
        "--alpha 0",
        "--concurrency 0",
        "--concurrency 1000000",
        "--games 0",
        "--threads 0",
        "--limit a:threads=0",
        "--game-time 0",
        "--limit a:game-time=0",
        "--draw-after 0",
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
    write(at, "old/games.jsonl", "{}\n");
    let error = fails(at, &format!("match {both} --out old"));
    assert!(
        error.starts_with("quincunx: old has games already"),
        "{error}"
    );
    // And of one that has something else of that name.
    fs::create_dir(at.join("mine")).unwrap();
    write(at, "mine/report.txt", "my own\n");
    let error = fails(at, &format!("match {both} --out mine"));
    assert!(
        error.starts_with("quincunx: mine has a report.txt that is no match's"),
        "{error}"
    );
    assert_eq!(read(at, "mine/report.txt"), "my own\n");
    assert_eq!(code(&format!("match {a} --nodes 10")), Some(2));
    assert_eq!(code(&format!("match {a} {a} --nodes 10")), Some(2));
    let missing = "match --engine a=./nosuch --engine b=./nosuch --nodes 10";
    assert_eq!(code(missing), Some(1));
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
        (
            "openings",
            &[
                "--threads 0",
                "--threads 9999",
                "--count 0",
                "--nodes 0",
                "--window -1",
            ],
        ),
        (
            "guest --engine e --token t --url http://localhost:1/",
            &[
                "--games 0",
                "--least-rating 10000",
                "--option strength",
                "--rule chess",
                "--url https://localhost/",
                "--url localhost",
            ],
        ),
        ("board --no-open", &["--threads 0"]),
        ("play", &["--threads 0"]),
        ("gravity", &["--columns 0", "--rows 99"]),
        ("gravity solve ''", &["--columns 0", "--rows 99"]),
        ("gravity positions end-easy", &["--columns 4", "--count 0"]),
        ("gravity bench", &["--columns 5", "--rows 5"]),
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

/// What a configuration says for all commands is not for each.
#[test]
fn weights_without_effect_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    for (line, option) in [
        ("--network none fit --out o nosuch", "--network"),
        ("fit --tables=hand-set --out o nosuch", "--tables"),
        ("train --network none --out o nosuch", "--network"),
        ("merge --network none --out o nosuch", "--network"),
        ("dump --tables zero nosuch", "--tables"),
    ] {
        let output = run(at, line);
        let error = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{line}: {error}");
        let refusal = format!("{option} has no effect on this command");
        assert!(error.contains(&refusal), "{line}: {error}");
    }
    write(at, "all.toml", "network = \"none\"\n");
    for line in [
        "train --tables hand-set --out o nosuch",
        "--config all.toml train --out o nosuch",
    ] {
        let error = fails(at, line);
        assert!(error.contains("can't read nosuch"), "{line}: {error}");
    }
}

#[test]
fn completions_and_the_manual_know_every_command() {
    let folder = tempfile::tempdir().unwrap();
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let text = prints(folder.path(), &format!("completions {shell}"));
        assert!(
            text.contains("selfplay") && text.contains("tolerance"),
            "{shell}"
        );
    }
    let manual = prints(folder.path(), "man");
    assert!(
        manual.contains("QUINCUNX SELFPLAY") && manual.contains("tolerance"),
        "{manual}"
    );
    let version = prints(folder.path(), "--version");
    assert!(version.starts_with("quincunx "), "{version}");
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

/// Whether a program listens for the signal that asks it to end.
#[cfg(target_os = "linux")]
pub(super) fn listens(id: u32) -> bool {
    let status = fs::read_to_string(format!("/proc/{id}/status")).unwrap();
    let caught = status.lines().find_map(|line| line.strip_prefix("SigCgt:"));
    let caught = u64::from_str_radix(caught.unwrap().trim(), 16).unwrap();
    // SIGTERM is number 15, and signal number one is the lowest bit.
    caught & (1 << 14) != 0
}

/// Work that takes long does not end without a word.
#[cfg(target_os = "linux")]
#[test]
fn long_work_says_how_to_go_on_when_it_is_interrupted() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    write(at, "many.txt", &"9 renju e5f6e6\n".repeat(100_000));
    write(at, "game.sgf", "(;GM[4]SZ[15];B[hh];W[ii];B[hi])");
    let own = env!("CARGO_BIN_EXE_quincunx");
    let making = format!(
        "match --engine a={own} --engine b={own} --nodes 9 --opening-nodes 1000000000 --out match"
    );
    for line in [
        making.as_str(),
        "analyse game.sgf --time 10min",
        "gravity positions begin-hard --count 100000",
        "gravity solve ''",
        "openings --count 100000",
        "puzzles many.txt --out puzzles.txt",
        "review game.sgf --nodes 1000000000",
        "solve --file many.txt",
    ] {
        let mut child = program(at, line)
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let id = child.id();
        while !listens(id) {
            assert!(child.try_wait().unwrap().is_none(), "{line}");
            std::thread::sleep(Duration::from_millis(5));
        }
        let id = id.to_string();
        let kill = Command::new("kill").args(["-TERM", &id]).status().unwrap();
        assert!(kill.success());
        let output = child.wait_with_output().unwrap();
        let said = text(&output.stderr);
        assert_eq!(output.status.code(), Some(130), "{line}: {said}");
        assert!(said.contains("interrupted: "), "{line}: {said}");
    }
    // A match that has not begun leaves nothing.
    assert!(!at.join("match").exists());
}

/// Drafts of a run that was killed once stayed for good beside most files.
#[test]
fn drafts_of_killed_runs_are_removed() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    write(
        at,
        "game.sgf",
        "(;GM[4]SZ[15];B[hh];W[ii];B[hi];W[jj];B[hj])",
    );
    for (line, out) in [
        ("render game.sgf --out game.svg", "game.svg"),
        ("review game.sgf --nodes 9 --sgf judged.sgf", "judged.sgf"),
        (
            "explore build game.sgf --out games.explorer",
            "games.explorer",
        ),
        (
            "spsa --size 7 --pairs 1 --nodes 20 --out run.json",
            "run.json",
        ),
    ] {
        let draft = format!(".{out}.aB3dE6.draft");
        let others = [
            format!(".{out}.aB3dE.draft"),
            format!(".a{out}.aB3dE6.draft"),
        ];
        for name in others.iter().chain([&draft]) {
            write(at, name, "half");
        }
        prints(at, line);
        assert!(at.join(out).exists() && !at.join(&draft).exists(), "{line}");
        for other in others {
            assert!(at.join(&other).exists(), "{line}: {other}");
        }
    }
}

/// Searches once ran on stacks of the system's default size: on Windows `bench` overflowed it.
#[cfg(all(target_os = "linux", feature = "train"))]
#[test]
fn searches_have_a_stack_of_their_own() {
    let folder = tempfile::tempdir().unwrap();
    let small = "ulimit -s 512; export RUST_MIN_STACK=131072";
    for line in [
        "bench --depth 5",
        "show --rule renju h8i9g10",
        "openings --count 1 --nodes 2000 --rule renju",
        "selfplay --games 1 --nodes 2000 --rule renju --out games.qx",
        "spsa --pairs 1 --nodes 500 --rule renju --size 15 --out spsa.json",
    ] {
        let output = limited(folder.path(), small, line);
        assert!(output.status.success(), "{line}: {output:?}");
    }
}
