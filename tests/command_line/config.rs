//! Defaults from a file, and what on the command line replaces them.

use super::{fails, prints, run, text, write};
use std::fs;

/// Shells hand over a pipe as `<(...)`, and an empty configuration is a device.
#[cfg(unix)]
#[test]
fn a_configuration_may_come_from_a_pipe() {
    use super::program;
    use std::process::{Command, Stdio};
    use std::time::{Duration, Instant};
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    assert_eq!(prints(at, "--config /dev/null"), "");
    let error = fails(at, "--config /dev/zero solve e5");
    assert!(error.contains("it has more than 1 MiB"), "{error}");
    let pipe = at.join("pipe");
    let made = Command::new("mkfifo").arg(&pipe).status().unwrap();
    assert!(made.success());
    let start = || {
        program(at, "--config pipe")
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap()
    };
    let configuration = "[info]\nrule = 4\n";
    let child = start();
    fs::write(&pipe, configuration).unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(text(&output.stdout), "MESSAGE rule renju\n");
    assert_eq!(text(&output.stderr), "");
    // The writer comes later than the first word.
    let begun = Instant::now();
    let mut child = start();
    let mut said = [0; 15];
    std::io::Read::read_exact(child.stderr.as_mut().unwrap(), &mut said).unwrap();
    assert_eq!(text(&said), "MESSAGE waiting");
    assert!(begun.elapsed() > Duration::from_secs(1));
    fs::write(&pipe, configuration).unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(text(&output.stdout), "MESSAGE rule renju\n");
    // No argument names this one.
    fs::create_dir(at.join("quincunx")).unwrap();
    fs::rename(&pipe, at.join("quincunx/config.toml")).unwrap();
    if cfg!(not(target_os = "macos")) {
        assert_eq!(prints(at, ""), "");
        let error = fails(at, "solve e5");
        assert!(error.contains("it is a pipe"), "{error}");
    }
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
    write(at, usual, "tables = \"none.tables\"\n");
    assert_eq!(prints(at, ""), "");
    let error = fails(at, "solve e5");
    assert!(error.contains("none.tables"), "{error}");

    for (contents, expected) in [
        ("[solve]\nsiez = 9\n", "there is no option siez, but size"),
        (
            "[sovle]\nsize = 9\n",
            "there is no command sovle, but solve",
        ),
        ("colour = 1\n", "there is no option colour"),
        (
            "[info]\nstrngth = 50\n",
            "[info]: there is no key strngth, but strength",
        ),
        ("[info]\nstrength = \"high\"\n", "[info]: "),
        (
            "json = true\n[solve\n",
            "can't use the configuration bad.toml: line ",
        ),
    ] {
        write(at, "bad.toml", contents);
        for line in ["solve --config bad.toml e5", "--config bad.toml"] {
            let output = run(at, line);
            let error = text(&output.stderr);
            assert_eq!(output.status.code(), Some(1), "{line}: {error}");
            assert!(error.contains(expected), "{line}: {error}");
            assert_eq!(error.lines().count(), 1, "{line}: {error}");
        }
        // Managers get an engine whatever a file says that was not named.
        write(at, usual, contents);
        assert_eq!(prints(at, ""), "");
    }
    let error = fails(at, "--config=nosuch.toml");
    assert!(
        error.contains("can't use the configuration nosuch.toml"),
        "{error}"
    );
}

/// The table of a command that has subcommands is for the command alone.
#[test]
fn a_table_does_not_break_subcommands() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let file = "[gravity]\ncolumns = 9\n[board]\nlisten = \"127.0.0.1\"\n";
    write(at, "own.toml", file);
    let solved = prints(at, "--config own.toml gravity solve 112233");
    assert_eq!(solved, "win in 1 ply\n");
    let line = "--config own.toml board admin --database none.db list";
    let error = fails(at, line);
    assert!(error.contains("no server runs with none.db"), "{error}");
}

/// The table of an alias had no effect, and those of subcommands were refused.
#[cfg(feature = "analysis")]
#[test]
fn aliases_and_subcommands_have_tables() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    write(at, "game.sgf", "(;GM[4]SZ[15];B[hh];W[ig])");
    let analyse = "--config own.toml analyse h8 --nodes 20";
    for name in ["analyse", "analyze"] {
        write(at, "own.toml", &format!("[{name}]\njson = true\n"));
        assert!(prints(at, analyse).starts_with('{'), "{name}");
    }
    let file = "[explore]\njson = true\n[explore.build]\nplies = 1\n\
                [book.build]\nout = \"book\"\npositions = 1\nnodes = 20\n";
    write(at, "own.toml", file);
    let built = prints(at, "--config own.toml explore build game.sgf --out one");
    assert_eq!(built, "1 games, 1 positions, 1 moves\n");
    let build = "--config own.toml explore build game.sgf --out two --plies 2";
    assert_eq!(prints(at, build), "1 games, 2 positions, 2 moves\n");
    assert!(prints(at, "--config own.toml explore one").starts_with('{'));
    prints(at, "--config own.toml book build --searches searches");
    assert!(at.join("book").exists());
    for (contents, expected) in [
        (
            "[explore.build]\nplys = 1\n",
            "[explore.build]: there is no option plys, but plies",
        ),
        ("[explore.biuld]\n", "there is no command biuld, but build"),
        ("[explore.info]\nrule = 4\n", "there is no command info"),
        ("[solve.size]\n", "size is no table"),
        (
            "[analyse]\n[analyze]\n",
            "[analyze] is the table of analyse once more",
        ),
    ] {
        write(at, "own.toml", contents);
        let error = fails(at, analyse);
        assert!(error.contains(expected), "{contents}: {error}");
    }
}

/// A log called like a command once got the table of the command.
#[test]
fn the_value_of_an_option_is_no_command() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    write(
        at,
        "own.toml",
        "[solve]\nsize = 9\n[gravity]\ncolumns = 9\n",
    );
    assert_eq!(prints(at, "--config own.toml --log solve"), "");
    assert!(at.join("solve").exists());
    let board = prints(at, "--config own.toml gravity --log solve");
    assert!(board.contains(" 9"), "{board}");
}

#[test]
fn the_command_line_counts_more_than_the_file() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let program = env!("CARGO_BIN_EXE_quincunx");
    write(at, "openings.txt", "e5e6\n");
    let file = format!(
        "[match]\nopenings = \"openings.txt\"\nopening-plies = 2\ngame-time = 9000\nsize = 9\n\
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
        "--no-openings --game-time 8000 --format knockout",
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
