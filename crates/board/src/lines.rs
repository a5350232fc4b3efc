//! The lines of a search, an iteration at a time.

use quincunx_engine::engine::Line;

/// The lines of a search.
#[derive(Default)]
pub(super) struct Lines {
    /// The lines of the iteration that is being reported.
    next: Vec<Line>,
    /// The lines of the last iteration, the best first.
    last: Vec<Line>,
}

impl Lines {
    /// Takes in a line, and returns whether the iteration is complete with it.
    pub(super) fn take(&mut self, info: Line) -> bool {
        if info.rank == 0 {
            self.next.clear();
        }
        let is_last = info.rank + 1 >= info.lines;
        self.next.push(info);
        if is_last {
            self.last = std::mem::take(&mut self.next);
        }
        is_last
    }

    /// The lines of the last iteration, the best first.
    pub(super) fn last(&self) -> &[Line] {
        &self.last
    }
}
