//! Files that were damaged or made up: whatever stands in them, reading ends
//! with what they hold or with an error, never with a panic.
//!
//! Checksums are mended after the damage, so that it gets past them.
//! `PROPTEST_CASES=100000 cargo test --test files` tries that many.

#![allow(clippy::unwrap_used)]

use proptest::prelude::*;
use quincunx_arena::Variant;
use quincunx_arena::export::{csv, psq, sgf};
use quincunx_arena::store::read_games;
use quincunx_database::{Database, Entry, FileFormat};
use quincunx_engine::eval::EvalTables;
use quincunx_engine::game::opening::read_openings;
use quincunx_engine::position::Position;
use quincunx_engine::rules::{BoardSize, Color, Point, Rule};
use quincunx_tools::solve::Puzzle;
use quincunx_train::dataset::Dataset;
use quincunx_train::dump::dump;
use quincunx_train::numpy::write_npy;
use quincunx_train::record::{GameReader, SearchedPly, SelfplayGame, TreePosition, header};
use quincunx_train::sampler::Sampler;
use std::ops::ControlFlow;
use std::sync::LazyLock;

/// What happens to a file.
#[derive(Clone, Debug)]
enum Damage {
    /// A byte becomes another.
    Byte(prop::sample::Index, u8),
    /// The file ends here.
    End(prop::sample::Index),
    /// Bytes come between.
    Insert(prop::sample::Index, Vec<u8>),
}

fn damage() -> impl Strategy<Value = Vec<Damage>> {
    let at = any::<prop::sample::Index>;
    let damage = prop_oneof![
        8 => (at(), any::<u8>()).prop_map(|(at, byte)| Damage::Byte(at, byte)),
        1 => at().prop_map(Damage::End),
        1 => (at(), proptest::collection::vec(any::<u8>(), 1..20))
            .prop_map(|(at, bytes)| Damage::Insert(at, bytes)),
    ];
    proptest::collection::vec(damage, 0..6)
}

fn damaged(bytes: &[u8], damage: &[Damage]) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    for damage in damage {
        let length = bytes.len() + 1;
        match damage {
            Damage::Byte(at, byte) => {
                if let Some(old) = bytes.get_mut(at.index(length)) {
                    *old = *byte;
                }
            }
            Damage::End(at) => bytes.truncate(at.index(length)),
            Damage::Insert(at, more) => {
                let at = at.index(length);
                bytes.splice(at..at, more.iter().copied());
            }
        }
    }
    bytes
}

fn game(rule: Rule) -> SelfplayGame {
    let moves = "h8i9g9h10g10h9i8g7j8k8h11f9";
    let position = Position::from_moves(rule, BoardSize::default(), moves).unwrap();
    let points: Vec<Point> = position.moves().map(|(_, point)| point).collect();
    let ply = |&point: &Point| SearchedPly {
        played: point,
        best: point,
        score: 12,
        sampled: false,
    };
    SelfplayGame {
        seed: 1,
        number: 2,
        nodes: 700,
        size: BoardSize::default(),
        winner: Some(Color::White),
        opening: points[..3].to_vec(),
        plies: points[3..].iter().map(ply).collect(),
        tree: vec![TreePosition {
            ply: 2,
            line: vec![points[0]],
            best: points[1],
            score: -40,
        }],
    }
}

/// A database and what it was exported as: a text, a library.
struct Positions {
    folder: tempfile::TempDir,
    database: Database,
    files: [Vec<u8>; 2],
}

static POSITIONS: LazyLock<Positions> = LazyLock::new(|| {
    let folder = tempfile::tempdir().unwrap();
    let database = Database::open(&folder.path().join("positions")).unwrap();
    for moves in ["h8", "h8h9", "h8i9", "h8i9g10", "a1b2c3d4"] {
        let position = Position::from_moves(Rule::Renju, BoardSize::default(), moves).unwrap();
        let say = |entry: &mut Entry| {
            entry.label = Some('w');
            entry.mark = "A".to_owned();
            entry.text = "some text\nin lines".to_owned();
        };
        database.change(&position, say).unwrap();
    }
    let files = [false, true].map(|library| {
        let file = folder.path().join("good");
        let written = database.export(position_format(library), &file).unwrap();
        assert_eq!((written.positions, written.left_out), (5, 0));
        let read = database
            .import(position_format(library), &file, &mut |_| {
                ControlFlow::Continue(())
            })
            .unwrap();
        assert!(read.positions >= 5 && database.len().unwrap() >= 5);
        std::fs::read(&file).unwrap()
    });
    Positions {
        folder,
        database,
        files,
    }
});

