//! Analyses, reviews and pictures, and the examples of their documentation.

use super::{fails, prints, read, run, text, write};
use std::path::Path;

/// A win is allowed, missed, allowed again and taken.
const GAME: &str = "\"9 freestyle d5a1e5a3f5a9i9i1c5i3b5\" --nodes 500 --proof-nodes 20000";

/// Every `sh` block of `docs/analysis.md` is run. The lines of a `text` block after it are
/// printed in this order; `...` stands for anything.
#[test]
fn the_documentation_tells_what_is_printed() {
    let folder = tempfile::tempdir().unwrap();
    let mut printed = String::new();
    let mut commands = 0;
    let document = include_str!("../../docs/analysis.md");
    let blocks = document.split("```").skip(1).step_by(2);
    for block in blocks {
        let (language, lines) = block.split_once('\n').unwrap();
        match language {
            "sh" => {
                printed.clear();
                for line in lines.lines() {
                    let line = line.strip_prefix("quincunx ").unwrap();
                    printed += &prints(folder.path(), line);
                    commands += 1;
                }
            }
            "text" => expect(lines, &printed),
            other => panic!("a block of {other}"),
        }
    }
    assert_eq!(commands, 12);
    for name in [
        "review.html",
        "review.sgf",
        "diagram.svg",
        "after6.png",
        "game.gif",
    ] {
        assert!(folder.path().join(name).is_file(), "{name}");
    }
}

#[track_caller]
fn expect(lines: &str, printed: &str) {
    let mut left = printed.lines();
    for line in lines.lines().filter(|line| *line != "...") {
        let (start, rest) = match line.split_once("...") {
            Some((start, _)) => (start, false),
            None => (line, true),
        };
        let found = left.any(|printed| match rest {
            true => printed == start,
            false => printed.starts_with(start),
        });
        assert!(found, "'{line}' is not printed here:\n{printed}");
    }
}

#[test]
fn analyses_are_objects_that_programs_read() {
    let folder = tempfile::tempdir().unwrap();
    let line = "analyse g8a1h7a3h9o1i8o3 --rule renju --nodes 3000 --lines 2 --json";
    let printed = prints(folder.path(), line);
    assert_eq!(printed, prints(folder.path(), line), "with --nodes alone");
    let objects: Vec<serde_json::Value> = (printed.lines())
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(objects[0]["type"], "position");
    assert_eq!(objects[0]["forbidden"][0]["point"], "h8");
    let ranks: Vec<u64> = (objects[1..].iter())
        .map(|object| object["rank"].as_u64().unwrap())
        .collect();
    assert!(ranks.contains(&1) && ranks.contains(&2), "{ranks:?}");
    for object in &objects[1..] {
        assert_eq!(object["type"], "line");
        assert_eq!(object["line"][0], object["move"]);
        let chance = object["win_chance"].as_f64().unwrap();
        assert!((0.0..=1.0).contains(&chance), "{object}");
        assert!(object["depth"].is_u64() && object["nodes"].is_u64());
        assert!(object["score"].is_i64());
    }
}

/// Nothing that moves a cursor goes anywhere but to a terminal.
#[test]
fn pipes_get_plain_text() {
    let folder = tempfile::tempdir().unwrap();
    let output = run(folder.path(), "analyze h8i9 --nodes 3000 --lines 3");
    let printed = text(&output.stdout);
    assert!(!printed.contains('\x1b'), "{printed}");
    assert_eq!(printed.matches(". depth ").count(), 3, "{printed}");
    assert!(output.stderr.is_empty());
}

