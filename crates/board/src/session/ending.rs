//! Ends of games without a move, and moves after them.

use super::Session;
use crate::error::BoardError;
use crate::message::{DrawRefusal, Player, ServerMessage};
use crate::tree::NodeId;
use quincunx_engine::game::{GameResult, Termination};
use quincunx_engine::rules::{Color, Point};

/// The number of stones from which a game is late enough for a draw, unless a third of the points
/// is less.
const LATE: usize = 40;

/// The engine's chance, in thousandths, at which it takes a draw at any time.
const HARDLY_A_CHANCE: u16 = 150;

/// The number of positions for which an evaluation stays relevant.
const DRAW_MEMORY: usize = 4;

impl Session {
    pub(super) fn resign(&mut self) -> Result<(), BoardError> {
        let color = self.resigning().ok_or(BoardError::NotNow)?;
        self.end(GameResult::loss(color, Termination::Resignation));
        Ok(())
    }

    /// Returns true if a position is part of the file that was opened.
    pub(super) fn is_opened(&self, node: NodeId) -> bool {
        self.opened.is_some_and(|last| node <= last)
    }

    /// Returns true if the position is the end of a game that is played here, and not one that is only
    /// looked at.
    pub(super) fn is_played(&self) -> bool {
        let node = self.cursor.node;
        !self.is_opened(node) && self.cursor.tree.following(node).is_none()
    }

    /// Returns true if undo reverts the end of the game, because nothing else has happened since.
    pub(super) fn may_take_back_end(&self) -> bool {
        self.has_just_ended && self.cursor.has_ending()
    }

    /// The colour of the person who resigns when asked to: only at the end of a game that is
    /// played here.
    pub(super) fn resigning(&self) -> Option<Color> {
        let players = self
            .settled_colors()
            .filter(|_| self.is_played() && !self.cursor.game.is_over())?;
        let side = self.cursor.game.side();
        let persons = [side, side.opponent()];
        (persons.into_iter()).find(|color| players[color.index()] == Player::Person)
    }

    pub(super) fn offer_draw(
        &mut self,
        replies: &mut Vec<ServerMessage>,
    ) -> Result<(), BoardError> {
        let color = self.resigning().ok_or(BoardError::NotNow)?;
        let players = self.settled_colors().ok_or(BoardError::NotNow)?;
        let opponent = color.opponent();
        let is_engine = players[opponent.index()] == Player::Engine;
        match self.refuses_draw(opponent).filter(|_| is_engine) {
            Some(reason) => replies.push(ServerMessage::DrawDeclined { reason }),
            None => self.end(GameResult::draw(Termination::Agreement)),
        }
        Ok(())
    }

    /// The reason of the engine, playing `color`, to refuse a draw, or `None` if it agrees. It
    /// agrees in a lost or nearly lost position, and late in the game in one that is no better than
    /// equal.
    pub(super) fn refuses_draw(&self, color: Color) -> Option<DrawRefusal> {
        let path = self.cursor.tree.path(self.cursor.node);
        let chances = path.iter().rev();
        let black = (chances.take(DRAW_MEMORY)).find_map(|&id| self.cursor.tree.get(id)?.chance);
        let own = black.map(|black| match color {
            Color::Black => black,
            Color::White => 1000 - black,
        });
        let points = self.cursor.start.size.iter().count();
        let is_late = self.cursor.game.position().ply() >= LATE.min(points / 3);
        match own {
            Some(0..=HARDLY_A_CHANCE) => None,
            Some(0..=500) if is_late => None,
            Some(501..) => Some(DrawRefusal::Better),
            _ => Some(DrawRefusal::Early),
        }
    }

    /// Adds a line to the tree and shows its first move. The line is cut at the first impossible
    /// move.
    pub(super) fn play_line(&mut self, node: NodeId, points: &[String]) -> Result<(), BoardError> {
        self.check_node(node)?;
        let searches = self.actor() == Some(Player::Engine) && !self.waiting;
        if searches || self.asks() || !self.is_open() {
            return Err(BoardError::NotNow);
        }
        let mut game = self.cursor.game_to_go_on()?;
        let points = points.iter().map(|point| point.parse());
        let points: Vec<Point> = points.collect::<Result<_, _>>()?;
        // A tree that gets full on the way has no part of the line.
        let mut tree = self.cursor.tree.clone();
        let mut at = node;
        let mut first = None;
        for point in points {
            let color = game.side();
            if first.is_none() {
                game.check(point)?;
                self.check_allowed(point)?;
            }
            if game.play(point).is_err() {
                break;
            }
            at = tree.add(at, color, point).ok_or(BoardError::Full)?;
            first.get_or_insert(at);
        }
        let first = first.ok_or(BoardError::NotNow)?;
        self.cursor.tree = tree;
        self.go_to(first)
    }

    /// Returns true if the position can be searched: the game is in progress, or was ended without
    /// a move, such as by resignation.
    pub(super) fn is_open(&self) -> bool {
        !self.cursor.game.is_over()
            || self.cursor.has_ending()
                && (self.cursor.game_to_go_on()).is_ok_and(|game| !game.is_over())
    }

    /// Returns true if a person may continue a game that was ended. It needs an analysis,
    /// which prevents accidents.
    pub(super) fn may_go_on(&self) -> bool {
        self.cursor.game.is_over() && self.searches.analysis.is_some() && self.is_open()
    }

    /// Continues a game that was ended. The engine waits.
    pub(super) fn go_on(&mut self) {
        if let Ok(game) = self.cursor.game_to_go_on() {
            self.cursor.game = game;
            self.waiting = true;
        }
    }

    /// Ends the game without a move.
    pub(super) fn end(&mut self, result: GameResult) {
        // If the end is taken back the turn goes on.
        if result.termination != Termination::Time {
            self.leave_turn();
        }
        self.cursor.game.end(result);
        self.cursor
            .tree
            .set_ending(self.cursor.node, self.cursor.game.result());
        self.searches.asked = None;
        self.has_just_ended = true;
    }
}
