//! The filter of YXDELETEDATABASEALL: which positions of a database to remove.

use super::text::{ParseError, number_of};
use std::fmt;

/// Selects positions by their labels and values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Filter {
    /// All positions.
    All,
    /// Positions labelled won.
    Won,
    /// Positions labelled lost.
    Lost,
    /// Positions labelled won or lost.
    WonOrLost,
    /// Positions not labelled won or lost.
    NotWonOrLost,
    /// Positions labelled won, lost or drawn.
    Decided,
    /// Positions not labelled won, lost or drawn.
    NotDecided,
    /// Positions labelled won or lost whose value does not say in how many plies.
    WithoutPlies,
    /// Positions labelled won or lost in this many plies or fewer.
    WithinPlies(i64),
}

/// The positions to remove of all that follow from one. A position is removed with
/// all that follows from it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sweep {
    /// Selects the positions.
    pub filter: Filter,
    /// True if the filter also goes on below positions that stay.
    pub recursive: bool,
}

/// The filters without a number.
const WORDS: [(&str, Filter); 8] = [
    ("", Filter::All),
    ("w", Filter::Won),
    ("l", Filter::Lost),
    ("wl", Filter::WonOrLost),
    ("nonwl", Filter::NotWonOrLost),
    ("wld", Filter::Decided),
    ("nonwld", Filter::NotDecided),
    ("wlnostep", Filter::WithoutPlies),
];

/// The filter with a number behind it.
const WITHIN: &str = "wlinstep";

/// The suffix that makes a filter recursive.
const RECURSIVE: &str = "recursive";

impl Sweep {
    /// Reads the filter at the start of `text`, if there is one. Returns what
    /// follows it.
    pub(super) fn read<'a>(command: &str, text: &'a str) -> Result<(Sweep, &'a str), ParseError> {
        let (word, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
        let lower = word.to_ascii_lowercase();
        if lower == "done" || !lower.starts_with(|c: char| c.is_ascii_alphabetic()) {
            let filter = Filter::All;
            let recursive = false;
            return Ok((Sweep { filter, recursive }, text));
        }
        let name = lower.strip_suffix(RECURSIVE);
        let recursive = name.is_some();
        let name = name.unwrap_or(&lower);
        if name == WITHIN {
            let rest = rest.trim_start();
            let (plies, rest) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
            let filter = Filter::WithinPlies(number_of(command, plies)?);
            return Ok((Sweep { filter, recursive }, rest));
        }
        match WORDS.iter().find(|(known, _)| *known == name) {
            Some(&(_, filter)) if !name.is_empty() => Ok((Sweep { filter, recursive }, rest)),
            _ => Err(ParseError::Filter(word.to_owned())),
        }
    }
}

impl fmt::Display for Sweep {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let suffix = if self.recursive { RECURSIVE } else { "" };
        if let Filter::WithinPlies(plies) = self.filter {
            return write!(f, "{WITHIN}{suffix} {plies}");
        }
        let word = WORDS.iter().find(|(_, filter)| *filter == self.filter);
        write!(f, "{}{suffix}", word.map_or("", |(word, _)| word))
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn filters_round_trip() {
        let filters = WORDS.iter().map(|(_, filter)| *filter);
        for filter in filters.chain([Filter::WithinPlies(7)]) {
            for recursive in [false, filter != Filter::All] {
                let sweep = Sweep { filter, recursive };
                let text = format!("{sweep} 7,7");
                let (read, rest) = Sweep::read("X", text.trim_start()).unwrap();
                assert_eq!((read, rest), (sweep, "7,7"), "{text}");
            }
        }
        for text in ["x 7,7", "recursive 7,7", "wlinstep 7,7", "wlinstep"] {
            assert!(Sweep::read("X", text).is_err(), "{text}");
        }
    }
}
