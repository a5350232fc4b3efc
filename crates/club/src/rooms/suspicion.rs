//! Rated games that look arranged, for the administrator to judge.
//!
//! Two accounts of one person can't be recognised. What they do to ratings is damped by
//! [`Archive::weight`](super::archive::Archive::weight), and listed here.

use super::archive::{FinishedGame, NEWCOMER_GAMES, pair};
use super::people::People;
use super::person::PersonId;
use crate::rating::Score;
use serde::Serialize;
use std::collections::HashMap;

/// The fewest rated games of a list's row. Fewer say nothing.
const LEAST_GAMES: u32 = 3;

/// A result is one-sided where one player has this share of the points.
const ONE_SIDED: f64 = 0.85;

/// A game with fewer moves is short: hardly any is lost that early by honest play.
const SHORT: usize = 12;

/// The most rows of each kind.
const LISTED: usize = 50;

/// A row of the list.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Suspicious {
    /// Two people whose rated games are one-sided, short, or all drawn.
    Pair {
        /// Their names.
        players: [String; 2],
        /// The number of their rated games.
        games: u32,
        /// The number that the first of them won, drew and lost.
        results: [u32; 3],
        /// The number with fewer than twelve moves.
        short: u32,
        /// The number in which both came from one address.
        one_address: u32,
    },
    /// A person who has beaten many newcomers.
    Newcomers {
        /// The name.
        player: String,
        /// The number of rated games against people with fewer than five.
        games: u32,
        /// The number that the person won, drew and lost.
        results: [u32; 3],
        /// The number in which both came from one address.
        one_address: u32,
        /// The number of all rated games of the person.
        of: u32,
    },
}

/// The counts of some games, as one of the players sees the results.
#[derive(Clone, Copy, Debug, Default)]
struct Count {
    results: [u32; 3],
    short: u32,
    one_address: u32,
}

impl Count {
    fn add(&mut self, game: &FinishedGame, score: Score) {
        self.results[score.index()] += 1;
        let moves = game.moves.bytes().filter(u8::is_ascii_alphabetic).count();
        self.short += u32::from(moves < SHORT);
        self.one_address += u32::from(game.one_address);
    }

    fn games(&self) -> u32 {
        self.results.iter().sum()
    }

    /// The player's share of the points.
    fn share(&self) -> f64 {
        let [wins, draws, _] = self.results.map(f64::from);
        (wins + draws / 2.0) / f64::from(self.games().max(1))
    }

    fn is_suspicious(&self) -> bool {
        let games = self.games();
        let is_drawn = self.results[Score::Draw.index()] == games;
        let is_short = 2 * self.short > games;
        let is_one_sided = self.share().max(1.0 - self.share()) >= ONE_SIDED;
        games >= LEAST_GAMES && (is_one_sided || is_drawn || is_short)
    }
}

/// Counts of rated games, from which the list is made.
#[derive(Debug, Default)]
pub struct Suspicion {
    pairs: HashMap<(PersonId, PersonId), Count>,
    newcomers: HashMap<PersonId, Count>,
    games: HashMap<PersonId, u32>,
}

impl Suspicion {
    /// Counts a game. They come in the order of their numbers.
    pub fn add(&mut self, game: &FinishedGame) {
        let [Some(first), Some(second)] = game.players.map(|it| it.person()) else {
            return;
        };
        if !game.counts() {
            return;
        }
        let (score, key) = (game.score(), pair(first, second));
        let of_key = if key.0 == first {
            score
        } else {
            score.reversed()
        };
        self.pairs.entry(key).or_default().add(game, of_key);
        let before = [first, second].map(|it| self.games.get(&it).copied().unwrap_or_default());
        for (person, others_games, score) in [
            (first, before[1], score),
            (second, before[0], score.reversed()),
        ] {
            if others_games < NEWCOMER_GAMES {
                self.newcomers.entry(person).or_default().add(game, score);
            }
            *self.games.entry(person).or_default() += 1;
        }
    }

    /// The list: of each kind the rows with the most games first.
    pub fn list(&self, people: &People) -> Vec<Suspicious> {
        let pairs = self.pairs.iter().filter(|(_, count)| count.is_suspicious());
        let mut pairs: Vec<_> = pairs.collect();
        pairs.sort_by_key(|(key, count)| (std::cmp::Reverse(count.games()), **key));
        let pair_row =
            |((first, second), count): (&(PersonId, PersonId), &Count)| Suspicious::Pair {
                players: [first, second].map(|id| people.name(*id)),
                games: count.games(),
                results: count.results,
                short: count.short,
                one_address: count.one_address,
            };
        let wins_most = |(_, count): &(&PersonId, &Count)| {
            count.games() > LEAST_GAMES && count.share() >= ONE_SIDED
        };
        let mut newcomers: Vec<_> = self.newcomers.iter().filter(wins_most).collect();
        newcomers.sort_by_key(|(id, count)| (std::cmp::Reverse(count.games()), **id));
        let newcomer_row = |(id, count): (&PersonId, &Count)| Suspicious::Newcomers {
            player: people.name(*id),
            games: count.games(),
            results: count.results,
            one_address: count.one_address,
            of: self.games.get(id).copied().unwrap_or_default(),
        };
        let pairs = pairs.into_iter().take(LISTED).map(pair_row);
        let newcomers = newcomers.into_iter().take(LISTED).map(newcomer_row);
        pairs.chain(newcomers).collect()
    }
}
