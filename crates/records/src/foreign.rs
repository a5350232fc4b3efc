//! Files of other kinds, which are told by their first bytes: an archive of games or a picture
//! of a board is no text in some encoding.

/// A file of a kind that has no moves to be read, and what helps.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("this is {what}: {remedy}")]
pub struct ForeignFileError {
    what: &'static str,
    remedy: &'static str,
    /// Whether files are packed in it.
    pub is_archive: bool,
}

/// Refuses a file of another kind.
///
/// # Errors
/// Says which kind that is.
pub fn expect_no_foreign(bytes: &[u8]) -> Result<(), ForeignFileError> {
    let is_here = |&(at, sign): &(usize, &[u8])| {
        let rest = bytes.get(at..);
        rest.is_some_and(|rest| rest.starts_with(sign))
    };
    let found = KINDS
        .iter()
        .find(|(signs, ..)| signs.iter().all(is_here))
        .map(|&(_, what, remedy)| ForeignFileError {
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
const POSITIONS: &str = "if it has positions, 'quincunx database export' writes them as text";
const GAME: &str = "open a file of a game";

/// A sign, and the byte where it stands.
type Sign = (usize, &'static [u8]);

/// The signs of each kind, all of which a file of it has, its name, and what helps. None is so
/// short that a text may begin with it.
const KINDS: &[(&[Sign], &str, &str)] = &[
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
    (&[(0, b"SQLite format 3\0")], "an SQLite database", EXPORT),
    (&[(0, b"redb\x1A\n")], "a redb database", POSITIONS),
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
    use crate::{Expected, OpenError, Source, open, open_position, read_openings, recognise};
    use quincunx_engine::rules::{BoardSize, Rule};

    /// A file with the signs of a kind, long enough for all of them.
    fn file(signs: &[Sign]) -> Vec<u8> {
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
                    let error = open(source, Expected::new(rule, size)).unwrap_err();
                    assert_eq!(error.to_string(), format!("this is {what}: {remedy}"));
                    assert!(matches!(error, OpenError::Foreign(_)));
                    assert_eq!(recognise(source), Err(error.clone()));
                    let position = open_position(source, Expected::new(rule, size), 1);
                    assert_eq!(position.unwrap_err(), error);
                    let openings = read_openings(source, rule, size, None).unwrap_err();
                    assert_eq!(openings.to_string(), error.to_string());
                }
            }
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
            assert_eq!(expect_no_foreign(text.as_bytes()), Ok(()), "{text}");
        }
        let long = format!("{:257}ustar];B[hh])", "(;GM[4]SZ[15]C[");
        assert_eq!(expect_no_foreign(long.as_bytes()), Ok(()));
        // 31 stones, the first of them on the points 139 and 8.
        let points = [139, 8].into_iter().chain(20..49);
        let pos: Vec<u8> = [31].into_iter().chain(points).collect();
        assert!(expect_no_foreign(&pos).is_err());
        let source = Source {
            bytes: &pos,
            name: Some("a.pos"),
            encoding: None,
        };
        let read = open_position(
            source,
            Expected::new(Rule::Freestyle, BoardSize::default()),
            1,
        );
        assert_eq!(read.unwrap().0.moves().count(), 31);
    }
}
