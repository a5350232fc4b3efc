//! Games that are over.

use super::message::{BoardView, GameSummary, GameView};
use super::number::RoomId;
use super::outcome::Outcome;
use super::people::FORMER;
use super::person::{Occupant, PersonId};
use super::setup::RoomSetup;
use crate::rating::Score;
use quincunx_engine::game::swap::{Choice, Dialogue, Seat};
use quincunx_engine::game::{Game, Termination};
use quincunx_engine::position::Position;
use quincunx_engine::rules::{Point, Rule};
use std::collections::{HashMap, VecDeque};
use std::sync::Arc;
use std::time::Duration;

/// A game that is over.
#[derive(Clone, Debug, PartialEq)]
pub struct FinishedGame {
    /// Its number, from one.
    pub number: u64,
    /// The room where it was played.
    pub room: RoomId,
    /// The setup of the game.
    pub setup: RoomSetup,
    /// The players, by seats.
    pub players: [Occupant; 2],
    /// The names of the players at that time.
    pub names: [String; 2],
    /// The player of the black stones, if that was settled.
    pub black: Option<Seat>,
    /// The moves, such as `h8i9`.
    pub moves: String,
    /// The choices of the opening, in their order.
    pub choices: Vec<Choice>,
    /// The fifth stones that black offered, in their order.
    pub offers: Vec<Point>,
    /// The outcome.
    pub outcome: Outcome,
    /// The time of the end in seconds since 1970.
    pub ended: u64,
    /// True if it changed the ratings.
    pub rated: bool,
    /// The weight of the game in the ratings.
    pub weight: f64,
    /// True if it is in no list.
    pub private: bool,
    /// True if both players came from one address. The address itself is not stored.
    pub one_address: bool,
}

impl FinishedGame {
    /// The result as the player of the first seat sees it.
    pub fn score(&self) -> Score {
        match self.outcome.winner {
            Some(Seat::First) => Score::Win,
            Some(Seat::Second) => Score::Loss,
            None => Score::Draw,
        }
    }

    /// Returns true if it counts for ratings. Earlier versions also rated games against the engine,
    /// private ones, and those on any board and with any clock.
    pub fn counts(&self) -> bool {
        let is_of_people = self.players.iter().all(|it| it.person().is_some());
        self.rated && is_of_people && !self.private && self.setup.is_comparable()
    }

    /// The number of moves. Each begins with the letter of its column.
    pub(super) fn move_count(&self) -> usize {
        self.moves.bytes().filter(u8::is_ascii_alphabetic).count()
    }

    /// Returns true if it has fewer moves than almost all honest games.
    pub(super) fn is_short(&self) -> bool {
        self.move_count() < SHORT
    }

    /// The rating weights of its players, by seats. A game that ends in the opening without a five
    /// lowers the loser's rating and raises none.
    pub(super) fn weights(&self) -> [f64; 2] {
        if self.move_count() >= OPENING || self.outcome.reason == Termination::Five {
            return [self.weight; 2];
        }
        let scores = [self.score(), self.score().reversed()];
        scores.map(|score| {
            if score == Score::Loss {
                self.weight
            } else {
                0.0
            }
        })
    }

    /// Returns true if a person played it.
    pub(super) fn has_player(&self, id: PersonId) -> bool {
        self.players.contains(&Occupant::Person(id))
    }

    /// Forgets the name of a person.
    pub(super) fn forget(&mut self, id: PersonId) {
        for (player, name) in self.players.iter().zip(&mut self.names) {
            if *player == Occupant::Person(id) {
                *name = FORMER.to_owned();
            }
        }
    }

    /// The game to look at; nothing where its moves make no sense.
    pub fn view(&self) -> Option<GameView> {
        let RoomSetup {
            rule,
            size,
            opening,
            ..
        } = self.setup;
        let position = Position::from_moves(rule, size, &self.moves).ok()?;
        let dialogue = Dialogue {
            rule: opening,
            choices: self.choices.clone(),
            offers: self.offers.clone(),
        };
        Some(GameView {
            summary: GameSummary {
                moves: Some(self.moves.clone()),
                ..self.summary()
            },
            board: BoardView::new(&Game::from_position(position)),
            chosen: dialogue.chosen(),
            offers: dialogue.offers,
            corrections: Vec::new(),
        })
    }

    /// The game in a list.
    pub fn summary(&self) -> GameSummary {
        GameSummary {
            number: self.number,
            // A game that did not count is not listed as if it had.
            setup: RoomSetup {
                rated: self.counts(),
                ..self.setup
            },
            players: self.names.clone(),
            black: self.black,
            outcome: self.outcome,
            move_count: self.move_count(),
            moves: self.private.then(|| self.moves.clone()),
            ended: self.ended,
            rated: self.counts(),
            private: self.private,
        }
    }
}

/// A filter of finished games.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GameFilter {
    /// A player.
    pub player: Option<PersonId>,
    /// The rule.
    pub rule: Option<Rule>,
    /// Games that ended from this time on, in seconds since 1970.
    pub from: Option<u64>,
    /// Games that ended before this time.
    pub to: Option<u64>,
}

/// The seconds of a day.
const DAY_S: u64 = 86_400;

/// The number of rated games of the same two people in a day that count in full, and of one person
/// against newcomers.
const WHOLE_GAMES: usize = 3;

/// The most rated games of a kind that are looked back at: no more count in a day.
const COUNTED: usize = 8;

/// The number of moves below which a game ends in the opening, and below which it is short.
const OPENING: usize = 8;
const SHORT: usize = 12;

