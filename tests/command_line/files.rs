//! What commands leave on the disk, and what they leave alone.

#[cfg(target_os = "linux")]
use super::limited;
#[cfg(target_os = "linux")]
use super::program;
use super::{database, fails, prints, read, run, text, write};
use std::fs;
#[cfg(target_os = "linux")]
use std::path::Path;
use std::process::{Command, Output, Stdio};

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
    let error = fails(at, "fit --out notes games.qx");
    assert!(error.contains("notes.txt exists"), "{error}");
    assert_eq!(read(at, "README.md"), readme);
    assert_eq!(read(at, "notes.txt"), "mine");
    let error = fails(at, "fit --out mine.tables nosuch");
    assert!(error.contains("nosuch"), "{error}");
}

/// Two of them once wrote over each other's checkpoints.
#[test]
fn one_fit_or_training_at_a_time_has_its_files() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let lock = fs::File::create(at.join("mine.lock")).unwrap();
    lock.lock().unwrap();
    write(at, "games.qx", "no games");
    for line in ["fit --out mine games.qx", "train --out mine games.qx"] {
        let error = fails(at, line);
        assert!(error.contains("mine is in use by another run"), "{error}");
    }
    lock.unlock().unwrap();
    for command in ["fit", "train"] {
        let error = fails(at, &format!("{command} --out new nosuch"));
        assert!(error.contains("can't read nosuch"), "{error}");
        assert!(!at.join("new.lock").exists());
    }
}

/// As in `parts/*.qx parts/1.qx`.
#[test]
fn a_fit_reads_no_file_twice() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    prints(at, "selfplay --games 2 --nodes 30 --size 9 --out games.qx");
    for command in ["fit", "train"] {
        let error = fails(at, &format!("{command} --out mine games.qx ./games.qx"));
        assert!(
            error.contains("./games.qx is named twice: what it holds would count twice"),
            "{error}"
        );
    }
}

/// A fit once ended without tables, and with exit code 0, when its progress was not read.
#[test]
fn a_fit_goes_on_without_readers() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    prints(
        at,
        "selfplay --games 100 --nodes 30 --size 9 --out games.qx",
    );
    let mut fit = Command::new(env!("CARGO_BIN_EXE_quincunx"))
        .args(["fit", "--epochs", "1", "--out", "mine.tables", "games.qx"])
        .current_dir(at)
        .env("XDG_CONFIG_HOME", at)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    drop(fit.stdout.take());
    assert!(fit.wait().unwrap().success());
    assert!(at.join("mine.tables").exists());
}

/// The files of a fit may have names that are no text: it once ended without an origin then.
#[cfg(target_os = "linux")]
#[test]
fn the_origin_of_tables_names_all_that_they_come_from() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let games = OsStr::from_bytes(b"g\xe4mes.qx");
    prints(
        at,
        "selfplay --games 100 --nodes 30 --size 9 --out games.qx",
    );
    fs::rename(at.join("games.qx"), at.join(games)).unwrap();
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let learned = root.join("crates/engine/src/eval/classical/learned");
    fs::copy(learned.join("caro.tables"), at.join("base.tables")).unwrap();
    fs::copy(learned.join("standard.tables"), at.join("moves.tables")).unwrap();
    let line = "fit --epochs 1 --base base.tables --moves moves.tables --out mine.tables";
    let fit = program(at, line).arg(games).output().unwrap();
    assert!(fit.status.success(), "{}", text(&fit.stderr));
    let origin = read(at, "mine.tables.origin");
    for source in [
        "[[base]]\nfile = \"base.tables\"\n",
        "[[moves]]\nfile = \"moves.tables\"\n",
        "[[games]]\nfile = \"g\u{fffd}mes.qx\"\n",
    ] {
        assert!(origin.contains(source), "{origin}");
    }
    let error = fails(at, "fit --base mine.tables --out mine.tables nosuch");
    assert!(error.contains("mine.tables is read"), "{error}");
}