#[test]
fn finished_games_are_analysed_without_a_search() {
    let folder = tempfile::tempdir().unwrap();
    let printed = prints(folder.path(), "analyse h8a1i8b1j8c1k8d1l8");
    assert!(printed.ends_with("black has won\n"), "{printed}");
    write(
        folder.path(),
        "five.sgf",
        "(;GM[4]SZ[15]RU[freestyle]AB[aa:ea]AW[bb:eb])",
    );
    for (source, winner) in [
        ("five.sgf", "black"),
        ("\"15 renju a15b15a14b13a13b11a12b9a10b7a11\"", "white"),
    ] {
        let printed = prints(folder.path(), &format!("analyse {source}"));
        assert!(
            printed.contains(&format!("\n{winner} has won\n")),
            "{printed}"
        );
        let shown = prints(folder.path(), &format!("show {source}"));
        assert!(shown.contains(&format!("\n{winner} has won\n")), "{shown}");
        let output = run(folder.path(), &format!("solve {source}"));
        let told = String::from_utf8_lossy(&output.stdout).into_owned();
        let over = format!("error: the game is over: {winner} wins");
        assert!(!output.status.success() && told.contains(&over), "{told}");
    }
    let full = "b2d2e3c5a2b1e1c1b5c4e5c3a4b4e2e4a1a3d1d5c2a5d3d4b3";
    let printed = prints(
        folder.path(),
        &format!("analyse --size 5 --rule caro {full}"),
    );
    assert!(!printed.contains("depth"), "{printed}");
}

#[test]
fn reviews_are_the_same_in_every_form() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let line = format!("review {GAME} --json --sgf r.sgf --html r.html");
    let review: serde_json::Value = serde_json::from_str(&prints(at, &line)).unwrap();
    assert_eq!(review["winner"], "black");
    let moves = review["moves"].as_array().unwrap();
    assert_eq!(moves.len(), 11);
    assert_eq!(moves[5]["class"], "loss allowed");
    assert_eq!(moves[6]["class"], "win missed");
    assert_eq!(moves[6]["win_missed"]["proof"]["plies"], 3);
    assert_eq!(review["last_escape"]["number"], 8);
    // What was written can be read, and the review of it is the same.
    let again = prints(at, "review r.sgf --nodes 500 --proof-nodes 20000 --json");
    assert_eq!(
        serde_json::from_str::<serde_json::Value>(&again).unwrap(),
        review
    );
    assert!(read(at, "r.html").contains("data-show=\"7-win\""));
    let refused = fails(at, &line);
    assert!(
        refused.contains("r.sgf exists; --force overwrites it"),
        "{refused}"
    );
    prints(at, &format!("{line} --force"));
    let told = prints(at, &format!("review {GAME}"));
    assert!(
        told.contains("loss allowed") && told.contains("win missed"),
        "{told}"
    );
    // The variations of a file stay.
    let game = "(;GM[4]SZ[9]RU[freestyle];B[ee](;W[ef])(;W[fe]C[instead]))";
    write(at, "v.sgf", game);
    prints(at, "review v.sgf --nodes 20 --proof-nodes 20 --sgf w.sgf");
    assert!(read(at, "w.sgf").contains("(;W[fe]C[instead])"));
}

#[test]
fn a_changed_review_is_found() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    write(at, "a.txt", "9 freestyle d5a1e5a3f5a9i9i1c5i3b5\n");
    let line = "review a.txt --nodes 300 --proof-nodes 5000 --out";
    prints(at, &format!("{line} one.jsonl"));
    let one = read(at, "one.jsonl");
    let changed = one.replacen("win missed", "mistake", 1);
    assert_ne!(changed, one);
    write(at, "changed.jsonl", &changed);
    let error = fails(at, &format!("{line} changed.jsonl"));
    let expected = "changed.jsonl: line 2 is damaged";
    assert!(error.contains(expected), "{error}");
}

