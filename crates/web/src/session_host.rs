//! Session hosts: a session and its jobs behind a connection.

use super::connection::{Conversation, Outgoing, converse, pong, until};
use super::connection_limit::ConnectionGuard;
use super::processor::measured;
use super::rate_limit::SharedLimit;
use super::shared::Shared;
use axum::extract::ws::{Utf8Bytes, WebSocket};
use quincunx_analysis::puzzle::SETS;
use quincunx_board::gravity::{GravityMessage, GravitySession};
use quincunx_board::training::{TrainingMessage, TrainingSession};
use quincunx_board::{
    Background, ClientMessage, HostedSession, Job, JobId, Report, ServerMessage, Session, Worker,
};
use quincunx_club::rooms::RunningGames;
use quincunx_engine::engine::MonotonicClock;
use serde::Serialize;
use std::collections::HashMap;
use std::mem::{Discriminant, discriminant};
use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::{Notify, OwnedSemaphorePermit};
use tokio::time::Instant;

/// The shortest interval between reports of jobs; the first after a message is handled at once.
const UPDATES_EVERY: Duration = Duration::from_millis(40);

/// The shortest time between the moves of two engines on the page.
const PACE: Duration = Duration::from_millis(500);

/// A kind of session that the server has.
pub(super) trait ServedSession: HostedSession + Send + 'static {
    /// A session with the settings of the server.
    fn begin(shared: &Shared) -> Self;

    /// Returns true if a message ends the server, where a page may do that.
    fn stops_server(_message: &Self::Message) -> bool {
        false
    }

    /// The server's refusal of a message that the session would accept.
    fn refusal(_message: &Self::Message) -> Option<Self::Reply> {
        None
    }

    /// Removes from a reply the findings that would help in a rated game.
    fn conceal(_reply: &mut Self::Reply) {}
}

/// Gomoku.
impl ServedSession for Session {
    fn begin(shared: &Shared) -> Session {
        let mut session = Session::new(shared.options);
        session.set_pace(PACE);
        session.set_bounds(shared.searches);
        session.set_may_stop(shared.may_be_stopped);
        session.set_explorer(shared.explorer.clone());
        session
    }

    fn stops_server(message: &ClientMessage) -> bool {
        *message == ClientMessage::StopServer
    }

    fn conceal(reply: &mut ServerMessage) {
        if let ServerMessage::State(state) = reply {
            state.explored = None;
        }
    }
}

/// Four in a row with gravity.
impl ServedSession for GravitySession {
    fn begin(_shared: &Shared) -> GravitySession {
        GravitySession::new()
    }

    fn stops_server(message: &GravityMessage) -> bool {
        *message == GravityMessage::StopServer
    }
}

/// Puzzles. A server offers only its own: a solver for any position would help players of games in
/// progress.
impl ServedSession for TrainingSession {
    fn begin(_shared: &Shared) -> TrainingSession {
        TrainingSession::new()
    }

    fn refusal(message: &TrainingMessage) -> Option<Self::Reply> {
        let text = || "this server has no such puzzle".to_owned();
        match message {
            TrainingMessage::Begin { puzzle, .. } if !is_shipped(puzzle) => {
                Some(TrainingSession::error("puzzle", text()))
            }
            _ => None,
        }
    }
}

/// The right to have an engine: from when it is needed until it has had nothing to do for a
/// while.
struct EnginePermit {
    shared: Arc<Shared>,
    address: IpAddr,
    held: Option<(OwnedSemaphorePermit, ConnectionGuard)>,
    /// The time at which it ends while the engine is idle.
    ends_at: Option<Duration>,
}

impl EnginePermit {
    fn new(shared: Arc<Shared>, address: IpAddr) -> EnginePermit {
        EnginePermit {
            shared,
            address,
            held: None,
            ends_at: None,
        }
    }

    /// Returns true if there is an engine to search with.
    fn obtain(&mut self) -> bool {
        if self.held.is_none() {
            let engines = Arc::clone(&self.shared.engines);
            let one = engines.try_acquire_owned().ok();
            self.held = one.zip(self.shared.engines_of_one.admit(self.address));
        }
        self.held.is_some()
    }

