//! Files of other kinds, known by their first bytes: an archive of games or a picture of a board
//! is no text in some encoding, and a page or a table is no list of moves.

use super::lines::is_blank;

/// The error of a file in a format without readable moves, with advice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("this is {what}: {remedy}")]
pub struct OtherFormatError {
    what: &'static str,
    remedy: &'static str,
    /// True for an archive of other files.
    pub is_archive: bool,
}

/// Refuses a text of another kind.
///
/// # Errors
/// Says which kind that is.
pub(crate) fn reject_other_formats_of_text(
    text: &str,
    name: Option<&str>,
) -> Result<(), OtherFormatError> {
    let text = text.trim_start_matches(is_blank);
    let begins = |start: &str| {
        let same = text.get(..start.len());
        same.is_some_and(|same| same.eq_ignore_ascii_case(start))
    };
    let is_named = |extension: &str| {
        let own = name.and_then(|name| name.rsplit_once('.'));
        own.is_some_and(|(_, own)| own.eq_ignore_ascii_case(extension))
    };
    let (what, remedy) = if begins("<!doctype html") || begins("<html") {
        ("an HTML page", DOCUMENT)
    } else if begins("<svg") || begins("<?xml") && text.contains("<svg") {
        ("an SVG picture", PICTURE)
    } else if begins("<?xml") || begins("<!--") || begins("<!doctype") {
        ("an XML document without games", EXPORT)
    } else if is_json(text) {
        ("JSON", EXPORT)
    } else if is_named("bdt") || is_show_renju(text) {
        ("a file of ShowRenju", EXPORT)
    } else if begins("quincunx checkpoint ") {
        ("a checkpoint of 'quincunx train'", GAME)
    } else {
        return Ok(());
    };
    Err(OtherFormatError {
        what,
        remedy,
        is_archive: false,
    })
}

/// Returns true if a text begins like a JSON object with names. Moves may be in brackets and
/// quotation marks too.
fn is_json(text: &str) -> bool {
    let object = text.strip_prefix('[').unwrap_or(text);
    let object = object.trim_start_matches(is_blank).strip_prefix('{');
    let name = object.and_then(|inside| inside.trim_start_matches(is_blank).strip_prefix('"'));
    let behind = name.and_then(|name| name.split_once('"'));
    behind.is_some_and(|(_, behind)| behind.trim_start_matches(is_blank).starts_with(':'))
}

/// Returns whether the first line is a game of ShowRenju's bases: a number, and in `[(` the players, the
/// result and the moves.
fn is_show_renju(text: &str) -> bool {
    let line = text.lines().next().unwrap_or_default();
    line.split_once("=[(")
        .is_some_and(|(_, game)| game.contains(','))
}

/// Refuses a file of another kind.
///
/// # Errors
/// Says which kind that is.
pub fn reject_other_formats(bytes: &[u8]) -> Result<(), OtherFormatError> {
    let is_here = |&(at, sign): &(usize, &[u8])| {
        let rest = bytes.get(at..);
        rest.is_some_and(|rest| rest.starts_with(sign))
    };
    let found = KINDS
        .iter()
        .find(|(signs, ..)| signs.iter().all(is_here))
        .map(|&(_, what, remedy)| OtherFormatError {
            what,
            remedy,
            is_archive: remedy == UNPACK,
        });
    found.map_or(Ok(()), Err)
}

const UNPACK: &str = "unpack it first";
const PICTURE: &str = "open the file of the game itself, or set the stones up";
const DOCUMENT: &str = "save the moves as text first";
const EXPORT: &str = "export the games as SGF, PSQ or text first";
const POSITIONS: &str = "'quincunx database export' writes its positions as text";
const SELF_PLAY: &str =
    "'quincunx review', 'puzzles' and 'explore build' read it, 'quincunx dump' prints its games";
const EXPLORER: &str = "'quincunx explore FILE' shows its moves";
const BOOK: &str = "'quincunx --book FILE' plays from it";
const GAME: &str = "open a file of a game";

