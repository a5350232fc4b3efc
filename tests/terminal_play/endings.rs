//! How the program leaves: the terminal is as it was before, whatever happened.

use super::pty::{CTRL_C, ENTER, Terminal};
use portable_pty::CommandBuilder;
use quincunx_terminal::Screen;
use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

/// Set where a test runs itself again to panic.
const PANICS: &str = "QUINCUNX_TEST_PANICS";

#[test]
fn sizes_come_and_go_and_an_interruption_ends_a_search() {
    let mut terminal = Terminal::play("--time 60s --level 100");
    let wide = terminal.sees("Black to move");
    assert!(
        wide.lines().nth(6).unwrap().contains("Black to move"),
        "{wide}"
    );
    terminal.send(ENTER);
    terminal.sees("The engine is thinking");
    terminal.resize(40, 30);
    let below = |screen: &str| screen.lines().nth(16) == Some("The engine is thinking");
    terminal.until("narrow", below);
    terminal.resize(20, 10);
    terminal.sees("it has 20 x");
    terminal.resize(80, 24);
    terminal.until("wide", |screen| {
        let line = screen.lines().nth(6);
        line.is_some_and(|line| line.contains("The engine is thinking"))
    });
    terminal.send(CTRL_C);
    terminal.leaves(130);
}

#[test]
fn the_page_on_the_terminal_runs_as_printed() {
    let folder = tempfile::tempdir().unwrap();
    let game = folder.path().join("game.sgf");
    fs::write(game, "(;GM[4]SZ[15];B[hh];W[ii];B[hi])").unwrap();
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/terminal.md");
    let page = fs::read_to_string(page).unwrap();
    let blocks = page.split("```sh\n").skip(1);
    let lines = blocks.flat_map(|block| block.split("```").next().unwrap().lines());
    let mut count = 0;
    for line in lines {
        let mut command = Terminal::command(line.strip_prefix("quincunx play").unwrap());
        command.cwd(folder.path());
        let mut terminal = Terminal::start(command);
        terminal.until(line, |screen| screen.contains("Quincunx "));
        terminal.send(CTRL_C);
        terminal.leaves(130);
        count += 1;
    }
    assert_eq!(count, 5);
}

#[test]
fn signals_end_the_game() {
    // The second is what the system sends when the window is closed.
    for signal in ["-TERM", "-HUP", "-QUIT"] {
        let mut terminal = Terminal::play("");
        terminal.sees("Black to move");
        let id = terminal.id().to_string();
        let killed = Command::new("kill").args([signal, &id]).status().unwrap();
        assert!(killed.success());
        terminal.leaves(130);
    }
}

#[test]
fn a_panic_gives_the_terminal_back() {
    let mut command = CommandBuilder::new(std::env::current_exe().unwrap());
    command.args([
        "endings::panics_in_a_terminal",
        "--exact",
        "--ignored",
        "--nocapture",
    ]);
    command.env(PANICS, "1");
    // The text of the panic has to fit on the screen.
    command.env("RUST_BACKTRACE", "0");
    let mut terminal = Terminal::start(command);
    terminal.leaves(101);
    let screen = terminal.sees("on purpose");
    assert!(
        !screen.contains("drawn on the alternate screen"),
        "{screen}"
    );
}

/// The program that panics above.
#[test]
#[ignore = "runs in a terminal of its own"]
fn panics_in_a_terminal() {
    if std::env::var_os(PANICS).is_some() {
        let _screen = Screen::take().unwrap();
        std::io::stdout()
            .write_all(b"drawn on the alternate screen\n")
            .unwrap();
        panic!("on purpose");
    }
}

#[test]
fn without_a_terminal_the_program_says_so() {
    let output = Command::new(env!("CARGO_BIN_EXE_quincunx"))
        .arg("play")
        .stdin(Stdio::null())
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(output.stdout, b"");
    let text = String::from_utf8(output.stderr).unwrap();
    assert!(text.contains("play needs a terminal"), "{text}");
}

#[test]
fn what_makes_no_sense_is_refused_before_the_game() {
    let cases = [
        ("--size 4", 2, "must be from 5 to 22"),
        (
            "--rule go",
            2,
            "possible values: freestyle, standard, renju",
        ),
        ("--level 101", 2, "101"),
        ("--time soon", 2, "is not a time"),
        ("/nonexistent.sgf", 1, "can't open /nonexistent.sgf"),
        (env!("CARGO_MANIFEST_DIR"), 1, "no file of a game"),
    ];
    for (arguments, code, text) in cases {
        let mut terminal = Terminal::play(arguments);
        terminal.leaves(code);
        terminal.sees(text);
        assert!(
            !terminal
                .bytes()
                .windows(8)
                .any(|bytes| bytes == b"\x1b[?1049h")
        );
    }
}

#[test]
fn colours_are_there_unless_nobody_wants_them() {
    let is_colored = |arguments: &str, variables: &[(&str, &str)]| {
        let terminal = Terminal::with_variables(arguments, variables);
        terminal.sees("Black to move");
        let written = String::from_utf8_lossy(&terminal.bytes()).into_owned();
        written.contains("8;5;")
    };
    assert!(is_colored("", &[]));
    assert!(is_colored("", &[("NO_COLOR", "")]));
    assert!(!is_colored("--no-color", &[]));
    assert!(!is_colored("", &[("NO_COLOR", "1")]));
}
