//! More than the best move: the best few, or all of them.

use super::Thought;
use super::study::Study;
use super::task::Choice;
use crate::eval::Score;
use crate::rules::Point;
use crate::search::{Limits, Outcome};

impl Study<'_, '_> {
    /// The best `count` moves, depth by depth: each search leaves out the
    /// moves that those before it have found.
    pub(super) fn lines(&mut self, count: usize) -> Option<Choice> {
        let mut lines: Vec<Thought> = Vec::new();
        for depth in 1..=self.job.limits.depth {
            self.deepen_lines(depth, count, &mut lines);
            let best = lines.first()?;
            self.driver.finished(best);
            // Where no line got deeper all of them are settled.
            if self.is_over() || lines.iter().all(|line| line.depth < depth) {
                break;
            }
        }
        let best = lines.into_iter().next()?;
        let point = *best.line.first()?;
        let thought = Some(best);
        Some(Choice { point, thought })
    }

    /// Finds every line anew at `depth`, as far as time allows.
    fn deepen_lines(&mut self, depth: u32, count: usize, lines: &mut Vec<Thought>) {
        let mut excluded = self.job.limits.excluded;
        for rank in 0..count {
            let limits = Limits {
                depth,
                excluded,
                ..self.job.limits
            };
            let outcome = self.search(&self.job.position, limits);
            let Some(point) = outcome.best else {
                return;
            };
            excluded.insert(point);
            // A search that was cut short may know less than the last one.
            let known = lines.get(rank).map_or(0, |line| line.depth);
            if outcome.depth >= known {
                let line = self.thought(outcome, rank, count);
                self.driver.tell(&line);
                match lines.get_mut(rank) {
                    Some(old) => *old = line,
                    None => lines.push(line),
                }
            }
            if self.is_over() {
                return;
            }
        }
    }

    /// The best move, with the true value of every move near the stones.
    pub(super) fn defences(&mut self) -> Option<Choice> {
        let points = self.moves(&mut self.job.position.clone());
        let unknown = |(rank, point)| {
            let outcome = Outcome {
                best: Some(point),
                score: Score::ZERO,
                depth: 0,
                selective: 0,
                nodes: 0,
                line: vec![point],
            };
            self.thought(outcome, rank, points.len())
        };
        let mut moves: Vec<Thought> = points.iter().copied().enumerate().map(unknown).collect();
        for depth in 2..=self.job.limits.depth.max(2) {
            self.deepen_moves(depth, &mut moves);
            moves.sort_by_key(|line| -line.score);
            for (rank, line) in moves.iter_mut().enumerate() {
                line.rank = rank;
                self.driver.tell(line);
            }
            self.driver.finished(moves.first()?);
            if self.is_over() || moves.iter().all(|line| line.score.is_decided()) {
                break;
            }
        }
        let best = moves.into_iter().next()?;
        let point = *best.line.first()?;
        let thought = Some(best);
        Some(Choice { point, thought })
    }

    /// Looks behind every move that is not decided, in order, until the time
    /// is up.
    fn deepen_moves(&mut self, depth: u32, moves: &mut [Thought]) {
        let lines = moves.len();
        for line in moves {
            let Some(&point) = line.line.first() else {
                continue;
            };
            if line.score.is_decided() {
                continue;
            }
            self.begin_move(point);
            let limits = Limits {
                depth: depth - 1,
                ..Limits::default()
            };
            let outcome = self.behind(&[point], limits);
            if self.is_over() {
                return;
            }
            self.end_move(point, outcome.score);
            *line = self.thought(outcome, line.rank, lines);
        }
    }

    /// What `stones`, put one after another, lead to, seen from the side that
    /// is to move now. The limits are those of the search behind them.
    pub(super) fn behind(&mut self, stones: &[Point], limits: Limits) -> Outcome {
        let mut position = self.job.position.clone();
        let side = position.side();
        let mut winner = None;
        for &point in stones {
            let mover = position.side();
            position.play(point);
            if winner.is_none() && position.won() {
                winner = Some(mover);
            }
        }
        let plies = stones.len();
        let mut outcome = match winner {
            None => self.search(&position, limits),
            Some(_) => Outcome {
                best: None,
                score: Score::ZERO,
                depth: limits.depth,
                selective: 0,
                nodes: 0,
                line: Vec::new(),
            },
        };
        let score = match winner {
            Some(winner) if winner == side => Score::win_at(plies),
            Some(_) => Score::loss_at(plies),
            // A win counts from now, not from behind the stones.
            None => Score::at_node(outcome.score.from_node(0), plies),
        };
        let same_side = winner.is_some() || position.side() == side;
        outcome.score = if same_side { score } else { -score };
        outcome.best = stones.first().copied();
        outcome.depth += plies as u32;
        outcome.selective += plies as u32;
        outcome.line.splice(0..0, stones.iter().copied());
        outcome
    }
}
