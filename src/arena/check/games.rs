//! Legal moves under every rule: short games against a random opponent, and
//! positions in which the rules differ.

use super::conversation::{Conversation, failed, unsupported};
use super::manners::SHORT;
use super::{Case, Outcome, Subject};
use crate::arena::openings::Opening;
use crate::arena::player::rule_code;
use crate::arena::referee::{Referee, Verdict};
use crate::position::Position;
use crate::protocol::message::Reply;
use crate::rules::{BoardSize, Color, Point, Rule};

/// Moves of the engine in a game; enough to see it play, few enough to be
/// quick.
const MOVES: usize = 20;

pub(super) fn cases(subject: &Subject) -> Vec<Case> {
    let mut cases = Vec::new();
    for &rule in &subject.rules {
        for color in Color::ALL {
            cases.push(Case::new(
                format!("legal moves as {color}, {rule}"),
                move |subject, talk| game(subject, talk, rule, color),
            ));
        }
        cases.push(Case::new(
            format!("the last free point, {rule}"),
            move |subject, talk| last_point(subject, talk, rule),
        ));
    }
    if subject.rules.contains(&Rule::Renju) {
        cases.push(Case::new("forbidden points are not played", forbidden));
    }
    cases.extend(subject.rules.iter().map(|&rule| {
        Case::new(
            format!("a five is completed, {rule}"),
            move |subject, talk| five(subject, talk, rule),
        )
    }));
    cases
}

fn begin(subject: &Subject, talk: &mut Conversation, rule: Rule, size: BoardSize) -> Outcome {
    talk.say(&format!("START {}", size.width()));
    talk.expect_ok(subject.patience)?;
    talk.say("INFO timeout_turn 100\nINFO timeout_match 0\nINFO time_left 2147483647");
    talk.say(&format!("INFO rule {}", rule_code(rule)));
    match talk.answer(SHORT)? {
        None => Ok(()),
        Some((Reply::Error(why) | Reply::Unknown(why), _)) => Err(unsupported(why)),
        Some((other, _)) => Err(failed(format!("expected nothing, came '{other}'"))),
    }
}

/// The engine against an opponent that plays at random but legally.
fn game(subject: &Subject, talk: &mut Conversation, rule: Rule, engine: Color) -> Outcome {
    begin(subject, talk, rule, subject.size)?;
    let mut referee = Referee::new(rule, subject.size, &Opening::default(), None);
    let mut position = Position::new(rule, subject.size);
    let mut state = 0x2545_f491_4f6c_dd1d_u64 ^ rule_code(rule);
    let mut request = String::from("BEGIN");
    for _ in 0..2 * MOVES {
        let verdict = if referee.side() == engine {
            talk.say(&request);
            let (at, _) = talk.expect_move(subject.patience)?;
            let verdict = referee.play(at);
            if let Some(why) = illegal(verdict) {
                return Err(failed(format!("'{at}': {why}")));
            }
            position.play(at.point(subject.size).unwrap_or(Point::NONE));
            verdict
        } else {
            let Some(point) = random_point(&mut position, &mut state) else {
                return Ok(());
            };
            position.play(point);
            request = format!("TURN {},{}", point.x(), point.y());
            referee.play(point.into())
        };
        if verdict != Verdict::Continue {
            return Ok(());
        }
    }
    Ok(())
}

fn illegal(verdict: Verdict) -> Option<String> {
    match verdict {
        Verdict::Foul(kind) => Some(format!("forbidden, {kind}")),
        Verdict::Taken => Some("taken".into()),
        Verdict::OffBoard => Some("off the board".into()),
        Verdict::Continue | Verdict::Five | Verdict::Draw => None,
    }
}

/// A legal point that does not end the game.
fn random_point(position: &mut Position, state: &mut u64) -> Option<Point> {
    let side = position.side();
    let points: Vec<Point> = position.size().iter().collect();
    // Points without a four are points without a five.
    let four = |position: &Position, point| position.fours(side).any(|four| four == point);
    let fits = |position: &mut Position, point| position.is_legal(point) && !four(position, point);
    let legal: Vec<Point> = points
        .into_iter()
        .filter(|&point| fits(position, point))
        .collect();
    // A generator of Marsaglia's: good enough to scatter stones.
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    legal.get(*state as usize % legal.len().max(1)).copied()
}

/// A full board but for one point.
fn last_point(subject: &Subject, talk: &mut Conversation, rule: Rule) -> Outcome {
    begin(subject, talk, rule, subject.size)?;
    let hole = subject.size.centre();
    let mut text = String::from("BOARD\n");
    for point in subject.size.iter().filter(|&point| point != hole) {
        // Blocks of two and two, shifted from row to row: no five anywhere.
        let field = 1 + (point.x() / 2 + point.y()) % 2;
        text.push_str(&format!("{},{},{field}\n", point.x(), point.y()));
    }
    talk.say(&format!("{text}DONE"));
    let (at, _) = talk.expect_move(subject.patience)?;
    match at.point(subject.size) {
        Some(point) if point == hole => Ok(()),
        _ => Err(failed(format!("'{at}' is not the free point"))),
    }
}

/// Points that would win for black in freestyle and lose in renju.
fn forbidden(subject: &Subject, talk: &mut Conversation) -> Outcome {
    let size = subject.size;
    begin(subject, talk, Rule::Renju, size)?;
    for text in [
        // e8 makes six; black has nothing better.
        "b8a2c8c4d8e2f8g2g8i2h7k2",
        // h8 makes two open threes.
        "h7a1h6a15g8o1f8o15",
    ] {
        let Ok(mut position) = Position::from_moves(Rule::Renju, size, text) else {
            continue;
        };
        let mut board = String::from("BOARD\n");
        for (color, point) in position.moves() {
            let field = if color == position.side() { 1 } else { 2 };
            board.push_str(&format!("{},{},{field}\n", point.x(), point.y()));
        }
        talk.say(&format!("{board}DONE"));
        let (at, _) = talk.expect_move(subject.patience)?;
        let point = at.point(size);
        if let Some(why) = point.and_then(|point| position.forbidden(point)) {
            return Err(failed(format!("'{at}' is forbidden, {why}")));
        }
    }
    Ok(())
}

/// Four in a row with a free end that wins under every rule.
fn five(subject: &Subject, talk: &mut Conversation, rule: Rule) -> Outcome {
    begin(subject, talk, rule, subject.size)?;
    talk.say("BOARD\n3,7,1\n3,3,2\n4,7,1\n9,3,2\n5,7,1\n3,9,2\n6,7,1\n2,7,2\nDONE");
    let (at, _) = talk.expect_move(subject.patience)?;
    if (at.x, at.y) == (7, 7) {
        Ok(())
    } else {
        Err(failed(format!("'{at}' is not 7,7, which wins at once")))
    }
}
