//! The moves and the proof of a win by continuous fours that was found.

use super::limits::NodeCounter;
use super::proof::{Proof, RefutedReply};
use super::vcf::{FourAnswers, Vcf};
use crate::pattern::Class;
use crate::position::Position;
use crate::rules::Point;
use std::sync::Arc;

impl Vcf {
    /// Writes to `line` the moves of a win with this many fours, from the first
    /// four to the five. Where a four has several answers, under caro, one stands
    /// for all. `None` if the nodes ran out.
    pub(super) fn line(
        &mut self,
        position: &mut Position,
        fours: u16,
        counter: &mut NodeCounter,
        line: &mut Vec<Point>,
    ) -> Option<()> {
        let before = position.ply();
        line.clear();
        let done = self.follow(position, fours, counter, line);
        while position.ply() > before {
            position.undo();
        }
        done
    }

    fn follow(
        &mut self,
        position: &mut Position,
        mut fours: u16,
        counter: &mut NodeCounter,
        line: &mut Vec<Point>,
    ) -> Option<()> {
        let attacker = position.side();
        loop {
            if let Some(five) = position.fives(attacker).next() {
                line.push(five);
                return Some(());
            }
            let point = self.first_move(position, fours, counter)?;
            line.push(point);
            position.play(point);
            let answer = match FourAnswers::to(position) {
                FourAnswers::Only(answer) => answer,
                FourAnswers::Several(set) => set.iter().next()?,
                FourAnswers::Hopeless | FourAnswers::Refuted => {
                    line.push(pointless_answer(position));
                    let five = position.fives(attacker).next();
                    line.push(five?);
                    return Some(());
                }
            };
            line.push(answer);
            position.play(answer);
            fours = fours.checked_sub(1)?;
        }
    }

    /// The proof of a win with this many fours. `None` if the nodes ran out.
    pub(super) fn proof(
        &mut self,
        position: &mut Position,
        fours: u16,
        counter: &mut NodeCounter,
    ) -> Option<Proof> {
        let attacker = position.side();
        if let Some(five) = position.fives(attacker).next() {
            return Some(Proof::five(five));
        }
        let point = self.first_move(position, fours, counter)?;
        position.play(point);
        let proof = self.proof_after(position, point, fours, counter);
        position.undo();
        proof
    }

    fn proof_after(
        &mut self,
        position: &mut Position,
        point: Point,
        fours: u16,
        counter: &mut NodeCounter,
    ) -> Option<Proof> {
        let attacker = position.side().opponent();
        let five = position.fives(attacker).next()?;
        let answers: Vec<Point> = match FourAnswers::to(position) {
            FourAnswers::Only(answer) => vec![answer],
            FourAnswers::Several(set) => set.iter().collect(),
            // Whatever takes the first five leaves another.
            FourAnswers::Hopeless => takers(position, five),
            FourAnswers::Refuted => return None,
        };
        let mut replies = Vec::with_capacity(answers.len());
        let left = fours.checked_sub(1)?;
        for answer in answers {
            position.play(answer);
            let refutation = self.proof(position, left, counter);
            position.undo();
            replies.push(RefutedReply {
                point: answer,
                refutation: Arc::new(refutation?),
            });
        }
        Some(Proof::new(point, replies, vec![five]))
    }
}

/// The legal moves of the side to move that prevent the opponent's five at
/// `five`.
pub(super) fn takers(position: &mut Position, five: Point) -> Vec<Point> {
    let attacker = position.side().opponent();
    let near: Vec<Point> = position
        .size()
        .iter()
        .filter(|point| point.distance(five) <= position.radius())
        .collect();
    near.into_iter()
        .filter(|&point| {
            if !position.is_legal(point) {
                return false;
            }
            position.play(point);
            let taken = position.class(attacker, five) != Class::Five;
            position.undo();
            taken
        })
        .collect()
}

/// Plays a move for a side that can't prevent the five, and returns it: the point
/// of the five if that is legal, else a pass.
fn pointless_answer(position: &mut Position) -> Point {
    let attacker = position.side().opponent();
    let five = position.fives(attacker).next();
    match five.filter(|&point| position.forbidden(point).is_none()) {
        Some(point) => {
            position.play(point);
            point
        }
        None => {
            position.pass();
            Point::NONE
        }
    }
}
