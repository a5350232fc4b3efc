//! Cells of tables as CSV, as spreadsheets read them.

use std::borrow::Cow;
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

/// The byte-order mark that tables begin with. Without it spreadsheets read other letters than
/// those of English wrongly.
pub const BYTE_ORDER_MARK: char = '\u{feff}';

/// The zero-width space that a cell begins with which a spreadsheet would take for a number, a date
/// or a truth value.
const GUARD: char = '\u{200b}';

/// The beginnings of the names of months, in the languages of spreadsheets.
const MONTHS: &[&str] = &[
    "jan", "feb", "fev", "mar", "mrt", "mrz", "apr", "abr", "avr", "mai", "may", "maj", "mei",
    "mag", "jun", "jui", "giu", "jul", "lug", "aug", "ago", "aou", "sep", "set", "oct", "okt",
    "ott", "out", "nov", "dec", "dez", "dic", "ene", "gen", "янв", "фев", "мар", "апр", "маи",
    "мая", "июн", "июл", "авг", "сен", "окт", "ноя", "дек", "thang", "thg",
];

/// Letters of dates and times in Chinese, Japanese and Korean.
const UNITS: &str = "年月日時时分秒午上下前後년월일시분초오전후";

/// A text as a cell of a table.
pub(super) fn text_cell(text: &str) -> Cow<'_, str> {
    if is_read_otherwise(text) {
        Cow::Owned(format!("{GUARD}{text}"))
    } else {
        Cow::Borrowed(text)
    }
}

/// A number as a cell of a table. Spreadsheets in many languages read `1.5` as the first of May.
pub(super) fn number_cell(number: f64) -> String {
    let text = number.to_string();
    if number.fract() == 0.0 {
        text
    } else {
        text_cell(&text).into_owned()
    }
}

/// Returns true if a spreadsheet could take a text for a number, a date, a time or a truth value.
fn is_read_otherwise(text: &str) -> bool {
    let letters = text.chars().filter(|c| c.is_alphabetic());
    let letters: String = letters.flat_map(char::to_lowercase).collect();
    if !text.chars().any(char::is_numeric) {
        return matches!(&*letters, "true" | "false");
    }
    // Composed and decomposed letters of Korean are different ones.
    let has_units_only = letters.chars().all(|c| UNITS.contains(c));
    let bare: String = letters.nfd().filter(|c| !is_combining_mark(*c)).collect();
    let is_short = matches!(&*bare, "" | "e" | "a" | "p" | "am" | "pm");
    is_short || has_units_only || MONTHS.iter().any(|month| bare.starts_with(month))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decimals_are_text() {
        assert_eq!(number_cell(2.0), "2");
        assert_eq!(number_cell(1.5), format!("{GUARD}1.5"));
    }

    #[test]
    fn numbers_and_dates_are_guarded() {
        for text in [
            "01",
            "1-2",
            "12.05",
            "1e5",
            "007",
            "2026-11-29",
            "3.4",
            "May 5",
            "SEPT2",
            "1 Jan",
            "März 3",
            "5 мая",
            "3月5日",
            "5월 1일",
            "Tháng 5",
            "5 pm",
            "True",
            "FALSE",
            "1234567890123456",
            "12345678901e2345",
            "½0",
        ] {
            assert_eq!(text_cell(text), format!("{GUARD}{text}"));
        }
        for text in [
            "Anna",
            "Anna 1",
            "Béla-2",
            "五子棋 3",
            "May",
            "+",
            "-",
            "½",
            "guest-01010101",
            "5 Stones",
            "0123456789abcdef",
        ] {
            let is_free = text_cell(text) == text;
            assert_eq!(is_free, text != "½", "{text}");
        }
    }
}
