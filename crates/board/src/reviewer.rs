//! A thread that reviews games. It goes on beside whatever else is searched.

use super::job::JobId;
use super::review_job::{ReviewJob, ReviewReport};
use super::threads;
use quincunx_engine::eval::WeightSet;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Reviews games of one [`Session`](super::Session) in a thread of its own. Dropping it ends
/// the review.
pub struct Reviewer {
    weights: Arc<WeightSet>,
    news: Arc<News>,
    doing: Option<Doing>,
}

/// The job under way.
struct Doing {
    id: JobId,
    stop: Arc<AtomicBool>,
}

/// The news that were not read yet: at most every position and every move of a game.
struct News {
    latest: Mutex<Option<(JobId, ReviewReport)>>,
    wake: Box<dyn Fn() + Send + Sync>,
}

impl Reviewer {
    /// A reviewer that evaluates with these weights. It calls `wake` from its own thread when
    /// [`Reviewer::news`] has something.
    pub fn new(weights: Arc<WeightSet>, wake: impl Fn() + Send + Sync + 'static) -> Reviewer {
        Reviewer {
            weights,
            news: Arc::new(News {
                latest: Mutex::default(),
                wake: Box::new(wake),
            }),
            doing: None,
        }
    }

    /// Does this job, and ends the one under way if it is another.
    pub fn work_on(&mut self, job: Option<&ReviewJob>) {
        let id = job.map(|job| job.id);
        if id == self.doing.as_ref().map(|doing| doing.id) {
            return;
        }
        self.stop();
        let Some(job) = job else {
            return;
        };
        let stop: Arc<AtomicBool> = Arc::default();
        self.doing = Some(Doing {
            id: job.id,
            stop: Arc::clone(&stop),
        });
        let (news, weights) = (Arc::clone(&self.news), Arc::clone(&self.weights));
        let (failed, ended) = (Arc::clone(&self.news), Arc::clone(&stop));
        let (id, job) = (job.id, job.clone());
        let review = move || {
            let is_stopped = || stop.load(Ordering::Relaxed);
            job.work(&weights, &is_stopped, &mut |report| {
                news.tell(id, &stop, report);
            });
        };
        let fail = move || failed.tell(id, &ended, ReviewReport::failure());
        threads::spawn("review", review, fail);
    }

    /// What was found since the last call, if anything was.
    pub fn news(&self) -> Option<(JobId, ReviewReport)> {
        self.news.lock().take()
    }

    fn stop(&mut self) {
        let mut latest = self.news.lock();
        if let Some(doing) = self.doing.take() {
            doing.stop.store(true, Ordering::Relaxed);
        }
        *latest = None;
    }
}

impl Drop for Reviewer {
    fn drop(&mut self) {
        self.stop();
    }
}

impl News {
    fn lock(&self) -> MutexGuard<'_, Option<(JobId, ReviewReport)>> {
        self.latest.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds to the news of a job, unless it was stopped meanwhile.
    fn tell(&self, job: JobId, stop: &AtomicBool, new: ReviewReport) {
        let mut latest = self.lock();
        if stop.load(Ordering::Relaxed) {
            return;
        }
        let (_, report) = latest.get_or_insert_with(|| (job, ReviewReport::default()));
        report.add(new);
        drop(latest);
        (self.wake)();
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use quincunx_engine::position::Position;
    use quincunx_engine::rules::Rule;
    use quincunx_records::GameRecord;
    use std::sync::mpsc;
    use std::time::Duration;

    fn job(id: u64, moves: &str) -> ReviewJob {
        let position = Position::from_moves(Rule::Freestyle, "9".parse().unwrap(), moves).unwrap();
        let mut record = GameRecord::new(Some(Rule::Freestyle), position.size());
        record.moves = (position.moves())
            .map(|(color, point)| quincunx_records::RecordedMove::new(color, point))
            .collect();
        ReviewJob {
            id: JobId(id),
            nodes: (0..=record.moves.len() as u32).collect(),
            record,
        }
    }

    #[test]
    fn a_review_is_told_in_pieces_and_another_replaces_it() {
        let (wake, woken) = mpsc::channel();
        let mut reviewer = Reviewer::new(Arc::default(), move || wake.send(()).unwrap());
        // A long game is given up for a short one.
        reviewer.work_on(Some(&job(1, "e5d6f6d4f4d5d7e6c6f5g5")));
        let short = job(2, "e5e6");
        reviewer.work_on(Some(&short));
        let (mut positions, mut moves) = (Vec::new(), 0);
        let end = loop {
            woken.recv_timeout(Duration::from_secs(60)).unwrap();
            let Some((id, report)) = reviewer.news() else {
                continue;
            };
            assert_eq!((id, report.failed), (JobId(2), false));
            positions.extend(report.positions.iter().map(|(number, _)| *number));
            moves += report.moves.len();
            if let Some(end) = report.end {
                break end;
            }
        };
        assert_eq!((positions, moves), (vec![2, 1, 0], 2));
        assert!(end.accuracy.iter().all(Option::is_some));
        assert_eq!(reviewer.news(), None);
    }

    /// A review that panicked once had no end.
    #[test]
    fn a_review_that_panics_has_an_end() {
        let (wake, woken) = mpsc::channel();
        let is_first = AtomicBool::new(true);
        let mut reviewer = Reviewer::new(Arc::default(), move || {
            assert!(!is_first.swap(false, Ordering::Relaxed), "on purpose");
            wake.send(()).unwrap();
        });
        reviewer.work_on(Some(&job(1, "e5e6")));
        woken.recv_timeout(Duration::from_secs(60)).unwrap();
        let (id, report) = reviewer.news().unwrap();
        assert!(id == JobId(1) && report.failed);
    }
}
