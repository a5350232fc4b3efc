//! Files of all formats through the one reader: those of other programs, and damaged ones.

#![allow(clippy::print_stdout, clippy::unwrap_used)]

mod damaged;
mod databases;
mod servers;
mod shown;

use quincunx_engine::game::{GameResult, Termination};
use quincunx_engine::rules::{BoardSize, Color, Rule};
use quincunx_records::renlib::{self, LibraryMove};
use quincunx_records::sgf::Property;
use quincunx_records::{
    Encoding, FileFormat, OpenError, ReadDefaults, RecordTree, Source, Warning, open, open_position,
};

fn read_as(bytes: &[u8], name: Option<&str>) -> Result<RecordTree, OpenError> {
    let source = Source {
        bytes,
        name,
        encoding: None,
    };
    open(
        source,
        ReadDefaults::new(Rule::Freestyle, BoardSize::default()),
    )?
    .game(1)
}

fn read(text: &str) -> Result<RecordTree, OpenError> {
    read_as(text.as_bytes(), None)
}

fn said(tree: &RecordTree) -> Vec<String> {
    tree.warnings.iter().map(Warning::to_string).collect()
}

/// The main line, and then the moves of variations.
fn moves(tree: &RecordTree) -> String {
    let nodes = tree.nodes.iter().skip(1);
    nodes.map(|node| node.point.to_string()).collect()
}

#[test]
fn formats_are_recognised_by_content_and_name() {
    let named = |name: &str, bytes: &[u8]| {
        let source = Source {
            bytes,
            name: Some(name),
            encoding: None,
        };
        let expected = ReadDefaults::new(Rule::Freestyle, BoardSize::default());
        open(source, expected).map(|file| file.format)
    };
    let psq = b"Piskvorky 15x15, 0:0, 0\n8,8\n";
    let sgf = b"mail\n\n(\n;GM[4]SZ[15];B[hh])\n---";
    for (name, bytes, format) in [
        ("a.txt", &psq[..], FileFormat::Psq),
        ("a.sgf", psq, FileFormat::Psq),
        ("A.PSQ", psq, FileFormat::Psq),
        ("a", sgf, FileFormat::Sgf),
        ("a.PSQ", sgf, FileFormat::Sgf),
        ("A.REC", b"A\nB\n7,7,0\n-1", FileFormat::Rec),
        ("a.sav", b"15 15 1 7 7", FileFormat::Sav),
        ("a.txt", b"15\n15\n1\n7 7\n", FileFormat::Sav),
        ("a.Pos", &[1, 112], FileFormat::Pos),
        ("a.pos", b"h8i9", FileFormat::Text),
        (
            "a.txt",
            b"[Site \"PlayOK\"]\n\n1. h8 i9 1-0",
            FileFormat::Pgn,
        ),
        (
            "a.xml",
            b"<database><game><move>h8</move></game></database>",
            FileFormat::Rif,
        ),
        (
            "a.txt",
            b". . . . .\n. X . . .\n. . . . .\n. . . . .\n. . . . .\n",
            FileFormat::Drawing,
        ),
        ("a.sgf.txt", b"h8i9", FileFormat::Text),
        (
            "a",
            &renlib::write(&[LibraryMove::default()]),
            FileFormat::RenLib,
        ),
    ] {
        assert_eq!(named(name, bytes), Ok(format), "{name}");
    }
    for (name, bytes) in [
        ("a.psq", &b"h8"[..]),
        ("a.sgf", b"h8i9"),
        ("a.lib", b"h8i9"),
        ("a.rec", b"h8i9"),
        ("a", b""),
        ("a.pos", &[2, 112]),
        // All of these were an empty game once.
        ("a.pos", b"\n'"),
        ("a.pos", b"\n#"),
        ("a", b"'"),
        ("a", b"#"),
        ("a", b"# a comment\n\"\"\n"),
        ("a.rif", b"h8i9"),
    ] {
        assert!(named(name, bytes).is_err(), "{name}");
    }
}

