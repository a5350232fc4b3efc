//! Remarks on a file that was opened, for fronts that say them in other languages.

use super::error_place::ErrorPlace;
use quincunx_records::{Remark, RemarkKind};
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
    pub place: Option<ErrorPlace>,
    /// The remark in English, with its place.
    pub text: String,
}

impl From<&Remark> for RemarkView {
    fn from(remark: &Remark) -> RemarkView {
        RemarkView {
            code: code(&remark.kind),
            values: values(&remark.kind).into_iter().collect(),
            place: remark.place.map(|place| ErrorPlace::Line {
                line: place.line as usize,
                column: Some(place.column as usize),
            }),
            text: remark.to_string(),
        }
    }
}

/// The kind of remark, for translation.
fn code(kind: &RemarkKind) -> &'static str {
    match kind {
        RemarkKind::Game { .. } | RemarkKind::Position { .. } => "game",
        RemarkKind::Cut | RemarkKind::Parenthesis => "cut",
        RemarkKind::Skipped(_)
        | RemarkKind::SecondValue { .. }
        | RemarkKind::UnknownPoints { .. }
        | RemarkKind::NoStone { .. }
        | RemarkKind::Swap
        | RemarkKind::UnknownResult(_) => "skipped",
        RemarkKind::Joined { .. } | RemarkKind::OneGame => "lines",
        RemarkKind::NoBoard(_) => "no_board",
        RemarkKind::NoRule(_) | RemarkKind::UnknownRule { .. } => "no_rule",
        RemarkKind::NoTurn(_) => "no_turn",
        RemarkKind::OtherGame(_) => "other_game",
        RemarkKind::OtherResult { .. } => "other_result",
        RemarkKind::WhiteFirst => "white_first",
        RemarkKind::OutOfTurn { .. } => "out_of_turn",
        RemarkKind::NoMoves { .. } => "no_moves",
        RemarkKind::LeftOut(_) => "left_out",
        RemarkKind::UnknownEncoding(_)
        | RemarkKind::OtherEncoding(_)
        | RemarkKind::Latin1(_)
        | RemarkKind::Damaged(_) => "encoding",
        RemarkKind::More(_) => "more",
    }
}

/// The values in a text of the code.
fn values(kind: &RemarkKind) -> Vec<(&'static str, String)> {
    match kind {
        RemarkKind::Game { number, count } | RemarkKind::Position { number, count } => {
            vec![("number", number.to_string()), ("count", count.to_string())]
        }
        RemarkKind::Skipped(text) | RemarkKind::OtherGame(text) => vec![("value", text.clone())],
        RemarkKind::SecondValue { name, value }
        | RemarkKind::UnknownPoints { name, value }
        | RemarkKind::NoStone { name, value } => vec![("value", format!("{name}[{value}]"))],
        RemarkKind::Swap => vec![("value", "--".to_owned())],
        RemarkKind::UnknownResult(value) => vec![("value", format!("RE[{value}]"))],
        RemarkKind::NoBoard(size) => vec![("value", size.to_string())],
        RemarkKind::NoRule(rule) | RemarkKind::UnknownRule { rule, .. } => {
            vec![("rule", rule.to_string())]
        }
        RemarkKind::NoTurn(color) => vec![("color", color.to_string())],
        RemarkKind::LeftOut(count) | RemarkKind::More(count) => vec![("count", count.to_string())],
        _ => Vec::new(),
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use quincunx_engine::rules::{Color, Rule};
    use quincunx_records::Place;
    use serde_json::json;

    #[test]
    fn remarks_can_be_translated() {
        let place = Some(Place { line: 2, column: 6 });
        let named = RemarkKind::NoRule(Rule::CaroOverline);
        let unknown = RemarkKind::UnknownRule {
            name: "x".to_owned(),
            rule: Rule::Renju,
        };
        let skipped = RemarkKind::Skipped("x".to_owned());
        let second = RemarkKind::SecondValue {
            name: "PB".to_owned(),
            value: "x".to_owned(),
        };
        for (kind, place, told) in [
            (
                RemarkKind::Game {
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
                RemarkKind::NoTurn(Color::White),
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
            let view = RemarkView::from(&Remark { kind, place });
            assert_eq!(serde_json::to_value(view).unwrap(), told);
        }
    }
}
