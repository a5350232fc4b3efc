//! The result of a match as text: one line while it goes on, a page at its end.

use super::claims::claim_table;
use super::parts::Comparison;
use super::rating_list::{first_move, rating_tables, standings_of_groups};
use super::record::{MatchGame, Reason};
use super::results::PairResults;
use super::schedule::progress_table;
use super::settings::MatchSettings;
use super::speed;
use super::standings::{HeadToHead, Standings};
use super::stats::{Decision, EloModel, Sprt};
use super::table::Table;
use quincunx_engine::game::TimeControl;
use quincunx_records::Date;
use serde_json::Value;
use std::collections::{BTreeSet, HashSet};
use std::fmt::{self, Write as _};
use std::num::NonZeroUsize;
use std::time::Duration;

/// The progress line of a match.
pub fn progress(
    standings: &Standings,
    sprt: Option<&Sprt>,
    total: u64,
    elapsed: Duration,
    before: u64,
) -> String {
    let games = standings.games();
    // Tie-breaks are not planned.
    let total = total.max(games);
    let mut line = format!("{games}/{total}");
    let played = games.saturating_sub(before);
    let each = elapsed.as_secs_f64() / played.max(1) as f64;
    if played > 0 {
        let left = each * (total - games) as f64;
        let at_most = if sprt.is_some() { "at most " } else { "" };
        // First, as a terminal may cut off the end.
        let _ = write!(line, "  {at_most}{} to go", DurationText(left));
    }
    if let (Some(head_to_head), 2) = (standings.first(), standings.names().len()) {
        let _ = write!(line, "  {}", head_to_head.tally);
        if let Some(estimate) = head_to_head.estimate() {
            let _ = write!(line, "  {estimate}");
        }
        if let Some(sprt) = sprt {
            let llr = sprt.llr(&head_to_head.pairs);
            let bounds = (sprt.lower(), sprt.upper());
            let _ = write!(line, "  LLR {llr:.2} ({:.2}, {:.2})", bounds.0, bounds.1);
        }
    }
    if played > 0 {
        let _ = write!(line, "  {:.0} games/h", 3600.0 / each);
    }
    line
}

/// The report of a match: tables, and the score of each two engines.
pub struct Report {
    tables: Vec<Table>,
    scores: Vec<String>,
    decision: Decision,
}

/// Openings that the text lists; the browser's page has all.
const FEW_OPENINGS: usize = 20;

impl Report {
    /// The report of these games. `elapsed` is the time of this run.
    pub fn new(settings: &MatchSettings, games: &[MatchGame], elapsed: Option<Duration>) -> Report {
        let names = settings.names();
        let mut standings = Standings::new(names.clone());
        games.iter().for_each(|game| standings.add(game));
        let mut tables = vec![
            match_table(settings, games, elapsed),
            engine_table(settings),
            endings(&standings, games),
            players(&standings),
            claim_table(settings, games),
        ];
        if names.len() > 2 {
            for group in standings_of_groups(names.clone(), games) {
                tables.extend(rating_tables(&group, None));
            }
        }
        tables.push(cross_table(&standings));
        if let Some(format) = settings.format {
            let results = PairResults::new(&names, games);
            tables.extend(progress_table(format, &names, settings.pairs, &results));
        }
        let mut scores = Vec::new();
        for ((first, second), head_to_head) in standings.head_to_heads() {
            let (first, second) = (&names[first], &names[second]);
            tables.push(details(first, second, head_to_head, settings.sprt.as_ref()));
            scores.push(format!("{first} vs {second}: {}", head_to_head.tally));
        }
        tables.push(opening_table(&standings));
        tables.retain(|table| !table.is_empty());
        Report {
            tables,
            scores,
            decision: standings.decision(settings.sprt.as_ref()),
        }
    }

    /// The report of games that were put together, with how their parts compare.
    pub fn with_parts(mut self, comparison: &Comparison) -> Report {
        // After what was played.
        self.tables.splice(1..1, comparison.table());
        self
    }

    /// Returns the decision of the test of the settings.
    pub fn decision(&self) -> Decision {
        self.decision
    }

    /// The report for a terminal. The scores are its last lines.
    pub fn text(&self) -> String {
        let short = |table: &&Table| table.title() != OPENINGS || table.len() <= FEW_OPENINGS;
        let tables = self.tables.iter().filter(short);
        let mut text: String = tables.map(|table| table.text() + "\n").collect();
        for score in &self.scores {
            let _ = writeln!(text, "{score}");
        }
        text
    }

