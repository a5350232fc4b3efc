//! The commands of the README and of `docs`, run as they are printed, each page from top to
//! bottom in a folder of its own. `analysis` has those of `docs/analysis.md`, and a test of the
//! program's arguments parses what is not run here.

use super::{database, prints, text, write};
use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::{Command, Stdio};

/// The starts of lines that are not run: they wait for a person or another program, need a room
/// or an account that a person has made, take minutes, or play with tables that few games have
/// made, which balance no opening. Tests of their own have those of this program.
const NOT_RUN: &[&str] = &[
    "#",
    "QUINCUNX_BROWSER=",
    "bindings/wasm/build.sh",
    "cargo",
    "npx",
    "quincunx board --export",
    "quincunx board admin --database club.db ban NAME",
    "quincunx board admin --database club.db close",
    "quincunx board admin --database club.db continue",
    "quincunx board admin --database club.db end",
    "quincunx board admin --database club.db key",
    "quincunx board admin --database club.db rename",
    "quincunx guest",
    "quincunx play",
    "quincunx --tables first.tables",
    "sbatch",
    "squeue",
];

/// The values that options of commands get in place of those that are printed: what takes
/// hours has to end in seconds.
const SHORTER: &[(&str, &str, &str)] = &[
    ("book", "--nodes", "100"),
    ("book", "--positions", "3"),
    ("book", "--threads", "1"),
    ("match", "--concurrency", "1"),
    ("match", "--games", "2"),
    ("match", "--nodes", "50"),
    ("match", "--turn", "5ms"),
    ("openings", "--count", "2"),
    ("selfplay", "--games", "20"),
    ("selfplay", "--nodes", "50"),
    ("spsa", "--nodes", "50"),
    ("spsa", "--pairs", "1"),
];

/// Options that a command gets besides, unless they are printed.
const ADDED: &[(&str, &str, &str)] = &[
    ("analyse", "--nodes", "500"),
    ("bench", "--depth", "1"),
    ("check", "--rule", "freestyle"),
    ("build", "--nodes", "100"),
    ("build", "--positions", "3"),
    ("fit", "--epochs", "1"),
    ("review", "--nodes", "100"),
    ("selfplay", "--games", "20"),
    ("selfplay", "--nodes", "50"),
];

/// What a server is started by: its first line says that it can be visited, and it ends with the
/// page or when another one begins. Its port is free, and it opens no browser.
const SERVE: &str = "
serve() {
    finish
    trap 'kill $server' EXIT
    : > served
    \"$@\" --port 0 --no-open > served &
    server=$!
    until grep -q 'ends the board, which is at http://' served; do
        kill -0 $server
        sleep 0.05
    done
}
finish() {
    trap - EXIT
    if [ \"$server\" ]; then
        kill $server
        wait $server
    fi
    server=
}
";

/// The lines of a page's blocks of commands.
fn lines(page: &str) -> Vec<String> {
    let blocks = page.split("```sh\n").skip(1);
    let blocks = blocks.map(|block| block.split("```").next().unwrap());
    // Such blocks are scripts that others start, and those that need more than a person may.
    let blocks = blocks.filter(|block| !block.starts_with("#!") && !block.contains("chown"));
    let text: String = blocks.map(|block| block.replace("\\\n", " ")).collect();
    text.lines().map(str::to_owned).collect()
}

/// A line as it is run.
fn shortened(line: &str) -> String {
    let mut words: Vec<&str> = line.split(' ').filter(|word| !word.is_empty()).collect();
    for &(command, option, value) in SHORTER {
        let at = words.iter().position(|&word| word == option);
        if let Some(at) = at.filter(|_| words.contains(&command)) {
            words[at + 1] = value;
        }
    }
    for &(command, option, value) in ADDED {
        let at = words.iter().position(|&word| word == command);
        if let Some(at) = at.filter(|_| !words.contains(&option) && !words.contains(&"admin")) {
            words.splice(at + 1..at + 1, [option, value]);
        }
    }
    let is_server = words.starts_with(&["quincunx", "board"]) && words.get(2) != Some(&"admin");
    if is_server {
        words.insert(0, "serve");
    }
    words.join(" ")
}

/// What a reader has: the sources, the program under the names that pages call it by, a game
/// and a library.
fn prepare(at: &Path) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    for name in ["crates", "openings"] {
        symlink(root.join(name), at.join(name)).unwrap();
    }
    fs::create_dir_all(at.join("target/release")).unwrap();
    for name in [
        "new",
        "old",
        "quincunx",
        "quincunx-1.0",
        "target/release/quincunx",
    ] {
        symlink(env!("CARGO_BIN_EXE_quincunx"), at.join(name)).unwrap();
    }
    write(at, "game.sgf", "(;GM[4]SZ[15];B[hh];W[ii];B[hi])");
    database(at);
    let export = "database export t.db openings.lib --format lib --rule renju";
    prints(at, export);
}

