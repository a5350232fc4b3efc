//! PSQ, the game files of piskvork and of Gomocup's tournaments.
//!
//! The first line names the board. Then comes a line for every stone: column
//! from the left and row from the top, both from one, and milliseconds. The
//! players follow, and a number that says how the game ended.

use super::record::{GameRecord, RecordedMove};
use core::time::Duration;
use quincunx_engine::game::{GameResult, Termination};
use quincunx_engine::rules::{BoardSize, Color, Point, Rule};
use std::fmt::Write as _;

/// How a game ended, as the last line says it.
mod code {
    pub(super) const NORMAL: u32 = 0;
    pub(super) const FORBIDDEN: u32 = 1;
    pub(super) const TIME: u32 = 2;
    pub(super) const ILLEGAL: u32 = 3;
    pub(super) const FORFEIT: u32 = 4;
}

/// The text is not a PSQ file, or the game can't be written as one.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PsqError {
    /// The first line is another file's.
    #[error("line 1: expected a line such as 'Piskvorky 20x20, 11:11, 0'")]
    Heading,
    /// The board is not supported.
    #[error("line 1: expected a board of 5 to 22, such as 20x20, not '{0}'")]
    Size(String),
    /// A stone is off the board.
    #[error("line {line}: there is no point {x},{row} on the {size} board")]
    OffBoard {
        /// The line, from one.
        line: usize,
        /// The column, from one.
        x: u64,
        /// The row from the top, from one.
        row: u64,
        /// The board.
        size: BoardSize,
    },
    /// The format knows stones in turn from the empty board and nothing else.
    #[error("move {0}: PSQ files have no passes, no set-up and no colours out of turn")]
    OutOfTurn(usize),
}

/// The game as piskvork writes it. Readers take it that a game lost without a last
/// stone was lost by whoever was to move, so the text tells of no other such loss.
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
    let mover_lost = (record.result).is_some_and(|result| result.winner == Some(turn.opponent()));
    let code = match record.result.map(|result| result.termination) {
        Some(Termination::Forbidden(_)) => code::FORBIDDEN,
        Some(Termination::Time) if mover_lost => code::TIME,
        Some(Termination::IllegalMove) if mover_lost => code::ILLEGAL,
        Some(Termination::Resignation | Termination::Forfeit) if mover_lost => code::FORFEIT,
        _ => code::NORMAL,
    };
    let [black, white] = [&record.black, &record.white].map(|name| name.replace(['\r', '\n'], " "));
    let _ = writeln!(text, "{black}\n{white}\n{code}");
    Ok(text)
}

/// Reads a game. The format has no rule and no winner: a game that ended by
/// its stones gets the result they have without forbidden points.
///
/// # Errors
/// When the text is not a PSQ file.
pub fn read(text: &str) -> Result<GameRecord, PsqError> {
    let mut lines = text.lines().enumerate();
    let heading = lines.next().map_or("", |(_, line)| line);
    let size = parse_heading(heading.trim_start_matches('\u{feff}'))?;
    let mut record = GameRecord::new(None, size);
    let mut footer = Vec::new();
    let mut color = Color::Black;
    for (index, line) in lines {
        let stone = parse_stone(line).filter(|_| footer.is_empty());
        let Some((x, row, ms)) = stone else {
            footer.push(line.trim());
            continue;
        };
        let off = || PsqError::OffBoard {
            line: index + 1,
            x,
            row,
            size,
        };
        let from_zero = |number: u64| usize::try_from(number.checked_sub(1)?).ok();
        let point = from_zero(x)
            .zip(from_zero(row))
            .and_then(|(x, row)| size.point_from_top(x, row));
        record.moves.push(RecordedMove {
            time: Some(Duration::from_millis(ms)),
            ..RecordedMove::new(color, point.ok_or_else(off)?)
        });
        color = color.opponent();
    }
    let mut footer = footer.into_iter();
    record.black = footer.next().unwrap_or_default().to_owned();
    record.white = footer.next().unwrap_or_default().to_owned();
    let code = footer.next().and_then(|code| code.parse().ok());
    // Who is to move has lost, except by a forbidden point.
    let lost = |termination| Some(GameResult::loss(color, termination));
    record.result = match code {
        None | Some(code::NORMAL) => None,
        Some(code::FORBIDDEN) => {
            record.rule = Some(Rule::Renju);
            Some(GameResult::win(color, Termination::Forfeit))
        }
        Some(code::TIME) => lost(Termination::Time),
        Some(code::ILLEGAL) => lost(Termination::IllegalMove),
        Some(_) => lost(Termination::Forfeit),
    };
    record.settle();
    Ok(record)
}

/// The board of `Piskvorky 20x20, 11:11, 0`.
fn parse_heading(line: &str) -> Result<BoardSize, PsqError> {
    let (word, rest) = line
        .trim()
        .split_once(char::is_whitespace)
        .ok_or(PsqError::Heading)?;
    if !word.eq_ignore_ascii_case("piskvorky") {
        return Err(PsqError::Heading);
    }
    let size = rest.split(',').next().unwrap_or_default().trim();
    size.parse().map_err(|_| PsqError::Size(size.to_owned()))
}

/// Column, row and milliseconds.
fn parse_stone(line: &str) -> Option<(u64, u64, u64)> {
    let mut numbers = line.trim().split(',').map(|number| number.trim().parse());
    let stone = (
        numbers.next()?.ok()?,
        numbers.next()?.ok()?,
        numbers.next()?.ok()?,
    );
    numbers.next().is_none().then_some(stone)
}
