//! Session hosts: a session and its searches behind a connection.

use super::connection_limit::ConnectionGuard;
use super::shared::Shared;
use quincunx_analysis::puzzle::SETS;
use quincunx_board::gravity::{
    GravityJob, GravityMessage, GravityReply, GravityReport, GravitySession, GravityWorker,
};
use quincunx_board::training::{TrainingMessage, TrainingReply, TrainingSession};
use quincunx_board::{
    Background, ClientMessage, Job, JobId, JobReport, Report, ReviewJob, ReviewReport,
    ServerMessage, Session, Worker,
};
use quincunx_club::rooms::RunningGames;
use quincunx_engine::engine::MonotonicClock;
use serde::Serialize;
use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::{Notify, OwnedSemaphorePermit};

/// The shortest time between the moves of two engines on the page.
const PACE: Duration = Duration::from_millis(500);

/// A session and its searches. Dropping it ends them.
pub(super) trait SessionHost: Send {
    /// A host for a page at this address. It notifies `wake` when a search has news.
    fn new(shared: Arc<Shared>, address: IpAddr, wake: Arc<Notify>) -> Self;

    /// Handles a message of the page, and returns the replies.
    fn receive(&mut self, text: &str) -> Vec<String>;

    /// The messages after a report of a search.
    fn updates(&mut self) -> Vec<String>;

    /// The time at which [`SessionHost::tick`] should be called, if nothing else happens before.
    fn deadline(&self) -> Option<Duration> {
        None
    }

    /// The messages as time passes.
    fn tick(&mut self) -> Vec<String> {
        Vec::new()
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

    /// Notes whether the engine has something to do.
    fn note(&mut self, is_busy: bool) {
        if is_busy || self.held.is_none() {
            self.ends_at = None;
        } else if self.ends_at.is_none() {
            let kept = self.shared.engine_kept;
            self.ends_at = kept.map(|kept| self.shared.now() + kept);
        }
    }

    /// Ends it if it is time. Says whether it did: the engine goes then.
    fn tick(&mut self) -> bool {
        let ends = self.ends_at.is_some_and(|at| self.shared.now() >= at);
        if ends {
            (self.held, self.ends_at) = (None, None);
        }
        ends
    }
}

/// The shortest interval between two checks of a job against other games.
const FAIR_PLAY: Duration = Duration::from_secs(1);

/// The last check whether what a board searches is played in a rated game. It takes milliseconds
/// with many games, and a board asks at every message and report.
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

/// Gomoku.
pub(super) struct BoardHost {
    shared: Arc<Shared>,
    session: Session,
    engine: Background<Job>,
    reviews: Background<ReviewJob>,
    permit: EnginePermit,
    /// The checks of searches, and of reviews.
    fair_play: [FairPlay; 2],
}

impl BoardHost {
    /// Starts and stops the searches that the session wants, and returns the replies.
    fn run_jobs(&mut self, mut replies: Vec<ServerMessage>) -> Vec<String> {
        let mut is_rated = false;
        while let Some(job) = self.session.job() {
            let (now, games) = (self.shared.now(), self.shared.running_games());
            if self.fair_play[0].forbids(now, games, job.id, |games| games.have(&job.position)) {
                is_rated = true;
                replies.push(rated_game());
            } else if self.permit.obtain() {
                break;
            }
            let (now, id) = (self.shared.now(), job.id);
            replies.extend(self.session.report(now, id, Report::failure()));
        }
        // What was played would help as much as an analysis.
        for reply in replies.iter_mut().filter(|_| is_rated) {
            if let ServerMessage::State(state) = reply {
                state.explored = None;
            }
        }
        if let Some(job) = self.session.review_job() {
            let (now, games) = (self.shared.now(), self.shared.running_games());
            let is_played = self.fair_play[1].forbids(now, games, job.id, |games| {
                job.position().is_some_and(|it| games.have(&it))
            });
            replies.extend(is_played.then(rated_game));
            if is_played || !self.permit.obtain() {
                let (now, id) = (self.shared.now(), job.id);
                replies.extend(self.session.hear_review(now, id, &ReviewReport::failure()));
            }
        }
        self.engine.work_on(self.session.job());
        self.reviews.work_on(self.session.review_job());
        let is_busy = self.session.job().is_some() || self.session.review_job().is_some();
        self.permit.note(is_busy);
        replies.iter().map(json).collect()
    }
}

impl SessionHost for BoardHost {
    fn new(shared: Arc<Shared>, address: IpAddr, wake: Arc<Notify>) -> BoardHost {
        let mut session = Session::new(shared.options);
        session.set_pace(PACE);
        session.set_bounds(shared.searches);
        session.set_may_stop(shared.may_be_stopped);
        session.set_explorer(shared.explorer.clone());
        let also = Arc::clone(&wake);
        let [weights, of_engine] = [(); 2].map(|()| Arc::clone(&shared.weights));
        let new_worker = move || Worker::with_weights(Arc::clone(&of_engine));
        BoardHost {
            session,
            engine: Background::new(new_worker, move || wake.notify_one()),
            reviews: Background::new(move || Arc::clone(&weights), move || also.notify_one()),
            permit: EnginePermit::new(Arc::clone(&shared), address),
            fair_play: Default::default(),
            shared,
        }
    }

