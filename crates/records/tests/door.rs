//! Files of all formats through the one door: those of other programs, and a great many
//! damaged ones. A damaged file is read with the stones that it has, or refused.

#![allow(clippy::print_stdout, clippy::unwrap_used)]

use quincunx_engine::rules::{BoardSize, Color, Point, Rule};
use quincunx_records::renlib::{self, LibraryMove};
use quincunx_records::{Encoding, Expected, FileFormat, OpenError, RecordTree, Source, open};

fn read_as(bytes: &[u8], name: Option<&str>) -> Result<RecordTree, OpenError> {
    let source = Source {
        bytes,
        name,
        encoding: None,
    };
    open(source, Expected::new(Rule::Freestyle, BoardSize::default()))?.game(1)
}

fn read(text: &str) -> Result<RecordTree, OpenError> {
    read_as(text.as_bytes(), None)
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
        let expected = Expected::new(Rule::Freestyle, BoardSize::default());
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
        ("(;GM[4]SZ[15];AB[hh];AW[ig];B[gf])", "g10"),
        ("(;GM[4]SZ[15];C[a];C[b];B[h8];W[])", "h8--"),
        (
            "From: a@b\nSubject: (a) game [1]\n\n(;GM[4]SZ[15];B[hh])\n-- \nA.\0\u{1a}",
            "h8",
        ),
    ] {
        assert_eq!(moves(&read(text).unwrap()), expected, "{text}");
    }
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
    for (text, remark) in [
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
        let found = read.remarks.iter().any(|found| found.starts_with(remark));
        assert!(found, "{text}: {:?}", read.remarks);
    }
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
    let expected = Expected::new(Rule::Freestyle, BoardSize::default());
    let told = open(source, expected).unwrap().game(1).unwrap();
    assert_eq!(moves(&told), "h8i7h7");
    let wide: Vec<u8> = "\u{feff}(;GM[4]SZ[15];B[hh])"
        .encode_utf16()
        .flat_map(u16::to_le_bytes)
        .collect();
    assert_eq!(moves(&read_as(&wide, None).unwrap()), "h8");
}

#[test]
fn texts_hold_one_position_or_several() {
    let count = |text: &str| {
        let source = Source {
            bytes: text.as_bytes(),
            name: None,
            encoding: None,
        };
        open(source, Expected::new(Rule::Freestyle, BoardSize::default()))
            .map(|file| file.games.len())
    };
    assert_eq!(count("15 renju h8i9\n20 freestyle h8\n"), Ok(2));
    assert_eq!(count("# one\n15 renju h8\n  i9 g10\n"), Ok(1));
    assert_eq!(moves(&read("15 renju h8\n i9 g10").unwrap()), "h8i9g10");
    let several = read("h8i9\ng10").unwrap();
    assert_eq!(
        (moves(&several).as_str(), several.remarks.len()),
        ("h8i9g10", 1)
    );
}

/// What an SGF file says and this program does not know is there when it is written again.
#[test]
fn what_is_not_known_is_kept() {
    let text = "(;GM[4]SZ[15]EV[cup]RO[3]PC[Tallinn]DT[2020-05]BR[5d]WR[4d]TM[3600]X1[a][b];\
                B[hh]N[start]LB[aa:A][bb:B]TR[cc]MA[dd];W[ig])";
    let read = read(text).unwrap();
    let kept = |node: usize| {
        let properties = read.nodes[node].properties.iter();
        properties.map(ToString::to_string).collect::<String>()
    };
    let root = "EV[cup]RO[3]PC[Tallinn]DT[2020-05]BR[5d]WR[4d]TM[3600]X1[a][b]";
    assert_eq!(kept(0), root);
    assert_eq!(kept(1), "N[start]LB[aa:A][bb:B]TR[cc]MA[dd]");
}

/// The stones of an SGF text as a few lines of code find them, without a grammar.
fn stones_of_sgf(text: &str) -> Vec<(Color, String)> {
    let mut stones = Vec::new();
    let (mut name, mut is_ended) = (String::new(), false);
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        match c {
            '[' => {
                let mut value = String::new();
                // What is not closed is no value.
                let mut is_closed = false;
                while let Some(c) = chars.next() {
                    is_closed = c == ']';
                    match c {
                        ']' => break,
                        '\\' => value.extend(chars.next()),
                        c => value.push(c),
                    }
                }
                // Old files write names such as `Black`, as words of prose begin.
                let capitals = name.replace(|c: char| c.is_ascii_lowercase(), "");
                let is_stone = is_closed && (capitals == name || is_point(&value));
                match capitals.as_str() {
                    "B" if is_stone => stones.push((Color::Black, value)),
                    "W" if is_stone => stones.push((Color::White, value)),
                    _ => {}
                }
            }
            ']' | ';' | '(' | ')' => name.clear(),
            c if c.is_ascii_alphanumeric() => {
                // A name is one word.
                if std::mem::take(&mut is_ended) {
                    name.clear();
                }
                name.push(c);
            }
            c => is_ended |= c.is_whitespace(),
        }
        if c == '[' {
            // Another value may follow, which makes it an error for a move.
            let again = chars
                .as_str()
                .trim_start_matches(|c: char| c.is_whitespace() || c < ' ');
            if !again.starts_with('[') {
                name.clear();
            }
        }
    }
    stones
}

