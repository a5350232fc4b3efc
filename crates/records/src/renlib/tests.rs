//! Libraries byte by byte, there and back, and damaged.

use super::*;
use proptest::prelude::*;

/// Moves depth first: each at most one deeper than the one before.
fn library() -> impl Strategy<Value = Vec<LibraryMove>> {
    let text = "[ -~é\n]{0,9}";
    let one = (any::<u8>(), 0..226usize, "[ -~é]{0,5}", text, any::<bool>());
    proptest::collection::vec(one, 0..40).prop_map(|moves| {
        let (mut depth, mut was_mark) = (0, false);
        let below = moves
            .into_iter()
            .map(|(level, place, mark, comment, is_mark)| {
                // Nothing follows a mark.
                let deepest = if was_mark { depth } else { depth + 1 };
                depth = 1 + usize::from(level) % deepest;
                let point = (place < 225).then(|| Point::new(place % 15, place / 15));
                was_mark = is_mark && point.is_some();
                LibraryMove {
                    depth,
                    point,
                    mark,
                    comment,
                    is_mark: was_mark,
                    ..LibraryMove::default()
                }
            });
        std::iter::once(LibraryMove::default())
            .chain(below)
            .collect()
    })
}

fn without_places(mut moves: Vec<LibraryMove>) -> Vec<LibraryMove> {
    for one in &mut moves {
        one.at = 0;
    }
    moves
}

proptest! {
    #[test]
    fn what_is_written_is_read(moves in library()) {
        let bytes = write(&moves);
        prop_assert_eq!(read(&bytes, None).map(without_places), Ok(moves));
        for end in 0..bytes.len() {
            let cut = read(&bytes[..end], None);
            prop_assert!(cut.is_err(), "cut at {}", end);
        }
    }

    #[test]
    fn any_bytes_are_survived(bytes in proptest::collection::vec(any::<u8>(), 0..99)) {
        let _ = read(&bytes, None);
        let headed = [&write(&[])[..], &bytes].concat();
        let _ = read(&headed, None);
    }
}

/// By hand after the description: black in the centre, two answers, the
/// first with an answer of its own.
#[test]
fn a_small_library() {
    let moves: [&[u8]; 7] = [
        &[0x00, 0x00],
        &[0x78, 0x08],
        b"why\x08not\0",
        &[0x68, 0x80],
        &[0x66, 0x41, 0x00, 0x01, b'A', 0x00],
        &[0x69, 0x60, b'o', b'l', b'd' | 0x80, 0x00],
        &[],
    ];
    let mut bytes = MAGIC.to_vec();
    bytes.extend([3, 4]);
    bytes.extend([0xFF; 10]);
    bytes.extend(moves.concat());
    let read = without_places(read(&bytes, None).unwrap());
    let expected = [
        (0, None, "", ""),
        (1, Some((7, 7)), "", "why\nnot"),
        (2, Some((7, 6)), "", ""),
        (3, Some((5, 6)), "A", ""),
        (2, Some((8, 6)), "", "old"),
    ];
    let expected = expected.map(|(depth, point, mark, comment)| LibraryMove {
        depth,
        point: point.map(|(x, row)| Point::new(x, SIDE - 1 - row)),
        mark: mark.to_owned(),
        comment: comment.to_owned(),
        ..LibraryMove::default()
    });
    assert_eq!(read, expected);
}