/// A device can be read without end, and a folder not at all.
#[cfg(unix)]
#[test]
fn runs_are_stored_in_regular_files() {
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
    // A line without an end once was taken for an answer that was cut off, whatever it said.
    for text in [
        "my only copy",
        "(;GM[4]SZ[15];B[hh])",
        "9 freestyle e5, any: none",
    ] {
        write(at, "a.txt", text);
        for form in ["", "--json", "--sgf"] {
            let error = fails(
                at,
                &format!("solve --size 9 {form} --out a.txt d5a1e5a3f5a9"),
            );
            assert!(error.contains("line 1 is not an answer to"), "{error}");
            assert_eq!(read(at, "a.txt"), text);
        }
    }
    fs::remove_file(at.join("a.txt")).unwrap();
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
    write(at, "game.sgf", "(;GM[4]SZ[15];B[hh])");
    let error = fails(at, "database import nosuch.db game.sgf");
    assert!(error.contains("this is a game in SGF: "), "{error}");
    write(at, "bad.txt", "15 chess h8\n");
    let error = fails(at, "database import nosuch.db bad.txt");
    assert!(error.contains("line 1: unknown rule"), "{error}");
    write(
        at,
        "cut.txt",
        "15 renju h8i9g10 {\"label\":\"w\"}\n15 renju h8i9g1",
    );
    let error = fails(at, "database import nosuch.db cut.txt");
    assert!(
        error.contains("line 2: the file may be cut short"),
        "{error}"
    );
    fs::write(at.join("x.pos"), [3, 112, 98, 81]).unwrap();
    let error = fails(at, "database import nosuch.db x.pos");
    assert!(error.contains("this is a game in POS: "), "{error}");
    assert!(!at.join("nosuch.db").exists() && !at.join("a.txt").exists());
    // One that was there stays.
    database(at);
    fails(at, "database import t.db bad.txt");
    let known = prints(at, "database query t.db '15 renju h8i9'");
    assert!(known.contains("one"), "{known}");
    // What a file says of a position more than once is joined, or counted.
    let both = "{\"label\":\"w\",\"text\":\"ab\"}\n15 renju j8 {\"label\":\"l\",\"text\":\"cd\"}\n";
    write(at, "both.txt", &format!("15 renju j8 {both}"));
    let told = prints(at, "database import t.db both.txt");
    let expected = "read 2 positions, 0 left out, 1 in place of other entries\n";
    assert_eq!(told, expected);
    let known = prints(at, "database query t.db '15 renju j8'");
    assert!(
        known.contains("\"l\"") && known.contains("ab\\ncd"),
        "{known}"
    );
}

/// A full disk once left the start of a database behind, which nothing could open.
#[cfg(target_os = "linux")]
#[test]
fn a_database_that_does_not_fit_is_not_left_behind() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    write(at, "one.txt", "15 renju h8i9 {\"text\":\"one\"}\n");
    let output = limited(
        at,
        "trap '' XFSZ; ulimit -f 8",
        "database import t.db one.txt",
    );
    let said = text(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(said.contains("t.db: disk I/O error"), "{said}");
    assert!(!at.join("t.db").exists());
    // Nor is that of a GUI.
    write(at, "gui.txt", "START 15\nYXSETDATABASE\nt.db\nEND\n");
    let output = limited(at, "trap '' XFSZ; ulimit -f 8; exec < gui.txt", "");
    let said = text(&output.stdout);
    assert!(said.contains("ERROR the database: "), "{said}");
    assert_eq!(fs::read_dir(at).unwrap().count(), 2);
}

/// Half a club was left behind, and refused as damaged when there was room again.
#[cfg(all(target_os = "linux", feature = "board"))]
#[test]
fn a_club_that_does_not_fit_is_not_left_behind() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let line = "board --no-open --port 0 --database club.db";
    let output = limited(at, "trap '' XFSZ; ulimit -f 8", line);
    let said = text(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(said.contains("club.db: can't keep the rooms: "), "{said}");
    assert_eq!(fs::read_dir(at).unwrap().count(), 0, "{said}");
}

