//! Games in the forms other programs read: SGF, piskvork's PSQ, CSV.

use super::record::{Game, Reason, Winner};
use crate::position::Position;
use crate::rules::{BoardSize, Point, Rule};
use std::fmt::Write as _;

/// What every game of a run has in common, as records show it.
#[derive(Clone, Copy, Debug)]
pub struct Heading {
    /// The rule.
    pub rule: Rule,
    /// The board.
    pub size: BoardSize,
}

/// A game as an SGF tree of one branch (game number 4 is Gomoku), with the engine's
/// time, evaluation and remark as the comment of each move.
pub fn sgf(heading: Heading, game: &Game) -> String {
    let mut text = String::from("(;GM[4]FF[4]CA[UTF-8]AP[Quincunx]");
    let (width, height) = (heading.size.width(), heading.size.height());
    let _ = if width == height {
        write!(text, "SZ[{width}]")
    } else {
        write!(text, "SZ[{width}:{height}]")
    };
    let properties = [
        ("PB", game.black.as_str()),
        ("PW", game.white.as_str()),
        ("RU", heading.rule.name()),
        ("RE", result(game)),
        ("DT", &date(game.started)),
        ("GN", &game.number.to_string()),
        ("GC", &ending(game)),
    ];
    for (name, value) in properties {
        let _ = write!(text, "{name}[{}]", escape(value));
    }
    text.push('\n');
    let opening = stones(heading, &game.opening);
    let moves = game.moves.iter().map(|m| (m.point.parse().ok(), Some(m)));
    let opening = opening.into_iter().map(|point| (Some(point), None));
    for (i, (point, played)) in opening.chain(moves).enumerate() {
        let Some(point) = point else { continue };
        let color = if i % 2 == 0 { 'B' } else { 'W' };
        let _ = write!(text, ";{color}[{}]", letters(point));
        let Some(played) = played else { continue };
        let _ = write!(text, "C[{:.1} ms", played.ms);
        for remark in [&played.eval, &played.message].into_iter().flatten() {
            let _ = write!(text, "; {}", escape(remark));
        }
        text.push_str("]\n");
    }
    text.push_str(")\n");
    text
}

fn result(game: &Game) -> &'static str {
    match (game.winner, game.reason) {
        (Winner::Draw, _) => "0",
        (Winner::Black, Reason::Time) => "B+T",
        (Winner::White, Reason::Time) => "W+T",
        (Winner::Black, reason) if reason.is_fault() => "B+F",
        (Winner::White, reason) if reason.is_fault() => "W+F",
        (Winner::Black, _) => "B+",
        (Winner::White, _) => "W+",
    }
}

fn ending(game: &Game) -> String {
    if game.detail.is_empty() {
        game.reason.name().to_owned()
    } else {
        format!("{}: {}", game.reason.name(), game.detail)
    }
}

fn letters(point: Point) -> String {
    let letter = |n: usize| char::from(b'a' + n as u8);
    [letter(point.x()), letter(point.y())].iter().collect()
}

fn escape(text: &str) -> String {
    text.replace('\\', "\\\\").replace(']', "\\]")
}

/// A game as piskvork writes it: columns and rows from one, milliseconds, the
/// players, and how it ended.
pub fn psq(heading: Heading, game: &Game) -> String {
    let (width, height) = (heading.size.width(), heading.size.height());
    let mut text = format!("Piskvorky {width}x{height}, 11:11, 0\n");
    let opening = stones(heading, &game.opening);
    let opening = opening.into_iter().map(|point| (Some(point), 0.0));
    let moves = game.moves.iter().map(|m| (m.point.parse().ok(), m.ms));
    for (point, ms) in opening.chain(moves) {
        if let Some(point) = point {
            let _ = writeln!(text, "{},{},{ms:.0}", point.x() + 1, point.y() + 1);
        }
    }
    let code = match game.reason {
        Reason::Five | Reason::Draw => 0,
        Reason::Forbidden => 1,
        Reason::Time | Reason::Hang => 2,
        Reason::Illegal => 3,
        _ => 4,
    };
    let _ = writeln!(text, "{}\n{}\n{code}", game.black, game.white);
    text
}

