//! PSQ, the game files of piskvork and of Gomocup's tournaments, and REC, their
//! predecessor.
//!
//! The first line of PSQ names the board and the player who begins. Then comes a line for
//! every stone: column from the left and row from the top, both from one, and milliseconds,
//! which may be missing. The players follow, and a number that says how the game ended.
//! Files that are saved by hand have the number alone, which is -1. Gomocup's results have
//! a line `1,Renju` behind it, the winner and the rule.
//!
//! REC begins with the players, counts columns and rows from zero and names no board.

use super::lines::{has_last_end, is_blank};
use super::lines::{lines, one_line, shown};
use super::record::{GameRecord, RecordedMove};
use super::rule_name::RuleName;
use core::time::Duration;
use quincunx_engine::game::{GameResult, Termination};
use quincunx_engine::position::notation::parse_moves;
use quincunx_engine::rules::{BoardSize, Color, Point, PointSet, Rule};
use std::fmt::Write as _;

/// The codes of results on the last line of a file.
mod code {
    pub(super) const NORMAL: i64 = 0;
    pub(super) const FORBIDDEN: i64 = 1;
    pub(super) const TIME: i64 = 2;
    pub(super) const ILLEGAL: i64 = 3;
    pub(super) const FORFEIT: i64 = 4;
}

/// The side of the board of a REC file, which does not name it.
const REC_SIDE: usize = 20;

/// The text is not a PSQ file, or the game can't be written as one.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PsqError {
    /// The first line is another file's.
    #[error("line {0}: expected a line such as 'Piskvorky 20x20, 11:11, 0'")]
    Heading(usize),
    /// The board is not supported.
    #[error("line {line}: expected a board of 5 to 22, such as 20x20, not '{}'", shown(.size))]
    Size {
        /// The line, from one.
        line: usize,
        /// The board as it is written.
        size: String,
    },
    /// A stone is off the board.
    #[error("line {line}: there is no point {x},{row} on the {size} board")]
    OffBoard {
        /// The line, from one.
        line: usize,
        /// The column as it is written.
        x: i64,
        /// The row from the top as it is written.
        row: i64,
        /// The board.
        size: BoardSize,
    },
    /// A stone is on an occupied point.
    #[error("line {line}: {point} is taken")]
    Taken {
        /// The line, from one.
        line: usize,
        /// The point.
        point: Point,
    },
    /// A line may be a stone, but is not written as one.
    #[error("line {line}: expected a stone such as 8,8,100, not '{}'", shown(.text))]
    NoStone {
        /// The line, from one.
        line: usize,
        /// The line.
        text: String,
    },
    /// The text breaks off within a stone, as its line and the others show.
    #[error("line {0}: the file breaks off within this stone")]
    Cut(usize),
    /// A line behind the stones looks like more of the game than a name.
    #[error("line {line}: expected the name of a player, not '{}'", shown(.text))]
    NoName {
        /// The line, from one.
        line: usize,
        /// The line.
        text: String,
    },
    /// A line between the stones is not a stone.
    #[error("line {line}: '{}' stands before the stone of line {stone}", shown(.text))]
    Between {
        /// The line, from one.
        line: usize,
        /// The line.
        text: String,
        /// The line of the stone, from one.
        stone: usize,
    },
    /// A REC file begins with the players.
    #[error("line {0}: expected the name of a player")]
    NoPlayers(usize),
    /// A REC file has nothing else to be known by.
    #[error("line {0}: expected a stone such as 7,7,100")]
    NoStones(usize),
    /// The game has more than stones in turn from the empty board, which is all that the format can
    /// hold.
    #[error("move {0}: PSQ files have no passes, no set-up and no colours out of turn")]
    OutOfTurn(usize),
}

/// Writes a game as piskvork does. Readers assume that a game lost without a last stone was lost by
/// the side to move, so other losses are not written.
///
/// # Errors
/// When it is not made of stones in turn from the empty board.
pub fn write(record: &GameRecord) -> Result<String, PsqError> {
    let size = record.size;
    let mut text = format!("Piskvorky {}x{}, 11:11, 0\n", size.width(), size.height());
    if !record.setup.is_empty() {
        return Err(PsqError::OutOfTurn(0));
    }
    let mut turn = Color::Black;
    for (index, played) in record.moves.iter().enumerate() {
        if played.color != turn || played.point == Point::NONE {
            return Err(PsqError::OutOfTurn(index + 1));
        }
        turn = turn.opponent();
        let ms = played.time.unwrap_or_default().as_secs_f64() * 1e3;
        let (x, row) = (played.point.x() + 1, size.row_from_top(played.point) + 1);
        // Writing to a string can't fail.
        let _ = writeln!(text, "{x},{row},{ms:.0}");
    }
    let [black, white] = [&record.black, &record.white].map(|name| {
        let name = name.replace(['\r', '\n'], " ");
        match looks_like_a_stone(&name) {
            // It would be read as one.
            true => format!("Player {name}"),
            false => name,
        }
    });
    let _ = writeln!(text, "{black}\n{white}\n{}", code_of(record));
    Ok(text)
}

