//! Sessions without sockets and without an engine: the tests give its answers.

#![allow(clippy::unwrap_used)]

mod changes;
mod clocks;
mod dialogues;
mod ended;
mod explored;
mod games;
mod info;
mod limits;
mod moves;
mod passes;
mod random;
mod restored;
mod reviews;
mod searches;
mod swap2;

use super::*;
use crate::job::Report;
use crate::message::{
    AnalysisMode, Choice, ChosenView, DrawRefusal, Format, Phase, State, Stones, Time,
};
use crate::search_job::SearchReport;
use fastrand::Rng;
use quincunx_engine::engine::{Answer, BestMove, Line, Request, Swap2Step};
use quincunx_engine::game::{GameResult, Termination};
use quincunx_engine::position::Forbidden;
use quincunx_engine::score::Score;

/// A session with the page's clock, and what it said last.
struct Table {
    session: Session,
    now: Duration,
    replies: Vec<ServerMessage>,
}

impl Table {
    fn new() -> Table {
        Table::after_hello(None)
    }

    /// A new session that goes on from what this one has told to keep.
    fn resumed(&self) -> Table {
        Table::after_hello(self.state().save)
    }

    fn after_hello(save: Option<String>) -> Table {
        let mut table = Table {
            session: Session::new(Options::default()),
            now: Duration::ZERO,
            replies: Vec::new(),
        };
        table.say(hello(save));
        table
    }

    /// Returns true if the engine has declined a draw for this reason.
    fn declined(&self, reason: DrawRefusal) -> bool {
        let declined = ServerMessage::DrawDeclined { reason };
        self.replies.contains(&declined)
    }

    /// Returns true if black or white is to be chosen, as the first choice or a later one.
    fn chooses_color(&self, first: bool) -> bool {
        let options = vec![Choice::Black, Choice::White];
        self.state().phase == Phase::Choose { first, options }
    }

    fn with(change: impl FnOnce(&mut Setup)) -> Table {
        let mut table = Table::new();
        let mut setup = table.state().setup;
        change(&mut setup);
        table.say(ClientMessage::NewGame(setup));
        assert_eq!(table.error(), None);
        table
    }

    fn persons() -> Table {
        Table::with(|setup| setup.white = Player::Person)
    }

    fn say(&mut self, message: ClientMessage) {
        self.replies = self.session.handle(self.now, message);
    }

    /// Plays points one after another, each on the board as it is shown.
    fn play(&mut self, points: &[&str]) {
        for point in points {
            let (point, node) = ((*point).to_owned(), self.state().node);
            self.say(ClientMessage::Play { point, node });
            assert_eq!(self.error(), None);
        }
    }

    fn choose(&mut self, choice: Choice) {
        let node = self.state().node;
        self.say(ClientMessage::Choose { choice, node });
        assert_eq!(self.error(), None);
    }

    /// The engine answers the job.
    fn answer(&mut self, answer: Answer) {
        self.report(SearchReport {
            answer: Some(answer),
            ..SearchReport::default()
        });
    }

    /// There is no engine for the job, or it has failed.
    fn fail(&mut self) {
        let id = self.session.job().unwrap().id;
        self.replies = self.session.report(self.now, id, Report::Failed);
    }

    fn report(&mut self, report: SearchReport) {
        let id = self.session.job().unwrap().id;
        self.replies = self.session.report(self.now, id, Report::Search(report));
    }

    fn answer_move(&mut self, point: &str) {
        self.answer(best(point, None));
    }

    /// The engine moves if it is to move.
    fn answer_move_if_due(&mut self, point: &str) {
        if self.session.job().is_some() {
            self.answer_move(point);
        }
    }

    fn state(&self) -> State {
        self.session.state()
    }

    fn error(&self) -> Option<&'static str> {
        self.replies.iter().find_map(|reply| match reply {
            ServerMessage::Error { code, .. } => Some(*code),
            _ => None,
        })
    }

    fn refused(&mut self, message: ClientMessage, expected: &str) {
        let before = self.state();
        self.say(message);
        assert_eq!(self.error(), Some(expected));
        assert_eq!(self.state(), before, "nothing has changed");
    }

    /// Can't open this, and has not changed by it.
    fn refuses_file(&mut self, text: &str) {
        let before = self.state();
        let text = text.to_owned();
        self.say(ClientMessage::open(text));
        let code = self.error();
        assert!(
            code.is_some_and(|code| code.starts_with("file")),
            "{code:?}"
        );
        assert_eq!(self.state(), before, "nothing has changed");
    }

    fn stones(&self) -> String {
        let stones = self.state().stones;
        stones
            .iter()
            .map(|stone| stone.point.to_string())
            .collect::<Vec<_>>()
            .join(" ")
    }

    fn purpose(&self) -> Option<Purpose> {
        self.session.job().map(|job| job.purpose)
    }
}

/// The first message, with what was kept.
fn hello(save: Option<String>) -> ClientMessage {
    ClientMessage::Hello {
        version: VERSION,
        save,
        node: None,
        changes: false,
        left_ms: None,
    }
}

fn best(point: &str, info: Option<Line>) -> Answer {
    Answer::Move(BestMove {
        point: point.parse().unwrap(),
        info,
        from_book: false,
    })
}

fn info(point: &str, score: i32) -> Line {
    Line {
        rank: 0,
        lines: 1,
        depth: 8,
        seldepth: 12,
        score: Score::new(score),
        nodes: 1000,
        elapsed: Duration::from_millis(5),
        pv: vec![point.parse().unwrap()],
    }
}

fn stones(points: &[&str]) -> Answer {
    Answer::Stones(points.iter().map(|point| point.parse().unwrap()).collect())
}
