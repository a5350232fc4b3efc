//! What is fixed before a match: the engines with their limits, and the game
//! they play.

use super::adjudicate::Adjudication;
use super::process::Program;
use quincunx_engine::game::TimeControl;
use quincunx_engine::game::swap::OpeningRule;
use quincunx_engine::rules::{BoardSize, Rule};
use std::path::Path;
use std::time::Duration;

/// The rule and the board of a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Variant {
    /// The rule.
    pub rule: Rule,
    /// The board.
    pub size: BoardSize,
}

/// The configuration of every game of a match.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GameConfig {
    /// The rule and the board.
    pub variant: Variant,
    /// The rule by which the first stones are put and the colours are chosen.
    pub opening_rule: OpeningRule,
    /// Games with this number of stones are drawn.
    pub move_limit: Option<usize>,
    /// The rules by which games end that both engines hold for decided.
    pub adjudication: Adjudication,
    /// Suspends the program that is not to move.
    pub suspend: bool,
    /// Sends the whole position before every move instead of the last move.
    pub whole_boards: bool,
}

/// Gomocup's number for a rule.
pub(crate) fn rule_code(rule: Rule) -> u64 {
    match rule {
        Rule::Freestyle => 0,
        Rule::Standard => 1,
        Rule::Renju => 4,
        Rule::CaroOverline => 8,
        Rule::Caro => 9,
    }
}

/// An engine of a match, with its options.
#[derive(Clone, Debug, PartialEq)]
pub struct EngineConfig {
    /// The name in reports.
    pub name: String,
    /// The command that starts it.
    pub program: Program,
    /// The limits of its searches.
    pub limits: EngineLimits,
    /// Sent as `INFO key value` at the start of every game.
    pub options: Vec<(String, String)>,
    /// The number of threads, sent to the engine.
    pub threads: Option<u64>,
    /// The most memory for it and all its children, in bytes.
    pub memory: Option<u64>,
}

impl EngineConfig {
    /// The engine as records describe it.
    pub fn describe(&self) -> serde_json::Value {
        let ms = |time: Duration| time.as_millis() as u64;
        let limits = &self.limits;
        let mut described = serde_json::json!({
            "name": self.name,
            "command": self.program.words(),
            "turn_ms": limits.time.turn.map(ms),
            "match_ms": limits.time.game.map(ms),
            "increment_ms": ms(limits.time.increment),
            "tolerance_ms": ms(limits.tolerance),
            "nodes": limits.nodes,
            "depth": limits.depth,
            "threads": self.threads,
            "memory": self.memory,
            "options": self.options,
        });
        // Earlier versions had none of these keys.
        if let Some(moves) = limits.time.period {
            described["period_moves"] = moves.get().into();
        }
        let default = EngineLimits::default();
        if limits.load != default.load {
            described["load_ms"] = ms(limits.load).into();
        }
        // With a limit of time no answer is waited for as long.
        let is_timed = limits.time.turn.or(limits.time.game).is_some();
        if !is_timed && limits.patience != default.patience {
            described["patience_ms"] = ms(limits.patience).into();
        }
        let command = self.program.command.first().map(Path::new);
        let usual = command.and_then(Path::parent);
        let folder = self.program.folder.as_deref();
        if let Some(folder) = folder.filter(|&folder| Some(folder) != usual) {
            described["folder"] = folder.to_string_lossy().into();
        }
        described
    }
}

/// The limits of an engine's searches, and the tolerances of the arena.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EngineLimits {
    /// The time control of every game.
    pub time: TimeControl,
    /// The most nodes for one move, sent to the engine.
    pub nodes: Option<u64>,
    /// The greatest depth, sent to the engine.
    pub depth: Option<u64>,
    /// By how much a limit of time may be overrun: that of a move with every move, that of a
    /// game once.
    pub tolerance: Duration,
    /// The time for one move where the time control has no limit. Nodes and depth take any time on a
    /// busy machine, so no default is short.
    pub patience: Duration,
    /// The extra time for the first move of a fresh process, in which many
    /// engines load their data.
    pub load: Duration,
    /// The most time from the start of a process, and of a game, to its `OK`.
    pub start: Duration,
}

/// Nodes that a fast engine searches in a millisecond.
const NODES_A_MS: u64 = 1_300;

/// Moves of a game that share its time.
const MOVES_A_GAME: u32 = 40;

impl EngineLimits {
    /// The nodes of a move, estimated for a fast engine if times are limited. Zero if neither nodes
    /// nor times are.
    pub fn nodes_a_move(&self) -> u64 {
        let TimeControl {
            turn,
            game,
            increment,
            period,
            ..
        } = self.time;
        let moves = period.and_then(|moves| u32::try_from(moves.get()).ok());
        let share = game.map(|game| game / moves.unwrap_or(MOVES_A_GAME) + increment);
        let time = [turn, share].into_iter().flatten().min();
        let ms = time.map(|time| u64::try_from(time.as_millis()).unwrap_or(u64::MAX));
        let nodes = ms.map(|ms| ms.saturating_mul(NODES_A_MS));
        [self.nodes, nodes].into_iter().flatten().min().unwrap_or(0)
    }

