//! More than the best move: the best few, or all of them.

use super::request::{BestMove, PvInfo};
use super::runner::Runner;
use crate::rules::Point;
use crate::score::Score;
use crate::search::{Limits, SearchResult};

impl Runner<'_, '_> {
    /// The best move, with a line for each of the best `count`, iteration by
    /// iteration. Each search of an iteration leaves out the moves that the
    /// searches before it have found.
    pub(super) fn lines(&mut self, count: usize) -> Option<BestMove> {
        let mut lines: Vec<PvInfo> = Vec::new();
        for depth in 1..=self.task.limits.depth {
            self.deepen_lines(depth, count, &mut lines);
            let best = lines.first()?;
            self.reporter.iteration_done(best);
            // If no line got deeper, all of them are decided.
            if self.is_over() || lines.iter().all(|line| line.depth < depth) {
                break;
            }
        }
        // A stopped iteration may have shifted lines without searching them again.
        for (rank, line) in lines.iter_mut().enumerate() {
            if line.rank != rank {
                line.rank = rank;
                self.reporter.report(line);
            }
        }
        self.best_of_lines(lines)
    }

    /// Searches every line at `depth`, as far as time allows.
    fn deepen_lines(&mut self, depth: u32, count: usize, lines: &mut Vec<PvInfo>) {
        let mut excluded = self.task.limits.excluded;
        for rank in 0..count {
            let limits = Limits {
                depth,
                excluded,
                ..self.task.limits
            };
            let result = self.search(&self.task.position, limits);
            let Some(point) = result.best else {
                return;
            };
            excluded.insert(point);
            // A search that was cut short may know less than the last one.
            let known = lines.get(rank).map_or(0, |line| line.depth);
            if self.is_over() && result.depth < known {
                return;
            }
            let line = self.info(result, rank, count);
            self.reporter.report(&line);
            lines.retain(|old| old.pv.first() != Some(&point));
            lines.insert(rank, line);
            lines.truncate(count);
            if self.is_over() {
                return;
            }
        }
    }

    /// The best move, after every move near the stones has been searched on its own.
    pub(super) fn defences(&mut self) -> Option<BestMove> {
        // The answer until every move has been searched once.
        let limits = Limits {
            depth: 1,
            ..self.task.limits
        };
        let first = self.search(&self.task.position, limits);
        let first = self.best_of(first);
        let points = self.moves(&mut self.task.position.clone());
        let unknown = |(rank, point)| {
            let result = SearchResult {
                best: Some(point),
                score: Score::ZERO,
                depth: 0,
                seldepth: 0,
                nodes: 0,
                pv: vec![point],
            };
            self.info(result, rank, points.len())
        };
        let mut moves: Vec<PvInfo> = points.iter().copied().enumerate().map(unknown).collect();
        for depth in 2..=self.task.limits.depth.max(2) {
            self.deepen_moves(depth, &mut moves);
            if moves.iter().any(|line| line.depth == 0) {
                return first;
            }
            moves.sort_by_key(|line| -line.score);
            for (rank, line) in moves.iter_mut().enumerate() {
                line.rank = rank;
                self.reporter.report(line);
            }
            self.reporter.iteration_done(moves.first()?);
            if self.is_over() || moves.iter().all(|line| line.score.is_decided()) {
                break;
            }
        }
        self.best_of_lines(moves)
    }

    /// The move of the first line, with the nodes and the time of all of them.
    fn best_of_lines(&self, lines: Vec<PvInfo>) -> Option<BestMove> {
        let best = lines.into_iter().next()?;
        BestMove::of_pv(PvInfo {
            nodes: self.nodes.max(best.nodes),
            elapsed: self.task.elapsed(),
            ..best
        })
    }

