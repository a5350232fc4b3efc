//! Moves as words of the command line and as lines of standard input: none is lost on the way.

#[cfg(feature = "gravity")]
use super::text;

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