/// Magic bytes and their offset.
type Signature = (usize, &'static [u8]);

/// The other formats: their magic bytes, of which a file has all, their name, and advice. None is
/// so short that a text could begin with it.
const KINDS: &[(&[Signature], &str, &str)] = &[
    (&[(0, b"PK\x03\x04")], "a ZIP archive", UNPACK),
    (&[(0, b"PK\x05\x06")], "an empty ZIP archive", GAME),
    (&[(0, b"\x1F\x8B\x08")], "a gzip file", UNPACK),
    (&[(0, b"7z\xBC\xAF\x27\x1C")], "a 7z archive", UNPACK),
    (&[(0, b"Rar!\x1A\x07")], "a RAR archive", UNPACK),
    (&[(0, b"BZh"), (4, b"1AY&SY")], "a bzip2 file", UNPACK),
    (&[(0, b"\xFD7zXZ\0")], "an XZ file", UNPACK),
    (&[(0, b"\x28\xB5\x2F\xFD")], "a Zstandard file", UNPACK),
    (&[(2, b"-lh"), (6, b"-")], "an LZH archive", UNPACK),
    (&[(0, b"MSCF\0\0\0\0")], "a CAB archive", UNPACK),
    (&[(257, b"ustar\0")], "a TAR archive", UNPACK),
    (&[(257, b"ustar  \0")], "a TAR archive", UNPACK),
    (&[(0, b"%PDF-")], "a PDF document", DOCUMENT),
    (
        &[(0, b"\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1")],
        "an Office document",
        DOCUMENT,
    ),
    (&[(0, b"{\\rtf")], "an RTF document", DOCUMENT),
    (&[(0, b"\x89PNG\r\n\x1A\n")], "a PNG picture", PICTURE),
    (&[(0, b"\xFF\xD8\xFF")], "a JPEG picture", PICTURE),
    (&[(0, b"GIF87a")], "a GIF picture", PICTURE),
    (&[(0, b"GIF89a")], "a GIF picture", PICTURE),
    (&[(0, b"RIFF"), (8, b"WEBP")], "a WebP picture", PICTURE),
    (&[(0, b"BM"), (6, b"\0\0\0\0")], "a BMP picture", PICTURE),
    (&[(0, b"II*\0")], "a TIFF picture", PICTURE),
    (&[(0, b"MM\0*")], "a TIFF picture", PICTURE),
    (
        &[(0, b"SQLite format 3\0"), (68, b"Qpos")],
        "a database of positions",
        POSITIONS,
    ),
    (&[(0, b"SQLite format 3\0")], "an SQLite database", EXPORT),
    (&[(0, b"QXGAMES\0")], "self-play", SELF_PLAY),
    (
        &[(0, b"QXPLORE\0")],
        "a file of 'quincunx explore'",
        EXPLORER,
    ),
    (&[(0, b"QXBOOK\0\0")], "an opening book", BOOK),
    (&[(0, b"QXTABLE\0")], "a file of evaluation tables", GAME),
    (&[(0, b"QXLINE\0\0")], "a line network", GAME),
    (&[(0, b"QXHASH\0\0")], "a hash table", GAME),
    (&[(0, b"QXLABELS")], "a file of labels", GAME),
    (&[(0, b"\x7FELF")], "a program", GAME),
    // The address of what follows the part for DOS is a small number.
    (&[(0, b"MZ"), (62, b"\0\0")], "a program", GAME),
    (&[(0, b"\xCF\xFA\xED\xFE")], "a program", GAME),
    (&[(0, b"\xCA\xFE\xBA\xBE")], "a program", GAME),
];

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::{OpenError, ReadDefaults, Source, open, open_position, read_openings, recognise};
    use quincunx_engine::rules::{BoardSize, Rule};

    /// A file with the signs of a kind, long enough for all of them.
    fn file(signs: &[Signature]) -> Vec<u8> {
        let mut bytes = vec![1; 300];
        for &(at, sign) in signs {
            bytes[at..at + sign.len()].copy_from_slice(sign);
        }
        bytes
    }

    /// Under every name and in any encoding, by every way in.
    #[test]
    fn other_kinds_are_called_by_their_names() {
        let (rule, size) = (Rule::Freestyle, BoardSize::default());
        for &(signs, what, remedy) in KINDS {
            let bytes = file(signs);
            for name in [
                None,
                Some("a.sgf"),
                Some("a.lib"),
                Some("a.psq"),
                Some("a.pos"),
            ] {
                for encoding in [None, "GBK".parse().ok()] {
                    let source = Source {
                        bytes: &bytes,
                        name,
                        encoding,
                    };
                    let error = open(source, ReadDefaults::new(rule, size)).unwrap_err();
                    assert_eq!(error.to_string(), format!("this is {what}: {remedy}"));
                    assert!(matches!(error, OpenError::OtherFormat(_)));
                    assert_eq!(recognise(source), Err(error.clone()));
                    let position = open_position(source, ReadDefaults::new(rule, size), 1);
                    assert_eq!(position.unwrap_err(), error);
                    let openings = read_openings(source, rule, size, None).unwrap_err();
                    assert_eq!(openings.to_string(), error.to_string());
                }
            }
        }
    }

    #[test]
    fn texts_of_other_kinds_are_called_by_their_names() {
        for (name, text, what) in [
            (
                "a.sgf",
                "<!DOCTYPE html>\n<html><body>h8 i9</body></html>",
                "an HTML page: ",
            ),
            ("a.txt", "\u{feff}<HTML>", "an HTML page: "),
            (
                "a.svg",
                "<svg xmlns=\"x\"><path d=\"\"/></svg>",
                "an SVG picture: ",
            ),
            (
                "a.svg",
                "<?xml version=\"1.0\"?>\n<svg/>",
                "an SVG picture: ",
            ),
            (
                "a.xml",
                "<?xml version=\"1.0\"?><gpx/>",
                "an XML document without games: ",
            ),
            (
                "games.jsonl",
                "{\"number\":1,\"moves\":[]}\n{\"number\":2}",
                "JSON: ",
            ),
            ("a.json", "[ { \"a\" : 1 } ]", "JSON: "),
            ("a.bdt", "anything", "a file of ShowRenju: "),
            (
                "a.txt",
                "1=[(Ann,Bob,+,h8i9,,)]\n2=[(Bob,Ann,-,h8,,)]",
                "a file of ShowRenju: ",
            ),
        ] {
            let source = Source {
                bytes: text.as_bytes(),
                name: Some(name),
                encoding: None,
            };
            let expected = ReadDefaults::new(Rule::Freestyle, BoardSize::default());
            let error = open(source, expected).unwrap_err();
            let begin = format!("this is {what}");
            assert!(error.to_string().starts_with(&begin), "{text}: {error}");
            assert_eq!(open_position(source, expected, 1).unwrap_err(), error);
        }
        // Moves in brackets and quotation marks, and games inside of other texts.
        for text in [
            "{\"h8\", \"i9\"}",
            "<h8><i9>",
            "<html>(;GM[4]SZ[15];B[hh];W[ig])</html>",
        ] {
            let source = Source {
                bytes: text.as_bytes(),
                name: None,
                encoding: None,
            };
            let expected = ReadDefaults::new(Rule::Freestyle, BoardSize::default());
            let read = open_position(source, expected, 1).map(|read| read.0.move_text());
            assert_eq!(read, Ok("h8i9".to_owned()), "{text}");
        }
    }

    /// A file that begins like another kind by chance is read.
    #[test]
    fn text_and_positions_that_look_similar_are_read() {
        for text in [
            "(;GM[4]SZ[15];B[hh])PK\x03\x04",
            "BM is the name of a player (;GM[4]SZ[15];B[hh])",
            "MZ (;GM[4]SZ[15];B[hh])",
            "PK (;GM[4]SZ[15];B[hh])",
            "RIFF (;GM[4]SZ[15];B[hh])",
        ] {
            assert_eq!(reject_other_formats(text.as_bytes()), Ok(()), "{text}");
        }
        let long = format!("{:257}ustar];B[hh])", "(;GM[4]SZ[15]C[");
        assert_eq!(reject_other_formats(long.as_bytes()), Ok(()));
        // 31 stones, the first of them on the points 139 and 8.
        let points = [139, 8].into_iter().chain(20..49);
        let pos: Vec<u8> = [31].into_iter().chain(points).collect();
        assert!(reject_other_formats(&pos).is_err());
        let source = Source {
            bytes: &pos,
            name: Some("a.pos"),
            encoding: None,
        };
        let read = open_position(
            source,
            ReadDefaults::new(Rule::Freestyle, BoardSize::default()),
            1,
        );
        assert_eq!(read.unwrap().0.moves().count(), 31);
    }
}