#[test]
fn sgf_of_every_program_is_read() {
    for (text, expected) in [
        ("(;GM[5]SZ[15]RU[Renju];B[hh])", "h8"),
        ("(;GM[1]SZ[15]GN[renju game];B[hh])", "h8"),
        ("(;5A[jg][fi]GM[4]SZ[15];B[hh];W[ig])", "h8i9"),
        ("(;GM[4]SZ[15];B[hh]W[ig];B[gf])", "h8i9g10"),
        ("(;GM[4]SZ[15](;B[hh];W[ig])(;B[gf]))", "h8i9g10"),
        // No stones, though their names or values look like it.
        (
            "(;GM[04]SZ[15]BR[d5]US[ab]BL[a1]MV[hh];B[hh]TB[aa]WT[cc])",
            "h8",
        ),
        ("(;GM[4]SZ[15]TR[aa][bb]PB[ed]PW[al]XX[no])", ""),
        ("(;GM[gomoku]SZ[15])", ""),
        ("(;GM[4]SZ[15];AB[hh];AW[ig];B[gf])", "g10"),
        ("(;GM[4]SZ[15];C[a];C[b];B[h8];W[])", "h8--"),
        (
            "From: a@b\nSubject: (a) game [1]\n\n(;GM[4]SZ[15];B[hh])\n-- \nA.\0\u{1a}",
            "h8",
        ),
    ] {
        assert_eq!(moves(&read(text).unwrap()), expected, "{text}");
    }
}

#[test]
fn sgf_of_other_games_is_refused() {
    for (text, complaint) in [
        ("(;GM[1]SZ[19];B[hh])", "line 1, column 3: GM[1]"),
        (
            "(;GM[4]SZ[15];B[hh](;W[ig])(;W[ig];AB[aa]))",
            "line 1, column 36: AB[aa]: set-up",
        ),
        (
            "(;GM[4]SZ[15](;AB[hh];W[ig])(;B[aa]))",
            "line 1, column 16: AB[hh]: set-up",
        ),
        (
            "(;GM[4]SZ[15];B[hh](;W[ig])(;W[hh]))",
            "line 1, column 30: W[hh]: h8 is taken",
        ),
        (
            "(;GM[4]SZ[15];B[hh](;W[ig])(;W[zz]))",
            "line 1, column 30: W[zz]: there is no",
        ),
        (
            "(;GM[4]SZ[15];W[ig]B[hh])",
            "line 1, column 20: B[hh]: this is another move",
        ),
        (
            "(;GM[4]SZ[15];B[hh][ii])",
            "line 1, column 15: B[ii]: this is another move",
        ),
        (
            "(;GM[4]SZ[15]AB[hh]AW[hh])",
            "line 1, column 20: AW[hh]: h8 is taken",
        ),
        (
            "(;GM[4]SZ[15];B[hh]SZ[19])",
            "line 1, column 20: SZ[19]: there is another",
        ),
        (
            "(;GM[4]SZ[15]RE[B+R];BB[hh];W[hi];B[jj])",
            "line 1, column 22: BB[hh]: this may be a stone",
        ),
        (
            "(;GM[4]SZ[15];BLACK[h8];WHITE[hi])",
            "line 1, column 15: BLACK[h8]",
        ),
        ("(;GM[4]SZ[15];W1[hh];B[ii])", "line 1, column 15: W1[hh]"),
        (
            "(;GM[4]SZ[15]ADDBLACK[hh:ii];B[jj])",
            "line 1, column 14: ADDBLACK[hh:ii]",
        ),
        ("(;GM[4]SZ[15]Ab[hh];B[jj])", "line 1, column 14: A[hh]"),
        ("(;GM[4]SZ[15];1[hh];2[ii])", "line 1, column 15: 1[hh]"),
        ("(;GM[4]SZ[15];MV[hh];MV[ii])", "line 1, column 15: MV[hh]"),
        (
            "(;GM[35]SZ[15]VV[1];P0[1 drop H 8];P1[2 drop I 9])",
            "line 1, column 3: GM[35]: this is not Gomoku",
        ),
        (
            "(;GM[gomoku]SZ[15];P0[1 drop H 8])",
            "line 1, column 3: GM[gomoku]",
        ),
        ("(;GM[3]SZ[15])", "line 1, column 3: GM[3]"),
        (
            "(;GM[4]SZ[15];B[ao];W[aa];B[bo];W[ba];B[co];W[ca];B[do];W[da];B[eo];W[ea])",
            "line 1, column 69: move 10: the game is over",
        ),
        (
            "(;GM[4]SZ[15];B[hh](;W[ig])(;W[ao];B[aa];W[bo];B[ba];W[co];B[ca];W[do];B[da];W[eo];B[ea]))",
            "line 1, column 84: move 11: the game is over",
        ),
    ] {
        let error = read(text).unwrap_err().to_string();
        assert!(error.starts_with(complaint), "{text}: {error}");
    }
}

