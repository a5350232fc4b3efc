//! Renju positions with black's forbidden points.

use crate::sources::{Games, crowded, line};
use quincunx_engine::position::{Forbidden, Position};
use quincunx_engine::rules::{BoardSize, Rule};
use quincunx_testing::oracle::{At, Board, name, point};
use std::collections::{BTreeSet, HashSet};

pub(crate) const HEADER: &str = "
Renju: the points that are forbidden to black, whichever side is to move.
Columns, separated by tabs: the position (SIZE RULE MOVES, -- is a pass); the
forbidden points with every reason (3 double three, 4 double four, 6 overline);
the points that only look forbidden, which they would be if every stone that
makes a three into a straight four could be played; how deep the definition
has to be followed until no answer changes. - is nothing.
Source: games of the engine against itself, and random boards.
Checked: the engine's forbidden points and a recursion over a plain array of
stones (crates/testing), written from the definition, agree on every point.
";

/// How many positions of each depth, 0, 1, 2, 3 and more; of games, then of
/// random boards.
const WANTED: [[usize; 4]; 2] = [[50, 70, 20, 0], [30, 50, 80, 20]];

/// How many positions are looked at, at most.
const TRIED: usize = 400_000;

pub(crate) fn lines() -> Vec<String> {
    let games = Games {
        rule: Rule::Renju,
        size: BoardSize::default(),
        nodes: 200,
        seed: 1,
    };
    let mut rng = fastrand::Rng::with_seed(2);
    let board = move || crowded(&mut rng, Rule::Renju, BoardSize::default());
    let random = std::iter::repeat_with(board);
    let of_games = collect(games.positions().flatten(), WANTED[0]);
    let of_boards = collect(random, WANTED[1]);
    of_games.into_iter().chain(of_boards).collect()
}

/// The first positions of each depth, so many as are wanted.
fn collect(positions: impl Iterator<Item = Position>, mut wanted: [usize; 4]) -> Vec<String> {
    let mut lines = Vec::new();
    let mut seen = HashSet::new();
    for mut position in positions.take(TRIED) {
        if wanted == [0; 4] {
            break;
        }
        if position.forbidden_candidates().next().is_none() {
            continue;
        }
        let labels = labels(&mut position);
        let left = &mut wanted[labels.depth.min(3)];
        // Games repeat most of their fouls from one move to the next.
        if *left > 0 && !labels.is_empty() && seen.insert(labels.text()) {
            *left -= 1;
            lines.push(format!("{}\t{}", line(&position), labels.text()));
        }
    }
    lines
}

#[derive(Default)]
struct Labels {
    forbidden: Vec<String>,
    apparent: Vec<String>,
    depth: usize,
}

impl Labels {
    fn is_empty(&self) -> bool {
        self.forbidden.is_empty() && self.apparent.is_empty()
    }

    fn text(&self) -> String {
        let words = |words: &[String]| match words {
            [] => "-".to_owned(),
            _ => words.join(" "),
        };
        let (forbidden, apparent) = (words(&self.forbidden), words(&self.apparent));
        format!("{forbidden}\t{apparent}\t{}", self.depth)
    }
}

/// # Panics
/// If the engine and the oracle disagree.
fn labels(position: &mut Position) -> Labels {
    let mut board = Board::read(&line(position)).expect("a position");
    let mut labels = Labels::default();
    for at in board.empty() {
        let kinds = board.forbidden(at);
        let engine: BTreeSet<Forbidden> = position.forbidden_kinds(point(at)).into_iter().collect();
        assert_eq!(engine, kinds, "{} in {board:?}", name(at));
        if !kinds.is_empty() {
            let kinds: String = kinds.iter().map(letter).collect();
            labels.forbidden.push(format!("{}:{kinds}", name(at)));
        } else if !board.forbidden_to_depth(at, 0).is_empty() {
            labels.apparent.push(name(at));
        }
        labels.depth = labels.depth.max(depth(&mut board, at, &kinds));
    }
    labels
}

/// From which depth on the answer is the right one.
fn depth(board: &mut Board, at: At, kinds: &BTreeSet<Forbidden>) -> usize {
    const DEEPEST: usize = 8;
    let wrong = |&depth: &usize| board.forbidden_to_depth(at, depth) != *kinds;
    (0..DEEPEST).rev().find(wrong).map_or(0, |depth| depth + 1)
}

fn letter(kind: &Forbidden) -> char {
    match kind {
        Forbidden::Overline => '6',
        Forbidden::DoubleFour => '4',
        Forbidden::DoubleThree => '3',
    }
}
