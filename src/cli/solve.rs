//! `quincunx solve`: forced wins of puzzles.

use anyhow::{Context, Result, ensure};
use clap::{Args, ValueEnum};
use quincunx::rules::{BoardSize, Rule};
use quincunx::threats::{Solver, WinKind};
use quincunx::tools::solve::{BatchProgress, SolveOptions, run};
use std::fs::{self, File};
use std::io::{self, IsTerminal, Read, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

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
pub(super) struct Solve {
    /// Positions: the moves one after another, such as h8i9g10; -- is a pass.
    /// Without any, lines of SIZE RULE POS are read
    #[arg(value_name = "POS")]
    positions: Vec<String>,
    /// Read lines of SIZE RULE POS from this file instead of standard input
    #[arg(long, value_name = "FILE", conflicts_with = "positions")]
    file: Option<PathBuf>,
    /// Append the answers to this file; a run that was interrupted goes on
    /// where it ended
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// The rule of positions given as arguments: freestyle, standard, renju,
    /// caro or caro-overline
    #[arg(long, default_value_t)]
    rule: Rule,
    /// The board of positions given as arguments: 15, or 20x15
    #[arg(long, default_value_t)]
    size: BoardSize,
    /// Which wins to look for
    #[arg(long, value_enum, default_value = "any")]
    kind: KindArg,
    /// The most nodes a position
    #[arg(long, value_name = "N", default_value_t = u64::MAX, hide_default_value = true)]
    nodes: u64,
    /// The most time a position, in milliseconds [default: 10000 where there
    /// is no --nodes]
    #[arg(long, value_name = "MS")]
    time_ms: Option<u64>,
    /// Memory in megabytes
    #[arg(long, value_name = "MB", default_value_t = 256)]
    memory: usize,
    /// Say which moves do not lose to a win of the opponent, instead
    #[arg(long)]
    defend: bool,
    /// One JSON object a line
    #[arg(long)]
    json: bool,
    /// Give the proof as an SGF tree: in place of the text, or as a field of
    /// the JSON object
    #[arg(long, conflicts_with = "defend")]
    sgf: bool,
}

impl Solve {
    /// Solves what the arguments name.
    pub(super) fn run(&self, output: &mut impl Write) -> Result<()> {
        let input = self.input()?;
        let mut solver = Solver::new(self.memory.saturating_mul(1 << 20).max(1 << 20));
        let progress = match &self.out {
            Some(path) => {
                let (mut file, done) = resume(path)?;
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
            let line = |moves: &String| format!("{} {} {moves}\n", self.size, self.rule);
            return Ok(self.positions.iter().map(line).collect());
        }
        match &self.file {
            Some(path) => fs::read_to_string(path)
                .with_context(|| format!("can't read the positions {}", path.display())),
            None => {
                let mut text = String::new();
                io::stdin().read_to_string(&mut text)?;
                Ok(text)
            }
        }
    }

    fn solve(
        &self,
        solver: &mut Solver,
        input: &str,
        skip: usize,
        output: &mut impl Write,
    ) -> Result<BatchProgress> {
        let options = SolveOptions {
            kind: match self.kind {
                KindArg::Vcf => WinKind::Vcf,
                KindArg::Vct => WinKind::Vct,
                KindArg::Any => WinKind::Any,
            },
            nodes: self.nodes,
            time: match self.time_ms {
                None if self.nodes == u64::MAX => Some(Duration::from_secs(10)),
                limit => limit.map(Duration::from_millis),
            },
            defend: self.defend,
            json: self.json,
            sgf: self.sgf,
        };
        let start = Instant::now();
        let on_terminal = io::stderr().is_terminal();
        let progress = run(solver, input, skip, &options, output, |progress| {
            if on_terminal && progress.total > 1 {
                tell(progress, start.elapsed());
            }
        })?;
        if on_terminal && progress.total > 1 {
            let _ = writeln!(io::stderr());
        }
        Ok(progress)
    }
}

/// Shows on one line of the terminal how far the run is.
fn tell(progress: &BatchProgress, time: Duration) {
    // A terminal that has gone away misses nothing.
    let _ = write!(io::stderr(), "\r{} ", state(progress, time));
}

/// How far the run is, in a few words that never become fewer: each display
/// covers the one before it.
fn state(progress: &BatchProgress, time: Duration) -> String {
    format!(
        "{}/{}: {} won, {} open, {} s",
        progress.done,
        progress.total,
        progress.wins,
        progress.unknown,
        time.as_secs()
    )
}

/// Opens the file of answers at its end, and says how many it has. A line that
/// was cut off by an interruption is taken away.
fn resume(path: &Path) -> Result<(File, usize)> {
    let context = || format!("can't write the answers {}", path.display());
    let text = match fs::read(path) {
        Ok(text) => text,
        Err(error) if error.kind() == io::ErrorKind::NotFound => Vec::new(),
        Err(error) => return Err(error).with_context(context),
    };
    let whole = text
        .iter()
        .rposition(|&byte| byte == b'\n')
        .map_or(0, |end| end + 1);
    let done = text[..whole].iter().filter(|&&byte| byte == b'\n').count();
    let file = File::options()
        .create(true)
        .append(true)
        .open(path)
        .with_context(context)?;
    file.set_len(whole as u64).with_context(context)?;
    Ok((file, done))
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use clap::Parser;

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
        Words::parse_from(words).solve.run(nowhere).unwrap();
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

    #[test]
    fn what_cannot_be_written_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let problem = resume(folder.path()).unwrap_err().to_string();
        assert!(problem.starts_with("can't write the answers "), "{problem}");
    }

    #[test]
    fn the_display_tells_how_far_the_run_is() {
        let mut progress = BatchProgress {
            done: 9,
            total: 120,
            wins: 7,
            unknown: 1,
            errors: 0,
        };
        let before = state(&progress, Duration::from_millis(9_900));
        assert_eq!(before, "9/120: 7 won, 1 open, 9 s");
        progress.done += 1;
        let after = state(&progress, Duration::from_secs(10));
        assert_eq!(after, "10/120: 7 won, 1 open, 10 s");
        assert!(after.len() >= before.len());
    }
}
