//! Text around the trees of SGF: prose that is skipped, or moves that would be lost.

use crate::lines::is_blank;
use crate::stone_name::{is_old_stone, is_point};
use quincunx_engine::rules::Point;

/// The most bytes of the value of a point, and of the bracket behind it.
const LONGEST_POINT: usize = 8;

/// The offset of text outside all trees that looks like moves: a property name before a bracket, or
/// an old spelling such as `Black[h8]`.
pub(super) fn looks_like_moves(text: &str) -> Option<usize> {
    let is_name = |c: char| c.is_ascii_uppercase() || c.is_ascii_digit();
    text.match_indices('[').map(|(at, _)| at).find(|&at| {
        let before = text[..at].trim_end_matches(is_blank);
        before.ends_with(is_name) || (is_old_stone(before) && is_point_value(&text[at + 1..]))
    })
}

/// Returns true if the text begins with a bracketed point or pass.
fn is_point_value(text: &str) -> bool {
    let mut start = text.bytes().take(LONGEST_POINT);
    let end = start.position(|byte| byte == b']');
    end.is_some_and(|end| is_point(&text[..end]))
}

/// The offset of the first word that is a point or several, such as `h8i9`. A version such as
/// `v1.2` is not one.
pub(super) fn point_in(text: &str) -> Option<usize> {
    let mut rest = text;
    loop {
        let word = rest.trim_start_matches(|c: char| !c.is_ascii_alphanumeric());
        rest = word.trim_start_matches(|c: char| c.is_ascii_alphanumeric());
        let end = word.len() - rest.len();
        if end == 0 {
            return None;
        }
        let decimals = rest.strip_prefix('.');
        let is_version = decimals.is_some_and(|it| it.starts_with(|c: char| c.is_ascii_digit()));
        if are_points(&word[..end]) && !is_version {
            return Some(text.len() - word.len());
        }
    }
}

/// Returns true if a word consists of points of the largest board.
fn are_points(word: &str) -> bool {
    let mut rest = word;
    while !rest.is_empty() {
        let digits = rest.trim_start_matches(|c: char| c.is_ascii_alphabetic());
        let after = digits.trim_start_matches(|c: char| c.is_ascii_digit());
        let point = &rest[..rest.len() - after.len()];
        if point.parse::<Point>().is_err() {
            return false;
        }
        rest = after;
    }
    true
}

/// Returns true if the parenthesis at this byte opens a tree. After other text it must be followed
/// by a property, because mail contains emoticons.
pub(crate) fn opens_a_tree(text: &str, at: usize) -> bool {
    let inside = text[at + 1..].trim_start_matches(is_blank);
    inside.strip_prefix(';').is_some_and(|node| {
        let node = node.trim_start_matches(is_blank);
        text[..at].chars().all(is_blank) || node.starts_with(|c: char| c.is_ascii_alphanumeric())
    })
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::super::{SyntaxProblem, Tree};

    #[test]
    fn what_may_be_moves_is_no_prose() {
        // Beside moves a point is a comment on them.
        for (text, column) in [
            ("Wub[h8] (;B[aa])", 4),
            ("Black [h8] (;B[aa])", 7),
            ("(;B[aa]) White[]", 15),
            ("(;)(i9)(g10)", 5),
            ("h8 i9 (;GM[4]SZ[15])", 1),
            ("Foo 1.2: h8i9g10 (;GM[4]SZ[15])", 10),
            ("1.H8 2.I9 (;GM[4]SZ[15])", 3),
            ("see h8. (;GM[4]SZ[15])", 5),
            ("h8.i9 (;GM[4]SZ[15])", 1),
            ("h8_i9 (;GM[4]SZ[15])", 1),
            ("(;GM[4]SZ[15]) 1. v22", 19),
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
            "Saved by Foo v1.2 (;GM[4]SZ[15])",
            "Saved by Foo v1.2.10-b3.4 (;GM[4]SZ[15])",
            "http://example.com/p2p (;GM[4]SZ[15])",
            "mp3 h264 H8x h0 w1 a23 (;GM[4]SZ[15])",
        ] {
            assert!(Tree::parse(text).is_ok(), "{text}");
        }
    }
}