fn position_format(library: bool) -> FileFormat {
    if library {
        FileFormat::Library(Rule::Renju, BoardSize::default(), None)
    } else {
        FileFormat::Text(None)
    }
}

/// Reads a file of games, and learns from what it holds.
fn read_self_play(rule: Rule, bytes: &[u8]) {
    let Ok(mut reader) = GameReader::new(bytes) else {
        return;
    };
    let mut samples = Dataset::default();
    let mut sampler = Sampler::new(rule);
    while let Ok(Some(game)) = reader.next_game() {
        let _ = sampler.add(&game, &mut samples);
    }
    let _ = dump(bytes, &mut std::io::sink());
    let _ = write_npy(bytes, None, &mut std::io::sink());
}

proptest! {
    #[test]
    fn self_play_games_of_any_content(
        damage in damage(),
        rule in proptest::sample::select(Rule::ALL.to_vec()),
        mended in any::<bool>(),
    ) {
        let block = game(rule).to_bytes();
        let bytes = if mended {
            let body = damaged(&block[8..], &damage);
            let mut bytes = header(rule).to_vec();
            bytes.extend((body.len() as u32).to_le_bytes());
            bytes.extend(crc32fast::hash(&body).to_le_bytes());
            bytes.extend(body);
            bytes
        } else {
            damaged(&[header(rule).to_vec(), block].concat(), &damage)
        };
        read_self_play(rule, &bytes);
    }

    #[test]
    fn tables_of_any_content(
        damage in damage(),
        rule in proptest::sample::select(Rule::ALL.to_vec()),
    ) {
        let good = EvalTables::built_in(rule).to_bytes();
        let bytes = damaged(&good, &damage);
        if let Ok(tables) = EvalTables::from_bytes(&bytes) {
            let kept = tables.to_bytes();
            let again = EvalTables::from_bytes(&kept).map(|tables| tables.to_bytes());
            prop_assert_eq!(again, Ok(kept));
        }
        let _ = dump(&bytes, &mut std::io::sink());
    }

    #[test]
    fn match_records_of_any_content(damage in damage()) {
        let line = concat!(
            r#"{"number":3,"black":"a","white":"b","opening":"h8i9","moves":[{"point":"g10","#,
            r#""ms":1.5,"eval":"+3","message":"x"}],"winner":"black","reason":"five","#,
            r#""started":7}"#,
            "\n",
        );
        let file = tempfile::NamedTempFile::new().unwrap();
        let intact = format!("{line}{line}");
        std::fs::write(file.path(), damaged(intact.as_bytes(), &damage)).unwrap();
        if let Ok(games) = read_games(file.path()) {
            let variant = Variant {
                rule: Rule::Renju,
                size: BoardSize::default(),
            };
            for game in &games {
                let _ = (sgf(variant, game), psq(variant, game));
            }
            let _ = csv(games.iter());
        }
    }

    #[test]
    fn openings_and_puzzles_of_any_content(
        damage in damage(),
        rule in proptest::sample::select(Rule::ALL.to_vec()),
        noise in "\\PC{0,40}",
    ) {
        let size = BoardSize::default();
        let text = "# some\nh8i9g10\n0,0, 1,1, -1,2\nh8h9\t-26\tdepth 8\n";
        let text = String::from_utf8_lossy(&damaged(text.as_bytes(), &damage)).into_owned();
        let _ = read_openings(rule, size, None, &text);
        let _ = read_openings(rule, size, None, &noise);
        for text in [&*noise, &*text, "15 renju h8i9--g10"] {
            let _ = String::from_utf8_lossy(&damaged(text.as_bytes(), &damage)).parse::<Puzzle>();
        }
    }

    /// Libraries and texts of positions: what is refused changes nothing.
    #[test]
    fn position_files_of_any_content(damage in damage(), library in any::<bool>()) {
        let Positions { folder, database, files } = &*POSITIONS;
        let format = position_format(library);
        let file = folder.path().join("damaged");
        std::fs::write(&file, damaged(&files[usize::from(library)], &damage)).unwrap();
        let before = database.len().unwrap();
        let positions = match database.import(format, &file, &mut |_| ControlFlow::Continue(())) {
            Ok(read) => read.positions,
            Err(_) => 0,
        };
        prop_assert!(database.len().unwrap() <= before + positions);
    }
}
