//! What was played, as the file beside the games says it: enough to go on
//! with a run as itself, and to know which runs are parts of one.

use super::player::Entrant;
use super::stats::Sprt;
use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The contents of `match.json`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Settings {
    /// Who takes part, each with a name, a command and limits.
    pub engines: Vec<Value>,
    /// The rule's name.
    pub rule: String,
    /// The board.
    pub size: String,
    /// Pairs of games in the whole schedule.
    pub pairs: usize,
    /// The meetings of one round.
    pub meetings: Vec<(usize, usize)>,
    /// Every opening.
    pub openings: Vec<String>,
    /// Whether openings are taken as they stand.
    pub sequential: bool,
    /// Whether openings are never turned.
    pub as_written: bool,
    /// What fixes the rest.
    pub seed: u64,
    /// Games with so many stones are drawn.
    pub draw_after: Option<usize>,
    /// Whether programs are started anew for every game.
    pub restart: bool,
    /// Whether whole boards are sent instead of moves.
    pub whole_boards: bool,
    /// Which part of the schedule this is.
    pub shard: Option<String>,
    /// The test, for reports.
    pub sprt: Option<Sprt>,
}

impl Settings {
    /// The names of those who take part.
    pub fn names(&self) -> Vec<String> {
        let name = |engine: &Value| Some(engine.get("name")?.as_str()?.to_owned());
        self.engines
            .iter()
            .map(|engine| name(engine).unwrap_or_default())
            .collect()
    }

    /// How entrants are described.
    pub fn describe(entrants: &[Entrant]) -> Vec<Value> {
        entrants.iter().map(Entrant::describe).collect()
    }

    /// What differs from other settings, the test aside: it decides when a
    /// run ends, not what its games are.
    pub fn differences(&self, other: &Settings) -> Vec<String> {
        let plain = |settings: &Settings| {
            let value = serde_json::to_value(settings).unwrap_or_default();
            value.as_object().cloned().unwrap_or_default()
        };
        let other = plain(other);
        let mine = plain(self).into_iter();
        mine.filter(|(key, value)| key != "sprt" && other.get(key) != Some(value))
            .map(|(key, _)| key)
            .collect()
    }

    /// What a heading of records needs.
    ///
    /// # Errors
    /// When rule or size are none.
    pub fn heading(&self) -> Result<super::notation::Heading> {
        let size = self.size.parse();
        Ok(super::notation::Heading {
            rule: self.rule.parse().context("match.json")?,
            size: size.context("match.json")?,
        })
    }
}
