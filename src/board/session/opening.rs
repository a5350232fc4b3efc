//! Who acts next: the dialogue of an opening rule, and whose turn it is.

use super::{Session, index};
use crate::board::error::BoardError;
use crate::board::message::{ChoiceName, Player};
use crate::board::tree::NodeId;
use crate::game::swap::{Choice, OpeningStep, Seat};
use crate::rules::Color;

impl Session {
    /// What comes next at a node, with these choices made.
    pub(super) fn step_at(&self, node: NodeId, choices: &[(usize, Choice)]) -> Option<OpeningStep> {
        let stones = self.tree.depth(node);
        let made: Vec<Choice> = (choices.iter())
            .filter(|(at, _)| *at <= stones)
            .map(|&(_, choice)| choice)
            .collect();
        self.opening.step(stones, &made).ok()
    }

    /// What comes next in the position that is shown.
    pub(super) fn step(&self) -> Option<OpeningStep> {
        self.step_at(self.node, &self.choices)
    }

    /// The seat that acts at a node, with these choices made.
    fn seat_at(&self, node: NodeId, choices: &[(usize, Choice)]) -> Option<Seat> {
        let seat = match self.step_at(node, choices)? {
            OpeningStep::Place { seat, .. } | OpeningStep::Choose { seat, .. } => seat,
            OpeningStep::Play { black } => match self.tree.get(node)?.color {
                // The side to move is not the one that moved.
                Color::White => black,
                Color::Black => black.other(),
            },
        };
        Some(seat)
    }

    /// Who acts at a node, with these choices made.
    pub(super) fn actor_at(&self, node: NodeId, choices: &[(usize, Choice)]) -> Option<Player> {
        let seat = self.seat_at(node, choices)?;
        Some(self.players[index(seat)])
    }

    /// The strength of the engine that acts next.
    pub(super) fn acting_level(&self) -> u8 {
        let seat = self.seat_at(self.node, &self.choices);
        self.level_of(seat.unwrap_or(Seat::First))
    }

    /// The strength of the engine in this seat.
    fn level_of(&self, seat: Seat) -> u8 {
        let levels = self.setup.levels;
        levels.map_or(self.setup.level, |levels| levels[index(seat)])
    }

    /// The strengths of the engine with the black and with the white stones; of the
    /// first and the second player until that is settled.
    pub(super) fn levels(&self) -> [u8; 2] {
        let black = match self.step() {
            Some(OpeningStep::Play { black }) => black,
            _ => Seat::First,
        };
        [black, black.other()].map(|seat| self.level_of(seat))
    }

    /// Who acts next; nobody once the game is over.
    pub(super) fn actor(&self) -> Option<Player> {
        if self.game.is_over() {
            return None;
        }
        self.actor_at(self.node, &self.choices)
    }

    /// The owners of the black and the white stones, once that is settled.
    pub(super) fn colors(&self) -> Option<[Player; 2]> {
        match self.step()? {
            OpeningStep::Play { black } => {
                Some([black, black.other()].map(|seat: Seat| self.players[index(seat)]))
            }
            _ => None,
        }
    }

    /// Whether a choice is due before the next stone.
    pub(super) fn must_choose(&self) -> bool {
        matches!(self.step(), Some(OpeningStep::Choose { .. }))
    }

    pub(super) fn choose_for_person(&mut self, choice: Choice) -> Result<(), BoardError> {
        if self.actor() == Some(Player::Engine) && !self.waiting {
            return Err(BoardError::NotYourTurn);
        }
        self.choose(choice)
    }

    /// Makes a choice of the opening.
    pub(super) fn choose(&mut self, choice: Choice) -> Result<(), BoardError> {
        let Some(OpeningStep::Choose { .. }) = self.step() else {
            return Err(BoardError::NotNow);
        };
        let stones = self.tree.depth(self.node);
        let mut choices = self.choices.clone();
        choices.retain(|(at, _)| *at < stones);
        choices.push((stones, choice));
        let made: Vec<Choice> = choices.iter().map(|&(_, choice)| choice).collect();
        self.opening.step(stones, &made)?;
        self.choices = choices;
        self.asked = None;
        self.turn_began = self.now;
        Ok(())
    }

    /// Choices were made about the stones that stood on the board then. After a
    /// new stone of the opening later ones no longer count.
    pub(super) fn forget_choices_of_other_stones(&mut self) {
        let stones = self.tree.depth(self.node);
        let before: Vec<_> = (self.choices.iter().copied())
            .filter(|(at, _)| *at <= stones)
            .collect();
        if let Some(OpeningStep::Place { .. }) = self.step_at(self.node, &before) {
            self.choices = before;
        }
    }
}

impl From<ChoiceName> for Choice {
    fn from(name: ChoiceName) -> Choice {
        match name {
            ChoiceName::Black => Choice::Black,
            ChoiceName::White => Choice::White,
            ChoiceName::TwoStones => Choice::TwoStones,
        }
    }
}

impl From<Choice> for ChoiceName {
    fn from(choice: Choice) -> ChoiceName {
        match choice {
            Choice::Black => ChoiceName::Black,
            Choice::White => ChoiceName::White,
            Choice::TwoStones => ChoiceName::TwoStones,
        }
    }
}