    fn receive(&mut self, text: &str) -> Vec<String> {
        let replies = match serde_json::from_str(text) {
            Ok(ClientMessage::StopServer) if self.shared.may_be_stopped => {
                self.shared.stop();
                Vec::new()
            }
            Ok(message) => self.session.handle(self.shared.now(), message),
            Err(error) => vec![ServerMessage::Error {
                code: "message",
                place: None,
                text: error.to_string(),
            }],
        };
        self.run_jobs(replies)
    }

    fn updates(&mut self) -> Vec<String> {
        let now = self.shared.now();
        let mut replies = match self.engine.take_report() {
            Some((job, report)) => self.session.report(now, job, report),
            None => Vec::new(),
        };
        if let Some((job, report)) = self.reviews.take_report() {
            replies.extend(self.session.hear_review(now, job, &report));
        }
        self.run_jobs(replies)
    }

    fn deadline(&self) -> Option<Duration> {
        (self.session.deadline().into_iter())
            .chain(self.permit.ends_at)
            .min()
    }

    fn tick(&mut self) -> Vec<String> {
        if self.permit.tick() {
            self.engine.rest();
        }
        let replies = self.session.tick(self.shared.now());
        self.run_jobs(replies)
    }
}

/// Four in a row with gravity.
pub(super) struct GravityHost {
    shared: Arc<Shared>,
    session: GravitySession,
    engine: Background<GravityJob>,
    permit: EnginePermit,
}

impl GravityHost {
    /// Lets the engine do what the session wants, and returns all that the page is told.
    fn run_jobs(&mut self, mut replies: Vec<GravityReply>) -> Vec<String> {
        let job = self.session.job().map(|job| job.id);
        if let Some(job) = job.filter(|_| !self.permit.obtain()) {
            replies.extend(self.session.report(job, &GravityReport::failure()));
        }
        self.engine.work_on(self.session.job());
        self.permit.note(self.session.job().is_some());
        replies.iter().map(json).collect()
    }
}

impl SessionHost for GravityHost {
    fn new(shared: Arc<Shared>, address: IpAddr, wake: Arc<Notify>) -> GravityHost {
        let new_worker = || GravityWorker::new(MonotonicClock::system());
        GravityHost {
            session: GravitySession::new(),
            engine: Background::new(new_worker, move || wake.notify_one()),
            permit: EnginePermit::new(Arc::clone(&shared), address),
            shared,
        }
    }

    fn receive(&mut self, text: &str) -> Vec<String> {
        let reply = match serde_json::from_str(text) {
            Ok(GravityMessage::StopServer) if self.shared.may_be_stopped => {
                self.shared.stop();
                return Vec::new();
            }
            Ok(message) => self.session.handle(message),
            Err(error) => GravityReply::Error {
                code: "message",
                text: error.to_string(),
            },
        };
        self.run_jobs(vec![reply])
    }

    fn updates(&mut self) -> Vec<String> {
        let replies = match self.engine.take_report() {
            Some((job, report)) => self.session.report(job, &report),
            None => Vec::new(),
        };
        self.run_jobs(replies)
    }

    fn deadline(&self) -> Option<Duration> {
        self.permit.ends_at
    }

