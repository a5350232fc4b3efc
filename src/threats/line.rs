//! From a solved position of fours to its moves and its proof.

use super::fours::{Answers, Fours};
use super::meter::Meter;
use super::proof::{Proof, Reply};
use crate::pattern::Class;
use crate::position::Position;
use crate::rules::Point;
use std::sync::Arc;

impl Fours {
    /// The moves of a win with so many fours, from the first four to the five.
    /// Under caro, where a four can have several answers, one of them stands
    /// for all. Nothing if the work had to end before.
    pub(super) fn line(
        &mut self,
        position: &mut Position,
        fours: u16,
        meter: &mut Meter,
        line: &mut Vec<Point>,
    ) -> Option<()> {
        let before = position.ply();
        line.clear();
        let done = self.follow(position, fours, meter, line);
        while position.ply() > before {
            position.undo();
        }
        done
    }

    fn follow(
        &mut self,
        position: &mut Position,
        mut fours: u16,
        meter: &mut Meter,
        line: &mut Vec<Point>,
    ) -> Option<()> {
        let attacker = position.side();
        loop {
            if let Some(five) = position.fours_of(attacker, Class::Five).next() {
                line.push(five);
                return Some(());
            }
            let point = self.first_move(position, fours, meter)?;
            line.push(point);
            position.play(point);
            let answer = match Answers::to(position) {
                Answers::Only(answer) => answer,
                Answers::Several(set) => set.iter().next()?,
                Answers::Hopeless | Answers::Refuted => {
                    line.push(pointless_answer(position));
                    let five = position.fours_of(attacker, Class::Five).next();
                    line.push(five?);
                    return Some(());
                }
            };
            line.push(answer);
            position.play(answer);
            fours = fours.checked_sub(1)?;
        }
    }

    /// The proof of a win with so many fours. Nothing if the work had to end
    /// before.
    pub(super) fn proof(
        &mut self,
        position: &mut Position,
        fours: u16,
        meter: &mut Meter,
    ) -> Option<Proof> {
        let attacker = position.side();
        if let Some(five) = position.fours_of(attacker, Class::Five).next() {
            return Some(Proof::five(five));
        }
        let point = self.first_move(position, fours, meter)?;
        position.play(point);
        let proof = self.proof_after(position, point, fours, meter);
        position.undo();
        proof
    }

    fn proof_after(
        &mut self,
        position: &mut Position,
        point: Point,
        fours: u16,
        meter: &mut Meter,
    ) -> Option<Proof> {
        let attacker = position.side().opponent();
        let five = position.fours_of(attacker, Class::Five).next()?;
        let answers: Vec<Point> = match Answers::to(position) {
            Answers::Only(answer) => vec![answer],
            Answers::Several(set) => set.iter().collect(),
            // Whatever takes the first five leaves another.
            Answers::Hopeless => takers(position, five),
            Answers::Refuted => return None,
        };
        let mut replies = Vec::with_capacity(answers.len());
        let left = fours.checked_sub(1)?;
        for answer in answers {
            position.play(answer);
            let refutation = self.proof(position, left, meter);
            position.undo();
            replies.push(Reply {
                point: answer,
                refutation: Arc::new(refutation?),
            });
        }
        Some(Proof::new(point, replies, vec![five]))
    }
}

/// The legal moves of the side to move after which the opponent's `five` is
/// none any more.
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

/// Makes a move for the side to move where none prevents the five, and says
/// which: the point of a five if that is legal, else a pass.
fn pointless_answer(position: &mut Position) -> Point {
    let attacker = position.side().opponent();
    let five = position.fours_of(attacker, Class::Five).next();
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