    /// Notes whether the engine is busy.
    fn note(&mut self, is_busy: bool) {
        if is_busy || self.held.is_none() {
            self.ends_at = None;
        } else if self.ends_at.is_none() {
            let linger = self.shared.engine_linger;
            self.ends_at = linger.map(|linger| self.shared.now() + linger);
        }
    }

    /// Ends an idle engine if it is time. Returns true if it did.
    fn tick(&mut self) -> bool {
        let ends = self.ends_at.is_some_and(|at| self.shared.now() >= at);
        if ends {
            (self.held, self.ends_at) = (None, None);
        }
        ends
    }
}

/// Why nothing is searched in a position of a rated game.
const RATED_GAME: &str = "this position is being played in a rated game on this server: \
    it can be analysed when the game is over";

/// The shortest interval between two checks of a job against other games.
const FAIR_PLAY: Duration = Duration::from_secs(1);

/// The last result of checking that a board's position is not from a rated game in progress. The
/// check takes milliseconds with many games, and a board needs it at every message and report.
#[derive(Default)]
struct FairPlay {
    checked: Option<(JobId, Arc<RunningGames>, bool)>,
    at: Duration,
}

impl FairPlay {
    /// Returns true if a job is about a position of these games. A new job is checked at once, and
    /// again after a while if the games have changed.
    fn forbids(
        &mut self,
        now: Duration,
        games: Arc<RunningGames>,
        job: JobId,
        check: impl FnOnce(&RunningGames) -> bool,
    ) -> bool {
        if let Some((checked, of, forbids)) = &self.checked
            && *checked == job
            && (now < self.at + FAIR_PLAY || Arc::ptr_eq(of, &games))
        {
            return *forbids;
        }
        let forbids = check(&games);
        (self.checked, self.at) = (Some((job, games, forbids)), now);
        forbids
    }
}

/// A session and its jobs, for a page. Dropping it ends them.
pub(super) struct SessionHost<S> {
    shared: Arc<Shared>,
    session: S,
    background: Background,
    permit: EnginePermit,
    fair_play: HashMap<Discriminant<Job>, FairPlay>,
    /// The notification of new results.
    wake: Arc<Notify>,
    /// The time at which the pending reports are handled.
    updates_at: Option<Instant>,
    /// No report is handled before.
    quiet_until: Instant,
    /// The processor time of this connection, and of all from its address.
    limits: [SharedLimit; 2],
}

impl<S: ServedSession> SessionHost<S> {
    /// A host for a page at this address.
    pub(super) fn new(shared: Arc<Shared>, address: IpAddr) -> SessionHost<S> {
        let weights = Arc::clone(&shared.weights);
        let new_worker = move || Worker::new(MonotonicClock::system(), Arc::clone(&weights));
        let wake = Arc::<Notify>::default();
        let notified = Arc::clone(&wake);
        let now = Instant::now();
        SessionHost {
            session: S::begin(&shared),
            background: Background::new(new_worker, move || notified.notify_one()),
            permit: EnginePermit::new(Arc::clone(&shared), address),
            fair_play: HashMap::new(),
            wake,
            updates_at: None,
            quiet_until: now,
            limits: [
                SharedLimit::new(now, shared.rate_of_board),
                shared.rates.of(now, address),
            ],
            shared,
        }
    }

    /// Serves the page until it disconnects.
    pub(super) async fn converse(self, socket: WebSocket) {
        let (shared, limits) = (Arc::clone(&self.shared), self.limits.to_vec());
        converse(socket, self, limits, &shared).await;
    }

    /// Handles a message of the page, and returns the replies.
    fn handle(&mut self, text: &str) -> Vec<S::Reply> {
        let replies = match S::read(text) {
            Ok(message) if S::stops_server(&message) && self.shared.may_be_stopped => {
                self.shared.stop();
                Vec::new()
            }
            Ok(message) => match S::refusal(&message) {
                Some(refusal) => vec![refusal],
                None => self.session.handle(self.shared.now(), message),
            },
            Err(error) => vec![error],
        };
        self.run_jobs(replies)
    }

    /// Handles the reports of jobs.
    fn update(&mut self) -> Vec<S::Reply> {
        let mut replies = Vec::new();
        for (job, report) in self.background.take_reports() {
            replies.extend(self.session.report(self.shared.now(), job, report));
        }
        self.run_jobs(replies)
    }

