//! Many positions, one after another, with an output that shows where to continue.

use super::answer::{refusal, solve};
use super::options::SolveOptions;
use super::proof::start_of_tree;
use super::puzzle::Puzzle;
use quincunx_engine::threats::Solver;
use std::io::{self, Write};

/// The progress of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BatchProgress {
    /// The number of answered positions, including those of an earlier run.
    pub done: usize,
    /// The number of all positions.
    pub total: usize,
    /// The number of wins of this run, or of held positions for a defence.
    pub wins: usize,
    /// The number of positions of this run that were left open.
    pub unknown: usize,
    /// The number of invalid lines, including those of an earlier run.
    pub errors: usize,
}

/// Returns whether a line of input is for a position.
fn is_position(line: &str) -> bool {
    let line = line.trim();
    !line.is_empty() && !line.starts_with('#')
}

/// The lines of input that are for positions.
fn positions(input: &str) -> impl Iterator<Item = &str> {
    input.lines().filter(|line| is_position(line))
}

/// An invalid line of input in the form in which its answer repeats it.
fn asked(line: &str) -> String {
    line.split_whitespace().collect::<Vec<&str>>().join(" ")
}

/// The answers of an earlier run do not answer the same questions.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ResumeError {
    /// An answer is to another question.
    #[error("line {line} is not an answer to '{question}'")]
    Other {
        /// The number of the answer, from one.
        line: usize,
        /// The position and what is asked about it.
        question: String,
    },
    /// There are more answers than positions.
    #[error("there are {answers} answers, but only {positions} positions")]
    TooMany {
        /// The number of answers.
        answers: usize,
        /// The number of positions.
        positions: usize,
    },
}

/// Checks that the lines of `answers` are those to the first lines of `input`, in the same
/// form, and that `cut` begins the one behind them. Returns how many answers there are.
///
/// # Errors
/// When they are not.
pub fn count_answers(
    answers: &str,
    cut: &[u8],
    input: &str,
    options: &SolveOptions,
) -> Result<usize, ResumeError> {
    let whole = answers.lines().map(|line| (line.as_bytes(), true));
    let all = whole.chain((!cut.is_empty()).then_some((cut, false)));
    let (count, total) = (all.clone().count(), positions(input).count());
    if count > total {
        return Err(ResumeError::TooMany {
            answers: count,
            positions: total,
        });
    }
    for (line, ((answer, is_whole), asked)) in (1..).zip(all.zip(positions(input))) {
        let (question, start) = start_of_answer(asked, options);
        let start = start.as_bytes();
        if !answer.starts_with(start) && (is_whole || !start.starts_with(answer)) {
            return Err(ResumeError::Other { line, question });
        }
    }
    Ok(count - usize::from(!cut.is_empty()))
}

/// The question about a line of input, and the start of its answer.
fn start_of_answer(line: &str, options: &SolveOptions) -> (String, String) {
    let puzzle = line.parse::<Puzzle>();
    let question = match &puzzle {
        Ok(puzzle) => options.question(puzzle.position()),
        Err(_) => asked(line),
    };
    let start = match &puzzle {
        _ if options.json => {
            let text = serde_json::to_string(&question).unwrap_or_default();
            format!("{{\"question\":{text},")
        }
        Ok(puzzle) if options.sgf => start_of_tree(puzzle.position(), &question),
        _ => format!("{question}: "),
    };
    (question, start)
}

