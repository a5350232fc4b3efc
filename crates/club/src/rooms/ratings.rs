//! The ratings, from the games that are over and nothing else. They are reckoned
//! when a club starts, brought up to date after every game, and reckoned anew when a player is
//! kept out.

use super::archive::FinishedGame;
use super::person::{Occupant, PersonId};
use super::rating_category::RatingCategory;
use crate::rating::{Glicko, Score, SitePoints};
use std::collections::{BTreeMap, HashMap, HashSet, VecDeque};
use std::time::Duration;

/// The points of a new player.
const FIRST_POINTS: i32 = 1200;

/// The rating period of Glicko-2. Ratings are updated after every game, and the deviation grows
/// with the fraction of a period between two games.
const PERIOD: Duration = Duration::from_secs(7 * 24 * 3600);

/// The number of games from which on a rating is not provisional.
const ESTABLISHED: u32 = 10;

/// The standing of a person in one category.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Standing {
    /// The rating of Glicko-2.
    pub rating: f64,
    /// Its deviation.
    pub deviation: f64,
    /// Its volatility.
    pub volatility: f64,
    /// The points of a playing site.
    pub points: i32,
    /// The numbers of wins, draws and losses.
    pub results: [u32; 3],
    /// The end of the last game, since 1970.
    pub last: Duration,
}

impl Default for Standing {
    fn default() -> Standing {
        let new = Glicko::default();
        Standing {
            rating: new.rating,
            deviation: new.deviation,
            volatility: new.volatility,
            points: FIRST_POINTS,
            results: [0; 3],
            last: Duration::ZERO,
        }
    }
}

impl Standing {
    /// The rating at this time.
    pub(super) fn glicko(&self, now: Duration) -> Glicko {
        let rating = Glicko {
            rating: self.rating,
            deviation: self.deviation,
            volatility: self.volatility,
        };
        let is_new = self.results == [0; 3];
        let idle = now.saturating_sub(self.last).as_secs_f64() / PERIOD.as_secs_f64();
        rating.idle(if is_new { 0.0 } else { idle })
    }

    /// Returns true for a rating with a large deviation, after few games.
    pub(super) fn is_provisional(&self) -> bool {
        self.results.iter().sum::<u32>() < ESTABLISHED
    }

    fn rate(&mut self, now: Duration, opponent: Glicko, score: Score, weight: f64) {
        let before = self.glicko(now);
        let after = before.after(&[(opponent, score)]);
        let part = |before: f64, after: f64| before + (after - before) * weight;
        self.rating = part(before.rating, after.rating);
        self.deviation = part(before.deviation, after.deviation);
        self.volatility = part(before.volatility, after.volatility);
        self.last = now;
        self.results[score.index()] += 1;
    }
}

/// The maximum number of points of a rating curve.
const CURVE: usize = 200;

/// The ratings of a person in a category after their last rated games: the end of the game in
/// seconds since 1970, and the rating.
type RatingCurve = VecDeque<(u64, i64)>;

/// The ratings of all players with a rated game.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Ratings {
    standings: HashMap<PersonId, BTreeMap<RatingCategory, Standing>>,
    curves: HashMap<(PersonId, RatingCategory), RatingCurve>,
}

impl Ratings {
    /// The standing of a person in a category.
    pub fn standing(&self, id: PersonId, category: RatingCategory) -> Standing {
        let standings = self.standings.get(&id);
        let standing = standings.and_then(|standings| standings.get(&category));
        standing.copied().unwrap_or_default()
    }

    /// The standings of a person in each category that they have played in.
    pub fn of(&self, id: PersonId) -> impl Iterator<Item = (RatingCategory, &Standing)> {
        let standings = self.standings.get(&id).into_iter().flatten();
        standings.map(|(category, standing)| (*category, standing))
    }

    /// The rating curve of a person in a category, the earliest game first.
    pub fn curve(
        &self,
        id: PersonId,
        category: RatingCategory,
    ) -> impl Iterator<Item = (u64, i64)> {
        self.curves
            .get(&(id, category))
            .into_iter()
            .flatten()
            .copied()
    }

    /// The rating list of a category.
    pub(super) fn of_category(
        &self,
        category: RatingCategory,
    ) -> impl Iterator<Item = (PersonId, &Standing)> {
        let people = self.standings.iter();
        people.filter_map(move |(id, standings)| Some((*id, standings.get(&category)?)))
    }

