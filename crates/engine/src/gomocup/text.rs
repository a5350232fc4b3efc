//! Reading numbers, and the errors of text that is not a command.

/// The reason why text is not a command.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ParseError {
    /// No command begins with this word.
    #[error("command '{0}'")]
    Unknown(String),
    /// A number was expected.
    #[error("{of} needs a number, not '{text}'")]
    Number {
        /// What the number is for.
        of: String,
        /// The text in its place.
        text: String,
    },
    /// A board size was expected.
    #[error("'{0}' is no board size: expected START 15 or RECTSTART 20,15")]
    Size(String),
    /// A point was expected.
    #[error("'{0}' is no point: expected x,y such as 7,7")]
    Coordinates(String),
    /// A stone was expected.
    #[error("'{0}' is no stone: expected x,y,1 (own), x,y,2 (opponent's) or x,y,3 (neither's)")]
    Placement(String),
    /// A text in quotation marks was expected.
    #[error("'{0}' is no text in quotation marks")]
    Quoted(String),
    /// A filter of positions to be removed was expected.
    #[error("'{0}' is no filter: expected w, l, wl, nonwl, wld, nonwld, wlnostep or wlinstep")]
    Filter(String),
    /// Another command came before the block's DONE.
    #[error("{0} without DONE")]
    Unfinished(String),
    /// No path came on the line after the command.
    #[error("{0} without a path")]
    NoPath(String),
    /// The path is not UTF-8.
    #[error("'{0}' is no path in UTF-8")]
    Path(String),
    /// A DONE without a block.
    #[error("DONE without BOARD")]
    Done,
    /// The command is too long.
    #[error("more than {0} bytes")]
    TooLong(usize),
}

/// A whole number; one too large for 64 bits is the largest there is.
pub(super) fn number(text: &str) -> Option<i64> {
    let text = text.trim();
    let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let overflow = if text.starts_with('-') {
        i64::MIN
    } else {
        i64::MAX
    };
    Some(text.parse().unwrap_or(overflow))
}

/// A whole number that the command `word` needs.
pub(super) fn number_of(word: &str, text: &str) -> Result<i64, ParseError> {
    number(text).ok_or_else(|| ParseError::Number {
        of: word.to_ascii_uppercase(),
        text: text.to_owned(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_saturate() {
        assert_eq!(number(" 15 "), Some(15));
        assert_eq!(number("+3"), Some(3));
        assert_eq!(number("99999999999999999999"), Some(i64::MAX));
        assert_eq!(number("-99999999999999999999"), Some(i64::MIN));
        for text in ["", "-", "1.5", "0x1", "1 2", "--1", "١"] {
            assert_eq!(number(text), None, "{text}");
        }
    }
}