/// Games take more memory than their file: once the program ended in the middle of one.
#[cfg(target_os = "linux")]
#[test]
fn files_that_memory_is_too_small_for_are_refused() {
    const ENGINE: &str = env!("CARGO_BIN_EXE_quincunx");
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    write(
        at,
        "games.sgf",
        &"(;GM[4]SZ[15];B[hh];W[ii])\n".repeat(800_000),
    );
    // Millions of variations, each a pass.
    let header = b"\xFFRenLib\xFF\x03\x04\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF";
    let library = [&header[..], b"\0\0", &b"\0\xC0".repeat(10 << 20), b"\0\x40"].concat();
    fs::write(at.join("moves.lib"), library).unwrap();
    let variations = "(;GM[4]SZ[15]".to_owned() + &"(;B[])".repeat(4 << 20) + ")";
    write(at, "moves.sgf", &variations);
    write(at, "openings.txt", &"h8 i9\n".repeat(2 << 20));
    for line in [
        "show games.sgf",
        "render games.sgf --out -",
        "show moves.lib",
        "show moves.sgf",
        &format!("match --engine a={ENGINE} --engine b={ENGINE} --turn 1s --openings openings.txt"),
    ] {
        let output = limited(at, "ulimit -v 300000", line);
        let said = text(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{line}: {said}");
        assert!(
            said.contains("need more memory than there is"),
            "{line}: {said}"
        );
    }
}

/// A file of 6 MB took 1.2 GB, and the program ended by the way.
#[cfg(target_os = "linux")]
#[test]
fn lines_that_no_game_is_as_long_as_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let passes = format!("(;GM[4]SZ[15]{})", ";B[];W[]".repeat(750_000));
    write(at, "passes.sgf", &passes);
    fs::write(
        at.join("passes.lib"),
        [b"\x78\0", &b"\0\0".repeat(3 << 20)[..]].concat(),
    )
    .unwrap();
    for name in ["passes.sgf", "passes.lib"] {
        let output = limited(at, "ulimit -v 450000", &format!("show {name}"));
        let said = text(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{name}: {said}");
        assert!(
            said.contains("a line has more than 10000 moves"),
            "{name}: {said}"
        );
    }
}

/// A pipe that nothing writes to once was waited for without a word.
#[cfg(unix)]
#[test]
fn a_pipe_is_waited_for_with_a_word() {
    use std::io::{BufRead, BufReader};
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let pipe = at.join("pipe");
    assert!(
        Command::new("mkfifo")
            .arg(&pipe)
            .status()
            .unwrap()
            .success()
    );
    let mut render = Command::new(env!("CARGO_BIN_EXE_quincunx"))
        .args(["render", "pipe", "--out", "-"])
        .current_dir(at)
        .env("XDG_CONFIG_HOME", at)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut said = BufReader::new(render.stderr.take().unwrap());
    let mut line = String::new();
    said.read_line(&mut line).unwrap();
    assert!(
        line.contains("pipe is a pipe or a device: waiting until it ends"),
        "{line}"
    );
    fs::write(&pipe, "h8i9").unwrap();
    assert!(render.wait().unwrap().success());
}

/// A record for each searched position, behind a heading that tells their number.
#[test]
fn games_are_written_as_an_array_of_numpy() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    prints(at, "selfplay --games 3 --nodes 50 --size 7 --out games.qx");
    let told = prints(at, "dump games.qx --numpy games.npy");
    let (count, rest) = told.split_once(' ').unwrap();
    assert_eq!(rest, "positions in games.npy\n");
    let count: usize = count.parse().unwrap();
    let text = prints(at, "dump games.qx");
    let searched = text.lines().filter(|line| !line.starts_with('#'));
    let searched = searched.map(|line| line.split(';').nth(2).unwrap().split_whitespace().count());
    assert_eq!(count, searched.sum::<usize>());
    let bytes = fs::read(at.join("games.npy")).unwrap();
    let heading = 10 + usize::from(u16::from_le_bytes([bytes[8], bytes[9]]));
    let described = String::from_utf8_lossy(&bytes[10..heading]).into_owned();
    assert!(
        described.contains(&format!("'shape': ({count},)")),
        "{described}"
    );
    assert_eq!(bytes.len(), heading + count * (20 + 49));

    let error = fails(at, "dump games.qx --numpy games.npy");
    assert!(error.contains("--force"), "{error}");
    prints(at, "dump games.qx --numpy games.npy --force --size 7");
    assert_eq!(fs::read(at.join("games.npy")).unwrap(), bytes);
    let none = prints(at, "dump games.qx --numpy none.npy --size 8");
    assert!(none.starts_with("0 positions"), "{none}");
    write(at, "notes.txt", "mine");
    let error = fails(at, "dump notes.txt --numpy new.npy");
    assert!(error.contains("notes.txt: not a file of games"), "{error}");
    assert!(!at.join("new.npy").exists());
}

