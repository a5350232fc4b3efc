//! The floors as a test: which module may use which, where threads, clocks and
//! files are allowed, and that no two files of a folder need each other.
//!
//! Reads the `crate::`, `quincunx::` and `super::` paths of every source file.
//! The floors are those of the crate's documentation; a module that is in
//! neither place fails.

#![allow(clippy::unwrap_used)]

mod source;

use source::{Module, Source, imports, paths_after, without_comments};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

/// Floor, module, and the modules it may use.
const FLOORS: &[(u32, &str, &[&str])] = &[
    (1, "rules", &[]),
    (1, "score", &[]),
    (1, "files", &[]),
    (1, "rating", &[]),
    (1, "splitmix", &[]),
    (1, "prefetch", &[]),
    (2, "pattern", &["rules"]),
    (2, "gomocup", &["rules"]),
    (2, "tournament", &["rating"]),
    (3, "position", &["rules", "splitmix", "pattern"]),
    (4, "threats", &["rules", "pattern", "position"]),
    (
        4,
        "eval",
        &["rules", "score", "prefetch", "pattern", "position"],
    ),
    (4, "game", &["rules", "position"]),
    (
        5,
        "search",
        &[
            "rules", "score", "prefetch", "pattern", "position", "threats", "eval",
        ],
    ),
    (
        5,
        "database",
        &["rules", "score", "position", "game", "files"],
    ),
    (
        6,
        "engine",
        &[
            "rules", "score", "files", "pattern", "position", "threats", "eval", "game", "search",
            "database",
        ],
    ),
    (
        7,
        "train",
        &[
            "rules", "score", "files", "splitmix", "pattern", "position", "threats", "eval",
            "search", "engine",
        ],
    ),
    (
        7,
        "tools",
        &[
            "rules", "score", "pattern", "position", "threats", "eval", "game", "search", "engine",
        ],
    ),
    (
        7,
        "board",
        &[
            "rules", "score", "pattern", "position", "threats", "eval", "game", "engine", "gravity",
        ],
    ),
    (
        8,
        "protocol",
        &[
            "rules", "score", "position", "gomocup", "eval", "game", "engine", "database",
        ],
    ),
    (
        8,
        "arena",
        &["rules", "files", "gomocup", "position", "game"],
    ),
    (
        8,
        "rooms",
        &[
            "rules",
            "position",
            "rating",
            "tournament",
            "eval",
            "game",
            "engine",
            "board",
        ],
    ),
    (9, "web", &["eval", "engine", "board", "rooms"]),
    (
        9,
        "terminal",
        &["rules", "files", "eval", "engine", "board"],
    ),
    (
        10,
        "cli",
        &[
            "rules", "files", "gomocup", "position", "threats", "eval", "game", "database",
            "engine", "train", "tools", "board", "protocol", "arena", "rooms", "web", "terminal",
            "gravity",
        ],
    ),
    (10, "main", &["cli"]),
];

/// A program of its own beside the floors: it uses none of them.
const APART: &[&str] = &["gravity"];

/// What the machine offers, and the modules that may ask it for that. The
/// search is told when to stop and prints nothing; the engine is handed a
/// clock.
const MACHINE: &[(&[&str], &[&str])] = &[
    (
        &["std::thread"],
        &[
            "search", "engine", "train", "tools", "board", "protocol", "arena", "rooms",
            "terminal", "cli",
        ],
    ),
    (
        &["Instant", "SystemTime"],
        &[
            "engine", "train", "tools", "protocol", "arena", "rooms", "web", "cli",
        ],
    ),
    (
        &["std::fs", "File::"],
        &[
            "files", "database", "engine", "train", "arena", "rooms", "terminal", "cli",
        ],
    ),
    (&["std::process", "std::env::"], &["arena", "cli", "main"]),
];

fn floor_of(module: &str) -> Option<u32> {
    let row = FLOORS.iter().find(|(_, name, _)| *name == module);
    row.map(|(floor, ..)| *floor)
}

#[test]
fn modules_use_only_what_their_floor_allows() {
    let mut problems = BTreeSet::new();
    for source in source::all() {
        let (top, path) = (source.top(), source.path.display());
        let allowed: &[&str] = match FLOORS.iter().find(|(_, name, _)| *name == top) {
            Some((.., allowed)) => allowed,
            None if APART.contains(&top) => &[],
            None => {
                problems.insert(format!("{path}: {top} has no floor"));
                continue;
            }
        };
        for used in source.paths.iter().filter_map(|path| path.first()) {
            let is_module = floor_of(used).is_some() || APART.contains(&used.as_str());
            if is_module && used != top && !allowed.contains(&used.as_str()) {
                problems.insert(format!("{path}: {top} may not use {used}"));
            }
        }
    }
    assert!(problems.is_empty(), "{problems:#?}");
}

#[test]
fn floors_use_only_floors_below() {
    for (floor, module, allowed) in FLOORS {
        for other in allowed.iter().filter(|other| !APART.contains(other)) {
            let below = floor_of(other).unwrap() < *floor;
            assert!(below || *module == "main", "{module} uses {other}");
        }
    }
}

