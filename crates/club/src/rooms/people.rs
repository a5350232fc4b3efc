//! The people of a club: names and ratings.

use super::archive::FinishedGame;
use super::name::{NameError, clean, letters, looks};
use super::person::{Occupant, PersonId};
use crate::rating::{Glicko, Score, SitePoints, engine_rating};
use quincunx_engine::rules::Rule;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::ops::RangeInclusive;
use std::time::Duration;

/// The points of a new player.
const FIRST_POINTS: i32 = 1200;

/// A rating period of Glicko-2. Ratings are brought up to date after every game; of
/// the time between games as much counts as a part of a period.
const PERIOD: Duration = Duration::from_secs(7 * 24 * 3600);

/// The length of names.
const NAME_LENGTH: RangeInclusive<usize> = 2..=20;

/// Names that look like the engine's are nobody's.
const RESERVED: [&str; 2] = ["engine", "quincunx"];

/// How many games make a rating that is not provisional.
const ESTABLISHED: u32 = 10;

/// What the names of guests begin with.
const GUEST: &str = "guest";

/// How somebody stands under one rule.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Standing {
    /// The rating of Glicko-2.
    pub rating: f64,
    /// Its deviation.
    pub deviation: f64,
    /// Its volatility.
    pub volatility: f64,
    /// The points of a playing site. Games against the engine do not change them.
    pub points: i32,
    /// How many games were won, drawn and lost.
    pub results: [u32; 3],
    /// When the last game ended, since 1970.
    pub last: Duration,
}

/// Somebody who has taken a name or a seat.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Person {
    /// Their name.
    pub name: String,
    /// Whether they are kept out.
    #[serde(default)]
    pub banned: bool,
    /// How they stand, by the name of the rule.
    #[serde(default)]
    pub standings: BTreeMap<String, Standing>,
}

/// The people of a club.
#[derive(Debug, Default)]
pub struct People {
    by_id: HashMap<PersonId, Person>,
    /// Who has a name, by what is left of it without blanks and capitals.
    by_name: HashMap<String, PersonId>,
    /// Whose names look like this. There may be several from before looks counted.
    by_look: HashMap<String, BTreeSet<PersonId>>,
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
    pub fn glicko(&self, now: Duration) -> Glicko {
        let rating = Glicko {
            rating: self.rating,
            deviation: self.deviation,
            volatility: self.volatility,
        };
        let is_new = self.results == [0; 3];
        let idle = now.saturating_sub(self.last).as_secs_f64() / PERIOD.as_secs_f64();
        rating.idle(if is_new { 0.0 } else { idle })
    }