/// Whether a value is two letters, a letter and a number, or nothing.
fn is_point(value: &str) -> bool {
    match value.trim().as_bytes() {
        [] => true,
        [x, rest @ ..] => {
            let is_row = rest.len() == 1 && rest[0].is_ascii_alphabetic();
            let is_number = matches!(rest.len(), 1..=2) && rest.iter().all(u8::is_ascii_digit);
            x.is_ascii_alphabetic() && (is_row || is_number)
        }
    }
}

/// The stones of a PSQ text: every line that begins with two numbers.
fn stones_of_psq(text: &str) -> Vec<(i64, i64)> {
    let lines = text.split(['\n', '\r']).skip(1);
    let stone = |line: &str| {
        let mut fields = line
            .trim_matches(|c: char| c.is_whitespace() || c < ' ')
            .split(',');
        Some((
            fields.next()?.trim().parse().ok()?,
            fields.next()?.trim().parse().ok()?,
        ))
    };
    lines.filter_map(stone).collect()
}

/// The points of a text: every letter with digits behind it.
fn stones_of_text(text: &str) -> Vec<String> {
    let text = text.to_ascii_lowercase();
    let starts = text.char_indices().filter(|(_, c)| c.is_ascii_lowercase());
    let point = |(at, _): (usize, char)| {
        let digits: String = text[at + 1..]
            .chars()
            .take_while(char::is_ascii_digit)
            .collect();
        (!digits.is_empty()).then(|| format!("{}{digits}", &text[at..=at]))
    };
    starts.filter_map(point).collect()
}

