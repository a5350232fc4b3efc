//! The settings of a match, as `match.json` keeps them: enough to resume the
//! match, and to know which records are parts of the same one.

use super::adjudicate::{DrawRule, ResignRule};
use super::config::{EngineConfig, Variant};
use super::platform::machine;
use super::schedule::Format;
use super::stats::Sprt;
use quincunx_engine::game::opening::{Opening, OpeningError};
use quincunx_engine::rules::{ParseRuleError, ParseSizeError};
use quincunx_runs::differences;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fmt;
use std::time::{SystemTime, UNIX_EPOCH};

/// The contents of `match.json`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MatchSettings {
    /// The engines, each with a name, a command and limits.
    pub engines: Vec<Value>,
    /// The rule's name.
    pub rule: String,
    /// The board.
    pub size: String,
    /// Pairs of games in the whole schedule.
    pub pairs: usize,
    /// The pairings of one round, by the places of the engines in the list.
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
    /// Openings are played in the order of the list.
    pub sequential: bool,
    /// Openings are never turned.
    pub as_written: bool,
    /// The seed of everything else.
    pub seed: u64,
    /// The speed of the first engine, in nodes per second, that times refer to. Without it times
    /// are not scaled.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scale_to: Option<u64>,
    /// Games with this number of stones are drawn.
    pub draw_after: Option<usize>,
    /// The rule by which a lost game is resigned.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub resign: Option<ResignRule>,
    /// The rule by which a draw is agreed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub draw: Option<DrawRule>,
    /// True if programs are restarted for every game.
    pub restart: bool,
    /// The program that is not to move is suspended.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub suspend: bool,
    /// Whole boards are sent instead of moves.
    pub whole_boards: bool,
    /// The opening rule, unless it is the free one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub opening_rule: Option<String>,
    /// Which part of the schedule this is.
    pub shard: Option<String>,
    /// The test, for reports.
    pub sprt: Option<Sprt>,
    /// The time, the machine and the programs of every start.
    #[serde(default)]
    pub runs: Vec<RunInfo>,
}

/// The time, the machine and the programs of a match or a shard.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RunInfo {
    /// The start, in seconds since 1970.
    pub started: u64,
    /// The version of this program.
    pub program: String,
    /// The machine in words.
    pub machine: String,
    /// The engines' descriptions of themselves, by their names in the match.
    pub versions: BTreeMap<String, String>,
    /// The measured speed of the first engine, in nodes per second, if times are scaled by it.
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

/// Settings that do not affect the games.
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

    /// Describes the openings that the program made, as an addition to their number.
    pub(super) fn openings_made(&self) -> String {
        let made = self.opening_nodes.zip(self.opening_window);
        made.map_or_else(String::new, |(nodes, window)| {
            format!(", level within {window} after {nodes} nodes")
        })
    }

    /// Describes engines for `match.json`.
    pub fn describe(engines: &[EngineConfig]) -> Vec<Value> {
        engines.iter().map(EngineConfig::describe).collect()
    }

    /// Returns the differences from other settings that change the games: neither the test, which
    /// only ends a run, nor the place where it was played. Engines of the same names are
    /// compared each by itself.
    pub fn differences(&self, other: &MatchSettings) -> Vec<Difference> {
        let plain = |settings: &MatchSettings| serde_json::to_value(settings).unwrap_or_default();
        let mut all = differences(&plain(self), &plain(other));
        all.retain(|difference| !ABOUT_THE_RUN.contains(&difference.setting.as_str()));
        let names = self.names();
        let of_engine = |(name, difference): (&String, _)| Difference {
            engine: Some(name.clone()),
            difference,
        };
        let of_engines = || {
            let engines = self.engines.iter().zip(&other.engines).zip(&names);
            engines.flat_map(|((own, others), name)| {
                differences(own, others)
                    .into_iter()
                    .map(move |it| (name, it))
            })
        };
        let mut found = Vec::new();
        for difference in all {
            if difference.setting == "engines" && names == other.names() {
                found.extend(of_engines().map(of_engine));
            } else {
                let engine = None;
                found.push(Difference { engine, difference });
            }
        }
        found
    }

    /// Checks that a run with these settings equals the one with the `other` settings, or continues
    /// it with more pairs of games. Where the programs have `moved`, their commands and folders may
    /// differ. Other differences are the error.
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

    /// Returns the openings, by the match's own rule and board.
    ///
    /// # Errors
    /// Returns an error when the file names no rule or board, or one of the openings is not of them.
    pub fn openings(&self) -> Result<Vec<Opening>, VariantError> {
        let Variant { rule, size } = self.variant()?;
        let openings = self.openings.iter();
        let openings = openings.map(|text| Opening::parse(rule, size, text));
        Ok(openings.collect::<Result<_, _>>()?)
    }

    /// The rule and the board.
    ///
    /// # Errors
    /// Returns an error when the file names none.
    pub fn variant(&self) -> Result<Variant, VariantError> {
        Ok(Variant {
            rule: self.rule.parse()?,
            size: self.size.parse()?,
        })
    }
}

/// A setting in which a match differs from another.
#[derive(Clone, Debug, PartialEq)]
pub struct Difference {
    /// The engine, if it is a setting of one.
    engine: Option<String>,
    difference: quincunx_runs::Difference,
}

impl Difference {
    /// Returns whether one match is only longer than the other.
    pub(super) fn is_length(&self) -> bool {
        self.difference.setting == "pairs"
    }

    /// Returns whether one engine is started by another command, or in another folder.
    pub(super) fn is_command(&self) -> bool {
        let setting = self.difference.setting.as_str();
        self.engine.is_some() && matches!(setting, "command" | "folder")
    }
}

/// `seed 9, not 1`: the value in the other match and in this one, where they are short.
impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.difference.setting)?;
        if let Some(engine) = &self.engine {
            write!(f, " of {engine}")?;
        }
        self.difference.fmt_values(f)
    }
}

/// Returns the advice for a run that is not resumed or merged, if an option helps.
pub(super) fn advice(differences: &[Difference]) -> &'static str {
    match differences.iter().all(Difference::is_command) {
        true => "; if it is the same program in another place, give --moved",
        false => "",
    }
}

/// `match.json` has no valid rule, board or opening.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum VariantError {
    /// Not a rule.
    #[error(transparent)]
    Rule(#[from] ParseRuleError),
    /// Not a board.
    #[error(transparent)]
    Size(#[from] ParseSizeError),
    /// Not an opening.
    #[error(transparent)]
    Opening(#[from] OpeningError),
}
