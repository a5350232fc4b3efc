//! Conditional moves: lines of play that a player of a correspondence game prepares, whose answers
//! are played when the opponent follows one.

use super::conditional_lines::ConditionalLines;
use super::error::RoomError;
use super::referee::Action;
use super::room::{Room, Stage, index};
use quincunx_engine::game::Game;
use quincunx_engine::game::swap::{OpeningStep, Seat};
use quincunx_engine::position::notation::parse_moves;
use quincunx_engine::rules::Point;
use std::time::Duration;

/// The most lines of a player.
const MOST_LINES: usize = 20;

/// The most moves of a line.
const MOST_MOVES: usize = 30;

/// The most bytes of a line, with blanks between its moves.
const MOST_BYTES: usize = 8 * MOST_MOVES;

/// Returns true if two lines answer the same moves of the opponent differently.
fn contradict(one: &[Point], other: &[Point]) -> bool {
    let differ = one.iter().zip(other).position(|(one, other)| one != other);
    differ.is_some_and(|at| at % 2 == 1)
}

impl Room {
    /// Returns true if the players may prepare conditional moves here, in turn: in a correspondence
    /// game, from the end of the opening on.
    pub fn takes_lines(&self) -> bool {
        let is_played = self.stage() == Stage::Playing && self.setup().is_correspondence();
        is_played && matches!(self.step(), Some(OpeningStep::Play { .. }))
    }

    /// The conditional moves of a player, such as `h8i9`: of each line a move of the opponent comes
    /// first.
    pub fn lines(&self, seat: Seat) -> Vec<String> {
        let lines = self.record.lines[index(seat)].0.iter();
        lines
            .map(|line| line.iter().map(Point::to_string).collect())
            .collect()
    }

    /// The number of last moves that were conditional ones.
    pub fn answers(&self) -> usize {
        self.record.answers
    }

    /// Replaces the conditional moves of a player, after a move of theirs if there is one. A move that
    /// ends the game is played without them.
    ///
    /// # Errors
    /// When the move or a line can't be played, or the flag has fallen before. Neither the game nor
    /// the lines are changed then.
    pub fn set_lines(
        &mut self,
        now: Duration,
        seat: Seat,
        (point, ply): (Option<Point>, usize),
        lines: &[String],
    ) -> Result<(), RoomError> {
        if self.tick(now) {
            return Err(RoomError::Over);
        }
        let mut next = self.clone();
        match point {
            Some(point) => {
                next.act_once(now, seat, Action::Play { point, ply }, Duration::ZERO)?;
            }
            None if next.game.ply() != ply => return Err(RoomError::Stale),
            None => {}
        }
        if point.is_none() || next.stage() == Stage::Playing {
            next.record.lines[index(seat)] = next.check_lines(seat, lines)?;
            next.answer(now);
        }
        *self = next;
        Ok(())
    }

    /// Parses and checks lines of a player. The opponent acts next.
    fn check_lines(&self, seat: Seat, texts: &[String]) -> Result<ConditionalLines, RoomError> {
        if !self.takes_lines() {
            return Err(RoomError::Conditional);
        }
        if self.actor() != Some(seat.other()) {
            return Err(RoomError::ConditionalTurn);
        }
        if texts.len() > MOST_LINES {
            return Err(RoomError::TooManyLines);
        }
        let mut game = self.game.clone();
        let mut lines: Vec<Vec<Point>> = Vec::with_capacity(texts.len());
        for (text, number) in texts.iter().zip(1..) {
            let wrong = RoomError::ConditionalLine(number);
            if text.len() > MOST_BYTES {
                return Err(RoomError::LongLine(number));
            }
            let line = parse_moves(self.setup().size, text).map_err(|_| wrong)?;
            if line.len() > MOST_MOVES {
                return Err(RoomError::LongLine(number));
            }
            if line.is_empty() || line.len() % 2 == 1 || !self.can_follow(&mut game, &line) {
                return Err(wrong);
            }
            if lines.iter().any(|other| contradict(other, &line)) {
                return Err(RoomError::Contradiction(number));
            }
            lines.push(line);
        }
        Ok(ConditionalLines(lines))
    }

    /// Returns true if a line can be played in a game, which is as it was afterwards or has an
    /// illegal line.
    fn can_follow(&self, game: &mut Game, line: &[Point]) -> bool {
        let is_played = line.iter().all(|point| {
            let is_allowed = self.dialogue.allows(game.position(), *point);
            is_allowed && game.play(*point).is_ok()
        });
        is_played && line.iter().all(|_| game.undo())
    }

    /// Plays the answers of the players' lines, until the player to act has none. An answer that is not
    /// legal is dropped with its lines.
    pub(super) fn answer(&mut self, now: Duration) {
        let mut answers = 0;
        while let Some(seat) = self.actor()
            && let Some(point) = self.record.lines[index(seat)].next()
        {
            let ply = self.game.ply();
            match self.play(now, seat, point, ply, Duration::ZERO) {
                Ok(()) => answers += 1,
                Err(_) => self.record.lines[index(seat)] = ConditionalLines::default(),
            }
        }
        if answers > 0 {
            self.record.answers = answers;
        }
    }

    /// Drops the lines of both players.
    pub(super) fn drop_lines(&mut self) {
        self.record.lines = Default::default();
        self.record.answers = 0;
    }
}