fn stones(heading: Heading, text: &str) -> Vec<Point> {
    Position::from_moves(heading.rule, heading.size, text)
        .map(|position| position.moves().map(|(_, point)| point).collect())
        .unwrap_or_default()
}

/// A table with a line a game.
pub fn csv<'g>(games: impl Iterator<Item = &'g Game>) -> String {
    let mut text = String::from(
        "number,pair,black,white,winner,reason,detail,opening,stones,black_ms,white_ms,moves\n",
    );
    for game in games {
        let opening = game.opening.bytes().filter(u8::is_ascii_alphabetic).count();
        let mut spent = [0.0; 2];
        for (i, played) in game.moves.iter().enumerate() {
            spent[(opening + i) % 2] += played.ms;
        }
        let winner = match game.winner {
            Winner::Black => "black",
            Winner::White => "white",
            Winner::Draw => "draw",
        };
        let [black, white, detail] = [&game.black, &game.white, &game.detail].map(|s| quote(s));
        let _ = writeln!(
            text,
            "{},{},{black},{white},{winner},{},{detail},{},{},{:.1},{:.1},{}",
            game.number,
            game.pair(),
            game.reason.name(),
            game.opening,
            opening + game.moves.len(),
            spent[0],
            spent[1],
            game.move_text()
        );
    }
    text
}

fn quote(field: &str) -> String {
    if field.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", field.replace('"', "\"\""))
    } else {
        field.to_owned()
    }
}

/// The date of a moment, year, month and day.
fn date(seconds: u64) -> String {
    // Days since 1970 to a date of the civil calendar: years that begin in
    // March have their leap day at the end.
    let days = seconds / 86_400 + 719_468;
    let era = days / 146_097;
    let day_of_era = days % 146_097;
    let year_of_era =
        (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month_from_march = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month_from_march + 2) / 5 + 1;
    let month = (month_from_march + 2) % 12 + 1;
    let year = era * 400 + year_of_era + u64::from(month <= 2);
    format!("{year}-{month:02}-{day:02}")
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::arena::record::Move;

    fn game() -> Game {
        Game {
            number: 7,
            black: "A, B".into(),
            white: "W".into(),
            opening: "h8i9".into(),
            moves: vec![Move {
                point: "a15".into(),
                ms: 12.34,
                eval: Some("+35".into()),
                message: Some("pv [h8]".into()),
            }],
            winner: Winner::White,
            reason: Reason::Time,
            detail: String::new(),
            started: 1_795_262_166,
        }
    }

    const HEADING: Heading = Heading {
        rule: Rule::Renju,
        size: match BoardSize::square(15) {
            Ok(size) => size,
            Err(_) => unreachable!(),
        },
    };

    #[test]
    fn sgf_has_every_stone_and_remark() {
        let text = sgf(HEADING, &game());
        assert!(text.starts_with("(;GM[4]FF[4]"));
        assert!(text.contains("SZ[15]PB[A, B]PW[W]RU[renju]RE[W+T]DT[2026-11-21]"));
        assert!(text.contains(";B[hh];W[ii];B[ao]C[12.3 ms; +35; pv [h8\\]]"));
        assert!(text.ends_with(")\n"));
    }

    #[test]
    fn psq_counts_from_one() {
        let expected = "Piskvorky 15x15, 11:11, 0\n8,8,0\n9,9,0\n1,15,12\nA, B\nW\n2\n";
        assert_eq!(psq(HEADING, &game()), expected);
    }

    #[test]
    fn csv_quotes_what_it_must() {
        let text = csv([game()].iter());
        let line = text.lines().nth(1).unwrap();
        assert_eq!(line, "7,3,\"A, B\",W,white,time,,h8i9,3,12.3,0.0,h8i9a15");
    }

    #[test]
    fn dates_follow_the_calendar() {
        for (seconds, expected) in [
            (0, "1970-01-01"),
            (951_782_400, "2000-02-29"),
            (951_868_800, "2000-03-01"),
            (4_107_542_399, "2100-02-28"),
            (4_107_542_400, "2100-03-01"),
        ] {
            assert_eq!(date(seconds), expected);
        }
    }
}