/// The code of the result.
fn code_of(record: &GameRecord) -> i64 {
    let winner = record.result.and_then(|result| result.winner);
    let mover_lost = winner == Some(mover(record).opponent());
    match record.result.map(|result| result.termination) {
        Some(Termination::Forbidden(_)) => code::FORBIDDEN,
        Some(Termination::Time) if mover_lost => code::TIME,
        Some(Termination::IllegalMove) if mover_lost => code::ILLEGAL,
        Some(Termination::Resignation | Termination::Forfeit) if mover_lost => code::FORFEIT,
        _ => code::NORMAL,
    }
}

/// Returns true if the code on the last line names the winner.
pub(crate) fn names_result(record: &GameRecord) -> bool {
    code_of(record) != code::NORMAL
}

/// The side to move after the last stone.
fn mover(record: &GameRecord) -> Color {
    let last = record.moves.last();
    last.map_or(Color::Black, |last| last.color.opponent())
}

/// Returns true if a text begins like a PSQ file.
pub(super) fn is_psq(text: &str) -> bool {
    let heading = text.trim_start_matches(is_blank);
    (heading.get(..9)).is_some_and(|word| word.eq_ignore_ascii_case("piskvorky"))
}

/// Reads a game. Without the line of Gomocup's results the format has no rule and, unless the
/// side to move has lost, no winner.
///
/// # Errors
/// When the text is not a PSQ file.
pub fn read(text: &str) -> Result<GameRecord, PsqError> {
    let (whole, text) = (text, text.trim_end_matches(is_blank));
    let mut lines = lines(text)
        .skip_while(|(_, line)| is_empty(line))
        .peekable();
    let (number, heading) = lines.next().unwrap_or((1, ""));
    let (size, white_first) = parse_heading(number, heading)?;
    let mut record = GameRecord::new(None, size);
    let footer = read_stones(&mut record, lines, 1)?;
    expect_whole(&record, whole)?;
    expect_code(&footer, whole)?;
    expect_names(&record, &footer)?;
    let footer: Vec<&str> = footer.into_iter().map(|(_, text)| text).collect();
    read_footer(&mut record, &footer, white_first);
    record.settle();
    Ok(record)
}

/// Reads a game of a REC file. The board is 20 by 20, or the expected board if that is larger.
///
/// # Errors
/// When the text is not a REC file.
pub(super) fn read_rec(text: &str, expected: BoardSize) -> Result<GameRecord, PsqError> {
    let (whole, text) = (text, text.trim_end_matches(is_blank));
    let sides = [expected.width(), expected.height()].map(|side| side.max(REC_SIDE));
    let size = BoardSize::new(sides[0], sides[1]).unwrap_or(expected);
    let mut record = GameRecord::new(None, size);
    let mut lines = lines(text);
    for name in [&mut record.black, &mut record.white] {
        let (number, line) = lines.next().unwrap_or((1, ""));
        if looks_like_a_stone(line) {
            return Err(PsqError::NoPlayers(number));
        }
        *name = one_line(clean(line));
    }
    let footer = read_stones(&mut record, lines, 0)?;
    expect_whole(&record, whole)?;
    expect_code(&footer, whole)?;
    if record.moves.is_empty() {
        return Err(PsqError::NoStones(3));
    }
    let code = footer.iter().find_map(|(_, text)| text.parse().ok());
    end(&mut record, code, None);
    record.settle();
    Ok(record)
}

/// Reads the lines of stones and returns those behind them. Columns and rows count from
/// `base`.
fn read_stones<'t>(
    record: &mut GameRecord,
    lines: impl Iterator<Item = (usize, &'t str)>,
    base: i64,
) -> Result<Vec<(usize, &'t str)>, PsqError> {
    let size = record.size;
    let mut footer = Vec::new();
    // The first line of the footer that is not empty.
    let mut other = None;
    let mut taken = PointSet::EMPTY;
    let mut color = Color::Black;
    for (line, text) in lines {
        let text = clean(text);
        let Some((x, row, time)) = parse_stone(text) else {
            if looks_like_a_stone(text) {
                let text = text.to_owned();
                return Err(PsqError::NoStone { line, text });
            }
            if !text.is_empty() {
                other = other.or(Some((line, text)));
            }
            footer.push((line, text));
            continue;
        };
        if let Some((other, text)) = other {
            return Err(PsqError::Between {
                line: other,
                text: text.to_owned(),
                stone: line,
            });
        }
        footer.clear();
        let from_zero = |number: i64| usize::try_from(number.checked_sub(base)?).ok();
        let point = from_zero(x)
            .zip(from_zero(row))
            .and_then(|(x, row)| size.point_from_top(x, row))
            .ok_or(PsqError::OffBoard { line, x, row, size })?;
        if taken.has(point) {
            return Err(PsqError::Taken { line, point });
        }
        taken.insert(point);
        record.moves.push(RecordedMove {
            time,
            ..RecordedMove::new(color, point)
        });
        color = color.opponent();
    }
    Ok(footer)
}