/// A mark on a point without a move was once read as a move.
#[test]
fn marks_are_labels_of_the_position_before() {
    let point = |text: &str| text.parse().ok();
    let one = |depth, text: &str, mark: &str| LibraryMove {
        depth,
        point: point(text),
        mark: mark.to_owned(),
        ..LibraryMove::default()
    };
    let mark = |depth, text: &str, mark: &str| LibraryMove {
        is_mark: true,
        ..one(depth, text, mark)
    };
    let moves = [
        one(0, "", "root"),
        one(1, "h8", "A"),
        mark(2, "a15", "x:]"),
        one(2, "i9", "B"),
        one(3, "g10", ""),
        mark(2, "b15", "y"),
        one(2, "i8", "C"),
    ];
    let bytes = write(&moves);
    // As RenLib writes it: the mark has siblings, and neither moves behind it nor one itself.
    let expected = [0x01, 0xC3, 0x00, 0x01];
    assert!(bytes.windows(4).any(|window| window == expected));
    let read = read(&bytes, None).unwrap();
    let tree = game(read.into_iter().map(Ok), Rule::Renju, BoardSize::default()).unwrap();
    let points = |tree: &RecordTree| -> String {
        let nodes = tree.nodes.iter().skip(1);
        nodes.map(|node| node.point.to_string()).collect()
    };
    assert_eq!(points(&tree), "h8i9g10i8");
    let said: Vec<(&str, String)> = (tree.nodes.iter())
        .map(|node| {
            let properties = node.properties().iter().map(Property::to_string);
            (node.comment(), properties.collect())
        })
        .collect();
    let labels = "LB[aa:x\\:\\]][ig:B][ba:y][ih:C]";
    assert_eq!(said[0], ("root", "LB[hh:A]".to_owned()));
    assert_eq!(said[1], ("", labels.to_owned()));
    assert_eq!(said[2], ("", String::new()));
    // What moves follow is a move, whatever its flags say.
    let at = 20 + bytes[20..].iter().position(|&byte| byte == 0x78).unwrap();
    let mut odd = bytes;
    odd[at + 1] |= flag::NO_MOVE as u8;
    let read = super::read(&odd, None).unwrap();
    let tree = game(read.into_iter().map(Ok), Rule::Renju, BoardSize::default()).unwrap();
    assert_eq!(points(&tree), "h8i9g10i8");
}

/// A board showed no more than their beginning.
#[test]
fn marks_that_are_too_long_are_comments() {
    let one = |depth, text: &str, mark: &str, is_mark| LibraryMove {
        depth,
        point: text.parse().ok(),
        mark: mark.to_owned(),
        comment: "said".to_owned(),
        is_mark,
        ..LibraryMove::default()
    };
    let moves = [
        LibraryMove::default(),
        one(1, "h8", "W12", false),
        one(2, "i9", "Kan'getsu", false),
        one(2, "a15", "wins as well", true),
    ];
    let tree = game(moves.into_iter().map(Ok), Rule::Renju, BoardSize::default()).unwrap();
    let said: Vec<&str> = tree.nodes.iter().map(RecordNode::comment).collect();
    assert_eq!(
        said,
        ["", "said\na15: wins as well\nsaid", "Kan'getsu\nsaid"]
    );
    let labels = tree.nodes.iter().flat_map(RecordNode::properties);
    let labels: String = labels.map(Property::to_string).collect();
    assert_eq!(labels, "LB[hh:W12]");
}

#[test]
fn damage_is_named() {
    let text = |bytes: &[u8]| read(bytes, None).unwrap_err().to_string();
    let with = |more: &[u8]| {
        let bytes = write(&[]);
        text(&[&bytes, more].concat())
    };
    assert_eq!(
        text(b"RenLib"),
        "byte 0: no RenLib library begins like this"
    );
    assert_eq!(with(&[]), "byte 20: the file ends too early");
    assert_eq!(with(&[0, 0, 0xF8, 0x40]), "byte 22: no point of a board");
    assert_eq!(with(&[0, 0, 0x70, 0x40]), "byte 22: no point of a board");
    assert_eq!(
        with(&[0, 0, 0x78, 0x41, 9, 0]),
        "byte 24: flags of no known version"
    );
    assert_eq!(
        with(&[0, 0, 0x78, 0x40, 0x78]),
        "byte 24: more bytes after the last move"
    );
    assert_eq!(with(&[0, 0x80]), "byte 20: the empty board has a sibling");
    let mut newer = write(&[LibraryMove::default()]);
    newer[9] = 5;
    assert_eq!(
        text(&newer),
        "byte 8: RenLib 3.05 is not known, only up to 3.04"
    );
}
