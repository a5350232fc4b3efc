//! Moves as words of the command line and as lines of standard input: none is lost on the way.

use super::{prints, run, text, write};

/// Clap takes dashes that stand alone for the end of the options: the pass was lost, and the
/// next stone had the other colour.
#[test]
fn dashes_alone_are_no_pass_and_not_passed_over() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    for line in [
        "solve --nodes 5 h8 -- i9 g10",
        "solve --nodes 5 h8 i9 --",
        "show --nodes 0 h8 --",
    ] {
        let output = run(at, line);
        let error = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{line}: {error}");
        assert!(error.contains("is no pass: write pass"), "{line}: {error}");
    }
    for line in [
        "solve --nodes 5 h8 pass i9",
        "solve --nodes 5 h8--i9",
        "solve --nodes 5 -- h8--i9",
        "solve --nodes 5 -- h8 pass i9",
    ] {
        let printed = prints(at, line);
        assert!(
            printed.starts_with("15 freestyle h8--i9, "),
            "{line}: {printed}"
        );
    }
}

/// The shell splits a line at its blanks.
#[test]
fn a_line_in_words_is_one_position() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    for line in [
        "solve --nodes 5 15 renju h8i9",
        "solve --nodes 5 15 renju h8 i9",
        "solve --nodes 5 '15 renju h8i9'",
    ] {
        let printed = prints(at, line);
        assert!(printed.starts_with("15 renju h8i9, "), "{line}: {printed}");
    }
    let two = prints(at, "solve --nodes 5 '15 renju h8i9' '9 caro e5'");
    assert_eq!(two.lines().count(), 2, "{two}");
}

/// A board that is asked for is that of games without one, as the help says.
#[test]
fn a_board_is_taken_where_nothing_else_says_it() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    write(at, "a.sgf", "(;GM[4];B[jj];W[sa])");
    let printed = prints(at, "solve --nodes 5 --size 19 a.sgf");
    assert!(printed.starts_with("19 freestyle j10s19, "), "{printed}");
    write(at, "h8.txt", "h8i9");
    let output = run(at, "show --game 2 h8.txt");
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stderr).contains("there is no game 2, only 1"));
}

/// What stood behind a blank or a carriage return was lost, and the exit code was 0.
#[cfg(feature = "gravity")]
#[test]
fn columns_are_read_whole_or_refused() {
    use std::io::Write;
    use std::process::Stdio;
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let hears = |input: &str| {
        let mut program = super::program(at, "gravity solve --columns 4 --rows 4");
        program.stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = program.stderr(Stdio::piped()).spawn().unwrap();
        let mut stdin = child.stdin.take().unwrap();
        stdin.write_all(input.as_bytes()).unwrap();
        drop(stdin);
        let output = child.wait_with_output().unwrap();
        let error = text(&output.stderr);
        (text(&output.stdout), error, output.status.code())
    };
    let (printed, error, code) = hears("\u{feff}11\r22\r\r\n33 draw\n1122 -2\n");
    let moves: Vec<&str> = printed
        .lines()
        .filter_map(|line| line.split(' ').next())
        .collect();
    assert_eq!(
        (moves.join(" ").as_str(), code),
        ("11 22 33 1122", Some(0)),
        "{error}"
    );
    let (printed, error, code) = hears("1 1 2\n22\n3 3\n");
    assert_eq!(code, Some(1), "{printed}");
    assert!(error.contains("no position on line 1, 3"), "{error}");
    assert!(
        printed.contains("expected moves without blanks"),
        "{printed}"
    );
}

/// People try it, and were told of subcommands.
#[cfg(feature = "board")]
#[test]
fn the_board_says_how_a_file_is_opened() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    write(at, "a.sgf", "(;GM[4]SZ[15];B[hh])");
    let output = run(at, "board a.sgf");
    let error = text(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{error}");
    assert!(
        error.contains("games are opened on the page, with Open"),
        "{error}"
    );
}
