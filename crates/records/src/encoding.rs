//! Bytes to text, by what a file says of itself.
//!
//! A byte order mark says how a text is encoded, and so do the property CA of SGF and the first
//! line of XML.
//! Without either, a text is UTF-8 if all but few of its characters are, else Latin-1. Encodings of
//! Chinese and Japanese have characters whose second byte is a sign of SGF (`\`, `[`, `]`),
//! so a file is decoded before it is parsed, and refused where its encoding is not known
//! and decides where a value ends. The games of a collection may each have their own.

use super::lines::{TextPosition, shown};
use super::warning::{Warning, WarningKind};
use encoding_rs::{Encoding as Charset, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252};
use std::fmt;
use std::str::FromStr;
#[cfg(all(target_arch = "wasm32", target_os = "unknown"))]
use web_sys::{TextDecoder, TextDecoderOptions};

/// A character encoding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Encoding(&'static Charset);

impl Encoding {
    /// UTF-8.
    pub const UTF_8: Encoding = Encoding(UTF_8);

    /// Latin-1, with the signs that Windows adds.
    pub(crate) const LATIN_1: Encoding = Encoding(WINDOWS_1252);

    /// Returns true if two bytes may encode one character.
    fn is_double(self) -> bool {
        !self.0.is_single_byte() && self.0 != UTF_8
    }

    /// The text of some bytes, and whether all of them make sense in this encoding.
    #[cfg(not(all(target_arch = "wasm32", target_os = "unknown")))]
    fn decode(self, bytes: &[u8]) -> (String, bool) {
        let (text, has_errors) = self.0.decode_with_bom_removal(bytes);
        (text.into_owned(), !has_errors)
    }

    /// Decodes bytes by the browser, because the tables would be a fifth of the module.
    #[cfg(all(target_arch = "wasm32", target_os = "unknown"))]
    fn decode(self, bytes: &[u8]) -> (String, bool) {
        let decode = |is_strict| {
            let options = TextDecoderOptions::new();
            options.set_fatal(is_strict);
            TextDecoder::new_with_label_and_options(self.0.name(), &options)?
                .decode_with_u8_array(bytes)
        };
        match decode(true) {
            Ok(text) => (text, true),
            Err(_) => {
                let text = decode(false);
                let text = text.unwrap_or_else(|_| String::from_utf8_lossy(bytes).into_owned());
                (text, false)
            }
        }
    }
}

/// The name that the web's standards give it.
impl fmt::Display for Encoding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0.name())
    }
}

/// No encoding has this name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("'{0}' is no known encoding: expected a name such as UTF-8, Shift_JIS, GBK or Big5")]
pub struct ParseEncodingError(String);

impl FromStr for Encoding {
    type Err = ParseEncodingError;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        let name = name.trim();
        // Numbers of Windows' code pages, which the web's standards leave out.
        let label = match name.to_ascii_lowercase().as_str() {
            "cp932" => "Shift_JIS",
            "cp936" => "GBK",
            "cp949" => "EUC-KR",
            "cp950" => "Big5",
            _ => name,
        };
        let found = Charset::for_label_no_replacement(label.as_bytes());
        found
            .map(Encoding)
            .ok_or_else(|| ParseEncodingError(name.to_owned()))
    }
}

/// The encoding is unknown, and the content depends on it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "{place}: in {0} and {1} this file says different things: give its encoding (--encoding)",
    .encodings[0],
    .encodings[1]
)]
pub struct AmbiguousError {
    /// The first place where they differ.
    pub place: TextPosition,
    /// The two.
    pub encodings: [Encoding; 2],
}

/// A decoded text, with warnings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Decoded {
    pub(crate) text: String,
    pub(crate) warnings: Vec<Warning>,
}

/// Decodes a file. An `encoding` that is given is the one; else the file decides.
///
/// # Errors
/// When the encoding is not known and decides where a value of SGF ends.
pub(crate) fn decode(bytes: &[u8], encoding: Option<Encoding>) -> Result<Decoded, AmbiguousError> {
    if let Some(encoding) = encoding {
        return Ok(in_encoding(bytes, encoding));
    }
    if let Some((marked, _)) = Charset::for_bom(bytes) {
        return Ok(in_encoding(bytes, Encoding(marked)));
    }
    if let Some(wide) = without_mark(bytes) {
        return Ok(in_encoding(bytes, Encoding(wide)));
    }
    if let Some(declared) = of_xml(bytes).filter(|&it| it != Encoding::UTF_8) {
        return Ok(converted(bytes, declared).unwrap_or_else(|| in_encoding(bytes, declared)));
    }
    let mut whole = Decoded {
        text: String::new(),
        warnings: Vec::new(),
    };
    for part in parts(bytes) {
        let read = decode_part(part).map_err(|error| {
            let start = TextPosition::of(&whole.text, whole.text.len());
            let place = error.place.after(start);
            AmbiguousError { place, ..error }
        })?;
        match whole.text.is_empty() {
            true => whole.text = read.text,
            false => whole.text.push_str(&read.text),
        }
        whole.warnings.extend(read.warnings);
    }
    Ok(whole)
}

