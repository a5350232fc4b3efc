//! The board without a server: sessions for the page, and what does their jobs in a worker.

use crate::clock::clock;
use crate::stop;
use crate::weights::Weights;
use js_sys::{Function, Math};
use quincunx_board::gravity::{
    GravityJob, GravityMessage, GravityReply, GravityReport, GravitySession, GravityWorker,
};
use quincunx_board::training::{TrainingMessage, TrainingReply, TrainingSession};
use quincunx_board::{
    ClientMessage, Job, JobId, JobReport, Report, ReviewJob, ReviewReport, ServerMessage, Session,
    Worker,
};
use quincunx_engine::engine::Options;
use serde::Serialize;
use std::time::Duration;
use wasm_bindgen::prelude::{JsError, JsValue, wasm_bindgen};

/// The memory of the engine in bytes.
const MEMORY: u64 = 128 << 20;

/// The shortest time between the moves of two engines on the page.
const PACE: Duration = Duration::from_millis(500);

/// A session of Gomoku. Each call returns the replies as an array in JSON.
#[wasm_bindgen]
pub struct Board {
    session: Session,
}

#[wasm_bindgen]
impl Board {
    /// A session with a new game.
    #[wasm_bindgen(constructor)]
    #[allow(clippy::new_without_default)]
    pub fn new() -> Board {
        let mut session = Session::new(Options {
            max_memory: Some(MEMORY),
            ..Options::default()
        });
        session.set_pace(PACE);
        Board { session }
    }

    /// Follows a message that came at this time in milliseconds.
    pub fn hear(&mut self, now: f64, text: &str) -> Result<String, JsError> {
        let replies = match serde_json::from_str::<ClientMessage>(text) {
            Ok(message) => self.session.handle(time(now), message),
            Err(error) => vec![ServerMessage::Error {
                code: "message",
                place: None,
                text: error.to_string(),
            }],
        };
        json(&replies)
    }

    /// Hears a report on a job.
    pub fn report(&mut self, now: f64, text: &str) -> Result<String, JsError> {
        let (id, report): (JobId, Report) = serde_json::from_str(text)?;
        json(&self.session.report(time(now), id, report))
    }

    /// The search that is due.
    pub fn job(&self) -> Result<Option<String>, JsError> {
        self.session.job().map(json).transpose()
    }

    /// The review that is due beside it.
    #[wasm_bindgen(js_name = reviewJob)]
    pub fn review_job(&self) -> Result<Option<String>, JsError> {
        self.session.review_job().map(json).transpose()
    }

    /// Hears a report on a review.
    #[wasm_bindgen(js_name = hearReview)]
    pub fn hear_review(&mut self, now: f64, text: &str) -> Result<String, JsError> {
        let (id, report): (JobId, ReviewReport) = serde_json::from_str(text)?;
        json(&self.session.hear_review(time(now), id, &report))
    }

    /// The time at which `tick` is due, in milliseconds.
    pub fn deadline(&self) -> Option<f64> {
        let at = self.session.deadline()?;
        Some(at.as_secs_f64() * 1000.0)
    }

    /// The replies to the passing of time.
    pub fn tick(&mut self, now: f64) -> Result<String, JsError> {
        json(&self.session.tick(time(now)))
    }
}

/// A session of four in a row.
#[wasm_bindgen]
pub struct Gravity {
    session: GravitySession,
}

#[wasm_bindgen]
impl Gravity {
    /// A session with a new game.
    #[wasm_bindgen(constructor)]
    #[allow(clippy::new_without_default)]
    pub fn new() -> Gravity {
        let session = GravitySession::new();
        Gravity { session }
    }

    /// Follows a message.
    pub fn hear(&mut self, _now: f64, text: &str) -> Result<String, JsError> {
        let reply = match serde_json::from_str::<GravityMessage>(text) {
            Ok(message) => self.session.handle(message),
            Err(error) => GravityReply::Error {
                code: "message",
                text: error.to_string(),
            },
        };
        json(&[reply])
    }

    /// Hears a report on a job.
    pub fn report(&mut self, _now: f64, text: &str) -> Result<String, JsError> {
        let (id, report): (JobId, GravityReport) = serde_json::from_str(text)?;
        json(&self.session.report(id, &report))
    }

    /// The search that is due.
    pub fn job(&self) -> Result<Option<String>, JsError> {
        self.session.job().map(json).transpose()
    }

    /// Four in a row has no clocks.
    pub fn deadline(&self) -> Option<f64> {
        None
    }

    /// Four in a row has no clocks.
    pub fn tick(&mut self, _now: f64) -> String {
        "[]".to_owned()
    }
}

/// A session of training. It has no jobs: the solver answers at once.
#[wasm_bindgen]
pub struct Training {
    session: TrainingSession,
}

