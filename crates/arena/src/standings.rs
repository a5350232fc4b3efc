//! The standings of a match, kept up game by game.

use super::record::{MatchGame, MatchMove, Reason};
use super::remarks;
use super::stats::{
    Decision, EloEstimate, Meeting, Pairs, Rating, Ratings, Sprt, Tally, Wdl, first_move,
};
use quincunx_engine::rules::Color;
use std::collections::{BTreeMap, HashMap};

/// The results of one engine against another.
#[derive(Clone, Debug, Default)]
pub struct HeadToHead {
    /// Each game once, from the first player's side.
    pub(crate) tally: Tally,
    /// The first player's games with black and with white.
    pub by_color: [Tally; 2],
    /// Pairs of games that are complete.
    pub pairs: Pairs,
    /// The same pairs from black's side.
    black_pairs: Pairs,
    /// The first game of each other pair, from the first player's side and from black's.
    half: HashMap<usize, [Wdl; 2]>,
}

impl HeadToHead {
    /// The difference in strength in favour of the first player: from pairs where there are any,
    /// from single games until then.
    pub(super) fn estimate(&self) -> Option<EloEstimate> {
        EloEstimate::from_pairs(&self.pairs).or_else(|| EloEstimate::from_games(&self.tally))
    }

    fn add(&mut self, pair: usize, color: Color, outcome: Wdl) {
        self.tally.add(outcome);
        self.by_color[color.index()].add(outcome);
        let for_black = match color {
            Color::Black => outcome,
            Color::White => outcome.reversed(),
        };
        match self.half.remove(&pair) {
            None => {
                self.half.insert(pair, [outcome, for_black]);
            }
            Some([other, other_for_black]) => {
                self.pairs.add(other, outcome);
                self.black_pairs.add(other_for_black, for_black);
            }
        }
    }
}

/// The moves, time and searches of one engine.
#[derive(Clone, Debug, Default)]
pub struct EngineStats {
    /// Moves made.
    pub moves: u64,
    /// Milliseconds they took.
    pub ms: f64,
    /// The longest of them, or of the time for a move that came too late.
    pub longest: f64,
    /// Games lost by misbehaviour, by reason.
    pub faults: BTreeMap<Reason, u64>,
    depths: BTreeMap<u32, u64>,
    reported_nodes: f64,
    reported_ms: f64,
}

impl EngineStats {
    fn add(&mut self, played: &MatchMove) {
        self.moves += 1;
        self.ms += played.ms;
        self.longest = self.longest.max(played.ms);
        let Some(message) = &played.message else {
            return;
        };
        if let Some(depth) = remarks::depth(message) {
            *self.depths.entry(depth).or_default() += 1;
        }
        if let Some(nodes) = remarks::nodes(message) {
            self.reported_nodes += nodes;
            self.reported_ms += played.ms;
        }
    }

    /// The depth most searches reached, their median, by the player's own remarks.
    pub fn depth(&self) -> Option<u32> {
        let mut left = self.depths.values().sum::<u64>().div_ceil(2);
        self.depths.iter().find_map(|(&depth, &count)| {
            left = left.saturating_sub(count);
            (left == 0).then_some(depth)
        })
    }

    /// Nodes a second: those of the player's own remarks by our clock, over all
    /// moves that have such a remark.
    pub fn speed(&self) -> Option<f64> {
        (self.reported_ms > 0.0).then(|| 1000.0 * self.reported_nodes / self.reported_ms)
    }
}

/// The results of a match so far: of every two engines that met, and of each
/// engine.
#[derive(Clone, Debug)]
pub struct Standings {
    names: Vec<String>,
    head_to_heads: BTreeMap<(usize, usize), HeadToHead>,
    engine_stats: Vec<EngineStats>,
    reasons: BTreeMap<Reason, u64>,
    games: u64,
    black: Tally,
    /// The results of black by opening.
    openings: BTreeMap<String, Tally>,
}

