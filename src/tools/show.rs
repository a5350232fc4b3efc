//! The trace: a position as the engine sees it, for people who want to know
//! why it plays as it does.

use crate::eval::{Classical, EMBEDDING_SCALE, MoveTerms, THREAT_NAMES, WeightSet, threat_set};
use crate::pattern::Class;
use crate::position::Position;
use crate::rules::{Color, Point};
use crate::threats::{ThreatStatus, answers, threat_status};
use std::fmt::Write;

/// Everything the engine knows about `position` without searching, as text of
/// several lines.
pub fn describe(position: &Position, weights: &WeightSet) -> String {
    let mut position = position.clone();
    let mut evaluator = Classical::new(&weights.of(position.rule()).classical, &position);
    let mut text = String::new();
    // Writing to a string can't fail.
    let _ = write_all(&mut text, &mut position, &mut evaluator);
    text
}

fn write_all(
    text: &mut String,
    position: &mut Position,
    evaluator: &mut Classical,
) -> std::fmt::Result {
    let side = position.side();
    writeln!(
        text,
        "rule {}, board {}, {} to move",
        position.rule(),
        position.size(),
        side
    )?;
    grid(text, position, 2, |_, _| None)?;
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
    forbidden(text, position)?;
    evaluation(text, position, evaluator)?;
    certainties(text, position)
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

fn certainties(text: &mut String, position: &mut Position) -> std::fmt::Result {
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
    let side = position.side();
    match threat_status(position) {
        ThreatStatus::Win(plies) => writeln!(text, "{side} wins in {plies} plies"),
        ThreatStatus::Loss(plies) => writeln!(text, "{side} loses in {plies} plies"),
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
    use crate::rules::{BoardSize, Rule};

    #[test]
    fn a_threat_and_its_answers_are_told() {
        // White to move against an open three.
        let position = Position::from_moves(Rule::Freestyle, BoardSize::default(), "h8a1i8o15j8")
            .expect("a position");
        let text = describe(&position, &WeightSet::default());
        assert!(
            text.contains("white must answer a threat, at g8 k8 or with a four"),
            "{text}"
        );
        assert!(text.contains("opponent's open four"), "{text}");
    }

    #[test]
    fn forbidden_points_are_listed() {
        let position = Position::from_moves(Rule::Renju, BoardSize::default(), "g8a1h7a3h9o1i8o3")
            .expect("a position");
        assert!(
            describe(&position, &WeightSet::default())
                .contains("forbidden to black: h8 (double three)")
        );
    }
}