    /// The time at which [`SessionHost::tick`] should be called, if nothing else happens before.
    fn deadline(&self) -> Option<Duration> {
        let deadline = self.session.deadline().into_iter();
        deadline.chain(self.permit.ends_at).min()
    }

    /// Handles the passing of time. Returns the replies.
    fn tick(&mut self) -> Vec<S::Reply> {
        if self.permit.tick() {
            self.background.rest();
        }
        let replies = self.session.tick(self.shared.now());
        self.run_jobs(replies)
    }

    /// Starts and stops the jobs that the session wants, and returns the replies.
    fn run_jobs(&mut self, mut replies: Vec<S::Reply>) -> Vec<S::Reply> {
        let mut jobs = self.session.jobs();
        // After the failure of a job the session may want another one.
        while let Some(at) = jobs.iter().position(|job| !self.may_run(job)) {
            let job = &jobs[at];
            if self.is_rated(job) {
                if let Job::Search(_) = job {
                    replies.iter_mut().for_each(S::conceal);
                }
                replies.push(S::error("rated_game", RATED_GAME.to_owned()));
            }
            let (now, id) = (self.shared.now(), job.id());
            replies.extend(self.session.report(now, id, Report::Failed));
            jobs = self.session.jobs();
        }
        self.permit.note(!jobs.is_empty());
        self.background.work_on(jobs);
        replies
    }

    /// Returns true if a job is about no rated game, and there is an engine for it.
    fn may_run(&mut self, job: &Job) -> bool {
        !self.is_rated(job) && self.permit.obtain()
    }

    /// Returns true if a job is about a position that is being played in a rated game.
    fn is_rated(&mut self, job: &Job) -> bool {
        let (now, games) = (self.shared.now(), self.shared.running_games());
        let fair_play = self.fair_play.entry(discriminant(job)).or_default();
        fair_play.forbids(now, games, job.id(), |games| {
            job.position().is_some_and(|position| games.have(&position))
        })
    }
}

impl<S: ServedSession> Conversation for SessionHost<S> {
    type Receipt = ();
    const PING_EVERY: Duration = Duration::from_secs(20);
    const SILENCE: Duration = Duration::from_secs(20);

    fn receive(&mut self, text: Utf8Bytes) -> Outgoing<()> {
        if let Some(pong) = pong(&text) {
            return vec![(pong, ())];
        }
        let (replies, cost) = measured(|| outgoing(&self.handle(&text)));
        let now = Instant::now();
        self.limits.iter().for_each(|limit| limit.spend(now, cost));
        self.quiet_until = now;
        self.updates_at = self.updates_at.map(|_| now);
        replies
    }

    async fn next(&mut self) -> Option<Outgoing<()>> {
        let replies = loop {
            let tick_at = self.deadline().map(|at| self.shared.instant(at));
            tokio::select! {
                () = self.wake.notified(), if self.updates_at.is_none() => {
                    self.updates_at = Some(self.quiet_until);
                }
                () = until(self.updates_at) => {
                    self.updates_at = None;
                    self.quiet_until = Instant::now() + UPDATES_EVERY;
                    break self.update();
                }
                () = until(tick_at) => break self.tick(),
            }
        };
        Some(outgoing(&replies))
    }
}

/// The replies as JSON.
fn outgoing(replies: &[impl Serialize]) -> Outgoing<()> {
    // Messages have no maps with other keys than text: nothing can fail.
    let json = |reply| serde_json::to_string(reply).unwrap_or_default();
    let messages = replies.iter().map(json);
    messages.map(|text| (text.into(), ())).collect()
}

