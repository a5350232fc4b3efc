//! Trees of searches against a slow oracle that knows every line.

#![cfg(feature = "build")]
#![allow(clippy::unwrap_used)]

use proptest::prelude::*;
use quincunx_book::BookTree;
use quincunx_engine::position::Position;
use quincunx_engine::rules::{BoardSize, Point, Rule};
use quincunx_engine::score::Score;
use std::collections::{BTreeMap, HashMap};

/// What every move costs.
const PLY: i32 = 15;

type RatedMoves = Vec<(Point, Score)>;

fn size() -> BoardSize {
    BoardSize::square(5).unwrap()
}

fn after(line: &[Point]) -> Position {
    let mut position = Position::new(Rule::Freestyle, size());
    line.iter().for_each(|&point| position.play(point));
    position
}

fn key(line: &[Point]) -> u64 {
    after(line).canonical_key().key()
}

/// A search that finds moves by chance, in a few points so that lines meet.
fn search(line: &[Point], seed: u64) -> RatedMoves {
    let mut random = fastrand::Rng::with_seed(seed ^ key(line));
    let position = after(line);
    let mut moves: Vec<Point> = size().iter().take(7).collect();
    moves.retain(|&point| position.is_empty(point));
    random.shuffle(&mut moves);
    moves.truncate(3);
    let score = |random: &mut fastrand::Rng| match random.u8(..20) {
        0 => Score::win_at(5),
        1 => Score::loss_at(6),
        _ => Score::new(random.i32(-60..60)),
    };
    moves
        .into_iter()
        .map(|point| (point, score(&mut random)))
        .collect()
}

/// All searches, by the key of the position.
struct Oracle(HashMap<u64, (Vec<Point>, RatedMoves)>);

impl Oracle {
    fn worth(&self, line: &[Point], point: Point, score: Score) -> Score {
        let child = [line, &[point]].concat();
        let value = self.value(&child);
        value.map_or(score, |value| value.before_move())
    }

    fn value(&self, line: &[Point]) -> Option<Score> {
        let (line, found) = self.0.get(&key(line))?;
        let worth = found
            .iter()
            .map(|&(point, score)| self.worth(line, point, score));
        worth.max()
    }

    /// The least cost of every position that was not searched and may be.
    fn costs(&self, line: &[Point], cost: i32, costs: &mut BTreeMap<u64, i32>) {
        let Some((line, found)) = self.0.get(&key(line)) else {
            let least = costs.entry(key(line)).or_insert(cost);
            *least = cost.min(*least);
            return;
        };
        let Some(value) = self.value(line).filter(|it| !it.is_decided()) else {
            return;
        };
        for &(point, score) in found {
            let worth = self.worth(line, point, score);
            if !worth.is_decided() {
                let child = [line.as_slice(), &[point]].concat();
                self.costs(&child, cost + PLY + (value - worth), costs);
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn the_cheapest_position_is_searched_next_and_values_are_those_of_the_best_moves(
        seed in any::<u64>(),
        count in 1..6_usize,
        margin in 0..40_u16,
    ) {
        let roots = [vec![], vec![Point::new(2, 0), Point::new(3, 0)]];
        let mut tree = BookTree::new(Rule::Freestyle, size(), roots.to_vec());
        let mut oracle = Oracle(HashMap::new());
        while tree.len() < 25 {
            let mut costs = BTreeMap::new();
            for root in &roots {
                oracle.costs(root, 0, &mut costs);
            }
            let mut expected: Vec<(i32, u64)> = costs.into_iter().map(|(key, cost)| (cost, key)).collect();
            expected.sort_unstable();
            let expected: Vec<u64> = expected.into_iter().map(|it| it.1).take(count).collect();
            let wanted = tree.wanted(count);
            let keys: Vec<u64> = wanted.iter().map(|line| key(line)).collect();
            prop_assert_eq!(&keys, &expected);
            if wanted.is_empty() {
                break;
            }
            for line in wanted {
                let found = search(&line, seed);
                oracle.0.insert(key(&line), (line.clone(), found.clone()));
                tree.insert(line, &found);
            }
            prop_assert_eq!(tree.value(), oracle.value(&[]));
        }
        let book = tree.book(margin);
        for (line, found) in oracle.0.values() {
            let position = after(line);
            let value = oracle.value(line);
            let mut expected: Vec<(Point, Score)> = Vec::new();
            for &(point, score) in found.iter().filter(|_| value.is_some_and(|it| !it.is_loss())) {
                let worth = oracle.worth(line, point, score);
                if value.unwrap() - worth <= margin.into() && !worth.is_loss() {
                    expected.push((position.canonical_key().image(point), worth));
                }
            }
            expected.sort_by_key(|&(point, worth)| (point, std::cmp::Reverse(worth)));
            expected.dedup_by_key(|it| it.0);
            let moves = book.moves(&position).into_iter();
            let mut moves: Vec<(Point, Score)> = moves
                .map(|it| (position.canonical_key().image(it.points[0]), it.score))
                .collect();
            moves.sort_unstable();
            prop_assert_eq!(moves, expected, "after {:?}", line);
        }
    }
}
