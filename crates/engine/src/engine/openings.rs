//! Balanced openings: a few stones near each other after which neither side
//! stands better by the engine's own judgement.
//!
//! Matches, self-play and lists of openings use the same parts: `scatter` places random
//! stones, [`is_quiet`] tells whether a side can already attack, and
//! [`OpeningSettings::attempt`] keeps positions that a search finds balanced. An
//! attempt depends only on its random numbers and its searcher, so a
//! caller that makes many openings can spread the attempts over threads.

use crate::pattern::Class;
use crate::position::Position;
use crate::rules::{BoardSize, Color, Point, PointSet, Rule};
use crate::score::Score;
use crate::search::{Limits, Line, Searcher, Until};
use crate::threats::{ThreatStatus, threat_status};
use fastrand::Rng;
use std::ops::RangeInclusive;

/// The numbers of stones of openings for self-play, and their largest score.
const SELF_PLAY_STONES: RangeInclusive<usize> = 2..=9;
const SELF_PLAY_SCORE: i32 = 150;

/// The largest distance of a random stone from an earlier one. One time in
/// [`FAR_ONE_IN`] it may be a step more.
const REACH: usize = 2;
const FAR_ONE_IN: u8 = 4;

/// The least distance of the first stone from the border.
const BORDER: usize = 2;

/// After this many random points the board is taken to have no room for another stone.
const THROWS: usize = 1000;

/// After this many attempts the opening is taken to be impossible.
const ATTEMPTS: usize = 10_000;

/// Each candidate for the last stone gets one of this many parts of the nodes.
const CANDIDATE_NODES: u64 = 40;

/// The factor by which quick searches may find an opening further off balance.
const SLACK: i32 = 4;

/// From this many nodes on quick searches sort out first what deep ones need not see. Below
/// them the openings of a seed are those of earlier versions, which runs of self-play need.
const SCREENED: u64 = 20_000;

/// The parts of the nodes of the quick searches that an opening has to pass before the deep one,
/// and how much further off balance each may find it. Most openings fail one of them.
const SCREENS: [(u64, i32); 2] = [(40, 4), (10, 2)];

/// The part of the nodes that a quick search of every candidate gets, and the number of
/// candidates that a deep one sees.
const SCREEN_NODES: u64 = 10 * CANDIDATE_NODES;
const FINALISTS: usize = 6;

/// The test that an opening has to pass: neither side stands better.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct BalanceTest {
    /// The nodes of the search that judges the opening.
    pub nodes: u64,
    /// The largest score for either side, in units of the evaluation.
    pub window: i32,
}

impl BalanceTest {
    /// The fewest and the most nodes of a test that follows the nodes of a move.
    const NODES: RangeInclusive<u64> = 5_000..=1_000_000;
    /// The windows of quick and of deep tests. What a deep search finds lopsided is decided
    /// before the games begin.
    const WINDOWS: [i32; 2] = [100, 50];

    /// The test of openings for games with this many nodes a move: a search that sees no less
    /// than the players, so that the opening does not decide the game.
    pub fn for_moves_of(nodes: u64) -> BalanceTest {
        let (least, most) = Self::NODES.into_inner();
        BalanceTest::with_nodes(nodes.saturating_mul(2).clamp(least, most))
    }

    /// The test with this many nodes and the window that suits them.
    pub fn with_nodes(nodes: u64) -> BalanceTest {
        BalanceTest {
            nodes,
            window: Self::WINDOWS[usize::from(nodes >= SCREENED)],
        }
    }
}

/// The properties that an opening must have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpeningSettings {
    /// The rule.
    pub rule: Rule,
    /// The board.
    pub size: BoardSize,
    /// The least and the largest number of stones.
    pub stones: RangeInclusive<usize>,
    /// The test of its balance.
    pub balance: BalanceTest,
    /// True if the last stone is chosen by search, as the one that leaves the
    /// best balance. Otherwise it is random like the others. Then most attempts
    /// fail, but each costs less.
    pub choose_last: bool,
    /// True if neither side may already be able to attack.
    pub quiet: bool,
}

/// A balanced opening.
#[derive(Clone, Debug)]
pub struct BalancedOpening {
    /// The position, with the stones of the opening as its moves.
    pub position: Position,
    /// The score for the side to move.
    pub score: Score,
    /// The depth of the search that found the score.
    pub depth: u32,
}