/// The file of `spsa` is of use to the engine, and to nothing else.
#[test]
fn parameters_that_were_tuned_are_played_with() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let told = prints(at, "spsa --size 9 --pairs 1 --nodes 20 --out run.spsa");
    assert!(told.ends_with("play with them: quincunx --parameters run.spsa\n"));
    let parameters = prints(at, "dump run.spsa");
    let first = parameters.lines().nth(1).unwrap();
    let (name, value) = first.split_once(' ').unwrap();
    let value = value.parse::<f64>().unwrap().round();
    prints(at, "--parameters run.spsa --log log");
    let log = read(at, "log");
    assert!(log.contains(&format!("Tune(\"{name}\", {value})")), "{log}");
    for wrong in ["--parameters none.spsa", "--parameters run.spsa bench"] {
        fails(at, wrong);
    }
}

/// What is no text is named with what reads it.
#[test]
fn every_file_of_the_program_is_printed_or_named() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    let network = root.join("crates/engine/src/eval/line/learned/renju.line");
    let printed = prints(at, &format!("dump {}", network.display()));
    assert!(printed.starts_with("# rule renju\nchecksum "), "{printed}");
    write(at, "game.sgf", "(;GM[4])");
    assert_eq!(prints(at, "dump game.sgf"), "(;GM[4])");
    for (start, reader) in [
        ("SQLite format 3\0", "database export"),
        ("QXHASH\0\0", "YXHASHLOAD"),
        ("quincunx checkpoint 2 ", "resumes from it"),
        ("\0", "nothing"),
    ] {
        write(at, "file", start);
        let error = fails(at, "dump file");
        assert!(error.contains(reader), "{error}");
    }
}

/// An archive once was said to be in the wrong encoding.
#[test]
fn files_of_other_kinds_are_called_by_their_names() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let archive = b"PK\x03\x04\x14\0\0\0\x08\0\xE9\x9A\x5C[game.psq";
    for name in ["games.zip", "games.psq", "games.lib"] {
        fs::write(at.join(name), archive).unwrap();
        for line in [
            "show FILE",
            "solve FILE",
            "solve --file FILE",
            "analyse FILE",
            "render FILE --out a.svg",
            "match --engine a=PROGRAM --engine b=PROGRAM --nodes 9 --openings FILE --out run",
            "database import t.db FILE",
        ] {
            let program = format!("'{}'", env!("CARGO_BIN_EXE_quincunx"));
            let line = line.replace("FILE", name).replace("PROGRAM", &program);
            let error = fails(at, &line);
            let expected = "this is a ZIP archive: unpack it first";
            assert!(error.contains(expected), "{line}: {error}");
            assert!(error.contains(name), "{line}: {error}");
        }
    }
    for made in ["a.svg", "t.db", "run"] {
        assert!(!at.join(made).exists(), "{made}");
    }
}

