//! What a club makes of files that are cut off, damaged, or can't be written.

use crate::club::{ANNA, BELA, START, Tester};
use crate::limits::rated_game;
use crate::messages::enter;
use crate::{MINUTE, ms, play};
use fastrand::Rng;
use quincunx_club::rooms::{
    Action, ClockRule, ClubStore, FinishedGame, Limits, Occupant, Outbox, Outcome, PersonId,
    RoomId, StoreError, StoreWrite, StoredRoom,
};
use quincunx_engine::game::Termination;
use quincunx_engine::game::swap::Choice;
use rusqlite::{Connection, OpenFlags};
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
        club.say(BELA, &Action::Resign);
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

/// Files other than clubs are refused in one line, and are not changed.
#[test]
fn other_files_are_told_from_clubs() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("other");
    let refused = |expected: &str| {
        let before = fs::read(&path).unwrap();
        let error = open(&path).unwrap_err();
        assert!(!error.may_pass());
        let text = error.to_string();
        assert!(text.contains(expected) && !text.contains('\n'), "{text}");
        assert_eq!(fs::read(&path).unwrap(), before, "{text}");
        let files = fs::read_dir(folder.path()).unwrap().count();
        assert_eq!(files, 1, "{text}");
    };
    fs::write(
        &path,
        [&b"redb\x1A\x0A\xA9\x0D\x0A"[..], &[0; 8183]].concat(),
    )
    .unwrap();
    refused("version 0.2 or earlier");
    fs::write(&path, [b'x'; 4096]).unwrap();
    refused("damaged (it is no database)");
    fs::remove_file(&path).unwrap();
    let other = Connection::open(&path).unwrap();
    other.execute_batch("CREATE TABLE people (name)").unwrap();
    drop(other);
    refused("another program");
    fs::remove_file(&path).unwrap();
    fs::rename(kept(&folder), &path).unwrap();
    fs::remove_file(folder.path().join("club.pulse")).unwrap();
    let club = Connection::open(&path).unwrap();
    club.pragma_update(None, "user_version", 1000).unwrap();
    drop(club);
    refused("later version");
}

/// A club of the first version of the tables keeps its rooms, and gets those of correspondence games.
#[test]
fn the_tables_of_the_first_version_are_brought_up() {
    let folder = TempDir::new().unwrap();
    let (path, later) = (folder.path().join("first"), kept(&folder));
    let rooms = ClubStore::open(Some(&later)).unwrap().load().unwrap().rooms;
    let first = Connection::open(&path).unwrap();
    let tables = include_str!("../../src/rooms/store/schema.sql");
    first.execute_batch(tables).unwrap();
    let application = i32::from_be_bytes(*b"Qclu");
    first
        .pragma_update(None, "application_id", application)
        .unwrap();
    first.pragma_update(None, "user_version", 1).unwrap();
    first
        .execute("ATTACH ?1 AS later", [later.to_str().unwrap()])
        .unwrap();
    // Without the columns of later versions.
    for table in ["people", "games"] {
        let columns = "SELECT group_concat(name) FROM pragma_table_info(?1)";
        let columns: String = first.query_row(columns, [table], |row| row.get(0)).unwrap();
        let copy = format!("INSERT INTO {table} SELECT {columns} FROM later.{table}");
        first.execute_batch(&copy).unwrap();
    }
    let copy = "INSERT INTO rooms (room, state) SELECT room, state FROM later.rooms";
    first.execute_batch(copy).unwrap();
    drop(first);
    let ids = |rooms: &[(RoomId, StoredRoom)]| -> Vec<RoomId> {
        rooms.iter().map(|(id, _)| *id).collect()
    };
    let stored = ClubStore::open(Some(&path)).unwrap().load().unwrap();
    assert!(!rooms.is_empty());
    assert_eq!(ids(&stored.rooms), ids(&rooms));
    drop(stored);
    let mut club = Tester::open(&path, Limits::default());
    club.begin(START, ClockRule::Correspondence { days: 3 });
    club.club.leave(START, ANNA);
    club.club.leave(START, BELA);
    club.tick(START);
    assert_eq!(club.club.statistics().awake, 0);
    club.arrive(START, ANNA);
    assert_eq!(club.your_turns(ANNA).0, 1);
}

