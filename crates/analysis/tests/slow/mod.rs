//! A solver that shares nothing with the engine's, and tries every move. Wins by fours it knows
//! under every rule, wins by threes in freestyle alone.

mod runs;

use quincunx_engine::position::Position;
use quincunx_engine::rules::{Point, Rule};
use std::collections::{HashMap, HashSet};

/// A colour that is to move, and the stones.
type Attack = (usize, Vec<Option<usize>>);

/// A board as the number of stones of each colour in every five points in a row.
pub(crate) struct Fives {
    rule: Rule,
    width: usize,
    stones: Vec<Option<usize>>,
    rows: Vec<[usize; 5]>,
    /// The rows that a point belongs to.
    of_point: Vec<Vec<usize>>,
    counts: Vec<[u8; 2]>,
    /// Attackers and positions in which they have been shown to have no fours that win.
    lost: HashSet<Attack>,
    /// Whether attackers win by threats.
    threats: HashMap<Attack, bool>,
    /// How many more positions may be looked into for threats.
    budget: usize,
}

impl Fives {
    pub(crate) fn new(position: &Position) -> Fives {
        let (width, height) = (position.size().width(), position.size().height());
        let mut rows = Vec::new();
        for y in 0..height as i32 {
            for x in 0..width as i32 {
                for (dx, dy) in [(1, 0), (0, 1), (1, 1), (1, -1)] {
                    let at = |step: i32| (x + step * dx, y + step * dy);
                    let (ex, ey) = at(4);
                    if (0..width as i32).contains(&ex) && (0..height as i32).contains(&ey) {
                        rows.push([0, 1, 2, 3, 4].map(|step| {
                            let (x, y) = at(step);
                            y as usize * width + x as usize
                        }));
                    }
                }
            }
        }
        let mut of_point = vec![Vec::new(); width * height];
        for (number, row) in rows.iter().enumerate() {
            for &point in row {
                of_point[point].push(number);
            }
        }
        let mut fives = Fives {
            rule: position.rule(),
            width,
            stones: vec![None; width * height],
            counts: vec![[0; 2]; rows.len()],
            rows,
            of_point,
            lost: HashSet::new(),
            threats: HashMap::new(),
            budget: 0,
        };
        for (color, point) in position.moves() {
            let at = fives.index(point);
            fives.put(color.index(), at);
        }
        fives
    }

    pub(crate) fn index(&self, point: Point) -> usize {
        point.y() * self.width + point.x()
    }

    fn put(&mut self, color: usize, point: usize) {
        assert_eq!(self.stones[point], None);
        self.stones[point] = Some(color);
        for &row in &self.of_point[point] {
            self.counts[row][color] += 1;
        }
    }

    fn take(&mut self, point: usize) {
        let color = self.stones[point].take().unwrap();
        for &row in &self.of_point[point] {
            self.counts[row][color] -= 1;
        }
    }

    /// The empty points of the rows that have so many stones of a colour and no other.
    fn open(&self, color: usize, stones: u8) -> Vec<usize> {
        let mut points = Vec::new();
        for (row, counts) in self.rows.iter().zip(&self.counts) {
            if counts[color] == stones && counts[1 - color] == 0 {
                let empty = row.iter().filter(|&&point| self.stones[point].is_none());
                points.extend(empty);
            }
        }
        points.sort_unstable();
        points.dedup();
        points
    }

    /// The points where a colour makes a five that wins.
    fn fives(&mut self, color: usize) -> Vec<usize> {
        let mut points = self.open(color, 4);
        points.retain(|&point| self.makes_five(color, point));
        points
    }

    /// Whether a colour, to move, wins by continuous fours.
    pub(crate) fn wins(&mut self, color: usize) -> bool {
        if !self.fives(color).is_empty() {
            return true;
        }
        if self.lost.contains(&(color, self.stones.clone())) {
            return false;
        }
        let fours = self.open(color, 3);
        let won = fours.into_iter().any(|four| self.wins_by(color, four));
        if !won {
            self.lost.insert((color, self.stones.clone()));
        }
        won
    }

    /// Whether a stone on this point wins by continuous fours for a colour that has no five.
    fn wins_by(&mut self, color: usize, four: usize) -> bool {
        self.may_play(color, four) && self.with(color, four, |fives| fives.all_stops_lose(color))
    }