/// The first of them once ended the review of all games.
#[test]
fn files_of_a_folder_that_are_no_games_are_left_out() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    std::fs::create_dir(at.join("games")).unwrap();
    write(at, "games/a.txt", "9 freestyle e5e6f6\n");
    write(at, "games/b.psq", "no game\n");
    write(at, "games/c.txt", "9 freestyle e5d5\n");
    let line = "review games --nodes 20 --proof-nodes 20 --out";
    let output = run(at, &format!("{line} new"));
    let error = text(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{error}");
    assert!(error.contains("b.psq: line 1: "), "{error}");
    assert!(
        error.ends_with("quincunx: files not read: 1; the others are done\n"),
        "{error}"
    );
    assert!(text(&output.stdout).ends_with(" 2 games\n"));
    assert_eq!(read(at, "new").lines().count(), 3);
    // One that is named itself still ends it.
    let error = fails(at, &format!("{line} other games/b.psq"));
    assert!(!error.contains("files not read"), "{error}");
    assert!(!at.join("other").exists());
}

/// Games of several files, reviewed in any number of pieces by any number of threads.
#[test]
fn many_games_have_one_review_a_line() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    std::fs::create_dir(at.join("games")).unwrap();
    let game = "d5a1e5a3f5a9i9i1c5i3b5";
    write(
        at,
        "games/a.txt",
        &format!("9 freestyle {game}\n9 renju e5e6f6\n"),
    );
    write(at, "b.sgf", "(;GM[4]SZ[9]RE[B+R];B[ee];W[ef];B[ff])");
    let line = "review games b.sgf --nodes 300 --proof-nodes 5000 --out";
    let table = prints(at, &format!("{line} one.jsonl"));
    let one = read(at, "one.jsonl");
    let reviews: Vec<serde_json::Value> = (one.lines().skip(1))
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let names = ["games/a.txt 1", "games/a.txt 2", "b.sgf 1"];
    for ((review, name), row) in reviews.iter().zip(names).zip(table.lines().skip(2)) {
        assert_eq!(review["game"].as_str().unwrap().replace('\\', "/"), name);
        assert!(row.replace('\\', "/").contains(name), "{table}");
    }
    assert_eq!(reviews.len(), 3);
    assert!(table.ends_with("3 games\n"), "{table}");
    // Each is the review of that game alone.
    let alone = format!("review \"9 freestyle {game}\" --nodes 300 --proof-nodes 5000 --json");
    let mut alone: serde_json::Value = serde_json::from_str(&prints(at, &alone)).unwrap();
    for name in ["game", "crc32"] {
        alone[name] = reviews[0][name].clone();
    }
    assert_eq!(alone, reviews[0]);

    prints(at, &format!("{line} two.jsonl --threads 2"));
    assert_eq!(read(at, "two.jsonl"), one);
    for end in [0, 1, 30, one.find('\n').unwrap(), one.len() - 1, one.len()] {
        write(at, "cut.jsonl", &one[..end]);
        assert_eq!(prints(at, &format!("{line} cut.jsonl")), table, "{end}");
        assert_eq!(read(at, "cut.jsonl"), one, "cut after {end} bytes");
    }
    // Parts of the games, in any order, are all of them.
    let parts = [2, 1].map(|part| {
        prints(at, &format!("{line} part{part}.jsonl --shard {part}/2"));
        read(at, &format!("part{part}.jsonl"))
    });
    assert_eq!(parts.each_ref().map(|part| part.lines().count()), [3, 2]);
    write(at, "joined.jsonl", &parts.concat());
    assert_eq!(prints(at, &format!("{line} joined.jsonl")), table);
    assert_eq!(read(at, "joined.jsonl"), parts.concat());
    write(at, "twice.jsonl", &[&one[..], &one].concat());
    let twice = fails(at, &format!("{line} twice.jsonl"));
    assert!(twice.contains("can't resume twice.jsonl"), "{twice}");
    for wrong in ["0/2", "3/2", "2"] {
        let error = fails(at, &format!("{line} part.jsonl --shard {wrong}"));
        assert!(error.contains("expected I/N"), "{error}");
    }
    let same = prints(at, &format!("{line} one.jsonl --against two.jsonl --json"));
    let same: serde_json::Value = serde_json::from_str(&same).unwrap();
    assert_eq!(same["games"][0]["black"]["win missed"], 1);
    let agreement = &same["agreement"];
    assert_eq!(agreement["moves"], 17);
    assert_eq!(agreement["confirmed"], 1.0);
    assert_eq!(agreement["missed"], 0.0);
    assert_eq!(agreement["bad"], agreement["bad_there"]);

    write(at, "notes.txt", "my notes\n");
    let few: String = one.split_inclusive('\n').take(2).collect();
    write(at, "few.jsonl", &few);
    for (line, problem) in [
        ("review b.sgf --out one.jsonl", "can't resume one.jsonl"),
        (
            "review b.sgf --nodes 7 --out one.jsonl",
            "can't resume one.jsonl: it is of another run: nodes 300, not 7; proof_nodes 5000",
        ),
        (
            "review b.sgf --out notes.txt",
            "can't resume notes.txt: it is of another run, or of another kind",
        ),
        ("review b.sgf nosuch.sgf --out new", "can't read nosuch.sgf"),
        ("review b.sgf b.sgf", "--out <FILE>"),
        ("review b.sgf --threads 2", "--out <FILE>"),
        // Both once came at the end of the work.
        (
            "review b.sgf --out new --against nosuch",
            "can't read nosuch",
        ),
        (
            "review nosuch.sgf --html none/new",
            "can't write none/new: ",
        ),
        (
            "review b.sgf --out new --html x.html",
            "cannot be used with",
        ),
    ] {
        let error = fails(at, line);
        assert!(error.contains(problem), "{line}: {error}");
    }
    let few = fails(at, &format!("{line} one.jsonl --against few.jsonl"));
    assert!(few.contains("3 reviews can't be compared with 1"), "{few}");
    assert_eq!(read(at, "one.jsonl"), one);
    assert_eq!(read(at, "notes.txt"), "my notes\n");
    assert!(!at.join("new").exists());
}

