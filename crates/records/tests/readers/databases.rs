//! The large sources of games: RenjuNet's XML and PlayOK's text.

use super::{moves, read, read_as, said};
use quincunx_engine::game::{GameResult, Termination};
use quincunx_engine::rules::{BoardSize, Color, Rule};
use quincunx_records::{FileFormat, GameFile, OpenError, ReadDefaults, Source, open};

fn file(text: &[u8]) -> Result<GameFile, OpenError> {
    let source = Source {
        bytes: text,
        name: None,
        encoding: None,
    };
    open(
        source,
        ReadDefaults::new(Rule::Freestyle, BoardSize::default()),
    )
}

const RIF: &str = r#"<?xml version="1.0" encoding="UTF-8"?>
<!-- a sample -->
<database version="1.0">
<countries><country id="1" name="Estonia" abbr="EST"/></countries>
<rules>
<rule id="1" name="RIF"><info>classical</info></rule>
<rule id="2" name="Taraguchi-10"/>
<rule id="3" name="Gomoku, exactly five"/>
</rules>
<openings><opening id="7" name="Kagetsu" abbr="4D"/></openings>
<players>
<player id="1" name="Ann" surname="O&apos;Hara" country="1"></player>
<player id="2" name="B&#246;" surname="" country="1"/>
</players>
<tournaments><tournament id="5" name="Cup &amp; Co" country="1" year="1999" month="8"/></tournaments>
<games>
<game id="11" tournament="5" round="2" rule="2" black="1" white="2" bresult="1" btime="0" wtime="0" opening="7" alt="g10 f6" swap="1">
<move>h8 h9 i10 g9 j10</move>
<info>after <![CDATA[<5> stones]]></info>
</game>
<game id="12" rule="3" black="2" white="9" bresult="0.5"><move></move><board>h8 i9</board></game>
<game id="13" rule="1" black="2" white="1" bresult="0" alt="" swap=""><move>h8 i9 h8</move></game>
<game id="14" bresult="?"/>
</games>
</database>
"#;

#[test]
fn games_of_renjunet_are_read() {
    let read = file(RIF.as_bytes()).unwrap();
    assert_eq!((read.format, read.games.len()), (FileFormat::Rif, 4));
    assert_eq!(read.warnings, []);
    let [first, second, third, fourth] = &read.games[..] else {
        panic!("{read:?}");
    };
    let first = first.as_ref().unwrap();
    assert_eq!(moves(first), "h8h9i10g9j10");
    let record = &first.record;
    assert_eq!(record.rule, Some(Rule::Renju));
    assert_eq!((&*record.black, &*record.white), ("Ann O'Hara", "B\u{f6}"));
    let black = GameResult::win(Color::Black, Termination::Agreement);
    assert_eq!(record.result, Some(black));
    assert_eq!(record.comment, "after\n<5> stones\nswap: 1");
    let properties: String = first.nodes[0]
        .properties()
        .iter()
        .map(ToString::to_string)
        .collect();
    assert_eq!(
        properties,
        "EV[Cup & Co]RO[2]DT[1999-08]ON[Kagetsu]5A[gf][fj]"
    );
    assert_eq!(said(first), [""; 0]);
    let second = second.as_ref().unwrap();
    assert_eq!(
        (moves(second), second.record.rule),
        ("h8i9".to_owned(), Some(Rule::Standard))
    );
    assert_eq!(
        second.record.result,
        Some(GameResult::draw(Termination::Agreement))
    );
    assert_eq!(second.record.white, "");
    let error = third.as_ref().unwrap_err().to_string();
    assert_eq!(error, "move 3: h8 is taken (line 22, column 83)");
    let fourth = fourth.as_ref().unwrap();
    assert_eq!(
        (moves(fourth), said(fourth)),
        (
            String::new(),
            vec!["the result '?' is not understood".to_owned()]
        )
    );
}

#[test]
fn renjunet_in_other_encodings_and_damaged() {
    let latin = RIF
        .replace("UTF-8", "ISO-8859-1")
        .replace("&#246;", "\u{f6}");
    let bytes: Vec<u8> = latin.chars().map(|c| c as u8).collect();
    let read = file(&bytes).unwrap();
    assert_eq!(read.games[0].as_ref().unwrap().record.white, "B\u{f6}");
    assert_eq!(read.warnings, []);
    // The end of the file is missing: of a game that is no game, of the tables a warning.
    let end = RIF.find("</games>").unwrap();
    let read = file(&RIF.as_bytes()[..end]).unwrap();
    assert_eq!(read.games.len(), 4);
    assert!(read.warnings[0].to_string().contains("cut short"));
    for (cut, complaint) in [
        (
            "<info>after",
            "line 17, column 1: the file ends within this game",
        ),
        (
            "i10 g9",
            "line 17, column 1: the file ends within this game",
        ),
        ("swap=\"\"", "line 22, column 1: this element has no end"),
        ("<games>", "there is no game in this XML"),
    ] {
        let at = RIF.find(cut).unwrap();
        let error = file(&RIF.as_bytes()[..at]).unwrap_err().to_string();
        assert!(error.starts_with(complaint), "{cut}: {error}");
    }
    let error = read_as(b"h8 i9", Some("a.rif")).unwrap_err().to_string();
    assert!(error.starts_with("there is no game in this XML"), "{error}");
}

