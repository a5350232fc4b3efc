//! Tests of the commands in the documentation: the program parses each of them, and each file
//! that one reads was written by an earlier one.

use super::Cli;
use super::help::{EXAMPLES, GROUPS};
use clap::{Command, CommandFactory as _, Parser as _};
use std::collections::HashSet;
use std::path::Path;
use std::{fs, io};

/// The options whose files are read.
const READ: [&str; 9] = [
    "--openings",
    "--base",
    "--values",
    "--start",
    "--tables",
    "--network",
    "--parameters",
    "--book",
    "--played",
];

/// Values of these options that are no files.
const WORDS: [&str; 3] = ["none", "hand-set", "zero"];

/// The pages at the top and in `docs`.
fn pages() -> io::Result<Vec<(String, String)>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut pages = Vec::new();
    for folder in [root.to_owned(), root.join("docs")] {
        for entry in fs::read_dir(folder)? {
            let path = entry?.path();
            if path.extension().is_some_and(|extension| extension == "md") {
                let name = path.file_name().unwrap_or_default().to_string_lossy();
                pages.push((name.into_owned(), fs::read_to_string(&path)?));
            }
        }
    }
    Ok(pages)
}

/// The lines of a page's blocks of commands.
fn commands(page: &str) -> Vec<String> {
    let blocks = page.split("```sh\n").skip(1);
    let blocks = blocks.filter_map(|rest| rest.split("```").next());
    let text: String = blocks.map(|block| block.replace("\\\n", " ")).collect();
    let text = text.replace("$SLURM_ARRAY_TASK_ID", "1");
    text.lines().map(str::to_owned).collect()
}

/// The words of a command of the program, and of any other.
fn words(line: &str) -> (Option<Vec<String>>, Vec<String>) {
    let words = shlex::split(line).unwrap_or_default();
    let is_program = |word: &String| matches!(word.as_str(), "quincunx" | "./quincunx");
    let starts = words.iter().take(2).position(is_program);
    let own = starts.map(|start| {
        let own = words[start..].iter();
        own.take_while(|word| !matches!(word.as_str(), ">" | "|" | "&&"))
            .cloned()
            .collect()
    });
    (own, words)
}

fn is_read(word: &str) -> bool {
    let known = [".qx", ".tables", ".line"];
    known.iter().any(|extension| word.ends_with(extension)) && !word.contains(['*', '$', ' '])
}

/// Fails unless this command and those below it have examples that the program understands.
fn expect_examples(command: &Command) {
    for sub in command.get_subcommands() {
        let name = sub.get_name();
        if matches!(name, "help" | "admin") || sub.is_hide_set() {
            continue;
        }
        let help = sub.get_after_long_help();
        let help = help.unwrap_or_else(|| panic!("{name} has no example"));
        let mut examples = 0;
        for line in help.to_string().lines() {
            let line = line.trim().trim_start_matches("Example: ");
            if let (Some(own), _) = words(line) {
                examples += 1;
                if let Err(error) = Cli::try_parse_from(&own) {
                    panic!("{name}: {line}\n{error}");
                }
            }
        }
        assert!(examples > 0, "{name}: {help}");
        expect_examples(sub);
    }
}

#[test]
fn every_command_has_examples() {
    expect_examples(&Cli::command());
}

#[test]
fn commands_are_understood_and_find_their_files() {
    let mut checked = 0;
    for (name, page) in pages().expect("the documentation") {
        let mut made: HashSet<String> = HashSet::new();
        let lines = commands(&page);
        // A script runs later than it is shown.
        let (now, later): (Vec<_>, Vec<_>) = lines
            .into_iter()
            .partition(|line| !line.starts_with("exec"));
        for line in now.into_iter().chain(later) {
            let (own, words) = words(&line);
            let pairs: Vec<_> = words
                .windows(2)
                .map(|pair| (&*pair[0], &*pair[1]))
                .collect();
            if let Some(own) = own {
                checked += 1;
                // Words such as ROOM stand for something.
                let stands = |word: &String| word.bytes().all(|byte| byte.is_ascii_uppercase());
                if !own.iter().any(stands)
                    && let Err(error) = Cli::try_parse_from(&own)
                {
                    panic!("{name}: {line}\n{error}");
                }
                let options = pairs.iter().filter(|(option, _)| READ.contains(option));
                let named = options.map(|&(_, file)| file);
                let output = |file: &str| pairs.contains(&("--out", file));
                let others = own.iter().map(String::as_str);
                let others = others.filter(|word| is_read(word) && !output(word));
                for file in named.chain(others).filter(|file| !WORDS.contains(file)) {
                    let found = Path::new(env!("CARGO_MANIFEST_DIR")).join(file).exists();
                    assert!(
                        found || made.contains(file),
                        "{name}: {line}\nno {file} yet"
                    );
                }
                let decides = own.iter().any(|word| word == "--sprt");
                let bounded = own.iter().any(|word| word == "--games");
                assert!(!decides || bounded, "{name}: {line}\nends after few games");
            }
            let written = pairs
                .iter()
                .filter(|(option, _)| matches!(*option, "--out" | ">"));
            made.extend(written.map(|(_, file)| (*file).to_owned()));
        }
    }
    assert!(checked > 50, "{checked}");
}

#[test]
fn every_command_is_in_one_group() {
    let mut grouped: Vec<&str> = GROUPS
        .iter()
        .flat_map(|(_, names)| *names)
        .copied()
        .collect();
    let mut command = Cli::command();
    command.build();
    let visible = command.get_subcommands().filter(|sub| !sub.is_hide_set());
    let mut all: Vec<&str> = visible.map(|sub| sub.get_name()).collect();
    grouped.sort_unstable();
    all.sort_unstable();
    assert_eq!(grouped, all);
}

#[test]
fn the_examples_are_understood() {
    let examples = EXAMPLES.lines().map(str::trim);
    for line in examples.filter(|line| line.starts_with("quincunx ")) {
        let words = line.split('#').next().unwrap_or_default();
        Cli::try_parse_from(words.split_whitespace())
            .unwrap_or_else(|error| panic!("{line}\n{error}"));
    }
}

/// The README and the list of documents name the groups, in this order.
#[test]
fn the_documents_name_the_groups() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    for page in ["README.md", "docs/README.md"] {
        let page = fs::read_to_string(root.join(page)).expect("the page");
        let mut rest = page.as_str();
        for (group, _) in GROUPS.iter().filter(|(group, _)| *group != "Other") {
            let row = format!("\n| {} |", group.to_lowercase());
            let found = rest.find(&row).unwrap_or_else(|| panic!("no {row}"));
            rest = &rest[found + 1..];
        }
    }
}
