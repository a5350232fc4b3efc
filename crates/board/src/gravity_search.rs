//! The searches of four in a row, on the calling thread.

use super::gravity_job::{GravityJob, GravityReport, GravityResult};
use quincunx_engine::engine::MonotonicClock;
use quincunx_gravity::{Level, Limits, Machine, Position, Progress};
use std::ops::ControlFlow;
use std::time::Duration;

/// The memory of the search in bytes.
const TABLE_BYTES: usize = 64 << 20;

/// The longest time for a move.
const LONGEST: Duration = Duration::from_secs(3);

/// The time of the search for the chances of the columns, before the exact values.
const CHANCES: Duration = Duration::from_millis(1_000);

/// The time between two reports of progress.
const PROGRESS_EVERY: Duration = Duration::from_millis(250);

/// A machine to search with.
pub(super) fn machine() -> Machine {
    Machine::new(Level::PERFECT, TABLE_BYTES, fastrand::u64(..))
}

/// Does a job until it is done or `stopped` returns true. `report` is called with every result, and
/// at the end of the job.
pub(super) fn run(
    machine: &mut Machine,
    job: &GravityJob,
    clock: &MonotonicClock,
    stopped: &dyn Fn() -> bool,
    report: &mut dyn FnMut(GravityReport),
) {
    match job.level {
        Some(level) => choose(machine, level, job, clock, stopped, report),
        None => values(machine, job, clock, stopped, report),
    }
}

/// Chooses the engine's move within [`LONGEST`].
fn choose(
    machine: &mut Machine,
    level: Level,
    job: &GravityJob,
    clock: &MonotonicClock,
    stopped: &dyn Fn() -> bool,
    report: &mut dyn FnMut(GravityReport),
) {
    let until = clock.now() + LONGEST;
    machine.level = level;
    let watch = &mut |_: Progress| go_on(!stopped() && clock.now() < until);
    let outcome = machine.choose(&job.position, &Limits::default(), watch);
    report(GravityReport::end(
        outcome.column.map(GravityResult::Column),
    ));
}

/// Finds the values of all columns: chances by a short search of each, then the exact
/// values, one after another.
fn values(
    machine: &mut Machine,
    job: &GravityJob,
    clock: &MonotonicClock,
    stopped: &dyn Fn() -> bool,
    report: &mut dyn FnMut(GravityReport),
) {
    let after = |column| {
        let mut position = job.position.clone();
        position.play(column).ok().map(|_| (column, position))
    };
    let mut search = ColumnSearch {
        last_column: is_symmetric(&job.position).then(|| job.position.size().columns() - 1),
        stopped,
        report: &mut *report,
        clock,
        began: clock.now(),
        nodes: 0,
        reported: Duration::ZERO,
    };
    let columns = job.position.playable_columns().filter_map(after);
    let columns =
        columns.filter(|(column, _)| search.mirror(*column).is_none_or(|it| *column <= it));
    let columns: Vec<_> = columns.collect();
    let unknown = search.chances(machine, columns);
    for (column, position) in unknown {
        let watch = &mut |progress| search.goes_on(progress, Duration::MAX);
        let solution = (machine.search()).solve(&position, &Limits::default(), watch);
        search.nodes += solution.nodes;
        if let Some(value) = solution.value {
            search.report(GravityResult::Value(column, value.before_move()));
        }
    }
    report(GravityReport::end(None));
}

/// The search for the values of all columns.
struct ColumnSearch<'a> {
    /// The last column of a position that is its own mirror image.
    last_column: Option<usize>,
    stopped: &'a dyn Fn() -> bool,
    report: &'a mut dyn FnMut(GravityReport),
    clock: &'a MonotonicClock,
    began: Duration,
    /// Positions visited for the columns before.
    nodes: u64,
    /// The time of the last report of progress.
    reported: Duration,
}