impl Standings {
    /// Nothing played yet.
    pub fn new(names: Vec<String>) -> Standings {
        Standings {
            engine_stats: vec![EngineStats::default(); names.len()],
            names,
            head_to_heads: BTreeMap::new(),
            reasons: BTreeMap::new(),
            games: 0,
            black: Tally::default(),
            openings: BTreeMap::new(),
        }
    }

    /// Counts a game; one of strangers is left out.
    pub fn add(&mut self, game: &MatchGame) {
        let index = |name: &str| self.names.iter().position(|n| n == name);
        let Some((black, white)) = index(&game.black).zip(index(&game.white)) else {
            return;
        };
        let outcome = game.wdl_for(Color::Black);
        self.games += 1;
        self.black.add(outcome);
        let of_opening = self.openings.entry(game.opening.clone()).or_default();
        of_opening.add(outcome);
        *self.reasons.entry(game.reason).or_default() += 1;
        let key = (black.min(white), black.max(white));
        let (color, seen) = if black <= white {
            (Color::Black, outcome)
        } else {
            (Color::White, outcome.reversed())
        };
        let head_to_head = self.head_to_heads.entry(key).or_default();
        head_to_head.add(game.pair(), color, seen);
        let opening = game.opening_stones();
        for (i, played) in game.moves.iter().enumerate() {
            let mover = [black, white][(opening + i) % 2];
            self.engine_stats[mover].add(played);
        }
        if game.reason.is_fault() {
            let loser = if outcome == Wdl::Loss { black } else { white };
            let stats = &mut self.engine_stats[loser];
            stats.longest = stats.longest.max(game.late_ms.unwrap_or(0.0));
            *self.engine_stats[loser]
                .faults
                .entry(game.reason)
                .or_default() += 1;
        }
    }

    /// Returns the names of the players.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// Games counted.
    pub fn games(&self) -> u64 {
        self.games
    }

    /// Returns the results of black over all games.
    pub fn black(&self) -> Tally {
        self.black
    }

    /// The results of black by opening.
    pub(crate) fn openings(&self) -> &BTreeMap<String, Tally> {
        &self.openings
    }

    /// The games of one player against another, from the side of the first.
    pub(crate) fn between(&self, player: usize, other: usize) -> Tally {
        let key = (player.min(other), player.max(other));
        let tally = self.head_to_heads.get(&key).map(|found| found.tally);
        let tally = tally.unwrap_or_default();
        if player <= other {
            tally
        } else {
            tally.reversed()
        }
    }

    /// Returns the number of games by the reason of their end.
    pub(crate) fn reasons(&self) -> &BTreeMap<Reason, u64> {
        &self.reasons
    }

    /// Moves and time of each player.
    pub(crate) fn engine_stats(&self) -> &[EngineStats] {
        &self.engine_stats
    }

    /// Each two players that met, the one listed first first.
    pub(crate) fn head_to_heads(&self) -> impl Iterator<Item = ((usize, usize), &HeadToHead)> {
        self.head_to_heads
            .iter()
            .map(|(&key, head_to_head)| (key, head_to_head))
    }

    /// The first two engines that met: all there is in a match of two.
    pub fn first(&self) -> Option<&HeadToHead> {
        self.head_to_heads.values().next()
    }

    /// Returns the decision of a test of the first two players.
    pub(super) fn decision(&self, sprt: Option<&Sprt>) -> Decision {
        let tested = sprt.zip(self.first());
        tested.map_or(Decision::Continue, |(sprt, first)| {
            sprt.decide(sprt.llr(&first.pairs))
        })
    }

    /// Returns the results of a player against all others.
    pub(crate) fn tally(&self, player: usize) -> Tally {
        let mut total = Tally::default();
        for (&(first, second), head_to_head) in &self.head_to_heads {
            if first == player {
                total += head_to_head.tally;
            } else if second == player {
                total += head_to_head.tally.reversed();
            }
        }
        total
    }

    /// Ratings by maximum likelihood.
    pub(crate) fn ratings(&self) -> Ratings {
        Ratings::new(self.names.len(), &self.meetings())
    }

