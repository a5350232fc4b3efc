//! Puzzles as a collection of SGF games: stones that are set up, and the solution as moves.

use super::Puzzle;
use quincunx_engine::rules::Point;
use quincunx_records::{GameRecord, RecordedMove, sgf};

/// The puzzles as a collection, a game each.
pub fn collection<'a>(puzzles: impl IntoIterator<Item = &'a Puzzle>) -> String {
    let mut text = String::new();
    for (number, puzzle) in (1..).zip(puzzles) {
        text.push_str(&sgf::write(&record(number, puzzle)));
        text.push('\n');
    }
    text
}

fn record(number: usize, puzzle: &Puzzle) -> GameRecord {
    let position = &puzzle.position;
    let side = position.side();
    let stones = position.size().iter();
    let setup = stones.filter_map(|point| Some((position.stone(point)?, point)));
    let mut color = side;
    let mut moves = Vec::new();
    for &point in &puzzle.line {
        moves.push(RecordedMove::new(color, point));
        color = color.opponent();
    }
    GameRecord {
        name: format!("Puzzle {number}"),
        comment: format!(
            "{side} to move {} (grade {})",
            puzzle.kind.task(),
            puzzle.grade()
        ),
        setup: setup.collect::<Vec<(_, Point)>>(),
        first: side,
        moves,
        ..GameRecord::new(Some(position.rule()), position.size())
    }
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
}
