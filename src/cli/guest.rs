//! `quincunx guest`: an engine that plays in the rooms of a server, with an account of its own.

mod connection;
mod engine;
mod state;
mod time;

use super::arena::program;
use super::exit::{ensure_usage, usage};
use super::numbers::{at_least_one, milliseconds};
use super::rules::rule;
use super::signals::on_interrupt;
use anyhow::Result;
use clap::Args;
use connection::Connection;
use engine::Thinker;
use quincunx_arena::{EngineConfig, EngineLimits};
use quincunx_engine::game::TimeControl;
use quincunx_engine::game::swap::OpeningRule;
use quincunx_engine::rules::{BoardSize, Rule};
use serde_json::{Value, json};
use state::GuestState;
use std::io::Write;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// The environment variable that has the token where `--token` is not given.
const TOKEN: &str = "QUINCUNX_TOKEN";

/// How long to wait before connecting again, after each failure in turn.
const RETRY_S: [u64; 4] = [1, 2, 5, 10];

/// The arguments of `quincunx guest`.
#[derive(Args)]
pub(crate) struct Guest {
    /// The command that starts the engine
    #[arg(long, value_name = "COMMAND")]
    engine: String,
    /// The address of the page with the rooms
    #[arg(long, value_name = "URL", value_parser = connection::page_url)]
    url: String,
    /// The token of the engine's account; the default is the variable QUINCUNX_TOKEN
    #[arg(long)]
    token: Option<String>,
    /// The rule of the games that it offers
    #[arg(long, default_value_t, value_parser = rule(), ignore_case = true)]
    rule: Rule,
    /// Their board, such as 15
    #[arg(long, default_value_t)]
    size: BoardSize,
    /// Their opening rule: free, swap1 or swap2
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
        let is_ended = Arc::new(AtomicBool::new(false));
        let interrupted = Arc::clone(&is_ended);
        on_interrupt(move || interrupted.store(true, Ordering::Relaxed))?;
        let mut thinker = Thinker::start(self.config()?)?;
        let ratings = self.least_rating..=self.most_rating;
        let reserve = Duration::from_millis(self.reserve);
        let mut state = GuestState::new(self.setup()?, ratings, reserve);
        let mut failures = 0;
        while !is_ended.load(Ordering::Relaxed) {
            let wait = match self.visit(&token, &mut thinker, &mut state, &is_ended, output) {
                Ok(Visit::Over) => return Ok(()),
                Ok(Visit::Refused(seconds)) => seconds,
                Ok(Visit::Lost) => {
                    failures = 0;
                    RETRY_S[0]
                }
                Err(error) if error.is::<state::Unwelcome>() => return Err(error),
                Err(error) => {
                    log::warn!("no connection: {error:#}");
                    failures += 1;
                    RETRY_S[failures.min(RETRY_S.len()) - 1]
                }
            };
            for _ in 0..wait * 10 {
                if !is_ended.load(Ordering::Relaxed) {
                    std::thread::sleep(Duration::from_millis(100));
                }
            }
        }
        Ok(())
    }

    /// Connects once, and plays until the connection ends.
    fn visit(
        &self,
        token: &str,
        thinker: &mut Thinker,
        state: &mut GuestState,
        is_ended: &AtomicBool,
        output: &mut impl Write,
    ) -> Result<Visit> {
        let mut connection = Connection::open(&self.url)?;
        connection.send(&json!({ "type": "hello", "version": 1, "key": token }))?;
        state.arrive(self.tournament.as_deref());
        while !is_ended.load(Ordering::Relaxed) {
            let message = match connection.receive() {
                Ok(message) => message,
                Err(error) => {
                    log::warn!("the connection broke: {error:#}");
                    return Ok(Visit::Lost);
                }
            };
            if let Some(message) = message {
                match message["type"].as_str() {
                    Some("refused") => {
                        return Ok(Visit::Refused(message["retry_s"].as_u64().unwrap_or(60)));
                    }
                    Some("goodbye") => return Ok(Visit::Lost),
                    _ => state.receive(&message)?,
                }
            }
            if let Some(job) = state.job() {
                thinker.think(job);
            } else if !state.awaits_engine() {
                thinker.forget();
            }
            if let Some(answer) = thinker.answer() {
                state.receive_answer(answer);
            }
            for line in state.reports() {
                writeln!(output, "{line}")?;
                output.flush()?;
            }
            for message in state.outgoing() {
                if connection.send(&message).is_err() {
                    return Ok(Visit::Lost);
                }
            }
            if self.games.is_some_and(|games| state.games() >= games) {
                return Ok(Visit::Over);
            }
        }
        Ok(Visit::Over)
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

    /// The games that the engine offers, in the server's form.
    fn setup(&self) -> Result<Value> {
        let main = self.tc.game.unwrap_or_default();
        ensure_usage!(
            self.tc.period.is_none(),
            "rooms have no clock for a number of moves"
        );
        let milliseconds = |time: Duration| time.as_millis() as u64;
        let clock = match milliseconds(self.tc.increment) {
            0 => json!({ "kind": "sudden_death", "main_ms": milliseconds(main) }),
            increment => json!({
                "kind": "increment", "main_ms": milliseconds(main), "increment_ms": increment,
            }),
        };
        Ok(json!({
            "rule": self.rule.name(), "size": self.size.to_string(),
            "opening": self.opening.name(), "clock": clock, "rated": !self.unrated,
        }))
    }
}

/// How a visit ends.
enum Visit {
    /// The guest has finished.
    Over,
    /// The server has no place for this many seconds.
    Refused(u64),
    /// The connection was lost.
    Lost,
}