    /// The tables.
    pub(super) fn tables(&self) -> &[Table] {
        &self.tables
    }
}

/// The table of the settings, the time and the place of a match.
fn match_table(settings: &MatchSettings, games: &[MatchGame], elapsed: Option<Duration>) -> Table {
    let mut table = Table::new("Match".into(), &["", ""]);
    let mut row = |key: &str, value: String| {
        if !value.is_empty() {
            table.add(vec![key.to_owned(), value]);
        }
    };
    // The last run is not all of one that was resumed.
    let took = elapsed.filter(|_| settings.runs.len() < 2);
    let took = took.map(|elapsed| format!(" in {}", DurationText(elapsed.as_secs_f64())));
    // Tie-breaks are not planned.
    let planned = games.len().max(2 * settings.pairs);
    row(
        "Games",
        format!("{} of {planned}{}", games.len(), took.unwrap_or_default()),
    );
    row("Part", settings.shard.clone().unwrap_or_default());
    row(
        "Rule",
        format!("{}, board {}", settings.rule, settings.size),
    );
    let turned = if settings.as_written {
        ""
    } else {
        ", turned and mirrored"
    };
    row(
        "Openings",
        match &settings.opening_rule {
            Some(rule) => rule.clone(),
            None => format!(
                "{}{turned}, seed {}{}",
                settings.openings.len(),
                settings.seed,
                settings.openings_made()
            ),
        },
    );
    let resign = settings
        .resign
        .map(|rule| format!("lost at {} for {} moves", rule.score, rule.moves));
    let draw = settings.draw.map(|rule| {
        format!(
            "level within {} for {} moves after {}",
            rule.score, rule.moves, rule.after
        )
    });
    let limit = settings
        .draw_after
        .map(|stones| format!("drawn after {stones} stones"));
    let early: Vec<String> = [resign, draw, limit].into_iter().flatten().collect();
    row("Adjudication", early.join("; "));
    let started = games.iter().map(|game| game.started);
    if let (Some(first), Some(last)) = (started.clone().min(), started.max()) {
        let (first, last) = (Date::from_unix(first), Date::from_unix(last));
        row(
            "Date",
            if first == last {
                first.to_string()
            } else {
                format!("{first} to {last}")
            },
        );
    }
    let mut seen = BTreeSet::new();
    for run in &settings.runs {
        let speed = settings.scale_to.zip(run.speed);
        let speed = speed.map_or_else(String::new, |(meant, speed)| speed::words(meant, speed));
        if seen.insert((&run.machine, &run.program, speed.clone())) {
            row("Machine", run.machine.clone());
            row("Played by", run.program.clone());
            row("Speed", speed);
        }
    }
    table
}

/// The table of the engines with limits and command lines.
fn engine_table(settings: &MatchSettings) -> Table {
    let head = ["Engine", "Version", "Time", "Limits", "Options", "Command"];
    let mut table = Table::new("Engines".into(), &head);
    for (engine, name) in settings.engines.iter().zip(settings.names()) {
        let number = |key: &str| engine.get(key).and_then(Value::as_u64);
        let ms = |key: &str| number(key).map(Duration::from_millis);
        let period = number("period_moves").and_then(|moves| usize::try_from(moves).ok());
        let time = TimeControl {
            turn: ms("turn_ms"),
            game: ms("match_ms"),
            increment: ms("increment_ms").unwrap_or_default(),
            period: period.and_then(NonZeroUsize::new),
            ..TimeControl::default()
        };
        let limit = |key: &str| Some(format!("{} {key}", number(key)?));
        let memory = number("memory").map(|bytes| format!("{} MiB", bytes >> 20));
        let limits = ["nodes", "depth", "threads"].into_iter().map(limit);
        let limits: Vec<String> = limits.chain([memory]).flatten().collect();
        let words = |key: &str| -> Vec<String> {
            let values = engine.get(key).and_then(Value::as_array);
            let text = |value: &Value| match value {
                Value::String(text) => text.clone(),
                // A key and its value.
                Value::Array(two) => {
                    let two: Vec<&str> = two.iter().filter_map(Value::as_str).collect();
                    two.join("=")
                }
                other => other.to_string(),
            };
            values.into_iter().flatten().map(text).collect()
        };
        let versions = settings
            .runs
            .iter()
            .filter_map(|run| run.versions.get(&name));
        let versions: BTreeSet<&String> = versions.collect();
        let versions: Vec<&str> = versions.into_iter().map(String::as_str).collect();
        table.add(vec![
            name.clone(),
            versions.join(", "),
            time.to_string(),
            limits.join(", "),
            words("options").join(" "),
            words("command").join(" "),
        ]);
    }
    table
}

