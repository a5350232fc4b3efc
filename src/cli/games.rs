//! Games and positions that the command line names: files of any format, or text.

use anyhow::{Context, Result, bail};
use clap::Args;
#[cfg(feature = "analysis")]
use quincunx_engine::game::Game;
use quincunx_engine::position::Position;
use quincunx_engine::rules::{BoardSize, Rule};
#[cfg(feature = "analysis")]
use quincunx_records::GameRecord;
use quincunx_records::{Encoding, Expected, FileFormat, Source, open_position};
use std::fs;
use std::path::Path;

/// How files of games are read.
#[derive(Args)]
pub(crate) struct Reading {
    /// The encoding of a file that does not say it, such as Shift_JIS, GBK, Big5 or UTF-8
    #[arg(long, value_name = "NAME")]
    pub(crate) encoding: Option<Encoding>,
}

impl Reading {
    /// What a file holds.
    pub(crate) fn source<'a>(&self, path: &'a Path, bytes: &'a [u8]) -> Source<'a> {
        Source {
            bytes,
            name: path.to_str(),
            encoding: self.encoding,
        }
    }

    /// The position that a word of the command line is: that of a file, of a line `SIZE
    /// RULE MOVES`, or of moves.
    pub(crate) fn position(
        &self,
        word: &str,
        (rule, size): (Rule, BoardSize),
        game: usize,
    ) -> Result<Position> {
        let expected = Expected::new(rule, size);
        if let Some(path) = named_file(word) {
            let context = || format!("can't read {}", path.display());
            let bytes = read_file(path)?;
            let source = self.source(path, &bytes);
            let (position, remarks) =
                open_position(source, expected, game).with_context(context)?;
            tell(path, &remarks);
            return Ok(position);
        }
        let source = Source {
            bytes: word.as_bytes(),
            name: None,
            encoding: Some(Encoding::UTF_8),
        };
        // A word has no remarks: it is not empty, and the empty position has no file.
        match word.trim().is_empty() {
            true => Ok(Position::new(rule, size)),
            false => Ok(open_position(source, expected, game)?.0),
        }
    }

    /// The game that a word of the command line is: that of a file, or the game that leads
    /// to a line `SIZE RULE MOVES`, or to moves. It has a rule.
    #[cfg(feature = "analysis")]
    pub(crate) fn record(
        &self,
        word: &str,
        (rule, size): (Rule, BoardSize),
        game: usize,
    ) -> Result<GameRecord> {
        let expected = Expected::new(rule, size);
        let mut record = if let Some(path) = named_file(word) {
            let context = || format!("can't read {}", path.display());
            let bytes = read_file(path)?;
            let file = quincunx_records::open(self.source(path, &bytes), expected);
            let read = file
                .and_then(|file| file.game(game))
                .with_context(context)?;
            tell(path, &read.remarks);
            read.record
        } else {
            GameRecord::of(&Game::from_position(self.position(
                word,
                (rule, size),
                game,
            )?))
        };
        record.rule.get_or_insert(rule);
        Ok(record)
    }

    /// The text of a file of positions, a line each: that of its games where it is no text.
    #[cfg(feature = "shell")]
    pub(crate) fn lines(&self, path: &Path, bytes: &[u8]) -> Result<String> {
        let context = || format!("can't read the positions {}", path.display());
        let source = self.source(path, bytes);
        let content = quincunx_records::recognise(source).with_context(context)?;
        tell(path, &content.remarks);
        if matches!(content.format, None | Some(FileFormat::Text)) {
            return Ok(content.text.replace('\r', "\n"));
        }
        let expected = Expected::new(Rule::default(), BoardSize::default());
        let file = quincunx_records::open(source, expected).with_context(context)?;
        let mut lines = String::new();
        for (number, game) in (1..).zip(file.games) {
            let context = || format!("{}: game {number}", path.display());
            let game = game.with_context(context)?;
            tell(path, &game.remarks);
            let played = game.record.replay(Rule::default()).with_context(context)?;
            lines.push_str(&line_of(played.position()));
            lines.push('\n');
        }
        Ok(lines)
    }
}

#[cfg(feature = "shell")]
/// A line `SIZE RULE MOVES` of a position, whose side to move the number of moves tells.
pub(crate) fn line_of(position: &Position) -> String {
    let line = format!(
        "{} {} {}",
        position.size(),
        position.rule(),
        position.move_text()
    );
    match Position::from_line(&line) {
        Ok(read) if read.side() != position.side() => format!("{line}--"),
        _ => line,
    }
}

/// The file that a word names: one that exists, or one whose name ends as those of games.
pub(crate) fn named_file(word: &str) -> Option<&Path> {
    let path = Path::new(word);
    let is_name = FileFormat::of_name(word).is_some() && !word.trim().contains(char::is_whitespace);
    (is_name || path.exists()).then_some(path)
}

/// The bytes of a file.
pub(crate) fn read_file(path: &Path) -> Result<Vec<u8>> {
    let context = || format!("can't read {}", path.display());
    if path.is_dir() {
        bail!("can't read {}: it is a folder", path.display());
    }
    fs::read(path).with_context(context)
}

/// Says what was noticed about a file.
pub(crate) fn tell(path: &Path, remarks: &[String]) {
    for remark in remarks {
        log::warn!("{}: {remark}", path.display());
    }
}