#[test]
fn threads_clocks_and_files_stay_where_they_belong() {
    let mut problems = BTreeSet::new();
    for source in source::all() {
        for (words, allowed) in MACHINE {
            for word in words.iter().filter(|word| source.code.contains(**word)) {
                if !allowed.contains(&source.top()) {
                    problems.insert(format!("{}: {word}", source.path.display()));
                }
            }
        }
    }
    assert!(problems.is_empty(), "{problems:#?}");
}

/// Files that need each other are one file, or lack a third below them.
#[test]
fn no_file_imports_itself_back() {
    let sources = source::all();
    let folders: BTreeSet<Module> = (sources.iter())
        .map(|source| source.module[..source.module.len() - 1].to_vec())
        .filter(|folder| !folder.is_empty())
        .collect();
    let circles: Vec<String> = (folders.iter())
        .filter_map(|folder| circle(&uses_within(folder, &sources)))
        .collect();
    assert!(circles.is_empty(), "{circles:#?}");
}

/// Which parts of a folder use which others of it. A name that the folder
/// itself defines belongs to a part called `mod`.
fn uses_within(folder: &Module, sources: &[Source]) -> BTreeMap<String, BTreeSet<String>> {
    let module_file = sources.iter().find(|source| source.module == *folder);
    let imported = module_file.map(imports).unwrap_or_default();
    let parts: BTreeSet<&String> = (sources.iter())
        .filter(|source| source.module.starts_with(folder))
        .filter_map(|source| source.module.get(folder.len()))
        .collect();
    let part_of = |module: &Module| {
        module
            .get(folder.len())
            .map_or("mod", String::as_str)
            .to_owned()
    };
    let mut uses: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for source in sources
        .iter()
        .filter(|source| source.module.starts_with(folder))
    {
        let user = part_of(&source.module);
        for path in source.paths.iter().filter(|path| path.starts_with(folder)) {
            let used = match path.get(folder.len()) {
                Some(name) if parts.contains(name) => name.clone(),
                Some(name) => imported.get(name).map_or("mod".to_owned(), part_of),
                None => continue,
            };
            if used != user {
                uses.entry(user.clone()).or_default().insert(used);
            }
        }
    }
    uses
}

/// A circle among these uses, in words.
fn circle(uses: &BTreeMap<String, BTreeSet<String>>) -> Option<String> {
    fn walk<'a>(
        uses: &'a BTreeMap<String, BTreeSet<String>>,
        trail: &mut Vec<&'a str>,
        done: &mut BTreeSet<&'a str>,
    ) -> Option<String> {
        let here = *trail.last()?;
        for next in uses.get(here).into_iter().flatten() {
            if let Some(start) = trail.iter().position(|part| part == next) {
                return Some(format!("{} -> {next}", trail[start..].join(" -> ")));
            }
            if !done.contains(next.as_str()) {
                trail.push(next);
                let found = walk(uses, trail, done);
                if found.is_some() {
                    return found;
                }
                trail.pop();
            }
        }
        done.insert(here);
        None
    }
    let mut done = BTreeSet::new();
    uses.keys()
        .find_map(|start| walk(uses, &mut vec![start.as_str()], &mut done))
}

/// `//! 3. [`position`]: ...` and lines below with further modules.
#[test]
fn the_crate_documentation_shows_the_same_floors() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let text = fs::read_to_string(root.join("src/lib.rs")).unwrap();
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
            if floor_of(name).is_some() {
                documented.insert(name.to_owned(), floor);
            }
        }
    }
    let existing: BTreeMap<String, u32> = (source::all().iter())
        .filter_map(|source| Some((source.top().to_owned(), floor_of(source.top())?)))
        .collect();
    assert_eq!(documented, existing);
}

#[test]
fn paths_are_found_in_every_form() {
    let text =
        "use crate::a::B; use crate::{c, d::{E as F, g::H}}; fn x(y: &crate::h::I) {} pub(crate) z";
    let paths: Vec<String> = (paths_after(text, "crate::").iter())
        .map(|path| path.join("::"))
        .collect();
    assert_eq!(paths, ["a::B", "c", "d::E", "d::g::H", "h::I"]);
    assert_eq!(
        without_comments("a // crate::b\n//! crate::c\nd"),
        "a \n\nd"
    );
}

#[test]
fn circles_are_found() {
    let uses = |edges: &[(&str, &str)]| {
        let mut uses: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        for (user, used) in edges {
            uses.entry((*user).to_owned())
                .or_default()
                .insert((*used).to_owned());
        }
        uses
    };
    assert_eq!(circle(&uses(&[("a", "b"), ("a", "c"), ("b", "c")])), None);
    let round = circle(&uses(&[("a", "b"), ("b", "c"), ("c", "b")]));
    assert_eq!(round.as_deref(), Some("b -> c -> b"));
}
