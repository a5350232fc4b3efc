//! The result of a run as text: one line while it goes on, a page at its end.

use super::standing::{Meeting, Standing};
use super::stats::{Decision, Estimate, Model, Sprt, Tally};
use std::fmt::{self, Write as _};
use std::time::Duration;

/// `W - L - D`.
pub fn score(tally: Tally) -> String {
    format!("{} - {} - {}", tally.wins, tally.losses, tally.draws)
}

/// The line shown while a run goes on.
pub fn progress(
    standing: &Standing,
    sprt: Option<&Sprt>,
    total: u64,
    elapsed: Duration,
    before: u64,
) -> String {
    let games = standing.games();
    let mut line = format!("{games}/{total}");
    if let (Some(meeting), 2) = (standing.first(), standing.names().len()) {
        let _ = write!(line, "  {}", score(meeting.tally));
        if let Some(estimate) = estimate(meeting) {
            let _ = write!(line, "  Elo {}", Signed(estimate.elo, estimate.elo_error));
        }
        if let Some(sprt) = sprt {
            let llr = sprt.llr(&meeting.pairs);
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
pub fn page(standing: &Standing, sprt: Option<&Sprt>, elapsed: Option<Duration>) -> String {
    let mut text = String::new();
    let _ = write!(text, "Games: {}", standing.games());
    if let Some(elapsed) = elapsed {
        let _ = write!(text, " in {}", Span(elapsed.as_secs_f64()));
    }
    text.push('\n');
    endings(&mut text, standing);
    players(&mut text, standing);
    if standing.names().len() > 2 {
        table(&mut text, standing);
    }
    for (i, ((first, second), meeting)) in standing.meetings().enumerate() {
        if i > 0 {
            text.push('\n');
        }
        let names = standing.names();
        details(&mut text, &names[first], &names[second], meeting, sprt);
    }
    text
}

fn endings(text: &mut String, standing: &Standing) {
    let reasons: Vec<String> = standing
        .reasons()
        .iter()
        .map(|(reason, count)| format!("{} {count}", reason.name()))
        .collect();
    let black = standing.black();
    let share = 100.0 * black.draws as f64 / black.games().max(1) as f64;
    let _ = writeln!(text, "Ended by: {}", reasons.join(", "));
    let _ = writeln!(text, "Black: {}   draws {share:.1} %", score(black));
}

fn players(text: &mut String, standing: &Standing) {
    for (name, effort) in standing.names().iter().zip(standing.efforts()) {
        let mean = effort.ms / effort.moves.max(1) as f64;
        let _ = write!(
            text,
            "{name}: {} moves, mean {mean:.1} ms, longest {:.1} ms",
            effort.moves, effort.longest
        );
        if let Some(depth) = effort.depth() {
            let _ = write!(text, ", depth {depth}");
        }
        if let Some(speed) = effort.speed() {
            let _ = write!(text, ", {:.0}k nodes/s", speed / 1000.0);
        }
        for (reason, count) in &effort.faults {
            let _ = write!(text, ", lost by {} {count}", reason.name());
        }
        text.push('\n');
    }
}

fn table(text: &mut String, standing: &Standing) {
    let ratings = standing.ratings();
    let mut order: Vec<usize> = (0..ratings.len()).collect();
    order.sort_by(|&a, &b| ratings[b].elo.total_cmp(&ratings[a].elo));
    let width = standing.names().iter().map(String::len).max().unwrap_or(0);
    let _ = writeln!(text, "\nRatings (maximum likelihood, 95 %)");
    for (place, &player) in order.iter().enumerate() {
        let rating = ratings[player];
        let tally = standing.tally(player);
        let _ = writeln!(
            text,
            "{:>3} {:width$} {:>7.1} +-{:<6.1} {:>5.1} %  {}",
            place + 1,
            standing.names()[player],
            rating.elo,
            rating.error,
            100.0 * tally.score(),
            score(tally)
        );
    }
    text.push('\n');
}

fn details(text: &mut String, first: &str, second: &str, meeting: &Meeting, sprt: Option<&Sprt>) {
    if let Some(estimate) = estimate(meeting) {
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
        score(meeting.by_color[0]),
        score(meeting.by_color[1])
    );
    let _ = writeln!(text, "Pairs (0, 1/2, 1, 3/2, 2): {:?}", meeting.pairs.0);
    if let Some(sprt) = sprt {
        let _ = writeln!(text, "{}", verdict(sprt, meeting));
    }
    let _ = writeln!(text, "{first} vs {second}: {}", score(meeting.tally));
}

/// What a sequential test says.
fn verdict(sprt: &Sprt, meeting: &Meeting) -> String {
    let llr = sprt.llr(&meeting.pairs);
    let unit = match sprt.model {
        Model::Normalized => "normalised Elo",
        Model::Logistic => "logistic Elo",
    };
    let outcome = match sprt.decide(llr) {
        Decision::Continue => "undecided",
        Decision::AcceptH0 => "H0 accepted",
        Decision::AcceptH1 => "H1 accepted",
    };
    format!(
        "SPRT [{}, {}] {unit}, alpha {}, beta {}: LLR {llr:.2} ({:.2}, {:.2}), {outcome}",
        sprt.elo0,
        sprt.elo1,
        sprt.alpha,
        sprt.beta,
        sprt.lower(),
        sprt.upper()
    )
}

/// From pairs where there are any, from single games until then.
fn estimate(meeting: &Meeting) -> Option<Estimate> {
    Estimate::from_pairs(&meeting.pairs).or_else(|| Estimate::from_games(&meeting.tally))
}

/// A number with its sign and its error.
struct Signed(f64, f64);

impl fmt::Display for Signed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.is_finite() {
            write!(f, "{:+.1} +- {:.1}", self.0, self.1)
        } else {
            write!(f, "{:+}", self.0)
        }
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