#[test]
fn what_is_no_game_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    write(at, "bad.sgf", "(;GM[4]SZ[15];B[hh];W[hh])");
    write(at, "cut.sgf", "(;GM[4]SZ[15];B[hh");
    for command in ["analyse", "review", "render --out x.svg"] {
        for (source, problem) in [
            ("nosuch.sgf", "can't read nosuch.sgf"),
            ("cut.sgf", "can't read cut.sgf: line 1, column 19: "),
            ("bad.sgf", "bad.sgf: line 1, column 21: W[hh]: h8 is taken"),
            ("h8h8", "move 2: h8 is taken"),
            ("h8?", "move 2: expected a point"),
            ("h8a1i8b1j8c1k8d1l8e1", "move 10: the game is over"),
        ] {
            let error = fails(at, &format!("{command} {source}"));
            assert!(error.contains(problem), "{command} {source}: {error}");
            assert_eq!(error.lines().count(), 1, "{error}");
        }
    }
    assert!(!at.join("x.svg").exists());
}

#[test]
fn pictures_are_not_written_over() {
    let folder = tempfile::tempdir().unwrap();
    let at: &Path = folder.path();
    prints(at, "render h8i9 --out a.svg");
    let picture = read(at, "a.svg");
    assert!(picture.starts_with("<svg ") && picture.ends_with("</svg>\n"));
    let refused = fails(at, "render h8 --out a.svg");
    assert!(refused.contains("a.svg exists"), "{refused}");
    assert_eq!(read(at, "a.svg"), picture);
    prints(at, "render h8 --out a.svg --force");
    assert_ne!(read(at, "a.svg"), picture);
    for (line, problem) in [
        (
            "render h8 --out a.jpg",
            "expected a name in .svg, .png, .gif or .txt",
        ),
        (
            "render h8 --size 9 --mark dot=k11 --out b.svg",
            "k11 is off the 9 board",
        ),
        (
            "render h8 --mark star=a1 --out b.svg",
            "unknown mark 'star'",
        ),
        ("render h8 --mark a1 --out b.svg", "expected MARK=POINTS"),
        (
            "render h8 --theme glass --out b.svg",
            "unknown theme 'glass'",
        ),
    ] {
        let error = fails(at, line);
        assert!(error.contains(problem), "{line}: {error}");
    }
    assert!(!at.join("b.svg").exists());
}

