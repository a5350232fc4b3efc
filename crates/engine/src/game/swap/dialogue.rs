//! The state of an opening besides the stones on the board.

use super::choice::{Choice, Seat};
use super::rules::OpeningRule;
use super::step::{ChoiceError, OpeningStep};
use crate::position::Position;
use crate::rules::{Point, PointSet};

/// The rule, the choices and the offers of an opening. With the stones on the board they
/// give the next step.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Dialogue {
    /// The rule.
    pub rule: OpeningRule,
    /// The choices in their order.
    pub choices: Vec<Choice>,
    /// The fifth stones that black offers, in their order.
    pub offers: Vec<Point>,
}

impl Dialogue {
    /// The next step with this number of stones on the board. `None` if the rule does not
    /// offer one of the choices.
    pub fn step(&self, stones: usize) -> Option<OpeningStep> {
        self.rule.step(stones, &self.choices).ok()
    }

    /// The seat that acts next.
    pub fn actor(&self, position: &Position) -> Option<Seat> {
        let step = self.step(position.ply())?;
        Some(step.seat(self.offers.len(), position.side()))
    }

    /// The points where the next stone may be placed or offered. `None` if every point is
    /// allowed.
    pub fn allowed(&self, position: &Position) -> Option<PointSet> {
        self.step(position.ply())?.allowed(position, &self.offers)
    }

    /// Returns true if the next stone may be placed or offered on the point.
    pub fn allows(&self, position: &Position, point: Point) -> bool {
        self.allowed(position)
            .is_none_or(|points| points.has(point))
    }

    /// The number of fifth stones that black has yet to offer.
    pub fn missing_offers(&self, stones: usize) -> usize {
        match self.step(stones) {
            Some(OpeningStep::Fifth { count, .. }) => count.saturating_sub(self.offers.len()),
            _ => 0,
        }
    }

    /// Adds a choice.
    ///
    /// # Errors
    /// When the next step is no choice, or does not offer this one.
    pub fn choose(&mut self, stones: usize, choice: Choice) -> Result<(), ChoiceError> {
        match self.step(stones) {
            Some(OpeningStep::Choose { options, .. }) if options.contains(&choice) => {
                self.choices.push(choice);
                Ok(())
            }
            _ => Err(ChoiceError { rule: self.rule }),
        }
    }

    /// The choices, each with the seat that made it.
    pub fn chosen(&self) -> Vec<(Seat, Choice)> {
        let seat = |number: usize| match self.rule.step(usize::MAX, &self.choices[..number]) {
            Ok(OpeningStep::Choose { seat, .. }) => Some(seat),
            _ => None,
        };
        let choices = self.choices.iter().copied().enumerate();
        choices
            .filter_map(|(number, choice)| Some((seat(number)?, choice)))
            .collect()
    }

    /// The seat with the black stones, once no choice can change it.
    pub fn settled_black(&self, stones: usize) -> Option<Seat> {
        match self.step(stones)? {
            OpeningStep::Play { black } | OpeningStep::Fifth { black, .. } => Some(black),
            OpeningStep::Place {
                seat,
                swap_follows: false,
                ..
            } => Some(match stones % 2 {
                0 => seat,
                _ => seat.other(),
            }),
            _ => None,
        }
    }

    /// The seat with the black stones, once a colour was chosen or no choice can change it. A
    /// later choice may exchange the colours.
    pub fn black(&self, stones: usize) -> Option<Seat> {
        let color = |(seat, choice)| match choice {
            Choice::Black => Some(seat),
            Choice::White => Some(Seat::other(seat)),
            Choice::TwoStones | Choice::Offers(_) => None,
        };
        let chosen = || self.chosen().into_iter().rev().find_map(color);
        self.settled_black(stones).or_else(chosen)
    }
}
