//! An engine that plays in the rooms of a server, with an account of its own: it waits in a room
//! for opponents, and plays in tournaments.
//!
//! - `connection`: JSON over a WebSocket.
//! - `engine`: the engine on a thread of its own.
//! - `state`: the state machine between the two.
//! - `time`: the time of the engine's next move.

mod connection;
mod engine;
mod state;
mod time;

pub use connection::page_url;

use anyhow::Result;
use connection::Connection;
use engine::BackgroundEngine;
use quincunx_arena::EngineConfig;
use quincunx_club::rooms::{ClubMessage, ClubRequest, RoomSetup, VERSION, VisitorMessage};
use quincunx_runs::StopSignal;
use state::GuestState;
use std::ops::RangeInclusive;
use std::time::Duration;

/// The pauses before a new connection, in seconds, after each failure in turn.
const RETRY_S: [u64; 4] = [1, 2, 5, 10];

/// An account, its engine, and the games that it plays.
pub struct Guest {
    /// The engine.
    pub engine: EngineConfig,
    /// The address of the page with the rooms.
    pub url: String,
    /// The token of the engine's account.
    pub token: String,
    /// The games that the engine offers.
    pub setup: RoomSetup,
    /// The ratings of opponents whose challenges are accepted.
    pub ratings: RangeInclusive<i64>,
    /// The tournament in which the engine takes part.
    pub tournament: Option<String>,
    /// The number of games after which the guest leaves.
    pub games: Option<u32>,
    /// The time of every move that is kept in reserve for the connection.
    pub reserve: Duration,
}

impl Guest {
    /// Plays until the signal is given, or until the number of games is reached. `report` gets
    /// messages for the user.
    ///
    /// # Errors
    /// Returns an error if the engine can't be started, the server does not admit the guest, or
    /// `report` fails. A connection that is lost is opened again.
    pub fn run(
        &self,
        stop: &StopSignal,
        report: &mut dyn FnMut(&str) -> std::io::Result<()>,
    ) -> Result<()> {
        let mut background = BackgroundEngine::start(self.engine.clone())?;
        let mut state = GuestState::new(self.setup, self.ratings.clone(), self.reserve);
        let mut failures = 0;
        while !stop.is_given() {
            let pause = match self.visit(&mut background, &mut state, stop, report) {
                Ok(DisconnectReason::Over) => return Ok(()),
                Ok(DisconnectReason::Refused(seconds)) => seconds,
                Ok(DisconnectReason::Lost) => {
                    failures = 0;
                    RETRY_S[0]
                }
                Err(error) if error.is::<state::Unwelcome>() => return Err(error),
                Err(error) => {
                    log::warn!("no connection: {error:#}");
                    failures += 1;
                    RETRY_S[failures.min(RETRY_S.len()) - 1]
                }
            };
            // It ends early by an error, that the signal is given.
            let _ = stop.receiver().recv_timeout(Duration::from_secs(pause));
        }
        Ok(())
    }

    /// Connects once, and plays until the connection ends.
    fn visit(
        &self,
        background: &mut BackgroundEngine,
        state: &mut GuestState,
        stop: &StopSignal,
        report: &mut dyn FnMut(&str) -> std::io::Result<()>,
    ) -> Result<DisconnectReason> {
        let mut connection = Connection::open(&self.url)?;
        connection.send(&VisitorMessage::Club(ClubRequest::Hello {
            version: VERSION,
            key: self.token.clone(),
            code: None,
        }))?;
        state.arrive(self.tournament.as_deref());
        while !stop.is_given() {
            let message = match connection.receive() {
                Ok(message) => message,
                Err(error) => {
                    log::warn!("the connection broke: {error:#}");
                    return Ok(DisconnectReason::Lost);
                }
            };
            match message {
                Some(ClubMessage::Refused { retry_s, .. }) => {
                    return Ok(DisconnectReason::Refused(retry_s));
                }
                Some(ClubMessage::Goodbye) => return Ok(DisconnectReason::Lost),
                Some(message) => state.receive(message)?,
                None => {}
            }
            if let Some(job) = state.job() {
                background.think(job);
            } else if !state.awaits_engine() {
                background.forget();
            }
            if let Some(answer) = background.answer() {
                state.receive_answer(answer);
            }
            for line in state.reports() {
                report(&line)?;
            }
            for message in state.outgoing() {
                if connection.send(&message).is_err() {
                    return Ok(DisconnectReason::Lost);
                }
            }
            if self.games.is_some_and(|games| state.games() >= games) {
                return Ok(DisconnectReason::Over);
            }
        }
        Ok(DisconnectReason::Over)
    }
}

/// The end of a connection.
enum DisconnectReason {
    /// The guest has finished.
    Over,
    /// The server has no place for this many seconds.
    Refused(u64),
    /// The connection was lost.
    Lost,
}
