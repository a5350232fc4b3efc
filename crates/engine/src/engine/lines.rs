//! More than the best move: the best few, or all of them.

use super::request::BestMove;
use super::runner::Runner;
use crate::rules::Point;
use crate::score::Score;
use crate::search::{Limits, Line};
use std::cmp::Reverse;

impl Runner<'_, '_> {
    /// The best move, with a line for each of the best `count`, iteration by
    /// iteration.
    pub(super) fn lines(&mut self, count: usize) -> Option<BestMove> {
        let mut lines: Vec<Line> = Vec::new();
        for depth in 1..=self.task.limits.depth {
            let (found, bound) = self.search_lines(depth, count, &lines);
            let is_deeper = found.iter().any(|line| line.depth >= depth);
            if !found.is_empty() {
                lines = merged(found, lines, bound, count);
                self.report_lines(&mut lines);
            }
            self.reporter.iteration_done(lines.first()?);
            // If no line got deeper, all of them are decided.
            if self.is_over() || !is_deeper {
                break;
            }
        }
        self.best_of_lines(lines)
    }

    /// The lines at `depth`, as many as time allows, and the score that the moves without
    /// a line do not exceed. Each search leaves out the moves that the searches before it
    /// have found.
    fn search_lines(&mut self, depth: u32, count: usize, last: &[Line]) -> (Vec<Line>, Score) {
        let mut excluded = self.task.limits.excluded;
        let mut found = Vec::new();
        let mut bound = Score::INFINITE;
        for rank in 0..count {
            let limits = Limits {
                depth,
                excluded,
                ..self.task.limits
            };
            let mut result = self.search(&self.task.position, limits);
            let Some(point) = result.best() else {
                break;
            };
            excluded.insert(point);
            let is_over = self.is_over();
            // A search that was cut short may know less than the last one.
            let known = last.get(rank).map_or(0, |line| line.depth);
            if is_over && result.depth < known {
                break;
            }
            if is_over {
                // Its score is of an earlier iteration, which knew less of the position.
                result.score = result.score.min(bound);
            } else {
                bound = result.score;
            }
            found.push(self.line(result, rank, count));
            if is_over {
                break;
            }
        }
        (found, bound)
    }

    /// Reports all lines, the best first.
    fn report_lines(&mut self, lines: &mut [Line]) {
        let count = lines.len();
        for (rank, line) in lines.iter_mut().enumerate() {
            (line.rank, line.lines) = (rank, count);
            self.reporter.report(line);
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
            let result = Line::new(Score::ZERO, vec![point]);
            self.line(result, rank, points.len())
        };
        let mut moves: Vec<Line> = points.iter().copied().enumerate().map(unknown).collect();
        for depth in 2..=self.task.limits.depth.max(2) {
            self.deepen_moves(depth, &mut moves);
            if moves.iter().any(|line| line.depth == 0) {
                return first;
            }
            moves.sort_by_key(|line| Reverse(line.score));
            self.report_lines(&mut moves);
            self.reporter.iteration_done(moves.first()?);
            if self.is_over() || moves.iter().all(|line| line.score.is_decided()) {
                break;
            }
        }
        self.best_of_lines(moves)
    }

    /// The move of the first line, with the nodes and the time of all of them.
    fn best_of_lines(&self, lines: Vec<Line>) -> Option<BestMove> {
        let best = lines.into_iter().next()?;
        BestMove::of_pv(Line {
            nodes: self.nodes.max(best.nodes),
            elapsed: self.task.elapsed(),
            ..best
        })
    }

    /// Searches every move whose value is not decided, in order, until the time is
    /// over.
    fn deepen_moves(&mut self, depth: u32, moves: &mut [Line]) {
        let lines = moves.len();
        for line in moves {
            let Some(point) = line.best() else {
                continue;
            };
            if line.score.is_decided() {
                continue;
            }
            self.begin_move(point);
            let limits = Limits {
                depth: depth - 1,
                draw_rule: self.task.limits.draw_rule,
                deepens_single_move: self.task.limits.deepens_single_move,
                ..Limits::default()
            };
            let result = self.search_after(&[point], limits);
            if self.is_over() {
                return;
            }
            self.end_move(point, result.score);
            *line = self.line(result, line.rank, lines);
        }
    }

