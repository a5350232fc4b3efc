//! Reads evaluation, depth and nodes from the remarks that engines make while
//! they think, and makes what they say fit to be shown.

/// The engine's evaluation of its position, if a remark has one: the word after
/// `ev`, `eval`, `score` or `value`, as the known engines write it.
pub(super) fn evaluation(message: &str) -> Option<&str> {
    let value = word_after(message, &["ev", "eval", "score", "value"])?;
    let digits = value.trim_start_matches(['+', '-', 'M', 'm', '#', 'W', 'L']);
    digits
        .starts_with(|c: char| c.is_ascii_digit())
        .then_some(value)
}

/// An evaluation as a number from the engine's side: a win is infinite. The
/// letters are those of the known engines, as in `+M5`, `#-3` and `L7`.
pub(super) fn score(evaluation: &str) -> Option<f64> {
    let unsigned = |text: &'_ str| match text.strip_prefix('-') {
        Some(rest) => (-1.0, rest.to_owned()),
        None => (1.0, text.strip_prefix('+').unwrap_or(text).to_owned()),
    };
    let (sign, rest) = unsigned(evaluation);
    let win = rest
        .strip_prefix(['M', 'm', '#', 'W'])
        .map(|rest| (1.0, rest));
    let loss = || rest.strip_prefix('L').map(|rest| (-1.0, rest));
    if let Some((side, rest)) = win.or_else(loss) {
        let (inner, rest) = unsigned(rest);
        let is_number = rest.parse::<u32>().is_ok();
        return is_number.then_some(sign * side * inner * f64::INFINITY);
    }
    let number = rest.parse::<f64>().ok()?;
    number.is_finite().then_some(sign * number)
}

/// Returns the number of own moves to the win that an evaluation announces. Engines that count the
/// moves of both sides win sooner.
pub(super) fn win_in(evaluation: &str) -> Option<usize> {
    let is_win = score(evaluation) == Some(f64::INFINITY);
    let number = evaluation.trim_start_matches(|c: char| !c.is_ascii_digit());
    is_win.then(|| number.parse().ok())?
}

/// Returns the depth of a search in plies, if a remark of the engine gives it: `17` of
/// `depth 17-53`.
pub(super) fn depth(message: &str) -> Option<u32> {
    let value = word_after(message, &["depth", "dep"])?;
    value.split(['-', '/']).next()?.parse().ok()
}

/// Returns the nodes of a search, if a remark of the engine gives them: `329000`
/// of `Node 329K`.
pub(super) fn nodes(message: &str) -> Option<f64> {
    let value = word_after(message, &["n", "node", "nodes"])?;
    let (number, unit) = match value.char_indices().last()? {
        (end, 'k' | 'K') => (&value[..end], 1e3),
        (end, 'm' | 'M') => (&value[..end], 1e6),
        (end, 'g' | 'G') => (&value[..end], 1e9),
        _ => (value, 1.0),
    };
    let nodes = unit * number.parse::<f64>().ok()?;
    (nodes.is_finite() && nodes >= 0.0).then_some(nodes)
}

/// The start of a program's output, without control characters, for terminals.
pub(super) fn shown(text: &str, most: usize) -> String {
    let plain = |c: char| if c.is_control() { ' ' } else { c };
    text.chars().take(most).map(plain).collect()
}

/// The word after the first of `names` in a message.
fn word_after<'a>(message: &'a str, names: &[&str]) -> Option<&'a str> {
    let mut words = message
        .split(|c: char| c.is_whitespace() || matches!(c, ':' | '=' | '|' | ',' | ';'))
        .filter(|word| !word.is_empty());
    words.find(|word| names.iter().any(|name| word.eq_ignore_ascii_case(name)))?;
    words.next()
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
            ("eval", None),
        ] {
            assert_eq!(evaluation(message), expected, "{message}");
        }
    }

    #[test]
    fn opinions_are_numbers() {
        for (evaluation, expected) in [
            ("-131", Some(-131.0)),
            ("+0.53", Some(0.53)),
            ("+M5", Some(f64::INFINITY)),
            ("-M5", Some(f64::NEG_INFINITY)),
            ("#-3", Some(f64::NEG_INFINITY)),
            ("W3", Some(f64::INFINITY)),
            ("L7", Some(f64::NEG_INFINITY)),
            ("M", None),
            ("+inf", None),
            ("1e9999", None),
            ("nan", None),
            ("", None),
        ] {
            assert_eq!(score(evaluation), expected, "{evaluation}");
        }
    }

    #[test]
    fn wins_are_found() {
        for (evaluation, moves) in [
            ("+M5", Some(5)),
            ("#3", Some(3)),
            ("-L7", Some(7)),
            ("W12", Some(12)),
            ("-M5", None),
            ("M", None),
            ("30000", None),
        ] {
            assert_eq!(win_in(evaluation), moves, "{evaluation}");
        }
    }

    #[test]
    fn the_work_of_a_search_is_found() {
        for (message, expected) in [
            (
                "Speed 697K | Depth 16-29 | Node 329K | Time 472ms",
                (Some(16), Some(329e3)),
            ),
            (
                "depth 18-49 | eval +62 | nodes 451968 | time 458 ms",
                (Some(18), Some(451_968.0)),
            ),
            (
                "depth 5-13 ev 12 n 1.5M n/ms 300 tm 25",
                (Some(5), Some(1.5e6)),
            ),
            ("depth: 9/12, nodes=2g", (Some(9), Some(2e9))),
            ("depth unknown, nodes k", (None, None)),
            ("n inf depth -1", (None, None)),
            ("nodes é depth", (None, None)),
            ("nothing to say", (None, None)),
        ] {
            assert_eq!((depth(message), nodes(message)), expected, "{message}");
        }
    }
}