/// What a PNG and a GIF say of themselves, and that both are the same every time.
#[test]
fn pictures_have_the_format_of_their_name() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    for (name, begin, sizes) in [
        ("a.png", &b"\x89PNG\r\n\x1a\n"[..], 16..24),
        ("a.GIF", &b"GIF89a"[..], 6..10),
    ] {
        prints(at, &format!("render h8i9g10 --out {name}"));
        let bytes = std::fs::read(at.join(name)).unwrap();
        assert!(bytes.starts_with(begin), "{name}");
        prints(
            at,
            &format!("render h8i9g10 --size 15x11 --force --out {name}"),
        );
        let wide = std::fs::read(at.join(name)).unwrap();
        assert_ne!(
            bytes[sizes.clone()],
            wide[sizes],
            "{name}: the board is lower"
        );
        prints(at, &format!("render h8i9g10 --force --out {name}"));
        assert_eq!(std::fs::read(at.join(name)).unwrap(), bytes, "{name}");
    }
    prints(at, "render h8i9i7 --out named.svg");
    assert!(read(at, "named.svg").contains("aria-label=\"I7 Hogetsu\""));
}

#[test]
fn openings_are_named_in_every_answer() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let line = "review h8h9i9 --rule renju --nodes 100 --proof-nodes 100";
    assert!(prints(at, line).starts_with("renju, board 15, D4 Kagetsu: not finished"));
    let review: serde_json::Value =
        serde_json::from_str(&prints(at, &format!("{line} --json"))).unwrap();
    assert_eq!(review["opening"], "D4 Kagetsu");
    let none = prints(at, "review h8h9h11 --json --nodes 100 --proof-nodes 100");
    let none: serde_json::Value = serde_json::from_str(&none).unwrap();
    assert!(none["opening"].is_null());
}

/// `solve --game` takes one game of a file of several, as `show` does.
#[test]
fn one_game_of_several_is_solved() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let games = "(;GM[4]SZ[9];B[ee];W[ef])(;GM[4]SZ[9];B[bb];W[cc];B[dd])";
    write(at, "games.sgf", games);
    for (game, start) in [(1, "9 freestyle e5e4,"), (2, "9 freestyle b8c7d6,")] {
        let line = format!("solve --nodes 100 --game {game} games.sgf");
        let answer = prints(at, &line);
        assert!(answer.starts_with(start), "{answer}");
    }
    let error = fails(at, "solve --nodes 100 --game 3 games.sgf");
    assert!(error.contains("there is no game 3, only 2"), "{error}");
    let error = fails(at, "solve --game 2 --file games.sgf");
    assert!(error.contains("cannot be used with"), "{error}");
}

/// The only four that wins, and a position that has two.
const GAMES: &str = "11 freestyle e5d5f5a1g5a11h6k11h7k1h5\n11 freestyle e5a1f5a11g5k11d5\n";

