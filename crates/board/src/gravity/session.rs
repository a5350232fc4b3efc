//! One person's game of four in a row.

use super::message::{ColumnValue, GravityMessage, GravityReply, GravityState, Side, StoneAt};
use crate::error::BoardError;
use crate::gravity_job::{GravityJob, GravityResult};
use crate::hosted::HostedSession;
use crate::job::{Job, Report};
use crate::job_id::JobId;
use crate::message::{Player, VERSION};
use quincunx_gravity::{self as gravity, Level, Position, Size, Value};
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// A saved session of four in a row.
#[derive(Serialize, Deserialize)]
struct SavedGravity {
    columns: usize,
    rows: usize,
    moves: String,
    players: [Player; 2],
    level: u8,
}

/// One person's game of four in a row.
pub struct GravitySession {
    position: Position,
    /// The columns that were taken back, the next to be played again last.
    undone: Vec<usize>,
    players: [Player; 2],
    level: Level,
    analyses: bool,
    values: Vec<Option<Value>>,
    chances: Vec<Option<u16>>,
    /// True if all values are found.
    complete: bool,
    job: Option<GravityJob>,
    jobs: u64,
    /// True if the engine could not search: it tries again after the next message.
    waits: bool,
}

impl GravitySession {
    /// A session with a new game: a person, who begins, against the engine.
    pub fn new() -> GravitySession {
        let position = Position::new(usual_size());
        GravitySession {
            values: vec![None; position.size().columns()],
            chances: vec![None; position.size().columns()],
            position,
            undone: Vec::new(),
            players: [Player::Person, Player::Engine],
            level: Level::new(5).unwrap_or_default(),
            analyses: false,
            complete: false,
            job: None,
            jobs: 0,
            waits: false,
        }
    }

    fn follow(&mut self, message: GravityMessage) -> Result<(), BoardError> {
        match message {
            GravityMessage::Hello { version, save } => {
                if version != VERSION {
                    return Err(BoardError::Version(version));
                }
                self.restore(save.as_deref());
            }
            GravityMessage::NewGame {
                columns,
                rows,
                first,
                second,
                level,
            } => {
                let size = Size::new(columns, rows)?;
                self.level = Level::new(level).ok_or(BoardError::Level(level, 10))?;
                self.position = Position::new(size);
                self.players = [first, second];
                self.undone.clear();
                self.moved();
            }
            GravityMessage::Drop { column, ply } => {
                if ply != self.position.moves().len() {
                    return Err(BoardError::Stale);
                }
                if self.actor() == Some(Player::Engine) {
                    return Err(BoardError::NotYourTurn);
                }
                self.position.play(column)?;
                self.undone.clear();
                self.moved();
            }
            GravityMessage::Undo => self.undo()?,
            GravityMessage::Redo => self.redo()?,
            GravityMessage::Analyse { on } => self.analyses = on,
            // The session's host decides whether it may be stopped.
            GravityMessage::StopServer => return Err(BoardError::NotNow),
        }
        Ok(())
    }

    /// Restores the session that a page has saved, if it is valid.
    fn restore(&mut self, save: Option<&str>) {
        let read = || {
            let save: SavedGravity = serde_json::from_str(save?).ok()?;
            let size = Size::new(save.columns, save.rows).ok()?;
            let position = Position::from_moves(size, &save.moves).ok()?;
            Some((position, save.players, Level::new(save.level)?))
        };
        if let Some((position, players, level)) = read() {
            (self.position, self.players, self.level) = (position, players, level);
            self.undone.clear();
            self.moved();
        }
    }

    /// Discards the results for the previous position.
    fn moved(&mut self) {
        self.values = vec![None; self.position.size().columns()];
        self.chances = vec![None; self.position.size().columns()];
        self.complete = false;
        self.job = None;
    }

    fn player_at(&self, ply: usize) -> Player {
        self.players[ply % 2]
    }

    fn actor(&self) -> Option<Player> {
        let ply = self.position.moves().len();
        (!self.position.is_over()).then(|| self.player_at(ply))
    }

    /// The number of moves that undo takes back: up to one of a person's.
    fn undo_count(&self) -> Option<usize> {
        let ply = self.position.moves().len();
        (1..=ply).find(|back| self.player_at(ply - back) == Player::Person)
    }

    fn undo(&mut self) -> Result<(), BoardError> {
        let count = self.undo_count().ok_or(BoardError::NotNow)?;
        for _ in 0..count {
            self.undone.extend(self.position.undo());
        }
        self.moved();
        Ok(())
    }

    fn redo(&mut self) -> Result<(), BoardError> {
        let mut column = Some(self.undone.pop().ok_or(BoardError::NotNow)?);
        while let Some(next) = column {
            self.position.play(next)?;
            column = match self.actor() {
                Some(Player::Engine) => self.undone.pop(),
                _ => None,
            };
        }
        self.moved();
        Ok(())
    }