/// One server writes. Others are refused, and programs that read are not.
#[test]
fn two_servers_do_not_share_a_club() {
    let folder = TempDir::new().unwrap();
    let path = kept(&folder);
    let store = ClubStore::open(Some(&path)).unwrap();
    let error = open(&path).unwrap_err().to_string();
    assert!(error.contains("another server has this club"), "{error}");
    let games = |connection: &Connection| -> u64 {
        let count = "SELECT count(*) FROM games";
        connection.query_row(count, [], |row| row.get(0)).unwrap()
    };
    let reader = Connection::open_with_flags(&path, OpenFlags::SQLITE_OPEN_READ_ONLY).unwrap();
    assert_eq!(games(&reader), 10);
    // One that reads in a transaction keeps no write waiting.
    reader.execute_batch("BEGIN").unwrap();
    assert_eq!(games(&reader), 10);
    let game = rated_game(11, PersonId([1; 32]), PersonId([2; 32]));
    store.commit(&[StoreWrite::Game(Box::new(game))]).unwrap();
    assert_eq!(games(&reader), 10);
    reader.execute_batch("COMMIT").unwrap();
    assert_eq!(games(&reader), 11);
    assert!(store.reader().unwrap().check().unwrap().is_empty());
    // A file that is copied after the end of the server has all games.
    store.checkpoint().unwrap();
    let copy = folder.path().join("copy");
    fs::copy(&path, &copy).unwrap();
    assert_eq!(games(&Connection::open(&copy).unwrap()), 11);
    drop(store);
    assert!(open(&path).is_ok());
}

/// Games are read as they were written, with every column.
#[test]
fn games_round_trip() {
    let store = ClubStore::open(None).unwrap();
    let game = FinishedGame {
        room: RoomId(u64::MAX),
        players: [Occupant::Engine(7), Occupant::Person(PersonId([9; 32]))],
        names: ["Engine".to_owned(), "Béla".to_owned()],
        black: None,
        outcome: Outcome {
            winner: None,
            reason: Termination::Aborted,
        },
        choices: vec![Choice::White, Choice::Offers(3), Choice::Black],
        offers: ["i7", "j8", "t20"].map(|it| it.parse().unwrap()).to_vec(),
        weight: 0.25,
        private: true,
        one_address: true,
        ..rated_game(u64::from(u32::MAX), PersonId([1; 32]), PersonId([2; 32]))
    };
    let games = [rated_game(1, PersonId([1; 32]), PersonId([2; 32])), game];
    let writes = games.clone().map(|game| StoreWrite::Game(Box::new(game)));
    store.commit(&writes).unwrap();
    let mut read = Vec::new();
    let reader = store.reader().unwrap();
    reader.for_each_game(0, |game| read.push(game)).unwrap();
    assert_eq!(read, games);
    assert_eq!(reader.games(&[1, 2, u64::MAX]).unwrap(), games[..1]);
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
    store.reader().unwrap().back_up(&copy).unwrap();
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
    let back_up = |path: &Path| store.reader().unwrap().back_up(path);
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
    club.receive(START + ms(5000), ANNA, &play("h8", 0));
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
        club.receive(back, ANNA, &enter(room));
        club.tick(back + grace);
        assert_eq!(club.main_ms(ANNA), [55_000, 58_000]);
        assert!(club.room(ANNA).runs);
    }
}

/// A panic once ended the thread that reads, for all visitors and for backups.
#[test]
fn others_are_read_for_after_a_panic() {
    let store = ClubStore::open(None).unwrap();
    let outbox = Outbox::start(store, |_| (), |_| ()).unwrap();
    outbox.read(|_| panic!("on purpose"));
    let (sender, receiver) = mpsc::channel();
    outbox.read(move |_| sender.send(()).unwrap());
    receiver.recv_timeout(Duration::from_secs(60)).unwrap();
}
