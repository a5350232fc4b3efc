//! `quincunx play`: the board in the terminal.

use crate::cli::exit::{self, ensure_usage};
use crate::cli::games::{Reading, named_file};
use crate::cli::inputs::{is_standard_input, match_of, read_file};
use crate::cli::numbers::at_least_one;
use crate::cli::options::{Memory, VariantOptions};
use crate::cli::runs::{INTERRUPTED, on_interrupt};
use anyhow::{Context, Error, Result};
use clap::{Args, ValueEnum};
use quincunx_board::{ClientMessage, Player, Setup, Time};
use quincunx_engine::engine::Options;
use quincunx_engine::eval::WeightSet;
use quincunx_engine::game::swap::OpeningRule;
use quincunx_records::text;
use quincunx_terminal::{self, App, Appearance, EventLoop, Exit};
use std::env;
use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The arguments of `quincunx play`.
#[derive(Args)]
pub(crate) struct Play {
    /// A game to continue: a file (SGF, PSQ, RenLib and so on), the folder of a match, moves such
    /// as h8i9g10, or a line such as "15 renju h8i9g10"
    #[arg(value_name = "POSITION|FILE")]
    file: Option<PathBuf>,
    /// Which game of a file of several
    #[arg(long, value_name = "N", default_value_t = 1)]
    game: usize,
    #[command(flatten)]
    reading: Reading,
    #[command(flatten)]
    variant: VariantOptions,
    /// The opening rule: free, swap1, swap2, pro, long-pro, rif, yamaguchi, soosorv, tarannikov
    /// or taraguchi
    #[arg(long, value_name = "RULE", default_value_t)]
    opening: OpeningRule,
    /// Who plays black, or begins the opening
    #[arg(long, value_enum, value_name = "PLAYER", default_value = "person")]
    black: Who,
    /// Who plays white, or answers in the opening
    #[arg(long, value_enum, value_name = "PLAYER", default_value = "engine")]
    white: Who,
    /// The level of the engine, from 0, a beginner, to 100
    #[arg(long, value_name = "N", default_value_t = Setup::default().level,
        value_parser = clap::value_parser!(u8).range(0..=100))]
    level: u8,
    /// The engine's time for a move, such as 2s or 500ms, or that of each player for the game,
    /// such as 5m or 5m+3s
    #[arg(long, default_value_t = Setup::default().time)]
    time: Time,
    /// Draw with ASCII characters only
    #[arg(long)]
    ascii: bool,
    /// No colours; the variable NO_COLOR does the same
    #[arg(long)]
    no_color: bool,
    /// No bell when the engine has moved or the game ends
    #[arg(long)]
    no_bell: bool,
    /// Threads of a search
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = at_least_one::<u16>)]
    threads: u16,
    #[command(flatten)]
    memory: Memory<128>,
}

/// Who plays.
#[derive(Clone, Copy, ValueEnum)]
enum Who {
    /// A person at the terminal
    Person,
    /// The engine
    Engine,
}

impl From<Who> for Player {
    fn from(who: Who) -> Player {
        match who {
            Who::Person => Player::Person,
            Who::Engine => Player::Engine,
        }
    }
}

impl Play {
    /// Plays until the user leaves.
    pub(crate) fn run(&self, weights: &Arc<WeightSet>) -> Result<u8> {
        if !io::stdin().is_terminal() || !io::stdout().is_terminal() {
            let text = "play needs a terminal as its standard input and output; \
                        without options quincunx speaks the protocol";
            crate::cli::complain(&Error::msg(text));
            return Ok(exit::WRONG_USAGE);
        }
        let mut app = self.app()?;
        let event_loop = EventLoop::default();
        let interrupter = event_loop.interrupter();
        on_interrupt(move || interrupter.interrupt())?;
        let ending = event_loop.run(&mut app, Arc::clone(weights));
        Ok(match ending.context("the terminal is lost")? {
            Exit::Left => exit::DONE,
            Exit::Interrupted => INTERRUPTED,
        })
    }

    fn app(&self) -> Result<App> {
        let setup = Setup {
            rule: self.variant.of.rule.to_string(),
            size: self.variant.size.to_string(),
            opening: self.opening.name().to_owned(),
            black: self.black.into(),
            white: self.white.into(),
            level: self.level,
            time: self.time,
            ..Setup::default()
        };
        let options = Options {
            threads: usize::from(self.threads),
            max_memory: Some((self.memory.memory.0 as u64) << 20),
            ..Options::default()
        };
        let has_colors = env::var_os("NO_COLOR").is_none_or(|value| value.is_empty());
        let appearance = Appearance {
            ascii: self.ascii,
            color: has_colors && !self.no_color,
        };
        let mut app = App::new(setup, options, appearance).map_err(Error::msg)?;
        app.set_bell(!self.no_bell);
        if let Some(path) = &self.file {
            let context = || format!("can't open {}", path.display());
            self.open(&mut app, path).with_context(context)?;
        }
        Ok(app)
    }

    /// Opens a file, or a position in words.
    fn open(&self, app: &mut App, path: &Path) -> Result<()> {
        ensure_usage!(
            !is_standard_input(path),
            "play reads keys from standard input: name a file in place of -"
        );
        let word = path.to_str().filter(|word| named_file(word).is_none());
        if let Some(word) = word {
            let line = match text::is_line(word) {
                true => word.to_owned(),
                false => format!("{} {} {word}", self.variant.size, self.variant.of.rule),
            };
            return app.open_line(&line).map_err(Error::msg);
        }
        let bytes = match match_of(path) {
            Some(_) => read_file(path)?,
            None => quincunx_terminal::read(path).map_err(Error::msg)?,
        };
        let mut open = ClientMessage::open_file(&path.to_string_lossy(), &bytes);
        if let ClientMessage::Open { encoding, game, .. } = &mut open {
            *encoding = self.reading.encoding.map(|encoding| encoding.to_string());
            *game = self.game;
        }
        app.open(path, open).map_err(Error::msg)
    }
}