    fn tick(&mut self) -> Vec<String> {
        if self.permit.tick() {
            self.engine.rest();
        }
        Vec::new()
    }
}

/// Puzzles to train on. A server has its own alone: a solver that takes any position would
/// help in games that are being played.
#[derive(Default)]
pub(super) struct TrainingHost {
    session: TrainingSession,
}

impl SessionHost for TrainingHost {
    fn new(_: Arc<Shared>, _: IpAddr, _: Arc<Notify>) -> TrainingHost {
        TrainingHost::default()
    }

    fn receive(&mut self, text: &str) -> Vec<String> {
        let reply = match serde_json::from_str(text) {
            Ok(TrainingMessage::Begin { puzzle, .. }) if !is_shipped(&puzzle) => {
                TrainingReply::Error {
                    code: "puzzle",
                    text: "this server has no such puzzle".to_owned(),
                }
            }
            Ok(message) => self.session.handle(message),
            Err(error) => TrainingReply::Error {
                code: "message",
                text: error.to_string(),
            },
        };
        vec![json(&reply)]
    }

    fn updates(&mut self) -> Vec<String> {
        Vec::new()
    }
}

/// Returns true if a line is one of the puzzles that come with the program.
fn is_shipped(puzzle: &str) -> bool {
    let mut lines = SETS.into_iter().flat_map(|(_, text)| text.lines());
    !puzzle.starts_with('#') && lines.any(|line| line == puzzle)
}

/// Why nothing is searched in a position of a rated game.
fn rated_game() -> ServerMessage {
    ServerMessage::Error {
        code: "rated_game",
        place: None,
        text: "this position is being played in a rated game on this server: \
               it can be analysed when the game is over"
            .to_owned(),
    }
}

/// A message as JSON.
fn json(message: &impl Serialize) -> String {
    // Messages have no maps with other keys than text: nothing can fail.
    serde_json::to_string(message).unwrap_or_default()
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::board_settings::BoardSettings;
    use quincunx_board::SearchBounds;
    use quincunx_engine::engine::Options;
    use serde_json::{Value, json};

    /// Eight tabs that had once searched for something kept all engines until they were closed,
    /// and one address could have all of them.
    #[test]
    fn engines_are_shared_and_come_back() {
        let options = Options::default();
        let settings = BoardSettings {
            options,
            searches: SearchBounds::of(&options),
            engines: 4,
            weights: Arc::default(),
            explorer: None,
        };
        let shared = Arc::new(Shared::new(&settings, 8, true, false));
        let host = |last: u8| {
            let address = IpAddr::from([192, 0, 2, last]);
            let mut host = BoardHost::new(Arc::clone(&shared), address, Arc::default());
            host.receive(r#"{ "type": "hello", "version": 1 }"#);
            host
        };
        let analyse = |host: &mut BoardHost| {
            let told = host
                .receive(r#"{ "type": "analyse", "lines": 1 }"#)
                .concat();
            !told.contains(r#""code":"engine""#)
        };
        let mut hosts = [1, 1, 1, 1, 2, 3].map(host);
        let have_engines = hosts.each_mut().map(analyse);
        assert_eq!(have_engines, [true, true, true, false, true, false]);
        let [first, .., last] = &mut hosts;
        assert_eq!(first.deadline(), None, "it searches");
        first.receive(r#"{ "type": "stop_analysis" }"#);
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
        let options = Options::default();
        let settings = BoardSettings {
            options,
            searches: SearchBounds::of(&options),
            engines: 1,
            weights: Arc::default(),
            explorer: None,
        };
        let shared = Shared::new(&settings, 8, true, false);
        let before = shared.running_games();
        shared.set_running_games(RunningGames::default());
        assert!(Arc::ptr_eq(&before, &shared.running_games()));
    }

    fn begin(host: &mut TrainingHost, puzzle: &str) -> Value {
        let new = json!({"rating": 1500, "deviation": 350, "volatility": 0.06});
        let message = json!({"type": "begin", "puzzle": puzzle, "person": new, "strength": new});
        let replies = host.receive(&message.to_string());
        assert_eq!(replies.len(), 1);
        serde_json::from_str(&replies[0]).unwrap()
    }

    #[test]
    fn a_server_has_its_own_puzzles_alone() {
        let mut host = TrainingHost::default();
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
        assert!(
            host.receive(&play)[0].contains("stale"),
            "the last one is kept"
        );
    }
}
