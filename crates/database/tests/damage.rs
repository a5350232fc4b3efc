//! Files that are not as they were written: a database is read right or refused, and then
//! the file stays as it is.

#![allow(clippy::unwrap_used)]

use proptest::prelude::*;
use quincunx_database::{Database, DatabaseError, FileFormat};
use quincunx_engine::position::Position;
use quincunx_engine::rules::{BoardSize, Point, Rule};
use rusqlite::Connection;
use std::fs::{self, File};
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::LazyLock;

/// A file, and the text of all that it holds.
struct Sample {
    bytes: Vec<u8>,
    text: String,
}

/// Databases that were closed, and as a killed process leaves them; small, and with pages
/// below pages.
static SAMPLES: LazyLock<Vec<Sample>> = LazyLock::new(|| {
    let mut samples = Vec::new();
    for edits in [0, 7, 600] {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("positions.db");
        let database = Database::open(&path).unwrap();
        let size = BoardSize::default();
        let points: Vec<Point> = size.iter().collect();
        let lines: Vec<String> = (0..edits)
            .map(|edit| {
                let [first, second] = [points[edit % 75], points[75 + edit * 7 % 75]];
                let third = points[150 + edit * 11 / 75 % 75];
                let text = "what is said of it ".repeat(edit % 9);
                format!(r#"15 renju {first}{second}{third} {{"text":"{edit} {text}"}}"#)
            })
            .collect();
        let import = folder.path().join("lines");
        fs::write(&import, lines.join("\n")).unwrap();
        database
            .import(FileFormat::Text(None), &import, &mut |_| {
                ControlFlow::Continue(())
            })
            .unwrap();
        for edit in 0..edits.min(20) {
            let position = Position::from_moves(Rule::Freestyle, size, "h8i9").unwrap();
            let say = |entry: &mut quincunx_database::Entry| entry.value = edit as i32;
            database.change(&position, say).unwrap();
        }
        let text = text_of(&database);
        let killed = fs::read(&path).unwrap();
        drop(database);
        let closed = fs::read(&path).unwrap();
        for bytes in [killed, closed] {
            let text = text.clone();
            samples.push(Sample { bytes, text });
        }
    }
    samples
});

/// It once got a table for positions, even where it was only asked for one.
#[test]
fn a_database_of_another_program_stays_as_it_is() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("people.db");
    let other = Connection::open(&path).unwrap();
    other.execute_batch("CREATE TABLE people (name)").unwrap();
    drop(other);
    let before = fs::read(&path).unwrap();
    let opened = [Database::open(&path), Database::open_to_read(&path)];
    let is_foreign = |opened: &Result<Database, _>| matches!(opened, Err(DatabaseError::Foreign));
    assert!(opened.iter().all(is_foreign));
    assert_eq!(fs::read(&path).unwrap(), before);
    let earlier = folder.path().join("earlier.db");
    fs::write(&earlier, b"redb\x1A\x0A\xA9\x0D\x0A").unwrap();
    let opened = Database::open(&earlier);
    assert!(matches!(opened, Err(DatabaseError::Earlier)));
    // An empty file became a database.
    let empty = folder.path().join("empty");
    fs::write(&empty, "").unwrap();
    assert!(is_foreign(&Database::open_to_read(&empty)));
    assert!(fs::read(&empty).unwrap().is_empty());
}

fn text_of(database: &Database) -> String {
    let mut text = Vec::new();
    let format = FileFormat::Text(None);
    database.export_to(format, &mut text).unwrap();
    String::from_utf8(text).unwrap()
}

#[derive(Clone, Debug)]
enum Damage {
    Cut(usize),
    Appended(Vec<u8>),
    Bits(Vec<usize>),
    Bytes(Vec<(usize, u8)>),
    Filled(usize, usize, u8),
    Swapped(usize, usize),
}

fn damage() -> impl Strategy<Value = Damage> {
    let near = || prop_oneof![0usize..400, 0usize..200_000, any::<usize>()];
    let bytes = prop::collection::vec((near(), any::<u8>()), 1..20);
    prop_oneof![
        near().prop_map(Damage::Cut),
        prop::collection::vec(any::<u8>(), 1..9000).prop_map(Damage::Appended),
        (1..5usize).prop_map(|pages| Damage::Appended(vec![0; pages * 4096])),
        prop::collection::vec(near(), 1..4).prop_map(Damage::Bits),
        (0..4096usize).prop_map(|bit| Damage::Bits(vec![bit])),
        bytes.prop_map(Damage::Bytes),
        (near(), 1..5000usize, any::<u8>()).prop_map(|(at, n, byte)| Damage::Filled(at, n, byte)),
        (0..60usize, 0..60usize).prop_map(|(one, other)| Damage::Swapped(one, other)),
    ]
}

