//! The score of a run so far, kept up game by game.

use super::opinion;
use super::record::{Game, Move, Reason};
use super::stats::{Outcome, Pairs, Rating, Tally, ratings};
use crate::rules::Color;
use std::collections::{BTreeMap, HashMap};

/// How one player did against another.
#[derive(Clone, Debug, Default)]
pub struct Meeting {
    /// Each game once, from the first player's side.
    pub tally: Tally,
    /// The first player's games with black and with white.
    pub by_color: [Tally; 2],
    /// Pairs of games that are complete.
    pub pairs: Pairs,
    half: HashMap<usize, Outcome>,
}

impl Meeting {
    fn add(&mut self, pair: usize, color: Color, outcome: Outcome) {
        self.tally.add(outcome);
        self.by_color[color.index()].add(outcome);
        match self.half.remove(&pair) {
            None => {
                self.half.insert(pair, outcome);
            }
            Some(other) => self.pairs.add(other, outcome),
        }
    }
}

/// Moves, time and searches of one player.
#[derive(Clone, Debug, Default)]
pub struct Effort {
    /// Moves made.
    pub moves: u64,
    /// Milliseconds they took.
    pub ms: f64,
    /// The longest of them.
    pub longest: f64,
    /// Games lost by misbehaviour, by reason.
    pub faults: BTreeMap<Reason, u64>,
    depths: BTreeMap<u32, u64>,
    told_nodes: f64,
    told_ms: f64,
}

impl Effort {
    fn add(&mut self, played: &Move) {
        self.moves += 1;
        self.ms += played.ms;
        self.longest = self.longest.max(played.ms);
        let Some(message) = &played.message else {
            return;
        };
        if let Some(depth) = opinion::depth(message) {
            *self.depths.entry(depth).or_default() += 1;
        }
        if let Some(nodes) = opinion::nodes(message) {
            self.told_nodes += nodes;
            self.told_ms += played.ms;
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
        (self.told_ms > 0.0).then(|| 1000.0 * self.told_nodes / self.told_ms)
    }
}

/// All meetings of a run.
#[derive(Clone, Debug)]
pub struct Standing {
    names: Vec<String>,
    meetings: BTreeMap<(usize, usize), Meeting>,
    efforts: Vec<Effort>,
    reasons: BTreeMap<Reason, u64>,
    games: u64,
    black: Tally,
}

impl Standing {
    /// Nothing played yet.
    pub fn new(names: Vec<String>) -> Standing {
        Standing {
            efforts: vec![Effort::default(); names.len()],
            names,
            meetings: BTreeMap::new(),
            reasons: BTreeMap::new(),
            games: 0,
            black: Tally::default(),
        }
    }

    /// Counts a game; one of strangers is left out.
    pub fn add(&mut self, game: &Game) {
        let index = |name: &str| self.names.iter().position(|n| n == name);
        let Some((black, white)) = index(&game.black).zip(index(&game.white)) else {
            return;
        };
        let outcome = game.outcome_for_black();
        self.games += 1;
        self.black.add(outcome);
        *self.reasons.entry(game.reason).or_default() += 1;
        let key = (black.min(white), black.max(white));
        let (color, seen) = if black <= white {
            (Color::Black, outcome)
        } else {
            (Color::White, outcome.reversed())
        };
        let meeting = self.meetings.entry(key).or_default();
        meeting.add(game.pair(), color, seen);
        let opening = game.opening.bytes().filter(u8::is_ascii_alphabetic).count();
        for (i, played) in game.moves.iter().enumerate() {
            let mover = if (opening + i) % 2 == 0 { black } else { white };
            self.efforts[mover].add(played);
        }
        if game.reason.is_fault() {
            let loser = if outcome == Outcome::Loss {
                black
            } else {
                white
            };
            *self.efforts[loser].faults.entry(game.reason).or_default() += 1;
        }
    }

    /// Who takes part.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// Games counted.
    pub fn games(&self) -> u64 {
        self.games
    }

    /// How black did over all games.
    pub fn black(&self) -> Tally {
        self.black
    }

