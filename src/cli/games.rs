//! Games and positions on the command line: files of any format, or text.

use super::inputs::{is_standard_input, name_of, read_file};
use super::options::rule;
use anyhow::{Context, Result};
use clap::Args;
#[cfg(feature = "analysis")]
use quincunx_engine::game::Game;
use quincunx_engine::position::Position;
use quincunx_engine::rules::{BoardSize, Rule};
use quincunx_records::{Encoding, FileFormat, ReadDefaults, Source, open_position, text};
#[cfg(any(feature = "analysis", feature = "shell"))]
use quincunx_records::{GameFile, Warning, WarningKind, first_warnings};
#[cfg(feature = "analysis")]
use quincunx_records::{GameRecord, RecordTree};
#[cfg(any(feature = "analysis", feature = "shell"))]
use std::collections::hash_map::{Entry, HashMap};
use std::fmt::Display;
use std::path::Path;

/// How game files are read.
#[derive(Args)]
pub(crate) struct Reading {
    /// The encoding of a file that does not give it, such as Shift_JIS, GBK, Big5 or UTF-8
    #[arg(long, value_name = "NAME")]
    pub(crate) encoding: Option<Encoding>,
}

/// How games are read, and the defaults for what they do not give.
#[derive(Args)]
pub(crate) struct GamesReading {
    /// The rule, where nothing else gives it; freestyle by default. SGF with the number of another
    /// game is read if it has stones on a board of a known size
    #[arg(long, value_parser = rule(), ignore_case = true)]
    pub(crate) rule: Option<Rule>,
    /// The board, 15 or 20x15, where nothing else gives it
    #[arg(long, default_value_t)]
    pub(crate) size: BoardSize,
    #[command(flatten)]
    pub(crate) reading: Reading,
}

/// Which game of a file, and how it is read.
#[derive(Args)]
pub(crate) struct GameReading {
    /// Which game of a file of several
    #[arg(long, value_name = "N", default_value_t = 1)]
    game: usize,
    #[command(flatten)]
    pub(crate) games: GamesReading,
}

impl GamesReading {
    /// The defaults for what a file does not give.
    pub(crate) fn expected(&self) -> ReadDefaults {
        ReadDefaults {
            is_rule_named: self.rule.is_some(),
            ..ReadDefaults::new(self.rule(), self.size)
        }
    }

    /// The rule of what gives none.
    pub(crate) fn rule(&self) -> Rule {
        self.rule.unwrap_or_default()
    }

    /// The positions of a file, one per line: the lines of a text, or the last positions of the
    /// games of any other file.
    #[cfg(feature = "shell")]
    pub(crate) fn lines(&self, path: &Path, bytes: &[u8]) -> Result<String> {
        let context = || format!("can't read the positions {}", path.display());
        let source = self.reading.source(path, bytes);
        let content = quincunx_records::recognise(source).with_context(context)?;
        if matches!(content.format, None | Some(FileFormat::Text)) {
            warn_of(path, &content.warnings);
            return Ok(content.text.replace('\r', "\n"));
        }
        let file = quincunx_records::open(source, self.expected()).with_context(context)?;
        warn_of_file(path, &file);
        let mut lines = String::new();
        for (number, game) in (1..).zip(file.games) {
            let context = || format!("{}: game {number}", path.display());
            let game = game.with_context(context)?;
            let played = game.record.replay(self.rule()).with_context(context)?;
            lines.push_str(&played.position().to_line());
            lines.push('\n');
        }
        Ok(lines)
    }
}

impl GameReading {
    /// The position that a word of the command line stands for: that of a file, of a line `SIZE
    /// RULE MOVES`, or of moves.
    pub(crate) fn position(&self, word: &str) -> Result<Position> {
        let expected = self.games.expected();
        if let Some(path) = named_file(word) {
            let context = || format!("can't read {}", path.display());
            let bytes = read_file(path)?;
            let source = self.games.reading.source(path, &bytes);
            let (position, warnings) =
                open_position(source, expected, self.game).with_context(context)?;
            warn_of(path, &warnings);
            return Ok(position);
        }
        let source = Source {
            bytes: word.as_bytes(),
            name: None,
            encoding: Some(Encoding::UTF_8),
        };
        // A word has no warnings: it is not empty, and the empty position has no file.
        match word.trim().is_empty() {
            true => Ok(Position::new(expected.rule, expected.size)),
            false => Ok(open_position(source, expected, self.game)?.0),
        }
    }

    /// The game that a word of the command line stands for: that of a file, or the game that leads
    /// to a line `SIZE RULE MOVES`, or to moves. It has a rule.
    #[cfg(feature = "analysis")]
    pub(crate) fn tree(&self, word: &str) -> Result<RecordTree> {
        let expected = self.games.expected();
        let mut tree = if let Some(path) = named_file(word) {
            let context = || format!("can't read {}", path.display());
            let bytes = read_file(path)?;
            let file = quincunx_records::open(self.games.reading.source(path, &bytes), expected);
            let read = file
                .and_then(|file| file.game(self.game))
                .with_context(context)?;
            warn_of(path, &read.warnings);
            read
        } else {
            RecordTree::of(GameRecord::of(&Game::from_position(self.position(word)?)))
        };
        tree.record.rule.get_or_insert(expected.rule);
        Ok(tree)
    }
}

impl Reading {
    /// The contents of a file.
    pub(crate) fn source<'a>(&self, path: &'a Path, bytes: &'a [u8]) -> Source<'a> {
        Source {
            bytes,
            name: name_of(path),
            encoding: self.encoding,
        }
    }
}

/// The file that a word names: one that exists, one with the extension of game files, or standard
/// input.
pub(crate) fn named_file(word: &str) -> Option<&Path> {
    let path = Path::new(word);
    let is_name = FileFormat::of_name(word).is_some() && !text::is_line(word);
    (is_name || path.exists() || is_standard_input(path)).then_some(path)
}

/// Prints the warnings on a file.
pub(crate) fn warn_of(path: &Path, warnings: &[impl Display]) {
    for warning in warnings {
        log::warn!("{}: {warning}", path.display());
    }
}

/// Prints the warnings on a file and on its games. A warning on several games is printed once.
#[cfg(any(feature = "analysis", feature = "shell"))]
pub(crate) fn warn_of_file(path: &Path, file: &GameFile) {
    warn_of(path, &file.warnings);
    // Each warning as the first game has it, that game, and those that have it, too.
    let mut warnings: Vec<(&Warning, usize, usize)> = Vec::new();
    let mut known: HashMap<&WarningKind, usize> = HashMap::new();
    for (number, game) in (1..).zip(&file.games) {
        for warning in game.iter().flat_map(|game| &game.warnings) {
            match known.entry(&warning.kind) {
                Entry::Occupied(known) => warnings[*known.get()].2 += 1,
                Entry::Vacant(new) => {
                    new.insert(warnings.len());
                    warnings.push((warning, number, 0));
                }
            }
        }
    }
    let lines = warnings
        .into_iter()
        .map(|(warning, number, more)| match more {
            _ if file.games.len() == 1 => warning.to_string(),
            0 => format!("game {number}: {warning}"),
            more => format!("game {number}, and {more} more: {warning}"),
        });
    warn_of(path, &first_warnings::<String>(lines.collect()));
}
