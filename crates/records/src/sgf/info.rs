//! The SGF properties of the game as a whole: its number, rule, players and result.

use super::GAME;
use super::read::Reader;
use super::{Property, PropertyProblem};
use crate::lines::{one_line, shown};
use crate::rule_name::RuleName;
use crate::warning::WarningKind;
use quincunx_engine::game::{GameResult, Termination};
use quincunx_engine::rules::{BoardSize, Color};

/// Words that only files of Gomoku and Renju have.
const NAMES: [&str; 9] = [
    "gomoku",
    "renju",
    "piskv",
    "omok",
    "five in a row",
    "5 in a row",
    "五子棋",
    "連珠",
    "连珠",
];

/// A result as the common programs write it, or points, black's first. A win without a reason
/// is taken for one by agreement until the stones show a five.
pub fn parse_result(text: &str) -> Option<GameResult> {
    let text: String = text.to_ascii_lowercase().split_whitespace().collect();
    let (winner, why) = match &*text {
        "0" | "draw" | "jigo" | "1/2-1/2" | "0.5-0.5" => {
            return Some(GameResult::draw(Termination::Agreement));
        }
        "1-0" => ("b", ""),
        "0-1" => ("w", ""),
        _ => text.split_once('+')?,
    };
    let winner = parse_color(winner)?;
    Some(GameResult::win(
        winner,
        match why.chars().next() {
            Some('t') => Termination::Time,
            Some('r') => Termination::Resignation,
            Some('f') => Termination::Forfeit,
            _ => Termination::Agreement,
        },
    ))
}

fn parse_color(text: &str) -> Option<Color> {
    match text.trim().to_ascii_lowercase().as_str() {
        "b" | "black" | "1" => Some(Color::Black),
        "w" | "white" | "2" => Some(Color::White),
        _ => None,
    }
}

impl Reader<'_> {
    /// Checks the game number. Another game's number is accepted if other properties name Gomoku or
    /// Renju.
    pub(super) fn game_number(&mut self, value: &str) -> Result<bool, PropertyProblem> {
        let value = value.trim();
        if value.parse() == Ok(GAME) || self.is_other_game {
            return Ok(false);
        }
        let texts = ["GM", "RU", "GN", "EV", "AP", "GC", "C", "PC", "SO", "RO"];
        let names_rule = |property: &Property| {
            let text = property.value().to_lowercase();
            let is_rule = property.name == "RU"
                && matches!(RuleName::of(&text), RuleName::Known(_))
                && text.parse::<u32>().is_err();
            let is_named = NAMES.iter().any(|name| text.contains(name));
            texts.contains(&property.name.as_str()) && (is_rule || is_named)
        };
        let properties = self.source.properties(0);
        let has_stones = self.source.has_stones();
        // No other game but Go has stones on a board of 15 by 15.
        let is_board = has_stones
            && self.game.record.size == BoardSize::default()
            && value.parse() != Ok(1)
            && properties.iter().any(|property| property.name == "SZ");
        let is_known =
            self.is_known && has_stones && properties.iter().any(|property| property.name == "SZ");
        // Nodes without stones may be moves of the other game.
        let has_moves = has_stones || self.source.len() == 1;
        if !(has_moves && properties.iter().any(names_rule) || is_board || is_known) {
            return Err(PropertyProblem::Game);
        }
        self.is_other_game = true;
        let warning = WarningKind::OtherGame(shown(value));
        self.game.warnings.push(warning.into());
        Ok(false)
    }

    /// Reads the side to move. After the first move the colours of the moves show it.
    pub(super) fn turn(
        &mut self,
        value: &str,
        is_variation: bool,
    ) -> Result<bool, PropertyProblem> {
        let color = parse_color(value).ok_or(PropertyProblem::Color)?;
        if !self.path.is_empty() || is_variation {
            return Ok(true);
        }
        self.first = Some(color);
        Ok(false)
    }

    /// Reads a property of the game as a whole. Returns true if it is stored as text.
    pub(super) fn information(&mut self, node: usize, name: &str, value: &str) -> bool {
        if !self.is_main_line[node] {
            return true;
        }
        let record = &mut self.game.record;
        match name {
            "RU" if value.trim().is_empty() => {}
            "RU" => {
                let is_first = record.rule.is_none() && record.unknown_rule.is_none();
                match RuleName::of(value) {
                    RuleName::Known(rule) if is_first => record.rule = Some(rule),
                    RuleName::Unknown(text) if is_first => record.unknown_rule = Some(text),
                    RuleName::Known(rule) if record.rule == Some(rule) => {}
                    RuleName::Unknown(text) if record.unknown_rule.as_ref() == Some(&text) => {}
                    _ => self.warn_of_other(name, value),
                }
            }
            "PB" | "PW" => {
                let (value, is_black) = (one_line(value), name == "PB");
                let player = match is_black {
                    true => &mut record.black,
                    false => &mut record.white,
                };
                if player.is_empty() {
                    *player = value;
                } else if !value.is_empty() && *player != value {
                    self.warn_of_other(name, &value);
                }
            }
            "RE" => match (parse_result(value), record.result) {
                (None, _) => {
                    let is_empty_result =
                        matches!(&*value.trim().to_ascii_lowercase(), "" | "?" | "void");
                    let warning = || WarningKind::UnknownResult(shown(value)).into();
                    self.game.warnings.extend((!is_empty_result).then(warning));
                    return true;
                }
                (result, None) => record.result = result,
                (other, named) if other != named => self.warn_of_other(name, value),
                _ => {}
            },
            "GN" => {
                record.name = one_line(value);
                return true;
            }
            "DT" => {
                record.date = value.trim().parse().ok();
                return true;
            }
            "GC" => {
                value.clone_into(&mut record.comment);
                return true;
            }
            _ => return true,
        }
        false
    }

    /// Warns of a property that has another value than before.
    fn warn_of_other(&mut self, name: &str, value: &str) {
        let (name, value) = (name.to_owned(), shown(value));
        let warning = WarningKind::SecondValue { name, value };
        self.game.warnings.push(warning.into());
    }
}