#[test]
fn puzzles_are_the_same_however_they_are_found() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let mut games = String::new();
    for round in 0..70 {
        // Alike but for a stone far away: symmetric games are told once.
        let far = ["a2", "a3", "a4"][round % 3];
        games += &GAMES.replace("a1g5", &format!("{far}g5"));
    }
    write(at, "games.txt", &games);
    prints(
        at,
        "puzzles games.txt --kind vcf --out one.txt --html s.html --sgf s.sgf",
    );
    let one = read(at, "one.txt");
    let puzzles = one.lines().filter(|line| !line.starts_with('#'));
    assert_eq!(puzzles.count(), 3, "{one}");
    let last = one.lines().last().unwrap();
    assert!(last.starts_with("# games done: 140 "), "{one}");
    assert_eq!(read(at, "s.html").matches("<figure>").count(), 3);
    assert_eq!(read(at, "s.sgf").matches("(;").count(), 3);
    prints(
        at,
        "puzzles games.txt --kind vcf --threads 3 --out three.txt",
    );
    assert_eq!(read(at, "three.txt"), one);
    // Wherever the interruption comes, the run ends with the same file.
    for end in (0..one.len()).step_by(23).chain([one.len()]) {
        write(at, "cut.txt", &one[..end]);
        prints(at, "puzzles games.txt --kind vcf --out cut.txt");
        assert_eq!(read(at, "cut.txt"), one, "cut after {end} bytes");
    }
    prints(at, "puzzles games.txt --kind vcf --count 2 --out few.txt");
    assert_eq!(read(at, "few.txt").matches("; vcf ").count(), 2);
    prints(at, "puzzles games.txt --kind vcf --out few.txt");
    assert_eq!(read(at, "few.txt"), one);
    // What was found can be written once more without the games.
    prints(at, "puzzles --out one.txt --html again.html");
    let page = |name: &str| read(at, name).replace("title>again<", "title>one<");
    assert_eq!(page("again.html"), page("s.html"));
}

/// Games that begin with stones once had none.
#[test]
fn diagrams_and_games_from_them_have_puzzles() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let stones = "(;GM[4]SZ[11]RU[freestyle]AB[eg][fg][gg][hf][he]AW[dg][ak][aa][ka]";
    write(at, "game.sgf", &format!("{stones}PL[W];W[kk])"));
    write(at, "diagram.sgf", &format!("{stones}AW[kk]PL[B])"));
    for games in ["game.sgf", "diagram.sgf", "game.sgf diagram.sgf"] {
        prints(at, &format!("puzzles {games} --kind vcf --out found.txt"));
        let found = read(at, "found.txt");
        assert_eq!(found.matches("; vcf h5 ").count(), 1, "{games}: {found}");
        std::fs::remove_file(at.join("found.txt")).unwrap();
    }
    // The same stones are another game if the other side is to move, or if one was played.
    let run = "puzzles diagram.sgf --kind vcf --out found.txt";
    prints(at, run);
    for other in ["AW[kk]PL[W])", "PL[W];W[kk])"] {
        write(at, "diagram.sgf", &format!("{stones}{other}"));
        let error = fails(at, run);
        assert!(
            error.contains("other games than the first 1 of these"),
            "{error}"
        );
    }
}

#[test]
fn files_of_other_puzzles_stay_as_they_are() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    write(at, "games.txt", GAMES);
    prints(at, "puzzles games.txt --kind vcf --out p.txt");
    let puzzles = read(at, "p.txt");
    write(at, "notes.txt", "my notes\n");
    for (line, problem) in [
        ("puzzles games.txt --out p.txt", "can't resume p.txt"),
        (
            "puzzles games.txt --out notes.txt",
            "can't resume notes.txt",
        ),
        ("puzzles --out p.txt", "expected files of games"),
        (
            "puzzles --out notes.txt --html n.html",
            "notes.txt: line 1: ",
        ),
        ("puzzles nosuch.sgf --out q.txt", "can't read nosuch.sgf"),
        (
            "puzzles games.txt --kind mate --out q.txt",
            "unknown kind of puzzle 'mate'",
        ),
        ("puzzles games.txt --out q.txt --html p.txt", "p.txt exists"),
    ] {
        let error = fails(at, line);
        assert!(error.contains(problem), "{line}: {error}");
    }
    assert_eq!(read(at, "p.txt"), puzzles);
    assert_eq!(read(at, "notes.txt"), "my notes\n");
    assert!(!at.join("q.txt").exists());
}
