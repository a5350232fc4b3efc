//! Counted results: of single games, and of pairs of games.

use std::fmt;
use std::ops::AddAssign;

/// The result of a game for one of its players.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Wdl {
    /// The player lost.
    Loss,
    /// A draw.
    Draw,
    /// The player won.
    Win,
}

impl Wdl {
    /// Half points: 0, 1 or 2.
    pub(crate) const fn half_points(self) -> usize {
        match self {
            Wdl::Loss => 0,
            Wdl::Draw => 1,
            Wdl::Win => 2,
        }
    }

    /// The same game from the other side of the board.
    pub(crate) const fn reversed(self) -> Wdl {
        match self {
            Wdl::Loss => Wdl::Win,
            Wdl::Draw => Wdl::Draw,
            Wdl::Win => Wdl::Loss,
        }
    }
}

/// Wins, draws and losses of one player.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Games won.
    pub wins: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games lost.
    pub losses: u64,
}

impl Tally {
    /// Counts one more game.
    pub fn add(&mut self, outcome: Wdl) {
        match outcome {
            Wdl::Loss => self.losses += 1,
            Wdl::Draw => self.draws += 1,
            Wdl::Win => self.wins += 1,
        }
    }

    /// Returns the number of games.
    pub const fn games(self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// Points of all games.
    pub(super) fn points(self) -> f64 {
        self.wins as f64 + self.draws as f64 / 2.0
    }

    /// Points per game, from 0 to 1; a half before the first game.
    pub fn score(self) -> f64 {
        match self.games() {
            0 => 0.5,
            games => self.points() / games as f64,
        }
    }

    /// The same games from the other side of the board.
    pub(crate) const fn reversed(self) -> Tally {
        Tally {
            wins: self.losses,
            draws: self.draws,
            losses: self.wins,
        }
    }
}

/// `wins - losses - draws`.
impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} - {} - {}", self.wins, self.losses, self.draws)
    }
}

impl AddAssign for Tally {
    fn add_assign(&mut self, other: Tally) {
        self.wins += other.wins;
        self.draws += other.draws;
        self.losses += other.losses;
    }
}

/// The numbers of game pairs that gave a player 0, 1/2, 1, 3/2 and 2 points.
///
/// The two games of a pair share their opening, so they are not independent;
/// pairs are. That is why everything that speaks of confidence counts pairs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Pairs(pub [u64; 5]);

impl Pairs {
    /// Counts one more pair.
    pub fn add(&mut self, first: Wdl, second: Wdl) {
        self.0[first.half_points() + second.half_points()] += 1;
    }

    /// Returns the number of pairs.
    pub fn count(&self) -> u64 {
        self.0.iter().sum()
    }

    /// The share of the pairs that one of the players won. In the others the opening may have
    /// decided both games. `None` before the first pair.
    pub(crate) fn decided(&self) -> Option<f64> {
        let all = self.count();
        (all > 0).then(|| 1.0 - self.0[2] as f64 / all as f64)
    }
}

impl AddAssign for Pairs {
    fn add_assign(&mut self, other: Pairs) {
        let counts = self.0.iter_mut().zip(other.0);
        counts.for_each(|(count, more)| *count += more);
    }
}

impl Pairs {
    /// The sum of squared differences of a pair's points from their mean, and the
    /// number of pairs; nothing where all are the same.
    pub(super) fn spread(&self) -> Option<(f64, f64)> {
        let sample = Sample::of_pairs(self);
        let (_, variance) = sample.mean_and_variance();
        // Shares of two points.
        (variance > 0.0).then_some((4.0 * variance * sample.count, sample.count))
    }

    /// The sum of squared differences of a pair's points from these.
    pub(super) fn spread_around(&self, points: f64) -> f64 {
        let halves = self.0.iter().zip([0.0, 0.5, 1.0, 1.5, 2.0]);
        halves
            .map(|(&count, of_pair)| count as f64 * (of_pair - points).powi(2))
            .sum()
    }
}

/// Observed outcomes: how often each share of the points (from 0 to 1) came.
/// Three outcomes describe single games, five describe pairs.
#[derive(Clone, Debug)]
pub(super) struct Sample {
    pub(super) shares: Vec<(f64, f64)>,
    pub(super) count: f64,
    pub(super) games_each: f64,
}

impl Sample {
    pub(super) fn of_pairs(pairs: &Pairs) -> Sample {
        Sample::new(&pairs.0, 2.0)
    }

    pub(super) fn of_games(tally: &Tally) -> Sample {
        Sample::new(&[tally.losses, tally.draws, tally.wins], 1.0)
    }

    fn new(counts: &[u64], games_each: f64) -> Sample {
        let best = (counts.len() - 1) as f64;
        let count = counts.iter().sum::<u64>() as f64;
        let shares = counts
            .iter()
            .enumerate()
            .map(|(i, &n)| (i as f64 / best, n as f64 / count.max(1.0)))
            .collect();
        Sample {
            shares,
            count,
            games_each,
        }
    }

    pub(super) fn mean_and_variance(&self) -> (f64, f64) {
        mean_and_variance(&self.shares)
    }

    /// The same points in games that were all won or lost, and one draw more: what
    /// there is to go by where every outcome was the same.
    pub(super) fn with_a_draw(&self) -> Sample {
        let (mean, _) = self.mean_and_variance();
        let games = self.count * self.games_each;
        let counts = [(1.0 - mean) * games, 1.0, mean * games];
        let shares = [0.0, 0.5, 1.0].into_iter().zip(counts);
        Sample {
            shares: shares
                .map(|(share, n)| (share, n / (games + 1.0)))
                .collect(),
            count: games + 1.0,
            games_each: 1.0,
        }
    }
}

/// Mean and variance of values with their probabilities.
pub(super) fn mean_and_variance(distribution: &[(f64, f64)]) -> (f64, f64) {
    let mean: f64 = distribution.iter().map(|(value, p)| value * p).sum();
    let variance = distribution
        .iter()
        .map(|(value, p)| p * (value - mean).powi(2))
        .sum();
    (mean, variance)
}