/// No opening with the properties of the settings was found.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no balanced opening in {ATTEMPTS} attempts: {rule} on {size}, {} to {} stones",
    .stones.start(), .stones.end())]
pub struct NoOpening {
    /// The rule.
    pub rule: Rule,
    /// The board.
    pub size: BoardSize,
    /// The least and the largest number of stones.
    pub stones: RangeInclusive<usize>,
}

impl OpeningSettings {
    /// The maximum number of stones of an opening: one on every fourth point.
    pub fn most_stones(size: BoardSize) -> usize {
        size.points() / 4
    }

    /// Settings for self-play: varied openings that are quick to make and not decided.
    pub fn self_play(rule: Rule, size: BoardSize, nodes: u64) -> OpeningSettings {
        OpeningSettings {
            rule,
            size,
            stones: SELF_PLAY_STONES,
            balance: BalanceTest {
                nodes,
                window: SELF_PLAY_SCORE,
            },
            choose_last: false,
            quiet: true,
        }
    }

    /// Makes attempts until one succeeds.
    ///
    /// # Errors
    /// Returns an error after ten thousand attempts: there are no such openings, or
    /// hardly any.
    pub fn make(
        &self,
        random: &mut Rng,
        searcher: &mut Searcher,
    ) -> Result<BalancedOpening, NoOpening> {
        let made = (0..ATTEMPTS).find_map(|_| self.attempt(random, searcher, &|| false));
        made.ok_or_else(|| NoOpening {
            rule: self.rule,
            size: self.size,
            stones: self.stones.clone(),
        })
    }

    /// Makes one attempt at an opening. `None` if it failed, or `stop` returned true.
    pub fn attempt(
        &self,
        random: &mut Rng,
        searcher: &mut Searcher,
        stop: &dyn Fn() -> bool,
    ) -> Option<BalancedOpening> {
        let mut judge = Judge { searcher, stop };
        let empty = Position::new(self.rule, self.size);
        let stones = random
            .usize(self.stones.clone())
            .min(OpeningSettings::most_stones(self.size));
        let mut position = if self.choose_last && stones > 0 {
            let before = scatter(&empty, stones - 1, random, |_| true)?;
            self.with_last_stone(before, &mut judge)?
        } else {
            scatter(&empty, stones, random, |_| true)?
        };
        if self.quiet && !is_quiet(&mut position) {
            return None;
        }
        let BalanceTest { nodes, window } = self.balance;
        if nodes >= SCREENED {
            for (part, slack) in SCREENS {
                let score = judge.search(&position, nodes / part).score;
                if score.is_decided() || score.units().abs() > window.saturating_mul(slack) {
                    return None;
                }
            }
        }
        let outcome = judge.search(&position, nodes);
        // A search that was stopped proves nothing.
        let balanced = !stop()
            && !outcome.score.is_decided()
            && outcome.score.units().abs() <= window
            && outcome.best().is_some();
        balanced.then_some(BalancedOpening {
            position,
            score: outcome.score,
            depth: outcome.depth,
        })
    }

    /// The position after the stone that leaves the best balance.
    fn with_last_stone(&self, mut position: Position, judge: &mut Judge<'_>) -> Option<Position> {
        let near = match position.ply() {
            0 => [self.size.centre()].into_iter().collect(),
            _ => around(&position),
        };
        let nodes = self.balance.nodes;
        let mut candidates: Vec<Point> = near.iter().collect();
        if nodes >= SCREENED {
            let ranked = judge.by_balance(&mut position, candidates, nodes / SCREEN_NODES);
            candidates = ranked.into_iter().map(|(_, point)| point).collect();
            candidates.truncate(FINALISTS);
        }
        let nodes = (nodes / CANDIDATE_NODES).max(1);
        let ranked = judge.by_balance(&mut position, candidates, nodes);
        let &(off, point) = ranked.first()?;
        if off > self.balance.window.saturating_mul(SLACK) {
            return None;
        }
        position.play(point);
        Some(position)
    }
}

/// The searches of an attempt, which end as soon as `stop` returns true.
struct Judge<'a> {
    searcher: &'a mut Searcher,
    stop: &'a dyn Fn() -> bool,
}

