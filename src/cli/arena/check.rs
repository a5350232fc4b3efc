//! Arguments of a conformance check.

use super::engines::program;
use crate::cli::exit::{self, ensure_usage};
use crate::cli::numbers::milliseconds;
use crate::cli::options::rule;
use crate::cli::runs::{INTERRUPTED, StopSignal, on_interrupt};
use anyhow::{Context, Result, ensure};
use clap::Args;
use quincunx_arena::check::{self, EngineUnderTest};
use quincunx_engine::rules::{BoardSize, Rule};
use std::io::{self, Write};
use std::time::Duration;

/// Which engine, and how closely to look.
#[derive(Args)]
pub(crate) struct Check {
    /// The command that starts the engine
    engine: String,
    /// A rule the engine knows; all of them if none is given
    #[arg(long = "rule", value_name = "RULE", value_parser = rule(), ignore_case = true)]
    rules: Vec<Rule>,
    /// The board, a square of 12 or more
    #[arg(long, default_value_t)]
    size: BoardSize,
    /// The time for the engine to start
    #[arg(long, value_name = "TIME", value_parser = milliseconds::<u64>, default_value = "5s")]
    start: u64,
    /// Show all conversations
    #[arg(long)]
    verbose: bool,
}

impl Check {
    /// Checks. Returns the exit code.
    pub(crate) fn run(&self, output: &mut dyn Write) -> Result<u8> {
        let square = self.size.width() == self.size.height();
        ensure_usage!(
            square && self.size.width() >= 12,
            "--size must be a square of 12 or more"
        );
        let rules = if self.rules.is_empty() {
            Rule::ALL.to_vec()
        } else {
            self.rules.clone()
        };
        let subject = EngineUnderTest {
            program: program(&self.engine)?,
            rules,
            size: self.size,
            patience: Duration::from_millis(self.start),
        };
        let context = || format!("can't start {}", subject.program);
        subject.program.try_start().with_context(context)?;
        let stop = StopSignal::default();
        let on_signal = stop.clone();
        on_interrupt(move || on_signal.give())?;
        let findings = check::check(&subject, &stop, &mut |finding| {
            // A reader that has gone away is noticed below.
            let _ = writeln!(output, "{}", check::line(finding));
        });
        let transcripts = check::transcripts(&findings, self.verbose);
        let summary = check::summary(&findings);
        exit::unless_gone(writeln!(output, "{transcripts}\n{summary}"))?;
        if stop.is_given() {
            let _ = writeln!(io::stderr(), "interrupted");
            return Ok(INTERRUPTED);
        }
        let failures = findings
            .iter()
            .filter(|finding| finding.status.is_failure());
        ensure!(
            failures.count() == 0,
            "{} does not keep to the protocol",
            self.engine
        );
        Ok(exit::DONE)
    }
}
