//! The result of a match as text: one line while it goes on, a page at its end.

use super::rating_list::rating_tables;
use super::record::MatchGame;
use super::results::PairResults;
use super::schedule::progress_table;
use super::settings::MatchSettings;
use super::standings::{HeadToHead, Standings};
use super::stats::{Decision, EloEstimate, EloModel, Sprt, Tally};
use std::fmt::{self, Write as _};
use std::time::Duration;

/// `W - L - D`.
pub fn score(tally: Tally) -> String {
    format!("{} - {} - {}", tally.wins, tally.losses, tally.draws)
}

/// The line shown while a match goes on.
pub fn progress(
    standings: &Standings,
    sprt: Option<&Sprt>,
    total: u64,
    elapsed: Duration,
    before: u64,
) -> String {
    let games = standings.games();
    let mut line = format!("{games}/{total}");
    if let (Some(head_to_head), 2) = (standings.first(), standings.names().len()) {
        let _ = write!(line, "  {}", score(head_to_head.tally));
        if let Some(estimate) = estimate(head_to_head) {
            let _ = write!(line, "  Elo {}", Signed(estimate.elo, estimate.elo_error));
        }
        if let Some(sprt) = sprt {
            let llr = sprt.llr(&head_to_head.pairs);
            let bounds = (sprt.lower(), sprt.upper());
            let _ = write!(line, "  LLR {llr:.2} ({:.2}, {:.2})", bounds.0, bounds.1);
        }
    }
    let played = games.saturating_sub(before);
    if played > 0 {
        let each = elapsed.as_secs_f64() / played as f64;
        let _ = write!(line, "  {:.0} games/h", 3600.0 / each);
        let left = each * total.saturating_sub(games) as f64;
        let _ = write!(line, "  {} to go", Span(left));
    }
    line
}

/// The page shown at the end.
pub fn page(settings: &MatchSettings, games: &[MatchGame], elapsed: Option<Duration>) -> String {
    let names = settings.names();
    let mut standings = Standings::new(names.clone());
    games.iter().for_each(|game| standings.add(game));
    let standings = &standings;
    let mut text = String::new();
    let _ = write!(text, "Games: {}", standings.games());
    if let Some(elapsed) = elapsed {
        let _ = write!(text, " in {}", Span(elapsed.as_secs_f64()));
    }
    text.push('\n');
    endings(&mut text, standings);
    players(&mut text, standings);
    if standings.names().len() > 2 {
        for table in rating_tables(standings, None) {
            text.push('\n');
            text.push_str(&table.text());
        }
        text.push('\n');
    }
    if let Some(format) = settings.format {
        let results = PairResults::new(&names, games);
        let table = progress_table(format, &names, settings.pairs, &results);
        text.extend(table.map(|table| table.text() + "\n"));
    }
    let sprt = settings.sprt.as_ref();
    for (i, ((first, second), head_to_head)) in standings.head_to_heads().enumerate() {
        if i > 0 {
            text.push('\n');
        }
        details(&mut text, &names[first], &names[second], head_to_head, sprt);
    }
    text
}

fn endings(text: &mut String, standings: &Standings) {
    let reasons: Vec<String> = standings
        .reasons()
        .iter()
        .map(|(reason, count)| format!("{} {count}", reason.name()))
        .collect();
    let black = standings.black();
    let share = 100.0 * black.draws as f64 / black.games().max(1) as f64;
    let _ = writeln!(text, "Ended by: {}", reasons.join(", "));
    let _ = writeln!(text, "Black: {}   draws {share:.1} %", score(black));
}

fn players(text: &mut String, standings: &Standings) {
    for (name, stats) in standings.names().iter().zip(standings.engine_stats()) {
        let mean = stats.ms / stats.moves.max(1) as f64;
        let _ = write!(
            text,
            "{name}: {} moves, mean {mean:.1} ms, longest {:.1} ms",
            stats.moves, stats.longest
        );
        if let Some(depth) = stats.depth() {
            let _ = write!(text, ", depth {depth}");
        }
        if let Some(speed) = stats.speed() {
            let _ = write!(text, ", {:.0}k nodes/s", speed / 1000.0);
        }
        for (reason, count) in &stats.faults {
            let _ = write!(text, ", lost by {} {count}", reason.name());
        }
        text.push('\n');
    }
}

fn details(
    text: &mut String,
    first: &str,
    second: &str,
    head_to_head: &HeadToHead,
    sprt: Option<&Sprt>,
) {
    if let Some(estimate) = estimate(head_to_head) {
        let _ = writeln!(
            text,
            "Elo {}   normalised Elo {}   superior {:.1} %",
            Signed(estimate.elo, estimate.elo_error),
            Signed(estimate.normalized, estimate.normalized_error),
            100.0 * estimate.superiority
        );
    }
    let _ = writeln!(
        text,
        "{first} with black: {}   with white: {}",
        score(head_to_head.by_color[0]),
        score(head_to_head.by_color[1])
    );
    let _ = writeln!(
        text,
        "Pairs (0, 1/2, 1, 3/2, 2): {:?}",
        head_to_head.pairs.0
    );
    if let Some(sprt) = sprt {
        let _ = writeln!(text, "{}", sprt_line(sprt, head_to_head));
    }
    let _ = writeln!(text, "{first} vs {second}: {}", score(head_to_head.tally));
}

/// What a sequential test says.
fn sprt_line(sprt: &Sprt, head_to_head: &HeadToHead) -> String {
    let llr = sprt.llr(&head_to_head.pairs);
    let unit = match sprt.model {
        EloModel::Normalized => "normalised Elo",
        EloModel::Logistic => "logistic Elo",
    };
    let decision = match sprt.decide(llr) {
        Decision::Continue => "undecided",
        Decision::AcceptH0 => "H0 accepted",
        Decision::AcceptH1 => "H1 accepted",
    };
    format!(
        "SPRT [{}, {}] {unit}, alpha {}, beta {}: LLR {llr:.2} ({:.2}, {:.2}), {decision}",
        sprt.elo0,
        sprt.elo1,
        sprt.alpha,
        sprt.beta,
        sprt.lower(),
        sprt.upper()
    )
}

/// From pairs where there are any, from single games until then.
fn estimate(head_to_head: &HeadToHead) -> Option<EloEstimate> {
    EloEstimate::from_pairs(&head_to_head.pairs)
        .or_else(|| EloEstimate::from_games(&head_to_head.tally))
}

/// A number with its sign and its error.
struct Signed(f64, f64);

impl fmt::Display for Signed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:+.1} +- {:.1}", self.0, self.1)
    }
}

/// Seconds, as people say them.
struct Span(f64);

impl fmt::Display for Span {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let seconds = self.0.round() as u64;
        match seconds {
            0..60 => write!(f, "{:.1} s", self.0),
            60..3600 => write!(f, "{}:{:02} min", seconds / 60, seconds % 60),
            _ => write!(f, "{}:{:02} h", seconds / 3600, seconds / 60 % 60),
        }
    }
}
