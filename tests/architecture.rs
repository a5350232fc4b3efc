//! The layers as a test: which module may use which.
//!
//! Reads the `crate::` paths of every source file. The floors are those of the
//! crate's documentation; a module that is in neither place fails.

#![allow(clippy::unwrap_used)]

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// Floor, module, and what it may use: modules, or one part of a module.
const LAYERS: &[(u32, &str, &[&str])] = &[
    (1, "rules", &[]),
    (2, "pattern", &["rules"]),
    (3, "position", &["rules", "pattern"]),
    (4, "threats", &["rules", "pattern", "position"]),
    (4, "eval", &["rules", "pattern", "position"]),
    (
        5,
        "search",
        &["rules", "pattern", "position", "threats", "eval"],
    ),
    (5, "files", &[]),
    (
        6,
        "engine",
        &["rules", "position", "threats", "eval", "search", "files"],
    ),
    (6, "database", &["rules", "position", "eval", "files"]),
    (7, "protocol", &["rules", "position", "engine", "database"]),
    (
        7,
        "arena",
        &["rules", "position", "protocol::message", "files"],
    ),
    (
        7,
        "train",
        &[
            "rules", "pattern", "position", "threats", "eval", "search", "engine", "files",
        ],
    ),
    (
        7,
        "tools",
        &[
            "rules", "pattern", "position", "threats", "eval", "search", "engine",
        ],
    ),
    (8, "cli", &["cli"]),
    (8, "main", &["cli"]),
];

/// What only the upper floors may touch: the search asks its report whether to
/// stop, and prints nothing. `files`, which writes for them, stands below them.
const FROM_FLOOR_SIX: &[&str] = &["std::time", "std::io", "std::env", "std::fs"];

#[test]
fn modules_use_only_what_their_floor_allows() {
    let mut problems = Vec::new();
    for file in sources() {
        let module = module_of(&file);
        let Some((floor, _, allowed)) = LAYERS.iter().find(|(_, name, _)| *name == module) else {
            problems.push(format!("{}: the module has no floor", file.display()));
            continue;
        };
        let text = without_comments(&fs::read_to_string(&file).unwrap());
        for path in crate_paths(&text) {
            let first = path.split("::").next().unwrap();
            let fits =
                |allowed: &&str| path == **allowed || path.starts_with(&format!("{allowed}::"));
            if first != module && !allowed.iter().any(fits) {
                problems.push(format!(
                    "{}: {module} may not use crate::{path}",
                    file.display()
                ));
            }
        }
        for path in FROM_FLOOR_SIX {
            if *floor < 6 && module != "files" && text.contains(path) {
                problems.push(format!("{}: {module} may not use {path}", file.display()));
            }
        }
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

#[test]
fn floors_use_only_floors_below() {
    let floor_of = |path: &str| {
        let module = path.split("::").next().unwrap();
        LAYERS
            .iter()
            .find(|(_, name, _)| *name == module)
            .unwrap()
            .0
    };
    for (floor, module, allowed) in LAYERS {
        for other in *allowed {
            // The arena speaks the protocol's messages beside it.
            let beside = *other == "protocol::message" || floor_of(module) == 8;
            assert!(beside || floor_of(other) < *floor, "{module} uses {other}");
        }
    }
}

/// `//! 3. [`position`]: ...` and lines below with further modules.
#[test]
fn the_crate_documentation_shows_the_same_floors() {
    let text = fs::read_to_string(root().join("src/lib.rs")).unwrap();
    let mut floor = 0;
    let mut documented = BTreeMap::new();
    for line in text.lines().filter_map(|line| line.strip_prefix("//! ")) {
        if let Some((number, _)) = line.split_once(". ")
            && let Ok(number) = number.parse::<u32>()
        {
            floor = number;
        }
        let (names, _) = line
            .split_once("`: ")
            .or(line.split_once("`]: "))
            .unwrap_or_default();
        for name in names.split(['`', '[', ']', ',', ' ']) {
            if LAYERS.iter().any(|(_, module, _)| *module == name) {
                documented.insert(name.to_owned(), floor);
            }
        }
    }
    let mut expected = BTreeMap::new();
    for module in sources().iter().map(|file| module_of(file)) {
        let layer = LAYERS.iter().find(|(_, name, _)| *name == module);
        expected.insert(module, layer.map_or(0, |layer| layer.0));
    }
    assert_eq!(documented, expected);
}

#[test]
fn paths_are_found_in_every_form() {
    let text =
        "use crate::a::B; use crate::{c, d::{E, f::G}}; fn x(y: &crate::h::I) {} pub(crate) z";
    assert_eq!(crate_paths(text), ["a::B", "c", "d::E", "d::f::G", "h::I"]);
    assert_eq!(
        without_comments("a // crate::b\n//! crate::c\nd"),
        "a \n\nd"
    );
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Every file below `src`, the library's root aside.
fn sources() -> Vec<PathBuf> {
    let mut files = Vec::new();
    let mut folders = vec![root().join("src")];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                files.push(path);
            }
        }
    }
    files.retain(|file| !file.ends_with("src/lib.rs"));
    files.sort();
    files
}

/// The top module that a file belongs to.
fn module_of(file: &Path) -> String {
    let path = file.strip_prefix(root().join("src")).unwrap();
    let first = path
        .components()
        .next()
        .unwrap()
        .as_os_str()
        .to_str()
        .unwrap();
    first.trim_end_matches(".rs").to_owned()
}

fn without_comments(text: &str) -> String {
    let code = |line: &str| {
        line.split_once("//")
            .map_or(line, |(code, _)| code)
            .to_owned()
    };
    text.lines().map(code).collect::<Vec<_>>().join("\n")
}

/// All paths after `crate::`, with braces multiplied out.
fn crate_paths(text: &str) -> Vec<String> {
    let mut paths = Vec::new();
    for (at, word) in text.match_indices("crate::") {
        expand("", &text[at + word.len()..], &mut paths);
    }
    paths
}

/// Reads one path or group at the start of `text`; returns what follows it.
fn expand<'a>(prefix: &str, text: &'a str, paths: &mut Vec<String>) -> &'a str {
    let text = text.trim_start();
    if let Some(mut rest) = text.strip_prefix('{') {
        loop {
            rest = rest.trim_start_matches([' ', '\n', ',']);
            match rest.strip_prefix('}') {
                Some(after) => return after,
                None => rest = expand(prefix, rest, paths),
            }
        }
    }
    let is_name = |c: char| c.is_alphanumeric() || c == '_';
    let end = text.find(|c: char| !is_name(c)).unwrap_or(text.len());
    assert!(end > 0 || text.starts_with('*'), "no path at {text:.40}");
    let path = format!("{prefix}{}", &text[..end]);
    match text[end..].strip_prefix("::") {
        Some(rest) if !rest.starts_with('<') => expand(&format!("{path}::"), rest, paths),
        _ => {
            paths.push(path);
            text[end.max(1)..].trim_start()
        }
    }
}
