//! Answers to puzzles, each as one line of text.

use super::options::SolveOptions;
use super::proof;
use super::puzzle::Puzzle;
use quincunx_engine::rules::Point;
use quincunx_engine::score::Plies;
use quincunx_engine::threats::{Defence, ForcedWin, Proof, Solution, Solver, SolverLimits};
use serde::Serialize;
use std::fmt::Write;
use std::time::{Duration, Instant};

/// The answer of the solver.
#[derive(Clone, Debug)]
enum SolverResult {
    Solution(Solution),
    Defence(Defence),
}

/// The answer to a puzzle.
#[derive(Clone, Debug)]
pub struct PuzzleAnswer {
    found: SolverResult,
    time: Duration,
}

/// Solves one puzzle.
pub fn solve(solver: &mut Solver, puzzle: &Puzzle, options: &SolveOptions) -> PuzzleAnswer {
    let start = Instant::now();
    // So that the nodes do not depend on what came before.
    solver.clear();
    let mut stop = || options.time.is_some_and(|time| start.elapsed() >= time);
    let limits = SolverLimits {
        nodes: options.nodes,
        stop: &mut stop,
    };
    let position = puzzle.position();
    let found = if options.defend {
        SolverResult::Defence(solver.defend(position, options.kind, limits))
    } else {
        SolverResult::Solution(solver.solve(position, options.kind, limits))
    };
    PuzzleAnswer {
        found,
        time: start.elapsed(),
    }
}

/// An answer as a JSON object; the order of the fields is theirs in the text.
#[derive(Serialize)]
struct JsonAnswer {
    question: String,
    result: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    plies: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    sgf: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    holding: Option<Vec<String>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    open: Option<Vec<String>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    losing: Option<Vec<String>>,
    nodes: u64,
    ms: u64,
}

/// An invalid line of input, as a JSON object.
#[derive(Serialize)]
struct JsonError<'a> {
    question: &'a str,
    result: &'static str,
    error: &'a str,
}

impl PuzzleAnswer {
    /// In one word: `win`, `none` or `unknown`; of a defence `holds`, `lost`
    /// or `unknown`.
    pub fn result(&self) -> &'static str {
        match &self.found {
            SolverResult::Solution(solution) => match solution.win {
                ForcedWin::Proven(_) => "win",
                ForcedWin::None => "none",
                ForcedWin::Unknown => "unknown",
            },
            SolverResult::Defence(defence) => {
                if !defence.holds.is_empty() {
                    "holds"
                } else if defence.unknown.is_empty() {
                    "lost"
                } else {
                    "unknown"
                }
            }
        }
    }

    /// One line, in the form that the options ask for.
    pub fn show(&self, puzzle: &Puzzle, options: &SolveOptions) -> String {
        let question = options.question(puzzle.position());
        if options.json {
            self.json(question, puzzle, options)
        } else if options.sgf {
            proof::tree(puzzle.position(), self.proof(), &question).to_string()
        } else {
            format!("{question}: {}", self.text())
        }
    }

    fn nodes(&self) -> u64 {
        match &self.found {
            SolverResult::Solution(solution) => solution.nodes,
            SolverResult::Defence(defence) => defence.nodes,
        }
    }

    fn proof(&self) -> Option<&Proof> {
        match &self.found {
            SolverResult::Solution(Solution {
                win: ForcedWin::Proven(proof),
                ..
            }) => Some(proof),
            _ => None,
        }
    }

    /// The moves that hold out longest, if every move of the defence loses.
    fn longest_resistance(&self) -> Option<&[Point]> {
        match &self.found {
            SolverResult::Defence(defence) if self.result() == "lost" => Some(&defence.longest),
            _ => None,
        }
    }

    fn text(&self) -> String {
        let mut text = self.result().to_owned();
        // Writing to a string can't fail.
        if let Some(proof) = self.proof() {
            let line = points(&proof.line());
            let _ = write!(text, " in {}: {line}", Plies(proof.plies()));
        }
        if let Some(line) = self.longest_resistance() {
            let _ = write!(text, " in {}: {}", Plies(line.len()), points(line));
        }
        if let SolverResult::Defence(defence) = &self.found {
            let lists = [
                ("holding", &defence.holds),
                ("open", &defence.unknown),
                ("losing", &defence.loses),
            ];
            for (name, list) in lists.into_iter().filter(|(_, list)| !list.is_empty()) {
                let _ = write!(text, ", {name} {}", names(list).join(" "));
            }
        }
        let ms = self.time.as_millis();
        let _ = write!(text, " ({} nodes, {ms} ms)", self.nodes());
        text
    }

    fn json(&self, question: String, puzzle: &Puzzle, options: &SolveOptions) -> String {
        let proof = self.proof();
        let defence = match &self.found {
            SolverResult::Solution(_) => None,
            SolverResult::Defence(defence) => Some(defence),
        };
        let resistance = self.longest_resistance();
        let tree = |proof| proof::tree(puzzle.position(), Some(proof), &question).to_string();
        let sgf = proof.filter(|_| options.sgf).map(tree);
        to_json(&JsonAnswer {
            question,
            result: self.result(),
            plies: proof.map(Proof::plies).or(resistance.map(<[Point]>::len)),
            line: proof
                .map(|proof| points(&proof.line()))
                .or(resistance.map(points)),
            sgf,
            holding: defence.map(|defence| names(&defence.holds)),
            open: defence.map(|defence| names(&defence.unknown)),
            losing: defence.map(|defence| names(&defence.loses)),
            nodes: self.nodes(),
            ms: self.time.as_millis() as u64,
        })
    }
}

/// An invalid line of input, as one line of output.
pub(super) fn refusal(question: &str, reason: &str, json: bool) -> String {
    if !json {
        return format!("{question}: error: {reason}");
    }
    to_json(&JsonError {
        question,
        result: "error",
        error: reason,
    })
}

fn to_json(value: &impl Serialize) -> String {
    // Strings and numbers can always be written.
    serde_json::to_string(value).unwrap_or_default()
}

/// The moves of a line.
fn points(line: &[Point]) -> String {
    line.iter().map(Point::to_string).collect()
}

/// Points that are not a line of moves.
fn names(points: &[Point]) -> Vec<String> {
    points.iter().map(Point::to_string).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_strings_are_escaped() {
        assert_eq!(
            refusal("h8", "'\"' is\nno \\", true),
            r#"{"question":"h8","result":"error","error":"'\"' is\nno \\"}"#
        );
        assert_eq!(refusal("h8", "no", false), "h8: error: no");
    }
}