impl Judge<'_> {
    /// Searches a position with this many nodes.
    fn search(&mut self, position: &Position, nodes: u64) -> Line {
        let limits = Limits {
            nodes,
            ..Limits::default()
        };
        (self.searcher).search(position, &limits, &mut Until(self.stop))
    }

    /// The legal points among `candidates` that decide nothing, with the distance from the
    /// balance that searches of so many nodes find after a stone there, the smallest first.
    fn by_balance(
        &mut self,
        position: &mut Position,
        candidates: Vec<Point>,
        nodes: u64,
    ) -> Vec<(i32, Point)> {
        let mut ranked = Vec::with_capacity(candidates.len());
        for point in candidates {
            if !position.is_legal(point) {
                continue;
            }
            position.play(point);
            if !position.won() {
                let score = self.search(position, nodes).score;
                if !score.is_decided() {
                    ranked.push((score.units().abs(), point));
                }
            }
            position.undo();
        }
        ranked.sort_by_key(|&(off, _)| off);
        ranked
    }
}

/// The position after `stones` more stones near each other, where the rule and
/// `allowed` permit them; `None` where there is no room, or a stone has won.
///
/// The first stone of an empty board stands anywhere, more often towards the
/// middle.
pub(crate) fn scatter(
    start: &Position,
    stones: usize,
    random: &mut Rng,
    allowed: impl Fn(Point) -> bool,
) -> Option<Position> {
    let mut position = start.clone();
    let size = position.size();
    let is_stone = |point: &Point| start.stone(*point).is_some();
    let mut placed: Vec<Point> = size.iter().filter(is_stone).collect();
    for _ in 0..stones {
        let point = (0..THROWS).find_map(|_| {
            let point = match placed.len() {
                0 => first(random, size),
                count => {
                    let neighbour = placed[random.usize(..count)];
                    near(random, size, neighbour)
                }
            }?;
            (allowed(point) && position.is_legal(point)).then_some(point)
        })?;
        position.play(point);
        if position.won() {
            return None;
        }
        placed.push(point);
    }
    Some(position)
}

/// A random point away from the border, more often near the middle.
fn first(random: &mut Rng, size: BoardSize) -> Option<Point> {
    let border = BORDER.min((size.width().min(size.height()) - 1) / 2);
    let mut along = |side: usize| {
        let range = border..side - border;
        (random.usize(range.clone()) + random.usize(range)) / 2
    };
    size.point(along(size.width()), along(size.height()))
}

/// A random point a few steps from another, if it is on the board.
fn near(random: &mut Rng, size: BoardSize, point: Point) -> Option<Point> {
    let reach = REACH + usize::from(random.u8(..FAR_ONE_IN) == 0);
    let x = (point.x() + random.usize(0..=2 * reach)).checked_sub(reach)?;
    let y = (point.y() + random.usize(0..=2 * reach)).checked_sub(reach)?;
    size.point(x, y)
}

/// The points within reach of a stone.
fn around(position: &Position) -> PointSet {
    let close = |point: &Point| {
        let mut stones = position.moves().map(|(_, stone)| stone);
        stones.any(|stone| stone != Point::NONE && stone.distance(*point) <= REACH)
    };
    position.size().iter().filter(close).collect()
}

/// Returns whether neither side can attack yet, with a four or with two threes at once.
pub fn is_quiet(position: &mut Position) -> bool {
    let harmless = |color: Color| !position.counts(color).any_from(Class::DoubleThree);
    Color::ALL.into_iter().all(harmless) && threat_status(position) == ThreatStatus::Quiet
}

