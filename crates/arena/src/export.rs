//! Games of a match in the forms other programs read: SGF, piskvork's PSQ, CSV.

use super::config::Variant;
use super::record::{MatchGame, Reason};
use quincunx_engine::game::{GameResult, Termination};
use quincunx_engine::position::{Forbidden, Position};
use quincunx_engine::rules::{Color, Point};
use quincunx_records::psq::PsqError;
use quincunx_records::{Date, GameRecord, RecordedMove, psq, sgf};
use std::fmt::Write as _;
use std::time::Duration;

/// A game as SGF, with the engine's time, evaluation and remark as the comment
/// of each move.
pub fn sgf(variant: Variant, game: &MatchGame) -> String {
    let mut text = sgf::write(&record(variant, game));
    text.push('\n');
    text
}

/// A game as piskvork writes it.
///
/// # Errors
/// Returns an error when the record has a move that is no stone.
pub fn psq(variant: Variant, game: &MatchGame) -> Result<String, PsqError> {
    psq::write(&record(variant, game))
}

/// The game in the form that every game file is written from.
fn record(variant: Variant, game: &MatchGame) -> GameRecord {
    let mut comment = game.reason.with_detail(&game.detail);
    for (index, act) in game.swap.iter().enumerate() {
        let start = if index == 0 { "; swap2: " } else { ", " };
        let _ = write!(comment, "{start}{}", act.describe());
    }
    let opening = Position::from_moves(variant.rule, variant.size, &game.opening);
    let opening: Vec<Point> = opening
        .iter()
        .flat_map(Position::moves)
        .map(|(_, point)| point)
        .collect();
    let opening = opening.into_iter().map(|point| (point, None));
    let moves = game.moves.iter().filter_map(|played| {
        let point = played.point.parse().ok()?;
        variant.size.has(point).then_some((point, Some(played)))
    });
    let mut color = Color::White;
    let recorded = opening.chain(moves).map(|(point, played)| {
        color = color.opponent();
        let mut recorded = RecordedMove::new(color, point);
        if let Some(played) = played {
            recorded.time = Duration::try_from_secs_f64(played.ms / 1e3).ok();
            recorded.comment = format!("{:.1} ms", played.ms);
            for remark in [&played.eval, &played.message].into_iter().flatten() {
                let _ = write!(recorded.comment, "; {remark}");
            }
        }
        recorded
    });
    GameRecord {
        black: game.black.clone(),
        white: game.white.clone(),
        name: game.number.to_string(),
        date: Some(Date::from_unix(game.started)),
        result: Some(result(game)),
        moves: recorded.collect(),
        comment,
        ..GameRecord::new(Some(variant.rule), variant.size)
    }
}

fn result(game: &MatchGame) -> GameResult {
    let termination = match game.reason {
        Reason::Five => Termination::Five,
        Reason::Draw => Termination::Agreement,
        Reason::Adjudication if game.winner.is_none() => Termination::Agreement,
        Reason::Adjudication => Termination::Resignation,
        Reason::Time | Reason::Hang => Termination::Time,
        Reason::Illegal => Termination::IllegalMove,
        Reason::Forbidden => forbidden(&game.detail),
        _ => Termination::Forfeit,
    };
    GameResult {
        winner: game.winner,
        termination,
    }
}

/// The forbidden point of a record.
fn forbidden(detail: &str) -> Termination {
    use Forbidden::{DoubleFour, DoubleThree, Overline};
    [Overline, DoubleFour, DoubleThree]
        .into_iter()
        .find(|kind| kind.to_string() == detail)
        .map_or(Termination::Forfeit, Termination::Forbidden)
}

/// A table with a line a game.
pub fn csv<'g>(games: impl Iterator<Item = &'g MatchGame>) -> String {
    let mut text = String::from(
        "number,pair,black,white,winner,reason,detail,opening,stones,black_ms,white_ms,moves\n",
    );
    for game in games {
        let opening = game.opening_stones();
        let mut spent = [0.0; 2];
        for (i, played) in game.moves.iter().enumerate() {
            spent[(opening + i) % 2] += played.ms;
        }
        let winner = game.winner_name();
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

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::record::{MatchMove, SwapChoice, SwapMove};
    use quincunx_engine::rules::{BoardSize, Rule};

    fn game() -> MatchGame {
        MatchGame {
            number: 7,
            black: "A, B".into(),
            white: "W".into(),
            opening: "h8i9".into(),
            swap: Vec::new(),
            moves: vec![MatchMove {
                point: "a15".into(),
                ms: 12.34,
                eval: Some("+35".into()),
                message: Some("pv [h8]".into()),
            }],
            winner: Some(Color::White),
            reason: Reason::Time,
            detail: String::new(),
            late_ms: None,
            started: 1_795_262_166,
        }
    }

    const VARIANT: Variant = Variant {
        rule: Rule::Renju,
        size: match BoardSize::square(15) {
            Ok(size) => size,
            Err(_) => unreachable!(),
        },
    };

    #[test]
    fn sgf_has_every_stone_and_remark() {
        let text = sgf(VARIANT, &game());
        assert!(text.starts_with("(;FF[4]GM[4]"));
        assert!(text.contains("SZ[15]RU[renju]PB[A, B]PW[W]RE[W+T]DT[2026-11-21]GN[7]GC[time];"));
        assert!(text.contains(";B[hh];W[ig];B[aa]C[12.3 ms; +35; pv [h8\\]]"));
        assert!(text.ends_with(")\n"));
    }

    #[test]
    fn sgf_has_the_swap() {
        let act = |engine: &str, chose, stones: &str| SwapMove {
            engine: engine.into(),
            chose,
            stones: stones.into(),
            ms: 1.0,
        };
        let mut game = game();
        game.swap = vec![
            act("W", None, "h8i9"),
            act("A, B", Some(SwapChoice::Black), ""),
        ];
        let text = sgf(VARIANT, &game);
        let comment = "GC[time; swap2: W put h8i9, A, B took black]";
        assert!(text.contains(comment), "{text}");
    }

    #[test]
    fn psq_counts_from_one() {
        let game = MatchGame {
            winner: Some(Color::Black),
            ..game()
        };
        let expected = "Piskvorky 15x15, 11:11, 0\n8,8,0\n9,7,0\n1,1,12\nA, B\nW\n2\n";
        assert_eq!(psq(VARIANT, &game).unwrap(), expected);
    }

    /// The format has no winner: readers take it that white, who is to move, has lost.
    #[test]
    fn psq_names_no_wrong_winner() {
        for reason in [
            Reason::Adjudication,
            Reason::Time,
            Reason::Illegal,
            Reason::Hang,
            Reason::Refused,
        ] {
            for (winner, expected) in [
                (Some(Color::Black), Some(Color::Black)),
                (Some(Color::White), None),
                (None, None),
            ] {
                let game = MatchGame {
                    winner,
                    reason,
                    ..game()
                };
                let read = psq::read(&psq(VARIANT, &game).unwrap()).unwrap();
                let found = read.result.and_then(|result| result.winner);
                assert_eq!(found, expected, "{reason:?}, {winner:?}");
            }
        }
    }

    #[test]
    fn csv_quotes_what_it_must() {
        let text = csv([game()].iter());
        let line = text.lines().nth(1).unwrap();
        assert_eq!(line, "7,3,\"A, B\",W,white,time,,h8i9,3,12.3,0.0,h8i9a15");
    }
}
