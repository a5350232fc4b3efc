//! A great many damaged files: each is read with the stones that it has, or refused.

use super::read_as;
use super::shown::{stones_of_psq, stones_of_sgf, stones_of_text, text_of};
use quincunx_engine::rules::{Color, Point};
use quincunx_records::renlib::{self, LibraryMove};
use quincunx_records::{RecordTree, WarningKind};

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
    warned: usize,
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
                match tree.warnings.is_empty() {
                    true => counts.read += 1,
                    false => counts.warned += 1,
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
            .warnings
            .iter()
            .any(|warning| matches!(warning.kind, WarningKind::Game { .. }))
        {
            return true;
        }
        let mut expected = stones_of_sgf(&text, tree.record.size);
        let mut found: Vec<(Color, String)> = of_tree(tree)
            .map(|(color, point)| (color, point.to_string()))
            .collect();
        expected.sort_by_key(|stone| (stone.0.index(), stone.1.clone()));
        found.sort_by_key(|stone| (stone.0.index(), stone.1.clone()));
        expected == found
    };
    let counts = damage("a.sgf", &bases, b"[]();\\BWABaohn \n\0C:", agrees);
    assert!(counts.read > 0 && counts.warned > 0 && counts.refused > 0);
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
    assert!(counts.warned > 0 && counts.refused > 0);
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
            .filter(|read| !read.is_mark)
            .map(|read| read.point.unwrap_or(Point::NONE));
        let is_whole = !tree
            .warnings
            .iter()
            .any(|warning| matches!(warning.kind, WarningKind::LeftOut(_)));
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
