//! The execution of jobs on the calling thread, one after another: in a worker of a page, or in the
//! threads of the background.

use super::gravity_search;
use super::job::{Job, Report};
use quincunx_engine::engine::{Engine, MonotonicClock};
use quincunx_engine::eval::WeightSet;
use quincunx_gravity::Machine;
use std::sync::Arc;

/// The state that jobs have in common: engines with their tables, from the first job on that needs
/// one.
pub struct Worker {
    clock: MonotonicClock,
    weights: Arc<WeightSet>,
    engine: Option<Engine>,
    gravity: Option<Machine>,
}

impl Worker {
    /// A worker that evaluates positions with these weights.
    pub fn new(clock: MonotonicClock, weights: Arc<WeightSet>) -> Worker {
        Worker {
            clock,
            weights,
            engine: None,
            gravity: None,
        }
    }

    /// Does a job until it is done or `stop` returns true. `report` gets new results, and at the
    /// end a report that [is over](Report::is_over).
    pub fn work(
        &mut self,
        job: &Job,
        stop: impl Fn() -> bool + Clone + Send + Sync + 'static,
        report: &mut dyn FnMut(Report),
    ) {
        match job {
            Job::Search(job) => {
                let engine = self.engine.get_or_insert_with(|| {
                    Engine::with_weights(self.clock.clone(), Arc::clone(&self.weights))
                });
                engine.set_interrupt(stop.clone());
                let last = job.search(engine, &mut || stop(), &mut |found| {
                    report(Report::Search(found));
                });
                report(last.map_or_else(|_| Report::Failed, Report::Search));
            }
            Job::Review(job) => {
                let last = job.review(&self.weights, &stop, &mut |found| {
                    report(Report::Review(found));
                });
                report(last.map_or(Report::Failed, Report::Review));
            }
            Job::Gravity(job) => {
                let machine = self.gravity.get_or_insert_with(gravity_search::machine);
                gravity_search::run(machine, job, &self.clock, &stop, &mut |found| {
                    report(Report::Gravity(found));
                });
            }
        }
    }
}
