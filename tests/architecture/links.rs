//! Links of the documents, which are also read without the sources, in an unpacked release: they
//! lead to packed files or to the repository's URL.

use std::fs;
use std::path::{Component, Path, PathBuf};

const REPOSITORY: &str = "https://github.com/quincunx-engine/quincunx/";

/// Every link of a page that a release packs leads to something that it packs, or to something
/// of the repository.
#[test]
fn links_lead_to_what_is_there() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let packed = packed(root);
    let mut pages = Vec::new();
    packed
        .iter()
        .for_each(|name| find_pages(&root.join(name), &mut pages));
    assert!(pages.len() > 10, "{pages:?}");
    let mut problems = Vec::new();
    for page in pages {
        let text = fs::read_to_string(&page).unwrap();
        for link in links(&text) {
            let (address, anchor) = link.split_once('#').unwrap_or((link, ""));
            let target = match address.strip_prefix(REPOSITORY) {
                Some(place) => root.join(place.splitn(3, '/').nth(2).unwrap_or_default()),
                None if address.contains("://") => continue,
                None if address.is_empty() => page.clone(),
                None => plain(&page.with_file_name(address)),
            };
            let top = target.strip_prefix(root).unwrap().iter().next();
            let is_packed = packed.iter().any(|name| top == Some(name.as_ref()));
            let has_anchor = anchor.is_empty() || anchors(&target).contains(&anchor.to_owned());
            if !target.exists() || !has_anchor || !is_packed && !link.starts_with(REPOSITORY) {
                problems.push(format!("{}: {link}", page.display()));
            }
        }
    }
    assert!(problems.is_empty(), "{problems:#?}");
}

/// What `scripts/release.sh` copies from the top of the repository.
fn packed(root: &Path) -> Vec<String> {
    let script = fs::read_to_string(root.join("scripts/release.sh")).unwrap();
    let copies = script.lines().filter(|line| line.trim().starts_with("cp "));
    let words = copies.flat_map(str::split_whitespace);
    let words = words.filter(|word| !word.contains('/') && root.join(word).exists());
    words.map(str::to_owned).collect()
}

/// The pages at a path and below it.
fn find_pages(path: &Path, pages: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(path).into_iter().flatten() {
        find_pages(&entry.unwrap().path(), pages);
    }
    if path.extension().is_some_and(|extension| extension == "md") {
        pages.push(path.to_owned());
    }
}

/// The addresses of a page's links: `[text](address)` and `[name]: address`.
fn links(text: &str) -> Vec<&str> {
    let inline = text
        .split("](")
        .skip(1)
        .filter_map(|rest| rest.split(')').next());
    let named = text.lines().filter(|line| line.starts_with('['));
    let named = named.filter_map(|line| Some(line.split_once("]: ")?.1));
    inline.chain(named).collect()
}

/// The path without `..`.
fn plain(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir => drop(plain.pop()),
            part => plain.push(part),
        }
    }
    plain
}

/// The anchors of a page's headings.
fn anchors(page: &Path) -> Vec<String> {
    let text = fs::read_to_string(page).unwrap_or_default();
    let headings = text.lines().filter_map(|line| {
        let heading = line.trim_start_matches('#');
        (heading.len() < line.len()).then(|| heading.trim().to_lowercase())
    });
    let kept = |c: char| match c {
        ' ' => Some('-'),
        c => (c.is_alphanumeric() || c == '-' || c == '_').then_some(c),
    };
    headings
        .map(|heading| heading.chars().filter_map(kept).collect())
        .collect()
}
