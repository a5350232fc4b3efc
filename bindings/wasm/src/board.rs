//! The board without a server: sessions for the page, and what does their jobs in a worker.

use crate::clock::clock;
use crate::stop;
use crate::weights::Weights;
use js_sys::{Function, Math};
use quincunx_board::gravity::GravitySession;
use quincunx_board::training::TrainingSession;
use quincunx_board::{self as board, HostedSession, Job, JobId, Report, Worker};
use quincunx_engine::engine::Options;
use serde::Serialize;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;
use wasm_bindgen::prelude::{JsError, JsValue, wasm_bindgen};

/// The memory of the engine in bytes.
const MEMORY: u64 = 128 << 20;

/// The shortest time between the moves of two engines on the page.
const PACE: Duration = Duration::from_millis(500);

/// A session of any kind, in JSON.
trait AnySession {
    fn receive(&mut self, now: Duration, text: &str) -> serde_json::Result<String>;
    fn report(&mut self, now: Duration, id: JobId, report: Report) -> serde_json::Result<String>;
    fn jobs(&self) -> Vec<Job>;
    fn deadline(&self) -> Option<Duration>;
    fn tick(&mut self, now: Duration) -> serde_json::Result<String>;
}

impl<S: HostedSession> AnySession for S {
    fn receive(&mut self, now: Duration, text: &str) -> serde_json::Result<String> {
        serde_json::to_string(&match S::read(text) {
            Ok(message) => self.handle(now, message),
            Err(error) => vec![error],
        })
    }

    fn report(&mut self, now: Duration, id: JobId, report: Report) -> serde_json::Result<String> {
        serde_json::to_string(&HostedSession::report(self, now, id, report))
    }

    fn jobs(&self) -> Vec<Job> {
        HostedSession::jobs(self)
    }

    fn deadline(&self) -> Option<Duration> {
        HostedSession::deadline(self)
    }

    fn tick(&mut self, now: Duration) -> serde_json::Result<String> {
        serde_json::to_string(&HostedSession::tick(self, now))
    }
}

/// A session. Each call that may have replies returns them as an array in JSON. Times are in
/// milliseconds.
#[wasm_bindgen]
pub struct Session(Box<dyn AnySession>);

#[wasm_bindgen]
impl Session {
    /// A session of this kind, `board`, `gravity` or `training`, with a new game.
    #[wasm_bindgen(constructor)]
    pub fn new(kind: &str) -> Result<Session, JsError> {
        Ok(Session(match kind {
            "board" => {
                let mut session = board::Session::new(Options {
                    max_memory: Some(MEMORY),
                    ..Options::default()
                });
                session.set_pace(PACE);
                Box::new(session)
            }
            "gravity" => Box::new(GravitySession::new()),
            "training" => Box::new(TrainingSession::new()),
            _ => return Err(JsError::new(&format!("there is no session '{kind}'"))),
        }))
    }

    /// Handles a message.
    pub fn receive(&mut self, now: f64, text: &str) -> Result<String, JsError> {
        Ok(self.0.receive(time(now), text)?)
    }

    /// Handles a report of a job.
    pub fn report(&mut self, now: f64, text: &str) -> Result<String, JsError> {
        let (id, report): (JobId, Report) = serde_json::from_str(text)?;
        Ok(self.0.report(time(now), id, report)?)
    }

    /// The jobs that should be running, at most one of each kind: an object with each as text, by
    /// its kind.
    pub fn jobs(&self) -> Result<String, JsError> {
        let kind = |job: &Job| match job {
            Job::Search(_) => "search",
            Job::Review(_) => "review",
            Job::Gravity(_) => "gravity",
        };
        let jobs = self.0.jobs();
        let jobs: serde_json::Result<BTreeMap<&str, String>> = (jobs.iter())
            .map(|job| Ok((kind(job), serde_json::to_string(job)?)))
            .collect();
        json(&jobs?)
    }

    /// The time at which `tick` is due.
    pub fn deadline(&self) -> Option<f64> {
        let at = self.0.deadline()?;
        Some(at.as_secs_f64() * 1000.0)
    }

    /// The replies to the passing of time.
    pub fn tick(&mut self, now: f64) -> Result<String, JsError> {
        Ok(self.0.tick(time(now))?)
    }
}

/// The worker that does the jobs of sessions of all kinds.
#[wasm_bindgen]
pub struct BackgroundEngine {
    weights: Weights,
    worker: Worker,
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
            worker: Worker::new(clock(), Arc::clone(weights.set())),
            weights,
        }
    }

    /// The rule whose weights a job needs, if it needs any.
    pub fn rule(&self, job: &str) -> Result<Option<String>, JsError> {
        let position = serde_json::from_str::<Job>(job)?.position();
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
        self.worker = Worker::new(clock(), Arc::clone(self.weights.set()));
        Ok(())
    }

    /// Reports that a job could not be done.
    pub fn fail(&self, job: &str, listener: &Function) -> Result<(), JsError> {
        let job: Job = serde_json::from_str(job)?;
        send(listener, job.id(), &Report::Failed);
        Ok(())
    }

    /// Does a job. `listener` is called with each report, and whether it is the last.
    pub fn work(&mut self, job: &str, listener: &Function) -> Result<(), JsError> {
        let job: Job = serde_json::from_str(job)?;
        self.worker.work(&job, stop::is_due, &mut |report| {
            send(listener, job.id(), &report);
        });
        Ok(())
    }
}

/// Calls a listener with a report, and whether it is the last.
fn send(listener: &Function, job: JobId, report: &Report) {
    if let Ok(text) = json(&(job, report)) {
        // A listener that throws misses a report.
        let _ = listener.call2(&JsValue::NULL, &text.into(), &report.is_over().into());
    }
}

fn time(milliseconds: f64) -> Duration {
    Duration::from_secs_f64(milliseconds.max(0.0) / 1000.0)
}

fn json<T: Serialize + ?Sized>(value: &T) -> Result<String, JsError> {
    Ok(serde_json::to_string(value)?)
}