    /// Rates a game, if it counts. Games of banned people are not rated.
    pub fn add(&mut self, game: &FinishedGame, is_banned: impl Fn(PersonId) -> bool) {
        let mut people = game.players.iter().filter_map(|player| player.person());
        if !game.counts() || people.any(is_banned) {
            return;
        }
        if let [Occupant::Person(first), Occupant::Person(second)] = game.players {
            let now = Duration::from_secs(game.ended);
            let (category, score) = (game.setup.category(), game.score());
            self.rate_pair(now, category, [first, second], score, game.weights());
        }
    }

    fn rate_pair(
        &mut self,
        now: Duration,
        category: RatingCategory,
        players: [PersonId; 2],
        score: Score,
        weights: [f64; 2],
    ) {
        let [first, second] = players.map(|id| self.standing(id, category));
        let (points, _) = SitePoints(first.points).after(SitePoints(second.points), score);
        // What one gets the other loses, in whole points, where both have the same weight.
        let gain = f64::from(points.0 - first.points);
        let gains = [gain * weights[0], -gain * weights[1]];
        let ratings = [first, second].map(|standing| standing.glicko(now));
        let scores = [score, score.reversed()];
        for (i, mut standing) in [first, second].into_iter().enumerate() {
            if weights[i] > 0.0 {
                standing.rate(now, ratings[1 - i], scores[i], weights[i]);
                standing.points += gains[i] as i32;
                *self.entry(players[i], category) = standing;
                let curve = self.curves.entry((players[i], category)).or_default();
                if curve.len() == CURVE {
                    curve.pop_front();
                }
                curve.push_back((now.as_secs(), standing.rating.round() as i64));
            }
        }
    }

    fn entry(&mut self, id: PersonId, category: RatingCategory) -> &mut Standing {
        let standings = self.standings.entry(id).or_default();
        standings.entry(category).or_default()
    }
}

/// A recomputation of all ratings, while the club runs with the old ones.
#[derive(Debug)]
pub struct RatingRecomputation {
    pub(super) ratings: Ratings,
    /// The banned people.
    pub(super) banned: HashSet<PersonId>,
    /// The number of the last game that was rated.
    pub(super) last: u64,
}

impl RatingRecomputation {
    /// A recomputation before the first game.
    pub(super) fn new(banned: HashSet<PersonId>) -> RatingRecomputation {
        RatingRecomputation {
            ratings: Ratings::default(),
            banned,
            last: 0,
        }
    }

    /// The number of the game to be rated next.
    pub fn next(&self) -> u64 {
        self.last + 1
    }

    /// Rates a game. They come in the order of their numbers.
    pub fn add(&mut self, game: &FinishedGame) {
        let banned = &self.banned;
        self.ratings.add(game, |id| banned.contains(&id));
        self.last = game.number;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use quincunx_engine::rules::Rule;

    const ANNA: PersonId = PersonId([1; 32]);
    const BELA: PersonId = PersonId([2; 32]);
    const NOW: Duration = Duration::from_secs(1_700_000_000);

    #[test]
    fn games_change_ratings_and_points() {
        let mut ratings = Ratings::default();
        let category = |rule| RatingCategory {
            rule,
            correspondence: false,
        };
        let renju = category(Rule::Renju);
        ratings.rate_pair(NOW, renju, [ANNA, BELA], Score::Win, [1.0; 2]);
        let (anna, bela) = (ratings.standing(ANNA, renju), ratings.standing(BELA, renju));
        assert_eq!((anna.points, bela.points), (1210, 1190));
        assert!((anna.rating + bela.rating - 3000.0).abs() < 1e-6);
        assert!(anna.rating > 1600.0 && anna.deviation < 300.0);
        assert_eq!((anna.results, bela.results), ([1, 0, 0], [0, 0, 1]));
        let by_days = RatingCategory {
            correspondence: true,
            ..renju
        };
        for other in [category(Rule::Caro), by_days] {
            assert_eq!(ratings.standing(ANNA, other), Standing::default());
        }
        let after = bela;
        // A year without games makes the rating less sure.
        let later = after.glicko(NOW + PERIOD * 52);
        assert!(later.deviation > after.deviation + 1.0);
    }
}
