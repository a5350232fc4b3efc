//! Files that are made to take long or to fill the memory: each is read or refused soon, and
//! what is said of it is short.

#![allow(clippy::unwrap_used)]

use quincunx_engine::rules::{BoardSize, Rule};
use quincunx_records::{OpenError, ReadDefaults, RecordTree, Source, Warning, open, open_position};
use std::time::Duration;

/// So long that a reader whose time grows with the square of the length exceeds [`PATIENCE`].
const LENGTH: usize = 1 << 17;

/// The longest time for a file. The slowest took 0.9 s in a test build.
const PATIENCE: Duration = Duration::from_secs(5);

/// The time that this thread has computed, which other load does not change.
#[cfg(unix)]
fn computed() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}

/// The time of the machine, where the time of threads is not known.
#[cfg(not(unix))]
fn computed() -> Duration {
    use std::sync::OnceLock;
    use std::time::Instant;
    static START: OnceLock<Instant> = OnceLock::new();
    START.get_or_init(Instant::now).elapsed()
}

fn expected() -> ReadDefaults {
    ReadDefaults::new(Rule::Renju, BoardSize::default())
}

fn source<'a>(bytes: &'a [u8], name: Option<&'a str>) -> Source<'a> {
    Source {
        bytes,
        name,
        encoding: None,
    }
}

/// A part as often as it fits.
fn repeated(part: &str) -> String {
    part.repeat(LENGTH / part.len())
}

/// The game, and its position as the command line reads it.
fn read(bytes: &[u8], name: Option<&str>) -> [Result<Vec<String>, OpenError>; 2] {
    let source = source(bytes, name);
    let game = open(source, expected()).and_then(|file| file.game(1));
    let position = open_position(source, expected(), 1);
    let said = |warnings: Vec<Warning>| warnings.into_iter().map(String::from).collect();
    [
        game.map(|game: RecordTree| said(game.warnings)),
        position.map(|(_, warnings)| said(warnings)),
    ]
}

#[test]
fn every_file_is_read_or_refused_soon() {
    let blanks = " ".repeat(LENGTH);
    let names: String = (0..LENGTH / 16).map(|n| format!("X{n}X[]")).collect();
    for (name, text) in [
        ("", repeated("h8 i9 ")),
        ("", repeated("h8")),
        ("", repeated("--")),
        ("", repeated("1. h8 ")),
        ("", repeated("# h8\n")),
        ("", repeated("h")),
        ("", format!("{},1", repeated("1"))),
        ("", repeated("(;")),
        ("", repeated("(")),
        ("", format!("{blanks}é")),
        ("", format!("é{}", repeated(";CA["))),
        ("", format!("é{}", repeated("(;CA[GBK](;CA[Big5]"))),
        (
            "",
            format!("{}h8i9{}", "(".repeat(LENGTH / 2), ")".repeat(LENGTH / 2)),
        ),
        ("", repeated("(;GM[4]SZ[15];B[hh])x\n")),
        ("", format!("(;GM[4]SZ[15]{names};B[hh])")),
        ("", format!("(;GM[4]SZ[15]{};B[hh])", repeated("GM[7]"))),
        ("", format!("(;GM[4]SZ[15]{};B[hh])", repeated(";GM[7]"))),
        ("", format!("(;GM[4]SZ[15]AB{};W[ii])", repeated("[hh]"))),
        (
            "",
            format!("(;GM[4]SZ[15]{};W[ii])", repeated("AB[aa:oo]AE[aa:oo]")),
        ),
        (
            "",
            format!("(;GM[4]SZ[15]{};B[hh])", repeated("RU[a]RU[b]")),
        ),
        (
            "",
            format!(
                "(;GM[4]SZ[15]RU[{}]{};B[hh])",
                repeated("aaaa").repeat(4),
                repeated("RU[b]")
            ),
        ),
        ("", format!("(;GM[4]SZ[15]{}", repeated("(;B[]"))),
        ("", format!("(;GM[4]SZ[{}])", repeated("9"))),
        ("", format!("(;GM[4]SZ[15]RU[{}])", repeated("a"))),
        ("", format!("(;GM[4]SZ[15]RU[{}])", repeated("swap 2 "))),
        ("", format!("(;GM[4]SZ[15]EV[{}\\]])", repeated("RU[ B[a"))),
        (
            "",
            format!("Piskvorky 15x15, 0:0, 0\n8,8,{}", repeated("1")),
        ),
        ("", format!("Piskvorky {}", repeated("1"))),
        (
            "a.psq",
            format!("Piskvorky 15x15, 0:0, 0\n8,8\n{}", repeated("\n")),
        ),
        ("a.rec", repeated("A\n")),
        ("a.sav", repeated("15 ")),
        ("a.sav", repeated("a")),
        ("a.pos", repeated("p")),
        ("a.lib", format!("x\0{}", repeated("x\0"))),
    ] {
        let begin = computed();
        let read = read(text.as_bytes(), Some(name));
        let start: String = text.chars().take(30).collect();
        assert!(computed() - begin < PATIENCE, "{name} {start}");
        for read in read {
            let said = match read {
                Ok(warnings) => warnings,
                Err(error) => vec![error.to_string()],
            };
            assert!(said.len() <= 21, "{name} {start}: {}", said.len());
            let longest = said.iter().map(String::len).max().unwrap_or(0);
            assert!(longest < 300, "{name} {start}: {longest}");
        }
    }
}

/// Of many warnings the first ones are told.
#[test]
fn remarks_are_cut() {
    let text = format!(
        "{}(;GM[4]SZ[15];B[hh])",
        "x (;GM[4]SZ[15];B[hh])\n".repeat(50)
    );
    let [game, _] = read(text.as_bytes(), None);
    let warnings = game.unwrap();
    assert_eq!(warnings.len(), 21, "{warnings:?}");
    assert!(warnings[20].starts_with("and "), "{warnings:?}");
}

#[test]
fn no_text_has_ten_thousand_moves() {
    let [game, position] = read("--".repeat(10_001).as_bytes(), None);
    for error in [game.unwrap_err(), position.unwrap_err()] {
        let error = error.to_string();
        assert!(error.contains("there are more than 10000 moves"), "{error}");
    }
}
