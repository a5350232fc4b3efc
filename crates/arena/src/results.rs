//! What pairs of games have come to, by their numbers in the schedule.

use super::record::MatchGame;
use quincunx_engine::rules::Color;
use std::collections::HashMap;
use std::ops::Range;

/// The points of every pair of games that is complete.
#[derive(Clone, Debug, Default)]
pub struct PairResults {
    /// Half points by pair and player.
    half_points: HashMap<(usize, usize), usize>,
    /// Games by pair.
    games: HashMap<usize, usize>,
}

impl PairResults {
    /// The results of these games between players of these names.
    pub fn new<'g>(
        names: &[String],
        games: impl IntoIterator<Item = &'g MatchGame>,
    ) -> PairResults {
        let index = |name: &str| names.iter().position(|n| n == name);
        let mut results = PairResults::default();
        for game in games {
            let pair = game.pair();
            *results.games.entry(pair).or_default() += 1;
            for color in Color::ALL {
                let name = [&game.black, &game.white][color.index()];
                if let Some(player) = index(name) {
                    let points = game.wdl_for(color).half_points();
                    *results.half_points.entry((pair, player)).or_default() += points;
                }
            }
        }
        results
    }

    /// Returns whether both games of a pair were played.
    pub(super) fn is_complete(&self, pair: usize) -> bool {
        self.games.get(&pair).is_some_and(|&games| games >= 2)
    }

    /// The half points of two players in these pairs, once all are complete.
    pub(super) fn of_pairs(
        &self,
        mut pairs: Range<usize>,
        players: (usize, usize),
    ) -> Option<[usize; 2]> {
        let points = |player| {
            let of_pair = |pair| self.half_points.get(&(pair, player));
            pairs.clone().filter_map(of_pair).sum()
        };
        let sums = [points(players.0), points(players.1)];
        pairs.all(|pair| self.is_complete(pair)).then_some(sums)
    }
}

/// Half points as people write them: `2.5`.
pub(super) fn points(half_points: usize) -> String {
    let half = if half_points.is_multiple_of(2) {
        ""
    } else {
        ".5"
    };
    format!("{}{half}", half_points / 2)
}