#[test]
fn what_is_taken_for_granted_is_a_warning() {
    for (text, warning) in [
        (
            "(;GM[4]SZ[15]RU[Klingon];B[hh])",
            "the rule 'Klingon' is not known",
        ),
        ("(;GM[4];B[hh])", "the file names no board: 15"),
        ("(;GM[4]SZ[15];B[hh]", "the last parenthesis"),
        (
            "(;GM[4]SZ[15];B[hh];B[ii])",
            "line 1, column 21: a colour moves out of turn",
        ),
        ("(;GM[4]SZ[15];B[hh])(;GM[4]SZ[15];B[ii])", "game 1 of 2"),
        ("(;GM[7]SZ[15];B[hh])", "GM[7] is another game"),
        ("(;GM[4]SZ[15];W[hh])", "white moves first"),
        (
            "(;GM[4]SZ[15];B[hh](;C[the game ended here])(;W[ii];B[jj]))",
            "line 1, column 22: after h8: the main line ends here",
        ),
        (
            "(;GM[4]SZ[15];B[hh](;W[ii];B[jj])(;C[a];C[b]))",
            "line 1, column 41: after h8: a variation has no moves",
        ),
        (
            "(;GM[4]SZ[15];B[hh](;W[ii];B[jj])(;))",
            "line 1, column 36: after h8: a variation has no moves",
        ),
        (
            "(;GM[4]SZ[15]PB[Ann];B[hh]PB[Ben])",
            "PB[Ben] is another player: the first one is taken",
        ),
        (
            "(;GM[4]SZ[15]RE[B+R][W+];B[hh])",
            "RE[W+] is another result: the first one is taken",
        ),
        (
            "(;GM[4]SZ[15]RE[Black wins];B[hh])",
            "the result 'Black wins' is not understood",
        ),
        // A terminal would obey it.
        (
            "(;GM[4]SZ[15]RE[\u{1b}c];B[hh])",
            "the result '\u{fffd}c' is not understood",
        ),
        (
            "(;GM[4]SZ[15]RE[W+F];B[ao];W[aa];B[bo];W[ba];B[co];W[ca];B[do];W[da];B[eo])",
            "the file says: white wins",
        ),
        (
            "(;GM[4]SZ[15]RE[0]RU[renju];B[ao];W[aa];B[bo];W[ba];B[co];W[ca];B[do];W[da];B[eo])",
            "the file says: draw",
        ),
        (
            "(;GM[4]SZ[15]RU[Renju];B[hh]RU[Freestyle])",
            "RU[Freestyle] is another rule: the first one is taken",
        ),
        (
            "Piskvorky 15x15, 0:0, 0\n8,8,5\n9,9,5\n",
            "the file may be cut short",
        ),
        ("15\n15\n2\n7 7\n5 1", "the file may be cut short"),
        (
            "15 renju h8i9\ng10j9\n15 renju h8",
            "lines 1 to 2 are read as one position",
        ),
    ] {
        let read = read(text).unwrap();
        let found = read
            .warnings
            .iter()
            .any(|it| it.to_string().starts_with(warning));
        assert!(found, "{text}: {:?}", read.warnings);
    }
}

