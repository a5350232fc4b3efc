//! Rated games that look arranged, for the administrator to judge.
//!
//! Two accounts of one person can't be recognised. What they do to ratings is damped by
//! [`Archive::weight`](super::archive::Archive::weight), and listed here.

use super::archive::{FinishedGame, Newcomers, pair};
use super::people::People;
use super::person::PersonId;
use crate::rating::Score;
use serde::Serialize;
use std::cmp::Reverse;
use std::collections::HashMap;

/// The least number of rated games of a row, and of a person in it. Fewer prove nothing.
const LEAST_GAMES: u32 = 3;
const LEAST_GAMES_OF_ONE: u32 = 8;

/// A result is one-sided where one player has this share of the points.
const ONE_SIDED: f64 = 0.85;

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
    /// A person whose rated games are one-sided, and most of them short or from one address.
    Person {
        /// The name.
        player: String,
        /// The number of rated games.
        games: u32,
        /// The number that the person won, drew and lost.
        results: [u32; 3],
        /// The number with fewer than twelve moves.
        short: u32,
        /// The number in which both came from one address.
        one_address: u32,
    },
}

/// The counts of some games, as one of the players sees the results.
#[derive(Clone, Copy, Debug, Default)]
struct Count {
    results: [u32; 3],
    short: u32,
    one_address: u32,
    /// The number of games that are short or from one address.
    doubtful: u32,
}

impl Count {
    fn add(&mut self, game: &FinishedGame, score: Score) {
        self.results[score.index()] += 1;
        self.short += u32::from(game.is_short());
        self.one_address += u32::from(game.one_address);
        self.doubtful += u32::from(game.is_short() || game.one_address);
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

    /// Returns true if all games of a person look arranged.
    fn is_suspicious_of_one(&self) -> bool {
        let games = self.games();
        games >= LEAST_GAMES_OF_ONE && self.share() >= ONE_SIDED && 2 * self.doubtful > games
    }
}

/// Counts of rated games, from which the list is made.
#[derive(Debug, Default)]
pub struct Suspicion {
    pairs: HashMap<(PersonId, PersonId), Count>,
    of_newcomers: HashMap<PersonId, Count>,
    of_one: HashMap<PersonId, Count>,
    newcomers: Newcomers,
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
        for (person, other, score) in [(first, second, score), (second, first, score.reversed())] {
            if self.newcomers.contains(other) {
                let of_newcomers = self.of_newcomers.entry(person).or_default();
                of_newcomers.add(game, score);
            }
            self.of_one.entry(person).or_default().add(game, score);
        }
        self.newcomers.add([first, second], game);
    }

    /// The list: of each kind the rows with the most games first.
    pub fn list(&self, people: &People) -> Vec<Suspicious> {
        let pairs = most_games(&self.pairs, Count::is_suspicious);
        let pairs = pairs.map(|((first, second), count)| Suspicious::Pair {
            players: [first, second].map(|id| people.name(id)),
            games: count.games(),
            results: count.results,
            short: count.short,
            one_address: count.one_address,
        });
        let wins_most = |it: &Count| it.games() > LEAST_GAMES && it.share() >= ONE_SIDED;
        let newcomers = most_games(&self.of_newcomers, wins_most);
        let newcomers = newcomers.map(|(id, count)| Suspicious::Newcomers {
            player: people.name(id),
            games: count.games(),
            results: count.results,
            one_address: count.one_address,
            of: self.of_one.get(&id).map_or(0, Count::games),
        });
        let persons = most_games(&self.of_one, Count::is_suspicious_of_one);
        let persons = persons.map(|(id, count)| Suspicious::Person {
            player: people.name(id),
            games: count.games(),
            results: count.results,
            short: count.short,
            one_address: count.one_address,
        });
        pairs.chain(newcomers).chain(persons).collect()
    }
}

/// The counts that a condition holds for, those with the most games first.
fn most_games<K: Copy + Ord>(
    counts: &HashMap<K, Count>,
    is_listed: impl Fn(&Count) -> bool,
) -> impl Iterator<Item = (K, &Count)> {
    let listed = counts.iter().filter(|(_, count)| is_listed(count));
    let mut listed: Vec<(K, &Count)> = listed.map(|(key, count)| (*key, count)).collect();
    listed.sort_by_key(|(key, count)| (Reverse(count.games()), *key));
    listed.into_iter().take(LISTED)
}
