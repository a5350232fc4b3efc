//! `show`: a position as the engine sees it, for people who want to know why it plays
//! as it does.

use quincunx_engine::eval::{
    Classical, EMBEDDING_SCALE, MoveTerms, THREAT_NAMES, WeightSet, threat_set,
};
use quincunx_engine::game::decided_by_stones;
use quincunx_engine::pattern::Class;
use quincunx_engine::position::Position;
use quincunx_engine::rules::{Color, Point};
use quincunx_engine::score::Plies;
use quincunx_engine::search::{Limits, Line, Searcher, TranspositionTable};
use quincunx_engine::threats::{ThreatStatus, answers, threat_status};
use std::fmt::Write;
use std::sync::Arc;

/// The parts of a position that are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ShowOptions {
    /// The nodes of the search for the best move. With 0 there is no search.
    pub nodes: u64,
    /// True if classes and move scores of all points are shown.
    pub matrices: bool,
}

/// The table of the search, in bytes.
const TABLE_BYTES: usize = 16 << 20;

/// The best move of a short search; `None` where the game is over.
fn searched(position: &Position, weights: &Arc<WeightSet>, nodes: u64) -> Option<Line> {
    if nodes == 0 || decided_by_stones(position).is_some() || position.empty_points() == 0 {
        return None;
    }
    let table = Arc::new(TranspositionTable::new(TABLE_BYTES));
    let limits = Limits {
        nodes,
        ..Limits::default()
    };
    let mut searcher = Searcher::new(table, Arc::clone(weights));
    Some(searcher.search(position, &limits, &mut ()))
}

/// A description of `position`, as text of several lines: the board, the
/// best move, certain wins and losses, the evaluation.
pub fn describe(position: &Position, weights: &Arc<WeightSet>, options: ShowOptions) -> String {
    let found = searched(position, weights, options.nodes);
    let mut position = position.clone();
    let mut evaluator = Classical::new(&weights.of(position.rule()).classical, &position);
    let mut text = String::new();
    // Writing to a string can't fail.
    let _ = write_all(&mut text, &mut position, &mut evaluator, found.as_ref());
    if options.matrices {
        let _ = matrices(&mut text, &position, &mut evaluator);
    }
    text
}

/// The same as a JSON object, without the matrices.
#[cfg(feature = "json")]
pub fn json(position: &Position, weights: &Arc<WeightSet>, nodes: u64) -> serde_json::Value {
    let found = searched(position, weights, nodes);
    let mut position = position.clone();
    let mut evaluator = Classical::new(&weights.of(position.rule()).classical, &position);
    let points = |points: &[Point]| points.iter().map(Point::to_string).collect::<Vec<_>>();
    let mut status = String::new();
    let _ = certainty(&mut status, &mut position);
    let size = position.size();
    let kinds = size.iter().filter_map(|point| {
        let kind = position.forbidden_to_black(point)?;
        Some((point.to_string(), kind.to_string().into()))
    });
    let forbidden: serde_json::Map<String, serde_json::Value> = kinds.collect();
    serde_json::json!({
        "rule": position.rule().to_string(),
        "size": size.to_string(),
        "moves": position.move_text(),
        "side": position.side().to_string(),
        "move": found.as_ref().and_then(|found| found.best()).map(|point| point.to_string()),
        "score": found.as_ref().map(|found| found.score.units()),
        "plies": found.as_ref().and_then(|found| found.score.plies()),
        "depth": found.as_ref().map(|found| found.depth),
        "nodes": found.as_ref().map(|found| found.nodes),
        "line": found.as_ref().map(|found| points(&found.pv)),
        "certain": status.trim_end(),
        "evaluation": evaluator.evaluate(&position).units(),
        "forbidden": forbidden,
    })
}

fn write_all(
    text: &mut String,
    position: &mut Position,
    evaluator: &mut Classical,
    found: Option<&Line>,
) -> std::fmt::Result {
    let (rule, size, side) = (position.rule(), position.size(), position.side());
    writeln!(text, "rule {rule}, board {size}, {side} to move")?;
    grid(text, position, 2, |_, _| None)?;
    if let Some(found) = found
        && let Some(best) = found.best()
    {
        let Line {
            score,
            depth,
            nodes,
            ..
        } = found;
        write!(
            text,
            "\nbest move {best}, score {score}, depth {depth}, {nodes} nodes:"
        )?;
        for point in &found.pv {
            write!(text, " {point}")?;
        }
        writeln!(text)?;
    }
    certainty(text, position)?;
    forbidden(text, position)?;
    evaluation(text, position, evaluator)?;
    counts(text, position)
}

/// The class of every empty point for both colours, and the move scores.
fn matrices(text: &mut String, position: &Position, evaluator: &mut Classical) -> std::fmt::Result {
    let side = position.side();
    for color in Color::ALL {
        writeln!(
            text,
            "\nclasses for {color} (A five, B open four, C four-three ... L open two, x perhaps forbidden)"
        )?;
        grid(text, position, 2, |position, point| {
            Some(position.class(color, point).letter().to_string())
        })?;
    }
    let reasons = [
        "for what it makes",
        "for what it prevents",
        "for both at once",
        "for being near the last stones",
    ];
    for (index, reason) in reasons.into_iter().enumerate() {
        writeln!(text, "\nworth of a move {reason}, to {side}")?;
        grid(text, position, 5, |position, point| {
            let MoveTerms {
                attack,
                defence,
                attack_defence,
                distance,
            } = evaluator.moves(position).terms(point);
            Some([attack, defence, attack_defence, distance][index].to_string())
        })?;
    }
    Ok(())
}