    fn update_job(&mut self) {
        let level = match self.actor() {
            Some(Player::Engine) if !self.waits => Some(self.level),
            Some(Player::Person) if self.analyses && !self.complete => None,
            _ => {
                self.job = None;
                return;
            }
        };
        if self.job.as_ref().is_some_and(|job| job.level == level) {
            return;
        }
        self.jobs += 1;
        self.job = Some(GravityJob {
            id: JobId(self.jobs),
            position: self.position.clone(),
            level,
        });
    }

    fn state(&self) -> GravityState {
        let position = &self.position;
        let size = position.size();
        let mut heights = vec![0; size.columns()];
        let sides = [Side::First, Side::Second].into_iter().cycle();
        let stones = (position.moves().zip(sides))
            .map(|(column, side)| {
                heights[column] += 1;
                let row = heights[column] - 1;
                StoneAt { column, row, side }
            })
            .collect();
        let save = SavedGravity {
            columns: size.columns(),
            rows: size.rows(),
            moves: position.moves_text(),
            players: self.players,
            level: self.level.number(),
        };
        GravityState {
            columns: size.columns(),
            rows: size.rows(),
            stones,
            open: position.playable_columns().collect(),
            turn: position.to_move().into(),
            actor: self.actor(),
            over: position.is_over(),
            winner: position.winner().map(Side::from),
            line: position.winning_line(),
            players: self.players,
            level: self.level.number(),
            thinking: self.job.as_ref().is_some_and(|job| job.level.is_some()),
            values: self.analyses.then(|| {
                let values = self.values.iter();
                values.map(|value| value.map(ColumnValue::from)).collect()
            }),
            chances: self.analyses.then(|| self.chances.clone()),
            can_undo: self.undo_count().is_some(),
            can_redo: !self.undone.is_empty(),
            save: serde_json::to_string(&save).unwrap_or_default(),
        }
    }
}

impl HostedSession for GravitySession {
    type Message = GravityMessage;
    type Reply = GravityReply;

    fn handle(&mut self, _now: Duration, message: GravityMessage) -> Vec<GravityReply> {
        vec![match self.follow(message) {
            Ok(()) => {
                self.waits = false;
                self.update_job();
                GravityReply::State(self.state())
            }
            Err(error) => error.reply::<GravitySession>(),
        }]
    }

    fn jobs(&self) -> Vec<Job> {
        let job = self.job.iter();
        job.map(|job| Job::Gravity(Box::new(job.clone()))).collect()
    }

    fn report(&mut self, _now: Duration, id: JobId, report: Report) -> Vec<GravityReply> {
        let Some(job) = self.job.as_ref().filter(|job| job.id == id) else {
            return Vec::new();
        };
        let is_move = job.level.is_some();
        let Report::Gravity(report) = report else {
            self.job = None;
            // The engine waits for the next message, or the analysis ends.
            match is_move {
                true => self.waits = true,
                false => self.analyses = false,
            }
            return vec![
                GravityReply::State(self.state()),
                BoardError::Engine.reply::<GravitySession>(),
            ];
        };
        for &result in &report.results {
            match result {
                GravityResult::Value(column, value) => {
                    if let Some(entry) = self.values.get_mut(column) {
                        *entry = Some(value);
                    }
                }
                GravityResult::Chance(column, chance) => {
                    if let Some(entry) = self.chances.get_mut(column) {
                        *entry = Some(chance);
                    }
                }
                GravityResult::Progress(..) => (),
                // The engine's move is a legal one; a game is not lost by a bug.
                GravityResult::Column(column) => {
                    if self.position.play(column).is_ok() {
                        self.moved();
                    }
                }
            }
        }
        if let ([GravityResult::Progress(nodes, elapsed_ms)], false) =
            (report.results.as_slice(), report.is_last)
        {
            let (nodes, elapsed_ms) = (*nodes, *elapsed_ms);
            return vec![GravityReply::Progress { nodes, elapsed_ms }];
        }
        if report.is_last {
            self.complete = self.job.take().is_some_and(|job| job.level.is_none());
        }
        self.update_job();
        vec![GravityReply::State(self.state())]
    }

    fn error(code: &'static str, text: String) -> GravityReply {
        GravityReply::Error { code, text }
    }
}

/// The board that the shops sell: seven columns and six rows.
fn usual_size() -> Size {
    Size::new(7, 6).unwrap_or_default()
}

impl Default for GravitySession {
    fn default() -> Self {
        GravitySession::new()
    }
}

impl From<gravity::Player> for Side {
    fn from(player: gravity::Player) -> Side {
        match player {
            gravity::Player::First => Side::First,
            gravity::Player::Second => Side::Second,
        }
    }
}

