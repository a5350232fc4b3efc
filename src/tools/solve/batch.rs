//! Many positions, one after another, with an output that tells how far it
//! got.

use super::answer::{refusal, solve};
use super::options::SolveOptions;
use super::puzzle::Puzzle;
use crate::threats::Solver;
use std::io::{self, Write};

/// How far a run is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BatchProgress {
    /// Positions answered, those of an earlier run included.
    pub done: usize,
    /// Positions in all.
    pub total: usize,
    /// Wins of this run (of a defence: positions that hold).
    pub wins: usize,
    /// Positions of this run left open.
    pub unknown: usize,
    /// Lines of this run that made no sense.
    pub errors: usize,
}

/// Whether a line of input stands for a position.
fn is_position(line: &str) -> bool {
    let line = line.trim();
    !line.is_empty() && !line.starts_with('#')
}

/// Solves every line of `input` but the first `skip`, writes a line each to
/// `output`, and tells `told` after each. Empty lines and lines that start
/// with `#` count for nothing.
///
/// # Errors
/// Only those of `output`.
pub fn run(
    solver: &mut Solver,
    input: &str,
    skip: usize,
    options: &SolveOptions,
    output: &mut impl Write,
    mut told: impl FnMut(&BatchProgress),
) -> io::Result<BatchProgress> {
    let lines: Vec<&str> = input.lines().filter(|line| is_position(line)).collect();
    let mut progress = BatchProgress {
        done: skip.min(lines.len()),
        total: lines.len(),
        ..BatchProgress::default()
    };
    for line in lines.iter().skip(skip) {
        let text = match line.parse::<Puzzle>() {
            Ok(puzzle) => {
                let answer = solve(solver, &puzzle, options);
                progress.wins += usize::from(matches!(answer.result(), "win" | "holds"));
                progress.unknown += usize::from(answer.result() == "unknown");
                answer.show(&puzzle, options)
            }
            Err(error) => {
                progress.errors += 1;
                refusal(&error.to_string(), options.json)
            }
        };
        writeln!(output, "{text}")?;
        output.flush()?;
        progress.done += 1;
        told(&progress);
    }
    Ok(progress)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::threats::WinKind;

    const INPUT: &str = "\
# two puzzles and a line of nonsense
9 freestyle d5a1e5a3f5a9

9 renju e5
9 chess e5
";

    fn answers(skip: usize) -> (Vec<String>, BatchProgress) {
        let options = SolveOptions {
            kind: WinKind::Vcf,
            nodes: 1000,
            time: None,
            defend: false,
            json: true,
            sgf: false,
        };
        let mut output = Vec::new();
        let mut solver = Solver::new(1 << 16);
        let progress = run(&mut solver, INPUT, skip, &options, &mut output, |_| {}).unwrap();
        let text = String::from_utf8(output).unwrap();
        (text.lines().map(str::to_owned).collect(), progress)
    }

    #[test]
    fn every_line_has_its_answer() {
        let (lines, progress) = answers(0);
        assert_eq!(lines.len(), 3);
        assert!(
            lines[0].starts_with(r#"{"result":"win","plies":3,"line":"c5"#),
            "{}",
            lines[0]
        );
        assert!(lines[1].starts_with(r#"{"result":"none","nodes":0,"ms":"#));
        assert!(lines[2].starts_with(r#"{"result":"error","error":"unknown rule"#));
        assert_eq!((progress.wins, progress.errors, progress.done), (1, 1, 3));
    }

    #[test]
    fn a_run_goes_on_where_it_ended() {
        let (all, _) = answers(0);
        let (rest, progress) = answers(2);
        assert_eq!(rest, all[2..]);
        assert_eq!((progress.done, progress.total), (3, 3));
        assert!(answers(7).0.is_empty());
    }
}
