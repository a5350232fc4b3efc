//! `quincunx guest`: an engine that plays in the rooms of a server, with an account of its own.

use super::arena::program;
use super::exit::{ensure_usage, usage};
use super::numbers::{at_least_one, milliseconds};
use super::options::VariantOptions;
use super::runs::{StopSignal, on_interrupt};
use anyhow::Result;
use clap::Args;
use quincunx_arena::{EngineConfig, EngineLimits};
use quincunx_club::rooms::{ClockRule, RoomSetup};
use quincunx_engine::game::TimeControl;
use quincunx_engine::game::swap::OpeningRule;
use std::io::Write;
use std::time::Duration;

/// The environment variable that has the token where `--token` is not given.
const TOKEN: &str = "QUINCUNX_TOKEN";

/// The arguments of `quincunx guest`.
#[derive(Args)]
pub(crate) struct Guest {
    /// The command that starts the engine
    #[arg(long, value_name = "COMMAND")]
    engine: String,
    /// The address of the page with the rooms
    #[arg(long, value_name = "URL", value_parser = quincunx_guest::page_url)]
    url: String,
    /// The token of the engine's account; the default is the variable QUINCUNX_TOKEN
    #[arg(long)]
    token: Option<String>,
    #[command(flatten)]
    variant: VariantOptions,
    /// Their opening rule, such as swap2 or soosorv
    #[arg(long, value_name = "RULE", default_value_t)]
    opening: OpeningRule,
    /// Their clock: seconds for a game, and seconds added after every move
    #[arg(long, value_name = "TIME[+INC]", default_value = "300+3")]
    tc: TimeControl,
    /// Offer unrated games
    #[arg(long)]
    unrated: bool,
    /// Accept challenges by players of this rating or more, to games as it offers them
    #[arg(long, value_name = "N", default_value_t = 0)]
    least_rating: i64,
    /// Accept challenges by players of this rating or less
    #[arg(long, value_name = "N", default_value_t = 9999)]
    most_rating: i64,
    /// Take part in this tournament too
    #[arg(long, value_name = "NUMBER")]
    tournament: Option<String>,
    /// Leave after this many games; by default only Ctrl-C ends the guest
    #[arg(long, value_name = "N", value_parser = at_least_one::<u32>)]
    games: Option<u32>,
    /// A setting that is sent as INFO KEY VALUE before every move
    #[arg(long = "option", value_name = "KEY=VALUE")]
    options: Vec<String>,
    /// Time of every move that is kept in reserve for the connection to the server
    #[arg(long, value_name = "TIME", value_parser = milliseconds::<u64>, default_value = "200ms")]
    reserve: u64,
}

impl Guest {
    /// Plays until Ctrl-C, or until the number of games is reached.
    pub(crate) fn run(&self, output: &mut impl Write) -> Result<()> {
        let token = match &self.token {
            Some(token) => token.clone(),
            None => std::env::var(TOKEN).map_err(|_| usage("a guest needs --token".to_owned()))?,
        };
        ensure_usage!(
            self.least_rating <= self.most_rating,
            "--least-rating is more than --most-rating"
        );
        let stop = StopSignal::default();
        let on_signal = stop.clone();
        on_interrupt(move || on_signal.give())?;
        let guest = quincunx_guest::Guest {
            engine: self.config()?,
            url: self.url.clone(),
            token,
            setup: self.setup()?,
            ratings: self.least_rating..=self.most_rating,
            tournament: self.tournament.clone(),
            games: self.games,
            reserve: Duration::from_millis(self.reserve),
        };
        guest.run(&stop, &mut |line| {
            writeln!(output, "{line}")?;
            output.flush()
        })
    }

    fn config(&self) -> Result<EngineConfig> {
        let mut options = Vec::new();
        for option in &self.options {
            let named = option.split_once('=');
            let (key, value) =
                named.ok_or_else(|| usage(format!("expected KEY=VALUE, found '{option}'")))?;
            ensure_usage!(
                !key.is_empty() && !option.contains(char::is_control),
                "--option '{}' would be no single INFO line",
                option.escape_debug()
            );
            options.push((key.to_owned(), value.to_owned()));
        }
        Ok(EngineConfig {
            name: "guest".to_owned(),
            program: program(&self.engine)?,
            limits: EngineLimits::default(),
            options,
            threads: None,
            memory: None,
        })
    }

    /// The games that the engine offers.
    fn setup(&self) -> Result<RoomSetup> {
        ensure_usage!(
            self.tc.period.is_none(),
            "rooms have no clock for a number of moves"
        );
        let milliseconds = |time: Duration| time.as_millis() as u64;
        let main_ms = milliseconds(self.tc.game.unwrap_or_default());
        Ok(RoomSetup {
            rule: self.variant.of.rule,
            size: self.variant.size,
            opening: self.opening,
            clock: match milliseconds(self.tc.increment) {
                0 => ClockRule::SuddenDeath { main_ms },
                increment_ms => ClockRule::Increment {
                    main_ms,
                    increment_ms,
                },
            },
            rated: !self.unrated,
        })
    }
}