impl From<Value> for ColumnValue {
    fn from(value: Value) -> ColumnValue {
        match value {
            Value::Win(plies) => ColumnValue::Win(plies),
            Value::Draw => ColumnValue::Draw,
            Value::Loss(plies) => ColumnValue::Loss(plies),
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::gravity_job::GravityReport;

    fn say(session: &mut GravitySession, message: GravityMessage) -> GravityState {
        match &session.handle(Duration::ZERO, message)[..] {
            [GravityReply::State(state)] => state.clone(),
            replies => panic!("{replies:?}"),
        }
    }

    fn drop_in(session: &mut GravitySession, column: usize) -> GravityState {
        let ply = session.position.moves().len();
        say(session, GravityMessage::Drop { column, ply })
    }

    fn report(session: &mut GravitySession, id: JobId, report: GravityReport) -> Vec<GravityReply> {
        session.report(Duration::ZERO, id, Report::Gravity(report))
    }

    fn answer(session: &mut GravitySession, column: usize) {
        let id = session.job.as_ref().unwrap().id;
        let end = GravityReport::end(Some(GravityResult::Column(column)));
        let replies = report(session, id, end);
        assert!(matches!(replies[..], [GravityReply::State(_)]));
    }

    #[test]
    fn the_engine_answers_and_four_win() {
        let mut session = GravitySession::new();
        for reply in [1, 1, 1] {
            drop_in(&mut session, 0);
            answer(&mut session, reply);
        }
        let state = drop_in(&mut session, 0);
        assert_eq!((state.over, state.winner), (true, Some(Side::First)));
        assert_eq!(state.line, [(0, 0), (0, 1), (0, 2), (0, 3)]);
        assert!(session.jobs().is_empty());
    }

    #[test]
    fn late_answers_after_an_undo_are_dropped() {
        let mut session = GravitySession::new();
        drop_in(&mut session, 3);
        let late = session.job.as_ref().unwrap().id;
        let state = say(&mut session, GravityMessage::Undo);
        assert!(state.stones.is_empty() && state.can_redo);
        let answer_late = GravityReport::end(Some(GravityResult::Column(0)));
        assert_eq!(report(&mut session, late, answer_late.clone()), []);
        drop_in(&mut session, 2);
        assert_eq!(report(&mut session, late, answer_late.clone()), []);
        answer(&mut session, 2);
        let state = say(&mut session, GravityMessage::Undo);
        assert!(state.stones.is_empty());
        assert_eq!(say(&mut session, GravityMessage::Redo).stones.len(), 2);
    }

    #[test]
    fn values_are_of_the_position_that_is_shown() {
        let mut session = GravitySession::new();
        let state = say(&mut session, GravityMessage::Analyse { on: true });
        assert_eq!((state.columns, state.rows), (7, 6));
        assert_eq!(state.values, Some(vec![None; 7]));
        let id = session.job.as_ref().unwrap().id;
        let progress = GravityReply::Progress {
            nodes: 5000,
            elapsed_ms: 20,
        };
        let searched = GravityReport::of(GravityResult::Progress(5000, 20));
        assert_eq!(report(&mut session, id, searched), [progress]);
        let mut reported = |results: Vec<GravityResult>| {
            let found = GravityReport {
                results,
                ..GravityReport::default()
            };
            let replies = report(&mut session, id, found);
            let [GravityReply::State(state)] = &replies[..] else {
                panic!("no state: {replies:?}");
            };
            state.clone()
        };
        let state = reported(vec![
            GravityResult::Chance(2, 480),
            GravityResult::Progress(6000, 30),
        ]);
        assert_eq!(state.chances.unwrap()[2], Some(480));
        let state = reported(vec![GravityResult::Value(3, Value::Win(41))]);
        assert_eq!(state.values.unwrap()[3], Some(ColumnValue::Win(41)));
        assert_eq!(session.job.as_ref().unwrap().id, id, "it goes on");
        assert_eq!(report(&mut session, id, GravityReport::end(None)).len(), 1);
        assert!(session.jobs().is_empty(), "all is known");
        let state = drop_in(&mut session, 3);
        assert_eq!(state.values, Some(vec![None; 7]));
        assert!(state.thinking);
    }

    #[test]
    fn a_saved_game_is_restored() {
        let mut session = GravitySession::new();
        let new = GravityMessage::NewGame {
            columns: 6,
            rows: 5,
            first: Player::Person,
            second: Player::Person,
            level: 10,
        };
        say(&mut session, new);
        drop_in(&mut session, 5);
        let state = drop_in(&mut session, 5);
        let save = Some(state.save.clone());
        let hello = GravityMessage::Hello {
            version: VERSION,
            save,
        };
        assert_eq!(say(&mut GravitySession::new(), hello), state);
    }

    #[test]
    fn wrong_messages_change_nothing() {
        let mut session = GravitySession::new();
        let before = session.state();
        let new = |columns, level| GravityMessage::NewGame {
            columns,
            rows: 7,
            first: Player::Person,
            second: Player::Engine,
            level,
        };
        for message in [
            new(3, 0),
            new(20, 0),
            new(7, 11),
            GravityMessage::Drop { column: 9, ply: 0 },
            GravityMessage::Drop { column: 0, ply: 1 },
            GravityMessage::Undo,
            GravityMessage::Redo,
        ] {
            let replies = session.handle(Duration::ZERO, message.clone());
            assert!(
                matches!(replies[..], [GravityReply::Error { .. }]),
                "{message:?}"
            );
            assert_eq!(session.state(), before);
        }
    }
}