/// Returns true if the last line is a stone, so that the players and the final code are missing.
pub(crate) fn ends_with_a_stone(text: &str) -> bool {
    let text = text.trim_end_matches(is_blank);
    let last = lines(text).last();
    last.is_some_and(|(_, line)| parse_stone(clean(line)).is_some())
}

/// Refuses a footer that contains a game of another format, or names like moves or `(;`, unless
/// stones, two names and a code are complete: the lines may be stones.
fn expect_names(record: &GameRecord, footer: &[(usize, &str)]) -> Result<(), PsqError> {
    let is_code = |at: usize| footer.get(at).is_some_and(|(_, it)| is_number(it));
    let is_usual = !record.moves.is_empty() && footer.len() > 2 && is_code(2);
    let are_moves =
        |text: &str| parse_moves(record.size, text).is_ok_and(|moves| !moves.is_empty());
    let is_name = |at: usize| is_usual && at < 2;
    let is_other = |text: &str| text.contains("(;") || (!is_usual && are_moves(text));
    let mut lines = footer.iter().enumerate();
    match lines.find(|&(at, (_, text))| !is_name(at) && is_other(text)) {
        Some((_, &(line, text))) => Err(PsqError::NoName {
            line,
            text: text.to_owned(),
        }),
        None => Ok(()),
    }
}

/// Refuses a text that ends, without the end of a line, with nothing but a code behind the
/// stones: it may be the first digit of another. Files without names have the code -1, or two
/// empty lines before it.
fn expect_code(footer: &[(usize, &str)], text: &str) -> Result<(), PsqError> {
    let mut filled = footer.iter().zip(0..).filter(|((_, it), _)| !it.is_empty());
    match (filled.next(), filled.next()) {
        (Some((&(line, code), at)), None) if at != 2 && !has_last_end(text) && is_column(code) => {
            Err(PsqError::Cut(line))
        }
        _ => Ok(()),
    }
}

fn is_number(text: &str) -> bool {
    text.parse::<i64>().is_ok()
}

/// Returns true if a text may be the column of a stone.
fn is_column(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_digit()) && !text.starts_with('0')
}

/// Refuses a text whose last line is a stone without an end and without a time, where the
/// others have times: its row may be the first digit of another.
fn expect_whole(record: &GameRecord, text: &str) -> Result<(), PsqError> {
    let has_time = |played: &RecordedMove| played.time.is_some();
    let Some((last, others)) = record.moves.split_last() else {
        return Ok(());
    };
    let is_alone = others.is_empty() || !others.iter().all(has_time) || has_time(last);
    if is_alone || has_last_end(text) || !ends_with_a_stone(text) {
        return Ok(());
    }
    let number = lines(text).last().map_or(1, |(number, _)| number);
    Err(PsqError::Cut(number))
}

/// The players, how the game ended, and who won under which rule.
fn read_footer(record: &mut GameRecord, lines: &[&str], white_first: bool) {
    let is_code = |line: &&str| is_number(line);
    let filled = lines.iter().copied().filter(|line| !line.is_empty());
    let filled: Vec<&str> = filled.collect();
    // Players without a name have an empty line or none; other empty lines mean nothing.
    let (names, behind): (&[&str], &[&str]) = match (lines.get(2), filled.as_slice()) {
        (Some(code), _) if is_code(code) => (&lines[..2], &lines[2..]),
        (_, [code, ..]) if is_code(code) => (&[], &filled),
        (_, [_, code]) if is_code(code) => filled.split_at(1),
        _ => filled.split_at(filled.len().min(2)),
    };
    let name = |index: usize| one_line(names.get(index).copied().unwrap_or_default());
    (record.black, record.white) = match white_first {
        false => (name(0), name(1)),
        true => (name(1), name(0)),
    };
    let code = behind.first().and_then(|code| code.parse().ok());
    let result = behind.iter().find_map(|line| line.split_once(','));
    let winner = result.and_then(|(winner, rule)| {
        let winner = match winner.trim() {
            "0" => None,
            "1" => Some(Color::Black),
            "2" => Some(Color::White),
            _ => return None,
        };
        match RuleName::of(rule) {
            RuleName::Known(rule) => record.rule = Some(rule),
            RuleName::Unknown(text) => record.unknown_rule = Some(text),
        }
        Some(winner.map(|color| if white_first { color.opponent() } else { color }))
    });
    end(record, code, winner);
}