/// The encoding that XML declares in its first line.
fn of_xml(bytes: &[u8]) -> Option<Encoding> {
    let start = &bytes[..bytes.len().min(200)];
    let inside = start.trim_ascii_start().strip_prefix(b"<?xml")?;
    let text = String::from_utf8_lossy(inside);
    let (_, behind) = text.split("?>").next()?.split_once("encoding")?;
    let value = behind.trim_start().strip_prefix('=')?.trim_start();
    let quote = value.chars().next().filter(|c| matches!(c, '"' | '\''))?;
    let (name, _) = value[1..].split_once(quote)?;
    name.parse().ok()
}

/// Decodes a part with a single encoding.
fn decode_part(bytes: &[u8]) -> Result<Decoded, AmbiguousError> {
    if bytes.is_ascii() && !escapes_ascii(bytes) {
        return Ok(in_encoding(bytes, Encoding::UTF_8));
    }
    let Some((_, name)) = names(bytes).next() else {
        return unnamed(bytes, UNNAMED);
    };
    let Ok(encoding) = name.parse::<Encoding>() else {
        let mut decoded = unnamed(bytes, "it is not UTF-8 either")?;
        let warning = WarningKind::UnknownEncoding(shown(&name));
        decoded.warnings.insert(0, warning.into());
        return Ok(decoded);
    };
    if encoding == Encoding::UTF_8 {
        return unnamed(bytes, "CA says UTF-8, which this is not");
    }
    if let Some(converted) = converted(bytes, encoding) {
        return Ok(converted);
    }
    let decoded = in_encoding(bytes, encoding);
    // Half a character before a backslash may be the other half of it.
    let half = decoded.text.find("\u{fffd}\\");
    if let Some(at) = half.filter(|_| encoding.is_double()) {
        return Err(AmbiguousError {
            place: TextPosition::of(&decoded.text, at),
            encodings: [encoding, Encoding::LATIN_1],
        });
    }
    // It may have been converted to UTF-8 all the same. Files that are ASCII have nothing to
    // convert, but may have an encoding that shifts.
    let (utf_8, is_utf_8) = Encoding::UTF_8.decode(bytes);
    let may_be_both = is_utf_8 && !bytes.is_ascii();
    match difference(&decoded.text, &utf_8).filter(|_| may_be_both) {
        Some(at) => Err(AmbiguousError {
            place: TextPosition::of(&utf_8, at),
            encodings: [encoding, Encoding::UTF_8],
        }),
        None => Ok(decoded),
    }
}

/// The text of a file that names another encoding and is UTF-8: editors convert files and leave
/// the name. Chance hardly ever makes valid UTF-8 of text in a one-byte encoding. Of text in a
/// two-byte encoding it does, but hardly ever with characters of three bytes.
fn converted(bytes: &[u8], encoding: Encoding) -> Option<Decoded> {
    let text = std::str::from_utf8(bytes)
        .ok()
        .filter(|text| !text.is_ascii())?;
    let is_certain = !encoding.is_double() || text.chars().any(|c| c.len_utf8() > 2);
    is_certain.then(|| Decoded {
        text: text.to_owned(),
        warnings: vec![WarningKind::OtherEncoding(encoding.to_string()).into()],
    })
}

/// The reason for reading a text as Latin-1 that names no encoding.
pub(crate) const UNNAMED: &str = "no encoding is named, and this is not UTF-8";

/// A text in no format: UTF-8, else as it is known to be encoded, else Latin-1.
pub(crate) fn plain(bytes: &[u8], encoding: Option<Encoding>) -> String {
    let others = encoding.unwrap_or(Encoding::LATIN_1);
    match std::str::from_utf8(bytes) {
        Ok(text) => text.to_owned(),
        Err(_) => others.decode(bytes).0,
    }
}

