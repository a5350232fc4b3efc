//! The parsing of typed and pasted input: sizes and lists of moves as other pages, other
//! keyboards and this page's own links write them.

use std::borrow::Cow;

/// The size of a board as it is read: `13×19` and full-width digits are as good as `13x19`.
pub(super) fn size(text: &str) -> String {
    plain(text).split_whitespace().collect()
}

/// A game as it is read. A link of the page is the position it leads to, and lists of moves and
/// positions get plain signs. Anything else stays as it is.
pub(super) fn game(text: &str) -> Cow<'_, str> {
    let trimmed = text.trim();
    let is_link = trimmed.starts_with("http://") || trimmed.starts_with("https://");
    if let Some((_, position)) = trimmed.split_once('#').filter(|_| is_link) {
        let position = position.replace("%2F", "/").replace("%2f", "/");
        return Cow::Owned(position.replace("%20", " ").replace('/', " "));
    }
    // A file has signs that a position in words has not.
    let narrow = plain(text);
    let is_position =
        |sign: char| sign.is_ascii_alphanumeric() || "-.".contains(sign) || sign.is_whitespace();
    match narrow.chars().all(is_position) {
        true => Cow::Owned(narrow),
        false => Cow::Borrowed(text),
    }
}

/// A text with the letters, digits and full stops of full-width writing as ASCII, and a
/// multiplication sign as the letter.
fn plain(text: &str) -> String {
    /// From the full-width signs to those of ASCII.
    const WIDTH: u32 = 0xfee0;
    let narrow = |sign: char| match sign {
        '×' | '✕' | '＊' | '*' => 'x',
        '\u{3000}' => ' ',
        '\u{ff01}'..='\u{ff5e}' => char::from_u32(u32::from(sign) - WIDTH).unwrap_or(sign),
        _ => sign,
    };
    text.chars().map(narrow).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_read_as_people_write_them() {
        for text in ["13x19", "13×19", "１３ｘ１９", "13 × 19", "１３＊１９"] {
            assert_eq!(size(text), "13x19");
        }
        assert_eq!(size("１５"), "15");
    }

    #[test]
    fn numbered_moves_and_links_are_read() {
        // Who reads them looks at the numbers: one that is left out may be a move.
        for text in ["1. h8 2. i9", "1.h8 i9", "1. H8\n2. i9", "1. h8 3. i9"] {
            assert_eq!(game(text), text);
        }
        assert_eq!(game("１．ｈ８　２．ｉ９"), "1.h8 2.i9");
        for link in [
            "http://127.0.0.1:5225/#15/renju/h8i9",
            "https://board.example/x/?lang=ja#15%2Frenju%2fh8i9",
        ] {
            assert_eq!(game(link), "15 renju h8i9");
        }
    }

    #[test]
    fn positions_are_read_in_full_width() {
        for (text, read) in [
            ("ｈ８ｉ９", "h8i9"),
            ("１３×１９　ｒｅｎｊｕ　ｈ８ｉ９", "13x19 renju h8i9"),
            ("13*19 renju h8", "13x19 renju h8"),
        ] {
            assert_eq!(game(text), read);
        }
    }

    #[test]
    fn other_texts_stay_as_they_are() {
        for text in [
            "h8i9",
            "15 renju h8i9",
            "(;GM[4]C[1. h8])",
            "(;GM[4]C[１３×１９])",
            "1.5 is a number",
            "http://a/b",
        ] {
            assert_eq!(game(text), text);
        }
    }
}
