//! `quincunx solve`: forced wins of puzzles.

use crate::cli::exit::ensure_usage;
use crate::cli::files::Files;
use crate::cli::games::{GameReading, named_file};
use crate::cli::inputs::{is_standard_input, read_file};
use crate::cli::numbers::milliseconds;
use crate::cli::options::{Json, Memory};
use crate::cli::runs::{exit_on_interrupt, progress};
use anyhow::{Context, Result, anyhow, ensure};
use clap::{Args, ValueEnum};
use quincunx_engine::position::notation::parse_moves;
use quincunx_engine::rules::BoardSize;
use quincunx_engine::threats::{Solver, WinKind};
use quincunx_files::whole_lines;
use quincunx_records::text;
use quincunx_runs::{Header, RunFile};
use quincunx_tools::solve::{BatchProgress, SolveOptions, count_answers, run};
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Which wins to look for.
#[derive(Clone, Copy, ValueEnum)]
enum KindArg {
    /// By continuous fours, the shortest
    Vcf,
    /// By continuous threes and fours
    Vct,
    /// By fours if possible, else by threes and fours
    Any,
}

/// The arguments of `quincunx solve`.
#[derive(Args)]
pub(crate) struct Solve {
    /// Positions: moves such as h8i9g10 (-- is a pass), lines such as "15 renju h8i9g10", or
    /// game files, whose last positions are solved. Without any, and for -, lines SIZE RULE MOVES
    /// are read from standard input
    #[arg(value_name = "POS")]
    positions: Vec<String>,
    /// Solve the positions of this file: lines SIZE RULE MOVES, those of quincunx puzzles, or the
    /// last positions of games
    #[arg(
        help_heading = "Positions",
        long,
        value_name = "FILE",
        conflicts_with_all = ["positions", "game"]
    )]
    file: Option<PathBuf>,
    #[command(flatten, next_help_heading = "Positions")]
    reading: GameReading,
    /// Append the answers to this file. The same command resumes an interrupted run, and may
    /// have other limits
    #[arg(help_heading = "Answers", long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Which wins to look for
    #[arg(help_heading = "Search", long, value_enum, default_value = "any")]
    kind: KindArg,
    /// The maximum nodes for a position [default: no limit]
    #[arg(help_heading = "Search", long, value_name = "N", default_value_t = u64::MAX, hide_default_value = true)]
    nodes: u64,
    /// The maximum time for a position, such as 500ms or 10s [default: 10s, with --nodes no
    /// limit]
    #[arg(help_heading = "Search", long, value_name = "TIME", value_parser = milliseconds::<u64>)]
    time: Option<u64>,
    #[command(flatten, next_help_heading = "Search")]
    memory: Memory<256>,
    /// Instead of a win, find the moves after which the opponent has no forced win, or, if all
    /// moves lose, the one that holds out longest
    #[arg(help_heading = "Search", long)]
    defend: bool,
    #[command(flatten, next_help_heading = "Answers")]
    json: Json,
    /// Print the proof as an SGF tree: instead of the text, or as a field of the JSON object
    #[arg(help_heading = "Answers", long, conflicts_with = "defend")]
    sgf: bool,
}

impl Solve {
    /// Solves the positions.
    pub(crate) fn run(&self, output: &mut impl Write) -> Result<()> {
        exit_on_interrupt(match self.answers() {
            Some(_) => "the same command resumes the run",
            None => "the same command starts over; with --out it could be resumed",
        })?;
        self.answer(output)
    }

    /// The file of the answers; none where they go to standard output.
    fn answers(&self) -> Option<&PathBuf> {
        self.out.as_ref().filter(|path| *path != Path::new("-"))
    }

    fn answer(&self, output: &mut impl Write) -> Result<()> {
        let file = self.answers();
        if let Some(path) = file {
            let named = self.positions.iter().map(Path::new);
            let files = Files::read(named.chain(self.file.as_deref()));
            files.others([path]).check()?;
        }
        let input = self.input()?;
        let mut solver = Solver::new(self.memory.memory.0.saturating_mul(1 << 20).max(1 << 20));
        let progress = match file {
            Some(path) => {
                // The answers say themselves which run they are of.
                let mut file = RunFile::open(path, Header::NONE)?;
                let held = file.contents()?;
                let (answers, cut) = held.split_at(whole_lines(&held).len());
                let answers = text(answers).with_context(|| path.display().to_string())?;
                let done = count_answers(answers, cut, &input, &self.options());
                let done = done.with_context(|| {
                    let name = path.display();
                    format!("can't resume {name}, choose another file")
                })?;
                file.resume(answers.len() as u64)?;
                self.solve(&mut solver, &input, done, &mut file)?
            }
            None => self.solve(&mut solver, &input, 0, output)?,
        };
        ensure!(
            progress.errors == 0,
            "{} of {} lines made no sense",
            progress.errors,
            progress.total
        );
        Ok(())
    }

    fn input(&self) -> Result<String> {
        if !self.positions.is_empty() {
            return self.named();
        }
        ensure_usage!(
            self.file.is_some() || !io::stdin().is_terminal(),
            "expected positions, or a file of them, or - to type them"
        );
        self.lines_of(self.file.as_deref().unwrap_or(Path::new("-")))
    }

    /// The positions of a file.
    fn lines_of(&self, path: &Path) -> Result<String> {
        self.reading.games.lines(path, &read_file(path)?)
    }

