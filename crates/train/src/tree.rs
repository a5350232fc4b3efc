//! Positions of search trees: what the evaluation is asked about, and what the move
//! scores are to order. Many of them would never come up in a game, because one side
//! has just made a mistake. Move scores learn from them what refutes it.

use fastrand::Rng;
use quincunx_engine::eval::{Evaluator, Hybrid, HybridWeights, MoveScore, WeightSet};
use quincunx_engine::position::Position;
use quincunx_engine::rules::{Point, Rule};
use quincunx_engine::score::Score;
use quincunx_engine::search::{Limits, Line, Searcher, TranspositionTable};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Searches, and draws positions from the trees of its searches.
pub(super) struct TreeSampler {
    searcher: Searcher<Watched>,
    table: Arc<TranspositionTable>,
    reservoir: Arc<Mutex<Reservoir>>,
}

impl TreeSampler {
    /// Creates a sampler that draws up to so many positions from each tree of a search
    /// under `rule`.
    pub(super) fn new(
        positions: usize,
        rule: Rule,
        weights: &WeightSet,
        table_bytes: usize,
    ) -> TreeSampler {
        let reservoir = Arc::new(Mutex::new(Reservoir::new(positions)));
        let watched = WatchedWeights {
            hybrid: weights.of(rule),
            reservoir: Arc::clone(&reservoir),
        };
        let mut set = WeightSet::default();
        set.replace(rule, Arc::new(watched));
        let table = Arc::new(TranspositionTable::new(table_bytes));
        TreeSampler {
            searcher: Searcher::with_evaluator(Arc::clone(&table), Arc::new(set)),
            table,
            reservoir,
        }
    }

    /// Forgets earlier searches. What is drawn from now on depends on `seed`.
    pub(super) fn begin(&mut self, seed: u64) {
        self.table.clear();
        self.searcher.forget();
        lock(&self.reservoir).random = Rng::with_seed(seed);
    }

    /// Searches a position.
    pub(super) fn search(&mut self, position: &Position, limits: &Limits) -> Line {
        lock(&self.reservoir).empty();
        self.searcher.search(position, limits, &mut ())
    }

    /// Returns the moves from the position searched last to positions of its tree.
    pub(super) fn lines(&self) -> Vec<Vec<Point>> {
        lock(&self.reservoir).lines.clone()
    }
}

/// Evaluates as [`Hybrid`] does, and offers every position to a reservoir.
struct Watched {
    hybrid: Hybrid,
    reservoir: Arc<Mutex<Reservoir>>,
    /// The number of moves before the search.
    root: usize,
}

struct WatchedWeights {
    hybrid: Arc<HybridWeights>,
    reservoir: Arc<Mutex<Reservoir>>,
}

impl Evaluator for Watched {
    type Weights = WatchedWeights;

    fn built_in(rule: Rule) -> WatchedWeights {
        WatchedWeights {
            hybrid: Arc::new(Hybrid::built_in(rule)),
            reservoir: Arc::new(Mutex::new(Reservoir::new(0))),
        }
    }

    fn new(weights: &Arc<WatchedWeights>, position: &Position) -> Watched {
        Watched {
            hybrid: Hybrid::new(&weights.hybrid, position),
            reservoir: Arc::clone(&weights.reservoir),
            root: position.ply(),
        }
    }

    fn evaluate(&mut self, position: &Position) -> Score {
        if position.ply() > self.root {
            lock(&self.reservoir).offer(position, self.root);
        }
        self.hybrid.evaluate(position)
    }

    fn score_moves(&mut self, position: &Position, points: &[Point], scores: &mut [MoveScore]) {
        self.hybrid.score_moves(position, points, scores);
    }
}

/// Reservoir sampling: each of the positions offered is as likely to be kept as any other,
/// but for those after a null move, which are left out.
struct Reservoir {
    random: Rng,
    capacity: usize,
    /// The positions offered so far, without those left out.
    offered: usize,
    /// The moves from the root to each position that is kept.
    lines: Vec<Vec<Point>>,
}