    /// Multiplies the time control, but not the patience of the arena. Times stay whole
    /// milliseconds, because the protocol has no others, and only zero stays zero, because zero may
    /// mean no limit.
    pub fn scale(&mut self, factor: f64) {
        let scaled = |time: Duration| {
            let ms = (1000.0 * factor * time.as_secs_f64()).round() as u64;
            Duration::from_millis(if time.is_zero() { 0 } else { ms.max(1) })
        };
        let time = &mut self.time;
        time.turn = time.turn.map(scaled);
        time.game = time.game.map(scaled);
        time.increment = scaled(time.increment);
    }
}

impl Default for EngineLimits {
    fn default() -> Self {
        EngineLimits {
            time: TimeControl::default(),
            nodes: None,
            depth: None,
            tolerance: Duration::from_millis(200),
            patience: Duration::from_secs(30 * 60),
            load: Duration::from_secs(3),
            start: Duration::from_secs(10),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn engine(command: &str, folder: Option<&str>) -> EngineConfig {
        EngineConfig {
            name: "A".into(),
            program: Program {
                command: vec![command.into()],
                folder: folder.map(Into::into),
            },
            limits: EngineLimits::default(),
            options: Vec::new(),
            threads: None,
            memory: None,
        }
    }

    /// A run was once resumed with another of these times, as if it were the same.
    #[test]
    fn times_other_than_the_default_ones_are_described() {
        let mut engine = engine("program", None);
        let usual = engine.describe();
        let ms = Duration::from_millis;
        engine.limits.patience = ms(1);
        engine.limits.load = ms(0);
        let described = engine.describe();
        for (key, time) in [("patience_ms", 1), ("load_ms", 0)] {
            assert_eq!(usual.get(key), None);
            assert_eq!(described[key], time);
        }
        engine.limits.time.turn = Some(ms(5));
        assert_eq!(engine.describe().get("patience_ms"), None);
    }

    /// A program may read other files in another folder.
    #[test]
    fn a_folder_of_its_own_is_described() {
        let folder = |command: &str, folder: Option<&str>| {
            engine(command, folder).describe().get("folder").cloned()
        };
        assert_eq!(folder("/a/program", Some("/a")), None);
        assert_eq!(folder("program", None), None);
        assert_eq!(folder("/a/program", Some("/b")), Some("/b".into()));
        assert_eq!(folder("program", Some("/a")), Some("/a".into()));
    }

    #[test]
    fn times_are_taken_for_nodes() {
        let nodes = |text: &str, turn: Option<u64>, nodes: Option<u64>| {
            let time = TimeControl {
                turn: turn.map(Duration::from_millis),
                ..text.parse().unwrap_or_default()
            };
            let limits = EngineLimits {
                time,
                nodes,
                ..EngineLimits::default()
            };
            limits.nodes_a_move()
        };
        assert_eq!(nodes("", None, None), 0);
        assert_eq!(nodes("", None, Some(5_000)), 5_000);
        assert_eq!(nodes("", Some(100), None), 130_000);
        assert_eq!(nodes("", Some(100), Some(9_000)), 9_000);
        assert_eq!(nodes("", Some(1), Some(9_000)), 1_300);
        // A fortieth of the game, and the increment.
        assert_eq!(nodes("60+0.5", None, None), 2_000 * 1_300);
        assert_eq!(nodes("30/60", Some(30_000), None), 2_000 * 1_300);
        assert_eq!(nodes("", Some(u64::MAX), None), u64::MAX);
    }

    #[test]
    fn times_are_scaled_and_patience_is_not() {
        let ms = Duration::from_millis;
        let time = TimeControl {
            turn: Some(ms(1)),
            game: Some(ms(60_000)),
            increment: Duration::ZERO,
            period: std::num::NonZeroUsize::new(40),
            ..TimeControl::default()
        };
        let mut limits = EngineLimits {
            time,
            ..EngineLimits::default()
        };
        limits.scale(0.333_333);
        let scaled = TimeControl {
            turn: Some(ms(1)),
            game: Some(ms(20_000)),
            ..time
        };
        let expected = EngineLimits {
            time: scaled,
            ..EngineLimits::default()
        };
        assert_eq!(limits, expected);
        limits.time.increment = ms(7);
        limits.scale(20.0);
        assert_eq!(limits.time.increment, ms(140));
        assert_eq!(limits.time.game, Some(ms(400_000)));
        assert_eq!(limits.tolerance, EngineLimits::default().tolerance);
    }
}
