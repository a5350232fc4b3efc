//! What a club makes of files that are cut off, damaged, or can't be written.

use crate::club::{ANNA, BELA, START, Tester};
use crate::{MINUTE, ms};
use fastrand::Rng;
use quincunx_club::rooms::{ClubStore, Limits, Outbox, StoreError};
use serde_json::json;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::mpsc;
use std::time::Duration;
use tempfile::TempDir;

/// A club with some games, closed.
fn kept(folder: &TempDir) -> PathBuf {
    let path = folder.path().join("club");
    let mut club = Tester::open(&path, Limits::default());
    for _ in 0..10 {
        club.begin(START, MINUTE);
        club.play_opening(START);
        club.receive(START, BELA, &json!({ "type": "resign" }));
    }
    path
}

fn open(path: &Path) -> Result<(), StoreError> {
    ClubStore::open(Some(path))?.load().map(drop)
}

/// A club is never begun anew where one was, and no file makes the program panic.
#[test]
fn a_file_that_was_cut_off_is_refused() {
    let folder = TempDir::new().unwrap();
    let path = kept(&folder);
    let whole = fs::read(&path).unwrap();
    let cut = folder.path().join("cut");
    for length in [
        0,
        1,
        8,
        9,
        63,
        64,
        320,
        4095,
        4096,
        8192,
        whole.len() / 2,
        whole.len() - 1,
    ] {
        fs::write(&cut, &whole[..length]).unwrap();
        let error = open(&cut).expect_err("cut off");
        let text = error.to_string();
        assert!(text.contains("backup"), "{length}: {text}");
        assert_eq!(fs::read(&cut).unwrap(), &whole[..length], "{length}");
    }
    open(&path).unwrap();
}

/// Whatever was damaged: there is an error, or it was nothing that is used.
#[test]
fn a_damaged_file_causes_no_panic() {
    let folder = TempDir::new().unwrap();
    let path = kept(&folder);
    let whole = fs::read(&path).unwrap();
    // Most of a young file is empty.
    let used: Vec<usize> = (0..whole.len()).filter(|at| whole[*at] != 0).collect();
    let mut random = Rng::with_seed(7);
    let damaged = folder.path().join("damaged");
    let mut refused = 0;
    for _ in 0..60 {
        let mut bytes = whole.clone();
        for _ in 0..random.usize(1..200) {
            bytes[used[random.usize(..used.len())]] = random.u8(..);
        }
        fs::write(&damaged, &bytes).unwrap();
        refused += usize::from(open(&damaged).is_err());
    }
    assert!(refused > 10, "{refused}");
}

#[cfg(unix)]
#[test]
fn only_the_owner_may_read_a_club_and_its_copies() {
    use std::os::unix::fs::PermissionsExt;
    let folder = TempDir::new().unwrap();
    let path = kept(&folder);
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    let mut pulse = path.clone().into_os_string();
    pulse.push(".pulse");
    let pulse = PathBuf::from(pulse);
    // One of an earlier version, which others could read.
    fs::set_permissions(&path, fs::Permissions::from_mode(0o644)).unwrap();
    let store = ClubStore::open(Some(&path)).unwrap();
    let copy = folder.path().join("copy");
    store.snapshot().unwrap().back_up(&copy).unwrap();
    for path in [&path, &pulse, &copy] {
        assert_eq!(mode(path), 0o600, "{}", path.display());
    }
}

#[test]
fn a_backup_that_fails_leaves_nothing() {
    let folder = TempDir::new().unwrap();
    let path = kept(&folder);
    let store = ClubStore::open(Some(&path)).unwrap();
    let files = || fs::read_dir(folder.path()).unwrap().count();
    let before = files();
    let taken = folder.path().join("club.pulse");
    let nowhere = folder.path().join("no folder").join("copy");
    let back_up = |path: &Path| store.snapshot().unwrap().back_up(path);
    // It was once not said which file there is.
    let error = back_up(&taken).unwrap_err().to_string();
    assert!(
        error.contains("club.pulse exists: name another file"),
        "{error}"
    );
    assert!(back_up(&nowhere).is_err());
    assert_eq!(files(), before);
    assert!(
        fs::read_to_string(&taken).unwrap().len() < 30,
        "not overwritten"
    );
}

/// The machine's clock is set back by an hour while the club does not run.
#[test]
fn a_clock_that_was_set_back_changes_nothing() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("club");
    let mut club = Tester::open(&path, Limits::default());
    let room = club.begin(START, MINUTE);
    club.receive(
        START + ms(5000),
        ANNA,
        &json!({ "type": "play", "point": "h8", "ply": 0 }),
    );
    club.store.heartbeat(START + ms(7000)).unwrap();
    drop(club);
    // Twice, the first time with an empty room.
    for hours in 1..=2 {
        let back = START - Duration::from_secs(3600 * hours);
        let mut club = Tester::open_at(&path, Limits::default(), back);
        club.tick(back);
        if hours == 1 {
            continue;
        }
        // Who does not come back has the grace of any restart, and not two hours more.
        let grace = Limits::default().grace;
        club.arrive(back, ANNA);
        club.receive(back, ANNA, &json!({ "type": "enter", "room": room }));
        club.tick(back + grace);
        let state = club.last(ANNA, "room");
        let clock = (&state["clock"][0]["main"], &state["clock"][1]["main"]);
        assert_eq!(clock, (&json!(55_000), &json!(58_000)));
        assert_eq!(state["runs"], true);
    }
}

/// The database panics where its file contradicts itself. Such a panic once ended the thread that
/// reads, for all visitors and for backups.
#[test]
fn others_are_read_for_after_a_panic() {
    let store = ClubStore::open(None).unwrap();
    let outbox = Outbox::start(store, |_| (), |_| ()).unwrap();
    outbox.read(|_| panic!("on purpose"));
    let (sender, receiver) = mpsc::channel();
    outbox.read(move |_| sender.send(()).unwrap());
    receiver.recv_timeout(Duration::from_secs(60)).unwrap();
}
