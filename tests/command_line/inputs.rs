//! What commands read: the folders of matches, standard input, the program's own puzzles, and
//! files of which some games are damaged.

use super::{fails, prints, program, read, run, text, write};
use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Output, Stdio};

/// Runs the program with this standard input.
fn hears(folder: &Path, line: &str, input: &str) -> Output {
    let mut program = program(folder, line);
    let program = program.stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = program.stderr(Stdio::piped()).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    // A program that does not read closes the pipe.
    let _ = stdin.write_all(input.as_bytes());
    drop(stdin);
    child.wait_with_output().unwrap()
}

/// A match of four games from two openings, in the folder `run`.
fn played(at: &Path) {
    write(at, "openings.txt", "h8i9\ne5f6\n");
    let engine = env!("CARGO_BIN_EXE_quincunx");
    prints(
        at,
        &format!(
            "match --engine a={engine} --engine b={engine} --nodes 30 --games 4 --as-written \
             --openings openings.txt --out run"
        ),
    );
}

/// Every game was counted twice, as SGF and as PSQ, and the report was read as moves.
#[test]
fn the_folder_of_a_match_is_one_run() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    played(at);
    fs::create_dir(at.join("all")).unwrap();
    fs::rename(at.join("run"), at.join("all/run")).unwrap();
    let built: Vec<String> = ["all", "all/run", "all/run/games.jsonl", "all/run/games.sgf"]
        .iter()
        .enumerate()
        .map(|(number, games)| prints(at, &format!("explore build {games} --out {number}")))
        .collect();
    assert!(built[0].starts_with("4 games, "), "{built:?}");
    assert!(built.iter().all(|one| *one == built[0]), "{built:?}");
    let few = "--nodes 20 --proof-nodes 20";
    prints(at, &format!("review all/run --out reviews {few}"));
    let reviews = read(at, "reviews");
    assert_eq!(reviews.lines().count(), 5);
    assert!(reviews.contains("\"all/run 4\""), "{reviews}");
    prints(at, "puzzles all --nodes 100 --out puzzles");
    assert!(read(at, "puzzles").contains("# games done: 4 "));
    let book = "book build all/run --positions 1 --nodes 20 --searches searches --out book";
    let told = prints(at, book);
    assert!(told.contains("positions, "), "{told}");
    // Commands of one game take one of them.
    for line in [
        "show all/run --game 3 --nodes 0",
        "analyse all/run --game 3 --nodes 20",
        "render all/run --game 3 --out -",
        &format!("review all/run --game 3 {few}"),
    ] {
        let other = line.replace("all/run", "all/run/games.sgf");
        // Searches have times.
        let untimed = |line| prints(at, line).split(" (").next().unwrap().to_owned();
        assert_eq!(untimed(line), untimed(&other), "{line}");
    }
    let solved = run(at, "solve --file all/run --nodes 20");
    assert_eq!(text(&solved.stdout).lines().count(), 4);
    // What another match was played from.
    let engine = env!("CARGO_BIN_EXE_quincunx");
    let match_of = |openings: &str| {
        format!(
            "match --engine a={engine} --engine b={engine} --nodes 20 --games 4 --as-written \
             --openings {openings}"
        )
    };
    let report = prints(at, &match_of("all/run"));
    assert!(
        report.contains("  h8i9 ") && report.contains("  e5f6 "),
        "{report}"
    );
    let report = prints(at, &match_of("all/run --opening-plies 1"));
    assert!(
        report.contains("  h8 ") && !report.contains("h8i9"),
        "{report}"
    );
    let error = fails(at, &format!("{} --size 20", match_of("all/run")));
    assert!(error.contains("was played on 15, not 20"), "{error}");
    // A match without a game, and a folder without one.
    fs::write(at.join("all/run/games.jsonl"), "").unwrap();
    fs::write(at.join("all/run/games.sgf"), "").unwrap();
    fs::create_dir(at.join("empty")).unwrap();
    let error = fails(at, "explore build all/run --out new");
    assert!(error.contains("all/run has no games yet"), "{error}");
    let error = fails(at, "explore build empty --out new");
    assert!(error.contains("no game files in empty"), "{error}");
    assert!(!at.join("new").exists());
}

/// The help's own example was refused.
#[test]
fn files_of_puzzles_are_read_back() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let games = "11 freestyle e5d5f5a1g5a11h6k11h7k1h5\n11 freestyle e5a1f5a11g5k11d5\n";
    write(at, "games.txt", games);
    for kinds in ["vcf", "vcf,vct", "'vcf vct'", "'vcf, vct' --kind defence"] {
        let out = format!("puzzles-{}.txt", kinds.len());
        prints(at, &format!("puzzles games.txt --kind {kinds} --out {out}"));
        assert!(read(at, &out).contains("; vcf h5 "), "{kinds}");
    }
    for kinds in ["''", "','", "vcf,mate"] {
        let error = fails(at, &format!("puzzles games.txt --kind {kinds} --out new"));
        assert!(error.contains("unknown kind of puzzle"), "{error}");
    }
    let position = "11 freestyle e5d5f5a1g5a11h6k11h7k1";
    for line in [
        "solve --file puzzles-3.txt --nodes 1000",
        "solve puzzles-3.txt --nodes 1000",
    ] {
        let solved = prints(at, line);
        let expected = format!("{position}, any: win in 5 plies: h5");
        assert!(solved.starts_with(&expected), "{solved}");
    }
    let drawn = prints(at, &format!("render '{position}' --out -"));
    assert_eq!(prints(at, "render puzzles-3.txt --out -"), drawn);
    for line in ["show --nodes 0", "analyse --nodes 20", "review --nodes 20"] {
        prints(at, &format!("{line} puzzles-3.txt"));
    }
}

