//! Remarks on a file that was opened, for fronts that say them in other languages.

use quincunx_records::{Location, Warning, WarningKind};
use serde::Serialize;
use std::collections::BTreeMap;

/// A remark on a file that was opened.
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct RemarkView {
    /// The kind of remark, for translation. Kinds with the same translation share a code.
    pub code: &'static str,
    /// The values in a text of this code, by name; `rule` and `color` are as in the protocol.
    pub values: BTreeMap<&'static str, String>,
    /// The location in the file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub place: Option<Location>,
    /// The remark in English, with its place.
    pub text: String,
}

impl From<&Warning> for RemarkView {
    fn from(remark: &Warning) -> RemarkView {
        RemarkView {
            code: code(&remark.kind),
            values: values(&remark.kind).into_iter().collect(),
            place: remark.place.map(Location::from),
            text: remark.to_string(),
        }
    }
}

/// The kind of remark, for translation.
fn code(kind: &WarningKind) -> &'static str {
    match kind {
        WarningKind::Game { .. } | WarningKind::Position { .. } => "game",
        WarningKind::Cut | WarningKind::Parenthesis => "cut",
        WarningKind::Skipped(_)
        | WarningKind::SecondValue { .. }
        | WarningKind::UnknownPoints { .. }
        | WarningKind::NoStone { .. }
        | WarningKind::Swap
        | WarningKind::UnknownResult(_) => "skipped",
        WarningKind::Joined { .. } | WarningKind::OneGame => "lines",
        WarningKind::NoBoard(_) => "no_board",
        WarningKind::NoRule(_) | WarningKind::UnknownRule { .. } => "no_rule",
        WarningKind::NoTurn(_) => "no_turn",
        WarningKind::OtherGame(_) => "other_game",
        WarningKind::OtherResult { .. } => "other_result",
        WarningKind::WhiteFirst => "white_first",
        WarningKind::OutOfTurn { .. } => "out_of_turn",
        WarningKind::NoMoves { .. } => "no_moves",
        WarningKind::LeftOut(_) => "left_out",
        WarningKind::UnknownEncoding(_)
        | WarningKind::OtherEncoding(_)
        | WarningKind::Latin1(_)
        | WarningKind::Damaged(_) => "encoding",
        WarningKind::More(_) => "more",
    }
}

/// The values in a text of the code.
fn values(kind: &WarningKind) -> Vec<(&'static str, String)> {
    match kind {
        WarningKind::Game { number, count } | WarningKind::Position { number, count } => {
            vec![("number", number.to_string()), ("count", count.to_string())]
        }
        WarningKind::Skipped(text) | WarningKind::OtherGame(text) => vec![("value", text.clone())],
        WarningKind::SecondValue { name, value }
        | WarningKind::UnknownPoints { name, value }
        | WarningKind::NoStone { name, value } => vec![("value", format!("{name}[{value}]"))],
        WarningKind::Swap => vec![("value", "--".to_owned())],
        WarningKind::UnknownResult(value) => vec![("value", format!("RE[{value}]"))],
        WarningKind::NoBoard(size) => vec![("value", size.to_string())],
        WarningKind::NoRule(rule) | WarningKind::UnknownRule { rule, .. } => {
            vec![("rule", rule.to_string())]
        }
        WarningKind::NoTurn(color) => vec![("color", color.to_string())],
        WarningKind::LeftOut(count) | WarningKind::More(count) => {
            vec![("count", count.to_string())]
        }
        _ => Vec::new(),
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use quincunx_engine::rules::{Color, Rule};
    use quincunx_records::TextPosition;
    use serde_json::json;

    #[test]
    fn remarks_can_be_translated() {
        let place = Some(TextPosition { line: 2, column: 6 });
        let named = WarningKind::NoRule(Rule::CaroOverline);
        let unknown = WarningKind::UnknownRule {
            name: "x".to_owned(),
            rule: Rule::Renju,
        };
        let skipped = WarningKind::Skipped("x".to_owned());
        let second = WarningKind::SecondValue {
            name: "PB".to_owned(),
            value: "x".to_owned(),
        };
        for (kind, place, told) in [
            (
                WarningKind::Game {
                    number: 1,
                    count: 2,
                },
                None,
                json!({ "code": "game", "values": { "number": "1", "count": "2" }, "text": "game 1 of 2" }),
            ),
            (
                named,
                None,
                json!({ "code": "no_rule", "values": { "rule": "caro-overline" },
                    "text": "the file names no rule: caro-overline is taken" }),
            ),
            (
                unknown,
                None,
                json!({ "code": "no_rule", "values": { "rule": "renju" },
                    "text": "the rule 'x' is not known: renju is taken" }),
            ),
            (
                WarningKind::NoTurn(Color::White),
                None,
                json!({ "code": "no_turn", "values": { "color": "white" },
                    "text": "the file does not say who is to move: white is taken" }),
            ),
            (
                second,
                None,
                json!({ "code": "skipped", "values": { "value": "PB[x]" },
                    "text": "PB[x] is another player: the first one is taken" }),
            ),
            (
                skipped,
                place,
                json!({ "code": "skipped", "values": { "value": "x" }, "place": { "line": 2, "column": 6 },
                    "text": "line 2, column 6: skipped 'x'" }),
            ),
        ] {
            let view = RemarkView::from(&Warning { kind, place });
            assert_eq!(serde_json::to_value(view).unwrap(), told);
        }
    }
}