impl ColumnSearch<'_> {
    /// Reports a result of a column, and of its mirror image.
    fn report(&mut self, found: GravityResult) {
        let other = match found {
            GravityResult::Value(column, value) => self
                .mirror(column)
                .map(|other| GravityResult::Value(other, value)),
            GravityResult::Chance(column, chance) => self
                .mirror(column)
                .map(|other| GravityResult::Chance(other, chance)),
            _ => None,
        };
        for found in [Some(found), other].into_iter().flatten() {
            (self.report)(GravityReport::of(found));
        }
    }

    /// The mirror image of a column, in a position that is its own.
    fn mirror(&self, column: usize) -> Option<usize> {
        let other = self.last_column? - column;
        (other != column).then_some(other)
    }

    /// Finds the chances of these columns, by searches of the same depth, and returns those
    /// whose value is still unknown.
    fn chances(
        &mut self,
        machine: &mut Machine,
        mut columns: Vec<(usize, Position)>,
    ) -> Vec<(usize, Position)> {
        let until = self.elapsed() + CHANCES;
        let mut known = Vec::new();
        for depth in (2..).step_by(2) {
            let limits = Limits {
                depth,
                ..Limits::default()
            };
            let mut chances = Vec::new();
            columns.retain(|(column, position)| {
                let watch = &mut |progress| self.goes_on(progress, until);
                let outcome = machine.search().search(position, &limits, watch);
                self.nodes += outcome.nodes;
                match outcome.value {
                    Some(value) => self.report(GravityResult::Value(*column, value.before_move())),
                    None => chances.push((*column, chance_before_move(outcome.score))),
                }
                outcome.value.is_none()
            });
            // Searches that were cut short are of different depths.
            if columns.is_empty() || self.is_over(until) {
                break;
            }
            known = chances;
        }
        for (column, chance) in known {
            self.report(GravityResult::Chance(column, chance));
        }
        columns
    }

    /// The time since the search began.
    fn elapsed(&self) -> Duration {
        self.clock.now().saturating_sub(self.began)
    }

    fn is_over(&self, until: Duration) -> bool {
        (self.stopped)() || self.elapsed() >= until
    }

    /// Reports the progress of the search of a column now and then. Breaks when the search is to
    /// stop.
    fn goes_on(&mut self, progress: Progress, until: Duration) -> ControlFlow<()> {
        let now = self.elapsed();
        if now >= self.reported + PROGRESS_EVERY {
            self.reported = now;
            let elapsed_ms = u64::try_from(now.as_millis()).unwrap_or(u64::MAX);
            self.report(GravityResult::Progress(
                self.nodes + progress.nodes,
                elapsed_ms,
            ));
        }
        go_on(!self.is_over(until))
    }
}

/// Returns true if a position is its own mirror image, so that mirrored columns have equal values.
fn is_symmetric(position: &Position) -> bool {
    let (columns, rows) = (position.size().columns(), position.size().rows());
    (0..columns).all(|column| {
        let other = columns - 1 - column;
        (0..rows).all(|row| position.stone(column, row) == position.stone(other, row))
    })
}

/// The chance in thousandths of the side that moves into a position with this score, which is
/// the opponent's in hundredths of a logit.
fn chance_before_move(score: i32) -> u16 {
    let chance = 1.0 / (1.0 + (score as f32 / 100.0).exp());
    (chance * 1000.0).round() as u16
}

fn go_on(goes_on: bool) -> ControlFlow<()> {
    match goes_on {
        true => ControlFlow::Continue(()),
        false => ControlFlow::Break(()),
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::job_id::JobId;
    use quincunx_gravity::Size;

    /// The values of all columns of a small board, found one after another.
    fn values(moves: &str) -> Vec<GravityResult> {
        let size = Size::new(5, 4).unwrap();
        let job = GravityJob {
            id: JobId(1),
            position: Position::from_moves(size, moves).unwrap(),
            level: None,
        };
        let mut sum = GravityReport::default();
        let (mut machine, clock) = (machine(), MonotonicClock::system());
        run(&mut machine, &job, &clock, &|| false, &mut |report| {
            sum.add(report)
        });
        assert!(sum.is_last);
        sum.results
    }

    fn columns(found: &[GravityResult]) -> Vec<usize> {
        let column = |result: &GravityResult| match result {
            GravityResult::Value(column, _) => Some(*column),
            _ => None,
        };
        found.iter().filter_map(column).collect()
    }

    /// A column was once proved while its mirror image was still searched.
    #[test]
    fn mirror_images_are_reported_together() {
        let found = columns(&values("33"));
        assert_eq!(found.len(), 5);
        for pair in found.windows(2).filter(|pair| pair[0] < 2) {
            assert_eq!(pair[0] + pair[1], 4, "{found:?}");
        }
        assert_eq!(columns(&values("31")).len(), 5, "not symmetric");
    }
}