#[wasm_bindgen]
impl Training {
    /// A session without a puzzle.
    #[wasm_bindgen(constructor)]
    #[allow(clippy::new_without_default)]
    pub fn new() -> Training {
        let session = TrainingSession::new();
        Training { session }
    }

    /// Follows a message.
    pub fn hear(&mut self, _now: f64, text: &str) -> Result<String, JsError> {
        let reply = match serde_json::from_str::<TrainingMessage>(text) {
            Ok(message) => self.session.handle(message),
            Err(error) => TrainingReply::Error {
                code: "message",
                text: error.to_string(),
            },
        };
        json(&[reply])
    }

    /// There is never anything to search.
    pub fn job(&self) -> Option<String> {
        None
    }

    /// Training has no clocks.
    pub fn deadline(&self) -> Option<f64> {
        None
    }
}

/// The worker that does the jobs of both kinds of sessions.
#[wasm_bindgen]
pub struct BackgroundEngine {
    weights: Weights,
    worker: Worker,
    gravity: GravityWorker,
}

#[wasm_bindgen]
impl BackgroundEngine {
    /// A background engine that has searched nothing yet.
    #[wasm_bindgen(constructor)]
    #[allow(clippy::new_without_default)]
    pub fn new() -> BackgroundEngine {
        // What a weaker player's moves depend on.
        fastrand::seed((Math::random() * 2f64.powi(53)) as u64);
        let weights = Weights::default();
        BackgroundEngine {
            worker: Worker::new(weights.engine()),
            weights,
            gravity: GravityWorker::new(clock()),
        }
    }

    /// The rule whose weights a job of this kind needs, if it needs any.
    pub fn rule(&self, kind: &str, job: &str) -> Result<Option<String>, JsError> {
        let position = match kind {
            "board" => Some(serde_json::from_str::<Job>(job)?.position),
            "review" => serde_json::from_str::<ReviewJob>(job)?.position(),
            _ => None,
        };
        Ok(position.map(|position| position.rule().to_string()))
    }

    /// The name of the rule, if its weights are missing.
    pub fn missing(&self, rule: &str) -> Result<Option<String>, JsError> {
        self.weights.missing(rule)
    }

    /// Takes the weights of a rule from the bytes of their files.
    #[wasm_bindgen(js_name = addWeights)]
    pub fn add_weights(&mut self, rule: &str, tables: &[u8], line: &[u8]) -> Result<(), JsError> {
        self.weights.add(rule, tables, line)?;
        self.worker = Worker::new(self.weights.engine());
        Ok(())
    }

    /// Reports that a job of this kind could not be done.
    pub fn fail(&self, kind: &str, job: &str, tell: &Function) -> Result<(), JsError> {
        if kind == "review" {
            let job: ReviewJob = serde_json::from_str(job)?;
            say(tell, job.id, &ReviewReport::failure());
        } else {
            let job: Job = serde_json::from_str(job)?;
            say(tell, job.id, &Report::failure());
        }
        Ok(())
    }

    /// Does a job of Gomoku. `tell` hears the reports, and of each
    /// whether it is the last.
    pub fn board(&mut self, job: &str, tell: &Function) -> Result<(), JsError> {
        let job: Job = serde_json::from_str(job)?;
        self.worker.work(&job, &mut stop::is_due, &mut |report| {
            say(tell, job.id, &report);
        });
        Ok(())
    }

    /// Reviews a game. `tell` hears the reports, and of each
    /// whether it is the last.
    pub fn review(&mut self, job: &str, tell: &Function) -> Result<(), JsError> {
        let job: ReviewJob = serde_json::from_str(job)?;
        job.work(self.weights.set(), &stop::is_due, &mut |report| {
            say(tell, job.id, &report);
        });
        Ok(())
    }

    /// Does a job of four in a row. `tell` hears the reports, and of each
    /// whether it is the last.
    pub fn gravity(&mut self, job: &str, tell: &Function) -> Result<(), JsError> {
        let job: GravityJob = serde_json::from_str(job)?;
        self.gravity.work(&job, &stop::is_due, &mut |report| {
            say(tell, job.id, &report);
        });
        Ok(())
    }
}

/// Calls a listener with a report, and whether it is the last.
fn say(tell: &Function, job: JobId, report: &(impl JobReport + Serialize)) {
    if let Ok(text) = json(&(job, report)) {
        // A listener that throws misses a report.
        let _ = tell.call2(&JsValue::NULL, &text.into(), &report.is_over().into());
    }
}

fn time(milliseconds: f64) -> Duration {
    Duration::from_secs_f64(milliseconds.max(0.0) / 1000.0)
}

fn json<T: Serialize + ?Sized>(value: &T) -> Result<String, JsError> {
    Ok(serde_json::to_string(value)?)
}