    /// Searches every move whose value is not decided, in order, until the time is
    /// over.
    fn deepen_moves(&mut self, depth: u32, moves: &mut [PvInfo]) {
        let lines = moves.len();
        for line in moves {
            let Some(&point) = line.pv.first() else {
                continue;
            };
            if line.score.is_decided() {
                continue;
            }
            self.begin_move(point);
            let limits = Limits {
                depth: depth - 1,
                draw_rule: self.task.limits.draw_rule,
                ..Limits::default()
            };
            let result = self.search_after(&[point], limits);
            if self.is_over() {
                return;
            }
            self.end_move(point, result.score);
            *line = self.info(result, line.rank, lines);
        }
    }

    /// The result of a search within `limits` after `stones` were placed one after
    /// another, with the value for the side that is to move now.
    pub(super) fn search_after(&mut self, stones: &[Point], limits: Limits) -> SearchResult {
        let mut position = self.task.position.clone();
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
        let mut result = match winner {
            None => self.search(&position, limits),
            Some(_) => SearchResult {
                best: None,
                score: Score::ZERO,
                depth: limits.depth,
                seldepth: 0,
                nodes: 0,
                pv: Vec::new(),
            },
        };
        let score = match winner {
            Some(winner) if winner == side => Score::win_at(plies),
            Some(_) => Score::loss_at(plies),
            // A win counts from now, not from after the stones.
            None => Score::from_tt(result.score, plies),
        };
        let same_side = winner.is_some() || position.side() == side;
        result.score = if same_side { score } else { -score };
        result.best = stones.first().copied();
        result.depth += plies as u32;
        result.seldepth += plies as u32;
        result.pv.splice(0..0, stones.iter().copied());
        result
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use crate::engine::{Engine, Event, MonotonicClock, Request, Started};
    use crate::rules::Point;

    /// Where one line was wanted there was once none.
    #[test]
    fn a_five_is_a_line() {
        let mut engine = Engine::new(MonotonicClock::system());
        engine.options_mut().hash_size = Some(1 << 20);
        engine.options_mut().max_node = Some(1_000);
        engine.prepare().unwrap().run();
        for text in ["a1", "a3", "b1", "b3", "c1", "c3", "d1", "d3"] {
            engine.play(text.parse().unwrap()).unwrap();
        }
        let five: Point = "e1".parse().unwrap();
        for request in [Request::Move, Request::Lines(1)] {
            let mut lines = Vec::new();
            let answer = engine.answer(request, &mut |event| {
                if let Event::Info(info) = event {
                    lines.push(info);
                }
            });
            let answer = answer.unwrap();
            assert_eq!(lines.iter().collect::<Vec<_>>(), answer.info().as_slice());
            assert_eq!(answer.stones(), [five]);
        }
    }

    /// A new best move was once reported at its old rank, too.
    #[test]
    fn lines_of_a_stopped_search_are_of_different_moves() {
        let mut engine = Engine::new(MonotonicClock::system());
        engine.options_mut().hash_size = Some(1 << 20);
        engine.options_mut().max_node = Some(5_000_000);
        engine.prepare().unwrap().run();
        for text in ["h8", "i9", "h9", "h10", "g8"] {
            engine.play(text.parse().unwrap()).unwrap();
        }
        let started = engine.start(Request::Lines(3), engine.clock().now());
        let Ok(Started::Searching(search)) = started else {
            panic!("it needs a search");
        };
        let mut shown = [Point::NONE; 3];
        let mut is_stopped = false;
        let answer = search.answer(&mut |event| {
            if let Event::Info(info) = event {
                shown[info.rank] = info.pv[0];
                if shown.iter().filter(|&&it| it == info.pv[0]).count() > 1 {
                    is_stopped = true;
                    engine.stop();
                }
            }
        });
        assert!(is_stopped, "no move has changed its place");
        assert_eq!(answer.stones(), [shown[0]]);
        shown.sort();
        assert!(shown.windows(2).all(|pair| pair[0] != pair[1]), "{shown:?}");
    }
}
