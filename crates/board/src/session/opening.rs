//! Who acts next: the dialogue of an opening rule, and whose turn it is.

use super::{Session, index};
use crate::error::BoardError;
use crate::message::{ChoiceName, Player};
use crate::said::{self, Said, Saying};
use crate::tree::NodeId;
use quincunx_engine::game::swap::{Choice, OpeningStep, Seat};
use quincunx_engine::rules::{Color, Point, PointSet};

impl Session {
    /// What comes next at a node, after this was said.
    pub(super) fn step_at(&self, node: NodeId, said: &[Saying]) -> Option<OpeningStep> {
        let stones = self.cursor.tree.depth(node);
        let choices = said::choices(said, stones);
        self.opening.step(stones, &choices).ok()
    }

    /// What comes next in the position that is shown.
    pub(super) fn step(&self) -> Option<OpeningStep> {
        self.step_at(self.cursor.node, &self.said)
    }

    /// The fifth stones that are offered in the position that is shown.
    pub(super) fn offers(&self) -> Vec<Point> {
        said::offers(&self.said, self.cursor.stones())
    }

    /// The points where the next stone of the opening may stand; `None` where every
    /// point will do.
    pub(super) fn allowed(&self) -> Option<PointSet> {
        let position = self.cursor.game.position();
        self.opening.allowed(position, self.step()?, &self.offers())
    }

    /// The seat that acts at a node, after this was said.
    fn seat_at(&self, node: NodeId, said: &[Saying]) -> Option<Seat> {
        let stones = self.cursor.tree.depth(node);
        match self.step_at(node, said)? {
            OpeningStep::Play { black } => Some(match self.cursor.tree.get(node)?.color {
                // The side to move is not the one that moved.
                Color::White => black,
                Color::Black => black.other(),
            }),
            step => step.seat(said::offers(said, stones).len()),
        }
    }

    /// Who acts at a node, after this was said.
    pub(super) fn actor_at(&self, node: NodeId, said: &[Saying]) -> Option<Player> {
        let seat = self.seat_at(node, said)?;
        Some(self.players[index(seat)])
    }

    /// The strength of the engine that acts next.
    pub(super) fn acting_level(&self) -> u8 {
        let seat = self.seat_at(self.cursor.node, &self.said);
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
        let black = self.black_seat().unwrap_or(Seat::First);
        [black, black.other()].map(|seat| self.level_of(seat))
    }

    /// The player who acts next; none once the game is over.
    pub(super) fn actor(&self) -> Option<Player> {
        if self.cursor.game.is_over() {
            return None;
        }
        self.actor_at(self.cursor.node, &self.said)
    }

    /// The owners of the black and the white stones, once that is settled.
    pub(super) fn settled_colors(&self) -> Option<[Player; 2]> {
        let is_settled = matches!(self.step()?, OpeningStep::Play { .. });
        self.colors().filter(|_| is_settled)
    }

    /// The owners of the black and the white stones, once a colour is chosen. The opening
    /// may let another choice follow.
    pub(super) fn colors(&self) -> Option<[Player; 2]> {
        let black = self.black_seat()?;
        Some([black, black.other()].map(|seat| self.players[index(seat)]))
    }

    /// The seat that has the black stones as far as was chosen.
    fn black_seat(&self) -> Option<Seat> {
        if let OpeningStep::Play { black } = self.step()? {
            return Some(black);
        }
        let chosen = self.choices().into_iter().rev();
        let color = |(seat, choice)| match choice {
            Choice::Black => Some(seat),
            Choice::White => Some(Seat::other(seat)),
            Choice::TwoStones | Choice::Offers(_) => None,
        };
        chosen.filter_map(color).next()
    }

    /// What was chosen in the opening so far, and the seat that chose.
    pub(super) fn choices(&self) -> Vec<(Seat, Choice)> {
        let stones = self.cursor.stones();
        let choices = said::choices(&self.said, stones);
        let path = self.cursor.tree.path(self.cursor.node);
        let sayings = self
            .said
            .iter()
            .enumerate()
            .filter(|(_, (at, _))| *at <= stones);
        let seats = sayings.filter_map(|(before, (at, said))| match said {
            Said::Choice(_) => self.seat_at(*path.get(*at)?, &self.said[..before]),
            Said::Offer(_) => None,
        });
        seats.zip(choices).collect()
    }

    /// Which of the two players acts next: zero for the one with the black stones, or the one
    /// who began, while no colour is chosen. No side acts once the game is over.
    pub(super) fn acting(&self) -> Option<usize> {
        let acting = self
            .seat_at(self.cursor.node, &self.said)
            .filter(|_| !self.cursor.game.is_over())?;
        let first_row = self.black_seat().unwrap_or(Seat::First);
        Some(usize::from(acting != first_row))
    }

    /// Whether the opening asks something, so that no stone can just be played.
    pub(super) fn asks(&self) -> bool {
        use OpeningStep::{Choose, Fifth};
        matches!(self.step(), Some(Choose { .. } | Fifth { .. }))
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
        let stones = self.cursor.stones();
        let mut choices = said::choices(&self.said, stones);
        choices.push(choice);
        self.opening.step(stones, &choices)?;
        self.say(Said::Choice(choice));
        Ok(())
    }

    /// Offers a stone for the next move.
    pub(super) fn offer(&mut self, point: Point) -> Result<(), BoardError> {
        self.cursor.game.check(point)?;
        self.check_allowed(point)?;
        self.say(Said::Offer(point));
        Ok(())
    }

    /// Adds to what was said about the stones that are on the board.
    fn say(&mut self, said: Said) {
        let stones = self.cursor.stones();
        self.said.retain(|(at, _)| *at <= stones);
        self.said.push((stones, said));
        self.unsaid.clear();
        self.begin_turn();
    }

    /// That the opening allows the next stone on this point.
    pub(super) fn check_allowed(&self, point: Point) -> Result<(), BoardError> {
        let is_allowed = self.allowed().is_none_or(|allowed| allowed.has(point));
        is_allowed.then_some(()).ok_or(BoardError::OpeningPoint)
    }

    /// The number of fifth stones that black has still to offer.
    pub(super) fn missing_offers(&self) -> usize {
        match self.step() {
            Some(OpeningStep::Fifth { count, .. }) => count.saturating_sub(self.offers().len()),
            _ => 0,
        }
    }

    /// After a new stone of the opening what was said about the stones that stood
    /// there before no longer counts.
    pub(super) fn forget_what_was_said(&mut self) {
        let stones = self.cursor.stones();
        self.said.retain(|(at, _)| *at < stones);
        self.unsaid.clear();
    }
}

impl From<ChoiceName> for Choice {
    fn from(name: ChoiceName) -> Choice {
        match name {
            ChoiceName::Black => Choice::Black,
            ChoiceName::White => Choice::White,
            ChoiceName::TwoStones => Choice::TwoStones,
            ChoiceName::Offers(count) => Choice::Offers(count),
        }
    }
}

impl From<Choice> for ChoiceName {
    fn from(choice: Choice) -> ChoiceName {
        match choice {
            Choice::Black => ChoiceName::Black,
            Choice::White => ChoiceName::White,
            Choice::TwoStones => ChoiceName::TwoStones,
            Choice::Offers(count) => ChoiceName::Offers(count),
        }
    }
}
