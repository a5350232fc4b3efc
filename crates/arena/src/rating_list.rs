//! Ratings across runs: the games of several matches as one tournament, with a
//! player whose rating is given.

use super::record::MatchGame;
use super::settings::{Difference, MatchSettings};
use super::standings::Standings;
use super::stats::{Rating, Ratings};
use super::table::Table;
use std::collections::HashMap;
use std::fmt::Write as _;

/// A match that is rated.
pub struct RatedMatch {
    /// Its name in the list.
    pub name: String,
    /// The settings of the match.
    pub settings: MatchSettings,
    /// Its games.
    pub games: Vec<MatchGame>,
}

/// A player whose rating is given.
#[derive(Clone, Debug, PartialEq)]
pub struct Anchor {
    /// The player.
    pub name: String,
    /// The rating.
    pub elo: f64,
}

/// The matches, and the ratings of all players.
pub fn page(matches: &[RatedMatch], anchor: Option<&Anchor>) -> String {
    let mut list = Table::new("Matches".into(), &["Match", "Rule", "Board", "Games"]);
    for rated in matches {
        list.add(vec![
            rated.name.clone(),
            rated.settings.rule.clone(),
            rated.settings.size.clone(),
            rated.games.len().to_string(),
        ]);
    }
    let mut text = list.text();
    let games = matches.iter().flat_map(|rated| &rated.games);
    for names in groups(names(matches), games) {
        let standings = standings(matches, names);
        let anchor = anchor.and_then(|anchor| {
            let names = standings.names();
            let player = names.iter().position(|name| *name == anchor.name)?;
            Some((player, anchor.elo))
        });
        for table in rating_tables(&standings, anchor) {
            text.push('\n');
            text.push_str(&table.text());
        }
        let _ = write!(text, "\n{}", meeting_table(&standings).text());
        let _ = write!(text, "\nFirst move: {}\n", first_move(&standings));
    }
    text
}

/// Removes games that an earlier match of the list has too, for instance because a folder is named
/// twice or with its parts. Returns the number of removed games of each match.
pub fn drop_repeats(matches: &mut [RatedMatch]) -> Vec<usize> {
    let mut dropped = vec![0];
    for at in 1..matches.len() {
        let (before, rest) = matches.split_at_mut(at);
        let rated = &mut rest[0];
        let mut known: HashMap<usize, Vec<&MatchGame>> = HashMap::new();
        let same = before.iter().filter(|other| is_same_run(other, rated));
        for game in same.flat_map(|other| &other.games) {
            known.entry(game.number).or_default().push(game);
        }
        let count = rated.games.len();
        let repeats = |game: &MatchGame| {
            known
                .get(&game.number)
                .is_some_and(|known| known.contains(&game))
        };
        rated.games.retain(|game| !repeats(game));
        dropped.push(count - rated.games.len());
    }
    dropped
}

/// Returns whether two matches have the same settings. One may have been made longer since, and the
/// programs may have been in other places.
fn is_same_run(one: &RatedMatch, other: &RatedMatch) -> bool {
    let [one, other] = [one, other].map(|rated| rated.settings.without_folders());
    let differing = one.differences(&other);
    let may_differ = |it: &Difference| it.is_length() || it.is_command();
    differing.iter().all(may_differ)
}

/// All players who have games, in the order of the matches.
pub fn names(matches: &[RatedMatch]) -> Vec<String> {
    let mut all: Vec<String> = Vec::new();
    for rated in matches {
        for name in rated.settings.names() {
            let has = |game: &MatchGame| game.black == name || game.white == name;
            if !all.contains(&name) && rated.games.iter().any(has) {
                all.push(name);
            }
        }
    }
    all
}

/// The players in groups that games connect; between groups nothing is known. A player
/// without games is in none.
fn groups<'g>(
    names: Vec<String>,
    games: impl IntoIterator<Item = &'g MatchGame>,
) -> Vec<Vec<String>> {
    let mut groups: Vec<Vec<String>> = names.into_iter().map(|name| vec![name]).collect();
    for game in games {
        let find = |name: &String| groups.iter().position(|group| group.contains(name));
        if let (Some(one), Some(other)) = (find(&game.black), find(&game.white))
            && one != other
        {
            let moved = groups.remove(one.max(other));
            groups[one.min(other)].extend(moved);
        }
    }
    groups.retain(|group| group.len() > 1);
    groups
}

