//! Runs of stones by their definitions: which win, and which are forbidden to black in renju.

use super::Fives;
use quincunx_engine::rules::Rule;

const BLACK: usize = 0;

/// The steps along a line.
const LINES: [(i32, i32); 4] = [(1, 0), (0, 1), (1, 1), (1, -1)];

impl Fives {
    /// The point that is so many steps from another, if it is on the board.
    fn at(&self, from: usize, line: (i32, i32), steps: i32) -> Option<usize> {
        let height = self.stones.len() / self.width;
        let x = (from % self.width) as i32 + steps * line.0;
        let y = (from / self.width) as i32 + steps * line.1;
        let on_board = (0..self.width as i32).contains(&x) && (0..height as i32).contains(&y);
        on_board.then(|| y as usize * self.width + x as usize)
    }

    /// The empty points in line with some points, five steps away at most.
    pub(super) fn near(&self, points: &[usize]) -> Vec<usize> {
        let lines = |&point| LINES.iter().map(move |&line| (point, line));
        let steps = |(point, line)| (-5..=5).map(move |steps| (point, line, steps));
        let near = points.iter().flat_map(lines).flat_map(steps);
        let near = near.filter_map(|(point, line, steps)| self.at(point, line, steps));
        let mut near: Vec<usize> = near.filter(|&at| self.stones[at].is_none()).collect();
        near.sort_unstable();
        near.dedup();
        near
    }

    /// Looks at the runs with a stone on an empty point.
    fn standing<T>(&mut self, color: usize, point: usize, look: impl FnOnce(&mut Fives) -> T) -> T {
        self.stones[point] = Some(color);
        let seen = look(self);
        self.stones[point] = None;
        seen
    }

    /// The first and the last step of the run of a colour's stones through a point.
    fn run(&self, color: usize, point: usize, line: (i32, i32)) -> (i32, i32) {
        let arm = |sign: i32| {
            let is_own = |steps: &i32| {
                let at = self.at(point, line, sign * steps);
                at.is_some_and(|at| self.stones[at] == Some(color))
            };
            (1..).take_while(is_own).count() as i32
        };
        (-arm(-1), arm(1))
    }

    /// Whether the stone on this point has made a run that wins.
    fn is_won(&self, color: usize, point: usize) -> bool {
        LINES.iter().any(|&line| {
            let (first, last) = self.run(color, point, line);
            let length = last - first + 1;
            let is_closed = |steps: i32| {
                let at = self.at(point, line, steps);
                at.is_some_and(|at| self.stones[at] == Some(1 - color))
            };
            match self.rule {
                Rule::Freestyle => length >= 5,
                Rule::Renju if color != BLACK => length >= 5,
                Rule::Standard | Rule::Renju => length == 5,
                Rule::Caro => length == 5 && !(is_closed(first - 1) && is_closed(last + 1)),
                Rule::CaroOverline => unimplemented!(),
            }
        })
    }

    /// Whether a stone of a colour on an empty point wins.
    pub(super) fn makes_five(&mut self, color: usize, point: usize) -> bool {
        self.standing(color, point, |fives| fives.is_won(color, point))
    }

    /// Whether the rule lets a colour play on an empty point.
    pub(super) fn may_play(&mut self, color: usize, point: usize) -> bool {
        self.rule != Rule::Renju || color != BLACK || !self.is_forbidden(point)
    }

    fn is_forbidden(&mut self, point: usize) -> bool {
        self.standing(BLACK, point, |fives| {
            if fives.is_won(BLACK, point) {
                return false;
            }
            let is_long = |&line: &(i32, i32)| {
                let (first, last) = fives.run(BLACK, point, line);
                last - first >= 5
            };
            if LINES.iter().any(is_long) {
                return true;
            }
            let fours = LINES.map(|line| fives.fours(point, line));
            let threes = LINES
                .iter()
                .zip(fours)
                .filter(|&(&line, fours)| fours == 0 && fives.is_open_three(point, line));
            threes.count() > 1 || fours.iter().sum::<usize>() > 1
        })
    }

    /// The points of a line where black makes five in a row with the stone on a point.
    fn fives_with(&mut self, point: usize, line: (i32, i32)) -> Vec<i32> {
        let is_five = |steps: &i32| {
            let Some(at) = self.at(point, line, *steps) else {
                return false;
            };
            self.stones[at].is_none()
                && self.standing(BLACK, at, |fives| {
                    let (first, last) = fives.run(BLACK, at, line);
                    last - first == 4 && (first..=last).contains(&-steps)
                })
        };
        (-4..=4).filter(is_five).collect()
    }

    /// How many fours black has in a line with the stone on a point. Four in a row with both
    /// ends open are one.
    fn fours(&mut self, point: usize, line: (i32, i32)) -> usize {
        match self.fives_with(point, line)[..] {
            [first, last] if last - first == 5 => 1,
            ref points => points.len(),
        }
    }

    /// Whether black, without a five, may make four in a row with both ends open out of the
    /// stone on a point.
    fn is_open_three(&mut self, point: usize, line: (i32, i32)) -> bool {
        (-3..=3).any(|steps| {
            let Some(at) = self.at(point, line, steps) else {
                return false;
            };
            if self.stones[at].is_some() {
                return false;
            }
            let is_open_four = self.standing(BLACK, at, |fives| {
                let (first, last) = fives.run(BLACK, at, line);
                last - first == 3
                    && (first..=last).contains(&-steps)
                    && fives.fives_with(at, line).len() == 2
                    && !fives.is_won(BLACK, at)
            });
            is_open_four && !self.is_forbidden(at)
        })
    }
}
