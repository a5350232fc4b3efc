//! The parts that a match was put together from: whether what they played can be of one match.
//! A machine that is too slow for the time control, or another version of a program, shows in
//! results that differ by more than chance.

use super::record::MatchGame;
use super::settings::MatchSettings;
use super::standings::Standings;
use super::stats::{ChiSquare, Pairs};
use super::table::Table;
use std::collections::{BTreeMap, HashSet};

/// The significance level of a difference between shards.
const UNLIKELY: f64 = 0.001;

/// A shard of a match.
#[derive(Clone, Debug)]
pub struct MatchShard {
    /// The name of the shard.
    pub(super) name: String,
    /// The numbers of the games.
    pub(super) games: HashSet<usize>,
}

impl MatchShard {
    /// Creates a shard without games.
    pub(super) fn new(name: String) -> MatchShard {
        let games = HashSet::new();
        MatchShard { name, games }
    }
}

/// A comparison of the shards of a match.
pub struct Comparison {
    parts: Vec<ComparedPart>,
    difference: ChiSquare,
}

/// A shard with its result.
struct ComparedPart {
    name: String,
    games: usize,
    /// The pairs of all meetings, each from the side of the engine that is listed first.
    pairs: Pairs,
}

impl Comparison {
    /// Compares the complete pairs of these parts: those of each two engines that met by
    /// themselves.
    pub fn new(settings: &MatchSettings, games: &[MatchGame], parts: &[MatchShard]) -> Comparison {
        let mut meetings: BTreeMap<(usize, usize), Vec<Pairs>> = BTreeMap::new();
        let compare = |(i, part): (usize, &MatchShard)| {
            let mut standings = Standings::new(settings.names());
            let own = games
                .iter()
                .filter(|game| part.games.contains(&game.number));
            own.for_each(|game| standings.add(game));
            let mut all = Pairs::default();
            for (players, head_to_head) in standings.head_to_heads() {
                let counted = meetings.entry(players);
                counted.or_insert_with(|| vec![Pairs::default(); parts.len()])[i] =
                    head_to_head.pairs;
                all += head_to_head.pairs;
            }
            ComparedPart {
                name: part.name.clone(),
                games: part.games.len(),
                pairs: all,
            }
        };
        let compared = parts.iter().enumerate().map(compare).collect();
        let mut difference = ChiSquare::new(&vec![Pairs::default(); parts.len()]);
        for pairs in meetings.values() {
            difference += ChiSquare::new(pairs);
        }
        Comparison {
            parts: compared,
            difference,
        }
    }

    /// Returns a remark if the shards differ by more than chance.
    pub fn remark(&self) -> Option<String> {
        if self.difference.p_value() >= UNLIKELY {
            return None;
        }
        let shares = self.parts.iter().zip(&self.difference.shares);
        let (most, share) = shares.max_by(|(_, one), (_, other)| one.total_cmp(other))?;
        Some(format!(
            "the parts differ by more than chance ({}), {} most (chi-square {share:.1}): were \
             machines and programs the same?",
            self.words(),
            most.name
        ))
    }

    /// Returns the table of the shards, if there are two or more.
    pub(super) fn table(&self) -> Option<Table> {
        if self.parts.len() < 2 {
            return None;
        }
        let head = ["Part", "Games", "Pairs (0, 1/2, 1, 3/2, 2)", "Chi-square"];
        let mut table = Table::new(format!("Parts: {}", self.words()), &head);
        for (part, share) in self.parts.iter().zip(&self.difference.shares) {
            table.add(vec![
                part.name.clone(),
                part.games.to_string(),
                format!("{:?}", part.pairs.0),
                format!("{share:.1}"),
            ]);
        }
        Some(table)
    }

    /// The statistic with its p-value.
    fn words(&self) -> String {
        let freedom = self.difference.freedom;
        if freedom == 0 {
            return "pairs too few or too much alike to compare".to_owned();
        }
        let p = match self.difference.p_value() {
            p if p < 0.0001 => "p < 0.0001".to_owned(),
            p => format!("p = {p:.4}"),
        };
        let statistic = self.difference.statistic();
        let plural = if freedom == 1 { "" } else { "s" };
        format!("chi-square {statistic:.1}, {freedom} degree{plural} of freedom, {p}")
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use quincunx_engine::rules::Color;

    /// Pairs of A and B, of which A wins both games where the number is a multiple, otherwise one.
    fn part(name: &str, first: usize, multiple: usize) -> (MatchShard, Vec<MatchGame>) {
        let mut part = MatchShard::new(name.to_owned());
        let mut games = Vec::new();
        for pair in first..first + 40 {
            for half in 0..2 {
                let [black, white] = [["A", "B"], ["B", "A"]][half].map(str::to_owned);
                let a_wins = half == 0 || pair % multiple == 0;
                let winner = if (black == "A") == a_wins {
                    Color::Black
                } else {
                    Color::White
                };
                let number = 2 * pair + half;
                part.games.insert(number);
                games.push(MatchGame::without_moves(number, black, white, Some(winner)));
            }
        }
        (part, games)
    }

    fn compare(parts: [(MatchShard, Vec<MatchGame>); 3]) -> Comparison {
        let settings = MatchSettings::for_tests(&["A", "B"]);
        let (parts, games): (Vec<MatchShard>, Vec<Vec<MatchGame>>) = parts.into_iter().unzip();
        Comparison::new(&settings, &games.concat(), &parts)
    }

    #[test]
    fn parts_that_agree_are_only_shown() {
        let same = compare([part("p1", 0, 4), part("p2", 40, 4), part("p3", 80, 4)]);
        assert_eq!(same.remark(), None);
        let text = same.table().unwrap().text();
        let title = "Parts: chi-square 0.0, 2 degrees of freedom, p = 1.0000\n";
        assert!(text.starts_with(title), "{text}");
        assert!(text.contains("[0, 0, 30, 0, 10]"), "{text}");
    }

    #[test]
    fn the_part_that_differs_is_named() {
        let differing = compare([part("p1", 0, 4), part("p2", 40, 4), part("p3", 80, 1)]);
        let remark = differing.remark().unwrap();
        let start = "the parts differ by more than chance (chi-square 60.0, 2 degrees of freedom, \
                     p < 0.0001), p3 most (chi-square 40.0)";
        assert!(remark.starts_with(start), "{remark}");
    }
}
