//! The score of a run so far, kept up game by game.

use super::record::{Game, Reason};
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

/// Moves and time of one player.
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
            let effort = &mut self.efforts[mover];
            effort.moves += 1;
            effort.ms += played.ms;
            effort.longest = effort.longest.max(played.ms);
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
        let ms = |ms| Move {
            point: "h8".into(),
            ms,
            eval: None,
            message: None,
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
}