/// A permission to overwrite a file is none to lose the game that is read.
#[cfg(all(feature = "analysis", feature = "train"))]
#[test]
fn what_is_read_is_not_overwritten() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let game = "15 renju h8i9g10\n";
    write(at, "game.txt", game);
    for line in [
        "render game.txt --out game.txt --force",
        "render game.txt --out ./game.txt --force",
        "review game.txt --html game.txt --force",
        "review game.txt --sgf game.txt --force",
        "explore build game.txt --out game.txt --force",
        "puzzles game.txt --out z.txt --sgf game.txt --force",
        "puzzles game.txt --out z.txt --html ./game.txt --force",
        "puzzles game.txt --out game.txt",
        "puzzles --out game.txt --sgf game.txt --force",
        "book build game.txt --searches s.txt --out game.txt --force",
        "book build game.txt --searches game.txt --out z.txt",
        "book build --searches s.txt --out game.txt --played game.txt --force",
        "solve --file game.txt --out game.txt",
        "solve game.txt --out game.txt",
        "dump game.txt --numpy game.txt --force",
        "fit game.txt --out game.txt --force",
        "train game.txt --out game --force",
        "train other.qx --labels game.txt --out game.txt --force",
    ] {
        let error = fails(at, line);
        assert!(error.contains("game.txt is read"), "{line}: {error}");
        assert_eq!(read(at, "game.txt"), game, "{line}");
    }
    // Nor is what the command itself is about to make and read.
    for line in [
        "puzzles game.txt --out new.txt --sgf ./new.txt",
        "book build --searches ./new.txt --out new.txt",
    ] {
        let error = fails(at, line);
        assert!(error.contains("new.txt is read"), "{line}: {error}");
    }
    // Two things don't fit into one file: the second once took the place of the first.
    for line in [
        "puzzles game.txt --out p.txt --sgf new.txt --html ./new.txt",
        "review game.txt --sgf new.txt --html new.txt",
    ] {
        let output = run(at, line);
        let error = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{line}: {error}");
        assert!(error.contains("new.txt is named twice"), "{line}: {error}");
    }
    assert_eq!(fs::read_dir(at).unwrap().count(), 1);
}

/// The dash once was a file of this name.
#[cfg(all(feature = "analysis", feature = "train"))]
#[test]
fn the_dash_is_standard_output_or_refused() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    write(at, "game.txt", "9 freestyle e5e6\n");
    let before = fs::read_dir(at).unwrap().count();
    for line in [
        "review game.txt --html -",
        "review game.txt --sgf -",
        "review game.txt --out -",
        "puzzles game.txt --out -",
        "puzzles game.txt --out new --sgf -",
        "explore build game.txt --out -",
        "book build --searches new --out -",
        "book build --searches - --out new",
        "selfplay --out -",
        "spsa --out -",
        "fit game.txt --out -",
        "train game.txt --out -",
        "merge game.txt --out -",
        "dump game.txt --numpy -",
    ] {
        let output = run(at, line);
        let error = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{line}: {error}");
        let expected = "name a file in place of -";
        assert!(error.contains(expected), "{line}: {error}");
    }
    assert_eq!(fs::read_dir(at).unwrap().count(), before);
    let printed = prints(at, "render game.txt --out -");
    assert!(printed.contains('9'), "{printed}");
}

/// A pipe that nothing writes to once was waited for without end, and a log that can't be
/// written was silent.
#[test]
#[cfg(target_os = "linux")]
fn pipes_and_full_disks_are_errors() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let made = Command::new("mkfifo")
        .arg(at.join("pipe"))
        .status()
        .unwrap();
    assert!(made.success());
    let error = fails(at, "database import t.db pipe");
    assert!(error.contains("can't read pipe: "), "{error}");
    assert!(!at.join("t.db").exists());
    write(at, "one.txt", "9 freestyle d5a1e5a3f5a9\n");
    let output = limited(at, "ulimit -f 0", "solve --file one.txt --out answers.txt");
    let error = text(&output.stderr);
    let expected = "can't write answers.txt: File too large";
    assert!(error.contains(expected), "{error}");
    for asked in ["--version", "--help", "help match"] {
        let full = fs::File::options().write(true).open("/dev/full").unwrap();
        let mut program = Command::new(env!("CARGO_BIN_EXE_quincunx"));
        let status = program.args(asked.split(' ')).stdout(full).status();
        assert_eq!(status.unwrap().code(), Some(1), "{asked}");
    }
    let error = fails(at, "--log /dev/full dump nosuch");
    assert!(error.contains("can't write the log /dev/full: "), "{error}");
}