/// Points stand for results in tables of tournaments. What is not understood once was lost
/// without a word.
#[test]
fn results_are_read_or_have_a_warning() {
    let win = |color| Some(GameResult::win(color, Termination::Agreement));
    let draw = Some(GameResult::draw(Termination::Agreement));
    let resigned = Some(GameResult::win(Color::White, Termination::Resignation));
    for (text, result, warnings) in [
        ("1-0", win(Color::Black), 0),
        ("0 - 1", win(Color::White), 0),
        ("1/2-1/2", draw, 0),
        ("0.5-0.5", draw, 0),
        ("B+", win(Color::Black), 0),
        ("W + R", resigned, 0),
        ("", None, 0),
        ("?", None, 0),
        ("Void", None, 0),
        ("1-1", None, 1),
        ("White wins", None, 1),
    ] {
        let file = format!("(;GM[4]SZ[15]RE[{text}];B[hh])");
        let read = read(&file).unwrap();
        assert_eq!(read.record.result, result, "{text}");
        assert_eq!(read.warnings.len(), warnings, "{text}: {:?}", read.warnings);
    }
}

/// Comments before the moves of variations were once all given to the move that they follow.
#[test]
fn warnings_on_variations_are_at_their_moves() {
    let text = "(;GM[4]SZ[15];B[hh](;C[A: strong]N[a];C[1];W[ii]C[2])(;C[B: weak];W[gg])(;C[C]))";
    let read = read(text).unwrap();
    let comments: Vec<&str> = read.nodes.iter().map(|it| it.comment()).collect();
    assert_eq!(comments, ["", "C", "A: strong\n1\n2", "B: weak"]);
    assert_eq!(read.nodes[2].properties(), [Property::new("N", "a")]);
}

/// The second byte of a character is a sign of SGF.
#[test]
fn encodings_of_japanese_and_chinese_keep_every_stone() {
    let japanese = b"(;GM[4]CA[Shift_JIS]SZ[15]PB[\x95\x5C];B[hh];W[ii];B[hi])";
    let read = read_as(japanese, None).unwrap();
    assert_eq!(
        (moves(&read).as_str(), read.record.black.as_str()),
        ("h8i7h7", "\u{8868}")
    );
    let unnamed = b"(;GM[4]SZ[15]PB[\x95\x5C];B[hh];W[ii];B[hi])";
    assert!(matches!(
        read_as(unnamed, None),
        Err(OpenError::Encoding(_))
    ));
    let source = Source {
        bytes: unnamed,
        name: None,
        encoding: Some("sjis".parse::<Encoding>().unwrap()),
    };
    let expected = ReadDefaults::new(Rule::Freestyle, BoardSize::default());
    let told = open(source, expected).unwrap().game(1).unwrap();
    assert_eq!(moves(&told), "h8i7h7");
    let wide: Vec<u8> = "\u{feff}(;GM[4]SZ[15];B[hh])"
        .encode_utf16()
        .flat_map(u16::to_le_bytes)
        .collect();
    assert_eq!(moves(&read_as(&wide, None).unwrap()), "h8");
}

