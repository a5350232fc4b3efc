//! Balanced openings: a few stones close together, chosen so that neither
//! side stands better by the engine's own judgement.
//!
//! Every attempt depends on the seed and its own number and nothing else, so
//! the same settings give the same openings on any number of threads.

use crate::eval::Score;
use crate::position::Position;
use crate::rules::{BoardSize, Color, Point, Rule};
use crate::search::{Limits, Searcher, Table};
use std::collections::HashSet;
use std::ops::RangeInclusive;
use std::sync::Arc;

/// The table of an attempt, in bytes.
const TABLE_BYTES: usize = 4 << 20;
/// A quick look gets this part of the nodes.
const QUICK: u64 = 10;
/// So much further off balance a position may look before its last stone is
/// chosen.
const HOPE: i32 = 4;

/// What openings are wanted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wanted {
    /// The rule.
    pub rule: Rule,
    /// The board.
    pub size: BoardSize,
    /// How many.
    pub count: usize,
    /// Stones in each.
    pub stones: RangeInclusive<usize>,
    /// What fixes them.
    pub seed: u64,
    /// The furthest from balance, in units of the evaluation.
    pub window: i32,
    /// Nodes to judge an opening by.
    pub nodes: u64,
    /// Attempts at a time.
    pub threads: usize,
}

/// An opening that is balanced.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Balanced {
    /// Its stones, as letters and numbers.
    pub moves: String,
    /// The value for the side to move.
    pub score: Score,
    /// How deep that was looked.
    pub depth: u32,
}

/// Makes openings, no two of which are alike by turning or mirroring. `tell`
/// hears of each, and of how many attempts there were by then; it may end the
/// work by returning false.
pub fn make(wanted: &Wanted, mut tell: impl FnMut(&Balanced, usize) -> bool) -> usize {
    let mut seen = HashSet::new();
    let mut found = 0;
    let batch = wanted.threads.max(1);
    let mut attempt = 0;
    // An impossible window must not go on for ever.
    while found < wanted.count && attempt < 1000 * wanted.count.max(10) {
        let numbers = attempt..attempt + batch;
        attempt = numbers.end;
        let made: Vec<Option<(String, Balanced)>> = std::thread::scope(|scope| {
            let workers: Vec<_> = numbers
                .clone()
                .map(|number| scope.spawn(move || Attempt::new(wanted, number).make()))
                .collect();
            let finish = |worker: std::thread::ScopedJoinHandle<'_, _>| worker.join().ok()?;
            workers.into_iter().map(finish).collect()
        });
        for (number, (key, balanced)) in numbers.zip(made).filter_map(|(n, m)| Some((n, m?))) {
            if found < wanted.count && seen.insert(key) {
                found += 1;
                if !tell(&balanced, number + 1) {
                    return found;
                }
            }
        }
    }
    found
}

/// One try: random stones, and a last one that balances them.
struct Attempt<'w> {
    wanted: &'w Wanted,
    random: fastrand::Rng,
    searcher: Searcher,
}