impl Reservoir {
    fn new(capacity: usize) -> Reservoir {
        Reservoir {
            random: Rng::with_seed(0),
            capacity,
            offered: 0,
            lines: Vec::with_capacity(capacity),
        }
    }

    fn empty(&mut self) {
        self.offered = 0;
        self.lines.clear();
    }

    fn offer(&mut self, position: &Position, root: usize) {
        let mut moves = position.moves().skip(root);
        if moves.any(|(_, point)| point == Point::NONE) {
            return;
        }
        self.offered += 1;
        let place = if self.lines.len() < self.capacity {
            self.lines.len()
        } else {
            self.random.usize(..self.offered)
        };
        if place >= self.capacity {
            return;
        }
        let moves = position.moves().skip(root);
        let line: Vec<Point> = moves.map(|(_, point)| point).collect();
        match self.lines.get_mut(place) {
            Some(kept) => *kept = line,
            None => self.lines.push(line),
        }
    }
}

/// A reservoir is whole after every call.
fn lock(reservoir: &Mutex<Reservoir>) -> MutexGuard<'_, Reservoir> {
    reservoir.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use quincunx_engine::rules::BoardSize;
    use quincunx_engine::threats::{ThreatStatus, threat_status};

    fn sampler(positions: usize) -> (TreeSampler, Position) {
        let weights = WeightSet::default();
        let sampler = TreeSampler::new(positions, Rule::Renju, &weights, 1 << 16);
        let position = Position::from_moves(Rule::Renju, BoardSize::default(), "h8i9g10j8");
        (sampler, position.unwrap())
    }

    fn limits() -> Limits {
        Limits {
            nodes: 3_000,
            ..Limits::default()
        }
    }

    #[test]
    fn lines_lead_to_quiet_positions_below_the_root() {
        let (mut sampler, root) = sampler(20);
        sampler.begin(1);
        sampler.search(&root, &limits());
        let lines = sampler.lines();
        assert_eq!(lines.len(), 20);
        for line in &lines {
            assert!(!line.is_empty());
            let mut position = root.clone();
            for &point in line {
                assert!(position.is_legal(point));
                position.play(point);
            }
            assert_eq!(threat_status(&mut position), ThreatStatus::Quiet);
        }
        sampler.begin(1);
        sampler.search(&root, &limits());
        assert_eq!(sampler.lines(), lines);
        sampler.begin(2);
        sampler.search(&root, &limits());
        assert_ne!(sampler.lines(), lines);
    }

    #[test]
    fn watching_changes_nothing() {
        let (mut watching, root) = sampler(3);
        let watched = watching.search(&root, &limits());
        let table = Arc::new(TranspositionTable::new(1 << 16));
        let mut searcher = Searcher::new(table, Arc::default());
        let plain = searcher.search(&root, &limits(), &mut ());
        assert_eq!(watched.pv, plain.pv);
        assert_eq!((watched.score, watched.nodes), (plain.score, plain.nodes));
    }

    /// Of a hundred positions, each tenth is kept about as often as any other. Those after a
    /// null move don't count.
    #[test]
    fn the_reservoir_is_fair() {
        let mut position = Position::new(Rule::Freestyle, BoardSize::default());
        let points: Vec<Point> = BoardSize::default().iter().collect();
        let mut counts = [0; 10];
        for seed in 0..400 {
            let mut reservoir = Reservoir::new(5);
            reservoir.random = Rng::with_seed(seed);
            for &point in &points[..100] {
                position.play(point);
                reservoir.offer(&position, 0);
                position.pass();
                reservoir.offer(&position, 0);
                position.undo();
                position.undo();
            }
            for line in &reservoir.lines {
                let index = points.iter().position(|point| *point == line[0]).unwrap();
                counts[index / 10] += 1;
            }
        }
        // 2,000 in ten parts of 200, whose standard deviation is 13.
        assert!(
            counts.iter().all(|count| (140..260).contains(count)),
            "{counts:?}"
        );
    }
}