/// Comments of libraries were once other characters without a word.
#[test]
fn a_library_in_latin_1_is_a_warning() {
    let moves = [
        LibraryMove::default(),
        LibraryMove {
            depth: 1,
            point: "h8".parse().ok(),
            comment: "\u{e9}".to_owned(),
            ..LibraryMove::default()
        },
    ];
    let mut bytes = renlib::write(&moves);
    assert_eq!(said(&read_as(&bytes, None).unwrap()), [""; 0]);
    // The comment in Latin-1, as long as it was.
    let at = bytes.windows(2).position(|pair| pair == [0xC3, 0xA9]);
    bytes[at.unwrap()..][..3].copy_from_slice(&[0xE9, 0, 0]);
    let tree = read_as(&bytes, None).unwrap();
    assert_eq!(tree.nodes[1].comment(), "\u{e9}");
    let warning = "no encoding is named, and this is not UTF-8: read as Latin-1";
    assert_eq!(said(&tree), [warning]);
    let source = Source {
        bytes: &bytes,
        name: None,
        encoding: "windows-1252".parse().ok(),
    };
    let expected = ReadDefaults::new(Rule::Freestyle, BoardSize::default());
    let told = open(source, expected).unwrap().game(1).unwrap();
    assert_eq!(said(&told), [""; 0]);
}

#[test]
fn texts_hold_one_position_or_several() {
    let count = |text: &str| {
        let source = Source {
            bytes: text.as_bytes(),
            name: None,
            encoding: None,
        };
        open(
            source,
            ReadDefaults::new(Rule::Freestyle, BoardSize::default()),
        )
        .map(|file| file.games.len())
    };
    assert_eq!(count("15 renju h8i9\n20 freestyle h8\n"), Ok(2));
    assert_eq!(count("# one\n15 renju h8\n  i9 g10\n"), Ok(1));
    assert_eq!(moves(&read("15 renju h8\n i9 g10").unwrap()), "h8i9g10");
    let several = read("h8i9\ng10").unwrap();
    assert_eq!(
        (moves(&several).as_str(), several.warnings.len()),
        ("h8i9g10", 1)
    );
}

/// What an SGF file says and this program does not know is there when it is written again.
#[test]
fn unknown_properties_are_preserved() {
    let text = "(;GM[4]SZ[15]EV[cup]RO[3]PC[Tallinn]DT[2020-05]BR[5d]WR[4d]TM[3600]X1[a][b];\
                B[hh]N[start]LB[aa:A][bb:B]TR[cc]MA[dd];W[ig])";
    let read = read(text).unwrap();
    let kept = |node: usize| {
        let properties = read.nodes[node].properties().iter();
        properties.map(ToString::to_string).collect::<String>()
    };
    let root = "EV[cup]RO[3]PC[Tallinn]DT[2020-05]BR[5d]WR[4d]TM[3600]X1[a][b]";
    assert_eq!(kept(0), root);
    assert_eq!(kept(1), "N[start]LB[aa:A][bb:B]TR[cc]MA[dd]");
}

/// What a file holds counts more than its name.
#[test]
fn records_under_other_names_are_read() {
    let sgf = "(;GM[4]SZ[15]PB[A];B[hh];W[ii];B[hi])";
    let psq = b"Piskvorky 15x15, 11:11, 0\r\n8,8,9\r\n9,9,9\r\n\xDCmlaut.exe\r\nB.exe\r\n0\r\n";
    for format in FileFormat::ALL {
        let name = format!("game.{}", format.extension());
        let read = read_as(sgf.as_bytes(), Some(&name)).unwrap();
        assert_eq!(moves(&read), "h8i7h7", "{name}");
        let read = read_as(psq, Some(&name)).unwrap();
        assert_eq!(moves(&read), "h8i7", "{name}");
        assert_eq!(read.record.black, "\u{DC}mlaut.exe", "{name}");
    }
}

/// Found by four million damaged files of each format.
#[test]
fn moves_beside_a_tree_are_not_skipped() {
    for text in [
        "Wub[h8];Wject: x\n\n(;GM[4]SZ[15]RU[Renju];B[h8];W[];B[aa])\n-- \nme",
        "(;)(i9)(g10)(j7))",
    ] {
        assert!(matches!(read(text), Err(OpenError::Sgf(_))), "{text}");
    }
}

/// The game of a text, under these where it names neither rule nor board.
fn read_under(text: &str, expected: ReadDefaults) -> RecordTree {
    let source = Source {
        bytes: text.as_bytes(),
        name: None,
        encoding: None,
    };
    open(source, expected).unwrap().game(1).unwrap()
}

