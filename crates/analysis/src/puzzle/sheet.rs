//! Puzzles as a page to print: the boards first, the solutions at the end.

use super::Puzzle;
use crate::diagram::{Diagram, Stone, Theme};
use crate::words::proof_line;
use quincunx_drawing::page;
use quincunx_engine::rules::Color;
use serde::Serialize;

const TEMPLATE: &str = include_str!("sheet.html");

/// The puzzles as a self-contained page.
pub fn sheet<'a>(title: &str, puzzles: impl IntoIterator<Item = &'a Puzzle>) -> String {
    let drawn = |(number, puzzle): (usize, &Puzzle)| PrintedPuzzle {
        number,
        side: puzzle.position.side(),
        task: puzzle.kind.task(),
        grade: puzzle.grade(),
        board: diagram(number, puzzle).svg(),
        solution: proof_line(&puzzle.line),
    };
    let puzzles = (1..).zip(puzzles).map(drawn).collect();
    page(TEMPLATE, Sheet { title, puzzles })
}

/// The values of the template.
#[derive(Serialize)]
struct Sheet<'a> {
    title: &'a str,
    puzzles: Vec<PrintedPuzzle>,
}

#[derive(Serialize)]
struct PrintedPuzzle {
    number: usize,
    side: Color,
    task: &'static str,
    grade: u32,
    board: String,
    solution: String,
}

/// The position without the numbers of its moves.
fn diagram(number: usize, puzzle: &Puzzle) -> Diagram {
    let position = &puzzle.position;
    let stones = position.size().iter().filter_map(|point| {
        Some(Stone {
            color: position.stone(point)?,
            point,
            number: None,
        })
    });
    Diagram {
        stones: stones.collect(),
        theme: Theme::Print,
        title: format!("puzzle {number}"),
        ..Diagram::new(position.size())
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn every_puzzle_has_a_board_and_a_solution() {
        let line = "11 freestyle e5d5f5a1g5a11h6k11h7k1; vcf h5 i5 h8 any h9; \
                    tree 3; guess 1; grade 1";
        let puzzle: Puzzle = line.parse().unwrap();
        let page = sheet("<Sheet> & more", [&puzzle, &puzzle]);
        assert!(page.contains("<title>&lt;Sheet&gt; &amp; more</title>"));
        assert_eq!(page.matches("class=\"black\"").count(), 10);
        assert_eq!(page.matches("<li>h5 i5 h8 any h9</li>").count(), 2);
        assert!(page.contains("2. black to move wins by fours (grade 1)"));
        assert!(!page.contains("{{"));
        let others = page.replace("http://www.w3.org/2000/svg", "");
        assert!(!others.contains("http"), "the page needs another file");
    }
}
