//! Options that several commands have, each declared once. `next_help_heading` where they are
//! flattened says under which heading the help lists them.

use super::numbers::{MOST_AT_A_TIME, mebibytes, within};
use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use quincunx_engine::rules::{BoardSize, Rule};
use std::fmt;
use std::str::FromStr;

/// Parses the name of a rule, which help, completions and errors list.
pub(crate) fn rule() -> impl TypedValueParser<Value = Rule> {
    let names = Rule::ALL.map(Rule::name);
    PossibleValuesParser::new(names).try_map(|name| name.parse::<Rule>())
}

/// The rule of games.
#[derive(Args)]
pub(crate) struct RuleOption {
    /// The rule
    #[arg(long, default_value_t, value_parser = rule(), ignore_case = true)]
    pub(crate) rule: Rule,
}

/// The rule and the board of games.
#[derive(Args)]
pub(crate) struct VariantOptions {
    #[command(flatten)]
    pub(crate) of: RuleOption,
    /// The board: 15, or 20x15
    #[arg(long, default_value_t)]
    pub(crate) size: BoardSize,
}

/// The number of items of a run that are worked on at a time.
#[derive(Args)]
pub(crate) struct Threads {
    /// Threads, each with a game, a position or an attempt
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = within(1, MOST_AT_A_TIME))]
    pub(crate) threads: usize,
}

/// The seed of a run.
#[derive(Args)]
pub(crate) struct Seed {
    /// Seed of everything random: another one gives other results
    #[arg(long, value_name = "S", default_value_t = 1)]
    pub(crate) seed: u64,
}

/// The leave to overwrite files.
#[derive(Args)]
pub(crate) struct Force {
    /// Overwrite existing files; a run begins anew
    #[arg(long)]
    pub(crate) force: bool,
}

/// The memory of a search, by default this number of MiB.
#[derive(Args)]
pub(crate) struct Memory<const DEFAULT: usize> {
    /// Memory of the search
    #[arg(long, value_name = "SIZE", default_value_t = Mebibytes(DEFAULT))]
    pub(crate) memory: Mebibytes,
}

/// A number of MiB.
#[derive(Clone, Copy)]
pub(crate) struct Mebibytes(pub(crate) usize);

impl FromStr for Mebibytes {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Mebibytes, &'static str> {
        mebibytes(text).map(Mebibytes)
    }
}

impl fmt::Display for Mebibytes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}MiB", self.0)
    }
}

/// Results for other programs.
#[derive(Args)]
pub(crate) struct Json {
    /// Print JSON: one object, or one per line
    #[arg(long)]
    pub(crate) json: bool,
}