/// The board with stones as `X` and `O` and, on empty points, what `cell`
/// says.
fn grid(
    text: &mut String,
    position: &Position,
    width: usize,
    cell: impl Fn(&Position, Point) -> Option<String>,
) -> std::fmt::Result {
    let size = position.size();
    let letters = (0..size.width()).map(|x| (b'a' + x as u8) as char);
    write!(text, "  ")?;
    for letter in letters {
        write!(text, "{letter:>width$}")?;
    }
    writeln!(text)?;
    for y in (0..size.height()).rev() {
        write!(text, "{:>2}", y + 1)?;
        for x in 0..size.width() {
            let point = Point::new(x, y);
            let content = match position.stone(point) {
                Some(Color::Black) => "X".to_owned(),
                Some(Color::White) => "O".to_owned(),
                None if !position.is_empty(point) => "#".to_owned(),
                None => cell(position, point).unwrap_or_else(|| ".".to_owned()),
            };
            write!(text, "{content:>width$}")?;
        }
        writeln!(text)?;
    }
    Ok(())
}

fn forbidden(text: &mut String, position: &mut Position) -> std::fmt::Result {
    if !position.rule().forbids(Color::Black) {
        return Ok(());
    }
    write!(text, "\nforbidden to black:")?;
    let mut any = false;
    for point in position.size().iter() {
        if let Some(kind) = position.forbidden_to_black(point) {
            write!(text, " {point} ({kind})")?;
            any = true;
        }
    }
    writeln!(text, "{}", if any { "" } else { " nothing" })
}

fn evaluation(
    text: &mut String,
    position: &Position,
    evaluator: &mut Classical,
) -> std::fmt::Result {
    let terms = evaluator.terms(position);
    writeln!(
        text,
        "\nevaluation for {}: {}",
        position.side(),
        evaluator.evaluate(position)
    )?;
    writeln!(text, "  points {:+}", terms.linear / EMBEDDING_SCALE)?;
    writeln!(text, "  network {:+}", terms.network)?;
    writeln!(text, "  threats and the move {:+}", terms.threats)?;
    let set = threat_set(position);
    for (bit, name) in THREAT_NAMES.iter().enumerate() {
        if set >> bit & 1 != 0 {
            writeln!(text, "    {name}")?;
        }
    }
    Ok(())
}

/// The number of points of each class for both colours.
fn counts(text: &mut String, position: &Position) -> std::fmt::Result {
    for color in Color::ALL {
        let counts = position.counts(color);
        write!(text, "{color}:")?;
        for class in Class::ALL
            .into_iter()
            .rev()
            .filter(|&class| counts.any(class))
        {
            write!(text, " {}x{}", counts.of(class), class.letter())?;
        }
        writeln!(text)?;
    }
    Ok(())
}

/// The proofs of the threats without a search.
fn certainty(text: &mut String, position: &mut Position) -> std::fmt::Result {
    let side = position.side();
    if let Some(winner) = decided_by_stones(position).and_then(|result| result.winner) {
        return writeln!(text, "{winner} has won");
    }
    match threat_status(position) {
        ThreatStatus::Win(plies) => writeln!(text, "{side} wins in {}", Plies(plies)),
        ThreatStatus::Loss(plies) => writeln!(text, "{side} loses in {}", Plies(plies)),
        ThreatStatus::OnlyMove(point) => writeln!(text, "{side} must play {point}"),
        ThreatStatus::MustDefend => {
            write!(text, "{side} must answer a threat, at")?;
            for point in answers(position).iter() {
                write!(text, " {point}")?;
            }
            writeln!(text, " or with a four")
        }
        ThreatStatus::Quiet => writeln!(text, "nothing is certain"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use quincunx_engine::rules::{BoardSize, Rule};

    #[test]
    fn a_threat_and_its_answers_are_shown() {
        // White to move against an open three.
        let position = Position::from_moves(Rule::Freestyle, BoardSize::default(), "h8a1i8o15j8")
            .expect("a position");
        let options = ShowOptions {
            nodes: 100,
            matrices: false,
        };
        let text = describe(&position, &Arc::default(), options);
        assert!(text.contains("\nbest move "), "{text}");
        assert!(!text.contains("classes for"), "{text}");
        assert!(
            text.contains("white must answer a threat, at g8 k8 or with a four"),
            "{text}"
        );
        assert!(text.contains("opponent's open four"), "{text}");
    }

    #[test]
    fn a_five_is_one_ply() {
        let moves = "d5a1e5a3f5a9g5a7";
        let position =
            Position::from_moves(Rule::Freestyle, BoardSize::default(), moves).expect("a position");
        let options = ShowOptions {
            nodes: 0,
            matrices: false,
        };
        let text = describe(&position, &Arc::default(), options);
        assert!(text.contains("black wins in 1 ply\n"), "{text}");
    }

    #[test]
    fn forbidden_points_are_listed() {
        let position = Position::from_moves(Rule::Renju, BoardSize::default(), "g8a1h7a3h9o1i8o3")
            .expect("a position");
        let options = ShowOptions {
            nodes: 0,
            matrices: true,
        };
        let text = describe(&position, &Arc::default(), options);
        assert!(
            text.contains("forbidden to black: h8 (double three)"),
            "{text}"
        );
        assert!(text.contains("classes for black"), "{text}");
        let object = json(&position, &Arc::default(), 100);
        assert_eq!(object["forbidden"]["h8"], "double three");
        assert_eq!(object["moves"], "g8a1h7a3h9o1i8o3");
        assert!(object["move"].is_string(), "{object}");
        assert!(object["score"].is_i64() && object["line"].is_array());
    }
}