/// The exit code was 0, and the file of no game at all was written.
#[test]
fn a_game_that_is_not_read_is_a_failure() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let [sound, damaged] = [
        "(;GM[4]SZ[9];B[ee];W[ef];B[ff])",
        "(;GM[4]SZ[9];B[ee];W[ee])",
    ];
    write(at, "some.sgf", &format!("{sound}{damaged}"));
    write(at, "none.sgf", &damaged.repeat(2));
    for line in [
        "explore build FILE --out OUT",
        "review FILE --nodes 20 --proof-nodes 20 --out OUT",
        "puzzles FILE --out OUT",
        "book build FILE --size 9 --positions 1 --nodes 20 --searches OUT.searches --out OUT",
    ] {
        let made = line.split(' ').next().unwrap();
        let output = run(at, &line.replace("FILE", "some.sgf").replace("OUT", made));
        let error = text(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{line}: {error}");
        assert!(
            error.ends_with("quincunx: games not read: 1; the others are done\n"),
            "{line}: {error}"
        );
        assert!(at.join(made).exists(), "{line}");
        let output = run(at, &line.replace("FILE", "none.sgf").replace("OUT", "new"));
        let error = text(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{line}: {error}");
        assert!(
            error.ends_with("quincunx: no game could be read\n"),
            "{error}"
        );
        assert!(!at.join("new").exists(), "{line}");
    }
    // Games and files at once.
    fs::create_dir(at.join("games")).unwrap();
    write(at, "games/a.psq", "no game\n");
    write(at, "games/some.sgf", &format!("{sound}{damaged}"));
    let error = fails(at, "explore build games --out both");
    assert!(
        error.ends_with("files not read: 1, games not read: 1; the others are done\n"),
        "{error}"
    );
}

/// It was no file, or a position without moves.
#[test]
fn a_dash_is_standard_input() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let game = "(;GM[4]SZ[15];B[hh];W[ig];B[gf])";
    for (line, input, expected) in [
        (
            "show - --nodes 0",
            "h8i9",
            "rule freestyle, board 15, black",
        ),
        ("analyse - --nodes 20", game, "freestyle, board 15"),
        ("render - --out -", "9 renju e5", " 9 . . "),
        ("review - --nodes 20 --proof-nodes 20", game, "not finished"),
        (
            "solve - --nodes 20",
            "9 renju e5\n9 caro e5\n",
            "9 renju e5, any: ",
        ),
        (
            "solve --file - --nodes 20",
            "9 renju e5\n",
            "9 renju e5, any: ",
        ),
        ("solve --nodes 20", "9 renju e5\n", "9 renju e5, any: "),
        ("explore build - --out played", game, "1 games, "),
        ("explore played -", "h8", "i9"),
        ("book show book.qxbook -", "h8", "freestyle"),
        (
            "database import t.db -",
            "15 renju h8i9\n",
            "read 1 positions",
        ),
        ("gravity solve - --columns 4 --rows 4", "11\n", "11 "),
    ] {
        if line.starts_with("book") {
            let build = "book build - --positions 2 --nodes 20 --searches s --out book.qxbook";
            let built = hears(at, build, game);
            assert!(built.status.success(), "{}", text(&built.stderr));
        }
        let output = hears(at, line, input);
        let (printed, error) = (text(&output.stdout), text(&output.stderr));
        assert!(output.status.success(), "{line}: {error}");
        assert!(printed.contains(expected), "{line}: {printed}");
    }
    let reviewed = "review - --out reviews --nodes 20 --proof-nodes 20";
    assert!(hears(at, reviewed, game).status.success());
    assert!(hears(at, "puzzles - --out puzzles", game).status.success());
    let engine = env!("CARGO_BIN_EXE_quincunx");
    let played =
        format!("match --engine a={engine} --engine b={engine} --nodes 20 --games 2 --openings -");
    let report = hears(at, &played, "h8i9\n");
    assert!(text(&report.stdout).contains("a vs b: "));
    let twice = hears(at, "explore build - - --out new", game);
    let error = text(&twice.stderr);
    assert_eq!(twice.status.code(), Some(2), "{error}");
    assert!(error.contains("- is named twice"), "{error}");
    assert!(!at.join("new").exists() && !at.join("-").exists());
    assert!(prints(at, "gravity solve '' --columns 4 --rows 4").contains("draw"));
}

/// Nothing was said at a terminal, where nothing comes until a person types.
#[cfg(target_os = "linux")]
#[test]
fn a_person_is_shown_what_input_is_expected() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    for (line, expected) in [
        (
            "solve",
            "expected positions, or a file of them, or - to type them",
        ),
        ("gravity solve", "expected moves, or - to type positions"),
        (
            "solve - --nodes 20",
            "Reads from the terminal: Ctrl-D ends the input.",
        ),
        (
            "gravity solve - --columns 4 --rows 4",
            "Reads from the terminal: Ctrl-D ends the input.",
        ),
    ] {
        let Some(shown) = super::in_terminal(at, line) else {
            return;
        };
        assert!(shown.contains(expected), "{line}: {shown}");
    }
}
