//! What the borders between crates cannot say: the layers within the engine, which of them
//! other crates may use, where threads, clocks and files are allowed, and that no two files
//! of a folder need each other.
//!
//! Reads the paths of every source file that begin at a crate of the workspace.

#![allow(clippy::unwrap_used)]

mod links;
mod log;
mod messages;
mod source;

use source::{Module, Source, imports, paths_after, without_comments};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

/// The engine's layers: number, module, and the modules it may use.
const LAYERS: &[(u32, &str, &[&str])] = &[
    (1, "rules", &[]),
    (1, "score", &[]),
    (1, "splitmix", &[]),
    (1, "text", &[]),
    (1, "prefetch", &[]),
    (2, "pattern", &["rules"]),
    (2, "gomocup", &["rules"]),
    (3, "position", &["rules", "splitmix", "text", "pattern"]),
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
        6,
        "engine",
        &[
            "rules", "score", "pattern", "position", "threats", "eval", "game", "search",
        ],
    ),
];

/// Crates that may use only some layers of the engine. The arena lets any engines play, so
/// it knows the game and the protocol but no search.
const ABOVE: &[(&str, &[&str])] = &[
    ("arena", &["rules", "position", "game", "gomocup"]),
    (
        "analysis",
        &[
            "rules", "score", "pattern", "position", "threats", "eval", "game", "search", "engine",
        ],
    ),
    ("drawing", &[]),
    ("records", &["rules", "text", "position", "game"]),
    (
        "database",
        &["rules", "score", "position", "game", "engine"],
    ),
    ("explorer", &["rules", "position", "game", "engine"]),
    ("book", &["rules", "score", "position", "eval", "engine"]),
    ("gravity", &[]),
    ("pairing", &[]),
    ("files", &[]),
    // No more than the stack of its threads.
    ("runs", &["search"]),
    ("guest", &["rules", "game"]),
    ("web", &["eval", "engine"]),
    ("terminal", &["rules", "score", "game", "eval", "engine"]),
];

/// What the machine offers, and the crates, or layers of the engine, that may ask it for
/// that. The search is told when to stop and prints nothing; the engine is handed a clock.
const MACHINE: &[(&[&str], &[&str])] = &[
    (
        &["std::thread"],
        &[
            "engine/search",
            "engine/engine",
            "train",
            "tools",
            "board",
            "arena",
            "runs",
            "guest",
            "club",
            "terminal",
            "testing",
            "quincunx",
        ],
    ),
    (
        &["Instant", "SystemTime"],
        &[
            "engine/engine",
            "train",
            "tools",
            "arena",
            "runs",
            "guest",
            "club",
            "web",
            "testing",
            "quincunx",
        ],
    ),
    (
        &["std::fs", "File::"],
        &[
            "files", "runs", "database", "explorer", "book", "train", "arena", "club", "terminal",
            "testing", "quincunx",
        ],
    ),
    (
        &["std::process", "std::env::"],
        &["arena", "runs", "testing", "quincunx"],
    ),
];

fn layer_of(module: &str) -> Option<u32> {
    let row = LAYERS.iter().find(|(_, name, _)| *name == module);
    row.map(|(layer, ..)| *layer)
}