/// Six in a row once won under every rule where the file names none.
#[test]
fn stones_decide_by_the_rule_that_is_taken() {
    let sgf = "(;GM[4]SZ[15];B[aa];W[ao];B[ba];W[bo];B[ca];W[co];B[ea];W[do];B[fa];W[fo];B[da])";
    let psq = "Piskvorky 15x15, 0:0, 0\n1,1,0\n1,15,0\n2,1,0\n2,15,0\n3,1,0\n3,15,0\n5,1,0\n\
               4,15,0\n6,1,0\n6,15,0\n4,1,0\nA\nB\n0\n";
    for text in [sgf, psq] {
        for (rule, winner) in [
            (Rule::Freestyle, Some(Color::Black)),
            (Rule::Standard, None),
            (Rule::Renju, Some(Color::White)),
        ] {
            let read = read_under(text, ReadDefaults::new(rule, BoardSize::default()));
            let found = read
                .record
                .result
                .and_then(|result: GameResult| result.winner);
            assert_eq!(found, winner, "{rule}: {text}");
        }
    }
}

/// A board that is asked for was once not that of SGF games without one, and a rule that comes
/// from elsewhere was taken without a word.
#[test]
fn what_a_file_does_not_name_is_taken_from_outside() {
    let nineteen = BoardSize::square(19).unwrap();
    let expected = ReadDefaults::new(Rule::Renju, nineteen);
    let text = "(;GM[4];B[jj];W[sa])";
    let read = read_under(text, expected);
    assert_eq!(moves(&read), "j10s19");
    assert_eq!(said(&read), ["the file names no board: 19 is taken"]);
    let of_board = ReadDefaults {
        unknown_rule: Rule::Freestyle,
        unknown_size: BoardSize::default(),
        ..expected
    };
    let read = read_under("(;GM[4];B[jj])", of_board);
    let expected = [
        "the file names no board: 15 is taken",
        "the file names no rule: renju is taken",
    ];
    assert_eq!(moves(&read), "j6");
    assert_eq!(said(&read), expected);
}

/// Black was once taken to be to move after any stones that were set up.
#[test]
fn stones_set_up_decide_who_is_to_move() {
    for (text, first, warnings) in [
        ("(;GM[4]SZ[15]AB[hh][gf]AW[ig])", Color::White, 1),
        ("(;GM[4]SZ[15]AB[hh][gf]AW[ig][jg])", Color::Black, 0),
        ("(;GM[4]SZ[15]AB[hh][gf])", Color::Black, 1),
        ("(;GM[4]SZ[15]AB[hh][gf]AW[ig]PL[B])", Color::Black, 0),
        ("(;GM[4]SZ[15]AB[hh][gf]AW[ig];B[aa])", Color::Black, 0),
    ] {
        let read = read(text).unwrap();
        assert_eq!(
            (read.record.first, read.warnings.len()),
            (first, warnings),
            "{text}"
        );
    }
}

/// The text is decoded: what a node besides the root says of that would be wrong when the
/// game is written again.
#[test]
fn encodings_of_nodes_are_not_kept() {
    let read = read("(;GM[4]SZ[15];B[hh]CA[UTF-8]N[x])").unwrap();
    let names: Vec<&str> = read.nodes[1]
        .properties()
        .iter()
        .map(|it| it.name.as_str())
        .collect();
    assert_eq!(names, ["N"]);
}

#[test]
fn moves_alone_are_one_game() {
    let position = |number| {
        let source = Source {
            bytes: b"h8i9",
            name: None,
            encoding: None,
        };
        open_position(
            source,
            ReadDefaults::new(Rule::Freestyle, BoardSize::default()),
            number,
        )
    };
    assert!(position(1).is_ok());
    for number in [0, 2] {
        let error = position(number).unwrap_err();
        assert_eq!(error, OpenError::NoGame { number, count: 1 });
    }
}
