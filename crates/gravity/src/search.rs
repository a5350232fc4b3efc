//! The interface of the search.

use super::alpha_beta::Run;
use super::root::{Outcome, Root, solve};
use super::score::Score;
use super::table::Table;
use super::{Limits, Position, Value, Watch};

/// The result of [`Search::solve`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Solution {
    /// The exact value; `None` if a limit came first.
    pub value: Option<Value>,
    /// Positions visited.
    pub nodes: u64,
}

/// A searcher with its table. It remembers what it saw from one search to the
/// next.
///
/// ```
/// use quincunx_gravity::{Limits, Position, Search, Size, Value};
/// use std::ops::ControlFlow;
///
/// let position = Position::from_moves(Size::new(7, 6)?, "4455")?;
/// let mut search = Search::new(1 << 20);
/// let go_on = &mut |_| ControlFlow::Continue(());
/// let outcome = search.search(&position, &Limits::default(), go_on);
/// assert_eq!(outcome.value, Some(Value::Win(3)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Search {
    table: Table,
}

impl Search {
    /// A searcher with a table of about this number of bytes.
    pub fn new(table_bytes: usize) -> Search {
        Search {
            table: Table::new(table_bytes),
        }
    }

    /// Forgets all earlier searches.
    pub fn clear(&mut self) {
        self.table.clear();
    }

    /// Searches for the best move, deeper and deeper, until its value is known
    /// or a limit is reached. However early that is, a move comes back.
    pub fn search(&mut self, position: &Position, limits: &Limits, watch: Watch) -> Outcome {
        if position.is_over() {
            return finished(position);
        }
        let run = self.run(position, limits, watch);
        Root::new(run, position.stones()).deepen(limits.depth)
    }

    /// Finds the exact value of a position at once, without guesses before.
    pub fn solve(&mut self, position: &Position, limits: &Limits, watch: Watch) -> Solution {
        let mut run = self.run(position, limits, watch);
        let value = solve_value(&mut run, position);
        Solution {
            value,
            nodes: run.nodes,
        }
    }

    /// Finds the exact value of every column for the side to move; `None` for
    /// full columns, and for those that a limit left open. The number is that of
    /// positions visited.
    pub fn solve_columns(
        &mut self,
        position: &Position,
        limits: &Limits,
        watch: Watch,
    ) -> (Vec<Option<Value>>, u64) {
        let mut run = self.run(position, limits, watch);
        let mut values = vec![None; position.size().columns()];
        for column in position.playable_columns() {
            let mut next = position.clone();
            if next.play(column).is_ok() {
                values[column] = solve_value(&mut run, &next).map(Value::before_move);
            }
        }
        (values, run.nodes)
    }

    fn run<'a>(&'a mut self, position: &Position, limits: &Limits, watch: Watch<'a>) -> Run<'a> {
        Run {
            board: *position.board(),
            table: &mut self.table,
            nodes: 0,
            max_nodes: limits.nodes,
            depth: 0,
            watch,
            stopped: false,
        }
    }
}

/// The exact value of a position, unless a limit comes first.
fn solve_value(run: &mut Run, position: &Position) -> Option<Value> {
    if position.is_over() {
        return finished(position).value;
    }
    let score = solve(run, position.stones())?;
    Some(score.value(position.stones().count()))
}

/// The outcome of a finished game.
fn finished(position: &Position) -> Outcome {
    let placed = position.stones().count();
    let score = match position.winner() {
        Some(_) => Score::loss_at(placed),
        None => Score::DRAW,
    };
    Outcome {
        column: None,
        value: Some(score.value(placed)),
        score: score.units(),
        depth: 0,
        nodes: 0,
    }
}