/// A person with fewer rated games is a newcomer: an account made to lose has few.
const NEWCOMER_GAMES: u32 = 5;

/// A game that would count less counts nothing.
const LEAST_WEIGHT: f64 = 0.1;

/// The number of games of one person that are listed.
const LISTED: usize = 30;

/// An index of finished games, with the moves of the most recent ones of each person.
#[derive(Clone, Debug, Default)]
pub struct Archive {
    count: u64,
    /// The last games of each person, the last first.
    by_person: HashMap<PersonId, VecDeque<Arc<FinishedGame>>>,
    /// The wins, draws and losses of two people against each other.
    tallies: HashMap<(PersonId, PersonId), [u32; 3]>,
    /// The end of the last rated games of two people, newest last.
    rated: HashMap<(PersonId, PersonId), VecDeque<u64>>,
    newcomers: Newcomers,
    /// The end of the last rated games of each person against newcomers, newest last.
    with_newcomers: HashMap<PersonId, VecDeque<u64>>,
}

impl Archive {
    /// Adds a game.
    pub fn add(&mut self, game: FinishedGame) {
        self.count = self.count.max(game.number);
        let game = Arc::new(game);
        let people = game.players.map(Occupant::person);
        for person in people.into_iter().flatten() {
            let games = self.by_person.entry(person).or_default();
            games.push_front(Arc::clone(&game));
            games.truncate(LISTED);
        }
        if let [Some(first), Some(second)] = people
            && game.counts()
        {
            self.count_rated([first, second], &game);
        }
        if let [Some(first), Some(second)] = people
            && game.outcome.reason.is_played()
        {
            for (pair, score) in [
                ((first, second), game.score()),
                ((second, first), game.score().reversed()),
            ] {
                self.tallies.entry(pair).or_default()[score.index()] += 1;
            }
        }
    }

    /// Forgets the name of a person.
    pub(super) fn forget(&mut self, id: PersonId) {
        let games = self.by_person.values_mut();
        for game in games.flatten().filter(|game| game.has_player(id)) {
            Arc::make_mut(game).forget(id);
        }
    }

    /// The number of the last game.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// The last games of a player, the last first.
    pub fn of(&self, person: PersonId) -> impl Iterator<Item = &FinishedGame> {
        let games = self.by_person.get(&person).into_iter().flatten();
        games.map(|game| &**game)
    }

    fn count_rated(&mut self, [first, second]: [PersonId; 2], game: &FinishedGame) {
        let ended = game.ended;
        push_end(self.rated.entry(pair(first, second)).or_default(), ended);
        for (person, other) in [(first, second), (second, first)] {
            if self.newcomers.contains(other) {
                push_end(self.with_newcomers.entry(person).or_default(), ended);
            }
        }
        self.newcomers.add([first, second], game);
    }

    /// The rating weight of the next game of two people. Their first three games of a day count in
    /// full, and so do the first three of either against newcomers. Each further game counts half
    /// as much as the one before it, and soon nothing.
    pub fn weight(&self, now: Duration, players: [PersonId; 2]) -> f64 {
        let [first, second] = players;
        let with_newcomers = [(first, second), (second, first)]
            .into_iter()
            .filter(|(_, other)| self.newcomers.contains(*other))
            .filter_map(|(person, _)| self.with_newcomers.get(&person));
        let of_pair = self.rated.get(&pair(first, second));
        let games = with_newcomers
            .chain(of_pair)
            .map(|ends| ends_of_day(now, ends));
        let games = games.max().unwrap_or_default();
        let weight = 0.5f64.powi((games.saturating_sub(WHOLE_GAMES - 1)) as i32);
        if weight < LEAST_WEIGHT { 0.0 } else { weight }
    }

    /// The wins, draws and losses of `person` against `other`.
    pub fn tally(&self, person: PersonId, other: PersonId) -> [u32; 3] {
        self.tallies
            .get(&(person, other))
            .copied()
            .unwrap_or_default()
    }
}

/// People with few rated games, of which short games against other newcomers do not count.
#[derive(Clone, Debug, Default)]
pub(super) struct Newcomers {
    /// The number of counted games of each person.
    games: HashMap<PersonId, u32>,
}

impl Newcomers {
    /// Counts a rated game of two people.
    pub(super) fn add(&mut self, players: [PersonId; 2], game: &FinishedGame) {
        let [first, second] = players.map(|person| self.contains(person));
        for (person, has_newcomer) in players.into_iter().zip([second, first]) {
            let counts = !(game.is_short() && has_newcomer);
            *self.games.entry(person).or_default() += u32::from(counts);
        }
    }

    /// Returns true if a person is a newcomer.
    pub(super) fn contains(&self, person: PersonId) -> bool {
        self.games.get(&person).copied().unwrap_or_default() < NEWCOMER_GAMES
    }
}

/// The number of games that ended within a day.
fn ends_of_day(now: Duration, ends: &VecDeque<u64>) -> usize {
    let is_recent = |ended: &&u64| now.as_secs().saturating_sub(**ended) < DAY_S;
    ends.iter().filter(is_recent).count()
}

fn push_end(ends: &mut VecDeque<u64>, ended: u64) {
    ends.push_back(ended);
    if ends.len() > COUNTED {
        ends.pop_front();
    }
}

/// Two people in an order that depends on nothing else.
pub(super) fn pair(one: PersonId, other: PersonId) -> (PersonId, PersonId) {
    (one.min(other), one.max(other))
}