    /// The positions of the arguments, one per line. A move alone is taken for a part of a
    /// position, a list of moves that the shell has split, and so is the size of a board.
    fn named(&self) -> Result<String> {
        let is_file = |word: &String| named_file(word).is_some();
        let moves =
            |word: &String| parse_moves(self.reading.games.size, word).map(|moves| moves.len());
        let is_move = |word: &String| !is_file(word) && moves(word) == Ok(1);
        let begins_with_size = || {
            let size: Result<BoardSize, _> = self.positions[0].parse();
            size.is_ok() && text::is_line(&self.positions.join(" "))
        };
        let is_split =
            self.positions.len() > 1 && (self.positions.iter().any(is_move) || begins_with_size());
        ensure_usage!(
            !is_split || !self.positions.iter().any(is_file),
            "a file and single moves are no position"
        );
        ensure_usage!(
            !is_split || !has_bare_dashes(self.positions.len()),
            "-- alone ends the options and is no pass: write pass"
        );
        let words = match is_split {
            true => vec![self.positions.join(" ")],
            false => self.positions.clone(),
        };
        let mut lines = String::new();
        let (size, rule) = (self.reading.games.size, self.reading.games.rule());
        for word in &words {
            let word = &word.replace(['\n', '\r'], " ");
            // What makes no sense is refused with its answer.
            lines.push_str(&match is_file(word) {
                true if is_standard_input(Path::new(word)) => self.lines_of(Path::new(word))?,
                true => self.reading.position(word)?.to_line(),
                false if text::is_line(word) => word.clone(),
                false => format!("{size} {rule} {word}"),
            });
            lines.push('\n');
        }
        Ok(lines)
    }

    fn options(&self) -> SolveOptions {
        SolveOptions {
            kind: match self.kind {
                KindArg::Vcf => WinKind::Vcf,
                KindArg::Vct => WinKind::Vct,
                KindArg::Any => WinKind::Any,
            },
            nodes: self.nodes,
            time: match self.time {
                None if self.nodes == u64::MAX => Some(Duration::from_secs(10)),
                limit => limit.map(Duration::from_millis),
            },
            defend: self.defend,
            json: self.json.json,
            sgf: self.sgf,
        }
    }

    fn solve(
        &self,
        solver: &mut Solver,
        input: &str,
        skip: usize,
        output: &mut impl Write,
    ) -> Result<BatchProgress> {
        let options = self.options();
        let progress = progress();
        let mut output = progress.beside(output);
        Ok(run(solver, input, skip, &options, &mut output, |done| {
            if done.total > 1 {
                progress.show(|| state(done, &progress.elapsed()));
            }
        })?)
    }
}

/// Whether `--`, which clap takes for the end of the options, is among this many words.
fn has_bare_dashes(words: usize) -> bool {
    let behind = std::env::args_os().skip_while(|word| word != "--").skip(1);
    (1..words).contains(&behind.count())
}

/// The progress of the run.
fn state(progress: &BatchProgress, elapsed: &str) -> String {
    format!(
        "{}/{}: {} won, {} open, {elapsed}",
        progress.done, progress.total, progress.wins, progress.unknown,
    )
}

/// Bytes as text. The error names the line that is not UTF-8.
fn text(bytes: &[u8]) -> Result<&str> {
    std::str::from_utf8(bytes).map_err(|error| {
        let whole = &bytes[..error.valid_up_to()];
        let line = 1 + whole.iter().filter(|&&byte| byte == b'\n').count();
        anyhow!("line {line} is no text in UTF-8")
    })
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use clap::Parser;
    use std::fs;

    #[derive(Parser)]
    struct Words {
        #[command(flatten)]
        solve: Solve,
    }

    /// Solves the positions of a file into another.
    fn solve(input: &Path, output: &Path) {
        let (input, output) = (input.to_str().unwrap(), output.to_str().unwrap());
        let words = [
            "solve", "--kind", "vcf", "--nodes", "100", "--memory", "1", "--file", input, "--out",
            output,
        ];
        let nowhere = &mut io::sink();
        // Many runs of one process: on Windows it listens for signals once.
        Words::parse_from(words).solve.answer(nowhere).unwrap();
    }

    /// The answers without their times.
    fn answers(path: &Path) -> Vec<String> {
        let text = fs::read_to_string(path).unwrap();
        assert!(text.ends_with('\n'), "{text:?}");
        let untimed = |line: &str| line.split(" (").next().unwrap().to_owned();
        text.lines().map(untimed).collect()
    }

    /// Wherever the interruption comes, the run that goes on ends with the
    /// answers of one that was left alone.
    #[test]
    fn a_line_that_was_cut_off_is_solved_again() {
        let folder = tempfile::tempdir().unwrap();
        let (input, output) = (folder.path().join("in"), folder.path().join("out"));
        let lines = "9 freestyle d5a1e5a3f5a9\n9 renju e5\n9 caro d5a1e5a3f5a9\n";
        fs::write(&input, lines).unwrap();
        solve(&input, &output);
        let whole = fs::read(&output).unwrap();
        let expected = answers(&output);
        assert_eq!(expected.len(), 3);
        for end in 0..=whole.len() {
            fs::write(&output, &whole[..end]).unwrap();
            solve(&input, &output);
            assert_eq!(answers(&output), expected, "interrupted after {end} bytes");
            let kept = whole[..end].iter().rposition(|&b| b == b'\n');
            let kept = kept.map_or(0, |last| last + 1);
            let now = fs::read(&output).unwrap();
            assert_eq!(now[..kept], whole[..kept], "whole lines stay as they are");
        }
    }
}
