//! Tells the program which commit it is built from, and its bench.

#![allow(clippy::print_stdout)]

use std::path::Path;
use std::process::Command;

/// The characters of a commit in a version. Git's own short form grows with the repository, so it
/// would depend on the clone.
const COMMIT: usize = 9;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    // Builds for tests need not be made anew after every commit.
    let is_release = std::env::var("PROFILE").is_ok_and(|profile| profile == "release");
    let folder = std::env::var("CARGO_MANIFEST_DIR").unwrap_or_default();
    let version = std::env::var("CARGO_PKG_VERSION").unwrap_or_default();
    let found = is_release.then(|| Build::of(Path::new(&folder), &version));
    let Build {
        suffix,
        words,
        files,
    } = found.flatten().unwrap_or_default();
    println!("cargo::rustc-env=QUINCUNX_COMMIT={suffix}");
    println!("cargo::rustc-env=QUINCUNX_BUILD={words}");
    for file in files {
        println!("cargo::rerun-if-changed={file}");
    }
}

/// The commit of a build in its version.
#[derive(Default)]
pub(crate) struct Build {
    /// `+352077fa9` at the end of the version, so that two builds can be distinguished; nothing
    /// where the commit has the tag of the version.
    pub(crate) suffix: String,
    /// ` (bench 627655)` after it, with the commit of a release.
    pub(crate) words: String,
    /// The files that change with the commit and its tags.
    pub(crate) files: Vec<String>,
}

impl Build {
    /// The commit of the repository in this folder. `None` where the folder is no repository of its
    /// own: a copy of the sources inside another repository is none of its commits.
    pub(crate) fn of(folder: &Path, version: &str) -> Option<Build> {
        let git = |arguments: &[&str]| git(folder, arguments);
        let top = git(&["rev-parse", "--show-toplevel"])?;
        if std::fs::canonicalize(top).ok()? != std::fs::canonicalize(folder).ok()? {
            return None;
        }
        let commit: String = git(&["rev-parse", "HEAD"])?.chars().take(COMMIT).collect();
        let log = git(&["log", "-n", "200", "--format=%B"])?;
        let bench = log.split("Bench: ").nth(1).map(|rest| {
            let digits = rest.chars().take_while(char::is_ascii_digit);
            format!("bench {}", digits.collect::<String>())
        });
        let tags = git(&["tag", "--points-at", "HEAD"])?;
        let is_release = tags
            .lines()
            .any(|tag| tag.strip_prefix('v') == Some(version));
        let known = is_release.then(|| commit.clone()).into_iter().chain(bench);
        let known: Vec<String> = known.collect();
        let branch = git(&["symbolic-ref", "--quiet", "HEAD"]);
        let names = ["HEAD", "logs/HEAD", "packed-refs", "refs/tags"].into_iter();
        let paths = names.chain(branch.as_deref()).filter_map(|name| {
            let path = folder.join(git(&["rev-parse", "--git-path", name])?);
            // A file that is missing counts as changed every time.
            path.exists().then(|| path.display().to_string())
        });
        Some(Build {
            suffix: match is_release {
                true => String::new(),
                false => format!("+{commit}"),
            },
            words: match known.is_empty() {
                true => String::new(),
                false => format!(" ({})", known.join(", ")),
            },
            files: paths.collect(),
        })
    }
}

fn git(folder: &Path, arguments: &[&str]) -> Option<String> {
    let mut command = Command::new("git");
    let output = command.current_dir(folder).args(arguments).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    output.status.success().then(|| text.trim().to_owned())
}