    /// By how much a player is stronger with black than with white; nothing before the first
    /// game.
    pub(crate) fn first_move(&self) -> Option<Rating> {
        first_move(self.names.len(), &self.meetings())
    }

    fn meetings(&self) -> Vec<Meeting> {
        let meeting = |(&players, head_to_head): (&(usize, usize), &HeadToHead)| Meeting {
            players,
            tally: head_to_head.tally,
            by_color: head_to_head.by_color,
            pairs: head_to_head.pairs,
            black_pairs: head_to_head.black_pairs,
        };
        self.head_to_heads.iter().map(meeting).collect()
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::record::MatchMove;

    fn game(
        number: usize,
        black: &str,
        white: &str,
        winner: Option<Color>,
        reason: Reason,
    ) -> MatchGame {
        let ms = |ms: f64| MatchMove {
            point: "h8".into(),
            ms,
            eval: None,
            message: (ms < 7.0).then(|| format!("depth {ms}-20 nodes {ms}k")),
        };
        MatchGame {
            number,
            black: black.into(),
            white: white.into(),
            opening: "a1b2c3".into(),
            swap: Vec::new(),
            moves: vec![ms(5.0), ms(7.0), ms(6.0)],
            winner,
            reason,
            detail: String::new(),
            late_ms: (reason == Reason::Time).then_some(12.5),
            started: 0,
        }
    }

    #[test]
    fn games_are_counted_from_every_side() {
        let mut standings = Standings::new(vec!["A".into(), "B".into()]);
        standings.add(&game(0, "A", "B", Some(Color::Black), Reason::Five));
        standings.add(&game(2, "A", "B", None, Reason::Draw));
        standings.add(&game(1, "B", "A", Some(Color::White), Reason::Time));
        standings.add(&game(9, "C", "A", Some(Color::White), Reason::Five));
        let head_to_head = standings.first().unwrap();
        assert_eq!((head_to_head.tally.wins, head_to_head.tally.draws), (2, 1));
        assert_eq!(head_to_head.pairs, Pairs([0, 0, 0, 0, 1]));
        assert_eq!(head_to_head.black_pairs, Pairs([0, 0, 1, 0, 0]));
        assert_eq!(head_to_head.by_color[0].games(), 2);
        assert_eq!(head_to_head.by_color[1].wins, 1);
        assert_eq!(standings.games(), 3);
        assert_eq!((standings.black().wins, standings.black().losses), (1, 1));
        assert_eq!(standings.engine_stats()[1].faults[&Reason::Time], 1);
        // Three stones of opening: white moves first.
        assert_eq!(standings.engine_stats()[1].moves, 2 + 2 + 1);
        assert_eq!(standings.engine_stats()[0].longest, 7.0);
        // The move that came too late is none of the moves.
        assert_eq!(standings.engine_stats()[1].longest, 12.5);
    }

    #[test]
    fn searches_are_counted_by_the_remarks_of_their_player() {
        let mut standings = Standings::new(vec!["A".into(), "B".into(), "C".into()]);
        assert_eq!(
            (
                standings.engine_stats()[0].depth(),
                standings.engine_stats()[0].speed()
            ),
            (None, None)
        );
        standings.add(&game(0, "A", "B", Some(Color::Black), Reason::Five));
        standings.add(&game(1, "A", "B", Some(Color::Black), Reason::Five));
        standings.add(&game(2, "B", "A", Some(Color::Black), Reason::Five));
        // B: twice depth 5 and 6, once one that says nothing; as many thousands of
        // nodes as milliseconds.
        let engine_stats = standings.engine_stats();
        assert_eq!(
            (engine_stats[1].depth(), engine_stats[1].speed()),
            (Some(5), Some(1e6))
        );
        assert_eq!(
            (engine_stats[0].depth(), engine_stats[0].speed()),
            (Some(5), Some(1e6))
        );
        assert_eq!(
            (engine_stats[2].depth(), engine_stats[2].speed()),
            (None, None)
        );
    }
}