/// A file with some of its bytes changed.
fn mutated(random: &mut fastrand::Rng, base: &[u8], signs: &[u8]) -> Vec<u8> {
    let mut bytes = base.to_vec();
    for _ in 0..random.usize(1..4) {
        let at = random.usize(0..=bytes.len());
        let end = (at + random.usize(1..9)).min(bytes.len());
        match random.u8(0..8) {
            0 if at < bytes.len() => bytes[at] = random.u8(..),
            1 if at < bytes.len() => bytes[at] = signs[random.usize(0..signs.len())],
            2 => bytes.insert(at, signs[random.usize(0..signs.len())]),
            3 if at < bytes.len() => drop(bytes.remove(at)),
            4 => drop(bytes.drain(at..end)),
            5 => {
                let piece = bytes[at..end].to_vec();
                let to = random.usize(0..=bytes.len());
                bytes.splice(to..to, piece);
            }
            6 => bytes.truncate(at),
            _ => {
                let piece: Vec<u8> = bytes.drain(at..end).collect();
                let to = random.usize(0..=bytes.len());
                bytes.splice(to..to, piece);
            }
        }
    }
    bytes
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

/// How many damaged files there are of each format: some thousand, or the number that the
/// variable `QUINCUNX_MUTATIONS` has.
fn mutations() -> usize {
    let number = std::env::var("QUINCUNX_MUTATIONS").ok();
    number
        .and_then(|number| number.parse().ok())
        .unwrap_or(2000)
}

/// What became of the damaged files of a format.
#[derive(Debug, Default)]
struct Counts {
    read: usize,
    remarked: usize,
    refused: usize,
}

/// Damages each file and opens it; `agrees` sees what was read.
fn damage(
    name: &str,
    bases: &[&[u8]],
    signs: &[u8],
    agrees: impl Fn(&[u8], &RecordTree) -> bool,
) -> Counts {
    let mut random = fastrand::Rng::with_seed(7);
    let mut counts = Counts::default();
    for _ in 0..mutations() {
        let base = bases[random.usize(0..bases.len())];
        let bytes = mutated(&mut random, base, signs);
        let text = String::from_utf8_lossy(&bytes);
        match read_as(&bytes, Some(name)) {
            Err(_) => counts.refused += 1,
            Ok(tree) => {
                assert!(agrees(&bytes, &tree), "{text:?}: {tree:?}");
                match tree.remarks.is_empty() {
                    true => counts.read += 1,
                    false => counts.remarked += 1,
                }
            }
        }
    }
    println!("{name}: {counts:?}");
    counts
}

fn of_tree(tree: &RecordTree) -> impl Iterator<Item = (Color, Point)> {
    tree.nodes
        .iter()
        .skip(1)
        .map(|node| (node.color, node.point))
}

#[test]
fn damaged_sgf_has_the_stones_it_shows() {
    let bases = [
        &b"(;FF[4]GM[4]SZ[15]PB[A]PW[B]RE[B+];B[hh];W[ig]C[a comment];B[gf];W[jk])"[..],
        b"(;GM[4]SZ[15]PB[A]\n(;B[hh];W[ig](;B[gf];W[aa])(;B[hg]))\n(;B[aa];W[ab]LB[cc:1]))",
        b"Subject: x\n\n(;GM[4]SZ[15]RU[Renju];B[h8];W[];B[aa])\n-- \nme",
        b"(;GM[4]CA[Shift_JIS]SZ[15]PB[\x95\x5C];B[hh];W[ii];B[hi])",
        b"(;GM[4]SZ[15];B[hh];W[ii])(;GM[4]SZ[15];B[aa])",
    ];
    let agrees = |bytes: &[u8], tree: &RecordTree| {
        // Only the first game is compared, so only files of one are.
        let text = text_of(bytes);
        if tree
            .remarks
            .iter()
            .any(|remark| remark.starts_with("game 1 of"))
        {
            return true;
        }
        let mut expected = stones_of_sgf(&text);
        let mut found: Vec<(Color, String)> = of_tree(tree)
            .map(|(color, point)| (color, point.to_string()))
            .collect();
        for (_, value) in &mut expected {
            *value = point_text(value, tree.record.size);
        }
        expected.sort_by_key(|stone| (stone.0.index(), stone.1.clone()));
        found.sort_by_key(|stone| (stone.0.index(), stone.1.clone()));
        expected == found
    };
    let counts = damage("a.sgf", &bases, b"[]();\\BWABaohn \n\0C:", agrees);
    assert!(counts.read > 0 && counts.remarked > 0 && counts.refused > 0);
}

/// The text of a damaged file: as it says that it is encoded, in UTF-8 or in Latin-1.
fn text_of(bytes: &[u8]) -> String {
    let is_sign = |byte: &u8| !byte.is_ascii_whitespace();
    let signs: Vec<u8> = bytes.iter().copied().filter(is_sign).collect();
    let label = (1..signs.len()).find_map(|at| {
        let value = signs[at..].strip_prefix(b"CA[")?;
        let end = value.iter().position(|&byte| byte == b']')?;
        (end > 0 && b";](".contains(&signs[at - 1])).then(|| &value[..end])
    });
    let named = label.and_then(encoding_rs::Encoding::for_label_no_replacement);
    match (named, std::str::from_utf8(bytes)) {
        (Some(charset), _) if charset != encoding_rs::UTF_8 => charset.decode(bytes).0.into_owned(),
        (_, Ok(text)) => text.to_owned(),
        (_, Err(_)) => encoding_rs::WINDOWS_1252.decode(bytes).0.into_owned(),
    }
}

fn point_text(value: &str, size: BoardSize) -> String {
    let value = value.trim_matches(|c: char| c.is_whitespace());
    match value.as_bytes() {
        [] => "--".to_owned(),
        b"tt" if size.width() < 20 || size.height() < 20 => "--".to_owned(),
        [x, row @ b'a'..=b'z'] => {
            let y = size.height() as i64 - i64::from(row - b'a');
            format!("{}{y}", char::from(*x))
        }
        _ => value
            .to_ascii_lowercase()
            .parse::<Point>()
            .map_or(String::new(), |it| it.to_string()),
    }
}

#[test]
fn damaged_psq_has_the_stones_it_shows() {
    let bases = [
        &b"Piskvorky 15x15, 11:11, 0\n8,8,0\n9,7,0\n7,6,12\nA\nB\n0\n"[..],
        b"Piskvorky 15x15, 0:0, 0\r\n8,8\r\n9,9\r\n8,9\r\n-1\r\n",
        b"Piskvorky 20x20, 11:11, 1\r8,8,-5\r\r9,9,7\rA.exe\rB\r2\r1,Freestyle20_1\r",
    ];
    let agrees = |bytes: &[u8], tree: &RecordTree| {
        let text = text_of(bytes);
        let size = tree.record.size;
        let text =
            text.trim_start_matches(|c: char| c.is_whitespace() || c < ' ' || c == '\u{feff}');
        let expected = stones_of_psq(text);
        let found: Vec<(i64, i64)> = of_tree(tree)
            .map(|(_, point)| (point.x() as i64 + 1, size.row_from_top(point) as i64 + 1))
            .collect();
        expected == found
    };
    let counts = damage("a.psq", &bases, b"0123456789,-;. \n\rA", agrees);
    assert!(counts.read > 0 && counts.refused > 0);
}

#[test]
fn damaged_text_has_the_stones_it_shows() {
    let bases = [
        &b"h8i9g10j7"[..],
        b"1. h8 i9 2. g10 j7",
        b"1. h8 2. i9 3. g10 4. j7",
        b"h8_i9_g10_j7",
        b"(h8)(i9)(g10)(j7)",
        b"[h8, i9, g10, j7]",
        b"h8i9passg10--j7",
    ];
    let agrees = |bytes: &[u8], tree: &RecordTree| {
        let text = text_of(bytes);
        let found: Vec<String> = of_tree(tree)
            .map(|(_, point)| point.to_string())
            .filter(|point| point != "--")
            .collect();
        // Coordinates and comments are other tests' business.
        let expected = stones_of_text(&text).into_iter();
        let expected: Vec<String> = expected
            .map(|point| {
                point
                    .parse::<Point>()
                    .map_or(point, |point| point.to_string())
            })
            .collect();
        text.contains('#') || text.contains(',') || expected == found
    };
    let counts = damage("a.txt", &bases, b"0123456789-;_. \nabhp()[]\xEF", agrees);
    assert!(counts.read > 0 && counts.refused > 0);
}

#[test]
fn damaged_saved_positions_have_the_stones_they_show() {
    let sav = [&b"15\n15\n4\n7 7\n6 8\n5 6\n0 0\n"[..], b"15 2 2 7 7 6 8"];
    let agrees = |bytes: &[u8], tree: &RecordTree| {
        let text = text_of(bytes);
        let words = text
            .split(|c: char| c.is_whitespace() || c < ' ')
            .filter(|word| !word.is_empty());
        let numbers: Vec<usize> = words.skip(3).filter_map(|word| word.parse().ok()).collect();
        let size = tree.record.size;
        let found: Vec<usize> = of_tree(tree)
            .flat_map(|(_, point)| [size.row_from_top(point), point.x()])
            .collect();
        found == numbers
    };
    let counts = damage("a.sav", &sav, b"0123456789 \n-", agrees);
    assert!(counts.read > 0 && counts.refused > 0);
    let pos = [&[4, 112, 98, 81, 0][..], &[2, 1, 2]];
    let agrees = |bytes: &[u8], tree: &RecordTree| {
        let size = tree.record.size;
        let index = |(_, point): (_, Point)| (size.row_from_top(point) * 15 + point.x()) as u8;
        let found: Vec<u8> = of_tree(tree).map(index).collect();
        bytes[1..] == found
            || bytes
                .iter()
                .all(|byte| matches!(byte, b' '..=b'~' | b'\t'..=b'\r'))
    };
    let counts = damage("a.pos", &pos, &[0, 1, 2, 112, 98, 224, 225], agrees);
    assert!(counts.read > 0 && counts.refused > 0);
    let rec = [&b"A\nB\n7,7,0\n8,6,0\n6,5,12\n-1\n"[..]];
    let agrees = |bytes: &[u8], tree: &RecordTree| {
        let text = text_of(bytes);
        let size = tree.record.size;
        let found: Vec<(i64, i64)> = of_tree(tree)
            .map(|(_, point)| (point.x() as i64, size.row_from_top(point) as i64))
            .collect();
        stones_of_psq(&text) == found || text.starts_with("Pisk")
    };
    let counts = damage("a.rec", &rec, b"0123456789,- \nA", agrees);
    assert!(counts.remarked > 0 && counts.refused > 0);
}

#[test]
fn damaged_libraries_are_the_moves_they_hold() {
    let point = |text: &str| text.parse().ok();
    let one = |depth: usize, text: &str, comment: &str| LibraryMove {
        depth,
        point: point(text),
        comment: comment.to_owned(),
        ..LibraryMove::default()
    };
    let moves = [
        LibraryMove::default(),
        one(1, "h8", "first\nsecond"),
        one(2, "i9", ""),
        one(3, "g10", "a"),
        one(2, "h9", "b"),
        one(3, "a1", ""),
    ];
    let library = renlib::write(&moves);
    let agrees = |bytes: &[u8], tree: &RecordTree| {
        // Each stone of the tree is a move of the library, in its order.
        let held = renlib::read(bytes, None).unwrap();
        let held = held
            .iter()
            .skip(1)
            .map(|read| read.point.unwrap_or(Point::NONE));
        let is_whole = !tree
            .remarks
            .iter()
            .any(|remark| remark.starts_with("left out"));
        !is_whole || held.eq(of_tree(tree).map(|(_, point)| point))
    };
    let counts = damage(
        "a.lib",
        &[&library],
        &[0, 0x78, 0x40, 0x80, 0xC0, 8, 1, 0xFF],
        agrees,
    );
    assert!(counts.read > 0 && counts.refused > 0);
}
