//! The commit in the version of a build, as the build script finds it.

// The build script as a module.
#[allow(dead_code)]
#[path = "../../build.rs"]
mod build_script;

use build_script::Build;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

fn git(folder: &Path, arguments: &[&str]) {
    let mut command = Command::new("git");
    command
        .current_dir(folder)
        .args(["-c", "commit.gpgsign=false"]);
    command.args(arguments).stdout(Stdio::null());
    for (name, value) in [
        ("NAME", "a"),
        ("EMAIL", "a@example.org"),
        ("DATE", "@0 +0000"),
    ] {
        for who in ["AUTHOR", "COMMITTER"] {
            command.env(format!("GIT_{who}_{name}"), value);
        }
    }
    assert!(command.status().unwrap().success());
}

fn commit(folder: &Path, text: &str) {
    fs::write(folder.join("file"), text).unwrap();
    git(folder, &["add", "file"]);
    git(folder, &["commit", "--quiet", "--no-verify", "-m", text]);
}

/// Two builds between releases once called themselves the same.
#[test]
fn a_build_between_releases_has_its_commit() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    // A folder without a repository is built, too.
    assert!(Build::of(at, "1.2.3").is_none());
    git(at, &["init", "--quiet"]);
    assert!(Build::of(at, "1.2.3").is_none());
    commit(at, "Search: deeper\n\nBench: 42");
    let first = Build::of(at, "1.2.3").unwrap();
    let digits = first.suffix.strip_prefix('+').unwrap();
    assert!(digits.len() == 9 && digits.bytes().all(|c| c.is_ascii_hexdigit()));
    assert_eq!(first.words, " (bench 42)");
    commit(at, "Search: wider");
    let second = Build::of(at, "1.2.3").unwrap();
    assert_ne!(first.suffix, second.suffix);
    // The same sources make the same version, and every file that is watched exists.
    assert_eq!(Build::of(at, "1.2.3").unwrap().suffix, second.suffix);
    assert!(second.files.iter().all(|file| Path::new(file).exists()));
    let follows = |name: &str| second.files.iter().any(|file| file.ends_with(name));
    assert!(
        follows("HEAD") && follows("refs/tags"),
        "{:?}",
        second.files
    );
    // A copy of the sources in another repository is none of its commits.
    fs::create_dir(at.join("copy")).unwrap();
    assert!(Build::of(&at.join("copy"), "1.2.3").is_none());
    git(at, &["tag", "v1.2.3"]);
    let release = Build::of(at, "1.2.3").unwrap();
    assert_eq!(release.suffix, "");
    assert_eq!(
        release.words,
        format!(" ({}, bench 42)", &second.suffix[1..])
    );
    assert_eq!(Build::of(at, "1.2.4").unwrap().suffix, second.suffix);
}
