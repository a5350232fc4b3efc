//! The settings of a match, as `match.json` keeps them: enough to resume the
//! match, and to know which records are parts of the same one.

use super::adjudicate::{DrawRule, ResignRule};
use super::config::{EngineConfig, Variant};
use super::platform::machine;
use super::schedule::Format;
use super::stats::Sprt;
use quincunx_engine::rules::{ParseRuleError, ParseSizeError};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::time::{SystemTime, UNIX_EPOCH};

/// The contents of `match.json`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MatchSettings {
    /// Who takes part, each with a name, a command and limits.
    pub engines: Vec<Value>,
    /// The rule's name.
    pub rule: String,
    /// The board.
    pub size: String,
    /// Pairs of games in the whole schedule.
    pub pairs: usize,
    /// Who plays whom in one round, by their places in the list.
    #[serde(rename = "meetings")]
    pub pairings: Vec<(usize, usize)>,
    /// The format, where who plays whom depends on results.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub format: Option<Format>,
    /// Every opening.
    pub openings: Vec<String>,
    /// The nodes of the search that judged the openings, where the program made them. Earlier
    /// versions did not write it down.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub opening_nodes: Option<u64>,
    /// The largest score that it allowed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub opening_window: Option<i32>,
    /// Whether openings are taken as they stand.
    pub sequential: bool,
    /// Whether openings are never turned.
    pub as_written: bool,
    /// What fixes the rest.
    pub seed: u64,
    /// The nodes a second of the first engine for which the times are meant; without it they
    /// are taken as they stand.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scale_to: Option<u64>,
    /// Games with this number of stones are drawn.
    pub draw_after: Option<usize>,
    /// When a game is given up for lost.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub resign: Option<ResignRule>,
    /// When a game is agreed to be drawn.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub draw: Option<DrawRule>,
    /// Whether programs are started anew for every game.
    pub restart: bool,
    /// Whether the program that is not to move is suspended.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub suspend: bool,
    /// Whether whole boards are sent instead of moves.
    pub whole_boards: bool,
    /// The opening rule, where it is not the free one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub opening_rule: Option<String>,
    /// Which part of the schedule this is.
    pub shard: Option<String>,
    /// The test, for reports.
    pub sprt: Option<Sprt>,
    /// When and where it was played, once for every start.
    #[serde(default)]
    pub runs: Vec<RunInfo>,
}

/// When, where and by what a match, or a part of it, was played.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RunInfo {
    /// When it was started, in seconds since 1970.
    pub started: u64,
    /// The version of this program.
    pub program: String,
    /// The machine in words.
    pub machine: String,
    /// What the engines say they are, by their names in the match.
    pub versions: BTreeMap<String, String>,
    /// The nodes a second of the first engine where times are scaled by it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub speed: Option<f64>,
}

impl RunInfo {
    /// A run that starts now, here, by a program of this version.
    pub fn now(version: &str) -> RunInfo {
        let since = SystemTime::now().duration_since(UNIX_EPOCH);
        RunInfo {
            started: since.map_or(0, |since| since.as_secs()),
            program: format!("Quincunx {version}"),
            machine: machine(),
            versions: BTreeMap::new(),
            speed: None,
        }
    }
}

/// Settings that say nothing about the games.
const ABOUT_THE_RUN: [&str; 2] = ["sprt", "runs"];

impl MatchSettings {
    /// Settings of which a test needs only who takes part.
    #[cfg(test)]
    pub(super) fn for_tests(names: &[&str]) -> MatchSettings {
        let engine = |name: &&str| serde_json::json!({ "name": name });
        let settings = serde_json::json!({
            "engines": names.iter().map(engine).collect::<Vec<Value>>(),
            "rule": "freestyle",
            "size": "15",
            "pairs": 1,
            "meetings": [],
            "openings": [],
            "sequential": false,
            "as_written": false,
            "seed": 1,
            "restart": false,
            "whole_boards": false,
        });
        serde_json::from_value(settings).expect("all that a match needs")
    }

    /// The names of those who take part.
    pub fn names(&self) -> Vec<String> {
        let name = |engine: &Value| Some(engine.get("name")?.as_str()?.to_owned());
        self.engines
            .iter()
            .map(|engine| name(engine).unwrap_or_default())
            .collect()
    }

    /// The same settings whatever folder the programs are in: on another machine it may be
    /// another one.
    pub(super) fn without_folders(&self) -> MatchSettings {
        let mut settings = self.clone();
        for engine in &mut settings.engines {
            if let Some(engine) = engine.as_object_mut() {
                engine.remove("folder");
            }
            let program = engine.pointer_mut("/command/0");
            let name = (program.as_deref().and_then(Value::as_str))
                .and_then(|path| path.rsplit(['/', '\\']).next())
                .map(Value::from);
            if let (Some(program), Some(name)) = (program, name) {
                *program = name;
            }
        }
        settings
    }

    /// The speed by which the times of all runs so far were scaled, if it was the same.
    pub fn speed(&self) -> Option<f64> {
        let speeds = self.runs.iter().map(|run| run.speed);
        speeds
            .reduce(|one, other| one.filter(|_| one == other))
            .flatten()
    }