/// The standings of each group of players that the games of a match connect.
pub(super) fn standings_of_groups(names: Vec<String>, games: &[MatchGame]) -> Vec<Standings> {
    let of_group = |names| {
        let mut standings = Standings::new(names);
        games.iter().for_each(|game| standings.add(game));
        standings
    };
    groups(names, games).into_iter().map(of_group).collect()
}

/// All games of these players. Pairs of different matches keep different numbers.
fn standings(matches: &[RatedMatch], names: Vec<String>) -> Standings {
    let mut standings = Standings::new(names);
    let mut offset = 0;
    for rated in matches {
        let mut last = 0;
        for game in &rated.games {
            last = last.max(game.number);
            let mut game = game.clone();
            game.number += offset;
            standings.add(&game);
        }
        offset += 2 * (last / 2 + 1);
    }
    standings
}

/// The ratings, and the likelihood of superiority between each two. `anchor` is a
/// player with its rating; without one the mean is zero.
pub(super) fn rating_tables(standings: &Standings, anchor: Option<(usize, f64)>) -> [Table; 2] {
    let ratings = standings.ratings();
    let title = match anchor {
        Some((player, elo)) => {
            format!("Ratings, {} being {elo} (95 %)", standings.names()[player])
        }
        None => "Ratings (maximum likelihood, 95 %)".to_owned(),
    };
    let head = ["", "Engine", "Elo", "+-", "Points", "W - L - D"];
    let mut table = Table::new(title, &head);
    for (place, &player) in ratings.order().iter().enumerate() {
        let (rating, base) = match anchor {
            Some((anchor, elo)) => (ratings.relative(player, anchor), elo),
            None => (ratings.of(player), 0.0),
        };
        let tally = standings.tally(player);
        table.add(vec![
            (place + 1).to_string(),
            standings.names()[player].clone(),
            format!("{:.1}", base + rating.elo),
            format!("{:.1}", rating.error),
            format!("{:.1} %", 100.0 * tally.score()),
            tally.to_string(),
        ]);
    }
    [table, superiority_table(standings, &ratings)]
}

/// The result of each two players that met. Normalised Elo is a matter of two: it depends on how
/// far apart their pairs of games are.
fn meeting_table(standings: &Standings) -> Table {
    let head = ["Engine", "Opponent", "W - L - D", "Elo", "nElo"];
    let mut table = Table::new("Meetings (95 %)".into(), &head);
    let names = standings.names();
    for ((first, second), head_to_head) in standings.head_to_heads() {
        let estimate = head_to_head.estimate();
        let numbers = estimate.map(|it| [it.logistic_text(), it.normalized_text()]);
        let mut row = vec![
            names[first].clone(),
            names[second].clone(),
            head_to_head.tally.to_string(),
        ];
        row.extend(numbers.unwrap_or_default());
        table.add(row);
    }
    table
}

/// Describes the worth of the first move, and the shares of the points that the colours got.
pub(super) fn first_move(standings: &Standings) -> String {
    let Some(Rating { elo, error }) = standings.first_move() else {
        return String::new();
    };
    let black = 100.0 * standings.black().score();
    let white = 100.0 - black;
    format!("{elo:+.1} +- {error:.1} Elo for black; black {black:.1} %, white {white:.1} %")
}

fn superiority_table(standings: &Standings, ratings: &Ratings) -> Table {
    let order = ratings.order();
    let places: Vec<String> = (1..=order.len()).map(|place| place.to_string()).collect();
    let mut head = vec!["", "Engine"];
    head.extend(places.iter().map(String::as_str));
    let title = "Likelihood that the engine of the row is stronger, %";
    let mut table = Table::new(title.to_owned(), &head);
    for (place, &player) in order.iter().enumerate() {
        let mut row = vec![places[place].clone(), standings.names()[player].clone()];
        row.extend(order.iter().map(|&other| {
            if player == other {
                String::new()
            } else {
                format!("{:.1}", 100.0 * ratings.superiority(player, other))
            }
        }));
        table.add(row);
    }
    table
}