    /// Whether so few games were played that the rating says little.
    pub fn is_provisional(&self) -> bool {
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

impl Person {
    /// How they stand under a rule.
    pub fn standing(&self, rule: Rule) -> Standing {
        self.standings.get(rule.name()).copied().unwrap_or_default()
    }
}

impl People {
    /// The name of somebody, even of a guest.
    pub fn name(&self, id: PersonId) -> String {
        match self.by_id.get(&id) {
            Some(person) => person.name.clone(),
            None => guest(id),
        }
    }

    /// What is known of somebody.
    pub fn get(&self, id: PersonId) -> Option<&Person> {
        self.by_id.get(&id)
    }

    /// Whoever has this name.
    pub fn by_name(&self, name: &str) -> Option<(PersonId, &Person)> {
        let id = *self.by_name.get(&letters(name))?;
        Some((id, self.by_id.get(&id)?))
    }

    /// Everybody who is known.
    pub fn iter(&self) -> impl Iterator<Item = (PersonId, &Person)> {
        self.by_id.iter().map(|(id, person)| (*id, person))
    }

    /// Whether somebody is more than a guest.
    pub fn has_name(&self, id: PersonId) -> bool {
        self.name(id) != guest(id)
    }

    /// Adds somebody that a database knows.
    pub fn insert(&mut self, id: PersonId, person: Person) {
        self.add_name(id, &person.name);
        self.by_id.insert(id, person);
    }

    fn add_name(&mut self, id: PersonId, name: &str) {
        self.by_name.insert(letters(name), id);
        for look in looks(name) {
            self.by_look.entry(look).or_default().insert(id);
        }
    }

    fn remove_name(&mut self, id: PersonId, name: &str) {
        self.by_name.remove(&letters(name));
        for look in looks(name) {
            if let Some(owners) = self.by_look.get_mut(&look) {
                owners.remove(&id);
                if owners.is_empty() {
                    self.by_look.remove(&look);
                }
            }
        }
    }

    /// Somebody, who is a guest from now on if nothing was known of them.
    pub fn enter(&mut self, id: PersonId) -> &mut Person {
        if !self.by_id.contains_key(&id) {
            self.add_name(id, &guest(id));
        }
        self.by_id.entry(id).or_insert_with(|| Person {
            name: guest(id),
            banned: false,
            standings: BTreeMap::new(),
        })
    }

    /// Gives somebody another name.
    ///
    /// # Errors
    /// When the name is none, or somebody else's.
    pub fn rename(&mut self, id: PersonId, name: &str) -> Result<(), NameError> {
        let name = clean(name, NAME_LENGTH)?;
        let others = |look: &String| {
            let owners = self.by_look.get(look).into_iter().flatten();
            owners.into_iter().any(|owner| *owner != id)
        };
        let is_reserved = |look: &String| RESERVED.iter().any(|name| looks(name).contains(look));
        let is_guests = |look: &String| looks(GUEST).iter().any(|it| look.starts_with(it));
        let names = looks(&name);
        if names.iter().any(|look| others(look) || is_reserved(look))
            || (names.iter().any(is_guests) && name != guest(id))
        {
            return Err(NameError::Taken);
        }
        let old = std::mem::replace(&mut self.enter(id).name, name.clone());
        self.remove_name(id, &old);
        self.add_name(id, &name);
        Ok(())
    }

    /// Rates a game that counts.
    pub fn rate(&mut self, game: &FinishedGame) {
        let (rule, score) = (game.setup.rule, game.score());
        let now = Duration::from_secs(game.ended);
        match game.players {
            [Occupant::Person(first), Occupant::Person(second)] => {
                self.rate_pair(now, rule, [first, second], score, game.weight);
            }
            [Occupant::Person(person), Occupant::Engine(level)] => {
                self.rate_with_engine(now, rule, person, level, score);
            }
            [Occupant::Engine(level), Occupant::Person(person)] => {
                self.rate_with_engine(now, rule, person, level, score.reversed());
            }
            [Occupant::Engine(_), Occupant::Engine(_)] => {}
        }
    }

    /// Rates everybody anew by these games, which are all there were, in their order. Games
    /// of people who are kept out count for nobody.
    pub fn rate_anew(&mut self, games: &[FinishedGame]) {
        for person in self.by_id.values_mut() {
            person.standings.clear();
        }
        for game in games.iter().filter(|game| game.rated) {
            let people = game.players.iter().filter_map(|player| player.person());
            let mut people = people.filter_map(|id| self.by_id.get(&id));
            if !people.any(|person| person.banned) {
                self.rate(game);
            }
        }
    }

    fn rate_pair(
        &mut self,
        now: Duration,
        rule: Rule,
        players: [PersonId; 2],
        score: Score,
        weight: f64,
    ) {
        let [first, second] = players.map(|id| self.enter(id).standing(rule));
        let (points, _) = SitePoints(first.points).after(SitePoints(second.points), score);
        // What one gets the other loses, in whole points.
        let gain = (f64::from(points.0 - first.points) * weight) as i32;
        let points = [first.points + gain, second.points - gain];
        let ratings = [first, second].map(|standing| standing.glicko(now));
        let scores = [score, score.reversed()];
        for (i, mut standing) in [first, second].into_iter().enumerate() {
            standing.rate(now, ratings[1 - i], scores[i], weight);
            standing.points = points[i];
            let standings = &mut self.enter(players[i]).standings;
            standings.insert(rule.name().to_owned(), standing);
        }
    }

    fn rate_with_engine(
        &mut self,
        now: Duration,
        rule: Rule,
        player: PersonId,
        level: u8,
        score: Score,
    ) {
        let standings = &mut self.enter(player).standings;
        let standing = standings.entry(rule.name().to_owned()).or_default();
        standing.rate(now, engine_rating(level), score, 1.0);
    }
}

/// What somebody without a name is called.
fn guest(id: PersonId) -> String {
    id.0[..4].iter().fold(format!("{GUEST}-"), |name, byte| {
        format!("{name}{byte:02x}")
    })
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    const ANNA: PersonId = PersonId([1; 32]);
    const BELA: PersonId = PersonId([2; 32]);
    const NOW: Duration = Duration::from_secs(1_700_000_000);

    #[test]
    fn names_are_clean_and_unique() {
        let mut people = People::default();
        assert_eq!(people.name(ANNA), "guest-01010101");
        people.rename(ANNA, "  Anna \t Maria ").unwrap();
        assert_eq!(people.name(ANNA), "Anna Maria");
        for (name, error) in [
            ("anna-maria", NameError::Taken),
            ("ANNAMARIA", NameError::Taken),
            ("Guest-01010101", NameError::Taken),
            ("engine", NameError::Taken),
            ("B", NameError::Length),
            (&"B".repeat(21), NameError::Length),
            ("<script>", NameError::Letters),
            ("Be\u{202e}la", NameError::Letters),
            ("Be\u{200b}la", NameError::Letters),
            ("-Bela", NameError::Letters),
            ("Bela\0", NameError::Letters),
        ] {
            assert_eq!(people.rename(BELA, name), Err(error), "{name:?}");
        }
        for name in [
            "Béla",
            "ベラー",
            "Бела",
            "벨라 2",
            "Vũ Thị",
            "五子棋 3",
            "Ann Lee",
            "b.e_l-a",
            "Be\u{301}la",
        ] {
            people.rename(BELA, name).unwrap();
        }
        assert_eq!(people.name(BELA), "Béla", "letters are composed");
        // The old name is free again, and one's own can be written otherwise.
        people.rename(ANNA, "ANNA maria").unwrap();
        people.rename(ANNA, "Anna").unwrap();
        people.rename(BELA, "Anna Maria").unwrap();
        assert_eq!(people.by_name("annamaria").unwrap().0, BELA);
    }

    #[test]
    fn names_that_look_alike_are_one() {
        let mut people = People::default();
        for (name, like) in [
            ("alice", "\u{430}lice"),
            ("alice", "ALICE"),
            ("alice", "a1ice"),
            ("Paul", "PauI"),
            ("Paul", "Pau1"),
            ("Paul", "Раul"),
            ("Arnold", "Amold"),
            ("Bob 0", "ВоbO"),
            ("カロ", "力口"),
            ("Anna", "Ａｎｎａ"),
        ] {
            for (one, other) in [(name, like), (like, name)] {
                people.rename(ANNA, one).unwrap();
                let taken = people.rename(BELA, other);
                assert_eq!(taken, Err(NameError::Taken), "{other} beside {one}");
                people.rename(ANNA, "Somebody").unwrap();
            }
        }
        // Accents and tones tell names apart.
        people.rename(ANNA, "Hà").unwrap();
        people.rename(BELA, "Hạ").unwrap();
        assert_eq!(people.by_name("hà").unwrap().0, ANNA);
        for name in [
            "\u{3164}\u{3164}",
            "Еngine",
            "qu\u{456}ncunx",
            "gu\u{435}st-01010101",
        ] {
            assert!(people.rename(BELA, name).is_err(), "{name}");
        }
        // Names from before looks counted stay, and are found.
        let person = |name: &str| Person {
            name: name.to_owned(),
            banned: false,
            standings: BTreeMap::new(),
        };
        let mut people = People::default();
        people.insert(ANNA, person("alice"));
        people.insert(BELA, person("\u{430}lice"));
        assert_eq!(people.by_name("alice").unwrap().0, ANNA);
        people.rename(BELA, "Bela").unwrap();
        assert_eq!(people.rename(BELA, "\u{430}lice"), Err(NameError::Taken));
        assert_eq!(people.by_name("alice").unwrap().0, ANNA);
    }

    #[test]
    fn games_change_ratings_and_points() {
        let mut people = People::default();
        people.rate_pair(NOW, Rule::Renju, [ANNA, BELA], Score::Win, 1.0);
        let standing = |people: &People, id, rule| people.get(id).unwrap().standing(rule);
        let (anna, bela) = (
            standing(&people, ANNA, Rule::Renju),
            standing(&people, BELA, Rule::Renju),
        );
        assert_eq!((anna.points, bela.points), (1210, 1190));
        assert!((anna.rating + bela.rating - 3000.0).abs() < 1e-6);
        assert!(anna.rating > 1600.0 && anna.deviation < 300.0);
        assert_eq!((anna.results, bela.results), ([1, 0, 0], [0, 0, 1]));
        assert_eq!(standing(&people, ANNA, Rule::Caro), Standing::default());
        people.rate_with_engine(NOW, Rule::Renju, BELA, 20, Score::Win);
        let after = standing(&people, BELA, Rule::Renju);
        assert!(after.rating > bela.rating);
        assert_eq!((after.points, after.results), (1190, [1, 0, 1]));
        // A year without games makes the rating less sure.
        let later = after.glicko(NOW + PERIOD * 52);
        assert!(later.deviation > after.deviation + 10.0);
    }
}
