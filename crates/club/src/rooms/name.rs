//! Names of people and tournaments: which are taken, and which look alike.

use std::ops::RangeInclusive;
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;
use unicode_security::GeneralSecurityProfile;
use unicode_security::confusable_detection::skeleton;

/// A name that is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NameError {
    /// It is too short or too long.
    #[error("a name has 2 to 20 characters")]
    Length,
    /// It has other characters than letters and digits, and blanks, dots, hyphens and underscores
    /// between them.
    #[error("a name has letters and digits, and between them blanks and the signs . - _")]
    Letters,
    /// Another person has it, or one that looks the same.
    #[error("somebody has this name")]
    Taken,
}

/// A name with single blanks and composed letters, if it is one.
pub(super) fn clean(name: &str, length: RangeInclusive<usize>) -> Result<String, NameError> {
    let name: String = name.nfkc().collect();
    let name = name.split_whitespace().collect::<Vec<_>>().join(" ");
    if !length.contains(&name.chars().count()) {
        return Err(NameError::Length);
    }
    let ends = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
    // Invisible letters, and those of dead scripts, are none.
    let is_letter = |c: char| c.is_alphanumeric() && c.identifier_allowed();
    let allowed = |c: char| is_letter(c) || " .-_".contains(c);
    if !(name.chars().all(allowed) && ends(name.chars().next()) && ends(name.chars().next_back())) {
        return Err(NameError::Letters);
    }
    Ok(name)
}

/// A name without blanks, punctuation and capitals.
pub(super) fn letters(name: &str) -> String {
    let letters = name.chars().filter(|c| c.is_alphanumeric());
    letters.flat_map(char::to_lowercase).collect()
}

/// The skeletons of a name by which lookalikes are found: those of Unicode's confusables, of the
/// name as it is written (`I` looks like `l`) and of its small letters.
pub(super) fn looks(name: &str) -> [String; 2] {
    let written: String = name.chars().filter(|c| c.is_alphanumeric()).collect();
    let look = |text: &str| skeleton(text).collect::<String>().to_lowercase();
    [look(&written), look(&letters(name))]
}

/// Returns true if a name has accents.
pub(super) fn is_marked(name: &str) -> bool {
    name.nfd().any(is_combining_mark)
}

/// The outline of a name: its look without accents, digits and repeated letters. Names that
/// differ only by these are different, but are easily confused: `Anna`, `Ánna` and `Anna1`.
pub(super) fn outline(name: &str) -> String {
    let letters: String = letters(name).chars().filter(|c| !c.is_numeric()).collect();
    let bare: String = letters.nfd().filter(|c| !is_combining_mark(*c)).collect();
    let mut outline: Vec<char> = skeleton(&bare).flat_map(char::to_lowercase).collect();
    outline.retain(|c| !is_combining_mark(*c));
    outline.dedup();
    outline.into_iter().collect()
}
