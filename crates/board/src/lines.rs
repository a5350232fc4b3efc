//! The lines of a search as they are told: an iteration at a time.

use quincunx_engine::engine::PvInfo;
use std::cmp::Reverse;

/// The lines of a search.
#[derive(Default)]
pub(super) struct Lines {
    /// The last line of each rank.
    ranks: Vec<PvInfo>,
    /// The rank that was heard last, and whether it is still to be told.
    rank: usize,
    is_untold: bool,
    /// What is told, the best first.
    told: Vec<PvInfo>,
}

impl Lines {
    /// Takes in a line, and returns whether there is something to tell. That is all lines of
    /// an iteration, whose values can be compared as they are of the same depth; of the first
    /// iteration the lines so far.
    pub(super) fn take(&mut self, info: PvInfo) -> bool {
        // Lines that are decided are not searched again, so an iteration may lack its last.
        let is_next = info.rank <= self.rank && self.is_untold;
        if is_next {
            self.tell_lines();
        }
        self.rank = info.rank;
        let is_first = info.rank >= self.ranks.len();
        let is_last = info.rank + 1 >= info.lines;
        match self.ranks.get_mut(info.rank) {
            Some(line) => *line = info,
            None => self.ranks.push(info),
        }
        self.is_untold = true;
        if is_first || is_last {
            self.tell_lines();
        }
        is_first || is_last || is_next
    }

    /// What is told, with all that was found where the search is over.
    pub(super) fn told(&mut self, is_over: bool) -> Vec<PvInfo> {
        if is_over && self.is_untold {
            self.tell_lines();
        }
        self.told.clone()
    }

    /// Tells the lines, the best first: one may turn out better than another that was
    /// searched before it.
    fn tell_lines(&mut self) {
        self.is_untold = false;
        let lines = &mut self.told;
        lines.clone_from(&self.ranks);
        // A move that has changed its rank may still have its old one, too.
        lines.sort_by_key(|line| Reverse(line.depth));
        let mut moves = Vec::new();
        lines.retain(|line| {
            let is_new = !moves.contains(&line.pv.first().copied());
            moves.push(line.pv.first().copied());
            is_new
        });
        lines.sort_by_key(|line| Reverse(line.score));
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use quincunx_engine::score::Score;
    use std::time::Duration;

    fn told(lines: &Lines) -> String {
        let line = |line: &PvInfo| format!("{}={}", line.pv[0], line.score.units());
        lines.told.iter().map(line).collect::<Vec<_>>().join(" ")
    }

    /// Lines of different depths once stood beside each other in the order of the searches.
    #[test]
    fn lines_are_told_by_iterations_the_best_first() {
        let mut lines = Lines::default();
        let mut hear = |depth, rank, point: &str, score| {
            let info = PvInfo {
                rank,
                lines: 3,
                depth,
                seldepth: depth,
                score: Score::new(score),
                nodes: 1,
                elapsed: Duration::ZERO,
                pv: vec![point.parse().unwrap()],
            };
            (lines.take(info), told(&lines))
        };
        let news = |lines: &str| (true, lines.to_owned());
        let silence = |lines: &str| (false, lines.to_owned());
        assert_eq!(hear(1, 0, "h8", 50), news("h8=50"));
        assert_eq!(hear(1, 1, "h7", 60), news("h7=60 h8=50"));
        let first = "h7=60 h8=50 h6=10";
        assert_eq!(hear(1, 2, "h6", 10), news(first));
        assert_eq!(hear(2, 0, "h8", 40), silence(first));
        assert_eq!(hear(2, 1, "h6", 45), silence(first));
        let second = "h6=45 h8=40 h7=30";
        assert_eq!(hear(2, 2, "h7", 30), news(second));
        // The first line is decided and not heard of again, nor is the last.
        assert_eq!(hear(3, 1, "h7", 20), silence(second));
        let third = "h8=40 h7=20";
        assert_eq!(hear(4, 1, "h6", 25), news(third));
        assert_eq!(hear(4, 2, "h7", 15), news("h8=40 h6=25 h7=15"));
    }
}