/// Counts the games that repeat an earlier one of the same players, move by move.
fn repeated(games: &[MatchGame]) -> usize {
    let mut seen = HashSet::new();
    let mut repeated = 0;
    for game in games.iter().filter(|game| !game.moves.is_empty()) {
        let is_new = seen.insert((&game.black, &game.white, game.move_text()));
        repeated += usize::from(!is_new);
    }
    repeated
}

/// The table of the reasons by which games ended, and of black's results.
fn endings(standings: &Standings, games: &[MatchGame]) -> Table {
    let mut table = Table::new("Results".into(), &["", ""]);
    let reasons: Vec<String> = standings
        .reasons()
        .iter()
        .map(|(reason, count)| format!("{} {count}", reason.name()))
        .collect();
    let black = standings.black();
    let share = 100.0 * black.draws as f64 / black.games().max(1) as f64;
    table.add(vec!["Ended by".into(), reasons.join(", ")]);
    table.add(vec!["Black".into(), black.to_string()]);
    table.add(vec!["Draws".into(), format!("{share:.1} %")]);
    table.add(vec!["First move".into(), first_move(standings)]);
    let repeated = repeated(games);
    if repeated > 0 {
        let count = format!("{repeated} of {} games, move by move", games.len());
        table.add(vec!["Repeated".into(), count]);
    }
    table
}

/// The moves and searches of each engine.
fn players(standings: &Standings) -> Table {
    let head = [
        "Engine",
        "Moves",
        "Mean ms",
        "Longest ms",
        "Depth",
        "Nodes/s",
    ];
    let mut table = Table::new("Play".into(), &head);
    for (name, stats) in standings.names().iter().zip(standings.engine_stats()) {
        let mean = stats.ms / stats.moves.max(1) as f64;
        let depth = stats.depth().map(|depth| depth.to_string());
        let speed = stats.speed().map(|speed| format!("{:.0}k", speed / 1000.0));
        table.add(vec![
            name.clone(),
            stats.moves.to_string(),
            format!("{mean:.1}"),
            format!("{:.1}", stats.longest),
            depth.unwrap_or_default(),
            speed.unwrap_or_default(),
        ]);
    }
    table
}

/// The crosstable, and games lost by misbehaviour.
fn cross_table(standings: &Standings) -> Table {
    let names = standings.names();
    let mut head = vec!["Engine"];
    head.extend(names.iter().map(String::as_str));
    head.extend(["All", "Time", "Crashes", "Fouls"]);
    let title = "Wins - losses - draws, and games lost on time, by crashes and by fouls";
    let mut table = Table::new(title.into(), &head);
    for (player, name) in names.iter().enumerate() {
        let mut row = vec![name.clone()];
        row.extend(
            (0..names.len()).map(|other| match standings.between(player, other) {
                tally if tally.games() == 0 => String::new(),
                tally => tally.to_string(),
            }),
        );
        row.push(standings.tally(player).to_string());
        let faults = &standings.engine_stats()[player].faults;
        for kind in [FaultKind::Time, FaultKind::Crash, FaultKind::Foul] {
            let of_kind = faults
                .iter()
                .filter(|(reason, _)| FaultKind::of(**reason) == Some(kind));
            row.push(of_kind.map(|(_, count)| count).sum::<u64>().to_string());
        }
        table.add(row);
    }
    table
}

/// A fault by which a game is lost, as tournaments count them.
#[derive(Clone, Copy, PartialEq, Eq)]
enum FaultKind {
    Time,
    Crash,
    Foul,
}

