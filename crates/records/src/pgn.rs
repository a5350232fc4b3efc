//! Games with tags in front, as in PGN: the text files of PlayOK.
//!
//! Tags such as `[Black "Ann"]` are followed by the moves, in pairs with numbers, and by the
//! result. A swap of colours in an opening stands as `--` in place of a move. PlayOK plays on
//! 15 by 15, and exactly five win.

use super::lines::is_blank;
use super::lines::{Cursor, TextPosition, one_line};
use super::record::{GameRecord, RecordedMove};
use super::rule_name::RuleName;
use super::sgf::parse_result;
use super::warning::{Warning, WarningKind};
use quincunx_engine::position::notation::{MovesError, parse_moves};
use quincunx_engine::rules::{BoardSize, Color, Point, Rule};

/// The stones of the longest opening in which colours are swapped.
const OPENING: usize = 6;

/// The results that end the moves of a game.
const RESULTS: [&str; 4] = ["1-0", "0-1", "1/2-1/2", "*"];

/// Returns whether a text begins with a tag.
pub(crate) fn is_pgn(text: &str) -> bool {
    tag(text.trim_start_matches(is_blank)).is_some()
}

/// Reads the tag at the start of a text. Returns its name, its value and the rest.
fn tag(text: &str) -> Option<(&str, &str, &str)> {
    let inside = text.strip_prefix('[')?;
    let end = inside.find(|c: char| !c.is_ascii_alphanumeric() && c != '_')?;
    let (name, rest) = inside.split_at(end);
    let value = rest.trim_start_matches([' ', '\t']).strip_prefix('"')?;
    let end = value.find(['"', '\n', '\r'])?;
    let (value, rest) = value.split_at(end);
    let rest = rest.strip_prefix('"')?.trim_start_matches([' ', '\t']);
    let begins = name.starts_with(|c: char| c.is_ascii_uppercase());
    Some((name, value, rest.strip_prefix(']').filter(|_| begins)?))
}

/// The games of a text, one after another.
pub(crate) struct Games<'t> {
    text: &'t str,
    at: usize,
    cursor: Cursor,
}

impl<'t> Games<'t> {
    pub(crate) fn of(text: &'t str) -> Games<'t> {
        Games {
            text,
            at: 0,
            cursor: Cursor::default(),
        }
    }

    fn skip_blanks(&mut self) -> &'t str {
        let rest = &self.text[self.at..];
        let inside = rest.trim_start_matches(is_blank);
        self.at += rest.len() - inside.len();
        inside
    }

    /// The moves up to the next tag, with their place.
    fn moves(&mut self) -> (&'t str, TextPosition) {
        let rest = self.skip_blanks();
        let mut starts = rest.match_indices('[').map(|(at, _)| at);
        let end = starts.find(|&at| {
            let line = rest[..at].rsplit(['\n', '\r']).next().unwrap_or_default();
            line.chars().all(is_blank) && tag(&rest[at..]).is_some()
        });
        let moves = &rest[..end.unwrap_or(rest.len())];
        let place = self.cursor.advance(self.text, self.at);
        self.at += moves.len();
        (moves, place)
    }
}

impl Iterator for Games<'_> {
    type Item = Result<(GameRecord, Vec<Warning>), MovesError>;

    fn next(&mut self) -> Option<Self::Item> {
        let mut rest = self.skip_blanks();
        if rest.is_empty() {
            return None;
        }
        let mut record = GameRecord::new(None, BoardSize::default());
        let mut warnings = Vec::new();
        while let Some((name, value, behind)) = tag(rest) {
            read_tag(&mut record, &mut warnings, name, value);
            self.at = self.text.len() - behind.len();
            rest = self.skip_blanks();
        }
        let (text, place) = self.moves();
        let read = read_moves(&mut record, &mut warnings, text, place);
        Some(read.map(|()| (record, warnings)))
    }
}

fn read_tag(record: &mut GameRecord, warnings: &mut Vec<Warning>, name: &str, value: &str) {
    let is_unknown = matches!(value.trim(), "" | "?" | "-" | "*");
    match name {
        _ if is_unknown => {}
        "Black" => record.black = one_line(value),
        "White" => record.white = one_line(value),
        "Event" => record.name = one_line(value),
        "Date" => record.date = value.trim().replace('.', "-").parse().ok(),
        "Site" if value.trim().eq_ignore_ascii_case("playok") => {
            record.rule = record.rule.or(Some(Rule::Standard));
        }
        "Variant" | "Rule" | "Rules" => match RuleName::of(value) {
            RuleName::Known(rule) => record.rule = Some(rule),
            RuleName::Unknown(name) => record.unknown_rule = Some(name),
        },
        "Result" => match parse_result(value) {
            None => {
                let value = super::lines::shown(value);
                warnings.push(WarningKind::UnknownResult(value).into());
            }
            result => record.result = result,
        },
        _ => {}
    }
}

fn read_moves(
    record: &mut GameRecord,
    warnings: &mut Vec<Warning>,
    text: &str,
    start: TextPosition,
) -> Result<(), MovesError> {
    let text = text.trim_end_matches(is_blank);
    let last = text.rsplit(is_blank).next().unwrap_or_default();
    let text = match RESULTS.contains(&last) {
        true => &text[..text.len() - last.len()],
        false => text,
    };
    if record.result.is_none() {
        record.result = parse_result(last).filter(|_| RESULTS.contains(&last));
    }
    let points = parse_moves(record.size, text).map_err(|error| MovesError {
        position: error.position.after(start),
        ..error
    })?;
    let mut color = Color::Black;
    let mut is_swapped = false;
    for (index, point) in points.into_iter().enumerate() {
        if point == Point::NONE && index < OPENING {
            is_swapped = true;
            continue;
        }
        record.moves.push(RecordedMove::new(color, point));
        color = color.opponent();
    }
    warnings.extend(is_swapped.then(|| WarningKind::Swap.into()));
    Ok(())
}
