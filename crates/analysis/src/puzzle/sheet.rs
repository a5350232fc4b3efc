//! Puzzles as a page to print: the boards first, the solutions at the end.

use super::Puzzle;
use crate::diagram::{Diagram, Stone, Theme};
use crate::words::proof_line;
use quincunx_drawing::escape;
use std::fmt::Write;

const TEMPLATE: &str = include_str!("sheet.html");

/// The puzzles as a self-contained page.
pub fn sheet<'a>(title: &str, puzzles: impl IntoIterator<Item = &'a Puzzle>) -> String {
    let (mut boards, mut solutions) = (String::new(), String::new());
    for (number, puzzle) in (1..).zip(puzzles) {
        let caption = format!(
            "{number}. {} to move {} (grade {})",
            puzzle.position.side(),
            puzzle.kind.task(),
            puzzle.grade()
        );
        let _ = write!(
            boards,
            "<figure>{}<figcaption>{caption}</figcaption></figure>",
            diagram(number, puzzle).svg()
        );
        let _ = write!(solutions, "<li>{}</li>", proof_line(&puzzle.line));
    }
    TEMPLATE
        .replace("{{puzzles}}", &boards)
        .replace("{{solutions}}", &solutions)
        .replace("{{title}}", &escape(title))
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
