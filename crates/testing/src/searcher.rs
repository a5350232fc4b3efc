//! A position with one right move, and the nodes that the search takes to see
//! which.
use crate::weights::weights;
use quincunx_engine::position::Position;
use quincunx_engine::rules::{Point, PointSet};
use quincunx_engine::search::{Limits, Line, Report, Searcher, TranspositionTable};
use std::sync::Arc;

/// One thread that searches every position as if it were the first.
pub struct FreshSearcher {
    table: Arc<TranspositionTable>,
    searcher: Searcher,
}

/// A searcher with a small table and the weights of the program.
impl Default for FreshSearcher {
    fn default() -> FreshSearcher {
        let table = Arc::new(TranspositionTable::new(4 << 20));
        FreshSearcher {
            searcher: Searcher::new(Arc::clone(&table), weights()),
            table,
        }
    }
}

impl FreshSearcher {
    /// Searches so many nodes without some moves at the root.
    pub fn search_without(
        &mut self,
        position: &Position,
        excluded: PointSet,
        nodes: u64,
        report: &mut dyn Report,
    ) -> Line {
        self.table.clear();
        self.searcher.forget();
        let limits = Limits {
            nodes,
            excluded,
            ..Limits::default()
        };
        self.searcher.search(position, &limits, report)
    }

    /// Searches so many nodes.
    pub fn search(&mut self, position: &Position, nodes: u64) -> Line {
        self.search_without(position, PointSet::EMPTY, nodes, &mut ())
    }

    /// After how many nodes the search has the right move and does not change
    /// its mind any more, within the limit.
    pub fn nodes_to_solution(
        &mut self,
        position: &Position,
        right: Point,
        nodes: u64,
    ) -> Option<u64> {
        let mut watch = Watch { right, since: None };
        let result = self.search_without(position, PointSet::EMPTY, nodes, &mut watch);
        let found = result.best() == Some(right);
        found.then(|| watch.since.unwrap_or(result.nodes))
    }
}

/// Notes since which iteration the best move has been the right one.
struct Watch {
    right: Point,
    since: Option<u64>,
}

impl Report for Watch {
    fn progress(&mut self, info: &Line) {
        if info.best() == Some(self.right) {
            self.since.get_or_insert(info.nodes);
        } else {
            self.since = None;
        }
    }

    fn stop(&mut self, _: u64) -> bool {
        false
    }
}