fn apply(damage: &Damage, bytes: &mut Vec<u8>) {
    let length = bytes.len();
    match damage {
        Damage::Cut(at) => bytes.truncate(at % length),
        Damage::Appended(more) => bytes.extend(more),
        Damage::Bits(bits) => {
            for bit in bits {
                bytes[bit / 8 % length] ^= 1 << (bit % 8);
            }
        }
        Damage::Bytes(changes) => {
            for &(at, byte) in changes {
                bytes[at % length] = byte;
            }
        }
        &Damage::Filled(at, count, byte) => {
            let at = at % length;
            let end = length.min(at + count);
            bytes[at..end].fill(byte);
        }
        &Damage::Swapped(one, other) => {
            let pages = length / 4096;
            for at in 0..4096 {
                bytes.swap(one % pages * 4096 + at, other % pages * 4096 + at);
            }
        }
    }
}

/// Opens a damaged file: an error leaves it alone, and otherwise all is there.
fn check(sample: &Sample, bytes: &[u8], path: &Path) {
    fs::write(path, bytes).unwrap();
    match Database::open(path) {
        // An empty file becomes a database.
        Ok(database) if bytes.is_empty() => assert!(database.is_empty().unwrap()),
        Ok(database) => {
            assert_eq!(text_of(&database), sample.text);
            let position = Position::from_moves(Rule::Caro, BoardSize::default(), "a1").unwrap();
            database.change(&position, |entry| entry.value = 5).unwrap();
            drop(database);
            let database = Database::open(path).unwrap();
            assert_eq!(database.get(&position).unwrap().unwrap().value, 5);
        }
        Err(error) => {
            let refused = matches!(error, DatabaseError::Damaged | DatabaseError::Foreign);
            assert!(refused, "{error}");
            assert!(
                fs::read(path).unwrap() == bytes,
                "{error}: the file changed"
            );
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]
    #[test]
    fn damaged_files_are_read_right_or_refused(sample in 0..6usize, damage in damage()) {
        let folder = tempfile::tempdir().unwrap();
        let sample = &SAMPLES[sample];
        let mut bytes = sample.bytes.clone();
        apply(&damage, &mut bytes);
        check(sample, &bytes, &folder.path().join("damaged.db"));
    }
}

#[test]
fn bits_of_a_header_are_checked_or_have_no_meaning() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("damaged.db");
    let sample = &SAMPLES[3];
    // Steps that meet every bit of a byte.
    let numbers = (0..64 * 8).step_by(3);
    for bit in numbers.chain((64 * 8..320 * 8).step_by(29)) {
        let mut bytes = sample.bytes.clone();
        bytes[bit / 8] ^= 1 << (bit % 8);
        check(sample, &bytes, &path);
    }
}

#[test]
fn what_is_sound_is_opened_again() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("sound.db");
    for sample in SAMPLES.iter() {
        check(sample, &sample.bytes, &path);
        assert!(Database::open(&path).is_ok());
    }
}

#[test]
fn a_file_that_is_cut_while_open_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("positions.db");
    let sample = &SAMPLES[5];
    fs::write(&path, &sample.bytes).unwrap();
    let database = Database::open(&path).unwrap();
    File::options()
        .write(true)
        .open(&path)
        .unwrap()
        .set_len(5000)
        .unwrap();
    let position = Position::from_moves(Rule::Renju, BoardSize::default(), "a1").unwrap();
    for _ in 0..2 {
        assert!(database.change(&position, |entry| entry.value = 1).is_err());
        assert!(
            database
                .export_to(FileFormat::Text(None), &mut Vec::new())
                .is_err()
        );
    }
    fs::write(&path, &sample.bytes).unwrap();
    assert_eq!(text_of(&database), sample.text);
}

#[test]
fn files_of_other_formats_are_distinguished_from_exports() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let database = Database::open(&path("positions.db")).unwrap();
    let size = BoardSize::default();
    let position = Position::from_moves(Rule::Renju, size, "h8").unwrap();
    database.change(&position, |entry| entry.value = 1).unwrap();
    let formats = [
        FileFormat::Text(None),
        FileFormat::Library(Rule::Renju, size, None),
    ];
    drop(Database::open(&path("other.db")).unwrap());
    for (number, format) in formats.into_iter().enumerate() {
        let own = path(&number.to_string());
        for _ in 0..2 {
            format.expect_own(&own).unwrap();
            database.export(format, &own).unwrap();
        }
        fs::write(path("words"), "a letter").unwrap();
        for other in ["other.db", "words"] {
            assert!(format.expect_own(&path(other)).is_err(), "{other}");
        }
        let other = path(&(1 - number).to_string());
        assert!(number == 0 || format.expect_own(&other).is_err());
    }
    assert!(
        database
            .export(FileFormat::Database, &path("words"))
            .is_err()
    );
    assert_eq!(fs::read(path("words")).unwrap(), b"a letter");
}