/// Returns true if a line is one of the puzzles that come with the program.
fn is_shipped(puzzle: &str) -> bool {
    let mut lines = SETS.into_iter().flat_map(|(_, text)| text.lines());
    !puzzle.starts_with('#') && lines.any(|line| line == puzzle)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::board_settings::BoardSettings;
    use quincunx_board::SearchBounds;
    use quincunx_engine::engine::Options;
    use serde_json::{Value, json};

    /// The state of a public server with so many engines.
    fn shared(engines: usize) -> Arc<Shared> {
        let options = Options::default();
        let settings = BoardSettings {
            options,
            searches: SearchBounds::of(&options),
            engines,
            weights: Arc::default(),
            explorer: None,
        };
        Arc::new(Shared::new(&settings, 8, true, false))
    }

    /// Eight tabs that had once searched for something kept all engines until they were closed,
    /// and one address could have all of them.
    #[test]
    fn engines_are_shared_and_come_back() {
        let shared = shared(4);
        let host = |last: u8| {
            let address = IpAddr::from([192, 0, 2, last]);
            let mut host = SessionHost::<Session>::new(Arc::clone(&shared), address);
            host.handle(r#"{ "type": "hello", "version": 1 }"#);
            host
        };
        let analyse = |host: &mut SessionHost<Session>| {
            let replies = host.handle(r#"{ "type": "analyse", "lines": 1 }"#);
            let fails = |reply: &ServerMessage| {
                matches!(reply, ServerMessage::Error { code: "engine", .. })
            };
            !replies.iter().any(fails)
        };
        let mut hosts = [1, 1, 1, 1, 2, 3].map(host);
        let have_engines = hosts.each_mut().map(analyse);
        assert_eq!(have_engines, [true, true, true, false, true, false]);
        let [first, .., last] = &mut hosts;
        assert_eq!(first.deadline(), None, "it searches");
        first.handle(r#"{ "type": "stop_analysis" }"#);
        first.tick();
        assert!(!analyse(last), "it may go on");
        let ends_at = first.deadline().unwrap();
        assert!(ends_at > shared.now());
        first.permit.ends_at = Some(shared.now());
        first.tick();
        assert_eq!(first.deadline(), None);
        assert!(analyse(last));
    }

    /// The check once took 3.6 ms for each game in progress at every message of a board that
    /// searched.
    #[test]
    fn a_position_is_checked_again_when_it_or_the_games_change() {
        let jobs = ["1", "2"].map(|id| serde_json::from_str::<JobId>(id).unwrap());
        let games = [(); 2].map(|()| Arc::<RunningGames>::default());
        let (mut fair_play, mut checks) = (FairPlay::default(), 0);
        for (seconds, job, of, after) in [
            (0, 0, 0, 1),
            (9, 0, 0, 1),
            (9, 1, 0, 2),
            (9, 1, 1, 2),
            (10, 1, 1, 3),
            (20, 1, 1, 3),
        ] {
            let now = Duration::from_secs(seconds);
            let forbids = fair_play.forbids(now, Arc::clone(&games[of]), jobs[job], |_| {
                checks += 1;
                checks == 2
            });
            assert_eq!((forbids, checks), (after == 2, after));
        }
        // Games that are the same are not replaced.
        let shared = shared(1);
        let before = shared.running_games();
        shared.set_running_games(RunningGames::default());
        assert!(Arc::ptr_eq(&before, &shared.running_games()));
    }

    fn begin(host: &mut SessionHost<TrainingSession>, puzzle: &str) -> Value {
        let new = json!({"rating": 1500, "deviation": 350, "volatility": 0.06});
        let message = json!({"type": "begin", "puzzle": puzzle, "person": new, "strength": new});
        let replies = host.handle(&message.to_string());
        assert_eq!(replies.len(), 1);
        serde_json::to_value(&replies[0]).unwrap()
    }

    #[test]
    fn a_server_has_its_own_puzzles_alone() {
        let mut host = SessionHost::new(shared(1), [192, 0, 2, 1].into());
        let mut first = None;
        for (_, text) in SETS {
            let line = text.lines().find(|line| !line.starts_with('#')).unwrap();
            assert_eq!(begin(&mut host, line)["type"], "state", "{line}");
            first.get_or_insert(line);
        }
        let line = first.unwrap();
        // The same puzzle written otherwise, remarks and nothing are none.
        for other in [
            &format!("{line} "),
            &line.replacen("15 ", "16 ", 1),
            "# a",
            "",
        ] {
            assert_eq!(begin(&mut host, other)["code"], "puzzle", "{other}");
        }
        let play = json!({"type": "play", "point": "a1", "stones": 0}).to_string();
        let stale = serde_json::to_value(&host.handle(&play)[0]).unwrap();
        assert_eq!(stale["code"], "stale", "the last one is kept");
    }
}
