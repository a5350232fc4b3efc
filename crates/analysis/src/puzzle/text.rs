//! A puzzle as a line: `15 freestyle h8i9...; vcf k10 any l9; tree 4; guess 3; grade 2`.
//!
//! The line of the solution follows the kind, and begins with the right move. `any` is a reply
//! that prevents nothing. `tree` is the number of the winner's moves in the proof. `guess` and
//! `grade` follow from the rest, and are written for other programs.

use super::{ParseKindError, Puzzle};
use crate::words::proof_line;
use quincunx_engine::position::notation::ParseLineError;
use quincunx_engine::rules::{ParsePointError, Point};
use quincunx_records::text;
use std::fmt;
use std::str::FromStr;

/// The text is not a puzzle.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ParsePuzzleError {
    /// The position can't be read.
    #[error(transparent)]
    Position(#[from] ParseLineError),
    /// The kind is not known.
    #[error(transparent)]
    Kind(#[from] ParseKindError),
    /// A move of the solution is not a point.
    #[error(transparent)]
    Point(#[from] ParsePointError),
    /// Another part is missing or invalid.
    #[error("expected POSITION; KIND LINE; tree N; guess N; grade N")]
    Form,
    /// The right move can't be played, or another one is off the board.
    #[error("{0} can't be played here")]
    Answer(Point),
}

impl fmt::Display for Puzzle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{}; {} {}; tree {}; guess {}; grade {}",
            self.position.to_line(),
            self.kind,
            proof_line(&self.line),
            self.width,
            self.guess(),
            self.grade()
        )
    }
}

impl FromStr for Puzzle {
    type Err = ParsePuzzleError;

    fn from_str(line: &str) -> Result<Puzzle, ParsePuzzleError> {
        let fields: Vec<&str> = line.split(';').map(str::trim).collect();
        let [position, solution, tree, guess, grade] = fields[..] else {
            return Err(ParsePuzzleError::Form);
        };
        let number = |field: &str, name: &str| {
            let number = field.strip_prefix(name).map(str::trim);
            number.and_then(|number| number.parse::<u64>().ok())
        };
        let width = number(tree, "tree").ok_or(ParsePuzzleError::Form)?;
        let (kind, line) = solution.split_once(' ').ok_or(ParsePuzzleError::Form)?;
        let mut position = text::line(position)?;
        let size = position.size();
        let read = |word: &str| -> Result<Point, ParsePuzzleError> {
            if word == "any" {
                return Ok(Point::NONE);
            }
            let point: Point = word.parse()?;
            match size.has(point) {
                true => Ok(point),
                false => Err(ParsePuzzleError::Answer(point)),
            }
        };
        let moves = line.split_whitespace().map(read);
        let puzzle = Puzzle {
            position: position.clone(),
            kind: kind.parse()?,
            line: moves.collect::<Result<_, _>>()?,
            width,
        };
        let answer = puzzle.answer();
        if answer == Point::NONE || !position.is_legal(answer) {
            return Err(ParsePuzzleError::Answer(answer));
        }
        let ratings = [
            ("guess", guess, puzzle.guess() as u64),
            ("grade", grade, puzzle.grade().into()),
        ];
        match ratings
            .iter()
            .all(|&(name, field, value)| number(field, name) == Some(value))
        {
            true => Ok(puzzle),
            false => Err(ParsePuzzleError::Form),
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::puzzle::{PuzzleFinder, PuzzleLimits};

    fn line() -> String {
        let position = text::line("11 freestyle e5d5f5a1g5a11h6k11h7k1").unwrap();
        let mut finder = PuzzleFinder::new(PuzzleLimits::default());
        finder.of_position(&position).unwrap().to_string()
    }

    #[test]
    fn a_line_is_read_back() {
        let line = line();
        let puzzle: Puzzle = line.parse().unwrap();
        assert_eq!(puzzle.to_string(), line);
        let start = "11 freestyle e5d5f5a1g5a11h6k11h7k1; vcf h5 ";
        assert!(line.starts_with(start), "{line}");
        assert!(line.ends_with(&format!("grade {}", puzzle.grade())));
    }

    #[test]
    fn what_is_no_puzzle_is_refused() {
        let line = line();
        for (from, to, problem) in [
            ("freestyle", "chess", "unknown rule"),
            ("vcf", "mate", "unknown kind of puzzle 'mate'"),
            ("vcf h5", "vcf e5", "e5 can't be played here"),
            ("vcf h5", "vcf any", "can't be played here"),
            ("vcf h5", "vcf q20", "q20 can't be played here"),
            // It once was a stone that no program reads.
            ("vcf h5 ", "vcf h5 q20 ", "q20 can't be played here"),
            ("vcf h5", "vcf ?", "point"),
            ("tree ", "tree -", "expected POSITION"),
            ("guess ", "guess 9", "expected POSITION"),
            ("; guess", "", "expected POSITION"),
        ] {
            let wrong = line.replacen(from, to, 1);
            let error = wrong.parse::<Puzzle>().unwrap_err().to_string();
            assert!(error.contains(problem), "{wrong}: {error}");
        }
        assert!("".parse::<Puzzle>().is_err());
    }
}