/// Time and memory grow with the number of games.
#[test]
fn large_databases_are_read_soon() {
    let game = RIF.find("<game id").unwrap()..RIF.find("<game id=\"12\"").unwrap();
    let many = RIF[game].repeat(3000);
    let text = format!(
        "{}{many}</games></database>",
        &RIF[..RIF.find("<game id").unwrap()]
    );
    let begin = std::time::Instant::now();
    let read = file(text.as_bytes()).unwrap();
    assert_eq!(read.games.iter().filter(|game| game.is_ok()).count(), 3000);
    assert!(
        begin.elapsed() < std::time::Duration::from_secs(60),
        "{:?}",
        begin.elapsed()
    );
}

#[test]
fn games_of_playok_are_read() {
    let text = "[Event \"?\"]\n[Site \"PlayOK\"]\n[Date \"2024.12.26\"]\n[Round \"-\"]\n\
                [Black \"ann\"]\n[White \"bob\"]\n[Result \"1-0\"]\n[Time \"11:24:48\"]\n\
                [TimeControl \"300\"]\n[BlackElo \"1200\"]\n\n\
                1. h8 i9 2. g10 -- 3. j8 k9\n4. h9 h10 1-0\n";
    let tree = read(text).unwrap();
    assert_eq!(moves(&tree), "h8i9g10j8k9h9h10");
    let record = &tree.record;
    assert_eq!(
        (record.rule, record.size),
        (Some(Rule::Standard), BoardSize::default())
    );
    assert_eq!((&*record.black, &*record.white), ("ann", "bob"));
    assert_eq!(record.date.unwrap().to_string(), "2024-12-26");
    let black = GameResult::win(Color::Black, Termination::Agreement);
    assert_eq!(record.result, Some(black));
    assert_eq!(
        said(&tree),
        ["the players swapped colours in the opening: the stones are black and white in turn"]
    );
    // Several games, with and without blank lines, and one that is broken.
    let two = format!("{text}\n\n[Site \"PlayOK\"]\n[Result \"0-1\"]\n1. h8 h8 0-1\n{text}");
    let read = file(two.as_bytes()).unwrap();
    assert_eq!((read.format, read.games.len()), (FileFormat::Pgn, 3));
    let error = read.games[1].as_ref().unwrap_err().to_string();
    assert_eq!(error, "move 2: h8 is taken (line 18, column 7)");
    assert_eq!(moves(read.games[2].as_ref().unwrap()), "h8i9g10j8k9h9h10");
}

#[test]
fn games_with_other_tags_are_read_or_refused() {
    // Another server names no rule: that of the board is taken.
    let tree = read("[Site \"example.org\"]\n[Result \"*\"]\n\n1. h8 i9 *").unwrap();
    assert_eq!(
        (moves(&tree), tree.record.rule),
        ("h8i9".to_owned(), Some(Rule::Freestyle))
    );
    assert_eq!(tree.record.result, None);
    let tree = read("[Site \"PlayOK\"]\n[Variant \"renju\"]\n1. h8 i9").unwrap();
    assert_eq!(tree.record.rule, Some(Rule::Renju));
    // A pass comes later than a swap.
    let tree = read("[Site \"PlayOK\"]\n1. h8 i9 2. j10 k11 3. a1 b2 4. -- c3").unwrap();
    assert_eq!(moves(&tree), "h8i9j10k11a1b2--c3");
    for text in [
        "[Site \"PlayOK\"]\n\n1. e4 e5 2. Nf3 Nc6 1-0",
        "[Site \"PlayOK\"]\n\n1. h8 i9 3. j10",
        "[Site \"PlayOK\"]\n\n1. 12 13",
    ] {
        assert!(read(text).is_err(), "{text}");
    }
}

#[test]
fn wrong_boards_and_rules_of_lines_are_named() {
    for (text, complaint) in [
        ("23 freestyle a1", "23"),
        ("15 gomoku h8", "unknown rule 'gomoku'"),
        (
            "15 renju h8\n15 gomoku h8",
            "game 2: line 2: unknown rule 'gomoku'",
        ),
        ("15 renju h8\n23 renju h8\n15 renju h8", "game 2: line 2: "),
    ] {
        let named = match file(text.as_bytes()) {
            Ok(file) => {
                let mut errors = (1..).zip(&file.games);
                let (number, error) = errors.find(|it| it.1.is_err()).unwrap();
                format!("game {number}: {}", error.as_ref().unwrap_err())
            }
            Err(error) => error.to_string(),
        };
        assert!(named.contains(complaint), "{text}: {named}");
    }
}