impl Attempt<'_> {
    fn new(wanted: &Wanted, number: usize) -> Attempt<'_> {
        // Neighbouring seeds must not give neighbouring sequences.
        let mixed = wanted.seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ (number as u64) << 20;
        Attempt {
            wanted,
            random: fastrand::Rng::with_seed(mixed),
            searcher: Searcher::new(Arc::new(Table::new(TABLE_BYTES))),
        }
    }

    /// The opening with the text that all its turned and mirrored copies
    /// share, or nothing if this try led nowhere.
    fn make(mut self) -> Option<(String, Balanced)> {
        let mut position = Position::new(self.wanted.rule, self.wanted.size);
        let stones = self.random.usize(self.wanted.stones.clone());
        let area = self.area(stones);
        for _ in 1..stones {
            let point = self.legal(&mut position, &area)?;
            position.play(point);
        }
        let quick = self.wanted.nodes / QUICK;
        let before = self.judge(&position, quick)?;
        if stones > 1 && before.units().abs() > HOPE * HOPE * self.wanted.window.max(50) {
            return None;
        }
        let last = self.balancing(&mut position, &area)?;
        position.play(last);
        if position.won() {
            return None;
        }
        let limits = Limits {
            nodes: self.wanted.nodes,
            ..Limits::default()
        };
        let outcome = self.searcher.search(&position, &limits, &mut ());
        let balanced = !outcome.score.is_decided()
            && outcome.score.units().abs() <= self.wanted.window
            && outcome.best.is_some();
        balanced.then(|| {
            let found = Balanced {
                moves: position.move_text(),
                score: outcome.score,
                depth: outcome.depth,
            };
            (key(&position), found)
        })
    }

    /// The points of a small square somewhere on the board, more often near
    /// its middle.
    fn area(&mut self, stones: usize) -> Vec<Point> {
        let size = self.wanted.size;
        let side = self.random.usize(4..=6) + stones / 4;
        let mut start = |length: usize| {
            let room = length.saturating_sub(side);
            (self.random.usize(0..=room) + self.random.usize(0..=room)) / 2
        };
        let (left, top) = (start(size.width()), start(size.height()));
        let inside = |from: usize, at: usize| (from..from + side).contains(&at);
        size.iter()
            .filter(|point| inside(left, point.x()) && inside(top, point.y()))
            .collect()
    }

    fn legal(&mut self, position: &mut Position, area: &[Point]) -> Option<Point> {
        let legal: Vec<Point> = area
            .iter()
            .copied()
            .filter(|&point| position.is_legal(point))
            .collect();
        self.random.choice(legal)
    }

    /// The value for the side to move, where it is not a forced win.
    fn judge(&mut self, position: &Position, nodes: u64) -> Option<Score> {
        let limits = Limits {
            nodes: nodes.max(1),
            ..Limits::default()
        };
        let outcome = self.searcher.search(position, &limits, &mut ());
        (!outcome.score.is_decided()).then_some(outcome.score)
    }

    /// The point whose stone leaves the least difference.
    fn balancing(&mut self, position: &mut Position, area: &[Point]) -> Option<Point> {
        let mut best: Option<(i32, Point)> = None;
        for &point in area {
            if !position.is_legal(point) {
                continue;
            }
            position.play(point);
            let score = if position.won() {
                None
            } else {
                self.judge(position, self.wanted.nodes / QUICK / 4)
            };
            position.undo();
            let Some(score) = score else { continue };
            let off = score.units().abs();
            if best.is_none_or(|(least, _)| off < least) {
                best = Some((off, point));
            }
        }
        best.filter(|&(off, _)| off <= HOPE * self.wanted.window)
            .map(|(_, point)| point)
    }
}

/// The stones of each colour, the same for all turned and mirrored copies.
fn key(position: &Position) -> String {
    let size = position.size();
    let copies = size.symmetries().map(|symmetry| {
        let mut stones: Vec<(Color, Point)> = position
            .moves()
            .map(|(color, point)| (color, symmetry.apply(size, point)))
            .collect();
        stones.sort_by_key(|&(color, point)| (color.index(), point));
        let text = |(color, point): &(Color, Point)| format!("{}{point}", color.index());
        stones.iter().map(text).collect::<String>()
    });
    copies.min().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wanted(threads: usize) -> Wanted {
        Wanted {
            rule: Rule::Renju,
            size: BoardSize::default(),
            count: 6,
            stones: 3..=6,
            seed: 4,
            window: 120,
            nodes: 3_000,
            threads,
        }
    }

    fn list(wanted: &Wanted) -> Vec<Balanced> {
        let mut all = Vec::new();
        make(wanted, |balanced, _| {
            all.push(balanced.clone());
            true
        });
        all
    }

    #[test]
    fn openings_are_balanced_legal_and_reproducible() {
        let openings = list(&wanted(1));
        assert_eq!(openings.len(), 6);
        assert_eq!(openings, list(&wanted(3)));
        for opening in &openings {
            let read = Position::from_moves(Rule::Renju, BoardSize::default(), &opening.moves);
            let stones = read.map_or(0, |position| position.ply());
            assert!((3..=6).contains(&stones), "{opening:?}");
            assert!(opening.score.units().abs() <= 120);
        }
    }

    #[test]
    fn copies_have_the_same_key() {
        let size = BoardSize::default();
        let key_of = |text| Position::from_moves(Rule::Freestyle, size, text).map(|p| key(&p));
        assert_eq!(key_of("a1b1c3"), key_of("c3b1a1"));
        assert_eq!(key_of("a1b1c3"), key_of("o15o14m13"));
        assert_ne!(key_of("a1b1c3"), key_of("b1a1c3"));
    }
}
