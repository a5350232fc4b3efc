//! Text around the trees of SGF: prose that is skipped, or moves that would be lost.

use crate::text::is_blank;

/// The properties that put stones on the board.
pub(super) const STONES: [&str; 4] = ["B", "W", "AB", "AW"];

/// The most bytes of the value of a point, and of the bracket behind it.
const LONGEST_POINT: usize = 8;

/// Where a text that is in no tree has the name of a property before a bracket, or one that
/// old files write such as `Black[h8]`.
pub(super) fn looks_like_moves(text: &str) -> Option<usize> {
    let is_name = |c: char| c.is_ascii_uppercase() || c.is_ascii_digit();
    text.match_indices('[').map(|(at, _)| at).find(|&at| {
        let before = text[..at].trim_end_matches(is_blank);
        before.ends_with(is_name) || (is_old_stone(before) && is_point(&text[at + 1..]))
    })
}

/// Whether a text ends with a name of which only capitals count, and those are of a stone.
fn is_old_stone(text: &str) -> bool {
    let rest = text.trim_end_matches(|c: char| c.is_ascii_alphanumeric());
    let word = text[rest.len()..].bytes();
    let name: Vec<u8> = word.filter(|byte| !byte.is_ascii_lowercase()).collect();
    STONES.iter().any(|stone| stone.as_bytes() == name)
}

/// Whether a value begins here that is a point or a pass.
fn is_point(text: &str) -> bool {
    let mut start = text.bytes().take(LONGEST_POINT);
    let Some(end) = start.position(|byte| byte == b']') else {
        return false;
    };
    match text[..end].trim_matches(is_blank).as_bytes() {
        [] => true,
        [x, rest @ ..] => {
            let is_row = rest.len() == 1 && rest[0].is_ascii_alphabetic();
            let is_number = matches!(rest.len(), 1..=2) && rest.iter().all(u8::is_ascii_digit);
            x.is_ascii_alphabetic() && (is_row || is_number)
        }
    }
}

/// Where a word of a text begins like a point, a letter and a number.
pub(super) fn point_in(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    let is_word = |at: usize| bytes.get(at).is_some_and(u8::is_ascii_alphanumeric);
    (0..bytes.len()).find(|&at| {
        let is_start = at == 0 || !is_word(at - 1);
        is_start
            && bytes[at].is_ascii_alphabetic()
            && bytes.get(at + 1).is_some_and(u8::is_ascii_digit)
    })
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::super::{SyntaxProblem, Tree};

    #[test]
    fn what_may_be_moves_is_no_prose() {
        // Beside moves a point is a remark on them.
        for (text, column) in [
            ("Wub[h8] (;B[aa])", 4),
            ("Black [h8] (;B[aa])", 7),
            ("(;B[aa]) White[]", 15),
            ("(;)(i9)(g10)", 5),
            ("h8 i9 (;GM[4]SZ[15])", 1),
        ] {
            let error = Tree::parse(text).unwrap_err();
            assert_eq!(error.problem, SyntaxProblem::Outside, "{text}");
            assert_eq!(error.place.column, column, "{text}");
        }
        for text in [
            "World [new] (;B[aa])",
            "Wikipedia[12] (;B[aa])",
            "(;B[aa]) h8 would be better",
            "Our games (;GM[4]SZ[15])",
        ] {
            assert!(Tree::parse(text).is_ok(), "{text}");
        }
    }
}
