//! Legal moves under every rule: short games against a random opponent, and
//! positions in which the rules differ.

use super::case::{Case, CaseResult, EngineUnderTest};
use super::commands::SECOND;
use super::conversation::Conversation;
use super::status::{failed, unsupported};
use crate::config::rule_code;
use quincunx_engine::game::{Game, MoveError};
use quincunx_engine::gomocup::{Coordinates, Reply};
use quincunx_engine::position::Position;
use quincunx_engine::rules::{BoardSize, Color, Point, Rule};

/// Moves of the engine in a game; enough to see it play, few enough to be
/// quick.
const MOVES: usize = 20;

pub(super) fn cases(subject: &EngineUnderTest) -> Vec<Case> {
    let mut cases = Vec::new();
    for &rule in &subject.rules {
        for color in Color::ALL {
            cases.push(Case::new(
                format!("legal moves as {color}, {rule}"),
                move |subject, talk| play(subject, talk, rule, color),
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

fn begin(
    subject: &EngineUnderTest,
    talk: &mut Conversation,
    rule: Rule,
    size: BoardSize,
) -> CaseResult {
    talk.send(&format!("START {}", size.width()));
    talk.expect_ok(subject.patience)?;
    talk.send("INFO timeout_turn 100\nINFO timeout_match 0\nINFO time_left 2147483647");
    talk.send(&format!("INFO rule {}\nABOUT", rule_code(rule)));
    // Answers come in the order of the commands, so a refusal of the rule precedes what is
    // said about the program, however long it takes.
    match talk.answer(subject.patience)? {
        Some((Reply::Error(why), _)) => Err(unsupported(why)),
        // Alone it is the answer to ABOUT, which another case looks at.
        Some((Reply::Unknown(why), _)) if talk.answer(SECOND)?.is_some() => Err(unsupported(why)),
        _ => Ok(()),
    }
}

/// The engine against an opponent that plays at random but legally.
fn play(
    subject: &EngineUnderTest,
    talk: &mut Conversation,
    rule: Rule,
    engine: Color,
) -> CaseResult {
    begin(subject, talk, rule, subject.size)?;
    let mut game = Game::new(rule, subject.size);
    let mut random = fastrand::Rng::with_seed(rule_code(rule));
    let mut request = String::from("BEGIN");
    for _ in 0..2 * MOVES {
        if game.is_over() {
            break;
        }
        if game.side() == engine {
            talk.send(&request);
            let (at, _) = talk.expect_move(subject.patience)?;
            let point = at.point(subject.size).unwrap_or(Point::NONE);
            game.play(point)
                .map_err(|error| failed(format!("'{at}': {}", illegal(error))))?;
        } else {
            let Some(point) = random_point(&game, &mut random) else {
                break;
            };
            // It is one of the legal points.
            let _ = game.play(point);
            request = format!("TURN {}", Coordinates::of(point, subject.size));
        }
    }
    Ok(())
}

fn illegal(error: MoveError) -> String {
    match error {
        MoveError::Forbidden(_, kind) => format!("forbidden, {kind}"),
        MoveError::Taken(_) => "taken".to_owned(),
        MoveError::OffBoard(_) | MoveError::Over(_) => "off the board".to_owned(),
    }
}

/// A legal point that does not end the game.
fn random_point(game: &Game, random: &mut fastrand::Rng) -> Option<Point> {
    let mut position = game.position().clone();
    let side = position.side();
    let mut points: Vec<Point> = position.size().iter().collect();
    points.retain(|&point| position.is_legal(point));
    // Points without a four are points without a five.
    points.retain(|&point| position.fours(side).all(|four| four != point));
    random.choice(points)
}

/// A full board but for one point.
fn last_point(subject: &EngineUnderTest, talk: &mut Conversation, rule: Rule) -> CaseResult {
    begin(subject, talk, rule, subject.size)?;
    let (hole, stones) = full_but_one(subject.size);
    let mut text = String::from("BOARD\n");
    for (point, field) in stones {
        let at = Coordinates::of(point, subject.size);
        text.push_str(&format!("{at},{field}\n"));
    }
    talk.send(&format!("{text}DONE"));
    let (at, _) = talk.expect_move(subject.patience)?;
    match at.point(subject.size) {
        Some(point) if point == hole => Ok(()),
        _ => Err(failed(format!("'{at}' is not the free point"))),
    }
}

/// A board with one empty point, near the centre. Returns the point, and the stones with their
/// fields of BOARD: 1 for the side to move, which has as many stones as the opponent or one fewer,
/// and 2 for the opponent.
fn full_but_one(size: BoardSize) -> (Point, Vec<(Point, usize)>) {
    // Blocks of two and two, shifted from row to row: no five anywhere.
    let field = |point: Point| 1 + (point.x() / 2 + point.y()) % 2;
    let centre = size.centre();
    let own = |point: &Point| field(*point) == 1;
    let below = Point::new(centre.x(), centre.y() + 1);
    let hole = [centre, below].into_iter().find(own).unwrap_or(centre);
    let stones = size.iter().filter(|&point| point != hole);
    (hole, stones.map(|point| (point, field(point))).collect())
}

/// Points that would win for black in freestyle and lose in renju.
fn forbidden(subject: &EngineUnderTest, talk: &mut Conversation) -> CaseResult {
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
            let at = Coordinates::of(point, size);
            board.push_str(&format!("{at},{field}\n"));
        }
        talk.send(&format!("{board}DONE"));
        let (at, _) = talk.expect_move(subject.patience)?;
        let point = at.point(size);
        if let Some(why) = point.and_then(|point| position.forbidden(point)) {
            return Err(failed(format!("'{at}' is forbidden, {why}")));
        }
    }
    Ok(())
}

/// Four in a row with a free end that wins under every rule.
fn five(subject: &EngineUnderTest, talk: &mut Conversation, rule: Rule) -> CaseResult {
    begin(subject, talk, rule, subject.size)?;
    talk.send("BOARD\n3,7,1\n3,3,2\n4,7,1\n9,3,2\n5,7,1\n3,9,2\n6,7,1\n2,7,2\nDONE");
    let (at, _) = talk.expect_move(subject.patience)?;
    if (at.x, at.y) == (7, 7) {
        Ok(())
    } else {
        Err(failed(format!("'{at}' is not 7,7, which wins at once")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_full_board_is_a_position_of_a_game() {
        for side in 5..=22 {
            let size = BoardSize::square(side).expect("a size");
            let (hole, stones) = full_but_one(size);
            assert_eq!(stones.len() + 1, side * side);
            assert!(stones.iter().all(|&(point, _)| point != hole));
            let count = |field| stones.iter().filter(|&&(_, of)| of == field).count();
            let (own, others) = (count(1), count(2));
            assert!(
                own == others || own + 1 == others,
                "{side}: {own}, {others}"
            );
        }
    }
}