impl FaultKind {
    const fn of(reason: Reason) -> Option<FaultKind> {
        match reason {
            Reason::Time => Some(FaultKind::Time),
            Reason::Illegal | Reason::Forbidden => Some(FaultKind::Foul),
            Reason::Crash | Reason::Hang | Reason::Refused | Reason::Memory | Reason::Flood => {
                Some(FaultKind::Crash)
            }
            Reason::Five | Reason::Draw | Reason::Adjudication => None,
        }
    }
}

/// The title of the table of openings.
const OPENINGS: &str = "Results by opening, black's wins - losses - draws";

fn opening_table(standings: &Standings) -> Table {
    let mut table = Table::new(OPENINGS.into(), &["Opening", "Black", "Points"]);
    for (opening, &tally) in standings.openings() {
        let opening = if opening.is_empty() {
            "empty board"
        } else {
            opening
        };
        let share = format!("{:.1} %", 100.0 * tally.score());
        table.add(vec![opening.to_owned(), tally.to_string(), share]);
    }
    table
}

fn details(first: &str, second: &str, head_to_head: &HeadToHead, sprt: Option<&Sprt>) -> Table {
    let mut table = Table::new(format!("{first} against {second}"), &["", ""]);
    let mut row = |key: &str, value: String| table.add(vec![key.to_owned(), value]);
    if let Some(estimate) = head_to_head.estimate() {
        row("Elo, 95 %", estimate.logistic_text());
        row("Normalised Elo (nElo), 95 %", estimate.normalized_text());
        row("Superior", format!("{:.1} %", 100.0 * estimate.superiority));
    }
    row("With black", head_to_head.by_color[0].to_string());
    row("With white", head_to_head.by_color[1].to_string());
    row(
        "Pairs (0, 1/2, 1, 3/2, 2)",
        format!("{:?}", head_to_head.pairs.0),
    );
    if let Some(share) = head_to_head.pairs.decided() {
        row("Pairs won or lost", format!("{:.1} %", 100.0 * share));
    }
    if let Some(sprt) = sprt {
        let (test, result) = sprt_lines(sprt, head_to_head);
        row(&test, result);
    }
    table
}

/// The lines of a sequential test and its result.
fn sprt_lines(sprt: &Sprt, head_to_head: &HeadToHead) -> (String, String) {
    let llr = sprt.llr(&head_to_head.pairs);
    let unit = match sprt.model {
        EloModel::Normalized => "normalised Elo",
        EloModel::Logistic => "logistic Elo",
    };
    let decision = match sprt.decide(llr) {
        Decision::Continue => "undecided",
        Decision::AcceptH0 => "elo0 accepted",
        Decision::AcceptH1 => "elo1 accepted",
    };
    let test = format!(
        "SPRT [{}, {}] {unit}, alpha {}, beta {}",
        sprt.elo0, sprt.elo1, sprt.alpha, sprt.beta
    );
    let (lower, upper) = (sprt.lower(), sprt.upper());
    (
        test,
        format!("LLR {llr:.2} ({lower:.2}, {upper:.2}), {decision}"),
    )
}

/// A duration in seconds, for people.
struct DurationText(f64);

impl fmt::Display for DurationText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let seconds = self.0.round() as u64;
        match seconds {
            0..60 => write!(f, "{:.1} s", self.0),
            60..3600 => write!(f, "{}:{:02} min", seconds / 60, seconds % 60),
            _ => write!(f, "{}:{:02} h", seconds / 3600, seconds / 60 % 60),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use quincunx_engine::rules::Color;

    /// Most tests end before all games are played.
    #[test]
    fn a_test_has_at_most_all_games_to_go() {
        let mut standings = Standings::new(vec!["A".into(), "B".into()]);
        let winner = Some(Color::Black);
        standings.add(&MatchGame::without_moves(0, "A".into(), "B".into(), winner));
        let sprt = Sprt {
            elo0: 0.0,
            elo1: 5.0,
            alpha: 0.05,
            beta: 0.05,
            model: EloModel::Normalized,
        };
        for (sprt, expected) in [
            (None, "1/3  4.0 s to go  1 - 0 - 0  Elo +"),
            (Some(&sprt), "1/3  at most 4.0 s to go  1 - 0 - 0  Elo +"),
        ] {
            let line = progress(&standings, sprt, 3, Duration::from_secs(2), 0);
            assert!(line.starts_with(expected), "{line}");
            assert!(line.contains("  nElo +"), "{line}");
            assert!(line.ends_with("  1800 games/h"), "{line}");
        }
    }
}