/// A text that a position shares with its turned and mirrored copies, and with
/// no other position. Passes on the way to it make no difference.
pub fn symmetry_key(position: &Position) -> String {
    let size = position.size();
    let copies = size.symmetries().map(|symmetry| {
        let mut stones: Vec<(usize, Point)> = position
            .moves()
            .filter(|&(_, point)| point != Point::NONE)
            .map(|(color, point)| (color.index(), symmetry.apply(size, point)))
            .collect();
        stones.sort();
        let text = |(color, point): &(usize, Point)| format!("{color}{point}");
        stones.iter().map(text).collect::<String>()
    });
    format!("{} {}", position.side(), copies.min().unwrap_or_default())
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::search::TranspositionTable;
    use std::sync::Arc;

    fn searcher() -> Searcher {
        Searcher::new(Arc::new(TranspositionTable::new(1 << 20)), Arc::default())
    }

    fn settings(choose_last: bool) -> OpeningSettings {
        OpeningSettings {
            rule: Rule::Renju,
            size: BoardSize::square(15).unwrap(),
            stones: 2..=7,
            balance: BalanceTest {
                nodes: 800,
                window: 120,
            },
            choose_last,
            quiet: true,
        }
    }

    /// The openings of the first attempts, as text.
    fn made(settings: &OpeningSettings) -> Vec<String> {
        let attempt = |seed| {
            let found = settings.attempt(&mut Rng::with_seed(seed), &mut searcher(), &|| false)?;
            assert!(found.score.units().abs() <= settings.balance.window);
            assert!(settings.stones.contains(&found.position.ply()));
            assert!(is_quiet(&mut found.position.clone()));
            Some(found.position.move_text())
        };
        (0..40).filter_map(attempt).collect()
    }

    #[test]
    fn openings_are_balanced_and_reproducible() {
        for choose_last in [false, true] {
            let settings = settings(choose_last);
            let openings = made(&settings);
            assert!(openings.len() >= 3, "{openings:?}");
            assert_eq!(openings, made(&settings));
        }
    }

    #[test]
    fn an_attempt_that_is_stopped_finds_nothing() {
        for choose_last in [false, true] {
            let settings = OpeningSettings {
                balance: BalanceTest {
                    nodes: u64::MAX,
                    window: i32::MAX,
                },
                ..settings(choose_last)
            };
            let calls = std::cell::Cell::new(0);
            let stop = || calls.replace(calls.get() + 1) > 20;
            let mut random = Rng::with_seed(1);
            assert!(
                settings
                    .attempt(&mut random, &mut searcher(), &stop)
                    .is_none()
            );
        }
    }

    #[test]
    fn a_largest_score_beyond_all_scores_is_no_limit() {
        let settings = OpeningSettings {
            balance: BalanceTest {
                window: i32::MAX,
                ..settings(true).balance
            },
            ..settings(true)
        };
        assert!(!made(&settings).is_empty());
    }

    #[test]
    fn what_no_opening_meets_is_an_error() {
        let settings = OpeningSettings {
            balance: BalanceTest {
                nodes: 1,
                window: -1,
            },
            stones: 0..=0,
            ..settings(false)
        };
        let made = settings.make(&mut Rng::with_seed(1), &mut searcher());
        let error = made.unwrap_err().to_string();
        let expected = "no balanced opening in 10000 attempts: renju on 15, 0 to 0 stones";
        assert_eq!(error, expected);
    }

    #[test]
    fn stones_are_scattered_near_each_other() {
        for rule in Rule::ALL {
            for seed in 0..200 {
                let mut random = Rng::with_seed(seed);
                let size = BoardSize::new(random.usize(5..20), random.usize(5..20)).unwrap();
                let empty = Position::new(rule, size);
                let position = scatter(&empty, 5, &mut random, |point| point.x() > 0).unwrap();
                assert_eq!(position.ply(), 5);
                let stones: Vec<Point> = position.moves().map(|(_, point)| point).collect();
                for (i, stone) in stones.iter().enumerate() {
                    assert!(stone.x() > 0);
                    let close = |other: &&Point| other.distance(*stone) <= REACH + 1;
                    assert!(i == 0 || stones[..i].iter().any(|other| close(&other)));
                }
            }
        }
    }

    #[test]
    fn a_board_without_room_gives_nothing() {
        let empty = Position::new(Rule::Freestyle, BoardSize::default());
        assert!(scatter(&empty, 1, &mut Rng::with_seed(1), |_| false).is_none());
    }

    #[test]
    fn copies_have_the_same_key() {
        let size = BoardSize::default();
        let key = |text| symmetry_key(&Position::from_moves(Rule::Freestyle, size, text).unwrap());
        assert_eq!(key("a1b1c3"), key("c3b1a1"));
        assert_eq!(key("a1b1c3"), key("o15o14m13"));
        assert_ne!(key("a1b1c3"), key("b1a1c3"));
        assert_eq!(key("a1b1c3"), key("--b1a1--c3"));
        assert_ne!(key("a1b1c3"), key("a1b1c3--"));
    }
}