    /// How the program made the openings, as an addition to their number; empty if it did not.
    pub(super) fn openings_made(&self) -> String {
        let made = self.opening_nodes.zip(self.opening_window);
        made.map_or_else(String::new, |(nodes, window)| {
            format!(", level within {window} after {nodes} nodes")
        })
    }

    /// How engines are described.
    pub fn describe(engines: &[EngineConfig]) -> Vec<Value> {
        engines.iter().map(EngineConfig::describe).collect()
    }

    /// What differs from other settings, the test aside, which decides when a run
    /// ends, not what its games are, and where it was played. Engines of the same names are
    /// compared each by itself.
    pub fn differences(&self, other: &MatchSettings) -> Vec<Difference> {
        let plain = |settings: &MatchSettings| serde_json::to_value(settings).unwrap_or_default();
        let mut all = differing(&plain(self), &plain(other));
        all.retain(|difference| !ABOUT_THE_RUN.contains(&difference.setting.as_str()));
        let names = self.names();
        let engines = all.iter().position(|it| it.setting == "engines");
        if let Some(at) = engines.filter(|_| names == other.names()) {
            let engines = self.engines.iter().zip(&other.engines).zip(&names);
            let of_each = engines.flat_map(|((own, others), name)| {
                let of_engine = move |difference: Difference| Difference {
                    engine: Some(name.clone()),
                    ..difference
                };
                differing(own, others).into_iter().map(of_engine)
            });
            all.splice(at..=at, of_each);
        }
        all
    }

    /// Whether a run with these settings is the one with the `other` settings, or goes
    /// on from it with more pairs of games. Where the programs have `moved`, they may be started
    /// by other commands and in other folders. What differs otherwise is the error.
    pub(super) fn goes_on_from(
        &self,
        other: &MatchSettings,
        moved: bool,
    ) -> Result<(), Vec<Difference>> {
        let mut differing = self.differences(other);
        differing.retain(|difference| !(moved && difference.is_command()));
        // The first pairs of a longer schedule are those of a shorter one.
        if self.format.is_none() && self.pairs > other.pairs {
            differing.retain(|difference| !difference.is_length());
        }
        if differing.is_empty() {
            Ok(())
        } else {
            Err(differing)
        }
    }

    /// The rule and the board.
    ///
    /// # Errors
    /// When the file names none.
    pub fn variant(&self) -> Result<Variant, VariantError> {
        Ok(Variant {
            rule: self.rule.parse()?,
            size: self.size.parse()?,
        })
    }
}

/// The members in which two objects differ. What is not set may be missing in either.
fn differing(own: &Value, other: &Value) -> Vec<Difference> {
    let members = |value: &Value| value.as_object().cloned().unwrap_or_default();
    let both = [own, other].map(members);
    let keys: BTreeSet<&String> = both.iter().flat_map(Map::keys).collect();
    let all = keys.into_iter().map(|key| Difference {
        engine: None,
        setting: key.clone(),
        values: (both.each_ref()).map(|of| of.get(key).cloned().unwrap_or_default()),
    });
    all.filter(|difference| difference.values[0] != difference.values[1])
        .collect()
}

/// A setting in which a match differs from another.
#[derive(Clone, Debug, PartialEq)]
pub struct Difference {
    /// The engine, if it is a setting of one.
    engine: Option<String>,
    setting: String,
    /// The value in the match and in the other.
    values: [Value; 2],
}

impl Difference {
    /// Whether one match is only longer than the other.
    pub(super) fn is_length(&self) -> bool {
        self.setting == "pairs"
    }

    /// Whether one engine is started by another command, or in another folder.
    pub(super) fn is_command(&self) -> bool {
        self.engine.is_some() && matches!(self.setting.as_str(), "command" | "folder")
    }
}

/// `seed 9, not 1`: the value in the other match and in this one, where they are short.
impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.setting)?;
        if let Some(engine) = &self.engine {
            write!(f, " of {engine}")?;
        }
        let word = |value: &Value| match value {
            Value::Null => Some("none".to_owned()),
            Value::String(text) => Some(text.clone()),
            Value::Bool(_) | Value::Number(_) => Some(value.to_string()),
            Value::Array(_) | Value::Object(_) => None,
        };
        match self.values.each_ref().map(word) {
            [Some(own), Some(other)] => write!(f, " {other}, not {own}"),
            _ => Ok(()),
        }
    }
}

/// What helps a run that is not resumed or merged, if an option does.
pub(super) fn advice(differences: &[Difference]) -> &'static str {
    match differences.iter().all(Difference::is_command) {
        true => "; if it is the same program in another place, give --moved",
        false => "",
    }
}

/// Differences as a list.
pub(super) fn list(differences: &[Difference]) -> String {
    let all: Vec<String> = differences.iter().map(Difference::to_string).collect();
    all.join("; ")
}

/// `match.json` names no rule or no board.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum VariantError {
    /// Not a rule.
    #[error(transparent)]
    Rule(#[from] ParseRuleError),
    /// Not a board.
    #[error(transparent)]
    Size(#[from] ParseSizeError),
}