    /// How often games ended for which reason.
    pub fn reasons(&self) -> &BTreeMap<Reason, u64> {
        &self.reasons
    }

    /// Moves and time of each player.
    pub fn efforts(&self) -> &[Effort] {
        &self.efforts
    }

    /// Each two players that met, the one listed first first.
    pub fn meetings(&self) -> impl Iterator<Item = ((usize, usize), &Meeting)> {
        self.meetings.iter().map(|(&key, meeting)| (key, meeting))
    }

    /// The first meeting of the list: all there is in a match of two.
    pub fn first(&self) -> Option<&Meeting> {
        self.meetings.values().next()
    }

    /// How a player did against everyone.
    pub fn tally(&self, player: usize) -> Tally {
        let mut total = Tally::default();
        for (&(first, second), meeting) in &self.meetings {
            if first == player {
                total += meeting.tally;
            } else if second == player {
                total += meeting.tally.reversed();
            }
        }
        total
    }

    /// Ratings by maximum likelihood.
    pub fn ratings(&self) -> Vec<Rating> {
        let results: Vec<(usize, usize, Tally)> = self
            .meetings
            .iter()
            .map(|(&(first, second), meeting)| (first, second, meeting.tally))
            .collect();
        ratings(self.names.len(), &results)
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::arena::record::{Move, Winner};

    fn game(number: usize, black: &str, white: &str, winner: Winner, reason: Reason) -> Game {
        let ms = |ms: f64| Move {
            point: "h8".into(),
            ms,
            eval: None,
            message: (ms < 7.0).then(|| format!("depth {ms}-20 nodes {ms}k")),
        };
        Game {
            number,
            black: black.into(),
            white: white.into(),
            opening: "a1b2c3".into(),
            moves: vec![ms(5.0), ms(7.0), ms(6.0)],
            winner,
            reason,
            detail: String::new(),
            started: 0,
        }
    }

    #[test]
    fn games_are_counted_from_every_side() {
        let mut standing = Standing::new(vec!["A".into(), "B".into()]);
        standing.add(&game(0, "A", "B", Winner::Black, Reason::Five));
        standing.add(&game(2, "A", "B", Winner::Draw, Reason::Draw));
        standing.add(&game(1, "B", "A", Winner::White, Reason::Time));
        standing.add(&game(9, "C", "A", Winner::White, Reason::Five));
        let meeting = standing.first().unwrap();
        assert_eq!((meeting.tally.wins, meeting.tally.draws), (2, 1));
        assert_eq!(meeting.pairs, Pairs([0, 0, 0, 0, 1]));
        assert_eq!(meeting.by_color[0].games(), 2);
        assert_eq!(meeting.by_color[1].wins, 1);
        assert_eq!(standing.games(), 3);
        assert_eq!((standing.black().wins, standing.black().losses), (1, 1));
        assert_eq!(standing.efforts()[1].faults[&Reason::Time], 1);
        // Three stones of opening: white moves first.
        assert_eq!(standing.efforts()[1].moves, 2 + 2 + 1);
        assert_eq!(standing.efforts()[0].longest, 7.0);
    }

    #[test]
    fn searches_are_counted_by_what_their_player_says() {
        let mut standing = Standing::new(vec!["A".into(), "B".into(), "C".into()]);
        assert_eq!(
            (standing.efforts()[0].depth(), standing.efforts()[0].speed()),
            (None, None)
        );
        standing.add(&game(0, "A", "B", Winner::Black, Reason::Five));
        standing.add(&game(1, "A", "B", Winner::Black, Reason::Five));
        standing.add(&game(2, "B", "A", Winner::Black, Reason::Five));
        // B: twice depth 5 and 6, once one that says nothing; as many thousands of
        // nodes as milliseconds.
        let efforts = standing.efforts();
        assert_eq!(
            (efforts[1].depth(), efforts[1].speed()),
            (Some(5), Some(1e6))
        );
        assert_eq!(
            (efforts[0].depth(), efforts[0].speed()),
            (Some(5), Some(1e6))
        );
        assert_eq!((efforts[2].depth(), efforts[2].speed()), (None, None));
    }
}