/// UTF-8, though characters may be damaged, else Latin-1, and why.
fn unnamed(bytes: &[u8], why: &'static str) -> Result<Decoded, AmbiguousError> {
    if is_utf_8(bytes) {
        return Ok(in_encoding(bytes, Encoding::UTF_8));
    }
    let mut decoded = latin_1(bytes)?;
    decoded.warnings.insert(0, WarningKind::Latin1(why).into());
    Ok(decoded)
}

/// Returns true if the bytes are UTF-8 with at most a few damaged characters. Text in another
/// encoding is hardly ever valid UTF-8.
fn is_utf_8(bytes: &[u8]) -> bool {
    let (mut whole, mut damaged) = (0, 0);
    for chunk in bytes.utf8_chunks() {
        whole += chunk.valid().chars().filter(|c| !c.is_ascii()).count();
        damaged += usize::from(!chunk.invalid().is_empty());
    }
    damaged == 0 || whole > 2 * damaged
}

fn in_encoding(bytes: &[u8], encoding: Encoding) -> Decoded {
    let (text, is_whole) = encoding.decode(bytes);
    let warning = (!is_whole).then(|| WarningKind::Damaged(encoding.to_string()).into());
    Decoded {
        text,
        warnings: warning.into_iter().collect(),
    }
}

/// Returns true if bytes of ASCII may be a stateful encoding with escape sequences, such as
/// ISO-2022-JP of Japanese mail.
fn escapes_ascii(bytes: &[u8]) -> bool {
    bytes.contains(&0x1B)
}

/// UTF-16 without a mark, where half of the bytes at the start are zero.
fn without_mark(bytes: &[u8]) -> Option<&'static Charset> {
    let zeros = bytes.first_chunk::<4>()?.map(|byte| byte == 0);
    match zeros {
        _ if bytes.len() % 2 == 1 => None,
        [true, false, true, false] => Some(UTF_16BE),
        [false, true, false, true] => Some(UTF_16LE),
        _ => None,
    }
}

/// Decodes Latin-1. It is an error if a backslash may be the second half of a character, because
/// escapes then depend on the encoding.
fn latin_1(bytes: &[u8]) -> Result<Decoded, AmbiguousError> {
    let decoded = in_encoding(bytes, Encoding::LATIN_1);
    let escape = bytes
        .windows(2)
        .position(|pair| pair[0] >= 0x80 && pair[1] == b'\\');
    match escape.filter(|_| bytes.contains(&b'(')) {
        None => Ok(decoded),
        Some(at) => Err(AmbiguousError {
            // Each byte is a character of Latin-1.
            place: {
                let before = &bytes[..at];
                let text = Encoding::LATIN_1.decode(before).0;
                TextPosition::of(&text, text.len())
            },
            encodings: [Encoding::LATIN_1, Encoding(encoding_rs::SHIFT_JIS)],
        }),
    }
}

/// The first byte of `right` where the characters of ASCII of two texts differ.
fn difference(left: &str, right: &str) -> Option<usize> {
    let mut left = left.bytes().filter(u8::is_ascii);
    let mut right = right
        .bytes()
        .enumerate()
        .filter(|(_, byte)| byte.is_ascii());
    loop {
        match (left.next(), right.next()) {
            (None, None) => return None,
            (Some(one), Some((_, other))) if one == other => {}
            (_, Some((at, _))) => return Some(at),
            (Some(_), None) => return Some(0),
        }
    }
}

/// The parts of a text that name different encodings. Each begins with a game.
fn parts(bytes: &[u8]) -> Vec<&[u8]> {
    let mut parts = Vec::new();
    // Where the part begins, where the last name stands, and what it is the name of.
    let (mut from, mut before, mut named) = (0, 0, None);
    for (at, name) in names(bytes) {
        let encoding = name.parse::<Encoding>().ok();
        let start = start_of_tree(&bytes[before..at]).map(|start| before + start);
        let start = start.filter(|&start| match named {
            Some(named) => named != encoding,
            // Games before the first name have none.
            None => start_of_tree(&bytes[..start]).is_some(),
        });
        if let Some(start) = start {
            parts.push(&bytes[from..start]);
            from = start;
        }
        if start.is_some() || named.is_none() {
            named = Some(encoding);
        }
        before = at;
    }
    parts.push(&bytes[from..]);
    parts
}