/// Runs the commands of a page, up to a heading if one is given, of which there are so many,
/// and looks for what they make. `before` are lines to run ahead of those that begin so.
fn run(page: &str, end: Option<&str>, count: usize, before: &[(&str, &str)], made: &[&str]) {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    prepare(at);
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let text_of_page = fs::read_to_string(root.join(page)).unwrap();
    let end = end.map_or(text_of_page.len(), |end| text_of_page.find(end).unwrap());
    let printed = lines(&text_of_page[..end]);
    let is_run = |line: &&String| {
        let waits = NOT_RUN.iter().any(|start| line.starts_with(start));
        !waits && !line.is_empty()
    };
    let run: Vec<&String> = printed.iter().filter(is_run).collect();
    assert_eq!(run.len(), count, "{page}: {run:#?}");
    let mut script = SERVE.to_owned();
    for line in run {
        let ahead = before.iter().filter(|(start, _)| line.starts_with(start));
        ahead.for_each(|(_, first)| script += &format!("{first}\n"));
        script += &format!("{}\n", shortened(line));
    }
    script += "finish\n";
    let program = Path::new(env!("CARGO_BIN_EXE_quincunx"));
    let mut path = program.parent().unwrap().as_os_str().to_owned();
    path.push(":");
    path.push(std::env::var_os("PATH").unwrap());
    write(at, "page.sh", &script);
    let output = Command::new("sh")
        .args(["-ex", "page.sh"])
        .current_dir(at)
        .env("PATH", &path)
        .env("XDG_CONFIG_HOME", at)
        .env_remove("RUST_LOG")
        .stdin(Stdio::null())
        .output()
        .unwrap();
    assert!(output.status.success(), "{page}: {}", text(&output.stderr));
    for name in made {
        assert!(at.join(name).exists(), "{page}: {name}");
    }
}

#[test]
fn the_readme_runs_as_printed() {
    let made = ["club.db", "review.html", "run1/report.html"];
    run("README.md", Some("\n## As a library"), 6, &[], &made);
}

#[test]
fn the_page_on_the_command_line_runs_as_printed() {
    let made = ["book.db", "book.txt"];
    run("docs/command-line.md", None, 10, &[], &made);
}

#[test]
fn the_page_on_matches_runs_as_printed() {
    // A reader who rates several matches has played them.
    let others = ("quincunx ratings", "cp -r run1 run2 && cp -r run1 run3");
    run("docs/match.md", None, 2, &[others], &["run1/games.sgf"]);
}

#[test]
fn the_page_on_the_board_runs_as_printed() {
    run("docs/board.md", None, 1, &[], &["served"]);
}

#[test]
fn the_page_on_rooms_runs_as_printed() {
    let made = ["club-monday.db", "club.db", "games.csv"];
    run("docs/rooms.md", None, 3, &[], &made);
}

#[test]
fn the_page_on_servers_runs_as_printed() {
    run("docs/server.md", None, 13, &[], &["club.db", "FILE"]);
}

#[test]
fn the_page_on_books_runs_as_printed() {
    let made = ["openings.jsonl", "openings.qxbook"];
    run("docs/book.md", None, 3, &[], &made);
}

#[test]
fn the_page_on_levels_runs_as_printed() {
    run("docs/levels.md", None, 1, &[], &[]);
}

/// What a part of the array has played is there when the parts are merged.
#[test]
fn the_page_on_clusters_runs_as_printed() {
    let part = "quincunx match --engine new=./new --engine old=./old --rule freestyle --nodes 50 \
                --openings openings.txt --games 2 --restart --out parts/1";
    let games = "quincunx selfplay --rule freestyle --games 2 --nodes 50 --out parts/1.qx";
    let before = [("quincunx match --merge", part), ("quincunx merge", games)];
    run("docs/cluster.md", None, 4, &before, &["whole", "games.qx"]);
}

/// What follows are the recipes of the weights in the program, which took days.
#[test]
fn the_page_on_tables_runs_as_printed() {
    let games = "quincunx selfplay --tables hand-set --games 20 --nodes 50 --seed 2 --out g2.qx";
    let before = [("quincunx fit --base", games)];
    let made = ["second.tables", "match/report.html", "all.qx", "all.npy"];
    run(
        "docs/tables.md",
        Some("\n### Move scores from search trees"),
        11,
        &before,
        &made,
    );
}
