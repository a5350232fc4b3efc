//! A database as text, one position a line: board, rule, moves that lead to the
//! position, and its entry as JSON.
//!
//! `15 renju h8h9j8 {"label":"w","value":-250,"depth":12,"bound":"exact"}`

use super::diagram::Diagram;
use super::entry::Entry;
use super::error::{DatabaseError, LineError, TextError};
use super::progress::{ImportStep, ImportWatch};
use super::store::{Database, TransferCount};
use quincunx_engine::rules::{BoardSize, Color, Rule};
use quincunx_records::{expect_memory, lines, text};
use std::io::Write;

impl Database {
    /// Adds the positions of a text.
    pub(super) fn import_text(
        &self,
        bytes: &[u8],
        watch: ImportWatch<'_>,
    ) -> Result<TransferCount, DatabaseError> {
        expect_memory(bytes.len().saturating_mul(16))?;
        let text = std::str::from_utf8(bytes).map_err(|error| TextError {
            line: bytes[..error.valid_up_to()]
                .split(|&byte| byte == b'\n')
                .count(),
            reason: LineError::Encoding,
        })?;
        let text = without_mark(text);
        let mut known = Vec::new();
        let count = lines(text).count();
        for (number, line) in lines(text) {
            ImportStep::Read.tell(number as u64, count as u64, watch)?;
            let line = line.trim();
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            let read = read_line(line).map_err(|reason| TextError {
                line: number,
                reason,
            });
            known.push(read?);
        }
        if may_be_cut(text) {
            return Err(TextError {
                line: count,
                reason: LineError::Cut,
            }
            .into());
        }
        self.learn_all(known, watch)
    }

    /// Writes all positions, or those of one rule and board.
    pub(super) fn export_text(
        &self,
        only: Option<(Rule, BoardSize)>,
        output: &mut dyn Write,
    ) -> Result<TransferCount, DatabaseError> {
        let prefix = only.map(|(rule, size)| Diagram::prefix(rule, size));
        let prefix = prefix.as_ref().map_or(&[][..], |prefix| prefix);
        let mut positions = 0;
        self.for_each(prefix, |diagram, entry| {
            if diagram.alternates() {
                let entry = serde_json::to_string(&entry)?;
                writeln!(output, "{} {entry}", heading(&diagram))?;
                positions += 1;
            }
            Ok(())
        })?;
        Ok(TransferCount {
            positions,
            left_out: self.len()?.saturating_sub(positions),
            reduced: 0,
            replaced: 0,
        })
    }
}

/// Returns true if a file that starts like this is a database as text.
pub fn is_text(start: &[u8]) -> bool {
    // The last line may be cut off.
    let start = String::from_utf8_lossy(start);
    let mut lines = lines(without_mark(&start)).map(|(_, line)| line.trim());
    let line = lines.find(|line| !line.is_empty());
    line.is_some_and(|line| {
        let position = line.split('{').next().unwrap_or_default();
        line.starts_with('#') || text::line(position).is_ok()
    })
}

/// Returns true if the last of several lines is unterminated and not a complete entry, so that its
/// last move may have been cut short.
fn may_be_cut(text: &str) -> bool {
    let has_lines = text.trim_end().contains(['\n', '\r']);
    let ends = |c: char| c.is_whitespace() || c == '}';
    let last = text.rsplit(['\n', '\r']).next().unwrap_or_default();
    has_lines && !text.ends_with(ends) && !last.trim_start().starts_with('#')
}

/// A text without the mark that some editors put at its start.
fn without_mark(text: &str) -> &str {
    text.strip_prefix('\u{feff}').unwrap_or(text)
}

fn read_line(line: &str) -> Result<(Vec<u8>, Entry), LineError> {
    let (position, entry) = line.split_at(line.find('{').unwrap_or(line.len()));
    let position = text::line(position)?;
    let entry = match entry {
        "" => Entry::default(),
        json => serde_json::from_str(json)?,
    };
    Ok((Diagram::of(&position).key(), entry))
}

/// Board, rule and moves.
fn heading(diagram: &Diagram) -> String {
    let mut text = format!("{} {} ", diagram.size(), diagram.rule());
    let [black, white] = [Color::Black, Color::White].map(|color| diagram.of_color(color));
    for (index, point) in black.iter().enumerate() {
        text += &point.to_string();
        text.extend(white.get(index).map(ToString::to_string));
    }
    text
}