/// The offset of the last game tree in the bytes.
fn start_of_tree(bytes: &[u8]) -> Option<usize> {
    (0..bytes.len()).rev().find(|&at| {
        let inside = bytes[at..].strip_prefix(b"(");
        inside.is_some_and(|inside| inside.trim_ascii_start().starts_with(b";"))
    })
}

/// The longest name of an encoding that is looked for.
const LONGEST_NAME: usize = 40;

/// The CA properties of a text with their byte positions. They are plain ASCII in every encoding.
fn names(bytes: &[u8]) -> impl Iterator<Item = (usize, String)> {
    // The last byte that is no blank.
    let mut last = b' ';
    bytes.iter().enumerate().filter_map(move |(at, &byte)| {
        let before = last;
        if !byte.is_ascii_whitespace() {
            last = byte;
        }
        if !b";](".contains(&before) || !bytes[at..].starts_with(b"CA") {
            return None;
        }
        let value = bytes[at + 2..].trim_ascii_start().strip_prefix(b"[")?;
        let value = &value[..value.len().min(LONGEST_NAME)];
        let end = value.iter().position(|&byte| byte == b']')?;
        let name = std::str::from_utf8(&value[..end]).ok()?.trim();
        (!name.is_empty()).then(|| (at, name.to_owned()))
    })
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn text(bytes: &[u8]) -> String {
        decode(bytes, None).unwrap().text
    }

    #[test]
    fn files_name_their_encoding() {
        assert_eq!(text("(;PB[é]".as_bytes()), "(;PB[é]");
        assert_eq!(text(b"\xEF\xBB\xBFh8"), "h8");
        assert_eq!(text(b"(;PB[\xE9]"), "(;PB[é]");
        assert_eq!(text(b"\xFF\xFEh\x008\x00"), "h8");
        assert_eq!(text(b"\xFE\xFF\x00h\x008"), "h8");
        assert_eq!(text(b"(\x00;\x00)\x00"), "(;)");
        assert_eq!(text(b"\x00(\x00;\x00)"), "(;)");
        // The second byte of the character is a backslash.
        let japanese = b"(;GM[4]CA[Shift_JIS]SZ[15]PB[\x95\x5C];B[hh])";
        assert_eq!(
            text(japanese),
            "(;GM[4]CA[Shift_JIS]SZ[15]PB[\u{8868}];B[hh])"
        );
        let mail = b"(;CA[ISO-2022-JP]PB[\x1b$B$\x5d\x1b(B];B[hh])";
        assert_eq!(text(mail), "(;CA[ISO-2022-JP]PB[\u{307d}];B[hh])");
        let chinese = b"(; CA [ gb2312 ]PB[\xC4\xE3])";
        assert_eq!(text(chinese), "(; CA [ gb2312 ]PB[\u{4f60}])");
    }

    /// The first name once decoded the games of all others.
    #[test]
    fn games_of_a_collection_have_their_own_encodings() {
        let text = text(
            b"(;PB[x];B[hh])(;CA[GBK]PB[\xC4\xE3];B[hh](;W[ii])(;W[gg]))\r\n\
            ( ;GM[4]CA[Shift_JIS]PB[\x95\x5C];B[hh])\r\n(;CA[UTF-8]PB[\xE4\xBD\xA0];CA[GBK])",
        );
        let expected = "(;PB[x];B[hh])(;CA[GBK]PB[\u{4f60}];B[hh](;W[ii])(;W[gg]))\r\n\
            ( ;GM[4]CA[Shift_JIS]PB[\u{8868}];B[hh])\r\n(;CA[UTF-8]PB[\u{4f60}];CA[GBK])";
        assert_eq!(text, expected);
        let unclear = b"(;CA[GBK]PB[\xC4\xE3])\n(;CA[Latin1]B[hh])\n(;CA[UTF-8]PB[\x95\x5C])";
        let error = decode(unclear, None).unwrap_err();
        assert_eq!(
            error.place,
            TextPosition {
                line: 3,
                column: 15
            }
        );
    }

    /// They were once read as the first game that names an encoding.
    #[test]
    fn games_before_the_first_name_have_no_encoding() {
        let games = b"(;PB[\xC3\xA9];B[hh])\n(;PB[x])\n(;CA[GBK]PB[\xC4\xE3])";
        assert_eq!(
            text(games),
            "(;PB[\u{e9}];B[hh])\n(;PB[x])\n(;CA[GBK]PB[\u{4f60}])"
        );
    }

    fn said(decoded: &Decoded) -> Vec<String> {
        decoded.warnings.iter().map(Warning::to_string).collect()
    }

    #[test]
    fn a_wrong_encoding_name_is_a_warning() {
        let decoded = decode(b"(;CA[UTF-8]PB[\xE9])", None).unwrap();
        assert_eq!(decoded.text, "(;CA[UTF-8]PB[é])");
        assert_eq!(decoded.warnings.len(), 1);
        let decoded = decode("(;CA[klingon]PB[é])".as_bytes(), None).unwrap();
        assert_eq!(said(&decoded), ["CA[klingon] is no known encoding"]);
        let decoded = decode(b"(;PB[\xE9])", None).unwrap();
        let latin = "no encoding is named, and this is not UTF-8: read as Latin-1";
        assert_eq!(said(&decoded), [latin]);
        let decoded = decode(b"(;CA[Shift_JIS]PB[\xFF])", None).unwrap();
        assert_eq!(said(&decoded), ["some characters are not Shift_JIS"]);
    }

    /// A byte that was lost once turned all names of a file into signs of Latin-1.
    #[test]
    fn text_in_utf_8_is_read_as_such() {
        let name = "\u{738b}\u{5c0f}\u{660e}";
        for ca in ["", "CA[UTF-8]", "CA[klingon]"] {
            let whole = format!("(;{ca}PB[{name}]C[x");
            let decoded = decode(&[whole.as_bytes(), b"\xE5\xBE])"].concat(), None).unwrap();
            assert_eq!(decoded.text, format!("{whole}\u{fffd}])"));
            let last = said(&decoded).pop();
            assert_eq!(last.as_deref(), Some("some characters are not UTF-8"));
        }
        for (ca, encoding) in [
            ("ISO-8859-1", "windows-1252"),
            ("windows-1251", "windows-1251"),
        ] {
            let text = format!("(;CA[{ca}]PB[{name}])");
            let decoded = decode(text.as_bytes(), None).unwrap();
            assert_eq!(decoded.text, text);
            let warning = format!("CA says {encoding}, but this is UTF-8");
            assert_eq!(said(&decoded), [warning]);
        }
        assert_eq!(
            text(b"(;CA[cp936]PB[\xC4\xE3])"),
            "(;CA[cp936]PB[\u{4f60}])"
        );
        assert_eq!(
            text(b"(;CA[CP932]PB[\x95\x5C])"),
            "(;CA[CP932]PB[\u{8868}])"
        );
    }

    /// UTF-8 under the name of a two-byte encoding was garbled without a word, or refused.
    #[test]
    fn files_that_editors_converted_to_utf_8_are_utf_8() {
        for name in ["GB2312", "GBK", "Big5", "Shift_JIS", "EUC-KR", "ISO-8859-1"] {
            for players in ["\u{53e4}\u{529b}", "\u{68cb}x", "\u{d64d}"] {
                let sgf = format!("(;CA[{name}]PB[{players}];B[hh])");
                let decoded = decode(sgf.as_bytes(), None).unwrap();
                assert_eq!((decoded.text, decoded.warnings.len()), (sgf, 1), "{name}");
            }
        }
        let xml = "<?xml version=\"1.0\" encoding=\"windows-1251\"?><a>\u{418}\u{432}</a>";
        let decoded = decode(xml.as_bytes(), None).unwrap();
        assert_eq!((&*decoded.text, decoded.warnings.len()), (xml, 1));
    }

    /// Read as another encoding, these would lose a stone.
    #[test]
    fn encodings_that_decide_have_to_be_named() {
        let unnamed = b"(;PB[\x95\x5C];B[hh])";
        let error = decode(unnamed, None).unwrap_err();
        assert_eq!(error.place, TextPosition { line: 1, column: 6 });
        let japanese = "shift-jis".parse().unwrap();
        let named = decode(unnamed, Some(japanese)).unwrap();
        assert_eq!(named.text, "(;PB[\u{8868}];B[hh])");
        // Converted to UTF-8 by an editor, which has left CA as it was.
        let converted = "(;CA[Shift_JIS]PB[\u{c1}];B[hh])";
        assert!(decode(converted.as_bytes(), None).is_err());
        let utf_8 = decode(converted.as_bytes(), Some(Encoding::UTF_8)).unwrap();
        assert_eq!(utf_8.text, converted);
        assert!("klingon".parse::<Encoding>().is_err());
    }
}