    /// Whether a colour that has just moved threatens a five, and every way to stop it loses
    /// to continuous fours.
    fn all_stops_lose(&mut self, color: usize) -> bool {
        let points = self.fives(color);
        // The opponent makes a five if it can, and has to stop one otherwise.
        if points.is_empty() || !self.fives(1 - color).is_empty() {
            return false;
        }
        let mut stops = match self.rule {
            // A stone at the end of a row stops it too.
            Rule::Caro => self.near(&points),
            _ => points.clone(),
        };
        stops.retain(|&stop| {
            self.may_play(1 - color, stop)
                && self.with(1 - color, stop, |fives| {
                    let mut left = points.iter().filter(|&&point| point != stop);
                    !left.any(|&point| fives.makes_five(color, point))
                })
        });
        let mut stops = stops.into_iter();
        stops.all(|stop| self.with(1 - color, stop, |fives| fives.wins(color)))
    }

    /// The first moves that win by continuous fours.
    pub(crate) fn winning(&mut self, color: usize) -> Vec<usize> {
        let fives = self.fives(color);
        if !fives.is_empty() {
            return fives;
        }
        let fours = self.open(color, 3).into_iter();
        fours.filter(|&four| self.wins_by(color, four)).collect()
    }

    pub(crate) fn empty(&self) -> Vec<usize> {
        let points = 0..self.stones.len();
        points
            .filter(|&point| self.stones[point].is_none())
            .collect()
    }

    fn with<T>(&mut self, color: usize, point: usize, look: impl FnOnce(&mut Fives) -> T) -> T {
        self.put(color, point);
        let seen = look(self);
        self.take(point);
        seen
    }

    /// Whether a stone on this point makes a four, or an open three: one stone more makes two
    /// fives possible.
    pub(crate) fn is_three(&mut self, color: usize, point: usize) -> bool {
        self.with(color, point, |fives| {
            let makes_two = |fives: &mut Fives| fives.open(color, 4).len() > 1;
            let mut threes = fives.open(color, 3).into_iter();
            !fives.open(color, 4).is_empty()
                || threes.any(|next| fives.with(color, next, makes_two))
        })
    }

    /// Whether a colour, to move, wins by moves each of which is a four, or would be
    /// followed by continuous fours if the opponent passed. Every move is tried, and every
    /// reply to it. Nothing if that takes more than the budget.
    fn wins_by_threats(&mut self, color: usize) -> Option<bool> {
        if self.wins(color) {
            return Some(true);
        }
        if let Some(&known) = self.threats.get(&(color, self.stones.clone())) {
            return Some(known);
        }
        self.budget = self.budget.checked_sub(1)?;
        let mut won = false;
        for point in self.empty() {
            if self.with(color, point, |fives| fives.all_lose(color))? {
                won = true;
                break;
            }
        }
        self.threats.insert((color, self.stones.clone()), won);
        Some(won)
    }

    /// Whether a colour has just made a threat to which every reply loses.
    fn all_lose(&mut self, color: usize) -> Option<bool> {
        let threatens = !self.open(color, 4).is_empty() || self.wins(color);
        if !threatens || !self.open(1 - color, 4).is_empty() {
            return Some(false);
        }
        for reply in self.empty() {
            if !self.with(1 - color, reply, |fives| fives.wins_by_threats(color))? {
                return Some(false);
            }
        }
        Some(true)
    }

    /// Whether a stone on this point is a threat, and wins by threats.
    pub(crate) fn wins_by_threat(
        &mut self,
        color: usize,
        point: usize,
        budget: usize,
    ) -> Option<bool> {
        self.budget = budget;
        self.with(color, point, |fives| fives.all_lose(color))
    }

    /// The moves of a colour after which the opponent does not win by threats.
    pub(crate) fn holding(&mut self, color: usize, budget: usize) -> Option<Vec<usize>> {
        self.budget = budget;
        let mut holding = Vec::new();
        for point in self.empty() {
            if !self.with(color, point, |fives| fives.wins_by_threats(1 - color))? {
                holding.push(point);
            }
        }
        Some(holding)
    }
}
