//! What engines say about a position in words of their own.

/// The engine's opinion of its position, if a remark of it says so: the word
/// after `ev`, `eval` or `score`, as engines of every school write it.
pub(super) fn evaluation(message: &str) -> Option<&str> {
    let mut words = message
        .split(|c: char| c.is_whitespace() || matches!(c, ':' | '=' | '|' | ',' | ';'))
        .filter(|word| !word.is_empty());
    while let Some(word) = words.next() {
        let keyword = ["ev", "eval", "score", "value"]
            .iter()
            .any(|name| word.eq_ignore_ascii_case(name));
        if keyword {
            let value = words.next()?;
            let digits = value.trim_start_matches(['+', '-', 'M', 'm', '#', 'W', 'L']);
            return digits
                .starts_with(|c: char| c.is_ascii_digit())
                .then_some(value);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn opinions_are_found() {
        for (message, expected) in [
            ("Depth 8-10 | Eval -131 | Time 3ms", Some("-131")),
            ("depth 5 ev 12 pv h8", Some("12")),
            ("Speed 1M eval: +M5", Some("+M5")),
            ("score=0.53", Some("0.53")),
            ("evaluating everything", None),
            ("eval unknown", None),
        ] {
            assert_eq!(evaluation(message), expected, "{message}");
        }
    }
}