    /// The result of a search within `limits` after `stones` were placed one after
    /// another, with the value for the side that is to move now.
    pub(super) fn search_after(&mut self, stones: &[Point], limits: Limits) -> Line {
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
            Some(_) => Line {
                depth: limits.depth,
                ..Line::new(Score::ZERO, Vec::new())
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
        result.depth += plies as u32;
        result.seldepth += plies as u32;
        result.pv.splice(0..0, stones.iter().copied());
        result
    }
}

/// The best `count` lines, in the order of their scores: those that an iteration has
/// `found`, and those of the `last` one whose moves it has not come to. A search may find a
/// better move than the searches before it, whose iterations saw it pruned or reduced.
///
/// The iteration has shown that no other move is worth more than `bound`. An older, higher
/// score would put a refuted move first.
fn merged(found: Vec<Line>, last: Vec<Line>, bound: Score, count: usize) -> Vec<Line> {
    let mut lines = found;
    for old in last {
        let is_new = lines.iter().all(|line| line.best() != old.best());
        if is_new {
            lines.push(Line {
                score: old.score.min(bound),
                ..old
            });
        }
    }
    lines.sort_by_key(|line| Reverse(line.score));
    lines.truncate(count);
    lines
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::engine::{Engine, Event, MonotonicClock, Request, Started};
    use crate::position::Position;

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

    fn line(depth: u32, point: &str, score: i32) -> Line {
        Line {
            depth,
            ..Line::new(Score::new(score), vec![point.parse().unwrap()])
        }
    }

    /// A stopped iteration has found the best move and no other. What the iteration before
    /// thought of the others is no reason to play one of them.
    #[test]
    fn an_iteration_that_was_cut_short_keeps_its_best_move_first() {
        let last = || vec![line(8, "h8", -30), line(8, "i9", -40), line(8, "j10", -90)];
        let text = |lines: Vec<Line>| {
            let text = |line: &Line| format!("{}={}", line.pv[0], line.score.units());
            lines.iter().map(text).collect::<Vec<_>>().join(" ")
        };
        let found = vec![line(9, "i9", -50)];
        let cut_short = merged(found.clone(), last(), Score::new(-50), 3);
        assert_eq!(text(cut_short), "i9=-50 h8=-50 j10=-90");
        // Without a complete search nothing is known of the others.
        let unfinished = merged(found, last(), Score::INFINITE, 3);
        assert_eq!(text(unfinished), "h8=-30 i9=-50 j10=-90");
        let all = ["h8=7", "i9=9", "j10=8"].map(|line| line.split_once('=').unwrap());
        let all = all.map(|(point, score)| line(9, point, score.parse().unwrap()));
        let complete = merged(all.to_vec(), last(), Score::new(8), 3);
        assert_eq!(text(complete), "i9=9 j10=8 h8=7");
    }

    /// Lines once kept the order in which they were found, and the move of the first was
    /// played even if another turned out better at the same depth.
    #[test]
    fn lines_are_in_the_order_of_their_scores() {
        let mut iterations = 0;
        for (moves, count, nodes) in [
            ("h8i9h9", 6, 8_000),
            ("h8i9", 4, 8_000),
            ("h8i9h10g9i7f9", 5, 20_000),
            ("a1h8o1h9a15", 3, 20_000),
        ] {
            let mut engine = Engine::new(MonotonicClock::system());
            engine.options_mut().hash_size = Some(1 << 20);
            engine.options_mut().max_node = Some(nodes);
            let line = format!("15 freestyle {moves}");
            engine.set_position(Position::from_line(&line).unwrap());
            engine.prepare().unwrap().run();
            let mut lines: Vec<Line> = Vec::new();
            let answer = engine.answer(Request::Lines(count), &mut |event| {
                let Event::Info(info) = event else { return };
                if info.rank == 0 {
                    lines.clear();
                }
                let is_last = info.rank + 1 == info.lines;
                lines.push(info);
                if is_last {
                    assert!(
                        lines.is_sorted_by_key(|line| Reverse(line.score)),
                        "{lines:?}"
                    );
                    let ranks: Vec<usize> = lines.iter().map(|line| line.rank).collect();
                    assert_eq!(ranks, (0..lines.len()).collect::<Vec<_>>());
                    iterations += 1;
                }
            });
            assert_eq!(answer.unwrap().stones(), [lines[0].pv[0]]);
            assert_eq!(lines.len(), count);
        }
        assert!(iterations > 20, "{iterations}");
    }
}