/// Whether a word stands in code, and not at the end of a longer one.
fn names(code: &str, word: &str) -> bool {
    let mut found = code.match_indices(word);
    found.any(|(at, _)| !code[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_'))
}

/// The layers of the engine that a source names.
fn layers_used(source: &Source) -> impl Iterator<Item = &str> {
    let of_engine = |path: &&Module| path[0] == "engine" && path.len() > 1;
    let layers = source.paths.iter().filter(of_engine);
    layers.map(|path| path[1].as_str())
}

#[test]
fn modules_use_only_what_their_layer_allows() {
    let mut problems = BTreeSet::new();
    for source in source::all() {
        let path = source.path.display();
        let allowed = match source.top() {
            [name, top] if name == "engine" => {
                match LAYERS.iter().find(|(_, name, _)| name == top) {
                    Some((.., allowed)) => [&[top.as_str()], *allowed].concat(),
                    None => {
                        problems.insert(format!("{path}: {top} has no layer"));
                        continue;
                    }
                }
            }
            [name, ..] => match ABOVE.iter().find(|(above, _)| above == name) {
                Some((_, allowed)) => allowed.to_vec(),
                None => continue,
            },
            [] => unreachable!("a module has a crate"),
        };
        for used in layers_used(&source).filter(|used| layer_of(used).is_some()) {
            if !allowed.contains(&used) {
                problems.insert(format!("{path}: {used} may not be used here"));
            }
        }
    }
    assert!(problems.is_empty(), "{problems:#?}");
}

#[test]
fn layers_use_only_layers_below() {
    for (layer, module, allowed) in LAYERS {
        for other in *allowed {
            assert!(layer_of(other).unwrap() < *layer, "{module} uses {other}");
        }
    }
}

#[test]
fn threads_clocks_and_files_stay_where_they_belong() {
    let mut problems = BTreeSet::new();
    for source in source::all() {
        let layer = source.top().join("/");
        let may = |place: &&str| *place == source.module[0] || *place == layer;
        for (words, allowed) in MACHINE {
            for word in words.iter().filter(|word| names(&source.code, word)) {
                if !allowed.iter().any(may) {
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

/// `3. [`position`]: ...` and lines below with further modules.
#[test]
fn the_crate_documentation_shows_the_same_layers() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let text = fs::read_to_string(root.join("crates/engine/README.md")).unwrap();
    let mut layer = 0;
    let mut documented = BTreeMap::new();
    for line in text.lines() {
        if let Some((number, _)) = line.split_once(". ")
            && let Ok(number) = number.parse::<u32>()
        {
            layer = number;
        }
        let (names, _) = line
            .split_once("`: ")
            .or(line.split_once("`]: "))
            .unwrap_or_default();
        for name in names.split(['`', '[', ']', ',', ' ']) {
            if layer_of(name).is_some() {
                documented.insert(name.to_owned(), layer);
            }
        }
    }
    let existing: BTreeMap<String, u32> = (source::all().iter())
        .filter(|source| source.module[0] == "engine")
        .filter_map(|source| Some((source.module.get(1)?, source)))
        .filter_map(|(top, _)| Some((top.clone(), layer_of(top)?)))
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

/// Every dependency that a crate lists is named in its code.
#[test]
fn crates_list_only_what_they_use() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let crates = fs::read_dir(root.join("crates")).unwrap();
    let folders = crates.map(|entry| entry.unwrap().path());
    let mut problems = Vec::new();
    for folder in folders.chain([root.to_owned()]) {
        let manifest = fs::read_to_string(folder.join("Cargo.toml")).unwrap();
        let manifest: toml::Table = manifest.parse().unwrap();
        let code = ["src", "tests", "examples", "benches"]
            .map(|part| code_below(&folder.join(part)))
            .concat();
        let targets = manifest.get("target").and_then(toml::Value::as_table);
        let tables = targets.into_iter().flat_map(toml::Table::values);
        for table in tables.filter_map(toml::Value::as_table).chain([&manifest]) {
            for kind in ["dependencies", "dev-dependencies"] {
                let listed = table.get(kind).and_then(toml::Value::as_table);
                for name in listed.into_iter().flat_map(toml::Table::keys) {
                    let named = name.replace('-', "_");
                    let used = code.split(|c: char| !c.is_alphanumeric() && c != '_');
                    if !used.into_iter().any(|word| word == named) {
                        problems.push(format!("{}: {name}", folder.display()));
                    }
                }
            }
        }
    }
    assert!(problems.is_empty(), "{problems:#?}");
}

/// A release is one version of all packages, those of other languages among them.
#[test]
fn all_packages_have_one_version() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let manifest = |path: &Path| -> toml::Table {
        let text = fs::read_to_string(path).unwrap();
        text.parse().unwrap()
    };
    let workspace = manifest(&root.join("Cargo.toml"));
    let version = workspace["workspace"]["package"]["version"].as_str();
    let listed = workspace["workspace"]["dependencies"].as_table().unwrap();
    for (name, dependency) in listed
        .iter()
        // The harnesses of the tests are in no release.
        .filter(|(name, _)| name.starts_with("quincunx") && *name != "quincunx-testing")
    {
        assert_eq!(dependency["version"].as_str(), version, "{name}");
    }
    for entry in fs::read_dir(root.join("crates")).unwrap() {
        let path = entry.unwrap().path().join("Cargo.toml");
        let inherited = &manifest(&path)["package"]["version"]["workspace"];
        assert_eq!(inherited.as_bool(), Some(true), "{}", path.display());
    }
    let bindings = root.join("bindings");
    for name in ["c", "python"] {
        let package = manifest(&bindings.join(name).join("Cargo.toml"));
        assert_eq!(package["package"]["version"].as_str(), version, "{name}");
    }
    let wasm = manifest(&bindings.join("wasm/Cargo.toml"));
    assert_eq!(wasm["workspace"]["package"]["version"].as_str(), version);
    let npm = fs::read_to_string(bindings.join("wasm/package.json")).unwrap();
    let npm: serde_json::Value = serde_json::from_str(&npm).unwrap();
    assert_eq!(npm["version"].as_str(), version);
}

/// The code of all Rust files below a folder, without comments.
fn code_below(folder: &Path) -> String {
    let mut code = String::new();
    for entry in fs::read_dir(folder).into_iter().flatten() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            code += &code_below(&path);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            code += &without_comments(&fs::read_to_string(path).unwrap());
        }
    }
    code
}
