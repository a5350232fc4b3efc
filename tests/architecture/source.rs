//! A source file as the layers' test sees it: its place in the tree of
//! modules, and the paths that its code names.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// A module's path, the crate first, such as `["engine", "search", "tt"]`. The crate of
/// the program is `quincunx`.
pub(crate) type Module = Vec<String>;

/// One source file.
pub(crate) struct Source {
    /// Where it is, for messages.
    pub(crate) path: PathBuf,
    /// The module that it is.
    pub(crate) module: Module,
    /// Its code without comments and without unit tests.
    pub(crate) code: String,
    /// Every path in it that begins at the root of a crate of the workspace.
    pub(crate) paths: BTreeSet<Module>,
}

impl Source {
    /// The crate and the module at its top: `["engine", "search"]`.
    pub(crate) fn top(&self) -> &[String] {
        &self.module[..self.module.len().min(2)]
    }
}

/// Every source file of the program and of its crates.
pub(crate) fn all() -> Vec<Source> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let crates = fs::read_dir(root.join("crates")).unwrap().map(|entry| {
        let folder = entry.unwrap().path();
        let name = folder.file_name().unwrap().to_str().unwrap().to_owned();
        (name, folder.join("src"))
    });
    let program = ("quincunx".to_owned(), root.join("src"));
    let mut sources: Vec<Source> = crates
        .chain([program])
        .flat_map(|(name, src)| of_crate(&name, &src))
        .collect();
    sources.sort_by(|a, b| a.path.cmp(&b.path));
    sources
}

fn of_crate(name: &str, src: &Path) -> Vec<Source> {
    let mut files = Vec::new();
    let mut folders = vec![src.to_owned()];
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
    files.retain(|file| !file.ends_with("tests.rs"));
    files.iter().map(|path| read(name, src, path)).collect()
}

fn read(name: &str, src: &Path, path: &Path) -> Source {
    let mut module: Module = (path.strip_prefix(src).unwrap().with_extension("").iter())
        .map(|part| part.to_str().unwrap().to_owned())
        .collect();
    module.pop_if(|last| last == "mod" || last == "lib");
    module.insert(0, name.to_owned());
    let code = without_tests(&without_comments(&fs::read_to_string(path).unwrap()));
    let is_folder = path.ends_with("mod.rs") || module.len() == 1;
    Source {
        path: Path::new(name).join(path.strip_prefix(src).unwrap()),
        paths: paths_of(&code, &module, is_folder),
        module,
        code,
    }
}

/// The text with every `//` comment cut off.
pub(crate) fn without_comments(text: &str) -> String {
    let code = |line: &str| {
        line.split_once("//")
            .map_or(line, |(code, _)| code)
            .to_owned()
    };
    text.lines().map(code).collect::<Vec<_>>().join("\n")
}

/// The text up to its unit tests, which may use anything.
fn without_tests(text: &str) -> String {
    let end = text.find("\n#[cfg(test)]\n").unwrap_or(text.len());
    text[..end].to_owned()
}

/// The paths in `code`, the crate first: those that begin with `crate::`, a crate of the
/// workspace or `super::`, and in a `mod.rs` those that begin with a child. A re-export makes a file no user of what it passes on.
fn paths_of(code: &str, module: &Module, is_folder: bool) -> BTreeSet<Module> {
    let mut paths = BTreeSet::new();
    for path in paths_after(code, "crate::") {
        paths.insert([vec![module[0].clone()], path].concat());
    }
    for (at, _) in code.match_indices("quincunx_") {
        let (name, rest) = code[at + "quincunx_".len()..]
            .split_once("::")
            .unwrap_or_default();
        if name.chars().all(|c| c.is_ascii_alphanumeric()) {
            let mut used = Vec::new();
            expand(&[name.to_owned()], rest, &mut used);
            paths.extend(used);
        }
    }
    let parent = |levels: usize| module[..module.len().saturating_sub(levels)].to_vec();
    let own = usize::from(!is_folder);
    for (prefix, levels) in [("super::", own), ("super::super::", own + 1)] {
        for path in paths_after(code, prefix) {
            if path.first().is_none_or(|first| first != "super") {
                let base = if is_folder { levels + 1 } else { levels };
                paths.insert([parent(base), path].concat());
            }
        }
    }
    if is_folder {
        let code = without_exports(code);
        for child in children(&code) {
            for path in paths_after(&code, &format!("{child}::")) {
                let child = vec![child.clone()];
                paths.insert([module.clone(), child, path].concat());
            }
        }
    }
    paths
}

/// The modules that a file declares.
fn children(code: &str) -> Vec<String> {
    code.lines()
        .filter_map(|line| line.trim().strip_suffix(';')?.rsplit_once("mod "))
        .filter(|(visibility, _)| visibility.is_empty() || visibility.starts_with("pub"))
        .map(|(_, name)| name.to_owned())
        .collect()
}

/// The code without its `pub use` statements.
fn without_exports(code: &str) -> String {
    let statement = |part: &str| {
        let mut lines = part.lines().map(str::trim_start);
        let uses = lines.find(|line| !line.is_empty() && !line.starts_with("#["));
        let uses = uses.unwrap_or_default();
        !(uses.starts_with("pub use") || uses.starts_with("pub(") && uses.contains(") use "))
    };
    let kept: Vec<&str> = code.split(';').filter(|part| statement(part)).collect();
    kept.join(";")
}

/// For every name that a folder's `mod.rs` brings in with `use`: the module
/// that the name comes from.
pub(crate) fn imports(folder: &Source) -> BTreeMap<String, Module> {
    let mut imports = BTreeMap::new();
    for child in children(&folder.code) {
        for path in paths_after(&folder.code, &format!("use {child}::")) {
            if let Some(name) = path.last() {
                let from = [folder.module.clone(), vec![child.clone()]].concat();
                imports.insert(name.clone(), from);
            }
        }
    }
    imports
}

/// All paths after `root`, with braces multiplied out.
pub(crate) fn paths_after(text: &str, root: &str) -> Vec<Module> {
    let mut paths = Vec::new();
    for (at, word) in text.match_indices(root) {
        let before = text[..at].chars().next_back();
        if !before.is_some_and(|c| c.is_alphanumeric() || c == '_' || c == ':') {
            expand(&[], &text[at + word.len()..], &mut paths);
        }
    }
    paths
}

/// Reads one path or group at the start of `text`; returns what follows it.
fn expand<'a>(prefix: &[String], text: &'a str, paths: &mut Vec<Module>) -> &'a str {
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
    if end == 0 {
        // A glob: the module itself.
        paths.push(prefix.to_vec());
        return text.strip_prefix('*').unwrap_or_default();
    }
    let path = [prefix, &[text[..end].to_owned()]].concat();
    let rest = &text[end..];
    match rest.strip_prefix("::") {
        Some(deeper) if !deeper.starts_with('<') => expand(&path, deeper, paths),
        _ => {
            paths.push(path);
            match rest.trim_start().strip_prefix("as ") {
                Some(alias) => alias.trim_start_matches(|c: char| is_name(c) || c == ' '),
                None => rest,
            }
        }
    }
}
