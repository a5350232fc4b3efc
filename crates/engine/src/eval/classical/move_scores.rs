//! Move scores before any search: what a move makes, what it prevents, a bonus
//! for both at once, and how far it is from the last stones.

use super::weights::ClassicalWeights;
use crate::eval::move_score::MoveScore;
use crate::position::Position;
use crate::rules::{Color, Point};

/// The distance scores of all points when there is no earlier stone.
static NO_STONE: [i16; Point::GRID] = [0; Point::GRID];

/// The scores of the moves in one position, for the side to move.
pub struct MoveScores<'a> {
    position: &'a Position,
    side: Color,
    weights: &'a ClassicalWeights,
    /// The distance scores by point, as seen from the opponent's last stone and
    /// from the side's own.
    distance: [&'a [i16; Point::GRID]; 2],
}

/// The terms of a move score, in units of [`MoveScore`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MoveTerms {
    /// For the shapes that the move makes.
    pub attack: i32,
    /// For the shapes that it takes from the opponent.
    pub defence: i32,
    /// For attacking and defending at once.
    pub attack_defence: i32,
    /// For the distance to the last stones.
    pub distance: i32,
}

impl<'a> MoveScores<'a> {
    pub(super) fn new(weights: &'a ClassicalWeights, position: &'a Position) -> MoveScores<'a> {
        let side = position.side();
        let seen_from_last = |back: usize| {
            let table = &weights.distance[side.index()][back - 1];
            let stone = position.recent(back).filter(|&stone| stone != Point::NONE);
            table.seen_from(stone, &NO_STONE)
        };
        MoveScores {
            position,
            side,
            weights,
            distance: [seen_from_last(1), seen_from_last(2)],
        }
    }

    /// Returns the score of a move to the empty `point`.
    #[inline]
    pub fn of(&self, point: Point) -> MoveScore {
        let MoveTerms {
            attack,
            defence,
            attack_defence,
            distance,
        } = self.terms(point);
        MoveScore::new(attack + defence + attack_defence + distance)
    }

    /// Returns the terms of [`MoveScores::of`].
    #[inline]
    pub fn terms(&self, point: Point) -> MoveTerms {
        let (side, opponent) = (self.side.index(), self.side.opponent().index());
        let state = self.position.state(point);
        let tables = &self.weights.tables;
        let seen = |scores: &&[i16; Point::GRID]| i32::from(scores[point.index()]);
        MoveTerms {
            attack: i32::from(tables.attack[side][state.codes[side].index()]),
            defence: i32::from(tables.defence[opponent][state.codes[opponent].index()]),
            attack_defence: i32::from(self.weights.attack_defence[state.pair().number()][side]),
            distance: self.distance.iter().map(seen).sum(),
        }
    }
}