/// Sets the result from the code, and from the winner if one is named.
fn end(record: &mut GameRecord, code: Option<i64>, winner: Option<Option<Color>>) {
    let mover = mover(record);
    let termination = match code {
        Some(code::FORBIDDEN) => {
            record.rule = record.rule.or(Some(Rule::Renju));
            Termination::Forfeit
        }
        Some(code::TIME) => Termination::Time,
        Some(code::ILLEGAL) => Termination::IllegalMove,
        None | Some(code::NORMAL | ..0) => Termination::Agreement,
        Some(_) => Termination::Forfeit,
    };
    record.result = match (winner, code) {
        (Some(Some(winner)), _) => Some(GameResult::win(winner, termination)),
        (Some(None), _) => Some(GameResult::draw(Termination::Agreement)),
        (None, None | Some(code::NORMAL | ..0)) => None,
        // Who is to move has lost, except by a forbidden point.
        (None, Some(code::FORBIDDEN)) => Some(GameResult::win(mover, termination)),
        (None, Some(_)) => Some(GameResult::loss(mover, termination)),
    };
}

/// The board of `Piskvorky 20x20, 11:11, 0`, and whether the second player begins.
fn parse_heading(line: usize, text: &str) -> Result<(BoardSize, bool), PsqError> {
    let text = clean(text);
    let heading = PsqError::Heading(line);
    let Some((word, rest)) = text.split_once(char::is_whitespace) else {
        return Err(heading);
    };
    if !word.eq_ignore_ascii_case("piskvorky") {
        return Err(heading);
    }
    let mut fields = rest.split(',').map(str::trim);
    let size = fields.next().unwrap_or_default().to_ascii_lowercase();
    let size = size.parse().map_err(|_| PsqError::Size { line, size })?;
    let levels = fields.next().unwrap_or_default();
    let are_levels = levels.is_empty()
        || levels
            .split_once(':')
            .is_some_and(|(one, other)| is_number(one.trim()) && is_number(other.trim()));
    let white_first = match fields.next() {
        None | Some("" | "0") => false,
        Some("1") => true,
        Some(_) => return Err(heading),
    };
    if !are_levels || fields.next().is_some() {
        return Err(heading);
    }
    Ok((size, white_first))
}

/// Parses column, row and time. A missing or negative time is ignored.
fn parse_stone(line: &str) -> Option<(i64, i64, Option<Duration>)> {
    let mut fields = line.split(',').map(str::trim);
    let (x, row) = (fields.next()?.parse().ok()?, fields.next()?.parse().ok()?);
    let time = match fields.next() {
        None | Some("") => None,
        Some(time) => {
            let ms: f64 = time.parse().ok().filter(|ms: &f64| ms.is_finite())?;
            Duration::try_from_secs_f64(ms / 1e3).ok()
        }
    };
    fields.next().is_none().then_some((x, row, time))
}

/// Returns true if an unreadable line may be a stone: it begins with two numbers or with one and a
/// comma, contains only numbers, or has a letter in place of a digit.
fn looks_like_a_stone(line: &str) -> bool {
    let line = line.trim();
    let number = |text: &str| {
        let text = text.trim_start().trim_start_matches(['-', '+']);
        text.starts_with(|c: char| c.is_ascii_digit())
    };
    let begins = line.split_once([',', ';']).is_some_and(|(one, other)| {
        one.trim()
            .trim_start_matches(['-', '+'])
            .bytes()
            .all(|byte| byte.is_ascii_digit())
            && number(one)
            && (number(other) || other.trim().is_empty())
    });
    let only_numbers = !line.contains(|c: char| c.is_alphabetic());
    let numbers = line
        .split(|c: char| !c.is_numeric())
        .filter(|text| !text.is_empty());
    let mut fields = line.split([',', ';']).map(str::trim);
    let is_short = |field: &str| (1..=3).contains(&field.chars().count());
    let is_mistyped = match (fields.next(), fields.next()) {
        (Some(one), Some(other)) => {
            is_short(one) && is_short(other) && format!("{one}{other}").contains(char::is_numeric)
        }
        _ => false,
    };
    begins || (only_numbers && numbers.count() > 1) || is_mistyped
}

fn is_empty(line: &str) -> bool {
    clean(line).is_empty()
}

/// A line without blanks at its ends.
fn clean(line: &str) -> &str {
    line.trim_matches(is_blank)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests;
