//! Parts of a match that were played apart, and whether they can be of one match and of the same
//! programs.

#![cfg(unix)]

use super::{MOCK, arena, command};
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Command;

/// Plays a part of a match in a folder of that name, with programs of the same names as on the
/// other machines that may not be the same programs. Returns its arguments for --merge.
fn part(folder: &Path, name: &str, shard: &str, behaviours: [&str; 2]) -> String {
    let machine = folder.join(format!("machine of {name}"));
    fs::create_dir(&machine).unwrap();
    let programs = ["a", "b"].map(|name| machine.join(name));
    for (program, behaviour) in programs.iter().zip(behaviours) {
        let text = format!("#!/bin/sh\nexec {} {behaviour}\n", MOCK.display());
        fs::write(program, text).unwrap();
        fs::set_permissions(program, fs::Permissions::from_mode(0o755)).unwrap();
    }
    let [a, b] = programs.map(|program| format!("!'{}'", program.display()));
    let more = ["--games", "40", "--shard", shard];
    arena(&a, &b, &folder.join(name), &more);
    name.to_owned()
}

fn merge(folder: &Path, parts: &[String]) -> (String, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_quincunx"));
    command.args(["match", "--merge"]).args(parts);
    let output = command.current_dir(folder).output().unwrap();
    let [report, notes] =
        [output.stdout, output.stderr].map(|text| String::from_utf8(text).unwrap());
    assert!(output.status.success(), "{notes}");
    (report, notes)
}

#[test]
fn shards_with_other_results_are_reported() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let part = |name, shard, behaviours| part(folder, name, shard, behaviours);
    let same = [
        part("one", "1/2", ["fair", "refuse"]),
        part("two", "2/2", ["fair", "refuse"]),
    ];
    let (report, notes) = merge(folder, &same);
    assert!(
        report.contains("\nParts: pairs too few or too much alike to compare\n")
            && notes.is_empty(),
        "{report}{notes}"
    );
    // A part is not compared with itself.
    let (report, notes) = merge(folder, &[&same[..], &same[..1]].concat());
    assert!(report.contains("40 of 40") && notes.is_empty(), "{report}");
    // On the other machine the programs were mixed up.
    let mixed = part("mixed", "2/2", ["refuse", "fair"]);
    let (report, notes) = merge(folder, &[same[0].clone(), mixed]);
    let words = "chi-square 20.0, 1 degree of freedom, p < 0.0001";
    assert!(report.contains(&format!("\nParts: {words}\n")), "{report}");
    let row = |line: &str| line.split_whitespace().collect::<Vec<&str>>().join(" ");
    assert!(
        report
            .lines()
            .any(|line| row(line) == "mixed 20 [10, 0, 0, 0, 0] 10.0"),
        "{report}"
    );
    let note = format!("note: the parts differ by more than chance ({words}), ");
    assert!(notes.starts_with(&note), "{notes}");
    // One run alone has no parts.
    assert!(!merge(folder, &same[..1]).0.contains("Parts"));
}

/// A part that went on with a program of another name could once not be joined.
#[test]
fn parts_whose_programs_were_moved_are_joined() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let renamed = folder.join("renamed");
    fs::copy(&*MOCK, &renamed).unwrap();
    let renamed = format!("!{} fair 3", renamed.display());
    let more = |shard| ["--games", "8", "--shard", shard];
    arena("fair 3", "fair 4", &folder.join("one"), &more("1/2"));
    arena(&renamed, "fair 4", &folder.join("two"), &more("2/2"));
    let mut command = Command::new(env!("CARGO_BIN_EXE_quincunx"));
    command.args(["match", "--merge", "one", "two"]);
    let refused = command.current_dir(folder).output().unwrap();
    let errors = String::from_utf8(refused.stderr).unwrap();
    let complaint = "two is no part of the same match: command of A; if it is the same program in \
                     another place, give --moved";
    assert!(errors.contains(complaint), "{errors}");
    let parts = ["one", "two", "--moved"].map(str::to_owned);
    let (report, _) = merge(folder, &parts);
    assert!(report.contains("8 of 8"), "{report}");
    // Games of a part count once, however its programs are called.
    let whole = [&parts[..], &["--out", "whole"].map(str::to_owned)].concat();
    merge(folder, &whole);
    let mut command = Command::new(env!("CARGO_BIN_EXE_quincunx"));
    command.args(["ratings", "whole", "two"]);
    let rated = command.current_dir(folder).output().unwrap();
    let notes = String::from_utf8(rated.stderr).unwrap();
    assert!(notes.contains("two: 4 games came before"), "{notes}");
}

/// In another folder a program may read other files.
#[test]
fn a_run_of_programs_in_another_folder_is_another_run() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let run = |name: &str, more: &[&str]| {
        let dir = format!("--dir=A:{}", at(name).display());
        let more = [&["--games", "4", dir.as_str()][..], more].concat();
        let output = command("fair 3", "fair 4", &at("run"), &more).output();
        let output = output.unwrap();
        let errors = String::from_utf8(output.stderr).unwrap();
        (output.status.success(), errors)
    };
    for name in ["one", "other"] {
        fs::create_dir(at(name)).unwrap();
    }
    let [one, other] = ["one", "other"].map(|name| at(name).display().to_string());
    let complaint = format!(
        "other settings: folder of A {one}, not {other}; if it is the same program in another \
         place, give --moved"
    );
    for (name, more, complaint) in [
        ("one", &["--resume"][..], ""),
        ("other", &["--resume"], complaint.as_str()),
        ("other", &["--resume", "--moved"], ""),
        ("other", &["--resume"], ""),
    ] {
        let (success, errors) = run(name, more);
        assert_eq!(success, complaint.is_empty(), "{errors}");
        assert!(errors.contains(complaint), "{errors}");
    }
}