/// Solves every line of `input` but the first `skip`, and writes a line each to
/// `output`. `on_progress` is called after each. Empty lines and lines that start
/// with `#` are skipped.
///
/// # Errors
/// Only those of `output`.
pub fn run(
    solver: &mut Solver,
    input: &str,
    skip: usize,
    options: &SolveOptions,
    output: &mut impl Write,
    mut on_progress: impl FnMut(&BatchProgress),
) -> io::Result<BatchProgress> {
    let lines: Vec<&str> = positions(input).collect();
    let is_nonsense = |line: &&&str| line.parse::<Puzzle>().is_err();
    let mut progress = BatchProgress {
        done: skip.min(lines.len()),
        total: lines.len(),
        errors: lines.iter().take(skip).filter(is_nonsense).count(),
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
                refusal(&asked(line), &error.to_string(), options.json)
            }
        };
        writeln!(output, "{text}")?;
        output.flush()?;
        progress.done += 1;
        on_progress(&progress);
    }
    Ok(progress)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use quincunx_engine::threats::WinKind;

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
            lines[0].starts_with(
                r#"{"question":"9 freestyle d5a1e5a3f5a9, vcf","result":"win","plies":3,"line":"c5"#
            ),
            "{}",
            lines[0]
        );
        let second = r#"{"question":"9 renju e5, vcf","result":"none","nodes":0,"ms":"#;
        assert!(lines[1].starts_with(second), "{}", lines[1]);
        let third = r#"{"question":"9 chess e5","result":"error","error":"unknown rule"#;
        assert!(lines[2].starts_with(third), "{}", lines[2]);
        assert_eq!((progress.wins, progress.errors, progress.done), (1, 1, 3));
    }

    /// White can't stop two open threes, and holds out longest by stopping one.
    #[test]
    fn the_longest_resistance_is_named() {
        let mut options = SolveOptions {
            kind: WinKind::Vcf,
            nodes: 100_000,
            time: None,
            defend: true,
            json: false,
            sgf: false,
        };
        let input = "9 freestyle c5a1d5c1e5i1c7i3d7g1e7";
        let mut solver = Solver::new(1 << 16);
        for json in [false, true] {
            options.json = json;
            let mut output = Vec::new();
            run(&mut solver, input, 0, &options, &mut output, |_| {}).unwrap();
            let text = String::from_utf8(output).unwrap();
            let expected = if json {
                r#""result":"lost","plies":4,"line":"#
            } else {
                ": lost in 4 plies: "
            };
            assert!(text.contains(expected), "{text}");
        }
    }

    #[test]
    fn answers_are_those_to_the_same_questions() {
        let form = |json, sgf, kind| SolveOptions {
            kind,
            nodes: 1000,
            time: None,
            defend: false,
            json,
            sgf,
        };
        let forms = [(false, false), (true, false), (true, true), (false, true)];
        let mut solver = Solver::new(1 << 16);
        for (json, sgf) in forms {
            let options = form(json, sgf, WinKind::Vcf);
            let mut output = Vec::new();
            run(&mut solver, INPUT, 0, &options, &mut output, |_| {}).unwrap();
            let text = String::from_utf8(output).unwrap();
            for count in 0..=3 {
                let answers: String = text.split_inclusive('\n').take(count).collect();
                assert_eq!(count_answers(&answers, b"", INPUT, &options), Ok(count));
                // What is behind them begins the next answer, or is another's.
                let next = &text.as_bytes()[answers.len()..];
                let next = next.split(|&byte| byte == b'\n').next().unwrap();
                for cut in [&next[..next.len().min(1)], &next[..next.len() / 2], next] {
                    assert_eq!(count_answers(&answers, cut, INPUT, &options), Ok(count));
                }
                for other in [&b"my only copy"[..], b"(;GM[4]SZ[15];B[hh])", b"\xFF"] {
                    assert!(count_answers(&answers, other, INPUT, &options).is_err());
                }
            }
            let other_kind = form(json, sgf, WinKind::Any);
            let other_form = form(!json, sgf, WinKind::Vcf);
            let other_input = INPUT.replace("a9", "a8");
            assert!(count_answers(&text, b"", INPUT, &other_kind).is_err());
            assert!(count_answers(&text, b"", INPUT, &other_form).is_err());
            assert!(count_answers(&text, b"", &other_input, &options).is_err());
            let few = "9 freestyle d5a1e5a3f5a9";
            assert!(count_answers(&text, b"", few, &options).is_err());
        }
    }

    #[test]
    fn a_run_goes_on_where_it_ended() {
        let (all, _) = answers(0);
        let (rest, progress) = answers(2);
        assert_eq!(rest, all[2..]);
        assert_eq!((progress.done, progress.total), (3, 3));
        // At the end all lines were reported.
        assert_eq!(answers(3).1, progress);
        let (rest, progress) = answers(7);
        assert_eq!((rest.len(), progress.errors), (0, 1));
    }
}
