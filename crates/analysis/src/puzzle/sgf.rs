//! Puzzles as a collection of SGF games: set-up stones, and the solution as moves.

use super::{Puzzle, PuzzleKind};
use quincunx_engine::rules::{Color, Point};
use quincunx_records::sgf::{self, Tree};
use quincunx_records::{GameRecord, RecordedMove};

/// The puzzles as a collection, one game each.
pub fn collection<'a>(puzzles: impl IntoIterator<Item = &'a Puzzle>) -> String {
    let mut text = String::new();
    for (number, puzzle) in (1..).zip(puzzles) {
        text.push_str(&format!("{}\n", tree(number, puzzle)));
    }
    text
}

/// The win that a defence stops is a variation that begins with a pass: it may have the point
/// of the defence.
fn tree(number: usize, puzzle: &Puzzle) -> Tree {
    let position = &puzzle.position;
    let (side, size) = (position.side(), position.size());
    let stones = size.iter();
    let setup = stones.filter_map(|point| Some((position.stone(point)?, point)));
    let is_defence = puzzle.kind == PuzzleKind::Defence;
    let (solution, stopped) = match puzzle.line.split_first() {
        Some((answer, stopped)) if is_defence => (std::slice::from_ref(answer), stopped),
        _ => (&puzzle.line[..], &[][..]),
    };
    let record = GameRecord {
        name: format!("Puzzle {number}"),
        comment: format!(
            "{side} to move {} (grade {})",
            puzzle.kind.task(),
            puzzle.grade()
        ),
        setup: setup.collect::<Vec<(_, Point)>>(),
        first: side,
        moves: in_turn(side, solution)
            .map(|(color, point)| RecordedMove::new(color, point))
            .collect(),
        ..GameRecord::new(Some(position.rule()), size)
    };
    let mut tree = sgf::tree(&record);
    if !stopped.is_empty() {
        let mut last = 0;
        for (color, point) in in_turn(side, &[&[Point::NONE][..], stopped].concat()) {
            let played = sgf::move_property(size, color, point);
            last = tree.add(Some(last), vec![played]);
        }
    }
    tree
}

/// Moves with the colours that make them.
fn in_turn(side: Color, points: &[Point]) -> impl Iterator<Item = (Color, Point)> {
    let colors = [side, side.opponent()].into_iter().cycle();
    colors.zip(points.iter().copied())
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use quincunx_engine::rules::{BoardSize, Rule};

    #[test]
    fn the_stones_and_the_solution_are_read_back() {
        let line = "11 freestyle e5d5f5a1g5a11h6k11h7k1; vcf h5 i5 h8 any h9; \
                    tree 3; guess 1; grade 1";
        let puzzle: Puzzle = line.parse().unwrap();
        let text = collection([&puzzle, &puzzle]);
        let trees = sgf::Tree::parse(&text).unwrap().trees;
        assert_eq!(trees.len(), 2);
        let read = sgf::game(&trees[1], BoardSize::default()).unwrap().record;
        assert_eq!((read.rule, read.setup.len()), (Some(Rule::Freestyle), 10));
        assert_eq!(read.name, "Puzzle 2");
        assert_eq!(read.comment, "black to move wins by fours (grade 1)");
        let points: Vec<Point> = read.moves.iter().map(|played| played.point).collect();
        assert_eq!(points, puzzle.line);
    }

    /// The stone of the defence was once followed by that of the win on the same point, which no
    /// program reads.
    #[test]
    fn the_win_that_a_defence_stops_is_a_variation() {
        let line = "7 freestyle d5a2d3b2d4a1g5g1f2; defence d2 d2 d1 d6; tree 2; guess 1; grade 1";
        let puzzle: Puzzle = line.parse().unwrap();
        let text = collection([&puzzle]);
        let tree = &sgf::Tree::parse(&text).unwrap().trees[0];
        let mut read = sgf::game(tree, BoardSize::default()).unwrap();
        assert_eq!(read.check(Rule::Freestyle), Ok(()));
        assert_eq!(read.record.moves.len(), 1);
        let points = read.nodes.iter().skip(1).map(|node| node.point.to_string());
        assert_eq!(points.collect::<String>(), "d2--d2d1d6");
    }
}
