//! A referee of proofs, who knows only the rules.
#![allow(dead_code)]

use crate::oracle::Board;
use quincunx::position::Position;
use quincunx::rules::{Color, Point};
use quincunx::threats::Proof;
use std::collections::HashSet;

pub(crate) fn empty_points(position: &Position) -> Vec<Point> {
    position
        .size()
        .iter()
        .filter(|&p| position.is_empty(p))
        .collect()
}

/// The legal points where `color` would win at once, by the rules alone.
pub(crate) fn winning_points(position: &Position, color: Color) -> Vec<Point> {
    let mut board = Board::of(position);
    empty_points(position)
        .into_iter()
        .filter(|p| board.wins(color, (p.x() as i32, p.y() as i32)))
        .collect()
}

/// Whether `color` would still win at once at one of the points.
fn wins_at(position: &Position, color: Color, points: &[Point]) -> bool {
    let mut board = Board::of(position);
    let mut wins = |p: &Point| board.wins(color, (p.x() as i32, p.y() as i32));
    points.iter().any(|p| position.is_empty(*p) && wins(p))
}

/// Whether the side to move may play there, by the rules alone.
pub(crate) fn may_play(position: &Position, point: Point) -> bool {
    if !position.is_empty(point) {
        return false;
    }
    let at = (point.x() as i32, point.y() as i32);
    !position.rule().forbids(position.side()) || Board::of(position).forbidden(at).is_empty()
}

/// Follows a proof against all legal replies. Nodes that were found to hold
/// are remembered with their position: proofs share parts.
#[derive(Default)]
pub(crate) struct Referee {
    seen: HashSet<u64>,
    /// How many replies were tried.
    pub(crate) replies: usize,
}

impl Referee {
    /// Says where the proof fails, if it does.
    pub(crate) fn check(&mut self, position: &mut Position, proof: &Proof) -> Result<(), String> {
        if !self.seen.insert(position.key()) {
            return Ok(());
        }
        let winner = position.side();
        let point = proof.point();
        if !may_play(position, point) {
            return Err(format!("{point} is not legal in {position:?}"));
        }
        let wins = wins_at(position, winner, &[point]);
        if proof.otherwise().is_empty() {
            let over = wins && proof.replies().is_empty();
            return over
                .then_some(())
                .ok_or(format!("{point} does not win in {position:?}"));
        }
        position.play(point);
        let result = self.check_replies(position, proof);
        position.undo();
        result
    }

    fn check_replies(&mut self, position: &mut Position, proof: &Proof) -> Result<(), String> {
        let lost = winning_points(position, position.side());
        for reply in empty_points(position) {
            if !may_play(position, reply) {
                continue;
            }
            self.replies += 1;
            if lost.contains(&reply) {
                return Err(format!("{reply} wins for the loser in {position:?}"));
            }
            let own = proof.replies().iter().find(|r| r.point == reply);
            position.play(reply);
            let result = match own {
                Some(own) => self.check(position, &own.refutation),
                None => follow(position, proof.otherwise()),
            };
            position.undo();
            result?;
        }
        Ok(())
    }
}

/// Whether the side to move wins by these fours, each answer being forced.
fn follow(position: &mut Position, line: &[Point]) -> Result<(), String> {
    let winner = position.side();
    let now = winning_points(position, winner);
    if !now.is_empty() {
        return Ok(());
    }
    let (&point, rest) = line
        .split_first()
        .ok_or(format!("nothing left in {position:?}"))?;
    if !may_play(position, point) {
        return Err(format!("{point} is not legal in {position:?}"));
    }
    position.play(point);
    let result = follow_answers(position, rest);
    position.undo();
    result
}

fn follow_answers(position: &mut Position, rest: &[Point]) -> Result<(), String> {
    let loser = position.side();
    if !winning_points(position, loser).is_empty() {
        return Err(format!("the loser wins in {position:?}"));
    }
    let fours = winning_points(position, loser.opponent());
    if fours.is_empty() {
        return Err(format!("no four in {position:?}"));
    }
    // Only what stands near a five can prevent it.
    let far = |p: &Point| fours.iter().all(|five| five.distance(*p) > 6);
    let mut answers = empty_points(position);
    let one_far = answers.iter().copied().find(far);
    answers.retain(|p| !far(p));
    answers.extend(one_far);
    for answer in answers {
        if !may_play(position, answer) {
            continue;
        }
        position.play(answer);
        // No stone of the loser's makes a new five.
        let still = wins_at(position, loser.opponent(), &fours);
        let result = if still {
            Ok(())
        } else if rest.first() == Some(&answer) {
            follow(position, &rest[1..])
        } else {
            Err(format!("{answer} is not answered in {position:?}"))
        };
        position.undo();
        result?;
    }
    Ok(())
}
