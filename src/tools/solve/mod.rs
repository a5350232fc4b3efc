//! The solver for people: positions as lines of text in, answers as lines of
//! text out.
//!
//! One line in, one line out, in the same order: so an interrupted run knows
//! from its output where to go on.

mod answer;
mod batch;
mod sgf;
mod task;

pub use answer::Answer;
pub use batch::{Progress, run};
pub use task::Task;

use crate::threats::{Kind, Limits, Solver};
use std::time::{Duration, Instant};

/// What is wanted of every position.
#[derive(Clone, Debug)]
pub struct Wishes {
    /// Which wins to look for.
    pub kind: Kind,
    /// The most nodes a position.
    pub nodes: u64,
    /// The most time a position.
    pub time: Option<Duration>,
    /// Say which moves do not lose, instead of how to win.
    pub defend: bool,
    /// Answers as JSON objects.
    pub json: bool,
    /// Give wins as SGF trees.
    pub sgf: bool,
}

/// Solves one position.
pub fn solve(solver: &mut Solver, task: &Task, wishes: &Wishes) -> Answer {
    let start = Instant::now();
    // So that the nodes do not depend on what came before.
    solver.clear();
    let mut stop = || wishes.time.is_some_and(|time| start.elapsed() >= time);
    let limits = Limits {
        nodes: wishes.nodes,
        stop: &mut stop,
    };
    let position = task.position();
    let outcome = if wishes.defend {
        answer::Outcome::Defended(solver.defend(position, wishes.kind, limits))
    } else {
        answer::Outcome::Solved(solver.solve(position, wishes.kind, limits))
    };
    Answer {
        outcome,
        time: start.elapsed(),
    }
}
