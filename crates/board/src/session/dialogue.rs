//! The engine's choices and offers in the dialogue of an opening rule. Those of swap1 and
//! swap2 it makes itself.
//!
//! The player who chooses takes the better side, so the engine puts stones after which neither
//! side is better, and asks for a single fifth stone: black's best answers the fourth
//! stone, and every further one would be worse for black, who may still swap.

use super::Session;
use crate::error::BoardError;
use crate::opening_event;
use quincunx_engine::engine::{Answer, Line, Request};
use quincunx_engine::game::swap::{Choice, OpeningRule, OpeningStep, Region};
use quincunx_engine::rules::{Color, Point, PointSet};
use quincunx_engine::score::Score;

impl Session {
    /// The points that the engine may not answer with, because of the opening.
    pub(super) fn excluded(&self) -> PointSet {
        let board = self.cursor.game.position().board();
        let allowed = self.allowed();
        allowed.map_or(PointSet::EMPTY, |allowed| board.difference(&allowed))
    }

    /// Returns true if the engine need not think: nearly nothing is allowed, or it always
    /// answers the same.
    pub(super) fn is_obvious(&self) -> bool {
        match self.step() {
            Some(OpeningStep::Place { region, .. }) => {
                region == Region::Nested && self.cursor.stones() < 2
            }
            Some(OpeningStep::Choose { options, .. }) => {
                matches!(options, [Choice::Offers(_), ..])
            }
            _ => false,
        }
    }

    /// Returns true at a choice or an offer that needs a search of this session's own.
    pub(super) fn asks_for_lines(&self) -> bool {
        self.asks() && !matches!(self.opening, OpeningRule::Swap1 | OpeningRule::Swap2)
    }

    /// The request to the engine at a choice or an offer.
    pub(super) fn lines_request(&self) -> Request {
        match self.step() {
            // Some of the best moves may be alike.
            Some(OpeningStep::Fifth { .. }) if self.missing_offers() > 0 => {
                Request::Lines(2 * self.wanted_offers())
            }
            _ if self.is_obvious() => Request::Move,
            _ => Request::Lines(self.wanted_offers()),
        }
    }

    /// The number of best lines that the choice needs: at black's fifth move one for each offered
    /// stone, because white will keep the worst.
    fn wanted_offers(&self) -> usize {
        if let Some(OpeningStep::Fifth { count, .. }) = self.step() {
            return count;
        }
        if self.cursor.game.side() == Color::White {
            return 1;
        }
        let choices = opening_event::choices(&self.events, self.cursor.stones());
        let count = choices.iter().find_map(|choice| match choice {
            Choice::Offers(count) => Some(usize::from(*count)),
            _ => None,
        });
        count.unwrap_or(1)
    }

    /// Chooses, offers or picks by the lines that the engine has found.
    pub(super) fn follow_lines(
        &mut self,
        answer: &Answer,
        lines: &[Line],
    ) -> Result<(), BoardError> {
        let worst = lines.iter().min_by_key(|line| line.score);
        match self.step() {
            Some(OpeningStep::Choose { options, .. }) => {
                let value = worst.or(answer.info()).map(|info| info.score);
                self.choose(choice(options, self.cursor.game.side(), value))
            }
            // The lines are in order, the best first.
            _ if self.missing_offers() > 0 => self.offer_lines(answer, lines),
            _ => {
                let point = worst.and_then(Line::best);
                let any = answer.stones().first().copied();
                self.play(point.or(any).ok_or(BoardError::Engine)?)
            }
        }
    }

    /// Offers the best moves that are not alike.
    fn offer_lines(&mut self, answer: &Answer, lines: &[Line]) -> Result<(), BoardError> {
        let best = lines.iter().filter_map(|line| line.pv.first());
        let points: Vec<Point> = best.chain(answer.stones()).copied().collect();
        let before = self.missing_offers();
        for point in points {
            if self.missing_offers() > 0 && self.check_allowed(point).is_ok() {
                self.offer(point)?;
            }
        }
        let is_more = self.missing_offers() < before;
        is_more.then_some(()).ok_or(BoardError::Engine)
    }
}

/// The better colour, by the value for the side to move; or a single fifth stone.
fn choice(options: &[Choice], side: Color, value: Option<Score>) -> Choice {
    if let [offers @ Choice::Offers(_), ..] = options {
        return *offers;
    }
    let color = match value {
        Some(value) if value < Score::ZERO => side.opponent(),
        _ => side,
    };
    match color {
        Color::Black => Choice::Black,
        Color::White => Choice::White,
    }
}
